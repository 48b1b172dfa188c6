#include "store/trace_row.h"

bool trace_row_find(struct store *store, const char *sql, const char *name, int64_t *id,
                    struct error *error) {
    sqlite3_stmt *find = database_take(store->database, sql, error);
    bool row, done;

    *id = 0;
    if (find == NULL) {
        return false;
    }
    sqlite3_bind_text(find, 1, name, -1, SQLITE_STATIC);
    done = database_step(store->database, find, &row, error);
    if (done && row) {
        *id = sqlite3_column_int64(find, 0);
    }
    database_keep(store->database, find);
    return done;
}

bool trace_row_insert(struct store *store, const struct store_trace *trace, struct error *error) {
    bool done = database_change(
        store->database, error,
        "INSERT INTO trace (name, kind, format, variant, device, user, clock_unit, sessions,"
        " events, merged, ignored, rejected, lost_bytes, rollups, study)"
        " VALUES (?1, ?2, ?3, '', ?4, ?5, 'ns', 1, 0, 0, 0, 0, 0, '', ?6)",
        "ssssss", trace->name, trace_kind_name(trace->kind), trace->format, trace->device,
        trace->user, trace->study);

    store->trace = sqlite3_last_insert_rowid(store->database->handle);
    return done;
}

bool store_name(struct store *store, const char *name, const char *log, struct error *error) {
    int64_t other;

    if (!trace_row_find(store, "SELECT id FROM trace WHERE name = ?1", name, &other, error)) {
        return false;
    }
    return other != 0 && other != store->trace
               ? error_set(error,
                           "the log holds several kinds of events, and a trace named %s is there "
                           "already; choose another name with -n",
                           name)
               : database_change(store->database, error,
                                 "UPDATE trace SET name = ?1, log = ?2 WHERE id = ?3", "ssi", name,
                                 log, store->trace);
}

/* What only a trace with events has. */
static bool write_ranges(struct store *store, struct error *error) {
    return store->next_event == store->first_event ||
           database_change(store->database, error,
                           "UPDATE trace SET first_event = ?1, last_event = ?2, first_time = ?3,"
                           " last_time = ?4 WHERE id = ?5",
                           "iiiii", store->first_event, store->next_event - 1, store->first_time,
                           store->last_time, store->trace);
}

/* A trace that goes on keeps what it knew and adds up the rest. */
static bool write_ending(struct store *store, const struct store_ending *ending,
                         const char *rollups, struct error *error) {
    return database_change(
        store->database, error,
        "UPDATE trace SET variant = CASE variant WHEN '' THEN ?1 ELSE variant END,"
        " clock_unit = ?2, start = ?3, utc_offset = ?4, sessions = ?5, events = events + ?6,"
        " merged = merged + ?7, ignored = ignored + ?8, rejected = rejected + ?9,"
        " lost_bytes = lost_bytes + ?10, rollups = ?11, resume = ?12, clocks = ?14,"
        " clock_hz = ?15, paired = paired + ?16, round = ifnull(?17, round),"
        " call_overhead = ifnull(?18, call_overhead) WHERE id = ?13",
        "ssooiiiiiissisoioo", ending->variant, ending->clock_unit, ending->start,
        ending->utc_offset, ending->sessions, ending->events, ending->merged, ending->ignored,
        ending->rejected, ending->lost_bytes, rollups, ending->resume, store->trace, ending->clocks,
        ending->clock_hz, ending->paired, ending->round, ending->call_overhead);
}

bool trace_row_complete(struct store *store, const struct store_ending *ending, const char *rollups,
                        struct error *error) {
    if (ending->last_time > store->last_time) {
        store->last_time = ending->last_time;
    }
    return write_ending(store, ending, rollups, error) && write_ranges(store, error);
}

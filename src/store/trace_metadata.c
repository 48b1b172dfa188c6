#include "store/trace_metadata.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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

/* --- files, ledger and remarks -------------------------------------------------------------------
 */

bool store_find_content(struct store *store, const char *hash, char **trace_name,
                        struct error *error) {
    sqlite3_stmt *find =
        database_prepare(store->database,
                         "SELECT trace.name FROM source JOIN trace ON trace.id = source.trace"
                         " WHERE source.hash = ?1 AND source.size > 0 LIMIT 1",
                         error);
    bool row = false, done;

    *trace_name = NULL;
    if (find == NULL) {
        return false;
    }
    sqlite3_bind_text(find, 1, hash, -1, SQLITE_STATIC);
    done = database_step(store->database, find, &row, error);
    if (row) {
        const char *name = (const char *)sqlite3_column_text(find, 0);

        *trace_name = xstrdup(name == NULL ? "" : name);
    }
    sqlite3_finalize(find);
    return done;
}

bool store_source(struct store *store, const struct store_source *source, int64_t *id,
                  struct error *error) {
    bool done = database_change(
        store->database, error,
        "INSERT INTO source (trace, name, hash, size, packing, events, first_event, last_event)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, nullif(?7, 0), nullif(?8, 0))",
        "issisiii", store->trace, source->name, source->hash, source->size, source->packing,
        source->events, source->first_event, source->last_event);

    *id = sqlite3_last_insert_rowid(store->database->handle);
    return done;
}

bool store_ledger(struct store *store, int64_t source, const char *outcome, const char *reason,
                  int64_t count, int64_t first_offset, int64_t bytes, struct error *error) {
    return database_change(store->database, error,
                           "INSERT INTO ledger VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", "iissiii",
                           store->trace, source, outcome, reason, count, first_offset, bytes);
}

bool store_remark(struct store *store, int64_t number, const char *text, struct error *error) {
    return database_change(store->database, error, "INSERT INTO remark VALUES (?1, ?2, ?3)", "iis",
                           store->trace, store->existing.remarks + number, text);
}

bool store_meaning(struct store *store, const struct event_meaning *meaning, struct error *error) {
    return database_change(store->database, error,
                           "INSERT OR IGNORE INTO meaning VALUES (?1, ?2, ?3, ?4, ?5)", "issss",
                           store->trace, event_column_name(meaning->place), meaning->kind,
                           meaning->what, meaning->unit);
}

bool store_fact_unknown(struct store *store, enum fact fact, struct error *error) {
    return database_change(store->database, error,
                           "INSERT OR IGNORE INTO meaning"
                           " VALUES (?1, '', '', '" FACT_UNKNOWN "' || ?2, '')",
                           "is", store->trace, fact_words(fact));
}

bool store_fact_known(struct store *store, enum fact fact, struct error *error) {
    return database_change(store->database, error,
                           "DELETE FROM meaning WHERE trace = ?1 AND \"column\" = ''"
                           " AND what = '" FACT_UNKNOWN "' || ?2",
                           "is", store->trace, fact_words(fact));
}

bool store_time_of_day(struct store *store, int64_t nanoseconds, struct error *error) {
    return database_change(
        store->database, error,
        "INSERT OR IGNORE INTO meaning VALUES (?1, 'time', '', '" MEANING_TIME_OF_DAY
        "', 'ns from ' || ?2)",
        "ii", store->trace, nanoseconds);
}

bool store_loggable(struct store *store, int64_t code, bool by_default, struct error *error) {
    return database_change(store->database, error,
                           "INSERT OR IGNORE INTO loggable VALUES (?1, ?2, ?3)", "iii",
                           store->trace, code, (int64_t)by_default);
}

/* --- a trace that goes on ------------------------------------------------------------------------
 */

/* Takes over what the trace's row says; `row` is that of trace_existing_load(). */
static bool read_existing(struct store *store, sqlite3_stmt *row, const char *name,
                          const char *format, struct error *error) {
    const char *its_format = (const char *)sqlite3_column_text(row, 0);
    const char *rollups = (const char *)sqlite3_column_text(row, 1);
    const char *resume = (const char *)sqlite3_column_text(row, 2);

    if (its_format == NULL || strcmp(its_format, format) != 0) {
        return error_set(error, "trace %s holds %s; a file of format %s cannot be appended", name,
                         its_format, format);
    }
    store->existing = (struct store_existing){
        .rollups = xstrdup(rollups == NULL ? "" : rollups),
        .resume = resume == NULL ? NULL : xstrdup(resume),
        .start = database_column_optional(row, 3),
        .utc_offset = database_column_optional(row, 4),
        .sessions = sqlite3_column_int64(row, 5),
        .remarks = sqlite3_column_int64(row, 10),
    };
    if (sqlite3_column_type(row, 6) != SQLITE_NULL) {
        store->first_event = sqlite3_column_int64(row, 6);
        store->next_event = sqlite3_column_int64(row, 7) + 1;
        store->first_time = sqlite3_column_int64(row, 8);
        store->last_time = sqlite3_column_int64(row, 9);
    }
    return true;
}

bool trace_existing_load(struct store *store, const char *name, const char *format,
                         struct error *error) {
    sqlite3_stmt *select = database_prepare(
        store->database,
        "SELECT format, rollups, resume, start, utc_offset, sessions, first_event, last_event,"
        " first_time, last_time, (SELECT count(*) FROM remark WHERE trace = ?1)"
        " FROM trace WHERE id = ?1",
        error);
    bool row = false, done = select != NULL;

    if (done) {
        sqlite3_bind_int64(select, 1, store->trace);
        done = database_step(store->database, select, &row, error);
    }
    done = done && row && read_existing(store, select, name, format, error);
    sqlite3_finalize(select);
    return done;
}

static bool give_name(const struct store_names *names, sqlite3_stmt *row) {
    return names->name(names->context, (uint32_t)sqlite3_column_int64(row, 0),
                       &(struct name_entry){
                           .kind = (const char *)sqlite3_column_text(row, 1),
                           .code = database_column_optional(row, 2),
                           .text = (const char *)sqlite3_column_text(row, 3),
                           .length = (size_t)sqlite3_column_bytes(row, 3),
                       });
}

static bool give_actor(const struct store_names *names, sqlite3_stmt *row) {
    return names->actor(names->context, (uint32_t)sqlite3_column_int64(row, 0),
                        &(struct actor_entry){
                            .session = sqlite3_column_int64(row, 1),
                            .pid = database_column_optional(row, 2),
                            .tid = database_column_optional(row, 3),
                            .code = database_column_optional(row, 4),
                            .name = (const char *)sqlite3_column_text(row, 5),
                            .length = (size_t)sqlite3_column_bytes(row, 5),
                        });
}

static bool give_object(const struct store_names *names, sqlite3_stmt *row) {
    return names->object(names->context, (uint32_t)sqlite3_column_int64(row, 0),
                         &(struct object_entry){
                             .name = (const char *)sqlite3_column_text(row, 1),
                             .length = (size_t)sqlite3_column_bytes(row, 1),
                             .type = (const char *)sqlite3_column_text(row, 2),
                             .device = database_column_optional(row, 3),
                             .inode = (uint32_t)sqlite3_column_int64(row, 4),
                             .generation = (uint32_t)sqlite3_column_int64(row, 5),
                         });
}

bool store_existing_names(struct store *store, const struct store_names *names,
                          struct error *error) {
    static const struct {
        const char *sql;
        bool (*give)(const struct store_names *names, sqlite3_stmt *row);
    } kinds[] = {
        {"SELECT id, ifnull(kind, ''), code, ifnull(text, '') FROM name WHERE trace = ?1",
         give_name},
        {"SELECT id, session, pid, tid, code, name FROM actor WHERE trace = ?1", give_actor},
        {"SELECT id, name, type, device, inode, generation FROM object WHERE trace = ?1",
         give_object},
    };
    const bool wanted[] = {names->name != NULL, names->actor != NULL, names->object != NULL};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        sqlite3_stmt *select = database_prepare(store->database, kinds[i].sql, error);
        bool row = wanted[i], done = select != NULL;

        if (done) {
            sqlite3_bind_int64(select, 1, store->trace);
        }
        while (done && row) {
            done = database_step(store->database, select, &row, error) &&
                   (!row || kinds[i].give(names, select));
        }
        sqlite3_finalize(select);
        if (!done) {
            return false;
        }
    }
    return true;
}

bool store_existing_threads(struct store *store, void *context,
                            void (*thread)(void *context, uint32_t actor, int64_t time),
                            struct error *error) {
    sqlite3_stmt *select = database_prepare(
        store->database,
        /* A time plus a duration is one of the log's own times: the importers see to their size. */
        "SELECT actor, max(time + ifnull(duration, 0)) FROM event WHERE id BETWEEN ?1 AND ?2"
        " AND actor IS NOT NULL GROUP BY actor",
        error);
    bool row = true, done = select != NULL;

    if (done) {
        sqlite3_bind_int64(select, 1, store->first_event);
        sqlite3_bind_int64(select, 2, store->next_event - 1);
    }
    while (done && row) {
        done = database_step(store->database, select, &row, error);
        if (done && row) {
            thread(context, (uint32_t)sqlite3_column_int64(select, 0),
                   sqlite3_column_int64(select, 1));
        }
    }
    sqlite3_finalize(select);
    return done;
}

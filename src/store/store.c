#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/row_pages.h"
#include "store/write_ahead.h"

/* Beyond it no trace begins: behind it is room for the largest. */
#define MOST_EVENT_ID (INT64_C(1) << 62)

/* The columns of `event` beside its id that this format sets. */
static void append_columns(struct text *list, unsigned columns) {
    text_append_string(list, "time");
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        if (columns >> place & 1) {
            text_append_format(list, ", %s", event_column_name((enum event_place)place));
        }
    }
}

/* Columns that the format never sets are left out: they are NULL at no cost. */
static bool prepare_events(struct store *store, struct error *error) {
    struct text list = {0}, sql = {0};

    append_columns(&list, store->columns);
    text_append_format(&sql, "INSERT INTO %s (%s) SELECT %s FROM %s", store->events,
                       text_string(&list), text_string(&list), store->batches);
    if (list.failed || sql.failed) {
        error_no_memory(error);
    } else {
        store->insert_events = database_prepare(store->database, text_string(&sql), error);
    }
    text_free(&list);
    text_free(&sql);
    return store->insert_events != NULL;
}

/* Prepares a statement that names a table of the store, and maybe a second one. */
static bool prepare_with(struct store *store, sqlite3_stmt **statement, const char *format,
                         const char *table, const char *second, struct error *error) {
    char sql[512];

    snprintf(sql, sizeof sql, format, table, second);
    *statement = database_prepare(store->database, sql, error);
    return *statement != NULL;
}

/* In the order of enum beside_table; the first column is `event`. */
static const struct {
    const char *name, *columns;
} beside_tables[BESIDE_TABLES] = {
    [BESIDE_CPU_TIME] = {"cpu_time", "duration, self"},
    [BESIDE_OPEN_CALL] = {"open_call", "duration, self, cpu_duration, cpu_self"},
};

static bool prepare_endings(struct store *store, struct error *error) {
    if ((store->columns & EVENT_CPU) &&
        (!prepare_with(store, &store->insert_cpu_times,
                       "INSERT INTO %s SELECT id, cpu_duration, cpu_self FROM %s"
                       " WHERE cpu_duration IS NOT NULL",
                       store->beside[BESIDE_CPU_TIME], store->batches, error) ||
         !prepare_with(store, &store->end_cpu_time, "INSERT INTO %s VALUES (?1, ?2, ?3)",
                       store->beside[BESIDE_CPU_TIME], "", error))) {
        return false;
    }
    return !(store->columns & EVENT_PARENT) ||
           (prepare_with(store, &store->open_call, "INSERT INTO %s VALUES (?1, ?2, ?3, ?4, ?5)",
                         store->beside[BESIDE_OPEN_CALL], "", error) &&
            prepare_with(
                store, &store->end_call,
                "UPDATE %s SET duration = ?2, self = ?3, value = ?4, size = ?5, flags = ?6,"
                " arguments = CASE WHEN ?7 IS NULL THEN arguments"
                " ELSE CAST(ifnull(arguments, x'') || ?7 AS BLOB) END WHERE id = ?1",
                store->events, "", error));
}

/* What names, actors and objects are written with. */
static bool prepare_entries(struct store *store, struct error *error) {
    struct database *database = store->database;

    store->insert_name =
        database_prepare(database, "INSERT INTO name VALUES (?1, ?2, ?3, ?4, ?5, ?6)", error);
    store->insert_actor =
        database_prepare(database, "INSERT INTO actor VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", error);
    store->insert_object =
        database_prepare(database, "INSERT INTO object VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", error);
    store->rename_name = database_prepare(
        database, "UPDATE name SET text = ?2, component = ?3 WHERE id = ?1", error);
    store->rename_actor = database_prepare(
        database, "UPDATE actor SET pid = ?2, tid = ?3, name = ?4 WHERE id = ?1", error);
    return store->insert_name != NULL && store->insert_actor != NULL &&
           store->insert_object != NULL && store->rename_name != NULL &&
           store->rename_actor != NULL;
}

/* A trace that goes on and has no columns, or other ones than it should, gets them at the end. */
static bool prepare_columns(struct store *store, struct error *error) {
    const struct column_range range = {store->trace, store->first_event, store->next_event - 1};
    enum column_state state = COLUMNS_WHOLE;

    if (store->next_event > store->first_event &&
        !column_table_state(store->database, &range, &state, error)) {
        return false;
    }
    if (state == COLUMNS_WHOLE) {
        store->column_writer =
            column_writer_new(store->database, store->trace, store->columns, error);
    }
    return state != COLUMNS_WHOLE || store->column_writer != NULL;
}

/* Traces that wait aside are few, and their tables are others. */
static bool prepare_pages(struct store *store, struct error *error) {
    return store->aside || row_pages_new(store->database, &store->pages, error);
}

static bool prepare(struct store *store, struct error *error) {
    return batch_table_register(store, error) && prepare_events(store, error) &&
           prepare_pages(store, error) && prepare_entries(store, error) &&
           prepare_endings(store, error) && prepare_columns(store, error);
}

/* The id that the query gives for a name; 0: none. */
static bool find_by_name(struct store *store, const char *sql, const char *name, int64_t *id,
                         struct error *error) {
    sqlite3_stmt *find = database_prepare(store->database, sql, error);
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
    sqlite3_finalize(find);
    return done;
}

/* Rows that refer to a trace by its id. */
static const char *const dependent_tables[] = {
    "name",
    "actor",
    "object",
    "loggable",
    "ledger",
    "remark",
    "rollup_hour",
    "rollup_operation",
    "rollup_size",
    "rollup_block",
    "rollup_process",
    "rollup_origin",
    "rollup_letters",
    "rollup_depth",
    "rollup_span",
    "rollup_locality",
    "rollup_pair",
    "rollup_latency",
    "rollup_tree",
    "rollup_gap",
    "rollup_in_flight",
    "probe",
    "partition",
    "source",
    "meaning",
    "event_column",
    "map",
    "remap",
    "allocation",
};

/* Deletes what a table has of a trace's events. */
static bool remove_events(struct database *database, int64_t trace, const char *table,
                          const char *column, struct error *error) {
    char sql[256];

    snprintf(sql, sizeof sql,
             "DELETE FROM %s WHERE %s BETWEEN (SELECT first_event FROM trace WHERE id = ?1)"
             " AND (SELECT last_event FROM trace WHERE id = ?1)",
             table, column);
    return database_change(database, error, sql, "i", trace);
}

bool store_remove(struct database *database, int64_t trace, struct error *error) {
    if (!remove_events(database, trace, "event", "id", error)) {
        return false;
    }
    for (size_t i = 0; i < BESIDE_TABLES; i++) {
        if (!remove_events(database, trace, beside_tables[i].name, "event", error)) {
            return false;
        }
    }
    if (!remove_events(database, trace, "io_part", "event", error)) {
        return false;
    }
    for (size_t i = 0; i < sizeof dependent_tables / sizeof dependent_tables[0]; i++) {
        char sql[64];

        snprintf(sql, sizeof sql, "DELETE FROM %s WHERE trace = ?1", dependent_tables[i]);
        if (!database_change(database, error, sql, "i", trace)) {
            return false;
        }
    }
    return database_change(database, error, "DELETE FROM trace WHERE id = ?1", "i", trace);
}

static bool insert_trace(struct store *store, const struct store_trace *trace,
                         struct error *error) {
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

static char *column_copy(sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);

    return text == NULL ? NULL : strdup(text);
}

/* Takes over what the trace's row says; `row` is that of load_existing(). */
static bool read_existing(struct store *store, sqlite3_stmt *row, const struct store_trace *trace,
                          struct error *error) {
    const char *format = (const char *)sqlite3_column_text(row, 0);

    if (format == NULL || strcmp(format, trace->format) != 0) {
        return error_set(error, "trace %s holds %s; a file of format %s cannot be appended",
                         trace->name, format, trace->format);
    }
    store->existing = (struct store_existing){
        .rollups = column_copy(row, 1),
        .resume = column_copy(row, 2),
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
    return store->existing.rollups != NULL || error_no_memory(error);
}

static bool load_existing(struct store *store, const struct store_trace *trace,
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
    done = done && row && read_existing(store, select, trace, error);
    sqlite3_finalize(select);
    return done;
}

/* The events of a trace are one range: before it grows, it must be the last one. */
static bool move_to_end(struct store *store, int64_t end, struct error *error) {
    int64_t first = store->first_event;

    if (store->next_event == end) {
        return true;
    }
    if (store->next_event == store->first_event) {
        store->first_event = store->next_event = end;
        return true;
    }
    return store_sort(store, error) &&
           database_change(store->database, error,
                           "UPDATE source SET first_event = first_event + ?1,"
                           " last_event = last_event + ?1 WHERE trace = ?2",
                           "ii", store->first_event - first, store->trace);
}

/* The id behind those of all events. What somebody else put there may leave no room. */
static bool find_end(const struct store *store, int64_t *end, struct error *error) {
    return database_integer(store->database, "SELECT max(id) + 1 FROM main.event", 0, 1, end,
                            error) &&
           (*end <= MOST_EVENT_ID ||
            error_set(error, "%s: holds too large ids of events; use a new database",
                      store->database->path));
}

static bool begin_appending(struct store *store, const struct store_trace *trace,
                            struct error *error) {
    int64_t end;

    store->appending = true;
    return load_existing(store, trace, error) && find_end(store, &end, error) &&
           move_to_end(store, end, error);
}

/* Removes the trace of a name, or all traces of the log of that name, when it is to be replaced. */
static bool clear_name(struct store *store, const struct store_trace *trace, struct error *error) {
    int64_t id, part;

    if (!find_by_name(store,
                      "SELECT id FROM trace WHERE name = ?1 AND log IS NOT NULL AND log <> name",
                      trace->name, &part, error)) {
        return false;
    }
    if (part != 0 && trace->replace) {
        return error_set(error,
                         "trace %s is a part of a log, with other traces: --replace the log as a "
                         "whole, or `tracetool remove` the trace",
                         trace->name);
    }
    do {
        if (!find_by_name(store, "SELECT id FROM trace WHERE name = ?1 OR log = ?1 LIMIT 1",
                          trace->name, &id, error)) {
            return false;
        }
        if (id != 0 && !trace->replace) {
            return error_set(error,
                             "a trace named %s is there already; choose another name with -n, or "
                             "--replace it",
                             trace->name);
        }
        if (id != 0 && !store_remove(store->database, id, error)) {
            return false;
        }
    } while (id != 0);
    return true;
}

static bool begin_trace(struct store *store, const struct store_trace *trace, struct error *error) {
    if (!find_by_name(store, "SELECT id FROM trace WHERE name = ?1", trace->name, &store->trace,
                      error)) {
        return false;
    }
    if (trace->append) {
        return store->trace == 0
                   ? error_set(error, "there is no trace named %s to append to; name it with -n",
                               trace->name)
                   : begin_appending(store, trace, error);
    }
    return clear_name(store, trace, error) && insert_trace(store, trace, error);
}

static bool first_free_ids(struct store *store, struct error *error) {
    static const char *const queries[] = {
        "SELECT max(id) + 1 FROM name",
        "SELECT max(id) + 1 FROM actor",
        "SELECT max(id) + 1 FROM object",
    };
    uint32_t *const ids[] = {&store->first_name, &store->first_actor, &store->first_object};
    int64_t id;

    for (size_t i = 0; i < 3; i++) {
        if (!database_integer(store->database, queries[i], 0, 1, &id, error)) {
            return false;
        }
        if (id < 1 || id >= INT64_C(1) << 31) {
            return error_set(error, "%s: holds too many names; use a new database",
                             store->database->path);
        }
        *ids[i] = (uint32_t)id;
    }
    if (!store->appending) {
        if (!find_end(store, &store->first_event, error)) {
            return false;
        }
        store->next_event = store->first_event;
    }
    store->first_row = store->next_event;
    return true;
}

/* The database file may have been deleted by hand while this program waited for the lock. */
static bool check_not_moved(const struct store *store, struct error *error) {
    return !database_has_moved(store->database) || database_deleted(store->database, error);
}

/* What a trace of a kind cannot have is not written. */
static unsigned columns_of(const struct store_trace *trace) {
    return trace->kind == TRACE_SPANS
               ? trace->columns
               : trace->columns & ~(unsigned)(EVENT_PARENT | EVENT_DEPTH | EVENT_SELF | EVENT_CPU);
}

static struct store new_store(struct database *database, const struct store_trace *trace) {
    return (struct store){
        .database = database,
        .events = "main.event",
        .beside = {"main.cpu_time", "main.open_call"},
        .batches = "batch",
        .columns = columns_of(trace),
        .first_time = INT64_MAX,
        .last_time = INT64_MIN,
    };
}

static bool begin_writing(struct store *store, bool brief, struct error *error) {
    store->in_transaction = write_ahead_begin(store->database, brief, error);
    return store->in_transaction;
}

bool store_begin(struct store *store, struct database *database, const struct store_trace *trace,
                 struct error *error) {
    *store = new_store(database, trace);
    if (!begin_writing(store, trace->brief, error)) {
        return false;
    }
    if (check_not_moved(store, error) && begin_trace(store, trace, error) &&
        first_free_ids(store, error) && prepare(store, error)) {
        return true;
    }
    store_end(store);
    return false;
}

bool store_begin_change(struct store *store, struct database *database, struct error *error) {
    *store = (struct store){.database = database, .appending = true};
    if (!begin_writing(store, false, error)) {
        return false;
    }
    if (check_not_moved(store, error) && first_free_ids(store, error) &&
        prepare_entries(store, error)) {
        return true;
    }
    store_end(store);
    return false;
}

/* --- further traces of a transaction -------------------------------------------------------------
 */

/* Tables aside have the columns of their models. */
static bool make_aside(struct store *store, struct error *error) {
    struct text sql = {0};
    bool done;

    text_append_format(&sql, "CREATE TABLE %s (id INTEGER PRIMARY KEY, time", store->events);
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        text_append_format(&sql, ", %s", event_column_name((enum event_place)place));
    }
    text_append_char(&sql, ')');
    for (unsigned i = 0; i < BESIDE_TABLES; i++) {
        text_append_format(&sql, "; CREATE TABLE %s (event INTEGER PRIMARY KEY, %s)",
                           store->beside[i], beside_tables[i].columns);
    }
    done = sql.failed ? error_no_memory(error)
                      : database_run(store->database, text_string(&sql), error);
    text_free(&sql);
    return done;
}

bool store_join(struct store *store, const struct store *first, unsigned number,
                const struct store_trace *trace, struct error *error) {
    *store = new_store(first->database, trace);
    store->aside = true;
    store->first_event = store->first_row = store->next_event = 1;
    snprintf(store->events, sizeof store->events, "temp.event_%u", number);
    for (unsigned i = 0; i < BESIDE_TABLES; i++) {
        snprintf(store->beside[i], sizeof store->beside[i], "temp.%s_%u", beside_tables[i].name,
                 number);
    }
    snprintf(store->batches, sizeof store->batches, "batch_%u", number);
    return make_aside(store, error) && insert_trace(store, trace, error) && prepare(store, error);
}

bool store_place(struct store *store, struct error *error) {
    int64_t count = store->next_event - store->first_event, end, behind;
    struct text list = {0}, sql = {0};
    bool done;

    if (!find_end(store, &end, error)) {
        return false;
    }
    behind = end - 1;
    append_columns(&list, store->columns & ~(unsigned)EVENT_PARENT);
    text_append_format(&sql,
                       "INSERT INTO main.event (id, parent, %s) SELECT id + %lld, parent + %lld, %s"
                       " FROM %s ORDER BY id; DROP TABLE %s",
                       text_string(&list), (long long)behind, (long long)behind, text_string(&list),
                       store->events, store->events);
    for (unsigned i = 0; i < BESIDE_TABLES; i++) {
        text_append_format(&sql,
                           "; INSERT INTO main.%s SELECT event + %lld, %s FROM %s ORDER BY event;"
                           "DROP TABLE %s",
                           beside_tables[i].name, (long long)behind, beside_tables[i].columns,
                           store->beside[i], store->beside[i]);
    }
    done = list.failed || sql.failed ? error_no_memory(error)
                                     : database_run(store->database, text_string(&sql), error);
    text_free(&list);
    text_free(&sql);
    store->aside = false;
    store->first_event = store->first_row = end;
    store->next_event = store->first_event + count;
    return done;
}

bool store_name(struct store *store, const char *name, const char *log, struct error *error) {
    int64_t other;

    if (!find_by_name(store, "SELECT id FROM trace WHERE name = ?1", name, &other, error)) {
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

/* --- names of a trace that goes on ---------------------------------------------------------------
 */

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

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        sqlite3_stmt *select = database_prepare(store->database, kinds[i].sql, error);
        bool row = true, done = select != NULL;

        if (done) {
            sqlite3_bind_int64(select, 1, store->trace);
        }
        while (done && row) {
            done = database_step(store->database, select, &row, error) &&
                   (!row || kinds[i].give(names, select));
        }
        sqlite3_finalize(select);
        if (!done) {
            return error->status != EXIT_DONE ? false : error_no_memory(error);
        }
    }
    return true;
}

bool store_existing_threads(struct store *store, void *context,
                            bool (*thread)(void *context, uint32_t actor, int64_t time),
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
        if (done && row &&
            !thread(context, (uint32_t)sqlite3_column_int64(select, 0),
                    sqlite3_column_int64(select, 1))) {
            done = error_no_memory(error);
        }
    }
    sqlite3_finalize(select);
    return done;
}

static bool write_name(struct store *store, uint32_t id, const struct name_entry *name,
                       struct error *error) {
    sqlite3_stmt *insert = store->insert_name;

    sqlite3_bind_int64(insert, 1, id);
    sqlite3_bind_int64(insert, 2, store->trace);
    sqlite3_bind_text(insert, 3, name->kind, -1, SQLITE_STATIC);
    database_bind_optional(insert, 4, name->code);
    sqlite3_bind_text(insert, 5, name->text, (int)name->length, SQLITE_STATIC);
    database_bind_optional(insert, 6, name->component == 0 ? EVENT_NONE : name->component);
    return database_execute(store->database, insert, error);
}

static bool write_actor(struct store *store, uint32_t id, const struct actor_entry *actor,
                        struct error *error) {
    sqlite3_stmt *insert = store->insert_actor;

    sqlite3_bind_int64(insert, 1, id);
    sqlite3_bind_int64(insert, 2, store->trace);
    sqlite3_bind_int64(insert, 3, actor->session);
    database_bind_optional(insert, 4, actor->pid);
    database_bind_optional(insert, 5, actor->tid);
    database_bind_optional(insert, 6, actor->code);
    sqlite3_bind_text(insert, 7, actor->name, (int)actor->length, SQLITE_STATIC);
    return database_execute(store->database, insert, error);
}

static bool write_object(struct store *store, uint32_t id, const struct object_entry *object,
                         struct error *error) {
    sqlite3_stmt *insert = store->insert_object;

    sqlite3_bind_int64(insert, 1, id);
    sqlite3_bind_int64(insert, 2, store->trace);
    sqlite3_bind_text(insert, 3, object->name, (int)object->length, SQLITE_STATIC);
    sqlite3_bind_text(insert, 4, object->type, -1, SQLITE_STATIC);
    database_bind_optional(insert, 5, object->device);
    database_bind_optional(insert, 6, object->inode == 0 ? EVENT_NONE : object->inode);
    database_bind_optional(insert, 7, object->inode == 0 ? EVENT_NONE : object->generation);
    return database_execute(store->database, insert, error);
}

static bool rename_name(struct store *store, uint32_t id, const struct name_entry *name,
                        struct error *error) {
    sqlite3_stmt *update = store->rename_name;

    sqlite3_bind_int64(update, 1, id);
    sqlite3_bind_text(update, 2, name->text, (int)name->length, SQLITE_STATIC);
    database_bind_optional(update, 3, name->component == 0 ? EVENT_NONE : name->component);
    return database_execute(store->database, update, error);
}

static bool rename_actor(struct store *store, uint32_t id, const struct actor_entry *actor,
                         struct error *error) {
    sqlite3_stmt *update = store->rename_actor;

    sqlite3_bind_int64(update, 1, id);
    database_bind_optional(update, 2, actor->pid);
    database_bind_optional(update, 3, actor->tid);
    sqlite3_bind_text(update, 4, actor->name, (int)actor->length, SQLITE_STATIC);
    return database_execute(store->database, update, error);
}

static bool write_probe(struct store *store, uint32_t name, const struct probe_entry *probe,
                        struct error *error) {
    return database_change(
        store->database, error, "INSERT OR REPLACE INTO probe VALUES (?1, ?2, ?3, ?4, ?5)", "iissi",
        store->trace, (int64_t)name, probe->resolution, probe->origin, (int64_t)probe->on);
}

bool store_entry(struct store *store, const struct entry *entry, struct error *error) {
    switch (entry->table) {
    case ENTRY_NAME:
        return write_name(store, entry->id, &entry->name, error);
    case ENTRY_ACTOR:
        return write_actor(store, entry->id, &entry->actor, error);
    case ENTRY_OBJECT:
        return write_object(store, entry->id, &entry->object, error);
    case ENTRY_RENAME:
        return rename_name(store, entry->id, &entry->name, error);
    case ENTRY_RENAME_ACTOR:
        return rename_actor(store, entry->id, &entry->actor, error);
    default:
        return write_probe(store, entry->id, &entry->probe, error);
    }
}

/* Its row stays as it is: what it took until the log ended stands beside it. */
static bool end_open_call(struct store *store, const struct ending *ending, struct error *error) {
    sqlite3_bind_int64(store->open_call, 1, store->first_row + ending->serial);
    sqlite3_bind_int64(store->open_call, 2, ending->duration);
    database_bind_optional(store->open_call, 3, ending->self);
    database_bind_optional(store->open_call, 4, ending->cpu_duration);
    database_bind_optional(store->open_call, 5, ending->cpu_self);
    return database_execute(store->database, store->open_call, error);
}

static bool end_call(struct store *store, const struct ending *ending, struct error *error) {
    int64_t id = store->first_row + ending->serial;
    sqlite3_stmt *end = store->end_call;

    sqlite3_bind_int64(end, 1, id);
    database_bind_optional(end, 2, ending->duration);
    database_bind_optional(end, 3, ending->self);
    database_bind_optional(end, 4, ending->value);
    database_bind_optional(end, 5, ending->size);
    sqlite3_bind_int64(end, 6, ending->flags);
    sqlite3_bind_blob(end, 7, ending->arguments, (int)ending->arguments_size, SQLITE_STATIC);
    if (!database_execute(store->database, end, error) ||
        (store->column_writer != NULL &&
         !column_writer_end(store->column_writer, id - store->first_event, ending, error))) {
        return false;
    }
    if (ending->cpu_duration == EVENT_NONE || store->end_cpu_time == NULL) {
        return true;
    }
    sqlite3_bind_int64(store->end_cpu_time, 1, id);
    sqlite3_bind_int64(store->end_cpu_time, 2, ending->cpu_duration);
    database_bind_optional(store->end_cpu_time, 3, ending->cpu_self);
    return database_execute(store->database, store->end_cpu_time, error);
}

static bool write_endings(struct store *store, const struct batch *batch, struct error *error) {
    for (size_t i = 0; i < batch->ending_count; i++) {
        const struct ending *ending = &batch->endings[i];

        if (!(ending->flags & SPAN_OPEN ? end_open_call(store, ending, error)
                                        : end_call(store, ending, error))) {
            return false;
        }
    }
    return true;
}

static bool insert_events(struct store *store, const struct batch *batch, struct error *error) {
    bool written = false;

    if (store->pages != NULL &&
        !row_pages_write(store->pages, batch, store->columns, store->first_row, &written, error)) {
        return false;
    }
    return written || database_execute(store->database, store->insert_events, error);
}

/* Their ids were the next ones. */
static bool write_events(struct store *store, const struct batch *batch, struct error *error) {
    int64_t place = store->next_event - (int64_t)batch->event_count - store->first_event;

    return insert_events(store, batch, error) &&
           (store->insert_cpu_times == NULL ||
            database_execute(store->database, store->insert_cpu_times, error)) &&
           (store->column_writer == NULL ||
            column_writer_write(store->column_writer, place, &batch->columns, error));
}

bool store_write(struct store *store, const struct batch *batch, struct error *error) {
    for (size_t i = 0; i < batch->entry_count; i++) {
        if (!store_entry(store, &batch->entries[i], error)) {
            return false;
        }
    }
    for (size_t i = 0; i < batch->event_count; i++) {
        int64_t time = batch->events[i].time;

        store->first_time = time < store->first_time ? time : store->first_time;
        store->last_time = time > store->last_time ? time : store->last_time;
    }
    store->batch = batch;
    store->next_event += (int64_t)batch->event_count;
    return (batch->event_count == 0 || write_events(store, batch, error)) &&
           write_endings(store, batch, error) &&
           allocation_table_write(&store->allocations, store->database, store->trace,
                                  batch->allocations, batch->allocation_count, error);
}

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

        *trace_name = strdup(name == NULL ? "" : name);
        done = *trace_name != NULL || error_no_memory(error);
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

bool store_loggable(struct store *store, int64_t code, bool by_default, struct error *error) {
    return database_change(store->database, error,
                           "INSERT OR IGNORE INTO loggable VALUES (?1, ?2, ?3)", "iii",
                           store->trace, code, (int64_t)by_default);
}

/* Where each event of the trace goes, in order of time from id `end` on: temp.moved. */
static bool plan_moves(struct store *store, int64_t end, struct error *error) {
    return database_run(store->database,
                        "CREATE TEMP TABLE moved (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)",
                        error) &&
           database_change(store->database, error,
                           "INSERT INTO temp.moved SELECT id,"
                           " ?1 - 1 + row_number() OVER (ORDER BY time, id)"
                           " FROM event WHERE id BETWEEN ?2 AND ?3",
                           "iii", end, store->first_event, store->next_event - 1);
}

/* What a table beside `event` has of the events moves along, by temp.moved. */
static bool move_table(struct store *store, const char *table, const char *columns,
                       struct error *error) {
    char sql[512];

    snprintf(sql, sizeof sql,
             "INSERT INTO %s SELECT m.new, %s FROM temp.moved AS m JOIN %s AS b"
             " ON b.event = m.old WHERE m.old BETWEEN ?1 AND ?2 ORDER BY m.new",
             table, columns, table);
    if (!database_change(store->database, error, sql, "ii", store->first_event,
                         store->next_event - 1)) {
        return false;
    }
    snprintf(sql, sizeof sql, "DELETE FROM %s WHERE event BETWEEN ?1 AND ?2", table);
    return database_change(store->database, error, sql, "ii", store->first_event,
                           store->next_event - 1);
}

static bool move_beside(struct store *store, struct error *error) {
    bool done = true;

    for (unsigned i = 0; done && i < BESIDE_TABLES; i++) {
        done = move_table(store, beside_tables[i].name, beside_tables[i].columns, error);
    }
    return done;
}

/* Spans refer to their callers, so these references move along. */
static bool move_spans(struct store *store, int64_t end, struct error *error) {
    struct text list = {0}, sql = {0};
    bool done;

    append_columns(&list, store->columns & ~(unsigned)EVENT_PARENT);
    text_append_format(&sql,
                       "INSERT INTO event (id, parent, %s) SELECT m.new, p.new, %s"
                       " FROM event AS e JOIN temp.moved AS m ON m.old = e.id"
                       " LEFT JOIN temp.moved AS p ON p.old = e.parent"
                       " WHERE e.id BETWEEN ?1 AND ?2 ORDER BY m.new",
                       text_string(&list), text_string(&list));
    done = list.failed || sql.failed
               ? error_no_memory(error)
               : plan_moves(store, end, error) &&
                     database_change(store->database, error, text_string(&sql), "ii",
                                     store->first_event, store->next_event - 1) &&
                     move_beside(store, error) &&
                     database_run(store->database, "DROP TABLE temp.moved", error);
    text_free(&list);
    text_free(&sql);
    return done;
}

/* Parts of I/Os, where a map was made before. */
static bool move_parts(struct store *store, int64_t end, struct error *error) {
    int64_t parts;

    return database_integer(store->database,
                            "SELECT count(*) FROM (SELECT 1 FROM main.trace AS t"
                            " CROSS JOIN main.io_part AS p"
                            " ON p.event BETWEEN t.first_event AND t.last_event"
                            " WHERE t.id = ?1 LIMIT 1)",
                            store->trace, 0, &parts, error) &&
           (parts == 0 || (plan_moves(store, end, error) &&
                           move_table(store, "io_part", "number, object, flags, bytes", error) &&
                           database_run(store->database, "DROP TABLE temp.moved", error)));
}

static bool move_events(struct store *store, int64_t end, struct error *error) {
    struct text list = {0}, sql = {0};
    bool done;

    append_columns(&list, store->columns);
    text_append_format(&sql,
                       "INSERT INTO event (%s) SELECT %s FROM event WHERE id BETWEEN ?1 AND ?2"
                       " ORDER BY time, id",
                       text_string(&list), text_string(&list));
    done = list.failed || sql.failed
               ? error_no_memory(error)
               : database_change(store->database, error, text_string(&sql), "ii",
                                 store->first_event, store->next_event - 1) &&
                     move_parts(store, end, error);
    text_free(&list);
    text_free(&sql);
    return done;
}

bool store_sort(struct store *store, struct error *error) {
    int64_t count = store->next_event - store->first_event;
    int64_t end;

    column_writer_free(store->column_writer);
    store->column_writer = NULL;
    if (!column_table_remove(store->database, store->trace, error) ||
        !find_end(store, &end, error) ||
        !(store->columns & EVENT_PARENT ? move_spans(store, end, error)
                                        : move_events(store, end, error)) ||
        !database_change(store->database, error, "DELETE FROM event WHERE id BETWEEN ?1 AND ?2",
                         "ii", store->first_event, store->next_event - 1)) {
        return false;
    }
    store->first_event = end;
    store->next_event = end + count;
    return true;
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

static bool complete_columns(struct store *store, struct error *error) {
    const struct column_range range = {store->trace, store->first_event, store->next_event - 1};

    return store->column_writer != NULL ? column_writer_finish(store->column_writer, error)
                                        : column_table_make(store->database, &range, error);
}

bool store_complete(struct store *store, const struct store_ending *ending, const char *rollups,
                    struct error *error) {
    if (ending->last_time > store->last_time) {
        store->last_time = ending->last_time;
    }
    return write_ending(store, ending, rollups, error) && write_ranges(store, error) &&
           complete_columns(store, error);
}

bool store_commit(struct store *store, struct error *error) {
    if (!check_not_moved(store, error) || !write_ahead_commit(store->database, error)) {
        return false;
    }
    store->in_transaction = false;
    return true;
}

static void drop_aside(struct store *store) {
    char sql[64];

    snprintf(sql, sizeof sql, "DROP TABLE IF EXISTS %s", store->events);
    sqlite3_exec(store->database->handle, sql, NULL, NULL, NULL);
    for (unsigned i = 0; i < BESIDE_TABLES; i++) {
        snprintf(sql, sizeof sql, "DROP TABLE IF EXISTS %s", store->beside[i]);
        sqlite3_exec(store->database->handle, sql, NULL, NULL, NULL);
    }
    store->aside = false;
}

void store_end(struct store *store) {
    free(store->existing.rollups);
    free(store->existing.resume);
    store->existing = (struct store_existing){0};
    column_writer_free(store->column_writer);
    store->column_writer = NULL;
    allocation_writer_close(&store->allocations);
    sqlite3_finalize(store->insert_events);
    sqlite3_finalize(store->insert_name);
    sqlite3_finalize(store->insert_actor);
    sqlite3_finalize(store->insert_object);
    sqlite3_finalize(store->rename_name);
    sqlite3_finalize(store->rename_actor);
    sqlite3_finalize(store->insert_cpu_times);
    sqlite3_finalize(store->end_call);
    sqlite3_finalize(store->end_cpu_time);
    sqlite3_finalize(store->open_call);
    store->insert_events = NULL;
    store->insert_cpu_times = store->end_call = store->end_cpu_time = store->open_call = NULL;
    store->insert_name = store->insert_actor = store->insert_object = NULL;
    store->rename_name = store->rename_actor = NULL;
    if (store->aside) {
        drop_aside(store);
    }
    if (store->in_transaction) {
        /* A rollback that fails leaves a journal that the next program to open it plays back. */
        sqlite3_exec(store->database->handle, "ROLLBACK", NULL, NULL, NULL);
        store->in_transaction = false;
    }
    row_pages_free(store->pages);
    store->pages = NULL;
}

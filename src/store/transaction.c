#include "store/transaction.h"

#include <stdio.h>
#include <stdlib.h>

#include "store/batch_writer.h"
#include "store/column_table.h"
#include "store/row_pages.h"
#include "store/wal.h"

/* --- removal -------------------------------------------------------------------------------------
 */

/* Rows that refer to a trace by its id. */
static const char *const dependent_tables[] = {
    "name",           "actor",        "object",         "loggable",
    "ledger",         "remark",       "rollup_hour",    "rollup_operation",
    "rollup_size",    "rollup_block", "rollup_process", "rollup_origin",
    "rollup_letters", "rollup_depth", "rollup_span",    "rollup_latency",
    "probe",          "partition",    "source",         "meaning",
    "event_column",   "map",          "remap",          "pairing",
    "allocation",     "loss",
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

/* --- order of time -------------------------------------------------------------------------------
 */

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

    event_tables_append_columns(&list, store->columns & ~(unsigned)EVENT_PARENT);
    text_append_format(&sql,
                       "INSERT INTO event (id, parent, %s) SELECT m.new, p.new, %s"
                       " FROM event AS e JOIN temp.moved AS m ON m.old = e.id"
                       " LEFT JOIN temp.moved AS p ON p.old = e.parent"
                       " WHERE e.id BETWEEN ?1 AND ?2 ORDER BY m.new",
                       text_string(&list), text_string(&list));
    done = plan_moves(store, end, error) &&
           database_change(store->database, error, text_string(&sql), "ii", store->first_event,
                           store->next_event - 1) &&
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

    event_tables_append_columns(&list, store->columns);
    text_append_format(&sql,
                       "INSERT INTO event (%s) SELECT %s FROM event WHERE id BETWEEN ?1 AND ?2"
                       " ORDER BY time, id",
                       text_string(&list), text_string(&list));
    done = database_change(store->database, error, text_string(&sql), "ii", store->first_event,
                           store->next_event - 1) &&
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
        !event_tables_end(store, &end, error) ||
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

/* --- staging -------------------------------------------------------------------------------------
 */

/* Tables aside have the columns of their models. */
static bool make_tables(struct store *store, struct error *error) {
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
    done = database_run(store->database, text_string(&sql), error);
    text_free(&sql);
    return done;
}

/* Makes the tables of a trace, whose `number` tells them from those of others; its ids are from 1
 * on until store_place(). */
static bool staging_make(struct store *store, unsigned number, struct error *error) {
    store->aside = true;
    store->first_event = store->first_row = store->next_event = 1;
    snprintf(store->events, sizeof store->events, "temp.event_%u", number);
    for (unsigned i = 0; i < BESIDE_TABLES; i++) {
        snprintf(store->beside[i], sizeof store->beside[i], "temp.%s_%u", beside_tables[i].name,
                 number);
    }
    snprintf(store->batches, sizeof store->batches, "batch_%u", number);
    return make_tables(store, error);
}

bool store_place(struct store *store, struct error *error) {
    int64_t count = store->next_event - store->first_event, end, behind;
    struct text list = {0}, sql = {0};
    bool done;

    if (!event_tables_end(store, &end, error)) {
        return false;
    }
    behind = end - 1;
    event_tables_append_columns(&list, store->columns & ~(unsigned)EVENT_PARENT);
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
    done = database_run(store->database, text_string(&sql), error);
    text_free(&list);
    text_free(&sql);
    store->aside = false;
    store->first_event = store->first_row = end;
    store->next_event = store->first_event + count;
    return done;
}

/* Drops them, where they were not placed. */
static void staging_drop(struct store *store) {
    char sql[64];

    snprintf(sql, sizeof sql, "DROP TABLE IF EXISTS %s", store->events);
    sqlite3_exec(store->database->handle, sql, NULL, NULL, NULL);
    for (unsigned i = 0; i < BESIDE_TABLES; i++) {
        snprintf(sql, sizeof sql, "DROP TABLE IF EXISTS %s", store->beside[i]);
        sqlite3_exec(store->database->handle, sql, NULL, NULL, NULL);
    }
    store->aside = false;
}

/* --- the transaction -----------------------------------------------------------------------------
 */

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

static bool begin_appending(struct store *store, const struct store_trace *trace,
                            struct error *error) {
    int64_t end;

    store->appending = true;
    return trace_existing_load(store, trace->name, trace->format, error) &&
           event_tables_end(store, &end, error) && move_to_end(store, end, error);
}

/* Removes the trace of a name, or all traces of the log of that name, when it is to be replaced. */
static bool clear_name(struct store *store, const struct store_trace *trace, struct error *error) {
    int64_t id, part;

    if (!trace_row_find(store,
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
        if (!trace_row_find(store, "SELECT id FROM trace WHERE name = ?1 OR log = ?1 LIMIT 1",
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
    if (!trace_row_find(store, "SELECT id FROM trace WHERE name = ?1", trace->name, &store->trace,
                        error)) {
        return false;
    }
    if (trace->append) {
        return store->trace == 0
                   ? error_set(error, "there is no trace named %s to append to; name it with -n",
                               trace->name)
                   : begin_appending(store, trace, error);
    }
    return clear_name(store, trace, error) && trace_row_insert(store, trace, error);
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
        if (!event_tables_end(store, &store->first_event, error)) {
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
    store->in_transaction = wal_begin(store->database, brief, error);
    return store->in_transaction;
}

static bool prepare(struct store *store, struct error *error) {
    return batch_writer_prepare(store, error) && entry_table_prepare(store, error);
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
        entry_table_prepare(store, error)) {
        return true;
    }
    store_end(store);
    return false;
}

bool store_join(struct store *store, const struct store *first, unsigned number,
                const struct store_trace *trace, struct error *error) {
    *store = new_store(first->database, trace);
    return staging_make(store, number, error) && trace_row_insert(store, trace, error) &&
           prepare(store, error);
}

bool store_complete(struct store *store, const struct store_ending *ending, const char *rollups,
                    struct error *error) {
    return trace_row_complete(store, ending, rollups, error) && batch_writer_finish(store, error);
}

bool store_commit(struct store *store, struct error *error) {
    if (!check_not_moved(store, error) || !wal_commit(store->database, error)) {
        return false;
    }
    store->in_transaction = false;
    return true;
}

void store_end(struct store *store) {
    free(store->existing.rollups);
    free(store->existing.resume);
    store->existing = (struct store_existing){0};
    batch_writer_close(store);
    entry_table_close(store);
    if (store->aside) {
        staging_drop(store);
    }
    if (store->in_transaction) {
        /* A rollback that fails leaves a journal that the next program to open it plays back. */
        sqlite3_exec(store->database->handle, "ROLLBACK", NULL, NULL, NULL);
        store->in_transaction = false;
    }
    row_pages_keep(store->pages);
    store->pages = NULL;
}

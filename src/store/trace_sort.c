#include "store/trace_sort.h"

#include <stdio.h>

#include "base/text.h"
#include "store/column_table.h"
#include "store/event_tables.h"

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

    event_tables_append_columns(&list, store->columns);
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

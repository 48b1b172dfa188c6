#include "store/trace_aside.h"

#include <stdio.h>

#include "base/text.h"
#include "store/event_tables.h"

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
    done = sql.failed ? error_no_memory(error)
                      : database_run(store->database, text_string(&sql), error);
    text_free(&sql);
    return done;
}

bool trace_aside_make(struct store *store, unsigned number, struct error *error) {
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
    done = list.failed || sql.failed ? error_no_memory(error)
                                     : database_run(store->database, text_string(&sql), error);
    text_free(&list);
    text_free(&sql);
    store->aside = false;
    store->first_event = store->first_row = end;
    store->next_event = store->first_event + count;
    return done;
}

void trace_aside_drop(struct store *store) {
    char sql[64];

    snprintf(sql, sizeof sql, "DROP TABLE IF EXISTS %s", store->events);
    sqlite3_exec(store->database->handle, sql, NULL, NULL, NULL);
    for (unsigned i = 0; i < BESIDE_TABLES; i++) {
        snprintf(sql, sizeof sql, "DROP TABLE IF EXISTS %s", store->beside[i]);
        sqlite3_exec(store->database->handle, sql, NULL, NULL, NULL);
    }
    store->aside = false;
}

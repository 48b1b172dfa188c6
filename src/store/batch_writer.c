#include "store/batch_writer.h"

#include <fcntl.h>
#include <stdio.h>

#include "base/text.h"
#include "store/batch_table.h"
#include "store/column_table.h"
#include "store/entry_table.h"
#include "store/event_tables.h"
#include "store/row_pages.h"

/* Columns that the format never sets are left out: they are NULL at no cost. Only once there are
 * rows that cannot be made: SQLite compiles all kept statements anew after a virtual table was
 * there, which the next trace would pay for. */
static bool prepare_events(struct store *store, struct error *error) {
    struct text list = {0}, sql = {0};

    event_tables_append_columns(&list, store->columns);
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

bool batch_writer_prepare(struct store *store, struct error *error) {
    return batch_table_register(store, error) && prepare_pages(store, error) &&
           prepare_endings(store, error) && prepare_columns(store, error);
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
    if (store->pages != NULL && batch->rows.fit) {
        return row_pages_write(store->pages, &batch->rows, error);
    }
    return (store->insert_events != NULL || prepare_events(store, error)) &&
           database_execute(store->database, store->insert_events, error);
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

void store_make_rows(const struct store *store, struct batch *batch) {
    if (store->pages != NULL) {
        batch_pages_make(&batch->rows, batch->events, batch->event_count,
                         store->first_row + batch->first_serial, store->columns, store->first_row);
    }
}

void store_write_back(const struct store *store) {
    sync_file_range(store->database->descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}

/* Of events in order the first and the last one tell. */
static void note_times(struct store *store, const struct batch *batch) {
    size_t step = batch->in_order && batch->event_count > 1 ? batch->event_count - 1 : 1;

    for (size_t i = 0; i < batch->event_count; i += step) {
        int64_t time = batch->events[i].time;

        store->first_time = time < store->first_time ? time : store->first_time;
        store->last_time = time > store->last_time ? time : store->last_time;
    }
}

bool store_write(struct store *store, const struct batch *batch, struct error *error) {
    for (size_t i = 0; i < batch->entry_count; i++) {
        if (!store_entry(store, &batch->entries[i], error)) {
            return false;
        }
    }
    note_times(store, batch);
    store->batch = batch;
    store->next_event += (int64_t)batch->event_count;
    return (batch->event_count == 0 || write_events(store, batch, error)) &&
           write_endings(store, batch, error) &&
           allocation_table_write(&store->allocations, store->database, store->trace,
                                  batch->allocations, batch->allocation_count, error);
}

bool batch_writer_finish(struct store *store, struct error *error) {
    const struct column_range range = {store->trace, store->first_event, store->next_event - 1};

    return store->column_writer != NULL ? column_writer_finish(store->column_writer, error)
                                        : column_table_make(store->database, &range, error);
}

void batch_writer_close(struct store *store) {
    column_writer_free(store->column_writer);
    store->column_writer = NULL;
    allocation_writer_close(&store->allocations);
    sqlite3_finalize(store->insert_events);
    sqlite3_finalize(store->insert_cpu_times);
    sqlite3_finalize(store->end_call);
    sqlite3_finalize(store->end_cpu_time);
    sqlite3_finalize(store->open_call);
    store->insert_events = store->insert_cpu_times = NULL;
    store->end_call = store->end_cpu_time = store->open_call = NULL;
}

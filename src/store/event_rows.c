#include "store/event_rows.h"

#include <stdio.h>
#include <string.h>

void event_rows_select(struct text *sql, unsigned fields) {
    text_append_string(sql, "SELECT e.id, e.time");
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        if (fields >> place & 1) {
            text_append_format(sql, ", e.%s", event_column_name((enum event_place)place));
        }
    }
    text_append_string(sql, fields & EVENT_CPU ? ", c.duration, c.self" : "");
}

/* The argument is the event's id. */
#define NOT_WHOLE                                                                                  \
    "event %lld has something else than a whole number where one belongs; `tracetool check` says " \
    "which traces are damaged"

static bool is_whole(int type) {
    return type == SQLITE_INTEGER || type == SQLITE_NULL;
}

/* Returns the number in a column; sets `*whole` to false if it is not an integer. */
static int64_t take(sqlite3_stmt *select, int column, bool *whole) {
    sqlite3_value *value = sqlite3_column_value(select, column);
    int type = sqlite3_value_type(value);

    *whole = *whole && is_whole(type);
    return type == SQLITE_NULL ? EVENT_NONE : sqlite3_value_int64(value);
}

/* Reading a column takes the connection's mutex, which costs nothing if this thread holds it
 * already. */
static bool take_row(sqlite3_stmt *select, unsigned fields, struct event_columns *columns,
                     size_t at) {
    bool whole = true;
    int column = 2;

    columns->id[at] = sqlite3_column_int64(select, 0);
    columns->time[at] = take(select, 1, &whole);
#define X(NAME, field, FORM)                                                                       \
    if (fields & EVENT_##NAME) {                                                                   \
        int64_t value = take(select, column++, &whole);                                            \
                                                                                                   \
        if (columns->field != NULL) {                                                              \
            event_columns_put(columns->field, EVENT_FORM_##FORM, at, value);                       \
        }                                                                                          \
    }
    EVENT_COLUMNS(X)
#undef X
    if (fields & EVENT_CPU) {
        columns->cpu_duration[at] = take(select, column, &whole);
        columns->cpu_self[at] = take(select, column + 1, &whole);
    }
    return whole;
}

bool event_rows_take(struct database *database, sqlite3_stmt *select, unsigned fields,
                     struct event_columns *columns, size_t at, struct error *error) {
    sqlite3_mutex *mutex = sqlite3_db_mutex(database->handle);
    bool whole;

    sqlite3_mutex_enter(mutex);
    whole = take_row(select, fields, columns, at);
    sqlite3_mutex_leave(mutex);
    return whole || error_set(error, "%s: " NOT_WHOLE, database->path, (long long)columns->id[at]);
}

/* Copies the bytes of a column to the batch; NULL: none. */
static const uint8_t *take_bytes(sqlite3_stmt *select, int column, struct batch *batch,
                                 uint32_t *size) {
    const void *bytes = sqlite3_column_blob(select, column);
    uint8_t *kept;

    *size = (uint32_t)sqlite3_column_bytes(select, column);
    if (sqlite3_column_type(select, column) == SQLITE_NULL) {
        return NULL;
    }
    kept = batch_memory(batch, *size);
    if (*size > 0) {
        memcpy(kept, bytes, *size);
    }
    return kept;
}

static bool take_event(sqlite3_stmt *select, unsigned fields, struct batch *batch) {
    struct event *event = &batch->events[batch->event_count++];
    bool whole = true;
    int column = 2;

    *event = event_empty;
    event->time = take(select, 1, &whole);
#define TAKE(field, form)   event_columns_put(&event->field, form, 0, take(select, column++, &whole));
#define TAKE_INTEGER(field) TAKE(field, EVENT_FORM_INTEGER)
#define TAKE_PARENT(field)
#define TAKE_ID(field)    TAKE(field, EVENT_FORM_ID)
#define TAKE_FLAGS(field) TAKE(field, EVENT_FORM_ID)
#define TAKE_DEPTH(field) TAKE(field, EVENT_FORM_DEPTH)
#define TAKE_BYTES(field)                                                                          \
    event->field = take_bytes(select, column++, batch, &event->arguments_size);
#define X(NAME, field, FORM)                                                                       \
    if (fields & EVENT_##NAME) {                                                                   \
        TAKE_##FORM(field)                                                                         \
    }
    EVENT_COLUMNS(X)
#undef X
    return whole;
}

bool event_rows_take_event(struct database *database, sqlite3_stmt *select, unsigned fields,
                           struct batch *batch, struct error *error) {
    sqlite3_mutex *mutex = sqlite3_db_mutex(database->handle);
    bool whole;

    sqlite3_mutex_enter(mutex);
    whole = take_event(select, fields, batch);
    sqlite3_mutex_leave(mutex);
    return whole || error_set(error, "%s: " NOT_WHOLE, database->path,
                              (long long)sqlite3_column_int64(select, 0));
}

void event_rows_append_condition(struct text *sql) {
    text_append_string(sql, "event_is_whole(e.id, e.time");
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        if (place != EVENT_PLACE_ARGUMENTS) {
            text_append_format(sql, ", e.%s", event_column_name((enum event_place)place));
        }
    }
    text_append_string(sql, ")");
}

static void event_is_whole(sqlite3_context *context, int count, sqlite3_value **values) {
    char message[256];

    for (int i = 1; i < count; i++) {
        if (!is_whole(sqlite3_value_type(values[i]))) {
            snprintf(message, sizeof message, NOT_WHOLE, (long long)sqlite3_value_int64(values[0]));
            sqlite3_result_error(context, message, -1);
            return;
        }
    }
    sqlite3_result_int(context, 1);
}

bool event_rows_register(sqlite3 *handle) {
    return sqlite3_create_function(handle, "event_is_whole", -1, SQLITE_UTF8 | SQLITE_INNOCUOUS,
                                   NULL, event_is_whole, NULL, NULL) == SQLITE_OK;
}

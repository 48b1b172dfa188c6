#include "store/event_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "input/spill_file.h"
#include "model/event_chunk.h"

void event_rows_select(struct text *sql, unsigned fields) {
    text_append_string(sql, "SELECT e.id, e.time");
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        if (fields >> place & 1) {
            text_append_format(sql, ", e.%s", event_column_name((enum event_place)place));
        }
    }
    text_append_string(sql, fields & EVENT_CPU ? ", c.duration, c.self" : "");
}

/* Error message about a damaged event, with its id as argument. */
#define NOT_WHOLE                                                                                  \
    "event %lld has a value that is not a whole number in a column of whole numbers; `tracetool "  \
    "check` says "                                                                                 \
    "which traces are damaged"

static bool event_rows_is_whole(int type) {
    return type == SQLITE_INTEGER || type == SQLITE_NULL;
}

/* Returns the number in a column; sets `*whole` to false if it is not an integer. */
static int64_t integer_in_column(sqlite3_stmt *select, int column, bool *whole) {
    sqlite3_value *value = sqlite3_column_value(select, column);
    int type = sqlite3_value_type(value);

    *whole = *whole && event_rows_is_whole(type);
    return type == SQLITE_NULL ? EVENT_NONE : sqlite3_value_int64(value);
}

/* Reads the current row of `select` to index `at`. Call it with the connection's mutex held, so
 * that each read of a column does not have to take it. */
static bool event_rows_read_row(sqlite3_stmt *select, unsigned fields,
                                struct event_columns *columns, size_t at) {
    bool whole = true;
    int column = 2;

    columns->id[at] = sqlite3_column_int64(select, 0);
    columns->time[at] = integer_in_column(select, 1, &whole);
#define X(NAME, field, FORM)                                                                       \
    if (fields & EVENT_##NAME) {                                                                   \
        int64_t value = integer_in_column(select, column++, &whole);                               \
                                                                                                   \
        if (columns->field != NULL) {                                                              \
            event_columns_put(columns->field, EVENT_FORM_##FORM, at, value);                       \
        }                                                                                          \
    }
    EVENT_COLUMNS(X)
#undef X
    if (fields & EVENT_CPU) {
        columns->cpu_duration[at] = integer_in_column(select, column, &whole);
        columns->cpu_self[at] = integer_in_column(select, column + 1, &whole);
    }
    return whole;
}

bool event_rows_read(struct database *database, sqlite3_stmt *select, unsigned fields,
                     struct event_columns *columns, size_t at, struct error *error) {
    sqlite3_mutex *mutex = sqlite3_db_mutex(database->handle);
    bool whole;

    sqlite3_mutex_enter(mutex);
    whole = event_rows_read_row(select, fields, columns, at);
    sqlite3_mutex_leave(mutex);
    return whole || error_set(error, "%s: " NOT_WHOLE, database->path, (long long)columns->id[at]);
}

/* Copies the bytes of a column to the batch's memory. Returns NULL for NULL. Returns EVENT_PACKED
 * for a number: then the arguments are packed (argument_pack.h). */
static const uint8_t *event_rows_take_bytes(sqlite3_stmt *select, int column, struct batch *batch,
                                            uint32_t *size) {
    const int type = sqlite3_column_type(select, column);
    const void *bytes;
    uint8_t *kept;

    if (type == SQLITE_INTEGER) {
        *size = (uint32_t)sqlite3_column_int64(select, column);
        return EVENT_PACKED;
    }
    bytes = sqlite3_column_blob(select, column);
    *size = (uint32_t)sqlite3_column_bytes(select, column);
    if (type == SQLITE_NULL) {
        return NULL;
    }
    kept = batch_memory(batch, *size);
    if (*size > 0) {
        memcpy(kept, bytes, *size);
    }
    return kept;
}

static bool event_of_row(sqlite3_stmt *select, unsigned fields, struct batch *batch) {
    struct event *event = &batch->events[batch->event_count++];
    bool whole = true;
    int column = 2;

    *event = event_empty;
    event->time = integer_in_column(select, 1, &whole);
#define TAKE(field, form)                                                                          \
    event_columns_put(&event->field, form, 0, integer_in_column(select, column++, &whole));
#define TAKE_INTEGER(field) TAKE(field, EVENT_FORM_INTEGER)
#define TAKE_PARENT(field)
#define TAKE_ID(field)    TAKE(field, EVENT_FORM_ID)
#define TAKE_FLAGS(field) TAKE(field, EVENT_FORM_ID)
#define TAKE_DEPTH(field) TAKE(field, EVENT_FORM_DEPTH)
#define TAKE_BYTES(field)                                                                          \
    event->field = event_rows_take_bytes(select, column++, batch, &event->arguments_size);
#define X(NAME, field, FORM)                                                                       \
    if (fields & EVENT_##NAME) {                                                                   \
        TAKE_##FORM(field)                                                                         \
    }
    EVENT_COLUMNS(X)
#undef X
    return whole;
}

bool event_rows_read_event(struct database *database, sqlite3_stmt *select, unsigned fields,
                           struct batch *batch, struct error *error) {
    sqlite3_mutex *mutex = sqlite3_db_mutex(database->handle);
    bool whole;

    sqlite3_mutex_enter(mutex);
    whole = event_of_row(select, fields, batch);
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
        if (!event_rows_is_whole(sqlite3_value_type(values[i]))) {
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

/* Limit of bytes of records that are inserted at once; the last record may exceed it. */
#define PLACED_BYTES ((size_t)2 * 1024 * 1024)

struct staged_rows {
    struct row_pages *pages;  /* borrowed */
    struct spill_file *spill; /* owned; NULL before the first row */
};

/* Written before each record in the temporary file. */
struct staged_header {
    int64_t id;
    uint64_t length;
};

struct staged_rows *staged_rows_new(struct row_pages *pages) {
    struct staged_rows *staged = pages == NULL ? NULL : xcalloc(1, sizeof *staged);

    if (staged != NULL) {
        staged->pages = pages;
    }
    return staged;
}

void staged_rows_free(struct staged_rows *staged) {
    if (staged != NULL) {
        spill_file_close(staged->spill);
        free(staged);
    }
}

static bool event_rows_add_row(void *context, const struct batch_row *row, struct error *error) {
    const struct staged_header header = {row->id, row->length};

    return spill_file_append(context, &header, sizeof header, error) &&
           spill_file_append(context, row->record, row->length, error);
}

bool staged_rows_add(struct staged_rows *staged, const struct batch_pages *rows,
                     struct error *error) {
    return (staged->spill != NULL || (staged->spill = spill_file_open(error)) != NULL) &&
           batch_pages_each(rows, event_rows_add_row, staged->spill, error);
}

/* Reads the next staged rows from the file into `rows`, up to EVENT_CHUNK or PLACED_BYTES. Returns
 * false at the end of the file. */
static bool event_rows_next_rows(struct reader *reader, struct batch_pages *rows, int64_t after) {
    const uint8_t *bytes;
    struct staged_header header;
    size_t count = 0, size = 0;

    batch_pages_begin(rows);
    while (count < EVENT_CHUNK && size < PLACED_BYTES &&
           reader_need(reader, sizeof header, &bytes)) {
        memcpy(&header, bytes, sizeof header);
        reader_take(reader, sizeof header);
        if (!reader_need(reader, header.length, &bytes)) {
            return false;
        }
        batch_pages_add(rows, &(struct batch_row){header.id + after, bytes, header.length});
        reader_take(reader, header.length);
        size += header.length;
        count++;
    }
    batch_pages_end(rows);
    return count > 0;
}

bool staged_rows_write(struct staged_rows *staged, int64_t after, struct error *error) {
    struct batch_pages rows = {0};
    struct reader reader = {0};
    bool done;

    if (staged == NULL || staged->spill == NULL) {
        return true;
    }
    done = spill_file_replay(staged->spill, &reader, 0, error);
    while (done && event_rows_next_rows(&reader, &rows, after)) {
        done = row_pages_write(staged->pages, &rows, error);
    }
    done = done && !reader_failed(&reader);
    reader_free(&reader);
    batch_pages_free(&rows);
    return done;
}

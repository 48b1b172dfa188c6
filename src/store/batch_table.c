/* The virtual table `batch`: the events of the batch that the store writes just now.
 *
 * `INSERT INTO event SELECT … FROM batch` runs the whole batch inside SQLite's machine, without
 * binding and stepping for every row. The table is eponymous: it exists without CREATE, on the
 * importing connection only, and has no indexes or constraints. Each trace that is being written
 * has one, which is called `batch` here.
 */
#include "store/batch_table.h"

#include <sqlite3.h>
#include <stddef.h>
#include <stdlib.h>

#include "model/batch.h"

/* In the order of batch_connect(). */
enum batch_column {
    COLUMN_TIME,
#define X(NAME, field, FORM) COLUMN_##NAME,
    EVENT_COLUMNS(X)
#undef X
        COLUMN_ID,
    COLUMN_CPU_DURATION,
    COLUMN_CPU_SELF,
};

struct batch_table {
    sqlite3_vtab base;
    struct store *store;
};

struct batch_cursor {
    sqlite3_vtab_cursor base;
    const struct batch *batch;
    int64_t first_id; /* of serial number 0 */
    size_t position;
};

static int batch_connect(sqlite3 *handle, void *store, int count, const char *const *arguments,
                         sqlite3_vtab **table, char **message) {
    struct batch_table *batch_table;
    int status;

    (void)count;
    (void)arguments;
    (void)message;
    status = sqlite3_declare_vtab(handle, "CREATE TABLE batch (time, "
#define X(NAME, field, FORM) #field ", "
                                  EVENT_COLUMNS(X)
#undef X
                                      "id, cpu_duration, cpu_self)");
    if (status != SQLITE_OK) {
        return status;
    }
    batch_table = sqlite3_malloc(sizeof *batch_table);
    if (batch_table == NULL) {
        return SQLITE_NOMEM;
    }
    *batch_table = (struct batch_table){.store = store};
    *table = &batch_table->base;
    return SQLITE_OK;
}

static int batch_disconnect(sqlite3_vtab *table) {
    sqlite3_free(table);
    return SQLITE_OK;
}

static int batch_best_index(sqlite3_vtab *table, sqlite3_index_info *info) {
    (void)table;
    info->estimatedCost = BATCH_EVENTS;
    info->estimatedRows = BATCH_EVENTS;
    return SQLITE_OK;
}

static int batch_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
    struct batch_cursor *batch_cursor = sqlite3_malloc(sizeof *batch_cursor);

    (void)table;
    if (batch_cursor == NULL) {
        return SQLITE_NOMEM;
    }
    *batch_cursor = (struct batch_cursor){0};
    *cursor = &batch_cursor->base;
    return SQLITE_OK;
}

static int batch_close(sqlite3_vtab_cursor *cursor) {
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int batch_filter(sqlite3_vtab_cursor *cursor, int number, const char *name, int count,
                        sqlite3_value **values) {
    struct batch_cursor *batch_cursor = (struct batch_cursor *)cursor;
    const struct store *store = ((struct batch_table *)cursor->pVtab)->store;

    (void)number;
    (void)name;
    (void)count;
    (void)values;
    batch_cursor->batch = store->batch;
    batch_cursor->first_id = store->first_row;
    batch_cursor->position = 0;
    return SQLITE_OK;
}

static int batch_next(sqlite3_vtab_cursor *cursor) {
    ((struct batch_cursor *)cursor)->position++;
    return SQLITE_OK;
}

static int batch_eof(sqlite3_vtab_cursor *cursor) {
    const struct batch_cursor *batch_cursor = (const struct batch_cursor *)cursor;

    return batch_cursor->position >= batch_cursor->batch->event_count;
}

static void result_optional(sqlite3_context *context, int64_t value) {
    if (value != EVENT_NONE) {
        sqlite3_result_int64(context, value);
    }
}

static void result_id(sqlite3_context *context, uint32_t id) {
    if (id != 0) {
        sqlite3_result_int64(context, id);
    }
}

static void result_parent(sqlite3_context *context, int64_t parent, int64_t first_id) {
    result_optional(context, parent == EVENT_NONE ? EVENT_NONE : first_id + parent);
}

static void result_arguments(sqlite3_context *context, const struct event *event) {
    if (event->arguments != NULL) {
        sqlite3_result_blob(context, event->arguments, (int)event->arguments_size, SQLITE_STATIC);
    }
}

#define RESULT_INTEGER(value) result_optional(context, value)
#define RESULT_PARENT(value)  result_parent(context, value, batch_cursor->first_id)
#define RESULT_ID(value)      result_id(context, value)
#define RESULT_FLAGS(value)   sqlite3_result_int64(context, value)
#define RESULT_DEPTH(value)   result_optional(context, (value) < 0 ? EVENT_NONE : (value))
#define RESULT_BYTES(value)   result_arguments(context, event)

/* A column without a result is NULL. */
static int batch_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column) {
    const struct batch_cursor *batch_cursor = (const struct batch_cursor *)cursor;
    const struct event *event = &batch_cursor->batch->events[batch_cursor->position];

    switch (column) {
    case COLUMN_TIME:
        sqlite3_result_int64(context, event->time);
        break;
#define X(NAME, field, FORM)                                                                       \
    case COLUMN_##NAME:                                                                            \
        RESULT_##FORM(event->field);                                                               \
        break;
        EVENT_COLUMNS(X)
#undef X
    case COLUMN_ID:
        sqlite3_result_int64(context, batch_cursor->first_id + batch_cursor->batch->first_serial +
                                          (int64_t)batch_cursor->position);
        break;
    case COLUMN_CPU_DURATION:
        result_optional(context, event->cpu_duration);
        break;
    default:
        result_optional(context, event->cpu_self);
    }
    return SQLITE_OK;
}

static int batch_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
    *rowid = (sqlite3_int64)((struct batch_cursor *)cursor)->position;
    return SQLITE_OK;
}

static const sqlite3_module batch_module = {
    .xConnect = batch_connect,
    .xBestIndex = batch_best_index,
    .xDisconnect = batch_disconnect,
    .xOpen = batch_open,
    .xClose = batch_close,
    .xFilter = batch_filter,
    .xNext = batch_next,
    .xEof = batch_eof,
    .xColumn = batch_column,
    .xRowid = batch_rowid,
};

bool batch_table_register(struct store *store, struct error *error) {
    return sqlite3_create_module(store->database->handle, store->batches, &batch_module, store) ==
               SQLITE_OK ||
           database_failed(store->database, error);
}

#include "store/batch_writer.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "store/column_table.h"
#include "store/row_pages.h"

/* Beyond it no trace begins: behind it is room for the largest. */
#define MOST_EVENT_ID (INT64_C(1) << 62)

const struct event_beside beside_tables[BESIDE_TABLES] = {
    [BESIDE_CPU_TIME] = {"cpu_time", "duration, self"},
    [BESIDE_OPEN_CALL] = {"open_call", "duration, self, cpu_duration, cpu_self"},
};

void event_tables_append_columns(struct text *list, unsigned columns) {
    text_append_string(list, "time");
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        if (columns >> place & 1) {
            text_append_format(list, ", %s", event_column_name((enum event_place)place));
        }
    }
}

bool event_tables_end(const struct store *store, int64_t *end, struct error *error) {
    return database_integer(store->database, "SELECT max(id) + 1 FROM main.event", 0, 1, end,
                            error) &&
           (*end <= MOST_EVENT_ID ||
            error_set(error, "%s: holds too large ids of events; use a new database",
                      store->database->path));
}

/* --- names ---------------------------------------------------------------------------------------
 */

bool entry_table_prepare(struct store *store, struct error *error) {
    struct database *database = store->database;

    store->insert_name =
        database_take(database, "INSERT INTO name VALUES (?1, ?2, ?3, ?4, ?5, ?6)", error);
    store->insert_actor =
        database_take(database, "INSERT INTO actor VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", error);
    store->insert_object =
        database_take(database, "INSERT INTO object VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", error);
    store->rename_name =
        database_take(database, "UPDATE name SET text = ?2, component = ?3 WHERE id = ?1", error);
    store->rename_actor = database_take(
        database, "UPDATE actor SET pid = ?2, tid = ?3, name = ?4 WHERE id = ?1", error);
    return store->insert_name != NULL && store->insert_actor != NULL &&
           store->insert_object != NULL && store->rename_name != NULL &&
           store->rename_actor != NULL;
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

void entry_table_close(struct store *store) {
    sqlite3_stmt **const statements[] = {
        &store->insert_name, &store->insert_actor, &store->insert_object,
        &store->rename_name, &store->rename_actor,
    };

    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        database_keep(store->database, *statements[i]);
        *statements[i] = NULL;
    }
}

/* --- the virtual table ---------------------------------------------------------------------------
 */

/* SQLite reads it about twice as fast as it takes bound values. */

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

/* Registers, as `store->batches`, the table that hands over `store->batch`. */
static bool batch_table_register(struct store *store, struct error *error) {
    return sqlite3_create_module(store->database->handle, store->batches, &batch_module, store) ==
               SQLITE_OK ||
           database_failed(store->database, error);
}

/* --- events --------------------------------------------------------------------------------------
 */

/* Columns that the format never sets are left out: they are NULL at no cost. Only once there are
 * rows that cannot be made: SQLite compiles all kept statements anew after a virtual table was
 * there, which the next trace would pay for. */
static bool prepare_events(struct store *store, struct error *error) {
    struct text list = {0}, sql = {0};

    event_tables_append_columns(&list, store->columns);
    text_append_format(&sql, "INSERT INTO %s (%s) SELECT %s FROM %s", store->events,
                       text_string(&list), text_string(&list), store->batches);
    store->insert_events = database_prepare(store->database, text_string(&sql), error);
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

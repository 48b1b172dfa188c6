#include "store/store.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "store/argument_pack.h"
#include "store/column_reader.h"
#include "store/column_table.h"
#include "store/event_table.h"
#include "store/row_pages.h"
#include "store/event_rows.h"
#include "store/trace_tables.h"
#include "store/wal.h"

/* Limit of a trace's first event id: leaves enough ids for the largest trace. */
#define MOST_EVENT_ID (INT64_C(1) << 62)

/* Tables with additional columns for some events, indexed by enum beside_table. `columns`: all
 * columns except the first, `event`. */
static const struct {
    const char *name, *columns;
} beside_tables[BESIDE_TABLES] = {
    [BESIDE_CPU_TIME] = {"cpu_time", "duration, self"},
    [BESIDE_OPEN_CALL] = {"open_call", "duration, self, cpu_duration, cpu_self"},
};

/* Appends names of columns of `event`: time, and those in `columns` (enum event_column). */
static void store_append_columns(struct text *list, unsigned columns) {
    text_append_string(list, "time");
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        if (columns >> place & 1) {
            text_append_format(list, ", %s", event_column_name((enum event_place)place));
        }
    }
}

bool store_find_end(const struct store *store, int64_t *end, struct error *error) {
    return database_query_integer(
               store->database,
               store->database
                       ->without_rows /* a virtual table would decode all events for max(id) */
                   ? "SELECT max(last_event) + 1 FROM main.trace"
                   : "SELECT max(id) + 1 FROM main.event",
               0, 1, end, error) &&
           (*end <= MOST_EVENT_ID ||
            error_set(error, "%s: the event ids of this database are used up; use a new database",
                      store->database->path));
}

/* --- inserting names, actors and objects ------------------------------------------------------ */

static int64_t id_or_none(uint32_t number) {
    return number == 0 ? EVENT_NONE : number;
}

bool store_write_entry(struct store *store, const struct entry *entry, struct error *error) {
    const struct name_entry *name = &entry->name;
    const struct actor_entry *actor = &entry->actor;
    const struct object_entry *object = &entry->object;
    struct database *database = store->database;

    switch (entry->table) {
    case ENTRY_NAME:
        return database_run_bound(database, error,
                                  "INSERT INTO name VALUES (?1, ?2, ?3, ?4, ?5, ?6)", "uisoto",
                                  entry->id, store->trace, name->kind, name->code, name->text,
                                  name->length, id_or_none(name->component));
    case ENTRY_ACTOR:
        return database_run_bound(database, error,
                                  "INSERT INTO actor VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                                  "uiiooot", entry->id, store->trace, actor->session, actor->pid,
                                  actor->tid, actor->code, actor->name, actor->length);
    case ENTRY_OBJECT:
        return database_run_bound(database, error,
                                  "INSERT INTO object VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                                  "uitsooo", entry->id, store->trace, object->name, object->length,
                                  object->type, object->device, id_or_none(object->inode),
                                  object->inode == 0 ? EVENT_NONE : (int64_t)object->generation);
    case ENTRY_RENAME:
        return database_run_bound(database, error,
                                  "UPDATE name SET text = ?2, component = ?3 WHERE id = ?1", "uto",
                                  entry->id, name->text, name->length, id_or_none(name->component));
    case ENTRY_RENAME_ACTOR:
        return database_run_bound(
            database, error, "UPDATE actor SET pid = ?2, tid = ?3, name = ?4 WHERE id = ?1", "uoot",
            entry->id, actor->pid, actor->tid, actor->name, actor->length);
    default:
        return database_run_bound(database, error,
                                  "INSERT OR REPLACE INTO probe VALUES (?1, ?2, ?3, ?4, ?5)",
                                  "iussi", store->trace, entry->id, entry->probe.resolution,
                                  entry->probe.origin, (int64_t)entry->probe.on);
    }
}

/* --- inserting the events of a batch ---------------------------------------------------------- */

/* Prepares the statement that inserts events one by one, used if row_pages.h cannot insert them.
 * Omits columns that the format never sets. */
static bool prepare_events(struct store *store, struct error *error) {
    struct text list = {0}, sql = {0};

    store_append_columns(&list, store->columns);
    text_append_format(&sql, "INSERT INTO %s (id, %s) VALUES (?, ?", store->events, list.bytes);
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        text_append_string(&sql, store->columns >> place & 1 ? ", ?" : "");
    }
    text_append_char(&sql, ')');
    store->insert_events = database_prepare_text(store->database, &sql, error);
    text_free(&list);
    return store->insert_events != NULL;
}

#define BIND_INTEGER(value) bind_known_number(insert, parameter, value)
#define BIND_ID(value)      bind_known_number(insert, parameter, id_or_none(value))
#define BIND_FLAGS(value)   sqlite3_bind_int64(insert, parameter, value)
#define BIND_DEPTH(value)   bind_known_number(insert, parameter, (value) < 0 ? EVENT_NONE : (value))
#define BIND_PARENT(value)                                                                         \
    bind_known_number(insert, parameter, (value) == EVENT_NONE ? EVENT_NONE : first_id + (value))
#define BIND_BYTES(value)                                                                          \
    (value) == EVENT_PACKED                                                                        \
        ? sqlite3_bind_int64(insert, parameter, event->arguments_size)                             \
        : sqlite3_bind_blob(insert, parameter, value, (int)event->arguments_size, SQLITE_STATIC)

/* Binds a number unless it is EVENT_NONE: unbound parameters are NULL. This avoids calls of SQLite,
 * each of which takes a lock; most columns are not set. */
static void bind_known_number(sqlite3_stmt *insert, int parameter, int64_t value) {
    if (value != EVENT_NONE) {
        sqlite3_bind_int64(insert, parameter, value);
    }
}

static void bind_column(sqlite3_stmt *insert, int parameter, const struct event *event,
                        enum event_place place, int64_t first_id) {
    switch (place) {
#define X(NAME, field, FORM)                                                                       \
    case EVENT_PLACE_##NAME:                                                                       \
        BIND_##FORM(event->field);                                                                 \
        break;
        EVENT_COLUMNS(X)
#undef X
    case EVENT_PLACES:
        break;
    }
}

/* Prepares a statement. `format`: SQL with %s for the table's name. */
static bool prepare_with(struct store *store, sqlite3_stmt **statement, const char *format,
                         const char *table, struct error *error) {
    char sql[512];

    snprintf(sql, sizeof sql, format, table);
    *statement = database_prepare(store->database, sql, error);
    return *statement != NULL;
}

/* Number of rows of cpu_time per INSERT. */
enum { CPU_TIMES = 16 };
#define CPU_FOUR "(?, ?, ?), (?, ?, ?), (?, ?, ?), (?, ?, ?)"
#define CPU_ROWS CPU_FOUR ", " CPU_FOUR ", " CPU_FOUR ", " CPU_FOUR

static bool prepare_endings(struct store *store, struct error *error) {
    return (!(store->columns & EVENT_CPU) ||
            (prepare_with(store, &store->end_cpu_time, "INSERT INTO %s VALUES (?, ?, ?)",
                          store->beside[BESIDE_CPU_TIME], error) &&
             prepare_with(store, &store->cpu_times,
                          "INSERT INTO %s SELECT * FROM (VALUES " CPU_ROWS
                          ") WHERE column1 IS NOT NULL",
                          store->beside[BESIDE_CPU_TIME], error))) &&
           (!(store->columns & EVENT_PARENT) ||
            (prepare_with(store, &store->open_call, "INSERT INTO %s VALUES (?1, ?2, ?3, ?4, ?5)",
                          store->beside[BESIDE_OPEN_CALL], error) &&
             (store->database->without_rows ||
              prepare_with(
                  store, &store->end_call,
                  "UPDATE %s SET duration = ?2, self = ?3, value = ?4, size = ?5, flags = ?6,"
                  " object = ifnull(?8, object), operation = ifnull(?9, operation), arguments = "
                  "CASE WHEN ?7 IS NULL THEN arguments"
                  " ELSE CAST(ifnull(arguments, x'') || ?7 AS BLOB) END WHERE id = ?1",
                  store->events, error))));
}

/* Prepares writing event_column. If events are appended to a trace whose rows of event_column are
 * missing or damaged, all are rebuilt at the end instead. */
static bool prepare_columns(struct store *store, struct error *error) {
    const struct column_range range = {store->trace, store->first_event, store->next_event - 1};
    enum column_state state = COLUMNS_WHOLE;

    if (store->next_event > store->first_event &&
        !column_table_state(store->database, &range, &state, error)) {
        return false;
    }
    if (state == COLUMNS_WHOLE) {
        store->column_writer = column_writer_new(store->database, store->trace, store->columns);
    }
    return true;
}

/* Prepares the statements. The store's table names and first ids must have been set. */
static bool store_prepare(struct store *store, struct error *error) {
    return (store->aside || store->database->without_rows ||
            row_pages_new(store->database, &store->pages, error)) &&
           prepare_endings(store, error) && prepare_columns(store, error);
}

/* Inserts a row into the table open_call for a call that does not end in the log: its duration and
 * self time up to the end of the log. The call's row in `event` stays unchanged. */
static bool store_end_open_call(struct store *store, const struct ending *ending,
                                struct error *error) {
    return database_insert(store->database, error, store->open_call, "iiooo",
                           store->first_row + ending->serial, ending->duration, ending->self,
                           ending->cpu_duration, ending->cpu_self);
}

static bool store_end_call(struct store *store, const struct ending *ending, struct error *error) {
    int64_t id = store->first_row + ending->serial;

    return (store->end_call == NULL ||
            database_insert(store->database, error, store->end_call, "ioooouboo", id,
                            ending->duration, ending->self, ending->value, ending->size,
                            ending->flags, ending->arguments, (size_t)ending->arguments_size,
                            ending->object == 0 ? EVENT_NONE : (int64_t)ending->object,
                            ending->operation == 0 ? EVENT_NONE : (int64_t)ending->operation)) &&
           (store->column_writer == NULL ||
            column_writer_end(store->column_writer, id - store->first_event, ending, error)) &&
           (ending->cpu_duration == EVENT_NONE || store->end_cpu_time == NULL ||
            database_insert(store->database, error, store->end_cpu_time, "iio", id,
                            ending->cpu_duration, ending->cpu_self));
}

static bool store_write_endings(struct store *store, const struct batch *batch,
                                struct error *error) {
    for (size_t i = 0; i < batch->ending_count; i++) {
        const struct ending *ending = &batch->endings[i];

        if (!(ending->open ? store_end_open_call(store, ending, error)
                           : store_end_call(store, ending, error))) {
            return false;
        }
    }
    return true;
}

/* Returns whether events are written to event_column only; store_insert_staged_rows() then makes
 * the rows of `event` from it. */
static bool lacks_rows(const struct store *store) {
    return store->of_columns && store->aside;
}

static bool insert_event(struct store *store, int64_t id, const struct event *event,
                         struct error *error) {
    int parameter = 2;

    sqlite3_clear_bindings(store->insert_events);
    sqlite3_bind_int64(store->insert_events, 1, id);
    sqlite3_bind_int64(store->insert_events, parameter, event->time);
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        if (store->columns >> place & 1) {
            bind_column(store->insert_events, ++parameter, event, (enum event_place)place,
                        store->first_row);
        }
    }
    return database_execute(store->database, store->insert_events, error);
}

/* Inserts the events of a batch as rows, with the last ids before store->next_event. */
static bool insert_events(struct store *store, const struct batch *batch, struct error *error) {
    int64_t first = store->next_event - (int64_t)batch->event_count;
    bool done;

    if (store->database->without_rows || lacks_rows(store)) {
        return true;
    }
    if (batch->rows.fit && (store->pages != NULL || store->staged != NULL)) {
        return store->pages != NULL ? row_pages_write(store->pages, &batch->rows, error)
                                    : staged_rows_add(store->staged, &batch->rows, error);
    }
    done = store->insert_events != NULL || prepare_events(store, error);
    for (size_t i = 0; done && i < batch->event_count; i++) {
        done = insert_event(store, first + (int64_t)i, &batch->events[i], error);
    }
    return done;
}

/* Inserts CPU times, several rows per statement: with single rows an import takes 10 % longer. */
static bool insert_cpu_times(struct store *store, const struct batch *batch, struct error *error) {
    bool done = true;
    int bound = 0;

    for (size_t i = 0; done && store->cpu_times != NULL && i < batch->event_count; i++) {
        const struct event *event = &batch->events[i];

        if (event->cpu_duration != EVENT_NONE) {
            sqlite3_bind_int64(store->cpu_times, 3 * bound + 1,
                               store->first_row + batch->first_serial + (int64_t)i);
            sqlite3_bind_int64(store->cpu_times, 3 * bound + 2, event->cpu_duration);
            database_bind_optional(store->cpu_times, 3 * bound + 3, event->cpu_self);
            bound++;
        }
        if (bound == CPU_TIMES || (bound > 0 && i + 1 == batch->event_count)) {
            done = database_execute(store->database, store->cpu_times, error);
            sqlite3_clear_bindings(store->cpu_times);
            bound = 0;
        }
    }
    return done;
}

static bool store_write_events(struct store *store, const struct batch *batch,
                               struct error *error) {
    int64_t place = store->next_event - (int64_t)batch->event_count - store->first_event;

    return argument_pack_write(store->database, store->trace, batch, error) &&
           insert_events(store, batch, error) && insert_cpu_times(store, batch, error) &&
           (store->column_writer == NULL ||
            column_writer_write(store->column_writer, place, &batch->columns, error));
}

void store_pack_arguments(const struct store *store, struct batch *batch) {
    const struct database *database = store->database;

    if (!database->without_rows && !database->plain_arguments &&
        (store->columns & EVENT_ARGUMENTS) && !(store->columns & EVENT_PARENT)) {
        argument_pack_make(batch, store->first_row - store->first_event + batch->first_serial);
    }
}

void store_make_rows(const struct store *store, struct batch *batch) {
    if (!lacks_rows(store) && (store->pages != NULL || store->staged != NULL)) {
        batch_pages_make(&batch->rows, batch->events, batch->event_count,
                         store->first_row + batch->first_serial, store->columns, store->first_row);
    }
}

void store_write_back(const struct store *store) {
    sync_file_range(store->database->descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}

/* Extends the trace's time range by the times of a batch. Of sorted events, only the first and last
 * matter. */
static void widen_time_range(struct store *store, const struct batch *batch) {
    size_t step = batch->in_order && batch->event_count > 1 ? batch->event_count - 1 : 1;

    for (size_t i = 0; i < batch->event_count; i += step) {
        int64_t time = batch->events[i].time;

        store->first_time = time < store->first_time ? time : store->first_time;
        store->last_time = time > store->last_time ? time : store->last_time;
    }
}

bool store_write(struct store *store, const struct batch *batch, struct error *error) {
    for (size_t i = 0; i < batch->entry_count; i++) {
        if (!store_write_entry(store, &batch->entries[i], error)) {
            return false;
        }
    }
    widen_time_range(store, batch);
    store->next_event += (int64_t)batch->event_count;
    return (batch->event_count == 0 || store_write_events(store, batch, error)) &&
           store_write_endings(store, batch, error) &&
           allocation_table_write(store->database, store->trace, batch->allocations,
                                  batch->allocation_count, error);
}

/* Completes the trace's rows of event_column; builds them from `event` if they were missing. */
static bool finish_columns(struct store *store, struct error *error) {
    const struct column_range range = {store->trace, store->first_event, store->next_event - 1};

    return store->column_writer != NULL ? column_writer_finish(store->column_writer, error)
                                        : column_table_rebuild(store->database, &range, error);
}

/* --- sorting by time in SQL ------------------------------------------------------------------- */

/* Creates temp.moved, which gives each event a new id, in order of time, from `end` on. */
static bool plan_moves(struct store *store, int64_t end, struct error *error) {
    return database_run(store->database,
                        "CREATE TEMP TABLE moved (old INTEGER PRIMARY KEY, new INTEGER NOT NULL)",
                        error) &&
           database_run_bound(store->database, error,
                              "INSERT INTO temp.moved SELECT id,"
                              " ?1 - 1 + row_number() OVER (ORDER BY time, id)"
                              " FROM event WHERE id BETWEEN ?2 AND ?3",
                              "iii", end, store->first_event, store->next_event - 1);
}

/* Gives the rows of a table with a column `event` new event ids, as listed in temp.moved. */
static bool move_table(struct store *store, const char *table, const char *columns,
                       struct error *error) {
    char sql[512];

    snprintf(sql, sizeof sql,
             "INSERT INTO %s SELECT m.new, %s FROM temp.moved AS m JOIN %s AS b"
             " ON b.event = m.old WHERE m.old BETWEEN ?1 AND ?2 ORDER BY m.new",
             table, columns, table);
    if (!database_run_bound(store->database, error, sql, "ii", store->first_event,
                            store->next_event - 1)) {
        return false;
    }
    snprintf(sql, sizeof sql, "DELETE FROM %s WHERE event BETWEEN ?1 AND ?2", table);
    return database_run_bound(store->database, error, sql, "ii", store->first_event,
                              store->next_event - 1);
}

/* Gives calls (spans) new ids, as listed in temp.moved, and updates the parent ids in them. */
static bool move_spans(struct store *store, int64_t end, struct error *error) {
    struct text list = {0}, sql = {0};
    bool done;

    store_append_columns(&list, store->columns & ~(unsigned)EVENT_PARENT);
    text_append_format(&sql,
                       "INSERT INTO event (id, parent, %s) SELECT m.new, p.new, %s"
                       " FROM event AS e JOIN temp.moved AS m ON m.old = e.id"
                       " LEFT JOIN temp.moved AS p ON p.old = e.parent"
                       " WHERE e.id BETWEEN ?1 AND ?2 ORDER BY m.new",
                       text_string(&list), text_string(&list));
    done = plan_moves(store, end, error) &&
           database_run_bound(store->database, error, text_string(&sql), "ii", store->first_event,
                              store->next_event - 1) &&
           move_table(store, beside_tables[0].name, beside_tables[0].columns, error) &&
           move_table(store, beside_tables[1].name, beside_tables[1].columns, error) &&
           database_run(store->database, "DROP TABLE temp.moved", error);
    text_free(&list);
    text_free(&sql);
    return done;
}

bool store_count_parts(const struct store *store, int64_t *parts, struct error *error) {
    return database_query_integer(store->database,
                                  "SELECT count(*) FROM (SELECT 1 FROM main.trace AS t"
                                  " CROSS JOIN main.io_part AS p"
                                  " ON p.event BETWEEN t.first_event AND t.last_event"
                                  " WHERE t.id = ?1 LIMIT 1)",
                                  store->trace, 0, parts, error);
}

static bool move_parts(struct store *store, int64_t end, struct error *error) {
    int64_t parts;

    return store_count_parts(store, &parts, error) &&
           (parts == 0 || (plan_moves(store, end, error) &&
                           move_table(store, "io_part", "number, object, flags, bytes", error) &&
                           database_run(store->database, "DROP TABLE temp.moved", error)));
}

static bool move_events(struct store *store, int64_t end, struct error *error) {
    struct text list = {0}, sql = {0};
    bool done;

    store_append_columns(&list, store->columns);
    text_append_format(&sql,
                       "INSERT INTO event (%s) SELECT %s FROM event WHERE id BETWEEN ?1 AND ?2"
                       " ORDER BY time, id",
                       text_string(&list), text_string(&list));
    done = database_run_bound(store->database, error, text_string(&sql), "ii", store->first_event,
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
        !store_find_end(store, &end, error) ||
        !(store->columns & EVENT_PARENT ? move_spans(store, end, error)
                                        : move_events(store, end, error)) ||
        !database_run_bound(store->database, error, "DELETE FROM event WHERE id BETWEEN ?1 AND ?2",
                            "ii", store->first_event, store->next_event - 1)) {
        return false;
    }
    store->first_event = end;
    store->next_event = end + count;
    return true;
}

/* --- events that wait in temporary tables ----------------------------------------------------- */

/* Creates temporary tables with the columns of `event`, cpu_time and open_call. */
static bool store_make_tables(struct store *store, struct error *error) {
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

/* Makes temporary tables, with `number` in their names, in which a trace's events wait. Until
 * store_insert_staged_rows(), the events have temporary ids, counted from 1. */
static bool staging_make(struct store *store, unsigned number, struct error *error) {
    store->aside = true;
    store->first_event = store->first_row = store->next_event = 1;
    snprintf(store->events, sizeof store->events, "temp.event_%u", number);
    for (unsigned i = 0; i < BESIDE_TABLES; i++) {
        snprintf(store->beside[i], sizeof store->beside[i], "temp.%s_%u", beside_tables[i].name,
                 number);
    }
    return store_make_tables(store, error);
}

bool store_set_id_range(const struct store *store, struct error *error) {
    return database_run_bound(store->database, error,
                              "UPDATE trace SET first_event = ?1, last_event = ?2 WHERE id = ?3",
                              "iii", store->first_event, store->next_event - 1, store->trace);
}

/* State of making rows of `event` from event_column. */
struct made_rows {
    struct store *store;
    struct batch *batch;
};

static bool make_rows(void *context, const struct event_columns *columns, size_t count,
                      struct error *error) {
    struct made_rows *made = context;
    struct batch *batch = made->batch;

    for (size_t i = 0; i < count; i++) {
        batch->events[i] = event_empty;
        event_columns_copy_event(columns, i, &batch->events[i]);
    }
    batch->event_count = count;
    store_make_rows(made->store, batch);
    made->store->next_event += (int64_t)count;
    batch->first_serial += (int64_t)count;
    return insert_events(made->store, batch, error);
}

/* Makes the rows of `event` for a trace that is only in event_column so far. */
static bool place_columns(struct store *store, struct error *error) {
    const struct event_pass pass = {
        .database = store->database,
        .range = {store->trace, store->first_event, store->next_event - 1},
        .fields = store->columns,
        .visit = make_rows,
    };
    struct made_rows made = {store, batch_new()};
    bool done;

    snprintf(store->events, sizeof store->events, "main.event");
    done = column_writer_finish(store->column_writer, error) && store_set_id_range(store, error);
    store->next_event = store->first_event;
    done = done && event_pass_run(&pass, &made, error);
    batch_free(made.batch);
    return done;
}

bool store_insert_staged_rows(struct store *store, struct error *error) {
    int64_t count = store->next_event - store->first_event, end, after;
    struct text list = {0}, sql = {0};
    bool done;

    if (!store_find_end(store, &end, error)) {
        return false;
    }
    after = end - 1;
    store_append_columns(&list, store->columns & ~(unsigned)EVENT_PARENT);
    if (!store->database->without_rows) {
        text_append_format(
            &sql,
            "INSERT INTO main.event (id, parent, %s) SELECT id + %lld, parent + %lld, %s"
            " FROM %s ORDER BY id;",
            text_string(&list), (long long)after, (long long)after, text_string(&list),
            store->events);
    }
    text_append_format(&sql, "DROP TABLE %s", store->events);
    for (unsigned i = 0; i < BESIDE_TABLES; i++) {
        text_append_format(&sql,
                           "; INSERT INTO main.%s SELECT event + %lld, %s FROM %s ORDER BY event;"
                           "DROP TABLE %s",
                           beside_tables[i].name, (long long)after, beside_tables[i].columns,
                           store->beside[i], store->beside[i]);
    }
    done = staged_rows_write(store->staged, after, error) &&
           database_run(store->database, text_string(&sql), error);
    text_free(&list);
    text_free(&sql);
    store->aside = false;
    store->first_event = store->first_row = end;
    store->next_event = store->first_event + count;
    return done &&
           (!store->of_columns || store->database->without_rows || place_columns(store, error));
}

/* Drops the temporary tables that still exist if store_insert_staged_rows() was not called. */
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

/* --- beginning and ending the transaction ----------------------------------------------------- */

/* Runs a query that returns the id of a trace by its name, ?1. Sets `*id` to 0 if there is none. */
static bool store_find_trace(struct store *store, const char *sql, const char *name, int64_t *id,
                             struct error *error) {
    struct database_query query = database_query(store->database, error, sql, "s", name);

    *id = database_next(&query) ? sqlite3_column_int64(query.row, 0) : 0;
    return database_end(&query);
}

/* Inserts a row for the new trace and sets `store->trace` to its id. */
static bool insert_trace(struct store *store, const struct store_trace *trace,
                         struct error *error) {
    bool done = database_run_bound(
        store->database, error,
        "INSERT INTO trace (name, kind, format, variant, device, user, clock_unit, sessions,"
        " events, merged, ignored, rejected, lost_bytes, rollups, study)"
        " VALUES (?1, ?2, ?3, '', ?4, ?5, 'ns', 1, 0, 0, 0, 0, 0, '', ?6)",
        "ssssss", trace->name, trace_kind_name(trace->kind), trace->format, trace->device,
        trace->user, trace->study);

    store->trace = sqlite3_last_insert_rowid(store->database->handle);
    return done;
}

/* Loads data of the existing trace `store->trace`: its range of events and times, and
 * `store->existing`. Fails if its format is not that of `trace`. */
static bool load_existing(struct store *store, const struct store_trace *trace,
                          struct error *error) {
    struct database_query query = database_query(
        store->database, error,
        "SELECT format, rollups, resume, start, utc_offset, sessions, first_event, last_event,"
        " first_time, last_time, (SELECT ifnull(max(number), -1) + 1 FROM remark WHERE trace = ?1)"
        " FROM trace WHERE id = ?1",
        "i", store->trace);
    sqlite3_stmt *row = query.row;

    if (database_next(&query) && strcmp(database_column_text(row, 0), trace->format) != 0) {
        query.failed = true;
        error_set(error, "trace %s holds %s; a file of format %s cannot be appended", trace->name,
                  database_column_text(row, 0), trace->format);
    }
    if (!query.failed) {
        const char *resume = (const char *)sqlite3_column_text(row, 2);

        store->existing = (struct store_existing){
            .rollups = xstrdup(database_column_text(row, 1)),
            .resume = resume == NULL ? NULL : xstrdup(resume),
            .start = database_column_optional(row, 3),
            .utc_offset = database_column_optional(row, 4),
            .sessions = sqlite3_column_int64(row, 5),
            .remarks = sqlite3_column_int64(row, 10),
        };
    }
    if (!query.failed && sqlite3_column_type(row, 6) != SQLITE_NULL) {
        store->first_event = sqlite3_column_int64(row, 6);
        store->next_event = sqlite3_column_int64(row, 7) + 1;
        store->first_time = sqlite3_column_int64(row, 8);
        store->last_time = sqlite3_column_int64(row, 9);
    }
    return database_end(&query);
}

/* Before appending to a trace, moves its events to the end of `event`, so that its ids stay one
 * range. */
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
           database_run_bound(store->database, error,
                              "UPDATE source SET first_event = first_event + ?1,"
                              " last_event = last_event + ?1 WHERE trace = ?2",
                              "ii", store->first_event - first, store->trace);
}

static bool begin_appending(struct store *store, const struct store_trace *trace,
                            struct error *error) {
    int64_t end;

    store->appending = true;
    return load_existing(store, trace, error) && store_find_end(store, &end, error) &&
           move_to_end(store, end, error);
}

/* Makes the name free for a new trace. With --replace, removes the trace of that name, or, if it is
 * the name of a log, all traces of the log. Returns false with `error` set if the name is in use
 * otherwise. */
static bool remove_trace_of_name(struct store *store, const struct store_trace *trace,
                                 struct error *error) {
    int64_t id, part;

    if (!store_find_trace(
            store, "SELECT id FROM trace WHERE name = ?1 AND log IS NOT NULL AND log <> name",
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
        if (!store_find_trace(store, "SELECT id FROM trace WHERE name = ?1 OR log = ?1 LIMIT 1",
                              trace->name, &id, error)) {
            return false;
        }
        if (id != 0 && !trace->replace) {
            return error_set(error,
                             "a trace named %s exists already; choose another name with -n, or "
                             "replace it with --replace",
                             trace->name);
        }
        if (id != 0 && !store_remove(store->database, id, error)) {
            return false;
        }
    } while (id != 0);
    return true;
}

static bool store_begin_trace(struct store *store, const struct store_trace *trace,
                              struct error *error) {
    if (!store_find_trace(store, "SELECT id FROM trace WHERE name = ?1", trace->name, &store->trace,
                          error)) {
        return false;
    }
    if (trace->append) {
        return store->trace == 0
                   ? error_set(error, "there is no trace named %s to append to; name it with -n",
                               trace->name)
                   : begin_appending(store, trace, error);
    }
    return remove_trace_of_name(store, trace, error) && insert_trace(store, trace, error);
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
        if (!database_query_integer(store->database, queries[i], 0, 1, &id, error)) {
            return false;
        }
        if (id < 1 || id >= INT64_C(1) << 31) {
            return error_set(error,
                             "%s: the name ids of this database are used up; use a new database",
                             store->database->path);
        }
        *ids[i] = (uint32_t)id;
    }
    if (!store->appending) {
        if (!store_find_end(store, &store->first_event, error)) {
            return false;
        }
        store->next_event = store->first_event;
    }
    store->first_row = store->next_event;
    return true;
}

/* Returns the state for writing a trace, without columns that its kind of trace cannot have. */
static struct store new_store(struct database *database, const struct store_trace *trace) {
    const unsigned others = trace->kind == TRACE_SPANS ? 0
                            : trace->kind == TRACE_IO  ? EVENT_PARENT | EVENT_CPU
                            : trace->kind == TRACE_STATES
                                ? EVENT_PARENT | EVENT_DEPTH | EVENT_CPU | EVENT_ARGUMENTS
                                : EVENT_PARENT | EVENT_DEPTH | EVENT_SELF | EVENT_CPU;

    return (struct store){
        .database = database,
        .events = "main.event",
        .beside = {"main.cpu_time", "main.open_call"},
        .columns = trace->columns & ~others,
        .first_time = INT64_MAX,
        .last_time = INT64_MIN,
    };
}

/* Checks that nobody deleted the file while this program waited for the lock. */
static bool is_in_place(const struct store *store, struct error *error) {
    return !database_has_moved(store->database) ||
           database_set_deleted_error(store->database, error);
}

static bool begin_writing(struct store *store, bool brief, struct error *error) {
    store->in_transaction = wal_begin(store->database, brief, error);
    return store->in_transaction && is_in_place(store, error);
}

bool store_begin(struct store *store, struct database *database, const struct store_trace *trace,
                 struct error *error) {
    *store = new_store(database, trace);
    if (begin_writing(store, trace->brief, error) && store_begin_trace(store, trace, error) &&
        first_free_ids(store, error) && store_prepare(store, error)) {
        return true;
    }
    store_end(store);
    return false;
}

bool store_begin_change(struct store *store, struct database *database, struct error *error) {
    *store = (struct store){.database = database, .appending = true};
    if (begin_writing(store, false, error) && first_free_ids(store, error)) {
        return true;
    }
    store_end(store);
    return false;
}

bool store_begin_another_trace(struct store *store, const struct store *first, unsigned number,
                               const struct store_trace *trace, struct error *error) {
    *store = new_store(first->database, trace);
    store->of_columns = trace->kind == TRACE_STATES;
    if (store->of_columns) {
        store->pages = first->pages;
    } else if (!(store->columns & (EVENT_PARENT | EVENT_CPU))) {
        store->staged = staged_rows_new(first->pages);
    }
    return staging_make(store, number, error) && insert_trace(store, trace, error) &&
           store_prepare(store, error);
}

/* If events were appended to an existing trace, columns of its row keep their old values where the
 * new ones are unknown. The row's ranges of ids and times are set only if the trace has events. */
bool store_complete(struct store *store, const struct store_ending *ending, const char *rollups,
                    struct error *error) {
    bool any = store->next_event != store->first_event;

    if (ending->last_time > store->last_time) {
        store->last_time = ending->last_time;
    }
    return database_run_bound(
               store->database, error,
               "UPDATE trace SET variant = CASE variant WHEN '' THEN ?1 ELSE variant END,"
               " clock_unit = ?2, start = ?3, utc_offset = ?4, sessions = ?5, events = events + ?6,"
               " merged = merged + ?7, ignored = ignored + ?8, rejected = rejected + ?9,"
               " lost_bytes = lost_bytes + ?10, rollups = ?11, resume = ?12, clocks = ?14,"
               " clock_hz = ?15, paired = paired + ?16, round = ifnull(?17, round),"
               " call_overhead = ifnull(?18, call_overhead),"
               " first_event = ifnull(?19, first_event), last_event = ifnull(?20, last_event),"
               " first_time = ifnull(?21, first_time), last_time = ifnull(?22, last_time)"
               " WHERE id = ?13",
               "ssooiiiiiissisoioooooo", ending->variant, ending->clock_unit, ending->start,
               ending->utc_offset, ending->sessions, ending->events, ending->merged,
               ending->ignored, ending->rejected, ending->lost_bytes, rollups, ending->resume,
               store->trace, ending->clocks, ending->clock_hz, ending->paired, ending->round,
               ending->call_overhead, any ? store->first_event : EVENT_NONE,
               any ? store->next_event - 1 : EVENT_NONE, any ? store->first_time : EVENT_NONE,
               any ? store->last_time : EVENT_NONE) &&
           finish_columns(store, error);
}

bool store_commit(struct store *store, struct error *error) {
    if (!is_in_place(store, error) || !wal_commit(store->database, error)) {
        return false;
    }
    database_allow_other_programs(store->database);
    store->in_transaction = false;
    return true;
}

void store_end(struct store *store) {
    free(store->existing.rollups);
    free(store->existing.resume);
    store->existing = (struct store_existing){0};
    /* store->pages is freed later, by store_end(), after the transaction */
    column_writer_free(store->column_writer);
    store->column_writer = NULL;
    sqlite3_finalize(store->insert_events);
    sqlite3_finalize(store->end_call);
    sqlite3_finalize(store->end_cpu_time);
    sqlite3_finalize(store->cpu_times);
    sqlite3_finalize(store->open_call);
    store->insert_events = NULL;
    store->end_call = store->end_cpu_time = store->cpu_times = store->open_call = NULL;
    staged_rows_free(store->staged);
    store->staged = NULL;
    if (store->aside) {
        staging_drop(store);
    }
    if (store->in_transaction) {
        /* If the rollback fails, the journal file remains, by which the next program that opens the
         * database undoes the changes. */
        sqlite3_exec(store->database->handle, "ROLLBACK", NULL, NULL, NULL);
        store->in_transaction = false;
    }
    row_pages_keep(store->of_columns ? NULL : store->pages);
    store->pages = NULL;
}

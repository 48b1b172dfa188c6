#include "export/export.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/saturate.h"
#include "model/event.h"

static void export_check_written(struct export_run *run, bool written) {
    if (!written) {
        run->failed = true;
        error_set(run->error, "cannot write the output: %s", strerror(errno));
    }
}

void export_write(struct export_run *run, const void *bytes, size_t length) {
    if (!run->failed) {
        export_check_written(run, fwrite(bytes, 1, length, run->file) == length);
    }
}

void export_print(struct export_run *run, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    if (!run->failed) {
        export_check_written(run, vfprintf(run->file, format, arguments) >= 0);
    }
    va_end(arguments);
}

void export_write_text(struct export_run *run, struct text *text) {
    export_write(run, text->bytes, text->length);
    text_clear(text);
}

sqlite3_stmt *export_create_table(struct export_run *run, const char *name, const char *columns,
                                  const char *insert) {
    sqlite3_stmt *statement = temp_schema_table(run->temp, name, columns, run->error)
                                  ? database_prepare(run->temp->database, insert, run->error)
                                  : NULL;

    run->failed |= statement == NULL;
    return statement;
}

void export_insert(struct export_run *run, sqlite3_stmt *insert) {
    run->failed |= !database_execute(run->database, insert, run->error);
}

sqlite3_stmt *export_query_rows(struct export_run *run, const char *sql) {
    sqlite3_stmt *rows = database_prepare_read_only(run->temp->database, sql, run->error);

    run->failed |= rows == NULL;
    return rows;
}

bool export_next(struct export_run *run, sqlite3_stmt *rows) {
    bool row = false;

    run->failed = run->failed || !database_step(run->database, rows, &row, run->error);
    if (run->failed || !row) {
        sqlite3_finalize(rows);
        return false;
    }
    return true;
}

int64_t export_query_number(struct export_run *run, const char *sql) {
    int64_t number = 0;

    run->failed = run->failed || !database_query_integer(run->database, sql, run->trace->trace->id,
                                                         0, &number, run->error);
    return number;
}

void export_exclude(struct export_run *run, const char *reason) {
    for (size_t i = 0; i < EXPORT_REASONS; i++) {
        if (run->left_out[i].reason == NULL || run->left_out[i].reason == reason) {
            run->left_out[i].reason = reason;
            run->left_out[i].count++;
            return;
        }
    }
}

void export_shift_into_caller(struct export_slice *slice, const struct export_slice *caller,
                              int64_t least) {
    int64_t duration = slice->end - slice->begin, latest = caller->end;

    add_saturated(&latest, -duration);
    least = least > caller->begin ? least : caller->begin;
    slice->begin = slice->begin < latest ? slice->begin : latest;
    slice->begin = slice->begin > least ? slice->begin : least;
    slice->end = slice->begin;
    add_saturated(&slice->end, duration);
}

struct export_device *export_find_device(struct export_run *run, int64_t number) {
    struct export_device *found;

    HASH_FIND(hh, run->by_number, &number, sizeof number, found);
    if (found != NULL) {
        found->is_new = false;
        return found;
    }
    HASH_NEW(run->by_number, number, number, found);
    found->index = run->device_count;
    found->is_new = true;
    *ARRAY_NEW(run->devices, run->device_count, run->device_capacity) = found;
    return found;
}

static void export_free_devices(struct export_run *run) {
    for (size_t i = 0; i < run->device_count; i++) {
        free(run->devices[i]->lanes.ends);
    }
    HASH_FREE(run->by_number);
    free(run->devices);
    run->devices = NULL;
    run->device_count = run->device_capacity = 0;
}

void export_store_little_endian(uint8_t *bytes, uint64_t number, size_t size) {
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(number >> 8 * i);
    }
}

bool lanes_choose(struct lanes *lanes, int64_t begin, int64_t end, size_t *lane, bool *is_new) {
    size_t at = 0;

    while (at < lanes->count && lanes->ends[at] > begin) {
        at++;
    }
    *is_new = at == lanes->count;
    if (at == LANES_MOST) {
        return false;
    }
    if (*is_new) {
        lanes->ends =
            array_grow(lanes->ends, lanes->count++, &lanes->capacity, sizeof *lanes->ends);
    }
    lanes->ends[at] = end;
    *lane = at;
    return true;
}

/* Indexes of the columns that events_sql selects. */
enum {
    TIME,
    ARRIVAL,
    RESPONSE,
    DURATION,
    OPERATION,
    ACTION,
    CATEGORY,
    COMPONENT,
    FLAGS,
    DEPTH,
    SECTOR,
    BYTES,
    VALUE,
    DEVICE,
    ACTOR,
    THREAD,
    PID,
    TID,
    PROCESS,
    ISSUER_PID,
    ISSUER,
    OBJECT,
    FILE_NAME,
    ARGUMENTS,
    SOURCE,
    SOURCE_SECTOR,
    SOURCE_NAME,
    ID,
    PARENT,
};

const char *export_name_sql(const struct export_run *run, enum export_name name) {
    static const char *const names[][2] = {
        [EXPORT_OPERATION] = {"n.text", "pseudonym_operation(n.kind, n.text)"},
        [EXPORT_COMPONENT] = {"c.text", "pseudonym_operation(c.kind, c.text)"},
        [EXPORT_ERROR] = {"x.text", "pseudonym_operation(x.kind, x.text)"},
        [EXPORT_PROCESS] = {"a.name", "pseudonym_process(a.name)"},
        [EXPORT_ISSUER] = {"i.name", "pseudonym_process(i.name)"},
        [EXPORT_FILE] = {"o.name", "pseudonym_path(o.name)"},
        [EXPORT_SOURCE] = {"f.name", "pseudonym_path(f.name)"},
        [EXPORT_OPERATION_CODE] = {"n.code", "pseudonym_code(n.kind, n.code)"},
        [EXPORT_APPLICATION_CODE] = {"a.code", "pseudonym_number(a.code)"},
    };

    return names[name][run->pseudonyms];
}

const char *export_arguments_sql(const struct export_run *run) {
    return run->pseudonyms ? "NULL" : "event_arguments(e.id, e.arguments)";
}

/* SELECT of the events. The %s vary with the kind of trace: times, names and category. If threads
 * are exported one by one, also the thread (id of its first event) and the order. */
static const char events_sql[] =
    "SELECT e.time, %s, e.duration,"
    " e.operation, %s, %s, %s, e.flags, e.depth, e.address, e.size, e.value, o.device,"
    " e.actor, %s, a.pid, a.tid, %s, i.pid,"
    " iif(i.id IS NULL, NULL, ifnull(%s, '')), e.object, %s, %s,"
    " e.source, e.source_address, %s, e.id, e.parent"
    " FROM temp.selected_event AS e"
    " LEFT JOIN main.name AS n ON n.id = e.operation"
    " LEFT JOIN main.name AS c ON c.id = n.component"
    " LEFT JOIN main.object AS o ON o.id = e.object"
    " LEFT JOIN main.object AS f ON f.id = e.source"
    " LEFT JOIN main.actor AS a ON a.id = e.actor"
    " LEFT JOIN main.actor AS i ON i.id = e.issuer"
    " ORDER BY %s";

#define IO_TIMES                                                                                   \
    "e.time - coalesce(e.response, e.duration, 0) AS arrival, coalesce(e.response, e.duration)"
#define CALL_TIMES "e.time AS arrival, NULL"

/* Id of the first event of an event's thread. Actors with the same pid and tid are one thread under
 * several names. */
#define FIRST_OF_THREAD                                                                            \
    "min(e.id) OVER (PARTITION BY a.session, a.pid, a.tid,"                                        \
    " iif(coalesce(a.pid, a.tid) IS NULL, e.actor, NULL)) AS thread"

static const char *export_text_of(sqlite3_stmt *row, int column, size_t *length) {
    const char *text = (const char *)sqlite3_column_text(row, column);

    *length = text == NULL ? 0 : (size_t)sqlite3_column_bytes(row, column);
    return text;
}

static void export_read_event(sqlite3_stmt *row, struct export_event *event) {
    size_t ignored;

    *event = (struct export_event){
        .id = sqlite3_column_int64(row, ID),
        .parent = database_column_optional(row, PARENT),
        .time = sqlite3_column_int64(row, TIME),
        .arrival = sqlite3_column_int64(row, ARRIVAL),
        .response = database_column_optional(row, RESPONSE),
        .duration = database_column_optional(row, DURATION),
        .operation = sqlite3_column_int64(row, OPERATION),
        .flags = (uint32_t)sqlite3_column_int64(row, FLAGS),
        .depth = database_column_optional(row, DEPTH),
        .sector = database_column_optional(row, SECTOR),
        .bytes = database_column_optional(row, BYTES),
        .value = database_column_optional(row, VALUE),
        .device = database_column_optional(row, DEVICE),
        .actor = sqlite3_column_int64(row, ACTOR),
        .thread = sqlite3_column_int64(row, THREAD),
        .pid = database_column_optional(row, PID),
        .tid = database_column_optional(row, TID),
        .object = sqlite3_column_int64(row, OBJECT),
        .issuer_pid = database_column_optional(row, ISSUER_PID),
        .source = sqlite3_column_int64(row, SOURCE),
        .source_sector = database_column_optional(row, SOURCE_SECTOR),
    };
    event->action = export_text_of(row, ACTION, &event->action_length);
    event->action = event->action == NULL ? "" : event->action;
    event->process = export_text_of(row, PROCESS, &event->process_length);
    event->issuer = export_text_of(row, ISSUER, &event->issuer_length);
    event->category = export_text_of(row, CATEGORY, &ignored);
    event->component = export_text_of(row, COMPONENT, &event->component_length);
    event->file = export_text_of(row, FILE_NAME, &event->file_length);
    event->source_file = export_text_of(row, SOURCE_NAME, &event->source_length);
    event->arguments = sqlite3_column_blob(row, ARGUMENTS);
    event->arguments_length = (size_t)sqlite3_column_bytes(row, ARGUMENTS);
}

/* Reads the events and passes them to the exporter. `below`: excludes I/Os that are also logged for
 * a device above (such as RAID or LVM), since a replay would execute them twice. */
static void write_events(const struct exporter *exporter, struct export_run *run, void *state,
                         bool below) {
    struct text sql = {0};
    sqlite3_stmt *rows;
    int64_t first_of_thread = 0;
    bool io = run->trace->trace->kind == TRACE_IO, by_thread = !io && exporter->by_thread;

    text_append_format(
        &sql, events_sql, io ? IO_TIMES : CALL_TIMES, export_name_sql(run, EXPORT_OPERATION),
        io ? "io_class(ifnull(e.flags, 0))" : "n.kind", export_name_sql(run, EXPORT_COMPONENT),
        by_thread ? FIRST_OF_THREAD : "0", export_name_sql(run, EXPORT_PROCESS),
        export_name_sql(run, EXPORT_ISSUER), export_name_sql(run, EXPORT_FILE),
        export_arguments_sql(run), export_name_sql(run, EXPORT_SOURCE),
        by_thread                ? "thread, e.id"
        : io && !exporter->steps ? "arrival, e.id"
                                 : "e.id");
    rows = export_query_rows(run, text_string(&sql));
    while (export_next(run, rows)) {
        struct export_event event;

        export_read_event(rows, &event);
        if (below && (event.flags & IO_FLAG_BELOW)) {
            export_exclude(run, "I/Os that a device above has, too: --device chooses one");
            continue;
        }
        run->threads += run->threads == 0 || event.thread != first_of_thread;
        first_of_thread = event.thread;
        event.thread = run->threads - 1;
        exporter->take(run, state, &event);
    }
    text_free(&sql);
}

/* Sets the name of the trace in the export: its own, or a pseudonym, which is stored in `name`. */
static bool export_name_trace(const struct export_order *order, struct export_run *run,
                              struct text *name, struct error *error) {
    const char *own = run->trace->trace->name;

    run->trace_name = own;
    if (order->pseudonyms == NULL) {
        return true;
    }
    pseudonyms_append(order->pseudonyms, PSEUDONYM_TRACE, own, strlen(own), name);
    run->trace_name = text_string(name);
    return pseudonyms_register(order->pseudonyms, run->database->handle) ||
           database_set_error(run->database, error);
}

bool export_selection(const struct export_order *order, const struct selection *selection,
                      struct export_run *run, struct error *error) {
    const struct exporter *exporter = order->exporter;
    void *state = xcalloc(1, exporter->state_size + 1);
    struct text name = {0};
    bool below = exporter->sectors && !exporter->steps && !selection->filter.has_device &&
                 catalog_meaning(selection->traces[0].trace, "flags", "below") != NULL;

    *run = (struct export_run){
        .trace = &selection->traces[0],
        .events = selection->traces[0].trace->events,
        .database = selection->database,
        .temp = selection->temp,
        .file = order->file,
        .error = error,
        .real_paths = order->real_paths,
        .pseudonyms = order->pseudonyms != NULL,
    };
    run->failed = !export_name_trace(order, run, &name, error);
    run->least_object =
        export_query_number(run, "SELECT min(id) FROM main.object WHERE trace = ?1");
    if (!run->failed && exporter->begin != NULL) {
        exporter->begin(run, state);
    }
    if (!run->failed && exporter->take != NULL) {
        write_events(exporter, run, state, below);
    }
    if (!run->failed && exporter->end != NULL) {
        exporter->end(run, state);
    }
    if (exporter->free != NULL) {
        exporter->free(state);
    }
    free(state);
    export_free_devices(run);
    text_free(&name);
    if (!run->failed) {
        export_check_written(run, fflush(order->file) == 0);
    }
    return !run->failed;
}

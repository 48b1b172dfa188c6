#include "report/dump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "import/importer.h"
#include "scan/event_scan.h"
#include "select/functions.h"
#include "select/match.h"
#include "base/memory.h"

enum { FLUSH_SIZE = 64 * 1024 };

static const struct column dump_columns[] = {
    {"time", "s", COLUMN_TIME},       {"operation", "", COLUMN_TEXT},  {"actor", "", COLUMN_TEXT},
    {"object", "", COLUMN_TEXT},      {"size", "bytes", COLUMN_BYTES}, {"detail", "", COLUMN_TEXT},
    {"delta", "ns", COLUMN_DURATION},
};
/* Columns of dumped rows if times are in units of a counter instead of seconds. */
static const struct column dump_columns_of_units[] = {
    {"time", "", COLUMN_DURATION},  {"operation", "", COLUMN_TEXT},  {"actor", "", COLUMN_TEXT},
    {"object", "", COLUMN_TEXT},    {"size", "bytes", COLUMN_BYTES}, {"detail", "", COLUMN_TEXT},
    {"delta", "", COLUMN_DURATION},
};
/* Indices of the columns, and number of columns; the last column exists only with --delta. */
enum {
    DUMP_COLUMNS = sizeof dump_columns / sizeof dump_columns[0],
    DUMP_ACTOR = 2,
    DUMP_DETAIL = DUMP_COLUMNS - 2
};

/* Caches of the names that the ids in events refer to, such as actors and operations. */
struct dump_names {
    struct name_cache operations, actors, issuers, objects, errors;
};

/* Opens the caches of names. Threads' names include the process if there are several processes. */
static bool open_names(struct dump_names *names, struct database *database,
                       const struct catalog_trace *trace, struct error *error) {
    const char *actors = "SELECT actor_label(name, code, session, 1), pid, session, tid"
                         " FROM main.actor WHERE id = ?1";
    bool several = true;

    *names = (struct dump_names){0};
    if (trace->kind == TRACE_CALLS &&
        !select_several_processes(database, trace->id, &several, error)) {
        return false;
    }
    if (!several) {
        actors = "SELECT actor_label(name, code, session, 1), iif(tid IS NULL, pid, NULL), session,"
                 " tid FROM main.actor WHERE id = ?1";
    }
    return name_cache_open(&names->operations, database,
                           "SELECT text, code, NULL, NULL, kind FROM main.name WHERE id = ?1",
                           error) &&
           name_cache_open(&names->actors, database, actors, error) &&
           name_cache_open(&names->issuers, database, actors, error) &&
           name_cache_open(&names->objects, database, "SELECT name FROM main.object WHERE id = ?1",
                           error) &&
           name_cache_open(&names->errors, database, "SELECT text FROM main.name WHERE id = ?1",
                           error);
}

static bool dump_read_names(struct dump_names *names, struct dump_event *dump,
                            struct error *error) {
    struct name_cache_text operation, actor, issuer, object, failure;

    if (!name_cache_find(&names->operations, dump->event.operation, &operation, error) ||
        !name_cache_find(&names->actors, dump->event.actor, &actor, error) ||
        !name_cache_find(&names->issuers, dump->event.issuer, &issuer, error) ||
        !name_cache_find(&names->objects, dump->event.object, &object, error) ||
        !name_cache_find(&names->errors, dump->event.error, &failure, error)) {
        return false;
    }
    dump->operation = operation.raw;
    dump->operation_length = operation.raw_length;
    dump->operation_kind = operation.kind;
    dump->operation_code = operation.numbers[0];
    dump->actor = actor.raw;
    dump->actor_length = actor.raw_length;
    dump->pid = actor.numbers[0];
    dump->session = actor.numbers[1];
    dump->tid = actor.numbers[2];
    dump->issuer = issuer.raw;
    dump->issuer_length = issuer.raw_length;
    dump->issuer_pid = issuer.numbers[0];
    dump->object = object.raw;
    dump->object_length = object.raw_length;
    dump->error = failure.raw;
    dump->error_length = failure.raw_length;
    return true;
}

static void append_detail(enum trace_kind kind, const struct importer *importer,
                          const struct dump_event *dump, struct text *out) {
    if (importer != NULL && importer->dump != NULL) {
        importer->dump(dump, out);
    } else {
        /* For importers without a function dump(). Durations are written as strace does. */
        text_append_escaped(out, dump->actor, dump->actor_length);
        text_append_char(out, ' ');
        text_append_escaped(out, dump->operation, dump->operation_length);
        text_append_char(out, ' ');
        text_append_escaped(out, dump->object, dump->object_length);
        if (dump->event.size != EVENT_NONE) {
            text_append_format(out, " %lld bytes", (long long)dump->event.size);
        }
        if (dump->error_length > 0) {
            text_append_char(out, ' ');
            text_append_escaped(out, dump->error, dump->error_length);
        }
        if (kind == TRACE_CALLS && dump->event.duration != EVENT_NONE) {
            text_append_string(out, " <");
            text_append_seconds(out, dump->event.duration);
            text_append_char(out, '>');
        }
    }
}

static bool dump_flush(struct text *out, size_t limit, FILE *file, struct error *error) {
    if (out->length > limit) {
        if (fwrite(out->bytes, 1, out->length, file) != out->length) {
            return error_set(error, "cannot write the output: %s", strerror(errno));
        }
        text_clear(out);
    }
    return true;
}

struct dump_run {
    struct workspace *workspace;
    struct temp_schema temp;
    const struct report_request *request;
    struct report_request expanded;     /* the request, with expanded names in its filter */
    struct abbreviations abbreviations; /* expanded names of the filter */
    struct printer *printer;            /* for rows with columns; NULL: writes plain lines */
    FILE *file;
    struct text out;
    size_t traces_done;
    int64_t last_time; /* time of the trace's previous line; EVENT_NONE: this is the first */
    bool has_lines;    /* true: the trace has a line */
    void *state;       /* returned by the importer's begin_dump() for this trace */
};

static void dump_append_header(struct dump_run *run, const struct catalog_trace *trace) {
    const struct result_trace ledger = result_trace_of(trace);

    if (run->traces_done++ > 0) {
        text_append_string(&run->out, "\n\n");
    }
    text_append_string(&run->out, "# ");
    printer_append_trace_counts(&run->out, &ledger);
    text_append_char(&run->out, '\n');
    for (size_t i = 0; i < run->abbreviations.notes.count; i++) {
        const char *line = run->abbreviations.notes.lines[i];

        text_append_string(&run->out, "# ");
        text_append_escaped(&run->out, line, strlen(line));
        text_append_char(&run->out, '\n');
    }
}

/* Returns the time since the previous line; EVENT_NONE if either time is unknown. */
static int64_t take_delta(struct dump_run *run, int64_t time) {
    int64_t delta =
        time == EVENT_NONE || run->last_time == EVENT_NONE ? EVENT_NONE : time - run->last_time;

    run->last_time = time == EVENT_NONE ? run->last_time : time;
    return delta;
}

/* Appends a time in seconds or, if the trace's times are in units of a counter, as an integer. */
static void dump_append_time(struct text *out, const struct catalog_trace *trace, int64_t time) {
    if (time == EVENT_NONE) {
        text_append_char(out, '-');
        return;
    }
    if (!catalog_has_real_clock(trace)) {
        text_append_integer(out, time);
        return;
    }
    if (trace->clock_hz != EVENT_NONE) {
        __int128 units = ((__int128)time * trace->clock_hz + 500000000) / 1000000000;

        text_append_integer(out, (int64_t)units);
        text_append_char(out, ' ');
    }
    text_append_seconds(out, time);
}

/* Appends the beginning of a line: its time and, with --delta, the time since the previous line. */
static void append_times(struct dump_run *run, const struct catalog_trace *trace, int64_t time) {
    run->has_lines = true;
    dump_append_time(&run->out, trace, time);
    if (run->request != NULL && run->request->delta) {
        int64_t delta = take_delta(run, time);

        text_append_string(&run->out, delta == EVENT_NONE ? " " : " +");
        dump_append_time(&run->out, trace, delta);
    }
    text_append_char(&run->out, ' ');
}

static bool dump_write_line(struct dump_run *run, const struct catalog_trace *trace,
                            const struct importer *importer, const struct dump_event *dump,
                            struct error *error) {
    append_times(run, trace, dump->event.time);
    append_detail(trace->kind, importer, dump, &run->out);
    text_append_char(&run->out, '\n');
    return dump_flush(&run->out, FLUSH_SIZE, run->file, error);
}

static struct value dump_text_value(const char *bytes, size_t length) {
    return (struct value){
        .type = length == 0 ? VALUE_NULL : VALUE_TEXT,
        .bytes = bytes,
        .length = length,
    };
}

static struct value number_value(int64_t number) {
    return (struct value){
        .type = number == EVENT_NONE ? VALUE_NULL : VALUE_INTEGER,
        .integer = number,
    };
}

static bool dump_print_row(struct dump_run *run, const struct catalog_trace *trace,
                           const struct importer *importer, const struct dump_event *dump,
                           struct error *error) {
    struct value values[DUMP_COLUMNS] = {
        number_value(dump->event.time),
        dump_text_value(dump->operation, dump->operation_length),
        dump_text_value(dump->actor, dump->actor_length),
        dump_text_value(dump->object, dump->object_length),
        number_value(dump->event.size),
    };
    char thread[32];

    if (trace->kind == TRACE_CALLS && dump->actor_length == 0 && dump->tid != EVENT_NONE) {
        snprintf(thread, sizeof thread, "%lld", (long long)dump->tid); /* the thread has no name */
        values[DUMP_ACTOR] = dump_text_value(thread, strlen(thread));
    }
    text_clear(&run->out);
    append_detail(trace->kind, importer, dump, &run->out);
    values[DUMP_DETAIL] = dump_text_value(text_string(&run->out), run->out.length);
    values[DUMP_DETAIL + 1] = number_value(take_delta(run, dump->event.time));
    return printer_row(run->printer, values, error);
}

/* --- spans: lines from dump_spans.c ----------------------------------------------------------- */

/* State for writing the lines of a trace of kind spans. */
struct span_lines {
    struct dump_run *run;
    const struct catalog_trace *trace;
    struct dump_lines lines;
    int64_t count; /* number of lines written; or, when the size is measured, of bytes */
};

/* Appends a line; returns its length in bytes. */
static size_t append_span_line(struct span_lines *spans, const struct dump_line *line) {
    struct text *out = &spans->run->out;
    size_t before = out->length;

    append_times(spans->run, spans->trace, line->time);
    text_append(out, line->thread->bytes, line->thread->length);
    text_append_char(out, ' ');
    text_append(out, line->detail->bytes, line->detail->length);
    text_append_char(out, '\n');
    return out->length - before;
}

static bool write_span_line(struct span_lines *spans, const struct dump_line *line,
                            struct error *error) {
    append_span_line(spans, line);
    return dump_flush(&spans->run->out, FLUSH_SIZE, spans->run->file, error);
}

static bool print_span_line(struct span_lines *spans, const struct dump_line *line,
                            struct error *error) {
    struct value values[DUMP_COLUMNS] = {
        number_value(line->time),
        dump_text_value(line->name->raw, line->name->raw_length),
        dump_text_value(line->thread->raw, line->thread->raw_length),
        {.type = VALUE_NULL},
        number_value(line->size),
        dump_text_value(text_string(line->detail), line->detail->length),
        number_value(take_delta(spans->run, line->time)),
    };

    return printer_row(spans->run->printer, values, error);
}

static bool add_span_line(void *context, const struct dump_line *line, struct error *error) {
    struct span_lines *spans = context;
    int64_t top = spans->run->request->top;

    if (top > 0 && spans->count == top) {
        spans->lines.enough = true;
        return false;
    }
    spans->count++;
    return spans->run->printer == NULL ? write_span_line(spans, line, error)
                                       : print_span_line(spans, line, error);
}

static bool dump_span_rows(struct dump_run *run, const struct selection *selection,
                           struct error *error) {
    struct span_lines spans = {.run = run, .trace = selection->traces[0].trace};

    spans.lines = (struct dump_lines){
        .config = run->workspace->config,
        .state = run->state,
        .context = &spans,
        .write = add_span_line,
    };
    return dump_spans(selection, run->request->top, &spans.lines, error);
}

static bool begin_result(struct dump_run *run, const struct catalog_trace *trace,
                         const struct result_trace *ledger, struct result *result,
                         struct error *error) {
    *result = (struct result){
        .report = "dump",
        .title = "Events",
        .clock_unit = trace->clock_unit,
        .traces = ledger,
        .trace_count = 1,
        .remarks = (const char *const *)run->abbreviations.notes.lines,
        .remark_count = run->abbreviations.notes.count,
        .columns = catalog_has_real_clock(trace) ? dump_columns : dump_columns_of_units,
        .column_count = DUMP_COLUMNS - !run->request->delta,
    };
    return printer_begin(run->printer, result, error);
}

/* --- writing the events of traces ------------------------------------------------------------- */

/* State for writing the events of a trace of another kind than spans. */
struct event_lines {
    struct dump_run *run;
    const struct catalog_trace *trace;
    const struct importer *importer;
    struct dump_names names;
    struct dump_arguments arguments;
    int64_t count; /* number of events written */
    bool enough;
};

static bool dump_write_events(void *context, const struct event_columns *columns, size_t count,
                              struct error *error) {
    struct event_lines *lines = context;
    struct dump_run *run = lines->run;
    int64_t top = run->request->top;

    for (size_t i = 0; i < count; i++) {
        struct dump_event dump = {
            .event = EVENT_EMPTY,
            .config = run->workspace->config,
            .state = run->state,
            .in_units = !catalog_has_real_clock(lines->trace),
        };

        if (top > 0 && lines->count++ == top) {
            lines->enough = true;
            return false;
        }
        event_columns_copy_event(columns, i, &dump.event);
        if (!dump_arguments_read(&lines->arguments, columns->id[i], &dump.event, error)) {
            return false;
        }
        dump.arguments_size = dump.event.arguments_size;
        if (!dump_read_names(&lines->names, &dump, error) ||
            !(run->printer == NULL
                  ? dump_write_line(run, lines->trace, lines->importer, &dump, error)
                  : dump_print_row(run, lines->trace, lines->importer, &dump, error))) {
            return false;
        }
    }
    return true;
}

/* Returns the importer of a format and kind. If the configuration no longer declares the format,
 * returns an importer whose dump() shows its events in the same way. NULL if there is none. */
static const struct importer *importer_of_trace(const struct config *config, const char *format,
                                                enum trace_kind kind) {
    const struct importer *importer = importer_find(config, format);

    return importer == NULL && (importer_undeclared.kinds >> kind & 1) != 0 ? &importer_undeclared
                                                                            : importer;
}

static bool dump_rows(struct dump_run *run, const struct selection *selection,
                      struct error *error) {
    const struct selected_trace *selected = &selection->traces[0];
    struct event_lines lines = {
        .run = run,
        .trace = selected->trace,
        .importer = importer_of_trace(run->workspace->config, selected->trace->format,
                                      selected->trace->kind),
    };
    struct event_scan scan;
    bool done;

    event_scan_init(&scan, selection, selected);
    scan.fields = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |
                  EVENT_ADDRESS | EVENT_SIZE | EVENT_VALUE | EVENT_ISSUER | EVENT_ERROR;
    scan.visit = dump_write_events;
    done = open_names(&lines.names, run->workspace->database, lines.trace, error) &&
           dump_arguments_open(&lines.arguments, selection, error) &&
           (event_scan_in_order(&scan, &lines, error) || lines.enough);
    name_cache_close(&lines.names.operations);
    name_cache_close(&lines.names.actors);
    name_cache_close(&lines.names.issuers);
    name_cache_close(&lines.names.objects);
    name_cache_close(&lines.names.errors);
    sqlite3_finalize(lines.arguments.rows);
    return done;
}

/* Appends a `#` line if no event passes the filters. */
static bool dump_note_no_events(struct dump_run *run, const struct selection *selection,
                                struct error *error) {
    struct notes notes = {0};
    bool done = run->has_lines || !filter_can_exclude(&selection->filter) ||
                match_note_no_events(run->workspace->database, &selection->filter, &notes, error);

    for (size_t i = 0; i < notes.count; i++) {
        text_append_format(&run->out, "# %s\n", notes.lines[i]);
    }
    notes_free(&notes);
    return done;
}

static bool dump_selection(struct dump_run *run, const struct selection *selection,
                           struct error *error) {
    const struct catalog_trace *trace = selection->traces[0].trace;
    struct result_trace ledger = result_trace_of(trace);
    bool (*rows)(struct dump_run *, const struct selection *, struct error *) =
        trace->kind == TRACE_SPANS ? dump_span_rows : dump_rows;
    struct result result;

    if (run->printer == NULL) {
        dump_append_header(run, trace);
        return rows(run, selection, error) && dump_note_no_events(run, selection, error) &&
               dump_flush(&run->out, 0, run->file, error);
    }
    return begin_result(run, trace, &ledger, &result, error) && rows(run, selection, error) &&
           printer_end(run->printer, error);
}

/* Writes the events of a trace. Its importer makes `run->state` before, and frees it afterwards. */
static bool dump_with_state(struct dump_run *run, const struct selection *selection,
                            struct error *error) {
    const struct importer *importer =
        importer_of_trace(run->workspace->config, selection->traces[0].trace->format,
                          selection->traces[0].trace->kind);
    bool stateful = importer != NULL && importer->begin_dump != NULL, done;

    run->last_time = EVENT_NONE;
    run->has_lines = false;
    run->state = NULL;
    done = (!stateful || importer->begin_dump(run->workspace->config, &run->state, error)) &&
           dump_selection(run, selection, error);
    if (stateful) {
        importer->end_dump(run->state);
    }
    return done;
}

static bool dump_trace(struct dump_run *run, const struct catalog_trace *trace,
                       struct error *error) {
    const struct selection_request request = {
        .traces = &trace,
        .count = 1,
        .filter = run->request->filter,
        .all_actions = true,
    };
    struct selection selection = {0};
    bool done = request_check_filter(run->request, trace, error) &&
                workspace_select(&run->temp, &request, &selection, error) &&
                dump_with_state(run, &selection, error);

    selection_close(&selection);
    return done;
}

/* Adds the length of a line to the count, without writing it. */
static bool count_span_line(void *context, const struct dump_line *line, struct error *error) {
    struct span_lines *spans = context;

    text_clear(&spans->run->out);
    spans->count += (int64_t)append_span_line(spans, line);
    return true;
}

bool dump_text_size(struct workspace *workspace, const struct catalog_trace *trace, int64_t *size,
                    struct error *error) {
    const struct selection_request request = {.traces = &trace, .count = 1, .leave_open = true};
    struct dump_run run = {.workspace = workspace, .temp.database = workspace->database};
    struct span_lines spans = {.run = &run, .trace = trace};
    struct selection selection = {0};
    bool done;

    spans.lines = (struct dump_lines){
        .config = workspace->config,
        .context = &spans,
        .write = count_span_line,
    };
    done = workspace_select(&run.temp, &request, &selection, error) &&
           dump_spans(&selection, DUMP_MEASURED_ROWS, &spans.lines, error);
    *size = spans.count;
    selection_close(&selection);
    temp_schema_free(&run.temp);
    text_free(&run.out);
    return done;
}

/* Sets `traces`, which has room for all traces, to the requested ones; by default, all. */
static bool dump_choose_traces(const struct dump_run *run, const struct catalog *catalog,
                               const struct catalog_trace **traces, size_t *count,
                               struct error *error) {
    const struct report_request fitting = request_fitting(run->request, catalog);

    *count = 0;
    if (!request_check_labels(run->request, catalog, error)) {
        return false;
    }
    for (size_t i = 0; run->request->trace_count == 0 && i < catalog->count; i++) {
        if (request_includes(&fitting, &catalog->traces[i])) {
            traces[(*count)++] = &catalog->traces[i];
        }
    }
    return (run->request->trace_count <= 0 ||
            catalog_choose_all(catalog, run->request->traces, run->request->trace_count, traces,
                               count, error)) &&
           (*count > 0 || error_set(error, "the database holds no traces"));
}

static bool dump_traces(struct dump_run *run, const struct catalog *catalog, struct error *error) {
    const struct catalog_trace **traces = xcalloc(catalog->count + run->request->trace_count + 1,
                                                  sizeof(const struct catalog_trace *));
    size_t count;
    struct database *database = run->workspace->database;
    bool done = dump_choose_traces(run, catalog, traces, &count, error) &&
                abbreviations_make(&run->abbreviations, database, traces, count,
                                   &run->request->filter, error) &&
                match_check_names_exist(database, traces, count, &run->abbreviations.filter, error);

    run->expanded = *run->request;
    run->expanded.filter = run->abbreviations.filter;
    run->request = &run->expanded;
    for (size_t i = 0; done && i < count; i++) {
        done = dump_trace(run, traces[i], error);
    }
    abbreviations_free(&run->abbreviations);
    free(traces);
    return done;
}

bool dump_run(struct workspace *workspace, const struct report_request *request,
              const struct printer_style *style, FILE *file,
              const struct printer_options *printer_options, struct error *error) {
    struct dump_run run = {.workspace = workspace,
                           .request = request,
                           .file = file,
                           .temp.database = workspace->database};
    struct printer_options options = *printer_options;
    bool done;

    if (!workspace_begin(workspace, error)) {
        return false;
    }
    options.many =
        request->trace_count > 1 || (request->trace_count == 0 && workspace->catalog.count > 1);
    if (style != NULL) {
        run.printer = printer_open(style, file, &options);
    }
    done = dump_traces(&run, &workspace->catalog, error);
    if (run.printer != NULL) {
        done = printer_close(run.printer, done, error);
    }
    temp_schema_free(&run.temp);
    workspace_end(workspace);
    text_free(&run.out);
    return done;
}

/* tracetool overview, and tracetool LOG: a summary of a trace, with commands to try next. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "cli/logs.h"
#include "cli/report_load.h"
#include "model/meaning.h"
#include "output/layout.h"
#include "report/choose.h"
#include "report/findings.h"
#include "report/print.h"

/* By kind of trace: reports to suggest after the overview, if they suit the trace. */
static const char *const next_reports[TRACE_KINDS] = {
    [TRACE_CALLS] = "syscalls errors waits files",
    [TRACE_IO] = "latency rw popularity iosize",
    [TRACE_SPANS] = "functions calltree blocked",
    [TRACE_SAMPLES] = "load usage",
    [TRACE_RESULTS] = "results",
    [TRACE_STATES] = "threads wakeups cpu",
};

/* By kind of trace: the figures that are printed if there are several traces. Names that begin with
 * l or I are complete; others are ends of names, such as `time in calls`. NULL: the first ones. */
static const char *const first_figures[TRACE_KINDS] = {
    [TRACE_CALLS] = "|calls|time in calls|longest call|failed calls|bytes written|bytes read|",
    [TRACE_IO] = "|I/Os|latency, p99|",
    [TRACE_SPANS] = "|calls|time in calls|longest call|",
    [TRACE_STATES] = "|processors|time waiting for one|longest wait for one|switches|",
};

/* --- findings in the overview ----------------------------------------------------------------- */

enum {
    MOST_FINDINGS = 7,
    MOST_NEXT = 3,  /* limit of suggested reports per kind of trace */
    MOST_QUIET = 3, /* limit of rules (of findings) that are named although they do not apply */
    INDENT = 5,     /* indentation of continuation lines of a sentence */
    SCREEN_WIDTH = 80,
    MOST_LINES = 40, /* limit of lines of the overview, unless -l is given */
    MOST_TRACES = 4, /* limit of traces whose figures (number of calls etc.) are printed */
};

/* The result of a rule (findings.h) for a trace. */
struct overview_finding {
    char *trace, *name, *sentence, *command; /* owned */
    char *typed;                             /* owned; identifies the trace on a command line */
    /* The whole of which `weight` is a fraction: the trace's time, bytes or calls. */
    enum { OF_TIME, OF_BYTES, OF_CALLS } unit;
    double weight;
    /* FIRED: the rule applies; QUIET: it does not; SKIPPED: checking it would take too long. */
    enum { FIRED, QUIET, SKIPPED } state;
};

struct overview_findings {
    struct overview_finding *list; /* owned */
    size_t count, capacity;
    struct finding_words words; /* borrowed */
};

static int compare_findings(const void *left, const void *right) {
    const struct overview_finding *a = left, *b = right;

    if (a->state != b->state) {
        return ORDER(a->state, b->state);
    }
    if (a->state == FIRED && a->unit != b->unit) {
        return ORDER(a->unit, b->unit);
    }
    if (a->state == FIRED && (a->weight < b->weight || a->weight > b->weight)) {
        return ORDER(b->weight, a->weight);
    }
    return strcmp(a->name, b->name);
}

static char *command_overview_copy_string(const struct value *value) {
    return value->type == VALUE_TEXT ? xstrndup(value->bytes, value->length) : xstrdup("");
}

/* Adds a finding from a row of report findings --all. */
static void add_finding(struct overview_findings *findings, const struct result *result,
                        const struct value *values, const struct catalog_trace *trace) {
    const struct value *unit = &values[FINDING_UNIT];
    struct overview_finding finding;

    /* Skips rows of a user's query that replaces report findings but lacks these columns. Also
     * skips rules that the log cannot answer: they have no sentence, unlike rules whose check would
     * take too long. */
    if (result->column_count <= FINDING_FIRED ||
        (values[FINDING_FIRED].type == VALUE_NULL && values[FINDING_SENTENCE].length == 0)) {
        return;
    }
    finding = (struct overview_finding){
        .trace = xstrdup(trace->name),
        .typed = xstrdup(strcmp(trace->name, trace->own_name) == 0 ? trace->name : trace->hash),
        .name = command_overview_copy_string(&values[FINDING_NAME]),
        .sentence = command_overview_copy_string(&values[FINDING_SENTENCE]),
        .command = command_overview_copy_string(&values[FINDING_COMMAND]),
        .unit = unit->length == 0       ? OF_CALLS
                : unit->bytes[0] == 't' ? OF_TIME
                : unit->bytes[0] == 'b' ? OF_BYTES
                                        : OF_CALLS,
        .weight = values[FINDING_WEIGHT].real,
        .state = values[FINDING_FIRED].type == VALUE_NULL ? SKIPPED
                 : values[FINDING_FIRED].integer != 0     ? FIRED
                                                          : QUIET,
    };
    *ARRAY_NEW(findings->list, findings->count, findings->capacity) = finding;
}

static bool read_findings(struct report_load *loaded, struct overview_findings *findings,
                          struct error *error) {
    struct report_request request = loaded->request;
    const struct result *result;
    const struct value *values;
    struct report *report;
    bool done;

    request.report = "findings";
    request.all = true;
    report = report_open(&loaded->workspace, &request, error);
    done = report != NULL;
    findings->words.found = done ? report_choice_count(report) : 0;
    while (done && (done = report_next(report, &result, error)) && result != NULL) {
        while ((done = report_next_row(report, &values, error)) && values != NULL) {
            add_finding(findings, result, values, report_selection(report)->traces[0].trace);
        }
        if (!done) {
            break;
        }
    }
    report_close(report);
    sort_items(findings->list, findings->count, sizeof *findings->list, compare_findings);
    return done;
}

static void free_findings(struct overview_findings *findings) {
    for (size_t i = 0; i < findings->count; i++) {
        free(findings->list[i].trace);
        free(findings->list[i].typed);
        free(findings->list[i].name);
        free(findings->list[i].sentence);
        free(findings->list[i].command);
    }
    free(findings->list);
}

static void append_finding(struct text *out, const struct overview_findings *findings,
                           size_t number, size_t columns, bool is_markdown) {
    const struct overview_finding *finding = &findings->list[number - 1];
    struct text sentence = {0}, plain = {0}, command = {0};

    if (findings->words.found > 1) {
        text_append_escaped(&sentence, finding->trace, strlen(finding->trace));
        text_append_string(&sentence, ": ");
    }
    text_append_escaped(&sentence, finding->sentence, strlen(finding->sentence));
    text_append_escaped(&plain, finding->command, strlen(finding->command));
    findings_append_command(&command, text_string(&plain), plain.length, &findings->words,
                            finding->typed);
    text_append_format(out, is_markdown ? "%zu. " : "  %zu. ", number);
    if (is_markdown) {
        text_append_format(out, "%s\n\n       %s\n\n", text_string(&sentence),
                           text_string(&command));
    } else {
        layout_wrap(out, text_string(&sentence), columns - INDENT, "/", "     ");
        text_append_format(out, "\n     %s\n", text_string(&command));
    }
    text_free(&sentence);
    text_free(&plain);
    text_free(&command);
}

/* Appends a line on rules (of findings), and a command that prints more, wrapped to `columns`. */
static void append_rules(struct text *out, const char *line, const char *command, size_t columns,
                         bool is_markdown, const char *typed) {
    if (is_markdown) {
        text_append_format(out, "%s\n\n    %s%s\n", line, command, typed);
    } else {
        layout_wrap(out, line, columns - 2, "", "  ");
        text_append_format(out, "\n  %s%s\n", command, typed);
    }
}

/* Appends the names of the rules (of findings) in a state, each once. Equal names are adjacent. */
static void append_rest(struct text *out, const struct overview_findings *findings, int state,
                        size_t columns, bool is_markdown, const char *typed) {
    struct text names = {0}, line = {0};
    const char *name = "", *command = "tracetool report findings --all";
    size_t count = 0;

    for (size_t i = 0; i < findings->count; i++) {
        const struct overview_finding *finding = &findings->list[i];

        if ((int)finding->state != state || strcmp(finding->name, name) == 0) {
            continue;
        }
        name = finding->name;
        command = state == SKIPPED && count == 0 ? finding->command : command;
        if (count++ < MOST_QUIET || state == SKIPPED) {
            text_append_item(&names, name);
        }
    }
    if (count > 0) {
        if (state == SKIPPED) {
            text_append_format(&line, "Not checked: %s", text_string(&names));
        } else {
            text_append_format(&line, "Nothing unusual by %zu rule%s: %s%s", count,
                               count == 1 ? "" : "s", text_string(&names),
                               count > MOST_QUIET ? ", …" : "");
        }
        append_rules(out, text_string(&line), command, columns, is_markdown, typed);
    }
    text_free(&names);
    text_free(&line);
}

/* Returns the number of lines of a text if wrapped at `columns` columns; SIZE_MAX: not wrapped. */
static size_t count_lines(const struct text *text, size_t columns) {
    size_t lines = 0, width = 0;

    for (size_t i = 0; i < text->length; i++) {
        const char c = text->bytes[i];

        lines += c == '\n' ? width > 0 ? (width - 1) / columns + 1 : 1 : 0;
        width = c == '\n' ? 0 : width + ((c & 0xc0) != 0x80);
    }
    return lines;
}

/* Appends as many findings as fit into `lines` lines, but at least one. Returns their number. */
static size_t append_findings(struct text *out, const struct overview_findings *findings,
                              size_t fired, size_t lines, size_t columns, bool is_markdown) {
    size_t shown = 0;

    for (; shown < fired && shown < MOST_FINDINGS; shown++) {
        const size_t before = out->length;

        append_finding(out, findings, shown + 1, columns, is_markdown);
        if (shown > 0 && count_lines(out, columns) > lines) {
            out->length = before;
            out->bytes[before] = '\0';
            break;
        }
    }
    return shown;
}

/* Prints the findings in at most `lines` lines. `words`: what follows commands. */
static bool print_findings(struct session *session, struct report_load *loaded, size_t lines,
                           bool is_markdown, const struct finding_words *words,
                           struct error *error) {
    struct overview_findings findings = {.words = *words};
    const char *typed = words->options;
    bool done = read_findings(loaded, &findings, error);
    struct text out = {0}, last = {0};
    const int width = session_printer_options(session).width;
    const size_t columns = width >= SCREEN_WIDTH / 2 ? (size_t)width : SCREEN_WIDTH;
    size_t fired = 0, shown, rest;

    while (fired < findings.count && findings.list[fired].state == FIRED) {
        fired++;
    }
    if (done && findings.count > 0) {
        append_rest(&last, &findings, QUIET, columns, is_markdown, typed);
        append_rest(&last, &findings, SKIPPED, columns, is_markdown, typed);
        text_append_string(&out, "\nWhat stands out:\n");
        text_append_string(&out, is_markdown ? "\n" : "");
        rest = count_lines(&last, columns) + (fired > 1);
        shown = append_findings(&out, &findings, fired, lines > rest ? lines - rest : 0, columns,
                                is_markdown);
        if (fired > shown) {
            text_append_format(&out, "%zu more\n", fired - shown);
        }
        text_append(&out, text_string(&last), last.length);
        fwrite(text_string(&out), 1, out.length, session->output);
    }
    text_free(&last);
    free_findings(&findings);
    text_free(&out);
    return done;
}

/* --- commands to try next --------------------------------------------------------------------- */

/* Appends the options that select the database, or the log and how it is read. */
static void command_overview_append_source(const struct session *session, struct text *out) {
    static const enum option_id log_options[] = {OPTION_INPUT_FORMAT, OPTION_START,
                                                 OPTION_UTC_OFFSET, OPTION_SYMBOLS};
    const struct arguments *arguments = session->arguments;

    if (logs_as_typed(session) != NULL) {
        text_append_format(out, " %s", logs_as_typed(session));
        for (size_t i = 0; i < sizeof log_options / sizeof log_options[0]; i++) {
            const enum option_id id = log_options[i];

            if (arguments->given[id]) {
                text_append_format(out, " --%s ", option_row(id)->name);
                text_append_word(out, arguments->values[id]);
            }
        }
        text_append_string(out, arguments->given[OPTION_JOIN] ? " --join" : "");
        for (size_t i = 0; i < arguments->lists[OPTION_IMAGE].count; i++) {
            text_append_string(out, " --image ");
            text_append_word(out, arguments->lists[OPTION_IMAGE].values[i]);
        }
    } else if (arguments->given[OPTION_DB]) {
        text_append_string(out, " -d ");
        text_append_word(out, session->database_path);
    }
}

/* Appends an option that may be repeated, once for each value. */
static void append_list(const struct arguments *arguments, enum option_id id, struct text *out) {
    for (size_t i = 0; i < arguments->lists[id].count; i++) {
        text_append_format(out, id == OPTION_TRACE ? " -t " : " --%s ", option_row(id)->name);
        text_append_word(out, arguments->lists[id].values[i]);
    }
}

/* Appends the options that select traces. */
static void append_selection(const struct arguments *arguments, struct text *out) {
    if (arguments->given[OPTION_STUDY]) {
        text_append_string(out, " --study ");
        text_append_word(out, arguments->values[OPTION_STUDY]);
    }
    append_list(arguments, OPTION_TRACE, out);
    append_list(arguments, OPTION_USER, out);
    append_list(arguments, OPTION_NOT_USER, out);
}

/* Appends the line "`before` COMMAND TYPED AFTER", a command to try; if `before` is NULL, appends
 * the command as a JSON string. */
static void append_command(struct text *out, const char *before, const char *command,
                           const char *typed, const char *after) {
    struct text line = {0};

    text_append_format(&line, "%s%s%s", command, typed, after);
    if (before != NULL) {
        text_append_format(out, "%s%s\n", before, text_string(&line));
    } else {
        text_append_string(out, memchr("[:", out->bytes[out->length - 1], 2) ? "" : ",\n");
        json_append_string(out, text_string(&line), line.length);
    }
    text_free(&line);
}

/* Appends commands for reports that suit the traces of a kind. */
static void append_reports(struct text *out, const char *before, const struct report_load *loaded,
                           const struct catalog_trace *trace, int most, const char *typed) {
    const char *names =
        catalog_meaning(trace, "value", "counter") != NULL ? "counters" : next_reports[trace->kind];
    char command[64] = "tracetool report ", *name = command + strlen(command);

    for (int length; most > 0 && sscanf(names, "%31s%n", name, &length) == 1; names += length) {
        const bool has_rows =
            strcmp(name, "latency") != 0 || (trace->unknown & FACT(LATENCIES)) == 0;

        if (has_rows && report_suits_trace(&loaded->queries, name, trace)) {
            append_command(out, before, command, typed, "");
            most--;
        }
    }
}

static void append_last(struct text *out, const char *before, const char *typed) {
    append_command(out, before, "tracetool page", typed, " -o page.html");
    append_command(out, before, "tracetool help tasks", "", "");
}

/* Appends the options that select the traces of a kind, which the command selects among others. */
static void append_kind(const struct session *session, const struct report_load *loaded,
                        enum trace_kind kind, const struct finding_words *words, struct text *out) {
    const struct catalog *catalog = &loaded->workspace.catalog;
    const struct option_list *names = &session->arguments->lists[OPTION_TRACE];
    const struct catalog_trace **named = xcalloc(catalog->count + 1, sizeof(const void *));
    struct error ignored = {0};

    text_append_string(out, names->count == 0 ? words->options : words->of_any);
    for (size_t i = 0; i < names->count; i++) {
        const size_t count =
            catalog_choose_all_of_kinds(catalog, names->values[i], 1U << kind, named, &ignored);

        if (count > 0 && named[0]->kind == kind) {
            text_append_string(out, " -t ");
            text_append_word(out, names->values[i]);
        }
    }
    free(named);
}

/* Appends commands for reports that suit the traces. `is_brief`: with several kinds of traces, only
 * one report per kind. */
static void append_next(struct text *out, const struct session *session,
                        const struct report_load *loaded, bool is_brief,
                        const struct finding_words *words, bool is_markdown) {
    const struct catalog *catalog = &loaded->workspace.catalog;
    const struct catalog_trace **chosen = xcalloc(catalog->count + 1, sizeof(const void *));
    const char *before = is_markdown ? "    " : "  ";
    struct error ignored = {0};
    size_t count = 0;
    unsigned told = 0, kinds = 0;
    int most;

    if (loaded->request.trace_count > 0) {
        request_add_traces(&loaded->request, catalog, chosen, &count, &ignored);
    }
    for (size_t i = 0; loaded->request.trace_count == 0 && i < catalog->count; i++) {
        if (request_includes(&loaded->request, &catalog->traces[i])) {
            chosen[count++] = &catalog->traces[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        kinds |= 1U << chosen[i]->kind;
    }
    most = is_brief && (kinds & (kinds - 1)) != 0 ? 1 : MOST_NEXT;
    text_append_string(out, is_markdown ? "\nNext:\n\n" : "\nNext:\n");
    for (size_t i = 0; i < count; i++) {
        struct text typed = {0};

        append_kind(session, loaded, chosen[i]->kind, words, &typed);
        if ((told >> chosen[i]->kind & 1) == 0) {
            append_reports(out, before, loaded, chosen[i], most, text_string(&typed));
        }
        told |= 1U << chosen[i]->kind;
        text_free(&typed);
    }
    append_last(out, before, words->options);
    free(chosen);
}

/* --- figures of traces ------------------------------------------------------------------------ */

/* What was omitted since it did not fit on the screen. */
struct overview_left {
    size_t figures, remarks, traces;
};

/* Returns whether a figure is among those printed for several traces. */
static bool is_first_figure(enum trace_kind kind, const struct value *figure) {
    const char *at = first_figures[kind];
    bool is = at == NULL;

    while (!is && *++at != '\0') {
        const size_t length = strcspn(at, "|");

        is = figure->length >= length &&
             memcmp(figure->bytes + figure->length - length, at, length) == 0 &&
             (figure->length == length || strchr("lI", *at) != NULL);
        at += length;
    }
    return is;
}

/* Prints at most `most` figures of a trace. */
static bool print_figures(struct report *report, struct printer *printer,
                          const struct result *result, bool is_one, size_t most,
                          struct overview_left *left, struct error *error) {
    const enum trace_kind kind = report_selection(report)->traces[0].trace->kind;
    const struct value *values;
    struct result brief = *result;
    size_t shown = 0;
    bool done;

    if (!is_one) {
        for (size_t i = brief.headline_count; i < brief.remark_count; i++) {
            left->remarks +=
                result->remark_classes == NULL || result->remark_classes[i] != REMARK_DEFINITION;
        }
        brief.remark_count = brief.headline_count;
    }
    done = printer_begin(printer, &brief, error);
    while (done && (done = report_next_row(report, &values, error)) && values != NULL) {
        if (shown < most && (is_one || is_first_figure(kind, &values[0]))) {
            shown++;
            done = printer_row(printer, values, error);
        } else {
            left->figures++;
        }
    }
    return done && printer_end(printer, error);
}

/* Returns how many figures do not fit, since `#` lines on the trace take their room. */
static size_t count_crowded_out(const struct result *result, int columns) {
    enum { FREE_LINES = 4 };
    size_t lines = 0;

    for (size_t i = 0; i < result->remark_count; i++) {
        const size_t width = strlen(result->remarks[i]);

        if (result->remark_classes == NULL || result->remark_classes[i] != REMARK_DEFINITION) {
            lines += columns > INDENT ? width / (size_t)(columns - INDENT) + 1 : 1;
        }
    }
    return lines > FREE_LINES ? lines - FREE_LINES : 0;
}

/* Prints as many figures of the traces as fit on a screen with `columns` columns (0: not a
 * terminal). */
static bool print_brief(struct report *report, struct printer *printer, int columns,
                        struct overview_left *left, struct error *error) {
    const size_t count = report_choice_count(report);
    const size_t tables = count < MOST_TRACES ? count : MOST_TRACES;
    /* by number of traces: limit of figures per trace */
    static const size_t most[MOST_TRACES + 1] = {0, 16, 6, 2, 1};
    const struct result *result;
    size_t figures = most[tables], crowded;
    bool done = true;

    for (size_t i = 0; done && i < tables; i++) {
        done = report_next(report, &result, error);
        if (!done || result == NULL) {
            return done;
        }
        crowded = count == 1 ? count_crowded_out(result, columns) : 0;
        figures = crowded < figures ? figures - crowded : 1;
        done = print_figures(report, printer, result, count == 1, figures, left, error);
    }
    left->traces = count - tables;
    return done;
}

/* Appends what was omitted, and the command that prints everything. */
static void append_left(struct text *out, const struct overview_left *left, const char *typed) {
    const size_t counts[] = {left->figures, left->remarks, left->traces};
    static const char *const names[] = {"figure", "remark", "trace"};
    struct text line = {0};

    for (size_t i = 0; i < 3; i++) {
        if (counts[i] > 0) {
            text_append_format(&line, "%s%zu more %s%s", line.length == 0 ? "" : ", ", counts[i],
                               names[i], counts[i] == 1 ? "" : "s");
        }
    }
    if (line.length > 0) {
        text_append_format(out, "# %s:\n#   tracetool overview%s -l\n", text_string(&line), typed);
    }
    text_free(&line);
}

/* Appends the figures as a table. `typed`: options that select the trace, for commands. */
static bool append_figures(struct session *session, struct report_load *loaded, const char *typed,
                           struct text *out, struct error *error) {
    struct printer_options options = session_printer_options(session);
    struct printer_memory memory = {.text = out};
    struct report_request request = loaded->request;
    struct overview_left left = {0};
    struct report *report;
    struct printer *printer;
    bool done;

    request.alone = true;
    request.people = true;
    options.memory = &memory;
    report = report_open(&loaded->workspace, &request, error);
    done = report != NULL;
    if (done) {
        options.many = report_has_many_results(report);
        printer = printer_open(&printer_style_table, NULL, &options);
        done = printer_close(printer, print_brief(report, printer, options.width, &left, error),
                             error);
    }
    report_close(report);
    append_left(out, &left, typed);
    return done;
}

/* Members of a trace's JSON object besides its figures. */
struct overview_members {
    const struct session *session;
    const struct report_load *loaded;
    struct overview_findings findings;
};

/* Appends the rules (of findings) in a state: as names or, if they have fired, as objects. */
static void append_json_findings(struct text *out, const struct overview_findings *findings,
                                 const char *trace, int state) {
    static const char *const units[] = {"time", "bytes", "calls"};
    const char *comma = "";

    for (size_t i = 0; i < findings->count; i++) {
        const struct overview_finding *finding = &findings->list[i];
        struct text command = {0};

        if (strcmp(finding->trace, trace) != 0 || (int)finding->state != state) {
            continue;
        }
        text_append_format(out, "%s%s", comma, state == FIRED ? "\n{\"name\":" : "");
        json_append_string(out, finding->name, strlen(finding->name));
        if (state == FIRED) {
            text_append_format(out, ",\"weight\":%.6f,\"of\":\"%s\",\"sentence\":", finding->weight,
                               units[finding->unit]);
            json_append_string(out, finding->sentence, strlen(finding->sentence));
            text_append_string(out, ",\"command\":");
            findings_append_command(&command, finding->command, strlen(finding->command),
                                    &findings->words, finding->typed);
            json_append_string(out, text_string(&command), command.length);
            text_append_char(out, '}');
            text_free(&command);
        }
        comma = ",";
    }
}

/* Appends a trace's findings, and commands to try next, to its JSON object. */
static void append_members(struct text *out, const struct result *result, const void *context) {
    const struct overview_members *members = context;
    const struct overview_findings *findings = &members->findings;
    const struct catalog_trace *trace =
        catalog_find(&members->loaded->workspace.catalog, result->traces[0].name);

    text_append_string(out, ",\n\"findings\":[");
    append_json_findings(out, findings, result->traces[0].name, FIRED);
    text_append_string(out, "],\n\"nothing_unusual\":[");
    append_json_findings(out, findings, result->traces[0].name, QUIET);
    text_append_string(out, "],\n\"not_checked\":[");
    append_json_findings(out, findings, result->traces[0].name, SKIPPED);
    text_append_string(out, "],\n\"next\":[");
    if (trace != NULL) {
        struct text typed = {0};

        append_kind(members->session, members->loaded, trace->kind, &findings->words, &typed);
        append_reports(out, NULL, members->loaded, trace, MOST_NEXT, text_string(&typed));
        text_free(&typed);
    }
    append_last(out, NULL, findings->words.options);
    text_append_char(out, ']');
}

/* Prints all figures in the style of --format. `words`: what follows commands. */
static bool print_all_figures(struct session *session, struct report_load *loaded,
                              const struct printer_style *style, const struct finding_words *words,
                              struct error *error) {
    struct printer_options options = session_printer_options(session);
    struct overview_members members = {
        .session = session, .loaded = loaded, .findings = {.words = *words}};
    bool done = true;

    if (style == &printer_style_json) {
        options.members = append_members;
        options.context = &members;
        done = read_findings(loaded, &members.findings, error);
    }
    done = done && print_report(&loaded->workspace, &loaded->request, style, session->output,
                                &options, error);
    free_findings(&members.findings);
    return done;
}

/* Prints figures, findings and commands to try next, for a terminal. */
static bool print_for_people(struct session *session, struct report_load *loaded,
                             const struct printer_style *style, const struct finding_words *words,
                             struct error *error) {
    const bool is_markdown = style == &printer_style_markdown;
    const bool is_brief = !is_markdown && !session->arguments->given[OPTION_LONG];
    struct text figures = {0}, next = {0};
    size_t lines = SIZE_MAX, used;
    bool done;

    done = is_brief ? append_figures(session, loaded, words->options, &figures, error)
                    : print_all_figures(session, loaded, style, words, error);
    if (done) {
        fwrite(text_string(&figures), 1, figures.length, session->output);
        append_next(&next, session, loaded, is_brief, words, is_markdown);
        used = count_lines(&figures, SIZE_MAX) + count_lines(&next, SCREEN_WIDTH);
        lines = is_brief ? MOST_LINES > used ? MOST_LINES - used : 0 : lines;
        done = print_findings(session, loaded, lines, is_markdown, words, error);
    }
    if (done) {
        fwrite(text_string(&next), 1, next.length, session->output);
    }
    text_free(&figures);
    text_free(&next);
    return done;
}

/* Prints the overview in a style. */
static bool print_overview(struct session *session, struct report_load *loaded,
                           const struct printer_style *style, struct error *error) {
    const struct arguments *arguments = session->arguments;
    struct text source = {0}, any = {0}, typed = {0};
    struct finding_words words = {.has_logs = logs_as_typed(session) != NULL,
                                  .traces = arguments->lists[OPTION_TRACE].values,
                                  .trace_count = arguments->lists[OPTION_TRACE].count};
    bool done;

    command_overview_append_source(session, &source);
    text_append(&any, text_string(&source), source.length);
    append_list(arguments, OPTION_EVIDENCE, &any);
    text_append(&typed, text_string(&any), any.length);
    append_selection(arguments, &typed);
    words.of_show = text_string(&source);
    words.of_any = text_string(&any);
    words.options = text_string(&typed);
    done = style == &printer_style_table || style == &printer_style_markdown
               ? print_for_people(session, loaded, style, &words, error)
               : print_all_figures(session, loaded, style, &words, error);
    text_free(&source);
    text_free(&any);
    text_free(&typed);
    return done;
}

bool command_overview(struct session *session, struct error *error) {
    const struct printer_style *style = session->arguments->given[OPTION_FORMAT]
                                            ? session_style(session, error)
                                            : &printer_style_table;
    struct report_load loaded;
    bool done;

    if (style == NULL || !report_load(session, "overview", &loaded, REPORT_BESIDE_OTHERS, error)) {
        return false;
    }
    loaded.request.by_trace = true;
    done = print_overview(session, &loaded, style, error);
    return report_unload(session, &loaded, done, error);
}

/* tracetool overview, and tracetool LOG: a trace at a glance, and commands to try next. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "cli/logs.h"
#include "cli/report_load.h"
#include "output/layout.h"
#include "report/choose.h"
#include "report/findings.h"
#include "report/print.h"

/* Usual reports after the overview, by kind of trace; those that answer are suggested. */
static const char *const next_reports[TRACE_KINDS] = {
    [TRACE_CALLS] = "syscalls errors waits files",
    [TRACE_IO] = "latency rw popularity",
    [TRACE_SPANS] = "functions calltree blocked",
    [TRACE_SAMPLES] = "load usage",
    [TRACE_RESULTS] = "results",
    [TRACE_STATES] = "threads wakeups cpu",
};

/* --- findings --------------------------------------------------------------------------------- */

enum {
    MOST_FINDINGS = 7,
    MOST_NEXT = 3,  /* suggested reports for a kind of trace */
    MOST_QUIET = 3, /* limit of named rules that did not fire */
    LINE_WIDTH = 75,
};

/* A finding in one of the traces. */
struct overview_finding {
    char *name, *sentence, *command;           /* owned */
    enum { OF_TIME, OF_BYTES, OF_CALLS } unit; /* unit of the total that its weight is a share of */
    double weight;
    bool has_fired;
};

struct overview_findings {
    struct overview_finding *list; /* owned */
    size_t count, capacity;
    struct text unseen; /* owned; names of skipped rules */
    char *unseen_by;    /* owned; a command that checks a skipped rule; NULL: none were skipped */
};

static int compare_findings(const void *left, const void *right) {
    const struct overview_finding *a = left, *b = right;

    if (a->has_fired != b->has_fired) {
        return a->has_fired ? -1 : 1;
    }
    if (a->has_fired && a->unit != b->unit) {
        return ORDER(a->unit, b->unit);
    }
    if (a->has_fired && (a->weight < b->weight || a->weight > b->weight)) {
        return ORDER(b->weight, a->weight);
    }
    return strcmp(a->name, b->name);
}

static char *command_overview_copy_string(const struct value *value) {
    return value->type == VALUE_TEXT ? xstrndup(value->bytes, value->length) : xstrdup("");
}

/* Records a skipped rule. A rule that would take too long has a sentence; one that the log cannot
 * answer has none. */
static void add_skipped_rule(struct overview_findings *findings, const struct value *values) {
    const struct value *name = &values[FINDING_NAME];

    if (values[FINDING_SENTENCE].length == 0) {
        return;
    }
    text_append_string(&findings->unseen, findings->unseen.length > 0 ? ", " : "");
    text_append(&findings->unseen, name->bytes, name->length);
    if (findings->unseen_by == NULL) {
        findings->unseen_by = command_overview_copy_string(&values[FINDING_COMMAND]);
    }
}

/* Records a row with the columns of queries/findings.sql --all. */
static void add_finding(struct overview_findings *findings, const struct result *result,
                        const struct value *values) {
    const struct value *unit = &values[FINDING_UNIT];
    struct overview_finding finding;

    if (result->column_count <= FINDING_FIRED) {
        return; /* a user's file replaces the program's */
    }
    if (values[FINDING_FIRED].type == VALUE_NULL) {
        add_skipped_rule(findings, values);
        return;
    }
    finding = (struct overview_finding){
        .name = command_overview_copy_string(&values[FINDING_NAME]),
        .sentence = command_overview_copy_string(&values[FINDING_SENTENCE]),
        .command = command_overview_copy_string(&values[FINDING_COMMAND]),
        .unit = unit->length == 0       ? OF_CALLS
                : unit->bytes[0] == 't' ? OF_TIME
                : unit->bytes[0] == 'b' ? OF_BYTES
                                        : OF_CALLS,
        .weight = values[FINDING_WEIGHT].real,
        .has_fired = values[FINDING_FIRED].integer != 0,
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
    while (done && (done = report_next(report, &result, error)) && result != NULL) {
        while ((done = report_row(report, &values, error)) && values != NULL) {
            add_finding(findings, result, values);
        }
        if (!done) {
            break;
        }
    }
    report_close(report);
    if (findings->count > 0) {
        qsort(findings->list, findings->count, sizeof *findings->list, compare_findings);
    }
    return done;
}

static void append_finding(struct text *out, const struct overview_finding *finding, size_t number,
                           bool is_markdown, const char *typed) {
    struct text sentence = {0}, command = {0};

    text_append_escaped(&sentence, finding->sentence, strlen(finding->sentence));
    text_append_escaped(&command, finding->command, strlen(finding->command));
    text_append_string(&command, typed);
    text_append_format(out, is_markdown ? "%zu. " : "  %zu. ", number);
    if (is_markdown) {
        text_append_format(out, "%s\n\n       %s\n\n", text_string(&sentence),
                           text_string(&command));
    } else {
        layout_wrap(out, text_string(&sentence), LINE_WIDTH, "/", "     ");
        text_append_format(out, "\n     %s\n", text_string(&command));
    }
    text_free(&sentence);
    text_free(&command);
}

/* Appends the rules that did not fire, each once; equal names are adjacent. */
static void append_quiet(struct text *out, const struct overview_findings *findings, size_t first,
                         bool is_markdown, const char *typed) {
    struct text names = {0};
    size_t count = 0;

    for (size_t i = first; i < findings->count; i++) {
        if (i > first && strcmp(findings->list[i].name, findings->list[i - 1].name) == 0) {
            continue;
        }
        if (count++ < MOST_QUIET) {
            text_append_item(&names, findings->list[i].name);
        }
    }
    if (count > MOST_QUIET) {
        text_append_string(&names, ", …");
    }
    if (count > 0) {
        text_append_format(out,
                           is_markdown ? "Nothing unusual by %zu rule%s: %s\n\n    %s%s\n"
                                       : "Nothing unusual by %zu rule%s: %s\n  %s%s\n",
                           count, count == 1 ? "" : "s", text_string(&names),
                           "tracetool report findings --all", typed);
    }
    text_free(&names);
}

/* Prints the findings. `typed`: options that select the trace on a command line. */
static bool print_findings(struct session *session, struct report_load *loaded, bool is_markdown,
                           const char *typed, struct error *error) {
    struct overview_findings findings = {0};
    bool done = read_findings(loaded, &findings, error);
    struct text out = {0};
    size_t fired = 0;

    while (fired < findings.count && findings.list[fired].has_fired) {
        fired++;
    }
    if (done && findings.count > 0) {
        text_append_string(&out, "\nWhat stands out:\n");
        text_append_string(&out, is_markdown ? "\n" : "");
        for (size_t i = 0; i < fired && i < MOST_FINDINGS; i++) {
            append_finding(&out, &findings.list[i], i + 1, is_markdown, typed);
        }
        if (fired > MOST_FINDINGS) {
            text_append_format(&out, "%zu more\n", fired - MOST_FINDINGS);
        }
        append_quiet(&out, &findings, fired, is_markdown, typed);
        if (findings.unseen_by != NULL) {
            text_append_format(
                &out, is_markdown ? "Not checked: %s\n\n    %s%s\n" : "Not checked: %s\n  %s%s\n",
                text_string(&findings.unseen), findings.unseen_by, typed);
        }
        fwrite(text_string(&out), 1, out.length, session->output);
    }
    text_free(&findings.unseen);
    free(findings.unseen_by);
    for (size_t i = 0; i < findings.count; i++) {
        free(findings.list[i].name);
        free(findings.list[i].sentence);
        free(findings.list[i].command);
    }
    free(findings.list);
    text_free(&out);
    return done;
}

/* --- suggested reports ------------------------------------------------------------------------ */

/* Appends the options that select the database and the trace, or the log and how it is read. */
static void command_overview_append_trace(const struct session *session, struct text *out) {
    static const enum option_id log_options[] = {OPTION_INPUT_FORMAT, OPTION_START,
                                                 OPTION_UTC_OFFSET, OPTION_SYMBOLS};
    const struct arguments *arguments = session->arguments;

    if (logs_typed(session) != NULL) {
        text_append_format(out, " %s", logs_typed(session));
        for (size_t i = 0; i < sizeof log_options / sizeof log_options[0]; i++) {
            const enum option_id id = log_options[i];

            if (arguments->given[id]) {
                text_append_format(out, " --%s ", option_row(id)->name);
                text_append_word(out, arguments->values[id]);
            }
        }
        text_append_string(out, arguments->given[OPTION_JOIN] ? " --join" : "");
        return;
    }
    if (arguments->given[OPTION_DB]) {
        text_append_string(out, " -d ");
        text_append_word(out, session->database_path);
    }
    for (size_t i = 0; i < arguments->lists[OPTION_TRACE].count; i++) {
        text_append_string(out, " -t ");
        text_append_word(out, arguments->lists[OPTION_TRACE].values[i]);
    }
}

static const char *reports_after(const struct catalog_trace *trace) {
    return catalog_meaning(trace, "value", "counter") != NULL ? "counters"
                                                              : next_reports[trace->kind];
}

static void print_next(const struct session *session, const struct report_load *loaded,
                       const char *trace, bool is_markdown) {
    const struct catalog *catalog = &loaded->workspace.catalog;
    const struct option_list *names = &session->arguments->lists[OPTION_TRACE];
    const struct catalog_trace **chosen =
        xcalloc(catalog->count + names->count + 1, sizeof(const void *));
    struct text out = {0};
    struct error ignored = {0};
    size_t count = 0;
    unsigned told = 0;

    catalog_choose_all(catalog, names->values, names->count, chosen, &count, &ignored);
    text_append_string(&out, is_markdown ? "\nNext:\n\n" : "\nNext:\n");
    for (size_t i = 0; i < count; i++) {
        const enum trace_kind kind = chosen[i]->kind;
        const char *names_left = reports_after(chosen[i]);
        char name[32];

        for (int suggested = 0, length; (told >> kind & 1) == 0 && suggested < MOST_NEXT &&
                                        sscanf(names_left, "%31s%n", name, &length) == 1;
             names_left += length) {
            if (report_answers(&loaded->queries, name, chosen[i])) {
                text_append_format(
                    &out, is_markdown ? "    tracetool report %s%s\n" : "  tracetool report %s%s\n",
                    name, trace);
                suggested++;
            }
        }
        told |= 1U << kind;
    }
    text_append_format(&out,
                       is_markdown ? "    tracetool page%s -o page.html\n    tracetool help tasks\n"
                                   : "  tracetool page%s -o page.html\n  tracetool help tasks\n",
                       trace);
    fwrite(text_string(&out), 1, out.length, session->output);
    free(chosen);
    text_free(&out);
}

/* Prints findings and next commands below the tables. */
static bool print_below(struct session *session, struct report_load *loaded, bool is_markdown,
                        struct error *error) {
    struct text typed = {0}, trace = {0};
    bool done;

    command_overview_append_trace(session, &typed);
    text_append_escaped(&trace, text_string(&typed), typed.length);
    done = print_findings(session, loaded, is_markdown, text_string(&trace), error);
    if (done) {
        print_next(session, loaded, text_string(&trace), is_markdown);
    }
    text_free(&trace);
    text_free(&typed);
    return done;
}

bool command_overview(struct session *session, struct error *error) {
    struct printer_options options = session_printer_options(session);
    const struct printer_style *style = session->arguments->given[OPTION_FORMAT]
                                            ? session_style(session, error)
                                            : &printer_style_table;
    struct report_load loaded;
    bool done;

    if (style == NULL || !report_load(session, "overview", &loaded, REPORT_BESIDE_OTHERS, error)) {
        return false;
    }
    loaded.request.by_trace = true;
    done =
        print_report(&loaded.workspace, &loaded.request, style, session->output, &options, error);
    if (done && (style == &printer_style_table || style == &printer_style_markdown)) {
        done = print_below(session, &loaded, style == &printer_style_markdown, error);
    }
    return report_unload(session, &loaded, done, error);
}

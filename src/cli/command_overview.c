/* tracetool overview, and tracetool LOG: what is in a trace, at a glance, and what to ask next. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/logs.h"
#include "cli/report_load.h"
#include "report/print.h"

/* What a user asks of a trace of each kind, after the overview. */
static const char *const next_reports[TRACE_KINDS] = {
    [TRACE_CALLS] = "syscalls errors waits",
    [TRACE_IO] = "latency rw popularity",
    [TRACE_SPANS] = "functions calltree blocked",
    [TRACE_SAMPLES] = "load usage",
    [TRACE_RESULTS] = "results",
    [TRACE_STATES] = "threads wakeups cpu",
};

/* The database and the trace as they are typed behind a command. */
static void append_trace(const struct session *session, struct text *out) {
    const struct arguments *arguments = session->arguments;

    if (logs_typed(session) != NULL) {
        text_append_format(out, " %s", logs_typed(session));
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
                       bool is_markdown) {
    const struct catalog *catalog = &loaded->workspace.catalog;
    const struct option_list *names = &session->arguments->lists[OPTION_TRACE];
    const struct catalog_trace **chosen =
        xcalloc(catalog->count + names->count + 1, sizeof(const void *));
    struct text typed = {0}, trace = {0}, out = {0};
    struct error ignored = {0};
    size_t count = 0;
    unsigned told = 0;

    append_trace(session, &typed);
    text_append_escaped(&trace, text_string(&typed), typed.length);
    catalog_choose_all(catalog, names->values, names->count, chosen, &count, &ignored);
    text_append_string(&out, is_markdown ? "\nNext:\n\n" : "\nNext:\n");
    for (size_t i = 0; i < count; i++) {
        const enum trace_kind kind = chosen[i]->kind;
        const char *name = reports_after(chosen[i]);

        for (size_t length; (told >> kind & 1) == 0 && *name != '\0'; name += length) {
            name += *name == ' ';
            length = strcspn(name, " ");
            text_append_format(
                &out, is_markdown ? "    tracetool report %.*s%s\n" : "  tracetool report %.*s%s\n",
                (int)length, name, text_string(&trace));
        }
        told |= 1U << kind;
    }
    text_append_format(&out,
                       is_markdown ? "    tracetool page%s -o page.html\n    tracetool help tasks\n"
                                   : "  tracetool page%s -o page.html\n  tracetool help tasks\n",
                       text_string(&trace));
    fwrite(text_string(&out), 1, out.length, session->output);
    free(chosen);
    text_free(&out);
    text_free(&trace);
    text_free(&typed);
}

bool command_overview(struct session *session, struct error *error) {
    struct printer_options options = session_printer_options(session);
    const struct printer_style *style = session->arguments->given[OPTION_FORMAT]
                                            ? session_style(session, error)
                                            : &printer_style_table;
    struct report_load loaded;
    bool done;

    if (style == NULL || !report_load(session, "overview", &loaded, REPORT_PRINTED, error)) {
        return false;
    }
    loaded.request.by_trace = true;
    done =
        print_report(&loaded.workspace, &loaded.request, style, session->output, &options, error);
    if (done && (style == &printer_style_table || style == &printer_style_markdown)) {
        print_next(session, &loaded, style == &printer_style_markdown);
    }
    return report_unload(session, &loaded, done, error);
}

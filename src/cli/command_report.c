/* tracetool report and tracetool plot. */
#include <string.h>

#include "cli/command.h"
#include "cli/report_options.h"
#include "cli/selection_options.h"
#include "output/plot.h"
#include "report/print.h"

/* The report's name: a word, or one of the short forms; exactly one of them. */
static const char *report_name(const struct arguments *arguments, struct error *error) {
    static const struct {
        enum option_id option;
        const char *report;
    } shorts[] = {
        {OPTION_CDF, "popularity"},
        {OPTION_ARGSIZE, "argsize"},
        {OPTION_HOURLY, "hourly"},
        {OPTION_RW, "rw"},
    };
    const char *name = arguments->word_count > 0 ? arguments->words[0] : NULL;

    for (size_t i = 0; i < sizeof shorts / sizeof shorts[0]; i++) {
        if (!arguments->given[shorts[i].option]) {
            continue;
        }
        if (name != NULL && strcmp(name, shorts[i].report) != 0) {
            error_set_status(error, EXIT_USAGE, "one report at a time: %s or %s", name,
                             shorts[i].report);
            return NULL;
        }
        name = shorts[i].report;
    }
    if (name == NULL && arguments->other_count > 0) {
        option_unknown(arguments->others[0].name, error);
    } else if (name == NULL) {
        error_set_status(error, EXIT_USAGE, "which report? `tracetool reports` lists them");
    }
    return name;
}

struct loaded {
    struct report_option options[OPTION_MOST + REPORT_OTHERS];
    struct report_request request;
    struct query_set queries;
    struct database database;
    struct workspace workspace;
};

static bool unload(struct session *session, struct loaded *loaded, bool done, struct error *error) {
    workspace_close(&loaded->workspace);
    query_set_free(&loaded->queries);
    return session_close(session, &loaded->database, done, error);
}

static bool load(struct session *session, struct loaded *loaded, struct error *error) {
    const char *name = report_name(session->arguments, error);

    if (name == NULL || !selection_options(session, loaded->options, &loaded->request, error) ||
        !report_queries(session, &loaded->queries, error)) {
        return false;
    }
    loaded->request.report = name;
    if (!report_others(session->arguments, &loaded->queries, name, loaded->options,
                       &loaded->request.option_count, error)) {
        query_set_free(&loaded->queries);
        return false;
    }
    if (!session_open(session, &loaded->database, DATABASE_READ, error)) {
        query_set_free(&loaded->queries);
        return false;
    }
    if (!workspace_open(&loaded->workspace, &loaded->database, &session->config, &loaded->queries,
                        error)) {
        return unload(session, loaded, false, error);
    }
    return true;
}

bool command_report(struct session *session, struct error *error) {
    const struct printer_style *style = session_style(session, error);
    struct printer_options printer_options = session_printer_options(session);
    struct loaded loaded;
    bool done;

    if (style == NULL || !load(session, &loaded, error)) {
        return false;
    }
    done = print_report(&loaded.workspace, &loaded.request, style, session->output,
                        &printer_options, error);
    return unload(session, &loaded, done, error);
}

bool command_plot(struct session *session, struct error *error) {
    struct printer_options printer_options = session_printer_options(session);
    const char *output = session->arguments->values[OPTION_OUTPUT];
    struct plot plot;
    struct loaded loaded;
    bool done;

    printer_options.one_picture = output != NULL && strcmp(output, "-") != 0;
    if (!load(session, &loaded, error)) {
        return false;
    }
    done = plot_begin(&plot, output == NULL ? "-" : output, &printer_options, error);
    if (done) {
        done = print_report(&loaded.workspace, &loaded.request, printer_style_find("gnuplot"),
                            plot.script, &printer_options, error);
        database_finish_reading(&loaded.database);
        done = plot_end(&plot, !done, error);
    }
    return unload(session, &loaded, done, error);
}

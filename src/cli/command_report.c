/* tracetool report and tracetool plot. */
#include <string.h>

#include "cli/command.h"
#include "cli/report_options.h"
#include "cli/selection_options.h"
#include "output/flame_graph.h"
#include "output/plot.h"
#include "report/choose.h"
#include "report/print.h"

/* The report that --cdf alone is short for; beside the name of another it is an option of that. */
static const char cdf_report[] = "popularity";

/* The report's name: a word, or one of the short forms; exactly one of them. */
static const char *report_name(const struct arguments *arguments, struct error *error) {
    static const struct {
        enum option_id option;
        const char *report;
    } shorts[] = {
        {OPTION_ARGSIZE, "argsize"},
        {OPTION_HOURLY, "hourly"},
        {OPTION_RW, "rw"},
    };
    const char *name = arguments->word_count > 0 ? arguments->words[0] : NULL;

    /* Without a word, --cdf is a short form like the others. */
    if (name == NULL && arguments->given[OPTION_CDF]) {
        name = cdf_report;
    }
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

/* --cdf as an option of the report. */
static void take_cdf(const struct arguments *arguments, struct loaded *loaded) {
    struct report_request *request = &loaded->request;

    if (arguments->given[OPTION_CDF] && request->report != NULL &&
        strcmp(request->report, cdf_report) != 0) {
        loaded->options[request->option_count++] =
            (struct report_option){.name = "cdf", .value = ""};
    }
}

/* `picture`: the rows are to be drawn. */
static bool load(struct session *session, struct loaded *loaded, bool picture,
                 struct error *error) {
    const char *name = report_name(session->arguments, error);

    if (name == NULL || !selection_options(session, loaded->options, &loaded->request, error) ||
        !report_queries(session, &loaded->queries, error)) {
        return false;
    }
    loaded->request.picture = picture;
    loaded->request.report = choose_report(&loaded->queries, name, error);
    take_cdf(session->arguments, loaded);
    if (loaded->request.report == NULL ||
        !report_others(session->arguments, &loaded->queries, loaded->request.report,
                       loaded->options, &loaded->request.option_count, error) ||
        !choose_words(&loaded->queries, loaded->request.report, loaded->options,
                      loaded->request.option_count, error)) {
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

    if (style == NULL || !load(session, &loaded, style == printer_style_find("gnuplot"), error)) {
        return false;
    }
    done = print_report(&loaded.workspace, &loaded.request, style, session->output,
                        &printer_options, error);
    return unload(session, &loaded, done, error);
}

static bool read_look(const struct arguments *arguments, struct plot_look *look,
                      struct error *error) {
    *look = (struct plot_look){.width = 0};
    return (!arguments->given[OPTION_SIZE] ||
            plot_read_size(look, arguments->values[OPTION_SIZE], error)) &&
           (!arguments->given[OPTION_FONT] ||
            plot_read_font(look, arguments->values[OPTION_FONT], error));
}

bool command_plot(struct session *session, struct error *error) {
    struct printer_options printer_options = session_printer_options(session);
    const char *given = session->arguments->values[OPTION_OUTPUT];
    const char *output = given == NULL ? "-" : given;
    const struct printer_style *style;
    struct text notes = {0};
    struct plot_look look;
    struct plot plot;
    struct loaded loaded;
    bool done;

    printer_options.one_picture = strcmp(output, "-") != 0;
    printer_options.is_picture = true;
    printer_options.title = session->arguments->values[OPTION_TITLE];
    printer_options.notes = &notes;
    printer_options.look = &look;
    if (!read_look(session->arguments, &look, error) || !load(session, &loaded, true, error)) {
        return false;
    }
    if (plot_is_svg(output) && query_set_is_flame_graph(&loaded.queries, loaded.request.report)) {
        style = &printer_style_flame_graph;
        done = plot_begin_own(&plot, output, &look, error);
    } else {
        style = printer_style_find("gnuplot");
        done = plot_begin(&plot, output, &look, &printer_options, error);
    }
    if (done) {
        done = print_report(&loaded.workspace, &loaded.request, style, plot.script,
                            &printer_options, error);
        database_finish_reading(&loaded.database);
        done = plot_end(&plot, !done, text_string(&notes), error);
    }
    text_free(&notes);
    return unload(session, &loaded, done, error);
}

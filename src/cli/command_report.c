/* tracetool report, plot and dump. */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/picture.h"
#include "cli/plot_all.h"
#include "cli/report_load.h"
#include "cli/selection_options.h"
#include "report/dump.h"
#include "report/print.h"
#include "report/wide.h"

/* Returns the report's name: a word or one of the short forms, but not several. */
static const char *report_name(const struct session *session, struct error *error) {
    static const struct {
        enum option_id option;
        const char *report;
    } shorts[] = {
        {OPTION_ARGSIZE, "argsize"},
        {OPTION_HOURLY, "hourly"},
        {OPTION_RW, "rw"},
    };
    const struct arguments *arguments = session->arguments;
    const char *name = arguments->word_count > 0 ? arguments->words[0] : NULL;

    /* Without a report, --cdf is a short form, too. */
    if (name == NULL && arguments->given[OPTION_CDF]) {
        name = report_of_cdf;
    }
    for (size_t i = 0; i < sizeof shorts / sizeof shorts[0]; i++) {
        if (!arguments->given[shorts[i].option]) {
            continue;
        }
        if (name != NULL && strcmp(name, shorts[i].report) != 0) {
            error_usage(error, "one report at a time: %s or %s", name, shorts[i].report);
            return NULL;
        }
        name = shorts[i].report;
    }
    if (name == NULL && arguments->other_count > 0) {
        command_has_no(session->command, arguments->others[0].name, error);
    } else if (name == NULL) {
        error_usage(error, "which report? `tracetool reports` lists them");
    }
    return name;
}

/* --wide: prints one table with a row per trace. */
static bool print_wide_table(struct session *session, const struct printer_style *style,
                             struct report_load *loaded, struct error *error) {
    const struct arguments *arguments = session->arguments;
    struct printer_options options = session_printer_options(session);

    if (strcmp(loaded->request.report, wide_report) != 0) {
        return error_usage(error, "--wide is an option of report %s: its attributes become columns",
                           wide_report);
    }
    if (style == printer_style_find("gnuplot") || style == printer_style_find("folded") ||
        loaded->request.group != GROUP_NONE || arguments->given[OPTION_SORT] ||
        loaded->request.top > 0) {
        return error_usage(error, "--wide has a row for each trace, by name: without --by, --sort, "
                                  "--top, and in no picture");
    }
    return print_wide(&loaded->workspace, &loaded->request, arguments->values[OPTION_COLUMNS],
                      style, session->output, &options, error);
}

bool command_report(struct session *session, struct error *error) {
    const struct printer_style *style = session_style(session, error);
    struct printer_options printer_options = session_printer_options(session);
    const char *name = style == NULL ? NULL : report_name(session, error);
    const bool is_wide = session->arguments->given[OPTION_WIDE];
    enum report_use use = is_wide                                  ? REPORT_BESIDE_OTHERS
                          : style == printer_style_find("gnuplot") ? REPORT_DRAWN
                                                                   : REPORT_PRINTED;
    struct report_load loaded;
    bool done;

    if (session->arguments->given[OPTION_COLUMNS] && !is_wide) {
        return error_usage(error, "--columns goes with --wide: report summary --wide --columns %s",
                           session->arguments->values[OPTION_COLUMNS]);
    }
    if (name == NULL || !report_load(session, name, &loaded, use, error)) {
        return false;
    }
    loaded.request.brief =
        style == printer_style_find("table") && !session->arguments->given[OPTION_ALL];
    loaded.request.all = session->arguments->given[OPTION_ALL];
    /* Folded stacks use the rows of flame graphs. */
    loaded.request.picture |= style == printer_style_find("folded");
    loaded.request.sort = session->arguments->values[OPTION_SORT];
    done = is_wide ? print_wide_table(session, style, &loaded, error)
                   : print_report(&loaded.workspace, &loaded.request, style, session->output,
                                  &printer_options, error);
    return report_unload(session, &loaded, done, error);
}

bool command_plot(struct session *session, struct error *error) {
    struct picture picture;
    struct report_load loaded;
    const char *name;
    bool done;

    if (session->arguments->given[OPTION_ALL]) {
        return plot_all(session, error);
    }
    name = picture_read(&picture, session, error) ? report_name(session, error) : NULL;
    if (name == NULL || !report_load(session, name, &loaded, REPORT_DRAWN, error)) {
        picture_free(&picture);
        return false;
    }
    done = picture_draw_report(&picture, &loaded, error);
    picture_free(&picture);
    return report_unload(session, &loaded, done, error);
}

bool command_dump(struct session *session, struct error *error) {
    struct report_option options[OPTION_MOST];
    struct printer_options printer_options = session_printer_options(session);
    const struct printer_style *style = NULL;
    struct report_request request;
    struct workspace workspace;
    struct database database;
    bool done;

    if (session->arguments->given[OPTION_FORMAT] &&
        (style = session_style(session, error)) == NULL) {
        return false;
    }
    if (!selection_options(session, options, &request, error) ||
        !session_open(session, &database, DATABASE_READ, error)) {
        return false;
    }
    session_tell_trust(session);
    done = workspace_open(&workspace, &database, &session->config, NULL, error) &&
           dump_run(&workspace, &request, style, session->output, &printer_options, error);
    workspace_close(&workspace);
    return session_close(session, &database, done, error);
}

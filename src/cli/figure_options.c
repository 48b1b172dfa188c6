/* Parses the filters and options in a figure's brackets, like the command line of a report. */
#include "cli/figure_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/report_load.h"
#include "cli/selection_options.h"

struct figure_given {
    struct figure_given *next;
    struct arguments arguments;
    struct report_option options[OPTION_MOST + REPORT_OTHERS];
    struct report_request request;
    char **line;
};

void figure_givens_free(struct figure_givens *givens) {
    for (struct figure_given *given = givens->first, *next; given != NULL; given = next) {
        next = given->next;
        for (char **word = given->line; *word != NULL; word++) {
            free(*word);
        }
        arguments_free(&given->arguments);
        free(given->line);
        free(given);
    }
}

/* Allows only options that select events or rows; not --reference, since it names a file. */
static bool check_given(const struct arguments *arguments, struct error *error) {
    for (int i = 0; i < option_count(); i++) {
        const bool is_filter = i >= OPTION_FIRST_FILTER && i < OPTION_FIRST_FILTER + FILTER_OPTIONS;

        if (arguments->given[i] && !is_filter && i != OPTION_FROM && i != OPTION_TO &&
            i != OPTION_DEVICE && i != OPTION_ACTION && i != OPTION_BY && i != OPTION_WHOLE_CALLS &&
            (option_row(i)->target != TARGET_QUERY || i == OPTION_REFERENCE)) {
            return error_usage(error, "%s is no filter", option_row(i)->name);
        }
    }
    return true;
}

bool figure_givens_read(void *context, const char *report, const struct figure_option *options,
                        size_t count, struct figure *figure, struct error *error) {
    struct figure_givens *givens = context;
    struct figure_given *given = xcalloc(1, sizeof *given);
    struct session session = *givens->session;

    given->next = givens->first;
    givens->first = given;
    given->line = xcalloc(count + 3, sizeof *given->line);
    given->line[0] = xstrdup("tracetool");
    given->line[1] = xstrdup("report");
    for (size_t i = 0; i < count; i++) {
        const struct option_row *row = option_find(options[i].name);
        const bool is_flag = row != NULL && row->type == OPTION_FLAG;

        given->line[2 + i] =
            xasprintf(is_flag && strcmp(options[i].value, "yes") == 0 ? "--%s" : "--%s=%s",
                      options[i].name, options[i].value);
    }
    session.command = command_find("report");
    session.arguments = &given->arguments;
    if (!arguments_parse(&given->arguments, (int)count + 2, given->line, error) ||
        !check_given(&given->arguments, error) ||
        !selection_fill_request(&session, given->options, &given->request, error) ||
        !report_add_parameters(&given->arguments, givens->queries,
                               report == NULL ? "summary" : report, given->options,
                               &given->request.option_count, error)) {
        return false;
    }
    figure->filter = given->request.filter;
    figure->options = given->options;
    figure->option_count = given->request.option_count;
    return given->request.group == GROUP_NONE || error_usage(error, "it makes several results");
}

/* Parses the filters and options in a figure's brackets, like the command line of a report. */
#include "cli/figure_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/report_load.h"
#include "cli/selection_options.h"

struct figure_parsed_options {
    struct figure_parsed_options *next;
    struct arguments arguments;
    struct report_option options[OPTION_MOST + REPORT_OTHERS];
    struct report_request request;
    char **line;
};

void figure_options_free(struct figure_options *memory) {
    for (struct figure_parsed_options *parsed = memory->first, *next; parsed != NULL;
         parsed = next) {
        next = parsed->next;
        for (char **word = parsed->line; *word != NULL; word++) {
            free(*word);
        }
        arguments_free(&parsed->arguments);
        free(parsed->line);
        free(parsed);
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

bool figure_options_parse(void *context, const char *report, const struct figure_option *options,
                          size_t count, struct figure *figure, struct error *error) {
    struct figure_options *memory = context;
    struct figure_parsed_options *parsed = xcalloc(1, sizeof *parsed);
    struct session session = *memory->session;

    parsed->next = memory->first;
    memory->first = parsed;
    parsed->line = xcalloc(count + 3, sizeof *parsed->line);
    parsed->line[0] = xstrdup("tracetool");
    parsed->line[1] = xstrdup("report");
    for (size_t i = 0; i < count; i++) {
        const struct option_row *row = option_find(options[i].name);
        const bool is_flag = row != NULL && row->type == OPTION_FLAG;

        parsed->line[2 + i] =
            xasprintf(is_flag && strcmp(options[i].value, "yes") == 0 ? "--%s" : "--%s=%s",
                      options[i].name, options[i].value);
    }
    session.command = command_find("report");
    session.arguments = &parsed->arguments;
    if (!arguments_parse(&parsed->arguments, (int)count + 2, parsed->line, error) ||
        !check_given(&parsed->arguments, error) ||
        !selection_fill_request(&session, parsed->options, &parsed->request, error) ||
        !report_add_parameters(&parsed->arguments, memory->queries,
                               report == NULL ? "summary" : report, parsed->options,
                               &parsed->request.option_count, error)) {
        return false;
    }
    figure->filter = parsed->request.filter;
    figure->options = parsed->options;
    figure->option_count = parsed->request.option_count;
    return parsed->request.group == GROUP_NONE || error_usage(error, "it makes several results");
}

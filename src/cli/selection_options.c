#include "cli/selection_options.h"

#include <stdlib.h>
#include <string.h>

#include "model/partition.h"

/* major:minor, both decimal. */
static bool parse_device(const char *value, struct filter *filter, struct error *error) {
    unsigned major, minor;
    int length = -1;

    filter->has_device = value != NULL;
    if (value == NULL) {
        return true;
    }
    if (strspn(value, "0123456789:") != strlen(value) || strlen(value) > 12 ||
        sscanf(value, "%u:%u%n", &major, &minor, &length) != 2 || value[length] != '\0' ||
        major > 4095 || minor > 1048575) {
        return error_set_status(
            error, EXIT_USAGE, "--device of a report is MAJOR:MINOR, such as 8:0, not '%s'", value);
    }
    filter->device = device_number(major, minor);
    return true;
}

static bool check_clock(const char *clock, struct error *error) {
    return clock == NULL || strcmp(clock, "wall") == 0 || strcmp(clock, "cpu") == 0 ||
           error_set_status(error, EXIT_USAGE, "--clock is wall or cpu, not '%s'", clock);
}

/* What a report is given beside the filter. Whether an analysis can do with it is told at once. */
static bool add_options(const struct arguments *arguments, struct report_option *options,
                        size_t *count, struct error *error) {
    *count = 0;
    for (int i = 0; i < option_count(); i++) {
        const struct option_row *row = option_row(i);
        const char *value = arguments->values[i] == NULL ? "" : arguments->values[i];
        struct parameter_value ignored;

        if (!arguments->given[i] || !row->of_reports) {
            continue;
        }
        if (row->parameter != NULL && !parameter_read(row->parameter, value, &ignored, error)) {
            return false;
        }
        options[(*count)++] = (struct report_option){row->name, value, row->number};
    }
    return true;
}

bool selection_options(const struct session *session, struct report_option *options,
                       struct report_request *request, struct error *error) {
    const struct arguments *arguments = session->arguments;

    *request = (struct report_request){
        .traces = arguments->traces,
        .trace_count = arguments->trace_count,
        .study = arguments->values[OPTION_STUDY],
        .by_trace = arguments->given[OPTION_BY_TRACE],
        .top = arguments_number(arguments, OPTION_TOP, 0),
        .filter =
            {
                .process = arguments->values[OPTION_PROCESS],
                .operation = arguments->values[OPTION_OP],
                .under = arguments->values[OPTION_UNDER],
                .component = arguments->values[OPTION_COMPONENT],
                .action = arguments->values[OPTION_ACTION],
            },
        .clock = arguments->values[OPTION_CLOCK],
        .options = options,
    };
    return add_options(arguments, options, &request->option_count, error) &&
           check_clock(request->clock, error) &&
           parse_device(arguments->values[OPTION_DEVICE], &request->filter, error) &&
           time_bound_parse("from", arguments->values[OPTION_FROM], &request->filter.from, error) &&
           time_bound_parse("to", arguments->values[OPTION_TO], &request->filter.to, error);
}

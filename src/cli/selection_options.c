#include "cli/selection_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/words.h"
#include "model/partition.h"

static bool parse_bound(const struct arguments *arguments, enum option_id id,
                        struct time_bound *bound, struct error *error) {
    const char *value = arguments->values[id];
    bool has_zone;
    int64_t offset;

    *bound = (struct time_bound){.kind = TIME_NOT_GIVEN, .plain = -1};
    if (value == NULL) {
        return true;
    }
    if (value[0] != '\0' && strspn(value, "0123456789") == strlen(value) && strlen(value) <= 18) {
        bound->plain = strtoll(value, NULL, 10);
    }
    if (clock_parse_duration(value, &bound->time)) {
        bound->kind = TIME_SINCE_START;
        return true;
    }
    if (bound->plain >= 0) {
        /* Beyond all seconds there are, but not beyond the units of a counter. */
        bound->kind = TIME_SINCE_START;
        bound->time = INT64_MAX;
        return true;
    }
    if (!clock_parse(value, &bound->time, &has_zone, &offset)) {
        return error_set_status(error, EXIT_USAGE,
                                "--%s needs a time such as 90, 90.5s, 10m or 2001-03-05T10:00:00, "
                                "not '%s'",
                                option_rows[id].name, value);
    }
    bound->kind = has_zone ? TIME_WALL_CLOCK : TIME_WALL_CLOCK_LOCAL;
    bound->time -= has_zone ? offset * INT64_C(60000000000) : 0;
    return true;
}

/* major:minor, both decimal. */
static bool parse_device(const char *value, struct selection_filter *filter, struct error *error) {
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

static bool check_resolution(const char *level, struct error *error) {
    static const char levels[] = "process thread class method loop";

    return level == NULL || word_in(levels, level) ||
           error_set_status(error, EXIT_USAGE, "--resolution is one of %s, not '%s'", levels,
                            level);
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
                .clock = arguments->values[OPTION_CLOCK],
                .resolution = arguments->values[OPTION_RESOLUTION],
                .within = arguments->values[OPTION_WITHIN],
                .root = arguments->values[OPTION_ROOT],
                .action = arguments->values[OPTION_ACTION],
                .sequence_length = arguments_number(arguments, OPTION_LENGTH, 2),
                .data_only = arguments->given[OPTION_DATA_ONLY],
                .top = arguments_number(arguments, OPTION_TOP, 0),
            },
        .options = options,
    };
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (arguments->given[i] && option_rows[i].of_reports) {
            options[request->option_count++] = (struct report_option){
                .name = option_rows[i].name,
                .value = arguments->values[i] == NULL ? "" : arguments->values[i],
                .number = option_rows[i].number,
            };
        }
    }
    if (!parse_bound(arguments, OPTION_MIN_TIME, &request->filter.min_time, error)) {
        return false;
    }
    if (request->filter.min_time.kind > TIME_SINCE_START) {
        return error_set_status(error, EXIT_USAGE, "--min-time is how long a call took: 0.01s");
    }
    return check_resolution(request->filter.resolution, error) &&
           check_clock(request->filter.clock, error) &&
           parse_device(arguments->values[OPTION_DEVICE], &request->filter, error) &&
           parse_bound(arguments, OPTION_FROM, &request->filter.from, error) &&
           parse_bound(arguments, OPTION_TO, &request->filter.to, error);
}

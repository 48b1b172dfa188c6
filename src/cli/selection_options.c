#include "cli/selection_options.h"

#include <string.h>

#include "model/partition.h"
#include "select/layer.h"

/* Characters of a device given by number, as MAJOR:MINOR. */
#define DEVICE_DIGITS "0123456789:,"

/* Linux devices with fixed numbers: major number, and distance of two disks' minor numbers. */
static const struct {
    const char *name;
    unsigned major, step;
    bool letter; /* devices have letters: sda, sdb, …; a partition number may follow */
} known_devices[] = {
    {"loop", 7, 1, false}, {"ram", 1, 1, false},      {"md", 9, 1, false},
    {"sr", 11, 1, false},  {"mmcblk", 179, 8, false}, {"sd", 8, 16, true},
};

/* Parses the text `before` and up to three digits at `*end`; moves `*end` behind them. */
static bool selection_options_parse_digits(const char *text, const char *before, unsigned *number,
                                           size_t *end) {
    const char *digits = text + *end + strlen(before);
    size_t count = 0;

    if (strncmp(text + *end, before, strlen(before)) != 0) {
        return false;
    }
    for (*number = 0; count < 3 && digits[count] >= '0' && digits[count] <= '9'; count++) {
        *number = 10 * *number + (unsigned)(digits[count] - '0');
    }
    *end = count == 0 ? *end : (size_t)(digits - text) + count;
    return count > 0;
}

/* Finds the number of a device by its name in /dev: loop0, sda, sda1, mmcblk0p2. */
static bool selection_options_find_device(const char *name, unsigned *major, unsigned *minor) {
    name += strncmp(name, "/dev/", 5) == 0 ? 5 : 0;
    for (size_t i = 0; i < sizeof known_devices / sizeof known_devices[0]; i++) {
        const size_t length = strlen(known_devices[i].name);
        const char *rest = name + length;
        unsigned number = 0, part = 0;
        size_t end = 0;

        if (strncmp(name, known_devices[i].name, length) != 0) {
            continue;
        }
        if (known_devices[i].letter && *rest >= 'a' && *rest <= 'p') {
            number = (unsigned)(*rest - 'a');
            end = 1;
        } else if (known_devices[i].letter ||
                   !selection_options_parse_digits(rest, "", &number, &end)) {
            continue;
        }
        if (known_devices[i].step > 1) {
            selection_options_parse_digits(rest, known_devices[i].letter ? "" : "p", &part, &end);
        }
        if (rest[end] == '\0' && (part < known_devices[i].step || part == 0)) {
            *major = known_devices[i].major;
            *minor = number * known_devices[i].step + part;
            return true;
        }
    }
    return false;
}

bool selection_parse_device(const char *value, int64_t *device, struct error *error) {
    unsigned major, minor;
    int length = -1;

    if (value == NULL) {
        return true;
    }
    if (!selection_options_find_device(value, &major, &minor) &&
        (strspn(value, DEVICE_DIGITS) != strlen(value) || strlen(value) > 12 ||
         sscanf(value, "%u%*1[:,]%u%n", &major, &minor, &length) != 2 || value[length] != '\0' ||
         major > 4095 || minor > 1048575)) {
        return error_usage(error,
                           "--device is MAJOR:MINOR, such as 8:0, or a name such as sda or loop0, "
                           "not '%s'; /sys/block/NAME/dev has the numbers of other names",
                           value);
    }
    *device = device_number(major, minor);
    return true;
}

/* Returns whether the report's query gets the option. Comparisons use --confidence themselves. */
static bool is_of_query(const struct session *session, const struct option_row *row) {
    return row->target == TARGET_QUERY ||
           ((row == option_row(OPTION_CONFIDENCE) || row->parameter != NULL) &&
            (command_bit(session->command) & REPORTING) != 0);
}

/* Adds the report's options that are not filters. Values for analyses are checked at once. */
static bool add_options(const struct session *session, struct report_option *options, size_t *count,
                        struct error *error) {
    const struct arguments *arguments = session->arguments;

    *count = 0;
    for (int i = 0; i < option_count(); i++) {
        const struct option_row *row = option_row(i);
        const char *value = arguments->values[i] == NULL ? "" : arguments->values[i];
        struct parameter_value ignored;

        if (!arguments->given[i] || !is_of_query(session, row)) {
            continue;
        }
        if (row->type == OPTION_REPEATED) {
            value = arguments->lists[i].values[arguments->lists[i].count - 1];
        }
        if (row->parameter != NULL && !parameter_read(row->parameter, value, &ignored, error)) {
            return false;
        }
        options[(*count)++] = (struct report_option){row->name, value, row->type == OPTION_NUMBER};
    }
    return true;
}

/* Returns the grouping that a value of --by means; GROUP_NONE: none. */
static enum group_by selection_options_find_group(const char *word) {
    /* without GROUP_HOUR: a report may define --by hour itself (report_load.c) */
    int group = GROUP_HOUR - 1;

    while (group > GROUP_NONE && strcmp(group_names[group], word) != 0) {
        group--;
    }
    return (enum group_by)group;
}

/* Reads --by: groups of traces, which every report supports, or a value defined by the report. */
static bool read_by(const struct arguments *arguments, struct report_option *options,
                    struct report_request *request, struct error *error) {
    const struct option_list *list = &arguments->lists[OPTION_BY];
    const char *own = NULL;

    for (size_t i = 0; i < list->count; i++) {
        enum group_by group = selection_options_find_group(list->values[i]);

        if (group == GROUP_NONE) {
            own = list->values[i];
        } else if (request->by_trace || (request->group != GROUP_NONE && request->group != group)) {
            return error_usage(error, "--by %s: the report already gives one result for each %s",
                               list->values[i],
                               request->by_trace ? "trace" : group_names[request->group]);
        } else {
            request->group = group;
        }
    }
    if (own != NULL) {
        options[request->option_count++] = (struct report_option){.name = "by", .value = own};
    }
    return true;
}

/* Reads the options that are filters. */
static bool read_filters(const struct arguments *arguments, struct filter *filter,
                         struct error *error) {
    for (enum filter_option i = 0; i < FILTER_OPTIONS; i++) {
        const int id = OPTION_FIRST_FILTER + (int)i;
        const struct option_list *list = &arguments->lists[id];
        const bool listed = option_row(id)->type == OPTION_REPEATED;

        if (arguments->given[id] &&
            !filter_add_option(filter, i, listed ? list->values : &arguments->values[id],
                               listed ? list->count : 1, error)) {
            return false;
        }
    }
    return layers_check_no_overlap(&filter->names[FILTER_LAYER], error);
}

/* Reads --device: a number, or a name that may be known only from the traces. */
static bool read_device(const char *value, struct filter *filter, struct error *error) {
    bool is_name = value != NULL && strspn(value, DEVICE_DIGITS) != strlen(value);
    struct error ignored = {0};

    filter->device = EVENT_NONE;
    filter->device_name = is_name ? value : "";
    return selection_parse_device(value, &filter->device, is_name ? &ignored : error) || is_name;
}

bool selection_fill_request(const struct session *session, struct report_option *options,
                            struct report_request *request, struct error *error) {
    const struct arguments *arguments = session->arguments;

    *request = (struct report_request){
        .traces = arguments->lists[OPTION_TRACE].values,
        .trace_count = arguments->lists[OPTION_TRACE].count,
        .users = {arguments->lists[OPTION_USER].values, arguments->lists[OPTION_USER].count,
                  arguments->lists[OPTION_NOT_USER].values,
                  arguments->lists[OPTION_NOT_USER].count},
        .filter.has_device = arguments->given[OPTION_DEVICE],
        .options = options,
    };
    arguments_fill_structure(arguments, TARGET_REQUEST, request);
    return read_filters(arguments, &request->filter, error) &&
           add_options(session, options, &request->option_count, error) &&
           read_by(arguments, options, request, error) &&
           read_device(arguments->values[OPTION_DEVICE], &request->filter, error) &&
           filter_take_window(&request->filter, "from", arguments->values[OPTION_FROM], "to",
                              arguments->values[OPTION_TO], error);
}

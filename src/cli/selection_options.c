#include "cli/selection_options.h"

#include <stdlib.h>
#include <string.h>

#include "model/partition.h"
#include "select/layer.h"

bool selection_device(const char *value, int64_t *device, struct error *error) {
    unsigned major, minor;
    int length = -1;

    if (value == NULL) {
        return true;
    }
    if (strspn(value, "0123456789:") != strlen(value) || strlen(value) > 12 ||
        sscanf(value, "%u:%u%n", &major, &minor, &length) != 2 || value[length] != '\0' ||
        major > 4095 || minor > 1048575) {
        return error_set_status(
            error, EXIT_USAGE, "--device of a report is MAJOR:MINOR, such as 8:0, not '%s'", value);
    }
    *device = device_number(major, minor);
    return true;
}

/* What a report is given beside the filter. Whether an analysis can do with it is told at once. */
static bool add_options(const struct arguments *arguments, struct report_option *options,
                        size_t *count, struct error *error) {
    *count = 0;
    for (int i = 0; i < option_count(); i++) {
        const struct option_row *row = option_row(i);
        const char *value = arguments->values[i] == NULL ? "" : arguments->values[i];
        struct parameter_value ignored;

        if (!arguments->given[i] || row->target != TARGET_QUERY) {
            continue;
        }
        if (row->parameter != NULL && !parameter_read(row->parameter, value, &ignored, error)) {
            return false;
        }
        options[(*count)++] = (struct report_option){row->name, value, row->type == OPTION_NUMBER};
    }
    return true;
}

/* The group that `word` means; GROUP_NONE: none. */
static enum group_by find_group(const char *word) {
    int group = GROUP_HOUR - 1; /* an hour may be the report's own (report_load.c) */

    while (group > GROUP_NONE && strcmp(group_names[group], word) != 0) {
        group--;
    }
    return (enum group_by)group;
}

/* --by: groups of traces, which every report can do with, and what a report has of its own. */
static bool take_by(const struct arguments *arguments, struct report_option *options,
                    struct report_request *request, struct error *error) {
    const struct option_list *list = &arguments->lists[OPTION_BY];
    const char *own = NULL;

    for (size_t i = 0; i < list->count; i++) {
        enum group_by group = find_group(list->values[i]);

        if (group == GROUP_NONE) {
            own = list->values[i];
        } else if (request->by_trace || (request->group != GROUP_NONE && request->group != group)) {
            return error_set_status(
                error, EXIT_USAGE, "--by %s: there is one result for each %s already",
                list->values[i], request->by_trace ? "trace" : group_names[request->group]);
        } else {
            request->group = group;
        }
    }
    if (own != NULL) {
        options[request->option_count++] = (struct report_option){.name = "by", .value = own};
    }
    return true;
}

static struct name_set names_of(const struct arguments *arguments, enum option_id names,
                                enum option_id excluded) {
    return (struct name_set){
        .names = arguments->lists[names].values,
        .count = arguments->lists[names].count,
        .excluded = arguments->lists[excluded].values,
        .excluded_count = arguments->lists[excluded].count,
    };
}

static void take_names(const struct arguments *arguments, struct filter *filter) {
    static const struct {
        enum filter_by by;
        enum option_id names, excluded;
    } rows[] = {
        {FILTER_OPERATION, OPTION_OP, OPTION_NOT_OP},
        {FILTER_COMPONENT, OPTION_COMPONENT, OPTION_NOT_COMPONENT},
        {FILTER_PROCESS, OPTION_PROCESS, OPTION_NOT_PROCESS},
        {FILTER_FILE, OPTION_FILE, OPTION_NOT_FILE},
        {FILTER_FILETYPE, OPTION_FILETYPE, OPTION_NOT_FILETYPE},
        {FILTER_PARTITION, OPTION_PARTITION, OPTION_NOT_PARTITION},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        filter->names[rows[i].by] = names_of(arguments, rows[i].names, rows[i].excluded);
    }
    filter->names[FILTER_LAYER] = (struct name_set){
        .names = arguments->lists[OPTION_LAYER].values,
        .count = arguments->lists[OPTION_LAYER].count,
    };
}

/* Bit set of the classes that an option names. */
static bool parse_classes(const struct arguments *arguments, enum option_id id, unsigned *classes,
                          struct error *error) {
    const struct option_list *list = &arguments->lists[id];

    *classes = 0;
    for (size_t i = 0; i < list->count; i++) {
        unsigned number = 0;

        while (number < IO_CLASSES && strcmp(io_class_words[number], list->values[i]) != 0) {
            number++;
        }
        if (number == IO_CLASSES) {
            return error_set_status(
                error, EXIT_USAGE,
                "--%s is read, readsync, write, writesync, flush or other, not '%s'",
                option_row((int)id)->name, list->values[i]);
        }
        *classes |= 1u << number;
    }
    return true;
}

static bool take_classes(const struct arguments *arguments, struct filter *filter,
                         struct error *error) {
    unsigned chosen, excluded;

    if (!parse_classes(arguments, OPTION_CLASS, &chosen, error) ||
        !parse_classes(arguments, OPTION_NOT_CLASS, &excluded, error)) {
        return false;
    }
    filter->classes_out = excluded | (chosen != 0 ? (1u << IO_CLASSES) - 1 - chosen : 0);
    return true;
}

/* The first and last kind of evidence that each word of --evidence stands for. */
static const enum io_evidence evidence_kinds[][2] = {
    {IO_EVIDENCE_IMAGE, IO_EVIDENCE_BOTH_IMAGES},
    {IO_EVIDENCE_LIKELY_IMAGE, IO_EVIDENCE_LIKELY_JOURNAL},
    {IO_EVIDENCE_NONE, IO_EVIDENCE_NONE},
};

static void take_evidence(const struct arguments *arguments, struct filter *filter) {
    int word = arguments_choice(arguments, OPTION_EVIDENCE, -1);

    if (word >= 0) {
        const enum io_evidence *kinds = evidence_kinds[word];

        filter->evidence_out = (1u << IO_EVIDENCES) - 1 - ((2u << kinds[1]) - (1u << kinds[0]));
    }
}

bool selection_options(const struct session *session, struct report_option *options,
                       struct report_request *request, struct error *error) {
    const struct arguments *arguments = session->arguments;

    *request = (struct report_request){
        .traces = arguments->lists[OPTION_TRACE].values,
        .trace_count = arguments->lists[OPTION_TRACE].count,
        .users = names_of(arguments, OPTION_USER, OPTION_NOT_USER),
        .filter.has_device = arguments->given[OPTION_DEVICE],
        .options = options,
    };
    arguments_set(arguments, TARGET_REQUEST, request);
    take_names(arguments, &request->filter);
    take_evidence(arguments, &request->filter);
    return layers_check(&request->filter.names[FILTER_LAYER], error) &&
           take_classes(arguments, &request->filter, error) &&
           add_options(arguments, options, &request->option_count, error) &&
           take_by(arguments, options, request, error) &&
           selection_device(arguments->values[OPTION_DEVICE], &request->filter.device, error) &&
           filter_take_window(&request->filter, "from", arguments->values[OPTION_FROM], "to",
                              arguments->values[OPTION_TO], error);
}

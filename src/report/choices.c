#include "report/choose.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "base/time_unit.h"
#include "select/window.h"

/* Returns whether a query can use one clock for two traces; `left`, `right`: the traces' clocks. */
static bool choices_share_clock(const struct query *query, const char *left, const char *right) {
    return query->any_clocks || strcmp(left, right) == 0 ||
           (query->first_clocks && strcspn(left, " ") == strcspn(right, " ") &&
            strncmp(left, right, strcspn(left, " ")) == 0);
}

bool choices_can_be_merged(const struct choice *left, const struct choice *right) {
    return left->query == right->query && left->trace->kind == right->trace->kind &&
           strcmp(left->trace->clock_unit, right->trace->clock_unit) == 0 &&
           choices_share_clock(left->query, left->trace->clocks, right->trace->clocks);
}

const char *choice_group_label(const struct report_request *request, const struct choice *choice) {
    static const char hours[24][sizeof "00:00"] = {
        "00:00", "01:00", "02:00", "03:00", "04:00", "05:00", "06:00", "07:00",
        "08:00", "09:00", "10:00", "11:00", "12:00", "13:00", "14:00", "15:00",
        "16:00", "17:00", "18:00", "19:00", "20:00", "21:00", "22:00", "23:00",
    };

    switch (request->group) {
    case GROUP_HOUR:
        return hours[choice->hour % 24];
    case GROUP_TRACE:
        return choice->trace->name;
    case GROUP_USER:
        return choice->trace->user;
    case GROUP_DEVICE:
        return choice->trace->device;
    case GROUP_STUDY:
        return choice->trace->study;
    default:
        return "";
    }
}

bool choices_are_merged(const struct report_request *request, const struct choice *left,
                        const struct choice *right) {
    return !request->by_trace && !left->query->apart && choices_can_be_merged(left, right) &&
           strcmp(choice_group_label(request, left), choice_group_label(request, right)) == 0;
}

bool choices_have_many_results(const struct report_request *request, const struct choice *choices,
                               size_t count) {
    for (size_t i = 1; i < count; i++) {
        if (!choices_can_be_merged(&choices[0], &choices[i])) {
            return true;
        }
    }
    return request->by_trace || request->group != GROUP_NONE ||
           (count > 1 && choices[0].query->apart);
}

enum { HOURS = 24 };

static struct day_hours choices_hours_of(unsigned hour) {
    return (struct day_hours){.from = hour * HOUR, .length = HOUR};
}

struct day_hours choice_selected_hours(const struct choice *choice) {
    return choices_hours_of(choice->hour);
}

static bool add_hour(const struct filter *filter, const struct choice *choice, unsigned hour,
                     struct choice *hours, size_t *count, struct error *error) {
    struct filter part = *filter;
    struct window window;

    part.hours = choices_hours_of(hour);
    if (!window_times(choice->trace, &part, &window, error)) {
        return false;
    }
    if (window.from < window.to) {
        hours[*count] = *choice;
        hours[(*count)++].hour = hour;
    }
    return true;
}

bool choices_split_by_hour(const struct filter *filter, struct choice **choices, size_t *count,
                           struct error *error) {
    struct choice *hours = xcalloc(*count * HOURS + 1, sizeof *hours);
    size_t found = 0;
    bool done = true;

    for (size_t i = 0; done && i < *count; i++) {
        const struct catalog_trace *trace = (*choices)[i].trace;

        done =
            (catalog_has_real_clock(trace) && catalog_has_hours_of_day(trace)) ||
            error_set(error, "trace %s has no time of day, so no --by hour: import it with --start",
                      trace->name);
    }
    for (unsigned hour = 0; done && hour < HOURS; hour++) {
        for (size_t i = 0; done && i < *count; i++) {
            done = add_hour(filter, &(*choices)[i], hour, hours, &found, error);
        }
    }
    if (!done) {
        free(hours);
        return false;
    }
    free(*choices);
    *choices = hours;
    *count = found;
    return true;
}

enum {
    NAMED = 3, /* limit of names in the line; further traces, devices or users are only counted */
    LONGEST_NAME = 40, /* limit of a name's length in bytes; longer names are truncated */
};

/* Traces whose counts are added to those of other traces in the same result. */
struct sum {
    const struct catalog_trace **traces; /* owned */
    size_t count, results;
};

/* Returns whether the request names traces, selects them by label, or separates their results. */
static bool choices_is_chosen(const struct report_request *request) {
    return request->trace_count > 0 || request->study != NULL || request->users.count > 0 ||
           request->users.excluded_count > 0 || request->by_trace || request->group != GROUP_NONE;
}

/* Returns whether the result has rows for each trace, so that nothing is added up. */
static bool choices_names_traces(const struct query *query) {
    for (size_t i = 0; i < query->column_count; i++) {
        const struct query_column *column = &query->columns[i];

        if (strcmp(column->column.name, "trace") == 0 &&
            (column->condition == NULL || strcmp(column->condition, "several") == 0)) {
            return true;
        }
    }
    return false;
}

/* Adds the trace at `first`, and all later traces that share a result with it, to the sum. Adds
 * nothing if no other trace does, or if the result has rows for each trace. */
static void choices_add_result(struct sum *sum, const struct report_request *request,
                               const struct choice *choices, size_t count, bool *is_taken,
                               size_t first) {
    size_t before = sum->count;

    for (size_t i = first; i < count; i++) {
        if (!is_taken[i] && choices_are_merged(request, &choices[first], &choices[i])) {
            is_taken[i] = true;
            sum->traces[sum->count++] = choices[i].trace;
        }
    }
    if (sum->count - before < 2 || choices_names_traces(choices[first].query)) {
        sum->count = before;
    } else {
        sum->results++;
    }
}

static bool is_one_study(const struct sum *sum) {
    for (size_t i = 0; i < sum->count; i++) {
        if (strcmp(sum->traces[i]->study, sum->traces[0]->study) != 0) {
            return false;
        }
    }
    return sum->traces[0]->study[0] != '\0';
}

/* Sorts the labels and removes duplicates and empty ones; returns their number. */
static size_t sort_once(const char **labels, size_t count) {
    size_t kept = 0;

    qsort(labels, count, sizeof labels[0], compare_strings);
    for (size_t i = 0; i < count; i++) {
        if (labels[i][0] != '\0' && (kept == 0 || strcmp(labels[kept - 1], labels[i]) != 0)) {
            labels[kept++] = labels[i];
        }
    }
    return kept;
}

/* Appends a name of at most LONGEST_NAME bytes, truncated between two UTF-8 characters. */
static void append_beginning(struct text *line, const char *name) {
    size_t length = strlen(name);

    if (length > LONGEST_NAME) {
        length = LONGEST_NAME;
        while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80) {
            length--;
        }
    }
    text_append(line, name, length);
    text_append_string(line, name[length] != '\0' ? "…" : "");
}

static void choices_append_names(struct text *line, const char *const *names, size_t count) {
    text_append_string(line, " (");
    for (size_t i = 0; i < count && i < NAMED; i++) {
        text_append_string(line, i > 0 ? ", " : "");
        append_beginning(line, names[i]);
    }
    if (count > NAMED) {
        text_append_format(line, " and %zu more", count - NAMED);
    }
    text_append_char(line, ')');
}

/* Appends the number and names of the traces' different devices or users. Returns false if there
 * are fewer than two. */
static bool append_labels(struct text *line, const char *before, const char **labels, size_t count,
                          const char *what) {
    size_t different = sort_once(labels, count);

    if (different < 2) {
        return false;
    }
    text_append_format(line, "%s %zu %s", before, different, what);
    choices_append_names(line, labels, different);
    return true;
}

static void choices_describe(const struct sum *sum, const char **labels, struct text *line) {
    bool devices, users, studies = false;

    if (sum->results > 1) {
        text_append_format(line, "%zu results add up %zu traces", sum->results, sum->count);
    } else {
        text_append_format(line, "the result adds up %zu traces", sum->count);
    }
    for (size_t i = 0; i < sum->count; i++) {
        labels[i] = sum->traces[i]->device;
        studies = studies || sum->traces[i]->study[0] != '\0';
    }
    devices = append_labels(line, " of", labels, sum->count, "devices");
    for (size_t i = 0; i < sum->count; i++) {
        labels[i] = sum->traces[i]->user;
    }
    users = append_labels(line, devices ? " and" : " of", labels, sum->count, "users");
    if (!devices && !users) {
        for (size_t i = 0; i < sum->count; i++) {
            labels[i] = sum->traces[i]->name;
        }
        choices_append_names(line, labels, sum->count);
    }
    text_append_format(line, "; -t TRACE%s chooses, --by-trace%s%s separates",
                       studies ? " or --study NAME" : "", devices ? " or --by device" : "",
                       users ? " or --by user" : "");
}

void choices_append_merge_description(const struct report_request *request,
                                      const struct choice *choices, size_t count,
                                      struct text *line) {
    struct sum sum = {.traces = xcalloc(count + 1, sizeof(const struct catalog_trace *))};
    const char **labels = xcalloc(count + 1, sizeof *labels);
    bool *is_taken = xcalloc(count + 1, sizeof *is_taken);

    if (!choices_is_chosen(request)) {
        for (size_t i = 0; i < count; i++) {
            if (!is_taken[i]) {
                choices_add_result(&sum, request, choices, count, is_taken, i);
            }
        }
        if (sum.count > 0 && !is_one_study(&sum)) {
            choices_describe(&sum, labels, line);
        }
    }
    free(sum.traces);
    free(labels);
    free(is_taken);
}

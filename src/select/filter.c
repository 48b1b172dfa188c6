#include "select/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/time_unit.h"

bool time_bound_parse(const char *option, const char *text, struct time_bound *bound,
                      struct error *error) {
    bool has_zone;
    int64_t offset;

    *bound = (struct time_bound){.kind = TIME_NOT_GIVEN, .plain = -1};
    if (text == NULL) {
        return true;
    }
    if (text[0] != '\0' && strspn(text, "0123456789") == strlen(text) && strlen(text) <= 18) {
        bound->plain = strtoll(text, NULL, 10);
    }
    if (clock_parse_duration(text + (text[0] == '-'), &bound->time)) {
        bound->kind = TIME_SINCE_START;
        bound->time = text[0] == '-' ? -bound->time : bound->time;
        return true;
    }
    if (bound->plain >= 0) {
        /* Beyond all seconds there are, but not beyond the units of a counter. */
        bound->kind = TIME_SINCE_START;
        bound->time = INT64_MAX;
        return true;
    }
    if (!clock_parse(text, &bound->time, &has_zone, &offset)) {
        return error_set_status(error, EXIT_USAGE,
                                "--%s needs a time such as 90, 50ms, 10m, 06:00 or "
                                "2001-03-05T10:00:00, not '%s'",
                                option, text);
    }
    bound->kind = has_zone ? TIME_WALL_CLOCK : TIME_WALL_CLOCK_LOCAL;
    bound->time -= has_zone ? offset * INT64_C(60000000000) : 0;
    return true;
}

bool filter_take_window(struct filter *filter, const char *from_option, const char *from,
                        const char *to_option, const char *to, struct error *error) {
    int64_t begin = 0, end = DAY;
    bool hour_from = from != NULL && clock_parse_time_of_day(from, &begin),
         hour_to = to != NULL && clock_parse_time_of_day(to, &end);

    filter->hours = (struct day_hours){0};
    if (!hour_from && !hour_to) {
        return time_bound_parse(from_option, from, &filter->from, error) &&
               time_bound_parse(to_option, to, &filter->to, error);
    }
    if ((!hour_from && from != NULL) || (!hour_to && to != NULL)) {
        return error_set_status(error, EXIT_USAGE,
                                "--%s %s and --%s %s: give both as hours of the day, or neither",
                                from_option, from, to_option, to);
    }
    if (begin == end) {
        return error_set_status(error, EXIT_USAGE, "--%s and --%s are the same hour of the day",
                                from_option, to_option);
    }
    filter->from = filter->to = (struct time_bound){.kind = TIME_NOT_GIVEN, .plain = -1};
    filter->hours.from = begin % DAY;
    filter->hours.length = end > begin ? end - begin : end - begin + DAY;
    return true;
}

static bool is_one_of(const char *const *names, size_t count, const char *name) {
    size_t i = 0;

    while (i < count && strcmp(names[i], name) != 0) {
        i++;
    }
    return i < count;
}

bool name_set_passes(const struct name_set *set, const char *name) {
    return (set->count == 0 || is_one_of(set->names, set->count, name)) &&
           !is_one_of(set->excluded, set->excluded_count, name);
}

const char *filter_option(enum filter_by by) {
    static const char *const options[FILTER_NAMES] = {
        [FILTER_OPERATION] = "op",      [FILTER_COMPONENT] = "component",
        [FILTER_PROCESS] = "process",   [FILTER_FILE] = "file",
        [FILTER_FILETYPE] = "filetype", [FILTER_PARTITION] = "partition",
        [FILTER_LAYER] = "layer",
    };

    return options[by];
}

bool filter_by_operation(const struct filter *filter) {
    return filter_has(filter, FILTER_OPERATION) || filter_has(filter, FILTER_COMPONENT) ||
           filter_by_layer(filter);
}

bool filter_by_layer(const struct filter *filter) {
    return filter_has(filter, FILTER_LAYER) || filter->top_layer;
}

bool filter_by_actor(const struct filter *filter) {
    return filter_has(filter, FILTER_PROCESS);
}

bool filter_by_object(const struct filter *filter) {
    return filter_has(filter, FILTER_FILE) || filter_has(filter, FILTER_FILETYPE) ||
           filter->has_device;
}

bool filter_by_part(const struct filter *filter) {
    return filter_has(filter, FILTER_FILE) || filter_has(filter, FILTER_FILETYPE) ||
           filter->evidence_out != 0;
}

bool filter_beside_time(const struct filter *filter) {
    return filter_by_operation(filter) || filter_by_actor(filter) || filter_by_object(filter) ||
           filter_has(filter, FILTER_PARTITION) || filter->classes_out != 0 ||
           filter->evidence_out != 0 || filter->under != NULL || filter->devices == DEVICES_TOP;
}

bool filter_narrows(const struct filter *filter) {
    return filter->from.kind != TIME_NOT_GIVEN || filter->to.kind != TIME_NOT_GIVEN ||
           filter->hours.length > 0 || filter_beside_time(filter);
}

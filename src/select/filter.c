#include "select/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

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
    if (clock_parse_duration(text, &bound->time)) {
        bound->kind = TIME_SINCE_START;
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
                                "--%s needs a time such as 90, 90.5s, 10m or 2001-03-05T10:00:00, "
                                "not '%s'",
                                option, text);
    }
    bound->kind = has_zone ? TIME_WALL_CLOCK : TIME_WALL_CLOCK_LOCAL;
    bound->time -= has_zone ? offset * INT64_C(60000000000) : 0;
    return true;
}

bool filter_by_operation(const struct filter *filter) {
    return filter->operation != NULL || filter->component != NULL;
}

bool filter_beside_time(const struct filter *filter) {
    return filter->process != NULL || filter->under != NULL || filter_by_operation(filter) ||
           filter->has_device;
}

bool filter_narrows(const struct filter *filter) {
    return filter->from.kind != TIME_NOT_GIVEN || filter->to.kind != TIME_NOT_GIVEN ||
           filter_beside_time(filter);
}

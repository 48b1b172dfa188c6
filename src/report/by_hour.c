#include "report/by_hour.h"

#include <stdlib.h>

#include "base/time_unit.h"
#include "select/window.h"
#include "base/memory.h"

enum { HOURS = 24 };

static struct day_hours hours_of(unsigned hour) {
    return (struct day_hours){.from = hour * HOUR, .length = HOUR};
}

struct day_hours choice_hours(const struct choice *choice) {
    return hours_of(choice->hour);
}

static bool add_hour(const struct filter *filter, const struct choice *choice, unsigned hour,
                     struct choice *hours, size_t *count, struct error *error) {
    struct filter part = *filter;
    struct window window;

    part.hours = hours_of(hour);
    if (!window_times(choice->trace, &part, &window, error)) {
        return false;
    }
    if (window.from < window.to) {
        hours[*count] = *choice;
        hours[(*count)++].hour = hour;
    }
    return true;
}

bool choices_by_hour(const struct filter *filter, struct choice **choices, size_t *count,
                     struct error *error) {
    struct choice *hours = xcalloc(*count * HOURS + 1, sizeof *hours);
    size_t found = 0;
    bool done = true;

    for (size_t i = 0; done && i < *count; i++) {
        const struct catalog_trace *trace = (*choices)[i].trace;

        done =
            (catalog_real_clock(trace) && catalog_hours_of_day(trace)) ||
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

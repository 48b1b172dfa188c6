/* What chooses events out of traces, and nothing else. */
#ifndef TRACETOOL_FILTER_H
#define TRACETOOL_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum time_bound_kind { TIME_NOT_GIVEN, TIME_SINCE_START, TIME_WALL_CLOCK, TIME_WALL_CLOCK_LOCAL };

/* --from or --to. */
struct time_bound {
    enum time_bound_kind kind;
    /* Nanoseconds since the start, since 1970 UTC, or since 1970 in the device's own time. */
    int64_t time;
    /* The number, when it is a whole one without a unit; else -1: units of a trace's own clock. */
    int64_t plain;
};

/* Reads a bound such as 90, 90.5s, 10m or 2001-03-05T10:00:00; NULL: not given. `option` is what
 * it was given to, for the message. */
bool time_bound_parse(const char *option, const char *text, struct time_bound *bound,
                      struct error *error);

/* Zeroed: everything. Strings are borrowed; NULL: all. */
struct filter {
    struct time_bound from, to; /* to is exclusive */
    const char *process;
    const char *operation;
    const char *under;     /* spans: only calls of this function and what they call */
    const char *component; /* spans: only functions of this component or class */
    const char *action;    /* block I/O: count this one; NULL: the completed ones */
    bool has_device;       /* block I/O: only of `device` */
    int64_t device;        /* device_number() */
};

/* Whether the filter leaves any event of a trace out. Which action of block I/O is counted leaves
 * none out: that is a dimension of the rollups. */
bool filter_narrows(const struct filter *filter);

/* Whether the filter chooses by operation. */
bool filter_by_operation(const struct filter *filter);

/* Whether it leaves events out by anything but their time. */
bool filter_beside_time(const struct filter *filter);

#endif

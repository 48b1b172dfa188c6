/* What chooses events out of traces, and nothing else. */
#ifndef TRACETOOL_FILTER_H
#define TRACETOOL_FILTER_H

#include <stdbool.h>
#include <stddef.h>
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

/* Hours of the day, by the clock of the device: of every day the events from `from` on, so long. */
struct day_hours {
    int64_t from, length; /* nanoseconds: since midnight; up to a day, 0: all hours */
};

struct filter;

/* Reads --from and --to into the filter, NULL where they are not given: both as time_bound_parse()
 * takes them, or both as hours of the day, 06:00 or 02:00:30. Of these one alone is from then to
 * midnight, or from midnight to then; where `from` is later than `to`, midnight lies between. The
 * options are called from_option and to_option. */
bool filter_take_window(struct filter *filter, const char *from_option, const char *from,
                        const char *to_option, const char *to, struct error *error);

/* Names of which something must have one, and names of which it may have none. Zeroed: all pass.
 * Borrowed. */
struct name_set {
    const char *const *names;
    size_t count;
    const char *const *excluded;
    size_t excluded_count;
};

/* Whether it chooses anything. */
static inline bool name_set_given(const struct name_set *set) {
    return set->count > 0 || set->excluded_count > 0;
}

/* Whether a name, which is compared byte by byte, passes. */
bool name_set_passes(const struct name_set *set, const char *name);

/* What events are chosen by, by name: --op and --not-op, … */
enum filter_by {
    FILTER_OPERATION,
    FILTER_COMPONENT, /* spans: of functions */
    FILTER_PROCESS,
    FILTER_FILE,
    FILTER_FILETYPE,  /* block I/O, as is the next; an empty name: that of what has none */
    FILTER_PARTITION, /* the first of the trace's that holds the I/O */
    FILTER_LAYER,     /* calls: name.kind of the operation; none are excluded */
};
#define FILTER_NAMES 7

/* Block I/O: of which devices, where none is named (stacked.h). */
enum filter_devices {
    DEVICES_ALL,     /* nothing is said of them */
    DEVICES_ADDED,   /* all; a line says so */
    DEVICES_ISSUING, /* likewise: of those over others none issues */
    DEVICES_TOP,     /* without requests that are of a device above */
};

/* Zeroed: everything. Strings are borrowed; NULL: all. An event has to pass all that is given. */
struct filter {
    struct time_bound from, to; /* to is exclusive */
    struct day_hours hours;
    struct name_set names[FILTER_NAMES];
    unsigned classes_out;  /* block I/O: bit set of enum io_class, those that do not pass */
    unsigned evidence_out; /* block I/O: bit set of enum io_evidence, likewise */
    bool top_layer;        /* calls: of each trace only its top layers (layer.h) */
    /* Times of calls are not cut at the ends of the window, and callers that are not chosen are
     * left out. */
    bool whole_calls;
    const char *under;  /* spans: only calls of this function and what they call */
    const char *action; /* block I/O: count this one; NULL: the completed ones */
    enum filter_devices devices;
    bool has_device; /* block I/O: only of `device` */
    int64_t device;  /* device_number() */
};

/* Whether its window cuts the times of calls. */
static inline bool filter_cuts_calls(const struct filter *filter) {
    return !filter->whole_calls && (filter->from.kind != TIME_NOT_GIVEN ||
                                    filter->to.kind != TIME_NOT_GIVEN || filter->hours.length > 0);
}

/* The name of the option, without -- and without not-. */
const char *filter_option(enum filter_by by);

/* Whether the filter chooses by any of these. */
static inline bool filter_has(const struct filter *filter, enum filter_by by) {
    return name_set_given(&filter->names[by]);
}

/* Whether the filter leaves any event of a trace out. Which action of block I/O is counted leaves
 * none out: that is a dimension of the rollups. */
bool filter_narrows(const struct filter *filter);

/* Whether the filter chooses by what an event refers to: its operation, its actor, its object. */
bool filter_by_operation(const struct filter *filter);
bool filter_by_layer(const struct filter *filter); /* which is by operation, too */
bool filter_by_actor(const struct filter *filter);
bool filter_by_object(const struct filter *filter);

/* Whether the filter chooses by what differs between the parts of an I/O on several files: their
 * files, the types of these and the evidence. Then each part passes by itself. */
bool filter_by_part(const struct filter *filter);

/* Whether it leaves events out by anything but their time. */
bool filter_beside_time(const struct filter *filter);

#endif

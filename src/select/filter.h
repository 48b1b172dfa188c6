/* What chooses events out of traces, and nothing else. */
#ifndef TRACETOOL_FILTER_H
#define TRACETOOL_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "model/event.h"
#include "select/filters.h"
#include "store/catalog.h"

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

/* What events are chosen by, by name: FILTER_OPERATION of --op and --not-op, … */
enum filter_by {
#define X(NAME, TABLE, missing, matches, text) FILTER_##NAME,
    FILTER_NAMES_OF(X)
#undef X
        FILTER_NAMES,
};

/* What their names are names of: rows of a table that events refer to, or else. */
enum filter_table {
    FILTER_BY_OPERATION,
    FILTER_BY_ACTOR,
    FILTER_BY_OBJECT,
    FILTER_BY_LAYER, /* kinds of operations */
    FILTER_BY_PLACE, /* the first partition of the trace that holds the I/O */
};

struct filter_name_row {
    enum filter_table table;
    const char *missing, *matches; /* as in filters.h, patterns included */
    const char *text;              /* likewise */
};

extern const struct filter_name_row filter_names[FILTER_NAMES];

/* What numbers are chosen by: FILTER_SIZE, FILTER_DURATION. */
enum filter_quantity {
#define X(NAME, COLUMN, unit) FILTER_##NAME,
    FILTER_QUANTITIES_OF(X)
#undef X
        FILTER_QUANTITIES,
};

struct filter_quantity_row {
    enum event_place column;
    const char *unit; /* NULL: that of the trace's clock */
};

extern const struct filter_quantity_row filter_quantities[FILTER_QUANTITIES];

struct filter_bound {
    bool given;
    int64_t value; /* of times: nanoseconds */
    int64_t plain; /* of times: units of a clock that counts no nanoseconds; -1: it had a unit */
};

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
    uint32_t given; /* bit set of enum filter_option, for filter_check() */
    struct name_set names[FILTER_NAMES];
    struct {
        struct filter_bound least, most;
    } ranges[FILTER_QUANTITIES];
    bool failed; /* only what failed */
    /* Block I/O: bit sets of the numbers that do not pass, as of enum io_class. */
    unsigned words_out[FILTER_WORDS];
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

/* Whether it chooses by numbers of the event itself, or by whether that failed. */
bool filter_by_value(const struct filter *filter);

/* Whether the filter chooses by what differs between the parts of an I/O on several files: their
 * files, the types of these, block types and the evidence. Then each part passes by itself. */
bool filter_by_part(const struct filter *filter);

/* Whether it leaves events out by anything but their time. */
bool filter_beside_time(const struct filter *filter);

/* --- the options ------------------------------------------------------------------------------ */

enum filter_option {
#define X(ID, ...) FILTER_OPTION_##ID,
    FILTERS(X)
#undef X
        FILTER_OPTIONS,
};

/* The name of the option that chooses by names, or that excludes by them, without its dashes. */
const char *filter_option_by(enum filter_by by, bool excludes);

/* Takes what the option was given: `count` arguments, at least 1 where it has some. */
bool filter_take(struct filter *filter, enum filter_option option, const char *const *arguments,
                 size_t count, struct error *error);

/* Whether a trace can be chosen from by all options that were taken: it is of a kind that these are
 * for, and has the columns. */
bool filter_check(const struct filter *filter, const struct catalog_trace *trace,
                  struct error *error);

/* True if a filter limits the quantity, to `least` up to `most`. An event without a value for it
 * does not pass then. */
bool filter_bounds(const struct filter *filter, enum filter_quantity quantity,
                   const struct catalog_trace *trace, int64_t *least, int64_t *most);

/* Whether a value below 0 says that an event of the trace failed; an error always does. */
bool filter_value_fails(const struct catalog_trace *trace);

/* Appends what a trace's events must have in columns of `event`: conditions that SQLite and
 * ClickHouse read alike, each beginning with AND. `duration` stands for that column. */
void filter_append_values(const struct filter *filter, const struct catalog_trace *trace,
                          const char *duration, struct text *sql);

#endif

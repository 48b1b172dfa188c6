/* Filter: conditions on events of traces. */
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

/* Value of --from or --to. */
struct time_bound {
    enum time_bound_kind kind;
    /* Nanoseconds since the start, since 1970 UTC, or since 1970 in the device's local time. */
    int64_t time;
    /* A whole number without a unit, in units of the trace's clock; otherwise -1. */
    int64_t plain;
};

/* Parses a bound such as 90, 90.5s, 10m or 2001-03-05T10:00:00; NULL: not given. `option` is its
 * name, for messages. */
bool time_bound_parse(const char *option, const char *text, struct time_bound *bound,
                      struct error *error);

/* Hours of each day, on the device's clock: `length` from `from` on. */
struct day_hours {
    int64_t from, length; /* nanoseconds: since midnight; at most a day, 0: all hours */
};

struct filter;

/* Parses --from and --to into the filter; NULL: not given. Both are bounds as in
 * time_bound_parse(), or both are times of day, 06:00 or 02:00:30. A single time of day extends to
 * midnight, or from midnight. If `from` is later than `to`, the range includes midnight. The
 * options' names are from_option and to_option. */
bool filter_take_window(struct filter *filter, const char *from_option, const char *from,
                        const char *to_option, const char *to, struct error *error);

/* Accepted names, and excluded names. Accepts all when zeroed. Borrowed. */
struct name_set {
    const char *const *names;
    size_t count;
    const char *const *excluded;
    size_t excluded_count;
};

/* Whether the set restricts anything. */
static inline bool name_set_given(const struct name_set *set) {
    return set->count > 0 || set->excluded_count > 0;
}

/* Whether a name, compared byte by byte, passes. */
bool name_set_passes(const struct name_set *set, const char *name);

/* Conditions by name: FILTER_OPERATION for --op and --not-op, … */
enum filter_by {
#define X(NAME, TABLE, missing, matches, text) FILTER_##NAME,
    FILTER_NAMES_OF(X)
#undef X
        FILTER_NAMES,
};

/* What the names refer to: rows of a table referenced by events, or other data. */
enum filter_table {
    FILTER_BY_OPERATION,
    FILTER_BY_ACTOR,
    FILTER_BY_OBJECT,
    FILTER_BY_LAYER, /* by layer: the kind of operations */
    FILTER_BY_PLACE, /* first partition of the trace that contains the I/O */
};

struct filter_name_row {
    enum filter_table table;
    const char *missing, *matches; /* as in filters.h, for names and patterns */
    const char *text;              /* text of the condition, as in filters.h */
};

extern const struct filter_name_row filter_names[FILTER_NAMES];

/* Conditions on numbers: FILTER_SIZE, FILTER_DURATION. */
enum filter_quantity {
#define X(NAME, COLUMN, unit) FILTER_##NAME,
    FILTER_QUANTITIES_OF(X)
#undef X
        FILTER_QUANTITIES,
};

struct filter_quantity_row {
    enum event_place column;
    const char *unit; /* NULL: unit of the trace's clock */
};

extern const struct filter_quantity_row filter_quantities[FILTER_QUANTITIES];

struct filter_bound {
    bool given;
    int64_t value; /* times: nanoseconds */
    int64_t plain; /* times: units of a clock without nanoseconds; -1: it has a unit */
};

/* Block I/O: devices to include if none is named (selection.h). */
enum filter_devices {
    DEVICES_ALL,     /* all devices, without a note about them */
    DEVICES_ADDED,   /* all devices, with a note that they are added up */
    DEVICES_ISSUING, /* all, with a note; stacked devices issue no requests */
    DEVICES_TOP,     /* all but requests that belong to a device above */
};

/* Accepts everything when zeroed. Strings are borrowed; NULL: all. An event must satisfy all
 * conditions. */
struct filter {
    struct time_bound from, to; /* `to` is exclusive */
    struct day_hours hours;
    uint32_t given; /* bit set of enum filter_option, for filter_check() */
    struct name_set names[FILTER_NAMES];
    struct {
        struct filter_bound least, most;
    } ranges[FILTER_QUANTITIES];
    bool failed; /* true: only calls and I/Os that failed */
    /* Block I/O: bit sets of excluded numbers, such as those of enum io_class. */
    unsigned words_out[FILTER_WORDS];
    unsigned evidence_out; /* block I/O: bit set of excluded values of enum io_evidence */
    bool top_layer;        /* calls: only the top layers of each trace (layer.h) */
    /* Does not cut call times at the ends of the window, and omits callers that are not selected.
     */
    bool whole_calls;
    const char *under;  /* spans: only calls of this function and their callees */
    const char *action; /* block I/O: action to count; NULL: completions */
    enum filter_devices devices;
    bool has_device;         /* block I/O: only on this device */
    const char *device_name; /* name of the device in the log */
    int64_t device;          /* if no device has the name: device_number(); EVENT_NONE: none */
};

/* Whether the filter's window cuts call times. */
static inline bool filter_cuts_calls(const struct filter *filter) {
    return !filter->whole_calls && (filter->from.kind != TIME_NOT_GIVEN ||
                                    filter->to.kind != TIME_NOT_GIVEN || filter->hours.length > 0);
}

/* Whether the filter has conditions by these names. */
static inline bool filter_has(const struct filter *filter, enum filter_by by) {
    return name_set_given(&filter->names[by]);
}

/* Whether the filter can exclude events of a trace. The action to count (--at) excludes none:
 * rollups have it as a dimension. */
bool filter_narrows(const struct filter *filter);

/* Whether the filter has conditions on an event's references: operation, actor, object. */
bool filter_by_operation(const struct filter *filter);
bool filter_by_layer(const struct filter *filter); /* implies filter_by_operation() */
bool filter_by_actor(const struct filter *filter);
bool filter_by_object(const struct filter *filter);

/* Whether the filter has conditions on numbers of the event, or on failure. */
bool filter_by_value(const struct filter *filter);

/* Whether the filter has conditions that differ between the parts of an I/O on several files: file,
 * file type, block type or evidence. Then each part is tested separately. */
bool filter_by_part(const struct filter *filter);

/* Whether the filter has conditions other than time. */
bool filter_beside_time(const struct filter *filter);

/* --- options ---------------------------------------------------------------------------------- */

enum filter_option {
#define X(ID, ...) FILTER_OPTION_##ID,
    FILTERS(X)
#undef X
        FILTER_OPTIONS,
};

/* Returns the option's name, without dashes, for accepting or excluding by these names. */
const char *filter_option_by(enum filter_by by, bool excludes);

/* Adds an option with its `count` arguments, at least 1 if it takes any. */
bool filter_take(struct filter *filter, enum filter_option option, const char *const *arguments,
                 size_t count, struct error *error);

/* Whether all given options apply to a trace: its kind and its columns allow them. */
bool filter_check(const struct filter *filter, const struct catalog_trace *trace,
                  struct error *error);

/* Whether the filter limits the quantity, and to what range. An event without a value then fails.
 */
bool filter_bounds(const struct filter *filter, enum filter_quantity quantity,
                   const struct catalog_trace *trace, int64_t *least, int64_t *most);

/* Whether a negative value means failure in the trace; an error always does. */
bool filter_value_fails(const struct catalog_trace *trace);

/* Appends the conditions on columns of `event` for a trace, each beginning with AND, in SQL for
 * both SQLite and ClickHouse. `duration` is the expression for that column. */
void filter_append_values(const struct filter *filter, const struct catalog_trace *trace,
                          const char *duration, struct text *sql);

#endif

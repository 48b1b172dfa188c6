/* Filter: conditions that events of traces must meet. */
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

/* The value of --from or --to. */
struct time_bound {
    enum time_bound_kind kind;
    /* Nanoseconds since the start, since 1970 UTC, or since 1970 in the device's local time. */
    int64_t time;
    /* The same without a unit, as a whole number in units of the trace's clock; else -1. */
    int64_t plain;
};

/* Parses a bound such as 90, 90.5s, 10m or 2001-03-05T10:00:00; NULL: it was not given. `option` is
 * the option's name, for messages. */
bool time_bound_parse(const char *option, const char *text, struct time_bound *bound,
                      struct error *error);

/* Hours of each day by the device's clock: they begin at `from` and last `length`. */
struct day_hours {
    /* In nanoseconds; `from` since midnight, `length` at most a day; 0: all hours. */
    int64_t from, length;
};

struct filter;

/* Parses the values of --from and --to into the filter; NULL: not given. Both are bounds as in
 * time_bound_parse(), or both are times of day, 06:00 or 02:00:30. A single time of day extends to
 * midnight, or from midnight. If `from` is later than `to`, the range includes midnight. The
 * options' names are from_option and to_option. */
bool filter_take_window(struct filter *filter, const char *from_option, const char *from,
                        const char *to_option, const char *to, struct error *error);

/* A condition on names: accepted and excluded ones. Zeroed: all are accepted. Borrowed. */
struct name_set {
    const char *const *names;
    size_t count;
    const char *const *excluded;
    size_t excluded_count;
};

/* Returns whether the condition excludes any name. */
static inline bool name_set_excludes_any(const struct name_set *set) {
    return set->count > 0 || set->excluded_count > 0;
}

/* Returns whether a name meets the condition; names are compared byte by byte. */
bool name_set_passes(const struct name_set *set, const char *name);

/* Conditions on names, one for each pair of options: FILTER_OPERATION for --op and --not-op, …. */
enum filter_by {
#define X(NAME, TABLE, missing, matches, text) FILTER_##NAME,
    FILTER_NAMES_OF(X)
#undef X
        FILTER_NAMES,
};

/* To what the names in a condition refer: rows of a table that events point to, or other data. */
enum filter_table {
    FILTER_BY_OPERATION,
    FILTER_BY_ACTOR,
    FILTER_BY_OBJECT,
    FILTER_BY_LAYER, /* layers: the kinds of operations, name.kind */
    FILTER_BY_PLACE, /* partitions: the first of the trace that contains the I/O */
};

struct filter_name_row {
    enum filter_table table;
    const char *missing, *matches; /* SQL and messages, as in filters.h */
    const char *text; /* SQL of the text that patterns are compared with, as in filters.h */
};

extern const struct filter_name_row filter_names[FILTER_NAMES];

/* Numbers of events that options can limit: FILTER_SIZE, FILTER_DURATION. */
enum filter_quantity {
#define X(NAME, COLUMN, unit) FILTER_##NAME,
    FILTER_QUANTITIES_OF(X)
#undef X
        FILTER_QUANTITIES,
};

struct filter_quantity_row {
    enum event_place column;
    const char *unit; /* unit of the number; NULL: unit of the trace's clock */
};

extern const struct filter_quantity_row filter_quantities[FILTER_QUANTITIES];

struct filter_bound {
    bool given;
    int64_t value; /* the bound; for a time: in nanoseconds */
    /* For a time: in units of a clock without nanoseconds; -1: it was given with a unit. */
    int64_t plain;
};

/* Which devices of a log of block I/O count if the filter names none (selection.h). */
enum filter_devices {
    DEVICES_ALL,     /* all devices, without a note about them */
    DEVICES_ADDED,   /* all devices, with a note that they are added up */
    DEVICES_ISSUING, /* all, with a note; stacked devices issue no requests */
    DEVICES_TOP,     /* all requests, except those that belong to a request of a device above */
};

/* A filter: an event passes if it meets all conditions. Zeroed: all events pass. Strings are
 * borrowed; NULL: no condition. */
struct filter {
    struct time_bound from, to; /* `to` is exclusive */
    struct day_hours hours;
    uint32_t given; /* options that were given: bit set of enum filter_option, for filter_check() */
    struct name_set names[FILTER_NAMES];
    struct {
        struct filter_bound least, most;
    } ranges[FILTER_QUANTITIES];
    bool failed; /* true: only calls and I/Os that failed pass */
    /* For block I/O: bit sets of excluded numbers, such as those of enum io_class. */
    unsigned words_out[FILTER_WORDS];
    unsigned evidence_out; /* for block I/O: bit set of excluded values of enum io_evidence */
    bool top_layer; /* for calls: only those of the top layers of each trace pass (layer.h) */
    /* Durations of calls are not cut at the ends of the time window, and callers that are not
     * selected are left out. */
    bool whole_calls;
    const char *under;  /* for spans: only calls of this function, and those inside them, pass */
    const char *action; /* for block I/O: the action that counts; NULL: completions */
    enum filter_devices devices;
    bool has_device;         /* for block I/O: true: only I/Os of one device pass */
    const char *device_name; /* name of that device in the log */
    int64_t device;          /* its device_number() if no device has the name; EVENT_NONE: none */
};

/* Returns whether the filter's time window cuts durations of calls. */
static inline bool filter_cuts_calls(const struct filter *filter) {
    return !filter->whole_calls && (filter->from.kind != TIME_NOT_GIVEN ||
                                    filter->to.kind != TIME_NOT_GIVEN || filter->hours.length > 0);
}

/* Returns whether the filter has a condition on these names. */
static inline bool filter_has(const struct filter *filter, enum filter_by by) {
    return name_set_excludes_any(&filter->names[by]);
}

/* Returns whether the filter can exclude events of a trace. The action that counts (--action)
 * excludes none: rollups distinguish actions. */
bool filter_can_exclude(const struct filter *filter);

/* Return whether the filter has conditions on what an event refers to: operation, layer, …. */
bool filter_by_operation(const struct filter *filter);
bool filter_by_layer(const struct filter *filter); /* if true, so is filter_by_operation() */
bool filter_by_actor(const struct filter *filter);
bool filter_by_object(const struct filter *filter);

/* Returns whether the filter has conditions on numbers of an event, or on failure. */
bool filter_by_value(const struct filter *filter);

/* Returns whether the filter has conditions that parts of an I/O on several files meet separately:
 * on file, file type, block type or evidence. */
bool filter_limits_parts(const struct filter *filter);

/* Returns whether the filter has conditions other than on time. */
bool filter_not_only_time(const struct filter *filter);

/* --- options of the filter -------------------------------------------------------------------- */

enum filter_option {
#define X(ID, ...) FILTER_OPTION_##ID,
    FILTERS(X)
#undef X
        FILTER_OPTIONS,
};

/* Returns the name, without dashes, of the option that accepts names, or `excludes` them. */
const char *filter_option_name(enum filter_by by, bool excludes);

/* Adds the condition of an option with `count` arguments, at least 1 if it takes any. */
bool filter_add_option(struct filter *filter, enum filter_option option,
                       const char *const *arguments, size_t count, struct error *error);

/* Returns whether all given options apply to a trace, by kind and columns; sets an error if not. */
bool filter_check(const struct filter *filter, const struct catalog_trace *trace,
                  struct error *error);

/* Returns whether the filter limits a number of events, and to what range. An event without that
 * number does not pass. */
bool filter_bounds(const struct filter *filter, enum filter_quantity quantity,
                   const struct catalog_trace *trace, int64_t *least, int64_t *most);

/* Returns whether a negative `value` means failure in the trace; an error always does. */
bool filter_value_fails(const struct catalog_trace *trace);

/* Appends the conditions on columns of `event` for a trace, each beginning with AND, in SQL for
 * both SQLite and ClickHouse. `duration` is the SQL expression for the duration. */
void filter_append_values(const struct filter *filter, const struct catalog_trace *trace,
                          const char *duration, struct text *sql);

#endif

/* Filter: conditions that the events of a trace must meet. */
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
    /* In ns, by `kind`: since the trace's start, since 1970 UTC, or since 1970 in local time. */
    int64_t time;
    /* If given as a whole number without a unit: the number, in the clock's units; else -1. */
    int64_t plain;
};

/* Parses a bound such as 90, 90.5s, 10m or 2001-03-05T10:00:00; NULL: not given. `option` is the
 * option's name, for messages. */
bool time_bound_parse(const char *option, const char *text, struct time_bound *bound,
                      struct error *error);

/* Hours of each day, by the device's local time: from `from` for `length`. */
struct day_hours {
    /* In ns: `from` since midnight; `length` is at most a day; 0: no restriction. */
    int64_t from, length;
};

struct filter;

/* Sets the filter's time window from the values of --from and --to; NULL: not given. Both must be
 * bounds as in time_bound_parse(), or both times of day: 06:00 or 02:00:30. A single time of day
 * extends to midnight, or from midnight. If `from` is later than `to`, the range includes midnight.
 * from_option and to_option are the options' names, for messages. */
bool filter_take_window(struct filter *filter, const char *from_option, const char *from,
                        const char *to_option, const char *to, struct error *error);

/* A condition on names: accepted names (none: all) and excluded names. Pointers are borrowed. */
struct name_set {
    const char *const *names;
    size_t count;
    const char *const *excluded;
    size_t excluded_count;
};

/* Returns whether the condition restricts names; false: every name passes. */
static inline bool name_set_excludes_any(const struct name_set *set) {
    return set->count > 0 || set->excluded_count > 0;
}

/* Returns whether a name meets the condition. The comparison is byte by byte. */
bool name_set_passes(const struct name_set *set, const char *name);

/* Conditions on names, one per pair of options: FILTER_OPERATION for --op and --not-op, …. */
enum filter_by {
#define X(NAME, TABLE, missing, matches, text) FILTER_##NAME,
    FILTER_NAMES_OF(X)
#undef X
        FILTER_NAMES,
};

/* Which names a condition is about: those of rows that events refer to (operations, actors,
 * objects), or names of layers or partitions. */
enum filter_table {
    FILTER_BY_OPERATION,
    FILTER_BY_ACTOR,
    FILTER_BY_OBJECT,
    FILTER_BY_LAYER, /* a call's layer: the name.kind of its operation */
    FILTER_BY_PLACE, /* partitions: the trace's first partition that contains the I/O's sectors */
};

struct filter_name_row {
    enum filter_table table;
    const char *missing, *matches; /* columns `missing` and `matches` of FILTER_NAMES_OF */
    const char *text;              /* column `text` of FILTER_NAMES_OF */
};

extern const struct filter_name_row filter_names[FILTER_NAMES];

/* Numbers of an event that options can limit: FILTER_SIZE, FILTER_DURATION. */
enum filter_quantity {
#define X(NAME, COLUMN, unit) FILTER_##NAME,
    FILTER_QUANTITIES_OF(X)
#undef X
        FILTER_QUANTITIES,
};

struct filter_quantity_row {
    enum event_place column;
    const char *unit; /* unit of the number; NULL: that of the trace's clock */
};

extern const struct filter_quantity_row filter_quantities[FILTER_QUANTITIES];

struct filter_bound {
    bool given;
    int64_t value; /* the bound; in ns if it is a time */
    /* A time given as a whole number without a unit: that number, in the clock's units; else -1. */
    int64_t plain;
};

/* Which devices of a block I/O trace are counted if the filter names none (selection.h). */
enum filter_devices {
    DEVICES_ALL,   /* all devices; adds no note */
    DEVICES_ADDED, /* all devices; a note says that their I/Os are added up */
    /* Excludes stacked devices, if they have no issues (D) in their log; else as DEVICES_TOP. */
    DEVICES_ISSUING,
    DEVICES_TOP, /* excludes requests that belong to a request of a stacked device above */
};

/* A filter: an event passes if it meets all conditions. Zeroed: all events pass. Strings are
 * borrowed; a NULL string is no condition. */
struct filter {
    struct time_bound from, to; /* time window; `to` is exclusive */
    struct day_hours hours;
    uint32_t given; /* bit set of enum filter_option: the options given, for filter_check() */
    struct name_set names[FILTER_NAMES];
    struct {
        struct filter_bound least, most;
    } ranges[FILTER_QUANTITIES];
    bool failed; /* true: only failed calls and I/Os pass */
    /* block I/O: bit sets of excluded values, of enum io_class and enum io_block_type */
    unsigned words_out[FILTER_WORDS];
    unsigned evidence_out; /* block I/O: bit set of excluded values of enum io_evidence */
    bool top_layer;        /* calls: only the topmost layers of each trace pass (layer.h) */
    /* True: calls count with their whole duration even if the time window cuts it, and calls
     * outside the selection are not needed as callers. */
    bool whole_calls;
    const char *under;  /* spans: only calls of this function, and calls inside them, pass */
    const char *action; /* block I/O: the action to count; NULL: the last stage, mostly C */
    enum filter_devices devices;
    bool has_device;         /* block I/O: true if only I/Os on this device pass (next members) */
    const char *device_name; /* name of the device in the log, as given */
    int64_t device; /* the device's device_number(), or EVENT_NONE if only its name is given */
};

/* Returns whether the filter has a time window, and time of calls outside of it is not counted. */
static inline bool filter_clips_calls(const struct filter *filter) {
    return !filter->whole_calls && (filter->from.kind != TIME_NOT_GIVEN ||
                                    filter->to.kind != TIME_NOT_GIVEN || filter->hours.length > 0);
}

/* Returns whether the filter has a condition on names of this type. */
static inline bool filter_has(const struct filter *filter, enum filter_by by) {
    return name_set_excludes_any(&filter->names[by]);
}

/* Returns whether the filter has a condition that excludes events. --action is not counted as one,
 * as rollups (stored counts) have all actions. */
bool filter_can_exclude(const struct filter *filter);

/* Return whether the filter has conditions on an event's operation, layer, actor (process, thread)
 * or object (file, device). */
bool filter_by_operation(const struct filter *filter);
bool filter_by_layer(const struct filter *filter); /* implies filter_by_operation() */
bool filter_by_actor(const struct filter *filter);
bool filter_by_object(const struct filter *filter);

/* Returns what column flags must mean in a trace (meaning.h) if the filter excludes its requests
 * that belong to a request of a stacked device above; "": excludes none. */
const char *filter_lower_devices(const struct filter *filter);

/* Returns whether the filter has conditions on the size or duration of an event, or on failure. */
bool filter_by_value(const struct filter *filter);

/* Returns whether the filter has conditions that are tested for each file of an I/O on several
 * files: on file, file type, block type or evidence. */
bool filter_applies_per_file(const struct filter *filter);

/* Returns whether the filter has conditions other than on time. */
bool filter_has_conditions_besides_time(const struct filter *filter);

/* --- options of the filter -------------------------------------------------------------------- */

enum filter_option {
#define X(ID, ...) FILTER_OPTION_##ID,
    FILTERS(X)
#undef X
        FILTER_OPTIONS,
};

/* Returns the option (no dashes) that accepts or, if `excludes`, excludes names of this type. */
const char *filter_option_name(enum filter_by by, bool excludes);

/* Adds an option to the filter, with its `count` arguments: at least 1 if it takes any. */
bool filter_add_option(struct filter *filter, enum filter_option option,
                       const char *const *arguments, size_t count, struct error *error);

/* Returns whether all given options suit the trace's kind and columns; sets an error if not. */
bool filter_check(const struct filter *filter, const struct catalog_trace *trace,
                  struct error *error);

/* Returns whether the filter limits this number of an event; sets `*least` and `*most`, both
 * inclusive. Events without the number do not pass. */
bool filter_bounds(const struct filter *filter, enum filter_quantity quantity,
                   const struct catalog_trace *trace, int64_t *least, int64_t *most);

/* Returns whether in this trace a negative `value` of an event means failure. If an event has an
 * `error`, it always failed. */
bool filter_negative_means_error(const struct catalog_trace *trace);

/* Appends SQL conditions on the columns of `event`, each beginning with AND, valid in SQLite and
 * ClickHouse. `duration` is the SQL expression for the duration. */
void filter_append_values(const struct filter *filter, const struct catalog_trace *trace,
                          const char *duration, struct text *sql);

#endif

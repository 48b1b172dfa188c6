#include "select/window.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/saturate.h"
#include "base/time_unit.h"

/* Finds the id of the first event at or after `time`; last_event + 1: none. Ids ascend with time.
 * If only some events were fetched from a store, the id found is the one after the last fetched
 * event before `time`; all fetched events from there on are at or after `time`. */
static bool first_not_before(struct database *database, const struct catalog_trace *trace,
                             int64_t time, int64_t *id, struct error *error) {
    int64_t low = trace->first_event, high = trace->last_event + 1;

    while (low < high) {
        int64_t middle = low + (high - low) / 2, at;

        if (!database_query_integer(database,
                                    "SELECT time FROM event WHERE id >= ?1 ORDER BY id LIMIT 1",
                                    middle, INT64_MAX, &at, error)) {
            return false;
        }
        if (at < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *id = low;
    return true;
}

static bool window_find_bound(const struct catalog_trace *trace, const struct time_bound *bound,
                              int64_t *time, struct error *error) {
    int64_t offset = trace->utc_offset == EVENT_NONE ? 0 : trace->utc_offset;

    if (bound->kind == TIME_NOT_GIVEN) {
        return true;
    }
    *time = bound->time;
    if (!catalog_has_real_clock(trace)) {
        *time = bound->plain;
        return bound->plain >= 0 || error_set(error,
                                              "trace %s counts time in %s: give --from and --to as "
                                              "whole numbers of these units",
                                              trace->name, trace->clock_unit);
    }
    if (bound->kind == TIME_SINCE_START) {
        return true;
    }
    if (trace->start == EVENT_NONE) {
        return error_set(error,
                         "trace %s has no wall clock: give times since its start (90, 90.5s, 10m), "
                         "or import it with --start",
                         trace->name);
    }
    *time = difference_saturated(*time, trace->start);
    if (bound->kind == TIME_WALL_CLOCK_LOCAL) {
        *time = difference_saturated(*time, product_saturated(offset, INT64_C(60000000000)));
    }
    return true;
}

/* --- the selected hours of each day ----------------------------------------------------------- */

__extension__ typedef __int128 wide;

/* Returns when a day's selected hours begin, in trace time; day 0 is that of the clock's origin. */
static wide day_begin(const struct catalog_trace *trace, const struct day_hours *hours, wide day) {
    return day * DAY + hours->from - catalog_hour_origin(trace);
}

/* Returns the first day whose selected hours end after `time`. */
static wide day_from(const struct catalog_trace *trace, const struct day_hours *hours, wide time) {
    return DIVIDE_DOWN(time - day_begin(trace, hours, 0) - hours->length, DAY) + 1;
}

static int64_t later_time(int64_t time, wide other) {
    return other > time ? (int64_t)other : time;
}

static int64_t earlier_time(int64_t time, wide other) {
    return other < time ? (int64_t)other : time;
}

/* Restricts a window to the time from the begin of the selected hours on the trace's first day to
 * their end on its last day. */
static bool narrow_to_hours(const struct catalog_trace *trace, const struct day_hours *hours,
                            struct window *window, struct error *error) {
    int64_t first = trace->first_time, last = trace->last_time;
    wide begin, end;

    if (!catalog_has_real_clock(trace) || !catalog_has_hours_of_day(trace)) {
        return error_set(error,
                         "trace %s has no time of day: give times since its start (90, 90.5s, "
                         "10m), or import it with --start",
                         trace->name);
    }
    first = first > window->from ? first : window->from;
    last = last < window->to ? last : subtract_saturated(window->to, 1);
    begin = day_from(trace, hours, first);
    end = DIVIDE_DOWN(last - day_begin(trace, hours, 0), DAY);
    if (first > last || begin > end) {
        window->to = window->from = first;
        return true;
    }
    window->from = later_time(window->from, day_begin(trace, hours, begin));
    window->to = earlier_time(window->to, day_begin(trace, hours, end) + hours->length);
    window->several = end > begin && hours->length < DAY;
    return true;
}

bool window_times(const struct catalog_trace *trace, const struct filter *filter,
                  struct window *window, struct error *error) {
    *window = (struct window){.from = INT64_MIN, .to = INT64_MAX};
    return window_find_bound(trace, &filter->from, &window->from, error) &&
           window_find_bound(trace, &filter->to, &window->to, error) &&
           (filter->hours.length == 0 || narrow_to_hours(trace, &filter->hours, window, error));
}

bool window_is_outside(const struct catalog_trace *trace, const struct filter *filter) {
    struct error ignored = {0};
    struct window window;

    return trace->last_event >= trace->first_event &&
           window_times(trace, filter, &window, &ignored) &&
           (window.from > trace->last_time || window.to <= trace->first_time);
}

int64_t window_day_begin(const struct catalog_trace *trace, const struct day_hours *hours,
                         int64_t time) {
    return later_time(INT64_MIN, day_begin(trace, hours, day_from(trace, hours, time)));
}

/* --- ids of the events in a window ------------------------------------------------------------ */

/* Adds a range of event ids for each day that has events in the selected hours. */
static bool find_days_of_trace(struct database *database, const struct catalog_trace *trace,
                               const struct day_hours *hours, const struct window *window,
                               struct window_ids *ids, struct error *error) {
    int64_t at = ids->first, after = ids->last + 1;

    while (at < after) {
        int64_t time, end;
        wide day;

        if (!database_query_integer(database,
                                    "SELECT time FROM event WHERE id >= ?1 ORDER BY id LIMIT 1", at,
                                    INT64_MAX, &time, error)) {
            return false;
        }
        if (time >= window->to) {
            break;
        }
        day = day_from(trace, hours, time);
        if (!first_not_before(database, trace, later_time(time, day_begin(trace, hours, day)), &at,
                              error) ||
            !first_not_before(
                database, trace,
                earlier_time(window->to, day_begin(trace, hours, day) + hours->length), &end,
                error)) {
            return false;
        }
        at = at > ids->first ? at : ids->first;
        end = end < after ? end : after;
        if (at < end) {
            *ARRAY_NEW(ids->ranges, ids->count, ids->capacity) = (struct id_range){at, end - 1};
        }
        at = at > end ? at : end;
    }
    return true;
}

bool window_find(struct database *database, const struct catalog_trace *trace,
                 const struct filter *filter, struct window_ids *ids, struct error *error) {
    struct window window;
    int64_t after;

    *ids = (struct window_ids){.first = trace->first_event, .last = trace->last_event};
    if (!window_times(trace, filter, &window, error) ||
        (window.from != INT64_MIN &&
         !first_not_before(database, trace, window.from, &ids->first, error))) {
        return false;
    }
    if (window.to != INT64_MAX) {
        if (!first_not_before(database, trace, window.to, &after, error)) {
            return false;
        }
        ids->last = after - 1;
    }
    ids->several = window.several;
    if (!window.several || ids->last < ids->first) {
        return true;
    }
    if (!find_days_of_trace(database, trace, &filter->hours, &window, ids, error)) {
        return false;
    }
    if (ids->count == 0) {
        ids->last = ids->first - 1;
    } else {
        ids->first = ids->ranges[0].first;
        ids->last = ids->ranges[ids->count - 1].last;
    }
    return true;
}

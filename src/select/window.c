#include "select/window.h"

#include "base/saturate.h"

/* The first event of the trace that is not before `time`; last_event + 1 when all are. Ids ascend
 * in order of time. Of a store some may not be there: then it is behind the last of those that are
 * before, and what is there from it on is not. */
static bool first_not_before(struct database *database, const struct catalog_trace *trace,
                             int64_t time, int64_t *id, struct error *error) {
    int64_t low = trace->first_event, high = trace->last_event + 1;

    while (low < high) {
        int64_t middle = low + (high - low) / 2, at;

        if (!database_integer(database, "SELECT time FROM event WHERE id >= ?1 ORDER BY id LIMIT 1",
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

bool window_bound(const struct catalog_trace *trace, const struct time_bound *bound, int64_t *time,
                  struct error *error) {
    int64_t offset = trace->utc_offset == EVENT_NONE ? 0 : trace->utc_offset;

    if (bound->kind == TIME_NOT_GIVEN) {
        return true;
    }
    *time = bound->time;
    if (!catalog_real_clock(trace)) {
        *time = bound->plain;
        return bound->plain >= 0 ||
               error_set(error,
                         "trace %s counts in %s: give --from and --to as whole numbers of these",
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

bool window_find(struct database *database, const struct catalog_trace *trace,
                 const struct time_bound *from, const struct time_bound *to, int64_t *first,
                 int64_t *last, struct error *error) {
    int64_t time, behind;

    *first = trace->first_event;
    *last = trace->last_event;
    if (from->kind != TIME_NOT_GIVEN && (!window_bound(trace, from, &time, error) ||
                                         !first_not_before(database, trace, time, first, error))) {
        return false;
    }
    if (to->kind != TIME_NOT_GIVEN) {
        if (!window_bound(trace, to, &time, error) ||
            !first_not_before(database, trace, time, &behind, error)) {
            return false;
        }
        *last = behind - 1;
    }
    return true;
}

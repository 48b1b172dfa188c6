/* Time window of a trace, as selected by --from and --to. */
#ifndef TRACETOOL_WINDOW_H
#define TRACETOOL_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "select/filter.h"
#include "store/catalog.h"

/* A time window, in trace time. */
struct window {
    int64_t from, to; /* `to` is exclusive; INT64_MIN and INT64_MAX: no bound */
    bool several;     /* true: hours of several days; times between them are outside the window */
};

struct id_range {
    int64_t first, last;
};

/* Ids of a trace's events in a time window. */
struct window_ids {
    int64_t first, last;     /* smallest and largest event id; last < first: no events */
    struct id_range *ranges; /* owned; a range per day, in order; NULL: `first` to `last` */
    size_t count, capacity;
    bool several; /* true: includes hours of several days, some maybe without events */
};

/* Sets the window to the filter's bounds. For hours of the day, it extends from the first to the
 * last selected hours in the trace. Sets an error if the trace's clock cannot express the times. */
bool window_times(const struct catalog_trace *trace, const struct filter *filter,
                  struct window *window, struct error *error);

/* Returns whether the filter's window ends before the trace's first event or begins after its last.
 * False if the trace has no events, or its clock cannot express the times. */
bool window_is_outside(const struct catalog_trace *trace, const struct filter *filter);

/* Returns the begin of the selected hours that include `time`, or else of the next after it. */
int64_t window_day_begin(const struct catalog_trace *trace, const struct day_hours *hours,
                         int64_t time);

/* Finds the ids of a trace's events in the filter's window. `ids` must be freed even on failure. */
bool window_find(struct database *database, const struct catalog_trace *trace,
                 const struct filter *filter, struct window_ids *ids, struct error *error);

#endif

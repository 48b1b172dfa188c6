/* Time window of a trace, as --from and --to select it. */
#ifndef TRACETOOL_WINDOW_H
#define TRACETOOL_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "select/filter.h"
#include "store/catalog.h"

/* A time window. Times are relative to the trace. */
struct window {
    int64_t from, to; /* bounds, `to` exclusive; INT64_MIN and INT64_MAX: not given */
    bool several; /* selected hours of several days: the times between them are not in the window */
};

struct id_range {
    int64_t first, last;
};

/* Ids of the events in a window. */
struct window_ids {
    int64_t first, last;     /* range that contains all ids; last < first: none */
    struct id_range *ranges; /* owned; a range per day, in order; NULL: `first` to `last` */
    size_t count, capacity;
    bool several; /* as in the window: also if all events are of one of the days */
};

/* Sets the window to the bounds in the filter; for hours, from the first to the last in the trace.
 * Sets an error if the trace's clock cannot express the times. */
bool window_times(const struct catalog_trace *trace, const struct filter *filter,
                  struct window *window, struct error *error);

/* Returns when the selected hours of a day begin that contain `time`, or are the next after it. */
int64_t window_day_begin(const struct catalog_trace *trace, const struct day_hours *hours,
                         int64_t time);

/* Finds the ids of a trace's events in the window. `ids` must always be freed. */
bool window_find(struct database *database, const struct catalog_trace *trace,
                 const struct filter *filter, struct window_ids *ids, struct error *error);

#endif

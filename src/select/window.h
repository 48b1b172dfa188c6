/* Time window of a trace. */
#ifndef TRACETOOL_WINDOW_H
#define TRACETOOL_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "select/filter.h"
#include "store/catalog.h"

/* Times relative to the trace. */
struct window {
    int64_t from, to; /* `to` is exclusive; INT64_MIN, INT64_MAX: not given */
    bool several;     /* hours of several days: excludes some time between them */
};

struct id_range {
    int64_t first, last;
};

/* Event ids in a window. */
struct window_ids {
    int64_t first, last;     /* whole range; last < first: none */
    struct id_range *ranges; /* owned; one per day, in order; NULL: the whole range */
    size_t count, capacity;
};

/* Sets the window of the filter's bounds; for hours, from the first to the last in the trace. Sets
 * an error if the trace's clock cannot express the times. */
bool window_times(const struct catalog_trace *trace, const struct filter *filter,
                  struct window *window, struct error *error);

/* Finds the ids of the trace's events in the window. Must always be freed. */
bool window_find(struct database *database, const struct catalog_trace *trace,
                 const struct filter *filter, struct window_ids *ids, struct error *error);

#endif

/* The time window of a trace. */
#ifndef TRACETOOL_WINDOW_H
#define TRACETOOL_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "select/filter.h"
#include "store/catalog.h"

/* In times of the trace. */
struct window {
    int64_t from, to; /* `to` is exclusive; INT64_MIN, INT64_MAX: not given */
    bool several;     /* hours of several days: of what lies between, a part is left out */
};

struct id_range {
    int64_t first, last;
};

/* Ids of events. */
struct window_ids {
    int64_t first, last;     /* of all; last < first: there are none */
    struct id_range *ranges; /* owned; those of each day, in order; NULL: all between these */
    size_t count, capacity;
};

/* Sets what the filter says of times: those of its bounds and, of its hours, from the first to the
 * last that the trace has. Says so when the trace's clock does not know such times. */
bool window_times(const struct catalog_trace *trace, const struct filter *filter,
                  struct window *window, struct error *error);

/* The ids of the trace's events in the window. To be freed in any case. */
bool window_find(struct database *database, const struct catalog_trace *trace,
                 const struct filter *filter, struct window_ids *ids, struct error *error);

void window_ids_free(struct window_ids *ids);

#endif

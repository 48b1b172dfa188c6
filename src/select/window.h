/* The time window of a trace. */
#ifndef TRACETOOL_WINDOW_H
#define TRACETOOL_WINDOW_H

#include "select/filter.h"
#include "store/catalog.h"

/* The ids of the trace's events from `from` to before `to`, as far as these are given: `*last` is
 * less than `*first` when there are none. Says so when the trace's clock does not know such times.
 */
bool window_find(struct database *database, const struct catalog_trace *trace,
                 const struct time_bound *from, const struct time_bound *to, int64_t *first,
                 int64_t *last, struct error *error);

/* Sets `*time` to when the bound is in times of the trace; nothing, where it is not given. Says so
 * when the trace's clock does not know such times. */
bool window_bound(const struct catalog_trace *trace, const struct time_bound *bound, int64_t *time,
                  struct error *error);

#endif

/* What a query on calls with a duration reads beside temp.selected_event: times by function, the
 * call tree, threads. */
#ifndef TRACETOOL_SELECTION_SPANS_H
#define TRACETOOL_SELECTION_SPANS_H

#include "select/selection.h"

/* Once a connection: the views temp.thread and temp.span_remark, and the walk. */
bool spans_open(struct database *database, struct error *error);

/* Whether the trace has the clock that the filter asks for; says so if not. */
bool spans_check_clock(const struct catalog_trace *trace, const struct selection_filter *filter,
                       struct error *error);

/* Whether --clock means the clock beside the trace's first one. */
bool spans_second_clock(const struct catalog_trace *trace, const struct selection_filter *filter);

/* Fills temp.selected_range for --under. */
bool spans_select_ranges(struct database *database, const struct catalog_trace *const *traces,
                         size_t count, const struct selection_filter *filter, struct error *error);

/* Sets up temp.tally_span and temp.tally_tree, where the query reads them. */
bool spans_select(struct database *database, const struct config *config,
                  const struct catalog_trace *const *traces, size_t count,
                  const struct selection_filter *filter, const struct query *query,
                  struct remarks *remarks, struct error *error);

/* Counts times anew into temp.scanned_span, whatever rollup there is. */
bool spans_scan(struct database *database, const struct catalog_trace *const *traces, size_t count,
                const struct selection_filter *filter, struct error *error);

#endif

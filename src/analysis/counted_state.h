/* Finds and counts thread states (model/thread.h) for analyses. */
#ifndef TRACETOOL_COUNTED_STATE_H
#define TRACETOOL_COUNTED_STATE_H

#include "analysis/analysis.h"
#include "model/thread.h"

/* Returns the state's name.id in the current trace, or 0, which no event has, if the trace lacks
 * it. Sets the context's error on failure. */
int64_t state_operation(struct analysis_context *context, enum thread_state state);

/* Returns the operation to count in analyses of any kind of trace: for thread states `running`,
 * unless a filter selects states; else EVENT_NONE, all operations. For begin_trace(). */
int64_t counted_operation(struct analysis_context *context);

/* Returns whether event `i` is counted. Passes over traces of states always read the operation. */
static inline bool is_counted_operation(int64_t counted, const struct event_columns *columns,
                                        size_t i) {
    return counted == EVENT_NONE || columns->operation[i] == (uint32_t)counted;
}

#endif

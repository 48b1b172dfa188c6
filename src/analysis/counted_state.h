/* Finds and counts thread states (model/thread.h) for analyses. */
#ifndef TRACETOOL_COUNTED_STATE_H
#define TRACETOOL_COUNTED_STATE_H

#include "analysis/analysis.h"
#include "model/thread.h"

/* Returns the name.id of a thread state in the current trace. Returns 0, which is no event's
 * operation, if the trace lacks the state. Sets the context's error on failure. */
int64_t state_operation(struct analysis_context *context, enum thread_state state);

/* Returns the operation (name.id) that an analysis counts: in traces of thread states, `running`,
 * unless a filter selects states; else EVENT_NONE, all operations. Call it in begin_trace(). */
int64_t counted_operation(struct analysis_context *context);

/* Returns whether event `i` has the counted operation. `columns->operation` must be set unless all
 * operations count (EVENT_NONE); in traces of thread states it always is. */
static inline bool is_counted_operation(int64_t counted, const struct event_columns *columns,
                                        size_t i) {
    return counted == EVENT_NONE || columns->operation[i] == (uint32_t)counted;
}

#endif

/* States of threads (model/thread_state.h), as analyses find and count them. */
#ifndef TRACETOOL_COUNTED_STATE_H
#define TRACETOOL_COUNTED_STATE_H

#include "analysis/analysis.h"
#include "model/thread_state.h"

/* The name.id of the state in the trace that is passed over; 0, which no event has: it has none.
 * Failures go to the context's error. */
int64_t state_operation(struct analysis_context *context, enum thread_state state);

/* Which operation the analyses count that any kind of trace has: of states `running`, as
 * state_operation() gives it, unless the filter chooses states; else EVENT_NONE, all. For
 * begin_trace(). */
int64_t counted_operation(struct analysis_context *context);

/* Whether it is the event `i`. Of traces of states each pass reads the operation. */
static inline bool is_counted_operation(int64_t counted, const struct event_columns *columns,
                                        size_t i) {
    return counted == EVENT_NONE || columns->operation[i] == (uint32_t)counted;
}

#endif

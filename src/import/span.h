/* Records of entry and exit become calls: docs/spans.md has the rules.
 *
 * A call's row goes to the writer when it is entered, so that rows come in order of time. Its end
 * is filled in while the row is still in a batch on this side; after that it travels as an ending
 * (batch.h), which the writer applies by an UPDATE. Memory grows with the open calls, not with the
 * calls.
 */
#ifndef TRACETOOL_SPAN_H
#define TRACETOOL_SPAN_H

#include "import/importer.h"
#include "model/span_times.h"

struct span_tracker;

/* Owned by the caller; NULL when out of memory. */
struct span_tracker *span_tracker_new(void);
void span_tracker_free(struct span_tracker *tracker);

/* The calls that are still open are counted, and what was guessed is remarked. Nothing can be added
 * after it. */
bool span_tracker_finish(struct import *import);

/* Takes up a thread of a trace that goes on: its time was `time`, and does not go back. */
bool span_tracker_resume(struct span_tracker *tracker, uint32_t actor, int64_t time);

/* Time of the last record, exits included; EVENT_NONE: there was none. */
int64_t span_tracker_last_time(const struct span_tracker *tracker);

/* The times by function and thread, for the rollup. */
struct span_times *span_tracker_times(struct span_tracker *tracker);

#endif

/* Records of entry and exit become calls: docs/spans.md has the rules.
 *
 * A call's row goes to the writer when it is entered, so that rows come in order of time. Its end
 * is filled in while the row is still in a batch on this side; after that it travels as an ending
 * (batch.h), which the writer applies by an UPDATE. Memory grows with the open calls, not with the
 * calls.
 */
#ifndef TRACETOOL_SPAN_H
#define TRACETOOL_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"
#include "model/span_times.h"

struct import;

/* --- what importers of kind TRACE_SPANS call instead of import_event() ------------------------ */

/* A record of entry or exit, or a data record. */
struct span_record {
    uint32_t operation; /* import_name(): the function */
    uint32_t actor;     /* import_actor(): the thread */
    uint32_t object;    /* of an entry: import_object(), 0: none */
    int64_t process;    /* that the thread is of, by its pid; 0 where the log has but one */
    int64_t time;       /* since the start of the trace */
    int64_t cpu;        /* of the thread's CPU clock, where the trace has both; EVENT_NONE: none */
    int64_t size;       /* bytes of parameters or data; EVENT_NONE: the format has none */
    int64_t value;      /* of an exit: return code; EVENT_NONE: none */
    uint32_t flags;     /* of an exit: SPAN_EXCEPTION */
    /* Of an exit: the log says how long the call took, which holds whatever its times are.
     * EVENT_NONE: it is not known. */
    bool has_duration;
    int64_t duration; /* in the units of `time`, not below 0 */
    /* Argument bytes, borrowed. Those of an exit are put behind those of the entry; when the entry
     * had none, `no_arguments` stands for them. */
    const uint8_t *arguments;
    uint32_t arguments_size;
    uint8_t no_arguments;
};

/* Each counts one record read and kept. A record that would open a call
 * beyond SPAN_OPEN_LIMIT is rejected: `offset` and `bytes` say where it is. */
void import_entry(struct import *import, const struct span_record *record, int64_t offset,
                  int64_t bytes);
void import_exit(struct import *import, const struct span_record *record, int64_t offset,
                 int64_t bytes);
void import_data(struct import *import, const struct span_record *record);

/* The innermost open call of a thread has ended, and its exit was lost: it has no duration. Nothing
 * happens where none is open. */
void import_exit_lost(struct import *import, uint32_t actor);

/* Calls that may be open at once, over all threads. */
#define SPAN_OPEN_LIMIT (1 << 20)

/* --- what the driver calls ------------------------------------------------------------------- */

struct span_tracker;

/* Owned by the caller. */
struct span_tracker *span_tracker_new(void);
void span_tracker_free(struct span_tracker *tracker);

/* The calls that are still open end with the log and are counted, and what was guessed is remarked.
 * Nothing can be added after it. */
void span_tracker_finish(struct import *import);

/* Takes up a thread of a trace that goes on: its time was `time`, and does not go back. */
void span_tracker_resume(struct span_tracker *tracker, uint32_t actor, int64_t time);

/* The times by function and thread, for the rollup. */
struct span_times *span_tracker_times(struct span_tracker *tracker);

#endif

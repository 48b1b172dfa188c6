/* Converts records of entry and exit to calls: docs/spans.md has the rules.
 *
 * A call's row goes to the writer at its entry, so that rows are in time order. If its end comes
 * while the row is in a batch that is not queued yet, the row is completed there. Otherwise the end
 * is sent as an `ending` (batch.h), which the writer applies by an UPDATE. Memory is proportional
 * to the open calls, not to all calls. */
#ifndef TRACETOOL_SPAN_H
#define TRACETOOL_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"
#include "model/call_rollups.h"

struct import;

/* --- for importers of kind TRACE_SPANS, instead of import_event() ----------------------------- */

/* A record of a trace of spans: the entry of a call, its exit, or data. */
struct span_record {
    uint32_t operation; /* id of the function's name: import_name() */
    uint32_t actor;     /* id of the thread: import_actor() */
    uint32_t object;    /* at an entry: id of import_object(); 0: none */
    int64_t process;    /* pid of the thread's process; 0 if the log has only one */
    int64_t time;       /* time since the start of the trace */
    int64_t
        cpu; /* time on the thread's CPU clock, if the trace has both clocks; EVENT_NONE: none */
    int64_t size;   /* number of bytes of parameters or data; EVENT_NONE: the format has none */
    int64_t value;  /* at an exit: return code; EVENT_NONE: none */
    uint32_t flags; /* at an exit: SPAN_EXCEPTION if the call ended by an exception */
    /* true, at an exit: the log states the call's duration, which takes precedence over the times.
     * If `duration` is EVENT_NONE, the call's duration is unknown. */
    bool has_duration;
    int64_t duration; /* duration in units of `time`, not negative */
    /* Argument bytes, borrowed. Those of an exit are appended to those of the entry; if the entry
     * had none, the byte `no_arguments` takes their place. */
    const uint8_t *arguments;
    uint32_t arguments_size;
    uint8_t no_arguments;
};

/* Returns a record without size, value, arguments and CPU time. */
static inline struct span_record span_record_of(uint32_t operation, uint32_t actor, int64_t process,
                                                int64_t time) {
    return (struct span_record){
        .operation = operation,
        .actor = actor,
        .process = process,
        .time = time,
        .cpu = EVENT_NONE,
        .size = EVENT_NONE,
        .value = EVENT_NONE,
    };
}

/* Add the entry of a call, its exit, or data of the call. Each counts one record as read and kept.
 * An entry beyond SPAN_OPEN_LIMIT open calls is rejected. `offset` and `bytes`: place and size of
 * the record in the file. */
void import_entry(struct import *import, const struct span_record *record, int64_t offset,
                  int64_t bytes);
void import_exit(struct import *import, const struct span_record *record, int64_t offset,
                 int64_t bytes);
void import_data(struct import *import, const struct span_record *record, int64_t offset);

/* Ends the innermost open call of a thread without setting its duration, because its exit is
 * missing in the log. Does nothing if no call is open. */
void import_end_call_without_exit(struct import *import, uint32_t actor);

/* Maximum number of open calls of all threads together. */
#define SPAN_OPEN_LIMIT (1 << 20)

/* --- functions for src/import ----------------------------------------------------------------- */

struct span_tracker;

/* Returns an empty tracker, owned by the caller. */
struct span_tracker *span_tracker_new(void);
void span_tracker_free(struct span_tracker *tracker);

/* Ends and counts the calls that are open at the end of the log. Adds remarks on guessed ends. No
 * record can be added afterwards. */
void span_tracker_finish(struct import *import);

/* Restores a thread of a trace to append to: its later records must not be before `time`. */
void span_tracker_resume(struct span_tracker *tracker, uint32_t actor, int64_t time);

/* Returns the call times, summed by function and thread, for the rollup. */
struct span_times *span_tracker_times(struct span_tracker *tracker);

#endif

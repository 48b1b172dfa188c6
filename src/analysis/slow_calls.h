/* Collects the slowest calls during a pass, each with its steps (what the thread did or waited
 * for), and describes them at the end. Finds the block I/O requests that ended waits. */
#ifndef TRACETOOL_SLOW_CALLS_H
#define TRACETOOL_SLOW_CALLS_H

#include "analysis/wait_causes.h"

/* A block I/O request whose completion ended a wait. Members from `issued` on are read from the
 * completion event, in the block I/O trace of the same log. EVENT_NONE: unknown. */
struct io_request {
    int64_t device, sector;
    int64_t response; /* time from issue to completion */
    int64_t issued;   /* time of the issue, by the clock of the block I/O trace */
    int64_t queued;   /* time from queue event to issue */
    int64_t row;      /* event.id of the completion */
    uint32_t object;  /* object.id; 0: unknown */
    bool is_flush; /* true: a flush; it has no data, and `sector` serves only to find its event */
};

#define NO_REQUEST                                                                                 \
    { EVENT_NONE, EVENT_NONE, EVENT_NONE, EVENT_NONE, EVENT_NONE, EVENT_NONE, 0, false }

/* Number of latest completions searched: a request completes just before it wakes a thread. */
#define REQUESTS_LATEST 1024

/* Reads the completions of a block I/O trace. If there is no such trace, all members are 0 except
 * stream.ended. */
struct request_reader {
    struct event_stream stream;
    /* at: next event in the columns of `stream`; count: number of events in these */
    size_t at, count;
    /* completions: name.id of the completion actions; devices: device by object.id. */
    struct id_values completions, devices;
    struct io_request latest[REQUESTS_LATEST]; /* ring of the latest completions */
    size_t completed;
};

/* Opens the block I/O trace of the same log as the trace of thread states `states`, if there is
 * one. Returns false on failure, with the error set. */
bool requests_open(struct request_reader *reader, struct database *database, int64_t states,
                   struct error *error);

/* Finds the last completion up to `time` at the request's sector, and fills in the request. `time`
 * is by the clock of the block I/O trace, and must not decrease. Failures set `error`. */
void requests_find(struct request_reader *reader, int64_t time, struct io_request *request,
                   struct error *error);

/* Closes the trace. Returns false if reading it has failed at any time. */
bool requests_close(struct request_reader *reader);

/* A step of a call: what a thread did or waited for from `begin` to `end`, by the calls' clock. */
struct slow_step {
    int64_t begin, end;
    /* What the thread did or waited for. `cause`, `thread` and `waker` are numbers of texts in
     * struct wait_causes; 0: no text. */
    uint32_t cause;
    uint32_t thread; /* thread of the step */
    uint32_t waker;  /* thread that ended the step */
    /* 0: the call's own thread; 1: the thread that ended its wait; 2: the next one … */
    int depth;
    struct io_request request; /* block I/O request whose completion ended the step */
};

struct slow_call {
    int64_t begin, duration;
    uint32_t operation, actor;
    bool is_cut; /* true: the call had too many steps, so the last one covers the rest of it */
    struct slow_step *steps; /* owned */
    size_t count, capacity;
};

/* List of the slowest calls. Empty if all members but `most` and `steps` are 0. Must be freed. */
struct slow_calls {
    size_t most;             /* limit of calls in the list */
    size_t steps;            /* limit of steps per call */
    struct slow_call *calls; /* owned; slowest first */
    size_t count;
};

/* Returns whether a call is among the slowest so far. Of calls with equal durations, the earlier
 * one counts as slower. */
bool slow_calls_is_slow(const struct slow_calls *slow, int64_t duration);

/* Adds a step to a call. If the call has slow->steps steps, extends the last one instead. */
void slow_call_add_step(const struct slow_calls *slow, struct slow_call *call,
                        const struct slow_step *step);

/* Adds a call that slow_calls_is_slow() accepted. The list takes ownership of its steps. */
void slow_calls_store(struct slow_calls *slow, struct slow_call *call);

/* Appends the steps of a call as text: "on a processor 20 µs, lock 1.2 ms (b), …". */
bool slow_call_describe(const struct slow_call *call, const struct wait_causes *causes,
                        struct database *database, struct text *out, struct error *error);

void slow_calls_free(struct slow_calls *slow);

#endif

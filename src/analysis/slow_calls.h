/* Collects the slowest calls with their steps (what the thread did or waited for) during a pass,
 * and describes them at the end. Finds the block I/O requests that ended steps. */
#ifndef TRACETOOL_SLOW_CALLS_H
#define TRACETOOL_SLOW_CALLS_H

#include "analysis/wait_causes.h"

/* A block I/O request that ended a wait. The members from `issued` on are read from its completion,
 * in the trace of kind io of the same log. EVENT_NONE: unknown. */
struct io_request {
    int64_t device, sector;
    int64_t response; /* time from issue to completion */
    int64_t issued;   /* time of the issue, by the clock of the trace of kind io */
    int64_t queued;   /* time from queueing to issue */
    int64_t row;      /* event.id of the completion */
    uint32_t object;  /* 0: unknown */
    bool is_flush; /* true: a flush without sectors, whose `sector` only serves to find its event */
};

#define NO_REQUEST                                                                                 \
    { EVENT_NONE, EVENT_NONE, EVENT_NONE, EVENT_NONE, EVENT_NONE, EVENT_NONE, 0, false }

/* Number of last completions that are searched: a request completes just before it wakes a
 * thread. */
#define REQUESTS_LATEST 1024

/* Reads the completions of a trace of kind io. Zeroed but for stream.ended: there is no trace. */
struct request_reader {
    struct event_stream stream;
    size_t at, count; /* position in the columns of stream, and number of events in them */
    /* Operations that are completions; device of each object. */
    struct id_values completions, devices;
    struct io_request latest[REQUESTS_LATEST]; /* ring of the latest completions */
    size_t completed;
};

/* Opens the trace of kind io that belongs to the same log as the trace `states`, if there is one.
 * False: it failed, and `error` is set. */
bool requests_open(struct request_reader *reader, struct database *database, int64_t states,
                   struct error *error);

/* Finds the last completion, up to `time`, at the request's sector, and copies its members. `time`
 * is by the clock of the trace of kind io, and must not decrease. Sets `error` if reading fails. */
void requests_find(struct request_reader *reader, int64_t time, struct io_request *request,
                   struct error *error);

/* Closes the trace. Returns false if reading it has failed. */
bool requests_close(struct request_reader *reader);

/* A step of a call: what a thread did or waited for, from `begin` to `end`, by the calls' clock. */
struct slow_step {
    int64_t begin, end;
    /* What the thread did or waited for; number of a text, like `thread` and `waker`; 0: none. */
    uint32_t cause;
    uint32_t thread; /* thread of the step */
    uint32_t waker;  /* thread that ended the step */
    /* Distance from the call's own thread: 0 itself, 1 the thread that ended its wait, …. */
    int depth;
    struct io_request request; /* block I/O request that ended the step */
};

struct slow_call {
    int64_t begin, duration;
    uint32_t operation, actor;
    bool is_cut; /* there were too many steps, so the last one covers the rest of the call */
    struct slow_step *steps; /* owned */
    size_t count, capacity;
};

/* List of the slowest calls. Empty if all members but `most` and `steps` are 0. Must be freed. */
struct slow_calls {
    size_t most;             /* limit of calls kept */
    size_t steps;            /* limit of steps kept per call */
    struct slow_call *calls; /* owned; the slowest first */
    size_t count;
};

/* Returns whether a call is among the slowest so far. Of equal calls the earlier one wins. */
bool slow_calls_is_slow(const struct slow_calls *slow, int64_t duration);

/* Adds a step to a call. If the call has too many steps, extends its last step instead. */
void slow_call_add_step(const struct slow_calls *slow, struct slow_call *call,
                        const struct slow_step *step);

/* Adds a call that is among the slowest to the list, which then owns the call's steps. */
void slow_calls_store(struct slow_calls *slow, struct slow_call *call);

/* Appends the steps of a call in words: "on a processor 20 µs, lock 1.2 ms (b), …". */
bool slow_call_describe(const struct slow_call *call, const struct wait_causes *causes,
                        struct database *database, struct text *out, struct error *error);

void slow_calls_free(struct slow_calls *slow);

#endif

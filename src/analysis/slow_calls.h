/* Keeps the slowest calls and their steps during a pass, and prints them at the end. Finds the
 * block I/O requests that ended steps. */
#ifndef TRACETOOL_SLOW_CALLS_H
#define TRACETOOL_SLOW_CALLS_H

#include "analysis/wait_causes.h"

/* A block I/O request that ended a wait. The members from `issued` on are those of its completion
 * in the trace of kind io of the same log. EVENT_NONE: unknown. */
struct io_request {
    int64_t device, sector;
    int64_t response; /* time from issue to completion */
    int64_t issued;   /* time of the issue, by the clock of the trace of kind io */
    int64_t queued;   /* time from queueing to issue */
    int64_t row;      /* event.id of the completion */
    uint32_t object;  /* 0: unknown */
    bool is_flush;    /* true: the request has no sectors; `sector` only finds its row */
};

#define NO_REQUEST                                                                                 \
    { EVENT_NONE, EVENT_NONE, EVENT_NONE, EVENT_NONE, EVENT_NONE, EVENT_NONE, 0, false }

/* Number of completions that are searched: a request completes just before it wakes a thread. */
#define REQUESTS_LATEST 1024

/* Reads the completions of a trace of kind io. Needs no opening if zeroed, with stream.ended. */
struct request_reader {
    struct event_stream stream;
    size_t at, count;                          /* position in its columns, and their count */
    struct id_values completions, devices;     /* operations; devices by object */
    struct io_request latest[REQUESTS_LATEST]; /* latest completions, a ring */
    size_t completed;
};

/* Opens the trace of kind io, if there is one, of the log that also has the trace `states`. False
 * with `error` set. */
bool requests_open(struct request_reader *reader, struct database *database, int64_t states,
                   struct error *error);

/* Finds the last completion of a request's sector up to `time`, by the clock of the trace of kind
 * io. Times must not decrease. Sets `error` if reading fails. */
void requests_find(struct request_reader *reader, int64_t time, struct io_request *request,
                   struct error *error);

/* False if reading has failed. */
bool requests_close(struct request_reader *reader);

/* A step: what a thread did or waited for, from `begin` to `end` in the calls' time. */
struct slow_step {
    int64_t begin, end;
    uint32_t cause;  /* number of a text, as are the next two; 0: none */
    uint32_t thread; /* thread of the step */
    uint32_t waker;  /* thread that ended the step */
    int depth;       /* 0: the call's own thread, 1: the thread that ended its wait, … */
    struct io_request request; /* request that ended the step */
};

struct slow_call {
    int64_t begin, duration;
    uint32_t operation, actor;
    bool is_cut;             /* the last step covers the remaining time of the call */
    struct slow_step *steps; /* owned */
    size_t count, capacity;
};

/* Slowest calls. Empty if all members but `most` and `steps` are 0. Must be freed. */
struct slow_calls {
    size_t most;             /* limit of calls kept */
    size_t steps;            /* limit of steps kept per call */
    struct slow_call *calls; /* owned; the slowest first */
    size_t count;
};

/* Returns whether a call is among the slowest so far; of equal ones, the earlier call is kept. */
bool slow_calls_is_slow(const struct slow_calls *slow, int64_t duration);

/* Adds a step to a call. If it has too many, its last step is extended instead. */
void slow_call_add(const struct slow_calls *slow, struct slow_call *call,
                   const struct slow_step *step);

/* Keeps a call that is among the slowest; takes ownership of its steps. */
void slow_calls_store(struct slow_calls *slow, struct slow_call *call);

/* Appends the steps in words: "on a processor 20 µs, lock 1.2 ms (b), …". */
bool slow_call_describe(const struct slow_call *call, const struct wait_causes *causes,
                        struct database *database, struct text *out, struct error *error);

void slow_calls_free(struct slow_calls *slow);

#endif

/* Keeps the slowest calls and their steps during a pass, and prints them at the end. Steps that
 * ended with a block I/O request refer to its row in the trace of kind io of the same log. */
#ifndef TRACETOOL_SLOW_CALLS_H
#define TRACETOOL_SLOW_CALLS_H

#include "analysis/wait_causes.h"

/* A step: what a thread did or waited for, from `begin` to `end` in the calls' time. */
struct slow_step {
    int64_t begin, end;
    int64_t woken;   /* end of the wait, of which the step may be the first part */
    uint32_t cause;  /* number of a text, as are the next two; 0: none */
    uint32_t thread; /* thread of the step */
    uint32_t waker;  /* thread that ended the step */
    int depth;       /* 0: the call's own thread, 1: the one that ended its wait, … */
    int64_t device;  /* device of the request that ended it; EVENT_NONE: no request, as in the next
                        two */
    int64_t sector;
    int64_t response; /* the request's time from issue to completion; EVENT_NONE: unknown */
    int64_t queued;   /* its time from queueing to issue, from that row; EVENT_NONE: unknown */
    int64_t row;      /* event.id of its completion; EVENT_NONE: not found */
    uint32_t object;  /* object of that row */
    bool is_flush;    /* the request has no sectors; `sector` only finds its row */
};

struct slow_call {
    int64_t begin, duration;
    uint32_t operation, actor;
    bool is_cut;             /* the last step covers the remaining time of the call */
    bool is_searched;        /* slow_calls_find() has searched its requests */
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

/* Finds the rows of the new calls' requests in the trace of kind io of that log. `shift`: by how
 * much the calls' times are later. False with `error` set. */
bool slow_calls_find(struct slow_calls *slow, struct database *database, int64_t states,
                     int64_t shift, struct error *error);

/* Appends the steps in words: "on a processor 20 µs, lock 1.2 ms (b), …". */
bool slow_call_describe(const struct slow_call *call, const struct wait_causes *causes,
                        struct database *database, struct text *out, struct error *error);

void slow_calls_free(struct slow_calls *slow);

#endif

/* The slowest calls, and what they did step by step: kept while calls are passed over, and told at
 * the end. Steps that ended with a request of block I/O lead to its row in the trace of kind io of
 * the same log. */
#ifndef TRACETOOL_SLOW_CALLS_H
#define TRACETOOL_SLOW_CALLS_H

#include "analysis/wait_causes.h"

/* What a thread did, or waited for, from `begin` to `end` in time of the calls. */
struct slow_step {
    int64_t begin, end;
    uint32_t cause;  /* number of a text, as are the next two; 0: none */
    uint32_t thread; /* whose step it is */
    uint32_t waker;  /* the thread that ended it */
    int depth;       /* 0: the call's own thread, 1: the one that ended its wait, … */
    int64_t device;  /* of the request that ended it; EVENT_NONE: none did, as in the next two */
    int64_t sector;
    int64_t response; /* of the request, from issue to completion; EVENT_NONE: not known */
    int64_t row;      /* event.id of its completion; EVENT_NONE: none was found */
    uint32_t object;  /* of that row */
};

struct slow_call {
    int64_t begin, duration;
    uint32_t operation, actor;
    bool is_cut;             /* the last step is all of the call behind those before */
    bool is_searched;        /* slow_calls_find() has been there */
    struct slow_step *steps; /* owned */
    size_t count, capacity;
};

/* Zeroed but for `most` and `steps`: none yet. To be freed. */
struct slow_calls {
    size_t most;             /* that are kept */
    size_t steps;            /* that are kept of each */
    struct slow_call *calls; /* owned; the slowest first */
    size_t count;
};

/* Whether a call is among the slowest so far; of equal ones the one that came first is. */
bool slow_calls_take(const struct slow_calls *slow, int64_t duration);

/* Adds a step to a call, whose last one is longer where it has too many. */
void slow_call_add(const struct slow_calls *slow, struct slow_call *call,
                   const struct slow_step *step);

/* Keeps a call that is among the slowest, and takes its steps. */
void slow_calls_keep(struct slow_calls *slow, struct slow_call *call);

/* Finds the rows of the requests in the trace of kind io of that log, for calls that are new since.
 * `shift`: how much later times of the calls are. False with `error` set. */
bool slow_calls_find(struct slow_calls *slow, struct database *database, int64_t states,
                     int64_t shift, struct error *error);

/* The steps in words: "on a processor 20 µs, lock 1.2 ms (b), …". */
bool slow_call_tell(const struct slow_call *call, const struct wait_causes *causes,
                    struct database *database, struct text *out, struct error *error);

void slow_calls_free(struct slow_calls *slow);

#endif

/* Divides the time of calls by what their threads did or waited for: temp.tally_why.
 *
 * Two traces with a common clock are read in parallel, both in order of time: the calls, and the
 * thread states of the same log or of another one. When a state begins, its end is known; so it is
 * added to the running calls of its thread at once. A call that begins during a state gets the rest
 * of that state. The cause of a sleep is known only at the wakeup. The times of all causes and the
 * unexplained time of a call add up to its duration.
 *
 * A chain leads from a wait to the thread that ended it, and to what that thread did meanwhile. For
 * this, all states since the begin of the oldest running call are stored. A cause is what woke the
 * thread, combined with the call in which it waited. Nothing is guessed: if the log does not
 * separate interrupts from the threads that they interrupt, what woke a thread is unknown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/keyed_rows.h"
#include "analysis/slow_calls.h"
#include "analysis/tree_nodes.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "base/search.h"
#include "base/text.h"
#include "base/words.h"
#include "model/thread.h"
#include "scan/distribution.h"
#include "store/column_reader.h"

enum {
    ROWS_IN_MEMORY = 1 << 18,
    PARTS = 24, /* number of causes stored in struct why_call itself; further ones are allocated */
    MOST_PARTS = 512, /* limit of pairs of cause and thread per call; further time is unexplained */
    STEPS = 16,       /* limit of threads in a chain of waits */
    /* Limit of states that chains visit: FOLLOWED * (number of states read + FOLLOWED_ALWAYS).
       Without it, if thousands of threads waited for the same one, each chain would visit all of
       its states. At the limit, waits are not followed. */
    FOLLOWED = 256,
    FOLLOWED_ALWAYS = 4096,
    STORY = 16,        /* limit of states listed for a slow call */
    CHAIN_STORY = 256, /* limit of steps listed for the chain of a slow call */
    /* Limit of states in memory for chains, over all threads. At the limit the older half is
       dropped, and its time becomes unexplained. */
    KEPT_STATES = 1 << 21,
    KEPT_AT_LEAST = 1 << 15, /* at this number of states in memory, unneeded ones are dropped for
                                the first time */
};

/* Values of analysis.variant: what times are grouped by, besides the cause. */
enum why_by {
    BY_NAME,
    BY_THREAD,
    BY_FILE,
    BY_WAKER,
    BY_CAUSE,
    BY_LOCK,
    BY_NAME_AT,
    BY_NAME_FOUND, /* used by findings: like BY_NAME_AT with p99, but a log without states is no
                      error */
    /* By waker. A wait for a processor counts for the threads that ran on the processor. */
    BY_BLAME,
    BY_BLAME_PROCESS,
    /* The following variants store thread states, to follow chains of waits. */
    BY_SLOWEST,
    BY_CHAIN,
    BY_CHAIN_AT,
    BY_CHAIN_SLOWEST,
    BY_TREE,
};

enum { WITH, OFFSET, MORE }; /* indexes of the parameters */

/* Key of a row, compared as bytes, so it has no padding. */
struct why_key {
    int64_t lock; /* number of the lock; EVENT_NONE: none */
    uint32_t operation, actor, object, cause, waker;
    uint32_t beyond; /* 1: an additional row, over calls longer than the percentile of --at */
};

struct why_row {
    struct why_key key;
    int64_t time, calls, longest;
    int64_t queued, requests; /* sums of the members of the same names in struct why_part */
};

struct why_part {
    uint32_t cause, waker;
    int64_t time;
    /* For chains: the part of `time` before the issue of the queued block I/O request. */
    int64_t queued;
    int64_t requests; /* number of requests whose queue time is known */
};

/* A running call, with its time by cause. */
struct why_call {
    int64_t begin, end, lock;
    uint32_t operation, actor, object;
    bool ended;  /* true: all states during the call have been read */
    bool beyond; /* true: longer than the percentile of --at */
    /* known: sum of the times of all parts; pending: time asleep whose cause is not known yet. */
    int64_t known, pending;
    struct why_part *runners; /* owned; waits for a processor, by thread that ran on it meanwhile */
    size_t runner_count, runner_capacity;
    struct why_part *further; /* owned; parts that do not fit in `parts` */
    size_t further_count, further_capacity;
    size_t count; /* number of parts (time by cause), in `parts` and `further` */
    /* Time by cause. The last member, so that unused elements need not be copied or set. */
    struct why_part parts[PARTS];
};

/* A stored thread state, for chains. Of a processor: a time in which the thread `cause` (number of
 * its text) ran. */
struct kept_state {
    int64_t begin, end;
    uint32_t cause; /* sleep: what the thread waited for, set at the wakeup */
    /* Names of the thread at the begin and at the end of the state; exec may change them. */
    uint32_t begun_as, name;
    /* Thread that woke this thread. If the completion of a request woke it: ksoftirqd if it handled
     * the completion, else NULL. */
    struct why_thread *waker;
    /* Owned; block I/O request whose completion woke the thread; NULL: none. */
    struct io_request *request;
};

/* A thread or processor, with its stored states. */
struct why_thread {
    int64_t tid;    /* thread id; ~N for processor N */
    uint32_t actor; /* actor.id in the thread's last state */
    /* Text number of the thread's name in its last state; for BY_BLAME, of its label. */
    uint32_t name;
    struct kept_state *kept; /* owned; stored states, sorted by time */
    size_t kept_count, kept_capacity;
    bool has_state;
    enum thread_state state;
    uint32_t function; /* sleep: object.id of the kernel function in which it slept; 0: unknown */
    /* Begin and end of the last state; if the end is unknown, it equals the begin. */
    int64_t begin, end;
    int64_t processor; /* processor of the last state; negative: unknown */
    /* For function traces: end of the last system call that shows what the thread waits for. */
    int64_t system_end;
    uint32_t system;        /* operation (name.id) of the system call that ended at `system_end` */
    struct why_call *calls; /* owned; running calls */
    size_t count, capacity;
    UT_hash_handle hh;
};

struct why_state {
    struct keyed_state keyed; /* hash table of struct why_row */
    enum why_by by;
    bool off; /* true: there is no trace of thread states, so nothing is computed */
    struct wait_causes *causes;   /* owned */
    struct why_thread *threads;   /* owned hash table: threads by thread id */
    struct id_values caller_tids; /* thread id by actor.id in the trace of calls */
    struct event_stream cursor;   /* reads the trace of thread states */
    /* at: next state in the columns of `cursor`; count: number of states in these */
    size_t at, count;
    struct event_stream system; /* for function traces: reads the system calls of the same log */
    size_t system_at, system_count;
    struct request_reader completions; /* completions of block I/O requests, for chains */
    int64_t shift; /* what is added to times of states to get times of the calls */
    /* states: number of states read; followed: of states that chains visited */
    int64_t states, followed;
    int64_t unfollowed; /* number of waits not followed because of the limit FOLLOWED */
    int64_t calls, with_states, time, unexplained, untimed;
    /* Unexplained time of all threads in the chains of --slowest and in the tree. */
    int64_t steps_unexplained;
    /* requests: number of steps that a request's completion ended; unqueued: of those without a
     * queue event (Q) in the log. */
    int64_t requests, unqueued;
    struct why_part chain[MOST_PARTS]; /* time by cause of the chain of the call that is ending */
    struct slow_calls slow;
    struct slow_call story; /* the call that is ending, with its steps */
    /* Tree of calls and their chains; `operation` of a node is the number of a text. */
    struct tree_nodes tree;
    /* Owned; durations by operation, until the percentiles of --at are known; then without a
     * distribution. */
    struct distribution_keys durations;
    struct id_values least; /* by operation: duration at the percentile of --at */
    size_t *places; /* owned; by text number of a thread: its index in the runners of a call */
    size_t place_count, place_capacity;
    size_t kept;     /* number of stored states, over all threads */
    size_t prune_at; /* number of stored states at which unneeded ones are dropped */
};

/* --- rows of the result ----------------------------------------------------------------------- */

static void why_write_row(struct analysis_context *context, const void *why_row) {
    const struct why_row *row = why_row;
    struct why_state *state = context->first;
    const char *cause = wait_cause_text(state->causes, row->key.cause),
               *waker = wait_cause_text(state->causes, row->key.waker);

    temp_rows_text(&context->tables[0], 5, cause, strlen(cause));
    temp_rows_text(&context->tables[0], 6, waker, strlen(waker));
    TEMP_ROW(&context->tables[0], context->trace->trace->id, row->key.operation, row->key.actor,
             row->key.object, row->calls, row->time, row->longest, row->key.beyond, row->key.lock,
             row->requests > 0 ? row->queued : EVENT_NONE);
}

static void why_add_row(void *why_row, const void *why_from) {
    struct why_row *row = why_row;
    const struct why_row *from = why_from;

    add_saturated(&row->time, from->time);
    add_saturated(&row->queued, from->queued);
    row->requests += from->requests;
    row->calls += from->calls;
    row->longest = from->longest > row->longest ? from->longest : row->longest;
}

static bool variant_keeps_states(const struct why_state *state) {
    return state->by >= BY_SLOWEST;
}

static bool variant_keeps_runs(const struct why_state *state) {
    return state->by == BY_BLAME || state->by == BY_BLAME_PROCESS;
}

static bool is_chain(const struct why_state *state) {
    return state->by == BY_CHAIN || state->by == BY_CHAIN_AT;
}

static bool variant_shows_wakers(const struct why_state *state) {
    return state->by == BY_WAKER || is_chain(state) || variant_keeps_runs(state);
}

static bool why_is_at(const struct why_state *state) {
    return state->by == BY_NAME_AT || state->by == BY_NAME_FOUND || state->by == BY_CHAIN_AT;
}

static void count_part(struct why_state *state, const struct why_call *call,
                       const struct why_part *part) {
    bool by_name =
        state->by == BY_NAME || state->by == BY_LOCK || is_chain(state) || why_is_at(state);
    struct why_row from = {
        .key = {.lock = state->by == BY_LOCK ? call->lock : EVENT_NONE,
                .operation = by_name ? call->operation : 0,
                .actor = state->by == BY_THREAD ? call->actor : 0,
                .object = state->by == BY_FILE ? call->object : 0,
                .cause = part->cause,
                .waker = variant_shows_wakers(state) ? part->waker : 0},
        .time = part->time,
        .calls = 1,
        .longest = part->time,
        .queued = part->queued,
        .requests = part->requests,
    };

    why_add_row(keyed_rows_find(&state->keyed.rows, &from.key), &from);
    if (call->beyond) {
        from.key.beyond = 1;
        why_add_row(keyed_rows_find(&state->keyed.rows, &from.key), &from);
    }
}

/* --- time of a call by cause ------------------------------------------------------------------ */

/* Returns the cause of the time in a state. A sleep is unexplained until the wakeup. */
static uint32_t cause_of_state(enum thread_state state) {
    return state == STATE_RUNNING                    ? WAIT_CAUSE_ON_PROCESSOR
           : thread_state_waits_for_processor(state) ? WAIT_CAUSE_FOR_PROCESSOR
                                                     : WAIT_CAUSE_UNEXPLAINED;
}

/* Returns a part (time by cause) of a call by its number. Analyses of chains use one array for all
 * calls, because each chain is followed at once when its call ends. */
static struct why_part *why_part_of(struct why_state *state, struct why_call *call, size_t number) {
    return is_chain(state)  ? &state->chain[number]
           : number < PARTS ? &call->parts[number]
                            : &call->further[number - PARTS];
}

static struct why_part *why_new_part(struct why_state *state, struct why_call *call) {
    size_t number = call->count++;

    if (number >= PARTS && !is_chain(state)) {
        return ARRAY_NEW(call->further, call->further_count, call->further_capacity);
    }
    return why_part_of(state, call, number);
}

/* Adds time to the part of a call that has this cause and waker. Returns the part; NULL: none. */
static struct why_part *why_add_part(struct why_state *state, struct why_call *call, uint32_t cause,
                                     uint32_t waker, int64_t time) {
    struct why_part *part = NULL;
    size_t i = 0;

    if (is_chain(state) && !call->ended) {
        call->known += time;
        return NULL;
    }
    waker = variant_shows_wakers(state) ? waker : 0;
    for (; i < call->count; i++) {
        part = why_part_of(state, call, i);
        if (part->cause == cause && part->waker == waker) {
            break;
        }
    }
    if (i == MOST_PARTS) {
        return NULL;
    }
    if (i == call->count) {
        part = why_new_part(state, call);
        *part = (struct why_part){cause, waker, 0, 0, 0};
    }
    part->time += time;
    call->known += time;
    return part;
}

/* Returns the index of a thread's first stored state that ends after `time`. */
static size_t first_kept_state_after(const struct why_thread *thread, int64_t time) {
    size_t from = 0, to = thread->kept_count;

    while (from < to) {
        size_t middle = (from + to) / 2;

        if (thread->kept[middle].end <= time) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/* Returns the number of the tree node of a text under `parent`, and counts the call in it. 0: too
 * many nodes, with the error set. */
static uint32_t why_find_node(struct why_state *state, uint32_t parent, uint32_t text) {
    uint32_t number = tree_nodes_find(&state->tree, parent, text);
    struct tree_node *node;

    if (number == 0) {
        number = tree_nodes_add(&state->tree, parent, text, &state->keyed.context->error);
    }
    if (number != 0) {
        node = tree_node(&state->tree, number);
        node->calls += node->recent != (uint32_t)state->calls + 1;
        node->recent = (uint32_t)state->calls + 1;
    }
    return number;
}

static void why_add_node(struct why_state *state, uint32_t parent, uint32_t text, int64_t time) {
    uint32_t number = why_find_node(state, parent, text);

    if (number != 0) {
        add_saturated(&tree_node(&state->tree, number)->self, time);
    }
}

/* Position in a chain of waits. */
struct place {
    int depth;     /* number of wakeups between the call's own thread and this one */
    uint32_t node; /* number of the node in why_state.tree */
};

/* Adds the time in which a request was queued before its issue, as far as it lies in the wait for
 * the request (`begin` to `end`). */
static void add_queued(struct why_state *state, const struct io_request *request, int64_t begin,
                       int64_t end, struct why_part *part) {
    int64_t issued = request->issued, from;

    if (request->is_flush) {
        return;
    }
    state->requests++;
    if (request->queued == EVENT_NONE) {
        state->unqueued++;
        return;
    }
    issued += state->shift;
    from = issued - request->queued;
    begin = begin > from ? begin : from;
    end = end < issued ? end : issued;
    part->queued += end > begin ? end - begin : 0;
    part->requests++;
}

/* Returns the text number of the name that a thread had at a time when it woke another. */
static uint32_t why_name_at(const struct why_thread *thread, int64_t time) {
    size_t i = first_kept_state_after(thread, time - 1);

    return i < thread->kept_count ? thread->kept[i].begun_as : thread->name;
}

/* Adds a step to a call: a thread's state from `begin` to `end`. `kept` NULL: unknown state. */
static void add_step(struct why_state *state, const struct why_thread *thread,
                     const struct kept_state *kept, int64_t begin, int64_t end,
                     struct why_call *call, struct place place) {
    uint32_t cause = kept == NULL ? WAIT_CAUSE_UNEXPLAINED : kept->cause;
    const struct io_request *request = kept == NULL ? NULL : kept->request;
    uint32_t name = kept == NULL             ? thread->name
                    : kept->end <= call->end ? kept->name
                                             : kept->begun_as;
    struct slow_step step = {begin, end, cause, name, 0, place.depth, NO_REQUEST};

    if (!is_chain(state) && cause == WAIT_CAUSE_UNEXPLAINED) {
        add_saturated(&state->steps_unexplained, end - begin);
    }
    if (state->by == BY_TREE) {
        why_add_node(state, place.node, cause, end - begin);
    } else if (!is_chain(state)) {
        if (request != NULL) {
            step.request = *request;
        } else if (kept != NULL && kept->waker != NULL) {
            step.waker = why_name_at(kept->waker, kept->end);
        }
        slow_call_add_step(&state->slow, &state->story, &step);
    } else if (cause != WAIT_CAUSE_UNEXPLAINED) {
        struct why_part *part = why_add_part(state, call, cause, name, end - begin);

        if (part != NULL && request != NULL) {
            add_queued(state, request, begin, end, part);
        }
    }
}

static void why_follow(struct why_state *state, const struct why_thread *thread, int64_t from,
                       int64_t to, struct why_call *call, struct place place);

/* Returns the position in a chain after the wait `wait`: at the thread that ended it. */
static struct place why_place_of(struct why_state *state, const struct kept_state *wait,
                                 struct place place) {
    if (state->by == BY_TREE) {
        uint32_t waker = why_name_at(wait->waker, wait->end);

        place.node = why_find_node(state, place.node,
                                   wait_causes_cause_with_waker(state->causes, wait->cause, waker));
    }
    place.depth++;
    return place;
}

/* Adds the steps of a wait for a request whose completion ksoftirqd handled: the time of the device
 * until ksoftirqd was woken, then the time of ksoftirqd. A loop device needs no time itself, so the
 * chain continues at the thread that woke ksoftirqd. */
static void follow_request(struct why_state *state, const struct why_thread *thread,
                           const struct kept_state *kept, int64_t from, int64_t to,
                           struct why_call *call, struct place place) {
    const struct why_thread *softirq = kept->waker;
    const struct kept_state *slept = NULL;
    size_t first = first_kept_state_after(softirq, from);

    for (size_t i = first; i < softirq->kept_count && softirq->kept[i].end < kept->end; i++) {
        if (softirq->kept[i].cause != WAIT_CAUSE_ON_PROCESSOR &&
            softirq->kept[i].cause != WAIT_CAUSE_FOR_PROCESSOR) {
            slept = &softirq->kept[i];
        }
    }
    if (slept == NULL && first < softirq->kept_count && softirq->kept[first].begin > from &&
        softirq->kept[first].cause == WAIT_CAUSE_FOR_PROCESSOR) { /* ksoftirqd was woken, and this
                                                                     is its first stored state */
        int64_t until = softirq->kept[first].begin < to ? softirq->kept[first].begin : to;

        add_step(state, thread, kept, from, until, call, place);
        from = until;
    }
    if (slept != NULL) {
        int64_t until = slept->end < to ? slept->end : to;

        if (slept->waker != NULL && wait_causes_is_loop(state->causes, kept->request->device)) {
            why_follow(state, slept->waker, from, until, call,
                       why_place_of(state, slept, why_place_of(state, kept, place)));
        } else {
            add_step(state, thread, kept, from, until, call, place);
        }
        from = until;
    }
    if (from < to) {
        why_follow(state, softirq, from, to, call, why_place_of(state, kept, place));
    }
}

/* Adds what a thread did from `from` to `to`, as steps of a chain. For times when it slept, adds
 * the steps of the thread that woke it. */
static void why_follow(struct why_state *state, const struct why_thread *thread, int64_t from,
                       int64_t to, struct why_call *call, struct place place) {
    int most = state->by == BY_SLOWEST ? 0 : STEPS - 1;

    for (size_t i = first_kept_state_after(thread, from);
         i < thread->kept_count && thread->kept[i].begin < to; i++) {
        const struct kept_state *kept = &thread->kept[i];
        int64_t begin = kept->begin > from ? kept->begin : from,
                end = kept->end < to ? kept->end : to;

        if (end <= begin) {
            continue;
        }
        if (begin > from) {
            add_step(state, thread, NULL, from, begin, call, place);
        }
        from = end;
        state->followed++;
        if (kept->waker != NULL && place.depth < most &&
            state->followed / FOLLOWED > state->states + FOLLOWED_ALWAYS) {
            state->unfollowed++;
            most = place.depth;
        }
        if (kept->waker == NULL || place.depth >= most) {
            add_step(state, thread, kept, begin, end, call, place);
        } else if (kept->request != NULL) {
            follow_request(state, thread, kept, begin, end, call, place);
        } else {
            why_follow(state, kept->waker, begin, end, call, why_place_of(state, kept, place));
        }
    }
    if (from < to) {
        add_step(state, thread, NULL, from, to, call, place);
    }
}

/* Follows the chain of a call that has ended. `thread` NULL: its states are not in the log. */
static void follow_call(struct why_state *state, const struct why_thread *thread,
                        struct why_call *call) {
    struct place place = {0, 0};
    bool is_slow =
        state->slow.most > 0 && slow_calls_is_slow(&state->slow, call->end - call->begin);

    if (state->by == BY_TREE) {
        place.node = why_find_node(state, 0, wait_causes_call_name(state->causes, call->operation));
    }
    if (thread == NULL) {
        add_saturated(&state->steps_unexplained, call->end - call->begin);
        if (state->by == BY_TREE) {
            why_add_node(state, place.node, WAIT_CAUSE_UNEXPLAINED, call->end - call->begin);
        }
        return;
    }
    if (is_chain(state)) {
        call->known = 0;
        call->count = 0;
    } else if (state->by == BY_SLOWEST && !is_slow) {
        return;
    }
    state->story = (struct slow_call){.begin = call->begin,
                                      .duration = call->end - call->begin,
                                      .operation = call->operation,
                                      .actor = call->actor};
    why_follow(state, thread, call->begin, call->end, call, place);
    if (is_slow) {
        slow_calls_store(&state->slow, &state->story);
    } else {
        free(state->story.steps);
    }
}

/* Counts a call that has ended, once all states during it have been read. */
static void why_end_call(struct why_state *state, const struct why_thread *thread,
                         struct why_call *call) {
    int64_t duration = call->end - call->begin, rest;

    call->ended = true;
    if (variant_keeps_states(state)) {
        follow_call(state, thread, call);
    }
    rest = duration - call->known;
    state->calls++;
    state->with_states += call->known > 0 || (duration == 0 && thread != NULL &&
                                              thread->has_state && call->begin <= thread->end);
    if (rest > 0 && why_add_part(state, call, WAIT_CAUSE_UNEXPLAINED, 0, rest) != NULL) {
        rest = 0; /* the rest is now in the part of cause "unexplained" */
    }
    add_saturated(&state->time, duration);
    count_part(state, call, &(struct why_part){WAIT_CAUSE_NONE, 0, duration, 0, 0});
    for (size_t i = 0; i < call->count + call->runner_count; i++) {
        const struct why_part *part =
            i < call->count ? why_part_of(state, call, i) : &call->runners[i - call->count];

        if (part->time > 0) {
            count_part(state, call, part);
        }
        if (part->cause == WAIT_CAUSE_UNEXPLAINED) { /* also unexplained time in interrupts */
            add_saturated(&state->unexplained, part->time);
        }
    }
    if (rest > 0) {
        count_part(state, call, &(struct why_part){WAIT_CAUSE_UNEXPLAINED, 0, rest, 0, 0});
        add_saturated(&state->unexplained, rest);
    }
    free(call->runners);
    free(call->further);
}

/* Adds the overlap of the thread's last state with a call to the call's time by cause. */
static void add_state(struct why_state *state, const struct why_thread *thread,
                      struct why_call *call) {
    int64_t from = thread->begin > call->begin ? thread->begin : call->begin,
            to = thread->end < call->end ? thread->end : call->end;

    if (to <= from) {
        return;
    }
    if (thread_state_is_asleep(thread->state)) {
        call->pending += to - from;
    } else if (cause_of_state(thread->state) != WAIT_CAUSE_UNEXPLAINED) {
        why_add_part(state, call, cause_of_state(thread->state), 0, to - from);
    }
}

static void copy_call(struct why_call *to, const struct why_call *from) {
    if (to != from) {
        size_t count = from->count < PARTS ? from->count : PARTS;

        memcpy(to, from, offsetof(struct why_call, parts) + count * sizeof *from->parts);
    }
}

/* Ends those calls of a thread whose end is not after `time`. */
static void why_end_calls(struct why_state *state, struct why_thread *thread, int64_t time) {
    size_t kept = 0;

    for (size_t i = 0; i < thread->count; i++) {
        if (thread->calls[i].end <= time) {
            why_end_call(state, thread, &thread->calls[i]);
        } else {
            copy_call(&thread->calls[kept++], &thread->calls[i]);
        }
    }
    thread->count = kept;
}

static void why_begin_call(struct why_state *state, struct why_thread *thread,
                           const struct why_call *begun) {
    struct why_call *call;

    why_end_calls(state, thread, begun->begin);
    call = ARRAY_NEW(thread->calls, thread->count, thread->capacity);
    copy_call(call, begun);
    if (thread->has_state) {
        add_state(state, thread, call);
    }
    if (call->known == call->end - call->begin) {
        why_end_call(state, thread, call);
        thread->count--;
    }
}

/* --- keeping states for chains ---------------------------------------------------------------- */

/* Drops a thread's stored states that end before `time`. Returns their number. */
static size_t drop_kept_states(struct why_thread *thread, int64_t time) {
    size_t gone = first_kept_state_after(thread, time);

    for (size_t i = 0; i < gone; i++) {
        free(thread->kept[i].request);
    }
    if (gone > 0) { /* memmove() must not get NULL, which `kept` is if there are no states */
        memmove(thread->kept, thread->kept + gone,
                (thread->kept_count - gone) * sizeof *thread->kept);
    }
    thread->kept_count -= gone;
    return gone;
}

/* Drops stored states that ended before the oldest running call, and runs on processors that ended
 * before the oldest wait for a processor. If too many remain, drops the older half. */
static void drop_old_states(struct why_state *state, int64_t now) {
    int64_t least = now, first = now;

    for (struct why_thread *thread = state->threads; thread != NULL; thread = thread->hh.next) {
        if (variant_keeps_runs(state) && thread->count > 0 && thread->begin < least &&
            thread_state_waits_for_processor(thread->state)) {
            least = thread->begin;
        }
        for (size_t i = 0; i < thread->count && !variant_keeps_runs(state); i++) {
            least = thread->calls[i].begin < least ? thread->calls[i].begin : least;
        }
        if (thread->kept_count > 0 && thread->kept[0].begin < first) {
            first = thread->kept[0].begin;
        }
    }
    for (int round = 0; round < 2; round++) {
        for (struct why_thread *thread = state->threads; thread != NULL; thread = thread->hh.next) {
            state->kept -= drop_kept_states(thread, least);
        }
        if (state->kept <= KEPT_STATES / 2) {
            break;
        }
        least = (first > least ? first : least) / 2 + now / 2;
    }
    state->prune_at = 2 * state->kept + KEPT_AT_LEAST;
    if (state->prune_at > KEPT_STATES) {
        state->prune_at = KEPT_STATES;
    }
}

/* Stores the last state of a thread for chains. */
static void store_state(struct why_state *state, struct why_thread *thread, uint32_t cause) {
    *ARRAY_NEW(thread->kept, thread->kept_count, thread->kept_capacity) = (struct kept_state){
        thread->begin, thread->end, cause, thread->name, thread->name, NULL, NULL};
    if (++state->kept >= state->prune_at) {
        drop_old_states(state, thread->begin);
    }
}

/* --- reading the states of threads ------------------------------------------------------------ */

static struct why_thread *why_find_thread(struct why_state *state, int64_t tid) {
    struct why_thread *thread;

    HASH_FIND(hh, state->threads, &tid, sizeof tid, thread);
    if (thread == NULL) {
        HASH_NEW(state->threads, tid, tid, thread);
    }
    return thread;
}

/* Returns the operation that shows what a thread waits for in its last state: that of a system call
 * in the same log, or of the innermost of its calls that shows it; 0: none. */
static uint32_t why_waits_in(const struct why_state *state, const struct why_thread *thread) {
    size_t i = thread->count;

    if (thread->system_end > thread->begin || i == 0) {
        return thread->system_end > thread->begin ? thread->system : 0;
    }
    while (i > 1 && (thread->calls[i - 1].begin > thread->begin ||
                     !wait_causes_explains_wait(state->causes, thread->calls[i - 1].operation))) {
        i--;
    }
    return thread->calls[i - 1].operation;
}

/* For function traces: reads the system calls that begin up to `time`. */
static void read_system_calls(struct why_state *state, int64_t time) {
    const struct event_columns *columns = &state->system.columns;

    while (!state->system.ended || state->system_at < state->system_count) {
        size_t i = state->system_at;
        int64_t tid;

        if (i == state->system_count) {
            state->system_at = state->system_count = 0;
            if (!event_stream_next(&state->system, &state->system_count,
                                   &state->keyed.context->error) ||
                state->system_count == 0) {
                return;
            }
            continue;
        }
        if (columns->time[i] > time) {
            return;
        }
        state->system_at++;
        if (wait_causes_explains_wait(state->causes, columns->operation[i]) &&
            id_values_find(&state->caller_tids, columns->actor[i], &tid)) {
            struct why_thread *thread = why_find_thread(state, tid);

            thread->system = columns->operation[i];
            if (columns->duration[i] < 0 ||
                __builtin_add_overflow(columns->time[i], columns->duration[i],
                                       &thread->system_end)) {
                thread->system_end = INT64_MAX;
            }
        }
    }
}

/* Sets what woke a thread from its last state, if event `i` is a wakeup (`woken`). */
static void set_waker(struct why_state *state, struct why_thread *thread,
                      const struct event_columns *columns, size_t i, bool woken) {
    struct kept_state *last;
    int64_t tid;

    if (!woken || thread->kept_count == 0) {
        return;
    }
    last = &thread->kept[thread->kept_count - 1];
    last->cause =
        wait_causes_find(state->causes, why_waits_in(state, thread), thread->function, columns, i)
            .cause;
    tid = last->cause == WAIT_CAUSE_UNEXPLAINED
              ? EVENT_NONE
              : wait_causes_tid(state->causes, columns->issuer[i]);
    last->waker = tid == EVENT_NONE ? NULL : why_find_thread(state, tid);
    if (last->cause != WAIT_CAUSE_UNEXPLAINED &&
        state_context_of(columns->flags[i]) == STATE_CONTEXT_DEVICE) {
        last->request = xcalloc(1, sizeof *last->request);
        *last->request = (struct io_request)NO_REQUEST;
        last->request->device = wait_causes_device(state->causes, columns->object[i]);
        last->request->sector = columns->address[i];
        last->request->response = columns->response[i];
        last->request->is_flush = io_class_of(columns->flags[i]) == IO_FLUSH;
        requests_find(&state->completions, columns->time[i], last->request,
                      &state->keyed.context->error);
    }
}

/* Moves time of a call's wait for a processor to the thread `runner`, which ran on it. `*place` is
 * the index of that thread in the call's runners; corrected if wrong. */
static void why_move_wait(struct why_state *state, struct why_call *call, uint32_t runner,
                          size_t *place, int64_t time) {
    size_t part = 0;

    while (part < call->count &&
           why_part_of(state, call, part)->cause != WAIT_CAUSE_FOR_PROCESSOR) {
        part++;
    }
    if (*place >= call->runner_count || call->runners[*place].waker != runner) {
        *place = call->runner_count;
        if (part == call->count || *place == MOST_PARTS) {
            return;
        }
        *ARRAY_NEW(call->runners, call->runner_count, call->runner_capacity) =
            (struct why_part){WAIT_CAUSE_FOR_PROCESSOR, runner, 0, 0, 0};
    }
    why_part_of(state, call, part)->time -= time;
    call->runners[*place].time += time;
}

/* Finds the threads that ran on the processor while `thread` waited for it in its last state. */
static void why_find_runners(struct why_state *state, struct why_thread *thread) {
    struct why_thread *processor;

    if (thread->count == 0 || !thread_state_waits_for_processor(thread->state) ||
        thread->processor < 0) {
        return;
    }
    processor = why_find_thread(state, ~thread->processor);
    if (state->followed / FOLLOWED > state->states + FOLLOWED_ALWAYS) {
        state->unfollowed++;
        return;
    }
    for (size_t at = 0; at < thread->count; at++) {
        struct why_call *call = &thread->calls[at];
        int64_t from = thread->begin > call->begin ? thread->begin : call->begin,
                to = thread->end < call->end ? thread->end : call->end;

        for (size_t i = 0; i < call->runner_count; i++) {
            state->places[call->runners[i].waker] = i;
        }
        for (size_t i = first_kept_state_after(processor, from);
             i < processor->kept_count && processor->kept[i].begin < to; i++) {
            const struct kept_state *run = &processor->kept[i];
            int64_t begin = run->begin > from ? run->begin : from,
                    end = run->end < to ? run->end : to;

            state->followed++;
            if (end > begin) {
                why_move_wait(state, call, run->cause, &state->places[run->cause], end - begin);
                from = end;
            }
        }
    }
}

static void why_store_run(struct why_state *state, const struct why_thread *thread) {
    struct why_thread *processor;

    if (thread->state != STATE_RUNNING || thread->processor < 0) {
        return;
    }
    processor = why_find_thread(state, ~thread->processor);
    processor->begin = thread->begin;
    processor->end = thread->end;
    while (state->place_count <= thread->name) {
        *ARRAY_NEW(state->places, state->place_count, state->place_capacity) = 0;
    }
    store_state(state, processor, thread->name);
}

/* Sets the name that a thread has from `time` on, when its next state begins. If it has been
 * running up to then (exec changed its name), its stored running period gets the new name, too. */
static void why_name_thread(const struct why_state *state, struct why_thread *thread,
                            uint32_t actor, int64_t time) {
    if (thread->actor == actor || !(variant_keeps_states(state) || variant_keeps_runs(state))) {
        return;
    }
    thread->actor = actor;
    thread->name = variant_keeps_runs(state) ? wait_causes_waker_label(state->causes, actor)
                                             : wait_causes_thread_name(state->causes, actor);
    if (thread->kept_count > 0 && thread->state == STATE_RUNNING && time == thread->end) {
        thread->kept[thread->kept_count - 1].name = thread->name;
    }
}

static void handle_state(struct why_state *state, const struct event_columns *columns, size_t i) {
    int64_t tid, time = columns->time[i] + state->shift, duration = columns->duration[i];
    enum thread_state begun;
    struct why_thread *thread;
    bool is_woken;

    if (!wait_causes_state(state->causes, columns->operation[i], &begun) ||
        (tid = wait_causes_tid(state->causes, columns->actor[i])) == EVENT_NONE) {
        return;
    }
    /* If the log lacks the switch to a woken thread, the thread's state is unknown, but what woke
     * it is not. */
    is_woken = begun == STATE_WOKEN || (begun == STATE_UNKNOWN &&
                                        state_context_of(columns->flags[i]) != STATE_CONTEXT_NONE);
    state->states++;
    read_system_calls(state, time);
    thread = why_find_thread(state, tid);
    why_name_thread(state, thread, columns->actor[i], time);
    if (variant_keeps_states(state)) {
        set_waker(state, thread, columns, i, is_woken && time == thread->end);
    }
    if (variant_keeps_runs(state)) {
        why_find_runners(state, thread);
    }
    for (size_t at = 0; at < thread->count; at++) {
        struct why_call *call = &thread->calls[at];

        if (call->pending > 0 && is_woken && time == thread->end) {
            const struct wait_cause cause = wait_causes_find(
                state->causes, why_waits_in(state, thread), thread->function, columns, i);

            why_add_part(state, call, cause.cause, cause.waker, call->pending);
        }
        call->pending = 0;
    }
    why_end_calls(state, thread, time);
    thread->has_state = true;
    thread->state = begun;
    thread->function = thread_state_is_asleep(begun) ? columns->object[i] : 0;
    thread->begin = time;
    if (duration < 0 || __builtin_add_overflow(time, duration, &thread->end)) {
        thread->end = time;
    }
    thread->processor = columns->value[i];
    if (variant_keeps_states(state)) {
        store_state(state, thread, cause_of_state(thread->state));
    } else if (variant_keeps_runs(state)) {
        why_store_run(state, thread);
    }
    for (size_t at = 0; at < thread->count; at++) {
        add_state(state, thread, &thread->calls[at]);
    }
}

/* Reads the thread states that begin up to `time`. */
static void read_states(struct why_state *state, int64_t time) {
    struct error *error = &state->keyed.context->error;

    while (!analysis_failed(state->keyed.context)) {
        if (state->at == state->count) {
            state->at = 0;
            if (!event_stream_next(&state->cursor, &state->count, error) || state->count == 0) {
                return;
            }
        }
        if (state->cursor.columns.time[state->at] + state->shift > time) {
            return;
        }
        handle_state(state, &state->cursor.columns, state->at++);
    }
}

/* --- the percentile of --at ------------------------------------------------------------------- */

static const char *selected_percentile(const struct why_state *state) {
    return state->by == BY_NAME_FOUND ? "p99" : state->keyed.context->values[MORE].text;
}

/* Returns whether another pass is needed. The last pass counts the times; those before it compute
 * the percentiles of --at. */
static bool why_again(void *why_state) {
    struct why_state *state = why_state;
    struct analysis_context *context = state->keyed.context;
    struct text sql = {0};

    if (state->durations.distribution == NULL || analysis_failed(context)) {
        return false;
    }
    if (!distribution_end_pass(state->durations.distribution)) {
        distribution_write(state->durations.distribution, context->temp, &context->error);
        distribution_free(state->durations.distribution);
        state->durations.distribution = NULL;
        /* The column has the name of the percentile, but without a dot: p99_9. why_begin() has
         * checked the percentile. */
        text_append_format(&sql,
                           "SELECT CAST(name AS INTEGER), %s FROM temp.distribution"
                           " WHERE ?1 NOT NULL ORDER BY 1",
                           strcmp(selected_percentile(state), "p99.9") == 0
                               ? "p99_9"
                               : selected_percentile(state));
        id_values_query(&state->least, context->database, text_string(&sql), 0, &context->error);
        text_free(&sql);
    }
    state->untimed = 0;
    return true;
}

/* --- passing the calls ------------------------------------------------------------------------ */

static void why_visit(void *why_state, const struct event_columns *columns, size_t count) {
    struct why_state *state = why_state;
    bool spans = state->keyed.context->trace->trace->kind == TRACE_SPANS;

    for (size_t i = 0; i < count && !state->off && !analysis_failed(state->keyed.context); i++) {
        struct why_call call;
        int64_t tid, least;

        memset(&call, 0, offsetof(struct why_call, parts));
        call.begin = columns->time[i];
        call.operation = columns->operation[i];
        call.actor = columns->actor[i];
        call.object = columns->object[i];
        call.lock = columns->source_address[i];
        if (spans && !span_is_call(columns->flags[i])) {
            continue;
        }
        if (columns->duration[i] < 0 ||
            __builtin_add_overflow(call.begin, columns->duration[i], &call.end)) {
            state->untimed++;
            continue;
        }
        if (state->durations.distribution != NULL) {
            distribution_count(state->durations.distribution,
                               distribution_group_of_key(&state->durations, call.operation,
                                                         &state->keyed.context->error),
                               columns->duration[i]);
            continue;
        }
        call.beyond = why_is_at(state) && id_values_find(&state->least, call.operation, &least) &&
                      call.end - call.begin >= least;
        read_states(state, call.begin);
        if (!id_values_find(&state->caller_tids, call.actor, &tid)) {
            why_end_call(state, NULL, &call);
            continue;
        }
        why_begin_call(state, why_find_thread(state, tid), &call);
    }
}

/* Reads the third parameter, which is --slowest or --at, depending on the variant. */
static void begin_more(struct why_state *state) {
    const struct parameter_value *more = &state->keyed.context->values[MORE];

    if (state->by == BY_SLOWEST || state->by == BY_CHAIN_SLOWEST) {
        state->slow.most = (size_t)more->number;
        state->slow.steps = state->by == BY_SLOWEST ? STORY : CHAIN_STORY;
    } else if (state->by == BY_NAME_FOUND) {
        const struct catalog_trace *trace = state->keyed.context->selection->traces[0].trace;

        state->off = !trace->states_beside || !catalog_has_real_clock(trace);
        state->durations.distribution =
            state->off ? NULL : distribution_new((struct distribution_shape){0});
    } else if (why_is_at(state)) {
        if (more->text == NULL || !word_in("p50 p90 p95 p99 p99.9", more->text)) {
            error_usage(&state->keyed.context->error,
                        "%s --at must be p50, p90, p95, p99 or p99.9, not '%s'",
                        is_chain(state) ? "chain" : "why", more->text == NULL ? "" : more->text);
            return;
        }
        state->durations.distribution = distribution_new((struct distribution_shape){0});
    }
}

static void why_begin(void *why_state) {
    struct why_state *state = why_state;

    state->by = (enum why_by)state->keyed.context->analysis->variant;
    keyed_state_begin(state);
    state->cursor.ended = state->system.ended = state->completions.stream.ended = true;
    state->prune_at = KEPT_AT_LEAST;
    state->causes = wait_causes_new();
    begin_more(state);
}

static void why_begin_trace(void *why_state) {
    struct why_state *state = why_state;
    struct analysis_context *context = state->keyed.context;
    struct event_pass pass, system = {.database = NULL};

    id_values_free(&state->caller_tids);
    if (state->off) {
        return;
    }
    if (!wait_causes_read(state->causes, context, context->values[WITH].text,
                          context->values[OFFSET].given ? context->values[OFFSET].number
                                                        : EVENT_NONE,
                          state->by == BY_BLAME_PROCESS, &pass, &state->shift) ||
        !wait_causes_find_system(state->causes, context->trace->trace, &system) ||
        !id_values_query(
            &state->caller_tids, context->database,
            "SELECT id, ifnull(tid, pid) FROM main.actor WHERE trace" WAIT_CAUSES_TRACES
            " AND ifnull(tid, pid) IS NOT NULL ORDER BY id",
            context->trace->trace->id, &context->error) ||
        (variant_keeps_states(state) && state->durations.distribution == NULL &&
         !requests_open(&state->completions, context->database, pass.range.trace,
                        &context->error))) {
        return;
    }
    state->at = state->count = 0;
    event_stream_open(&state->cursor, &pass, &context->error);
    state->system_at = state->system_count = 0;
    if (system.database != NULL) {
        event_stream_open(&state->system, &system, &context->error);
    }
}

static void clear_threads(struct why_state *state) {
    while (state->threads != NULL) {
        struct why_thread *thread = state->threads;

        HASH_DEL(state->threads, thread);
        for (size_t i = 0; i < thread->count; i++) {
            free(thread->calls[i].runners);
            free(thread->calls[i].further);
        }
        free(thread->calls);
        drop_kept_states(thread, INT64_MAX);
        free(thread->kept);
        free(thread);
    }
    state->kept = 0;
    state->prune_at = KEPT_AT_LEAST;
}

static void why_end_trace(void *why_state) {
    struct why_state *state = why_state;

    if (state->off) {
        return;
    }
    if (state->durations.distribution == NULL) {
        read_states(state, INT64_MAX);
    }
    for (struct why_thread *thread = state->threads; thread != NULL; thread = thread->hh.next) {
        why_end_calls(state, thread, INT64_MAX);
    }
    event_stream_close(&state->cursor);
    event_stream_close(&state->system);
    requests_close(&state->completions);
    keyed_rows_flush(&state->keyed.rows);
    clear_threads(state);
}

/* Writes a row for each of the slowest calls, with its steps as text. */
static void write_stories(struct why_state *state) {
    struct analysis_context *context = state->keyed.context;
    struct text story = {0};

    for (size_t i = 0; i < state->slow.count && !analysis_failed(context); i++) {
        const struct slow_call *slow = &state->slow.calls[i];

        text_clear(&story);
        slow_call_describe(slow, state->causes, context->database, &story, &context->error);
        temp_rows_text(&context->tables[2], 6, text_string(&story), story.length);
        TEMP_ROW(&context->tables[2], (int64_t)i + 1, slow->begin, slow->duration, slow->operation,
                 slow->actor);
    }
    text_free(&story);
}

/* Writes a row for each step of the slowest calls. */
static void why_write_steps(struct why_state *state) {
    struct temp_rows *rows = &state->keyed.context->tables[2];

    for (size_t i = 0; i < state->slow.count; i++) {
        const struct slow_call *slow = &state->slow.calls[i];

        for (size_t j = 0; j < slow->count; j++) {
            const struct slow_step *step = &slow->steps[j];
            const struct io_request *request = &step->request;
            const char *thread = wait_cause_text(state->causes, step->thread),
                       *cause = slow->is_cut && j + 1 == slow->count
                                    ? "\342\200\246"
                                    : wait_cause_text(state->causes, step->cause);

            temp_rows_text(rows, 6, thread, strlen(thread));
            temp_rows_text(rows, 7, cause, strlen(cause));
            TEMP_ROW(rows, (int64_t)i + 1, (int64_t)j + 1, step->begin, step->end - step->begin,
                     step->depth, slow->begin, slow->duration, slow->operation, slow->actor,
                     request->is_flush ? EVENT_NONE : request->sector, request->response,
                     request->row, request->object == 0 ? EVENT_NONE : request->object,
                     request->queued);
        }
    }
}

/* Writes the nodes of the tree in display order. */
static void write_tree(struct why_state *state) {
    struct tree_functions texts = {0};
    uint32_t *ranks, *order;

    for (uint32_t number = (uint32_t)state->tree.count; number > 0; number--) {
        struct tree_node *node = tree_node(&state->tree, number);

        add_saturated(&node->total, node->self);
        if (node->parent != 0) {
            add_saturated(&tree_node(&state->tree, node->parent)->total, node->total);
        }
        node->subtree = node->total;
    }
    tree_functions_find(&texts, &state->tree);
    ranks = xcalloc(texts.count + 1, sizeof *ranks);
    order = tree_nodes_sort(&state->tree, &texts, ranks);
    for (size_t i = 0; i < state->tree.count; i++) {
        const struct tree_node *node = tree_node(&state->tree, order[i]);
        const char *text = wait_cause_text(state->causes, node->operation);

        temp_rows_text(&state->keyed.context->tables[2], 3, text, strlen(text));
        TEMP_ROW(&state->keyed.context->tables[2], (int64_t)i + 1, node->depth, node->calls,
                 node->total, node->self);
    }
    tree_functions_free(&texts);
    free(ranks);
    free(order);
}

static void write_total(void *why_state) {
    struct why_state *state = why_state;
    bool steps = state->by == BY_CHAIN_SLOWEST || state->by == BY_TREE;

    if (state->by == BY_SLOWEST) {
        write_stories(state);
    } else if (state->by == BY_CHAIN_SLOWEST) {
        why_write_steps(state);
    } else if (state->by == BY_TREE) {
        write_tree(state);
    }
    TEMP_ROW(&state->keyed.context->tables[1], state->calls, state->with_states, state->time,
             steps ? state->steps_unexplained : state->unexplained, state->untimed,
             wait_causes_missing_events(state->causes), state->unfollowed, state->requests,
             state->unqueued);
}

static void why_free_state(void *why_state) {
    struct why_state *state = why_state;

    event_stream_close(&state->cursor);
    event_stream_close(&state->system);
    requests_close(&state->completions);
    clear_threads(state);
    slow_calls_free(&state->slow);
    tree_nodes_free(&state->tree);
    distribution_free(state->durations.distribution);
    distribution_keys_clear(&state->durations);
    id_values_free(&state->least);
    free(state->places);
    id_values_free(&state->caller_tids);
    wait_causes_free(state->causes);
    keyed_state_free(state);
}

/* tally_why: a row for each cause and, if the analysis groups by it, operation, actor, object,
 * waker or lock (otherwise 0 or empty). `calls`: calls with time of that cause; `time`, `longest`:
 * sum and maximum of their times of that cause. Rows with an empty cause count whole calls.
 * why_total: number of all calls; of calls with any known state; their time; its unexplained part;
 * calls without a duration; kinds of events that the log of states lacks (bits WAIT_LACKS_…); waits
 * not followed by chains; waits of chains for requests; of those without a known queue time. */
#define WHY_TABLES                                                                                 \
    {"tally_why",                                                                                  \
     "trace, operation, actor, object, cause, waker, calls, time, longest, beyond, lock, queued",  \
     NULL},                                                                                        \
    {                                                                                              \
        "why_total",                                                                               \
            "calls, with_states, time, unexplained, untimed, lacks, unfollowed, requests, "        \
            "unqueued",                                                                            \
            NULL                                                                                   \
    }
#define WHY_PARAMETERS                                                                             \
    [WITH] = {.name = "with",                                                                      \
              .type = PARAMETER_TEXT,                                                              \
              .argument = "TRACE",                                                                 \
              .help = "why: trace with states of threads (kind states), if it is of another log"}, \
    [OFFSET] = {.name = "offset",                                                                  \
                .type = PARAMETER_TIME,                                                            \
                .argument = "TIME",                                                                \
                .least = -1,                                                                       \
                .help = "why: how much later the trace of --with begins than that of the calls; "  \
                        "-TIME: earlier"}
#define WHY_ALWAYS(what, grouping)                                                                 \
    .name = (what), .variant = (grouping), .pass = PASS_IN_ORDER,                                  \
    .fields = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |        \
              EVENT_SOURCE_ADDRESS,                                                                \
    .window = WINDOW_WHOLE, .state_size = sizeof(struct why_state), .begin = why_begin,            \
    .keyed =                                                                                       \
        &(const struct keyed_kind){sizeof(struct why_key), sizeof(struct why_row), ROWS_IN_MEMORY, \
                                   .write = why_write_row, .add = why_add_row},                    \
    .begin_trace = why_begin_trace, .visit = why_visit, .end_trace = why_end_trace,                \
    .again = why_again, .write = write_total, .free = why_free_state
#define WHY(what, grouping) WHY_ALWAYS(what, grouping), .real_clock = true
#define WHY_BY(what, grouping)                                                                     \
    {                                                                                              \
        WHY(what, grouping), .tables = {WHY_TABLES}, .parameters = { WHY_PARAMETERS }              \
    }

const struct analysis analysis_why = WHY_BY("why", BY_NAME);
const struct analysis analysis_why_thread = WHY_BY("why_thread", BY_THREAD);
const struct analysis analysis_why_file = WHY_BY("why_file", BY_FILE);
const struct analysis analysis_why_waker = WHY_BY("why_waker", BY_WAKER);
const struct analysis analysis_why_lock = WHY_BY("why_lock", BY_LOCK);
const struct analysis analysis_why_cause = WHY_BY("why_cause", BY_CAUSE);

/* Blame: `waker` is the thread that ended the wait, or ran on the processor (empty: unknown). */
const struct analysis analysis_blame = WHY_BY("blame", BY_BLAME);
const struct analysis analysis_blame_process = WHY_BY("blame_process", BY_BLAME_PROCESS);

/* Chains: `waker` names the thread at the end of the chain. `queued`: the part of `time` in which
 * requests that ended waits were queued before their issue (NULL: not in the log). */
const struct analysis analysis_why_chain = WHY_BY("why_chain", BY_CHAIN);

#define WHY_SLOWEST(what, grouping, columns)                                                       \
    {                                                                                              \
        WHY(what, grouping), .tables = {WHY_TABLES, {what, columns, NULL}}, .parameters = {        \
            WHY_PARAMETERS,                                                                        \
            [MORE] = {.name = "slowest",                                                           \
                      .type = PARAMETER_NUMBER,                                                    \
                      .argument = "N",                                                             \
                      .least = 1,                                                                  \
                      .most = 1000,                                                                \
                      .otherwise = 10,                                                             \
                      .help = "why: where the time of each of the N longest calls went"}           \
        }                                                                                          \
    }

/* The slowest calls; `story` lists the states of the thread in order, as text. */
const struct analysis analysis_why_slowest =
    WHY_SLOWEST("why_slowest", BY_SLOWEST, "rank, time, duration, operation, actor, story");

/* Chains of the slowest calls: a row per step, which began at `time` and took `part`. `depth`:
 * number of wakeups between the call's own thread and the step's thread. If a request's completion
 * ended the step: `sector`; `response`, time from issue to completion; `request`, event.id of this
 * completion (NULL: none); `object` of the completion; `queued`, time before the issue. */
const struct analysis analysis_chain_slowest =
    WHY_SLOWEST("chain_slowest", BY_CHAIN_SLOWEST,
                "rank, step, time, part, depth, thread, cause, call_time, duration, operation,"
                " actor, sector, response, request, object, queued");

/* Chains as a tree: below a call what it waited for, and below that what the threads that ended the
 * wait waited for, in depth-first order (`place`). `self`: time of the node that no node below it
 * explains. */
const struct analysis analysis_chain_tree = {
    WHY("chain_tree", BY_TREE),
    .tables = {WHY_TABLES, {"chain_tree", "place, depth, name, calls, total, self", NULL}},
    .parameters = {WHY_PARAMETERS},
};

/* Times by cause, for calls longer than a percentile of the calls with the same name (`beyond` 1),
 * and for all calls (0). */
const struct analysis analysis_why_at = {
    WHY("why_at", BY_NAME_AT),
    .tables = {WHY_TABLES, {"distribution", DISTRIBUTION_COLUMNS, "name"}},
    .parameters = {WHY_PARAMETERS, [MORE] = AT_PARAMETER},
};

/* Times by cause of chains of waits, for calls longer than a percentile of the calls with the same
 * name (`beyond` 1), and for all calls (0). */
const struct analysis analysis_chain_at = {
    WHY("chain_at", BY_CHAIN_AT),
    .tables = {WHY_TABLES, {"distribution", DISTRIBUTION_COLUMNS, "name"}},
    .parameters = {WHY_PARAMETERS, [MORE] = AT_PARAMETER},
};

/* For findings: times by cause of calls longer than the p99 of the calls with the same name, and of
 * all calls. If the log has no thread states or no real clock, the tables are empty; this is no
 * error. */
const struct analysis analysis_why_found = {
    WHY_ALWAYS("why_found", BY_NAME_FOUND),
    .tables = {WHY_TABLES, {"distribution", DISTRIBUTION_COLUMNS, "name"}},
    .parameters = {WHY_PARAMETERS},
    .leaves_out = true,
    .apart = true,
};

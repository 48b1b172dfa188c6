/* Counts concurrent calls per thread: temp.tally_thread_depth, a row for each thread and time
 * interval with any call. The end times of a thread's running calls form a heap, because calls need
 * not be nested. A call open at the end of a log ends there. If a file is appended to the log, each
 * thread continues from its last record. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/intervals.h"
#include "base/saturate.h"
#include "base/search.h"
#include "model/call_stacks.h"

enum {
    WANTED_INTERVALS = 500, /* number of intervals to aim at if --interval is not given */
    MOST_ROWS = 1 << 22,    /* limit of table rows, over all threads and intervals */
};

/* A thread with its running calls. Times are relative to the begin of the first interval. */
struct depth_thread {
    struct call_thread running; /* heap of end times of running calls, uint64_t */
    uint64_t now;               /* time up to which this thread is counted */
    uint64_t interval;          /* number of the interval to which `in_flight` to `timed` belong */
    int64_t in_flight, deepest, begun, timed;
};

struct depth_state {
    struct analysis_context *context;
    struct intervals intervals;
    uint64_t end, now;         /* end: of the last interval; now: begin of the call being entered */
    struct call_stacks stacks; /* threads: struct depth_thread by actor.id */
    int64_t rows;
};

/* --- the ends of running calls ---------------------------------------------------------------- */

static bool ends_before(const uint64_t *a, const uint64_t *b) {
    return *a < *b;
}

/* Adds the end time of a call to the heap. If calls are nested, the new one is the first to end. */
static void add_end(struct depth_state *state, struct depth_thread *thread, uint64_t end) {
    uint64_t *ends;

    *(uint64_t *)call_stacks_push(&state->stacks, &thread->running) = end;
    ends = call_stacks_at(&state->stacks, &thread->running, 0);
    HEAP_UP(uint64_t, ends, thread->running.depth, ends_before);
}

static uint64_t first_end(const struct depth_state *state, const struct depth_thread *thread) {
    return *(const uint64_t *)call_stacks_at(&state->stacks, &thread->running, 0);
}

static void pop_first_end(const struct depth_state *state, struct depth_thread *thread) {
    uint64_t *ends = call_stacks_at(&state->stacks, &thread->running, 0);

    ends[0] = *(const uint64_t *)call_stacks_pop(&state->stacks, &thread->running);
    HEAP_DOWN(uint64_t, ends, thread->running.depth, ends_before);
}

/* --- counting the time of a thread ------------------------------------------------------------ */

static uint64_t thread_depth_offset_of(const struct depth_state *state, int64_t time) {
    uint64_t offset = (uint64_t)time - state->intervals.origin;

    return time <= (int64_t)state->intervals.origin ? 0 : offset < state->end ? offset : state->end;
}

/* Writes the row of the thread's current interval, if any call ran in it. */
static void write_sums(struct depth_state *state, const struct depth_thread *thread) {
    struct analysis_context *context = state->context;
    const struct intervals *intervals = &state->intervals;

    if ((thread->begun == 0 && thread->deepest == 0) || analysis_failed(context)) {
        return;
    }
    if (++state->rows > MOST_ROWS) {
        error_usage(&context->error,
                    "there are more than %d rows of threads and intervals: give a longer "
                    "--interval, or a shorter time with --from and --to",
                    MOST_ROWS);
        return;
    }
    TEMP_ROW(&context->tables[0], context->trace->trace->id, thread->running.actor,
             (int64_t)(intervals->origin + thread->interval * intervals->length),
             (int64_t)intervals->length, thread->in_flight, thread->deepest, thread->begun,
             thread->timed);
}

static void begin_depth_interval(struct depth_state *state, struct depth_thread *thread,
                                 uint64_t number) {
    if (number != thread->interval) {
        write_sums(state, thread);
        thread->interval = number;
        thread->in_flight = thread->deepest = thread->begun = thread->timed = 0;
    }
}

/* Adds a time span inside one interval, during which the number of running calls is constant. */
static void thread_depth_add_part(struct depth_thread *thread, uint64_t length) {
    int64_t depth = (int64_t)thread->running.depth;

    add_saturated(&thread->in_flight, product_saturated((int64_t)length, depth));
    thread->deepest = depth > thread->deepest ? depth : thread->deepest;
}

static void thread_depth_add_time(struct depth_state *state, struct depth_thread *thread,
                                  uint64_t to) {
    uint64_t length = state->intervals.length;

    while (thread->running.depth > 0 && thread->now < to) {
        uint64_t number = thread->now / length, next = (number + 1) * length;

        next = next < to ? next : to;
        begin_depth_interval(state, thread, number);
        thread_depth_add_part(thread, next - thread->now);
        thread->now = next;
    }
    thread->now = thread->now < to ? to : thread->now;
}

/* Counts a thread up to the time `to`, and removes calls that end by then. */
static void run_until(struct depth_state *state, struct depth_thread *thread, uint64_t to) {
    while (thread->running.depth > 0 && first_end(state, thread) <= to) {
        thread_depth_add_time(state, thread, first_end(state, thread));
        pop_first_end(state, thread);
    }
    thread_depth_add_time(state, thread, to);
}

static bool thread_depth_is_idle(void *depth_state, struct call_thread *thread) {
    struct depth_state *state = depth_state;

    run_until(state, (void *)thread, state->now);
    return true;
}

static void thread_depth_remove(void *depth_state, struct call_thread *thread) {
    struct depth_state *state = depth_state;

    if (!analysis_failed(state->context)) {
        run_until(state, (void *)thread, state->end);
        write_sums(state, (void *)thread);
    }
}

/* --- passing the calls ------------------------------------------------------------------------ */

/* Counts a call when it begins. Its time is by the trace's first clock, as are the intervals. */
static bool thread_depth_enter_call(void *depth_state, const struct span_row *row, void *call,
                                    void *caller, struct error *error) {
    struct depth_state *state = depth_state;
    uint64_t interval = interval_of(&state->intervals, row->time);
    struct depth_thread *thread;

    /* skips times outside the intervals, which only a damaged database has */
    if (interval >= state->intervals.count) {
        return true;
    }
    state->now = thread_depth_offset_of(state, row->time);
    thread = (void *)call_stacks_find(&state->stacks, row->actor);
    if (thread == NULL) {
        thread = (void *)call_stacks_add(&state->stacks, row->actor);
    }
    run_until(state, thread, state->now);
    begin_depth_interval(state, thread, interval);
    thread->begun += !row->earlier;
    if (row->first_duration != EVENT_NONE) {
        thread->timed++;
        add_end(state, thread, thread_depth_offset_of(state, row->end));
    }
    return !analysis_failed(state->context);
}

static void thread_depth_begin(void *depth_state) {
    struct depth_state *state = depth_state;

    state->stacks = (struct call_stacks){
        .thread_size = sizeof(struct depth_thread),
        .call_size = sizeof(uint64_t),
        .idle = thread_depth_is_idle,
        .forget = thread_depth_remove,
        .context = state,
    };
    intervals_find(&state->intervals, state->context, COVER_WINDOW, WANTED_INTERVALS,
                   INTERVALS_MOST);
    state->end = state->intervals.length * state->intervals.count;
}

/* Counts the remaining calls of all threads, and removes the threads. */
static void thread_depth_end_trace(void *depth_state) {
    struct depth_state *state = depth_state;

    call_stacks_free(&state->stacks);
    state->stacks.sweep_at = 0;
}

static void thread_depth_free_state(void *depth_state) {
    struct depth_state *state = depth_state;

    state->stacks.forget = NULL;
    call_stacks_free(&state->stacks);
}

static const struct span_visitor visitor = {.enter = thread_depth_enter_call};

/* tally_thread_depth: a row per trace, thread (actor.id) and interval with calls. `in_flight`: sum
 * of the times of the thread's calls inside the interval; `deepest`: maximum number of calls at the
 * same time; both from calls with a duration. `begun`: calls that began in the interval; `timed`:
 * those with a duration. A key may have several rows. */
const struct analysis analysis_thread_depth = {
    .name = "thread_depth",
    .tables = {{"tally_thread_depth",
                "trace, actor, start, length, in_flight, deepest, begun, timed", NULL}},
    .pass = PASS_CALLS,
    .window = WINDOW_PARTS,
    .parameters = {INTERVAL_PARAMETER},
    .state_size = sizeof(struct depth_state),
    .begin = thread_depth_begin,
    .calls = &visitor,
    .end_trace = thread_depth_end_trace,
    .free = thread_depth_free_state,
};

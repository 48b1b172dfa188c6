/* Finds the slowest events: temp.tally_slowest. Each thread of the analysis has a heap of the
 * slowest events that it visited, with the fastest of them on top. Of equal durations, that of the
 * trace whose name is first counts as slower, then the earlier one: the result does not depend on
 * the number of threads, nor on the order of imports. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/counted_state.h"
#include "base/memory.h"
#include "base/search.h"
#include "select/notes.h"

enum {
    SLOWEST = 20,           /* number of rows if --top is not given */
    MOST_SLOWEST = 1 << 20, /* limit of --top */
};

struct slow_event {
    const struct catalog_trace *trace; /* borrowed */
    int64_t duration, id, time, address, size;
    uint32_t operation, object, actor, flags;
};

struct slowest_state {
    struct analysis_context *context;
    struct slow_event *heap; /* owned */
    size_t most, count, capacity;
    int64_t counted; /* name.id of the operation to count; EVENT_NONE: all */
    int64_t events, timed;
};

/* Returns whether `a` is before `b` in the result. */
static bool is_before(const struct slow_event *a, const struct slow_event *b) {
    const int names = a->trace == b->trace ? 0 : strcmp(a->trace->name, b->trace->name);

    return a->duration != b->duration ? a->duration > b->duration
           : names != 0               ? names < 0
                                      : a->id < b->id;
}

static int compare_slow(const void *a, const void *b) {
    return is_before(a, b) ? -1 : is_before(b, a) ? 1 : 0;
}

/* Order of the heap, whose top is the last row of the result. */
static bool is_after(const struct slow_event *a, const struct slow_event *b) {
    return is_before(b, a);
}

static void slowest_store(struct slowest_state *state, const struct slow_event *event) {
    if (state->count < state->most) {
        *ARRAY_NEW(state->heap, state->count, state->capacity) = *event;
        HEAP_UP(struct slow_event, state->heap, state->count, is_after);
    } else if (is_before(event, &state->heap[0])) {
        state->heap[0] = *event;
        HEAP_DOWN(struct slow_event, state->heap, state->count, is_after);
    }
}

static void slowest_begin(void *slowest_state) {
    struct slowest_state *state = slowest_state;
    const int64_t top = state->context->top;

    if (top > MOST_SLOWEST) {
        error_usage(&state->context->error, "slowest has at most %d rows: give a smaller --top",
                    MOST_SLOWEST);
    }
    state->most = top == 0 ? SLOWEST : (size_t)top;
}

static void slowest_begin_trace(void *slowest_state) {
    struct slowest_state *state = slowest_state;

    state->counted = counted_operation(state->context);
}

static void slowest_visit(void *slowest_state, const struct event_columns *columns, size_t count) {
    struct slowest_state *state = slowest_state;
    const struct catalog_trace *trace = state->context->trace->trace;

    for (size_t i = 0; i < count; i++) {
        const int64_t duration = columns->duration[i];

        if ((trace->kind == TRACE_SPANS && !span_is_call(columns->flags[i])) ||
            !is_counted_operation(state->counted, columns, i)) {
            continue;
        }
        state->events++;
        if (duration < 0) {
            continue;
        }
        state->timed++;
        if (state->count < state->most || duration >= state->heap[0].duration) {
            slowest_store(state, &(struct slow_event){
                                     .duration = duration,
                                     .trace = trace,
                                     .id = columns->id[i],
                                     .time = columns->time[i],
                                     .address = columns->address[i],
                                     .size = columns->size[i],
                                     .operation = columns->operation[i],
                                     .object = columns->object[i],
                                     .actor = columns->actor[i],
                                     .flags = columns->flags[i],
                                 });
        }
    }
}

static void slowest_merge(void *slowest_state, void *other) {
    struct slowest_state *state = slowest_state, *from = other;

    for (size_t i = 0; i < from->count; i++) {
        slowest_store(state, &from->heap[i]);
    }
    state->events += from->events;
    state->timed += from->timed;
    from->count = 0;
    from->events = from->timed = 0;
}

static void slowest_write_rows(void *slowest_state) {
    struct slowest_state *state = slowest_state;
    struct temp_rows *tables = state->context->tables;

    sort_items(state->heap, state->count, sizeof *state->heap, compare_slow);
    for (size_t i = 0; i < state->count; i++) {
        const struct slow_event *event = &state->heap[i];

        TEMP_ROW(&tables[0], (int64_t)i + 1, event->trace->id, event->time, event->duration,
                 (int64_t)io_class_of(event->flags), event->operation, event->object, event->actor,
                 event->address, event->size);
    }
    TEMP_ROW(&tables[1], state->events, state->events - state->timed);
    if (state->context->top == 0 && state->timed > SLOWEST) {
        notes_append(&state->context->selection->notes, "the %d longest of %lld; --top N prints N",
                     SLOWEST, (long long)state->timed);
    }
}

static void slowest_free_state(void *slowest_state) {
    struct slowest_state *state = slowest_state;

    free(state->heap);
}

/* tally_slowest: the slowest events; `rank` counts from 1 up to `:top` (20 if not given). `time` is
 * the event's, which for block I/O is its completion. In function traces only calls count.
 * slowest_total: number of all events, and of those without a duration. */
const struct analysis analysis_slowest = {
    .name = "slowest",
    .tables = {{"tally_slowest",
                "rank, trace, time, duration, class, operation, object, actor, address, size",
                NULL},
               {"slowest_total", "count, untimed", NULL}},
    .pass = PASS_ANY_ORDER,
    .leaves_out = true,
    .chooses_by_top = true,
    .window = WINDOW_WHOLE,
    .fields = EVENT_DURATION | EVENT_OPERATION | EVENT_OBJECT | EVENT_ACTOR | EVENT_FLAGS |
              EVENT_ADDRESS | EVENT_SIZE,
    .state_size = sizeof(struct slowest_state),
    .begin = slowest_begin,
    .begin_trace = slowest_begin_trace,
    .visit = slowest_visit,
    .merge = slowest_merge,
    .write = slowest_write_rows,
    .free = slowest_free_state,
};

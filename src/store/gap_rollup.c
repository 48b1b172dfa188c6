/* rollup_gap: the longest gaps of a trace; rollup_in_flight: what is counted beside idle times. */
#include <string.h>

#include "base/saturate.h"
#include "base/time_unit.h"
#include "model/gaps.h"
#include "store/event_rollups.h"
#include "store/trace_action.h"

/* From an event, of calls from the end of the latest, to the next one. */
struct between {
    int64_t longer_than, last;
    bool begun;
    struct gap_heap longest; /* owned */
};

struct gap_state {
    int64_t trace;
    bool calls; /* these have their durations */
    /* name.id of actions; EVENT_NONE: the trace has none. */
    int64_t completed, asks[2];
    struct between all, completions;
    struct gap_heap idle;     /* owned */
    struct idle_times *times; /* owned; NULL: nothing completes */
};

static bool keep_idle(void *context, const struct gap *gap, struct error *error) {
    struct gap_state *state = context;

    (void)error;
    gap_heap_add(&state->idle, gap);
    return true;
}

/* Makes what finds idle times, once it is known that I/Os complete. */
static bool begin_idle(struct gap_state *state, struct error *error) {
    if (state->completed == EVENT_NONE || state->times != NULL) {
        return true;
    }
    state->times = idle_times_new(keep_idle, state);
    idle_times_begin(state->times, state->trace, state->completed, state->asks);
    return true;
}

static bool begin(void *context_state, struct database *database, int64_t trace,
                  struct error *error) {
    struct gap_state *state = context_state;
    int64_t is_io, is_calls;

    state->trace = trace;
    if (!database_integer(database, "SELECT kind = 'io' FROM main.trace WHERE id = ?1", trace, 0,
                          &is_io, error) ||
        !database_integer(database, "SELECT kind = 'calls' FROM main.trace WHERE id = ?1", trace, 0,
                          &is_calls, error) ||
        !action_find(database, trace, "C", &state->completed, error) ||
        !action_find(database, trace, "Q", &state->asks[0], error) ||
        !action_find(database, trace, "D", &state->asks[1], error) || !begin_idle(state, error)) {
        return false;
    }
    /* Of I/Os only those between any two events that tell which events lie far from all others. */
    state->all.longer_than = is_io ? DAY : 0;
    state->calls = is_calls;
    return (gap_heap_init(&state->all.longest, GAP_ROLLUP_KEPT) &&
            gap_heap_init(&state->completions.longest, GAP_ROLLUP_KEPT) &&
            gap_heap_init(&state->idle, GAP_ROLLUP_KEPT)) ||
           error_no_memory(error);
}

/* Where an action is kept that the name is of; NULL: nowhere. */
static int64_t *place_of(struct gap_state *state, const struct name_entry *name) {
    if (name->length != 1 || strcmp(name->kind, "action") != 0) {
        return NULL;
    }
    switch (name->text[0]) {
    case 'C':
        return &state->completed;
    case 'Q':
        return &state->asks[0];
    case 'D':
        return &state->asks[1];
    default:
        return NULL;
    }
}

/* Before the first completion nobody asks for anything that could end an idle time. */
static bool entry(void *context_state, const struct entry *told, struct error *error) {
    struct gap_state *state = context_state;
    int64_t *place = told->table == ENTRY_NAME ? place_of(state, &told->name) : NULL;

    if (place == NULL) {
        return true;
    }
    *place = told->id;
    if (state->times != NULL) {
        idle_times_asks(state->times, state->asks);
    }
    return begin_idle(state, error);
}

/* What is shorter than all of a full heap does not come into it. */
static void keep(struct between *between, const struct gap *gap) {
    const struct gap_heap *longest = &between->longest;

    gap_heap_add(&between->longest, gap);
    if (longest->count == longest->capacity &&
        gap_length(&longest->gaps[0]) > between->longer_than) {
        between->longer_than = gap_length(&longest->gaps[0]) - 1;
    }
}

/* `lasts`: until so long after `time`; negative: not known. */
static inline void add(struct between *between, int64_t time, int64_t lasts) {
    const struct gap gap = {.start = between->last, .end = time};
    int64_t end = time;

    if (between->begun && gap.end > gap.start && gap_length(&gap) > between->longer_than) {
        keep(between, &gap);
    }
    if (lasts > 0) {
        add_saturated(&end, lasts);
    }
    between->last = between->begun && between->last > end ? between->last : end;
    between->begun = true;
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct gap_state *state = context_state;

    for (size_t i = 0; i < count; i++) {
        add(&state->all, columns->time[i], state->calls ? columns->duration[i] : 0);
    }
    for (size_t i = 0; state->times != NULL && i < count; i++) {
        if (columns->operation[i] == state->completed) {
            add(&state->completions, columns->time[i], 0);
        }
    }
    return state->times == NULL || idle_times_add(state->times, columns, count, error);
}

static bool end(void *context_state, bool *more, struct error *error) {
    const struct gap_state *state = context_state;

    (void)more;
    return state->times == NULL || idle_times_end(state->times, error);
}

static void free_state(void *context_state) {
    struct gap_state *state = context_state;

    gap_heap_free(&state->all.longest);
    gap_heap_free(&state->completions.longest);
    gap_heap_free(&state->idle);
    idle_times_free(state->times);
}

static const struct event_counter gaps = {
    .fields = IDLE_FIELDS,
    .state_size = sizeof(struct gap_state),
    .begin = begin,
    .entry = entry,
    .visit = visit,
    .again = end,
    .free = free_state,
};

/* --- rows -------------------------------------------------------------------------------------
 */

static bool add_heap(struct number_rows *rows, const struct gap_heap *heap, int64_t action,
                     bool idle, struct error *error) {
    for (size_t i = 0; i < heap->count; i++) {
        const int64_t values[] = {action, idle, heap->gaps[i].start, heap->gaps[i].end};

        if (!number_rows_add(rows, values, error)) {
            return false;
        }
    }
    return true;
}

static bool write_gaps(const void *context_state, struct number_rows *rows, bool *whole,
                       struct error *error) {
    const struct gap_state *state = context_state;

    (void)whole;
    return add_heap(rows, &state->all.longest, 0, state->calls, error) &&
           add_heap(rows, &state->completions.longest, state->completed, false, error) &&
           add_heap(rows, &state->idle, state->completed, true, error);
}

static bool write_counts(const void *context_state, struct number_rows *rows, bool *whole,
                         struct error *error) {
    const struct gap_state *state = context_state;
    const struct in_flight *counts;

    (void)whole;
    if (state->times == NULL) {
        return true;
    }
    counts = idle_times_in_flight(state->times);
    return number_rows_add(rows,
                           (const int64_t[]){counts->since[GAP_SINCE_ASKED],
                                             counts->since[GAP_SINCE_ISSUED],
                                             counts->since[GAP_SINCE_COMPLETED], counts->overlooked,
                                             counts->unanswered},
                           error);
}

const struct event_rollup gap_rollup = {
    .name = "gap",
    .kinds = 1u << TRACE_CALLS | 1u << TRACE_IO,
    .columns = "action, idle, start, \"end\"",
    .counter = &gaps,
    .write = write_gaps,
};

const struct event_rollup in_flight_rollup = {
    .name = "in_flight",
    .kinds = 1u << TRACE_IO,
    .columns = "asked, issued, completed, overlooked, unanswered",
    .counter = &gaps,
    .write = write_counts,
};

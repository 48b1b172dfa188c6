/* Time between one selected event of a trace and the next: temp.tally_gap. */
#include <stdlib.h>

#include "analysis/analysis.h"

/* So many of the longest are kept in memory; for more, all go to the table. */
#define GAPS_IN_MEMORY 65536

struct gap {
    int64_t trace, start, end;
};

struct gap_state {
    struct database *database;
    int64_t trace, time; /* of the last event */
    bool begun;
    struct gap *heap; /* the longest so far, the shortest of them on top; NULL: keep all */
    size_t count, capacity;
    sqlite3_stmt *insert;
};

/* Whether `left` comes before `right` in the report: longer, or as long and earlier. */
static bool comes_before(const struct gap *left, const struct gap *right) {
    int64_t left_length = left->end - left->start, right_length = right->end - right->start;

    return left_length != right_length ? left_length > right_length : left->start < right->start;
}

static void swap(struct gap *left, struct gap *right) {
    struct gap kept = *left;

    *left = *right;
    *right = kept;
}

static void sift_up(struct gap *heap, size_t at) {
    while (at > 0 && comes_before(&heap[(at - 1) / 2], &heap[at])) {
        swap(&heap[(at - 1) / 2], &heap[at]);
        at = (at - 1) / 2;
    }
}

static void sift_down(struct gap *heap, size_t count) {
    size_t at = 0;

    for (;;) {
        size_t last = at;

        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {
            if (comes_before(&heap[last], &heap[child])) {
                last = child;
            }
        }
        if (last == at) {
            return;
        }
        swap(&heap[at], &heap[last]);
        at = last;
    }
}

static bool write_gap(struct gap_state *state, const struct gap *gap, struct error *error) {
    sqlite3_bind_int64(state->insert, 1, gap->trace);
    sqlite3_bind_int64(state->insert, 2, gap->start);
    sqlite3_bind_int64(state->insert, 3, gap->end);
    return database_execute(state->database, state->insert, error);
}

static bool keep_gap(struct gap_state *state, const struct gap *gap, struct error *error) {
    if (state->heap == NULL) {
        return write_gap(state, gap, error);
    }
    if (state->count < state->capacity) {
        state->heap[state->count++] = *gap;
        sift_up(state->heap, state->count - 1);
    } else if (comes_before(gap, &state->heap[0])) {
        state->heap[0] = *gap;
        sift_down(state->heap, state->count);
    }
    return true;
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct gap_state *state = context_state;

    for (size_t i = 0; i < count; i++) {
        struct gap gap = {state->trace, state->time, columns->time[i]};

        if (state->begun && gap.end > gap.start && !keep_gap(state, &gap, error)) {
            return false;
        }
        state->begun = true;
        state->time = gap.end;
    }
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct gap_state *state = context_state;

    state->database = context->selection->database;
    if (context->top > 0 && context->top <= GAPS_IN_MEMORY) {
        state->capacity = (size_t)context->top;
        state->heap = calloc(state->capacity, sizeof *state->heap);
        if (state->heap == NULL) {
            return error_no_memory(error);
        }
    }
    state->insert = scratch_prepare(context->selection->scratch,
                                    "INSERT INTO temp.tally_gap VALUES (?1, ?2, ?3)", error);
    return state->insert != NULL;
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct gap_state *state = context_state;

    (void)error;
    state->trace = trace->trace->id;
    state->begun = false;
    return true;
}

static bool write_heap(void *context_state, struct error *error) {
    struct gap_state *state = context_state;

    for (size_t i = 0; i < state->count; i++) {
        if (!write_gap(state, &state->heap[i], error)) {
            return false;
        }
    }
    return true;
}

static void free_state(void *context_state) {
    struct gap_state *state = context_state;

    sqlite3_finalize(state->insert);
    free(state->heap);
}

/* Times between successive selected events of a trace, those of no length left out; of those as
 * many of the longest as --top says. */
const struct analysis analysis_gap = {
    .name = "gap",
    .tables = {{"tally_gap", "trace, start, \"end\"", NULL}},
    .pass = PASS_IN_ORDER,
    .state_size = sizeof(struct gap_state),
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit,
    .write = write_heap,
    .free = free_state,
};

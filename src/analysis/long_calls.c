/* Finds long calls on the main thread of each process: temp.long_call. */
#include "analysis/analysis.h"
#include "base/time_unit.h"
#include "scan/event_filter.h"

/* Least duration of listed calls. Findings need no shorter ones, and there would be many. */
#define LEAST (10 * MILLISECOND)

struct long_state {
    struct analysis_context *context;
    /* In the first thread's state. threads: actor.id of main threads; frames: name.id of frames
     * (Choreographer#doFrame). */
    struct id_set threads, frames;
};

static void long_calls_visit(void *long_state, const struct event_columns *columns, size_t count) {
    struct long_state *state = long_state;
    const struct long_state *first = state->context->first;

    for (size_t i = 0; i < count; i++) {
        const bool is_frame = id_set_has(&first->frames, columns->operation[i]);

        if (columns->duration[i] >= LEAST && (columns->depth[i] == 0 || is_frame) &&
            span_is_call(columns->flags[i]) && id_set_has(&first->threads, columns->actor[i])) {
            sqlite3_mutex *lock = database_lock(state->context->database);

            TEMP_ROW(&state->context->tables[0], state->context->trace->trace->id,
                     columns->actor[i], columns->operation[i], columns->time[i],
                     columns->duration[i], columns->depth[i], is_frame);
            sqlite3_mutex_leave(lock);
        }
    }
}

/* Nothing to merge: each thread has written its rows to the table. */
static void long_calls_merge(void *long_state, void *other) {
    (void)long_state;
    (void)other;
}

static void long_calls_begin_trace(void *long_state) {
    struct long_state *state = long_state;
    struct analysis_context *context = state->context;
    const int64_t trace = context->trace->trace->id;

    if (state != context->first) {
        return;
    }
    if (id_set_query(&state->threads, context->database,
                     "SELECT id FROM main.actor WHERE trace = ?1 AND tid = pid ORDER BY id", trace,
                     &context->error)) {
        id_set_query(&state->frames, context->database,
                     "SELECT id FROM main.name WHERE trace = ?1 AND text LIKE '%doFrame%'"
                     " ORDER BY id",
                     trace, &context->error);
    }
}

static void long_calls_free_state(void *long_state) {
    struct long_state *state = long_state;

    id_set_free(&state->threads);
    id_set_free(&state->frames);
}

/* temp.long_call: a row for each outermost call, and each frame (Choreographer#doFrame), that took
 * at least 10 ms on the main thread of a process, whose thread id equals the process id. */
const struct analysis analysis_long_call = {
    .name = "long_call",
    .tables = {{"long_call", "trace, actor, operation, time, duration, depth, frame", NULL}},
    .pass = PASS_ANY_ORDER,
    .leaves_out = true,
    .fields = EVENT_OPERATION | EVENT_ACTOR | EVENT_DURATION | EVENT_DEPTH | EVENT_FLAGS,
    .window = WINDOW_WHOLE,
    .state_size = sizeof(struct long_state),
    .begin_trace = long_calls_begin_trace,
    .visit = long_calls_visit,
    .merge = long_calls_merge,
    .free = long_calls_free_state,
};

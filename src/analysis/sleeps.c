/* Counts sleeps between two calls of a thread on the same object (polling): temp.tally_sleep. */
#include <stdlib.h>

#include "analysis/keyed_rows.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "scan/event_filter.h"

enum {
    MOST_THREADS = 1 << 18, /* limit of threads in memory; at the limit the oldest is dropped */
    ROWS_IN_MEMORY = 1 << 16,
};

/* Key of a row, compared as bytes, so it has no padding. */
struct sleep_key {
    uint32_t actor, object;
};

struct sleep_row {
    struct sleep_key key;
    int64_t sleeps, time;
};

/* A thread: object of its last call, and number and total time of its sleeps since that call. */
struct sleeper {
    uint32_t actor, object;
    int64_t sleeps, time;
    UT_hash_handle hh;
};

struct sleeps_state {
    struct keyed_state keyed;        /* hash table of struct sleep_row */
    struct id_set sleeps;            /* set of operations that sleep */
    struct sleeper *sleepers, *last; /* owned hash table; its element that was found last */
};

static void sleeps_write_row(struct analysis_context *context, const void *sleep_row) {
    const struct sleep_row *row = sleep_row;

    TEMP_ROW(&context->tables[0], context->trace->trace->id, row->key.actor, row->key.object,
             row->sleeps, row->time);
}

static struct sleeper *find_sleeper(struct sleeps_state *state, uint32_t actor) {
    struct sleeper *sleeper = state->last;

    if (sleeper != NULL && sleeper->actor == actor) {
        return sleeper;
    }
    HASH_FIND(hh, state->sleepers, &actor, sizeof actor, sleeper);
    if (sleeper == NULL) {
        if (HASH_COUNT(state->sleepers) == MOST_THREADS) {
            struct sleeper *oldest = state->sleepers;

            HASH_DEL(state->sleepers, oldest);
            free(oldest);
        }
        HASH_NEW(state->sleepers, actor, actor, sleeper);
    }
    return state->last = sleeper;
}

/* Counts sleeps. Other calls without an object are ignored. */
static void sleeps_visit(void *sleeps_state, const struct event_columns *columns, size_t count) {
    struct sleeps_state *state = sleeps_state;

    for (size_t i = 0; i < count && state->sleeps.bits != NULL; i++) {
        const bool sleeps = id_set_has(&state->sleeps, columns->operation[i]);
        struct sleeper *sleeper;

        if (!sleeps && columns->object[i] == 0) {
            continue;
        }
        sleeper = find_sleeper(state, columns->actor[i]);
        if (sleeps) {
            sleeper->sleeps++;
            add_saturated(&sleeper->time, columns->duration[i] < 0 ? 0 : columns->duration[i]);
            continue;
        }
        if (sleeper->sleeps > 0 && sleeper->object == columns->object[i]) {
            struct sleep_row *row = keyed_rows_find(
                &state->keyed.rows, &(struct sleep_key){sleeper->actor, sleeper->object});

            row->sleeps += sleeper->sleeps;
            add_saturated(&row->time, sleeper->time);
        }
        sleeper->sleeps = sleeper->time = 0;
        sleeper->object = columns->object[i];
    }
}

static void sleeps_clear(struct sleeps_state *state) {
    HASH_FREE(state->sleepers);
    state->last = NULL;
    id_set_free(&state->sleeps);
}

static void sleeps_begin_trace(void *sleeps_state) {
    struct sleeps_state *state = sleeps_state;
    struct analysis_context *context = state->keyed.context;

    sleeps_clear(state);
    id_set_query(&state->sleeps, context->database,
                 "SELECT id FROM main.name WHERE trace = ?1 AND call_wait(text) = 'time'"
                 " ORDER BY id",
                 context->trace->trace->id, &context->error);
}

static void sleeps_free_state(void *sleeps_state) {
    struct sleeps_state *state = sleeps_state;

    sleeps_clear(state);
    keyed_state_free(state);
}

/* tally_sleep: a row per thread and object: number and total time of the sleeps (nanosleep and
 * similar) between two successive calls of the thread on the object, without a call on another
 * object in between. A key may have several rows. */
const struct analysis analysis_sleep = {
    .name = "sleep",
    .tables = {{"tally_sleep", "trace, actor, object, sleeps, time", NULL}},
    .pass = PASS_IN_ORDER,
    .apart = true,
    .leaves_out = true,
    .fields = EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_DURATION,
    .window = WINDOW_WHOLE,
    .state_size = sizeof(struct sleeps_state),
    .keyed = &(const struct keyed_kind){sizeof(struct sleep_key), sizeof(struct sleep_row),
                                        ROWS_IN_MEMORY, .write = sleeps_write_row},
    .begin = keyed_state_begin,
    .begin_trace = sleeps_begin_trace,
    .visit = sleeps_visit,
    .end_trace = keyed_state_end_trace,
    .free = sleeps_free_state,
};

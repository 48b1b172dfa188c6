/* rollup_pair: which operation follows which within an actor, of calls. */
#include <stdlib.h>

#include "base/hash.h"
#include "model/tally.h"
#include "store/event_rollups.h"
#include "base/memory.h"

/* A trace with more actors is without the rollup. */
#define MOST_ACTORS 65536

/* The last operation of an actor. */
struct recent {
    uint32_t actor, operation;
    UT_hash_handle hh;
};

struct pair_state {
    struct tally pairs;           /* owned; its keys are the two operations */
    struct recent *actors, *last; /* owned hash table; last: the one found last, NULL: none yet */
    bool crowded;                 /* there are more pairs or actors than may be */
};

static bool begin(void *context_state, struct database *database, int64_t trace,
                  struct error *error) {
    struct pair_state *state = context_state;

    (void)database;
    (void)trace;
    (void)error;
    tally_init_keys(&state->pairs, 2);
    return true;
}

static bool add_recent(struct pair_state *state, uint32_t actor, struct error *error) {
    struct recent *recent = xcalloc(1, sizeof *recent);

    recent->actor = actor;
    HASH_ADD(hh, state->actors, actor, sizeof recent->actor, recent);
    state->last = recent;
    return true;
}

/* Finds who did an event, as `last`. */
static bool find_recent(struct pair_state *state, uint32_t actor, struct error *error) {
    struct recent *recent;

    if (state->last != NULL && state->last->actor == actor) {
        return true;
    }
    HASH_FIND(hh, state->actors, &actor, sizeof actor, recent);
    if (recent != NULL) {
        state->last = recent;
        return true;
    }
    state->crowded |= HASH_COUNT(state->actors) == MOST_ACTORS;
    return state->crowded || add_recent(state, actor, error);
}

static bool count_pair(struct pair_state *state, uint32_t operation, uint32_t successor,
                       struct error *error) {
    const struct tally_row row = {.key = {operation, successor}, .count = 1};
    bool put = tally_put(&state->pairs, &row);

    state->crowded |= !put;
    return put || state->pairs.rows != NULL || error_no_memory(error);
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct pair_state *state = context_state;

    for (size_t i = 0; i < count && !state->crowded; i++) {
        uint32_t operation = columns->operation[i];

        if (operation == 0) {
            continue;
        }
        if (!find_recent(state, columns->actor[i], error)) {
            return false;
        }
        if (state->crowded) {
            break;
        }
        if (state->last->operation != 0 &&
            !count_pair(state, state->last->operation, operation, error)) {
            return false;
        }
        state->last->operation = operation;
    }
    return true;
}

static bool write_rows(const void *context_state, struct number_rows *rows, bool *whole,
                       struct error *error) {
    const struct pair_state *state = context_state;
    bool done = true;

    *whole = !state->crowded;
    for (size_t i = 0; done && *whole && i < state->pairs.capacity; i++) {
        const struct tally_row *row = &state->pairs.rows[i];
        const int64_t values[] = {row->key[0], row->key[1], row->count};

        done = !row->used || number_rows_add(rows, values, error);
    }
    return done;
}

static void free_state(void *context_state) {
    struct pair_state *state = context_state;
    struct recent *recent, *next;

    HASH_ITER(hh, state->actors, recent, next) {
        HASH_DEL(state->actors, recent);
        free(recent);
    }
    tally_free(&state->pairs);
}

static const struct event_counter pairs = {
    .fields = EVENT_OPERATION | EVENT_ACTOR,
    .untimed = true,
    .state_size = sizeof(struct pair_state),
    .begin = begin,
    .visit = visit,
    .free = free_state,
};

const struct event_rollup pair_rollup = {
    .name = "pair",
    .kinds = 1u << TRACE_CALLS,
    .columns = "operation, successor, count",
    .counter = &pairs,
    .write = write_rows,
};

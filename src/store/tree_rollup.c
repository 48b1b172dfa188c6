/* rollup_tree: the calls of a trace by their paths of functions. */
#include <stdlib.h>

#include "base/saturate.h"
#include "model/call_stacks.h"
#include "model/tally.h"
#include "store/event_rollups.h"

/* A trace with more threads is without the rollup. */
#define MOST_THREADS 65536

#define FIRST_SLOTS 256

/* Times of some calls, of which `timed` have a duration. */
struct node_times {
    int64_t timed, total, self;
};

/* A path: the function at its end, and the path of its callers. */
struct node {
    uint32_t caller, operation; /* caller: number of a node, 0: nobody */
    int64_t calls;
    struct node_times ended, open; /* open: of those that ended with the log */
};

/* What is kept of a call that is open. */
struct frame {
    uint32_t node; /* its number */
    int32_t depth;
};

struct tree_state {
    struct database *database;
    struct node *nodes; /* owned; number N, from 1, is at N - 1: callees are behind callers */
    uint32_t count;
    uint32_t *slots;           /* owned: open addressing by caller and operation; 0: empty */
    uint32_t capacity;         /* of `slots`, twice that of `nodes`: a power of two; 0 at first */
    struct call_stacks stacks; /* of struct frame */
    sqlite3_stmt *open;        /* owned: calls that ended with the log, in order of id */
    bool has_open;             /* its row is one that was not met yet */
    bool crowded;              /* there are more paths or threads than may be */
};

static bool next_open(struct tree_state *state, struct error *error) {
    return database_step(state->database, state->open, &state->has_open, error);
}

static bool begin(void *context_state, struct database *database, int64_t trace,
                  struct error *error) {
    struct tree_state *state = context_state;

    state->database = database;
    state->stacks.thread_size = sizeof(struct call_thread);
    state->stacks.call_size = sizeof(struct frame);
    state->open = database_prepare(
        database,
        "SELECT o.event, o.duration, o.self FROM main.trace AS t CROSS JOIN main.open_call AS o"
        " ON o.event BETWEEN t.first_event AND t.last_event WHERE t.id = ?1 ORDER BY o.event",
        error);
    if (state->open == NULL) {
        return false;
    }
    sqlite3_bind_int64(state->open, 1, trace);
    return next_open(state, error);
}

/* The slot of a node, or where it would be. There always is an empty one. */
static uint32_t *find_slot(const struct tree_state *state, uint32_t caller, uint32_t operation) {
    uint64_t hash = ((uint64_t)caller << 32 | operation) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t slot = (uint32_t)(hash >> 32) & (state->capacity - 1);

    while (state->slots[slot] != 0 &&
           (state->nodes[state->slots[slot] - 1].caller != caller ||
            state->nodes[state->slots[slot] - 1].operation != operation)) {
        slot = (slot + 1) & (state->capacity - 1);
    }
    return &state->slots[slot];
}

static bool grow(struct tree_state *state, struct error *error) {
    uint32_t capacity = state->capacity == 0 ? FIRST_SLOTS : 2 * state->capacity;
    struct node *nodes = realloc(state->nodes, capacity / 2 * sizeof *nodes);

    if (nodes == NULL) {
        return error_no_memory(error);
    }
    state->nodes = nodes;
    free(state->slots);
    state->slots = calloc(capacity, sizeof *state->slots);
    if (state->slots == NULL) {
        return error_no_memory(error);
    }
    state->capacity = capacity;
    for (uint32_t i = 0; i < state->count; i++) {
        *find_slot(state, nodes[i].caller, nodes[i].operation) = i + 1;
    }
    return true;
}

/* The number of the node of a function that `caller` (0: nobody) calls. 0: there is no memory, or
 * the rollup has grown beyond its bound. */
static uint32_t find_node(struct tree_state *state, uint32_t caller, uint32_t operation,
                          struct error *error) {
    uint32_t *slot;

    if (2 * state->count == state->capacity && !grow(state, error)) {
        return 0;
    }
    slot = find_slot(state, caller, operation);
    if (*slot == 0) {
        if (state->count == TALLY_ROWS) {
            state->crowded = true;
            return 0;
        }
        state->nodes[state->count++] = (struct node){.caller = caller, .operation = operation};
        *slot = state->count;
    }
    return *slot;
}

static void add_time(struct node_times *times, int64_t duration, int64_t self) {
    times->timed++;
    add_saturated(&times->total, duration);
    add_saturated(&times->self, self == EVENT_NONE ? duration : self);
}

/* Goes on to the first call that ended with the log and is not before the event; `*met`: it is the
 * event. */
static bool meet_open(struct tree_state *state, int64_t event, bool *met, struct error *error) {
    while (state->has_open && sqlite3_column_int64(state->open, 0) < event) {
        if (!next_open(state, error)) {
            return false;
        }
    }
    *met = state->has_open && sqlite3_column_int64(state->open, 0) == event;
    return true;
}

/* A call that ended with the log has its time elsewhere. */
static bool add_call(struct tree_state *state, struct node *node,
                     const struct event_columns *columns, size_t i, struct error *error) {
    bool open = false;

    if ((columns->flags[i] & SPAN_OPEN) != 0 && !meet_open(state, columns->id[i], &open, error)) {
        return false;
    }
    node->calls++;
    if (open) {
        add_time(&node->open, sqlite3_column_int64(state->open, 1),
                 database_column_optional(state->open, 2));
    } else if (columns->duration[i] != EVENT_NONE) {
        add_time(&node->ended, columns->duration[i], columns->self[i]);
    }
    return true;
}

/* The thread of a call, with those calls open that it is made in. NULL: there is no memory, or
 * there are too many threads. */
static struct call_thread *find_thread(struct tree_state *state, uint32_t actor, int32_t depth,
                                       struct error *error) {
    struct call_stacks *stacks = &state->stacks;
    struct call_thread *thread = call_stacks_find(stacks, actor);
    const struct frame *frame;

    if (thread == NULL && call_stacks_count(stacks) == MOST_THREADS) {
        state->crowded = true;
        return NULL;
    }
    if (thread == NULL) {
        thread = call_stacks_add(stacks, actor);
    }
    if (thread == NULL) {
        error_no_memory(error);
        return NULL;
    }
    while ((frame = call_stacks_innermost(stacks, thread)) != NULL && frame->depth >= depth) {
        call_stacks_pop(stacks, thread);
    }
    return thread;
}

static bool enter_call(struct tree_state *state, const struct event_columns *columns, size_t i,
                       struct error *error) {
    int32_t depth = columns->depth[i] < 0 ? 0 : columns->depth[i];
    struct call_thread *thread = find_thread(state, columns->actor[i], depth, error);
    const struct frame *caller;
    struct frame *frame;
    uint32_t node;

    if (thread == NULL) {
        return state->crowded;
    }
    caller = call_stacks_innermost(&state->stacks, thread);
    node = find_node(state, caller == NULL ? 0 : caller->node, columns->operation[i], error);
    if (node == 0) {
        return state->crowded;
    }
    frame = call_stacks_push(&state->stacks, thread);
    if (frame == NULL) {
        return error_no_memory(error);
    }
    *frame = (struct frame){node, depth};
    return add_call(state, &state->nodes[node - 1], columns, i, error);
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct tree_state *state = context_state;

    for (size_t i = 0; i < count && !state->crowded; i++) {
        if (span_is_call(columns->flags[i]) && !enter_call(state, columns, i, error)) {
            return false;
        }
    }
    return true;
}

static bool write_rows(const void *context_state, struct number_rows *rows, bool *whole,
                       struct error *error) {
    const struct tree_state *state = context_state;
    bool done = true;

    *whole = !state->crowded;
    for (uint32_t i = 0; done && *whole && i < state->count; i++) {
        const struct node *node = &state->nodes[i];
        const int64_t values[] = {
            i + 1,
            node->caller,
            node->operation,
            node->calls,
            node->ended.timed,
            node->ended.total,
            node->ended.self,
            node->open.timed,
            node->open.total,
            node->open.self,
        };

        done = number_rows_add(rows, values, error);
    }
    return done;
}

static void free_state(void *context_state) {
    struct tree_state *state = context_state;

    free(state->nodes);
    free(state->slots);
    call_stacks_free(&state->stacks);
    sqlite3_finalize(state->open);
}

static const struct event_counter paths = {
    .fields =
        EVENT_OPERATION | EVENT_ACTOR | EVENT_FLAGS | EVENT_DEPTH | EVENT_DURATION | EVENT_SELF,
    .flags = SPAN_DATA | SPAN_STRAY_EXIT | SPAN_OPEN,
    .state_size = sizeof(struct tree_state),
    .begin = begin,
    .visit = visit,
    .free = free_state,
};

const struct event_rollup tree_rollup = {
    .name = "tree",
    .kinds = 1u << TRACE_SPANS,
    .columns = "node, parent, operation, calls, timed, total, self, open_timed, open_total,"
               " open_self",
    .counter = &paths,
    .write = write_rows,
};

/* rollup_tree: the calls of a trace by their paths of functions. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/pair_numbers.h"
#include "base/saturate.h"
#include "model/call_stacks.h"
#include "store/event_rollups.h"

/* A trace with more paths or threads is without the rollup. */
#define MOST_PATHS   65536
#define MOST_THREADS 65536

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
    size_t count, capacity;
    struct pair_numbers numbers; /* of nodes, by caller and operation */
    struct call_stacks stacks;   /* of struct frame */
    sqlite3_stmt *open;          /* owned: calls that ended with the log, in order of id */
    bool has_open;               /* its row is one that was not met yet */
    bool crowded;                /* there are more paths or threads than may be */
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

/* The number of the node of a function that `caller` (0: nobody) calls. 0: there is no memory, or
 * the rollup has grown beyond its bound. */
static uint32_t find_node(struct tree_state *state, uint32_t caller, uint32_t operation,
                          struct error *error) {
    uint32_t number = pair_numbers_find(&state->numbers, caller, operation);
    struct node *nodes;

    if (number != 0) {
        return number;
    }
    state->crowded = state->count == MOST_PATHS;
    if (state->crowded) {
        return 0;
    }
    nodes = array_grow(state->nodes, state->count, &state->capacity, sizeof *nodes);
    if (nodes != NULL) {
        state->nodes = nodes;
    }
    if (nodes == NULL ||
        !pair_numbers_add(&state->numbers, caller, operation, (uint32_t)state->count + 1)) {
        error_no_memory(error);
        return 0;
    }
    nodes[state->count++] = (struct node){.caller = caller, .operation = operation};
    return (uint32_t)state->count;
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
    for (size_t i = 0; done && *whole && i < state->count; i++) {
        const struct node *node = &state->nodes[i];
        const int64_t values[] = {
            (int64_t)i + 1,    node->caller,      node->operation,  node->calls,
            node->ended.timed, node->ended.total, node->ended.self, node->open.timed,
            node->open.total,  node->open.self,
        };

        done = number_rows_add(rows, values, error);
    }
    return done;
}

static void free_state(void *context_state) {
    struct tree_state *state = context_state;

    free(state->nodes);
    pair_numbers_free(&state->numbers);
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

/* Computes interarrival times: from one I/O or call to the next of the same group and trace
 * (temp.distribution). temp.arrival has the block I/O action (queue, issue or completion) that
 * counts as arrival in each trace. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "model/event.h"
#include "scan/distribution.h"

/* How events are grouped: values of analysis.variant. */
enum { BY_NONE, BY_CLASS, BY_OPERATION };

/* Block I/O actions that may count as the arrival of a request, the earliest first: Q (queued), D
 * (issued), C (completed). */
static const char actions[][2] = {"Q", "D", "C"};

enum { ACTIONS = sizeof actions / sizeof actions[0] };

struct arrival_state {
    struct analysis_context *context;
    bool is_counting; /* true in the first pass, which finds each trace's arrival action */
    int64_t ids[ACTIONS],
        /* ids: name.id in the trace of each action in `actions`; counts: number of its events */
        counts[ACTIONS];
    /* Owned; by trace: name.id of the action that counts as arrival; EVENT_NONE: every event. */
    int64_t *arrives;
    /* Groups of the distribution, which is owned: by I/O class or operation. */
    struct distribution_keys groups;
    int64_t *last; /* owned; by group: time of the last arrival in the current trace, or NO_TIME */
    size_t last_count;
};

#define NO_TIME INT64_MIN

/* Returns the address of the time of a group's last arrival; makes room for it if needed. */
static int64_t *arrivals_last_of(struct arrival_state *state, size_t group) {
    if (group >= state->last_count) {
        const size_t count = 2 * group + 16;

        state->last = xreallocarray(state->last, count, sizeof *state->last);
        while (state->last_count < count) {
            state->last[state->last_count++] = NO_TIME;
        }
    }
    return &state->last[group];
}

static int64_t *arrives_in_trace(const struct arrival_state *state) {
    const struct analysis_context *context = state->context;

    return &state->arrives[context->trace - context->selection->traces];
}

static void arrivals_visit(void *arrival_state, const struct event_columns *columns, size_t count) {
    struct arrival_state *state = arrival_state;
    const int by = state->context->analysis->variant;
    const int64_t arrives = *arrives_in_trace(state);

    if (state->is_counting) {
        for (size_t i = 0; i < count; i++) {
            for (int j = 0; j < ACTIONS; j++) {
                state->counts[j] += columns->operation[i] == state->ids[j];
            }
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const int64_t key = by == BY_CLASS       ? (int64_t)io_class_of(columns->flags[i])
                            : by == BY_OPERATION ? (int64_t)columns->operation[i]
                                                 : 0;
        int64_t *last;
        size_t group;

        if (arrives != EVENT_NONE && columns->operation[i] != arrives) {
            continue;
        }
        group = distribution_group_of_key(&state->groups, key, &state->context->error);
        last = arrivals_last_of(state, group);
        if (*last != NO_TIME) {
            distribution_count(state->groups.distribution, group,
                               difference_saturated(columns->time[i], *last));
        }
        *last = columns->time[i];
    }
}

static void arrivals_begin(void *arrival_state) {
    struct arrival_state *state = arrival_state;
    struct analysis_context *context = state->context;

    state->groups = (struct distribution_keys){
        .distribution = distribution_new(context->shape),
        .database = context->database,
        .name_of = context->analysis->variant == BY_OPERATION
                       ? "SELECT text FROM main.name WHERE id = ?1"
                       : NULL,
    };
    state->arrives = xcalloc(context->selection->count + 1, sizeof *state->arrives);
    for (size_t i = 0; i < context->selection->count; i++) {
        state->arrives[i] = EVENT_NONE;
    }
    /* A first pass finds the action that counts as arrival, unless the user chose an action. */
    state->is_counting =
        context->analysis->pass == PASS_ALL_ACTIONS && context->selection->filter.action == NULL;
}

static void arrivals_begin_trace(void *arrival_state) {
    struct arrival_state *state = arrival_state;
    struct analysis_context *context = state->context;

    for (size_t i = 0; i < state->last_count; i++) {
        state->last[i] = NO_TIME;
    }
    for (int i = 0; state->is_counting && i < ACTIONS; i++) {
        state->counts[i] = 0;
        action_find(context->database, context->trace->trace->id, actions[i], &state->ids[i],
                    &context->error);
    }
}

/* Chooses the action that counts as arrival: the first of Q, D and C that has at least half as many
 * events as the most frequent of them. */
static void arrivals_end_trace(void *arrival_state) {
    struct arrival_state *state = arrival_state;
    int64_t most = 0;
    int chosen = 0;

    for (int i = 0; i < ACTIONS; i++) {
        most = state->counts[i] > most ? state->counts[i] : most;
    }
    while (state->counts[chosen] < most - most / 2) {
        chosen++;
    }
    if (state->is_counting && most > 0) {
        *arrives_in_trace(state) = state->ids[chosen];
    }
}

static bool arrivals_again(void *arrival_state) {
    struct arrival_state *state = arrival_state;
    const bool was_counting = state->is_counting;

    state->is_counting = false;
    return was_counting || distribution_end_pass(state->groups.distribution);
}

static void arrivals_write_rows(void *arrival_state) {
    const struct arrival_state *state = arrival_state;
    struct analysis_context *context = state->context;

    for (size_t i = 0; i < context->selection->count; i++) {
        const struct selected_trace *trace = &context->selection->traces[i];

        TEMP_ROW(&context->tables[2], trace->trace->id,
                 state->arrives[i] == EVENT_NONE ? trace->action : state->arrives[i]);
    }
    distribution_write(state->groups.distribution, context->temp, &context->error);
}

static void arrivals_free_state(void *arrival_state) {
    struct arrival_state *state = arrival_state;

    distribution_keys_clear(&state->groups);
    free(state->last);
    free(state->arrives);
    distribution_free(state->groups.distribution);
}

/* A group's name in temp.distribution: the number of an I/O class (enum io_class), an operation's
 * name, or 0 if events are not grouped. The first event of a group in a trace has no interarrival
 * time. */
#define ARRIVALS(what, grouping, order, looks_at)                                                  \
    {                                                                                              \
        .name = (what),                                                                            \
        .tables = {{"distribution", DISTRIBUTION_COLUMNS, "name"},                                 \
                   {"distribution_curve", DISTRIBUTION_CURVE, "name"},                             \
                   {"arrival", "trace, action", NULL}},                                            \
        .pass = (order), .fields = EVENT_OPERATION | (looks_at), .variant = (grouping),            \
        .state_size = sizeof(struct arrival_state), .begin = arrivals_begin,                       \
        .begin_trace = arrivals_begin_trace, .end_trace = arrivals_end_trace,                      \
        .visit = arrivals_visit, .again = arrivals_again, .write = arrivals_write_rows,            \
        .free = arrivals_free_state                                                                \
    }

const struct analysis analysis_arrival = ARRIVALS("arrival", BY_NONE, PASS_ALL_ACTIONS, 0);
const struct analysis analysis_arrival_class =
    ARRIVALS("arrival_class", BY_CLASS, PASS_ALL_ACTIONS, EVENT_FLAGS);
const struct analysis analysis_arrival_call = ARRIVALS("arrival_call", BY_NONE, PASS_IN_ORDER, 0);
const struct analysis analysis_arrival_operation =
    ARRIVALS("arrival_operation", BY_OPERATION, PASS_IN_ORDER, 0);

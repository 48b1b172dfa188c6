/* Computes the depth of each hardware queue of a device: temp.hardware_queue. A command is in
 * flight from its submission (D) to its completion (C). Queues of the same number are added up. */
#include "analysis/analysis.h"
#include "base/saturate.h"
#include "scan/queue_sweep.h"

enum { QUEUES = 64 /* limit of queues; those with larger numbers share the last */ };

struct hardware_queue {
    /* Owned; counts commands in flight; NULL: the queue had no command. */
    struct queue_sweep *sweep;
    int64_t commands, bytes;
    int64_t took; /* sum of the durations of all commands */
    int64_t busy, most;
};

struct hardware_state {
    struct analysis_context *context;
    struct hardware_queue queues[QUEUES];
    int64_t length;      /* total time from first submission to last completion, over all traces */
    int64_t first, last; /* time of the first submission, and of the last completion in the trace */
    bool begun;
};

static void queue_hardware_add_time(void *context, int64_t from, int64_t to, int64_t depth) {
    struct hardware_queue *queue = context;

    if (depth > 0) {
        add_saturated(&queue->busy, subtract_saturated(to, from));
    }
    queue->most = depth > queue->most ? depth : queue->most;
}

static void queue_hardware_add_issue(void *context, const struct queue_issue *issue) {
    (void)context;
    (void)issue;
}

static void queue_hardware_visit(void *hardware_state, const struct event_columns *columns,
                                 size_t count) {
    struct hardware_state *state = hardware_state;

    for (size_t i = 0; i < count; i++) {
        if (columns->depth[i] >= 0 && columns->duration[i] >= 0) {
            int32_t number = columns->depth[i] < QUEUES ? columns->depth[i] : QUEUES - 1;
            struct hardware_queue *queue = &state->queues[number];
            int64_t sent = subtract_saturated(columns->time[i], columns->duration[i]);

            if (queue->sweep == NULL) {
                queue->sweep = queue_sweep_new(&(struct queue_visitor){
                    queue_hardware_add_issue, queue_hardware_add_time, queue});
            }
            queue->commands++;
            add_saturated(&queue->bytes, columns->size[i] > 0 ? columns->size[i] : 0);
            add_saturated(&queue->took, columns->duration[i]);
            queue_sweep_add(queue->sweep, columns->time[i], columns->duration[i]);
            state->first = !state->begun || sent < state->first ? sent : state->first;
            state->last = columns->time[i];
            state->begun = true;
        }
    }
}

static void queue_hardware_end_trace(void *hardware_state) {
    struct hardware_state *state = hardware_state;

    for (size_t i = 0; i < QUEUES; i++) {
        if (state->queues[i].sweep != NULL) {
            queue_sweep_end(state->queues[i].sweep);
        }
    }
    if (state->begun) {
        add_saturated(&state->length, subtract_saturated(state->last, state->first));
    }
    state->begun = false;
}

static void queue_hardware_write_rows(void *hardware_state) {
    struct hardware_state *state = hardware_state;

    for (int64_t i = 0; i < QUEUES; i++) {
        const struct hardware_queue *queue = &state->queues[i];

        if (queue->commands > 0) {
            TEMP_ROW(&state->context->tables[0], i, queue->commands, queue->bytes, queue->took,
                     queue->busy, queue->most, state->length);
        }
    }
}

static void queue_hardware_free_state(void *hardware_state) {
    struct hardware_state *state = hardware_state;

    for (size_t i = 0; i < QUEUES; i++) {
        queue_sweep_free(state->queues[i].sweep);
    }
}

/* hardware_queue: a row per queue number; the last, 63, includes larger numbers. `commands`:
 * commands with known submission and completion; `took`: sum of their durations; `busy`: time with
 * any command in flight; `most`: maximum depth; `length`: time from the first submission to the
 * last completion, over all traces and the same in all rows. */
const struct analysis analysis_queue_hardware = {
    .name = "queue_hardware",
    .tables = {{"hardware_queue", "queue, commands, bytes, took, busy, most, length", NULL}},
    .each_device = true,
    .pass = PASS_IN_ORDER,
    .fields = EVENT_DURATION | EVENT_SIZE | EVENT_DEPTH,
    .state_size = sizeof(struct hardware_state),
    .visit = queue_hardware_visit,
    .end_trace = queue_hardware_end_trace,
    .write = queue_hardware_write_rows,
    .free = queue_hardware_free_state,
};

/* rollup_latency: how long I/Os took, by action and class. */
#include "model/latency_buckets.h"
#include "store/event_rollups.h"

struct latency_state {
    struct latency_buckets *buckets; /* owned */
};

static bool begin(void *context_state, struct database *database, int64_t trace,
                  struct error *error) {
    struct latency_state *state = context_state;

    (void)database;
    (void)trace;
    state->buckets = latency_buckets_new();
    return state->buckets != NULL || error_no_memory(error);
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct latency_state *state = context_state;

    return latency_buckets_add(state->buckets, columns, count, error);
}

static bool again(void *context_state, bool *more, struct error *error) {
    struct latency_state *state = context_state;

    return latency_buckets_again(state->buckets, more, error);
}

static bool write_row(void *context, const struct latency_row *row, struct error *error) {
    const int64_t values[] = {row->action, row->class, row->least, row->most, row->count, row->sum};

    return number_rows_add(context, values, error);
}

static bool write_rows(const void *context_state, struct number_rows *rows, bool *whole,
                       struct error *error) {
    const struct latency_state *state = context_state;

    *whole = latency_buckets_fit(state->buckets);
    return !*whole || latency_buckets_rows(state->buckets, write_row, rows, error);
}

static void free_state(void *context_state) {
    struct latency_state *state = context_state;

    latency_buckets_free(state->buckets);
}

static const struct event_counter latencies = {
    .fields = LATENCY_FIELDS,
    .flags = IO_CLASS_MASK,
    .untimed = true,
    .state_size = sizeof(struct latency_state),
    .begin = begin,
    .visit = visit,
    .again = again,
    .free = free_state,
};

const struct event_rollup latency_rollup = {
    .name = "latency",
    .kinds = 1u << TRACE_IO,
    .columns = "action, class, least, most, count, sum",
    .counter = &latencies,
    .write = write_rows,
};

/* Percentiles of a statement's values: temp.distribution. */
#include "analysis/analysis.h"
#include "analysis/rows_pass.h"
#include "scan/distribution.h"

struct rows_state {
    struct analysis_context *context;
    struct distribution *distribution; /* owned */
};

static void distribution_of_rows_take(void *rows_state, const char *part, size_t length,
                                      int64_t value) {
    struct rows_state *state = rows_state;

    distribution_count(
        state->distribution,
        distribution_group(state->distribution, part, length, &state->context->error), value);
}

static void distribution_of_rows_write_rows(void *rows_state) {
    struct rows_state *state = rows_state;

    state->distribution = distribution_new(state->context->shape);
    do {
        rows_pass_run(state->context, distribution_of_rows_take, state);
    } while (!analysis_failed(state->context) && distribution_end_pass(state->distribution));
    distribution_write(state->distribution, state->context->temp, &state->context->error);
}

static void distribution_of_rows_free_state(void *rows_state) {
    const struct rows_state *state = rows_state;

    distribution_free(state->distribution);
}

/* The statement returns rows of a group and a value; it runs several times. Curves as in
 * analysis_latency. */
const struct analysis analysis_distribution = {
    .name = "distribution",
    .tables = {{"distribution", DISTRIBUTION_COLUMNS, "name"},
               {"distribution_curve", DISTRIBUTION_CURVE, "name"}},
    .takes_rows = true,
    .pass = PASS_NONE,
    .state_size = sizeof(struct rows_state),
    .functions = rows_pass_register,
    .write = distribution_of_rows_write_rows,
    .free = distribution_of_rows_free_state,
};

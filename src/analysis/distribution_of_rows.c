/* Percentiles of what a statement gives: temp.distribution. */
#include "analysis/analysis.h"
#include "analysis/rows_pass.h"
#include "scan/distribution.h"

struct rows_state {
    const struct analysis_context *context;
    struct distribution *distribution; /* owned */
};

static bool take(void *taker, const char *part, size_t length, int64_t value, struct error *error) {
    struct distribution *distribution = taker;
    size_t group;

    if (!distribution_group(distribution, part, length, &group, error)) {
        return false;
    }
    distribution_count(distribution, group, value);
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct rows_state *state = context_state;

    state->context = context;
    state->distribution = distribution_new();
    distribution_name(state->distribution, context->naming);
    if (context->blocks > 0) {
        distribution_cut(state->distribution, context->blocks);
    }
    return true;
}

static bool write_rows(void *context_state, struct error *error) {
    const struct rows_state *state = context_state;
    bool more = true, done = true;

    while (done && more) {
        done = rows_pass_run(state->context, take, state->distribution, error) &&
               distribution_end_pass(state->distribution, &more, error);
    }
    return done && distribution_write(state->distribution, state->context->selection->temp, error);
}

static void free_state(void *context_state) {
    const struct rows_state *state = context_state;

    distribution_free(state->distribution);
}

/* The statement gives rows of a group and a value; it is run several times. */
const struct analysis analysis_distribution = {
    .name = "distribution",
    .tables = {{"distribution", DISTRIBUTION_COLUMNS, "name"}},
    .takes_rows = true,
    .pass = PASS_NONE,
    .state_size = sizeof(struct rows_state),
    .functions = rows_pass_register,
    .begin = begin,
    .write = write_rows,
    .free = free_state,
};

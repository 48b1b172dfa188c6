/* A template for new analyses; docs/adding-an-analysis.md explains the steps.
 *
 * It compiles, and the unit tests run it, but it is not in list.c, so no query can request it. It
 * counts events of at least --least bytes by the bit length of their size: temp.tally_template. A
 * query file would request it by
 *
 *     -- tally: template */
#include "analysis/analysis.h"
#include "base/saturate.h"

enum { BITS = 64 }; /* bit lengths of a size: 0 to 63 */

/* Results of one thread of the analysis. All members but the context start as 0. */
struct template_state {
    struct analysis_context *context; /* must be the first member */
    int64_t counts[BITS], bytes[BITS];
};

/* Counts events. Reads only the columns in `fields` below, because others may be NULL. Sums
 * saturate, because a damaged log may have any numbers. Values are in the order of the parameters
 * below. Several threads call this, each with its own state; use the database only with
 * database_lock(). */
static void template_visit(void *template_state, const struct event_columns *columns,
                           size_t count) {
    struct template_state *state = template_state;
    int64_t least = state->context->values[0].number;

    for (size_t i = 0; i < count; i++) {
        int64_t size = columns->size[i];
        int bits = size <= 0 ? 0 : 64 - __builtin_clzll((unsigned long long)size);

        if (size != EVENT_NONE && size >= least) {
            state->counts[bits]++;
            add_saturated(&state->bytes[bits], size);
        }
    }
}

/* Adds the results of another thread's state to the first state, and resets the other state for the
 * next trace. An analysis with PASS_IN_ORDER has one state, and needs no merge(). */
static void template_merge(void *template_state, void *other) {
    struct template_state *state = template_state, *from = other;

    for (int i = 0; i < BITS; i++) {
        state->counts[i] += from->counts[i];
        add_saturated(&state->bytes[i], from->bytes[i]);
        from->counts[i] = from->bytes[i] = 0;
    }
}

/* Writes the rows of the current trace. An analysis over all traces has write() instead. */
static void template_end_trace(void *template_state) {
    struct template_state *state = template_state;

    for (int i = 0; i < BITS; i++) {
        if (state->counts[i] > 0) {
            TEMP_ROW(&state->context->tables[0], state->context->trace->trace->id, i,
                     state->counts[i], state->bytes[i]);
        }
        state->counts[i] = state->bytes[i] = 0;
    }
}

/* Registers the analysis. Members not set are NULL or 0. analysis.h explains all members, such as
 * `rollup` (counts of the import), `again` (another pass) and `calls` (function traces). */
const struct analysis analysis_template = {
    .name = "template",
    .tables = {{"tally_template", "trace, bits, count, bytes", NULL}},
    .pass = PASS_ANY_ORDER,
    .fields = EVENT_SIZE,
    .parameters = {{
        .name = "least",
        .type = PARAMETER_NUMBER,
        .argument = "BYTES",
        .help = "template: only events of this size",
        .least = 1,
        .most = INT64_MAX,
        .otherwise = 0,
    }},
    .state_size = sizeof(struct template_state),
    .visit = template_visit,
    .merge = template_merge,
    .end_trace = template_end_trace,
};

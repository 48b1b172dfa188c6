/* A new analysis begins as a copy of this file; docs/adding-an-analysis.md goes through the steps.
 *
 * It compiles, and the unit tests run it, but it is not in list.c: no query can name it. It counts
 * events by how many bits their size has, those of at least --least bytes: temp.tally_template,
 * which
 *
 *     -- tally: template
 *
 * in a query file would ask for.
 */
#include "analysis/analysis.h"
#include "base/saturate.h"

enum { BITS = 64 }; /* lengths of a size; 0 has none */

/* What a thread has found. It begins zeroed, but for its context. */
struct template_state {
    struct analysis_context *context; /* always the first */
    int64_t counts[BITS], bytes[BITS];
};

/* Looks at the columns in `fields` below, and at no others: those may be NULL. A damaged log may
 * claim any number, so sums stop at the largest one. Values are in the order of the parameters
 * below. This runs in several threads at once, each with a state of its own; no database here
 * without analysis_lock(). */
static void visit(void *template_state, const struct event_columns *columns, size_t count) {
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

/* What the other thread has found goes to the first one, and is gone from its state, which serves
 * for the next trace. With PASS_IN_ORDER there is one state, and no merging. */
static void merge(void *template_state, void *other) {
    struct template_state *state = template_state, *from = other;

    for (int i = 0; i < BITS; i++) {
        state->counts[i] += from->counts[i];
        add_saturated(&state->bytes[i], from->bytes[i]);
        from->counts[i] = from->bytes[i] = 0;
    }
}

/* Rows of this trace. What is found over all traces together is written in write() instead. */
static void end_trace(void *template_state) {
    struct template_state *state = template_state;

    for (int i = 0; i < BITS; i++) {
        if (state->counts[i] > 0) {
            TEMP_ROW(&state->context->tables[0], state->context->trace->trace->id, i,
                     state->counts[i], state->bytes[i]);
        }
        state->counts[i] = state->bytes[i] = 0;
    }
}

/* The row. What is left out is NULL or 0: see analysis.h for all there is, such as `rollup` for
 * what an import has counted already, `again` for another pass, `calls` for spans. */
const struct analysis analysis_template = {
    .name = "template",
    .tables = {{"tally_template", "trace, bits, count, bytes", NULL}},
    .pass = PASS_ANY_ORDER,
    .fields = EVENT_SIZE,
    .parameters = {{
        .name = "least",
        .type = PARAMETER_NUMBER,
        .argument = "BYTES",
        .help = "template: only events of so many bytes",
        .least = 1,
        .most = INT64_MAX,
        .otherwise = 0,
    }},
    .state_size = sizeof(struct template_state),
    .visit = visit,
    .merge = merge,
    .end_trace = end_trace,
};

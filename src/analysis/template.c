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

enum { BITS = 64 }; /* lengths of a size; 0 has none */

/* What a thread has found. It begins zeroed. */
struct template_state {
    const struct analysis_context *context;
    int64_t least;
    int64_t trace; /* that is passed over */
    int64_t counts[BITS], bytes[BITS];
};

/* Values are in the order of the parameters below. What is needed of the database is read here, and
 * statements are prepared: through the temp schema, which knows what temp.NAME is called. */
static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct template_state *state = context_state;

    (void)error;
    state->context = context;
    state->least = context->values[0].number;
    return true;
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct template_state *state = context_state;

    (void)error;
    state->trace = trace->trace->id;
    return true;
}

/* Looks at the columns in `fields` below, and at no others: those may be NULL. A damaged log may
 * claim any number, so sums stop at the largest one. This runs in several threads at once, each
 * with a state of its own; no database here without context->lock(). */
static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct template_state *state = context_state;

    (void)error;
    for (size_t i = 0; i < count; i++) {
        int64_t size = columns->size[i];
        int bits = size <= 0 ? 0 : 64 - __builtin_clzll((unsigned long long)size);

        if (size == EVENT_NONE || size < state->least) {
            continue;
        }
        state->counts[bits]++;
        if (__builtin_add_overflow(state->bytes[bits], size, &state->bytes[bits])) {
            state->bytes[bits] = INT64_MAX;
        }
    }
    return true;
}

/* What the other thread has found goes to the first one, and is gone from its state, which serves
 * for the next trace. With PASS_IN_ORDER there is one state, and no merging. */
static bool merge(void *context_state, void *other, struct error *error) {
    struct template_state *state = context_state, *from = other;

    (void)error;
    for (int i = 0; i < BITS; i++) {
        state->counts[i] += from->counts[i];
        if (__builtin_add_overflow(state->bytes[i], from->bytes[i], &state->bytes[i])) {
            state->bytes[i] = INT64_MAX;
        }
        from->counts[i] = from->bytes[i] = 0;
    }
    return true;
}

/* Rows of this trace. What is found over all traces together is written in write() instead. */
static bool end_trace(void *context_state, struct error *error) {
    struct template_state *state = context_state;
    const struct selection *selection = state->context->selection;
    sqlite3_stmt *insert = temp_schema_prepare(
        selection->temp, "INSERT INTO temp.tally_template VALUES (?1, ?2, ?3, ?4)", error);
    bool done = insert != NULL;

    for (int i = 0; done && i < BITS; i++) {
        if (state->counts[i] > 0) {
            sqlite3_bind_int64(insert, 1, state->trace);
            sqlite3_bind_int64(insert, 2, i);
            sqlite3_bind_int64(insert, 3, state->counts[i]);
            sqlite3_bind_int64(insert, 4, state->bytes[i]);
            done = database_execute(selection->database, insert, error);
        }
        state->counts[i] = state->bytes[i] = 0;
    }
    sqlite3_finalize(insert);
    return done;
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
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit,
    .merge = merge,
    .end_trace = end_trace,
};

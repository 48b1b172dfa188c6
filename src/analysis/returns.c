/* Counts non-zero return values and errors of calls: temp.tally_return. */
#include "analysis/keyed_rows.h"

/* Limit of rows in memory over all threads. Others go to the table; queries add up equal keys. */
#define ROWS_IN_MEMORY (1 << 18)

/* Key of a row, compared as bytes, so it has no padding. */
struct return_key {
    int64_t value; /* return value; EVENT_NONE: unknown */
    uint32_t operation, error;
};

struct return_row {
    struct return_key key;
    int64_t count;
};

static void returns_write_row(struct analysis_context *context, const void *return_row) {
    const struct return_row *row = return_row;
    const struct return_key *key = &row->key;

    TEMP_ROW(&context->tables[0], context->trace->trace->id, key->operation, key->value,
             key->error == 0 ? EVENT_NONE : key->error, row->count);
}

static void returns_add_row(void *to, const void *from) {
    ((struct return_row *)to)->count += ((const struct return_row *)from)->count;
}

static void returns_visit(void *return_state, const struct event_columns *columns, size_t count) {
    struct keyed_state *state = return_state;

    for (size_t i = 0; i < count; i++) {
        struct return_key key = {columns->value[i], columns->operation[i], columns->error[i]};

        if ((key.value != 0 && key.value != EVENT_NONE) || key.error != 0) {
            struct return_row *row = keyed_rows_find(&state->rows, &key);

            row->count++;
        }
    }
}

/* tally_return: a row per operation and non-zero return value (NULL: unknown) or error (name.id),
 * with the number of calls. A key may have several rows. */
const struct analysis analysis_return = {
    .name = "return",
    .tables = {{"tally_return",
                "trace INTEGER, operation INTEGER, value INTEGER, error INTEGER, count INTEGER",
                NULL}},
    .pass = PASS_ANY_ORDER,
    .leaves_out = true,
    .fields = EVENT_OPERATION | EVENT_VALUE | EVENT_ERROR,
    .state_size = sizeof(struct keyed_state),
    .keyed = &(const struct keyed_kind){sizeof(struct return_key), sizeof(struct return_row),
                                        ROWS_IN_MEMORY, .write = returns_write_row,
                                        .add = returns_add_row},
    .begin = keyed_state_begin,
    .visit = returns_visit,
    .merge = keyed_state_merge,
    .end_trace = keyed_state_end_trace,
    .free = keyed_state_free,
};

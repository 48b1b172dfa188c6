/* What calls returned that is not 0, and the errors they failed with: temp.tally_return. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/hash.h"
#include "base/memory.h"

/* Rows over all threads beyond which they go to the table, where the query adds equal ones up. */
#define ROWS_IN_MEMORY (1 << 18)

/* Has no holes: it is compared byte by byte. */
struct return_key {
    int64_t value; /* EVENT_NONE: not known */
    uint32_t operation, error;
};

struct return_row {
    struct return_key key;
    int64_t count;
    UT_hash_handle hh;
};

/* What a thread has found. */
struct return_state {
    const struct analysis_context *context;
    int64_t trace;
    struct return_row *rows; /* owned hash table */
};

static void forget_rows(struct return_state *state) {
    struct return_row *row, *next;

    HASH_ITER(hh, state->rows, row, next) {
        HASH_DEL(state->rows, row);
        free(row);
    }
}

/* Writes what was counted so far, and forgets it. */
static bool flush(struct return_state *state, struct error *error) {
    const struct analysis_context *context = state->context;
    sqlite3_stmt *insert;
    bool done;

    context->lock(context, true);
    insert = temp_schema_prepare(
        context->selection->temp,
        "INSERT INTO temp.tally_return VALUES (?1, ?2, ?3, nullif(?4, 0), ?5)", error);
    done = insert != NULL;
    for (const struct return_row *row = state->rows; done && row != NULL; row = row->hh.next) {
        sqlite3_bind_int64(insert, 1, state->trace);
        sqlite3_bind_int64(insert, 2, row->key.operation);
        database_bind_optional(insert, 3, row->key.value);
        sqlite3_bind_int64(insert, 4, row->key.error);
        sqlite3_bind_int64(insert, 5, row->count);
        done = database_execute(context->selection->database, insert, error);
    }
    sqlite3_finalize(insert);
    context->lock(context, false);
    forget_rows(state);
    return done;
}

static bool add(struct return_state *state, const struct return_key *key, int64_t count,
                struct error *error) {
    struct return_row *row;

    HASH_FIND(hh, state->rows, key, sizeof *key, row);
    if (row == NULL) {
        if (HASH_COUNT(state->rows) >= ROWS_IN_MEMORY / state->context->states &&
            !flush(state, error)) {
            return false;
        }
        row = xcalloc(1, sizeof *row);
        row->key = *key;
        HASH_ADD(hh, state->rows, key, sizeof row->key, row);
    }
    row->count += count;
    return true;
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct return_state *state = context_state;

    for (size_t i = 0; i < count; i++) {
        int64_t value = columns->value[i];

        if ((value == 0 || value == EVENT_NONE) && columns->error[i] == 0) {
            continue;
        }
        if (!add(state,
                 &(const struct return_key){.value = value,
                                            .operation = columns->operation[i],
                                            .error = columns->error[i]},
                 1, error)) {
            return false;
        }
    }
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct return_state *state = context_state;

    (void)error;
    state->context = context;
    return true;
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct return_state *state = context_state;

    (void)error;
    state->trace = trace->trace->id;
    return true;
}

static bool merge(void *context_state, void *other, struct error *error) {
    struct return_state *state = context_state, *from = other;
    bool done = true;

    for (const struct return_row *row = from->rows; done && row != NULL; row = row->hh.next) {
        done = add(state, &row->key, row->count, error);
    }
    forget_rows(from);
    return done;
}

static bool end_trace(void *context_state, struct error *error) {
    return flush(context_state, error);
}

static void free_state(void *context_state) {
    forget_rows(context_state);
}

/* How many calls of an operation returned a value that is not 0, or failed with an error (name.id):
 * each NULL where it is not known. Several rows may be of one of these. */
const struct analysis analysis_return = {
    .name = "return",
    .tables = {{"tally_return",
                "trace INTEGER, operation INTEGER, value INTEGER, error INTEGER, count INTEGER",
                NULL}},
    .pass = PASS_ANY_ORDER,
    .leaves_out = true,
    .fields = EVENT_OPERATION | EVENT_VALUE | EVENT_ERROR,
    .state_size = sizeof(struct return_state),
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit,
    .merge = merge,
    .end_trace = end_trace,
    .free = free_state,
};

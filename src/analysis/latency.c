/* Time from issue to completion: temp.tally_latency, and its percentiles in temp.distribution. */
#include "analysis/analysis.h"
#include "scan/distribution.h"

enum {
    BITS = 65, /* lengths of a duration, and none at all */
    NO_DURATION = BITS - 1,
};

struct latency_state {
    struct scratch *scratch;
    struct distribution *distribution; /* owned */
    int64_t counts[IO_CLASSES][BITS];
    bool counted; /* in the first pass */
};

/* How many bits a duration has, 0 for 0. */
static int bit_length(int64_t duration) {
    return duration == 0 ? 0 : 64 - __builtin_clzll((unsigned long long)duration);
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    static const char *const names[IO_CLASSES] = {"0", "1", "2", "3", "4", "5"};
    struct latency_state *state = context_state;

    for (size_t i = 0; i < count; i++) {
        enum io_class class = io_class_of(columns->flags[i]);
        int64_t duration = columns->duration[i];
        bool known = duration >= 0;

        if (!state->counted) {
            state->counts[class][known ? bit_length(duration) : NO_DURATION]++;
        }
        if (known && !distribution_add(state->distribution, names[class], duration, error)) {
            return false;
        }
    }
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct latency_state *state = context_state;

    state->scratch = context->selection->scratch;
    state->distribution = distribution_new();
    return state->distribution != NULL || error_no_memory(error);
}

static bool again(void *context_state, bool *more, struct error *error) {
    struct latency_state *state = context_state;

    state->counted = true;
    return distribution_end_pass(state->distribution, more, error);
}

static bool write_counts(const struct latency_state *state, sqlite3_stmt *insert,
                         struct error *error) {
    for (int64_t class = 0; class < IO_CLASSES; class ++) {
        for (int64_t bits = 0; bits < BITS; bits++) {
            if (state->counts[class][bits] == 0) {
                continue;
            }
            sqlite3_bind_int64(insert, 1, class);
            database_bind_optional(insert, 2, bits == NO_DURATION ? EVENT_NONE : bits);
            sqlite3_bind_int64(insert, 3, state->counts[class][bits]);
            if (!database_execute(state->scratch->database, insert, error)) {
                return false;
            }
        }
    }
    return true;
}

static bool write_rows(void *context_state, struct error *error) {
    const struct latency_state *state = context_state;
    sqlite3_stmt *insert = scratch_prepare(
        state->scratch, "INSERT INTO temp.tally_latency VALUES (?1, ?2, ?3)", error);
    bool done = insert != NULL && write_counts(state, insert, error) &&
                distribution_write(state->distribution, state->scratch, error);

    sqlite3_finalize(insert);
    return done;
}

static void free_state(void *context_state) {
    const struct latency_state *state = context_state;

    distribution_free(state->distribution);
}

/* The selected events by class (enum io_class) and by how many bits their duration has, NULL for
 * those that have none; their durations by class in temp.distribution. */
const struct analysis analysis_latency = {
    .name = "latency",
    .tables = {{"tally_latency", "class, bits, count", NULL},
               {"distribution", DISTRIBUTION_COLUMNS, NULL}},
    .pass = PASS_IN_ORDER,
    .fields = EVENT_DURATION | EVENT_FLAGS,
    .state_size = sizeof(struct latency_state),
    .begin = begin,
    .visit = visit,
    .again = again,
    .write = write_rows,
    .free = free_state,
};

/* Sequential and random I/O: temp.tally_locality. */
#include "analysis/analysis.h"
#include "model/locality.h"
#include "store/devices.h"

struct locality_state {
    const struct analysis_context *context;
    int64_t trace;
    struct devices devices; /* owned; of objects */
    struct locality locality;
};

static bool data_only(const struct parameter_value *values) {
    return values[0].given;
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct locality_state *state = context_state;
    struct locality_io io;

    (void)error;
    for (size_t i = 0; i < count; i++) {
        if (locality_io(&io, devices_find(&state->devices, columns->object[i]), columns->flags[i],
                        columns->address[i], columns->size[i])) {
            locality_add(&state->locality, &io);
        }
    }
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct locality_state *state = context_state;

    (void)error;
    state->context = context;
    return true;
}

/* Another trace has another disk. */
static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct locality_state *state = context_state;

    state->trace = trace->trace->id;
    locality_init(&state->locality, data_only(state->context->values));
    devices_free(&state->devices);
    return devices_read(&state->devices, state->context->selection->database, state->trace, error);
}

static bool write_counts(void *context_state, struct error *error) {
    const struct locality_state *state = context_state;
    const struct selection *selection = state->context->selection;
    sqlite3_stmt *insert = scratch_prepare(
        selection->scratch, "INSERT INTO temp.tally_locality VALUES (?1, ?2, ?3, ?4)", error);
    bool done = insert != NULL;

    for (int direction = 0; done && direction < LOCALITY_DIRECTIONS; direction++) {
        sqlite3_bind_int64(insert, 1, state->trace);
        sqlite3_bind_int64(insert, 2, direction);
        sqlite3_bind_int64(insert, 3, state->locality.sequential[direction]);
        sqlite3_bind_int64(insert, 4, state->locality.random[direction]);
        done = database_execute(selection->database, insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}

static void free_state(void *context_state) {
    struct locality_state *state = context_state;

    devices_free(&state->devices);
}

/* Action 0 of the rollup stands for all events, which count where the selection has none; where
 * nothing counts, its action is 0. */
#define ROLLUP_ROWS(data_only)                                                                     \
    "SELECT r.trace, r.direction, r.sequential, r.random FROM temp.selection AS s"                 \
    " CROSS JOIN main.rollup_locality AS r WHERE r.trace = s.trace"                                \
    " AND r.action = iif(s.action = 0, NULL, ifnull(s.action, 0)) AND r.data_only = " data_only

static const char *rollup_rows(const struct parameter_value *values) {
    return data_only(values) ? ROLLUP_ROWS("1") : ROLLUP_ROWS("0");
}

/* Reads (0) and writes (1) that start where the previous one of the same direction and device
 * ended, and the others. I/Os without a sector or without data do not count; with --data-only
 * neither do metadata and journal blocks. */
const struct analysis analysis_locality = {
    .name = "locality",
    .tables = {{"tally_locality", "trace, direction, sequential, random", NULL}},
    .rollup = "locality",
    .rollup_rows_of = rollup_rows,
    .pass = PASS_IN_ORDER,
    .fields = EVENT_OBJECT | EVENT_FLAGS | EVENT_ADDRESS | EVENT_SIZE,
    .parameters = {{
        .name = "data-only",
        .type = PARAMETER_FLAG,
        .help = "locality: leave metadata and journal out",
    }},
    .state_size = sizeof(struct locality_state),
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit,
    .end_trace = write_counts,
    .free = free_state,
};

/* Times of calls by function and thread: temp.tally_span, and by both clocks temp.tally_wait. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "model/span_times.h"
#include "store/span_table.h"

/* Rows in memory beyond which those without open calls go to the table. */
#define TIMES_IN_MEMORY 65536

struct times_state {
    struct database *database;
    sqlite3_stmt *insert; /* owned */
    int64_t trace;
    bool both;               /* of the trace's first clock and of the one beside it */
    struct span_times times; /* owned; of the chosen clock, in the place of the first */
    size_t flush_at;
};

static void bind_both(sqlite3_stmt *insert, const struct span_times_row *row) {
    const struct span_clock_times *wall = &row->clocks[SPAN_WALL], *cpu = &row->clocks[SPAN_CPU];
    bool timed = wall->timed > 0;

    database_bind_optional(insert, 5, timed ? wall->total : EVENT_NONE);
    database_bind_optional(insert, 6, timed ? wall->self : EVENT_NONE);
    database_bind_optional(insert, 7, timed ? cpu->total : EVENT_NONE);
    database_bind_optional(insert, 8, timed ? cpu->self : EVENT_NONE);
}

static bool write_times(const struct times_state *state, bool open, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < state->times.count; i++) {
        const struct span_times_row *row = state->times.rows[i];

        if (row->open > 0 && !open) {
            continue;
        }
        sqlite3_bind_int64(state->insert, 1, state->trace);
        sqlite3_bind_int64(state->insert, 2, row->key.operation);
        sqlite3_bind_int64(state->insert, 3, row->key.actor);
        sqlite3_bind_int64(state->insert, 4, row->calls);
        if (state->both) {
            bind_both(state->insert, row);
        } else {
            span_table_bind(state->insert, 5, &row->clocks[SPAN_WALL]);
        }
        done = database_execute(state->database, state->insert, error);
    }
    return done;
}

/* The table may hold several rows of one function and thread: the query adds them up. */
static bool flush_times(struct times_state *state, struct error *error) {
    bool done = write_times(state, false, error);

    span_times_forget_closed(&state->times);
    state->flush_at = 2 * state->times.count + TIMES_IN_MEMORY;
    return done;
}

/* By both clocks count only calls that have both times. */
static void add_times(const struct times_state *state, struct span_times_row *function,
                      const struct span_row *row) {
    bool outermost = function->open == 0;

    if (row->duration == EVENT_NONE || (state->both && row->first_duration == EVENT_NONE)) {
        return;
    }
    if (state->both) {
        span_times_add(&function->clocks[SPAN_WALL], row->first_duration, row->first_self,
                       outermost);
    }
    span_times_add(&function->clocks[state->both ? SPAN_CPU : SPAN_WALL], row->duration, row->self,
                   outermost);
}

/* What is kept of a call is the times of its function. */
static bool enter_function(void *context_state, const struct span_row *row, void *call,
                           void *caller, struct error *error) {
    struct times_state *state = context_state;
    struct span_times_row *function;

    (void)caller;
    if (state->times.count >= state->flush_at && !flush_times(state, error)) {
        return false;
    }
    function = span_times_row(&state->times, row->operation, row->actor);
    if (function == NULL) {
        return error_no_memory(error);
    }
    function->calls++;
    add_times(state, function, row);
    function->open++;
    *(struct span_times_row **)call = function;
    return true;
}

static void leave_function(void *context_state, void *call, void *caller) {
    struct span_times_row *function = *(struct span_times_row **)call;

    (void)context_state;
    (void)caller;
    function->open--;
}

extern const struct analysis analysis_wait;

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct times_state *state = context_state;

    state->database = context->selection->database;
    state->both = context->analysis == &analysis_wait;
    state->insert = scratch_prepare(
        context->selection->scratch,
        state->both
            ? "INSERT INTO temp.tally_wait VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
            : "INSERT INTO temp.tally_span VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        error);
    return state->insert != NULL;
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct times_state *state = context_state;

    (void)error;
    state->trace = trace->trace->id;
    state->flush_at = TIMES_IN_MEMORY;
    return true;
}

static bool end_trace(void *context_state, struct error *error) {
    struct times_state *state = context_state;
    bool done = write_times(state, true, error);

    span_times_free(&state->times);
    return done;
}

static void free_state(void *context_state) {
    struct times_state *state = context_state;

    sqlite3_finalize(state->insert);
    span_times_free(&state->times);
}

static const struct span_visitor visitor = {
    .call_size = sizeof(struct span_times_row *),
    .enter = enter_function,
    .leave = leave_function,
};

#define ROLLUP_ROWS(times)                                                                         \
    "SELECT r.trace, r.operation, r.actor, r.calls, " times                                        \
    " FROM temp.selection AS s CROSS JOIN main.rollup_span AS r WHERE r.trace = s.trace"

#define OPEN_CALLS                                                                                 \
    " FROM temp.selection AS s"                                                                    \
    " CROSS JOIN main.open_call AS o ON o.event BETWEEN s.first_event AND s.last_event"            \
    " CROSS JOIN main.event AS e ON e.id = o.event"

/* A call that ended with the log is counted in the rollup, but its times are not. */
#define OPEN_ROWS(clock)                                                                           \
    "SELECT s.trace, e.operation, e.actor, 0, 1,"                                                  \
    " iif(span_flag(e.flags, 'recursive'), 0, o." clock "duration), o." clock "duration,"          \
    " ifnull(o." clock "self, o." clock "duration), o." clock "duration, o." clock                 \
    "duration" OPEN_CALLS " WHERE o." clock "duration IS NOT NULL"

/* What has no times by one clock in some calls has none by either. */
#define BOTH(times) "iif(r.timed IS r.cpu_timed, r." times ", NULL) AS " times

#define TIMES_FUNCTIONS                                                                            \
    .pass = PASS_CALLS, .state_size = sizeof(struct times_state), .begin = begin,                  \
    .begin_trace = begin_trace, .calls = &visitor, .end_trace = end_trace, .free = free_state

const struct analysis analysis_span = {
    .name = "span",
    .tables = {{"tally_span",
                "trace, operation, actor, calls, timed, total, sum, self, least, most", NULL}},
    .rollup = "span",
    .rollup_title = "function and thread",
    .rollup_rows = ROLLUP_ROWS("r.timed, r.total, r.sum, r.self, r.least, r.most"),
    .rollup_rows_beside = ROLLUP_ROWS("r.cpu_timed AS timed, r.cpu_total AS total,"
                                      " r.cpu_sum AS sum, r.cpu_self AS self,"
                                      " r.cpu_least AS least, r.cpu_most AS most"),
    .rollup_open = OPEN_ROWS(""),
    .rollup_open_beside = OPEN_ROWS("cpu_"),
    TIMES_FUNCTIONS,
};

/* Of traces with a clock beside the first, which the selection has chosen: the times by both of the
 * calls that have both, the first being the wall clock. Where a function has calls in a rollup that
 * lack one of them, NULL. */
const struct analysis analysis_wait = {
    .name = "wait",
    .tables = {{"tally_wait", "trace, operation, actor, calls, total, self, cpu_total, cpu_self",
                NULL}},
    .rollup = "span",
    .rollup_title = "function and thread",
    .rollup_rows =
        ROLLUP_ROWS(BOTH("total") ", " BOTH("self") ", " BOTH("cpu_total") ", " BOTH("cpu_self")),
    .rollup_open_beside =
        "SELECT s.trace, e.operation, e.actor, 0,"
        " iif(span_flag(e.flags, 'recursive'), 0, o.duration), ifnull(o.self, o.duration),"
        " iif(span_flag(e.flags, 'recursive'), 0, o.cpu_duration),"
        " ifnull(o.cpu_self, o.cpu_duration)" OPEN_CALLS " WHERE o.cpu_duration IS NOT NULL",
    TIMES_FUNCTIONS,
};

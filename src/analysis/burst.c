/* How unevenly events come: temp.tally_burst. */
#include <math.h>

#include "analysis/analysis.h"
#include "base/time_unit.h"
#include "scan/burstiness.h"
#include "select/window.h"

enum {
    WINDOWS = 19, /* lengths, at most: powers of ten */
};

struct burst_state {
    const struct analysis_context *context;
    enum trace_kind kind;
    bool begun; /* the trace has an event, at `time` */
    int64_t time;
    int64_t gap; /* before that; -1: there is none */
    struct gap_sums gaps;
    struct window_sums windows[WINDOWS];
    size_t count;
    bool real_clock;
};

/* Lengths of about a decade each: of seconds as people count them, else powers of ten. */
static void choose_windows(struct burst_state *state) {
    static const int64_t lengths[] = {MILLISECOND,  10 * MILLISECOND, 100 * MILLISECOND,
                                      SECOND,       10 * SECOND,      60 * SECOND,
                                      600 * SECOND, 3600 * SECOND};
    int64_t length = 1;

    if (state->real_clock) {
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            state->windows[state->count++].length = lengths[i];
        }
        return;
    }
    for (; state->count < WINDOWS; length *= 10) {
        state->windows[state->count++].length = length;
        if (length > INT64_MAX / 10) {
            return;
        }
    }
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct burst_state *state = context_state;
    int64_t length;

    state->context = context;
    state->real_clock = catalog_real_clock(context->selection->traces[0].trace);
    if (!parameter_length(&context->values[0], "window", state->real_clock, &length, error)) {
        return false;
    }
    if (length > 0) {
        state->windows[state->count++].length = length;
    } else {
        choose_windows(state);
    }
    return true;
}

/* From --from, or the first event, to --to, or behind the last one: when the trace was seen. */
static bool seen_times(const struct burst_state *state, const struct selected_trace *trace,
                       int64_t *start, int64_t *end, struct error *error) {
    static const char time_of[] = "SELECT time FROM main.event WHERE id = ?1";
    struct database *database = state->context->selection->database;
    struct window window;

    if (!database_integer(database, time_of, trace->first, 0, start, error) ||
        !database_integer(database, time_of, trace->last, 0, end, error) ||
        !window_times(trace->trace, &state->context->selection->filter, &window, error)) {
        return false;
    }
    *end += *end < INT64_MAX;
    *start = window.from == INT64_MIN ? *start : window.from;
    *end = window.to == INT64_MAX ? *end : window.to;
    return true;
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct burst_state *state = context_state;
    int64_t start, end;

    state->kind = trace->trace->kind;
    state->begun = false;
    state->gap = -1;
    if (!seen_times(state, trace, &start, &end, error)) {
        return false;
    }
    if (trace->last < trace->first) {
        end = start;
    }
    for (size_t i = 0; i < state->count; i++) {
        window_sums_begin(&state->windows[i], start, end);
    }
    return true;
}

static void take(struct burst_state *state, int64_t time) {
    int64_t gap = -1;

    /* Times of a damaged database may be in no order, and anything. */
    if (state->begun && (time < state->time || __builtin_sub_overflow(time, state->time, &gap))) {
        return;
    }
    if (state->begun) {
        gap_sums_add(&state->gaps, state->gap, gap);
    }
    for (size_t i = 0; i < state->count; i++) {
        window_sums_add(&state->windows[i], time);
    }
    state->begun = true;
    state->time = time;
    state->gap = gap;
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct burst_state *state = context_state;

    (void)error;
    for (size_t i = 0; i < count; i++) {
        if (state->kind != TRACE_SPANS || span_is_call(columns->flags[i])) {
            take(state, columns->time[i]);
        }
    }
    return true;
}

static bool end_trace(void *context_state, struct error *error) {
    struct burst_state *state = context_state;

    (void)error;
    for (size_t i = 0; i < state->count; i++) {
        window_sums_end(&state->windows[i]);
    }
    return true;
}

static bool insert_row(const struct burst_state *state, const char *measure, int64_t window,
                       int64_t count, double value, struct error *error) {
    const struct selection *selection = state->context->selection;
    sqlite3_stmt *insert = temp_schema_prepare(
        selection->temp, "INSERT INTO temp.tally_burst VALUES (?1, ?2, ?3, ?4)", error);
    bool done = insert != NULL;

    if (done) {
        sqlite3_bind_text(insert, 1, measure, -1, SQLITE_STATIC);
        database_bind_optional(insert, 2, window);
        sqlite3_bind_int64(insert, 3, count);
        sqlite3_bind_double(insert, 4, value); /* NaN becomes NULL */
        done = database_execute(selection->database, insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}

static bool write_rows(void *context_state, struct error *error) {
    const struct burst_state *state = context_state;
    struct gap_figures figures = gap_sums_find(&state->gaps);
    int64_t gaps = state->gaps.count;

    if (!insert_row(state, "mean gap", EVENT_NONE, gaps, gaps > 0 ? state->gaps.mean : NAN,
                    error) ||
        !insert_row(state, "CV", EVENT_NONE, gaps, figures.cv, error) ||
        !insert_row(state, "B", EVENT_NONE, gaps, figures.b, error) ||
        !insert_row(state, "B_n", EVENT_NONE, gaps, figures.b_n, error) ||
        !insert_row(state, "M", EVENT_NONE, state->gaps.pairs, figures.memory, error)) {
        return false;
    }
    for (size_t i = 0; i < state->count; i++) {
        const struct window_sums *window = &state->windows[i];

        /* Of powers of ten those that say something. */
        if (!state->real_clock && i > 0 && window->windows < 2) {
            break;
        }
        if (!insert_row(state, "IDC", window->length, window->windows,
                        window_sums_dispersion(window), error)) {
            return false;
        }
    }
    return true;
}

/* Figures of all traces together: `measure` "mean gap" (in units of the clock), "CV", "B", "B_n",
 * "M", with how many gaps, or for M pairs of them, they are of; and "IDC" of each length of a
 * window, with how many whole windows there are. NULL where there are too few. */
const struct analysis analysis_burst = {
    .name = "burst",
    .tables = {{"tally_burst", "measure, window, count, value", NULL}},
    .pass = PASS_IN_ORDER,
    .fields = EVENT_FLAGS,
    .parameters = {WINDOW_PARAMETER},
    .state_size = sizeof(struct burst_state),
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit,
    .end_trace = end_trace,
    .write = write_rows,
};

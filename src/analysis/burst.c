/* How unevenly events come: temp.tally_burst. */
#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/time_unit.h"
#include "scan/burstiness.h"
#include "select/window.h"

enum {
    WINDOWS = 19, /* lengths, at most: powers of ten */
};

struct burst_state {
    struct analysis_context *context;
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

static void begin(void *burst_state) {
    struct burst_state *state = burst_state;
    struct analysis_context *context = state->context;
    int64_t length;

    state->real_clock = catalog_real_clock(context->selection->traces[0].trace);
    if (!parameter_length(&context->values[0], "window", state->real_clock, &length,
                          &context->error)) {
        return;
    }
    if (length > 0) {
        state->windows[state->count++].length = length;
    } else {
        choose_windows(state);
    }
}

/* A trace is seen from --from, or the first event, to --to, or behind the last one. */
static void begin_trace(void *burst_state) {
    static const char time_of[] = "SELECT time FROM main.event WHERE id = ?1";
    struct burst_state *state = burst_state;
    struct analysis_context *context = state->context;
    const struct selected_trace *trace = context->trace;
    struct window window;
    int64_t start, end;

    state->begun = false;
    state->gap = -1;
    if (!database_integer(context->database, time_of, trace->first, 0, &start, &context->error) ||
        !database_integer(context->database, time_of, trace->last, 0, &end, &context->error) ||
        !window_times(trace->trace, &context->selection->filter, &window, &context->error)) {
        return;
    }
    end += end < INT64_MAX;
    start = window.from == INT64_MIN ? start : window.from;
    end = trace->last < trace->first ? start : window.to == INT64_MAX ? end : window.to;
    for (size_t i = 0; i < state->count; i++) {
        window_sums_begin(&state->windows[i], start, end);
    }
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

static void visit(void *burst_state, const struct event_columns *columns, size_t count) {
    struct burst_state *state = burst_state;
    bool spans = state->context->trace->trace->kind == TRACE_SPANS;

    for (size_t i = 0; i < count; i++) {
        if (!spans || span_is_call(columns->flags[i])) {
            take(state, columns->time[i]);
        }
    }
}

static void end_trace(void *burst_state) {
    struct burst_state *state = burst_state;

    for (size_t i = 0; i < state->count; i++) {
        window_sums_end(&state->windows[i]);
    }
}

static void write_figure(const struct burst_state *state, const char *measure, int64_t window,
                         int64_t count, double value) {
    struct temp_rows *rows = &state->context->tables[0];

    temp_rows_text(rows, 1, measure, strlen(measure));
    temp_rows_real(rows, 4, value);
    TEMP_ROW(rows, window, count);
}

static void write_rows(void *burst_state) {
    const struct burst_state *state = burst_state;
    struct gap_figures figures = gap_sums_find(&state->gaps);
    int64_t gaps = state->gaps.count;

    write_figure(state, "mean gap", EVENT_NONE, gaps, gaps > 0 ? state->gaps.mean : NAN);
    write_figure(state, "CV", EVENT_NONE, gaps, figures.cv);
    write_figure(state, "B", EVENT_NONE, gaps, figures.b);
    write_figure(state, "B_n", EVENT_NONE, gaps, figures.b_n);
    write_figure(state, "M", EVENT_NONE, state->gaps.pairs, figures.memory);
    for (size_t i = 0; i < state->count; i++) {
        const struct window_sums *window = &state->windows[i];

        /* Of powers of ten those that say something. */
        if (!state->real_clock && i > 0 && window->windows < 2) {
            break;
        }
        write_figure(state, "IDC", window->length, window->windows, window_sums_dispersion(window));
    }
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

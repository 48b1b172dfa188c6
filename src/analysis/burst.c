/* Burstiness, from the times between events and the counts in time windows: temp.tally_burst.
 *
 * Gaps between successive events: the coefficient of variation, with the population's standard
 * deviation; Goh and Barabási's B, which is -1 for equal gaps, 0 for a Poisson process and at most
 * 1; Kim and Jo's B_n, which corrects B for few gaps; the memory M, Pearson's correlation of
 * successive gaps. Windows: the index of dispersion, which is the sample variance of the event
 * counts divided by their mean, 1 for a Poisson process. */
#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/saturate.h"
#include "base/time_unit.h"
#include "select/window.h"

/* Sums over the gaps (times between successive events) of one or several traces. All 0: no gaps. */
struct gap_sums {
    int64_t count;
    /* mean: mean length of the gaps; squares: sum of squared deviations from it */
    double mean, squares;
    /* Sums over pairs of successive gaps, for their correlation: means and sums of squared
     * deviations of the first and second gaps, and the sum of products of the deviations. */
    int64_t pairs;
    double first_mean, second_mean, first_squares, second_squares, products;
};

/* Measures of burstiness; `memory` is M, the correlation of successive gaps. NaN: too few gaps, or
 * all gaps are 0; `memory` is also NaN if all gaps are equal. */
struct gap_figures {
    double cv, b, b_n, memory;
};

/* Counts of events in time windows of length L: window k lasts from k L to before (k + 1) L. */
struct window_sums {
    int64_t length; /* L, the length of a window, at least 1 */
    /* The current trace covers the whole windows `first` to before `after`. The current window
     * lasts from `from` to before `to`, and has `events` events so far. */
    int64_t first, after, from, to, events;
    bool whole;
    int64_t windows;     /* number of whole windows of all traces, also those without events */
    double sum, squares; /* sum: of the windows' event counts; squares: of their squares */
};

/* Adds a gap to the sums, as deviation from the running mean (Welford 1962), because gaps are large
 * and may be nearly equal. */
static void gap_sums_add(struct gap_sums *sums, int64_t before, int64_t gap) {
    double value = (double)gap, distance = value - sums->mean;

    sums->count++;
    sums->mean += distance / (double)sums->count;
    sums->squares += distance * (value - sums->mean);
    if (before >= 0) {
        double first = (double)before - sums->first_mean, second = value - sums->second_mean;
        double pairs = (double)++sums->pairs;

        sums->first_mean += first / pairs;
        sums->second_mean += second / pairs;
        sums->first_squares += first * ((double)before - sums->first_mean);
        sums->second_squares += second * (value - sums->second_mean);
        sums->products += first * (value - sums->second_mean);
    }
}

/* Returns the measures of burstiness of all gaps added with gap_sums_add(). */
static struct gap_figures gap_sums_find(const struct gap_sums *sums) {
    struct gap_figures figures = {NAN, NAN, NAN, NAN};
    double count = (double)sums->count, more, less;

    if (sums->count == 0 || sums->mean <= 0) {
        return figures;
    }
    more = sqrt(count + 1);
    less = sqrt(count - 1);
    figures.cv = sqrt(sums->squares / count) / sums->mean;
    figures.b = (figures.cv - 1) / (figures.cv + 1);
    if (sums->count > 1) {
        figures.b_n = (more * figures.cv - less) / ((more - 2) * figures.cv + less);
    }
    if (sums->first_squares > 0 && sums->second_squares > 0) {
        figures.memory = sums->products / sqrt(sums->first_squares) / sqrt(sums->second_squares);
    }
    return figures;
}

/* Returns the time at which a window begins, saturated. */
static int64_t burst_start_of(const struct window_sums *sums, int64_t window) {
    int64_t start;

    return !__builtin_mul_overflow(window, sums->length, &start) ? start
           : window < 0                                          ? INT64_MIN
                                                                 : INT64_MAX;
}

/* Begins a trace that covers the times `start` to before `end`. */
static void window_sums_begin(struct window_sums *sums, int64_t start, int64_t end) {
    int64_t whole = DIVIDE_DOWN(start, sums->length), windows;

    sums->first = whole + (burst_start_of(sums, whole) < start);
    sums->after = DIVIDE_DOWN(end, sums->length);
    sums->after = sums->after < sums->first ? sums->first : sums->after;
    sums->from = sums->to = sums->events = 0;
    if (__builtin_sub_overflow(sums->after, sums->first, &windows)) {
        windows = INT64_MAX;
    }
    add_saturated(&sums->windows, windows);
}

/* Ends the current window: adds its event count to the sums. */
static void window_sums_end(struct window_sums *sums) {
    double events = (double)sums->events;

    sums->sum += events;
    sums->squares += events * events;
    sums->events = 0;
}

/* Counts an event in its window. Events come in order of time. */
static void window_sums_add(struct window_sums *sums, int64_t time) {
    if (time < sums->from || time >= sums->to) {
        int64_t window = DIVIDE_DOWN(time, sums->length);

        window_sums_end(sums);
        sums->whole = window >= sums->first && window < sums->after;
        sums->from = burst_start_of(sums, window);
        if (__builtin_add_overflow(sums->from, sums->length, &sums->to)) {
            sums->to = INT64_MAX;
        }
    }
    sums->events += sums->whole;
}

/* Returns the index of dispersion; NaN for fewer than two windows. It is exactly 0 if all counts
 * are equal, because the two products of the difference are then equal before rounding. */
static double window_sums_dispersion(const struct window_sums *sums) {
    double windows = (double)sums->windows;

    return sums->windows < 2 || sums->sum <= 0
               ? NAN
               : (windows * sums->squares - sums->sum * sums->sum) / (windows - 1) / sums->sum;
}

enum {
    WINDOWS = 19, /* limit of window lengths; reached only with powers of ten */
};

struct burst_state {
    struct analysis_context *context;
    bool begun; /* true: the current trace has had an event; the last one was at `time` */
    int64_t time;
    int64_t gap; /* time between the last two events; -1: fewer than two events */
    struct gap_sums gaps;
    struct window_sums windows[WINDOWS];
    size_t count;
    bool real_clock;
    bool beyond; /* true: --from or --to is outside of a trace */
};

/* Chooses increasing window lengths: 1 ms to 1 h if times are nanoseconds, else powers of ten. */
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

static void burst_begin(void *burst_state) {
    struct burst_state *state = burst_state;
    struct analysis_context *context = state->context;
    int64_t length;

    state->real_clock = catalog_has_real_clock(context->selection->traces[0].trace);
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

/* Begins windows in the selected hours of each day in `window` except the day of `event`, and
 * returns the hours of that day. All events are in them, since other selections are refused: their
 * windows must begin last, so that events are counted in them. */
static struct window burst_begin_other_days(struct burst_state *state, struct window window,
                                            int64_t event) {
    const struct catalog_trace *trace = state->context->trace->trace;
    const struct day_hours *hours = &state->context->selection->filter.hours;
    struct window day = {.from = 0, .to = 0};
    int64_t to = window.from;

    while (to < window.to) {
        int64_t begin = window_day_begin(trace, hours, to), from = begin > to ? begin : to;

        if (__builtin_add_overflow(begin, hours->length, &to) || to > window.to) {
            to = window.to;
        }
        if (event >= from && event < to) {
            day = (struct window){.from = from, .to = to};
        } else {
            for (size_t i = 0; i < state->count; i++) {
                window_sums_begin(&state->windows[i], from, to);
            }
        }
    }
    return day;
}

/* The covered time lasts from --from or the first event to --to or the last event. */
static void burst_begin_trace(void *burst_state) {
    static const char time_of[] = "SELECT time FROM main.event WHERE id = ?1";
    struct burst_state *state = burst_state;
    struct analysis_context *context = state->context;
    const struct selected_trace *trace = context->trace;
    struct window window;
    int64_t start, end;

    state->begun = false;
    state->gap = -1;
    if (!database_query_integer(context->database, time_of, trace->first, 0, &start,
                                &context->error) ||
        !database_query_integer(context->database, time_of, trace->last, 0, &end,
                                &context->error) ||
        !window_times(trace->trace, &context->selection->filter, &window, &context->error)) {
        return;
    }
    end += end < INT64_MAX;
    state->beyond |=
        (window.from != INT64_MIN && window.from < trace->trace->first_time) ||
        (window.to != INT64_MAX && subtract_saturated(window.to, 1) > trace->trace->last_time);
    if (window.several && trace->first <= trace->last) {
        window = burst_begin_other_days(state, window, start);
    }
    start = window.from == INT64_MIN ? start : window.from;
    end = trace->last < trace->first ? start : window.to == INT64_MAX ? end : window.to;
    for (size_t i = 0; i < state->count; i++) {
        window_sums_begin(&state->windows[i], start, end);
    }
}

static void burst_add(struct burst_state *state, int64_t time) {
    int64_t gap = -1;

    /* Skips events out of time order, which only a damaged database has. */
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

static void burst_visit(void *burst_state, const struct event_columns *columns, size_t count) {
    struct burst_state *state = burst_state;
    bool spans = state->context->trace->trace->kind == TRACE_SPANS;

    for (size_t i = 0; i < count; i++) {
        if (!spans || span_is_call(columns->flags[i])) {
            burst_add(state, columns->time[i]);
        }
    }
}

static void burst_end_trace(void *burst_state) {
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

static void burst_write_rows(void *burst_state) {
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

        /* Omits powers of ten for which the traces have fewer than two whole windows. */
        if (!state->real_clock && i > 0 && window->windows < 2) {
            break;
        }
        write_figure(state, "IDC", window->length, window->windows, window_sums_dispersion(window));
    }
    if (state->beyond) {
        notes_append(&state->context->selection->notes,
                     "--from or --to is outside of the log: windows there count as empty");
    }
}

/* Table temp.tally_burst: a row per measure, over all traces. `count` is the number of gaps for
 * "mean gap" (in units of the clock), "CV", "B" and "B_n", and the number of pairs of successive
 * gaps for "M". "IDC", the index of dispersion, has a row per window length `window`; its `count`
 * is the number of whole windows. `value` is NULL if `count` is too low. */
const struct analysis analysis_burst = {
    .name = "burst",
    .tables = {{"tally_burst", "measure, window, count, value", NULL}},
    .pass = PASS_IN_ORDER,
    .fields = EVENT_FLAGS,
    .parameters = {WINDOW_PARAMETER},
    .state_size = sizeof(struct burst_state),
    .begin = burst_begin,
    .begin_trace = burst_begin_trace,
    .visit = burst_visit,
    .end_trace = burst_end_trace,
    .write = burst_write_rows,
};

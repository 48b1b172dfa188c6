/* How unevenly events come: temp.tally_burst: what the times between them, and their numbers in
 * windows of time, say.
 *
 * Of the gaps between one event and the next: the coefficient of variation, by the standard
 * deviation of a population; Goh and Barabási's B, which is -1 where gaps are equal, 0 for a
 * Poisson process and 1 at most, and Kim and Jo's B_n, which corrects it for few gaps; the memory
 * M, Pearson's correlation of one gap and the next. Of windows: the index of dispersion, the
 * variance (of a sample) of the numbers of events by their mean, 1 for a Poisson process.
 */
#include <math.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/saturate.h"
#include "base/time_unit.h"
#include "select/window.h"

/* Gaps, of one or several traces. Zeroed: none. */
struct gap_sums {
    int64_t count;
    double mean, squares; /* sum of the squares of the distances from it */
    /* Of two gaps in a row. */
    int64_t pairs;
    double first_mean, second_mean, first_squares, second_squares, products;
};

/* NaN where there are too few gaps, or all last nothing, or, of the memory, are equal. */
struct gap_figures {
    double cv, b, b_n, memory;
};

/* Numbers of events in windows of one length, [k L, (k + 1) L), of one or several traces. */
struct window_sums {
    int64_t length; /* at least 1 */
    /* Of the trace: whole windows, from number `first` to before `behind`; from when to before when
     * that of the last event is, whether it is one of these, and how many events it has so far. */
    int64_t first, behind, from, to, events;
    bool whole;
    int64_t windows;     /* of all traces */
    double sum, squares; /* of the numbers of events */
};

/* Sums are of distances from the mean so far (Welford 1962), for gaps are large and may be nearly
 * equal. */
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

/* The figures of the gaps that were added. */
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

/* Rounded down, of a divisor above 0. */
static int64_t floor_of(int64_t number, int64_t divisor) {
    return number / divisor - (number % divisor < 0);
}

/* Where that window begins, as far as there are numbers. */
static int64_t start_of(const struct window_sums *sums, int64_t window) {
    int64_t start;

    return !__builtin_mul_overflow(window, sums->length, &start) ? start
           : window < 0                                          ? INT64_MIN
                                                                 : INT64_MAX;
}

/* The next trace, which was seen from `start` to before `end`. */
static void window_sums_begin(struct window_sums *sums, int64_t start, int64_t end) {
    int64_t whole = floor_of(start, sums->length), windows;

    sums->first = whole + (start_of(sums, whole) < start);
    sums->behind = floor_of(end, sums->length);
    sums->behind = sums->behind < sums->first ? sums->first : sums->behind;
    sums->from = sums->to = sums->events = 0;
    if (__builtin_sub_overflow(sums->behind, sums->first, &windows)) {
        windows = INT64_MAX;
    }
    add_saturated(&sums->windows, windows);
}

/* The trace is over. */
static void window_sums_end(struct window_sums *sums) {
    double events = (double)sums->events;

    sums->sum += events;
    sums->squares += events * events;
    sums->events = 0;
}

/* An event, none of which is earlier than the one before. */
static void window_sums_add(struct window_sums *sums, int64_t time) {
    if (time < sums->from || time >= sums->to) {
        int64_t window = floor_of(time, sums->length);

        window_sums_end(sums);
        sums->whole = window >= sums->first && window < sums->behind;
        sums->from = start_of(sums, window);
        if (__builtin_add_overflow(sums->from, sums->length, &sums->to)) {
            sums->to = INT64_MAX;
        }
    }
    sums->events += sums->whole;
}

/* Equal numbers have exactly 0: both products are then rounded from the same number. */
static double window_sums_dispersion(const struct window_sums *sums) {
    double windows = (double)sums->windows;

    if (sums->windows < 2 || sums->sum <= 0) {
        return NAN;
    }
    return (windows * sums->squares - sums->sum * sums->sum) / (windows - 1) / sums->sum;
}

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

/* Level shift: whether the rate or the median duration of a log changed once, beyond chance:
 * temp.tally_level.
 *
 * The time of the log is divided into BLOCKS. The split with the largest distance between the means
 * of both parts is selected. Shuffles of the blocks, each with its own best split, give the
 * probability by chance. Since blocks depend on earlier ones, the parts of a log without a change
 * differ more than those of shuffles. The blocks of both parts give the correction, as in compare
 * (statistics.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "model/value_bucket.h"
#include "scan/statistics.h"
#include "select/window.h"

enum {
    BLOCKS = 60,
    LEAST_PART = BLOCKS / 10, /* minimum blocks per part */
    LEAST_TIMES = 5,          /* minimum durations per block, for a median */
    SHUFFLES = 1999,
    BITS = 6, /* a bucket of durations is at most 3 % wide */
    BUCKETS = (63 - BITS + 2) << (BITS - 1),
};

struct block {
    int64_t count, timed;
    uint32_t times[BUCKETS];
};

struct level_state {
    struct analysis_context *context;
    int64_t from, length; /* of the first block */
    bool spans;           /* count only calls */
    struct block *blocks; /* owned */
};

/* Blocks with a known value. */
struct series {
    double values[BLOCKS], x[BLOCKS]; /* values to compare; values to report */
    int block[BLOCKS];
    size_t count;
};

/* --- blocks ----------------------------------------------------------------------------------- */

static void level_visit(void *level_state, const struct event_columns *columns, size_t count) {
    struct level_state *state = level_state;

    for (size_t i = 0; i < count; i++) {
        const int64_t at = subtract_saturated(columns->time[i], state->from) / state->length;
        struct block *block;

        if (at < 0 || at >= BLOCKS || (state->spans && !span_is_call(columns->flags[i]))) {
            continue;
        }
        block = &state->blocks[at];
        block->count++;
        if (columns->duration[i] >= 0) {
            block->timed++;
            block->times[value_bucket(columns->duration[i], BITS)]++;
        }
    }
}

static void level_merge(void *level_state, void *other) {
    struct level_state *state = level_state, *from = other;

    for (int i = 0; i < BLOCKS; i++) {
        struct block *to = &state->blocks[i], *added = &from->blocks[i];

        to->count += added->count;
        to->timed += added->timed;
        for (size_t k = 0; added->timed > 0 && k < BUCKETS; k++) {
            to->times[k] += added->times[k];
        }
        memset(added, 0, sizeof *added);
    }
}

static void level_begin(void *level_state) {
    struct level_state *state = level_state;

    state->blocks = xcalloc(BLOCKS, sizeof *state->blocks);
}

static void level_begin_trace(void *level_state) {
    struct level_state *state = level_state;
    const struct catalog_trace *trace = state->context->trace->trace;
    struct window window;
    int64_t to = trace->last_time;

    state->spans = trace->kind == TRACE_SPANS;
    state->from = trace->first_time;
    if (window_times(trace, &state->context->selection->filter, &window, &state->context->error)) {
        state->from = window.from > state->from ? window.from : state->from;
        to = window.to <= to ? window.to - 1 : to;
    }
    state->length = to <= state->from ? 1 : subtract_saturated(to, state->from) / BLOCKS + 1;
}

/* --- medians and rates ------------------------------------------------------------------------ */

/* Returns the first value of a bucket. */
static double bucket_begin(size_t bucket) {
    const size_t half = (size_t)1 << (BITS - 1),
                 dropped = bucket < 2 * half ? 0 : bucket / half - 1;

    return ldexp((double)(bucket - dropped * half), (int)dropped);
}

/* Interpolates linearly within the bucket. */
static double median_of(const struct block *block) {
    const double half = (double)block->timed / 2;
    double before = 0;
    size_t k = 0;

    while (before + block->times[k] < half) {
        before += block->times[k++];
    }
    return bucket_begin(k) +
           (bucket_begin(k + 1) - bucket_begin(k)) * (half - before) / fmax(1, block->times[k]);
}

/* Counts vary by their square roots, durations by factors. */
static void level_fill(const struct level_state *state, bool of_times, struct series *series) {
    series->count = 0;
    for (int i = 0; i < BLOCKS; i++) {
        const struct block *block = &state->blocks[i];
        double *x = &series->x[series->count];

        if (of_times && block->timed < LEAST_TIMES) {
            continue;
        }
        *x = of_times ? median_of(block) : (double)block->count;
        series->values[series->count] = of_times ? log(fmax(*x, 1)) : sqrt(*x);
        series->block[series->count++] = i;
    }
}

/* --- the split -------------------------------------------------------------------------------- */

/* Returns the largest distance of both parts, and sets its place. */
static double best_split(const double *values, size_t n, size_t *at) {
    double total = statistics_total(values, n), sum = 0, best = -1;

    for (size_t k = 1; k + LEAST_PART <= n; k++) {
        double left = (double)k, right = (double)(n - k), apart;

        sum += values[k - 1];
        apart = fabs(sum / left - (total - sum) / right) * sqrt(left * right / (double)n);
        if (k >= LEAST_PART && apart > best) {
            best = apart;
            *at = k;
        }
    }
    return best;
}

/* Returns the fraction of shuffles, including the original, with at least that distance. */
static double chance_of(const struct series *series, double apart) {
    struct resampling_random random = {1};
    double values[BLOCKS];
    int hits = 1;
    size_t at = 0;

    memcpy(values, series->values, series->count * sizeof *values);
    for (int i = 0; i < SHUFFLES; i++) {
        for (size_t k = series->count; k > 1; k--) {
            const size_t other = resampling_below(&random, k);
            const double value = values[other];

            values[other] = values[k - 1];
            values[k - 1] = value;
        }
        hits += best_split(values, series->count, &at) >= apart * (1 - 1e-12);
    }
    return (double)hits / (SHUFFLES + 1);
}

static double level_mean_of(const double *values, size_t n) {
    return statistics_total(values, n) / (double)n;
}

static int64_t count_before(const struct level_state *state, int block) {
    int64_t count = 0;

    for (int i = 0; i < block; i++) {
        count += state->blocks[i].count;
    }
    return count;
}

static void level_write_row(struct level_state *state, bool of_times) {
    struct temp_rows *rows = &state->context->tables[0];
    struct dependence dependence;
    struct series series;
    size_t at = 0;
    double apart;

    level_fill(state, of_times, &series);
    if (series.count < 2 * LEAST_PART) {
        return;
    }
    apart = best_split(series.values, series.count, &at);
    dependence_find((const struct dependence_series[]){{series.values, at},
                                                       {series.values + at, series.count - at}},
                    DEPENDENCE_SERIES, &dependence);
    temp_rows_real(rows, 3, level_mean_of(series.x, at));
    temp_rows_real(rows, 4, level_mean_of(series.x + at, series.count - at));
    temp_rows_real(rows, 5,
                   chance_of(&series, apart / fmax(1, dependence_of_difference(&dependence))));
    TEMP_ROW(rows, state->context->trace->trace->id, of_times,
             sum_saturated(state->from, product_saturated(series.block[at], state->length)),
             state->length, count_before(state, series.block[at]), count_before(state, BLOCKS));
}

static void level_end_trace(void *level_state) {
    struct level_state *state = level_state;

    level_write_row(state, false);
    level_write_row(state, true);
    memset(state->blocks, 0, BLOCKS * sizeof *state->blocks);
}

static void level_free_state(void *level_state) {
    struct level_state *state = level_state;

    free(state->blocks);
}

/* Two rows per trace: events per block of time, `length` long; and (`timed` 1) the median of their
 * durations per block, for blocks with enough of them. The means of the blocks before and after the
 * best split; its probability by chance; its time, the number of events before it and of all
 * events. */
const struct analysis analysis_level = {
    .name = "level",
    .tables = {{"tally_level",
                "trace, timed, earlier, later, chance, time, length, count, all_count", NULL}},
    .pass = PASS_ANY_ORDER,
    .fields = EVENT_DURATION | EVENT_FLAGS,
    .window = WINDOW_WHOLE,
    .state_size = sizeof(struct level_state),
    .begin = level_begin,
    .begin_trace = level_begin_trace,
    .visit = level_visit,
    .merge = level_merge,
    .end_trace = level_end_trace,
    .free = level_free_state,
};

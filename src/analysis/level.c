/* Finds a level shift: one change of the event rate or of the median duration during a log that is
 * unlikely to be chance: temp.tally_level.
 *
 * The log's time is divided into BLOCKS. The best split has the largest distance between the mean
 * of the blocks before it and after it, weighted by their numbers: the mean of square roots of
 * event counts, or of logarithms of median durations. The blocks are shuffled SHUFFLES times, each
 * time with its own best split, which gives the probability of the distance by chance. Successive
 * blocks depend on each other, so the sides of a split differ more than in shuffles even without a
 * change; the dependence found within the two sides corrects for it, as in compare (statistics.h).
 *
 * The median of a side is that of all its durations. The first pass finds the histogram bucket that
 * contains it; a second pass counts the durations inside this bucket. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/counted_state.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "model/value_bucket.h"
#include "scan/statistics.h"
#include "select/window.h"

enum {
    BLOCKS = 60,
    LEAST_PART = BLOCKS / 10, /* least number of blocks on each side of a split */
    LEAST_TIMES = 5,          /* a block with fewer durations has no median */
    SHUFFLES = 1999,
    BITS = 6, /* precision of the first pass: a bucket of the histogram is at most 3 % wide */
    BUCKETS = VALUE_BUCKETS(BITS),
    FINE_BITS = 12, /* precision of the second pass: a median is exact, or to 2^-17 of it */
    PARTS = 2,      /* sides of a split: before, after */
};

struct block {
    int64_t count, timed;
    uint32_t times[BUCKETS];
};

/* Bucket that contains the median of a side, and the median's rank in this bucket, from 1. */
struct level_median {
    size_t bucket;
    int64_t rank;
};

/* The best split of a trace by median durations, found by the first pass. */
struct level_split {
    bool exists;
    int block; /* number of the first block after the split */
    double chance;
    struct level_median medians[PARTS];
};

struct level_state {
    struct analysis_context *context;
    int64_t from, length; /* from: begin of the first block; length: of each block */
    int64_t to;           /* end of the log or window, if earlier than the last block's end */
    bool spans;           /* true: a trace of function calls; other events do not count */
    int64_t counted;      /* operation to count, from counted_operation() */
    struct block *blocks; /* owned */

    /* The following members are set in the first thread's state only. */
    struct level_split *splits; /* owned; one element per trace, in order of the traces */
    /* `next`: index of the next trace in the second pass. */
    size_t split_count, split_capacity, next;
    bool is_second_pass;
    /* Set in every state in the second pass. split: best split of the current trace; fine: numbers
     * of durations in the bucket of each side's median, by their next FINE_BITS bits. */
    const struct level_split *split;
    uint32_t fine[PARTS][1 << FINE_BITS];
};

/* Values of the blocks that have a value. */
struct series {
    double values[BLOCKS], x[BLOCKS]; /* values: transformed, for comparison; x: original values */
    int block[BLOCKS];
    size_t count;
};

/* Returns how many low bits of the durations in a bucket the second pass ignores. */
static int bits_dropped_in_refinement(size_t bucket) {
    return value_bucket_dropped(bucket, BITS) > FINE_BITS
               ? value_bucket_dropped(bucket, BITS) - FINE_BITS
               : 0;
}

/* Counts a duration of one side, if it lies in the bucket of that side's median. */
static void level_refine(struct level_state *state, bool part, int64_t duration) {
    const size_t bucket = state->split->medians[part].bucket;

    if (value_bucket(duration, BITS) == bucket) {
        state->fine[part][(duration - value_bucket_least(bucket, BITS)) >>
                          bits_dropped_in_refinement(bucket)]++;
    }
}

static void level_visit(void *level_state, const struct event_columns *columns, size_t count) {
    struct level_state *state = level_state;

    for (size_t i = 0; i < count; i++) {
        const int64_t at = subtract_saturated(columns->time[i], state->from) / state->length;
        struct block *block;

        if (at < 0 || at >= BLOCKS || (state->spans && !span_is_call(columns->flags[i])) ||
            !is_counted_operation(state->counted, columns, i)) {
            continue;
        }
        block = &state->blocks[at];
        block->count++;
        if (columns->duration[i] >= 0 && state->split != NULL) {
            level_refine(state, at >= state->split->block, columns->duration[i]);
        } else if (columns->duration[i] >= 0) {
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
    for (int part = 0; state->split != NULL && part < PARTS; part++) {
        for (size_t k = 0; k < 1 << FINE_BITS; k++) {
            state->fine[part][k] += from->fine[part][k];
        }
    }
    memset(from->fine, 0, sizeof from->fine);
}

static void level_begin(void *level_state) {
    struct level_state *state = level_state;

    state->blocks = xcalloc(BLOCKS, sizeof *state->blocks);
}

static void level_begin_trace(void *level_state) {
    struct level_state *state = level_state, *first = state->context->first;
    const struct catalog_trace *trace = state->context->trace->trace;
    struct window window;
    int64_t to = trace->last_time;

    state->spans = trace->kind == TRACE_SPANS;
    state->counted = counted_operation(state->context);
    state->from = trace->first_time;
    if (window_times(trace, &state->context->selection->filter, &window, &state->context->error)) {
        state->from = window.from > state->from ? window.from : state->from;
        to = window.to <= to ? subtract_saturated(window.to, 1) : to;
    }
    state->to = to;
    first->next += state == first;
    state->split = first->is_second_pass ? &first->splits[first->next - 1] : NULL;
    state->length = to <= state->from ? 1 : subtract_saturated(to, state->from) / BLOCKS + 1;
}

/* Returns the median of a block's durations, interpolated linearly within its bucket. */
static double interpolate_median(const struct block *block) {
    const double half = (double)block->timed / 2;
    double before = 0;
    size_t k = 0;

    while (before + block->times[k] < half) {
        before += block->times[k++];
    }
    return (double)value_bucket_least(k, BITS) +
           ldexp(1, value_bucket_dropped(k, BITS)) * (half - before) / fmax(1, block->times[k]);
}

/* Fills in the blocks' values: square roots of counts, or logarithms of median durations. */
static void level_fill(const struct level_state *state, bool of_times, struct series *series) {
    series->count = 0;
    for (int i = 0; i < BLOCKS; i++) {
        const struct block *block = &state->blocks[i];
        double *x = &series->x[series->count];

        if (of_times && block->timed < LEAST_TIMES) {
            continue;
        }
        *x = of_times ? interpolate_median(block) : (double)block->count;
        series->values[series->count] = of_times ? log(fmax(*x, 1)) : sqrt(*x);
        series->block[series->count++] = i;
    }
}

/* --- finding the split ------------------------------------------------------------------------ */

/* Returns the largest distance of all splits; sets `*at` to the number of values before it. */
static double find_best_split(const double *values, size_t n, size_t *at) {
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

/* Returns the fraction of orders (shuffles and original) with a split of distance >= `apart`. */
static double fraction_of_better_shuffles(const struct series *series, double apart) {
    struct resampling_random random = {1};
    double values[BLOCKS];
    int hits = 1;
    size_t at = 0;

    memcpy(values, series->values, series->count * sizeof *values);
    for (int i = 0; i < SHUFFLES; i++) {
        for (size_t k = series->count; k > 1; k--) {
            const size_t other = resampling_draw(&random, k);
            const double value = values[other];

            values[other] = values[k - 1];
            values[k - 1] = value;
        }
        hits += find_best_split(values, series->count, &at) >= apart * (1 - 1e-12);
    }
    return (double)hits / (SHUFFLES + 1);
}

static double level_mean_of(const double *values, size_t n) {
    return statistics_total(values, n) / (double)n;
}

/* Makes the distance `apart` of the original order comparable with those of shuffles: divides the
 * ratio of the variation between the sides to the variation within them by `dependence`². Shuffles
 * do not change the sum of the two variations. */
static double comparable_distance(const struct series *series, double apart, double dependence) {
    const double mean = level_mean_of(series->values, series->count);
    double squares = 0, ratio;

    for (size_t i = 0; i < series->count; i++) {
        squares += (series->values[i] - mean) * (series->values[i] - mean);
    }
    ratio = apart * apart / fmax(squares - apart * apart, 1e-9 * squares) / dependence / dependence;
    return squares > 0 ? sqrt(squares * ratio / (1 + ratio)) : apart;
}

static int64_t count_before(const struct level_state *state, int block) {
    int64_t count = 0;

    for (int i = 0; i < block; i++) {
        count += state->blocks[i].count;
    }
    return count;
}

/* Finds the median duration of the blocks `from` to before `to`: its bucket, and its rank there. */
static struct level_median level_find_median(const struct level_state *state, int from, int to) {
    struct level_median median = {0};
    int64_t timed = 0, counted;

    for (int i = from; i < to; i++) {
        timed += state->blocks[i].timed;
    }
    median.rank = percentile_rank(timed, 500);
    for (;; median.bucket++) {
        counted = 0;
        for (int i = from; i < to; i++) {
            counted += state->blocks[i].times[median.bucket];
        }
        if (counted >= median.rank) {
            return median;
        }
        median.rank -= counted;
    }
}

/* Finds the best split, and its probability by chance. Returns false for too few blocks. */
static bool level_find_split(const struct series *series, size_t *at, double *chance) {
    struct dependence dependence;
    double apart;

    if (series->count < 2 * LEAST_PART) {
        return false;
    }
    apart = find_best_split(series->values, series->count, at);
    dependence_estimate(
        (const struct dependence_series[]){{series->values, *at},
                                           {series->values + *at, series->count - *at}},
        DEPENDENCE_SERIES, &dependence);
    apart = comparable_distance(series, apart, fmax(1, dependence_of_difference(&dependence)));
    *chance = fraction_of_better_shuffles(series, apart);
    return true;
}

/* Returns the time at which a block begins. */
static int64_t block_begin(const struct level_state *state, int block) {
    return sum_saturated(state->from, product_saturated(block, state->length));
}

static void level_write_row(struct level_state *state, bool of_times, int block, double earlier,
                            double later, double chance) {
    struct temp_rows *rows = &state->context->tables[0];

    temp_rows_real(rows, 3, earlier);
    temp_rows_real(rows, 4, later);
    temp_rows_real(rows, 5, chance);
    TEMP_ROW(rows, state->context->trace->trace->id, of_times, block_begin(state, block),
             state->length, count_before(state, block), count_before(state, BLOCKS));
}

/* Returns the mean number of events per block from a block on. The log may end during the last
 * block, which then counts as a fraction. */
static double count_per_block_after(const struct level_state *state, int block) {
    const int64_t count = count_before(state, BLOCKS) - count_before(state, block);

    return (double)count * (double)state->length /
           ((double)state->to - (double)block_begin(state, block));
}

static void level_end_first_pass(struct level_state *state) {
    struct level_split *split = ARRAY_NEW(state->splits, state->split_count, state->split_capacity);
    struct series series;
    size_t at = 0;
    double chance;

    level_fill(state, false, &series);
    /* A log of a few nanoseconds ends before most of the blocks. */
    if (level_find_split(&series, &at, &chance) &&
        block_begin(state, series.block[at]) < state->to) {
        level_write_row(state, false, series.block[at], level_mean_of(series.x, at),
                        count_per_block_after(state, series.block[at]), chance);
    }
    *split = (struct level_split){0};
    level_fill(state, true, &series);
    if (level_find_split(&series, &at, &split->chance)) {
        split->exists = true;
        split->block = series.block[at];
        split->medians[0] = level_find_median(state, 0, split->block);
        split->medians[1] = level_find_median(state, split->block, BLOCKS);
    }
}

/* Returns the median of a side, found by the second pass. */
static double level_median_of(const struct level_state *state, int part) {
    const struct level_median *median = &state->split->medians[part];
    int64_t rank = median->rank;
    size_t k = 0;

    while (k + 1 < 1 << FINE_BITS && (rank -= state->fine[part][k]) > 0) {
        k++;
    }
    return (double)(value_bucket_least(median->bucket, BITS) +
                    ((int64_t)k << bits_dropped_in_refinement(median->bucket)));
}

static void level_end_trace(void *level_state) {
    struct level_state *state = level_state;

    if (!state->is_second_pass) {
        level_end_first_pass(state);
    } else if (state->split->exists) {
        level_write_row(state, true, state->split->block, level_median_of(state, 0),
                        level_median_of(state, 1), state->split->chance);
    }
    memset(state->blocks, 0, BLOCKS * sizeof *state->blocks);
    memset(state->fine, 0, sizeof state->fine);
}

/* Returns whether a second pass is needed: if the first pass found a split by durations. */
static bool level_again(void *level_state) {
    struct level_state *state = level_state;
    bool needed = false;

    for (size_t i = 0; i < state->split_count && !state->is_second_pass; i++) {
        needed |= state->splits[i].exists;
    }
    state->is_second_pass = true;
    state->next = 0;
    return needed;
}

static void level_free_state(void *level_state) {
    struct level_state *state = level_state;

    free(state->blocks);
    free(state->splits);
}

/* temp.tally_level: two rows per trace. `timed` 0: number of events per block; `timed` 1: median
 * durations, of blocks with enough of them. `earlier`, `later`: mean number of events, or median of
 * all durations, before and after the best split. `chance`: its probability by chance. `time`: time
 * of the split; `length`: of a block; `count`: events before the split; `all_count`: all events. */
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
    .again = level_again,
    .free = level_free_state,
};

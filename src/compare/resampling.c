#include "compare/resampling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/statistics.h"

/* What is as large but for rounding is as large. */
#define ROUNDING 1e-12

static uint64_t next(struct resampling_random *random) {
    uint64_t mixed = random->state += UINT64_C(0x9e3779b97f4a7c15);

    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}

size_t resampling_below(struct resampling_random *random, size_t n) {
    /* 2^64 is so much larger than n that no number is noticeably likelier. */
    return (size_t)(((unsigned __int128)next(random) * n) >> 64);
}

/* --- permutation ------------------------------------------------------------------------------ */

/* How often a statistic was as large as observed. */
struct counting {
    resampling_statistic *statistic;
    void *context;
    int statistics;
    double observed[RESAMPLING_STATISTICS];
    double factors[RESAMPLING_STATISTICS]; /* by which shuffles count as larger */
    double hits[RESAMPLING_STATISTICS];
    double tried;
};

static void count_one(struct counting *counting, const bool *is_b) {
    double values[RESAMPLING_STATISTICS] = {0};

    counting->statistic(counting->context, is_b, values);
    for (int i = 0; i < counting->statistics; i++) {
        double least = counting->observed[i] - ROUNDING * fmax(1, fabs(counting->observed[i]));

        counting->hits[i] += values[i] * counting->factors[i] >= least;
    }
    counting->tried++;
}

/* How many ways there are to choose; beyond `most` it does not matter. */
static double ways(size_t n, size_t chosen, double most) {
    double product = 1;

    for (size_t i = 1; i <= chosen && product <= most; i++) {
        product = product * (double)(n - chosen + i) / (double)i;
    }
    return product;
}

/* The next choice of as many, in order of the numbers of those chosen; false behind the last. */
static bool next_choice(bool *is_b, size_t n) {
    size_t end = n, ones = 0;

    /* The last that is chosen and has one behind it that is not moves on; what was behind it
     * follows it. */
    while (end > 0 && is_b[end - 1]) {
        end--;
        ones++;
    }
    while (end > 0 && !is_b[end - 1]) {
        end--;
    }
    if (end == 0) {
        return false;
    }
    is_b[end - 1] = false;
    for (size_t i = end; i < n; i++) {
        is_b[i] = i - end <= ones;
    }
    return true;
}

static void try_all(struct counting *counting, size_t n_a, size_t n_b) {
    bool is_b[RESAMPLING_BLOCKS] = {false};

    for (size_t i = 0; i < n_b; i++) {
        is_b[i] = true;
    }
    do {
        count_one(counting, is_b);
    } while (next_choice(is_b, n_a + n_b));
}

static void try_some(struct counting *counting, struct resampling_random *random, size_t n_a,
                     size_t n_b, int resamples) {
    bool is_b[RESAMPLING_BLOCKS];
    size_t n = n_a + n_b;

    for (size_t i = 0; i < n; i++) {
        is_b[i] = i >= n_a;
    }
    for (int i = 0; i < resamples; i++) {
        for (size_t j = n; j > 1; j--) {
            size_t other = resampling_below(random, j);
            bool swapped = is_b[j - 1];

            is_b[j - 1] = is_b[other];
            is_b[other] = swapped;
        }
        count_one(counting, is_b);
    }
}

void resampling_permute(struct resampling_random *random, size_t n_a, size_t n_b, int resamples,
                        int statistics, const struct resampling_reach *reach,
                        resampling_statistic *statistic, void *context, double *p) {
    struct counting counting = {
        .statistic = statistic, .context = context, .statistics = statistics};
    bool is_b[RESAMPLING_BLOCKS] = {false}, all;

    for (int i = 0; i < statistics; i++) {
        p[i] = 1;
        counting.factors[i] = reach != NULL ? pow(reach->factor, reach->powers[i]) : 1;
    }
    if (n_a == 0 || n_b == 0 || n_a + n_b > RESAMPLING_BLOCKS) {
        return;
    }
    for (size_t i = n_a; i < n_a + n_b; i++) {
        is_b[i] = true;
    }
    statistic(context, is_b, counting.observed);
    all = ways(n_a + n_b, n_b, resamples) <= resamples;
    if (all) {
        try_all(&counting, n_a, n_b);
    } else {
        try_some(&counting, random, n_a, n_b, resamples);
    }
    for (int i = 0; i < statistics; i++) {
        p[i] =
            all ? counting.hits[i] / counting.tried : (1 + counting.hits[i]) / (1 + counting.tried);
    }
}

/* --- quantiles -------------------------------------------------------------------------------- */

static int compare_doubles(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

double resampling_quantile(double *values, size_t n, double q) {
    double rank = ceil(q * (double)n);

    if (n == 0) {
        return NAN;
    }
    qsort(values, n, sizeof *values, compare_doubles);
    return values[rank < 1 ? 0 : rank > (double)n ? n - 1 : (size_t)rank - 1];
}

/* --- ratios ----------------------------------------------------------------------------------- */

double resampling_widening(const struct dependence *dependence, const size_t blocks[2],
                           double confidence) {
    double degrees = (double)blocks[0] + (double)blocks[1] - 2, drawn = 0;

    /* What is drawn varies by the squares' sum divided by n, not by n - 1. */
    for (int i = 0; i < 2; i++) {
        double n = (double)blocks[i], mean = dependence->means[i];

        drawn += mean != 0 ? dependence->independent[i] * (n - 1) / n / (mean * mean) : 0;
    }
    return drawn > 0 ? dependence_of_ratio(dependence) / sqrt(drawn) *
                           statistics_deviations(confidence, degrees) /
                           statistics_deviations(confidence, INFINITY)
                     : 1;
}

double resampling_widen(double bound, double middle, double widening, bool is_low) {
    bool is_beyond = is_low ? bound < middle : bound > middle;

    return middle > 0 && is_beyond ? middle * pow(bound / middle, widening) : bound;
}

static double mean_of(const struct dependence_series *series) {
    double sum = 0;

    for (size_t i = 0; i < series->count; i++) {
        sum += series->blocks[i];
    }
    return sum / (double)series->count;
}

static double draw_mean(const struct dependence_series *series, struct resampling_random *random) {
    double sum = 0;

    for (size_t i = 0; i < series->count; i++) {
        sum += series->blocks[resampling_below(random, series->count)];
    }
    return sum / (double)series->count;
}

bool resampling_ratio(struct resampling_random *random, const struct dependence_series *series,
                      bool in_time, int resamples, double confidence, double *room, double *low,
                      double *high, struct dependence *dependence) {
    const size_t blocks[] = {series[0].count, series[1].count};
    double middle = mean_of(&series[1]) / mean_of(&series[0]), widening;
    struct dependence found;

    for (int i = 0; i < resamples; i++) {
        double b = draw_mean(&series[1], random), a = draw_mean(&series[0], random);

        if (a <= 0) {
            return false;
        }
        room[i] = b / a;
    }
    dependence_find(series, DEPENDENCE_SERIES, &found);
    widening = in_time ? resampling_widening(&found, blocks, confidence) : 1;
    *low = resampling_widen(resampling_quantile(room, (size_t)resamples, (1 - confidence) / 2),
                            middle, widening, true);
    *high = resampling_widen(resampling_quantile(room, (size_t)resamples, (1 + confidence) / 2),
                             middle, widening, false);
    if (dependence != NULL) {
        *dependence = found;
    }
    return true;
}

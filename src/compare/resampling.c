#include "compare/resampling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    double hits[RESAMPLING_STATISTICS];
    double tried;
};

static void count_one(struct counting *counting, const bool *is_b) {
    double values[RESAMPLING_STATISTICS] = {0};

    counting->statistic(counting->context, is_b, values);
    for (int i = 0; i < counting->statistics; i++) {
        double least = counting->observed[i] - ROUNDING * fmax(1, fabs(counting->observed[i]));

        counting->hits[i] += values[i] >= least;
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
                        int statistics, resampling_statistic *statistic, void *context, double *p) {
    struct counting counting = {
        .statistic = statistic, .context = context, .statistics = statistics};
    bool is_b[RESAMPLING_BLOCKS] = {false}, all;

    for (int i = 0; i < statistics; i++) {
        p[i] = 1;
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

/* Running mean and standard deviation by Welford's method, which avoids the difference of large
 * sums. */
#ifndef TRACETOOL_RUNNING_STATS_H
#define TRACETOOL_RUNNING_STATS_H

#include <math.h>
#include <stdint.h>

/* Empty when zeroed. */
struct running_stats {
    int64_t count;
    long double mean;
    long double squares; /* sum of squared distances from the mean */
};

static inline void running_stats_add(struct running_stats *stats, long double number) {
    long double distance = number - stats->mean;

    stats->count++;
    stats->mean += distance / (long double)stats->count;
    stats->squares += distance * (number - stats->mean);
}

/* Adds `zeros` values of 0. */
static inline void running_stats_add_zeros(struct running_stats *stats, int64_t zeros) {
    long double count = (long double)stats->count, all = count + (long double)zeros;

    if (zeros > 0) {
        stats->squares += stats->mean * stats->mean * count * (long double)zeros / all;
        stats->mean *= count / all;
        stats->count += zeros;
    }
}

/* Sample standard deviation (n - 1); needs at least two values. */
static inline long double running_stats_deviation(const struct running_stats *stats) {
    return sqrtl(stats->squares / (long double)(stats->count - 1));
}

#endif

/* Mean and deviation of numbers that come one after another (Welford's way), without a difference
 * of large sums. */
#ifndef TRACETOOL_RUNNING_STATS_H
#define TRACETOOL_RUNNING_STATS_H

#include <math.h>
#include <stdint.h>

/* Zeroed: of no numbers. */
struct running_stats {
    int64_t count;
    long double mean;
    long double squares; /* sum of the squares of the distances from the mean */
};

static inline void running_stats_add(struct running_stats *stats, long double number) {
    long double distance = number - stats->mean;

    stats->count++;
    stats->mean += distance / (long double)stats->count;
    stats->squares += distance * (number - stats->mean);
}

/* As many numbers 0. */
static inline void running_stats_add_zeros(struct running_stats *stats, int64_t zeros) {
    long double count = (long double)stats->count, all = count + (long double)zeros;

    if (zeros > 0) {
        stats->squares += stats->mean * stats->mean * count * (long double)zeros / all;
        stats->mean *= count / all;
        stats->count += zeros;
    }
}

/* The standard deviation of a sample, by n - 1; of at least two numbers. */
static inline long double running_stats_deviation(const struct running_stats *stats) {
    return sqrtl(stats->squares / (long double)(stats->count - 1));
}

#endif

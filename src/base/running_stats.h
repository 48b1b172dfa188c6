/* Mean and standard deviation of values that are added one by one, by Welford's method. It avoids
 * subtracting large sums, which would lose precision. */
#ifndef TRACETOOL_RUNNING_STATS_H
#define TRACETOOL_RUNNING_STATS_H

#include <math.h>
#include <stdint.h>

/* Mean and deviation of the values added so far. Zeroed: no values. */
struct running_stats {
    int64_t count;
    long double mean;
    long double squares; /* sum of the squared deviations from the mean */
};

static inline void running_stats_add(struct running_stats *stats, long double number) {
    long double distance = number - stats->mean;

    stats->count++;
    stats->mean += distance / (long double)stats->count;
    stats->squares += distance * (number - stats->mean);
}

/* Adds the value 0 `zeros` times. */
static inline void running_stats_add_zeros(struct running_stats *stats, int64_t zeros) {
    long double count = (long double)stats->count, all = count + (long double)zeros;

    if (zeros > 0) {
        stats->squares += stats->mean * stats->mean * count * (long double)zeros / all;
        stats->mean *= count / all;
        stats->count += zeros;
    }
}

/* Returns the sample standard deviation (divides by n - 1). There must be at least two values. */
static inline long double running_stats_deviation(const struct running_stats *stats) {
    return sqrtl(stats->squares / (long double)(stats->count - 1));
}

#endif

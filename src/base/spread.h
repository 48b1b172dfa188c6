/* Mean and deviation of numbers that come one after another (Welford's way), without a difference
 * of large sums. */
#ifndef TRACETOOL_SPREAD_H
#define TRACETOOL_SPREAD_H

#include <math.h>
#include <stdint.h>

/* Zeroed: of no numbers. */
struct spread {
    int64_t count;
    long double mean;
    long double squares; /* sum of the squares of the distances from the mean */
};

static inline void spread_add(struct spread *spread, long double number) {
    long double distance = number - spread->mean;

    spread->count++;
    spread->mean += distance / (long double)spread->count;
    spread->squares += distance * (number - spread->mean);
}

/* As many numbers 0. */
static inline void spread_add_zeros(struct spread *spread, int64_t zeros) {
    long double count = (long double)spread->count, all = count + (long double)zeros;

    if (zeros > 0) {
        spread->squares += spread->mean * spread->mean * count * (long double)zeros / all;
        spread->mean *= count / all;
        spread->count += zeros;
    }
}

/* The standard deviation of a sample, by n - 1; of at least two numbers. */
static inline long double spread_deviation(const struct spread *spread) {
    return sqrtl(spread->squares / (long double)(spread->count - 1));
}

#endif

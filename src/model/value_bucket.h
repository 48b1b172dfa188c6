/* Values by their highest bits: buckets that are as wide as their values are large. */
#ifndef TRACETOOL_VALUE_BUCKET_H
#define TRACETOOL_VALUE_BUCKET_H

#include <stddef.h>
#include <stdint.h>

/* The bucket of a value, which is not below 0: those share one that agree in so many of their
 * highest bits. Below 2^bits every value has its own, then each power of two has half as many. */
static inline size_t value_bucket(int64_t value, int bits) {
    int dropped = value >> bits == 0 ? 0 : 64 - __builtin_clzll((uint64_t)value) - bits;

    return ((size_t)dropped << (bits - 1)) + (size_t)(value >> dropped);
}

/* How fine durations are counted by their buckets: in reports, and in rollup_latency. */
#define DURATION_BITS    12
#define DURATION_HALF    ((size_t)1 << (DURATION_BITS - 1))
#define DURATION_BUCKETS ((63 - DURATION_BITS + 2) * DURATION_HALF)

/* The percentiles that reports have, in thousandths. */
#define PERCENTILE_COUNT       5
#define PERCENTILES_OF_REPORTS 500, 900, 990, 950, 999

/* The smallest of `count` values that so many thousandths of them do not exceed has this rank, from
 * 1 on. */
static inline int64_t percentile_rank(int64_t count, int thousandths) {
    return count / 1000 * thousandths + (count % 1000 * thousandths + 999) / 1000;
}

#endif

/* Logarithmic buckets for histograms: their width is proportional to the values. */
#ifndef TRACETOOL_VALUE_BUCKET_H
#define TRACETOOL_VALUE_BUCKET_H

#include <stddef.h>
#include <stdint.h>

/* Number of buckets of all values that are not negative, for value_bucket() with this many bits. */
#define VALUE_BUCKETS(bits) ((63 - (bits) + 2) << ((bits)-1))

/* Returns the number of a value's bucket, from 0. Values with the same highest `bits` bits share a
 * bucket. Each value below 2^bits has its own bucket. Each power of two above has 2^(bits-1)
 * buckets. */
static inline size_t value_bucket(int64_t value, int bits) {
    int dropped = value >> bits == 0 ? 0 : 64 - __builtin_clzll((uint64_t)value) - bits;

    return ((size_t)dropped << (bits - 1)) + (size_t)(value >> dropped);
}

/* Returns the number of low bits in which the values of a bucket may differ. */
static inline int value_bucket_dropped(size_t bucket, int bits) {
    const size_t above = bucket >> (bits - 1);

    return above == 0 ? 0 : (int)(above - 1);
}

/* Returns the smallest value of a bucket. */
static inline int64_t value_bucket_least(size_t bucket, int bits) {
    const int dropped = value_bucket_dropped(bucket, bits);

    return (int64_t)(bucket - ((size_t)dropped << (bits - 1))) << dropped;
}

/* In rollup_latency, a duration's highest 12 bits give its bucket. */
#define DURATION_BITS 12

/* Percentiles in reports, in thousandths. */
#define PERCENTILE_COUNT       5
#define PERCENTILES_OF_REPORTS 500, 900, 990, 950, 999

/* Returns the rank, from 1, of a percentile by nearest rank: the rank of the smallest of `count`
 * values that at least `thousandths` thousandths of all values do not exceed. */
static inline int64_t percentile_rank(int64_t count, int thousandths) {
    return count / 1000 * thousandths + (count % 1000 * thousandths + 999) / 1000;
}

#endif

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

#endif

/* Arithmetic that saturates at the limits of 64 bits: durations and bytes in a log, or in a
 * database written by another program, may have any value. */
#ifndef TRACETOOL_SATURATE_H
#define TRACETOOL_SATURATE_H

#include <stdint.h>

/* Divides by a positive number and rounds down, also for negative numbers. */
#define DIVIDE_DOWN(number, by) ((number) / (by) - ((number) % (by) < 0))

/* Adds `value`, at least 0, to `*sum`, which saturates at INT64_MAX. */
static inline void add_saturated(int64_t *sum, int64_t value) {
    if (__builtin_add_overflow(*sum, value, sum)) {
        *sum = INT64_MAX;
    }
}

/* Returns left + right, saturated at INT64_MIN or INT64_MAX. */
static inline int64_t sum_saturated(int64_t left, int64_t right) {
    int64_t sum;

    return !__builtin_add_overflow(left, right, &sum) ? sum : right < 0 ? INT64_MIN : INT64_MAX;
}

/* Returns left - right, saturated at INT64_MIN or INT64_MAX. */
static inline int64_t difference_saturated(int64_t left, int64_t right) {
    int64_t difference;

    return !__builtin_sub_overflow(left, right, &difference) ? difference
           : right > 0                                       ? INT64_MIN
                                                             : INT64_MAX;
}

/* Returns left * right, saturated at INT64_MIN or INT64_MAX. */
static inline int64_t product_saturated(int64_t left, int64_t right) {
    int64_t product;

    return !__builtin_mul_overflow(left, right, &product) ? product
           : (left < 0) != (right < 0)                    ? INT64_MIN
                                                          : INT64_MAX;
}

/* Returns left - right, saturated at INT64_MAX, for times: `right` must not be the later one. */
static inline int64_t subtract_saturated(int64_t left, int64_t right) {
    int64_t difference;

    return __builtin_sub_overflow(left, right, &difference) ? INT64_MAX : difference;
}

#endif

/* Saturating arithmetic for durations and bytes from logs or foreign databases, which may have any
 * value. */
#ifndef TRACETOOL_SATURATE_H
#define TRACETOOL_SATURATE_H

#include <stdint.h>

/* Division rounded down, by a positive number. */
#define DIVIDE_DOWN(number, by) ((number) / (by) - ((number) % (by) < 0))

/* Adds `value`, which is not negative; the sum stops at INT64_MAX. */
static inline void add_saturated(int64_t *sum, int64_t value) {
    if (__builtin_add_overflow(*sum, value, sum)) {
        *sum = INT64_MAX;
    }
}

/* left + right, clamped to 64 bits. */
static inline int64_t sum_saturated(int64_t left, int64_t right) {
    int64_t sum;

    return !__builtin_add_overflow(left, right, &sum) ? sum : right < 0 ? INT64_MIN : INT64_MAX;
}

/* left - right, clamped to 64 bits. */
static inline int64_t difference_saturated(int64_t left, int64_t right) {
    int64_t difference;

    return !__builtin_sub_overflow(left, right, &difference) ? difference
           : right > 0                                       ? INT64_MIN
                                                             : INT64_MAX;
}

/* left * right, clamped to 64 bits. */
static inline int64_t product_saturated(int64_t left, int64_t right) {
    int64_t product;

    return !__builtin_mul_overflow(left, right, &product) ? product
           : (left < 0) != (right < 0)                    ? INT64_MIN
                                                          : INT64_MAX;
}

/* left - right of two times, `right` not the later one; INT64_MAX on overflow. */
static inline int64_t subtract_saturated(int64_t left, int64_t right) {
    int64_t difference;

    return __builtin_sub_overflow(left, right, &difference) ? INT64_MAX : difference;
}

#endif

/* Sums that stay at their limit instead of overflowing: of durations and bytes from a log, which
 * may say anything. */
#ifndef TRACETOOL_SATURATE_H
#define TRACETOOL_SATURATE_H

#include <stdint.h>

/* Adds `value`, which is not negative; the sum stays at INT64_MAX once it would exceed that. */
static inline void add_saturated(int64_t *sum, int64_t value) {
    if (__builtin_add_overflow(*sum, value, sum)) {
        *sum = INT64_MAX;
    }
}

/* What is between two times, of which `right` is not the later one; INT64_MAX where that is more.
 */
static inline int64_t subtract_saturated(int64_t left, int64_t right) {
    int64_t difference;

    return __builtin_sub_overflow(left, right, &difference) ? INT64_MAX : difference;
}

#endif

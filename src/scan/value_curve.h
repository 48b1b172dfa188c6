/* How many of some values are no larger than each of some hundred that occur: what a picture of
 * their distribution is drawn by. Each point is exact; between two, as many values at most are left
 * out as can hardly be seen. */
#ifndef TRACETOOL_VALUE_CURVE_H
#define TRACETOOL_VALUE_CURVE_H

#include <stddef.h>
#include <stdint.h>

struct value_curve;

/* A curve of values from `least`, not below 0, to `largest`; 130 KiB at most. Owned by the caller;
 * NULL when out of memory. */
struct value_curve *value_curve_new(int64_t least, int64_t largest);

/* NULL is allowed. */
void value_curve_free(struct value_curve *curve);

/* Adds a value, which is within the range. */
void value_curve_count(struct value_curve *curve, int64_t value);

/* A value that occurs, and how many are no larger. */
struct value_point {
    int64_t value, count;
};

/* Of values that follow one another the last is a point when another 256th of all values, or of the
 * logarithmic range, has gone by; so is the largest. */
#define VALUE_CURVE_PARTS  256
#define VALUE_CURVE_POINTS (2 * VALUE_CURVE_PARTS + 2)

/* Fills `points`, VALUE_CURVE_POINTS of them, ascending; returns how many there are. */
size_t value_curve_points(const struct value_curve *curve, struct value_point *points);

#endif

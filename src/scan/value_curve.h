/* Cumulative distribution for a plot: how many values are at most each of some hundred occurring
 * values. The points are exact; values omitted between them are too few to be visible. */
#ifndef TRACETOOL_VALUE_CURVE_H
#define TRACETOOL_VALUE_CURVE_H

#include <stddef.h>
#include <stdint.h>

struct value_curve;

/* Creates a curve for values from `least`, at least 0, to `largest`; at most 130 KiB. Owned by the
 * caller; NULL if out of memory. */
struct value_curve *value_curve_new(int64_t least, int64_t largest);

/* NULL is allowed. */
void value_curve_free(struct value_curve *curve);

/* Adds a value within the range. */
void value_curve_count(struct value_curve *curve, int64_t value);

/* An occurring value, and the number of values up to it. */
struct value_point {
    int64_t value, count;
};

/* A point is added after each 256th of all values, or of the logarithmic range, and for the largest
 * value. */
#define VALUE_CURVE_PARTS  256
#define VALUE_CURVE_POINTS (2 * VALUE_CURVE_PARTS + 2)

/* Fills `points`, of size VALUE_CURVE_POINTS, in ascending order; returns their number. */
size_t value_curve_points(const struct value_curve *curve, struct value_point *points);

#endif

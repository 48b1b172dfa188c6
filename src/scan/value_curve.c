/* Cumulative distribution for a plot, as a few hundred points. A point is a value that occurs, and
 * the number of values that do not exceed it. The points are exact, and so dense that a line
 * between them shows no visible error. */
#include "scan/distribution.h"

#include <stdlib.h>

#include "model/value_bucket.h"
#include "base/memory.h"

enum { CURVE_BITS = 8 }; /* precision of buckets: 128 per power of two, so at most 0.8 % wide */

/* A bucket: the number of values in it, and the largest of them. */
struct curve_place {
    int64_t count, largest;
};

struct value_curve {
    int64_t count;
    size_t first, place_count; /* bucket of the smallest value, and number of buckets */
    struct curve_place places[];
};

struct value_curve *value_curve_new(int64_t least, int64_t largest) {
    size_t first = value_bucket(least, CURVE_BITS);
    size_t count = value_bucket(largest, CURVE_BITS) - first + 1;
    struct value_curve *curve = xcalloc(1, sizeof *curve + count * sizeof curve->places[0]);

    curve->first = first;
    curve->place_count = count;
    return curve;
}

void value_curve_free(struct value_curve *curve) {
    free(curve);
}

void value_curve_count(struct value_curve *curve, int64_t value) {
    struct curve_place *place = &curve->places[value_bucket(value, CURVE_BITS) - curve->first];

    place->count++;
    place->largest = value > place->largest ? value : place->largest;
    curve->count++;
}

size_t value_curve_points(const struct value_curve *curve, struct value_point *points) {
    size_t count = 0, told = 0;
    int64_t seen = 0, told_seen = 0;

    for (size_t i = 0; i < curve->place_count; i++) {
        const struct curve_place *place = &curve->places[i];

        seen += place->count;
        if (place->count > 0 &&
            (count == 0 || seen == curve->count ||
             seen - told_seen >= (curve->count + VALUE_CURVE_PARTS - 1) / VALUE_CURVE_PARTS ||
             i - told >= (curve->place_count + VALUE_CURVE_PARTS - 1) / VALUE_CURVE_PARTS)) {
            points[count++] = (struct value_point){place->largest, seen};
            told = i;
            told_seen = seen;
        }
    }
    return count;
}

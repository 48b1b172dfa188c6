/* Single figures of a comparison, by name: what the overview ranks, and --fail-if asks for. */
#ifndef TRACETOOL_COMPARE_METRICS_H
#define TRACETOOL_COMPARE_METRICS_H

#include "compare/comparison.h"

/* Up to this likelihood a difference is none by chance. */
#define METRIC_CHANCE 0.05

/* What is not known is NAN. */
struct compare_metric {
    const char *item; /* the row, as text; "": of all rows */
    const char *name;
    bool is_distance; /* between the sides: `b` is it, and `a` is 0 */
    bool is_headline; /* worth a row of the overview */
    double a, b;
    double ratio, low, high; /* of b / a; NAN of a distance */
    double effect;           /* its size on one scale for all: doublings, or a share */
    double p;
    enum verdict verdict;
    bool joined; /* compare_joins(): no verdict */
};

/* Called for each; borrowed for the call. */
typedef void compare_metric_visit(void *context, const struct compare_metric *metric);

/* Visits all metrics of a finished comparison. */
void compare_metrics(const struct comparison *comparison, compare_metric_visit *visit,
                     void *context);

/* Appends the first columns of a row's key, with blanks between them. */
void compare_append_keys(struct text *text, const struct value *keys, size_t count);

#endif

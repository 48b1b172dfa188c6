/* Metrics: single figures of a comparison, by name. The overview ranks them, headlines report
 * them, and --fail-if tests them. */
#ifndef TRACETOOL_COMPARE_METRICS_H
#define TRACETOOL_COMPARE_METRICS_H

#include "compare/comparison.h"

/* Significance level: up to this p-value a difference is not due to chance. */
#define METRIC_CHANCE 0.05

/* Word pairs for the direction of a change. */
enum metric_words {
    WORDS_SIZE,      /* larger, smaller */
    WORDS_SPEED,     /* slower, faster */
    WORDS_LENGTH,    /* longer, shorter */
    WORDS_TIME,      /* takes more, less time */
    WORDS_NUMBER,    /* more, fewer */
    WORDS_FREQUENCY, /* more frequent, less frequent */
};

/* A metric; unknown numbers are NAN. */
struct compare_metric {
    const char *item; /* key of the row, as text; "": all rows */
    const char *key;  /* what the number that the item is says, as "size"; NULL: it is none */
    size_t subject;   /* bytes of the item that figures of the same thing share; 0: all of it */
    const char *name;
    bool is_distance; /* between the sides: `b` is it, and `a` is 0 */
    bool is_headline; /* worth a row of the overview */
    double a, b;
    enum column_kind kind; /* of these, for people … */
    const char *unit;      /* … and their unit, where the kind has none; NULL: none */
    const char *clock_unit;
    const char *per; /* what stands behind them: " a second", "" for nothing; NULL: as "" */
    enum metric_words words;
    int preference; /* of the figures that changed of one item, a sentence has the largest … */
    double weight; /* … and sentences come in this order, the largest first; 0 preference: none */
    double ratio, low, high; /* of b / a; NAN of a distance */
    double effect;           /* its size on one scale for all: doublings, or a share */
    double p;
    enum verdict verdict;
    bool joined; /* compare_joins(): no verdict */
};

/* Called for each metric; borrowed for the call. */
typedef void compare_metric_visit(void *context, const struct compare_metric *metric);

/* Visits all metrics of a finished comparison. */
void compare_metrics(const struct comparison *comparison, compare_metric_visit *visit,
                     void *context);

/* Appends the first columns of a row's key, separated by blanks. */
void compare_append_keys(struct text *text, const struct value *keys, size_t count);

#endif

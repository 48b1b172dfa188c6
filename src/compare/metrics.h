/* Metrics: named single figures of a comparison, such as latency.read.p99. The overview ranks them,
 * headlines report them, and --fail-if tests them. */
#ifndef TRACETOOL_COMPARE_METRICS_H
#define TRACETOOL_COMPARE_METRICS_H

#include "compare/comparison.h"

/* Significance level: a difference with a p-value up to this counts as not due to chance. */
#define METRIC_CHANCE 0.05

/* Words for more and less of a figure, in sentences. */
enum metric_words {
    WORDS_SIZE,      /* is larger, is smaller */
    WORDS_SPEED,     /* is slower, is faster */
    WORDS_LENGTH,    /* is longer, is shorter */
    WORDS_TIME,      /* takes more time, takes less time */
    WORDS_NUMBER,    /* more, fewer */
    WORDS_FREQUENCY, /* is more frequent, is less frequent */
};

/* A named figure of both sides. Unknown numbers are NAN. */
struct compare_metric {
    const char *item; /* name of the report's row, as text; "": the figure is of all rows */
    const char *key;  /* if `item` is a number, what the number is, such as "size"; else NULL */
    size_t
        subject; /* length of the part of `item` that figures of one subject share; 0: all of it */
    const char *name;
    bool is_distance; /* true: a distance between the sides, in `b`; `a` is 0 */
    bool is_headline; /* true: the overview may print the figure */
    double a, b;
    enum column_kind kind; /* kind of the values of a and b, for people */
    const char *unit;      /* unit of the values, if not given by their kind; NULL: none */
    const char *clock_unit;
    const char *per; /* words after a and b, such as " a second"; "" or NULL: none */
    enum metric_words words;
    int preference; /* a headline on an item uses its changed figure with the largest preference; 0:
                       none */
    double weight;  /* headlines are sorted by this weight, the largest first */
    double ratio, low, high; /* ratio b / a and its bounds; NAN for a distance */
    double effect;           /* size of the change: binary logarithm of the ratio, or a share */
    double p;
    enum verdict verdict;
    bool joined; /* true: no verdict, since the log joins I/Os wrongly (compare_pairs_wrongly()) */
};

/* Called for each figure; `metric` is valid only during the call. */
typedef void compare_metric_visit(void *context, const struct compare_metric *metric);

/* Calls `visit` for all figures of a finished comparison. */
void compare_visit_metrics(const struct comparison *comparison, compare_metric_visit *visit,
                           void *context);

/* Appends the first columns of a row's key, separated by blanks. */
void compare_append_keys(struct text *text, const struct value *keys, size_t count);

/* Headlines: sentences on changes beyond chance, the first # lines of a comparison. */

/* Limit of headlines; one more sums up the other changes. */
#define HEADLINES_MOST 5

/* Headlines so far; zeroed: none. */
struct headlines {
    struct headline *found; /* owned */
    size_t count, capacity;
    size_t said;      /* number of headlines that are in the notes already */
    bool is_timeless; /* a headline says that a log has no durations: no headline may say that
                         nothing differs */
    bool is_unknown;  /* true: collects unclear figures, for headlines_note_unknown() */
};

/* Adds a headline on a figure of the report if the figure changed. Of several figures of one item,
 * keeps the one with the largest preference. `is_one`: all figures are of this report, so that
 * headlines do not name it. */
void headlines_add(struct headlines *headlines, const char *report, bool is_one,
                   const struct compare_metric *metric);

/* Adds the headlines to the notes. The last headline also tells how many verdicts are unclear:
 * `unclear` of `all`, which are called `things`, such as "rows". */
void headlines_add_to_notes(struct headlines *headlines, size_t unclear, size_t all,
                            const char *things, struct notes *notes);

/* Adds a headline with the largest differences of figures without a significance test, because each
 * side has a single run. Leaves out items that have a headline in `known`. */
void headlines_note_unknown(struct headlines *headlines, const struct headlines *known,
                            struct notes *notes);

/* Adds a headline that names the sides with logs without durations. */
void headlines_note_timeless(struct headlines *headlines, const unsigned timeless[SIDES],
                             struct notes *notes);

/* If verdicts do not consider chance, adds a headline that says so, and returns true. */
bool headlines_note_ignored_chance(const struct compare_request *request, bool is_itself,
                                   struct notes *notes);

/* If rows are parts of the time of calls, such as causes, adds two headlines: on the calls with the
 * largest significant change of mean time, and its parts; and on changes that may be chance. */
void headlines_note_parts(const struct comparison *comparison, struct headlines *headlines,
                          struct notes *notes);

void headlines_free(struct headlines *headlines);

#endif

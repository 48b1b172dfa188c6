/* Metrics: named single figures of a comparison, such as latency.read.p99. The overview ranks them,
 * headlines report them, and --fail-if tests them. */
#ifndef TRACETOOL_COMPARE_METRICS_H
#define TRACETOOL_COMPARE_METRICS_H

#include "compare/comparison.h"

/* Significance level: a difference is significant if its p-value is at most this. */
#define METRIC_CHANCE 0.05

/* Words for an increase or decrease of a figure, in headlines. */
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
    const char *item;   /* name of the report's row, as text; "": the figure is of all rows */
    size_t item_length; /* in bytes */
    size_t path;        /* number of the call path that `item` is, from 1; 0: no path */
    const char *key;    /* if `item` is a number: its meaning, such as "size"; else NULL */
    size_t subject; /* length of `item` without a figure's name: "D2C" of "D2C p50"; 0: all of it */
    const char *name;
    bool is_distance; /* true: a distance between the sides, in `b`; `a` is 0 */
    bool is_headline; /* true: the overview of all reports may print the figure */
    double a, b;
    enum column_kind kind; /* kind of a and b, which determines their unit and format */
    const char *unit;      /* unit of a and b, if `kind` does not determine it; NULL: none */
    const char *clock_unit;
    const char *per; /* words after a and b, such as " a second"; "" or NULL: none */
    enum metric_words words;
    int preference; /* of several changed figures of an item, the headline is on that with the
                       largest preference; 0: never */
    double weight;  /* sort key of headlines, largest first */
    double ratio, low, high; /* ratio b / a and its bounds; NAN for a distance */
    double effect;           /* size of the change: |log2(ratio)|, or the value of a distance */
    double p;
    enum verdict verdict;
    bool joined; /* true: no verdict, because compare_has_mispaired_ios() */
};

/* Called for each figure; `metric` is valid only during the call. */
typedef void compare_metric_visit(void *context, const struct compare_metric *metric);

/* Calls `visit` for all figures of a finished comparison. */
void compare_visit_metrics(const struct comparison *comparison, compare_metric_visit *visit,
                           void *context);

/* Appends the first `count` columns of a row's key, separated by spaces. */
void compare_append_keys(struct text *text, const struct value *keys, size_t count);

/* Headlines: sentences on significant changes, the first comment lines of a comparison. */

/* Limit of headlines; one further headline sums up the other changes. */
#define HEADLINES_MOST 5

/* Collected headlines; zeroed: none. */
struct headlines {
    struct headline *found; /* owned hash table, in the order of addition */
    size_t said;            /* number of headlines already in the notes */
    size_t alone;     /* number of figures that differ by their own bounds, but not beyond chance
                         among all tests of the report */
    bool is_timeless; /* true: a headline says that a log has no durations, so none may say that
                         nothing differs */
    bool is_unknown;  /* true: collects unclear figures, for headlines_note_untested() */
};

/* Adds a headline on a figure of the report if the figure changed. An item gets one headline, on
 * its figure with the largest preference. `is_one`: there is only one report, so it is not named.
 */
void headlines_add(struct headlines *headlines, const char *report, bool is_one,
                   const struct compare_metric *metric);

/* Adds the headlines to the notes. A last headline gives `alone` and the number of unclear
 * verdicts, as in "12 of 40 rows are unclear": `unclear` of `all` `things`. */
void headlines_add_to_notes(struct headlines *headlines, size_t unclear, size_t all,
                            const char *things, struct notes *notes);

/* Adds a headline with the largest differences that have no significance test, because each side is
 * a single run. Leaves out items with a headline in `known`. */
void headlines_note_untested(struct headlines *headlines, const struct headlines *known,
                             struct notes *notes);

/* Adds a headline that names the sides whose logs have no durations. `timeless`:
 * compare_quality.timeless of each side. */
void headlines_note_missing_durations(struct headlines *headlines, const unsigned timeless[SIDES],
                                      struct notes *notes);

/* If verdicts ignore chance (--blocks 0, or a and b are the same events), adds a headline that says
 * so and returns true. */
bool headlines_note_ignored_chance(const struct compare_request *request, bool is_itself,
                                   struct notes *notes);

/* If rows are components of the time of calls, such as causes, adds up to two headlines: calls with
 * a significant change of mean time and its components; then calls whose change may be chance. */
void headlines_note_time_components(const struct comparison *comparison,
                                    struct headlines *headlines, struct notes *notes);

void headlines_free(struct headlines *headlines);

#endif

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
    const char *key;  /* if `item` is a number, what it counts ("size"); else NULL */
    size_t
        subject; /* length in bytes of the item's prefix that related figures share; 0: all of it */
    const char *name;
    bool is_distance; /* a distance between the sides: `b` is the distance, and `a` is 0 */
    bool is_headline; /* worth a row of the overview */
    double a, b;
    enum column_kind kind; /* kind of the values of a and b, for people */
    const char *unit;      /* unit of the values if the kind has none; NULL: none */
    const char *clock_unit;
    const char *per; /* suffix of a and b: " a second"; "" or NULL for nothing */
    enum metric_words words;
    int preference; /* the sentence on an item uses its changed metric with the largest preference;
                       0: no sentence */
    double weight;  /* sentences are sorted by weight, the largest first */
    double ratio, low, high; /* ratio b / a and its bounds; NAN for a distance */
    double effect;           /* size of the change on a common scale: doublings, or a share */
    double p;
    enum verdict verdict;
    bool joined; /* true: no verdict, because of compare_joins() */
};

/* Called for each metric; borrowed for the call. */
typedef void compare_metric_visit(void *context, const struct compare_metric *metric);

/* Visits all metrics of a finished comparison. */
void compare_metrics(const struct comparison *comparison, compare_metric_visit *visit,
                     void *context);

/* Appends the first columns of a row's key, separated by blanks. */
void compare_append_keys(struct text *text, const struct value *keys, size_t count);

/* Headlines: sentences on changes beyond chance, the first # lines of a comparison. */

/* Limit of sentences, not counting the last one, which summarises the rest. */
#define HEADLINES_MOST 5

/* Zeroed: none. */
struct headlines {
    struct headline *found; /* owned */
    size_t count, capacity;
    size_t said;      /* number of sentences that were added before */
    bool is_timeless; /* a sentence says that a log has no durations, so none may say that nothing
                         differs */
    bool is_unknown;  /* collects what is unclear, not changes; for headlines_note_unknown() */
};

/* Adds a figure of the report if its verdict is a change. Of several figures of one subject, keeps
 * the one with the largest preference. `is_one`: all figures are of this report, so that sentences
 * need not name it. */
void headlines_add(struct headlines *headlines, const char *report, bool is_one,
                   const struct compare_metric *metric);

/* Adds the headlines to the notes. The last one also gives the number of unclear verdicts:
 * `unclear` of `all`, with `things` as their name ("rows"). */
void headlines_note(struct headlines *headlines, size_t unclear, size_t all, const char *things,
                    struct notes *notes);

/* Adds a headline with the largest differences of two single runs' figures that have no
 * significance test, except those of subjects that `known` has a headline on. */
void headlines_note_unknown(struct headlines *headlines, const struct headlines *known,
                            struct notes *notes);

/* Adds a headline on the sides whose logs have no durations. */
void headlines_note_timeless(struct headlines *headlines, const unsigned timeless[SIDES],
                             struct notes *notes);

/* If verdicts come without a significance test, adds the only headline and returns true. */
bool headlines_without_chance(const struct compare_request *request, bool is_itself,
                              struct notes *notes);

/* If rows are parts of the time of calls, adds a sentence on the calls whose mean time changed most
 * beyond chance, with the parts that did, and one on those whose change may be chance. */
void headlines_note_parts(const struct comparison *comparison, struct headlines *headlines,
                          struct notes *notes);

void headlines_free(struct headlines *headlines);

#endif

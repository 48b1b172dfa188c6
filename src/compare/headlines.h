/* Headlines: sentences on changes beyond chance, the first # lines of a comparison. */
#ifndef TRACETOOL_COMPARE_HEADLINES_H
#define TRACETOOL_COMPARE_HEADLINES_H

#include "compare/metrics.h"

/* Limit of sentences, not counting the last one, which summarises the rest. */
#define HEADLINES_MOST 5

/* Zeroed: none. */
struct headlines {
    struct headline *found; /* owned */
    size_t count, capacity;
};

/* Takes a figure of the report, if it changed beyond chance by its verdict. Of the figures of one
 * subject one is kept: the one with the largest preference. `is_one`: of no other report are there
 * figures, so that its name need not be said. */
void headlines_take(struct headlines *headlines, const char *report, bool is_one,
                    const struct compare_metric *metric);

/* Appends the sentences, and the last one: of `all` things called `things` ("rows"), the verdict of
 * `unclear` is that. */
void headlines_say(struct headlines *headlines, size_t unclear, size_t all, const char *things,
                   struct notes *notes);

/* Appends the one sentence of a comparison in which verdicts tell nothing of chance. False: they
 * do. */
bool headlines_without_chance(const struct compare_request *request, bool is_itself,
                              struct notes *notes);

void headlines_free(struct headlines *headlines);

#endif

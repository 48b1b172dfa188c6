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

/* Adds a figure of the report if its verdict is a change. Of several figures of one subject, keeps
 * the one with the largest preference. `is_one`: all figures are of this report, so that sentences
 * need not name it. */
void headlines_take(struct headlines *headlines, const char *report, bool is_one,
                    const struct compare_metric *metric);

/* Adds the sentences. The last one also tells how many (`unclear`) of `all` things, called `things`
 * ("rows"), have an unclear verdict. */
void headlines_say(struct headlines *headlines, size_t unclear, size_t all, const char *things,
                   struct notes *notes);

/* If verdicts do not consider chance, adds the only sentence and returns true. */
bool headlines_without_chance(const struct compare_request *request, bool is_itself,
                              struct notes *notes);

void headlines_free(struct headlines *headlines);

#endif

/* How often each of any number of keys occurs, the most frequent first, in bounded memory.
 *
 * The keys are passed over several times. A pass counts as many different keys as have room in
 * memory, the smallest of those that no earlier pass has counted: when one more does not fit, the
 * larger half of them is left to a later pass. What a pass has counted is sorted and, where there
 * are several, goes to a temporary file of 16 bytes a key; in the end these runs are merged.
 *
 * Ten million keys take fourteen passes. They are of the columns of events, which makes that
 * quicker than to sort the keys once on disk, as SQLite does.
 */
#ifndef TRACETOOL_RANKING_H
#define TRACETOOL_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Different keys that are counted in a pass; 48 bytes each. */
#define RANKING_KEYS ((size_t)1 << 20)

struct ranking;

struct ranked {
    int64_t key;
    int64_t count; /* how often it was counted */
};

/* `keys` that are counted in a pass: a power of two, at least 2; RANKING_KEYS but for tests.
 * Owned by the caller. */
struct ranking *ranking_new(size_t keys);
void ranking_free(struct ranking *ranking);

/* Counts a key. In each pass all are counted again. */
void ranking_count(struct ranking *ranking, int64_t key);

/* Ends a pass. `*more`: another one is needed; otherwise the keys can be read. */
bool ranking_end_pass(struct ranking *ranking, bool *more, struct error *error);

/* How many keys were counted, equal ones each time. */
int64_t ranking_total(const struct ranking *ranking);

/* The next key, in order of count, the highest first, then of key, the lowest first. `*some`: there
 * was one. */
bool ranking_next(struct ranking *ranking, struct ranked *ranked, bool *some, struct error *error);

#endif

/* Ranks any number of keys by frequency, in bounded memory.
 *
 * All keys are added in several passes. A pass counts the smallest keys that earlier passes have
 * not counted, as many as fit into memory. When another key does not fit, the larger half of the
 * keys is left to a later pass. The result of a pass is sorted. If there are several passes, it
 * goes to a temporary file, 16 bytes per key, and these sorted runs are merged at the end. Ten
 * million keys take fourteen passes. Since keys come from columns of events, this is faster than
 * sorting them once on disk, as SQLite does. */
#ifndef TRACETOOL_RANKING_H
#define TRACETOOL_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Usual limit of keys that a pass counts; each takes 48 bytes. */
#define RANKING_KEYS ((size_t)1 << 20)

struct ranking;

struct ranked {
    int64_t key;
    int64_t count; /* number of occurrences */
};

/* Returns a new ranking, owned by the caller. `keys`: limit of keys per pass, a power of two, at
 * least 2; it is RANKING_KEYS except in tests. */
struct ranking *ranking_new(size_t keys);
void ranking_free(struct ranking *ranking);

/* Counts a key. Each pass must count all keys again. */
void ranking_count(struct ranking *ranking, int64_t key);

/* Ends a pass. Sets `*more` if another pass is needed; otherwise ranking_next() may be called. */
bool ranking_end_pass(struct ranking *ranking, bool *more, struct error *error);

/* Returns the number of keys counted, with repetitions. */
int64_t ranking_total(const struct ranking *ranking);

/* Returns the next key, in order of falling counts, then of rising keys. `*some`: there was one. */
bool ranking_next(struct ranking *ranking, struct ranked *ranked, bool *some, struct error *error);

#endif

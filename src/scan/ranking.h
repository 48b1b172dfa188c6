/* Ranks any number of keys by frequency, in bounded memory.
 *
 * Keys are collected in memory. When it is full, they are sorted, and equal keys become one entry
 * with their count. If that does not free a quarter of the memory, the entries go to a temporary
 * file as a sorted run, 16 bytes per entry. Runs are merged when the file is three times as large
 * as after the last merge, so that it grows with the number of different keys, and at the end.
 * Sorting by digits needs a third of the time of a hash table, which does not fit into the cache.
 */
#ifndef TRACETOOL_RANKING_H
#define TRACETOOL_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Usual limit of entries in memory; each takes 32 bytes. */
#define RANKING_KEYS ((size_t)1 << 21)

struct ranking;

struct ranked {
    int64_t key;
    int64_t count; /* number of occurrences */
};

/* Returns a new ranking, owned by the caller. `keys`: limit of entries in memory, at least 2; it is
 * RANKING_KEYS except in tests. */
struct ranking *ranking_new(size_t keys);
void ranking_free(struct ranking *ranking);

/* Counts a key. Fails if the temporary file cannot be written. */
bool ranking_count(struct ranking *ranking, int64_t key, struct error *error);

/* Ends counting: ranking_next() may be called. */
bool ranking_end(struct ranking *ranking, struct error *error);

/* Returns the number of keys counted, with repetitions. */
int64_t ranking_total(const struct ranking *ranking);

/* Returns the next key, in order of falling counts, then of rising keys. `*some`: there was one. */
bool ranking_next(struct ranking *ranking, struct ranked *ranked, bool *some, struct error *error);

#endif

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

/* Adds `count` to the count of a key. Fails if the temporary file cannot be written. */
bool ranking_add(struct ranking *ranking, int64_t key, int64_t count, struct error *error);

/* Ends adding: ranking_next() may be called, up to `wanted` times. */
bool ranking_end(struct ranking *ranking, size_t wanted, struct error *error);

/* Receives a key and its count. Returns false with `error` set to end the visits. */
typedef bool ranking_visit(void *context, const struct ranked *ranked, struct error *error);

/* Ends adding, and visits all keys in rising order; some keys may come with count 0. Only
 * ranking_free() may be called afterwards. */
bool ranking_visit_by_key(struct ranking *ranking, ranking_visit *visit, void *context,
                          struct error *error);

/* Returns the sum of the counts. */
int64_t ranking_total(const struct ranking *ranking);

/* Returns the next key, in order of falling counts, then of rising keys. `*some`: there was one. */
bool ranking_next(struct ranking *ranking, struct ranked *ranked, bool *some, struct error *error);

#endif

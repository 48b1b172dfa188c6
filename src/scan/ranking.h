/* Ranks any number of keys by frequency, in bounded memory.
 *
 * Keys are collected in memory. When it is full, they are sorted, and equal keys become one entry
 * with their count. If that does not free a quarter of the memory, the entries are written to a
 * temporary file as a sorted run, 16 bytes per entry. Runs are merged when the file is about three
 * times as large as after the last merge, and at the end. So the file grows with the number of
 * different keys. Radix sort takes a third of the time of a hash table, which does not fit into the
 * cache. */
#ifndef TRACETOOL_RANKING_H
#define TRACETOOL_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Usual limit of entries in memory; each takes 32 bytes, half of it for sorting. */
#define RANKING_KEYS ((size_t)1 << 21)

struct ranking;

struct ranked {
    int64_t key;
    int64_t count; /* number of occurrences of the key */
};

/* Returns a new ranking, owned by the caller. `keys`: limit of entries in memory, at least 2;
 * RANKING_KEYS except in tests. */
struct ranking *ranking_new(size_t keys);
void ranking_free(struct ranking *ranking);

/* Adds `count` occurrences of a key. Fails if the temporary file cannot be written. */
bool ranking_add(struct ranking *ranking, int64_t key, int64_t count, struct error *error);

/* Ends adding. Then ranking_next() may be called, up to `wanted` times. */
bool ranking_end(struct ranking *ranking, size_t wanted, struct error *error);

/* Callback for a key and its count. Returns false with `error` set to stop. */
typedef bool ranking_visit(void *context, const struct ranked *ranked, struct error *error);

/* Ends adding, and visits all keys in ascending order; some may have count 0. Afterwards only
 * ranking_free() may be called. */
bool ranking_visit_by_key(struct ranking *ranking, ranking_visit *visit, void *context,
                          struct error *error);

/* Returns the sum of all counts. */
int64_t ranking_total(const struct ranking *ranking);

/* Returns the next key, by descending count, then by ascending key. `*some` is false at the end. */
bool ranking_next(struct ranking *ranking, struct ranked *ranked, bool *some, struct error *error);

#endif

/* How often each of any number of names occurs, the most frequent first, in bounded memory.
 *
 * Equal names are one. As many different ones as have room are counted in memory and sorted there;
 * where there are more, all go to a temporary table, which SQLite groups and sorts on disk. For a
 * report that ranks some ten thousand files SQLite takes five times as long.
 */
#ifndef TRACETOOL_NAME_RANKING_H
#define TRACETOOL_NAME_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "select/temp_schema.h"

/* Different names in memory, of some 100 bytes each beside their own; bytes of all of them. */
#define NAME_RANKING_NAMES ((size_t)1 << 18)
#define NAME_RANKING_BYTES ((size_t)16 << 20)

struct name_ranking;

struct ranked_name {
    const char *name; /* borrowed, until the next one */
    size_t length;    /* in bytes; there may be a NUL among them */
    int64_t count;    /* at least 1 */
};

/* `table`: NAME of temp.NAME, with the columns name and count, for what has no room; it must be
 * there as long as the ranking is. `names` that have room in memory: NAME_RANKING_NAMES but for
 * tests. Owned by the caller. */
struct name_ranking *name_ranking_new(struct temp_schema *temp, const char *table, size_t names);
void name_ranking_free(struct name_ranking *ranking);

/* Adds occurrences of a name, at least 1. */
bool name_ranking_add(struct name_ranking *ranking, const char *name, size_t length, int64_t count,
                      struct error *error);

/* Occurrences of all names. */
int64_t name_ranking_total(const struct name_ranking *ranking);

/* The next name, in order of count, the highest first, then of the name's bytes. Once it was
 * called nothing can be added. `*some`: there was one. */
bool name_ranking_next(struct name_ranking *ranking, struct ranked_name *ranked, bool *some,
                       struct error *error);

#endif

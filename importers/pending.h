/* Requests that wait for what becomes of them, by a key of four numbers: of one key in order, the
 * first is the oldest. All operations take constant time, however many share a key.
 *
 * An entry is a struct of the caller's that begins with a struct pending.
 */
#ifndef TRACETOOL_PENDING_H
#define TRACETOOL_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct pending_key {
    int64_t stage, device, sector, thread; /* any numbers; `stage` is not negative */
};

struct pending {
    UT_hash_handle hh; /* of the first of its key */
    struct pending_key key;
    struct pending *before, *next; /* of the same key; before the first stands the last */
    struct pending *older, *newer; /* of all, in the order in which they were added; likewise */
};

/* A zeroed one, but for `size`, is ready. */
struct pending_table {
    size_t size;            /* bytes of an entry */
    struct pending *by_key; /* the first of each key; owned */
    struct pending *oldest; /* of all; owned */
    size_t count;           /* entries */
};

enum pending_place { PENDING_FIRST, PENDING_LAST };

/* The first or the last of a key; NULL: there is none. Borrowed until it is removed. */
struct pending *pending_find(const struct pending_table *table, const struct pending_key *key,
                             enum pending_place place);

/* Adds a copy of an entry as the first or the last of its key. */
void pending_add(struct pending_table *table, const struct pending_key *key,
                 enum pending_place place, const struct pending *as);

/* Frees the entry. */
void pending_remove(struct pending_table *table, struct pending *entry);

/* Removes all entries and frees what the table owns. */
void pending_free(struct pending_table *table);

#endif

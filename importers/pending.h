/* Table of pending I/O requests: those whose completion is not read yet. The key is four numbers.
 * Entries with the same key are ordered, oldest first. All operations take constant time, even if
 * many entries share a key. An entry is a caller's struct that begins with a struct pending. */
#ifndef TRACETOOL_PENDING_H
#define TRACETOOL_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct pending_key {
    int64_t stage, device, sector, thread; /* any numbers; `stage` must not be negative */
};

struct pending {
    UT_hash_handle hh; /* used only in the first entry of each key */
    struct pending_key key;
    /* list of the entries with this key; `before` of its first entry is the last */
    struct pending *before, *next;
    /* List of all entries in the order they were added; `older` of the oldest is the newest. */
    struct pending *older, *newer;
};

/* Initialise with zeros except `size`. */
struct pending_table {
    size_t size;            /* bytes of an entry, which is the caller's struct */
    struct pending *by_key; /* hash table of the first entry of each key; owned */
    struct pending *oldest; /* owned; oldest of all entries, the head of the list of all */
    size_t count;
};

enum pending_place { PENDING_FIRST, PENDING_LAST };

/* Returns the first or last entry with a key, valid until it is removed; NULL if there is none. */
struct pending *pending_find(const struct pending_table *table, const struct pending_key *key,
                             enum pending_place place);

/* Adds a copy of `as` with the given key, before or after the other entries that have it. */
void pending_add(struct pending_table *table, const struct pending_key *key,
                 enum pending_place place, const struct pending *as);

/* Removes and frees the entry. */
void pending_remove(struct pending_table *table, struct pending *entry);

/* Removes all entries and frees the table's memory. */
void pending_free(struct pending_table *table);

#endif

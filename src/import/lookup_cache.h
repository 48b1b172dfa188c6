/* What was found out about a string and two numbers the last time they occurred together.
 *
 * Logs say the same thing again and again. The cache stands in front of rules and dictionaries; it
 * forgets one content for another, and is never wrong.
 */
#ifndef TRACETOOL_LOOKUP_CACHE_H
#define TRACETOOL_LOOKUP_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "import/emit.h"

#define LOOKUP_CACHE_NUMBERS 2
#define LOOKUP_CACHE_VALUES  2

struct lookup_cache_key {
    int64_t numbers[LOOKUP_CACHE_NUMBERS];
    const char *bytes; /* may be NULL when `length` is 0 */
    size_t length;
};

/* How many contents a cache has room for at most, 128 bytes each. */
#define LOOKUP_CACHE_ENTRIES 16384

/* A zeroed one may be freed. */
struct lookup_cache {
    void *memory;                       /* owned */
    struct lookup_cache_entry *entries; /* in it */
    struct lookup_cache_entry
        *last;    /* that was found: most ask for the same once more. NULL: none */
    size_t count; /* for contents; one more is for strings that are too long */
    size_t most;  /* what `count` grows to */
    size_t news;  /* contents that were not known, since it grew */
};

/* What the caller found out: `values`, which stay where they are until the next
 * lookup_cache_find(). */
struct lookup_cache_entry {
    uint32_t values[LOOKUP_CACHE_VALUES];
    /* Private. */
    int64_t numbers[LOOKUP_CACHE_NUMBERS];
    uint32_t length; /* with 1 added; 0: unused */
    char bytes[100];
};

/* `count`, a power of two from 2 on, is the room that it has at most: LOOKUP_CACHE_ENTRIES, or more
 * where more is said again and again. It begins small, and grows by what is said. False with
 * `error` set when out of memory. */
void lookup_cache_init(struct lookup_cache *cache, size_t count);

/* The entry of a key. When `*known` is false the caller must fill in its values. */
struct lookup_cache_entry *lookup_cache_find(struct lookup_cache *cache,
                                             const struct lookup_cache_key *key, bool *known);
void lookup_cache_free(struct lookup_cache *cache);

/* import_name() and import_thread() with a cache in front. `kind` is a constant string; a name of
 * length 0 is none. */
uint32_t lookup_name(struct import *import, struct lookup_cache *cache, const char *kind,
                     struct word text, uint32_t component);
uint32_t lookup_thread(struct import *import, struct lookup_cache *cache, int64_t pid, int64_t tid,
                       struct word name);

#endif

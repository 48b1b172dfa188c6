/* Cache of results for a string with two numbers.
 *
 * Logs repeat the same content. The cache precedes slower rules and dictionaries; it may evict
 * entries but is never wrong.
 */
#ifndef TRACETOOL_LOOKUP_CACHE_H
#define TRACETOOL_LOOKUP_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOKUP_CACHE_NUMBERS 2
#define LOOKUP_CACHE_VALUES  2

struct lookup_cache_key {
    int64_t numbers[LOOKUP_CACHE_NUMBERS];
    const char *bytes; /* may be NULL if `length` is 0 */
    size_t length;
};

/* Default maximum of entries, 128 bytes each. A cache starts small and grows with use. */
#define LOOKUP_CACHE_ENTRIES 16384

/* Initialise with zeros. */
struct lookup_cache {
    void *memory;                       /* owned */
    struct lookup_cache_entry *entries; /* inside `memory` */
    struct lookup_cache_entry
        *last;    /* result of the last lookup, which is often repeated. NULL: none */
    size_t count; /* entries; one more is for strings that are too long */
    size_t most;  /* limit of `count`, a power of two; 0: LOOKUP_CACHE_ENTRIES */
    size_t news;  /* misses since the cache last grew */
};

/* The caller's results: `values`, valid until the next lookup_cache_find(). */
struct lookup_cache_entry {
    uint32_t values[LOOKUP_CACHE_VALUES];
    /* Private. */
    int64_t numbers[LOOKUP_CACHE_NUMBERS];
    uint32_t length; /* length of `bytes` plus 1; 0: the entry is unused */
    char bytes[100];
};

/* Returns the entry of a key. If `*known` is false, the caller must set its values. */
struct lookup_cache_entry *lookup_cache_find(struct lookup_cache *cache,
                                             const struct lookup_cache_key *key, bool *known);
void lookup_cache_free(struct lookup_cache *cache);

#endif

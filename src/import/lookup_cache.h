/* Cache of lookup results; a key is a string and two numbers.
 *
 * Logs repeat the same content. Callers look here before they use slower rules and dictionaries.
 * The cache may drop entries, but never returns a wrong result. */
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

/* A cache of lookups. Initialise with zeros. */
struct lookup_cache {
    void *memory;                       /* owned */
    struct lookup_cache_entry *entries; /* inside `memory` */
    struct lookup_cache_entry
        *last;    /* entry of the last lookup, since lookups often repeat; NULL: none */
    size_t count; /* number of `entries`, not counting an extra one for keys with long strings */
    size_t most;  /* maximum of `count`, a power of two; 0: LOOKUP_CACHE_ENTRIES */
    size_t news;  /* number of failed lookups since the cache last grew */
};

/* An entry, with the caller's results in `values`; valid until the next lookup_cache_find(). */
struct lookup_cache_entry {
    uint32_t values[LOOKUP_CACHE_VALUES];
    /* Private. */
    int64_t numbers[LOOKUP_CACHE_NUMBERS];
    uint32_t length; /* length of `bytes` plus 1; 0: the entry is unused */
    char bytes[100];
};

/* Returns the entry of a key. If `*known` is false, it is new: the caller must set `values`. */
struct lookup_cache_entry *lookup_cache_find(struct lookup_cache *cache,
                                             const struct lookup_cache_key *key, bool *known);
void lookup_cache_free(struct lookup_cache *cache);

#endif

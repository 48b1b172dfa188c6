/* Cache of lookup results; a key is a string and two numbers.
 *
 * Logs repeat the same content. Callers look here before they use slower rules and dictionaries.
 * The cache may drop entries. Keys are compared by 128 bits of a seeded hash, which no two keys of
 * a log share (probability 2^-128 a pair), so that an entry needs half a cache line. */
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

/* Default maximum of entries, 32 bytes each. A cache starts small and grows with use. */
#define LOOKUP_CACHE_ENTRIES 16384

/* Length up to which a string is compared with that of the last lookup, before it is hashed. */
#define LOOKUP_CACHE_LAST 112

/* An entry, with the caller's results in `values`; valid until the next lookup_cache_find(). */
struct lookup_cache_entry {
    uint32_t values[LOOKUP_CACHE_VALUES];
    uint64_t hash[2]; /* private; of the key; zeros: the entry is unused */
    uint64_t unused;  /* padding: the two entries that a key may have share a cache line */
};

/* A cache of lookups. Initialise with zeros. */
struct lookup_cache {
    void *memory;                       /* owned */
    struct lookup_cache_entry *entries; /* inside `memory` */
    size_t count;                       /* number of `entries` */
    size_t most; /* maximum of `count`, a power of two; 0: LOOKUP_CACHE_ENTRIES */
    size_t news; /* number of failed lookups since the cache last grew */
    /* Entry of the last lookup, since lookups often repeat, and its key; NULL: none. */
    struct lookup_cache_entry *last;
    int64_t numbers[LOOKUP_CACHE_NUMBERS];
    size_t length;
    char bytes[LOOKUP_CACHE_LAST];
};

/* Returns the entry of a key. If `*known` is false, it is new: the caller must set `values`. */
struct lookup_cache_entry *lookup_cache_find(struct lookup_cache *cache,
                                             const struct lookup_cache_key *key, bool *known);
void lookup_cache_free(struct lookup_cache *cache);

#endif

#include "import/lookup_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* Initial number of entries, and growth factor. More entries would not help small traces: clearing
 * them would take as long as reading such a trace. */
enum { AT_FIRST = 256, TIMES = 8 };

#define CACHE_LINE ((uintptr_t)64)

_Static_assert(2 * sizeof(struct lookup_cache_entry) == CACHE_LINE, "two entries fill a line");

/* Allocates the entries, aligned to cache lines. */
static void make_entries(struct lookup_cache *cache, size_t count) {
    void *memory = xzeros(1, count * sizeof(struct lookup_cache_entry) + CACHE_LINE);

    cache->memory = memory;
    cache->entries =
        (struct lookup_cache_entry *)((char *)memory + CACHE_LINE - (uintptr_t)memory % CACHE_LINE);
    cache->count = count;
    cache->news = 0;
    cache->last = NULL;
}

static void hash_key(const struct lookup_cache_key *key, uint64_t hash[2]) {
    XXH128_hash_t of_bytes = XXH3_128bits_withSeed(key->bytes, key->length, hash_seed);

    hash[0] = of_bytes.low64 + seeded_hash_number((uint64_t)key->numbers[0]);
    hash[1] = of_bytes.high64 ^ seeded_hash_number((uint64_t)key->numbers[1] + 1);
    hash[0] += hash[0] == 0 && hash[1] == 0; /* zeros mark an unused entry */
}

static bool is_last(const struct lookup_cache *cache, const struct lookup_cache_key *key) {
    return cache->last != NULL && cache->length == key->length &&
           cache->numbers[0] == key->numbers[0] && cache->numbers[1] == key->numbers[1] &&
           (key->length == 0 || memcmp(cache->bytes, key->bytes, key->length) == 0);
}

/* Stores the key of the last lookup, unless it is too long. */
static void store_last(struct lookup_cache *cache, const struct lookup_cache_key *key,
                       struct lookup_cache_entry *entry) {
    cache->last = key->length <= sizeof cache->bytes ? entry : NULL;
    if (cache->last != NULL) {
        memcpy(cache->numbers, key->numbers, sizeof cache->numbers);
        cache->length = key->length;
        memcpy(cache->bytes, key->length > 0 ? key->bytes : "", key->length);
    }
}

/* Returns the two entries in which a key may be, the newer one first. */
static struct lookup_cache_entry *entries_of(const struct lookup_cache *cache,
                                             const uint64_t hash[2]) {
    return &cache->entries[hash[0] & (cache->count - 1) & ~(size_t)1];
}

/* Returns the entry to use for a new key. A key has one of two entries; the older one is evicted.
 */
static struct lookup_cache_entry *new_entry(const struct lookup_cache *cache,
                                            const uint64_t hash[2]) {
    struct lookup_cache_entry *entries = entries_of(cache, hash);

    entries[1] = entries[0];
    return entries;
}

/* Allocates the first entries, or enlarges the cache. */
static void lookup_cache_grow(struct lookup_cache *cache) {
    const struct lookup_cache old = *cache;
    size_t count = old.count == 0 ? AT_FIRST : old.count * TIMES;

    make_entries(cache, count < old.most ? count : old.most);
    for (size_t i = old.count; i-- > 0;) { /* backwards: of a key's two entries the newer one is
                                              first, and must be inserted last */
        if (old.entries[i].hash[0] != 0 || old.entries[i].hash[1] != 0) {
            *new_entry(cache, old.entries[i].hash) = old.entries[i];
        }
    }
    free(old.memory);
}

struct lookup_cache_entry *lookup_cache_find(struct lookup_cache *cache,
                                             const struct lookup_cache_key *key, bool *known) {
    struct lookup_cache_entry *entry;
    uint64_t hash[2];

    *known = true;
    if (is_last(cache, key)) {
        return cache->last;
    }
    cache->most = cache->most == 0 ? LOOKUP_CACHE_ENTRIES : cache->most;
    if (cache->news >= cache->count && cache->count < cache->most) {
        lookup_cache_grow(cache);
    }
    hash_key(key, hash);
    entry = entries_of(cache, hash);
    entry += memcmp(entry->hash, hash, sizeof hash) != 0;
    if (memcmp(entry->hash, hash, sizeof hash) != 0) {
        *known = false;
        cache->news++;
        entry = new_entry(cache, hash);
        memcpy(entry->hash, hash, sizeof hash);
    }
    store_last(cache, key, entry);
    return entry;
}

void lookup_cache_free(struct lookup_cache *cache) {
    free(cache->memory);
    *cache = (struct lookup_cache){0};
}

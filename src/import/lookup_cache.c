#include "import/lookup_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* Initial number of entries, and growth factor. More entries would not help small traces: clearing
 * them would take as long as reading such a trace. */
enum { AT_FIRST = 256, TIMES = 8 };

#define CACHE_LINE ((uintptr_t)64)

_Static_assert(sizeof(struct lookup_cache_entry) % CACHE_LINE == 0, "entries begin with a line");

/* Allocates the entries, aligned to cache lines: short strings then need only one line. */
static void make_entries(struct lookup_cache *cache, size_t count) {
    void *memory = xzeros(1, (count + 1) * sizeof(struct lookup_cache_entry) + CACHE_LINE);

    cache->memory = memory;
    cache->entries =
        (struct lookup_cache_entry *)((char *)memory + CACHE_LINE - (uintptr_t)memory % CACHE_LINE);
    cache->count = count;
    cache->news = 0;
    cache->last = NULL;
}

/* Returns a key's slot. The hash has a large seed, since a short string affects few of its bits. */
static size_t lookup_cache_slot_of(const struct lookup_cache *cache,
                                   const struct lookup_cache_key *key) {
    uint64_t seed = (uint64_t)key->numbers[0] * UINT64_C(0x9E3779B97F4A7C15) +
                    (uint64_t)key->numbers[1] * UINT64_C(0xC2B2AE3D27D4EB4F);

    return XXH3_64bits_withSeed(key->bytes, key->length, seed) & (cache->count - 1);
}

static bool lookup_cache_is_of(const struct lookup_cache_entry *entry,
                               const struct lookup_cache_key *key) {
    return entry->length == key->length + 1 && entry->numbers[0] == key->numbers[0] &&
           entry->numbers[1] == key->numbers[1] &&
           (key->length == 0 || memcmp(entry->bytes, key->bytes, key->length) == 0);
}

/* Returns the entry for a new key. A slot has two entries, and evicts the older one. */
static struct lookup_cache_entry *new_entry(const struct lookup_cache *cache, size_t slot) {
    struct lookup_cache_entry *entry = &cache->entries[slot];

    if (entry->length > 0) {
        cache->entries[slot ^ 1] = *entry;
    }
    return entry;
}

/* Allocates the first entries, or enlarges the cache and moves its entries. */
static void lookup_cache_grow(struct lookup_cache *cache) {
    const struct lookup_cache old = *cache;
    size_t count = old.count == 0 ? AT_FIRST : old.count * TIMES;

    make_entries(cache, count < old.most ? count : old.most);
    for (size_t i = 0; i < old.count; i++) {
        const struct lookup_cache_entry *entry = &old.entries[i];
        struct lookup_cache_key key = {.bytes = entry->bytes, .length = entry->length - 1};

        if (entry->length > 0) {
            memcpy(key.numbers, entry->numbers, sizeof key.numbers);
            *new_entry(cache, lookup_cache_slot_of(cache, &key)) = *entry;
        }
    }
    free(old.memory);
}

struct lookup_cache_entry *lookup_cache_find(struct lookup_cache *cache,
                                             const struct lookup_cache_key *key, bool *known) {
    struct lookup_cache_entry *entry = cache->last;
    size_t slot;

    if (entry != NULL && lookup_cache_is_of(entry, key)) {
        *known = true;
        return entry;
    }
    cache->most = cache->most == 0 ? LOOKUP_CACHE_ENTRIES : cache->most;
    if (cache->news >= cache->count && cache->count < cache->most) {
        lookup_cache_grow(cache);
    }
    if (key->length > sizeof entry->bytes) {
        *known = false;
        return &cache->entries[cache->count];
    }
    slot = lookup_cache_slot_of(cache, key);
    entry = &cache->entries[slot];
    if (!lookup_cache_is_of(entry, key)) {
        entry = &cache->entries[slot ^ 1];
    }
    *known = lookup_cache_is_of(entry, key);
    if (!*known) {
        cache->news++;
        entry = new_entry(cache, slot);
        memcpy(entry->numbers, key->numbers, sizeof entry->numbers);
        entry->length = (uint32_t)key->length + 1;
        if (key->length > 0) {
            memcpy(entry->bytes, key->bytes, key->length);
        }
    }
    cache->last = entry;
    return entry;
}

void lookup_cache_free(struct lookup_cache *cache) {
    free(cache->memory);
    *cache = (struct lookup_cache){0};
}

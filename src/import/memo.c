#include "import/memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* Small traces fill no more, and memory that is cleared for each of them costs what it takes to
 * read them. */
enum { AT_FIRST = 256, TIMES = 8 };

#define CACHE_LINE ((uintptr_t)64)

_Static_assert(sizeof(struct memo_entry) % CACHE_LINE == 0, "entries begin with a line");

/* An entry begins where a line of the processor's cache does, of which short strings then need one.
 */
static bool make_entries(struct memo *memo, size_t count) {
    void *memory = xcalloc(1, (count + 1) * sizeof(struct memo_entry) + CACHE_LINE);

    if (memory != NULL) {
        memo->memory = memory;
        memo->entries =
            (struct memo_entry *)((char *)memory + CACHE_LINE - (uintptr_t)memory % CACHE_LINE);
        memo->count = count;
        memo->news = 0;
        memo->last = NULL;
    }
    return memory != NULL;
}

bool memo_init(struct memo *memo, size_t count, struct error *error) {
    *memo = (struct memo){.most = count};
    return make_entries(memo, count < AT_FIRST ? count : AT_FIRST) || error_no_memory(error);
}

/* Short strings only meet the seed in some of its bits: it has to be large. */
static size_t slot_of(const struct memo *memo, const struct memo_key *key) {
    uint64_t seed = (uint64_t)key->numbers[0] * UINT64_C(0x9E3779B97F4A7C15) +
                    (uint64_t)key->numbers[1] * UINT64_C(0xC2B2AE3D27D4EB4F);

    return XXH3_64bits_withSeed(key->bytes, key->length, seed) & (memo->count - 1);
}

static bool is_of(const struct memo_entry *entry, const struct memo_key *key) {
    return entry->length == key->length + 1 && entry->numbers[0] == key->numbers[0] &&
           entry->numbers[1] == key->numbers[1] &&
           (key->length == 0 || memcmp(entry->bytes, key->bytes, key->length) == 0);
}

/* The entry of a content that is not known: two contents of one place are remembered, and the one
 * that came first is forgotten for a third. */
static struct memo_entry *new_entry(const struct memo *memo, size_t slot) {
    struct memo_entry *entry = &memo->entries[slot];

    if (entry->length > 0) {
        memo->entries[slot ^ 1] = *entry;
    }
    return entry;
}

/* Makes room for more, where it was used up; without memory for that there is none. */
static void grow(struct memo *memo) {
    const struct memo old = *memo;
    size_t count = old.count * TIMES;

    if (!make_entries(memo, count < old.most ? count : old.most)) {
        memo->news = 0;
        return;
    }
    for (size_t i = 0; i < old.count; i++) {
        const struct memo_entry *entry = &old.entries[i];
        struct memo_key key = {.bytes = entry->bytes, .length = entry->length - 1};

        if (entry->length > 0) {
            memcpy(key.numbers, entry->numbers, sizeof key.numbers);
            *new_entry(memo, slot_of(memo, &key)) = *entry;
        }
    }
    free(old.memory);
}

struct memo_entry *memo_find(struct memo *memo, const struct memo_key *key, bool *known) {
    struct memo_entry *entry = memo->last;
    size_t slot;

    if (entry != NULL && is_of(entry, key)) {
        *known = true;
        return entry;
    }
    if (key->length > sizeof entry->bytes) {
        *known = false;
        return &memo->entries[memo->count];
    }
    if (memo->news >= memo->count && memo->count < memo->most) {
        grow(memo);
    }
    slot = slot_of(memo, key);
    entry = &memo->entries[slot];
    if (!is_of(entry, key)) {
        entry = &memo->entries[slot ^ 1];
    }
    *known = is_of(entry, key);
    if (!*known) {
        memo->news++;
        entry = new_entry(memo, slot);
        memcpy(entry->numbers, key->numbers, sizeof entry->numbers);
        entry->length = (uint32_t)key->length + 1;
        if (key->length > 0) {
            memcpy(entry->bytes, key->bytes, key->length);
        }
    }
    memo->last = entry;
    return entry;
}

void memo_forget(struct memo_entry *entry) {
    entry->length = 0;
}

void memo_free(struct memo *memo) {
    free(memo->memory);
    *memo = (struct memo){0};
}

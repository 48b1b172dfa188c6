/* Hash tables of uthash, with the hash function XXH3: several times as fast on the short keys that
 * importers look up for each record.
 *
 * Keys come from untrusted logs. With a known hash function, a log could contain keys that all
 * collide, so that each lookup would compare all keys (hash flooding). A random seed per process
 * prevents this. Use these functions for tables with keys from logs or databases. The order of such
 * a table is random, so no output may depend on it. */
#ifndef TRACETOOL_HASH_H
#define TRACETOOL_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Random number of this process, chosen before main() begins. */
extern uint64_t hash_seed;

/* Hashes a number by two multiplications and shifts: each bit affects all bits of the hash. */
static inline uint64_t seeded_hash_number(uint64_t number) {
    number = (number ^ hash_seed) * UINT64_C(0xD6E8FEB86659FD93);
    number = (number ^ number >> 32 ^ hash_seed) * UINT64_C(0xD6E8FEB86659FD93);
    return number ^ number >> 32;
}

/* Hashes bytes by XXH3 with the seed of this process. */
static inline uint64_t seeded_hash(const void *bytes, size_t length) {
    return XXH3_64bits_withSeed(bytes, length, hash_seed);
}

#define uthash_malloc(size)               xmalloc(size)
#define HASH_FUNCTION(key, length, value) ((value) = (unsigned)seeded_hash((key), (length)))
#include <uthash.h>

/* Adds an entry whose key, `field`, is `value`; all other members are zero. The table must not
 * contain the key. Sets `entry` to the new entry. */
#define HASH_NEW(head, field, value, entry)                                                        \
    do {                                                                                           \
        (entry) = xcalloc(1, sizeof *(entry));                                                     \
        (entry)->field = (value);                                                                  \
        HASH_ADD(hh, head, field, sizeof(entry)->field, entry);                                    \
    } while (0)

/* Frees a table and its entries, each of which is a separate allocation. */
#define HASH_FREE(head)                                                                            \
    do {                                                                                           \
        if ((head) != NULL) {                                                                      \
            hash_free_entries(&(head)->hh);                                                        \
            (head) = NULL;                                                                         \
        }                                                                                          \
    } while (0)

static inline void hash_free_entries(UT_hash_handle *first) {
    UT_hash_table *table = first->tbl;
    void *entry = ELMT_FROM_HH(table, first);

    while (entry != NULL) {
        void *next = HH_FROM_ELMT(table, entry)->next;

        free(entry);
        entry = next;
    }
    free(table->buckets);
    free(table);
}

#endif

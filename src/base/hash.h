/* Hash tables: uthash with XXH3, which is several times faster than uthash's own function on the
 * short keys that importers look up for each record.
 *
 * Keys come from untrusted logs. With a known hash, chosen keys all collide, and each lookup takes
 * time in proportion to the number of keys: a random seed per process prevents it. Use these
 * functions for tables with keys from logs or databases. Output must not depend on the order of
 * such a table.
 */
#ifndef TRACETOOL_HASH_H
#define TRACETOOL_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Chosen at random before main() begins; constant afterwards. */
extern uint64_t hash_seed;

/* Multiplies and shifts twice, so that each input bit affects each output bit. */
static inline uint64_t seeded_hash_number(uint64_t number) {
    number = (number ^ hash_seed) * UINT64_C(0xD6E8FEB86659FD93);
    number = (number ^ number >> 32 ^ hash_seed) * UINT64_C(0xD6E8FEB86659FD93);
    return number ^ number >> 32;
}

/* Hashes bytes by XXH3 with the seed. */
static inline uint64_t seeded_hash(const void *bytes, size_t length) {
    return XXH3_64bits_withSeed(bytes, length, hash_seed);
}

#define uthash_malloc(size)               xmalloc(size)
#define HASH_FUNCTION(key, length, value) ((value) = (unsigned)seeded_hash((key), (length)))
#include <uthash.h>

/* Adds a zeroed entry with the key `value`, its member `field`, which the table lacks; sets `entry`
 * to it. */
#define HASH_NEW(head, field, value, entry)                                                        \
    do {                                                                                           \
        (entry) = xcalloc(1, sizeof *(entry));                                                     \
        (entry)->field = (value);                                                                  \
        HASH_ADD(hh, head, field, sizeof(entry)->field, entry);                                    \
    } while (0)

/* Frees a table and its entries, each a separate allocation. */
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

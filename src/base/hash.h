/* Hash tables: uthash, with a hash function several times faster than its own on the short keys
 * that importers look up for every record, and which no log can foresee.
 */
#ifndef TRACETOOL_HASH_H
#define TRACETOOL_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash_seed.h"
#include "base/memory.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* XXH3 with the seed, of bytes. */
static inline uint64_t seeded_hash(const void *bytes, size_t length) {
    return XXH3_64bits_withSeed(bytes, length, hash_seed);
}

#define uthash_malloc(size)               xmalloc(size)
#define HASH_FUNCTION(key, length, value) ((value) = (unsigned)seeded_hash((key), (length)))
#include <uthash.h>

/* Frees a table and its entries, each of which is memory of its own. */
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

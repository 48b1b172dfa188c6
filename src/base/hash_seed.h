/* Seeded hashing. Keys come from untrusted logs; a random seed per process prevents hash flooding.
 *
 * With a known hash, chosen keys all collide, and each lookup takes time in proportion to the
 * number of keys. Use these functions for tables with keys from logs or databases. Output must not
 * depend on the order of such a table.
 */
#ifndef TRACETOOL_HASH_SEED_H
#define TRACETOOL_HASH_SEED_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Random, chosen before main() begins; never written again. */
extern uint64_t hash_seed;

/* XXH3 with the seed, of bytes, and of a number. */
static inline uint64_t seeded_hash(const void *bytes, size_t length) {
    return XXH3_64bits_withSeed(bytes, length, hash_seed);
}

static inline uint64_t seeded_hash_number(uint64_t number) {
    return XXH3_64bits_withSeed(&number, sizeof number, hash_seed);
}

#endif

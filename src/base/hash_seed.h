/* Hashes that nobody who writes a log can foresee.
 *
 * A table whose hash is known can be filled by chosen keys so that each lies behind all others, and
 * looking one up takes as long as there are keys. Tables whose keys come from logs or databases
 * take these, which differ from process to process; what is reported must not depend on them.
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

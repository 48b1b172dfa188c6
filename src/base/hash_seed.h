/* Seeded hashing of numbers; hash.h hashes bytes. Keys come from untrusted logs; a random seed per
 * process prevents hash flooding.
 *
 * With a known hash, chosen keys all collide, and each lookup takes time in proportion to the
 * number of keys. Use these functions for tables with keys from logs or databases. Output must not
 * depend on the order of such a table.
 */
#ifndef TRACETOOL_HASH_SEED_H
#define TRACETOOL_HASH_SEED_H

#include <stdint.h>

/* Chosen at random before main() begins; constant afterwards. */
extern uint64_t hash_seed;

/* Multiplies and shifts twice, so that each input bit affects each output bit. */
static inline uint64_t seeded_hash_number(uint64_t number) {
    number = (number ^ hash_seed) * UINT64_C(0xD6E8FEB86659FD93);
    number = (number ^ number >> 32 ^ hash_seed) * UINT64_C(0xD6E8FEB86659FD93);
    return number ^ number >> 32;
}

#endif

/* Numbers by pairs of numbers: a hash table for what is looked up for every event, where uthash
 * takes several times as long. */
#ifndef TRACETOOL_PAIR_NUMBERS_H
#define TRACETOOL_PAIR_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_seed.h"

struct pair_slot {
    uint32_t first, second;
    uint32_t number; /* 0: the slot is empty */
};

/* Zeroed: there are none. */
struct pair_numbers {
    struct pair_slot *slots; /* owned: open addressing */
    size_t capacity;         /* of `slots`: a power of two, at least twice `count`; 0 at first */
    size_t count;
};

/* The slot of a pair, or the one where it would be; there must be some. */
static inline struct pair_slot *pair_numbers_slot(const struct pair_numbers *numbers,
                                                  uint32_t first, uint32_t second) {
    size_t at = seeded_hash_number((uint64_t)first << 32 | second) & (numbers->capacity - 1);

    while (numbers->slots[at].number != 0 &&
           (numbers->slots[at].first != first || numbers->slots[at].second != second)) {
        at = (at + 1) & (numbers->capacity - 1);
    }
    return &numbers->slots[at];
}

/* The number of a pair, 0 when it has none. */
static inline uint32_t pair_numbers_find(const struct pair_numbers *numbers, uint32_t first,
                                         uint32_t second) {
    return numbers->count == 0 ? 0 : pair_numbers_slot(numbers, first, second)->number;
}

/* Gives a pair that has none a number, from 1 on. */
void pair_numbers_add(struct pair_numbers *numbers, uint32_t first, uint32_t second,
                      uint32_t number);

/* Forgets all pairs; there is room for as many again. */
void pair_numbers_clear(struct pair_numbers *numbers);
void pair_numbers_free(struct pair_numbers *numbers);

#endif

/* Hash table from pairs of numbers to numbers, several times as fast as uthash: used per event. */
#ifndef TRACETOOL_PAIR_NUMBERS_H
#define TRACETOOL_PAIR_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct pair_slot {
    uint32_t first, second;
    uint32_t number; /* number of the pair; 0: the slot is empty */
};

/* Table of pairs with their numbers. Zeroed: empty. */
struct pair_numbers {
    struct pair_slot *slots; /* owned; hash table with open addressing */
    size_t capacity; /* number of slots: a power of two, at least twice `count`; 0 at first */
    size_t count;
};

/* Returns the slot of a pair; if the table lacks the pair, the empty slot to use for it. Needs
 * capacity > 0. */
static inline struct pair_slot *pair_numbers_slot(const struct pair_numbers *numbers,
                                                  uint32_t first, uint32_t second) {
    size_t at = seeded_hash_number((uint64_t)first << 32 | second) & (numbers->capacity - 1);

    while (numbers->slots[at].number != 0 &&
           (numbers->slots[at].first != first || numbers->slots[at].second != second)) {
        at = (at + 1) & (numbers->capacity - 1);
    }
    return &numbers->slots[at];
}

/* Returns the number of a pair; 0 if the table lacks it. */
static inline uint32_t pair_numbers_find(const struct pair_numbers *numbers, uint32_t first,
                                         uint32_t second) {
    return numbers->count == 0 ? 0 : pair_numbers_slot(numbers, first, second)->number;
}

/* Adds a pair that the table lacks, with its number, which is at least 1. */
void pair_numbers_add(struct pair_numbers *numbers, uint32_t first, uint32_t second,
                      uint32_t number);

/* Removes all pairs, but keeps the memory. */
void pair_numbers_clear(struct pair_numbers *numbers);
void pair_numbers_free(struct pair_numbers *numbers);

#endif

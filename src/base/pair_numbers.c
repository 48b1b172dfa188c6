#include "base/pair_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_CAPACITY = 256 };

/* Doubles the number of slots, and moves all pairs to their new slots. */
static void pair_numbers_grow(struct pair_numbers *numbers) {
    struct pair_numbers grown = {
        .capacity = numbers->capacity == 0 ? FIRST_CAPACITY : 2 * numbers->capacity,
        .count = numbers->count,
    };

    grown.slots = xzeros(grown.capacity, sizeof *grown.slots);
    for (size_t i = 0; i < numbers->capacity; i++) {
        const struct pair_slot *slot = &numbers->slots[i];

        if (slot->number != 0) {
            *pair_numbers_slot(&grown, slot->first, slot->second) = *slot;
        }
    }
    free(numbers->slots);
    *numbers = grown;
}

void pair_numbers_add(struct pair_numbers *numbers, uint32_t first, uint32_t second,
                      uint32_t number) {
    if (2 * numbers->count >= numbers->capacity) {
        pair_numbers_grow(numbers);
    }
    *pair_numbers_slot(numbers, first, second) = (struct pair_slot){first, second, number};
    numbers->count++;
}

void pair_numbers_clear(struct pair_numbers *numbers) {
    if (numbers->count > 0) {
        memset(numbers->slots, 0, numbers->capacity * sizeof *numbers->slots);
    }
    numbers->count = 0;
}

void pair_numbers_free(struct pair_numbers *numbers) {
    free(numbers->slots);
    *numbers = (struct pair_numbers){0};
}

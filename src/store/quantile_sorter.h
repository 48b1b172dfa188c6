/* Finds numbers by rank. Beyond a limit, they are in a temporary file, so their number is
 * unlimited. Integers keep all digits; if there are reals too, all compare as reals. */
#ifndef TRACETOOL_QUANTILE_SORTER_H
#define TRACETOOL_QUANTILE_SORTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Maximum numbers in memory of each of the two types; 8 bytes each. */
#define NUMBERS_IN_MEMORY (1 << 20)

struct number {
    bool is_real;
    int64_t integer;
    double real; /* never NaN */
};

/* Uses SQLite's allocator and its limits. When out of memory, functions return false without
 * setting `error`. */
struct quantile_sorter;

/* Owned by the caller. */
struct quantile_sorter *quantile_sorter_new(void);

/* NULL is allowed. */
void quantile_sorter_free(struct quantile_sorter *numbers);

/* Fails if memory or disk space is exhausted. */
bool quantile_sorter_add(struct quantile_sorter *numbers, struct number number,
                         struct error *error);

/* Number of values added. */
int64_t quantile_sorter_count(const struct quantile_sorter *numbers);

/* Returns the number at a rank, from 1, in ascending order. A real if any number is real. */
bool quantile_sorter_find(struct quantile_sorter *numbers, int64_t rank, struct number *found,
                          struct error *error);

#endif

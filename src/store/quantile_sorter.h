/* Numbers to be found by rank, any number of them: beyond a bound they wait in a
 * temporary file. Integers keep all their digits; where there are reals beside them, they are
 * compared as such. */
#ifndef TRACETOOL_QUANTILE_SORTER_H
#define TRACETOOL_QUANTILE_SORTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Numbers that are kept in memory, of each of the two types; 8 bytes each. */
#define NUMBERS_IN_MEMORY (1 << 20)

struct number {
    bool is_real;
    int64_t integer;
    double real; /* no NaN */
};

/* Memory is SQLite's, whose limits count. Where there is none, functions return false and leave
 * `error` as it was. */
struct quantile_sorter;

/* Owned by the caller. */
struct quantile_sorter *quantile_sorter_new(void);

/* NULL is allowed. */
void quantile_sorter_free(struct quantile_sorter *numbers);

/* Fails when there is no memory, or no room for the file. */
bool quantile_sorter_add(struct quantile_sorter *numbers, struct number number,
                         struct error *error);

/* How many were added. */
int64_t quantile_sorter_count(const struct quantile_sorter *numbers);

/* The number of that rank, from 1 to the count, in ascending order. A real where any is one. */
bool quantile_sorter_find(struct quantile_sorter *numbers, int64_t rank, struct number *found,
                          struct error *error);

#endif

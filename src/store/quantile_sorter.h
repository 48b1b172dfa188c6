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
struct numbers;

/* Owned by the caller; NULL when out of memory. */
struct numbers *numbers_new(void);

/* NULL is allowed. */
void numbers_free(struct numbers *numbers);

/* Fails when there is no memory, or no room for the file. */
bool numbers_add(struct numbers *numbers, struct number number, struct error *error);

/* How many were added. */
int64_t numbers_count(const struct numbers *numbers);

/* The number of that rank, from 1 to the count, in ascending order. A real where any is one. */
bool numbers_find(struct numbers *numbers, int64_t rank, struct number *found, struct error *error);

#endif

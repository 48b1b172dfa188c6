/* SQL functions of every connection: names for numbers in `event` and in rollups.
 *
 *     io_class(flags)              class of an I/O: read, readsync, write, writesync, flush, other
 *     io_class_name(number)        the same for a number in columns `class`
 *     io_class_number(word)        the number of a class
 *     io_block_type(flags)         block type of an I/O: none, data, journal, metadata, anonymous
 *     io_block_type_name(number)   the same for a number in columns `block_type`
 *     io_block_type_number(word)   the number of a block type
 *     io_flag(word)                bit of a further letter or cause in an I/O's flags
 *     io_flag(flags, word)         whether it is set: 1 or 0
 *     span_flag(word)              bit of a mark in a span's flags
 *     span_flag(flags, word)       whether it is set
 *     span_is_call(flags)          whether a row of spans is a call: 1 or 0
 *
 * They are deterministic, so SQLite evaluates them once per statement for constants, and innocuous.
 * An unknown word is an error. The words of flags are those of the enums in model/event.h.
 */
#ifndef TRACETOOL_FUNCTIONS_H
#define TRACETOOL_FUNCTIONS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Registers the functions. Returns false if SQLite fails. */
bool functions_register(sqlite3 *handle);

/* Limit of the bins of a histogram. */
#define AGGREGATES_BINS 65536

/* Limit of integers, and of reals, that the function keeps in memory, 8 bytes each; more go to a
 * file. */
#define NUMBERS_IN_MEMORY (1 << 20)

struct number {
    bool is_real;
    int64_t integer;
    double real; /* never NaN */
};

/* Finds numbers by rank. Uses SQLite's allocator and its limits: if memory runs out, functions
 * return false without setting `error`. */
struct quantile_sorter;

/* Returns an empty sorter, owned by the caller. */
struct quantile_sorter *quantile_sorter_new(void);

/* Frees the sorter; NULL is allowed. */
void quantile_sorter_free(struct quantile_sorter *numbers);

/* Adds a number. Returns false if memory or disk space is exhausted. */
bool quantile_sorter_add(struct quantile_sorter *numbers, struct number number,
                         struct error *error);

/* Returns the number of values added. */
int64_t quantile_sorter_count(const struct quantile_sorter *numbers);

/* Finds the number at a rank, counted from 1, in ascending order. It is a real number if any added
 * number is. */
bool quantile_sorter_find(struct quantile_sorter *numbers, int64_t rank, struct number *found,
                          struct error *error);

#endif

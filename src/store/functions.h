/* SQL functions of every connection: names for numbers in `event` and in rollups.
 *
 *     io_class(flags)              class of an I/O: read, readsync, write, writesync, flush, other
 *     io_class_name(number)        the same for a number in columns `class`
 *     io_class_number(word)        the number of a class
 *     io_block_type(flags)         block type of an I/O: none, data, journal, metadata, anonymous
 *     io_block_type_name(number)   the same for a number in columns `block_type`
 *     io_block_type_number(word)   the number of a block type
 *     io_flag(word)                bit in flags of a further RWBS letter or cause of an I/O
 *     io_flag(flags, word)         whether it is set: 1 or 0
 *     span_flag(word)              bit of a flag in a span's flags
 *     span_flag(flags, word)       whether it is set
 *     span_is_call(flags)          whether a row of spans is a call: 1 or 0
 *
 * They are innocuous and deterministic: SQLite evaluates calls with constants once per statement.
 * An unknown word is an error. The words of flags are those of the enums in model/event.h. */
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

/* Limit of integers, and of reals, that quantile and median hold in memory, 8 bytes each; further
 * numbers go to a temporary file. */
#define NUMBERS_IN_MEMORY (1 << 20)

struct number {
    bool is_real;
    int64_t integer;
    double real; /* never NaN */
};

/* Finds the number at a rank among many numbers. Uses SQLite's allocator and its limits: if memory
 * runs out, functions return false without setting `error`. */
struct quantile_sorter;

/* Returns an empty sorter, owned by the caller. */
struct quantile_sorter *quantile_sorter_new(void);

/* Frees the sorter; NULL is allowed. */
void quantile_sorter_free(struct quantile_sorter *numbers);

/* Adds a number. Returns false if memory or disk space is exhausted. */
bool quantile_sorter_add(struct quantile_sorter *numbers, struct number number,
                         struct error *error);

/* Returns how many numbers were added. */
int64_t quantile_sorter_count(const struct quantile_sorter *numbers);

/* Finds the number at a rank, counted from 1, in ascending order. The result is a real number if
 * any added number is one. */
bool quantile_sorter_find(struct quantile_sorter *numbers, int64_t rank, struct number *found,
                          struct error *error);

#endif

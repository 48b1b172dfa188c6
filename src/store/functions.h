/* SQL functions that every connection has: what numbers in `event` and in the rollups mean, by
 * name.
 *
 *     io_class(flags)              class of an I/O: read, readsync, write, writesync, flush, other
 *     io_class_name(number)        the same of the number in columns `class`
 *     io_class_number(word)        that number
 *     io_block_type(flags)         block type of an I/O: none, data, journal, metadata, anonymous
 *     io_block_type_name(number)   the same of the number in columns `block_type`
 *     io_block_type_number(word)   that number
 *     io_flag(word)                bit of a further letter or cause in the flags of an I/O
 *     io_flag(flags, word)         whether it is there: 1 or 0
 *     span_flag(word)              bit of a mark in the flags of a span
 *     span_flag(flags, word)       whether it is there
 *     span_is_call(flags)          whether a row of spans is a call: 1 or 0
 *
 * They are deterministic, so SQLite works out those of constants once a statement, and innocuous.
 * A word that there is not is an error. The words of flags are those of the enums in model/event.h.
 */
#ifndef TRACETOOL_FUNCTIONS_H
#define TRACETOOL_FUNCTIONS_H

#include <sqlite3.h>
#include <stdbool.h>

/* False when SQLite fails. */
bool functions_register(sqlite3 *handle);

/* Bins that a histogram may have. */
#define AGGREGATES_BINS 65536

#endif

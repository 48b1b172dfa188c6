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

/* False if SQLite fails. */
bool functions_register(sqlite3 *handle);

/* Maximum bins of a histogram. */
#define AGGREGATES_BINS 65536

#endif

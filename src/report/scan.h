/* One pass over the selected events in C, where SQL would sort or group millions of rows.
 *
 * The events come through an SQL aggregate function, which SQLite calls for each row several times
 * faster than a statement can be stepped.
 */
#ifndef TRACETOOL_SCAN_H
#define TRACETOOL_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "import/tally.h"
#include "store/database.h"

/* Longest sequence of operations that can be asked for. */
#define SEQUENCE_LENGTH 8

/* Registers the aggregate functions; once a connection. */
bool scan_register(struct database *database, struct error *error);

/* Creates the empty tables temp.scanned_NAME, with a view temp.tally_NAME each, of a bit set of enum
 * tally_kind. */
bool scan_create(struct database *database, unsigned tallies, struct error *error);

/* Adds the selected events of a trace to temp.scanned_NAME, for each of the tallies. */
bool scan_tallies(struct database *database, int64_t trace, const struct tally_context *context,
                  unsigned tallies, struct error *error);

/* Fills temp.tally_sequence (trace, codes, sequence, count): how often `length` selected events of
 * one actor follow one another. The same sequence may have several rows. */
bool scan_sequences(struct database *database, int64_t length, struct error *error);

#endif

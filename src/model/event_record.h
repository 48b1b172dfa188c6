/* An event as a record of SQLite's: the bytes that it keeps for a row of `event`.
 *
 * https://www.sqlite.org/fileformat2.html#record_format describes them: behind the length of the
 * header a type for each column, then the values, numbers in the fewest bytes. The columns at the
 * end that have no value are left out: SQLite reads them as NULL, as it reads columns that were
 * added to a table later.
 */
#ifndef TRACETOOL_EVENT_RECORD_H
#define TRACETOOL_EVENT_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "model/event.h"

/* Bytes that are needed to make a record beside those of the arguments. */
#define EVENT_RECORD_ROOM ((size_t)256)

struct event_record {
    const unsigned char *bytes; /* within the memory it was made in */
    size_t length;
};

/* Makes the record of an event in `memory`, EVENT_RECORD_ROOM and its argument bytes long. Only
 * `columns` (enum event_column) are set. `first_row` is the id of the event with serial number 0,
 * by which its caller is given. */
struct event_record event_record_make(const struct event *event, unsigned columns,
                                      int64_t first_row, unsigned char *memory);

/* Writes a number as SQLite's files have it where its size is not known before: up to 9 bytes.
 * Gives how many. */
size_t event_record_varint(unsigned char *bytes, uint64_t number);

#endif

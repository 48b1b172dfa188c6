/* Events on their way from the importer to the writer.
 *
 * They gather in a batch. A full one is held back until the next is full, too, so that what is out
 * of order by less than a batch is sorted; then it is put into the queue.
 */
#ifndef TRACETOOL_EMIT_H
#define TRACETOOL_EMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/batch.h"
#include "model/event.h"

struct import;

/* --- what importers call ------------------------------------------------------------------ */

/* The next event to fill in: all fields none but `time`, which is 0. It counts one record read
 * and kept. Valid until the next import_…() call but import_arguments(): find names first. NULL:
 * stop, return false (an error is set or will be). */
struct event *import_event(struct import *import);

/* Copies argument bytes (NULL when none are wanted: returns room to fill in) and attaches them to
 * the event from the last import_event(). NULL when out of memory: return false. */
uint8_t *import_arguments(struct import *import, struct event *event, const uint8_t *bytes,
                          uint32_t size);

/* What the log tells of whose blocks are, of a trace of block I/O; copied. It counts no record.
 * False: stop, as for import_event(). */
bool import_allocation(struct import *import, const struct allocation *allocation);

/* --- what the rest of this room calls ------------------------------------------------------- */

/* The row of a serial number and its batch, while it has not been handed over; else NULL. */
struct event *emit_row(struct import *import, int64_t serial, struct batch **batch);

/* The batch that is being filled; NULL: stop. */
struct batch *emit_batch(struct import *import);

/* Hands over what is still held back. */
bool emit_flush(struct import *import);

#endif

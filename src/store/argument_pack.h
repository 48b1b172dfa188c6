/* Packed arguments of calls.
 *
 * The text of a call's arguments takes more than the rest of its row. So the arguments of a batch
 * of calls become one row of the table `argument_pack`, and `event.arguments` is a number: the
 * position of the call in the trace when it was written. The pack with the largest `first` up to
 * that position has the arguments. Rows may move and be sorted; the position stays.
 *
 * Some arguments stay in their rows: those of the first EVENT_CHUNK calls of a trace, so that any
 * program can read small traces; those of a call that is earlier than a call before it, since its
 * row will be sorted far from the rows of the same pack; those with a NUL; those of a batch that
 * would not shrink to half its size.
 *
 * A pack is a frame of Zstandard with a checksum. Its content is, for each of the `count`
 * positions, the arguments and a NUL; only the NUL if the row itself has the arguments. */
#ifndef TRACETOOL_ARGUMENT_PACK_H
#define TRACETOOL_ARGUMENT_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "model/batch.h"
#include "store/connection.h"

/* Packs the arguments of the batch's events into `batch->packed`, and sets the arguments of these
 * events to EVENT_PACKED. `first`: position of the batch's first event in the trace. Packs nothing
 * if packing would save too few bytes. May run on any thread. */
void argument_pack_make(struct batch *batch, int64_t first);

/* Writes the pack (compressed arguments) of a batch, if it has one, to the table argument_pack. */
bool argument_pack_write(struct database *database, int64_t trace, const struct batch *batch,
                         struct error *error);

/* Registers two SQL functions on the connection. `database` must not move in memory while open.
 *
 *     event_arguments(id, arguments)     an event's arguments, unpacked if `arguments` is a number
 *     argument_pack_is_whole(first, count, data)  whether a pack can be read: 1 or 0
 *
 * event_arguments() caches the 16 packs used last, of at most 4 MiB each. */
bool argument_pack_register(struct database *database);

#endif

/* The table `event_column`: the events of a trace stored a second time, by column, for fast scans.
 * A trace has columns of all its events, or none: none after a change by another program (triggers
 * in schema.sql), or after a restore from a dump. Columns can always be made again from the rows of
 * `event`. */
#ifndef TRACETOOL_COLUMN_TABLE_H
#define TRACETOOL_COLUMN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/batch.h"
#include "model/event_chunk.h"
#include "store/connection.h"

/* --- writing columns during an import --------------------------------------------------------- */

/* State while the columns of imported events are written. */
struct column_writer;

/* Returns a state owned by the caller. `columns`: the trace's columns (enum event_column). */
struct column_writer *column_writer_new(struct database *database, int64_t trace, unsigned columns);
void column_writer_free(struct column_writer *writer);

/* Writes the columns of a chunk of events. `first`: position of the chunk's first event in the
 * trace, from 0. */
bool column_writer_write(struct column_writer *writer, int64_t first,
                         const struct event_chunk *chunk, struct error *error);

/* Records the end of a call at position `place` of the trace. The chunk with the call has been
 * written. */
bool column_writer_end(struct column_writer *writer, int64_t place, const struct ending *ending,
                       struct error *error);

/* Writes all recorded ends of calls. */
bool column_writer_finish(struct column_writer *writer, struct error *error);

/* --- making columns of an existing trace ------------------------------------------------------ */

enum column_state {
    COLUMNS_NONE,    /* the trace has no columns */
    COLUMNS_WHOLE,   /* the columns hold all events of the trace */
    COLUMNS_DAMAGED, /* the columns hold more or fewer events than the trace has */
};

/* A trace and the range of its event ids; last < first: no events. */
struct column_range {
    int64_t trace, first, last;
};

/* Sets the error that the columns of a trace are damaged, and how to repair them. Always returns
 * false. */
bool columns_set_damaged_error(struct database *database, int64_t trace, struct error *error);

/* Finds the state of a trace's columns by their number of events, without decoding them. */
bool column_table_state(struct database *database, const struct column_range *range,
                        enum column_state *state, struct error *error);

/* Makes all columns of a trace again from the rows of `event`. */
bool column_table_make(struct database *database, const struct column_range *range,
                       struct error *error);

/* New values of an event. Only the columns that column_changer_new() names are set. */
struct event_change {
    int64_t id;                        /* event.id */
    uint32_t operation, actor, object; /* ids of the name, actor and object in the trace; 0: NULL */
    uint32_t flags;
    int64_t duration, response; /* new times; EVENT_NONE: sets the column to NULL */
};

/* State while columns are updated after changes of the rows of `event`. */
struct column_changer;

/* Returns a state owned by the caller. `columns` to update: EVENT_OPERATION, EVENT_ACTOR,
 * EVENT_OBJECT, EVENT_FLAGS, EVENT_DURATION, EVENT_RESPONSE. */
struct column_changer *column_changer_new(struct database *database,
                                          const struct column_range *range, unsigned columns);
void column_changer_free(struct column_changer *changer);

/* Updates the columns of some events, in the order of their ids, also from call to call. Does
 * nothing if the trace has no columns. If a column is damaged, column_changer_finish() makes all
 * columns again. */
bool column_changer_set(struct column_changer *changer, const struct event_change *changes,
                        size_t count, struct error *error);

/* Writes the last changed chunk. More changes may follow. */
bool column_changer_finish(struct column_changer *changer, struct error *error);

/* Deletes all columns of a trace. */
bool column_table_remove(struct database *database, int64_t trace, struct error *error);

/* Compares the columns of a trace with the rows of `event`. Sets `what` to the first difference;
 * empty if there is none, or the trace has no columns. */
bool column_table_compare(struct database *database, const struct column_range *range,
                          struct text *what, struct error *error);

/* --- checksums of columns and of events ------------------------------------------------------- */

/* Checksums of rows of `event_column`. Each row has one 64-bit number. The upper half is of all
 * values but the encoded ones, so that a scan can use the smallest and largest values of a chunk
 * without reading the encoded ones. The lower half is of the encoded values (event_chunk.h). Both
 * are lower halves of 64-bit XXH3. tracetool-schema(7) tells which bytes are hashed. */

/* Values of a row of event_column except the encoded ones. */
struct column_key {
    enum event_field field;
    int64_t trace, first, count, least, most;
    int64_t fields; /* for times: bit 1 << enum event_field of each field in the chunk; else 0 */
};

/* Returns whether the upper half of the checksum `sum` fits a row with these values. */
bool column_sum_fits(const struct column_key *key, int64_t sum);

#endif

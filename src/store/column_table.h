/* The table `event_column`: a columnar copy of a trace's events, for fast scans. It holds all
 * events of a trace, or none: none after another program changed `event` (triggers in schema.sql),
 * or after a restore from a dump. It can always be rebuilt from the rows of `event`. */
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

/* State while imported events are written to event_column. */
struct column_writer;

/* Returns a writer, owned by the caller. `columns`: columns that the events have (enum
 * event_column). */
struct column_writer *column_writer_new(struct database *database, int64_t trace, unsigned columns);
void column_writer_free(struct column_writer *writer);

/* Writes a chunk (consecutive events, encoded by column) to event_column. `first`: position of the
 * chunk's first event in the trace, counted from 0. */
bool column_writer_write(struct column_writer *writer, int64_t first,
                         const struct event_chunk *chunk, struct error *error);

/* Records the end of the call at position `place` in the trace. The chunk with the call must have
 * been written already. */
bool column_writer_end(struct column_writer *writer, int64_t place, const struct ending *ending,
                       struct error *error);

/* Writes all recorded ends of calls to event_column. */
bool column_writer_finish(struct column_writer *writer, struct error *error);

/* --- making columns of an existing trace ------------------------------------------------------ */

enum column_state {
    COLUMNS_NONE,    /* the trace has no rows in event_column */
    COLUMNS_WHOLE,   /* event_column holds all events of the trace */
    COLUMNS_DAMAGED, /* event_column holds more or fewer events than the trace has */
};

/* A trace and the range of its event ids; last < first: no events. */
struct column_range {
    int64_t trace, first, last;
};

/* Sets the error that a trace's rows of event_column are damaged, and how to repair them. Always
 * returns false. */
bool columns_set_damaged_error(struct database *database, int64_t trace, struct error *error);

/* Finds the state of a trace's columnar copy by its number of events, without decoding it. */
bool column_table_state(struct database *database, const struct column_range *range,
                        enum column_state *state, struct error *error);

/* Rebuilds a trace's rows of event_column from the rows of `event`. */
bool column_table_rebuild(struct database *database, const struct column_range *range,
                          struct error *error);

/* New values of an event. Only the columns passed to column_changer_new() are used. */
struct event_change {
    int64_t id;                        /* event.id */
    uint32_t operation, actor, object; /* ids of the name, actor and object in the trace; 0: NULL */
    uint32_t flags;
    int64_t duration, response; /* new times; EVENT_NONE: sets the column to NULL */
};

/* State while event_column is updated after changes of the rows of `event`. */
struct column_changer;

/* Returns a changer, owned by the caller. `columns` to update: any of EVENT_OPERATION, EVENT_ACTOR,
 * EVENT_OBJECT, EVENT_FLAGS, EVENT_DURATION, EVENT_RESPONSE. */
struct column_changer *column_changer_new(struct database *database,
                                          const struct column_range *range, unsigned columns);
void column_changer_free(struct column_changer *changer);

/* Updates some events in event_column. Ids must increase, also from one call of the function to the
 * next. Does nothing if the trace has no rows in event_column. If such a row is damaged,
 * column_changer_finish() rebuilds all rows of the trace. */
bool column_changer_set(struct column_changer *changer, const struct event_change *changes,
                        size_t count, struct error *error);

/* Writes the chunk changed last. More changes may follow. */
bool column_changer_finish(struct column_changer *changer, struct error *error);

/* Deletes a trace's rows of event_column. */
bool column_table_remove(struct database *database, int64_t trace, struct error *error);

/* Compares event_column with `event` for a trace. Sets `what` to a description of the first
 * difference; empty if there is none, or the trace has no rows in event_column. */
bool column_table_compare(struct database *database, const struct column_range *range,
                          struct text *what, struct error *error);

/* --- checksums of columns and of events ------------------------------------------------------- */

/* Checksums of rows of `event_column`. Each row has one 64-bit number. The upper half is for all
 * values but the encoded ones, so that a scan can use the smallest and largest values of a chunk
 * without reading the encoded ones. The lower half is for the encoded values (event_chunk.h). Both
 * are lower halves of 64-bit XXH3. tracetool-schema(7) tells which bytes are hashed. */

/* Values of a row of event_column except the encoded ones. */
struct column_key {
    enum event_field field;
    int64_t trace, first, count, least, most;
    int64_t fields; /* in a row of the field `time`: bit 1 << enum event_field of each field in the
                       chunk; in other rows 0 */
};

/* Returns whether the upper half of the checksum `sum` is right for a row with these values. */
bool column_checksum_matches(const struct column_key *key, int64_t sum);

#endif

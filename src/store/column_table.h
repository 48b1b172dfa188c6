/* The table `event_column`: a trace's events stored again as columns, for scans.
 *
 * A trace has columns of all its events or none. It has none after a change by another program (see
 * triggers in schema.sql) or a restore from a dump. Columns are derived from the rows.
 */
#ifndef TRACETOOL_COLUMN_TABLE_H
#define TRACETOOL_COLUMN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/batch.h"
#include "model/event_chunk.h"
#include "store/connection.h"

/* --- during an import ------------------------------------------------------------------------- */

/* Writes the columns of the imported events. */
struct column_writer;

/* `columns` (enum event_column) are those that the trace has. Owned by the caller. */
struct column_writer *column_writer_new(struct database *database, int64_t trace, unsigned columns);
void column_writer_free(struct column_writer *writer);

/* Writes the chunk of events that begins at `first`, counted from 0 in the trace. */
bool column_writer_write(struct column_writer *writer, int64_t first,
                         const struct event_chunk *chunk, struct error *error);

/* Records the end of the call at `place`, whose chunk is already written. */
bool column_writer_end(struct column_writer *writer, int64_t place, const struct ending *ending,
                       struct error *error);

/* Writes the recorded ends of calls. */
bool column_writer_finish(struct column_writer *writer, struct error *error);

/* --- of an existing trace --------------------------------------------------------------------- */

enum column_state {
    COLUMNS_NONE,    /* the trace has no columns */
    COLUMNS_WHOLE,   /* the trace has columns of all its events */
    COLUMNS_DAMAGED, /* columns of more or fewer events than the trace has */
};

/* Ids of a trace's events; last < first: none. */
struct column_range {
    int64_t trace, first, last;
};

/* Sets an error: the trace's columns are damaged, and how to repair them. Always false. */
bool columns_damaged(struct database *database, int64_t trace, struct error *error);

/* Finds the state of a trace's columns from their event counts, without decoding. */
bool column_table_state(struct database *database, const struct column_range *range,
                        enum column_state *state, struct error *error);

/* Rebuilds the columns from the rows. */
bool column_table_make(struct database *database, const struct column_range *range,
                       struct error *error);

/* New values of an event, in some columns. */
struct event_change {
    int64_t id;                        /* event.id */
    uint32_t operation, actor, object; /* name, actor and object ids in the trace; 0: NULL */
    uint32_t flags;
    int64_t duration, response; /* EVENT_NONE: NULL */
};

/* Updates a trace's columns after its rows were changed. */
struct column_changer;

/* `columns`: any of EVENT_OPERATION, EVENT_ACTOR, EVENT_OBJECT, EVENT_FLAGS, EVENT_DURATION and
 * EVENT_RESPONSE. Owned by the caller. */
struct column_changer *column_changer_new(struct database *database,
                                          const struct column_range *range, unsigned columns);
void column_changer_free(struct column_changer *changer);

/* Sets new values of events; ids increase, also between calls. Does nothing for a trace without
 * columns. If a column is found damaged, all are rebuilt from the rows. */
bool column_changer_set(struct column_changer *changer, const struct event_change *changes,
                        size_t count, struct error *error);

/* Writes pending changes. More may follow. */
bool column_changer_finish(struct column_changer *changer, struct error *error);

/* Removes all columns of a trace. */
bool column_table_remove(struct database *database, int64_t trace, struct error *error);

/* Compares the columns with the rows. `what` receives the first problem; empty if there is none or
 * no columns. */
bool column_table_compare(struct database *database, const struct column_range *range,
                          struct text *what, struct error *error);

/* --- checksums -----------------------------------------------------------------------------------
 */

/* Checksums of the rows of `event_column`.
 *
 * A row has one 64-bit number. Its upper half covers everything except the code, so that a scan can
 * trust the extents of a chunk without reading it. The lower half covers the code (event_chunk.h).
 * Both are the lower halves of 64-bit XXH3. tracetool-schema(7) specifies the bytes.
 */

/* A row's values, except its code. */
struct column_key {
    enum event_field field;
    int64_t trace, first, count, least, most;
    int64_t fields; /* times: bit 1 << enum event_field for each field of the chunk; otherwise 0 */
};

/* Whether `sum` matches a row with this key, whatever its code. */
bool column_sum_fits(const struct column_key *key, int64_t sum);

#endif

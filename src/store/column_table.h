/* The table `event_column`: the events of a trace once more, as columns, for those who pass over
 * many of them.
 *
 * A trace has columns of all of its events or none: none when it was changed by another program
 * (triggers in schema.sql see to that) or restored from a dump. They are derived data:
 * what they say, the rows say, too.
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

/* --- with an import ------------------------------------------------------------------------------
 */

/* Writes the columns of the events that a trace gets. */
struct column_writer;

/* `columns` (enum event_column) are those of the trace. Owned by the caller. */
struct column_writer *column_writer_new(struct database *database, int64_t trace, unsigned columns);
void column_writer_free(struct column_writer *writer);

/* Writes the chunk of the events from `first` on; the trace's first event is 0. */
bool column_writer_write(struct column_writer *writer, int64_t first,
                         const struct event_chunk *chunk, struct error *error);

/* Notes the end of the call `place`; its chunk was written before. */
bool column_writer_end(struct column_writer *writer, int64_t place, const struct ending *ending,
                       struct error *error);

/* Writes what was noted. */
bool column_writer_finish(struct column_writer *writer, struct error *error);

/* --- of a trace that is there --------------------------------------------------------------------
 */

enum column_state {
    COLUMNS_NONE,    /* there are none */
    COLUMNS_WHOLE,   /* as many as there are events */
    COLUMNS_DAMAGED, /* of more or fewer events than there are */
};

/* The events of a trace, in ids; last < first: none. */
struct column_range {
    int64_t trace, first, last;
};

/* Says that the columns of a trace are damaged, and what to do. Always false. */
bool columns_damaged(struct database *database, int64_t trace, struct error *error);

/* Tells whether the trace has columns, by their numbers alone: nothing is decoded. */
bool column_table_state(struct database *database, const struct column_range *range,
                        enum column_state *state, struct error *error);

/* Makes them anew, out of the rows. */
bool column_table_make(struct database *database, const struct column_range *range,
                       struct error *error);

/* What is set of an event, of some columns. */
struct event_change {
    int64_t id;                        /* event.id */
    uint32_t operation, actor, object; /* ids of the trace's names, actors, objects; 0: NULL */
    uint32_t flags;
    int64_t duration, response; /* EVENT_NONE: NULL */
};

/* Changes the columns of a trace with its events, which were changed before. */
struct column_changer;

/* `columns`: some of EVENT_OPERATION, EVENT_ACTOR, EVENT_OBJECT, EVENT_FLAGS, EVENT_DURATION and
 * EVENT_RESPONSE. Owned by the caller. */
struct column_changer *column_changer_new(struct database *database,
                                          const struct column_range *range, unsigned columns);
void column_changer_free(struct column_changer *changer);

/* Sets what the events have now; ids ascend, also from call to call. A trace without columns stays
 * so; where one is damaged that is read, all are made anew out of the rows. */
bool column_changer_set(struct column_changer *changer, const struct event_change *changes,
                        size_t count, struct error *error);

/* Writes what is still held. Then it may go on. */
bool column_changer_finish(struct column_changer *changer, struct error *error);

/* Removes all columns of a trace. */
bool column_table_remove(struct database *database, int64_t trace, struct error *error);

/* Compares them with the rows. `what` is made to say what is wrong first; empty: nothing, or there
 * are none. */
bool column_table_compare(struct database *database, const struct column_range *range,
                          struct text *what, struct error *error);

/* --- checksums -----------------------------------------------------------------------------------
 */

/* The sums of the table `event_column`, by which a row is known to be as it was written.
 *
 * A row has one number of 64 bits. The upper half is of all that it says beside the code, so that
 * whoever passes a chunk over by its extents can trust these without reading it; the lower half is
 * of the code (event_chunk.h). Both are lower halves of XXH3 with 64 bits. tracetool-schema(7) says
 * which bytes they are of.
 */

/* What a row says beside its code. */
struct column_key {
    enum event_field field;
    int64_t trace, first, count, least, most;
    int64_t fields; /* of times: a bit 1 << enum event_field of each that the chunk has; else 0 */
};

/* Whether that is the sum of a row with this key, whatever its code. */
bool column_sum_fits(const struct column_key *key, int64_t sum);

#endif

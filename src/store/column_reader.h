/* The columns of a trace (column_table.h), chunk by chunk, for those who pass over its events.
 *
 * The reader uses the connection and is for one thread at a time; what it gives, a piece, is
 * decoded without it, by any thread.
 */
#ifndef TRACETOOL_COLUMN_READER_H
#define TRACETOOL_COLUMN_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event_chunk.h"
#include "store/column_table.h"

/* A chunk. Zeroed: none yet; to be freed. */
struct column_piece {
    int64_t first; /* id of its first event */
    size_t count;
    struct event_chunk_part
        parts[EVENT_FIELDS]; /* of the fields that are read; size 0: none has one */
    struct text bytes;       /* owned: codes, once they are loaded */
};

struct column_reader;

/* Begins to read `fields` (enum event_column; time always) of the chunks that have events with ids
 * from `first` to `last`. `*reader` is NULL, without an error, when the trace has no columns. Owned
 * by the caller. */
bool column_reader_open(struct column_reader **reader, struct database *database, int64_t trace,
                        int64_t first, int64_t last, unsigned fields, struct error *error);
void column_reader_close(struct column_reader *reader);

/* The next chunk, in order, with its extents, which have the sum that they were written with;
 * `*some`: there was one. Fails where the columns are damaged. */
bool column_reader_next(struct column_reader *reader, struct column_piece *piece, bool *some,
                        struct error *error);

/* Loads the codes of the chunk that was given last. */
bool column_reader_load(struct column_reader *reader, struct column_piece *piece,
                        struct error *error);

/* Decodes `fields` (enum event_column), or times when `fields` is 0, of all events into columns
 * with ids already. False when a code is damaged. */
bool column_piece_decode(const struct column_piece *piece, unsigned fields,
                         struct event_columns *columns);

void column_piece_free(struct column_piece *piece);

/* --- the pass ------------------------------------------------------------------------------------
 */

/* One pass over all events of a trace in order of time, on this thread and connection, for those
 * who look at them before there is a selection, or without one. */

struct event_pass {
    struct database *database;
    struct column_range range; /* the trace and the ids of its events */
    unsigned fields;           /* that are looked at beside id and time: enum event_column, but for
                                  EVENT_CPU and EVENT_ARGUMENTS */
    bool untimed;              /* not even these two are: they are not set */
    bool of_rows;              /* out of the rows even where there are columns */
    /* Gets events, in order of id, as often as there are some: `count` of them, at least 1. False
     * with `error` set ends the pass, which fails then. */
    bool (*visit)(void *context, const struct event_columns *columns, size_t count,
                  struct error *error);
};

/* Runs it; `context` is what visit() gets. False with `error` set. */
bool event_pass_run(const struct event_pass *pass, void *context, struct error *error);

/* The same for those who take two traces side by side: the events come when they are asked for.
 * Zeroed, with `ended`: to be closed. */
struct event_stream {
    struct event_pass pass;       /* without visit() */
    struct event_columns columns; /* owned: of what was given last */
    bool ended;
    /* Private. */
    struct column_reader *reader;
    struct column_piece piece;
    struct database_query query;
};

/* event_stream_close() in any case. */
bool event_stream_open(struct event_stream *stream, const struct event_pass *pass,
                       struct error *error);

/* The next events, in order of id, into `columns`; `*count` 0: there are no more. */
bool event_stream_next(struct event_stream *stream, size_t *count, struct error *error);

/* False where the statement that it reads by has failed. */
bool event_stream_close(struct event_stream *stream);

#endif

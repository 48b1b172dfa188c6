/* Reads the columns of a trace (column_table.h) chunk by chunk.
 *
 * The reader uses the connection, so only one thread may use it at a time. Its pieces can be
 * decoded by any thread.
 */
#ifndef TRACETOOL_COLUMN_READER_H
#define TRACETOOL_COLUMN_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event_chunk.h"
#include "store/column_table.h"

/* A chunk. Empty when zeroed; must be freed. */
struct column_piece {
    int64_t first; /* id of its first event */
    size_t count;
    struct event_chunk_part
        parts[EVENT_FIELDS]; /* encoded values of each requested field; size 0: none */
    struct text bytes;       /* owned: the codes, once loaded */
};

struct column_reader;

/* Opens a reader of `fields` (enum event_column; time always) for the chunks with event ids from
 * `first` to `last`. `*reader` is NULL, without an error, if the trace has no columns. Owned by the
 * caller. */
bool column_reader_open(struct column_reader **reader, struct database *database, int64_t trace,
                        int64_t first, int64_t last, unsigned fields, struct error *error);
void column_reader_close(struct column_reader *reader);

/* Reads the next chunk's extents, verified by their checksum; `*some` is false at the end. Fails if
 * the columns are damaged. */
bool column_reader_next(struct column_reader *reader, struct column_piece *piece, bool *some,
                        struct error *error);

/* Loads the codes of the chunk returned last. */
bool column_reader_load(struct column_reader *reader, struct column_piece *piece,
                        struct error *error);

/* Decodes `fields` (enum event_column; 0: times) of all events into columns that already have ids.
 * False if a code is damaged. */
bool column_piece_decode(const struct column_piece *piece, unsigned fields,
                         struct event_columns *columns);

void column_piece_free(struct column_piece *piece);

/* --- passes over all events ------------------------------------------------------------------- */

/* A pass over all events of a trace in time order, on this thread and connection. For code that
 * runs before, or without, a selection. */

struct event_pass {
    struct database *database;
    struct column_range range; /* the trace and its event ids */
    unsigned fields; /* fields needed besides id and time: enum event_column, except EVENT_CPU and
                        EVENT_ARGUMENTS */
    bool untimed;    /* does not need id and time either; they stay unset */
    bool of_rows;    /* reads rows even if there are columns */
    /* Called with successive events in order of id, `count` at a time, at least 1. Returning false
     * with `error` set aborts the pass. */
    bool (*visit)(void *context, const struct event_columns *columns, size_t count,
                  struct error *error);
};

/* Runs a pass; `context` is passed to visit(). False with `error` set. */
bool event_pass_run(const struct event_pass *pass, void *context, struct error *error);

/* A pass whose events the caller asks for, so that it can read two traces in parallel. If zeroed,
 * with `ended` set, it needs no opening before it is closed. */
struct event_stream {
    struct event_pass pass;       /* what to read; visit() is not used */
    struct event_columns columns; /* owned: the events returned last */
    bool ended;
    /* Private. */
    struct column_reader *reader;
    struct column_piece piece;
    struct database_query query;
};

/* Always call event_stream_close(). */
bool event_stream_open(struct event_stream *stream, const struct event_pass *pass,
                       struct error *error);

/* Reads the next events, in order of id, into `columns`; `*count` is 0 at the end. */
bool event_stream_next(struct event_stream *stream, size_t *count, struct error *error);

/* False if its statement has failed. */
bool event_stream_close(struct event_stream *stream);

#endif

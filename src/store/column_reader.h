/* Reads a trace's columnar copy of events (column_table.h), a chunk at a time. A reader uses the
 * database connection, so only one thread at a time may use it. Any thread can decode a chunk that
 * was read. */
#ifndef TRACETOOL_COLUMN_READER_H
#define TRACETOOL_COLUMN_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event_chunk.h"
#include "store/column_table.h"

/* A chunk (consecutive events, encoded by column) as read from event_column. Zeroed: empty. Must be
 * freed. */
struct column_chunk {
    int64_t first; /* id of the chunk's first event */
    size_t count;
    struct event_chunk_part
        parts[EVENT_FIELDS]; /* encoded values of each requested field; size 0: not in the chunk */
    struct text bytes;       /* owned: encoded values of all fields, after column_reader_load() */
};

struct column_reader;

/* Opens a reader of `fields` (enum event_column; times are always read) for the chunks with event
 * ids from `first` to `last`. The caller owns `*reader`. Sets it to NULL, without an error, if the
 * trace has no rows in event_column. */
bool column_reader_open(struct column_reader **reader, struct database *database, int64_t trace,
                        int64_t first, int64_t last, unsigned fields, struct error *error);
void column_reader_close(struct column_reader *reader);

/* Reads each field's smallest and largest value in the next chunk, and verifies them by a checksum.
 * Sets `*some` to false after the last chunk. Fails if the rows are damaged. */
bool column_reader_next(struct column_reader *reader, struct column_chunk *piece, bool *some,
                        struct error *error);

/* Loads the encoded values of the chunk that column_reader_next() read last. */
bool column_reader_load(struct column_reader *reader, struct column_chunk *piece,
                        struct error *error);

/* Decodes `fields` (enum event_column; 0: only times) of all events of a chunk into `columns`,
 * whose `id` is already set. Returns false if the encoded values are damaged. */
bool column_chunk_decode(const struct column_chunk *piece, unsigned fields,
                         struct event_columns *columns);

void column_chunk_free(struct column_chunk *piece);

/* --- passes over all events ------------------------------------------------------------------- */

/* Reads all events of a trace in order of time, on the calling thread and connection. For code that
 * runs before a selection of events exists (select/selection.h), or needs none. */

struct event_pass {
    struct database *database;
    struct column_range range; /* the trace and its range of event ids */
    unsigned fields; /* fields to read besides id and time: enum event_column, but not EVENT_CPU and
                        EVENT_ARGUMENTS */
    bool untimed;    /* true: does not set the columns id and time */
    bool of_rows;    /* true: reads the rows of `event` even if the trace has a columnar copy */
    /* Called with `count` events, at least 1, in the order of ids. To stop, it returns false and
     * sets `error`. */
    bool (*visit)(void *context, const struct event_columns *columns, size_t count,
                  struct error *error);
};

/* Reads the events and calls `visit` with `context`. Returns false and sets `error` on failure. */
bool event_pass_run(const struct event_pass *pass, void *context, struct error *error);

/* Reads events in steps that the caller controls, so that two traces can be read alternately. A
 * zeroed stream with `ended` set may be closed without having been opened. */
struct event_stream {
    struct event_pass pass;       /* what to read; visit() is not used */
    struct event_columns columns; /* owned: the events that event_stream_next() returned last */
    bool ended;
    /* Private. */
    struct column_reader *reader;
    struct column_chunk piece;
    struct database_query query;
};

/* Opens a stream. Call event_stream_close() in any case. */
bool event_stream_open(struct event_stream *stream, const struct event_pass *pass,
                       struct error *error);

/* Reads the next events, in the order of ids, into `stream->columns`. Sets `*count` to 0 at the
 * end. */
bool event_stream_next(struct event_stream *stream, size_t *count, struct error *error);

/* Closes the stream. Returns false if its SQL statement had failed. */
bool event_stream_close(struct event_stream *stream);

#endif

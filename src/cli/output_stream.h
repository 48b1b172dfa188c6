/* An output stream to a pipe or terminal that may block.
 *
 * A read transaction blocks writers. When the pager stalls and another program wants to write, the
 * rest of the output goes to an unnamed temporary file and the database is released. The file is
 * written out after the database is closed.
 *
 * On a terminal the first rows are buffered until the output exceeds one screen. Then a pager is
 * started.
 */
#ifndef TRACETOOL_OUTPUT_STREAM_H
#define TRACETOOL_OUTPUT_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "store/database.h"
#include "output/printer.h"

/* In characters, at least 1 each. */
struct terminal_size {
    int columns, rows;
};

struct output_stream;

/* How output is paged. */
struct paging {
    const char *command; /* of the pager, borrowed; NULL: there is none */
    struct terminal_size screen;
    void (*complain)(const char *message); /* when it cannot be started; any bytes */
};

/* Whether writing to the descriptor may block; false for files. */
bool output_stream_is_useful(int descriptor);

/* Opens a stream to the descriptor. */
struct output_stream *output_stream_open(int descriptor, const struct paging *paging);

/* The stream, which output_stream_close() closes. */
FILE *output_stream_file(struct output_stream *stream);

/* The database, borrowed, is open from now on: the stream makes way for writers. */
void output_stream_guard(struct output_stream *stream, const struct database *database);

/* Call it after the stream was flushed and the database closed. Writes out the temporary file,
 * however long that takes. False with `error` set when a write failed, now or before. */
bool output_stream_release(struct output_stream *stream, struct error *error);

/* Ends the buffering of the first screen: no more output is to come. True when a pager shows it;
 * then write nothing else to the terminal. Later calls report errors. */
bool output_stream_settle(struct output_stream *stream);

/* Writes the rest and waits for the pager. False with `error` set when a write failed, now or
 * before, or the pager failed. `*is_left`: the cause is that the reader closed the pipe before the
 * end. */
bool output_stream_close(struct output_stream *stream, bool *is_left, struct error *error);

/* The pager's command; NULL: none, since the user wants none (an empty variable, or `cat`), or
 * names none and there is no less. Borrowed. Sets LESS and LV, for pagers, where the user has not:
 * to be called before there are threads. */
const char *pager_command(void);

/* Whether the terminal can do more than show one line below the other: TERM says so, other than
 * `dumb`. */
bool terminal_is_able(void);

#endif

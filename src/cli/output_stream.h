/* An output stream to a pipe or terminal, where writing may block.
 *
 * A read transaction blocks writers of the database. If the reader of the output is slow while
 * another program waits to write, the rest of the output goes to an unnamed temporary file, and the
 * database is released. The file is written to the output after the database is closed.
 *
 * On a terminal, the first rows are held back. If the output exceeds one screen, a pager is
 * started. */
#ifndef TRACETOOL_OUTPUT_STREAM_H
#define TRACETOOL_OUTPUT_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "store/database.h"
#include "output/printer.h"

/* Size of a terminal in characters; both numbers are at least 1. */
struct terminal_size {
    int columns, rows;
};

struct output_stream;

/* Parameters of paging. */
struct paging {
    const char *command; /* borrowed; command that starts the pager; NULL: no pager */
    struct terminal_size screen;
    /* Called with a message if the pager cannot be started. The message may contain any bytes. */
    void (*complain)(const char *message);
};

/* Opens a stream to standard output. */
struct output_stream *output_stream_open(const struct paging *paging);

/* Returns the stream as a FILE, which is closed by output_stream_close(). */
FILE *output_stream_file(struct output_stream *stream);

/* Sets the open database, borrowed. From now on, the stream releases it if another program waits to
 * write to it while output blocks. */
void output_stream_set_database(struct output_stream *stream, const struct database *database);

/* Writes the temporary file to the output, however long that takes. Called after the stream was
 * flushed and the database was closed. Returns false with `error` set if any write has failed. */
bool output_stream_write_held_back(struct output_stream *stream, struct error *error);

/* Stops holding back output, since no more output follows. Returns true if a pager shows it; then
 * nothing else may be printed on the terminal. Errors are reported by later calls. */
bool output_stream_end_holding_back(struct output_stream *stream);

/* Writes the rest of the output and waits for the pager. Returns false with `error` set if any
 * write or the pager failed. `*is_left`: the reader closed the pipe before the end. */
bool output_stream_close(struct output_stream *stream, bool *is_left, struct error *error);

/* Returns the command of the pager, borrowed; NULL: none. It is that of TRACETOOL_PAGER or PAGER in
 * the environment; if neither is set, less, if that exists. An empty variable or `cat` means no
 * pager. Sets LESS and LV for pagers unless the user did. Must be called before threads start. */
const char *pager_command(void);

/* Returns whether the terminal can do more than print lines: TERM is set and not `dumb`. */
bool terminal_supports_escapes(void);

#endif

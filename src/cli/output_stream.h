/* An output stream to a pipe or terminal that may block.
 *
 * A read transaction blocks writers. When the pager stalls and another program wants to write, the
 * rest of the output goes to an unnamed temporary file and the database is released. The file is
 * written out after the database is closed.
 *
 * On a terminal the first rows are buffered until the output exceeds one screen. Then a pager is
 * started. */
#ifndef TRACETOOL_OUTPUT_STREAM_H
#define TRACETOOL_OUTPUT_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "store/database.h"
#include "output/printer.h"

/* Size in characters; at least 1 each. */
struct terminal_size {
    int columns, rows;
};

struct output_stream;

/* How output is paged. */
struct paging {
    const char *command; /* command of the pager, borrowed; NULL: no pager */
    struct terminal_size screen;
    void (*complain)(const char *message); /* reports that the pager cannot be started; the message
                                              can contain any bytes */
};

/* Opens a stream to standard output. */
struct output_stream *output_stream_open(const struct paging *paging);

/* Returns the stream as a FILE; output_stream_close() closes it. */
FILE *output_stream_file(struct output_stream *stream);

/* Sets the open database, borrowed: the stream gives way to its writers from now on. */
void output_stream_guard(struct output_stream *stream, const struct database *database);

/* Call it after the stream was flushed and the database closed. Writes out the temporary file,
 * however long that takes. False with `error` set when a write failed, now or before. */
bool output_stream_release(struct output_stream *stream, struct error *error);

/* Ends the buffering of the first screen, because no more output follows. Returns true if a pager
 * shows it; then print nothing else on the terminal. Later calls report errors. */
bool output_stream_settle(struct output_stream *stream);

/* Writes the rest and waits for the pager. False with `error` set if a write failed, now or before,
 * or the pager failed. `*is_left`: the reader closed the pipe before the end. */
bool output_stream_close(struct output_stream *stream, bool *is_left, struct error *error);

/* Returns the pager's command, borrowed; NULL: none. The user can disable it by an empty variable
 * or `cat`; without a variable, less is used if it exists. Sets LESS and LV for pagers unless the
 * user did; call it before threads start. */
const char *pager_command(void);

/* Returns whether the terminal can do more than print lines: TERM is set and not `dumb`. */
bool terminal_is_able(void);

#endif

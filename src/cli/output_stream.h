/* An output stream to a pipe or terminal, where writing may block.
 *
 * A read transaction blocks writers of the database. If the reader of the output is slow, and
 * another program wants to write, the rest of the output goes to an unnamed temporary file, and the
 * database is released. The file is written out after the database is closed.
 *
 * On a terminal the first rows are held back until the output exceeds one screen. Then a pager is
 * started. */
#ifndef TRACETOOL_OUTPUT_STREAM_H
#define TRACETOOL_OUTPUT_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "store/database.h"
#include "output/printer.h"

/* Size of a terminal in characters; both are at least 1. */
struct terminal_size {
    int columns, rows;
};

struct output_stream;

/* How output is paged. */
struct paging {
    const char *command; /* borrowed; command of the pager; NULL: no pager */
    struct terminal_size screen;
    /* Tells that the pager cannot be started; the message can contain any bytes. */
    void (*complain)(const char *message);
};

/* Opens a stream to standard output. */
struct output_stream *output_stream_open(const struct paging *paging);

/* Returns the stream as a FILE, which output_stream_close() closes. */
FILE *output_stream_file(struct output_stream *stream);

/* Sets the open database, borrowed. From now on the stream gives way to writers of it. */
void output_stream_guard(struct output_stream *stream, const struct database *database);

/* Writes out the temporary file, however long that takes. Called after the stream was flushed and
 * the database closed. False with `error` set when a write failed, now or before. */
bool output_stream_release(struct output_stream *stream, struct error *error);

/* Ends holding back the first screen, because no more output follows. Returns true if a pager shows
 * it; then nothing else may be printed on the terminal. Later calls report errors. */
bool output_stream_end_holding_back(struct output_stream *stream);

/* Writes the rest and waits for the pager. False with `error` set if a write failed, now or before,
 * or the pager failed. `*is_left`: the reader closed the pipe before the end. */
bool output_stream_close(struct output_stream *stream, bool *is_left, struct error *error);

/* Returns the command of the pager, borrowed; NULL: none. The user can disable it by an empty
 * variable or `cat`. Without a variable it is less, if that exists. Sets LESS and LV for pagers
 * unless the user did. Called before threads start. */
const char *pager_command(void);

/* Returns whether the terminal can do more than print lines: TERM is set and not `dumb`. */
bool terminal_is_able(void);

#endif

/* Where output goes that may have to wait for who reads it: a stream to a pipe or terminal.
 *
 * A reader of the database keeps programs that write from it, and one whose output is not read,
 * as behind a pager, would do so for hours. So when the output does not move, and another program
 * wants to write, the rest of it goes to a temporary file without a name, from where it is written
 * when the database is closed.
 *
 * Before a screen the first rows wait until it is known whether there is more than the screen
 * holds. Then it goes to a pager.
 */
#ifndef TRACETOOL_OUTLET_H
#define TRACETOOL_OUTLET_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/terminal.h"
#include "store/database.h"

struct outlet;

/* How output is paged. */
struct paging {
    const char *command; /* of the pager, borrowed; NULL: there is none */
    struct terminal_size screen;
    void (*complain)(const char *message); /* when it cannot be started; any bytes */
};

/* Whether writing to the descriptor may have to wait: not for files. */
bool outlet_is_useful(int descriptor);

/* NULL with `error` set on failure. */
struct outlet *outlet_open(int descriptor, const struct paging *paging, struct error *error);

/* The stream, which outlet_close() closes. */
FILE *outlet_stream(struct outlet *outlet);

/* The database, borrowed, is open from now on: who wants to write is let in. */
void outlet_guard(struct outlet *outlet, const struct database *database);

/* The database is closed, the stream flushed before: what was put aside is written, however long
 * that takes. False with `error` set when something could not be written, then or before. */
bool outlet_release(struct outlet *outlet, struct error *error);

/* Shows what waits for more than the screen holds: no more is to come. Whether a pager shows it;
 * then nothing else should be written on the terminal. What fails is told later. */
bool outlet_settle(struct outlet *outlet);

/* Writes the rest and waits for the pager. False with `error` set when something could not be
 * written, then or before, or the pager failed. `*is_left`: it is for want of a reader, who has
 * gone before the end. */
bool outlet_close(struct outlet *outlet, bool *is_left, struct error *error);

#endif

/* Where rows go while the database is open: a stream to a pipe or terminal.
 *
 * A reader of the database keeps programs that write from it, and one whose output is not read,
 * as behind a pager, would do so for hours. So when the output does not move, and another program
 * wants to write, the rest of it goes to a temporary file without a name, from where it is written
 * when the database is closed.
 */
#ifndef TRACETOOL_OUTLET_H
#define TRACETOOL_OUTLET_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "store/database.h"

struct outlet;

/* Whether writing to the descriptor may have to wait: not for files. */
bool outlet_is_useful(int descriptor);

/* Both are borrowed; the database must not be closed while something is written. NULL with `error`
 * set on failure. */
struct outlet *outlet_open(int descriptor, const struct database *database, struct error *error);

/* The stream, which outlet_close() closes. */
FILE *outlet_stream(struct outlet *outlet);

/* Writes the rest, for which the database is not needed any more once the stream was flushed. False
 * with `error` set when something could not be written, then or before. */
bool outlet_close(struct outlet *outlet, struct error *error);

#endif

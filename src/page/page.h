/* A page: one HTML file to be sent around.
 *
 * From the top: what it is of; how good the data are (a row a trace, what was not kept and why);
 * key numbers, a column a trace; contents; a section a report, with picture, table, what its
 * columns hold, the command that prints it, its data and its SQL; and how the page was made. It
 * loads nothing, and says the same without script and without style. The same input gives the same
 * bytes.
 *
 * At most one section is held in memory.
 */
#ifndef TRACETOOL_PAGE_H
#define TRACETOOL_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "page/request.h"

/* Writes the page. What was written before a failure is of no use. `undrawn`: has a message where
 * the page is whole but for pictures that gnuplot did not draw. */
bool page_write(const struct page_request *request, FILE *file, struct error *undrawn,
                struct error *error);

#endif

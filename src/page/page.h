/* A page: one HTML file to be sent around.
 *
 * From the top: what it is of; what is in it, of several traces in a row each; contents; a section
 * a report, those first that answer most, with picture, table, what its columns hold, the command
 * that prints it, its data and its SQL; those with nothing to say, in one line; key numbers; how
 * good the data are; and how the page was made. It loads nothing, and says the same without script
 * and without style. The same input gives the same bytes.
 *
 * The whole page is held in memory until its contents are known.
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

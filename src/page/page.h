/* Writes a page: one self-contained HTML file for sharing.
 *
 * Order: the subject; the content, with a row for each of several traces; table of contents; a
 * section per report, the most informative first; the empty reports in one line; key numbers; data
 * quality; how the page was made. A section has picture, table, meaning of the columns, the
 * command that prints it, data and SQL. The page loads nothing, and is complete without script and
 * style. The same input gives the same bytes.
 *
 * The whole page is held in memory until its contents are known. */
#ifndef TRACETOOL_PAGE_H
#define TRACETOOL_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "page/request.h"

/* Writes the page. After a failure, the partial output is useless. `undrawn` has a message if the
 * page is complete except for pictures that gnuplot did not draw. */
bool page_write(const struct page_request *request, FILE *file, struct error *undrawn,
                struct error *error);

#endif

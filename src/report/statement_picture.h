/* A picture of any statement: of its first column, the second; a third one names the series. With
 * a number first, points, joined by lines where they follow one another; with text first, bars. */
#ifndef TRACETOOL_STATEMENT_PICTURE_H
#define TRACETOOL_STATEMENT_PICTURE_H

#include "output/printer.h"
#include "store/database.h"

/* Rows that are drawn; gnuplot holds them. */
#define STATEMENT_PICTURE_ROWS 1000000

/* Runs the statement, which the caller finalizes and which has not been stepped, and prints its
 * rows, `top` at most (0: all), with `printer`, of the style gnuplot. `sql` is what the picture
 * says it is of. Fails where columns are of other types than that, or there are too many rows. */
bool statement_picture(struct database *database, sqlite3_stmt *statement, const char *sql,
                       struct printer *printer, int64_t top, struct error *error);

#endif

/* Rows of events that wait until their ids are known, in a temporary file.
 *
 * They are records already (batch_pages.h), and become pages once more when they are placed: SQL
 * would take each row apart twice.
 */
#ifndef TRACETOOL_STAGED_ROWS_H
#define TRACETOOL_STAGED_ROWS_H

#include "model/batch_pages.h"
#include "store/row_pages.h"

struct staged_rows;

/* Rows that will be written by `pages`, borrowed; NULL where that is NULL. Owned by the caller;
 * makes no file before there are rows. */
struct staged_rows *staged_rows_new(struct row_pages *pages);
void staged_rows_free(struct staged_rows *staged); /* NULL is allowed */

/* Adds the rows of a batch, of which all fit. False with `error` set when the disk is full. */
bool staged_rows_add(struct staged_rows *staged, const struct batch_pages *rows,
                     struct error *error);

/* Writes all rows into main.event, with ids that are larger by `behind`. Nothing can be added
 * afterwards. NULL is allowed: there are none. */
bool staged_rows_place(struct staged_rows *staged, int64_t behind, struct error *error);

#endif

/* Staging of event rows in a temporary file until their ids are known.
 *
 * They are stored as records (batch_pages.h) and become pages again when placed: SQL would decode
 * each row twice.
 */
#ifndef TRACETOOL_STAGED_ROWS_H
#define TRACETOOL_STAGED_ROWS_H

#include "model/batch_pages.h"
#include "store/row_pages.h"

struct staged_rows;

/* For rows to be written by `pages`, borrowed; NULL if that is NULL. Owned by the caller. Creates
 * no file before the first row. */
struct staged_rows *staged_rows_new(struct row_pages *pages);
void staged_rows_free(struct staged_rows *staged); /* NULL is allowed */

/* Adds the rows of a batch, which must fit. False with `error` set if the disk is full. */
bool staged_rows_add(struct staged_rows *staged, const struct batch_pages *rows,
                     struct error *error);

/* Writes all rows to main.event, with `behind` added to their ids. Nothing can be added afterwards.
 * NULL is allowed: no rows. */
bool staged_rows_place(struct staged_rows *staged, int64_t behind, struct error *error);

#endif

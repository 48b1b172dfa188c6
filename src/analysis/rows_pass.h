/* The rows of the statement behind a line `-- NAME` in a query file, for an analysis that takes
 * rows. */
#ifndef TRACETOOL_ROWS_PASS_H
#define TRACETOOL_ROWS_PASS_H

#include "analysis/analysis.h"

/* Takes a row of the statement: its first column, of `length` bytes, "" for NULL, and its second,
 * 0 for NULL. */
typedef bool rows_taker(void *taker, const char *part, size_t length, int64_t value,
                        struct error *error);

/* `functions` of such an analysis. */
bool rows_pass_register(struct database *database, struct error *error);

/* Runs the statement once; fails, too, where there is none. */
bool rows_pass_run(const struct analysis_context *context, rows_taker *take, void *taker,
                   struct error *error);

#endif

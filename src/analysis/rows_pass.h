/* The rows of the statement behind a line `-- NAME` in a query file, for an analysis that takes
 * rows. */
#ifndef TRACETOOL_ROWS_PASS_H
#define TRACETOOL_ROWS_PASS_H

#include "analysis/analysis.h"

/* Receives a row of the statement: its first column, of `length` bytes, "" for NULL, and its
 * second, 0 for NULL. */
typedef void rows_taker(void *state, const char *part, size_t length, int64_t value);

/* The `functions` of such an analysis. */
bool rows_pass_register(struct database *database, struct error *error);

/* Runs the statement once, for an analysis with that state. Fails if there is no statement. */
void rows_pass_run(struct analysis_context *context, rows_taker *take, void *state);

#endif

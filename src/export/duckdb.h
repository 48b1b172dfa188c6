/* DuckDB's library, which is loaded when it is asked for: the program is built and runs without it.
 */
#ifndef TRACETOOL_DUCKDB_H
#define TRACETOOL_DUCKDB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Loads the library that $TRACETOOL_DUCKDB names, else libduckdb.so, where the system finds it.
 * False with `error` set when it is not there or lacks something; again is welcome. */
bool duckdb_library_load(struct error *error);

/* Runs a statement in a database of its own, which is in memory and gone afterwards; it neither
 * loads nor fetches extensions. `*rows` becomes the number of rows that it wrote. */
bool duckdb_library_run(const char *sql, int64_t *rows, struct error *error);

#endif

/* Environment of reports: a database, a configuration and the queries. It runs reports and
 * selections one after another, on one connection. */
#ifndef TRACETOOL_WORKSPACE_H
#define TRACETOOL_WORKSPACE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "config/config.h"
#include "output/printer.h"
#include "report/query_set.h"
#include "select/selection.h"
#include "store/catalog.h"
#include "store/database.h"

/* Reads the value in a column of a statement's current row. Its bytes are valid until the next row.
 * If other threads use the database, the caller must hold database_lock(): locking here for each
 * value would cost 6 % of long reports. */
void row_value(sqlite3_stmt *statement, int column, struct value *value);

/* Returns the index of a statement's last column if it is called _kind; otherwise -1. That column
 * is not printed. It gives the kind (enum column_kind, in lower case) of the value before it,
 * optionally followed by a unit that replaces the kind's usual unit. */
int row_kind_column(sqlite3_stmt *statement);

/* Returns the index of the column _more, after the printed columns; -1 if there is none. The sum of
 * its values is the number of rows that --all adds. */
int row_find_more_column(sqlite3_stmt *statement);

/* Sets the kind and unit of a value from column _kind (row_kind_column()) of the current row;
 * COLUMN_ANY if unknown. The unit is valid as long as the value. */
void row_set_kind(sqlite3_stmt *statement, int column, struct value *value);

struct workspace {
    struct database *database; /* borrowed, like all pointers here */
    const struct config *config;
    const struct query_set *queries; /* NULL: the workspace cannot run reports */
    struct catalog catalog;          /* owned; all traces, loaded by workspace_begin() */
    unsigned begun; /* nesting depth: workspace_begin() calls without their workspace_end() */
    bool own_transaction;
};

/* Opens a workspace, and registers the SQL functions. Called once per connection, before any
 * statement runs on it. workspace_close() must be called before the database is closed. */
bool workspace_open(struct workspace *workspace, struct database *database,
                    const struct config *config, const struct query_set *queries,
                    struct error *error);
void workspace_close(struct workspace *workspace);

/* Begins to use a workspace; calls may be nested. The outermost one loads the catalog and begins a
 * transaction, unless there is one, so that all reads use one snapshot. workspace_end() follows. */
bool workspace_begin(struct workspace *workspace, struct error *error);
void workspace_end(struct workspace *workspace);

/* Selects events and makes them readable by SQL. Call selection_close() even on failure. */
bool workspace_select(struct temp_schema *temp, const struct selection_request *request,
                      struct selection *selection, struct error *error);

#endif

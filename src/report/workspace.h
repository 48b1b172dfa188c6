/* Environment of reports: a database, a configuration and the queries. Reports and selections run
 * in it one after another, on one connection. */
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
 * If other threads use the database, the caller holds its lock: this function takes none, because
 * that costs 6 % of long reports. */
void row_value(sqlite3_stmt *statement, int column, struct value *value);

/* Returns the index of a statement's last column if it is called _kind; -1 if not. It is not
 * printed, but gives the kind (enum column_kind, in lower case) of the value before it, optionally
 * followed by a unit that replaces the kind's own. */
int row_kind_column(sqlite3_stmt *statement);

/* Returns the index of the column _more, after the printed ones; -1 if there is none. Its values
 * add up to the number of rows that --all adds. */
int row_find_more_column(sqlite3_stmt *statement);

/* Reads the kind and unit of a value from the column _kind (row_kind_column()) of the current row;
 * COLUMN_ANY if unknown. The unit is valid as long as the value. */
void row_set_kind(sqlite3_stmt *statement, int column, struct value *value);

struct workspace {
    struct database *database; /* borrowed, like all members except the catalog */
    const struct config *config;
    const struct query_set *queries; /* NULL: the workspace can run no reports */
    struct catalog catalog;          /* owned; the list of traces, loaded by workspace_begin() */
    unsigned begun;                  /* number of calls of workspace_begin() that were not ended */
    bool own_transaction;
};

/* Opens a workspace. Registers the SQL functions, so it is called once per connection, before any
 * statement runs on it. workspace_close() must be called, before the database is closed. */
bool workspace_open(struct workspace *workspace, struct database *database,
                    const struct config *config, const struct query_set *queries,
                    struct error *error);
void workspace_close(struct workspace *workspace);

/* Begins to use a workspace; calls may be nested. The outermost one loads the catalog and begins a
 * transaction, unless there is one, so that all reads are from one snapshot. Each successful call
 * needs a workspace_end(). */
bool workspace_begin(struct workspace *workspace, struct error *error);
void workspace_end(struct workspace *workspace);

/* Creates a selection with events readable by SQL. selection_close() must always be called. */
bool workspace_select(struct temp_schema *temp, const struct selection_request *request,
                      struct selection *selection, struct error *error);

#endif

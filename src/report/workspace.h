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

/* Reads a value of a statement's current row. Its bytes are valid until the next row. Hold the
 * database's lock while other threads use it: this function takes none, because that costs 6 % of
 * long reports. */
void row_value(sqlite3_stmt *statement, int column, struct value *value);

/* Returns the last column of a statement if it is called _kind, which is not printed. It gives the
 * kind (enum column_kind, in lower case) of the preceding value, optionally followed by a unit that
 * replaces the kind's own. -1 if there is none. */
int row_kind_column(sqlite3_stmt *statement);

/* Returns the column _more, after the printed ones: how many rows --all adds; each row has a part
 * of them. -1 if there is none. */
int row_find_more_column(sqlite3_stmt *statement);

/* Sets a value's kind and unit from the column _kind (row_kind_column()) of the current row;
 * COLUMN_ANY if unknown. The unit is valid as long as the value. */
void row_set_kind(sqlite3_stmt *statement, int column, struct value *value);

struct workspace {
    struct database *database; /* borrowed, like all except the catalog */
    const struct config *config;
    const struct query_set *queries; /* NULL: no queries and no reports */
    struct catalog catalog;          /* owned; loaded by workspace_begin() */
    unsigned begun;                  /* number of users of the transaction */
    bool own_transaction;
};

/* Registers the SQL functions; once per connection, before any statement runs. Always call
 * workspace_close(), before closing the database. */
bool workspace_open(struct workspace *workspace, struct database *database,
                    const struct config *config, const struct query_set *queries,
                    struct error *error);
void workspace_close(struct workspace *workspace);

/* Calls may be nested. The outermost one loads the catalog and begins a transaction, unless there
 * is one, so that all reads are from one snapshot. Each successful call needs a workspace_end(). */
bool workspace_begin(struct workspace *workspace, struct error *error);
void workspace_end(struct workspace *workspace);

/* Creates a selection and makes its events readable. Always call selection_close(). */
bool workspace_select(struct temp_schema *temp, const struct selection_request *request,
                      struct selection *selection, struct error *error);

#endif

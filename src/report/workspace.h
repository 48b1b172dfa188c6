/* Where reports are made: a database, a configuration and the queries. Any number of reports, and
 * of selections, live in it one after another, on the one connection. */
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

/* A value of the row that a statement is at. Its bytes stay until the next row. */
void row_value(sqlite3_stmt *statement, int column, struct value *value);

/* The last column of a statement if it is called _kind, which is not printed: it names the kind
 * (enum column_kind, in lower case) of the value before it, and behind that its unit, unless it is
 * the kind's own. -1: there is none. */
int row_kind_column(sqlite3_stmt *statement);

/* The column of a statement that is called _more, behind those that are printed: how many rows the
 * report has with --all besides these, in each row a part of them. -1: there is none. */
int row_more_column(sqlite3_stmt *statement);

/* Gives the value the kind and unit that the column says in the current row; COLUMN_ANY when that
 * is nothing that is known. The unit stays as long as the value does. */
void row_set_kind(sqlite3_stmt *statement, int column, struct value *value);

struct workspace {
    struct database *database; /* borrowed, as is all but the catalog */
    const struct config *config;
    const struct query_set *queries; /* NULL: there are none, and no reports */
    struct catalog catalog;          /* owned; as workspace_begin() found it */
    unsigned begun;                  /* how many want the transaction */
    bool own_transaction;
};

/* Registers the SQL functions: once a connection, before any statement runs on it. Ended by
 * workspace_close() in any case, before the database is closed. */
bool workspace_open(struct workspace *workspace, struct database *database,
                    const struct config *config, const struct query_set *queries,
                    struct error *error);
void workspace_close(struct workspace *workspace);

/* From the first one to its end all that is read is of one moment: loads the catalog, and begins a
 * transaction unless there is one. For each that succeeds there is one end. */
bool workspace_begin(struct workspace *workspace, struct error *error);
void workspace_end(struct workspace *workspace);

/* Makes a selection whose events can be read, which selection_close() ends in any case. */
bool workspace_select(struct temp_schema *temp, const struct selection_request *request,
                      struct selection *selection, struct error *error);

#endif

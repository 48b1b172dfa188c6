/* Where reports are made: a database, a configuration and the queries. Any number of reports, and
 * of selections, live in it at once or one after another, on the one connection. */
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

/* The rows of statements that are read side by side.
 *
 * SQLite may abort a statement that runs while another one makes or drops a temporary table. So
 * whoever is about to do that has the rows that others have not read yet put aside, into a
 * temporary database of SQLite's (on disk, when they are many), out of which they are read then.
 */

/* Those of one connection that are open; zeroed: none. */
struct rows_list {
    struct rows *first;
};

/* Zeroed: closed. */
struct rows {
    struct rows_list *list;    /* borrowed; NULL: they are not put aside */
    struct database *database; /* that the statement reads: borrowed, or `aside` */
    sqlite3_stmt *statement;   /* owned */
    struct database aside;     /* its handle owned; NULL: not put aside */
    struct error failed;       /* what ended them while they were put aside; EXIT_DONE: nothing */
    struct rows *next;
};

/* Takes the statement, of database_take_reading(), which has not been stepped yet; rows_close()
 * gives it back. `rows` stays where it is until then. */
void rows_open(struct rows *rows, struct rows_list *list, struct database *database,
               sqlite3_stmt *statement);
void rows_close(struct rows *rows);

/* Goes to the next row; `*row`: there is one. */
bool rows_next(struct rows *rows, bool *row, struct error *error);

/* Begins anew, before anything else was done on the connection. */
bool rows_again(struct rows *rows, struct error *error);

/* A value of the row. Its bytes stay until the next call for any rows of the list. */
void rows_value(const struct rows *rows, int column, struct value *value);

/* The last column of a statement if it is called _kind, which is not printed: it names the kind
 * (enum column_kind, in lower case) of the value before it, and behind that its unit, unless it is
 * the kind's own. -1: there is none. */
int rows_kind_column(sqlite3_stmt *statement);

/* Gives the value the kind and unit that the column says in the current row; COLUMN_ANY when that
 * is nothing that is known. The unit stays as long as the value does. */
void rows_set_kind(const struct rows *rows, int column, struct value *value);

/* Puts aside what is left of all rows that have been begun; a failure is reported by
 * rows_next() of those that it has met. The rows in hand are gone. */
void rows_put_aside(struct rows_list *list);

/* Most reports and selections at once. */
#define WORKSPACE_TEMPS 32

struct workspace {
    struct database *database; /* borrowed, as is all but the catalog */
    const struct config *config;
    const struct query_set *queries; /* NULL: there are none, and no reports */
    struct catalog catalog;          /* owned; as workspace_begin() found it */
    unsigned begun;                  /* how many want the transaction */
    bool own_transaction;
    unsigned temps;        /* bit set of those that are used */
    struct rows_list rows; /* that are being read */
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

/* Temporary tables of a user's own, until workspace_end_temp(). False when too many are used. */
bool workspace_temp(struct workspace *workspace, struct temp_schema *temp, struct error *error);
void workspace_end_temp(struct workspace *workspace, struct temp_schema *temp);

/* Makes a selection whose events can be read, which workspace_deselect() ends in any case. What
 * rows other reports have still to give is put aside first. */
bool workspace_select(struct workspace *workspace, struct temp_schema *temp,
                      const struct selection_request *request, struct selection *selection,
                      struct error *error);
void workspace_deselect(struct workspace *workspace, struct selection *selection);

#endif

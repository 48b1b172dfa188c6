/* What the parameters of a query file's statements are: the values of options. */
#ifndef TRACETOOL_BIND_H
#define TRACETOOL_BIND_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/error.h"
#include "report/query.h"
#include "report/request.h"
#include "store/catalog.h"

/* All is borrowed. */
struct binding {
    const struct query *query; /* whose statement it is */
    const struct report_request *request;
    const struct catalog *catalog;
    const struct catalog_trace *trace; /* one of the result: all of them have its clock */
};

/* Binds the named parameters of a statement. One that means no option, or one that was not given
 * and has no default, stays NULL. The values are borrowed from the request and the query. */
bool bind_parameters(const struct binding *binding, sqlite3_stmt *statement, struct error *error);

/* How many bytes of a statement SQLite is to be given: a line `LIMIT ifnull(:top, -1)`, or of
 * `:rows`, at its end says nothing where that stays NULL, but has SQLite sort all rows in a table
 * on disk, into which each is put in its place, instead of one run after another: 1 million take it
 * four times as long. */
size_t bind_useful_length(const struct binding *binding, const char *sql);

/* The name that --op gives for the query's own parameter, instead of choosing events; NULL: none.
 */
const char *bind_op(const struct query *query, const struct report_request *request);

#endif

/* --sort: the rows of a report by one of its columns. */
#ifndef TRACETOOL_SORTING_H
#define TRACETOOL_SORTING_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "report/query.h"
#include "report/request.h"

struct sorting {
    int column; /* of the statement */
    bool ascending, is_text;
};

/* Finds the column that request->sort names among the `*count` of the result, which are the
 * columns `from` of the statement. Leaves out those that add up the rows above: in another order
 * they say nothing. */
bool sorting_find(struct sorting *sorting, const struct report_request *request,
                  const struct query *query, struct column *columns, int *from, size_t *count,
                  struct error *error);

/* Appends the statement that sorts the rows of another one: the largest number first, names from A,
 * or the other way; no value last; ties in the order that they have there. */
void sorting_append_statement(const struct sorting *sorting, sqlite3_stmt *statement,
                              struct text *text);

#endif

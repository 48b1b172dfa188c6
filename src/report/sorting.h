/* --sort: sorts the rows of a report by a column. */
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
    int column; /* column of the statement */
    bool ascending, is_text;
};

/* Finds the column of request->sort among the `*count` columns of the result, which are the columns
 * `from` of the statement. Removes cumulative columns, which have no meaning in another order. */
bool sorting_find(struct sorting *sorting, const struct report_request *request,
                  const struct query *query, struct column *columns, int *from, size_t *count,
                  struct error *error);

/* Appends the statement that sorts another one's rows: numbers descending, names ascending, or the
 * opposite; NULL last; ties in the original order. */
void sorting_append_statement(const struct sorting *sorting, sqlite3_stmt *statement,
                              struct text *text);

#endif

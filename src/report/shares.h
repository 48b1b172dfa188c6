/* Counts of a report as shares: --share.
 *
 * The integer columns of a query that names a `total` in its header, but for those of its key, are
 * counts, and `total` is their sum in a row. They become shares of their row's total, of their
 * column's sum, or of the sum of all totals. What columns sum up to must be known before the first
 * row is given, so the rows are read twice. Where the key has several columns, the rows of all but
 * the last are a group, whose rows follow one another; then a column's sum is that of the group.
 */
#ifndef TRACETOOL_SHARES_H
#define TRACETOOL_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "output/printer.h"
#include "report/query.h"
#include "report/request.h"
#include "select/notes.h"

enum share_of { SHARE_NONE, SHARE_ROW, SHARE_COLUMN, SHARE_ALL };

/* Zeroed: nothing becomes a share. */
struct shares {
    enum share_of of;
    size_t columns;
    bool counted[QUERY_COLUMNS]; /* becomes a share */
    size_t containers;           /* columns of the key but its last, which begin the row */
    size_t total;                /* column */
    int64_t *sums;               /* owned; of each column, group by group */
    size_t groups, capacity;
    size_t group;          /* of the row in hand, counting from 1; 0: none yet */
    struct text container; /* owned; of that row */
    int64_t all;           /* sum of all totals */
};

/* Whether --share is given something that it knows; says so if not. */
bool shares_check(const struct report_request *request, struct error *error);

/* What --share is given, or NULL. */
const char *shares_name(const struct report_request *request);

/* Begins for a result with these columns, of which some become shares, and says what of. */
bool shares_begin(struct shares *shares, const struct query *query,
                  const struct report_request *request, struct column *columns, size_t count,
                  struct notes *notes, struct error *error);

/* Adds a row up; all of them, in order. */
void shares_add(struct shares *shares, const struct value *values);

/* Behind the last row: the same rows come again, for shares_apply(). */
void shares_again(struct shares *shares);

/* What the columns of the result hold shares of: `of` has room for `count`, SHARE_NONE where they
 * hold none. Columns of the query that are shares anyway are so within what holds the row, as those
 * of --share column. */
void shares_of_columns(const struct shares *shares, const struct column *columns, size_t count,
                       enum share_of *of);

/* Makes counts of a row shares. Of nothing at all, the share is 0. */
void shares_apply(struct shares *shares, struct value *values);

void shares_free(struct shares *shares);

#endif

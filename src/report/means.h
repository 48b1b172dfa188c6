/* Means over the groups of --by, and how far the groups are apart.
 *
 * A query whose header names a `key` has rows that can be compared between groups: those of equal
 * key are one row of the means. Where a group lacks a row, its counts, bytes and shares are 0
 * there, but its times, and shares of the row itself, are left out. Standard deviations are those
 * of a sample, by n - 1.
 */
#ifndef TRACETOOL_MEANS_H
#define TRACETOOL_MEANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "output/printer.h"
#include "report/query.h"
#include "report/request.h"

/* Different rows of all groups. */
#define MEANS_ROWS 262144

/* The key, n, and for each column that there are means of the mean and the deviation. */
#define MEANS_COLUMNS (2 * QUERY_COLUMNS + 1)

struct means_row;

/* Zeroed: none. */
struct means {
    const struct query *query; /* borrowed */
    struct column columns[QUERY_COLUMNS];
    size_t column_count;
    bool is_key[QUERY_COLUMNS], has_mean[QUERY_COLUMNS];
    bool is_of_row[QUERY_COLUMNS]; /* shares of their row: without it there are none */
    bool has_clock;
    bool has_of_row;          /* some column is such a share */
    size_t keys;              /* columns of the key */
    size_t groups;            /* that rows were added of */
    struct text names;        /* owned; of the groups, joined by ", " */
    struct means_row *table;  /* owned; by key */
    struct means_row **order; /* owned; as they are given */
    size_t row_count, given;
    struct text column_names[MEANS_COLUMNS]; /* owned */
};

/* Whether means are made of the results of a query: of groups, and not for a picture. */
bool means_wanted(const struct report_request *request, const struct query *query);

/* Begins the next group: `columns`, those of its result, are the same for all. Without a real clock
 * (`has_clock`) units of one group are not those of another, and there are no means of times.
 * `of_row`, unless NULL, says which columns are shares of their row. */
bool means_group(struct means *means, const struct query *query, const char *name,
                 const struct column *columns, size_t count, const bool *of_row, bool has_clock,
                 struct error *error);

/* Adds a row of the group. */
bool means_add(struct means *means, const struct value *values, struct error *error);

/* Behind the last group: puts the rows in order, and says which columns they have; `columns` has
 * room for MEANS_COLUMNS. Their names are the means' own. */
bool means_finish(struct means *means, struct column *columns, size_t *count, struct error *error);

/* The next row: MEANS_COLUMNS values. False: there is none. */
bool means_next(struct means *means, struct value *values);

void means_free(struct means *means);

#endif

/* Means over the groups of --by, and deviations between groups.
 *
 * A query with a `key` in its header has comparable rows: rows with equal keys in different groups
 * become one row of means. If a group lacks a row, its counts and bytes are 0; its times and its
 * shares of the row itself are omitted. Other shares are 0 if the group has something they could be
 * a share of: a row with the same key except for its last column, or any row for shares of all.
 * Otherwise they are omitted. Standard deviations are sample deviations (n - 1). */
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
#include "select/notes.h"

enum share_of { SHARE_NONE, SHARE_ROW, SHARE_COLUMN, SHARE_ALL };

/* No shares when zeroed. */
struct shares {
    enum share_of of;
    size_t columns;
    bool counted[QUERY_COLUMNS]; /* true: the column becomes a share */
    size_t containers; /* number of key columns except the last; these columns come first */
    size_t total;      /* index of the column with the sum of the counts in a row */
    int64_t *sums;     /* owned; per column and group */
    size_t groups, capacity;
    size_t group;          /* number of the current row's group, from 1; 0: no row yet */
    struct text container; /* owned; values of the current row's `containers` columns */
    int64_t all;           /* sum of the total column over all rows */
};

/* Maximum distinct rows of all groups. */
#define MEANS_ROWS 262144

/* The key, n, and mean and deviation for each column. */
#define MEANS_COLUMNS (2 * QUERY_COLUMNS + 1)

struct means_row;
struct means_container;

/* Empty when zeroed. */
struct means {
    const struct query *query; /* borrowed */
    struct column columns[QUERY_COLUMNS];
    size_t column_count;
    bool is_key[QUERY_COLUMNS], has_mean[QUERY_COLUMNS];
    enum share_of of[QUERY_COLUMNS]; /* what each column's values are shares of */
    bool has_clock;
    size_t keys;   /* number of key columns */
    size_t groups; /* number of groups */
    size_t filled; /* number of groups with rows; `filled_group` is the last of these */
    size_t filled_group;
    struct text names;                  /* owned; names of the groups, joined by ", " */
    struct means_row *table;            /* owned; by key */
    struct means_container *containers; /* owned; by key without its last column */
    struct means_row **order;           /* owned; in order of output */
    size_t row_count, given;
    struct text column_names[MEANS_COLUMNS]; /* owned */
};

/* Whether a query's results become means: with groups, and not for a plot. */
bool means_wanted(const struct report_request *request, const struct query *query);

/* Begins the next group; `columns` of its result are the same for all groups. Without a real clock
 * (`has_clock`), groups have different time units, so there are no means of times. `shares`
 * describes columns of shares. */
void means_group(struct means *means, const struct query *query, const char *name,
                 const struct column *columns, size_t count, const struct shares *shares,
                 bool has_clock);

/* Adds notes on the means and what they omit; `kind`: what the groups are by. */
void means_note(const struct means *means, const char *kind, struct notes *notes);

/* Adds a row of the group. */
bool means_add(struct means *means, const struct value *values, struct error *error);

/* Excludes the group from the row of this key, because its logs cannot state it: it does not count
 * as zero. */
bool means_add_unknown(struct means *means, const struct value *values, struct error *error);

/* After the last group: sorts the rows and sets `columns`, with room for MEANS_COLUMNS. The names
 * belong to the means. */
void means_finish(struct means *means, struct column *columns, size_t *count);

/* Returns the next row, MEANS_COLUMNS values; false at the end. */
bool means_next(struct means *means, struct value *values);

void means_free(struct means *means);

/* Whether the value of --share is valid. Sets an error if not. */
bool shares_check(const struct report_request *request, struct error *error);

/* Returns the value of --share, or NULL. */
const char *shares_name(const struct report_request *request);

/* Starts shares for a result with these columns, some of which become shares, and adds a note. */
void shares_begin(struct shares *shares, const struct query *query,
                  const struct report_request *request, struct column *columns, size_t count,
                  struct notes *notes);

/* Adds a row to the sums; call for all rows, in order. */
void shares_add(struct shares *shares, const struct value *values);

/* Converts counts of a row to shares. A share of 0 is 0. */
void shares_apply(struct shares *shares, struct value *values);

void shares_free(struct shares *shares);

#endif

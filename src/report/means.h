/* Means over the groups of --by, and deviations between groups.
 *
 * If a query has a line `key` in its header, rows with equal keys in different groups become one
 * row of means. If a group lacks a row, its counts and bytes are 0; its times and its shares of the
 * row itself are left out. Other shares are 0 if the group has something they could be a share of:
 * a row with the same key except for its last column, or any row for shares of all. Otherwise they
 * are left out. Standard deviations are sample deviations (n - 1). */
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

/* Converts the counts of a result to shares. Zeroed: there are no shares. */
struct shares {
    enum share_of of;
    size_t columns;
    bool counted[QUERY_COLUMNS]; /* true: the column is converted to shares */
    size_t containers; /* number of key columns except the last; they are the first columns */
    size_t total;      /* index of the column that has the sum of a row's counts */
    int64_t *sums;     /* owned; sum of each column in each group */
    size_t groups, capacity;
    size_t group; /* number of the current row's group, from 1; 0: no row yet */
    /* Owned; the first `containers` values of the current row, which identify its group. */
    struct text container;
    int64_t all; /* sum of the column `total` over all rows */
};

/* Limit of different rows in all groups. */
#define MEANS_ROWS 262144

/* Limit of columns: the key, n, and mean and deviation of each other column. */
#define MEANS_COLUMNS (2 * QUERY_COLUMNS + 1)

struct means_row;
struct means_container;

/* Means of a result over groups. Empty when zeroed. */
struct means {
    const struct query *query; /* borrowed */
    struct column columns[QUERY_COLUMNS];
    size_t column_count;
    bool is_key[QUERY_COLUMNS], has_mean[QUERY_COLUMNS];
    enum share_of of[QUERY_COLUMNS]; /* what each column's values are shares of */
    bool has_clock, has_unknown;     /* has_unknown: a group's logs cannot state a row */
    size_t keys;                     /* number of key columns */
    size_t groups;                   /* number of groups */
    size_t filled; /* number of groups with rows; `filled_group` is the last of these */
    size_t filled_group;
    struct text names;       /* owned; names of the groups, separated by ", " */
    struct means_row *table; /* owned; hash table: rows by key */
    /* Owned; hash table: containers by key without its last column. */
    struct means_container *containers;
    struct means_row **order; /* owned; rows in order of output */
    size_t row_count, given;
    struct text column_names[MEANS_COLUMNS]; /* owned */
};

/* Returns whether the results of a query become means: there are groups, and no plot is drawn. */
bool means_are_wanted(const struct report_request *request, const struct query *query);

/* Begins the next group, with a `name`. `columns` of its result are the same for all groups.
 * Without a real clock (`has_clock`), groups have different units of time, so times have no means.
 * `shares` tells which columns are shares. */
void means_group(struct means *means, const struct query *query, const char *name,
                 const struct column *columns, size_t count, const struct shares *shares,
                 bool has_clock);

/* Adds notes on the means and what they leave out; `kind`: the word of --by. */
void means_append_notes(const struct means *means, const char *kind, struct notes *notes);

/* Adds a row of the current group. */
bool means_add(struct means *means, const struct value *values, struct error *error);

/* Records that the logs of the group cannot state a row, so that it does not count as 0 there. */
bool means_add_unknown(struct means *means, const struct value *values, struct error *error);

/* Ends the last group: sorts the rows and sets `columns`, which has room for MEANS_COLUMNS. The
 * means own the names. */
void means_finish(struct means *means, struct column *columns, size_t *count);

/* Sets `value` to the next row of means, up to MEANS_COLUMNS values. False at the end. */
bool means_next(struct means *means, struct value *values);

void means_free(struct means *means);

/* Returns whether the value of --share is valid; sets an error if not. */
bool shares_check(const struct report_request *request, struct error *error);

/* Returns the value of --share; NULL if it was not given. */
const char *shares_option_value(const struct report_request *request);

/* Prepares shares for a result with these columns, and adds a note on them. */
void shares_begin(struct shares *shares, const struct query *query,
                  const struct report_request *request, struct column *columns, size_t count,
                  struct notes *notes);

/* Adds a row to the sums. Called for all rows, in order, before shares_apply(). */
void shares_add(struct shares *shares, const struct value *values);

/* Converts the counts of a row to shares. A share of 0 is 0. */
void shares_apply(struct shares *shares, struct value *values);

void shares_free(struct shares *shares);

#endif

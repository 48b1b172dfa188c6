/* Means over the groups of --by, and deviations between groups.
 *
 * If a query has a line `key` in its header, rows with equal keys in different groups become one
 * row of means. Standard deviations are sample deviations (n - 1).
 *
 * If a group lacks the row, counts and bytes are 0 in this group. Times are excluded from the mean,
 * and so are shares of the row's own total. Shares of another total are 0 if the group has that
 * total; otherwise they are excluded. The other total is that of rows with the same key except for
 * its last column, or of all rows. */
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

/* Converts the counts in a result's rows to shares (--share). Zeroed: converts nothing. */
struct shares {
    enum share_of of;
    size_t columns;
    bool counted[QUERY_COLUMNS]; /* true: the column is converted to shares */
    size_t containers; /* number of key columns except the last; the key columns come first */
    size_t total;      /* index of the column that holds the total of a row's counts */
    int64_t *sums;     /* owned; sums of the columns over each group of rows, group by group */
    size_t groups, capacity;
    size_t group; /* number, from 1, of the row's group of rows (not of --by); 0: no row yet */
    /* Owned; the first `containers` values, which all rows of the current group of rows share. */
    struct text container;
    int64_t all; /* sum of the column `total` over all rows */
};

/* Limit of rows of means: different keys in all groups. */
#define MEANS_ROWS 262144

/* Limit of columns: the key, n, and for each other column its mean and standard deviation. */
#define MEANS_COLUMNS (2 * QUERY_COLUMNS + 1)

struct means_row;
struct means_container;

/* Means of a result over groups. Empty when zeroed. */
struct means {
    const struct query *query; /* borrowed */
    struct column columns[QUERY_COLUMNS];
    size_t column_count;
    bool is_key[QUERY_COLUMNS], has_mean[QUERY_COLUMNS];
    enum share_of of[QUERY_COLUMNS]; /* what total each column's shares refer to */
    bool has_clock, has_unknown;     /* has_clock: times in ns; has_unknown: some logs lack facts */
    size_t keys;                     /* number of key columns */
    size_t groups;                   /* number of groups */
    size_t filled; /* number of groups with rows; `filled_group`: number of the last, from 1 */
    size_t filled_group;
    bool no_events;          /* the current group has no events, so its shares have no total */
    size_t empty;            /* number of groups with rows but without events */
    struct text names;       /* owned; names of the groups, separated by ", " */
    struct means_row *table; /* owned; hash table: rows by key */
    /* Owned; hash table of containers (groups of rows), by all key columns except the last. */
    struct means_container *containers;
    struct means_row **order; /* owned; rows in order of output */
    size_t row_count, given;
    struct text column_names[MEANS_COLUMNS]; /* owned */
};

/* Returns true if a query's results become means, since there are groups and no plot is drawn. */
bool means_are_wanted(const struct report_request *request, const struct query *query);

/* Begins the next group, called `name`. `columns` of the result are the same for all groups.
 * Without a real clock (`has_clock`), groups have different units of time, so times have no means.
 * `shares` says which columns are shares. */
void means_begin_group(struct means *means, const struct query *query, const char *name,
                       const struct column *columns, size_t count, const struct shares *shares,
                       bool has_clock);

/* Adds notes on the means and on the values excluded from them; `kind`: the value of --by. */
void means_append_notes(const struct means *means, const char *kind, struct notes *notes);

/* Adds a row of the current group, with one value per column. Fails beyond MEANS_ROWS rows. */
bool means_add(struct means *means, const struct value *values, struct error *error);

/* Records that the group's logs lack this row's facts, so that means do not include a 0 for it. */
bool means_add_unknown(struct means *means, const struct value *values, struct error *error);

/* Ends the last group: computes and sorts the rows, and sets `columns`, which has room for
 * MEANS_COLUMNS. The column names are owned by `means`. */
void means_finish(struct means *means, struct column *columns, size_t *count);

/* Sets `values` to the next row of means, up to MEANS_COLUMNS values. False after the last row. */
bool means_next(struct means *means, struct value *values);

void means_free(struct means *means);

/* Returns whether the value of --share is valid; sets an error if not. */
bool shares_check(const struct report_request *request, struct error *error);

/* Returns the value of --share; NULL if it was not given. */
const char *shares_option_value(const struct report_request *request);

/* Prepares shares for a result with these columns: counts become columns of kind COLUMN_SHARE. Adds
 * a note that says what they are shares of. */
void shares_begin(struct shares *shares, const struct query *query,
                  const struct report_request *request, struct column *columns, size_t count,
                  struct notes *notes);

/* Adds a row's counts to the sums. Must be called for all rows, in order, before shares_apply(). */
void shares_add(struct shares *shares, const struct value *values);

/* Replaces the counts of a row by shares, if there are any; a share of a total of 0 is 0. */
void shares_apply(struct shares *shares, struct value *values);

void shares_free(struct shares *shares);

#endif

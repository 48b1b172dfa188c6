/* Means over the groups of --by, and how far the groups are apart.
 *
 * A query whose header names a `key` has rows that can be compared between groups: those of equal
 * key are one row of the means. Where a group lacks a row, its counts and bytes are 0 there, and
 * its times and shares of the row itself are left out. Its other shares are 0 where the group has
 * something that they could be of: a row in the same container (all columns of the key but the
 * last), or for shares of all, any row; else they are left out, for a share of nothing is none.
 * Standard deviations are those of a sample, by n - 1.
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

/* Different rows of all groups. */
#define MEANS_ROWS 262144

/* The key, n, and for each column that there are means of the mean and the deviation. */
#define MEANS_COLUMNS (2 * QUERY_COLUMNS + 1)

struct means_row;
struct means_container;

/* Zeroed: none. */
struct means {
    const struct query *query; /* borrowed */
    struct column columns[QUERY_COLUMNS];
    size_t column_count;
    bool is_key[QUERY_COLUMNS], has_mean[QUERY_COLUMNS];
    enum share_of of[QUERY_COLUMNS]; /* what they hold shares of */
    bool has_clock;
    size_t keys;   /* columns of the key */
    size_t groups; /* that were begun */
    size_t filled; /* of them, those that rows were added of; `filled_group`, the last */
    size_t filled_group;
    struct text names;                  /* owned; of the groups, joined by ", " */
    struct means_row *table;            /* owned; by key */
    struct means_container *containers; /* owned; by the key but its last column */
    struct means_row **order;           /* owned; as they are given */
    size_t row_count, given;
    struct text column_names[MEANS_COLUMNS]; /* owned */
};

/* Whether means are made of the results of a query: of groups, and not for a picture. */
bool means_wanted(const struct report_request *request, const struct query *query);

/* Begins the next group: `columns`, those of its result, are the same for all. Without a real clock
 * (`has_clock`) units of one group are not those of another, and there are no means of times.
 * `shares` says what columns hold shares of. */
void means_group(struct means *means, const struct query *query, const char *name,
                 const struct column *columns, size_t count, const struct shares *shares,
                 bool has_clock);

/* Says what the means are of, and what they leave out; `kind`: what the groups are by. */
void means_say(const struct means *means, const char *kind, struct notes *notes);

/* Adds a row of the group. */
bool means_add(struct means *means, const struct value *values, struct error *error);

/* The group cannot have the row of this key, for its logs do not state it: it is no zero there. */
bool means_add_unknown(struct means *means, const struct value *values, struct error *error);

/* Behind the last group: puts the rows in order, and says which columns they have; `columns` has
 * room for MEANS_COLUMNS. Their names are the means' own. */
void means_finish(struct means *means, struct column *columns, size_t *count);

/* The next row: MEANS_COLUMNS values. False: there is none. */
bool means_next(struct means *means, struct value *values);

void means_free(struct means *means);

/* Whether --share is given something that it knows; says so if not. */
bool shares_check(const struct report_request *request, struct error *error);

/* What --share is given, or NULL. */
const char *shares_name(const struct report_request *request);

/* Begins for a result with these columns, of which some become shares, and says what of. */
void shares_begin(struct shares *shares, const struct query *query,
                  const struct report_request *request, struct column *columns, size_t count,
                  struct notes *notes);

/* Adds a row up; all of them, in order. */
void shares_add(struct shares *shares, const struct value *values);

/* Behind the last row: the same rows come again, for shares_apply(). */
void shares_again(struct shares *shares);

/* Makes counts of a row shares. Of nothing at all, the share is 0. */
void shares_apply(struct shares *shares, struct value *values);

void shares_free(struct shares *shares);

#endif

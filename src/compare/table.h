/* Table of a comparison: rows of both sides' reports with equal keys become one row. */
#ifndef TRACETOOL_COMPARE_TABLE_H
#define TRACETOOL_COMPARE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "output/printer.h"
#include "scan/distribution.h"
#include "select/temp_schema.h"

enum side { SIDE_A, SIDE_B };
#define SIDES 2

/* Indices of a row's numbers. NUMBER_VALUE: count; with the method `times`, self time.
 * NUMBER_CALLS: number of calls. */
enum { NUMBER_VALUE, NUMBER_CALLS, NUMBERS };

enum verdict {
    VERDICT_SAME,
    VERDICT_MORE,
    VERDICT_LESS,
    VERDICT_UNCLEAR,
    VERDICT_NEW,
    VERDICT_GONE,
    VERDICT_NOT_COMPARABLE
};

/* A row of the comparison. A word before a colon names the method that uses the member. */
struct compare_row {
    char *key; /* owned; encoded values of all key columns, for the hash table */
    size_t key_length;
    size_t number;       /* number of rows that were added before this one */
    struct value *keys;  /* owned with their bytes; values of the key columns */
    struct value *given; /* rows: values in both reports, owned with their bytes; NULL: none */
    int64_t numbers[SIDES][NUMBERS];
    double seconds[SIDES]; /* clock: seconds of this hour of the day that each side observed */
    /* rows, if they are means: standard deviation (NAN: unknown) and number of averaged values */
    double deviation[SIDES], count[SIDES];
    bool has[SIDES];
    bool timed[SIDES]; /* times: true if the report has durations of the calls, not only counts */
    bool has_sign;     /* rows: true if the value may be negative, so that a ratio is meaningless */
    size_t subject;    /* rows: if a column's name follows the row's name in the key: length of the
                          row's name; else 0 */
    /* rows: if the value is a component of a call's time (such as a cause): length of the call's
     * name, with which the key begins; else 0 */
    size_t leading;
    int copies[SIDES]; /* rows: number of further rows of the report with this name: "name (2)" … */
    /* Results of the method: */
    double values[SIDES]; /* numbers of a and b as printed, after --per */
    double delta, ratio, part;
    double p;         /* p-value of the ratio b / a; NAN: unknown */
    double low, high; /* confidence bounds of the ratio; NAN: unknown */
    /* counts, sizes: confidence bounds of a ratio are ratio / exp(error) and ratio * exp(error).
     * share_error: for the ratio of shares; count_error: of counts. NAN: unknown */
    double share_error, count_error;
    size_t group; /* values: index of the row's group in compare_groups */
    int level;    /* values: figure of the group (p50, mean, …), an index in compare_levels */
    /* sizes: shares of all rows up to this size; cumulated: of the counts; cumulated_bytes: of the
     * bytes */
    double cumulated[SIDES], cumulated_bytes[SIDES];
    int64_t rank[SIDES]; /* counts: rank by count, from 1; 0: the side lacks the row */
    enum verdict verdict;
    struct compare_table_link *link; /* owned; entry of this row in the table's hash */
};

/* Rows of both sides' reports, by key; zeroed: empty. */
struct compare_table {
    size_t key_count;                /* number of key columns */
    bool keeps_given;                /* true: rows keep the values of reports in `given` */
    struct compare_table_link *hash; /* owned */
    struct compare_row **rows;       /* owned; in order of `number` until sorted */
    size_t count, capacity;
};

/* Finds the row with that key, adds it if it is new, and marks it as present on the side. `*row`
 * stays valid until compare_table_free(). Returns false with an error if there would be more than
 * COMPARE_ROWS_MOST rows. */
bool compare_table_row(struct compare_table *table, enum side side, const struct value *keys,
                       struct compare_row **row, struct error *error);

/* Returns the row with that key; NULL if there is none. */
struct compare_row *compare_table_find(const struct compare_table *table, const struct value *keys);

/* Stores a copy of a value and of its bytes in `place`, and frees the old bytes. The caller zeroes
 * `place` before the first call. */
void compare_table_store(struct value *place, const struct value *value);

/* Orders rows by key columns (numbers by size, texts by bytes), then by row number. */
int compare_table_order(const struct compare_table *table, const struct compare_row *left,
                        const struct compare_row *right);

/* Sorts the rows with a comparison function of qsort_r(). */
void compare_table_sort(struct compare_table *table,
                        int (*compare)(const void *left, const void *right, void *context),
                        void *context);

void compare_table_free(struct compare_table *table);

/* Call trees of both sides merged into one: paths of functions from a root.
 *
 * With the method `tree`, comparison_make() leaves the table's rows in the order of the tree. Each
 * path is followed by its callees. Siblings are sorted by --sort; by default, the largest change of
 * the total is first. The node of a row is &comparison->tree.nodes[row->number], and
 *
 *     row->keys[1]                       last function of the path: text, any bytes
 *     row->has[side]                     whether the side has the path
 *     row->numbers[side][NUMBER_CALLS]   its calls
 *     row->numbers[side][NUMBER_VALUE]   its self time in the report
 *     row->values[side]                  its total, scaled by --per
 *     row->delta, ratio, verdict         of the totals
 *
 * Numbers are unscaled; multiply them by comparison->scale[side] for --per. Times are in units of
 * the clock. */

/* Index of a node that does not exist. */
#define COMPARE_NO_NODE SIZE_MAX

/* A call path; its index is the number of its row. Callers have smaller indices than callees. */
struct compare_node {
    struct compare_row *row; /* borrowed */
    size_t above;            /* index of the caller; COMPARE_NO_NODE: a root */
    size_t depth;            /* depth of the node, 0 for a root */
    /* first: index of the first callee; next: index of the caller's next callee */
    size_t first, next;
    int64_t totals[SIDES]; /* time including callees, as in the reports of a and b */
    /* Self time of this path alone. In an inverted tree, the report's self time includes that of
     * the rows below. */
    int64_t own[SIDES];
    int64_t inclusive[SIDES]; /* sum of `own` of this path and of all paths below it */
};

/* Call tree of both sides; zeroed: empty. */
struct compare_tree {
    struct compare_node *nodes; /* owned; indexed by row number */
    size_t count, capacity;
    /* owned; by depth, for the current path. While rows are read: row number of each node. Later:
     * length in bytes of the path's text up to each node (compare_tree_write_path()). */
    size_t *path;
    size_t path_length, path_capacity;
    bool inverted; /* true: the tree is inverted: callers are below their callees */
};

/* Adds a row of a side's call tree, in depth-first order. Times of equal paths are added up. */
bool compare_tree_add(struct compare_tree *tree, struct compare_table *table, enum side side,
                      int64_t depth, const struct value *name, struct compare_row **row,
                      struct error *error);

/* Sorts the table's rows in depth-first order of the tree. Siblings are ordered by `compare`, a
 * comparison function of qsort_r(). */
void compare_tree_sort(struct compare_tree *tree, struct compare_table *table,
                       int (*compare)(const void *left, const void *right, void *context),
                       void *context);

/* Writes the functions of a call path from the root on, separated by ;. Call it for all nodes in
 * the order of the tree: `path` is empty, or has the path of the previous node. */
void compare_tree_write_path(const struct compare_tree *tree, size_t node, struct text *path);

void compare_tree_free(struct compare_tree *tree);

/* Replacement of names, so that equal things have equal names in both traces. */

/* Limits of a file of --match: lines, and bytes of a line. */
#define COMPARE_NAMES_LINES 100000
#define COMPARE_NAMES_LINE  4096

/* How to replace names; zeroed: only parts that differ between runs become *. */
struct compare_names {
    struct compare_name *names; /* owned hash table: replacements by name */
    bool strip_hex;
    bool has_pids;     /* true: names in column "process" contain pids */
    const char *trace; /* borrowed; name of the trace, which is also that of threads without a pid;
                          or NULL */
    bool is_exact; /* true: pids, numbers of pipes, and random parts of names are not replaced */
    struct text buffer; /* owned; result of the last replacement */
};

/* Loads a file whose lines are a name, a TAB and its replacement. Skips empty lines and those that
 * begin with #. */
bool compare_names_load(struct compare_names *names, const char *file, struct error *error);

/* Replaces parts of the text `value` of a column. The bytes of the result are valid until the next
 * call. `matched`: also replaces names by those of the loaded file (--match). Unless is_exact, *
 * replaces pids, numbers of pipes and sockets, random parts of temporary files, and results of
 * getpid() and the like; returns true if this changed the text. `first`: first key column of the
 * row, NUL-terminated; NULL if `value` is the first. */
bool compare_names_apply(struct compare_names *names, bool matched, const char *column,
                         const struct value *first, struct value *value);

void compare_names_free(struct compare_names *names);

/* Groups of values of both sides, such as the latencies of reads, divided into blocks of time. */

/* Histograms of a group's values on one side, one per block. */
struct compare_block_histograms {
    size_t blocks;
    int64_t least;    /* number of the first bucket (distribution_bucket()) */
    size_t places;    /* number of buckets of each histogram */
    uint32_t *counts; /* owned; counts of all buckets of the first block, then of the next, … */
};

struct compare_group {
    const char *name; /* borrowed from the entry in `places` */
    char *part; /* owned; name in the side's report, before replacing; NULL: not in the report */
    size_t part_length;
    bool has[SIDES];
    int64_t counts[SIDES], means[SIDES], largest[SIDES];
    int64_t quantiles[SIDES][DISTRIBUTION_QUANTILE_COUNT];
    struct compare_block_histograms cuts[SIDES];
};

/* All groups of values; zeroed: none. */
struct compare_groups {
    struct compare_group *groups; /* owned */
    size_t count, capacity;
    struct compare_place *places;      /* owned hash table: maps names to indices of groups */
    struct compare_alias *aliases;     /* owned hash table: groups that were merged, by name */
    struct distribution_naming naming; /* function that finds a name in `aliases`, for reports */
};

/* Limit of groups of values, on both sides together. */
#define COMPARE_GROUPS 16384

/* What to read of a group. READ_ALL: totals and blocks of a single trace. READ_TOTALS: totals of
 * several traces together. READ_BLOCKS: one of several traces, as one block. */
enum compare_read { READ_ALL, READ_TOTALS, READ_BLOCKS };

/* Reads a group of values of a side's report from temp.distribution, where it is called `part`; in
 * the comparison it is called `name`. `*place`: index of the group. */
bool compare_groups_read(struct compare_groups *groups, enum side side, enum compare_read what,
                         struct temp_schema *temp, const struct value *part, const char *name,
                         size_t *place, struct error *error);

/* Call this after all groups of a side were read. If name replacement made names of groups equal,
 * discards the side's data and returns names for reading the report again, so that such groups are
 * read as one. Else returns NULL. */
const struct distribution_naming *compare_groups_names_to_reread(struct compare_groups *groups,
                                                                 enum side side);

/* Frees the names that groups have in the side's report (compare_group.part), and `aliases`. */
void compare_groups_forget_names(struct compare_groups *groups);

/* Merges the blocks of a trace into one block, because the other side's blocks are whole traces. */
void compare_groups_merge_blocks(struct compare_groups *groups, enum side side);

void compare_groups_free(struct compare_groups *groups);

#endif

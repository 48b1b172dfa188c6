/* Table with the rows of two reports: rows with equal keys are merged. */
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

/* Counted numbers of a row: occurrences or self time; the method `times` has calls, too. */
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

/* A row. A missing number is NAN. */
struct compare_row {
    char *key; /* owned; bytes of the key's columns */
    size_t key_length;
    size_t number;       /* number of the row, in order of appearance */
    struct value *keys;  /* owned with their bytes; one for each column of the key */
    struct value *given; /* rows: values of both sides, owned with their bytes; NULL: not kept */
    int64_t numbers[SIDES][NUMBERS];
    double seconds[SIDES]; /* clock: observed seconds of the hour */
    /* rows that are means: standard deviation (NAN: unknown) and number of the values. */
    double deviation[SIDES], count[SIDES];
    bool has[SIDES];
    bool timed[SIDES]; /* times: the side's report has a time for it, not only calls without one */
    bool has_sign;     /* rows: the value may be negative, so that a ratio is meaningless */
    size_t subject;    /* rows: length of the key before the column's name; 0: no such name */
    /* rows, if the row is a part of the time of calls: length of their name in the key; 0: none. */
    size_t leading;
    int copies[SIDES]; /* rows: further rows of this name, which have a number suffix */
    /* Results of the method. */
    double values[SIDES]; /* values as printed and sorted */
    double delta, ratio, part;
    double p;         /* values: p-value of the group; NAN: unknown */
    double low, high; /* bounds of the ratio; NAN: unknown */
    /* counts and sizes: error of the ratio of shares, and of counts, as a natural logarithm at the
     * requested confidence; NAN: unknown */
    double share_error, count_error;
    size_t group;                                    /* values: index of the group */
    int level;                                       /* values: index in compare_levels */
    double cumulated[SIDES], cumulated_bytes[SIDES]; /* sizes: cumulated shares up to this row */
    int64_t rank[SIDES];                             /* 0: none */
    enum verdict verdict;
    struct compare_table_link *link; /* entry of the hash table; owned */
};

/* All rows; zeroed: empty. */
struct compare_table {
    size_t key_count;                /* number of key columns */
    bool keeps_given;                /* true: rows have `given` */
    struct compare_table_link *hash; /* owned */
    struct compare_row **rows;       /* owned with the rows; ordered by number until sorted */
    size_t count, capacity;
};

/* Returns the row of that key, adds it if it is new, and marks it as present on the side. `*row`
 * stays valid until compare_table_free(). False if there are too many. */
bool compare_table_row(struct compare_table *table, enum side side, const struct value *keys,
                       struct compare_row **row, struct error *error);

/* Returns the row of that key; NULL if there is none. */
struct compare_row *compare_table_find(const struct compare_table *table, const struct value *keys);

/* Copies a value with its bytes. `place` is zeroed, or was filled by this function. */
void compare_table_store(struct value *place, const struct value *value);

/* Compares by the columns of the key: numbers by size, texts by bytes; then by row number. */
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

/* Index that means "no node". */
#define COMPARE_NO_NODE SIZE_MAX

/* A path. Its index is its row's number; callers have smaller numbers than callees. */
struct compare_node {
    struct compare_row *row; /* borrowed */
    size_t above;            /* index of the caller; COMPARE_NO_NODE: a root */
    size_t depth;            /* depth of the node, 0 for a root */
    size_t first, next;      /* first callee, and next callee of its caller */
    int64_t totals[SIDES];   /* time with callees, from the report */
    /* Self time of this path alone. In an inverted tree a row's self time includes that of the rows
     * below it; this one does not. */
    int64_t own[SIDES];
    int64_t inclusive[SIDES]; /* `own` of this path and of all below it */
};

/* The tree; zeroed: empty. */
struct compare_tree {
    struct compare_node *nodes; /* owned; indexed by row number */
    size_t count, capacity;
    /* Owned; while reading, the current row of each depth. Later, the lengths of their names
     * (compare_tree_name()). */
    size_t *path;
    size_t path_length, path_capacity;
    bool inverted; /* functions are below their callees */
};

/* Adds a row of a side's report. Rows come depth first; rows of the same path are summed. */
bool compare_tree_add(struct compare_tree *tree, struct compare_table *table, enum side side,
                      int64_t depth, const struct value *name, struct compare_row **row,
                      struct error *error);

/* Sorts the table's rows in the order of the tree, siblings with a comparison function of
 * qsort_r(). */
void compare_tree_sort(struct compare_tree *tree, struct compare_table *table,
                       int (*compare)(const void *left, const void *right, void *context),
                       void *context);

/* Writes the path of a node, from its root on, separated by ;. Call it in the order of the tree,
 * after both sides were read: `path` is empty, or has the path of the previous row. */
void compare_tree_name(const struct compare_tree *tree, size_t node, struct text *path);

void compare_tree_free(struct compare_tree *tree);

/* Renaming of names that mean the same in two traces. */

/* Limits: lines of a file of names, and bytes of a line. */
#define COMPARE_NAMES_LINES 100000
#define COMPARE_NAMES_LINE  4096

/* Zeroed: names are kept. */
struct compare_names {
    struct compare_name *names; /* owned hash table */
    bool strip_hex;
    bool has_pids;      /* processes have pids in their names */
    const char *trace;  /* borrowed; name of this side's trace, which threads without pids have */
    bool is_exact;      /* keep numbers of processes and pipes, and random parts */
    struct text buffer; /* owned; last renamed name */
};

/* Loads a file whose lines are a name, a TAB and its replacement. Skips empty lines and those that
 * begin with #. */
bool compare_names_load(struct compare_names *names, const char *file, struct error *error);

/* Renames a text value of a column. The bytes stay valid until the next call. `matched`: also by
 * the loaded file. Unless names are exact, replaces pids, numbers of pipes and sockets, random
 * parts of temporary files, and results of getpid and similar calls by `*`; returns true if that
 * changed the value. `first`: first column of the key, NUL-terminated; NULL: this is the first. */
bool compare_names_apply(struct compare_names *names, bool matched, const char *column,
                         const struct value *first, struct value *value);

void compare_names_free(struct compare_names *names);

/* Groups of values of both sides, such as latencies of one class, cut into blocks of time. */

/* Values of a side: counts by block and bucket. */
struct compare_cut {
    size_t blocks;
    int64_t least;    /* first bucket (distribution_bucket()) */
    size_t places;    /* number of buckets */
    uint32_t *counts; /* owned; block by block */
};

struct compare_group {
    const char *name; /* borrowed from its hash table entry */
    char *part;       /* owned; name in the current report; NULL: not in it */
    size_t part_length;
    bool has[SIDES];
    int64_t counts[SIDES], means[SIDES], largest[SIDES];
    int64_t quantiles[SIDES][DISTRIBUTION_QUANTILE_COUNT];
    struct compare_cut cuts[SIDES];
};

/* All groups; zeroed: none. */
struct compare_groups {
    struct compare_group *groups; /* owned */
    size_t count, capacity;
    struct compare_place *places;      /* owned hash table of the groups, by name */
    struct compare_alias *aliases;     /* owned hash table: parts represented by others */
    struct distribution_naming naming; /* maps aliases; reports get its address */
};

/* Limit of groups. */
#define COMPARE_GROUPS 16384

/* What to read of a group. READ_ALL: a single trace. READ_TOTALS: several traces together, without
 * blocks. READ_BLOCKS: one of several traces, whose values become one block. */
enum compare_read { READ_ALL, READ_TOTALS, READ_BLOCKS };

/* Reads the results of a side's report for the group called `part` in temp.distribution. `name` is
 * its name in the comparison. `*place`: index of the group. */
bool compare_groups_read(struct compare_groups *groups, enum side side, enum compare_read what,
                         struct temp_schema *temp, const struct value *part, const char *name,
                         size_t *place, struct error *error);

/* Call this after all parts were read. If renaming made names of parts equal, the first part
 * represents the others from now on. Then this discards the data of the side, which must be read
 * again with the returned names. NULL if nothing was renamed. */
const struct distribution_naming *compare_groups_again(struct compare_groups *groups,
                                                       enum side side);

/* Forgets the parts of a side and their aliases. */
void compare_groups_end_side(struct compare_groups *groups);

/* Merges the blocks of a trace into one, for comparison with several traces. */
void compare_groups_join(struct compare_groups *groups, enum side side);

void compare_groups_free(struct compare_groups *groups);

#endif

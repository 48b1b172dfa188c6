/* The rows of two reports side by side: those with equal keys are one. */
#ifndef TRACETOOL_COMPARE_TABLE_H
#define TRACETOOL_COMPARE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "output/printer.h"

enum side { SIDE_A, SIDE_B };
#define SIDES 2

/* What a method counts of a row: how often, or its self time; with times also the calls. */
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

/* A number that is not there is NAN. */
struct compare_row {
    char *key; /* owned; the columns of the key as bytes */
    size_t key_length;
    size_t number;       /* in order of appearance */
    struct value *keys;  /* owned, as their bytes are; one for each column of the key */
    struct value *given; /* rows: what the sides say, owned likewise; NULL: not kept */
    int64_t numbers[SIDES][NUMBERS];
    double seconds[SIDES]; /* clock: how long the hour was observed */
    /* rows, of a mean: the deviation of the values, NAN: not known, and how many they are. */
    double deviation[SIDES], count[SIDES];
    bool has[SIDES];
    bool has_sign;     /* rows: the value may be negative, so that a ratio says nothing */
    size_t subject;    /* rows: bytes of the key before the name of its column; 0: there is none */
    int copies[SIDES]; /* rows: further ones of this name, which have a number behind it */
    /* What the method makes of it. */
    double values[SIDES]; /* as they are printed, and sorted by */
    double delta, ratio, part;
    double p;         /* values: of their group; NAN: not known */
    double low, high; /* between which the ratio lies; NAN: not known */
    /* counts and sizes: how far the ratio of the shares, or of how many there are, may be off, as
     * a natural logarithm, with the confidence asked for; NAN: not known */
    double share_error, count_error;
    size_t group; /* values: its number */
    int level;    /* values: what of the group (compare_levels) */
    double cumulated[SIDES], cumulated_bytes[SIDES]; /* sizes: shares up to this one */
    int64_t rank[SIDES];                             /* 0: none */
    enum verdict verdict;
    struct compare_table_link *link; /* of the hash table; owned */
};

/* Zeroed: empty. */
struct compare_table {
    size_t key_count;                /* columns */
    bool keeps_given;                /* rows have `given` */
    struct compare_table_link *hash; /* owned */
    struct compare_row **rows;       /* owned, as what they point to; by number, unless sorted */
    size_t count, capacity;
};

/* The row of that key, made when there is none, and marked as one of the side's. `*row` stays until
 * compare_table_free(). False if there are too many. */
bool compare_table_row(struct compare_table *table, enum side side, const struct value *keys,
                       struct compare_row **row, struct error *error);

/* The row of that key, or NULL. */
struct compare_row *compare_table_find(const struct compare_table *table, const struct value *keys);

/* Copies a value with its bytes into a place that is zeroed or was filled so before. */
void compare_table_keep(struct value *place, const struct value *value);

/* By the columns of the key, numbers by size, texts by their bytes; what is equal, by number. */
int compare_table_order(const struct compare_table *table, const struct compare_row *left,
                        const struct compare_row *right);

/* Appends the columns of a key, of which there are at most so many and those left are NULL, with a
 * blank between them. */
void compare_table_name(const struct value *keys, size_t most, struct text *name);

/* A number as such, NAN of what is none. */
double compare_number(const struct value *value);

/* Puts the rows in order, by qsort_r()'s function. */
void compare_table_sort(struct compare_table *table,
                        int (*compare)(const void *left, const void *right, void *context),
                        void *context);

void compare_table_free(struct compare_table *table);

/* Two call trees as one: paths of functions from a root on, with what both sides say of each.
 *
 * In a comparison by the method `tree`, comparison_make() leaves the rows of the table in the order
 * of the tree: each path is followed by those that it calls, siblings as --sort says, by default
 * the one first whose total changed most. The node of a row is
 * &comparison->tree.nodes[row->number], and
 *
 *     row->keys[1]                       the function at the end of the path: text, any bytes
 *     row->has[side]                     whether the side has the path
 *     row->numbers[side][NUMBER_CALLS]   its calls
 *     row->numbers[side][NUMBER_VALUE]   its self time as the report says it
 *     row->values[side]                  its total, by --per
 *     row->delta, ratio, verdict         of these
 *
 * Numbers are as they are in the traces; comparison->scale[side] makes them those of --per. Times
 * are in units of the clock.
 */

/* Instead of the number of a node: there is none. */
#define COMPARE_NO_NODE SIZE_MAX

/* A path. Nodes are called by their rows' numbers; a caller has a smaller one than what it calls.
 */
struct compare_node {
    struct compare_row *row; /* borrowed */
    size_t above;            /* the caller; COMPARE_NO_NODE: a root */
    size_t depth;            /* of a root 0 */
    size_t first, next;      /* what it calls, and the next that its caller calls */
    int64_t totals[SIDES];   /* with what it called, as the report says it */
    /* Self time of this path alone: that of the row, but upside down, where a row's is also that of
     * the rows beneath it, without theirs. */
    int64_t own[SIDES];
    int64_t inclusive[SIDES]; /* that, with all that is beneath */
};

/* Zeroed: empty. */
struct compare_tree {
    struct compare_node *nodes; /* owned; by number of their rows */
    size_t count, capacity;
    /* Owned; by depth, the last row of a side that is read and those above it; later, how long
     * their names are (compare_tree_name()). */
    size_t *path;
    size_t path_length, path_capacity;
    bool inverted; /* functions stand below what they call */
};

/* Adds a row of a side's report, which come depth first. Rows of one path are one. */
bool compare_tree_add(struct compare_tree *tree, struct compare_table *table, enum side side,
                      int64_t depth, const struct value *name, struct compare_row **row,
                      struct error *error);

/* The next rows begin at a root again. */
void compare_tree_end_side(struct compare_tree *tree);

/* Puts the rows of the table in the order of the tree, siblings by qsort_r()'s function. */
void compare_tree_sort(struct compare_tree *tree, struct compare_table *table,
                       int (*compare)(const void *left, const void *right, void *context),
                       void *context);

/* Makes `path`, which has that of the row before in the order of the tree (at the first one: that
 * is empty), the functions of the node's from its root on, parted by ;. When all sides are read. */
void compare_tree_name(const struct compare_tree *tree, size_t node, struct text *path);

void compare_tree_free(struct compare_tree *tree);

/* Names that differ between two traces although they mean the same. */

/* Lines of a file of names, and bytes of one, at most. */
#define COMPARE_NAMES_LINES 100000
#define COMPARE_NAMES_LINE  4096

/* Zeroed: names stay as they are. */
struct compare_names {
    struct compare_name *names; /* owned hash table */
    bool strip_hex;
    bool has_pids;      /* processes have numbers behind their names */
    bool is_exact;      /* else without numbers of processes and pipes, and random parts */
    struct text buffer; /* owned; of the last name */
};

/* Loads a file of lines of a name and what it becomes, parted by a TAB; empty ones and those that
 * begin with # are passed over. */
bool compare_names_load(struct compare_names *names, const char *file, struct error *error);

/* Renames a value of a column that is text. The bytes stay until the next call. `matched`: also by
 * the names that were loaded. Unless names are exact, pids, numbers of pipes and sockets, the
 * random parts of temporary files, and what getpid and its like return become `*`; true where that
 * changed it. `first`: the first column of the key, whose bytes end with NUL; NULL: this is it. */
bool compare_names_apply(struct compare_names *names, bool matched, const char *column,
                         const struct value *first, struct value *value);

void compare_names_free(struct compare_names *names);

#endif

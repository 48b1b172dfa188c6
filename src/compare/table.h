/* The rows of two reports side by side: those with equal keys are one. */
#ifndef TRACETOOL_COMPARE_TABLE_H
#define TRACETOOL_COMPARE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "output/printer.h"

enum side { SIDE_A, SIDE_B };
#define SIDES 2

/* What a method counts of a row: how often, or the time, which is self time; and beside times, the
 * calls. */
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
    bool has[SIDES];
    bool has_sign;     /* rows: the value may be negative, so that a ratio says nothing */
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
 * compare_table_free(). False when there are too many, or no memory. */
bool compare_table_row(struct compare_table *table, enum side side, const struct value *keys,
                       struct compare_row **row, struct error *error);

/* The row of that key; NULL: there is none. False when out of memory. */
bool compare_table_find(const struct compare_table *table, const struct value *keys,
                        struct compare_row **row, struct error *error);

/* Copies a value with its bytes into a place that is zeroed or was filled so before. */
bool compare_table_keep(struct value *place, const struct value *value, struct error *error);

/* By the columns of the key, numbers by size, texts by their bytes; what is equal, by number. */
int compare_table_order(const struct compare_table *table, const struct compare_row *left,
                        const struct compare_row *right);

/* Puts the rows in order, by qsort_r()'s function. */
void compare_table_sort(struct compare_table *table,
                        int (*compare)(const void *left, const void *right, void *context),
                        void *context);

void compare_table_free(struct compare_table *table);

#endif

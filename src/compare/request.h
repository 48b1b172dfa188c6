/* A request: what to compare, and how to print it. */
#ifndef TRACETOOL_COMPARE_REQUEST_H
#define TRACETOOL_COMPARE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "scan/statistics.h"
#include "report/request.h"

/* Limit of rows with distinct keys, of both sides. */
#define COMPARE_ROWS_MOST 262144

/* Default of --noise: largest difference of a ratio from 1 that counts as the same. */
#define COMPARE_NOISE 0.02

/* Defaults, and limits of blocks and resamples. */
#define COMPARE_BLOCKS         30
#define COMPARE_BLOCKS_MOST    1000
#define COMPARE_RESAMPLES      1999
#define COMPARE_RESAMPLES_MOST 99999
#define COMPARE_SEED           1
#define COMPARE_CONFIDENCE     0.95

/* Divisor of counts, bytes and times. */
enum compare_per { PER_USUAL, PER_NONE, PER_SECOND, PER_CALL, PER_IO, PER_RUN };
#define COMPARE_PERS 6

/* Rows to print. */
enum compare_only { ONLY_ALL, ONLY_BOTH, ONLY_A, ONLY_B, ONLY_CHANGED };
#define COMPARE_ONLYS 5

/* Order of the rows. */
enum compare_sort { SORT_USUAL, SORT_PART, SORT_DELTA, SORT_RATIO, SORT_RANK, SORT_A, SORT_B };
#define COMPARE_SORTS 7

/* Kind of picture: the usual one, or one that an option requests. */
enum compare_drawing { DRAWING_USUAL, DRAWING_SHIFT, DRAWING_BYTES };
#define COMPARE_DRAWINGS 3

/* Widths of frames of two call trees: the larger self time, or that of a or b. */
enum compare_widths { WIDTHS_MAX, WIDTHS_A, WIDTHS_B };
#define COMPARE_WIDTHS 3

/* Words of --per, --only, --sort, --widths and --adjust; "" is the default. */
extern const char *const compare_per_names[COMPARE_PERS];
extern const char *const compare_only_names[COMPARE_ONLYS];
extern const char *const compare_sort_names[COMPARE_SORTS];
extern const char *const compare_widths_names[COMPARE_WIDTHS];
extern const char *const compare_adjustment_names[ADJUSTMENTS];

/* All members are borrowed. */
struct compare_request {
    struct report_request sides[2]; /* a and b: the same report and options, their own traces */
    enum compare_per per;
    enum compare_only only;
    enum compare_sort sort;
    int64_t top;       /* limit of rows; 0: all */
    double noise;      /* 0.02: a ratio within 1 ± 0.02 counts as the same */
    const char *match; /* file with names of a and of b, separated by a TAB; NULL: none */
    bool exact_names;  /* keep parts of names that differ from run to run, such as pids (table.h) */
    bool strip_hex;    /* ignore hexadecimal numbers in names */
    int blocks;        /* limit of blocks of time per side; 0: no significance */
    int resamples;
    uint64_t seed;
    enum adjustment adjustment; /* adjustment of the overview's p-values */
    double confidence;          /* confidence of intervals, between 0 and 1 */
    bool all_quantiles;         /* print all levels of values */
    bool strict;                /* fail if the sides are hard to compare */
    bool picture;               /* draw the rows */
    bool own_svg;               /* drawn by the program itself, as SVG, where it can */
    enum compare_drawing drawing;
    enum compare_widths widths;
};

#endif

/* A request of `compare`: what to compare, and how to print it. */
#ifndef TRACETOOL_COMPARE_REQUEST_H
#define TRACETOOL_COMPARE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "scan/statistics.h"
#include "report/request.h"

/* Limit of rows with distinct keys, on both sides together. */
#define COMPARE_ROWS_MOST 262144

/* Default of --noise: a ratio that differs from 1 by at most this counts as the same. */
#define COMPARE_NOISE 0.02

/* Defaults and limits of --blocks, --resamples, --seed and --confidence. */
#define COMPARE_BLOCKS         30
#define COMPARE_BLOCKS_MOST    1000
#define COMPARE_RESAMPLES      1999
#define COMPARE_RESAMPLES_MOST 99999
#define COMPARE_SEED           1
#define COMPARE_CONFIDENCE     0.95

/* --per: unit that counts, bytes and times are divided by. */
enum compare_per { PER_USUAL, PER_NONE, PER_SECOND, PER_CALL, PER_IO, PER_RUN };
#define COMPARE_PERS 6

/* --only: which rows to print. */
enum compare_only { ONLY_ALL, ONLY_BOTH, ONLY_A, ONLY_B, ONLY_CHANGED };
#define COMPARE_ONLYS 5

/* --sort: order of the rows. */
enum compare_sort { SORT_USUAL, SORT_PART, SORT_DELTA, SORT_RATIO, SORT_RANK, SORT_A, SORT_B };
#define COMPARE_SORTS 7

/* Pictures of `plot compare`: the usual one, or those of --shift and --weight bytes. */
enum compare_drawing { DRAWING_USUAL, DRAWING_SHIFT, DRAWING_BYTES };
#define COMPARE_DRAWINGS 3

/* --widths: width of a frame in a flame graph of both sides: larger self time, or a's, or b's. */
enum compare_widths { WIDTHS_MAX, WIDTHS_A, WIDTHS_B };
#define COMPARE_WIDTHS 3

/* Words of --per, --only, --sort, --widths and --adjust; "" is the default. */
extern const char *const compare_per_names[COMPARE_PERS];
extern const char *const compare_only_names[COMPARE_ONLYS];
extern const char *const compare_sort_names[COMPARE_SORTS];
extern const char *const compare_widths_names[COMPARE_WIDTHS];
extern const char *const compare_adjustment_names[ADJUSTMENTS];

/* Options of a comparison; all pointers are borrowed. */
struct compare_request {
    struct report_request sides[2]; /* a and b: same report and options, different traces */
    enum compare_per per;
    enum compare_only only;
    enum compare_sort sort;
    int64_t top;       /* number of rows to print at most; 0: no limit */
    double noise;      /* largest difference of a ratio from 1 that counts as the same */
    const char *match; /* file of --match: names in a and in b, separated by a TAB; NULL: none */
    bool exact_names;  /* true: names keep parts that differ between runs, such as pids (table.h) */
    bool strip_hex;    /* true: hexadecimal numbers in names are replaced by … */
    int blocks; /* limit of blocks of time per side; 0: no p-values and confidence intervals */
    int resamples;
    uint64_t seed;
    enum adjustment adjustment; /* adjustment of the overview's p-values for multiple comparisons */
    double confidence;          /* confidence level of intervals, between 0 and 1 */
    bool all_quantiles;         /* true: print all quantiles of a group of values */
    bool strict;                /* true: it is an error if the sides are hard to compare */
    bool picture;               /* true: draw the rows instead of printing them */
    bool people;  /* true: the output is for people: durations in # lines are scaled */
    bool own_svg; /* true: the program draws SVG without gnuplot where it can */
    enum compare_drawing drawing;
    enum compare_widths widths;
};

#endif

/* What is to be compared, and how it is printed. */
#ifndef TRACETOOL_COMPARE_REQUEST_H
#define TRACETOOL_COMPARE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "scan/statistics.h"
#include "report/request.h"

/* Rows that differ in their key, of both sides. */
#define COMPARE_ROWS_MOST 262144

/* How much a ratio may differ from 1 and still be the same, unless --noise says otherwise. */
#define COMPARE_NOISE 0.02

/* Unless the options say otherwise; most blocks and resamples. */
#define COMPARE_BLOCKS         30
#define COMPARE_BLOCKS_MOST    1000
#define COMPARE_RESAMPLES      1999
#define COMPARE_RESAMPLES_MOST 99999
#define COMPARE_SEED           1
#define COMPARE_CONFIDENCE     0.95

/* What counts, bytes and times are given by. */
enum compare_per { PER_USUAL, PER_NONE, PER_SECOND, PER_CALL, PER_IO, PER_RUN };
#define COMPARE_PERS 6

/* Which rows are printed. */
enum compare_only { ONLY_ALL, ONLY_BOTH, ONLY_A, ONLY_B, ONLY_CHANGED };
#define COMPARE_ONLYS 5

/* What comes first. */
enum compare_sort { SORT_USUAL, SORT_PART, SORT_DELTA, SORT_RATIO, SORT_RANK, SORT_A, SORT_B };
#define COMPARE_SORTS 7

/* How a comparison is drawn: as usual, or as options ask for. */
enum compare_drawing { DRAWING_USUAL, DRAWING_SHIFT, DRAWING_BYTES };
#define COMPARE_DRAWINGS 3

/* How wide the frames of two call trees are: as self times of both, the larger one; of a, of b. */
enum compare_widths { WIDTHS_MAX, WIDTHS_A, WIDTHS_B };
#define COMPARE_WIDTHS 3

/* The words behind --per, --only, --sort, --widths and --adjust; "" for what is meant without. */
extern const char *const compare_per_names[COMPARE_PERS];
extern const char *const compare_only_names[COMPARE_ONLYS];
extern const char *const compare_sort_names[COMPARE_SORTS];
extern const char *const compare_widths_names[COMPARE_WIDTHS];
extern const char *const compare_adjustment_names[ADJUSTMENTS];

/* All is borrowed. */
struct compare_request {
    struct report_request sides[2]; /* a and b: the same report and options, their own traces */
    enum compare_per per;
    enum compare_only only;
    enum compare_sort sort;
    int64_t top;       /* rows; 0: all */
    double noise;      /* 0.02: a ratio within 1 ± 0.02 is the same */
    const char *match; /* file of names of a and what b calls them, parted by a TAB; NULL: none */
    bool exact_names;  /* no names are matched that differ by pids and the like (table.h) */
    bool strip_hex;    /* hexadecimal numbers in names are all the same */
    int blocks;        /* of time, a side, at most; 0: no significance */
    int resamples;
    uint64_t seed;
    enum adjustment adjustment; /* of the overview's likelihoods */
    double confidence;          /* of intervals, between 0 and 1 */
    bool all_quantiles;         /* of values, not only the usual ones */
    bool strict;                /* what makes the sides hard to compare is a failure */
    bool picture;               /* the rows are drawn */
    bool own_svg;               /* by the program itself, where it can: as SVG */
    enum compare_drawing drawing;
    enum compare_widths widths;
};

#endif

/* Finds how often each of many cells occurs so that sums over sets of them come out as claimed. */
#ifndef STUDY_FIT_H
#define STUDY_FIT_H

#include <stdint.h>

#define BIT(number) (UINT64_C(1) << (number))

enum { MAX_CLAIMS = 64, MAX_CELLS = 400 };

/* One class of one row of the plan. */
typedef struct {
    unsigned row, class;
    uint64_t claims; /* those that it is part of: a set of bits */
    double wanted;   /* what it weighs against other cells */
    int64_t count;
} Cell;

/* Claim 0 is about all cells. */
typedef struct {
    Cell cells[MAX_CELLS];
    unsigned count;
    int64_t target[MAX_CLAIMS];
    uint64_t claimed; /* the claims that there are */
    uint64_t loose;   /* those of them that may miss single I/Os */
} Problem;

/* Fills in the counts. Claims that contradict one another are missed, which check_promises() finds.
 */
void fit(Problem *problem);

#endif

/* How unevenly events come: what the times between them, and their numbers in windows of time, say.
 *
 * Of the gaps between one event and the next: the coefficient of variation, by the standard
 * deviation of a population; Goh and Barabási's B, which is -1 where gaps are equal, 0 for a
 * Poisson process and 1 at most, and Kim and Jo's B_n, which corrects it for few gaps; the memory
 * M, Pearson's correlation of one gap and the next. Of windows: the index of dispersion, the
 * variance (of a sample) of the numbers of events by their mean, 1 for a Poisson process.
 */
#ifndef TRACETOOL_BURSTINESS_H
#define TRACETOOL_BURSTINESS_H

#include <stdbool.h>
#include <stdint.h>

/* Gaps, of one or several traces. Zeroed: none. */
struct gap_sums {
    int64_t count;
    double mean, squares; /* sum of the squares of the distances from it */
    /* Of two gaps in a row. */
    int64_t pairs;
    double first_mean, second_mean, first_squares, second_squares, products;
};

/* The gap after `before`, which is of the same trace; -1: there is none. */
void gap_sums_add(struct gap_sums *sums, int64_t before, int64_t gap);

/* NaN where there are too few gaps, or all last nothing, or, of the memory, are equal. */
struct gap_figures {
    double cv, b, b_n, memory;
};

/* The figures of the gaps that were added. */
struct gap_figures gap_sums_find(const struct gap_sums *sums);

/* Numbers of events in windows of one length, [k L, (k + 1) L), of one or several traces. */
struct window_sums {
    int64_t length; /* at least 1 */
    /* Of the trace: whole windows, from number `first` to before `behind`; from when to before when
     * that of the last event is, whether it is one of these, and how many events it has so far. */
    int64_t first, behind, from, to, events;
    bool whole;
    int64_t windows;     /* of all traces */
    double sum, squares; /* of the numbers of events */
};

/* The next trace, which was seen from `start` to before `end`. */
void window_sums_begin(struct window_sums *sums, int64_t start, int64_t end);

/* An event, none of which is earlier than the one before. */
void window_sums_add(struct window_sums *sums, int64_t time);

/* The trace is over. */
void window_sums_end(struct window_sums *sums);

/* NaN for less than two windows, and where there is no event. */
double window_sums_dispersion(const struct window_sums *sums);

#endif

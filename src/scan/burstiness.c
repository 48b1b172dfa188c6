#include "scan/burstiness.h"

#include <math.h>

#include "base/saturate.h"

/* Sums are of distances from the mean so far (Welford 1962), for gaps are large and may be nearly
 * equal. */
void gap_sums_add(struct gap_sums *sums, int64_t before, int64_t gap) {
    double value = (double)gap, distance = value - sums->mean;

    sums->count++;
    sums->mean += distance / (double)sums->count;
    sums->squares += distance * (value - sums->mean);
    if (before >= 0) {
        double first = (double)before - sums->first_mean, second = value - sums->second_mean;
        double pairs = (double)++sums->pairs;

        sums->first_mean += first / pairs;
        sums->second_mean += second / pairs;
        sums->first_squares += first * ((double)before - sums->first_mean);
        sums->second_squares += second * (value - sums->second_mean);
        sums->products += first * (value - sums->second_mean);
    }
}

struct gap_figures gap_sums_find(const struct gap_sums *sums) {
    struct gap_figures figures = {NAN, NAN, NAN, NAN};
    double count = (double)sums->count, more, less;

    if (sums->count == 0 || sums->mean <= 0) {
        return figures;
    }
    more = sqrt(count + 1);
    less = sqrt(count - 1);
    figures.cv = sqrt(sums->squares / count) / sums->mean;
    figures.b = (figures.cv - 1) / (figures.cv + 1);
    if (sums->count > 1) {
        figures.b_n = (more * figures.cv - less) / ((more - 2) * figures.cv + less);
    }
    if (sums->first_squares > 0 && sums->second_squares > 0) {
        figures.memory = sums->products / sqrt(sums->first_squares) / sqrt(sums->second_squares);
    }
    return figures;
}

/* Rounded down, of a divisor above 0. */
static int64_t floor_of(int64_t number, int64_t divisor) {
    return number / divisor - (number % divisor < 0);
}

/* Where that window begins, as far as there are numbers. */
static int64_t start_of(const struct window_sums *sums, int64_t window) {
    int64_t start;

    return !__builtin_mul_overflow(window, sums->length, &start) ? start
           : window < 0                                          ? INT64_MIN
                                                                 : INT64_MAX;
}

void window_sums_begin(struct window_sums *sums, int64_t start, int64_t end) {
    int64_t whole = floor_of(start, sums->length), windows;

    sums->first = whole + (start_of(sums, whole) < start);
    sums->behind = floor_of(end, sums->length);
    sums->behind = sums->behind < sums->first ? sums->first : sums->behind;
    sums->from = sums->to = sums->events = 0;
    if (__builtin_sub_overflow(sums->behind, sums->first, &windows)) {
        windows = INT64_MAX;
    }
    add_saturated(&sums->windows, windows);
}

void window_sums_end(struct window_sums *sums) {
    double events = (double)sums->events;

    sums->sum += events;
    sums->squares += events * events;
    sums->events = 0;
}

void window_sums_add(struct window_sums *sums, int64_t time) {
    if (time < sums->from || time >= sums->to) {
        int64_t window = floor_of(time, sums->length);

        window_sums_end(sums);
        sums->whole = window >= sums->first && window < sums->behind;
        sums->from = start_of(sums, window);
        if (__builtin_add_overflow(sums->from, sums->length, &sums->to)) {
            sums->to = INT64_MAX;
        }
    }
    sums->events += sums->whole;
}

/* Equal numbers have exactly 0: both products are then rounded from the same number. */
double window_sums_dispersion(const struct window_sums *sums) {
    double windows = (double)sums->windows;

    if (sums->windows < 2 || sums->sum <= 0) {
        return NAN;
    }
    return (windows * sums->squares - sums->sum * sums->sum) / (windows - 1) / sums->sum;
}

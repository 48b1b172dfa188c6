#include "compare/statistics.h"

#include <math.h>
#include <stdlib.h>

#include "compare/dependence.h"
#include "base/memory.h"

double statistics_total(const double *counts, size_t n) {
    double total = 0;

    for (size_t i = 0; i < n; i++) {
        total += counts[i];
    }
    return total;
}

/* The totals of both sides; 0: one of them counts nothing. */
static int totals(const double *a, const double *b, size_t n, double *total_a, double *total_b) {
    *total_a = statistics_total(a, n);
    *total_b = statistics_total(b, n);
    return *total_a > 0 && *total_b > 0;
}

/* --- kinds ------------------------------------------------------------------------------------ */

double statistics_tvd(const double *a, const double *b, size_t n) {
    double total_a, total_b, sum = 0;

    if (!totals(a, b, n, &total_a, &total_b)) {
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        sum += fabs(a[i] / total_a - b[i] / total_b);
    }
    return sum / 2;
}

double statistics_jensen_shannon(const double *a, const double *b, size_t n, double *terms) {
    double total_a, total_b, sum = 0;
    int both = totals(a, b, n, &total_a, &total_b);

    for (size_t i = 0; i < n; i++) {
        double p = both ? a[i] / total_a : 0, q = both ? b[i] / total_b : 0, term = 0;

        if (p > 0) {
            term += p * log2(2 * p / (p + q)) / 2;
        }
        if (q > 0) {
            term += q * log2(2 * q / (p + q)) / 2;
        }
        /* Of nearly equal shares the two nearly cancel, and rounding may leave less than nothing.
         */
        term = fmax(term, 0);
        if (terms != NULL) {
            terms[i] = term;
        }
        sum += term;
    }
    return sum;
}

/* Adds what one cell differs from what it expects. */
static void add_cell(struct contingency *table, double count, double expected) {
    table->cells++;
    table->below_five += expected < 5;
    table->chi_square += (count - expected) * (count - expected) / expected;
    if (count > 0) {
        table->g += 2 * count * log(count / expected);
    }
}

struct contingency statistics_contingency(const double *a, const double *b, size_t n) {
    struct contingency table = {0};
    double total_a, total_b;
    size_t kinds = 0;

    if (!totals(a, b, n, &total_a, &total_b)) {
        return table;
    }
    for (size_t i = 0; i < n; i++) {
        double sum = a[i] + b[i];

        if (sum > 0) {
            kinds++;
            add_cell(&table, a[i], sum * total_a / (total_a + total_b));
            add_cell(&table, b[i], sum * total_b / (total_a + total_b));
        }
    }
    table.degrees = kinds - 1;
    table.g = fmax(table.g, 0);
    table.cramers_v = sqrt(table.chi_square / (total_a + total_b));
    return table;
}

double statistics_rank_overlap(const size_t *depths, size_t common, size_t length_a,
                               size_t length_b, double p) {
    size_t shorter = length_a < length_b ? length_a : length_b;
    size_t longer = length_a < length_b ? length_b : length_a;
    size_t seen = 0, in_shorter = 0;
    double sum = 0, power = 1;

    if (shorter == 0) {
        return 0;
    }
    while (in_shorter < common && depths[in_shorter] <= shorter) {
        in_shorter++;
    }
    for (size_t depth = 1; depth <= longer; depth++) {
        power *= p;
        while (seen < common && depths[seen] <= depth) {
            seen++;
        }
        sum += (double)seen / (double)depth * power;
        if (depth > shorter) {
            sum += (double)in_shorter * (double)(depth - shorter) /
                   ((double)shorter * (double)depth) * power;
        }
    }
    return (1 - p) / p * sum +
           ((double)(common - in_shorter) / (double)longer + (double)in_shorter / (double)shorter) *
               power;
}

/* --- values ----------------------------------------------------------------------------------- */

double statistics_ks(const double *a, const double *b, size_t n, size_t *at) {
    double total_a, total_b, sum_a = 0, sum_b = 0, largest = 0;
    int both = totals(a, b, n, &total_a, &total_b);

    if (at != NULL) {
        *at = 0;
    }
    for (size_t i = 0; both && i < n; i++) {
        double distance;

        sum_a += a[i];
        sum_b += b[i];
        distance = fabs(sum_a / total_a - sum_b / total_b);
        if (distance > largest) {
            largest = distance;
            if (at != NULL) {
                *at = i;
            }
        }
    }
    return largest;
}

/* Mann and Whitney's U of b: pairs of which b's is larger, ties by half. */
static double statistics_u(const double *a, const double *b, size_t n) {
    double below = 0, pairs = 0;

    for (size_t i = 0; i < n; i++) {
        pairs += b[i] * (below + a[i] / 2);
        below += a[i];
    }
    return pairs;
}

double statistics_cliff(const double *a, const double *b, size_t n) {
    double total_a, total_b;

    return totals(a, b, n, &total_a, &total_b) ? 2 * statistics_u(a, b, n) / (total_a * total_b) - 1
                                               : 0;
}

const char *statistics_cliff_word(double delta) {
    double size = fabs(delta);

    return size < 0.147 ? "negligible" : size < 0.33 ? "small" : size < 0.474 ? "medium" : "large";
}

double statistics_wasserstein(const double *x, const double *a, const double *b, size_t n) {
    double total_a, total_b, sum_a = 0, sum_b = 0, distance = 0;

    if (!totals(a, b, n, &total_a, &total_b)) {
        return 0;
    }
    for (size_t i = 0; i + 1 < n; i++) {
        sum_a += a[i];
        sum_b += b[i];
        distance += fabs(sum_a / total_a - sum_b / total_b) * (x[i + 1] - x[i]);
    }
    return distance;
}

static int compare_doubles(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

double statistics_circular(const double *a, const double *b, size_t n, double *scratch) {
    double total_a, total_b, sum = 0, distance = 0, median;

    if (!totals(a, b, n, &total_a, &total_b)) {
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        sum += a[i] / total_a - b[i] / total_b;
        scratch[i] = sum;
    }
    qsort(scratch, n, sizeof *scratch, compare_doubles);
    median = (scratch[(n - 1) / 2] + scratch[n / 2]) / 2;
    for (size_t i = 0; i < n; i++) {
        distance += fabs(scratch[i] - median);
    }
    return distance;
}

/* --- rates ------------------------------------------------------------------------------------ */

double statistics_dispersion(const double *counts, size_t n) {
    const struct dependence_series series = {counts, n};
    struct dependence found;

    if (n < 2 || statistics_total(counts, n) <= 0) {
        return 1;
    }
    dependence_find(&series, 1, &found);
    return fmax(1, found.variances[0] * (double)n / found.means[0]);
}

double statistics_deviations(double share, double degrees) {
    double low = 0, high = 10, z;

    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;

        if (erf(middle / sqrt(2)) < share) {
            low = middle;
        } else {
            high = middle;
        }
    }
    z = (low + high) / 2;
    /* Student's t by its expansion (Cornish and Fisher). */
    return z + (pow(z, 3) + z) / (4 * degrees) +
           (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * degrees * degrees);
}

double statistics_rate_factor(double n, double m, double dispersion_n, double dispersion_m,
                              double confidence) {
    return n <= 0 || m <= 0 ? INFINITY
                            : exp(statistics_deviations(confidence, INFINITY) *
                                  sqrt(dispersion_n / n + dispersion_m / m));
}

/* --- likelihoods ------------------------------------------------------------------------------ */

static int compare_places(const void *left, const void *right) {
    return compare_doubles(*(const double *const *)left, *(const double *const *)right);
}

/* Of likelihoods in ascending order: from the largest down, each at most the one above it. */
static void step_up(double **order, size_t n) {
    double least = 1;

    for (size_t i = n; i-- > 0;) {
        least = fmin(least, *order[i] * (double)n / (double)(i + 1));
        *order[i] = least;
    }
}

/* From the smallest up, each at least the one below it. */
static void step_down(double **order, size_t n) {
    double most = 0;

    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fmin(1, *order[i] * (double)(n - i)));
        *order[i] = most;
    }
}

bool statistics_adjust(double *p, size_t n, enum adjustment adjustment) {
    double **order = xmalloc((n + 1) * sizeof(double *));

    if (order == NULL) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        order[i] = &p[i];
    }
    qsort(order, n, sizeof(double *), compare_places);
    if (adjustment == ADJUST_HOLM) {
        step_down(order, n);
    } else {
        step_up(order, n);
    }
    free(order);
    return true;
}

#include "scan/statistics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"
#include "base/student.h"

double statistics_total(const double *counts, size_t n) {
    double total = 0;

    for (size_t i = 0; i < n; i++) {
        total += counts[i];
    }
    return total;
}

/* Computes the totals of both sides. Returns 0 if one of the totals is 0, otherwise 1. */
static int sum_both_sides(const double *a, const double *b, size_t n, double *total_a,
                          double *total_b) {
    *total_a = statistics_total(a, n);
    *total_b = statistics_total(b, n);
    return *total_a > 0 && *total_b > 0;
}

/* --- effect sizes for categories -------------------------------------------------------------- */

double statistics_tvd(const double *a, const double *b, size_t n) {
    double total_a, total_b, sum = 0;

    if (!sum_both_sides(a, b, n, &total_a, &total_b)) {
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        sum += fabs(a[i] / total_a - b[i] / total_b);
    }
    return sum / 2;
}

double statistics_jensen_shannon(const double *a, const double *b, size_t n, double *terms) {
    double total_a, total_b, sum = 0;
    int both = sum_both_sides(a, b, n, &total_a, &total_b);

    for (size_t i = 0; i < n; i++) {
        double p = both ? a[i] / total_a : 0, q = both ? b[i] / total_b : 0, term = 0;

        if (p > 0) {
            term += p * log2(2 * p / (p + q)) / 2;
        }
        if (q > 0) {
            term += q * log2(2 * q / (p + q)) / 2;
        }
        /* For nearly equal shares the terms nearly cancel, so rounding may make one negative. */
        term = fmax(term, 0);
        if (terms != NULL) {
            terms[i] = term;
        }
        sum += term;
    }
    return sum;
}

/* Adds a cell to the test: by how much its count deviates from the expected count. */
static void statistics_add_cell(struct contingency *table, double count, double expected) {
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

    if (!sum_both_sides(a, b, n, &total_a, &total_b)) {
        return table;
    }
    for (size_t i = 0; i < n; i++) {
        double sum = a[i] + b[i];

        if (sum > 0) {
            kinds++;
            statistics_add_cell(&table, a[i], sum * total_a / (total_a + total_b));
            statistics_add_cell(&table, b[i], sum * total_b / (total_a + total_b));
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

/* --- effect sizes for values ------------------------------------------------------------------ */

double statistics_ks(const double *a, const double *b, size_t n, size_t *at) {
    double total_a, total_b, sum_a = 0, sum_b = 0, largest = 0;
    int both = sum_both_sides(a, b, n, &total_a, &total_b);

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

/* Returns Mann-Whitney's U of b: number of pairs (a, b) in which b is larger; ties count half. */
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

    return sum_both_sides(a, b, n, &total_a, &total_b)
               ? 2 * statistics_u(a, b, n) / (total_a * total_b) - 1
               : 0;
}

const char *statistics_cliff_word(double delta) {
    double size = fabs(delta);

    return size < 0.147 ? "negligible" : size < 0.33 ? "small" : size < 0.474 ? "medium" : "large";
}

double statistics_wasserstein(const double *x, const double *a, const double *b, size_t n) {
    double total_a, total_b, sum_a = 0, sum_b = 0, distance = 0;

    if (!sum_both_sides(a, b, n, &total_a, &total_b)) {
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

    return ORDER(a, b);
}

double statistics_distance_on_circle(const double *a, const double *b, size_t n) {
    double total_a, total_b, sum = 0, distance = 0, median, *temp;

    if (!sum_both_sides(a, b, n, &total_a, &total_b)) {
        return 0;
    }
    temp = xcalloc(n, sizeof *temp);
    for (size_t i = 0; i < n; i++) {
        sum += a[i] / total_a - b[i] / total_b;
        temp[i] = sum;
    }
    qsort(temp, n, sizeof *temp, compare_doubles);
    median = (temp[(n - 1) / 2] + temp[n / 2]) / 2;
    for (size_t i = 0; i < n; i++) {
        distance += fabs(temp[i] - median);
    }
    free(temp);
    return distance;
}

double statistics_dispersion(const double *counts, size_t n) {
    const struct dependence_series series = {counts, n};
    struct dependence found;

    if (n < 2 || statistics_total(counts, n) <= 0) {
        return 1;
    }
    dependence_estimate(&series, 1, &found);
    return fmax(1, found.variances[0] * (double)n / found.means[0]);
}

double statistics_dispersion_between(const double *counts, const double *weights, size_t n) {
    double all = statistics_total(counts, n), weight = statistics_total(weights, n), sum = 0;

    for (size_t i = 0; i < n && weight > 0; i++) {
        double distance = counts[i] - all * weights[i] / weight;

        sum += distance * distance;
    }
    return n > 1 && all > 0 ? sum * (double)n / (double)(n - 1) / all : 0;
}

/* Degrees of freedom up to which t is computed exactly; beyond, two terms of a series suffice. */
#define FEW_DEGREES 1000

double statistics_student_t(double confidence, double degrees) {
    double low = 0, high = 10, z;

    if (degrees <= FEW_DEGREES) {
        return student_t_critical_two_sided(confidence, degrees);
    }
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;

        if (erf(middle / sqrt(2)) < confidence) {
            low = middle;
        } else {
            high = middle;
        }
    }
    z = (low + high) / 2;
    /* the Cornish-Fisher expansion of Student's t */
    return z + (pow(z, 3) + z) / (4 * degrees) +
           (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * degrees * degrees);
}

double statistics_rate_factor(double n, double m, double dispersion_n, double dispersion_m,
                              double deviations) {
    return n <= 0 || m <= 0 ? INFINITY
                            : exp(deviations * sqrt(dispersion_n / n + dispersion_m / m));
}

/* --- adjusting p values ----------------------------------------------------------------------- */

static int statistics_compare_places(const void *left, const void *right) {
    return compare_doubles(*(const double *const *)left, *(const double *const *)right);
}

/* Benjamini-Hochberg: p times n / rank, but at most the adjusted value of the next higher p. */
static void adjust_p_values_step_up(double **order, size_t n) {
    double least = 1;

    for (size_t i = n; i-- > 0;) {
        least = fmin(least, *order[i] * (double)n / (double)(i + 1));
        *order[i] = least;
    }
}

/* Holm: p times the number of values from p to the highest, but at least the adjusted value of the
 * next lower p. */
static void adjust_p_values_step_down(double **order, size_t n) {
    double most = 0;

    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fmin(1, *order[i] * (double)(n - i)));
        *order[i] = most;
    }
}

void statistics_adjust(double *p, size_t n, enum adjustment adjustment) {
    double **order = xmalloc((n + 1) * sizeof(double *));

    for (size_t i = 0; i < n; i++) {
        order[i] = &p[i];
    }
    qsort(order, n, sizeof(double *), statistics_compare_places);
    if (adjustment == ADJUST_HOLM) {
        adjust_p_values_step_down(order, n);
    } else {
        adjust_p_values_step_up(order, n);
    }
    free(order);
}

#define HURST_LEAST 0.5
#define HURST_STEP  0.05
#define HURSTS      10

/* Limit of twice the log likelihood ratio; with independent blocks, 5 % of cases exceed it. */
#define CERTAIN 2.71

/* Blocks with a lower variance, relative to the squared mean, are equal but for rounding errors. */
#define VARIANCE_ROUNDING 1e-24

/* The blocks of a series as deviations from their mean. */
struct deviations {
    double values[DEPENDENCE_BLOCKS];
    size_t count;
    double mean, squares;
};

/* Sums over prediction errors, each divided by its variance: squared errors of the values, squared
 * errors of a series of ones, and products of both. */
struct innovations {
    double values, ones, products;
    double determinant; /* logarithm of the determinant of the correlation matrix */
};

static void statistics_lay_out(const struct dependence_series *series,
                               struct deviations *deviations) {
    size_t together = (series->count + DEPENDENCE_BLOCKS - 1) / DEPENDENCE_BLOCKS;

    if (together == 0) { /* the series is empty */
        *deviations = (struct deviations){0};
        return;
    }
    *deviations = (struct deviations){.count = series->count / together};
    for (size_t i = 0; i < series->count; i++) {
        deviations->mean += series->blocks[i] / (double)series->count;
    }
    for (size_t i = 0; i < deviations->count; i++) {
        double sum = 0;

        for (size_t j = 0; j < together; j++) {
            sum += series->blocks[i * together + j] - deviations->mean;
        }
        deviations->values[i] = sum / (double)together;
        deviations->squares += deviations->values[i] * deviations->values[i];
    }
    if (deviations->squares <=
        VARIANCE_ROUNDING * deviations->mean * deviations->mean * (double)deviations->count) {
        deviations->squares = 0;
    }
}

/* Predicts each value from the values before it, by the Durbin-Levinson recursion for fractional
 * Gaussian noise with parameter `hurst`. Returns sums over the prediction errors. */
static struct innovations subtract_predictions(const struct deviations *deviations, double hurst) {
    double correlations[DEPENDENCE_BLOCKS], weights[DEPENDENCE_BLOCKS], before[DEPENDENCE_BLOCKS];
    struct innovations sums = {0};
    double variance = 1, less = 1, here = 0; /* powers 2H of t - 1 and t; `more`: of t + 1 */

    for (size_t t = 0; t < deviations->count; t++) {
        double value = deviations->values[t], one = 1, more = pow((double)t + 1, 2 * hurst);

        correlations[t] = (more - 2 * here + less) / 2;
        less = here;
        here = more;
        if (t > 0) {
            double last = correlations[t];

            for (size_t j = 1; j < t; j++) {
                last -= before[j] * correlations[t - j];
            }
            weights[t] = last / variance;
            for (size_t j = 1; j < t; j++) {
                weights[j] = before[j] - weights[t] * before[t - j];
            }
            variance *= 1 - weights[t] * weights[t];
        }
        for (size_t j = 1; j <= t; j++) {
            before[j] = weights[j];
            value -= weights[j] * deviations->values[t - j];
            one -= weights[j];
        }
        sums.values += value * value / variance;
        sums.ones += one * one / variance;
        sums.products += value * one / variance;
        sums.determinant += log(variance);
    }
    return sums;
}

/* Returns the residual sum of squares for the most likely mean. */
static double residue_of(const struct innovations *sums) {
    return fmax(sums->values - sums->products * sums->products / sums->ones, DBL_MIN);
}

static double hurst_log_likelihood(const struct deviations *deviations, int count, double hurst) {
    double sum = 0;

    for (int i = 0; i < count; i++) {
        if (deviations[i].squares > 0 && deviations[i].count > 2) {
            struct innovations sums = subtract_predictions(&deviations[i], hurst);

            sum -= (sums.determinant + log(sums.ones) +
                    (double)(deviations[i].count - 1) * log(residue_of(&sums))) /
                   2;
        }
    }
    return sum;
}

static void find_variances(const struct deviations *deviations, int count,
                           struct dependence *found) {
    for (int i = 0; i < count; i++) {
        double n = (double)deviations[i].count;

        found->means[i] = deviations[i].mean;
        if (deviations[i].squares > 0 && n > 1) {
            struct innovations sums = subtract_predictions(&deviations[i], found->hurst);

            found->independent[i] = deviations[i].squares / (n - 1) / n;
            found->variances[i] = fmax(residue_of(&sums) / (n - 1) * pow(n, 2 * found->hurst - 2),
                                       found->independent[i]);
        }
    }
}

void dependence_set_independent(struct dependence *found) {
    memcpy(found->variances, found->independent, sizeof found->variances);
    found->is_certain = false;
}

void dependence_estimate(const struct dependence_series *series, int count,
                         struct dependence *found) {
    struct deviations deviations[DEPENDENCE_SERIES];
    double independent, best;

    *found = (struct dependence){.hurst = HURST_LEAST};
    for (int i = 0; i < count; i++) {
        statistics_lay_out(&series[i], &deviations[i]);
    }
    independent = best = hurst_log_likelihood(deviations, count, HURST_LEAST);
    for (int i = 1; i < HURSTS; i++) {
        double hurst = fmin(HURST_LEAST + i * HURST_STEP, DEPENDENCE_HURST_MOST);
        double found_here = hurst_log_likelihood(deviations, count, hurst);

        if (found_here > best) {
            best = found_here;
            found->hurst = hurst;
        }
    }
    found->is_certain = 2 * (best - independent) > CERTAIN;
    find_variances(deviations, count, found);
}

double dependence_of_ratio(const struct dependence *found) {
    double sum = 0;

    for (int i = 0; i < DEPENDENCE_SERIES; i++) {
        sum += found->variances[i] / (found->means[i] * found->means[i]);
    }
    return sqrt(sum);
}

double dependence_of_difference(const struct dependence *found) {
    double dependent = found->variances[0] + found->variances[1];
    double independent = found->independent[0] + found->independent[1];

    return independent > 0 ? sqrt(dependent / independent) : 1;
}

/* Statistics with a smaller relative difference count as equal: it is a rounding error. */
#define STATISTIC_ROUNDING 1e-12

static uint64_t next_random(struct resampling_random *random) {
    uint64_t mixed = random->state += UINT64_C(0x9e3779b97f4a7c15);

    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ mixed >> 31;
}

size_t resampling_draw(struct resampling_random *random, size_t limit) {
    /* 2^64 is so much larger than the limit that the bias of the product is negligible. */
    return (size_t)(((unsigned __int128)next_random(random) * limit) >> 64);
}

/* --- permutation tests ------------------------------------------------------------------------ */

/* Counts the permutations whose statistic is at least as large as the observed one. */
struct counting {
    resampling_statistic *statistic;
    void *context;
    int statistics;
    double observed[RESAMPLING_STATISTICS];
    /* Factors for the statistics of permutations, which correct for dependent blocks. */
    double factors[RESAMPLING_STATISTICS];
    double hits[RESAMPLING_STATISTICS];
    double tried;
};

static void count_extreme_permutation(struct counting *counting, const bool *is_b) {
    double values[RESAMPLING_STATISTICS] = {0};

    counting->statistic(counting->context, is_b, values);
    for (int i = 0; i < counting->statistics; i++) {
        double least =
            counting->observed[i] - STATISTIC_ROUNDING * fmax(1, fabs(counting->observed[i]));

        counting->hits[i] += values[i] * counting->factors[i] >= least;
    }
    counting->tried++;
}

/* Returns the binomial coefficient n over `chosen`. Stops early if it exceeds `most`; the result is
 * then too small, but above `most`. */
static double number_of_combinations(size_t n, size_t chosen, double most) {
    double product = 1;

    for (size_t i = 1; i <= chosen && product <= most; i++) {
        product = product * (double)(n - chosen + i) / (double)i;
    }
    return product;
}

double resampling_least_p(size_t n_a, size_t n_b) {
    return (n_a == n_b ? 2 : 1) / number_of_combinations(n_a + n_b, n_b, INFINITY);
}

/* Advances to the next way to assign blocks to side b, in lexicographic order; the number of blocks
 * of b stays the same. Returns false after the last way. */
static bool statistics_next_choice(bool *is_b, size_t n) {
    size_t end = n, ones = 0;

    /* Finds the last element of side b that can move by one place. The elements of b behind it are
     * put directly after it. */
    while (end > 0 && is_b[end - 1]) {
        end--;
        ones++;
    }
    while (end > 0 && !is_b[end - 1]) {
        end--;
    }
    if (end == 0) {
        return false;
    }
    is_b[end - 1] = false;
    for (size_t i = end; i < n; i++) {
        is_b[i] = i - end <= ones;
    }
    return true;
}

static void permute_all_ways(struct counting *counting, size_t n_a, size_t n_b) {
    bool is_b[RESAMPLING_BLOCKS] = {false};

    for (size_t i = 0; i < n_b; i++) {
        is_b[i] = true;
    }
    do {
        count_extreme_permutation(counting, is_b);
    } while (statistics_next_choice(is_b, n_a + n_b));
}

static void permute_some_ways(struct counting *counting, struct resampling_random *random,
                              size_t n_a, size_t n_b, int resamples) {
    bool is_b[RESAMPLING_BLOCKS];
    size_t n = n_a + n_b;

    for (size_t i = 0; i < n; i++) {
        is_b[i] = i >= n_a;
    }
    for (int i = 0; i < resamples; i++) {
        for (size_t j = n; j > 1; j--) {
            size_t other = resampling_draw(random, j);
            bool swapped = is_b[j - 1];

            is_b[j - 1] = is_b[other];
            is_b[other] = swapped;
        }
        count_extreme_permutation(counting, is_b);
    }
}

void resampling_permute(struct resampling_random *random, size_t n_a, size_t n_b, int resamples,
                        int statistics, const struct resampling_reach *reach,
                        resampling_statistic *statistic, void *context, double *p) {
    struct counting counting = {
        .statistic = statistic, .context = context, .statistics = statistics};
    bool is_b[RESAMPLING_BLOCKS] = {false}, all;

    for (int i = 0; i < statistics; i++) {
        p[i] = 1;
        counting.factors[i] = reach != NULL ? pow(reach->factor, reach->powers[i]) : 1;
    }
    if (n_a == 0 || n_b == 0 || n_a + n_b > RESAMPLING_BLOCKS) {
        return;
    }
    for (size_t i = n_a; i < n_a + n_b; i++) {
        is_b[i] = true;
    }
    statistic(context, is_b, counting.observed);
    all = number_of_combinations(n_a + n_b, n_b, resamples) <= resamples;
    if (all) {
        permute_all_ways(&counting, n_a, n_b);
    } else {
        permute_some_ways(&counting, random, n_a, n_b, resamples);
    }
    for (int i = 0; i < statistics; i++) {
        p[i] =
            all ? counting.hits[i] / counting.tried : (1 + counting.hits[i]) / (1 + counting.tried);
    }
}

double resampling_quantile(double *values, size_t n, double q) {
    double rank = ceil(q * (double)n);

    if (n == 0) {
        return NAN;
    }
    qsort(values, n, sizeof *values, compare_doubles);
    return values[rank < 1 ? 0 : rank > (double)n ? n - 1 : (size_t)rank - 1];
}

/* --- bootstrap intervals of ratios ------------------------------------------------------------ */

double resampling_widening_factor(const struct dependence *dependence, const size_t blocks[2],
                                  double confidence) {
    double degrees = (double)blocks[0] + (double)blocks[1] - 2, drawn = 0;

    /* A bootstrap gives the variance divided by n instead of n - 1; this corrects it. */
    for (int i = 0; i < 2; i++) {
        double n = (double)blocks[i], mean = dependence->means[i];

        drawn += mean != 0 ? dependence->independent[i] * (n - 1) / n / (mean * mean) : 0;
    }
    return drawn > 0 ? dependence_of_ratio(dependence) / sqrt(drawn) *
                           statistics_student_t(confidence, degrees) /
                           statistics_student_t(confidence, INFINITY)
                     : 1;
}

double resampling_widen(double bound, double middle, double widening, bool is_low) {
    bool is_beyond = is_low ? bound < middle : bound > middle;

    return middle > 0 && is_beyond ? middle * pow(bound / middle, widening) : bound;
}

static double statistics_mean_of(const struct dependence_series *series) {
    double sum = 0;

    for (size_t i = 0; i < series->count; i++) {
        sum += series->blocks[i];
    }
    return sum / (double)series->count;
}

static double draw_mean(const struct dependence_series *series, struct resampling_random *random) {
    double sum = 0;

    for (size_t i = 0; i < series->count; i++) {
        sum += series->blocks[resampling_draw(random, series->count)];
    }
    return sum / (double)series->count;
}

bool resampling_ratio(struct resampling_random *random, const struct dependence_series *series,
                      bool in_time, int resamples, double confidence, double *room, double *low,
                      double *high, struct dependence *dependence) {
    const size_t blocks[] = {series[0].count, series[1].count};
    double middle = statistics_mean_of(&series[1]) / statistics_mean_of(&series[0]), widening;
    struct dependence found;

    for (int i = 0; i < resamples; i++) {
        double b = draw_mean(&series[1], random), a = draw_mean(&series[0], random);

        if (a <= 0) {
            return false;
        }
        room[i] = b / a;
    }
    dependence_estimate(series, DEPENDENCE_SERIES, &found);
    if (!in_time) {
        dependence_set_independent(&found);
    }
    widening = resampling_widening_factor(&found, blocks, confidence);
    *low = resampling_widen(resampling_quantile(room, (size_t)resamples, (1 - confidence) / 2),
                            middle, widening, true);
    *high = resampling_widen(resampling_quantile(room, (size_t)resamples, (1 + confidence) / 2),
                             middle, widening, false);
    if (dependence != NULL) {
        *dependence = found;
    }
    return true;
}

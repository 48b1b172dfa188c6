#include "compare/dependence.h"

#include <float.h>
#include <math.h>

#define HURST_LEAST 0.5
#define HURST_STEP  0.05
#define HURSTS      10

/* Twice the logarithm of likelihoods that H = 0.5 exceeds by chance in 5 % of cases. */
#define CERTAIN 2.71

/* Blocks that are equal but for rounding do not vary. */
#define ROUNDING 1e-24

/* A series as it is looked at: its deviations from the mean. */
struct deviations {
    double values[DEPENDENCE_BLOCKS];
    size_t count;
    double mean, squares;
};

/* What the innovations of a series say: of its values, of a series of ones, and of both. */
struct innovations {
    double values, ones, products;
    double determinant; /* logarithm */
};

static void lay_out(const struct dependence_series *series, struct deviations *deviations) {
    size_t together = (series->count + DEPENDENCE_BLOCKS - 1) / DEPENDENCE_BLOCKS;

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
        ROUNDING * deviations->mean * deviations->mean * (double)deviations->count) {
        deviations->squares = 0;
    }
}

/* Durbin and Levinson's recursion: each value less what those before it predict. */
static struct innovations innovate(const struct deviations *deviations, double hurst) {
    double correlations[DEPENDENCE_BLOCKS], weights[DEPENDENCE_BLOCKS], before[DEPENDENCE_BLOCKS];
    struct innovations sums = {0};
    double variance = 1, less = 1, here = 0; /* (t - 1)^2H, t^2H */

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

/* What is left around the mean that fits best. */
static double residue_of(const struct innovations *sums) {
    return fmax(sums->values - sums->products * sums->products / sums->ones, DBL_MIN);
}

static double likelihood(const struct deviations *deviations, int count, double hurst) {
    double sum = 0;

    for (int i = 0; i < count; i++) {
        if (deviations[i].squares > 0 && deviations[i].count > 2) {
            struct innovations sums = innovate(&deviations[i], hurst);

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
            struct innovations sums = innovate(&deviations[i], found->hurst);

            found->independent[i] = deviations[i].squares / (n - 1) / n;
            found->variances[i] = fmax(residue_of(&sums) / (n - 1) * pow(n, 2 * found->hurst - 2),
                                       found->independent[i]);
        }
    }
}

void dependence_find(const struct dependence_series *series, int count, struct dependence *found) {
    struct deviations deviations[DEPENDENCE_SERIES];
    double independent, best;

    *found = (struct dependence){.hurst = HURST_LEAST};
    for (int i = 0; i < count; i++) {
        lay_out(&series[i], &deviations[i]);
    }
    independent = best = likelihood(deviations, count, HURST_LEAST);
    for (int i = 1; i < HURSTS; i++) {
        double hurst = fmin(HURST_LEAST + i * HURST_STEP, DEPENDENCE_HURST_MOST);
        double found_here = likelihood(deviations, count, hurst);

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

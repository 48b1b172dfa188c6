/* scan/statistics, resampling: worked examples, with figures confirmed by scipy 1.10 and R 4.2. */
#include <math.h>

#include "compare/table.h"
#include "scan/statistics.h"
#include "unit.h"

/* Compares nine digits; the figures are given with ten. */
static void assert_near(double got, double expected) {
    double tolerance = expected == 0 ? 1e-12 : 1e-9 * fabs(expected);

    ck_assert_msg(fabs(got - expected) <= tolerance, "%.12g, not %.12g", got, expected);
}

/* Two samples of numbers, as counts of the same values, ascending. */
struct pair {
    double x[64], doublings[64], a[64], b[64];
    size_t n;
};

static size_t place_of(struct pair *pair, double value) {
    size_t at = 0;

    while (at < pair->n && pair->x[at] < value) {
        at++;
    }
    if (at == pair->n || pair->x[at] != value) {
        for (size_t i = pair->n++; i > at; i--) {
            pair->x[i] = pair->x[i - 1];
            pair->a[i] = pair->a[i - 1];
            pair->b[i] = pair->b[i - 1];
        }
        pair->x[at] = value;
        pair->a[at] = pair->b[at] = 0;
    }
    return at;
}

static struct pair make_pair(const int *a, size_t n, const int *b, size_t m) {
    struct pair pair = {.n = 0};

    for (size_t i = 0; i < n; i++) {
        pair.a[place_of(&pair, a[i])]++;
    }
    for (size_t i = 0; i < m; i++) {
        pair.b[place_of(&pair, b[i])]++;
    }
    for (size_t i = 0; i < pair.n; i++) {
        pair.doublings[i] = log2(pair.x[i]);
    }
    return pair;
}

UNIT_TEST(latencies) {
    static const int a[] = {210, 220, 220, 250, 260, 300, 310, 330, 400, 480, 900, 2100};
    static const int b[] = {240, 260, 300, 300, 350, 380, 410, 520, 700, 3000};
    struct pair pair = make_pair(a, COUNT(a), b, COUNT(b));

    assert_near(statistics_ks(pair.a, pair.b, pair.n, NULL), 4 / 15.0);
    assert_near(statistics_cliff(pair.a, pair.b, pair.n), 0.25833333333333);
    ck_assert_str_eq(statistics_cliff_word(0.2583), "small");
    assert_near(statistics_wasserstein(pair.x, pair.a, pair.b, pair.n), 174.33333333333);
    assert_near(statistics_wasserstein(pair.doublings, pair.a, pair.b, pair.n), 0.3147625141);
}

/* Each test detects what the other cannot. */
UNIT_TEST(what_tests_are_blind_to) {
    const double zeros_a[] = {20, 0}, zeros_b[] = {15, 5};
    int a[20], b[20];
    struct pair pair;

    assert_near(statistics_ks(zeros_a, zeros_b, 2, NULL), 0.25);
    assert_near(statistics_cliff(zeros_a, zeros_b, 2), 0.25);
    for (int i = 0; i < 20; i++) {
        a[i] = 10 + i;
        b[i] = i < 10 ? i : 20 + i;
    }
    pair = make_pair(a, 20, b, 20);
    assert_near(statistics_ks(pair.a, pair.b, pair.n, NULL), 0.5);
    assert_near(statistics_cliff(pair.a, pair.b, pair.n), 0);
}

/* read write open stat close fsync */
UNIT_TEST(operations) {
    const double a[] = {500, 300, 120, 60, 20, 0}, b[] = {420, 380, 120, 0, 0, 80};
    const size_t depths[] = {1, 2, 3};
    double terms[6], divergence = statistics_jensen_shannon(a, b, 6, terms);
    struct contingency table = statistics_contingency(a, b, 6);

    assert_near(statistics_tvd(a, b, 6), 0.16);
    assert_near(divergence, 0.08591465731);
    assert_near(terms[5], 0.04);
    assert_near(table.chi_square, 176.3682864);
    assert_near(table.g, 238.2060099);
    ck_assert_uint_eq(table.degrees, 5);
    ck_assert_uint_eq(table.below_five, 0);
    ck_assert_uint_eq(table.cells, 12);
    assert_near(table.cramers_v, 0.2969581506);
    assert_near(statistics_rank_overlap(depths, 3, 5, 4, 0.9), 0.81775);
    assert_near(statistics_rank_overlap(depths, 3, 5, 4, 0.98), 0.764702);
}

/* abcde and bcdae, a published example. */
UNIT_TEST(rankings) {
    const size_t depths[] = {2, 3, 4, 4, 5}, same[] = {1, 2, 3};

    assert_near(statistics_rank_overlap(depths, 5, 5, 5, 0.9), 0.828);
    assert_near(statistics_rank_overlap(same, 3, 3, 3, 0.9), 1);
    assert_near(statistics_rank_overlap(same, 0, 3, 3, 0.9), 0);
    assert_near(statistics_rank_overlap(same, 0, 0, 3, 0.9), 0);
}

UNIT_TEST(sizes) {
    const double x[] = {4096, 8192, 65536, 524288}, doublings[] = {12, 13, 16, 19};
    const double a[] = {60, 20, 15, 5}, b[] = {50, 20, 20, 10};
    double bytes_a[4], bytes_b[4];
    struct contingency table = statistics_contingency(a, b, 4);
    size_t at;

    for (int i = 0; i < 4; i++) {
        bytes_a[i] = a[i] * x[i];
        bytes_b[i] = b[i] * x[i];
    }
    assert_near(statistics_ks(a, b, 4, NULL), 0.1);
    statistics_ks(a, b, 4, &at);
    ck_assert_uint_le(at, 1); /* both are 0.1 apart, except for rounding */
    assert_near(statistics_wasserstein(x, a, b, 4), 29081.6);
    assert_near(statistics_wasserstein(doublings, a, b, 4), 0.55);
    assert_near(statistics_wasserstein(doublings, bytes_a, bytes_b, 4), 0.491003502);
    assert_near(table.chi_square, 3.29004329);
}

/* From one side of midnight to the other is one hour, not 23; the same in both directions. */
UNIT_TEST(around_the_clock) {
    double a[24] = {[23] = 10}, b[24] = {[0] = 10};

    assert_near(statistics_distance_on_circle(a, b, 24), 1);
    assert_near(statistics_distance_on_circle(b, a, 24), 1);
    assert_near(statistics_distance_on_circle(a, a, 24), 0);
}

UNIT_TEST(many_likelihoods) {
    double p[] = {0.041, 0.001, 0.039, 0.008, 0.042, 0.205, 0.06, 0.074};
    const double adjusted[] = {0.0672, 0.008, 0.0672, 0.032, 0.0672, 0.205, 0.08, 0.0845714285714};

    double q[] = {0.041, 0.001, 0.039, 0.008, 0.042, 0.205, 0.06, 0.074};
    const double holm[] = {0.234, 0.008, 0.234, 0.056, 0.234, 0.234, 0.234, 0.234};

    statistics_adjust(p, COUNT(p), ADJUST_BENJAMINI_HOCHBERG);
    statistics_adjust(q, COUNT(q), ADJUST_HOLM);
    for (size_t i = 0; i < COUNT(p); i++) {
        assert_near(p[i], adjusted[i]);
        assert_near(q[i], holm[i]);
    }
    statistics_adjust(p, 0, ADJUST_BENJAMINI_HOCHBERG);
    statistics_adjust(p, 0, ADJUST_HOLM);
}

/* 1200 events in 600 s and 1450 in 580 s: independent ones, and ones with nine times the
 * variance. */
UNIT_TEST(rates) {
    const double even[] = {4, 4, 4}, bursts[] = {0, 10, 0, 10}, one[] = {7};
    double ratio = (1450 / 580.0) / (1200 / 600.0);
    double factor = statistics_rate_factor(1200, 1450, 1, 1, 1.959964);
    double bursty = statistics_rate_factor(1200, 1450, 9, 9, 1.959964);

    assert_near(ratio, 1.25);
    ck_assert(fabs(ratio / factor - 1.158) < 0.0005 && fabs(ratio * factor - 1.349) < 0.0005);
    ck_assert(fabs(ratio / bursty - 0.994) < 0.0005 && fabs(ratio * bursty - 1.572) < 0.0005);
    ck_assert(isinf(statistics_rate_factor(0, 3, 1, 1, 1.959964)));
    assert_near(statistics_dispersion(even, 3), 1);
    assert_near(statistics_dispersion(bursts, 4), 100 / 3.0 / 5);
    assert_near(statistics_dispersion(one, 1), 1);
    assert_near(statistics_dispersion(one, 0), 1);
    /* Of 10 and 30, 20 are expected each: 2 * (10^2 + 10^2) / 40. Of lengths 1 and 3, all are. */
    assert_near(statistics_dispersion_between((double[]){10, 30}, (double[]){1, 1}, 2), 10);
    assert_near(statistics_dispersion_between((double[]){10, 30}, (double[]){1, 3}, 2), 0);
    assert_near(statistics_dispersion_between(one, one, 1), 0);
}

/* Of Student's distribution, by R's qt(), for few and many degrees of freedom. */
UNIT_TEST(deviations) {
    ck_assert(fabs(statistics_student_t(0.95, 1) - 12.7062047) < 1e-6);
    ck_assert(fabs(statistics_student_t(0.95, 2) - 4.3026527) < 1e-6);
    ck_assert(fabs(statistics_student_t(0.999, 8) - 5.0413054) < 1e-6);
    ck_assert(fabs(statistics_student_t(0.95, 1000) - 1.9623391) < 1e-6);
    ck_assert(fabs(statistics_student_t(0.95, 1001) - 1.9623367) < 1e-6);
    ck_assert(fabs(statistics_student_t(0.95, INFINITY) - 1.9599640) < 1e-6);
}

/* For any counts: distances are symmetric and within their bounds; a distance by cumulative shares
 * is at most that by shares; parts add up to the whole. */
UNIT_TEST(any_counts) {
    struct resampling_random random = {11};

    for (int round = 0; round < 2000; round++) {
        size_t n = 1 + resampling_draw(&random, 12);
        double a[12], b[12], x[12], terms[12], sum = 0;
        double twice_a[12], twice_b[12];

        for (size_t i = 0; i < n; i++) {
            a[i] = (double)resampling_draw(&random, 5) * (double)resampling_draw(&random, 100);
            b[i] = (double)resampling_draw(&random, 5) * (double)resampling_draw(&random, 100);
            twice_a[i] = 2 * a[i];
            twice_b[i] = 2 * b[i];
            x[i] = (double)i * (double)i;
        }
        double tvd = statistics_tvd(a, b, n), d = statistics_ks(a, b, n, NULL);
        double js = statistics_jensen_shannon(a, b, n, terms);
        double w = statistics_wasserstein(x, a, b, n), cliff = statistics_cliff(a, b, n);

        for (size_t i = 0; i < n; i++) {
            sum += terms[i];
        }
        ck_assert(d <= tvd + 1e-12 && tvd <= 1 + 1e-12 && js <= tvd + 1e-12);
        ck_assert(fabs(sum - js) < 1e-12);
        ck_assert(fabs(statistics_tvd(b, a, n) - tvd) < 1e-12);
        ck_assert(fabs(statistics_jensen_shannon(b, a, n, NULL) - js) < 1e-12);
        ck_assert(fabs(statistics_wasserstein(x, b, a, n) - w) < 1e-9);
        ck_assert(fabs(statistics_cliff(b, a, n) + cliff) < 1e-12);
        ck_assert(fabs(statistics_tvd(twice_a, twice_b, n) - tvd) < 1e-12);
        ck_assert(fabs(statistics_ks(twice_a, twice_b, n, NULL) - d) < 1e-12);
        ck_assert(fabs(statistics_cliff(twice_a, twice_b, n) - cliff) < 1e-12);
        ck_assert(fabs(statistics_wasserstein(x, twice_a, twice_b, n) - w) < 1e-9);
        assert_near(statistics_contingency(twice_a, twice_b, n).cramers_v,
                    statistics_contingency(a, b, n).cramers_v);
    }
}

UNIT_TEST(edges) {
    const double a[] = {3, 0, 7}, nothing[] = {0, 0, 0}, doubled[] = {6, 0, 14};
    const double b[] = {1, 1, 1}, doubled_b[] = {2, 2, 2}, x[] = {1, 2, 4};

    assert_near(statistics_tvd(a, a, 3), 0);
    assert_near(statistics_jensen_shannon(a, a, 3, NULL), 0);
    assert_near(statistics_ks(a, a, 3, NULL), 0);
    assert_near(statistics_cliff(a, a, 3), 0);
    assert_near(statistics_tvd(a, nothing, 3), 0);
    assert_near(statistics_wasserstein(x, nothing, a, 3), 0);
    assert_near(statistics_cliff(nothing, nothing, 0), 0);
    ck_assert_uint_eq(statistics_contingency(nothing, a, 3).cells, 0);
    /* Doubled counts on both sides give the same effects. */
    assert_near(statistics_tvd(a, b, 3), statistics_tvd(doubled, doubled_b, 3));
    assert_near(statistics_cliff(a, b, 3), statistics_cliff(doubled, doubled_b, 3));
    assert_near(statistics_wasserstein(x, a, b, 3), statistics_wasserstein(x, b, a, 3));
    assert_near(statistics_cliff(a, b, 3), -statistics_cliff(b, a, 3));
}

/* --- resampling ------------------------------------------------------------------------------- */

/* Ten runs, five before and five after: 99th percentiles in ms. */
static const double runs[] = {11.2, 10.8, 12.1, 11.5, 10.9, 12.9, 12.4, 11.8, 13.6, 12.7};

/* Computes the differences of means and medians of the two sides. */
static void find_differences(void *context, const bool *is_b, double *values) {
    double sides[2][COUNT(runs)], sums[2] = {0};
    size_t counts[2] = {0};

    (void)context;
    for (size_t i = 0; i < COUNT(runs); i++) {
        sides[is_b[i]][counts[is_b[i]]++] = runs[i];
        sums[is_b[i]] += runs[i];
    }
    values[0] = fabs(resampling_quantile(sides[1], counts[1], 0.5) -
                     resampling_quantile(sides[0], counts[0], 0.5));
    values[1] = fabs(sums[1] / (double)counts[1] - sums[0] / (double)counts[0]);
}

UNIT_TEST(groups_of_runs) {
    struct resampling_random random = {1};
    double p[2], some[2];

    resampling_permute(&random, 5, 5, 1999, 2, NULL, find_differences, NULL, p);
    assert_near(p[0], 12 / 252.0);
    assert_near(p[1], 4 / 252.0);
    /* Random permutations instead of all: the same except for chance. */
    resampling_permute(&random, 5, 5, 251, 2, NULL, find_differences, NULL, some);
    ck_assert(fabs(some[0] - p[0]) < 0.05 && fabs(some[1] - p[1]) < 0.05);
}

/* A value independent of the assignment of blocks is never below itself. */
static void find_nothing(void *context, const bool *is_b, double *values) {
    (void)context;
    (void)is_b;
    values[0] = 0;
}

UNIT_TEST(nothing_between_them) {
    struct resampling_random random = {1};
    double p = 0;

    resampling_permute(&random, 30, 30, 99, 1, NULL, find_nothing, NULL, &p);
    assert_near(p, 1);
    resampling_permute(&random, 0, 30, 99, 1, NULL, find_nothing, NULL, &p);
    assert_near(p, 1);
    resampling_permute(&random, 1, 1, 99, 1, NULL, find_nothing, NULL, &p);
    assert_near(p, 1);
}

UNIT_TEST(random_numbers) {
    struct resampling_random one = {7}, other = {7};
    size_t counts[3] = {0};
    double none[1];

    for (int i = 0; i < 30000; i++) {
        size_t number = resampling_draw(&one, 3);

        ck_assert_uint_eq(number, resampling_draw(&other, 3));
        counts[number]++;
    }
    for (int i = 0; i < 3; i++) {
        ck_assert(counts[i] > 9700 && counts[i] < 10300);
    }
    ck_assert(isnan(resampling_quantile(none, 0, 0.5)));
}

/* A comparison by all reports omits the one with too many groups. */
UNIT_TEST(too_many_groups) {
    struct compare_groups groups = {.count = COMPARE_GROUPS};
    size_t place;

    ck_assert(!compare_groups_read(&groups, SIDE_A, READ_ALL, NULL, NULL, "f", &place, &error));
    ck_assert(error.too_many);
    ck_assert_str_eq(error.message, "a and b have more than 16384 groups of values, which is too "
                                    "many to compare: choose fewer with filters");
}

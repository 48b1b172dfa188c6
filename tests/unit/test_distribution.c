/* scan/distribution: exact percentiles by passes, against sorting. */
#include <stdio.h>
#include <stdlib.h>

#include "scan/distribution.h"
#include "unit.h"

static struct database database;
static struct scratch scratch;

static void set_up(void) {
    struct error error = {0};

    database_make(&database);
    scratch_init(&scratch, &database, 0);
    ck_assert(scratch_table(&scratch, "distribution", "(" DISTRIBUTION_COLUMNS ")", &error));
}

static void tear_down(void) {
    scratch_free(&scratch);
    database_remove(&database);
}

/* Passes over the values of a group until all is known; how many passes that took. */
static int settle(struct distribution *distribution, const char *group, const int64_t *values,
                  size_t count) {
    struct error error = {0};
    bool more = true;
    int passes = 0;

    while (more) {
        for (size_t i = 0; i < count; i++) {
            ck_assert(distribution_add(distribution, group, values[i], &error));
        }
        ck_assert(distribution_end_pass(distribution, &more, &error));
        passes++;
    }
    return passes;
}

static int64_t written(const char *column) {
    char sql[128];
    int64_t value;
    struct error error = {0};

    snprintf(sql, sizeof sql, "SELECT %s FROM temp.distribution", column);
    ck_assert_msg(database_integer(&database, sql, 0, -1, &value, &error), "%s", error.message);
    return value;
}

static int compare(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

/* The smallest value that so many per cent do not exceed. */
static int64_t nearest_rank(const int64_t *sorted, size_t count, size_t percent) {
    return sorted[(count * percent + 99) / 100 - 1];
}

enum { MOST_VALUES = 5000 };

static const struct {
    size_t count;
    int bits; /* of the largest values */
    int passes;
} samples[] = {
    {1, 5, 1},     {2, 5, 1},     {99, 10, 1},   {100, 11, 1}, {101, 20, 2},
    {1000, 28, 2}, {5000, 28, 2}, {5000, 44, 3}, {777, 62, 5}, {5000, 3, 1},
};

START_TEST(percentiles_are_those_of_the_sorted_values) {
    struct distribution *distribution = distribution_new();
    size_t count = samples[_i].count;
    int64_t values[MOST_VALUES], sum = 0;
    uint64_t state = 88172645463325252u + (uint64_t)_i;
    struct error error = {0};
    int passes;

    for (size_t i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        /* Of all orders of magnitude; the first has all bits. */
        values[i] = (int64_t)(state >> (64 - samples[_i].bits) >>
                              (i == 0 ? 0 : state % (unsigned)samples[_i].bits));
    }
    values[0] |= INT64_C(1) << (samples[_i].bits - 1);
    passes = settle(distribution, "all", values, count);
    ck_assert_int_le(passes, samples[_i].passes);
    ck_assert(distribution_write(distribution, &scratch, &error));
    distribution_free(distribution);
    qsort(values, count, sizeof values[0], compare);
    ck_assert_int_eq(written("count"), count);
    ck_assert_int_eq(written("min"), values[0]);
    ck_assert_int_eq(written("max"), values[count - 1]);
    ck_assert_int_eq(written("p50"), nearest_rank(values, count, 50));
    ck_assert_int_eq(written("p90"), nearest_rank(values, count, 90));
    ck_assert_int_eq(written("p99"), nearest_rank(values, count, 99));
    if (samples[_i].bits <= 44) {
        for (size_t i = 0; i < count; i++) {
            sum += values[i];
        }
        ck_assert_int_eq(written("mean"), (2 * sum + (int64_t)count) / (2 * (int64_t)count));
    }
}
END_TEST

START_TEST(groups_are_apart_and_negative_values_do_not_count) {
    static const int64_t values[] = {7, -1, 7, 3000000000};
    struct distribution *distribution = distribution_new();
    struct error error = {0};
    bool more = true;

    while (more) {
        for (size_t i = 0; i < 4; i++) {
            ck_assert(distribution_add(distribution, "a", values[i], &error));
            ck_assert(distribution_add(distribution, i == 3 ? "largest" : "b",
                                       i == 3 ? INT64_MAX : (int64_t)i, &error));
        }
        /* A group that has no value is none. */
        ck_assert(distribution_add(distribution, "empty", -5, &error));
        ck_assert(distribution_end_pass(distribution, &more, &error));
    }
    ck_assert(distribution_write(distribution, &scratch, &error));
    distribution_free(distribution);
    ck_assert_str_eq(unit_text(&database,
                               "SELECT group_concat(name || ' ' || count || ' ' || min || ' ' ||"
                               " mean || ' ' || p50 || ' ' || p90 || ' ' || max, '; ')"
                               " FROM (SELECT * FROM temp.distribution ORDER BY name)"),
                     "a 3 7 1000000005 7 3000000000 3000000000; b 3 0 1 1 2 2;"
                     " largest 1 9223372036854775807 9223372036854775807 9223372036854775807"
                     " 9223372036854775807 9223372036854775807");
}
END_TEST

START_TEST(more_than_64_groups_are_refused) {
    struct distribution *distribution = distribution_new();
    struct error error = {0};
    char name[16];

    for (int i = 0; i < 64; i++) {
        snprintf(name, sizeof name, "%d", i);
        ck_assert(distribution_add(distribution, name, i, &error));
    }
    ck_assert(distribution_add(distribution, "0", 1, &error));
    ck_assert(!distribution_add(distribution, "64", 1, &error));
    assert_message(&error, "more than 64 groups");
    distribution_free(distribution);
    distribution_free(NULL);
}
END_TEST

START_TEST(no_value_at_all_is_no_group) {
    struct distribution *distribution = distribution_new();
    struct error error = {0};

    ck_assert_int_eq(settle(distribution, "none", NULL, 0), 1);
    ck_assert(distribution_write(distribution, &scratch, &error));
    ck_assert_int_eq(written("count(*)"), 0);
    distribution_free(distribution);
}
END_TEST

Suite *distribution_suite(void) {
    Suite *suite = suite_create("distribution");
    TCase *cases = tcase_create("distribution");

    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_loop_test(cases, percentiles_are_those_of_the_sorted_values, 0,
                        (int)(sizeof samples / sizeof samples[0]));
    tcase_add_test(cases, groups_are_apart_and_negative_values_do_not_count);
    tcase_add_test(cases, more_than_64_groups_are_refused);
    tcase_add_test(cases, no_value_at_all_is_no_group);
    suite_add_tcase(suite, cases);
    return suite;
}

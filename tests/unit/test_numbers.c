/* store/numbers: numbers by rank, in memory and beyond it. */
#include "store/functions.h"
#include "unit.h"

static void add(struct quantile_sorter *numbers, struct number number) {
    assert_done(quantile_sorter_add(numbers, number, &error));
}

static struct number find(struct quantile_sorter *numbers, int64_t rank) {
    struct number found;

    assert_done(quantile_sorter_find(numbers, rank, &found, &error));
    return found;
}

UNIT_TEST(integers_keep_all_digits) {
    static const int64_t sorted[] = {INT64_MIN,     INT64_MIN + 1, -1,       0, 1,
                                     INT64_MAX - 2, INT64_MAX - 1, INT64_MAX};
    struct quantile_sorter *numbers = quantile_sorter_new();

    for (int64_t i = 0; i < COUNT(sorted); i++) {
        add(numbers, (struct number){.integer = sorted[i * 3 % COUNT(sorted)]});
    }
    ck_assert_int_eq(quantile_sorter_count(numbers), COUNT(sorted));
    for (int64_t i = 0; i < COUNT(sorted); i++) {
        struct number found = find(numbers, i + 1);

        ck_assert(!found.is_real);
        ck_assert_int_eq(found.integer, sorted[i]);
    }
    quantile_sorter_free(numbers);
}

UNIT_TEST(one_real_makes_all_of_them_reals) {
    static const double sorted[] = {-1e300, -2, -0.5, 0, 0, 1e-300, 1, 3e18};
    struct quantile_sorter *numbers = quantile_sorter_new();

    add(numbers, (struct number){.integer = 1});
    add(numbers, (struct number){.is_real = true, .real = -1e300});
    add(numbers, (struct number){.is_real = true, .real = -0.0});
    add(numbers, (struct number){.integer = 3000000000000000000});
    add(numbers, (struct number){.is_real = true, .real = 1e-300});
    add(numbers, (struct number){.integer = -2});
    ck_assert_double_eq(find(numbers, 1).real, -1e300);
    /* Numbers added later are found, too. */
    add(numbers, (struct number){.integer = 0});
    add(numbers, (struct number){.is_real = true, .real = -0.5});
    for (int64_t i = 0; i < COUNT(sorted); i++) {
        struct number found = find(numbers, i + 1);

        ck_assert(found.is_real);
        ck_assert_double_eq(found.real, sorted[i]);
    }
    quantile_sorter_free(numbers);
}

/* More than memory may hold: each of 0 … count - 1 once, some of them negative. */
UNIT_TEST(numbers_beyond_memory_are_found) {
    const int64_t count = NUMBERS_IN_MEMORY + NUMBERS_IN_MEMORY / 2 + 11, step = 1000003;
    struct quantile_sorter *numbers = quantile_sorter_new();

    for (int64_t i = 0; i < count; i++) {
        add(numbers, (struct number){.integer = i * step % count - 1000});
    }
    ck_assert_int_eq(quantile_sorter_count(numbers), count);
    ck_assert_int_eq(find(numbers, 1).integer, -1000);
    ck_assert_int_eq(find(numbers, 1001).integer, 0);
    ck_assert_int_eq(find(numbers, count / 2).integer, count / 2 - 1001);
    ck_assert_int_eq(find(numbers, count).integer, count - 1001);
    add(numbers, (struct number){.is_real = true, .real = 70000.5});
    ck_assert_double_eq(find(numbers, 71002).real, 70000.5);
    ck_assert_double_eq(find(numbers, 71003).real, 70001);
    quantile_sorter_free(numbers);
}

/* base/pair_numbers: numbers of pairs, whatever a log makes of them. */
#include "base/pair_numbers.h"
#include "unit.h"

UNIT_TEST(pairs_keep_their_numbers) {
    struct pair_numbers numbers = {0};

    ck_assert_uint_eq(pair_numbers_find(&numbers, 0, 0), 0);
    for (uint32_t i = 0; i < 3000; i++) {
        ck_assert_uint_eq(pair_numbers_find(&numbers, i % 7, i), 0);
        pair_numbers_add(&numbers, i % 7, i, i + 1);
    }
    for (uint32_t i = 0; i < 3000; i++) {
        ck_assert_uint_eq(pair_numbers_find(&numbers, i % 7, i), i + 1);
    }
    ck_assert_uint_eq(numbers.count, 3000);
    ck_assert_uint_eq(pair_numbers_find(&numbers, 1, 0), 0);
    ck_assert_uint_eq(pair_numbers_find(&numbers, UINT32_MAX, UINT32_MAX), 0);
    pair_numbers_free(&numbers);
    ck_assert_uint_eq(pair_numbers_find(&numbers, 0, 0), 0);
}

/* Pairs that cluster in a quarter of the slots under multiplication by a known number, whose upper
 * half selects the slot. */
UNIT_TEST(no_log_fills_neighbouring_slots) {
    const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
    struct pair_numbers numbers = {0};
    uint64_t inverse = factor;
    size_t run = 0, longest = 0;

    for (int i = 0; i < 5; i++) {
        inverse *= 2 - factor * inverse;
    }
    ck_assert_uint_eq(factor * inverse, 1);
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t pair = (i / 4 << 32 | i) * inverse;

        pair_numbers_add(&numbers, (uint32_t)(pair >> 32), (uint32_t)pair, 1);
    }
    for (size_t i = 0; i < numbers.capacity; i++) {
        run = numbers.slots[i].number == 0 ? 0 : run + 1;
        longest = run > longest ? run : longest;
    }
    ck_assert_uint_lt(longest, 500);
    pair_numbers_free(&numbers);
}

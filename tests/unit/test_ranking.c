/* scan/ranking: frequencies of keys, in memory and by runs in a file, compared with sorting. */

#include "base/hash.h"
#include "scan/ranking.h"
#include "unit.h"

enum { MOST = 3000 };

static int compare_keys(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

static int compare_ranked(const void *left, const void *right) {
    const struct ranked *a = left, *b = right;

    return a->count != b->count ? (a->count < b->count) - (a->count > b->count)
                                : (a->key > b->key) - (a->key < b->key);
}

/* Computes the expected result by sorting. */
static size_t rank_by_sorting(const int64_t *keys, size_t count, struct ranked *ranked) {
    int64_t sorted[MOST];
    size_t different = 0;

    for (size_t i = 0; i < count; i++) {
        sorted[i] = keys[i];
    }
    qsort(sorted, count, sizeof sorted[0], compare_keys);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || sorted[i] != sorted[i - 1]) {
            ranked[different++] = (struct ranked){sorted[i], 0};
        }
        ranked[different - 1].count++;
    }
    qsort(ranked, different, sizeof ranked[0], compare_ranked);
    return different;
}

static struct ranking *add_keys(const int64_t *keys, size_t count, size_t room) {
    struct ranking *ranking = ranking_new(room);

    for (size_t i = 0; i < count; i++) {
        assert_done(ranking_add(ranking, keys[i], 1, &error));
    }
    return ranking;
}

static bool keep_ranked(void *context, const struct ranked *ranked, struct error *failed) {
    struct ranked **next = context;

    (void)failed;
    *(*next)++ = *ranked;
    return true;
}

/* Checks that the keys come as by sorting. */
static void check_ranking(const int64_t *keys, size_t count, size_t room) {
    struct ranking *ranking = add_keys(keys, count, room);
    struct ranked wanted[MOST], visited[MOST], *next = visited, got;
    size_t different = rank_by_sorting(keys, count, wanted);
    bool some;

    assert_done(ranking_end(ranking, SIZE_MAX, &error));
    ck_assert_int_eq(ranking_total(ranking), count);
    for (size_t i = 0; i < different; i++) {
        assert_done(ranking_next(ranking, &got, &some, &error));
        ck_assert(some);
        ck_assert_int_eq(got.key, wanted[i].key);
        ck_assert_int_eq(got.count, wanted[i].count);
    }
    for (int i = 0; i < 2; i++) {
        ck_assert(ranking_next(ranking, &got, &some, &error));
        ck_assert(!some);
    }
    ranking_free(ranking);
    ranking = add_keys(keys, count, room);
    assert_done(ranking_end(ranking, 5, &error));
    for (size_t i = 0; i < 5 && i < different; i++) {
        assert_done(ranking_next(ranking, &got, &some, &error));
        ck_assert(some && got.key == wanted[i].key && got.count == wanted[i].count);
    }
    ranking_free(ranking);
    ranking = add_keys(keys, count, room);
    assert_done(ranking_visit_by_key(ranking, keep_ranked, &next, &error));
    ck_assert_uint_eq((size_t)(next - visited), different);
    for (size_t i = 1; i < different; i++) {
        ck_assert_int_lt(visited[i - 1].key, visited[i].key);
    }
    qsort(visited, different, sizeof visited[0], compare_ranked);
    ck_assert(different == 0 || memcmp(visited, wanted, different * sizeof wanted[0]) == 0);
    ranking_free(ranking);
}

static const struct {
    size_t count, room; /* what exceeds the room goes to the file in runs */
    int bits;           /* bits of the keys */
} samples[] = {
    {0, 4, 8},        {1, 4, 64},    {4, 4, 64},       {5, 4, 64},
    {3000, 2, 5},     {3000, 16, 6}, {3000, 64, 64},   {3000, 1024, 64},
    {3000, 4096, 64}, {3000, 3, 1},  {3000, 1024, 12}, {3000, 1024, 9},
};

UNIT_LOOP(keys_come_as_often_as_they_were_counted, COUNT(samples)) {
    int64_t keys[MOST];

    unit_random_state = 88172645463325252u + (uint64_t)_i;
    for (size_t i = 0; i < samples[_i].count; i++) {
        /* All orders of magnitude, and both signs. */
        keys[i] = (int64_t)unit_random() >> (64 - samples[_i].bits);
    }
    check_ranking(keys, samples[_i].count, samples[_i].room);
}

UNIT_TEST(keys_come_in_order) {
    int64_t up[MOST], down[MOST];

    for (int64_t i = 0; i < MOST; i++) {
        up[i] = 512 * i;
        down[i] = 512 * (MOST - i);
    }
    check_ranking(up, MOST, 512);
    check_ranking(down, MOST, 512);
}

/* As pages are counted: +1 at the first one of a transfer, -1 after the last one. */
UNIT_TEST(counts_below_zero_are_kept) {
    enum { KEYS = 64 };
    struct ranking *ranking = ranking_new(16);
    struct ranked visited[KEYS], *next = visited;
    int64_t sums[KEYS] = {0};

    unit_random_state = 7;
    for (size_t i = 0; i < MOST; i++) {
        size_t key = unit_random() % KEYS;
        int64_t count = unit_random() % 3 == 0 ? 1 : -1;

        sums[key] += count;
        assert_done(ranking_add(ranking, (int64_t)key, count, &error));
    }
    assert_done(ranking_visit_by_key(ranking, keep_ranked, &next, &error));
    ck_assert_int_eq(next - visited, KEYS);
    for (size_t i = 0; i < KEYS; i++) {
        ck_assert(visited[i].key == (int64_t)i && visited[i].count == sums[i]);
    }
    ranking_free(ranking);
}

/* Someone who knows the hash but not its seed can write keys with the same bucket. */
UNIT_TEST(chosen_keys_fall_into_many_buckets) {
    enum { CHOSEN = 1000, BITS = 10 };
    struct keyed {
        uint64_t key;
        UT_hash_handle hh;
    } *table = NULL, *elements = calloc(CHOSEN, sizeof *elements);
    unsigned most = 0;
    uint64_t key = 0;

    for (size_t i = 0; i < CHOSEN; i++) {
        do {
            key++;
        } while ((XXH3_64bits(&key, sizeof key) & ((1 << BITS) - 1)) != 0);
        elements[i].key = key;
        HASH_ADD(hh, table, key, sizeof elements->key, &elements[i]);
    }
    for (unsigned i = 0; i < table->hh.tbl->num_buckets; i++) {
        most = table->hh.tbl->buckets[i].count > most ? table->hh.tbl->buckets[i].count : most;
    }
    ck_assert_uint_lt(most, CHOSEN / 10);
    HASH_CLEAR(hh, table);
    free(elements);
}

UNIT_TEST(the_smallest_and_the_largest_key_are_keys) {
    const int64_t keys[] = {INT64_MAX, INT64_MIN,     0,         INT64_MAX, INT64_MIN,
                            INT64_MAX, INT64_MIN + 1, INT64_MAX, -1,        0};

    for (size_t room = 2; room <= 8; room *= 2) {
        check_ranking(keys, COUNT(keys), room);
    }
}

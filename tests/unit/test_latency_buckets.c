/* model/latency_buckets: rows of durations, compared with sorting. */
#include "model/event.h"
#include "model/latency_buckets.h"
#include "unit.h"

enum { EVENTS = 30000, AT_ONCE = 1000, ACTIONS = 2 };

static uint32_t operations[EVENTS], flags[EVENTS];
static int64_t durations[EVENTS];

/* Contents of the rows of an action and class so far. */
struct told {
    int64_t values[EVENTS], count; /* all values, ascending */
    int64_t untimed, seen, last;
    int64_t alone[EVENTS]; /* by rank from 0: the value if a row has only it, else -1 */
};

static struct told told[ACTIONS][IO_CLASSES];
static int64_t row_count;
static bool calls; /* calls have class 0 and wide rows */

static int compare_values(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

/* Makes durations of any length up to `bits` bits; every `untimed`-th event has none. */
static void make_events(int bits, int untimed) {
    uint64_t random = 88172645463325252u;

    memset(told, 0, sizeof told);
    for (int i = 0; i < EVENTS; i++) {
        struct told *of;

        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        operations[i] = 7 + (uint32_t)(random >> 11 & 1);
        flags[i] = (uint32_t)(random >> 20) % IO_CLASSES;
        durations[i] = i % untimed == 0
                           ? EVENT_NONE
                           : (int64_t)(random >> (64 - bits)) >> (random >> 40) % (unsigned)bits;
        of = &told[operations[i] - 7][calls ? 0 : flags[i]];
        if (durations[i] < 0) {
            of->untimed++;
        } else {
            of->values[of->count++] = durations[i];
        }
    }
    for (int i = 0; i < ACTIONS * IO_CLASSES; i++) {
        struct told *of = &told[0][0] + i;

        of->last = -2;
        qsort(of->values, (size_t)of->count, sizeof of->values[0], compare_values);
    }
}

static void add_all(struct latency_buckets *buckets) {
    for (size_t i = 0; i < EVENTS; i += AT_ONCE) {
        const struct event_columns columns = {
            .operation = operations + i, .flags = flags + i, .duration = durations + i};

        latency_buckets_add(buckets, &columns, AT_ONCE);
    }
}

static int run(struct latency_buckets *buckets) {
    bool more = true;
    int passes = 0;

    for (; more; passes++) {
        add_all(buckets);
        more = latency_buckets_end_pass(buckets);
    }
    return passes;
}

/* Checks that rows are in order, and that each has the next values. */
static void check_row(void *context, const struct latency_row *row) {
    struct told *of = &told[row->action - 7][row->class];
    int64_t sum = 0;

    (void)context;
    row_count++;
    ck_assert_int_gt(row->least, of->last);
    of->last = row->most;
    if (row->least == LATENCY_UNTIMED) {
        ck_assert_int_eq(row->count, of->untimed);
        return;
    }
    for (int64_t i = 0; i < row->count; i++) {
        of->alone[of->seen + i] = row->least == row->most ? row->least : -1;
        sum += of->values[of->seen + i];
    }
    ck_assert_int_eq(row->least, of->values[of->seen]);
    of->seen += row->count;
    ck_assert_int_eq(row->most, of->values[of->seen - 1]);
    ck_assert_int_eq(row->sum, sum);
    if (calls) {
        ck_assert_int_le(row->least ^ row->most, row->least & row->most);
    } else {
        ck_assert_uint_eq(value_bucket(row->least, DURATION_BITS),
                          value_bucket(row->most, DURATION_BITS));
    }
}

/* Checks that all values were received, and each percentile by itself. */
static void check_told(const struct told *of) {
    static const int thousandths[PERCENTILE_COUNT] = {PERCENTILES_OF_REPORTS};

    ck_assert_int_gt(of->count, 1000);
    ck_assert_int_eq(of->seen, of->count);
    for (int j = 0; j < PERCENTILE_COUNT; j++) {
        int64_t rank = percentile_rank(of->count, thousandths[j]);

        ck_assert_int_eq(of->alone[rank - 1], of->values[rank - 1]);
    }
}

UNIT_LOOP(rows_hold_what_sorting_gives, 2) {
    struct latency_buckets *buckets;

    calls = _i == 1;
    buckets = latency_buckets_new(calls);
    make_events(24, 11);
    ck_assert_int_eq(run(buckets), 2);
    ck_assert(latency_buckets_are_in_limits(buckets));
    row_count = 0;
    latency_buckets_visit_rows(buckets, check_row, NULL);
    if (calls) {
        /* For two operations: without times, 25 numbers of bits, and around five percentiles two
         * more rows each. */
        ck_assert_int_le(row_count, 2 * (1 + 25 + 5 * 2));
    }
    for (int i = 0; i < ACTIONS * IO_CLASSES; i++) {
        if (!calls || i % IO_CLASSES == 0) {
            check_told(&told[0][0] + i);
        }
    }
    latency_buckets_free(buckets);
}

/* Below 4096 ns each value has a row, and no second pass is needed. */
UNIT_TEST(short_ones_take_one_pass) {
    struct latency_buckets *buckets = latency_buckets_new(false);

    make_events(12, 2);
    ck_assert_int_eq(run(buckets), 1);
    row_count = 0;
    latency_buckets_visit_rows(buckets, check_row, NULL);
    ck_assert_int_lt(row_count, EVENTS / 2);
    latency_buckets_free(buckets);
}

/* Gives up if data does not fit: too many actions, or a sum above 64 bits. */
UNIT_TEST(too_much_is_given_up) {
    for (int i = 0; i < 2; i++) {
        struct latency_buckets *buckets = latency_buckets_new(false);

        make_events(24, 11);
        for (int j = 0; j < EVENTS; j++) {
            operations[j] = i == 0 ? (uint32_t)j : 7;
            durations[j] = i == 0 ? durations[j] : INT64_MAX - j;
        }
        ck_assert_int_eq(run(buckets), 1);
        ck_assert(!latency_buckets_are_in_limits(buckets));
        latency_buckets_free(buckets);
    }
}

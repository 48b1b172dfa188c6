/* scan/distribution: exact percentiles by passes, compared with sorting. */
#include "scan/distribution.h"
#include "unit.h"

static struct temp_schema temp;

static void set_up(void) {
    database_make();
    temp = (struct temp_schema){.database = &database};
    ck_assert(temp_schema_table(&temp, "distribution", "(" DISTRIBUTION_COLUMNS ")", &error));
}

static void tear_down(void) {
    temp_schema_free(&temp);
    unit_close();
}

static void add(struct distribution *distribution, const char *name, int64_t value) {
    distribution_count(distribution, distribution_group(distribution, name, strlen(name), &error),
                       value);
    ck_assert_int_eq(error.status, EXIT_DONE);
}

/* Runs passes over the values of a group until they are settled. Returns their number. */
static int settle(struct distribution *distribution, const char *group, const int64_t *values,
                  size_t count) {
    bool more = true;
    int passes = 0;

    while (more) {
        for (size_t i = 0; i < count; i++) {
            add(distribution, group, values[i]);
        }
        more = distribution_end_pass(distribution);
        passes++;
    }
    return passes;
}

static int64_t written(const char *column) {
    char sql[128];
    int64_t value;

    snprintf(sql, sizeof sql, "SELECT %s FROM temp.distribution", column);
    assert_done(database_query_integer(&database, sql, 0, -1, &value, &error));
    return value;
}

static int compare(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

/* Returns the smallest value that `thousandths` of the values do not exceed. */
static int64_t nearest_rank(const int64_t *sorted, size_t count, size_t thousandths) {
    return sorted[(count * thousandths + 999) / 1000 - 1];
}

enum { MOST_VALUES = 5000 };

static const struct {
    size_t count;
    int bits; /* bits of the largest values */
    int passes;
} samples[] = {
    {1, 5, 1},     {2, 5, 1},     {99, 10, 1},   {100, 11, 2}, {101, 20, 2},
    {1000, 28, 2}, {5000, 28, 2}, {5000, 44, 3}, {777, 62, 5}, {5000, 3, 1},
};

/* Draws the values of a sample, of all orders of magnitude; the first has all bits. */
static void draw_values(int sample, int64_t *values) {
    uint64_t state = 88172645463325252u + (uint64_t)sample;
    int bits = samples[sample].bits;

    for (size_t i = 0; i < samples[sample].count; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        values[i] = (int64_t)(state >> (64 - bits) >> (i == 0 ? 0 : state % (unsigned)bits));
    }
    values[0] |= INT64_C(1) << (bits - 1);
}

UNIT_CASE("distribution", set_up, tear_down);

UNIT_LOOP(percentiles_are_those_of_the_sorted_values, COUNT(samples)) {
    struct distribution *distribution = distribution_new((struct distribution_shape){0});
    size_t count = samples[_i].count;
    int64_t values[MOST_VALUES], sum = 0;
    int passes;

    draw_values(_i, values);
    passes = settle(distribution, "all", values, count);
    ck_assert_int_le(passes, samples[_i].passes);
    ck_assert(distribution_write(distribution, &temp, &error));
    distribution_free(distribution);
    qsort(values, count, sizeof values[0], compare);
    ck_assert_int_eq(written("count"), count);
    ck_assert_int_eq(written("min"), values[0]);
    ck_assert_int_eq(written("max"), values[count - 1]);
    ck_assert_int_eq(written("p50"), nearest_rank(values, count, 500));
    ck_assert_int_eq(written("p90"), nearest_rank(values, count, 900));
    ck_assert_int_eq(written("p95"), nearest_rank(values, count, 950));
    ck_assert_int_eq(written("p99"), nearest_rank(values, count, 990));
    ck_assert_int_eq(written("p99_9"), nearest_rank(values, count, 999));
    if (samples[_i].bits <= 44) {
        for (size_t i = 0; i < count; i++) {
            sum += values[i];
        }
        ck_assert_int_eq(written("mean"), (2 * sum + (int64_t)count) / (2 * (int64_t)count));
    }
}

/* All figures of values that are the largest number, and their sum, which saturates. */
#define NUMBER  " 9223372036854775807"
#define LARGEST NUMBER NUMBER NUMBER NUMBER NUMBER NUMBER

UNIT_TEST(groups_are_apart_and_negative_values_do_not_count) {
    static const int64_t values[] = {7, -1, 7, 3000000000};
    struct distribution *distribution = distribution_new((struct distribution_shape){0});
    bool more = true;

    while (more) {
        for (size_t i = 0; i < 4; i++) {
            add(distribution, "a", values[i]);
            add(distribution, i == 3 ? "largest" : "b", i == 3 ? INT64_MAX : (int64_t)i);
            add(distribution, "more", INT64_MAX);
        }
        /* A group without values does not exist. */
        add(distribution, "empty", -5);
        more = distribution_end_pass(distribution);
    }
    ck_assert(distribution_write(distribution, &temp, &error));
    distribution_free(distribution);
    ck_assert_str_eq(unit_text(&database,
                               "SELECT group_concat(name || ' ' || count || ' ' || min || ' ' ||"
                               " mean || ' ' || p50 || ' ' || p90 || ' ' || max || ' ' || sum,"
                               " '; ')"
                               " FROM (SELECT * FROM temp.distribution ORDER BY name)"),
                     "a 3 7 1000000005 7 3000000000 3000000000 3000000014; b 3 0 1 1 2 2 3;"
                     " largest 1" LARGEST "; more 4" LARGEST);
}

/* After the first 64 groups, values are not counted in buckets; with thousands of groups a pass
 * settles a few bits. */
enum { GROUPS = 2000, OF_GROUP = 40 };

static int64_t value_of(int group, int i) {
    uint64_t state = (uint64_t)group * OF_GROUP + (uint64_t)i + 1;

    state *= UINT64_C(0x9E3779B97F4A7C15);
    state ^= state >> 29;
    state *= UINT64_C(0xBF58476D1CE4E5B9);
    return (int64_t)(state >> (24 + group % 30));
}

UNIT_TEST(thousands_of_groups_have_exact_percentiles) {
    struct distribution *distribution = distribution_new((struct distribution_shape){0});
    bool more = true;

    while (more) {
        for (int i = 0; i < GROUPS * OF_GROUP; i++) {
            char name[16];

            snprintf(name, sizeof name, "%d", i % GROUPS);
            add(distribution, name, value_of(i % GROUPS, i / GROUPS));
        }
        more = distribution_end_pass(distribution);
    }
    ck_assert(distribution_write(distribution, &temp, &error));
    distribution_free(distribution);
    ck_assert_int_eq(written("count(*)"), GROUPS);
    for (int group = 0; group < GROUPS; group += 7) {
        int64_t values[OF_GROUP];
        char wanted[256], sql[128];

        for (int i = 0; i < OF_GROUP; i++) {
            values[i] = value_of(group, i);
        }
        qsort(values, OF_GROUP, sizeof values[0], compare);
        snprintf(wanted, sizeof wanted, "%lld %lld %lld %lld", (long long)values[19],
                 (long long)values[35], (long long)values[37], (long long)values[39]);
        snprintf(sql, sizeof sql,
                 "SELECT p50 || ' ' || p90 || ' ' || p95 || ' ' || p99 FROM temp.distribution"
                 " WHERE name = '%d'",
                 group);
        ck_assert_str_eq(unit_text(&database, sql), wanted);
    }
}

UNIT_TEST(more_groups_than_have_room_are_refused) {
    struct distribution *distribution = distribution_new((struct distribution_shape){0});
    char name[16];

    for (int i = 0; i < DISTRIBUTION_GROUPS; i++) {
        snprintf(name, sizeof name, "%d", i);
        add(distribution, name, i);
    }
    add(distribution, "0", 1);
    distribution_group(distribution, "more", 4, &error);
    assert_message(&error, "more than 262144 groups");
    distribution_free(distribution);
    distribution_free(NULL);
}

UNIT_TEST(no_value_at_all_is_no_group) {
    struct distribution *distribution = distribution_new((struct distribution_shape){0});

    ck_assert_int_eq(settle(distribution, "none", NULL, 0), 1);
    ck_assert(distribution_write(distribution, &temp, &error));
    ck_assert_int_eq(written("count(*)"), 0);
    distribution_free(distribution);
}

/* Every point is an existing value with the correct rank by sorting; between two points there are
 * few values, in number or in width. */
UNIT_LOOP(curves_are_exact_at_their_points, COUNT(samples)) {
    size_t count = samples[_i].count, points, at = 0;
    int64_t values[MOST_VALUES] = {0};
    struct value_point found[VALUE_CURVE_POINTS];
    struct value_curve *curve;

    draw_values(_i, values);
    qsort(values, count, sizeof values[0], compare);
    curve = value_curve_new(values[0], values[count - 1]);
    for (size_t i = 0; i < count; i++) {
        value_curve_count(curve, values[count - 1 - i]);
    }
    points = value_curve_points(curve, found);
    value_curve_free(curve);
    ck_assert_int_ge(points, 1);
    ck_assert_int_le(points, VALUE_CURVE_POINTS);
    for (size_t i = 0; i < points; i++) {
        size_t from = at;

        ck_assert_int_gt(found[i].count, from);
        ck_assert_int_le(found[i].count, count);
        at = (size_t)found[i].count;
        ck_assert_int_eq(values[at - 1], found[i].value);
        ck_assert(at == count || values[at] > found[i].value);
        /* Fewer values than a part were omitted, except in the last bucket. */
        for (size_t k = from; k < at && values[k] * 1.008 < (double)found[i].value; k++) {
            ck_assert_int_lt(k - from, count / VALUE_CURVE_PARTS + 1);
        }
    }
    ck_assert_int_eq(at, count);
}

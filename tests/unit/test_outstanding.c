/* analysis/outstanding: the tree of outstanding requests, compared with a plain array. */
#include <time.h>

#include "analysis/outstanding.h"
#include "model/event.h"
#include "unit.h"

enum { MOST = 200, ROUNDS = 20000, KINDS = 1 << OUTSTANDING_STAGES };

static int64_t below(int64_t limit) {
    return (int64_t)(unit_random() % (uint64_t)limit);
}

static int64_t some_time(void) {
    return below(3) == 0 ? EVENT_NONE : below(50);
}

static void change_times(struct outstanding_request *asked) {
    asked->q = some_time();
    asked->g = some_time();
    asked->i = some_time();
    asked->m = some_time();
    asked->d = some_time();
    asked->issued_end = below(100);
}

static struct outstanding_request *make_asked(void) {
    struct outstanding_request *asked = calloc(1, sizeof *asked);

    asked->start = below(60);
    asked->end = asked->start + 1 + below(30);
    change_times(asked);
    return asked;
}

static struct outstanding_bounds some_bounds(void) {
    struct outstanding_bounds bounds = {.from = below(60),
                                        .beyond = below(90),
                                        .kinds = (unsigned)below(KINDS),
                                        .q_least = some_time(),
                                        .q_most = below(50),
                                        .d_least = some_time(),
                                        .d_most = below(2) == 0 ? INT64_MAX : below(50),
                                        .issued_end = below(2) == 0 ? INT64_MIN : below(100)};

    bounds.before = bounds.from + below(60);
    return bounds;
}

static bool is_of_kinds(const struct outstanding_request *asked, unsigned kinds) {
    const bool d = asked->d != EVENT_NONE, m = asked->m != EVENT_NONE;

    return ((kinds & 1U << OUTSTANDING_UNTOUCHED) != 0 && !d && !m && asked->g == EVENT_NONE) ||
           ((kinds & 1U << OUTSTANDING_TO_INSERT) != 0 && !d && !m && asked->i == EVENT_NONE) ||
           ((kinds & 1U << OUTSTANDING_TO_ISSUE) != 0 && !d) ||
           ((kinds & 1U << OUTSTANDING_ISSUED) != 0 && d);
}

static bool fits(const struct outstanding_request *asked, const struct outstanding_bounds *bounds) {
    return asked->start >= bounds->from && asked->start < bounds->before &&
           asked->end > bounds->beyond && is_of_kinds(asked, bounds->kinds) &&
           asked->q >= bounds->q_least && asked->q <= bounds->q_most &&
           asked->d >= bounds->d_least && asked->d <= bounds->d_most &&
           (bounds->issued_end == INT64_MIN ||
            (asked->d != EVENT_NONE && asked->issued_end >= bounds->issued_end));
}

static bool is_behind(const struct outstanding_request *asked,
                      const struct outstanding_request *other) {
    return asked->start != other->start ? asked->start > other->start
                                        : asked->number > other->number;
}

static void check_search(struct outstanding_request *tree, struct outstanding_request **all,
                         size_t count) {
    const struct outstanding_bounds bounds = some_bounds();
    struct outstanding_request *first = NULL, *last = NULL;

    for (size_t i = 0; i < count; i++) {
        if (fits(all[i], &bounds)) {
            first = first == NULL || is_behind(first, all[i]) ? all[i] : first;
            last = last == NULL || is_behind(all[i], last) ? all[i] : last;
        }
    }
    ck_assert_ptr_eq(outstanding_first(tree, &bounds), first);
    ck_assert_ptr_eq(outstanding_last(tree, &bounds), last);
}

UNIT_TEST(searches_find_what_fits) {
    struct outstanding_request *all[MOST], *tree = NULL;
    size_t count = 0;

    unit_random_state = 88172645463325252U;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        size_t at = count == 0 ? 0 : (size_t)below((int64_t)count);

        if (count < MOST && (count == 0 || below(round % 2000 < 1000 ? 2 : 4) == 0)) {
            all[count] = make_asked();
            outstanding_add(&tree, all[count++], round);
        } else if (below(3) == 0) {
            outstanding_remove(&tree, all[at]);
            free(all[at]);
            all[at] = all[--count];
        } else {
            change_times(all[at]);
            all[at]->end = all[at]->start + 1 + below(30);
            outstanding_update(tree, all[at]);
        }
        check_search(tree, all, count);
    }
    while (count > 0) {
        outstanding_remove(&tree, all[--count]);
        free(all[count]);
    }
    ck_assert_ptr_null(tree);
}

/* Returns the processor time to add and issue `count` requests at one sector; all remain. */
static double time_of(size_t count) {
    struct outstanding_request *all = calloc(count, sizeof *all), *tree = NULL, *found;
    const struct outstanding_bounds bounds = {.from = INT64_MIN,
                                              .before = 1,
                                              .kinds = 1U << OUTSTANDING_TO_ISSUE,
                                              .q_least = INT64_MIN,
                                              .q_most = INT64_MAX,
                                              .d_least = INT64_MIN,
                                              .d_most = INT64_MAX,
                                              .issued_end = INT64_MIN};
    clock_t begin = clock();

    for (size_t i = 0; i < count; i++) {
        all[i] = (struct outstanding_request){.end = 8,
                                              .q = (int64_t)i,
                                              .g = EVENT_NONE,
                                              .i = EVENT_NONE,
                                              .m = EVENT_NONE,
                                              .d = EVENT_NONE};
        outstanding_add(&tree, &all[i], i);
        found = outstanding_first(tree, &bounds);
        ck_assert_ptr_eq(found, &all[i]);
        found->d = (int64_t)i;
        outstanding_update(tree, found);
    }
    free(all);
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* A linear search over issued requests takes 64 times as long for 8 times as many. */
UNIT_TEST(a_hot_sector_takes_no_longer) {
    double few = 1e9, many = 1e9, time;

    for (int i = 0; i < 3; i++) {
        few = (time = time_of(8000)) < few ? time : few;
        many = (time = time_of(64000)) < many ? time : many;
    }
    ck_assert_double_lt(many, 30 * few + 0.01);
}

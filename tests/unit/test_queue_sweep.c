/* scan/queue_sweep: number of I/Os in flight, compared with checking all others. */
#include <inttypes.h>

#include "model/event.h"
#include "scan/queue_sweep.h"
#include "unit.h"

enum { MOST = 400 };

struct io {
    int64_t start, end;
};

/* Received data. */
struct seen {
    struct queue_issue issues[MOST];
    size_t count;
    int64_t in_flight, since, deepest;
    bool wrong; /* an invariant is violated; an assertion each would take seconds */
};

static void take_issue(void *context, const struct queue_issue *issue) {
    struct seen *seen = context;

    seen->wrong |= issue->depth < 0;
    seen->issues[seen->count++ % MOST] = *issue;
}

static void take_time(void *context, int64_t from, int64_t to, int64_t depth) {
    struct seen *seen = context;

    seen->wrong |= from >= to || depth < 0 || from < seen->since;
    seen->since = to;
    seen->in_flight += depth * (to - from);
    seen->deepest = depth > seen->deepest ? depth : seen->deepest;
}

static int by_end(const void *left, const void *right) {
    const struct io *a = left, *b = right;

    return (a->end > b->end) - (a->end < b->end);
}

static int by_start(const void *left, const void *right) {
    const struct io *a = left, *b = right;

    return a->start != b->start ? (a->start > b->start) - (a->start < b->start)
                                : by_end(left, right);
}

static void sweep_all(struct queue_sweep *sweep, const struct io *ios, size_t count) {
    for (size_t i = 0; i < count; i++) {
        queue_sweep_add(sweep, ios[i].end, ios[i].end - ios[i].start);
    }
    queue_sweep_end(sweep);
}

UNIT_TEST(any_order_of_issues) {
    static struct io ios[MOST];
    static struct seen seen;
    const struct queue_visitor visitor = {take_issue, take_time, &seen};
    struct queue_sweep *sweep = queue_sweep_new(&visitor);

    ck_assert_ptr_nonnull(sweep);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        size_t count = 1 + (unit_random_state = seed * 7919, unit_random()) % MOST;
        int64_t sum = 0;

        for (size_t i = 0; i < count; i++) {
            ios[i].start = (int64_t)(unit_random() % (seed % 2 ? 300 : 3000000));
            ios[i].end = ios[i].start + (int64_t)(unit_random() % 4 ? unit_random() % 200 : 0);
            sum += ios[i].end - ios[i].start;
        }
        seen = (struct seen){.since = INT64_MIN};
        qsort(ios, count, sizeof ios[0], by_end);
        sweep_all(sweep, ios, count);
        /* Little's law: the sum of depths over time is the sum of durations. */
        ck_assert(!seen.wrong);
        ck_assert_int_eq(seen.in_flight, sum);
        ck_assert_uint_eq(seen.count, count);
        qsort(ios, count, sizeof ios[0], by_start);
        for (size_t i = 0; i < count; i++) {
            int64_t depth = 0, over = EVENT_NONE;

            for (size_t j = 0; j < i; j++) {
                depth += ios[j].end > ios[i].start;
                over = ios[j].end > over ? ios[j].end : over;
            }
            over = i == 0 ? EVENT_NONE : depth > 0 ? 0 : ios[i].start - over;
            seen.wrong |= seen.issues[i].time != ios[i].start ||
                          seen.issues[i].duration != ios[i].end - ios[i].start ||
                          seen.issues[i].depth != depth || seen.issues[i].idle != over;
        }
        ck_assert_msg(!seen.wrong, "seed %" PRIu64, seed);
    }
    ck_assert_int_eq(queue_sweep_count_late(sweep), 0);
    queue_sweep_free(sweep);
}

/* More than fit: two in flight at any time, the second issued after and completed before the first;
 * and at the end one that was in flight all the time, which counts too late. */
UNIT_TEST(more_than_are_held) {
    static struct seen seen;
    const struct queue_visitor visitor = {take_issue, take_time, &seen};
    struct queue_sweep *sweep = queue_sweep_new(&visitor);
    int64_t pairs = 3 * (int64_t)QUEUE_SWEEP_WAITING;

    ck_assert_ptr_nonnull(sweep);
    seen = (struct seen){.since = INT64_MIN};
    for (int64_t i = 0; i < pairs; i++) {
        queue_sweep_add(sweep, 10 * i + 7, 4);
        queue_sweep_add(sweep, 10 * i + 9, 8);
    }
    ck_assert_int_eq(queue_sweep_count_late(sweep), 0);
    queue_sweep_add(sweep, 10 * pairs, 10 * pairs);
    queue_sweep_end(sweep);
    ck_assert_int_eq(queue_sweep_count_late(sweep), 1);
    ck_assert_uint_eq(seen.count, (size_t)(2 * pairs + 1));
    ck_assert(!seen.wrong);
    ck_assert_int_eq(seen.deepest, 3);
    ck_assert_int_ge(seen.in_flight, 12 * pairs);
    queue_sweep_free(sweep);
}

/* Many completions at one time, some of which arrive after that time was reported. */
UNIT_TEST(all_at_one_time) {
    static struct seen seen;
    const struct queue_visitor visitor = {take_issue, NULL, &seen};
    struct queue_sweep *sweep = queue_sweep_new(&visitor);

    ck_assert_ptr_nonnull(sweep);
    seen = (struct seen){.since = INT64_MIN};
    for (size_t i = 0; i < 6 * QUEUE_SWEEP_WAITING; i++) {
        queue_sweep_add(sweep, INT64_MAX, i % 2 == 0 ? INT64_MAX : 1);
    }
    queue_sweep_end(sweep);
    ck_assert(!seen.wrong);
    ck_assert_uint_eq(seen.count, 6 * QUEUE_SWEEP_WAITING);
    ck_assert_int_gt(queue_sweep_count_late(sweep), 0);
    queue_sweep_free(sweep);
}

/* As many issues as completions wait, and no issue has the time up to which those are reported that
 * make room for a completion. */
UNIT_TEST(both_full) {
    static struct seen seen;
    const struct queue_visitor visitor = {take_issue, take_time, &seen};
    struct queue_sweep *sweep = queue_sweep_new(&visitor);
    const int64_t some = 2 * QUEUE_SWEEP_WAITING - 1;

    ck_assert_ptr_nonnull(sweep);
    seen = (struct seen){.since = INT64_MIN};
    for (int64_t i = 0; i < some; i++) {
        queue_sweep_add(sweep, 1000, 1000);
    }
    for (int64_t i = 0; i < 2 * some; i++) {
        queue_sweep_add(sweep, 1001, i == some ? 1 : 0);
    }
    queue_sweep_end(sweep);
    ck_assert(!seen.wrong);
    ck_assert_uint_eq(seen.count, (size_t)(3 * some));
    queue_sweep_free(sweep);
}

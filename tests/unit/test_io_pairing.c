/* model/io_pairing: pairs of issues and completions if events are lost. Times worked out by
 * hand. */
#include "model/io_pairing.h"

#include "model/event.h"
#include "unit.h"

#define MOST_PAIRS 4096

static struct io_pair pairs[MOST_PAIRS];
static size_t pair_count;
static struct io_pairing *pairing;

static const struct io_key here = {IO_DIRECTION_WRITE, 8 << 20, 100};

static bool keep(void *context, const struct io_pair *pair, struct error *failure) {
    (void)context;
    (void)failure;
    ck_assert_uint_lt(pair_count, MOST_PAIRS);
    pairs[pair_count++] = *pair;
    return true;
}

static void begin(void) {
    pair_count = 0;
    error = (struct error){0};
    pairing = io_pairing_new(keep, NULL);
    ck_assert_ptr_nonnull(pairing);
}

static void end(void) {
    io_pairing_free(pairing);
}

static void issue(int64_t time) {
    ck_assert(io_pairing_issue(pairing, &here, time, 8, &error));
}

static void complete(int64_t time) {
    const struct io_completion completion = {.id = time, .time = time};

    ck_assert(io_pairing_complete(pairing, &here, &completion, 8, &error));
}

/* Checks the pair of a completion; issue EVENT_NONE: it has none. */
static void check_pair(size_t at, int64_t completed, int64_t issued) {
    ck_assert_uint_lt(at, pair_count);
    ck_assert_int_eq(pairs[at].completion.time, completed);
    ck_assert_int_eq(pairs[at].issued, issued);
}

/* The completion of the first is lost: first in first out would pair 10 with 31. */
UNIT_TEST(newest) {
    begin();
    issue(10);
    issue(30);
    complete(31);
    complete(40);
    ck_assert(io_pairing_end(pairing, &error));
    ck_assert_uint_eq(pair_count, 2);
    check_pair(0, 31, 30);
    check_pair(1, 40, EVENT_NONE);
    end();
}

/* Eight issues in a row: from then on several in flight are not losses, and are paired in order. */
UNIT_TEST(shared) {
    begin();
    for (int64_t i = 0; i < 8; i++) {
        issue(i);
    }
    for (int64_t i = 0; i < 8; i++) {
        complete(100 + i);
    }
    ck_assert(io_pairing_end(pairing, &error));
    ck_assert_uint_eq(pair_count, 8);
    for (int64_t i = 0; i < 8; i++) {
        check_pair((size_t)i, 100 + i, i);
    }
    end();
}

/* An issue of a shared key whose completion is lost is dropped after 16 have passed it. */
UNIT_TEST(passed) {
    int64_t lost = 1000, time = lost + 1;

    begin();
    for (int64_t i = 0; i < 8; i++) {
        issue(i);
    }
    for (int64_t i = 0; i < 8; i++) {
        complete(100 + i);
    }
    issue(lost);
    for (int64_t i = 0; i < 16; i++) {
        issue(time++);
        issue(time++);
        complete(time++);
        complete(time++);
    }
    ck_assert(io_pairing_end(pairing, &error));
    ck_assert_uint_eq(pair_count, 8 + 32);
    for (size_t i = 0; i < pair_count; i++) {
        ck_assert_int_ne(pairs[i].issued, lost);
    }
    end();
}

UNIT_TEST(requeued) {
    begin();
    issue(10);
    ck_assert(io_pairing_requeue(pairing, &here));
    ck_assert(!io_pairing_requeue(pairing, &here));
    issue(20);
    complete(25);
    check_pair(0, 25, 20);
    end();
}

/* 16 sectors complete in two parts: the last one has the pair. */
UNIT_TEST(parts) {
    const struct io_key behind = {IO_DIRECTION_WRITE, 8 << 20, 108};

    begin();
    ck_assert(io_pairing_issue(pairing, &here, 10, 16, &error));
    complete(20);
    ck_assert(
        io_pairing_complete(pairing, &behind, &(struct io_completion){.time = 30}, 8, &error));
    ck_assert_uint_eq(pair_count, 2);
    check_pair(0, 20, EVENT_NONE);
    ck_assert(pairs[0].part);
    check_pair(1, 30, 10);
    end();
}

/* The Q at 1 lost its request; a merged request begins with the first of its Qs. */
UNIT_TEST(asked) {
    const struct io_key behind = {IO_DIRECTION_WRITE, 8 << 20, 108};

    begin();
    ck_assert(io_pairing_queue(pairing, &here, 1, 8, &error));
    ck_assert(io_pairing_queue(pairing, &behind, 5, 8, &error));
    ck_assert(io_pairing_queue(pairing, &here, 7, 8, &error));
    ck_assert(io_pairing_issue(pairing, &here, 10, 16, &error));
    ck_assert(io_pairing_complete(pairing, &here, &(struct io_completion){.time = 30}, 16, &error));
    check_pair(0, 30, 10);
    ck_assert_int_eq(pairs[0].asked, 5);
    ck_assert_int_eq(pairs[0].asked_before, 1);
    end();
}

/* More keys than can be stored, and more requests of one key: nothing fails. */
UNIT_TEST(many) {
    struct io_key key = here;

    begin();
    for (int64_t i = 0; i < 2 * IO_PAIRING_KEYS; i++) {
        key.sector = i;
        ck_assert(io_pairing_issue(pairing, &key, i, 8, &error));
    }
    key.sector = 0;
    ck_assert(io_pairing_complete(pairing, &key, &(struct io_completion){.time = 1}, 8, &error));
    check_pair(0, 1, EVENT_NONE);
    for (int64_t i = 0; i < 2 * IO_PAIRING_REQUESTS; i++) {
        issue(i);
    }
    complete(2 * IO_PAIRING_REQUESTS);
    ck_assert(io_pairing_end(pairing, &error));
    end();
}

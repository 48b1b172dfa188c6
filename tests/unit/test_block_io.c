/* Block I/O: rwbs, the time from issue to completion, and who asked for what completes. */
#include <string.h>

#include "block_issuer.h"
#include "block_latency.h"
#include "unit.h"

/* An action on sectors; `process` NULL: a completion's, which is not known. */
static struct block_request make(const char *action, int64_t sector, int64_t blocks,
                                 const char *process) {
    struct block_request request = {
        .action = action,
        .action_length = strlen(action),
        .flags = IO_WRITE,
        .device = 7,
        .sector = sector,
        .blocks = blocks,
        .pid = process == NULL ? EVENT_NONE : (int64_t)strlen(process),
        .process = process,
        .process_length = process == NULL ? 0 : strlen(process),
        .value = EVENT_NONE,
        .from_device = EVENT_NONE,
        .from_sector = EVENT_NONE,
    };

    return request;
}

/* --- rwbs ------------------------------------------------------------------------------------- */

START_TEST(letters) {
    static const char *const good[] = {"R", "W", "RA", "WS", "FWS", "FWFS", "DS", "N", "RM", "WSM"};
    struct text text = {0};
    uint32_t flags;

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        text_clear(&text);
        ck_assert(block_parse_rwbs(word_of(good[i]), &flags));
        block_append_rwbs(flags, &text);
        /* The sync of a discard has no class of its own. */
        ck_assert_str_eq(text_string(&text), strcmp(good[i], "DS") == 0 ? "D" : good[i]);
    }
    ck_assert(block_parse_rwbs(word_of("FWFSM"), &flags));
    ck_assert_uint_eq(flags, IO_WRITESYNC | IO_FLAG_FLUSH | IO_FLAG_FUA | IO_FLAG_METADATA);
    ck_assert(!block_parse_rwbs(word_of(""), &flags));
    ck_assert(!block_parse_rwbs(word_of("WX"), &flags));
    text_free(&text);
}
END_TEST

/* --- latency ---------------------------------------------------------------------------------- */

static void issue_at(struct block_latency *state, int64_t time, int64_t sector, int64_t blocks) {
    struct block_request request = make("D", sector, blocks, "p");

    request.time = time;
    block_latency_issue(state, &request);
}

static int64_t complete_at(struct block_latency *state, int64_t time, int64_t sector,
                           int64_t blocks) {
    struct block_request request = make("C", sector, blocks, NULL);

    request.time = time;
    return block_latency_complete(state, &request);
}

START_TEST(latency_in_pieces) {
    struct block_latency state = {.issued = 0};

    issue_at(&state, 10, 100, 16);
    issue_at(&state, 12, 116, 8);
    ck_assert_int_eq(complete_at(&state, 20, 100, 8), 10);  /* the first half */
    ck_assert_int_eq(complete_at(&state, 30, 108, 16), 20); /* the rest, and the next one */
    ck_assert_int_eq(complete_at(&state, 40, 116, 8), EVENT_NONE);
    ck_assert_int_eq(state.issued, 2);
    ck_assert_int_eq(state.completed, 3);
    ck_assert_int_eq(state.unmatched, 1);
    issue_at(&state, 50, 100, 8); /* requeued and issued again */
    issue_at(&state, 60, 100, 8);
    ck_assert_int_eq(complete_at(&state, 61, 100, 8), 1);
    block_latency_free(&state);
}
END_TEST

/* The device and the direction tell requests at one sector apart. */
START_TEST(latency_by_direction) {
    struct block_latency state = {.issued = 0};
    struct block_request request = make("D", 100, 8, "p");

    issue_at(&state, 10, 100, 8);
    request.flags = IO_READ;
    request.time = 11;
    block_latency_issue(&state, &request);
    request.flags = IO_WRITE;
    request.device = 8;
    request.time = 20;
    ck_assert_int_eq(block_latency_complete(&state, &request), EVENT_NONE);
    request.device = 7;
    ck_assert_int_eq(block_latency_complete(&state, &request), 10);
    request.flags = IO_READSYNC;
    ck_assert_int_eq(block_latency_complete(&state, &request), 9);
    block_latency_free(&state);
}
END_TEST

/* --- who asked -------------------------------------------------------------------------------- */

static struct block_issuers issuers;

static void follow(const char *action, int64_t sector, int64_t blocks, const char *process) {
    struct block_request request = make(action, sector, blocks, process);

    block_issuers_follow(&issuers, &request);
}

/* Whom the completion is given; NULL: nobody. */
static void completes(int64_t sector, int64_t blocks, const char *process) {
    struct block_request request = make("C", sector, blocks, NULL);

    block_issuers_follow(&issuers, &request);
    if (process == NULL) {
        ck_assert_msg(request.process == NULL, "%.*s", (int)request.process_length,
                      request.process);
        return;
    }
    ck_assert_msg(request.process != NULL, "not %s", process);
    ck_assert(word_is((struct word){request.process, request.process_length}, process));
    ck_assert_int_eq(request.pid, (int64_t)strlen(process));
}

START_TEST(asked_and_dispatched) {
    follow("Q", 100, 8, "asker");
    follow("G", 100, 8, "asker");
    follow("I", 100, 8, "inserter");
    follow("D", 100, 8, "kworker");
    completes(100, 8, "kworker");
    completes(100, 8, NULL);
    follow("Q", 100, 8, "asker");
    follow("R", 100, 8, NULL);
    completes(100, 8, "asker");
    follow("I", 200, 8, "inserter"); /* no Q was seen */
    completes(200, 8, "inserter");
    follow("UT", 100, 8, "timer"); /* about the queue */
    completes(100, 8, NULL);
    block_issuers_free(&issuers);
}
END_TEST

START_TEST(merged_and_in_pieces) {
    follow("Q", 100, 8, "one");
    follow("Q", 108, 8, "other");
    follow("M", 108, 8, "other");
    follow("D", 100, 16, "one");
    completes(100, 4, "one");
    completes(104, 12, "one");
    completes(108, 8, NULL);
    block_issuers_free(&issuers);
}
END_TEST

START_TEST(split_and_remapped) {
    struct block_request request = make("X", 100, EVENT_NONE, "asker");

    follow("Q", 100, 16, "asker");
    request.value = 108;
    block_issuers_follow(&issuers, &request);
    completes(108, 8, "asker");
    completes(100, 8, "asker");
    follow("Q", 100, 16, "asker");
    request = make("A", 1000, 16, NULL);
    request.device = 8;
    request.from_device = 7;
    request.from_sector = 100;
    block_issuers_follow(&issuers, &request);
    request = make("C", 1000, 16, NULL);
    request.device = 8;
    block_issuers_follow(&issuers, &request);
    ck_assert_ptr_nonnull(request.process);
    ck_assert_int_eq(request.pid, 5);
    completes(100, 16, "asker");
    /* Who asks at the new place himself is known better. */
    follow("Q", 100, 8, "asker");
    follow("Q", 108, 8, "himself");
    request = make("X", 100, EVENT_NONE, "asker");
    request.value = 108;
    block_issuers_follow(&issuers, &request);
    completes(108, 8, "himself");
    block_issuers_free(&issuers);
}
END_TEST

/* Flush, data, flush: parts are given who dispatched them, the whole who asked. */
START_TEST(flushes) {
    struct block_request request = make("Q", 100, 8, "jbd2");

    request.flags = IO_WRITE | IO_FLAG_FLUSH | IO_FLAG_FUA;
    block_issuers_follow(&issuers, &request);
    request = make("D", EVENT_NONE, 0, "kworker");
    request.flags = IO_WRITE | IO_FLAG_FLUSH;
    block_issuers_follow(&issuers, &request);
    request = make("C", EVENT_NONE, 0, NULL);
    request.flags = IO_WRITE | IO_FLAG_FLUSH;
    block_issuers_follow(&issuers, &request);
    ck_assert_int_eq(request.pid, 7);
    follow("D", 100, 8, "worker");
    completes(100, 8, "worker");
    completes(100, 0, "jbd2");
    completes(100, 0, NULL);
    block_issuers_free(&issuers);
}
END_TEST

/* What a damaged log may say must not overflow, and memory is bounded. */
START_TEST(damaged) {
    follow("D", 100, EVENT_NONE, "p");
    completes(100, EVENT_NONE, "p");
    follow("D", 100, 8, "p");
    completes(100, EVENT_NONE, "p");
    follow("X", EVENT_NONE, EVENT_NONE, "p");
    follow("A", EVENT_NONE, 8, NULL);
    for (int64_t i = 0; i <= BLOCK_PENDING; i++) {
        follow("Q", 1000 + i, 8, "p");
    }
    completes(1000, 8, NULL); /* the oldest was forgotten */
    completes(1001, 8, "p");
    block_issuers_free(&issuers);
}
END_TEST

Suite *block_io_suite(void) {
    Suite *suite = suite_create("block_io");
    TCase *cases = tcase_create("block_io");

    tcase_add_test(cases, letters);
    tcase_add_test(cases, latency_in_pieces);
    tcase_add_test(cases, latency_by_direction);
    tcase_add_test(cases, asked_and_dispatched);
    tcase_add_test(cases, merged_and_in_pieces);
    tcase_add_test(cases, split_and_remapped);
    tcase_add_test(cases, flushes);
    tcase_add_test(cases, damaged);
    suite_add_tcase(suite, cases);
    return suite;
}

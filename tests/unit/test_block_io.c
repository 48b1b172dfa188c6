/* Block I/O: rwbs, the time from issue to completion, and the requester of a completion. */
#include "block_issuer.h"
#include "block_io.h"
#include "unit.h"

/* Returns an action on sectors; `process` NULL: a completion, whose process is unknown. */
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

UNIT_TEST(letters) {
    static const char *const good[] = {"R", "W", "RA", "WS", "FWS", "FWFS", "DS", "N", "RM", "WSM"};
    struct text text = {0};
    uint32_t flags;

    for (size_t i = 0; i < COUNT(good); i++) {
        text_clear(&text);
        ck_assert(block_parse_rwbs(word_of(good[i]), &flags));
        block_append_rwbs(flags, &text);
        /* The sync flag of a discard has no class. */
        ck_assert_str_eq(text_string(&text), strcmp(good[i], "DS") == 0 ? "D" : good[i]);
    }
    ck_assert(block_parse_rwbs(word_of("FWFSM"), &flags));
    ck_assert_uint_eq(flags, IO_WRITESYNC | IO_FLAG_FLUSH | IO_FLAG_FUA | IO_FLAG_METADATA);
    ck_assert(!block_parse_rwbs(word_of(""), &flags));
    ck_assert(!block_parse_rwbs(word_of("WX"), &flags));
    text_free(&text);
}

/* Requests without data are flushes, except discards, reads and SCSI commands; their letters
 * stay. */
UNIT_TEST(classes_of_flushes) {
    static const struct {
        const char *letters;
        int64_t sector, blocks;
        bool flush;
    } rows[] = {
        {"FN", 0, 0, true},          {"FWS", EVENT_NONE, 0, true},
        {"WS", 0, 0, true},          {"WSM", 168, 0, true},
        {"W", 8, 0, true},           {"WFS", 168, 0, true},
        {"FWFSM", 216, 8, false},    {"WFS", 216, 8, false},
        {"W", EVENT_NONE, 0, false}, {"WS", 123, EVENT_NONE, false},
        {"R", 64, 0, false},         {"N", 0, 0, false},
        {"D", 64, 0, false},         {"FN", 0, EVENT_NONE, false},
    };
    struct text text = {0};

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct block_request request = make("C", rows[i].sector, rows[i].blocks, NULL);

        ck_assert(block_parse_rwbs(word_of(rows[i].letters), &request.flags));
        ck_assert_msg((io_class_of(block_kept_flags(&request)) == IO_FLUSH) == rows[i].flush, "%s",
                      rows[i].letters);
        text_clear(&text);
        block_append_rwbs(block_kept_flags(&request), &text);
        ck_assert_str_eq(text_string(&text), rows[i].letters);
    }
    text_free(&text);
}

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

UNIT_TEST(latency_in_pieces) {
    struct block_latency state = {.issued = 0};

    issue_at(&state, 10, 100, 16);
    issue_at(&state, 12, 116, 8);
    ck_assert_int_eq(complete_at(&state, 20, 100, 8), EVENT_NONE); /* the first half */
    ck_assert_int_eq(complete_at(&state, 30, 108, 16), 20);        /* the rest, and the next I/O */
    ck_assert_int_eq(complete_at(&state, 40, 116, 8), EVENT_NONE);
    ck_assert_int_eq(state.issued, 2);
    ck_assert_int_eq(state.completed, 3);
    ck_assert_int_eq(state.unmatched, 1);
    ck_assert_int_eq(state.parts, 1);
    block_latency_free(&state);
}

/* The oldest completes first; a requeue cancels the newest; a remainder precedes all others. */
UNIT_TEST(latency_of_one_sector) {
    struct block_latency state = {.issued = 0};
    struct block_request requeue = make("R", 100, 8, NULL);

    issue_at(&state, 10, 100, 16);
    issue_at(&state, 20, 100, 8);
    issue_at(&state, 30, 100, 8);
    issue_at(&state, 40, 108, 8);
    block_latency_requeue(&state, &requeue); /* cancels that of 30 */
    issue_at(&state, 50, 100, 8);
    ck_assert_int_eq(complete_at(&state, 60, 100, 8), EVENT_NONE); /* half of the first */
    ck_assert_int_eq(complete_at(&state, 70, 108, 8), 60);         /* its remainder */
    ck_assert_int_eq(complete_at(&state, 80, 108, 8), 40);
    ck_assert_int_eq(complete_at(&state, 90, 100, 8), 70);
    ck_assert_int_eq(complete_at(&state, 95, 100, 8), 45);
    ck_assert_int_eq(complete_at(&state, 99, 100, 8), EVENT_NONE);
    ck_assert_int_eq(state.shared, 3);
    ck_assert_int_eq(state.parts, 1);
    block_latency_free(&state);
}

/* A million requests at one sector, of which the oldest are dropped, stay fast. */
UNIT_TEST(latency_of_many_at_one_sector) {
    struct block_latency state = {.issued = 0};
    enum { MANY = 1000000 };

    for (int i = 0; i < MANY; i++) {
        issue_at(&state, i, 100, 8);
    }
    ck_assert_int_eq(state.given_up, MANY - BLOCK_OUTSTANDING);
    for (int i = MANY - BLOCK_OUTSTANDING; i < MANY; i++) {
        ck_assert_int_eq(complete_at(&state, i + MANY, 100, 8), MANY);
    }
    ck_assert_int_eq(complete_at(&state, 3 * MANY, 100, 8), EVENT_NONE);
    block_latency_free(&state);
}

/* --- requesters ------------------------------------------------------------------------------- */

static struct block_issuers issuers;
static struct block_request request; /* the last that was checked */

static void nothing(void) {
}

static void end(void) {
    block_issuers_free(&issuers);
}

UNIT_CASE("requesters", nothing, end);

static void follow(const char *action, int64_t sector, int64_t blocks, const char *process) {
    struct block_request request = make(action, sector, blocks, process);

    block_issuers_follow(&issuers, &request);
}

static void follow_flags(const char *action, int64_t sector, int64_t blocks, const char *process,
                         uint32_t flags) {
    struct block_request request = make(action, sector, blocks, process);

    request.flags = flags;
    block_issuers_follow(&issuers, &request);
}

/* Checks the requester of a request and its origin; NULL: unknown. */
static void assert_given(struct block_request made, const char *asker, const char *issuer,
                         enum io_origin origin) {
    request = made;
    block_issuers_follow(&issuers, &request);
    if (asker == NULL) {
        ck_assert_msg(request.process == NULL, "%.*s", (int)request.process_length,
                      request.process);
    } else {
        ck_assert_msg(request.process != NULL, "not %s", asker);
        ck_assert_msg(word_is((struct word){request.process, request.process_length}, asker),
                      "%.*s, not %s", (int)request.process_length, request.process, asker);
        ck_assert_int_eq(request.pid, (int64_t)strlen(asker));
    }
    if (issuer == NULL) {
        ck_assert_ptr_null(request.issuer);
    } else {
        ck_assert_msg(request.issuer != NULL, "not %s", issuer);
        ck_assert(word_is((struct word){request.issuer, request.issuer_length}, issuer));
        ck_assert_int_eq(request.issuer_pid, (int64_t)strlen(issuer));
    }
    ck_assert_int_eq(io_origin_of(request.flags), origin);
}

static void completes_flags(int64_t sector, int64_t blocks, uint32_t flags, const char *asker,
                            const char *issuer) {
    struct block_request made = make("C", sector, blocks, NULL);

    made.flags = flags;
    assert_given(made, asker, issuer, asker == NULL ? IO_ORIGIN_UNKNOWN : IO_ORIGIN_QUEUED);
}

static void completes(int64_t sector, int64_t blocks, const char *asker, const char *issuer) {
    completes_flags(sector, blocks, IO_WRITE, asker, issuer);
}

/* Of several at one sector the oldest proceeds first; reads do not match writes. */
UNIT_TEST(several_at_one_sector) {
    follow("Q", 100, 8, "a");
    follow("Q", 100, 8, "bb");
    follow_flags("Q", 100, 8, "ccc", IO_READ);
    assert_given(make("D", 100, 8, "kworker"), "a", "kworker", IO_ORIGIN_QUEUED);
    assert_given(make("D", 100, 8, "kworker"), "bb", "kworker", IO_ORIGIN_QUEUED);
    assert_given(make("R", 100, 8, NULL), "bb", "kworker", IO_ORIGIN_QUEUED);
    follow_flags("D", 100, 8, "ccc", IO_READ);
    completes(100, 8, "a", "kworker");
    assert_given(make("D", 100, 8, "another"), "bb", "another", IO_ORIGIN_QUEUED);
    completes(100, 8, "bb", "another");
    completes_flags(100, 8, IO_READ, "ccc", NULL);
    completes(100, 8, NULL, NULL);
}

/* Without Q in the log, two dispatches at one sector are two requests. */
UNIT_TEST(dispatched_twice) {
    follow("D", 100, 8, "a");
    follow("D", 100, 8, "bb");
    for (int i = 0; i < 2; i++) {
        struct block_request request = make("C", 100, 8, NULL);

        assert_given(request, i == 0 ? "a" : "bb", NULL, IO_ORIGIN_ISSUED);
    }
}

/* Without Q: G, then D, then C, then unknown. */
UNIT_TEST(without_a_queue) {
    follow("G", 100, 8, "getter");
    follow("D", 100, 8, "kworker");
    completes(100, 8, "getter", "kworker");
    follow("I", 100, 8, "inserter");
    assert_given(make("D", 100, 8, "kworker"), "kworker", NULL, IO_ORIGIN_ISSUED);
    assert_given(make("C", 100, 8, "interrupted"), "kworker", NULL, IO_ORIGIN_ISSUED);
    ck_assert(!(request.flags & IO_FLAG_UNISSUED));
    assert_given(make("C", 100, 8, "interrupted"), "interrupted", NULL, IO_ORIGIN_COMPLETED);
    ck_assert(request.flags & IO_FLAG_UNISSUED);
    follow("Q", 100, 8, "asker"); /* without a D */
    assert_given(make("C", 100, 8, NULL), "asker", NULL, IO_ORIGIN_QUEUED);
    ck_assert(request.flags & IO_FLAG_UNISSUED);
}

UNIT_TEST(merged_and_in_pieces) {
    follow("Q", 100, 8, "one");
    follow("Q", 108, 8, "other");
    follow("M", 108, 8, "other");
    follow("D", 100, 16, "one");
    assert_given(make("C", 100, 4, NULL), "one", NULL, IO_ORIGIN_QUEUED);
    ck_assert(request.flags & IO_FLAG_SHARED);
    completes(104, 12, "one", NULL);
    completes(108, 8, NULL, NULL);
    /* Front merge: the first sectors belong to the later one. */
    follow("Q", 108, 8, "one");
    follow("G", 108, 8, "one");
    follow("Q", 100, 8, "front");
    follow("F", 100, 8, "front");
    follow("D", 100, 16, "kworker");
    completes(100, 16, "front", "kworker");
    /* Two I/Os of one process are not shared; adjacent I/Os are not included. */
    follow("Q", 100, 8, "one");
    follow("Q", 108, 8, "one");
    follow("Q", 116, 8, "beside");
    assert_given(make("D", 100, 16, "one"), "one", NULL, IO_ORIGIN_QUEUED);
    ck_assert(!(request.flags & IO_FLAG_SHARED));
    completes(116, 8, "beside", NULL);
    /* One completion of two requests. */
    follow("Q", 200, 8, "one");
    follow("D", 200, 8, "kworker");
    follow("Q", 208, 8, "other");
    follow("D", 208, 8, "kworker");
    completes(200, 16, "one", "kworker");
    completes(208, 8, NULL, NULL);
}

static void split_at(int64_t sector, int64_t value) {
    struct block_request request = make("X", sector, EVENT_NONE, "asker");

    request.value = value;
    block_issuers_follow(&issuers, &request);
}

static void remap_from(int64_t device, int64_t sector, int64_t to_device, int64_t to_sector,
                       int64_t blocks) {
    struct block_request request = make("A", to_sector, blocks, "remapper");

    request.device = to_device;
    request.from_device = device;
    request.from_sector = sector;
    block_issuers_follow(&issuers, &request);
}

UNIT_TEST(split_and_remapped) {
    follow("Q", 100, 24, "asker");
    split_at(100, 108);
    split_at(108, 116);
    completes(116, 8, "asker", NULL);
    completes(108, 8, "asker", NULL);
    completes(100, 8, "asker", NULL);
    completes(124, 8, NULL, NULL);
    /* Parts dispatched separately need no X. */
    follow("Q", 100, 16, "asker");
    follow("D", 100, 8, "kworker");
    follow("D", 108, 8, "kworker");
    completes(108, 8, "asker", "kworker");
    completes(100, 8, "asker", "kworker");
    /* Remapped to two places of another device, where a worker forwards the first; both completions
     * arrive. */
    follow("Q", 100, 16, "asker");
    remap_from(7, 100, 8, 1000, 8);
    remap_from(7, 108, 8, 5000, 8);
    request = make("Q", 1000, 8, "kcryptd");
    request.device = 8;
    block_issuers_follow(&issuers, &request);
    request = make("D", 1000, 8, "kworker");
    request.device = 8;
    assert_given(request, "asker", "kworker", IO_ORIGIN_QUEUED);
    request = make("C", 5000, 8, NULL);
    request.device = 8;
    assert_given(request, "asker", NULL, IO_ORIGIN_QUEUED);
    completes(100, 16, "asker", NULL);
    request = make("Q", 1000, 8, "later");
    request.device = 8;
    block_issuers_follow(&issuers, &request);
    request = make("C", 1000, 8, NULL);
    request.device = 8;
    assert_given(request, "asker", "kworker", IO_ORIGIN_QUEUED);
    request = make("C", 1000, 8, NULL);
    request.device = 8;
    assert_given(request, "later", NULL, IO_ORIGIN_QUEUED);
    /* A request at the place of the split is better evidence. */
    follow("Q", 100, 16, "asker");
    follow("Q", 108, 8, "himself");
    split_at(100, 108);
    completes(108, 8, "himself", NULL);
}

#define FLUSH (IO_OTHER | IO_FLAG_FLUSH)

/* Flush, data, flush, completion of all: all belong to the requester. */
UNIT_TEST(flush_with_data) {
    follow_flags("Q", 100, 8, "jbd2", IO_WRITESYNC | IO_FLAG_FLUSH | IO_FLAG_FUA);
    follow_flags("D", EVENT_NONE, 0, "kworker", FLUSH);
    completes_flags(EVENT_NONE, 0, FLUSH, "jbd2", "kworker");
    follow("D", 100, 8, "worker");
    completes(100, 8, "jbd2", "worker");
    follow_flags("D", EVENT_NONE, 0, "kworker", FLUSH);
    completes_flags(EVENT_NONE, 0, FLUSH, "jbd2", "kworker");
    completes(100, 0, "jbd2", "worker");
    completes(100, 0, NULL, NULL);
    /* The device does both with the data: nothing follows, and nothing waits. */
    follow_flags("Q", 100, 8, "jbd2", IO_WRITESYNC | IO_FLAG_FUA);
    follow_flags("D", 100, 8, "worker", IO_WRITESYNC | IO_FLAG_FUA);
    completes(100, 8, "jbd2", "worker");
    completes(100, 0, NULL, NULL);
    follow_flags("D", EVENT_NONE, 0, "kworker", FLUSH);
    {
        struct block_request request = make("C", EVENT_NONE, 0, NULL);

        request.flags = FLUSH;
        assert_given(request, "kworker", NULL, IO_ORIGIN_ISSUED);
    }
}

/* One flush serves all that wait when it is dispatched; later ones wait for the next. */
UNIT_TEST(flushes) {
    follow_flags("Q", EVENT_NONE, 0, "first", FLUSH);
    follow_flags("G", EVENT_NONE, 0, "first", FLUSH);
    follow_flags("Q", EVENT_NONE, 0, "second", FLUSH);
    request = make("D", EVENT_NONE, 0, "kworker");
    request.flags = FLUSH;
    assert_given(request, "first", "kworker", IO_ORIGIN_QUEUED);
    ck_assert(request.flags & IO_FLAG_SHARED);
    follow_flags("Q", EVENT_NONE, 0, "late", FLUSH);
    completes_flags(EVENT_NONE, 0, FLUSH, "first", "kworker");
    completes(EVENT_NONE, 0, "first", "kworker");
    completes(0, 0, "second", "kworker");
    follow_flags("D", EVENT_NONE, 0, "worker", FLUSH);
    follow_flags("R", EVENT_NONE, 0, NULL, FLUSH);
    follow_flags("D", EVENT_NONE, 0, "other", FLUSH);
    completes_flags(EVENT_NONE, 0, FLUSH, "late", "other");
    completes(0, 0, "late", "worker");
    completes(0, 0, NULL, NULL);
    /* A barrier of an old kernel, and a command: neither has sectors. */
    follow("G", 0, 0, "not counted: there was a Q");
    follow_flags("D", EVENT_NONE, 0, "smartd", IO_READ);
    assert_given(make("C", EVENT_NONE, 0, NULL), "smartd", NULL, IO_ORIGIN_ISSUED);
    block_issuers_free(&issuers);
    issuers = (struct block_issuers){0};
    follow("G", 0, 0, "flusher");
    completes(0, 0, "flusher", NULL);
}

static void follow_at(const char *action, int64_t time, int64_t sector, int64_t blocks,
                      uint32_t flags) {
    struct block_request request = make(action, sector, blocks, "p");

    request.time = time;
    request.flags |= flags;
    block_issuers_follow(&issuers, &request);
}

/* -1: no request in the log. */
static void assert_asked(int64_t sector, int64_t blocks, int64_t asked, bool with_flush) {
    struct block_request request = make("C", sector, blocks, NULL);

    request.time = 1000;
    block_issuers_follow(&issuers, &request);
    ck_assert_int_eq(request.was_asked ? request.asked : -1, asked);
    ck_assert_int_eq((request.flags & IO_FLAG_FLUSH_ASKED) != 0, with_flush);
}

/* For merged requests, the first one; for the completion of a flush with data, the time of its
 * data. */
UNIT_TEST(when_it_was_asked) {
    follow_at("Q", 10, 100, 8, 0);
    follow_at("Q", 12, 108, 8, 0);
    follow_at("D", 15, 100, 16, 0);
    assert_asked(100, 16, 10, false);
    follow_at("Q", 30, 208, 8, 0);
    follow_at("Q", 33, 200, 8, 0);
    follow_at("F", 34, 200, 8, 0);
    follow_at("D", 35, 200, 16, 0);
    assert_asked(200, 8, -1, false); /* a part */
    assert_asked(208, 8, 30, false); /* the rest of the request */
    follow_at("D", 40, 300, 8, 0);
    assert_asked(300, 8, -1, false);
    follow_at("Q", 50, 400, 8, IO_FLAG_FLUSH | IO_FLAG_FUA);
    follow_at("D", 55, 400, 8, 0);
    assert_asked(400, 8, 50, true);
    assert_asked(400, 0, 50, false);
    follow_at("Q", 60, EVENT_NONE, 0, IO_FLAG_FLUSH);
    assert_asked(0, 0, 60, false);
}

/* A damaged log must not cause overflows, and memory is bounded. */
UNIT_TEST(damaged) {
    follow("D", 100, EVENT_NONE, "p");
    assert_given(make("C", 100, EVENT_NONE, NULL), "p", NULL, IO_ORIGIN_ISSUED);
    follow("D", 100, 8, "p");
    assert_given(make("C", 100, EVENT_NONE, NULL), "p", NULL, IO_ORIGIN_ISSUED);
    follow("X", EVENT_NONE, EVENT_NONE, "p");
    follow("A", EVENT_NONE, 8, NULL);
    split_at(100, INT64_MAX);
    split_at(100, 0);
    follow("Q", 100, EVENT_NONE, "p");
    split_at(100, 108);
    remap_from(7, 100, 7, 100, 8);
    for (int64_t i = 0; i <= BLOCK_ISSUER_DEVICES; i++) {
        request = make("D", EVENT_NONE, 0, "p");
        request.device = 1000 + i;
        assert_given(request, "p", NULL, IO_ORIGIN_ISSUED);
    }
    for (int64_t i = 0; i <= BLOCK_PENDING; i++) {
        follow("Q", 1000 + i, 8, "p");
    }
    completes(1000, 8, NULL, NULL); /* the oldest was dropped */
    completes(1001, 1, "p", NULL);
}

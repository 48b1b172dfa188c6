/* import/merge: streams of given times. */
#include "import/reading.h"
#include "model/event.h"
#include "unit.h"

enum { MOST_STREAMS = 300 };

/* Streams whose records contain stream and position. All records use the same memory, as in a
 * reader. */
struct lists {
    const int64_t *times[MOST_STREAMS];
    size_t lengths[MOST_STREAMS];
    size_t asked[MOST_STREAMS]; /* number of records read */
    char bytes[MOST_STREAMS][32];
    size_t fail_at; /* record of stream 0; 0: never */
};

static bool next_of_list(void *context, size_t stream, struct stream_record *record, int64_t *time,
                         bool *some, struct error *error) {
    struct lists *lists = context;
    size_t place = lists->asked[stream];

    if (lists->fail_at != 0 && stream == 0 && place + 1 == lists->fail_at) {
        return error_set(error, "it broke");
    }
    *some = place < lists->lengths[stream];
    if (*some) {
        snprintf(lists->bytes[stream], sizeof lists->bytes[stream], "%zu.%zu", stream, place);
        *time = lists->times[stream][place];
        *record = (struct stream_record){
            .bytes = (const uint8_t *)lists->bytes[stream],
            .length = strlen(lists->bytes[stream]),
            .offset = (int64_t)place,
        };
        lists->asked[stream]++;
    }
    return true;
}

static struct merge *open_lists(struct lists *lists, size_t count, unsigned window) {
    struct merge_input input = {lists, next_of_list};
    int64_t first_times[MOST_STREAMS];
    struct merge *merge;

    for (size_t i = 0; i < count; i++) {
        first_times[i] = INT64_MIN;
    }
    merge = merge_open(&input, first_times, count, window);
    ck_assert_ptr_nonnull(merge);
    return merge;
}

/* Checks the merged records as "stream.position stream.position …". */
static void expect_merged(struct lists *lists, size_t count, unsigned window, const char *expected,
                          int64_t late) {
    struct merge *merge = open_lists(lists, count, window);
    char got[512] = "";
    bool some = true;

    while (some) {
        struct stream_record record;
        size_t stream;

        ck_assert(merge_next(merge, &stream, &record, &some, &error));
        if (some) {
            size_t length = strlen(got);

            snprintf(got + length, sizeof got - length, "%s%.*s", length == 0 ? "" : " ",
                     (int)record.length, (const char *)record.bytes);
            ck_assert_uint_eq(stream, (size_t)(record.bytes[0] - '0'));
        }
    }
    ck_assert_str_eq(got, expected);
    ck_assert_int_eq(merge_count_late_records(merge), late);
    merge_close(merge);
}

#define LIST(...)                                                                                  \
    (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)

static void set_list(struct lists *lists, size_t stream, const int64_t *times, size_t length) {
    lists->times[stream] = times;
    lists->lengths[stream] = length;
}

/* A record without a time stays after the previous one, also if that is moved. */
UNIT_TEST(keeps_timeless_records_in_place) {
    struct lists lists = {0};

    set_list(&lists, 0, LIST(EVENT_NONE, 4, EVENT_NONE, 2, EVENT_NONE, 6));
    set_list(&lists, 1, LIST(3, 5));
    expect_merged(&lists, 2, 4, "0.0 0.3 0.4 1.0 0.1 0.2 1.1 0.5", 0);
}

/* A wrong time only displaces its own record. */
UNIT_TEST(is_not_blocked_by_a_wild_time) {
    struct lists lists = {0};

    set_list(&lists, 0, LIST(1, INT64_MAX, 3, 5));
    set_list(&lists, 1, LIST(2, 4, 6));
    expect_merged(&lists, 2, 2, "0.0 1.0 0.2 1.1 0.3 1.2 0.1", 0);
}

/* Consecutive pieces are read one after the other. */
UNIT_TEST(begins_streams_when_their_time_comes) {
    static const int64_t first[] = {1, 2, 3}, second[] = {3, 4}, third[] = {9};
    static const int64_t begins[] = {1, 3, 9};
    struct lists lists = {0};
    struct merge_input input = {&lists, next_of_list};
    struct stream_record record;
    struct merge *merge;
    size_t stream;
    bool some;

    set_list(&lists, 0, first, 3);
    set_list(&lists, 1, second, 2);
    set_list(&lists, 2, third, 1);
    merge = merge_open(&input, begins, 3, 1);
    for (size_t i = 0; i < 6; i++) {
        ck_assert(merge_next(merge, &stream, &record, &some, &error));
        ck_assert(some);
        ck_assert_uint_eq(stream, i < 3 ? 0 : i < 5 ? 1 : 2);
        ck_assert_int_eq(lists.asked[1] > 0, i >= 3);
        ck_assert_int_eq(lists.asked[2] > 0, i == 5);
    }
    ck_assert(merge_next(merge, &stream, &record, &some, &error) && !some);
    merge_close(merge);
}

UNIT_TEST(passes_failures_on) {
    struct lists lists = {.fail_at = 3};
    struct stream_record record;
    struct merge *merge;
    size_t stream;
    bool some;

    set_list(&lists, 0, LIST(1, 2, 3, 4));
    merge = open_lists(&lists, 1, 0);
    ck_assert(merge_next(merge, &stream, &record, &some, &error));
    ck_assert(merge_next(merge, &stream, &record, &some, &error));
    ck_assert(!merge_next(merge, &stream, &record, &some, &error));
    ck_assert_str_eq(error.message, "it broke");
    merge_close(merge);
}

struct expected {
    int64_t time;
    size_t stream, place;
};

static int compare_expected(const void *left, const void *right) {
    const struct expected *a = left, *b = right;

    return a->time != b->time       ? (a->time < b->time ? -1 : 1)
           : a->stream != b->stream ? (a->stream < b->stream ? -1 : 1)
                                    : (a->place < b->place ? -1 : 1);
}

/* Hundreds of streams, each out of order by up to the window, compared with qsort(). */
UNIT_TEST(merges_many) {
    enum { LENGTH = 200, WINDOW = 16 };
    static int64_t times[MOST_STREAMS][LENGTH];
    static struct expected expected[MOST_STREAMS * LENGTH];
    static struct lists lists;
    struct merge *merge;
    uint32_t random = 12345;
    size_t count = 0;

    memset(&lists, 0, sizeof lists);
    for (size_t i = 0; i < MOST_STREAMS; i++) {
        size_t length = i % 7 == 0 ? 0 : LENGTH - i % 50;

        for (size_t k = 0; k < length; k++) {
            random = random * 1664525 + 1013904223;
            times[i][k] = (int64_t)(10 * k + (random >> 16) % (10 * WINDOW / 2));
            expected[count++] = (struct expected){times[i][k], i, k};
        }
        set_list(&lists, i, times[i], length);
    }
    qsort(expected, count, sizeof *expected, compare_expected);
    merge = open_lists(&lists, MOST_STREAMS, WINDOW);
    for (size_t i = 0; i < count; i++) {
        struct stream_record record;
        size_t stream;
        bool some;

        ck_assert(merge_next(merge, &stream, &record, &some, &error));
        ck_assert(some);
        ck_assert_uint_eq(stream, expected[i].stream);
        ck_assert_int_eq(record.offset, (int64_t)expected[i].place);
    }
    ck_assert_int_eq(merge_count_late_records(merge), 0);
    merge_close(merge);
}

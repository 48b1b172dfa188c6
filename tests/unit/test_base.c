/* base/text, base/clock, base/error. */
#include <sys/stat.h>
#include <fcntl.h>
#include <math.h>

#include "base/student.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/time_unit.h"
#include "base/words.h"
#include "unit.h"

/* --- text ------------------------------------------------------------------------------------ */

UNIT_TEST(shortest_paths) {
    static const char *const cases[][2] = {
        {"/", "/"},
        {"//a//b/", "/a/b"},
        {"/a/./b/.", "/a/b"},
        {"/a/../b", "/b"},
        {"/../../a", "/a"},
        {"a/b/../..", "."},
        {"", "."},
        {"./a", "a"},
        {"../a/../b", "../b"},
        {"../../x", "../../x"},
        {"a/../../b", "../b"},
        {"/a/...", "/a/..."},
        {".a/..b", ".a/..b"},
        {"/a/b/../../..", "/"},
        {"./..", ".."},
        {"/..a/..", "/"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text text = {0};

        text_append_string(&text, cases[i][0]);
        path_normalise(&text);
        ck_assert_str_eq(text_string(&text), cases[i][1]);
        ck_assert_uint_eq(text.length, strlen(cases[i][1]));
        text_free(&text);
    }
}

UNIT_TEST(words_of_the_shell) {
    static const char *const cases[][2] = {
        {"plain-1.txt", "plain-1.txt"},
        {"", "''"},
        {"a b", "'a b'"},
        {"it's", "'it'\"'\"'s'"},
        {"$(x)", "'$(x)'"},
        {"~x", "'~x'"},
        {"a\\b", "'a\\b'"},
        {"it's\n\xff\\", "$'it\\'s\\n\\xff\\\\'"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text text = {0};

        text_append_word(&text, cases[i][0]);
        ck_assert_str_eq(text_string(&text), cases[i][1]);
        text_free(&text);
    }
}

UNIT_TEST(text_is_empty_at_first) {
    struct text text = {0};

    ck_assert_str_eq(text_string(&text), "");
    text_free(&text);
    ck_assert_str_eq(text_string(&text), "");
}

UNIT_TEST(text_grows) {
    struct text text = {0};

    for (int i = 0; i < 100000; i++) {
        text_append_char(&text, (char)('a' + i % 26));
    }
    ck_assert_uint_eq(text.length, 100000);
    ck_assert_uint_eq(strlen(text.bytes), 100000);
    for (size_t i = 0; i < text.length; i++) {
        ck_assert_int_eq(text.bytes[i], (char)('a' + i % 26));
    }
    text_clear(&text);
    ck_assert_uint_eq(text.length, 0);
    text_append(&text, "a\0b", 3);
    ck_assert_uint_eq(text.length, 3);
    ck_assert_mem_eq(text.bytes, "a\0b", 4);
    text_free(&text);
}

UNIT_TEST(text_forms_of_counts) {
    static const struct {
        const char *format;
        int64_t count;
        const char *wanted;
    } cases[] = {
        {"%lld event{s} {was|were} lost", 1, "%lld event was lost"},
        {"%lld event{s} {was|were} lost", 2, "%lld events were lost"},
        {"%lld event{s} {was|were} lost", 0, "%lld events were lost"},
        {"%lld event{s} {was|were} lost", -1, "%lld events were lost"},
        {"{ has|s have} none", 1, " has none"},
        {"{ has|s have} none", 2, "s have none"},
        {"{one|}{|more}", 1, "one"},
        {"{one|}{|more}", 2, "more"},
        {"no form", 1, "no form"},
        {"call{s} {has|have", 1, "call {has|have"},
        {"} {", 2, "} {"},
        {"", 1, ""},
    };
    struct text text = {0};

    for (size_t i = 0; i < COUNT(cases); i++) {
        text_clear(&text);
        text_append_plural(&text, cases[i].format, cases[i].count);
        ck_assert_str_eq(text_string(&text), cases[i].wanted);
    }
    text_free(&text);
}

UNIT_TEST(text_numbers) {
    struct text text = {0};

    text_append_integer(&text, 0);
    text_append_char(&text, ' ');
    text_append_integer(&text, -1);
    text_append_char(&text, ' ');
    text_append_integer(&text, INT64_MAX);
    text_append_char(&text, ' ');
    text_append_integer(&text, INT64_MIN);
    ck_assert_str_eq(text_string(&text), "0 -1 9223372036854775807 -9223372036854775808");
    text_free(&text);
}

static const struct {
    int64_t nanoseconds;
    const char *text;
} seconds[] = {
    {0, "0.000000000"},
    {1, "0.000000001"},
    {1500000000, "1.500000000"},
    {999999999, "0.999999999"},
    {-1, "-0.000000001"},
    {-1500000000, "-1.500000000"},
    {INT64_MAX, "9223372036.854775807"},
};

/* Published tables: two-sided, for 0.95 and 0.99. */
static const struct {
    double degrees, t95, t99;
} students[] = {
    {1, 12.706, 63.657}, {2, 4.303, 9.925},   {3, 3.182, 5.841},        {4, 2.776, 4.604},
    {5, 2.571, 4.032},   {7, 2.365, 3.499},   {10, 2.228, 3.169},       {15, 2.131, 2.947},
    {20, 2.086, 2.845},  {29, 2.045, 2.756},  {60, 2.000, 2.660},       {120, 1.980, 2.617},
    {1e5, 1.960, 2.576}, {1e7, 1.960, 2.576}, {INFINITY, 1.960, 2.576},
};

UNIT_LOOP(student_table, COUNT(students)) {
    double t = student_t_critical_two_sided(0.95, students[_i].degrees);

    ck_assert_double_eq_tol(t, students[_i].t95, 0.00051);
    ck_assert_double_eq_tol(student_t_critical_two_sided(0.99, students[_i].degrees),
                            students[_i].t99, 0.00051);
    ck_assert_double_eq_tol(student_p_of_t(t, students[_i].degrees), 0.05, 1e-9);
    ck_assert_double_eq_tol(student_p_of_t(-t, students[_i].degrees), 0.05, 1e-9);
}

/* For one degree it is Cauchy's distribution, for two t = p sqrt(2 / (1 - p²)). */
UNIT_TEST(student_by_formula) {
    for (int i = 1; i < 1000; i++) {
        double p = i / 1000.0;

        ck_assert_double_eq_tol(student_t_critical_two_sided(p, 1) / tan(M_PI * p / 2), 1, 1e-9);
        ck_assert_double_eq_tol(student_t_critical_two_sided(p, 2) / (p * sqrt(2 / (1 - p * p))), 1,
                                1e-9);
    }
    ck_assert(isnan(student_t_critical_two_sided(0, 3)) &&
              isnan(student_t_critical_two_sided(1, 3)));
    ck_assert(isnan(student_t_critical_two_sided(0.5, 0.9)) &&
              isnan(student_t_critical_two_sided(0.5, NAN)));
    ck_assert(isnan(student_p_of_t(1, 0)) && isnan(student_p_of_t(NAN, 3)));
    ck_assert_double_eq(student_p_of_t(INFINITY, 3), 0);
    ck_assert_double_eq(student_p_of_t(0, 3), 1);
}

UNIT_LOOP(text_seconds, COUNT(seconds)) {
    struct text text = {0};

    text_append_seconds(&text, seconds[_i].nanoseconds);
    ck_assert_str_eq(text_string(&text), seconds[_i].text);
    text_free(&text);
}

static void assert_six_decimals(double real) {
    struct text text = {0};
    char expected[400];

    snprintf(expected, sizeof expected, "%.6f", real);
    text_append_six_decimals(&text, real);
    ck_assert_str_eq(text_string(&text), expected + (strcmp(expected, "-0.000000") == 0));
    text_free(&text);
}

/* Shares, numbers midway between two results and next to it, and others. */
UNIT_TEST(text_six_decimals) {
    static const double others[] = {-0.0, -1e-9, -5e-7, -6e-7,    -0.25, 1e-300,
                                    1e10, 1e17,  1e300, INFINITY, NAN};
    uint64_t random = 1;

    for (size_t i = 0; i < COUNT(others); i++) {
        assert_six_decimals(others[i]);
    }
    for (int i = 0; i < 100000; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        double share = (double)(random >> 40) / (double)((random & 0xFFFFF) + 1);
        double middle = ((double)(random >> 50) + 0.5) / 1e6;

        assert_six_decimals(share);
        assert_six_decimals(1 / (share + 1));
        assert_six_decimals(middle);
        assert_six_decimals(nextafter(middle, i % 2 ? 1 : 0));
        assert_six_decimals((double)(random >> 56) / 1024);
    }
}

UNIT_TEST(text_hex) {
    struct text text = {0};

    text_append_hex(&text, "\x00\x7f\xab\xff", 4);
    text_append_hex(&text, "", 0);
    ck_assert_str_eq(text_string(&text), "007fabff");
    text_free(&text);
}

static const struct {
    const char *bytes;
    size_t length;
    const char *text;
} escapes[] = {
    {"plain", 5, "plain"},
    {"a\tb\nc\\d", 7, "a\\tb\\nc\\\\d"},
    {"\r\x1b[0m\x7f", 6, "\\x0d\\x1b[0m\\x7f"},
    {"a\0b", 3, "a\\x00b"},
    {"caf\xc3\xa9", 5, "caf\xc3\xa9"},
    {"\xf0\x9f\x98\x80", 4, "\xf0\x9f\x98\x80"},
    {"\xc2\x9b", 2, "\\xc2\\x9b"}, /* C1: a control sequence introducer */
    {"\xc2\xa0", 2, "\xc2\xa0"},   /* the first after C1 */
    {"\xe9", 1, "\\xe9"},          /* Latin-1 */
    {"\xc3", 1, "\\xc3"},          /* truncated */
    {"\xf0\x9f\x98", 3, "\\xf0\\x9f\\x98"},
    {"\xc0\xaf", 2, "\\xc0\\xaf"},                   /* overlong */
    {"\xed\xa0\x80", 3, "\\xed\\xa0\\x80"},          /* surrogate */
    {"\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80"}, /* above U+10FFFF */
    {"\"'`$", 4, "\"'`$"},
    {"", 0, ""},
};

UNIT_LOOP(text_escapes, COUNT(escapes)) {
    struct text text = {0};

    text_append_escaped(&text, escapes[_i].bytes, escapes[_i].length);
    ck_assert_str_eq(text_string(&text), escapes[_i].text);
    text_free(&text);
}

static const struct {
    const char *text, *escaped;
} directions[] = {
    {"", ""},
    {"caf\xc3\xa9 \xe2\x82\xac \xd8\xa7", "caf\xc3\xa9 \xe2\x82\xac \xd8\xa7"},
    {"\xe2\x80\xae", "\\xe2\\x80\\xae"},
    {"a\xe2\x80\x8e\xe2\x80\x8fz\xd8\x9c", "a\\xe2\\x80\\x8e\\xe2\\x80\\x8fz\\xd8\\x9c"},
    {"\xe2\x80\xaa|\xe2\x81\xa6\xe2\x81\xa9", "\\xe2\\x80\\xaa|\\xe2\\x81\\xa6\\xe2\\x81\\xa9"},
    {"\xe2\x80\x8d\xe2\x80\xa9\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa", /* neighbours */
     "\xe2\x80\x8d\xe2\x80\xa9\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa"},
};

UNIT_LOOP(text_directions, COUNT(directions)) {
    struct text text = {0};

    text_append_string(&text, directions[_i].text);
    text_escape_bidi(&text);
    ck_assert_str_eq(text_string(&text), directions[_i].escaped);
    ck_assert_uint_eq(text.length, strlen(directions[_i].escaped));
    text_free(&text);
}

static const struct {
    const char *bytes;
    size_t given, length;
    uint32_t code_point;
} sequences[] = {
    {"a", 1, 1, 'a'},
    {"\x7f", 1, 1, 0x7f},
    {"\xc2\x80", 2, 2, 0x80},
    {"\xdf\xbf", 2, 2, 0x7ff},
    {"\xe0\xa0\x80", 3, 3, 0x800},
    {"\xed\x9f\xbf", 3, 3, 0xd7ff},
    {"\xef\xbf\xbf", 3, 3, 0xffff},
    {"\xf0\x90\x80\x80", 4, 4, 0x10000},
    {"\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff},
    {"\x80", 1, 0, 0},
    {"\xc1\xbf", 2, 0, 0},
    {"\xe0\x9f\xbf", 3, 0, 0},
    {"\xed\xa0\x80", 3, 0, 0},
    {"\xf0\x8f\xbf\xbf", 4, 0, 0},
    {"\xf4\x90\x80\x80", 4, 0, 0},
    {"\xf5\x80\x80\x80", 4, 0, 0},
    {"\xe2\x82", 2, 0, 0},
    {"\xe2\x28\xa1", 3, 0, 0},
};

UNIT_LOOP(utf8, COUNT(sequences)) {
    uint32_t code_point = 0;

    ck_assert_uint_eq(utf8_sequence(sequences[_i].bytes, sequences[_i].given, &code_point),
                      sequences[_i].length);
    if (sequences[_i].length > 0) {
        ck_assert_uint_eq(code_point, sequences[_i].code_point);
    }
}

/* --- clock ----------------------------------------------------------------------------------- */

/* Seconds since 1970 from `date -u -d … +%s`. */
static const struct {
    const char *string;
    int64_t seconds, billionths;
    bool has_zone;
    int64_t offset;
} times[] = {
    {"1970-01-01", 0, 0, false, 0},
    {"1970-01-01T00:00:00Z", 0, 0, true, 0},
    {"2001-03-05T10:00:00+0900", 983786400, 0, true, 540},
    {"2001-03-05T10:00:00+09:00", 983786400, 0, true, 540},
    {"2001-03-05 10:00", 983786400, 0, false, 0},
    {"2001-03-05T10:00-0330", 983786400, 0, true, -210},
    {"2000-02-29T23:59:59.999999999", 951868799, 999999999, false, 0},
    {"2014-04-26T19:00:00.5Z", 1398538800, 500000000, true, 0},
    {"2150-12-31T23:59:59Z", 5711817599, 0, true, 0},
};

UNIT_LOOP(clock_reads, COUNT(times)) {
    int64_t nanoseconds, offset;
    bool has_zone;

    ck_assert(clock_parse(times[_i].string, &nanoseconds, &has_zone, &offset));
    ck_assert_int_eq(nanoseconds, times[_i].seconds * SECOND + times[_i].billionths);
    ck_assert_int_eq(has_zone, times[_i].has_zone);
    ck_assert_int_eq(offset, times[_i].offset);
}

static const char *const no_times[] = {
    "",
    "2001",
    "2001-3-5",
    "2001-02-29",
    "1900-02-29",
    "2001-13-01",
    "2001-00-01",
    "2001-01-00",
    "2001-01-32",
    "1969-12-31",
    "2151-01-01",
    "2001-03-05T24:00",
    "2001-03-05T10:60",
    "2001-03-05T10:00:60",
    "2001-03-05T10",
    "2001-03-05T10:00:00.",
    "2001-03-05T10:00:00.1234567890",
    "2001-03-05T10:00:00 ",
    " 2001-03-05",
    "2001-03-05Z",
    "2001-03-05T10:00:00+9",
    "2001-03-05T10:00:00+0960",
    "2001-03-05T10:00:00ZZ",
    "20010305T100000",
};

UNIT_LOOP(clock_refuses, COUNT(no_times)) {
    int64_t nanoseconds, offset;
    bool has_zone;

    ck_assert_msg(!clock_parse(no_times[_i], &nanoseconds, &has_zone, &offset), "%s", no_times[_i]);
}

UNIT_TEST(clock_offsets) {
    int64_t offset = 1;

    ck_assert(clock_parse_offset("+0900", &offset));
    ck_assert_int_eq(offset, 540);
    ck_assert(clock_parse_offset("-03:30", &offset));
    ck_assert_int_eq(offset, -210);
    ck_assert(clock_parse_offset("+1800", &offset));
    ck_assert_int_eq(offset, 1080);
    ck_assert(!clock_parse_offset("+1900", &offset));
    ck_assert(!clock_parse_offset("0900", &offset));
    ck_assert(!clock_parse_offset("+900", &offset));
    ck_assert(!clock_parse_offset("+0900 ", &offset));
    ck_assert(!clock_parse_offset("", &offset));
}

static const struct {
    const char *string;
    int64_t nanoseconds; /* -1: refused */
} durations[] = {
    {"0", 0},
    {"90", 90 * SECOND},
    {"90s", 90 * SECOND},
    {"90.5s", 90 * SECOND + SECOND / 2},
    {"0.000000001", 1},
    {"10m", 600 * SECOND},
    {"1.5m", 90 * SECOND},
    {"2h", 7200 * SECOND},
    {"0.000000001h", 3600},
    {"876000h", 876000 * SECOND * 3600}, /* 100 years of 365 days */
    {"", -1},
    {"s", -1},
    {".5", -1},
    {"1.", -1},
    {"1.0000000001", -1},
    {"1x", -1},
    {"1ms", 1000000},
    {"50ms", 50000000},
    {"200us", 200000},
    {"3\xc2\xb5s", 3000},
    {"10ns", 10},
    {"0.488ms", 488000},
    {"0.000001ms", 1},
    {"1.5us", 1500},
    {"3162240000000000000ns", INT64_C(3162240000000000000)}, /* 100 years of 366 days */
    {"3162240000000000001ns", -1},
    {"0.5ns", -1},       /* below a nanosecond */
    {"0.0000001ms", -1}, /* same */
    {"1mss", -1},
    {"1 ms", -1},
    {"1Ms", -1},
    {"-1", -1},
    {"1e3", -1},
    {"1000000h", -1},
    {"99999999999999999999", -1},
    {" 1", -1},
    {"1 ", -1},
};

UNIT_LOOP(clock_durations, COUNT(durations)) {
    int64_t nanoseconds = -1;
    bool good = clock_parse_duration(durations[_i].string, &nanoseconds);

    ck_assert_msg(good == (durations[_i].nanoseconds >= 0), "'%s'", durations[_i].string);
    if (good) {
        ck_assert_int_eq(nanoseconds, durations[_i].nanoseconds);
    }
}

static const struct {
    int64_t nanoseconds, offset;
    const char *text;
} stamps[] = {
    {0, 0, "1970-01-01T00:00:00+0000"},
    {0, -30, "1969-12-31T23:30:00-0030"},
    {983754000 * SECOND, 540, "2001-03-05T10:00:00+0900"},
    {983754000 * SECOND + 1, 540, "2001-03-05T10:00:00.000000001+0900"},
    {-1, 0, "1969-12-31T23:59:59.999999999+0000"},
    {983799000 * SECOND, -210, "2001-03-05T10:00:00-0330"},
    {INT64_MAX, INT64_C(1) << 32, "2262-04-11T23:47:16.854775807+7158278816"},
    {INT64_MIN, INT64_MIN, "1677-09-21T00:12:43.145224192-15372286728091293008"},
};

UNIT_LOOP(clock_writes, COUNT(stamps)) {
    struct text text = {0};

    clock_append(&text, stamps[_i].nanoseconds, stamps[_i].offset);
    ck_assert_str_eq(text_string(&text), stamps[_i].text);
    text_free(&text);
}

/* --- error ----------------------------------------------------------------------------------- */

UNIT_TEST(errors_gain_context) {
    ck_assert(!error_set(&error, "disk %d is full", 3));
    ck_assert_int_eq(error.status, EXIT_FAILED);
    ck_assert(!error_context(&error, "writing %s", "a"));
    ck_assert_str_eq(error.message, "writing a: disk 3 is full");
    ck_assert(!error_set_status(&error, EXIT_USAGE, "other"));
    ck_assert_int_eq(error.status, EXIT_USAGE);
    ck_assert_str_eq(error.message, "other");
    ck_assert(!error_no_memory(&error));
    ck_assert_int_eq(error.status, EXIT_FAILED);
}

UNIT_TEST(long_errors_are_cut) {
    char *longer = malloc(3 * ERROR_MESSAGE_SIZE);

    memset(longer, 'x', 3 * ERROR_MESSAGE_SIZE - 1);
    longer[3 * ERROR_MESSAGE_SIZE - 1] = '\0';
    error_set(&error, "%s", longer);
    ck_assert_uint_eq(strlen(error.message), ERROR_MESSAGE_SIZE - 1);
    error_context(&error, "first");
    ck_assert_uint_eq(strlen(error.message), ERROR_MESSAGE_SIZE - 1);
    ck_assert_int_eq(strncmp(error.message, "first: xxx", 10), 0);
    error_context(&error, "%s", longer);
    ck_assert_uint_le(strlen(error.message), ERROR_MESSAGE_SIZE - 1);
    free(longer);
}

/* --- words by prefix -------------------------------------------------------------------------- */

/* Typed text and the word it means; NULL: none, with the message. */
static const struct {
    const char *typed, *meant, *said;
} typed_words[] = {
    {"report", "report", NULL}, /* exact, although it is a prefix of another */
    {"reports", "reports", NULL},
    {"rep", "report", NULL}, /* also a prefix of the other one */
    {"la", "latency", NULL},
    {"l", NULL, "word 'l' is ambiguous: it could mean latency, locality"},
    {"re", NULL, "word 're' is ambiguous: it could mean report, reports, remove"},
    {"reprot", NULL, "there is no word 'reprot': did you mean report? There are report, reports, "},
    {"latancy", NULL, "there is no word 'latancy': did you mean latency? There are report, "},
    {"xyz", NULL, "there is no word 'xyz'; there are report, reports, remove, latency, locality"},
    {"", NULL, "there is no word ''; there are report, "},
    {"Report", NULL, "did you mean report?"},
};

UNIT_LOOP(words_are_meant, COUNT(typed_words)) {
    static const char *const words[] = {"report", "reports", "remove", "latency", "locality"};
    struct word_list list = {0};
    const char *meant;

    for (size_t i = 0; i < COUNT(words); i++) {
        word_list_add_once(&list, words[i]);
        word_list_add_once(&list, words[i]);
    }
    ck_assert_uint_eq(list.count, COUNT(words));
    meant = word_list_choose(&list, "word", typed_words[_i].typed, NULL, &error);
    if (typed_words[_i].meant != NULL) {
        ck_assert_pstr_eq(meant, typed_words[_i].meant);
    } else {
        ck_assert_ptr_null(meant);
        assert_message(&error, typed_words[_i].said);
        ck_assert_int_eq(error.status, EXIT_USAGE);
    }
    word_list_free(&list);
}

/* Letters inserted, removed, changed and swapped. */
UNIT_TEST(nearest_words) {
    static const char *const typed[] = {"popularty", "poppularity", "popularoty", "popualrity"};
    struct word_list list = {0};

    word_list_add(&list, "process");
    word_list_add(&list, "popularity");
    word_list_add(&list, "partition");
    for (size_t i = 0; i < COUNT(typed); i++) {
        ck_assert_pstr_eq(word_list_nearest(&list, typed[i]), "popularity");
    }
    ck_assert_ptr_null(word_list_nearest(&list, "pop"));
    ck_assert_ptr_null(word_list_nearest(&list, ""));
    ck_assert_ptr_null(word_list_nearest(
        &list, "a word that is longer than any that could be compared letter by letter, by far"));
    word_list_free(&list);
}

/* A device or pipe is written to, not replaced. */
UNIT_TEST(test_a_pipe_is_not_replaced) {
    char folder[] = "/tmp/placed-XXXXXX", path[64], got[8] = "";
    struct atomic_file placed;
    struct stat status;
    int pipe;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe", folder);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    pipe = open(path, O_RDWR | O_NONBLOCK);
    ck_assert_int_ge(pipe, 0);
    ck_assert(atomic_file_open(&placed, path, &error));
    fputs("text", placed.file);
    ck_assert(atomic_file_commit(&placed, &error));
    atomic_file_close(&placed);
    ck_assert(stat(path, &status) == 0 && S_ISFIFO(status.st_mode));
    ck_assert_int_eq(read(pipe, got, sizeof got), 4);
    ck_assert_str_eq(got, "text");
    close(pipe);
    unlink(path);
    rmdir(folder);
}

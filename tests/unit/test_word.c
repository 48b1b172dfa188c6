/* Words of lines, detection by first lines, and numbers stored for --append. */
#include "input/word.h"
#include "import/importer.h"
#include "import/reading.h"
#include "lines.h"
#include "unit.h"

static void check_word(struct word word, const char *string) {
    ck_assert_msg(word_is(word, string), "'%.*s', not '%s'", WORD_TEXT(word), string);
}

/* --- cutting ---------------------------------------------------------------------------------- */

UNIT_TEST(blanks) {
    check_word(word_trim(word_of(" \t\r a b\t\r")), "a b");
    check_word(word_trim(word_of(" \t ")), "");
    check_word(word_trim_left(word_of(" a ")), "a ");
    check_word(word_unpad(word_of(" \ta\t \r")), "\ta\t");
    check_word(word_unpad(word_of("")), "");
}

UNIT_TEST(words_in_order) {
    struct word rest = word_of("  one\ttwo  three four ");

    check_word(word_next(&rest), "one");
    ck_assert(!word_accept(&rest, "three"));
    ck_assert(word_accept(&rest, "tw"));
    check_word(rest, "o  three four ");
    check_word(word_last(&rest), "four");
    check_word(rest, "o  three");
    ck_assert_int_eq(word_peek(&rest), 'o');
    check_word(word_next(&rest), "o");
    check_word(word_last(&rest), "three");
    check_word(word_last(&rest), "");
    check_word(word_next(&rest), "");
    ck_assert_int_eq(word_peek(&rest), '\0');
}

UNIT_TEST(fields_in_order) {
    struct word rest = word_of("a,, c");

    check_word(word_field(&rest, ','), "a");
    check_word(word_field(&rest, ','), "");
    check_word(word_field(&rest, ','), " c");
    check_word(word_field(&rest, ','), "");
    ck_assert_uint_eq(rest.length, 0);
}

/* Separators at each of the eight bytes, and bytes that differ from one in a single bit. */
UNIT_TEST(last_key) {
    struct word rest = word_of("pid=1 x pid=2"), value;

    ck_assert(word_cut_last(&rest, " pid=", &value));
    check_word(rest, "pid=1 x");
    check_word(value, "2");
    ck_assert(!word_cut_last(&rest, " pid=", &value));
    ck_assert(word_cut_last(&rest, "pid=", &value));
    check_word(rest, "");
    ck_assert(!word_cut_last(&rest, "pid=", &value));
}

UNIT_TEST(split) {
    struct word fields[4];
    char line[40];

    for (size_t at = 0; at < 20; at++) {
        memset(line, '\x89', sizeof line); /* TAB with its highest bit set */
        line[at] = '\t';
        line[at + 1] = '\x08';
        line[at + 2] = '\t';
        ck_assert_uint_eq(word_split((struct word){line, 30}, '\t', fields, 4), 3);
        ck_assert_uint_eq(fields[0].length, at);
        check_word(fields[1], "\x08");
        ck_assert_uint_eq(fields[2].length, 27 - at);
    }
    ck_assert_uint_eq(word_split(word_of(" a ; b\r;c;  "), ';', fields, 4), 4);
    check_word(fields[1], "b");
    check_word(fields[3], "");
    ck_assert_uint_eq(word_split(word_of("a;b;c;d;e"), ';', fields, 4), 5);
    ck_assert_uint_eq(word_split(word_of(";;;;;;;;;;"), ';', fields, 4), 5);
    ck_assert_uint_eq(word_split(word_of(""), ';', fields, 1), 1);
    ck_assert_uint_eq(word_split(word_of("a;b"), ';', fields, 1), 2);
}

UNIT_TEST(comparing) {
    static const char *const strings[] = {"read", "write"};
    struct word nul = {"a\0b", 3};

    ck_assert(word_is(word_of("ab"), "ab") && !word_is(word_of("ab"), "a"));
    ck_assert(!word_is(nul, "a"));
    ck_assert(word_begins(word_of("ab"), "a") && !word_begins(word_of("a"), "ab"));
    ck_assert(word_ends(word_of("ab"), "b") && !word_ends(word_of("b"), "ab"));
    ck_assert_ptr_eq(word_among(word_of("write"), strings, 2), strings[1]);
    ck_assert_ptr_null(word_among(word_of("writes"), strings, 2));
    ck_assert(word_is_capitals(word_of("UT"), 2) && !word_is_capitals(word_of("UTX"), 2));
    ck_assert(!word_is_capitals(word_of(""), 2) && !word_is_capitals(word_of("Q1"), 2));
}

/* --- numbers ---------------------------------------------------------------------------------- */

static void check_number(const char *string, int64_t most, int64_t expected) {
    int64_t number = -1;

    ck_assert_msg(word_number(word_of(string), most, &number) == (expected >= 0), "%s", string);
    if (expected >= 0) {
        ck_assert_int_eq(number, expected);
    }
}

UNIT_TEST(numbers) {
    int64_t number;
    struct word rest = word_of(" 12,x");

    check_number("0", 0, 0);
    check_number("1", 0, -1);
    check_number("255", 255, 255);
    check_number("256", 255, -1);
    check_number("", 9, -1);
    check_number("-1", 9, -1);
    check_number("1a", 99, -1);
    check_number(" 1", 99, -1);
    check_number("999999999999999999", INT64_MAX, INT64_C(999999999999999999));
    check_number("9223372036854775807", INT64_MAX, INT64_MAX);
    check_number("9223372036854775808", INT64_MAX, -1);
    check_number("99999999999999999999999999", INT64_MAX, -1);
    check_number("00000000000000000000000007", 7, 7);
    check_number("00000000000000000000000008", 7, -1);
    ck_assert(word_signed(word_of("-5"), -5, 5, &number) && number == -5);
    ck_assert(!word_signed(word_of("-6"), -5, 5, &number));
    ck_assert(!word_signed(word_of("3"), 4, 5, &number));
    ck_assert(!word_signed(word_of("-"), -5, 5, &number));
    ck_assert(!word_signed(word_of("--1"), -5, 5, &number));
    ck_assert(word_signed(word_of("-9223372036854775807"), -INT64_MAX, 0, &number));
    ck_assert_int_eq(number, -INT64_MAX);
    ck_assert(word_next_number(&rest, 12, &number) && number == 12);
    check_word(rest, ",x");
    ck_assert(!word_next_number(&rest, 12, &number));
}

/* In thousandths, up to 5000. */
UNIT_TEST(decimals) {
    static const struct {
        const char *text;
        int64_t number; /* -1: refused */
        bool rounded;
    } cases[] = {
        {"1.5", 1500, false},
        {"0.0014", 1, true},
        {"0.0015", 2, true},
        {".5e0", 500, false},
        {"15E-1", 1500, false},
        {"2e+0", 2000, false},
        {"5", 5000, false},
        {"5.001", -1, false},
        {"1e9", -1, false},
        {"1e10", -1, false},
        {"", -1, false},
        {".", -1, false},
        {"1.2.3", -1, false},
        {"-1", -1, false},
        {"1e+-1", -1, false},
        {"0e9", 0, false},
        {"0.9999999999999999999999", 1000, true},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t number;
        bool rounded, good = word_decimal(word_of(cases[i].text), 3, 9, 5000, &number, &rounded);

        ck_assert_msg(good == (cases[i].number >= 0), "%s", cases[i].text);
        ck_assert_msg(!good || (number == cases[i].number && rounded == cases[i].rounded), "%s",
                      cases[i].text);
    }
}

UNIT_TEST(hexadecimal) {
    uint8_t bytes[2];
    uint64_t number;
    size_t count;

    ck_assert(word_hex(word_of("fF"), 255, &number) && number == 255);
    ck_assert(word_hex(word_of("0XFFFFFFFFFFFFFFFF"), UINT64_MAX, &number));
    ck_assert(number == UINT64_MAX);
    ck_assert(!word_hex(word_of("0x10000000000000000"), UINT64_MAX, &number));
    ck_assert(!word_hex(word_of("100"), 255, &number));
    ck_assert(!word_hex(word_of("0x"), 255, &number));
    ck_assert(!word_hex(word_of(""), 255, &number));
    ck_assert(!word_hex(word_of("fg"), 255, &number));
    ck_assert(word_hex_bytes(word_of("0aF0"), 2, bytes, &count) && count == 2);
    ck_assert(bytes[0] == 0x0A && bytes[1] == 0xF0);
    ck_assert(!word_hex_bytes(word_of("0aF001"), 2, bytes, &count));
    ck_assert(!word_hex_bytes(word_of("0aF"), 2, bytes, &count));
    ck_assert(!word_hex_bytes(word_of("0x"), 2, bytes, &count));
}

UNIT_TEST(seconds) {
    int64_t time;

    ck_assert(word_seconds(word_of("12.000000345"), 9, 9, 12, &time));
    ck_assert_int_eq(time, INT64_C(12000000345));
    ck_assert(!word_seconds(word_of("13.000000345"), 9, 9, 12, &time));
    ck_assert(!word_seconds(word_of("1.00000034"), 9, 9, 12, &time));
    ck_assert(!word_seconds(word_of("1.2.34567890"), 9, 9, 12, &time));
    ck_assert(!word_seconds(word_of(".123456789"), 9, 9, 12, &time));
    ck_assert(!word_seconds(word_of("1.12345678x"), 9, 9, 12, &time));
    ck_assert(!word_seconds(word_of("1.-23456789"), 9, 9, 12, &time));
    ck_assert(word_seconds(word_of("1.5"), 1, 9, 12, &time) && time == 1500000000);
    ck_assert(word_seconds(word_of("1.000001"), 1, 9, 12, &time) && time == 1000001000);
    ck_assert(!word_seconds(word_of("1"), 1, 9, 12, &time));
    ck_assert(!word_seconds(word_of("1."), 0, 9, 12, &time));
    ck_assert(word_seconds(word_of("7"), 0, 9, 12, &time) && time == INT64_C(7000000000));
}

/* --- first lines ------------------------------------------------------------------------------ */

static enum line_verdict judge(void *context, struct word line) {
    ++*(int *)context;
    return word_is(line, "good") ? LINE_GOOD : word_is(line, "bad") ? LINE_BAD : LINE_NOTHING;
}

static void check_judged(const char *text, bool whole, bool good, int judged) {
    int count = 0;

    ck_assert_int_eq(lines_judge(text, strlen(text), whole, judge, &count), good);
    ck_assert_int_eq(count, judged);
}

UNIT_TEST(first_lines) {
    char text[60 * 5 + 1] = "";

    check_judged("", true, false, 0);
    check_judged("good\n\n#\nbad\ngood", true, true, 5);
    check_judged("good\n\n#\nbad\ngood", false, false, 4);
    check_judged("good\nbad\n", true, false, 2);
    for (int i = 0; i < 60; i++) {
        strcat(text, i < 40 ? "good\n" : "bad\n");
    }
    check_judged(text, true, true, 50);
    check_judged(text + strlen("good\n"), true, false, 50); /* 11 of 50: more than a fifth */
}

/* --- stored numbers --------------------------------------------------------------------------- */

UNIT_TEST(kept_numbers) {
    static const char *const bad[] = {
        "",
        "a 1",
        "a 1 b -2",
        "a 10 b 0 c 0",
        "a 1 b -3 c 0",
        "a 1 b 0 c -1",
        "x 1 b 0 c 0",
        "a 1 b 0 c 0 d 0",
        "a b 1 c 0",
        "a 1 b 0 c 18446744073709551616",
        "a 1 b 0 c ",
    };
    struct {
        int64_t a, b, c;
        bool begun;
    } state = {0};
    const struct resume_value values[] = {
        {"a", (size_t)((char *)&state.a - (char *)&state), 0, 9, false},
        {"b", (size_t)((char *)&state.b - (char *)&state), -2, INT64_MAX, false},
        {"c", (size_t)((char *)&state.c - (char *)&state), 0, 0, true},
        {0},
    };
    const struct importer importer = {
        .resume = values, .resume_begun = (size_t)((char *)&state.begun - (char *)&state)};
    struct import_run run = {.importer = &importer, .error = &error};

    run.traces[0].run = &run;
    resume_state_write(&run, &state);
    ck_assert_ptr_null(run.kept);
    ck_assert(resume_state_read(&run, &state));
    ck_assert(!state.begun);
    run.resumed = "a 1 b -2 c 18446744073709551615";
    ck_assert(resume_state_read(&run, &state));
    ck_assert(state.a == 1 && state.b == -2 && (uint64_t)state.c == UINT64_MAX && state.begun);
    resume_state_write(&run, &state);
    ck_assert_str_eq(run.kept, run.resumed);
    run.resumed = "a 9 b 9223372036854775807 c 5";
    ck_assert(resume_state_read(&run, &state));
    ck_assert(state.a == 9 && state.b == INT64_MAX && state.c == 5);
    for (size_t i = 0; i < COUNT(bad); i++) {
        run.resumed = bad[i];
        ck_assert_msg(!resume_state_read(&run, &state), "%s", bad[i]);
    }
    free(run.kept);
}

UNIT_TEST(words_of_a_list) {
    static const char list[] = "open close openat";

    ck_assert(word_listed(word_of("open"), list));
    ck_assert(word_listed(word_of("openat"), list));
    ck_assert(!word_listed(word_of("ope"), list));
    ck_assert(!word_listed(word_of("openat2"), list));
    ck_assert(!word_listed(word_of("open close"), list));
    ck_assert(!word_listed(word_of(" "), list));
    ck_assert(!word_listed(word_of(""), list));
    ck_assert(!word_listed((struct word){"open\0", 5}, list));
}

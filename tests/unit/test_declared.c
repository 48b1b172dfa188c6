/* Declared formats: expressions and their limits, lines of the shipped formats, and numbers at
 * their limits. tests/golden/declared-formats.test has invalid declarations. */
#include "declared.h"
#include "unit.h"

static void set_up(void) {
    assert_done(config_defaults(&config, &error));
}

static struct declared_cutter cutter; /* holds the quoted fields of the last line */

static void tear_down(void) {
    declared_cutter_close(&cutter);
    config_free(&config);
}

/* --- expressions ------------------------------------------------------------------------------*/

static struct expression *compile(const char *pattern) {
    struct text why = {0};
    struct expression *expression = expression_compile(pattern, &why);

    ck_assert_msg(expression != NULL, "%s: %s", pattern, text_string(&why));
    text_free(&why);
    return expression;
}

static enum expression_result run(const char *pattern, struct word line, struct word *fields) {
    struct expression *expression = compile(pattern);
    struct expression_match *match = expression_match_new(expression);
    enum expression_result result;

    ck_assert_ptr_nonnull(match);
    result = expression_run(expression, match, line, fields);
    expression_match_free(match);
    expression_free(expression);
    return result;
}

UNIT_CASE("declared", set_up, tear_down);

UNIT_TEST(expressions_fit_whole_lines) {
    struct word fields[EXPRESSION_GROUPS];

    ck_assert_int_eq(run("a(b)?(c)", word_of("ac"), fields), EXPRESSION_FITS);
    ck_assert_uint_eq(fields[0].length, 0);
    ck_assert(word_is(fields[1], "c"));
    ck_assert_int_eq(run("a(b)?(c)", word_of("xac"), fields), EXPRESSION_FITS_NOT);
    ck_assert_int_eq(run("a(b)?(c)", word_of("acx"), fields), EXPRESSION_FITS_NOT);
    ck_assert_int_eq(run("a|ab", word_of("ab"), fields), EXPRESSION_FITS);
    /* Bytes: NULs and invalid UTF-8 are not special. */
    ck_assert_int_eq(run("a.\\xff(.)", (struct word){"a\0\xff\xfe", 4}, fields), EXPRESSION_FITS);
    ck_assert_int_eq(*fields[0].bytes, '\xfe');
}

UNIT_TEST(expressions_have_names) {
    struct expression *expression = compile("(x)(?<name>y)");

    ck_assert_uint_eq(expression_groups(expression), 2);
    ck_assert_int_eq(expression_group(expression, "name"), 1);
    ck_assert_int_eq(expression_group(expression, "other"), -1);
    expression_free(expression);
}

/* Each of these would take forever. */
UNIT_TEST(expressions_end) {
    static const char *const patterns[] = {"(a+)+b", "(a|aa)+b", "(a*)*b", "(?:(?:a+)+)+b",
                                           "(.*)*(.*)*(.*)*x\\1\\2b"};
    struct word fields[EXPRESSION_GROUPS];
    char line[5000];

    memset(line, 'a', sizeof line);
    line[sizeof line - 1] = 'c';
    line[0] = 'b';
    memset(line + 1, 'a', sizeof line - 2);
    for (size_t i = 0; i < COUNT(patterns); i++) {
        struct word word = {line + 1, sizeof line - 1};

        ck_assert_int_ne(run(patterns[i], word, fields), EXPRESSION_FITS);
    }
    /* With a b in the line, only backtracking finds out. */
    line[sizeof line - 2] = 'c';
    line[sizeof line - 1] = 'b';
    ck_assert_int_eq(run("(a+)+b", (struct word){line + 1, sizeof line - 1}, fields),
                     EXPRESSION_GAVE_UP);
}

UNIT_TEST(expressions_that_are_refused) {
    static const char *const patterns[] = {
        "(", "a{2,1}", "(*UTF)a", "\\C", "(?<a>x)(?<a>y)", "((((a{999}){999}){999}){999})"};
    struct text many = {0}, longest = {0};

    for (size_t i = 0; i < COUNT(patterns); i++) {
        struct text why = {0};

        ck_assert_msg(expression_compile(patterns[i], &why) == NULL, "%s", patterns[i]);
        ck_assert_uint_gt(why.length, 0);
        text_free(&why);
    }
    for (int i = 0; i <= EXPRESSION_GROUPS; i++) {
        text_append_string(&many, "(a)");
    }
    for (int i = 0; i <= EXPRESSION_LENGTH; i++) {
        text_append_char(&longest, 'a');
    }
    ck_assert_ptr_null(expression_compile(text_string(&many), &longest));
    text_free(&many);
    text_clear(&longest);
    for (int i = 0; i <= EXPRESSION_LENGTH; i++) {
        text_append_char(&longest, 'a');
    }
    ck_assert_ptr_null(expression_compile(text_string(&longest), &many));
    text_free(&many);
    text_free(&longest);
}

/* --- lines ------------------------------------------------------------------------------------*/

/* Parses a line by a shipped format. Returns the error, or NULL. `parsed` is valid until the next
 * call. */
static const char *parse(const char *format, const char *header, const char *line,
                         struct declared_line *parsed) {
    const struct importer *importer = importer_find(&config, format);
    const char *damage;

    ck_assert_ptr_nonnull(importer);
    declared_cutter_close(&cutter);
    damage = declared_cutter_open(&cutter, importer->declaration, word_of(header));
    return damage == NULL ? declared_parse(&cutter, word_of(line), parsed) : damage;
}

/* 18 digits of 100 ns, exactly. */
UNIT_TEST(filetimes) {
    struct declared_line line;

    ck_assert_ptr_null(
        parse("msr", "", "128166372003061629,hm,1,READ,383496192,32768,113736", &line));
    ck_assert_int_eq(line.request.time, INT64_C(1172163600306162900));
    ck_assert_int_eq(line.response, 11373600);
    ck_assert_int_eq(line.request.sector, 749016);
    ck_assert_int_eq(line.request.blocks, 64);
    ck_assert_int_eq(line.request.device, 1);
    ck_assert(word_is(line.device_name, "hm"));
    ck_assert_uint_eq(line.request.flags, IO_READ);
    ck_assert_ptr_null(parse("msr", "", "116444736000000000,hm,1,Read,0,0,0", &line));
    ck_assert_int_eq(line.request.time, 0);
    ck_assert_ptr_nonnull(parse("msr", "", "116444735999999999,hm,1,Read,0,0,0", &line));
}

UNIT_TEST(bounds) {
    struct declared_line line;

    ck_assert_ptr_null(
        parse("alibaba", "", "4294967295,W,9223372036854775807,8589934592,0", &line));
    ck_assert_int_eq(line.request.sector, (INT64_C(1) << 54) - 1);
    ck_assert(line.unaligned);
    ck_assert_int_eq(line.request.blocks, BLOCK_IO_BLOCKS);
    ck_assert_int_eq(line.request.device, UINT32_MAX);
    ck_assert_ptr_nonnull(parse("alibaba", "", "4294967296,W,0,0,0", &line));
    ck_assert_ptr_nonnull(parse("alibaba", "", "0,W,9223372036854775808,0,0", &line));
    ck_assert_ptr_nonnull(parse("alibaba", "", "0,W,0,8589934593,0", &line));
    ck_assert_ptr_null(parse("alibaba", "", "0,W,511,513,0", &line));
    ck_assert_int_eq(line.request.sector, 0);
    ck_assert_int_eq(line.request.more_bytes, 1);
    ck_assert_ptr_null(parse("tencent", "", "1538323200,18014398509481983,16777216,0,1", &line));
    ck_assert_int_eq(line.request.sector, (INT64_C(1) << 54) - 1);
    ck_assert_ptr_nonnull(parse("tencent", "", "1538323200,18014398509481984,1,0,1", &line));
}

UNIT_TEST(empty_columns) {
    struct declared_line line;

    ck_assert_ptr_null(parse("systor", "", "1456066800.000018999,,W,0,84985344,4096", &line));
    ck_assert(!line.has_response);
    ck_assert_int_eq(line.request.time, INT64_C(1456066800000018999));
    ck_assert_ptr_eq(parse("systor", "", "1456066800.0,0.1,,0,0,0", &line), declared_ignored);
    ck_assert_ptr_nonnull(parse("systor", "", ",0.1,W,0,0,0", &line));
    ck_assert_ptr_nonnull(parse("fio-latency", "", "0, 1, 0, 0, 0, 0", &line));
    ck_assert_ptr_null(parse("fio-latency", "", "0, 1, 2, 1, 0, 0x4003, 99", &line));
    ck_assert_uint_eq(line.request.flags, IO_OTHER | IO_FLAG_DISCARD);
    ck_assert_ptr_null(parse("disksim", "", "4.096000 0 2096464 16 5", &line));
    ck_assert_uint_eq(line.request.flags, IO_READ);
    ck_assert_ptr_null(parse("disksim", "", "4.096000 0 2096464 16 4", &line));
    ck_assert_uint_eq(line.request.flags, IO_WRITE);
}

/* In any order, among others, in capitals; optional ones may be missing. */
UNIT_TEST(columns_by_name) {
    struct declared_line line;

    ck_assert_ptr_null(parse("libcachesim", "x, LBA ,Size,TS\r", "9,100,512,3\r", &line));
    ck_assert_int_eq(line.request.sector, 100);
    ck_assert_int_eq(line.request.time, INT64_C(3000000000));
    ck_assert_uint_eq(line.request.flags, IO_OTHER);
    ck_assert_ptr_null(parse("libcachesim", "op,lba,size,ts", "0X2A,100,512,3", &line));
    ck_assert_uint_eq(line.request.flags, IO_WRITE);
    ck_assert_ptr_nonnull(parse("libcachesim", "op,lba,size", "2a,100,512", &line));
    ck_assert_ptr_nonnull(parse("libcachesim", "", "2a,100,512", &line));
    ck_assert_ptr_nonnull(parse("libcachesim", "op,lba,size,ts", "2a,100,512,3,4", &line));
}

static const struct {
    const char *word;
    int64_t millionths;
    bool rounded;
} values[] = {
    {"0", 0, false},
    {"-0", 0, false},
    {"4799", INT64_C(4799000000), false},
    {"+1.5", 1500000, false},
    {".5", 500000, false},
    {"5.", 5000000, false},
    {"-0.000001", -1, false},
    {"0.0000005", 1, true},
    {"-0.0000005", -1, true},
    {"0.00000049", 0, true},
    {"1.50000000000000000000", 1500000, false},
    {"1.50000000000000000001", 1500000, true},
    {"1e3", 1000000000, false},
    {"15E-1", 1500000, false},
    {"1.5e+2", 150000000, false},
    {"1e-99", 0, true},
    {"0e99", 0, false},
    {"999999999999.999999", INT64_C(999999999999999999), false},
    {"-999999999999.999999", -INT64_C(999999999999999999), false},
    {"999999999999999999999e-9", INT64_C(1000000000000000000) - 1, true},
};

UNIT_LOOP(measured_values, sizeof values / sizeof values[0]) {
    int64_t millionths;
    bool rounded;

    ck_assert_msg(measured_parse(word_of(values[_i].word), &millionths, &rounded), "%s",
                  values[_i].word);
    ck_assert_int_eq(millionths, values[_i].millionths);
    ck_assert(rounded == values[_i].rounded);
}

static const char *const no_values[] = {
    "",     "-",     "+",
    ".",    "e1",    "1e",
    "1e+",  "1e1.5", "1e100",
    "--1",  "1 ",    " 1",
    "1,5",  "1.2.3", "nan",
    "inf",  "0x1",   "1000000000000",
    "1e12", "-1e12", "99999999999999999999",
    "1e99", "1e--1", "1e+-1",
};

UNIT_LOOP(no_measured_values, sizeof no_values / sizeof no_values[0]) {
    int64_t millionths;
    bool rounded;

    ck_assert_msg(!measured_parse(word_of(no_values[_i]), &millionths, &rounded), "%s",
                  no_values[_i]);
}

/* The unit in the line overrides that of the declaration, wherever it is. */
UNIT_TEST(measured_lines) {
    struct declared_line line;
    const char *header = "unit,Value,x,NAME,trial";

    ck_assert_ptr_null(parse("results", header, "\"m,s\",-1.5,,boot, 3", &line));
    ck_assert(word_is(line.measured.unit, "m,s"));
    ck_assert(word_is(line.measured.measure, "boot"));
    ck_assert_uint_eq(line.measured.test.length, 0);
    ck_assert_int_eq(line.measured.run, 3);
    ck_assert_int_eq(line.measured.millionths, -1500000);
    ck_assert_ptr_null(parse("results", header, "s,1,,boot,", &line));
    ck_assert_int_eq(line.measured.run, EVENT_NONE);
    ck_assert_ptr_nonnull(parse("results", header, ",1,,boot,1", &line));
    ck_assert_ptr_nonnull(parse("results", header, "s,1,,,1", &line));
    ck_assert_ptr_nonnull(parse("results", header, "s,1,,boot,9223372036854775808", &line));
}

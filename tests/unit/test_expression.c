/* importers/expression: what expressions find, and their limits. tests/golden/declared-formats.test
 * has the lines of declared formats, and invalid declarations. */
#include "expression.h"
#include "unit.h"

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

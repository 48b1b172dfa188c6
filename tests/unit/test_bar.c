/* Bars next to shares, and the red parts of a table. */
#include <math.h>

#include "output/printer.h"
#include "unit.h"

static const struct column columns[] = {
    {"name", "", COLUMN_TEXT},
    {"share", "fraction", COLUMN_SHARE},
    {"cumulative", "fraction", COLUMN_SHARE},
    {"bytes_share", "fraction", COLUMN_SHARE},
};

static struct value share(double part) {
    return (struct value){.type = VALUE_REAL, .real = part};
}

static struct value name(const char *bytes) {
    return (struct value){.type = VALUE_TEXT, .bytes = bytes, .length = strlen(bytes)};
}

/* Returns a table of these columns and rows; to be freed. */
static char *table(const struct printer_options *options, const struct result *result,
                   const struct value *rows, size_t count) {
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    struct printer *printer = printer_open(&printer_style_table, file, options);

    ck_assert(printer_begin(printer, result, &error));
    for (size_t row = 0; row < count; row++) {
        ck_assert(printer_row(printer, rows + row * result->column_count, &error));
    }
    ck_assert(printer_end(printer, &error));
    ck_assert(printer_close(printer, true, &error));
    fclose(file);
    return bytes;
}

/* Checks the bar of a share, 8 columns wide at 100 %; `cell`: text before it. */
static void check_bar(enum bar_kind kind, double per_cent, const char *cell, const char *expected) {
    static const struct column one[] = {{"s", "fraction", COLUMN_SHARE}};
    const struct result result = {
        .report = "x", .title = "", .clock_unit = "ns", .columns = one, .column_count = 1};
    const struct printer_options options = {.width = (int)strlen(cell) + 9, .bars = kind};
    const struct value row = share(per_cent / 100);
    struct text wanted = {0};
    char *got = table(&options, &result, &row, 1);

    text_append_format(&wanted, "%*s\n%s%s%s\n", (int)strlen(cell), "s", cell,
                       *expected != '\0' ? " " : "", expected);
    ck_assert_str_eq(got, text_string(&wanted));
    text_free(&wanted);
    free(got);
}

UNIT_TEST(blocks_have_eighths) {
    check_bar(BAR_BLOCKS, 100, "100 %", "████████");
    check_bar(BAR_BLOCKS, 50, "50.0 %", "████");
    check_bar(BAR_BLOCKS, 31.3, "31.3 %", "██▌");
    check_bar(BAR_BLOCKS, 1.56, "1.56 %", "▏");
    check_bar(BAR_BLOCKS, 10.94, "10.9 %", "▉");
    check_bar(BAR_BLOCKS, 99.9, "99.9 %", "████████");
}

UNIT_TEST(what_is_more_than_nothing_shows) {
    check_bar(BAR_BLOCKS, 0.01, "0.01 %", "▏");
    check_bar(BAR_BLOCKS, 0, "0.00 %", "");
    check_bar(BAR_ASCII, 0.01, "0.01 %", "");
}

UNIT_TEST(ascii_is_rounded) {
    check_bar(BAR_ASCII, 100, "100 %", "########");
    check_bar(BAR_ASCII, 50, "50.0 %", "####");
    check_bar(BAR_ASCII, 43, "43.0 %", "###");
    check_bar(BAR_ASCII, 44, "44.0 %", "####");
}

UNIT_TEST(what_is_no_share_has_none) {
    check_bar(BAR_BLOCKS, -5, "-5.00 %", "");
    check_bar(BAR_BLOCKS, (double)NAN, "NaN", "");
    check_bar(BAR_BLOCKS, (double)-INFINITY, "-Inf", "");
    check_bar(BAR_BLOCKS, (double)INFINITY, "Inf", "████████");
    check_bar(BAR_BLOCKS, 1e12, "1000000000000 %", "████████");
    check_bar(BAR_NONE, 50, "50.0 %", "");
}

static void check_shares(int width, const char *expected) {
    const struct result result = {
        .report = "x", .title = "", .clock_unit = "ns", .columns = columns, .column_count = 4};
    const struct printer_options options = {.width = width, .bars = BAR_ASCII};
    const struct value rows[] = {
        name("a"), share(1), share(1), share(0), name("b"), share(0.5), share(1), share(0.25),
    };
    char *got = table(&options, &result, rows, 2);

    ck_assert_str_eq(got, expected);
    free(got);
}

/* 36 columns, and at least 9 for a bar. */
UNIT_TEST(bars_come_where_there_is_room) {
    check_shares(0, "name  share cumulative bytes_share\n"
                    "a     100 %      100 %      0.00 %\n"
                    "b    50.0 %      100 %      25.0 %\n");
    check_shares(42, "name  share cumulative bytes_share\n"
                     "a     100 %      100 %      0.00 %\n"
                     "b    50.0 %      100 %      25.0 %\n");
    check_shares(43, "name  share          cumulative bytes_share\n"
                     "a     100 % ########      100 %      0.00 %\n"
                     "b    50.0 % ####          100 %      25.0 %\n");
    check_shares(52, "name  share          cumulative bytes_share\n"
                     "a     100 % ########      100 %      0.00 %\n"
                     "b    50.0 % ####          100 %      25.0 % ##\n");
    check_shares(200, "name  share                      cumulative bytes_share\n"
                      "a     100 % ####################      100 %      0.00 %\n"
                      "b    50.0 % ##########                100 %      25.0 % #####\n");
}

/* Also over the chunks in which rows are laid out. */
UNIT_TEST(bars_keep_their_place) {
    const struct result result = {
        .report = "x", .title = "", .clock_unit = "ns", .columns = columns, .column_count = 3};
    const struct printer_options options = {.width = 80, .bars = BAR_ASCII};
    struct value *rows = calloc(3 * 1001, sizeof *rows);
    char *got;

    for (size_t row = 0; row < 1001; row++) {
        rows[3 * row] = name("a");
        rows[3 * row + 1] = share(row < 1000 ? 0.1 : 0.99);
        rows[3 * row + 2] = share(1);
    }
    got = table(&options, &result, rows, 1001);
    ck_assert_ptr_nonnull(strstr(got, "\na    10.0 % ##                        100 %\n"));
    ck_assert_ptr_nonnull(strstr(got, "\na    99.0 % ####################      100 %\n"));
    free(got);
    free(rows);
}

UNIT_TEST(what_was_lost_is_red) {
    static const struct column of_traces[] = {{"name", "", COLUMN_TEXT},
                                              {"rejected", "", COLUMN_INTEGER}},
                               of_outcomes[] = {{"outcome", "", COLUMN_TEXT},
                                                {"count", "", COLUMN_INTEGER}};
    const struct result_trace traces[] = {{.name = "a", .format = "most", .rejected = 0},
                                          {.name = "b", .format = "most", .rejected = 2}};
    const struct result result = {.report = "x",
                                  .title = "",
                                  .clock_unit = "ns",
                                  .traces = traces,
                                  .trace_count = 2,
                                  .lost = "rejected",
                                  .columns = of_traces,
                                  .column_count = 2};
    const struct value rows[] = {
        name("a"),
        {.type = VALUE_INTEGER, .integer = 0},
        name("b"),
        {.type = VALUE_INTEGER, .integer = 2},
    };
    const struct result ledger = {.report = "x",
                                  .title = "",
                                  .clock_unit = "ns",
                                  .lost = "rejected",
                                  .columns = of_outcomes,
                                  .column_count = 2};
    const struct value outcomes[] = {
        name("ignored"),  {.type = VALUE_INTEGER, .integer = 1},
        name("rejected"), {.type = VALUE_INTEGER, .integer = 0},
        name("rejected"), {.type = VALUE_INTEGER, .integer = 1},
    };
    const struct printer_options color = {.color = true}, plain = {.color = false};
    char *got = table(&color, &result, rows, 2);

    ck_assert_str_eq(got, "# trace a: most, 0 events, 0 rejected\n"
                          "\033[31m# trace b: most, 0 events, 2 rejected\033[0m\n"
                          "\033[1mname\033[0m \033[1mrejected\033[0m\n"
                          "a           0\n"
                          "b    \033[31m       2\033[0m\n");
    free(got);
    got = table(&color, &ledger, outcomes, 3);
    ck_assert_str_eq(got, "\033[1moutcome \033[0m \033[1mcount\033[0m\n"
                          "ignored      1\n"
                          "rejected     0\n"
                          "\033[31mrejected     1\033[0m\n");
    free(got);
    got = table(&plain, &result, rows, 2);
    ck_assert_ptr_null(strchr(got, '\033'));
    free(got);
}

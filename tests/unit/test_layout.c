/* Layout of columns on a terminal, and shortening of texts. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* uselocale */
#endif
#include <locale.h>

#include "output/layout.h"
#include "unit.h"

static locale_t utf8, before;

static void enter_utf8(void) {
    utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    ck_assert(utf8 != (locale_t)0);
    before = uselocale(utf8);
}

static void leave_utf8(void) {
    uselocale(before);
    freelocale(utf8);
}

/* ---- columns ---- */

/* Returns the width of visible columns, with the spaces between. */
static size_t taken(const struct layout_column *columns, size_t count) {
    size_t width = 0;

    for (size_t i = 0; i < count; i++) {
        width += columns[i].left_out ? 0 : columns[i].width + (width > 0);
    }
    return width;
}

#define NAME(NATURAL)                                                                              \
    { LAYOUT_NAME, .heading = 4, .natural = (NATURAL) }
#define PATH(NATURAL)                                                                              \
    { LAYOUT_PATH, .heading = 4, .natural = (NATURAL) }
#define NUMBER(NATURAL, ...)                                                                       \
    { LAYOUT_NUMBER, .heading = 5, .natural = (NATURAL), __VA_ARGS__ }

static const struct {
    struct layout_column columns[5];
    size_t count, room;
    const char *widths; /* x: hidden */
} fits[] = {
    {{NAME(20), {LAYOUT_TEXT, .heading = 6, .natural = 30}, NUMBER(10)}, 3, 62, "20 30 10"},
    /* The widest text shrinks first, then both. */
    {{NAME(40),
      {LAYOUT_TEXT, .heading = 6, .natural = 30},
      {LAYOUT_PROSE, .heading = 6, .natural = 25}},
     3,
     95,
     "40 28 25"},
    {{NAME(40),
      {LAYOUT_TEXT, .heading = 6, .natural = 30},
      {LAYOUT_PROSE, .heading = 6, .natural = 25}},
     3,
     90,
     "40 24 24"},
    /* The last is hidden first, except spare columns. */
    {{NUMBER(5, .is_spare = true), NAME(100), NUMBER(20), NUMBER(20), NUMBER(20)},
     5,
     80,
     "x 59 20 x x"},
    /* The required one is hidden last. */
    {{NAME(100), NUMBER(20), NUMBER(20), NUMBER(20, .worth = 1), NUMBER(20)}, 5, 80, "59 x x 20 x"},
    {{NAME(100), NUMBER(20), NUMBER(20), NUMBER(20, .worth = 1), NUMBER(20)}, 5, 10, "10 x x x x"},
    /* Columns of less worth are hidden first, wherever they are. */
    {{NAME(4), NUMBER(20, .worth = 2), NUMBER(20), NUMBER(20, .worth = 3), NUMBER(20, .worth = 1)},
     5,
     70,
     "4 20 x 20 20"},
    {{NAME(4), NUMBER(20, .worth = 2), NUMBER(20), NUMBER(20, .worth = 3), NUMBER(20, .worth = 1)},
     5,
     50,
     "4 20 x 20 x"},
    /* A path shrinks before a name, to a quarter of the room. */
    {{NAME(17), NAME(10), PATH(60), NUMBER(20), NUMBER(10)}, 5, 80, "17 10 30 20 x"},
    {{NAME(17), PATH(60), NUMBER(10)}, 3, 80, "17 51 10"},
    /* Long names get the rest of short names' half. */
    {{NAME(5), NAME(60), NUMBER(30), NUMBER(30)}, 4, 80, "5 43 30 x"},
    /* Names are never hidden. */
    {{NAME(100), NAME(100), NUMBER(5)}, 3, 3, "8 8 x"},
};

UNIT_LOOP(columns_fit, COUNT(fits)) {
    struct layout_column columns[5];
    struct text widths = {0};

    memcpy(columns, fits[_i].columns, sizeof columns);
    layout_fit(columns, fits[_i].count, fits[_i].room);
    for (size_t i = 0; i < fits[_i].count; i++) {
        text_append_string(&widths, i > 0 ? " " : "");
        if (columns[i].left_out) {
            text_append_char(&widths, 'x');
        } else {
            text_append_format(&widths, "%zu", columns[i].width);
        }
    }
    ck_assert_str_eq(text_string(&widths), fits[_i].widths);
    text_free(&widths);
}

/* Any columns in any room: never wider, except names at their minimum. */
UNIT_TEST(nothing_is_wider) {
    unsigned seed = 1;

    for (int round = 0; round < 20000; round++) {
        struct layout_column columns[6];
        size_t room = 40 + round % 100, count = 1 + round % COUNT(columns);
        bool least = true;

        for (size_t i = 0; i < count; i++) {
            seed = seed * 1103515245 + 12345;
            columns[i] = (struct layout_column){
                .role =
                    i == 0 ? LAYOUT_NAME : (enum layout_role)((seed >> 16) % (LAYOUT_PROSE + 1)),
                .heading = seed >> 18 & 7,
                .natural = (seed >> 18 & 7) + (seed >> 21 & 63),
            };
        }
        layout_fit(columns, count, room);
        for (size_t i = 0; i < count; i++) {
            bool is_name = columns[i].role == LAYOUT_NAME || columns[i].role == LAYOUT_PATH;

            least &= columns[i].left_out || (is_name && columns[i].width <= 8);
            ck_assert(!columns[i].left_out || !is_name);
            ck_assert(columns[i].left_out || columns[i].width >= columns[i].heading);
            ck_assert(columns[i].left_out || columns[i].role != LAYOUT_NUMBER ||
                      columns[i].width == columns[i].natural);
        }
        ck_assert(taken(columns, count) <= room || least);
    }
}

/* ---- texts ---- */

static void check_cut_middle(const char *string, size_t width, const char *expected) {
    struct text text = {0};

    text_append_string(&text, string);
    layout_cut_middle(&text, width);
    ck_assert_str_eq(text_string(&text), expected);
    text_free(&text);
}

UNIT_CASE("texts", enter_utf8, leave_utf8);

UNIT_TEST(paths_are_cut_in_the_middle) {
    check_cut_middle("", 1, "");
    check_cut_middle("/a/b.c", 6, "/a/b.c");
    check_cut_middle("/home/u/build/config.json", 16, "/home\342\200\246onfig.json");
    check_cut_middle("/home/u", 1, "\342\200\246");
    check_cut_middle("/home/u", 2, "\342\200\246u");
    /* Double width: a character is not split. */
    check_cut_middle("中文中文", 5, "\342\200\246文");
}

static void check_cut(const char *string, size_t width, const char *expected) {
    struct text text = {0};

    text_append_string(&text, string);
    layout_cut(&text, width);
    ck_assert_str_eq(text_string(&text), expected);
    text_free(&text);
}

UNIT_TEST(what_is_cut_ends_in_an_ellipsis) {
    check_cut("", 1, "");
    check_cut("abc", 3, "abc");
    check_cut("abcd", 3, "ab…");
    check_cut("abcd", 1, "…");
    check_cut("äöü", 3, "äöü");
    check_cut("äöüß", 3, "äö…");
    /* Double width. */
    check_cut("中文中", 5, "中文…");
    check_cut("中文中", 4, "中…");
}

static void check_wrap(const char *string, size_t width, const char *breaks, const char *expected) {
    struct text text = {0};

    layout_wrap(&text, string, width, breaks, "> ");
    ck_assert_str_eq(text_string(&text), expected);
    text_free(&text);
}

UNIT_TEST(what_is_wrapped_is_whole) {
    check_wrap("", 5, "", "");
    check_wrap("one two", 7, "", "one two");
    check_wrap("one two", 6, "", "one\n> two");
    check_wrap("one two", 3, "", "one\n> two");
    check_wrap("onetwothree", 4, "", "onet\n> woth\n> ree");
    check_wrap("java.lang.Object", 12, ".", "java.lang.\n> Object");
    check_wrap("by dd, at 0.015822 s", 13, ".", "by dd, at\n> 0.015822 s");
    /* A break in the first half would waste the line. */
    check_wrap("a.bcdefghijkl", 8, ".", "a.bcdefg\n> hijkl");
    check_wrap("中文中文", 5, "", "中文\n> 中文");
    check_wrap("中文", 1, "", "中\n> 文");
    check_wrap("ab ", 2, "", "ab");
}

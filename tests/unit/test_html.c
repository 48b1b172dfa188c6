/* Text as HTML and a terminal take it, the printer of HTML, and SVG made fit to stand in a page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../svg_judge.h"
#include "base/text.h"
#include "output/html.h"
#include "output/svg_filter.h"
#include "output/svg_shorten.h"
#include "output/tame.h"
#include "unit.h"

/* ---- text ---- */

static void check_text(void (*append)(struct text *, const char *, size_t), const char *bytes,
                       size_t length, const char *expected) {
    struct text out = {0};

    append(&out, bytes, length);
    ck_assert_str_eq(text_string(&out), expected);
    text_free(&out);
}

START_TEST(text_is_harmless) {
    check_text(html_append_text, "a<b>&\"'", 7, "a&lt;b&gt;&amp;&quot;&#39;");
    check_text(html_append_text, "\0\x1b\x7f\xff\xc2\x85\n\t", 8,
               "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\n\t");
    check_text(html_append_text, "\xE2\x80\xAEx\xE2\x81\xA6", 7, "\\u202ex\\u2066");
    check_text(html_append_text, "\xC2\xB5s \xF0\x9F\x90\xA7", 8, "\xC2\xB5s \xF0\x9F\x90\xA7");
}
END_TEST

START_TEST(bytes_are_escaped_as_everywhere) {
    check_text(html_append, "</script><img src=x onerror=alert(1)>", 37,
               "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;");
    check_text(html_append, "a\0b\n\\\xff", 6, "a\\x00b\\n\\\\\\xff");
}
END_TEST

/* What a terminal gets, of bytes that come in parts of `size`. */
static void check_tame(const char *bytes, size_t length, size_t size, const char *expected) {
    struct error error = {0};
    char *shown = NULL;
    size_t shown_size = 0;
    FILE *target = open_memstream(&shown, &shown_size);
    struct tame *tame = tame_open(target, &error);

    ck_assert_ptr_nonnull(tame);
    for (size_t at = 0; at < length; at += size) {
        fwrite(bytes + at, 1, length - at < size ? length - at : size, tame_stream(tame));
        fflush(tame_stream(tame));
    }
    ck_assert(tame_close(tame, &error));
    fclose(target);
    ck_assert_str_eq(shown, expected);
    free(shown);
}

START_TEST(terminals_are_not_commanded) {
    static const char bytes[] = "a\\n\tb\n\x1b[2J\0\r\x7f\x9b\xc2\x9b \xE2\x80\xAE \xC3\xA9"
                                "\xF0\x9F\x90\xA7 \xff \xE2\x82";

    for (size_t size = 1; size <= sizeof bytes; size++) {
        check_tame(bytes, sizeof bytes - 1, size,
                   "a\\n\tb\n\\x1b[2J\\x00\\x0d\\x7f\\x9b\\xc2\\x9b \\xe2\\x80\\xae \xC3\xA9"
                   "\xF0\x9F\x90\xA7 \\xff \\xe2\\x82");
    }
}
END_TEST

START_TEST(a_terminal_that_is_gone_is_an_error) {
    struct error error = {0};
    FILE *full = fopen("/dev/full", "w");
    struct tame *tame;

    setvbuf(full, NULL, _IONBF, 0);
    tame = tame_open(full, &error);
    fputs("x", tame_stream(tame));
    ck_assert(!tame_close(tame, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "No space left"));
    fclose(full);
}
END_TEST

/* ---- SVG ---- */

static const struct svg_look look = {.prefix = "p1", .title = "A <title>"};
static const struct svg_look with_titles = {.prefix = "p1", .title = "T", .keeps_titles = true};

/* What stands in front of all that a picture holds. */
#define HEAD_OF(PAINTS)                                                                            \
    " role=\"img\" aria-labelledby=\"p1-title\"" PAINTS                                            \
    "><title id=\"p1-title\">A &lt;title&gt;</title>"
#define HEAD(TITLE)                                                                                \
    " role=\"img\" aria-labelledby=\"p1-title\"><title id=\"p1-title\">" TITLE "</title>"

static void check_filter(const struct svg_look *how, const char *svg, const char *expected) {
    struct text out = {0};
    struct error error = {0};
    size_t dropped;

    ck_assert(svg_filter(svg, strlen(svg), how, &out, &dropped, &error));
    ck_assert_str_eq(text_string(&out), expected);
    ck_assert_ptr_null(svg_judge(text_string(&out), "p1-"));
    text_free(&out);
}

START_TEST(svg_keeps_what_is_drawn) {
    check_filter(&look,
                 "<?xml version='1.0'?><!DOCTYPE svg><!-- <svg> --><svg width='9' "
                 "viewBox=\"0 0 9 9\" xmlns='http://www.w3.org/2000/svg'><title>Gnuplot</title>"
                 "<desc>x</desc><g id='canvas'><path d='M0,0 L1,1'/><text x = '1'> a&lt;b &#x41;"
                 "</text></g></svg> behind",
                 "<svg width=\"9\" viewBox=\"0 0 9 9\"" HEAD(
                     "A &lt;title&gt;") "<g><path d=\"M0,0 L1,1\"/><text x=\"1\"> a&lt;b "
                                        "A</text></g></svg>");
}
END_TEST

START_TEST(svg_makes_style_attributes) {
    check_filter(&look,
                 "<svg><rect fill='red' style='fill: none ;stroke:#123; behavior:url(x);"
                 "stroke-width:2;'/></svg>",
                 "<svg" HEAD("A &lt;title&gt;") "<rect fill=\"none\" stroke=\"#123\" "
                                                "stroke-width=\"2\"/></svg>");
}
END_TEST

START_TEST(svg_prefixes_ids) {
    check_filter(&look,
                 "<svg><use xlink:href='#b'/><defs><circle id='b' r='1'/><circle id='b'/>"
                 "<circle id='unused'/></defs><rect fill='url(#b)'/><rect fill='url(#none)'/>"
                 "<use href='#none'/></svg>",
                 "<svg" HEAD("A &lt;title&gt;") "<use href=\"#p1-b\"/><defs><circle id=\"p1-b\" "
                                                "r=\"1\"/><circle/></defs>"
                                                "<rect fill=\"url(#p1-b)\"/><rect/><use/></svg>");
}
END_TEST

START_TEST(svg_drops_what_is_not_listed) {
    check_filter(
        &look,
        "<svg onload='x()'><script>alert(1)</script><script><![CDATA[</svg><svg>]]>"
        "</script><foreignObject><p>x</p></foreignObject><a href='http://x'><g/></a>"
        "<image href='http://x/y.png'/><image href='data:image/png;base64,AA+/='/>"
        "<image href='data:image/svg+xml;base64,AA'/><rect fill='\\75rl(x)'/>"
        "<rect fill='URL(x)' ONCLICK='1'/><svg><g/></svg><style>x</style></svg>",
        "<svg" HEAD("A &lt;title&gt;") "<image/><image href=\"data:image/png;base64,AA+/=\""
                                       "/><image/><rect/><rect/></svg>");
}
END_TEST

START_TEST(svg_keeps_titles_of_parts) {
    const char *svg = "<svg><title>all</title><g><title>f<b>x</b>&amp;g</title><rect/></g></svg>";

    check_filter(&look, svg, "<svg" HEAD("A &lt;title&gt;") "<g><rect/></g></svg>");
    check_filter(&with_titles, svg, "<svg" HEAD("T") "<g><title>f&amp;g</title><rect/></g></svg>");
}
END_TEST

START_TEST(svg_closes_what_is_open) {
    check_filter(
        &look, "<svg><g><path d='M0'><text>a</g><g>b</svg>",
        "<svg" HEAD("A &lt;title&gt;") "<g><path d=\"M0\"><text>a</text></path></g></svg>");
    check_filter(&look, "<svg/><svg><g/></svg>", "<svg" HEAD("A &lt;title&gt;") "</svg>");
    check_filter(&look, "<svg><g x='1", "<svg" HEAD("A &lt;title&gt;") "</svg>");
}
END_TEST

START_TEST(svg_is_wanted) {
    struct text out = {0};
    struct error error = {0};
    size_t dropped;

    ck_assert(!svg_filter("<g/>", 4, &look, &out, &dropped, &error));
    ck_assert_str_eq(error.message, "there is no SVG in the picture");
    text_free(&out);
}
END_TEST

/* What comes with every picture is not missed; an element is one thing with all that is in it. */
START_TEST(svg_counts_what_it_leaves_out) {
    struct text out = {0};
    struct error error = {0};
    size_t dropped;
    static const char svg[] =
        "<svg version='1.1'><desc>x</desc><filter id='f' filterUnits='u'><feFlood result='b'/>"
        "</filter><script type='t'>x</script><iframe src='x' a='b'><p c='d'/></iframe>"
        "<g onload='x'/><rect fill='url(http://x)' width='1'/></svg>";

    ck_assert(svg_filter(svg, strlen(svg), &look, &out, &dropped, &error));
    ck_assert_uint_eq(dropped, 3);
    text_free(&out);
}
END_TEST

/* ---- shorter SVG ---- */

static void check_path(const char *d, bool is_points, const char *expected) {
    struct text out = {0};

    svg_shorten_path(d, strlen(d), is_points, &out);
    ck_assert_str_eq(text_string(&out), expected);
    text_free(&out);
}

START_TEST(paths_are_in_tenths) {
    check_path("M85.40,265.72 L74.90,265.72  ", false, "M85.4 265.7h-10.5");
    check_path("M1,1 L1,2 L2,2 L1.04,1.04 Z", false, "M1 1v1h1l-1-1z");
    check_path("M0,0 L0.26,0.44 L0.5,0.9 M5,5 M7,7 L7.02,7.03 L9,9", false,
               "M0 0l.3 .4 .2 .5M7 7h0l2 2");
    check_path("M-0.06,0 10,0", false, "M-.1 0h10.1");
    check_path("M3,4 M5,6 ", false, "");
    check_path("M3,4 M3,4 L3,4", false, "M3 4h0");
    check_path("M0,0 C1,2 3,4 5,6", false, "M0,0 C1,2 3,4 5,6");
    check_path("M1e9,2 L3,4", false, "M1e9,2 L3,4");
    check_path("M999999999999,2 L3,4", false, "M999999999999,2 L3,4");
    check_path("M1.2.3,2 L3", false, "M1.2.3,2 L3");
    check_path("L1,2", false, "M0 0l1 2");
    check_path("196.39,427.89 239.56,427.89 239.56,-103.54 ", true,
               "196.4 427.9 239.6 427.9 239.6-103.5");
    check_path("1,2 3", true, "1,2 3");
    check_path("", false, "");
}
END_TEST

static void check_shorter(const char *svg, const char *expected) {
    struct text filtered = {0}, out = {0};
    struct error error = {0};
    size_t dropped;

    ck_assert(svg_filter(svg, strlen(svg), &look, &filtered, &dropped, &error));
    svg_shorten(&filtered, &out);
    ck_assert_str_eq(text_string(&out), expected);
    ck_assert_ptr_null(svg_judge(text_string(&out), "p1-"));
    text_free(&filtered);
    text_free(&out);
}

/* What most elements want is the picture's, others say how they differ. */
START_TEST(svg_says_paint_once) {
    check_shorter("<svg><g fill='none' color='black' stroke='currentColor' stroke-width='1.00'>"
                  "<path stroke='rgb(216, 216, 216)' class='gridline' d='M1,2 L3,2'/></g>"
                  "<g fill='none' color='red' stroke='currentColor'><path d='M1,2 L3,2'/></g>"
                  "<g fill='none' stroke='#FF0000'><path d='M1,2 L3,2'/><path d='M5,5'/></g>"
                  "<rect x='1.50' fill='black'/></svg>",
                  "<svg" HEAD_OF(" fill=\"none\"") "<path d=\"M1 2h2\" stroke=\"#d8d8d8\"/>"
                                                   "<path d=\"M1 2h2\" stroke=\"red\"/><path "
                                                   "d=\"M1 2h2\" stroke=\"#f00\"/>"
                                                   "<rect x=\"1.5\" fill=\"#000\"/></svg>");
}
END_TEST

START_TEST(svg_groups_are_dissolved) {
    check_shorter(
        "<svg><g transform='translate(65.11,270.27)' font-size='14.00'><g fill='red'>"
        "<text transform='scale(2.0)'>a<tspan fill='blue'>b</tspan></text>"
        "<text> </text><text></text></g></g><g transform='rotate(7)' opacity='0.5'>"
        "<path d='M1,2 L3,2'/></g></svg>",
        "<svg" HEAD_OF(
            " fill=\"red\" font-size=\"14\"") "<text transform=\"translate(65.1 270.3) "
                                              "scale(2)\">a<tspan fill=\"blue\">b</tspan>"
                                              "</text><text transform=\"translate(65.1 270.3)\"> "
                                              "</text>"
                                              "<g opacity=\".5\" transform=\"rotate(7)\"><path "
                                              "d=\"M1 2h2\" fill=\"#000\"/></g>"
                                              "</svg>");
}
END_TEST

/* What others refer to stays as it is, and what refers to it says all that it inherits. */
START_TEST(svg_patterns_are_said_once) {
#define PATTERN(ID, CONTENT)                                                                       \
    "<defs>\n<pattern id='" ID "' patternUnits='userSpaceOnUse' x='0' y='0' width='8' "            \
    "height='8'>\n" CONTENT "\n</pattern>\n</defs>"
#define SOLID "<path stroke='none' fill='rgb(0,114,178)' d='M0,0 L0,8 L8,8 L8,0 L0,0'/>"
#define WRITTEN(ID)                                                                                \
    "<defs>\n<pattern id=\"" ID "\" patternUnits=\"userSpaceOnUse\" x=\"0\" y=\"0\" width=\"8\" "  \
    "height=\"8\">\n<path d=\"M1,1 L2,2\"/>\n</pattern>\n</defs>"
    check_shorter(
        "<svg>" PATTERN("a", "<path d='M1,1 L2,2'/>") "<rect fill='url(#a)'/>" PATTERN(
            "b", "<path d='M1,1 L2,2'/>") "<rect fill='url(#b)'/>" PATTERN("s",
                                                                           SOLID) "<rect "
                                                                                  "fill='url(#s)'/"
                                                                                  "></svg>",
        "<svg" HEAD_OF("") WRITTEN("p1-a") "<rect fill=\"url(#p1-a)\"/><rect fill=\"url(#p1-a)\"/>"
                                           "<rect fill=\"#0072b2\"/></svg>");
    check_shorter("<svg>" PATTERN("a", "<path d='M1,1 L2,2'/>")
                      PATTERN("b", "<path d='M1,1 L2,2'/>") "<rect fill='url(#a)'/>"
                                                            "<rect clip-path='url(#b)'/></svg>",
                  "<svg" HEAD_OF("") WRITTEN("p1-a")
                      WRITTEN("p1-b") "<rect fill=\"url(#p1-a)\"/>"
                                      "<rect clip-path=\"url(#p1-b)\"/></svg>");
    check_shorter("<svg><defs><path id='c' d='M1,1 L2,2'/></defs><use href='#c' fill='none'/>"
                  "<g color='#112233'><use href='#c' fill='none'/></g></svg>",
                  "<svg" HEAD_OF(" fill=\"none\"") "<defs fill=\"#000\"><path id=\"p1-c\" "
                                                   "d=\"M1,1 L2,2\"/></defs><use href=\"#p1-c\"/>"
                                                   "<use href=\"#p1-c\" color=\"#123\"/></svg>");
}
END_TEST

static uint32_t dice(uint64_t *state, uint32_t limit) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % limit);
}

/* Parts of pictures, and of attacks on them. */
static const char *const svg_parts[] = {
    "<svg",
    "<g",
    "<use",
    "<text",
    "<title",
    "<script",
    "<defs",
    "<image",
    "</g>",
    "</svg>",
    "</text>",
    "</title>",
    "</script>",
    ">",
    "/>",
    " id='a'",
    " id=\"b\"",
    " id='a\"'",
    " href='#a'",
    " xlink:href='#b'",
    " href='javascript:x'",
    " style='fill:url(#a)'",
    " style='onload:x;id:b'",
    " onclick='x'",
    " fill='url(#b)'",
    " fill='url(http:x)'",
    "&lt;",
    "&#60;",
    "&#x1F427;",
    "&",
    "'",
    "\"",
    "<",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "x",
    "\n",
    " ",
    "\xff",
    "\xE2\x80\xAE",
    "\x01",
    "=",
    " xml:space='preserve'",
    " x='1'",
    " transform='translate(1,2)'",
    " stroke='url(#a)'",
    "<path d='M1,2 L3'/>",
    "<pattern id='a'>",
    "</pattern></defs>",
};

static void judge(const struct text *svg, const struct text *from) {
    const char *harm = svg_judge(text_string(svg), "p1-");

    ck_assert_msg(harm == NULL, "%s: %s\n-> %s", harm, text_string(from), text_string(svg));
}

/* In any order. */
START_TEST(svg_is_harmless_whatever_comes) {
    const uint32_t count = sizeof svg_parts / sizeof svg_parts[0];
    uint64_t state = 21;
    size_t written = 0;

    for (int round = 0; round < 30000; round++) {
        struct text svg = {0}, out = {0}, shorter = {0};
        struct error error = {0};
        size_t dropped;

        text_append_string(&svg, "<svg>");
        for (uint32_t i = dice(&state, 40); i > 0; i--) {
            text_append_string(&svg, svg_parts[dice(&state, count)]);
        }
        ck_assert(svg_filter(svg.bytes, svg.length, &with_titles, &out, &dropped, &error));
        judge(&out, &svg);
        svg_shorten(&out, &shorter);
        judge(&shorter, &out);
        written += strstr(out.bytes, "#p1-") != NULL;
        text_free(&shorter);
        text_free(&svg);
        text_free(&out);
    }
    /* References do come through. */
    ck_assert_uint_gt(written, 100);
}
END_TEST

Suite *html_suite(void) {
    Suite *suite = suite_create("html");
    TCase *cases = tcase_create("html");

    tcase_set_timeout(cases, 30);
    tcase_add_test(cases, text_is_harmless);
    tcase_add_test(cases, bytes_are_escaped_as_everywhere);
    tcase_add_test(cases, terminals_are_not_commanded);
    tcase_add_test(cases, a_terminal_that_is_gone_is_an_error);
    tcase_add_test(cases, svg_keeps_what_is_drawn);
    tcase_add_test(cases, svg_makes_style_attributes);
    tcase_add_test(cases, svg_prefixes_ids);
    tcase_add_test(cases, svg_drops_what_is_not_listed);
    tcase_add_test(cases, svg_keeps_titles_of_parts);
    tcase_add_test(cases, svg_closes_what_is_open);
    tcase_add_test(cases, svg_is_wanted);
    tcase_add_test(cases, svg_counts_what_it_leaves_out);
    tcase_add_test(cases, paths_are_in_tenths);
    tcase_add_test(cases, svg_says_paint_once);
    tcase_add_test(cases, svg_groups_are_dissolved);
    tcase_add_test(cases, svg_patterns_are_said_once);
    tcase_add_test(cases, svg_is_harmless_whatever_comes);
    suite_add_tcase(suite, cases);
    return suite;
}

/* Escapes for HTML and terminals, and shortened SVG. */
#include "output/html.h"
#include "output/svg_shorten.h"
#include "output/sanitize.h"
#include "unit.h"

/* ---- text ---- */

static void check_text(void (*append)(struct text *, const char *, size_t), const char *bytes,
                       size_t length, const char *expected) {
    struct text out = {0};

    append(&out, bytes, length);
    ck_assert_str_eq(text_string(&out), expected);
    text_free(&out);
}

UNIT_TEST(text_is_harmless) {
    check_text(html_append_text, "a<b>&\"'", 7, "a&lt;b&gt;&amp;&quot;&#39;");
    check_text(html_append_text, "\0\x1b\x7f\xff\xc2\x85\n\t", 8,
               "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\n\t");
    check_text(html_append_text, "\xE2\x80\xAEx\xE2\x81\xA6", 7, "\\u202ex\\u2066");
    check_text(html_append_text, "\xC2\xB5s \xF0\x9F\x90\xA7", 8, "\xC2\xB5s \xF0\x9F\x90\xA7");
}

UNIT_TEST(bytes_are_escaped_as_everywhere) {
    check_text(html_append, "</script><img src=x onerror=alert(1)>", 37,
               "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;");
    check_text(html_append, "a\0b\n\\\xff", 6, "a\\x00b\\n\\\\\\xff");
}

/* Checks the terminal output of bytes that arrive in parts of `size`. */
static void check_sanitized(const char *bytes, size_t length, size_t size, const char *expected) {
    char *shown = NULL;
    size_t shown_size = 0;
    FILE *target = open_memstream(&shown, &shown_size);
    struct sanitizer *sanitizer = sanitizer_open(target);

    for (size_t at = 0; at < length; at += size) {
        fwrite(bytes + at, 1, length - at < size ? length - at : size, sanitizer_stream(sanitizer));
        fflush(sanitizer_stream(sanitizer));
    }
    ck_assert(sanitizer_close(sanitizer, &error));
    fclose(target);
    ck_assert_str_eq(shown, expected);
    free(shown);
}

UNIT_TEST(terminals_are_not_commanded) {
    static const char bytes[] = "a\\n\tb\n\x1b[2J\0\r\x7f\x9b\xc2\x9b \xE2\x80\xAE \xC3\xA9"
                                "\xF0\x9F\x90\xA7 \xff \xE2\x82";

    for (size_t size = 1; size <= sizeof bytes; size++) {
        check_sanitized(bytes, sizeof bytes - 1, size,
                        "a\\n\tb\n\\x1b[2J\\x00\\x0d\\x7f\\x9b\\xc2\\x9b \\xe2\\x80\\xae \xC3\xA9"
                        "\xF0\x9F\x90\xA7 \\xff \\xe2\\x82");
    }
}

UNIT_TEST(a_terminal_that_is_gone_is_an_error) {
    FILE *full = fopen("/dev/full", "w");
    struct sanitizer *sanitizer;

    setvbuf(full, NULL, _IONBF, 0);
    sanitizer = sanitizer_open(full);
    fputs("x", sanitizer_stream(sanitizer));
    ck_assert(!sanitizer_close(sanitizer, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "No space left"));
    fclose(full);
}

/* ---- SVG ---- */

#define ROOT                                                                                       \
    "<svg xmlns=\"http://www.w3.org/2000/svg\" fill=\"none\" font-family=\"sans\" "                \
    "font-size=\"14\" text-anchor=\"middle\">"

/* Checks a picture with `content`; `expected`: NULL if it is unchanged. */
static void check_shorter(const char *content, const char *expected) {
    struct text svg = {0}, wanted = {0}, out = {0};

    text_append_format(&svg, "<?xml?>\n<svg >\n%s</svg>\n", content);
    if (expected != NULL) {
        text_append_format(&wanted, ROOT "%s</svg>", expected);
    }
    ck_assert(svg_shorten(text_string(&svg), &out) == (expected != NULL));
    ck_assert_str_eq(text_string(&out), text_string(&wanted));
    text_free(&svg);
    text_free(&wanted);
    text_free(&out);
}

/* `expected`: NULL if it is not made of lines, and unchanged. */
static void check_path(const char *d, bool is_area, const char *expected) {
    struct text drawn = {0}, path = {0};

    text_append_format(&drawn, is_area ? "<polygon points='%s'/>" : "<path d='%s'/>", d);
    if (expected == NULL) {
        text_append_format(&path, is_area ? "<path d=\"M%sz\"/>" : "<path d=\"%s\"/>", d);
    } else if (expected[0] != '\0') {
        text_append_format(&path, "<path d=\"%s\"/>", expected);
    }
    check_shorter(text_string(&drawn), text_string(&path));
    text_free(&drawn);
    text_free(&path);
}

UNIT_TEST(paths_are_in_tenths) {
    check_path("M85.40,265.72 L74.90,265.72  ", false, "M85.4 265.7h-10.5");
    check_path("M1,1 L1,2 L2,2 L1.04,1.04 Z", false, "M1 1v1h1l-1-1z");
    check_path("M1,1 L1,2 L2,2 Z L3,1", false, "M1 1v1h1zM1 1h2");
    check_path("M1,1 L1,2 \n\t\tM3,1 L3,2\t", false, "M1 1v1M3 1v1"); /* long paths of gnuplot */
    check_path("M0,0 L0.26,0.44 L0.5,0.9 M5,5 M7,7 L7.02,7.03 L9,9", false,
               "M0 0l.3 .4 .2 .5M7 7h0l2 2");
    check_path("M-0.06,0 10,0", false, "M-.1 0h10.1");
    check_path("M3,4 M5,6 ", false, "");
    check_path("M3,4 M3,4 L3,4", false, "M3 4h0");
    check_path("M0,0 C1,2 3,4 5,6", false, NULL);
    check_path("M1e9,2 L3,4", false, NULL);
    check_path("M999999999999,2 L3,4", false, NULL);
    check_path("M1.2.3,2 L3", false, NULL);
    check_path("L1,2", false, "M0 0l1 2");
    check_path("196.39,427.89 239.56,427.89 239.56,-103.54 ", true, "M196.4 427.9h43.2v-531.4z");
    check_path("1,2 3", true, NULL);
    check_path("", false, "");
}

UNIT_TEST(svg_says_paint_once) {
    check_shorter(
        "<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"1.00\">\n"
        "\t<path stroke='rgb(216, 216, 216)' class=\"gridline\" d='M1.00,2.00 L3,2 '/>"
        "<path style='fill:none; stroke:rgb(0,0,0)' d='M1,2 L1,3'/></g>\n"
        "<g color=\"#FF00FF\" stroke=\"currentColor\" stroke-width=\"0.50\">"
        "<path d='M1,2 C1,2 3,4'/><path d='M1,2 M3,4'/></g>",
        "<path d=\"M1 2h2\" stroke=\"#d8d8d8\"/><path d=\"M1 2v1\" stroke=\"black\"/>"
        "<path d=\"M1,2 C1,2 3,4\" stroke=\"#f0f\" stroke-width=\".5\"/>");
}

UNIT_TEST(svg_groups_are_dissolved) {
    check_shorter("<title>x</title><desc>y</desc>"
                  "<g transform=\"translate(65.10,270.27)\" stroke=\"none\" fill=\"black\" "
                  "font-family=\"sans\" font-size=\"14.00\"  text-anchor=\"end\">\n"
                  "\t\t<text> a &lt; b</text>\n\t</g><g font-size=\"9.00\"><text></text>"
                  "<text><tspan>x</tspan></text></g>",
                  "<text fill=\"black\" text-anchor=\"end\" transform=\"translate(65.1,270.27)\">"
                  " a &lt; b</text><text font-size=\"9\"><tspan>x</tspan></text>");
}

#define PATTERN(ID, CONTENT)                                                                       \
    "<defs>\n\t\t<pattern id='" ID "' patternUnits='userSpaceOnUse' x='0' y='0' width='8' "        \
    "height='8'>\n" CONTENT "\t\t</pattern>\n\t</defs>\n"
#define SOLID                                                                                      \
    "\t\t\t<path style='stroke:none; fill:rgb(0,114,178)' d='M0,0 L0,8 L8,8 L8,0 L0,0'/>\n"
#define HATCHED  "\t\t\t<path d='M0,0 L8,8'/>\n"
#define AREA(ID) "<polygon  fill = 'url(#" ID ")' points = '1,1 2,1 2,2 '/>"

UNIT_TEST(svg_patterns_are_defined_once) {
    check_shorter(PATTERN("a", SOLID) AREA("a") PATTERN("b", "") AREA("b"),
                  "<path d=\"M1 1h1v1z\" fill=\"#0072b2\"/><path d=\"M1 1h1v1z\"/>");
    check_shorter(PATTERN("a", HATCHED) AREA("a") PATTERN("b", HATCHED) AREA("b"),
                  "<defs>\n\t\t<pattern id='a' patternUnits='userSpaceOnUse' x='0' y='0' "
                  "width='8' height='8'>\n" HATCHED "\t\t</pattern>\n\t</defs>"
                  "<path d=\"M1 1h1v1z\" fill=\"url(#a)\"/>"
                  "<path d=\"M1 1h1v1z\" fill=\"url(#a)\"/>");
}

UNIT_TEST(svg_defines_marks_that_are_drawn) {
    check_shorter("<defs>\n\n\t<circle id='gpPt5' r='1'/>\n"
                  "\t<use xlink:href='#gpPt5' id='gpPt6' fill='currentColor'/>\n"
                  "\t<circle id='gpPt1' r='2'/>\n\t<filter id='textbox'>\n\t</filter>\n</defs>"
                  "<use xlink:href='#gpPt6' transform='translate(1.50,2)' color='rgb(0,0,255)'/>",
                  "<defs><circle id='gpPt5' r='1'/><use href='#gpPt5' id='gpPt6' "
                  "fill='currentColor'/></defs>"
                  "<use href=\"#gpPt6\" color=\"#00f\" transform=\"translate(1.5,2)\"/>");
}

UNIT_TEST(other_svg_stays) {
    static const char *const others[] = {"<foreignObject/>",
                                         "<g><path d='M1,2'/>",
                                         "</g>",
                                         "words",
                                         "<g transform='a'><g transform='b'></g></g>",
                                         "<path d=M1/>",
                                         "<path d='\"'/>",
                                         "<text>",
                                         "<defs>",
                                         "<g stroke='\"'></g>",
                                         "<!-- -->",
                                         "<defs><pattern id='a'></pattern></defs>"};

    for (size_t i = 0; i < COUNT(others); i++) {
        check_shorter(others[i], NULL);
    }
}

/* report/dump: the events as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/dump.h"
#include "unit.h"

static struct database database;
static struct config config;
static struct workspace workspace;

static void set_up(void) {
    struct error error = {0};

    database_make(&database);
    unit_import(&database, "palmist", "calls",
                "0xA0F5 100 1 0\nStrLen 700 1 4 00000001\nStrCopy 800 2 0\n");
    /* B has no exit of its own, C is open at the end. */
    unit_import(&database, "rmp", "spans",
                "0\t1\t5\tE\tA\t-\n50\t1\t5\tE\tB\tA\n100\t1\t5\tX\tA\t-\n110\t1\t5\tE\tC\t-\n");
    ck_assert(workspace_open(&workspace, &database, &config, NULL, &error));
}

static void tear_down(void) {
    workspace_close(&workspace);
    database_remove(&database);
}

/* The text of a dump, owned by the caller; NULL with `error` set. */
static char *dump(const struct report_request *request, const char *style, struct error *error) {
    const struct printer_options options = {0};
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    bool done = dump_run(&workspace, request, style == NULL ? NULL : printer_style_find(style),
                         file, &options, error);

    fclose(file);
    if (!done) {
        free(text);
        text = NULL;
    }
    return text;
}

static const char *const calls[] = {"calls"}, *const spans[] = {"spans"};
static const char *const second[] = {"0x00000002"}, *const function_a[] = {"A"};
static const char *const unknown[] = {"nosuch"};

static const struct {
    struct report_request request;
    const char *style, *text;
} dumps[] = {
    {{.traces = calls, .trace_count = 1},
     NULL,
     "# trace calls: palmist, 3 events, 0 rejected\n"
     "0.000000000 0x00000001 TimGetSeconds()\n"
     "6.000000000 0x00000001 StrLen(src=0x00000001)\n"
     "7.000000000 0x00000002 StrCopy()\n"},
    {{.traces = calls, .trace_count = 1, .filter = {.names[FILTER_PROCESS] = {second, 1, NULL, 0}}},
     NULL,
     "# trace calls: palmist, 3 events, 0 rejected\n"
     "7.000000000 0x00000002 StrCopy()\n"},
    {{.traces = calls,
      .trace_count = 1,
      .filter = {.from = {TIME_SINCE_START, 1, -1},
                 .to = {TIME_SINCE_START, INT64_C(7000000000), -1}}},
     NULL,
     "# trace calls: palmist, 3 events, 0 rejected\n"
     "6.000000000 0x00000001 StrLen(src=0x00000001)\n"},
    {{.traces = calls, .trace_count = 1, .top = 2},
     "tsv",
     "# trace calls: palmist, 3 events, 0 rejected\n"
     "# units: time s, size bytes\n"
     "# time\toperation\tactor\tobject\tsize\tdetail\n"
     "0.000000000\tTimGetSeconds\t0x00000001\t\t0\t0x00000001 TimGetSeconds()\n"
     "6.000000000\tStrLen\t0x00000001\t\t4\t0x00000001 StrLen(src=0x00000001)\n"},
    {{.traces = spans,
      .trace_count = 1,
      .filter = {.names[FILTER_OPERATION] = {function_a, 1, NULL, 0}}},
     NULL,
     "# trace spans: rmp, 4 records, 3 calls; 4 events, 0 rejected\n"
     "0.000000000 5 > A\n"
     "0.000000100 5 < A [0.000000100]\n"},
};

START_TEST(events_are_text) {
    struct error error = {0};
    char *text = dump(&dumps[_i].request, dumps[_i].style, &error);

    ck_assert_msg(text != NULL, "%s", error.message);
    ck_assert_str_eq(text, dumps[_i].text);
    free(text);
}
END_TEST

/* What `show` says of the text is what dump writes. */
START_TEST(the_size_of_the_text_is_that_of_its_lines) {
    struct report_request request = {.traces = spans, .trace_count = 1};
    struct error error = {0};
    char *text = dump(&request, NULL, &error);
    struct catalog catalog;
    int64_t size;

    ck_assert_msg(text != NULL, "%s", error.message);
    ck_assert(catalog_load(&catalog, &database, &error));
    ck_assert(strstr(text, "5   ") != NULL); /* B, indented */
    ck_assert_msg(dump_text_size(&workspace, catalog_find(&catalog, "spans"), 0, &size, &error),
                  "%s", error.message);
    ck_assert_int_eq(size, strlen(strchr(text, '\n') + 1));
    free(text);
    catalog_free(&catalog);
}
END_TEST

START_TEST(what_is_not_there_is_told) {
    static const char *const nosuch[] = {"nosuch"};
    struct report_request request = {.traces = nosuch, .trace_count = 1};
    struct error error = {0};

    ck_assert_ptr_null(dump(&request, NULL, &error));
    assert_message(&error, "there is no trace nosuch; there are: calls, spans");
}
END_TEST

START_TEST(a_filter_that_fits_nothing_is_told) {
    struct report_request request = {.traces = calls,
                                     .trace_count = 1,
                                     .filter = {.names[FILTER_OPERATION] = {unknown, 1, NULL, 0}}};
    struct error error = {0};

    ck_assert_ptr_null(dump(&request, NULL, &error));
    assert_message(&error, "no operation is called nosuch");
}
END_TEST

Suite *dump_suite(void) {
    Suite *suite = suite_create("dump");
    TCase *cases = unit_case(suite, "dump");

    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_loop_test(cases, events_are_text, 0, (int)(sizeof dumps / sizeof dumps[0]));
    UNIT_TESTS(cases, the_size_of_the_text_is_that_of_its_lines, what_is_not_there_is_told,
               a_filter_that_fits_nothing_is_told);
    return suite;
}

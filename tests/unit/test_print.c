/* report, as it is printed: which query answers for which traces, and what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/print.h"
#include "unit.h"

static const char *const nosuch_name[] = {"nosuch"};

static struct database database;
static struct config config;
static struct query_set queries;
static struct workspace workspace;

static void set_up(void) {
    struct error error = {0};

    database_make(&database);
    ck_assert_msg(query_set_load(&queries, NULL, &error), "%s", error.message);
    unit_import(&database, "palmist", "a", "0xA0F5 100 1 0\nStrLen 700 1 4 00000001\n");
    unit_import(&database, "palmist", "b", "StrLen 100 1 4 00000001\nStrCopy 800 2 0\n");
    unit_import(&database, "most", "io",
                "1.000000000\tC\tR\t1\t8\t1\tone\tM\n2.000000000\tC\tW\t2\t8\t2\ttwo\tM\n");
    ck_assert(workspace_open(&workspace, &database, &config, &queries, &error));
}

static void tear_down(void) {
    workspace_close(&workspace);
    query_set_free(&queries);
    database_remove(&database);
}

/* What is printed, owned by the caller; NULL with `error` set. */
static char *report(const struct report_request *request, struct error *error) {
    const struct printer_options options = {0};
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    bool done = print_report(&workspace, request, printer_style_find("tsv"), file, &options, error);

    fclose(file);
    if (!done) {
        free(text);
        text = NULL;
    }
    return text;
}

static const char *const a_trace[] = {"a"}, *const both[] = {"a", "b"}, *const twice[] = {"b", "b"},
                         *const nosuch[] = {"nosuch"}, *const io[] = {"io"};
static const struct report_option of_application = {"of", "application", false},
                                  mark_b = {"mark", "b", false}, length_3 = {"length", "3", true},
                                  of_nothing = {"of", "nothing", false};

static const struct {
    struct report_request request;
    const char *text;
} printed[] = {
    {{.report = "popularity", .traces = a_trace, .trace_count = 1},
     "# trace a: palmist, 2 events, 0 rejected\n"
     "# units: share fraction, cumulative fraction\n"
     "# rank\tname\tcount\tshare\tcumulative\n"
     "1\tStrLen\t1\t0.500000\t0.500000\n"
     "2\tTimGetSeconds\t1\t0.500000\t1.000000\n"},
    /* Two traces of a kind are one result. */
    {{.report = "popularity", .traces = both, .trace_count = 2, .top = 1},
     "# trace a: palmist, 2 events, 0 rejected\n"
     "# trace b: palmist, 2 events, 0 rejected\n"
     "# units: share fraction, cumulative fraction\n"
     "# rank\tname\tcount\tshare\tcumulative\n"
     "1\tStrLen\t2\t0.500000\t0.500000\n"},
    {{.report = "popularity", .traces = both, .trace_count = 2, .top = 1, .by_trace = true},
     "# trace a: palmist, 2 events, 0 rejected\n"
     "# units: share fraction, cumulative fraction\n"
     "# rank\tname\tcount\tshare\tcumulative\ttrace\n"
     "1\tStrLen\t1\t0.500000\t0.500000\ta\n"
     "\n\n"
     "# trace b: palmist, 2 events, 0 rejected\n"
     "# units: share fraction, cumulative fraction\n"
     "# rank\tname\tcount\tshare\tcumulative\ttrace\n"
     "1\tStrCopy\t1\t0.500000\t0.500000\tb\n"},
    /* An option chooses another query. */
    {{.report = "popularity",
      .traces = both,
      .trace_count = 2,
      .options = &of_application,
      .option_count = 1},
     "# trace a: palmist, 2 events, 0 rejected\n"
     "# trace b: palmist, 2 events, 0 rejected\n"
     "# units: share fraction, cumulative fraction\n"
     "# rank\tname\tcount\tshare\tcumulative\n"
     "1\t0x00000001\t3\t0.750000\t0.750000\n"
     "2\t0x00000002\t1\t0.250000\t1.000000\n"},
    /* An option shows a further column. */
    {{.report = "popularity",
      .traces = a_trace,
      .trace_count = 1,
      .options = &mark_b,
      .option_count = 1},
     "# trace a: palmist, 2 events, 0 rejected\n"
     "# units: share fraction, cumulative fraction\n"
     "# rank\tname\tcount\tshare\tcumulative\tmark\n"
     "1\tStrLen\t1\t0.500000\t0.500000\t*\n"
     "2\tTimGetSeconds\t1\t0.500000\t1.000000\t\n"},
    /* All traces it is made for, and no others. */
    {{.report = "rw"},
     "# trace io: most, 2 events, 0 rejected\n"
     "# writes per read: 1.00\n"
     "# units: count_share fraction, bytes bytes, bytes_share fraction\n"
     "# class\tcount\tcount_share\tbytes\tbytes_share\n"
     "read\t1\t0.500000\t4096\t0.500000\n"
     "readsync\t0\t0.000000\t0\t0.000000\n"
     "write\t1\t0.500000\t4096\t0.500000\n"
     "writesync\t0\t0.000000\t0\t0.000000\n"
     "flush\t0\t0.000000\t0\t0.000000\n"
     "other\t0\t0.000000\t0\t0.000000\n"},
};

START_TEST(reports_are_printed) {
    struct error error = {0};
    char *text = report(&printed[_i].request, &error);

    ck_assert_msg(text != NULL, "%s", error.message);
    ck_assert_str_eq(text, printed[_i].text);
    free(text);
}
END_TEST

static const struct {
    struct report_request request;
    enum exit_status status;
    const char *message;
} refused[] = {
    {{.report = "nosuch"}, EXIT_USAGE, "there is no report 'nosuch'"},
    {{.report = "popularity", .traces = nosuch, .trace_count = 1},
     EXIT_FAILED,
     "there is no trace nosuch; there are: a, b, io"},
    {{.report = "popularity", .traces = twice, .trace_count = 2}, EXIT_USAGE, "b is given twice"},
    {{.report = "seeks", .traces = a_trace, .trace_count = 1},
     EXIT_FAILED,
     "report seeks does not apply to trace a, which holds calls; traces it applies to: io"},
    {{.report = "calltree"},
     EXIT_FAILED,
     "no trace fits the report; it is for calls with durations, and there are only: a, b, io"},
    {{.report = "popularity", .options = &length_3, .option_count = 1},
     EXIT_USAGE,
     "report popularity over calls does not take --length 3"},
    {{.report = "popularity", .options = &of_nothing, .option_count = 1},
     EXIT_USAGE,
     "report popularity over calls does not take --of nothing"},
    {{.report = "popularity",
      .traces = io,
      .trace_count = 1,
      .filter = {.under = "x", .given = 1U << FILTER_OPTION_UNDER}},
     EXIT_USAGE,
     "--under is for calls with a duration; trace io holds io"},
    {{.report = "popularity", .traces = a_trace, .trace_count = 1, .filter = {.action = "C"}},
     EXIT_USAGE,
     "--action is for block I/O; trace a holds calls"},
    {{.report = "popularity", .study = "nosuch"},
     EXIT_FAILED,
     "no trace belongs to a study nosuch"},
    {{.report = "popularity", .filter = {.names[FILTER_PROCESS] = {nosuch_name, 1, NULL, 0}}},
     EXIT_FAILED,
     "no process or application is called nosuch"},
    {{.report = "popularity",
      .traces = a_trace,
      .trace_count = 1,
      .filter = {.from = {TIME_WALL_CLOCK, 0, -1}}},
     EXIT_FAILED,
     "trace a has no wall clock"},
};

START_TEST(what_makes_no_sense_is_refused) {
    struct error error = {0};

    ck_assert_ptr_null(report(&refused[_i].request, &error));
    assert_message(&error, refused[_i].message);
    ck_assert_int_eq(error.status, refused[_i].status);
}
END_TEST

Suite *print_suite(void) {
    Suite *suite = suite_create("print");
    TCase *cases = unit_case(suite, "print");

    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_loop_test(cases, reports_are_printed, 0, (int)(sizeof printed / sizeof printed[0]));
    tcase_add_loop_test(cases, what_makes_no_sense_is_refused, 0,
                        (int)(sizeof refused / sizeof refused[0]));
    return suite;
}

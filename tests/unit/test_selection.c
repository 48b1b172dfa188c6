/* report/selection: the time window, and which traces and events are selected. */
#include <stdlib.h>
#include <string.h>

#include "import/import.h"
#include "select/selection.h"
#include "unit.h"

#define SECOND INT64_C(1000000000)

static struct database database;
static struct catalog catalog;
static struct config config;

/* Five completed I/Os at 1, 2, 2, 3 and 10 seconds; two processes. */
static const char log_text[] = "1.000000000\tC\tR\t1\t8\t1\tone\tM\n"
                               "2.000000000\tC\tW\t2\t8\t2\ttwo\tM\n"
                               "2.000000000\tC\tWS\t3\t8\t1\tone\tJ\n"
                               "3.000000000\tC\tR\t4\t8\t2\ttwo\tD\t/a.db\n"
                               "3.500000000\tQ\tR\t9\t8\t2\ttwo\tD\t/a.db\n"
                               "10.000000000\tC\tN\t5\t0\t1\tone\tM\n";

static void set_up(void) {
    struct import_options options = {
        .name = "log",
        .start = 1000 * SECOND,
        .utc_offset = 60,
    };
    struct import_summary summary;
    struct error error = {0};
    const char *path;

    folder_make();
    path = folder_write("log.po", log_text, sizeof log_text - 1);
    ck_assert(database_open(&database, folder_path("x.db"), DATABASE_CREATE, &error));
    ck_assert_msg(import_files(&database, &config, &options, &path, 1, &summary, &error), "%s",
                  error.message);
    ck_assert(selection_open(&database, &config, &error));
    ck_assert(catalog_load(&catalog, &database, &error));
}

static void tear_down(void) {
    catalog_free(&catalog);
    database_close(&database);
    folder_remove();
}

/* The first sectors of the events that a filter selects, added up, and how many there are. */
static bool select_events(const struct selection_filter *filter, int64_t *count, int64_t *sum,
                          struct error *error) {
    static const struct query query = {.reads_events = true};
    const struct catalog_trace *trace = catalog_find(&catalog, "log");
    struct remarks remarks = {0};
    bool done = selection_set(&database, &config, &trace, 1, filter, &query, &remarks, error) &&
                database_integer(&database, "SELECT count(*) FROM temp.selected_event", 0, -1,
                                 count, error) &&
                database_integer(&database, "SELECT sum(address) FROM temp.selected_event", 0, 0,
                                 sum, error);

    remarks_free(&remarks);
    return done;
}

static const struct {
    struct time_bound from, to;
    int64_t count, sum; /* of sectors */
} windows[] = {
    {{TIME_NOT_GIVEN, 0, -1}, {TIME_NOT_GIVEN, 0, -1}, 5, 15},
    {{TIME_SINCE_START, 0, -1}, {TIME_NOT_GIVEN, 0, -1}, 5, 15},
    {{TIME_SINCE_START, 1 * SECOND, -1}, {TIME_NOT_GIVEN, 0, -1}, 5, 15}, /* from: inclusive */
    {{TIME_SINCE_START, 1 * SECOND + 1, -1}, {TIME_NOT_GIVEN, 0, -1}, 4, 14},
    {{TIME_SINCE_START, 2 * SECOND, -1},
     {TIME_SINCE_START, 3 * SECOND, -1},
     2,
     5}, /* to: exclusive */
    {{TIME_SINCE_START, 2 * SECOND, -1}, {TIME_SINCE_START, 3 * SECOND + 1, -1}, 3, 9},
    {{TIME_SINCE_START, 4 * SECOND, -1}, {TIME_SINCE_START, 9 * SECOND, -1}, 0, 0},
    {{TIME_SINCE_START, 11 * SECOND, -1}, {TIME_NOT_GIVEN, 0, -1}, 0, 0},
    {{TIME_NOT_GIVEN, 0, -1}, {TIME_SINCE_START, 0, -1}, 0, 0},
    {{TIME_SINCE_START, 3 * SECOND, -1}, {TIME_SINCE_START, 2 * SECOND, -1}, 0, 0},
    {{TIME_WALL_CLOCK, 1002 * SECOND, -1}, {TIME_WALL_CLOCK, 1003 * SECOND, -1}, 2, 5},
    {{TIME_WALL_CLOCK_LOCAL, 4602 * SECOND, -1}, {TIME_WALL_CLOCK_LOCAL, 4603 * SECOND, -1}, 2, 5},
    {{TIME_WALL_CLOCK, 0, -1}, {TIME_WALL_CLOCK, INT64_MAX, -1}, 5, 15},
};

START_TEST(time_windows) {
    struct selection_filter filter = {
        .from = windows[_i].from, .to = windows[_i].to, .sequence_length = 2};
    struct error error = {0};
    int64_t count, sum;

    ck_assert_msg(select_events(&filter, &count, &sum, &error), "%s", error.message);
    ck_assert_int_eq(count, windows[_i].count);
    ck_assert_int_eq(sum, windows[_i].sum);
}
END_TEST

static const struct {
    const char *process, *action;
    int64_t count, sum;
} filters[] = {
    {"one", NULL, 3, 9}, {"2", NULL, 2, 6},  {NULL, "Q", 1, 9},
    {"two", "Q", 1, 9},  {"one", "Q", 0, 0},
};

START_TEST(filters_by_name) {
    struct selection_filter filter = {
        .process = filters[_i].process, .action = filters[_i].action, .sequence_length = 2};
    struct error error = {0};
    int64_t count, sum;

    ck_assert_msg(select_events(&filter, &count, &sum, &error), "%s", error.message);
    ck_assert_int_eq(count, filters[_i].count);
    ck_assert_int_eq(sum, filters[_i].sum);
}
END_TEST

START_TEST(filters_that_fit_nothing_fail) {
    const struct catalog_trace *trace = catalog_find(&catalog, "log");
    struct selection_filter filter = {.process = "nosuch", .sequence_length = 2};
    struct error error = {0};
    int64_t count, sum;

    ck_assert(!selection_check(&database, &trace, 1, &filter, &error));
    assert_message(&error, "no process or application is called nosuch");
    filter = (struct selection_filter){.operation = "nosuch", .sequence_length = 2};
    ck_assert(!selection_check(&database, &trace, 1, &filter, &error));
    assert_message(&error, "no operation is called nosuch");
    /* Where another trace fits, this one is left empty. */
    ck_assert(select_events(&filter, &count, &sum, &error));
    ck_assert_int_eq(count, 0);
    filter = (struct selection_filter){.action = "X", .sequence_length = 2};
    ck_assert(!select_events(&filter, &count, &sum, &error));
    assert_message(&error, "X");
}
END_TEST

/* One selection after another on the same connection. */
START_TEST(selections_follow_one_another) {
    struct selection_filter narrow = {.process = "one", .sequence_length = 2};
    struct selection_filter wide = {.sequence_length = 2};
    struct error error = {0};
    int64_t count, sum;

    ck_assert(select_events(&narrow, &count, &sum, &error));
    ck_assert_int_eq(count, 3);
    ck_assert(select_events(&wide, &count, &sum, &error));
    ck_assert_int_eq(count, 5);
    ck_assert(select_events(&narrow, &count, &sum, &error));
    ck_assert_int_eq(count, 3);
}
END_TEST

/* Counts out of the rollups and counts out of the events must agree, for every tally. */
START_TEST(rollups_and_scans_agree) {
    static const char *const tables[] = {"hour", "operation", "size", "block", "process"};
    const unsigned every = (1u << TALLY_KINDS) - 1;
    struct query query = {.tallies = every, .all_actions = true};
    const struct catalog_trace *trace = catalog_find(&catalog, "log");
    struct selection_filter filter = {.sequence_length = 2};
    struct remarks remarks = {0};
    struct error error = {0};
    int64_t sums[2];

    for (int i = 0; i < 2; i++) {
        /* A window over everything makes it scan. */
        filter.from = (struct time_bound){i == 0 ? TIME_NOT_GIVEN : TIME_SINCE_START, 0, -1};
        ck_assert_msg(
            selection_set(&database, &config, &trace, 1, &filter, &query, &remarks, &error), "%s",
            error.message);
        sums[i] = 0;
        for (size_t j = 0; j < 5; j++) {
            char sql[128];
            int64_t count;

            snprintf(sql, sizeof sql, "SELECT sum(count * 1000003 + bytes) FROM temp.tally_%s",
                     tables[j]);
            ck_assert(database_integer(&database, sql, 0, -1, &count, &error));
            ck_assert_int_eq(count, 6 * 1000003 + 5 * 8 * 512);
            sums[i] += count;
        }
    }
    ck_assert_int_eq(sums[0], sums[1]);
    remarks_free(&remarks);
}
END_TEST

START_TEST(unknown_traces_are_told) {
    struct error error = {0};

    ck_assert_ptr_null(catalog_find(&catalog, "nosuch"));
    ck_assert(!catalog_unknown(&catalog, "nosuch", &error));
    assert_message(&error, "nosuch");
    assert_message(&error, "log");
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

Suite *selection_suite(void) {
    Suite *suite = suite_create("selection");
    TCase *cases = tcase_create("selection");

    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_loop_test(cases, time_windows, 0, COUNT(windows));
    tcase_add_loop_test(cases, filters_by_name, 0, COUNT(filters));
    tcase_add_test(cases, filters_that_fit_nothing_fail);
    tcase_add_test(cases, selections_follow_one_another);
    tcase_add_test(cases, rollups_and_scans_agree);
    tcase_add_test(cases, unknown_traces_are_told);
    suite_add_tcase(suite, cases);
    return suite;
}

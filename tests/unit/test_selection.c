/* select, scan, analysis: time windows, selected traces and events, and their counts. */
#include "base/time_unit.h"
#include "report/workspace.h"
#include "select/match.h"
#include "unit.h"

static const char *const one = "one", *const nosuch = "nosuch";

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
    const char *path;

    folder_make();
    path = folder_write("log.po", log_text, sizeof log_text - 1);
    ck_assert(database_open(&database, folder_path("x.db"), DATABASE_CREATE, &error));
    assert_done(import_files(&database, &config, &options, &path, 1, &summary, &error));
    unit_open(NULL);
}

/* Opens a selection of the trace's events. */
static bool open_selection(const struct filter *filter, struct temp_schema *temp,
                           struct selection *selection, struct error *error) {
    static const struct catalog_trace *trace;
    struct selection_request request = {.traces = &trace, .count = 1, .filter = *filter};

    trace = catalog_find(&catalog, "log");
    *temp = (struct temp_schema){.database = &database};
    return workspace_select(temp, &request, selection, error);
}

static void close_selection(struct temp_schema *temp, struct selection *selection) {
    selection_close(selection);
    temp_schema_free(temp);
}

/* Counts the events that a filter selects, and sums their first sectors. */
static bool select_events(const struct filter *filter, int64_t *count, int64_t *sum,
                          struct error *error) {
    struct selection selection = {0};
    struct temp_schema temp;
    bool done = open_selection(filter, &temp, &selection, error);

    if (done) {
        *count = unit_ask("SELECT count(*) FROM temp.selected_event");
        *sum = unit_ask("SELECT ifnull(sum(address), 0) FROM temp.selected_event");
    }
    close_selection(&temp, &selection);
    return done;
}

static const struct {
    struct time_bound from, to;
    int64_t count, sum; /* sum: of sectors */
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

UNIT_CASE("selection", set_up, unit_close);

UNIT_LOOP(time_windows, COUNT(windows)) {
    struct filter filter = {.from = windows[_i].from, .to = windows[_i].to};
    int64_t count, sum;

    assert_done(select_events(&filter, &count, &sum, &error));
    ck_assert_int_eq(count, windows[_i].count);
    ck_assert_int_eq(sum, windows[_i].sum);
}

static const struct {
    const char *process, *action;
    int64_t count, sum;
} filters[] = {
    {"one", NULL, 3, 9}, {"2", NULL, 2, 6},  {NULL, "Q", 1, 9},
    {"two", "Q", 1, 9},  {"one", "Q", 0, 0},
};

UNIT_LOOP(filters_by_name, COUNT(filters)) {
    struct filter filter = {.action = filters[_i].action};
    int64_t count, sum;

    if (filters[_i].process != NULL) {
        filter.names[FILTER_PROCESS] = (struct name_set){.names = &filters[_i].process, .count = 1};
    }
    assert_done(select_events(&filter, &count, &sum, &error));
    ck_assert_int_eq(count, filters[_i].count);
    ck_assert_int_eq(sum, filters[_i].sum);
}

UNIT_TEST(filters_that_fit_nothing_fail) {
    const struct catalog_trace *trace = catalog_find(&catalog, "log");
    struct filter filter = {.names[FILTER_PROCESS] = {&nosuch, 1, NULL, 0}};
    int64_t count, sum;

    ck_assert(!match_check_names_exist(&database, &trace, 1, &filter, &error));
    assert_message(&error, "no process or application is called nosuch");
    filter = (struct filter){.names[FILTER_OPERATION] = {&nosuch, 1, NULL, 0}};
    ck_assert(!match_check_names_exist(&database, &trace, 1, &filter, &error));
    assert_message(&error, "no operation is called nosuch");
    /* If another trace matches, this one is empty. */
    ck_assert(select_events(&filter, &count, &sum, &error));
    ck_assert_int_eq(count, 0);
    filter = (struct filter){.action = "X"};
    ck_assert(!select_events(&filter, &count, &sum, &error));
    assert_message(&error, "X");
}

/* One selection after another on the same connection. */
UNIT_TEST(selections_follow_one_another) {
    struct filter narrow = {.names[FILTER_PROCESS] = {&one, 1, NULL, 0}};
    struct filter wide = {0};
    int64_t count, sum;

    ck_assert(select_events(&narrow, &count, &sum, &error));
    ck_assert_int_eq(count, 3);
    ck_assert(select_events(&wide, &count, &sum, &error));
    ck_assert_int_eq(count, 5);
    ck_assert(select_events(&narrow, &count, &sum, &error));
    ck_assert_int_eq(count, 3);
}

/* Counts from rollups and from events must agree, for every tally. */
UNIT_TEST(rollups_and_scans_agree) {
    static const char *const names[] = {"hour", "operation", "size", "block", "process"};
    const struct filter everything = {0};
    struct requested_analysis wanted[5] = {0};

    for (int i = 0; i < 5; i++) {
        wanted[i].analysis = analysis_find(names[i]);
        requested_analysis_set_defaults(&wanted[i]);
    }
    for (int scanned = 0; scanned < 2; scanned++) {
        struct selection selection = {0};
        struct passes passes = {.selection = &selection,
                                .config = &config,
                                .rollups =
                                    scanned == 1 ? ROLLUPS_NEVER : ROLLUPS_WHERE_THEY_ANSWER};
        struct temp_schema temp;

        ck_assert(open_selection(&everything, &temp, &selection, &error));
        assert_done(passes_run(&passes, wanted, 5, &error));
        for (int i = 0; i < 5; i++) {
            char sql[128];

            snprintf(sql, sizeof sql, "SELECT sum(count * 1000003 + bytes) FROM temp.tally_%s",
                     names[i]);
            ck_assert_int_eq(unit_ask(sql), 5 * 1000003 + 4 * 8 * 512);
        }
        close_selection(&temp, &selection);
    }
}

UNIT_TEST(unknown_traces_are_told) {
    ck_assert_ptr_null(catalog_find(&catalog, "nosuch"));
    ck_assert(!catalog_set_unknown_error(&catalog, "nosuch", &error));
    assert_message(&error, "nosuch");
    assert_message(&error, "log");
}

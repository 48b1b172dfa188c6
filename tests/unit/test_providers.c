/* providers: every report there is, of a trace of each kind, is the same byte for byte whoever
 * counts: rollups, the columns of events, or their rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "import/import.h"
#include "report/print.h"
#include "unit.h"

static const struct {
    const char *name, *path;
} samples[] = {
    {"calls", "testdata/palmist/ok/small.raw"},
    {"io", "testdata/most/small.po"},
    {"spans", "testdata/android-trace/ok/shop-v3-dual.trace"},
    {"probes", "testdata/rmp/ok/session.rmp"},
    {"files", "testdata/mobigen/small.txt"},
    {"results", "testdata/mobibench/ok/IO_Latency.txt"},
    {"samples", "testdata/samples/ok/small.smp"},
};

/* The first ones are of kinds that have rollups. */
enum { SAMPLES = sizeof samples / sizeof samples[0], WITH_ROLLUPS = 4 };

static struct database database;
static struct config config;
static struct query_set queries;
static struct workspace workspace;

/* The same traces without their events. */
static struct database bare;
static struct workspace bare_workspace;

static void set_up(void) {
    struct error error = {0};

    database_make(&database);
    for (size_t i = 0; i < SAMPLES; i++) {
        struct import_options options = {
            .name = samples[i].name, .start = EVENT_NONE, .utc_offset = EVENT_NONE};
        struct import_summary summary;

        ck_assert_msg(
            import_files(&database, &config, &options, &samples[i].path, 1, &summary, &error),
            "%s: %s", samples[i].path, error.message);
    }
    ck_assert_msg(query_set_load(&queries, NULL, &error), "%s", error.message);
    ck_assert_msg(workspace_open(&workspace, &database, &config, &queries, &error), "%s",
                  error.message);
}

static void tear_down(void) {
    workspace_close(&workspace);
    query_set_free(&queries);
    database_remove(&database);
}

/* What the report prints; NULL with `error` set when it cannot be made. Owned by the caller. */
static char *printed_of(struct workspace *where, const struct report_request *request,
                        struct error *error) {
    const struct printer_options options = {0};
    char *bytes = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&bytes, &length);
    bool done;

    ck_assert_ptr_nonnull(file);
    *error = (struct error){0};
    done = print_report(where, request, printer_style_find("json"), file, &options, error);
    fclose(file);
    if (!done) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

static char *printed(const struct report_request *request, struct error *error) {
    return printed_of(&workspace, request, error);
}

/* How many reports each of them has made. */
struct made {
    int by[COUNTED_BY_KINDS];
};

/* What the columns give, the others give, too, from `first` on; rollups may be none that answer. */
static void compare(struct report_request *request, enum counted_by first, const char *what,
                    struct made *made) {
    struct error error;
    char *expected, *got;

    request->counted_by = COUNTED_BY_COLUMNS;
    expected = printed(request, &error);
    if (expected == NULL) {
        return; /* an option more is needed, or none of the traces has what it is about */
    }
    made->by[COUNTED_BY_COLUMNS]++;
    for (enum counted_by by = first; by < COUNTED_BY_KINDS; by++) {
        if (by == COUNTED_BY_COLUMNS) {
            continue;
        }
        request->counted_by = by;
        got = printed(request, &error);
        if (got == NULL) {
            ck_assert_msg(by == COUNTED_BY_ROLLUPS, "%s by %s: %s", what, counted_by_names[by],
                          error.message);
            assert_message(&error, "rollups do not answer");
            continue;
        }
        made->by[by]++;
        ck_assert_msg(strcmp(got, expected) == 0, "%s by %s:\n%s\nelse:\n%s", what,
                      counted_by_names[by], got, expected);
        free(got);
    }
    free(expected);
}

/* Each file of each report, by what chooses it; from that time on. */
static void compare_all(struct time_bound from, enum counted_by first, struct made *made) {
    for (size_t i = 0; i < queries.count; i++) {
        const struct query *query = &queries.queries[i];
        const struct report_option option = {
            .name = query->when_option,
            .value = query->when_value != NULL ? query->when_value : "",
        };
        struct report_request request = {
            .report = query->report,
            .options = &option,
            .option_count = query->when_option != NULL,
            .filter = {.from = from},
        };

        compare(&request, first, query->file, made);
    }
}

START_TEST(all_count_alike) {
    struct made made = {{0}};

    compare_all((struct time_bound){0}, COUNTED_BY_ROLLUPS, &made);
    /* So that it is known to have happened. */
    ck_assert_int_gt(made.by[COUNTED_BY_ROLLUPS], 20);
    ck_assert_int_gt(made.by[COUNTED_BY_COLUMNS], 120);
    ck_assert_int_eq(made.by[COUNTED_BY_SQLITE], made.by[COUNTED_BY_COLUMNS]);
}
END_TEST

START_TEST(all_count_parts_alike) {
    struct made made = {{0}};
    struct time_bound from;
    struct error error = {0};

    ck_assert(time_bound_parse("from", "0.00002", &from, &error));
    compare_all(from, COUNTED_BY_SQLITE, &made);
    ck_assert_int_gt(made.by[COUNTED_BY_COLUMNS], 100);
    ck_assert_int_eq(made.by[COUNTED_BY_SQLITE], made.by[COUNTED_BY_COLUMNS]);
}
END_TEST

/* --- without events -----------------------------------------------------------------------------
 */

/* Whether the last report wanted events. */
static bool wants_events;

static bool note_wish(void *context, const int64_t *traces, size_t count, bool events,
                      struct error *error) {
    (void)context;
    (void)traces;
    (void)count;
    (void)error;
    wants_events = events;
    return true;
}

/* All of a copy's events are taken away but for the times of each trace's first and last. */
static void make_bare(void) {
    struct error error = {0};

    folder_run("cp x.db bare.db");
    ck_assert(database_open(&bare, folder_path("bare.db"), DATABASE_WRITE, &error));
    ck_assert_msg(
        database_run(&bare,
                     "DELETE FROM event_column; DELETE FROM cpu_time; DELETE FROM open_call;"
                     "DELETE FROM event; INSERT INTO event (id, time) SELECT first_event,"
                     " first_time FROM trace WHERE first_event NOT NULL UNION SELECT last_event,"
                     " last_time FROM trace WHERE last_event > first_event",
                     &error),
        "%s", error.message);
    ck_assert(workspace_open(&bare_workspace, &bare, &config, &queries, &error));
}

/* Where a report says that it needs no events, it is the same without them; returns whether it
 * does. */
static bool needs_none(const struct report_request *request, const char *file) {
    struct error error;
    char *expected = printed_of(&workspace, request, &error), *got;
    bool none = expected != NULL && !wants_events;

    if (none) {
        got = printed_of(&bare_workspace, request, &error);
        ck_assert_msg(got != NULL, "%s: %s", file, error.message);
        ck_assert_msg(strcmp(got, expected) == 0, "%s of %s without events:\n%s\nelse:\n%s", file,
                      request->traces[0], got, expected);
        free(got);
    }
    free(expected);
    return none;
}

START_TEST(no_events_where_none_are_wanted) {
    const struct database_source source = {.fetch = note_wish};
    int none = 0;

    make_bare();
    database.source = &source;
    for (size_t i = 0; i < queries.count * WITH_ROLLUPS; i++) {
        const struct query *query = &queries.queries[i / WITH_ROLLUPS];
        const struct report_option option = {
            .name = query->when_option,
            .value = query->when_value != NULL ? query->when_value : "",
        };
        const struct report_request request = {
            .report = query->report,
            .traces = &samples[i % WITH_ROLLUPS].name,
            .trace_count = 1,
            .options = &option,
            .option_count = query->when_option != NULL,
        };

        none += needs_none(&request, query->file);
    }
    ck_assert_int_gt(none, 30);
    workspace_close(&bare_workspace);
    database_close(&bare);
}
END_TEST

/* Of a trace that has lost its columns nobody takes the rows instead. */
START_TEST(no_columns) {
    struct report_request request = {.report = "gaps", .counted_by = COUNTED_BY_COLUMNS};
    struct error error;

    ck_assert(database_run(&database, "DELETE FROM event_column", &error));
    ck_assert_ptr_null(printed(&request, &error));
    assert_message(&error, "has no columns");
    request.counted_by = COUNTED_BY_SQLITE;
    free(printed(&request, &error));
    ck_assert_int_eq(error.status, EXIT_DONE);
}
END_TEST

Suite *providers_suite(void) {
    Suite *suite = suite_create("providers");
    TCase *cases = tcase_create("providers");

    if (access(samples[0].path, R_OK) != 0) {
        unit_skip("testdata");
        return suite;
    }
    tcase_set_timeout(cases, 60);
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, all_count_alike);
    tcase_add_test(cases, all_count_parts_alike);
    tcase_add_test(cases, no_columns);
    tcase_add_test(cases, no_events_where_none_are_wanted);
    suite_add_tcase(suite, cases);
    return suite;
}

/* Providers: every report on a trace of each kind is byte for byte the same, whether it is counted
 * from rollups, columns of events, or rows. */
#include "base/words.h"
#include "unit.h"

static const struct {
    const char *name, *path;
} samples[] = {
    {"calls", "testdata/palmist/ok/small.raw"},
    {"io", "testdata/most/small.po"},
    {"spans", "testdata/android-trace/ok/shop-v3-dual.trace"},
    {"probes", "testdata/rmp/ok/session.rmp"},
    {"syscalls", "testdata/strace/ok/interrupted.strace"},
    {"files", "testdata/mobigen/small.txt"},
    {"results", "testdata/mobibench/ok/IO_Latency.txt"},
    {"samples", "testdata/samples/ok/small.smp"},
    {"layers", "testdata/ftrace/ok/layers.txt"},
};

/* The first ones have rollups. */
enum { SAMPLES = COUNT(samples), WITH_ROLLUPS = 5 };

/* Data that is fetched only on request. */
static const char *const on_demand[] = {
    "object",       "loggable",       "rollup_hour",   "rollup_operation", "rollup_size",
    "rollup_block", "rollup_process", "rollup_origin", "rollup_letters",   "rollup_depth",
    "rollup_span",  "rollup_latency", "rollup_call",
};

enum { ON_DEMAND = COUNT(on_demand) };

/* All that the report requested. */
static struct wish { bool events, tables[ON_DEMAND]; } wish;

/* Copies of the traces with only what a report requests: without and with events. */
static struct partial {
    struct database database;
    struct workspace workspace;
    struct wish granted;
} bare, whole;

static void set_up(void) {
    database_make();
    for (size_t i = 0; i < SAMPLES; i++) {
        unit_import_file(&database, &config, samples[i].name, samples[i].path);
    }
    unit_open(NULL);
}

static char *printed(const struct report_request *request, struct error *error) {
    return unit_printed(&workspace, request, error);
}

/* Number of reports made by each provider. */
struct made {
    int by[COUNTED_BY_KINDS];
};

/* Checks that the others agree with the columns, from `first` on; rollups may be unable to
 * answer. */
static void compare(struct report_request *request, enum counted_by first, const char *what,
                    struct made *made) {
    char *expected, *got;

    request->counted_by = COUNTED_BY_COLUMNS;
    expected = printed(request, &error);
    if (expected == NULL) {
        return; /* another option is needed, or no trace applies */
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
            assert_message(&error, "stored sums (rollups) do not contain");
            continue;
        }
        made->by[by]++;
        ck_assert_msg(strcmp(got, expected) == 0, "%s by %s:\n%.2000s\nelse:\n%.2000s", what,
                      counted_by_names[by], got, expected);
        free(got);
    }
    free(expected);
}

/* Compares each file of each report, by its options; from that time on. */
static void compare_all(struct time_bound from, enum counted_by first, struct made *made) {
    for (size_t i = 0; i < queries.count; i++) {
        const struct query *query = &queries.queries[i];
        struct report_option option;
        struct report_request request = unit_request(query, &option);

        request.filter.from = from;
        compare(&request, first, query->file, made);
    }
}

UNIT_CASE("providers", set_up, unit_close);

UNIT_TEST(all_count_alike) {
    struct made made = {{0}};

    compare_all((struct time_bound){0}, COUNTED_BY_ROLLUPS, &made);
    /* Ensures that these were used. */
    ck_assert_int_gt(made.by[COUNTED_BY_ROLLUPS], 15);
    ck_assert_int_gt(made.by[COUNTED_BY_COLUMNS], 120);
    ck_assert_int_eq(made.by[COUNTED_BY_SQLITE], made.by[COUNTED_BY_COLUMNS]);
}

UNIT_TEST(all_count_parts_alike) {
    struct made made = {{0}};
    struct time_bound from;

    ck_assert(time_bound_parse("from", "0.00002", &from, &error));
    compare_all(from, COUNTED_BY_SQLITE, &made);
    ck_assert_int_gt(made.by[COUNTED_BY_COLUMNS], 100);
    ck_assert_int_eq(made.by[COUNTED_BY_SQLITE], made.by[COUNTED_BY_COLUMNS]);
}

/* --- only requested data ---------------------------------------------------------------------- */

static bool note_wish(void *context, const struct database_wanted *wanted, struct error *error) {
    (void)context;
    (void)error;
    wish.events |= wanted->events;
    for (size_t i = 0; i < ON_DEMAND; i++) {
        wish.tables[i] |= wanted->tables == NULL || word_in(wanted->tables, on_demand[i]);
    }
    return true;
}

/* Makes a copy with a second set of its tables. */
static void make_partial(struct partial *partial, const char *file) {
    struct text sql = {0};

    text_append_format(&sql, "cp x.db %s", file);
    folder_run(text_string(&sql));
    text_clear(&sql);
    ck_assert(database_open(&partial->database, folder_path(file), DATABASE_WRITE, &error));
    text_append_string(&sql, "PRAGMA synchronous = off;");
    for (size_t i = 0; i < ON_DEMAND; i++) {
        text_append_format(&sql, "CREATE TABLE kept_%s AS SELECT * FROM %s;", on_demand[i],
                           on_demand[i]);
    }
    assert_done(database_run(&partial->database, text_string(&sql), &error));
    text_free(&sql);
    memset(partial->granted.tables, true, sizeof partial->granted.tables);
    ck_assert(workspace_open(&partial->workspace, &partial->database, &config, &queries, &error));
}

/* Removes all events except the times of each trace's first and last. */
static void take_events(struct database *from) {
    assert_done(
        database_run(from,
                     "DELETE FROM event_column; DELETE FROM cpu_time; DELETE FROM open_call;"
                     "DELETE FROM event; INSERT INTO event (id, time) SELECT first_event,"
                     " first_time FROM trace WHERE first_event NOT NULL UNION SELECT last_event,"
                     " last_time FROM trace WHERE last_event > first_event",
                     &error));
}

static void end_partial(struct partial *partial) {
    workspace_close(&partial->workspace);
    database_close(&partial->database);
}

/* Keeps only the requested tables. */
static void grant_wish(struct partial *partial) {
    struct text sql = {0};

    text_append_string(&sql, "BEGIN;");
    for (size_t i = 0; i < ON_DEMAND; i++) {
        if (wish.tables[i] != partial->granted.tables[i]) {
            text_append_format(
                &sql, wish.tables[i] ? "INSERT INTO %s SELECT * FROM kept_%s;" : "DELETE FROM %s;",
                on_demand[i], on_demand[i]);
        }
    }
    partial->granted = wish;
    text_append_string(&sql, "COMMIT");
    assert_done(database_run(&partial->database, text_string(&sql), &error));
    text_free(&sql);
}

/* Checks that a report is the same with only the requested data. Returns whether it needs no
 * events. */
static bool needs_none(const struct report_request *request, const char *file) {
    char *expected, *got;
    bool none;

    memset(&wish, 0, sizeof wish);
    expected = unit_printed(&workspace, request, &error);
    none = expected != NULL && !wish.events;

    if (expected != NULL) {
        struct partial *partial = none ? &bare : &whole;

        grant_wish(partial);
        got = unit_printed(&partial->workspace, request, &error);
        ck_assert_msg(got != NULL, "%s: %s", file, error.message);
        ck_assert_msg(strcmp(got, expected) == 0,
                      "%s of %s of what is wanted alone:\n%s\nelse:\n%s", file, request->traces[0],
                      got, expected);
        free(got);
    }
    free(expected);
    return none;
}

UNIT_TEST(nothing_but_what_is_wanted) {
    const struct database_source source = {.fetch = note_wish};
    int none = 0;

    make_partial(&bare, "bare.db");
    take_events(&bare.database);
    make_partial(&whole, "whole.db");
    database.source = &source;
    for (size_t i = 0; i < queries.count * WITH_ROLLUPS; i++) {
        const struct query *query = &queries.queries[i / WITH_ROLLUPS];
        struct report_option option;
        struct report_request request = unit_request(query, &option);

        request.traces = &samples[i % WITH_ROLLUPS].name;
        request.trace_count = 1;
        none += needs_none(&request, query->file);
    }
    ck_assert_int_gt(none, 30);
    end_partial(&bare);
    end_partial(&whole);
}

/* If a trace has lost its columns, the rows are not used instead. */
UNIT_TEST(no_columns) {
    struct report_request request = {.report = "gaps", .counted_by = COUNTED_BY_COLUMNS};

    unit_run("DELETE FROM event_column");
    ck_assert_ptr_null(printed(&request, &error));
    assert_message(&error, "has no stored event columns");
    request.counted_by = COUNTED_BY_SQLITE;
    free(printed(&request, &error));
    ck_assert_int_eq(error.status, EXIT_DONE);
}

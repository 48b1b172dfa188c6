/* report: stepping reports one after another; temporary tables; and an analysis only in the
 * tests. */
#include "report/report.h"
#include "select/temp_schema.h"
#include "unit.h"

/* Completed I/Os of two processes: sizes 4096, 4096, 512, 8192, 0 at 1, 2, 2, 3 and 10 s. */
static const char log_text[] = "1.000000000\tC\tR\t1\t8\t1\tone\tM\n"
                               "2.000000000\tC\tW\t2\t8\t2\ttwo\tM\n"
                               "2.000000000\tC\tWS\t3\t1\t1\tone\tJ\n"
                               "3.000000000\tC\tR\t4\t16\t2\ttwo\tD\t/a.db\n"
                               "10.000000000\tC\tN\t5\t0\t1\tone\tM\n";

/* A subquery restarts with each row, and values have all types. */
static const char running_sql[] =
    "-- report: running\n-- kinds: io\n-- events: yes\n"
    "-- column: at time s\n-- column: sum integer\n-- column: real real\n-- column: text text\n"
    "-- column: blob any\n-- column: none any\n"
    "SELECT e.time, (SELECT sum(x.address) FROM temp.selected_event AS x WHERE x.id <= e.id),\n"
    "    e.id / 4.0, 'text ' || e.id, CAST('blob ' || e.id AS BLOB), NULL\n"
    "FROM temp.selected_event AS e;\n";

static const char failing_sql[] =
    "-- report: failing\n-- kinds: io\n-- events: yes\n-- column: n integer\n"
    "SELECT abs(CASE WHEN e.address < 4 THEN 1 ELSE -9223372036854775807 - 1 END)\n"
    "FROM temp.selected_event AS e;\n";

/* All mentions of the template outside of its own file, besides its line in the list. */
static const char template_sql[] =
    "-- report: sizes\n-- kinds: calls io\n-- options: least\n-- tally: template\n"
    "-- column: bits integer\n-- column: count integer\n-- column: bytes bytes bytes\n"
    "SELECT bits, sum(count), sum(bytes) FROM temp.tally_template GROUP BY bits ORDER BY bits;\n";

static void set_up(void) {
    database_make();
    folder_run("mkdir queries");
    folder_write("queries/running.sql", running_sql, sizeof running_sql - 1);
    folder_write("queries/failing.sql", failing_sql, sizeof failing_sql - 1);
    folder_write("queries/sizes.sql", template_sql, sizeof template_sql - 1);
    unit_import(&database, "most", "log", log_text);
    unit_import(&database, "most", "log2", log_text);
    unit_open(folder_path("queries"));
}

/* --- rows as text -----------------------------------------------------------------------------*/

static void append_value(struct text *out, const struct value *value) {
    switch (value->type) {
    case VALUE_INTEGER:
        text_append_format(out, "i%lld ", (long long)value->integer);
        break;
    case VALUE_REAL:
        text_append_format(out, "r%g ", value->real);
        break;
    case VALUE_TEXT:
    case VALUE_BLOB:
        text_append_format(out, "%c%.*s ", value->type == VALUE_TEXT ? 't' : 'b',
                           (int)value->length, value->bytes);
        break;
    default:
        text_append_string(out, "- ");
    }
}

/* Appends the next row; false at the end. */
static bool step(struct report *report, size_t columns, struct text *out) {
    const struct value *values;

    assert_done(report_next_row(report, &values, &error));
    for (size_t i = 0; values != NULL && i < columns; i++) {
        append_value(out, &values[i]);
    }
    text_append_string(out, values == NULL ? "" : "\n");
    return values != NULL;
}

static struct report *begin(const struct report_request *request, size_t *columns) {
    struct report *report = report_open(&workspace, request, &error);
    const struct result *result;

    assert_done(report != NULL);
    assert_done(report_next(report, &result, &error));
    ck_assert_ptr_nonnull(result);
    *columns = result->column_count;
    return report;
}

/* Checks all rows of the first result. */
static void assert_rows(const struct report_request *request, const char *expected) {
    struct text out = {0};
    size_t columns;
    struct report *report = begin(request, &columns);

    while (step(report, columns, &out)) {
    }
    ck_assert_str_eq(text_string(&out), expected);
    report_close(report);
    text_free(&out);
}

static void assert_nothing_left(void) {
    int64_t count;

    ck_assert(database_query_integer(&database, "SELECT count(*) FROM sqlite_temp_schema", 0, -1,
                                     &count, &error));
    ck_assert_int_eq(count, 0);
    ck_assert(sqlite3_get_autocommit(database.handle));
}

#define TRACE(request, name)                                                                       \
    (request).traces = (const char *const[]){name};                                                \
    (request).trace_count = 1

static const char all_running[] = "i1000000000 i1 r0.25 ttext 1 bblob 1 - \n"
                                  "i2000000000 i3 r0.5 ttext 2 bblob 2 - \n"
                                  "i2000000000 i6 r0.75 ttext 3 bblob 3 - \n"
                                  "i3000000000 i10 r1 ttext 4 bblob 4 - \n"
                                  "i10000000000 i15 r1.25 ttext 5 bblob 5 - \n";

/* --- tests ------------------------------------------------------------------------------------ */

UNIT_CASE("report", set_up, unit_close);

UNIT_TEST(a_report_twice) {
    struct report_request request = {.report = "running"};

    TRACE(request, "log");
    assert_rows(&request, all_running);
    assert_rows(&request, all_running);
    assert_nothing_left();
}

/* One is closed before its end; another has results for each trace. */
UNIT_TEST(reports_one_after_another) {
    struct report_request by_trace = {.report = "rw", .by_trace = true};
    struct report_request running = {.report = "running"};
    const struct result *result;
    struct text out = {0};
    struct report *report;
    size_t columns, results = 1;

    TRACE(running, "log2");
    report = begin(&running, &columns);
    ck_assert(step(report, columns, &out));
    report_close(report);
    report = begin(&by_trace, &columns);
    ck_assert(report_has_many_results(report));
    while (report_next(report, &result, &error) && result != NULL) {
        ck_assert_str_eq(result->traces[0].name, "log2");
        results++;
    }
    ck_assert_int_eq(error.status, EXIT_DONE);
    ck_assert_uint_eq(results, 2);
    report_close(report);
    TRACE(running, "log");
    assert_rows(&running, all_running);
    assert_nothing_left();
    text_free(&out);
}

/* An error is reported after the rows before it. */
UNIT_TEST(a_failure_behind_rows) {
    struct report_request failing = {.report = "failing"};
    struct report *report;
    const struct value *values;
    struct text out = {0};
    size_t columns;

    TRACE(failing, "log");
    report = begin(&failing, &columns);
    ck_assert(step(report, 1, &out) && step(report, 1, &out) && step(report, 1, &out));
    ck_assert_str_eq(text_string(&out), "i1 \ni1 \ni1 \n");
    ck_assert(!report_next_row(report, &values, &error));
    assert_message(&error, "integer overflow");
    report_close(report);
    assert_nothing_left();
    text_free(&out);
}

/* A file, a line in the list and a query make an analysis. 4096, 4096, 512 and 8192 bytes have 13,
 * 13, 10 and 14 bits, 0 has none; the window from 2 to 4 seconds has the last two, and one 4096.
 */
UNIT_TEST(a_new_analysis) {
    const struct report_option least = {"least", "4096", true}, wrong = {"least", "0", true};
    struct report_request request = {.report = "sizes"};

    TRACE(request, "log");
    assert_rows(&request, "i0 i1 i0 \ni10 i1 i512 \ni13 i2 i8192 \ni14 i1 i8192 \n");
    request.filter.from = (struct time_bound){TIME_SINCE_START, 2000000000, -1};
    request.filter.to = (struct time_bound){TIME_SINCE_START, 4000000000, -1};
    assert_rows(&request, "i10 i1 i512 \ni13 i1 i4096 \ni14 i1 i8192 \n");
    request.trace_count = 0;
    request.options = &least;
    request.option_count = 1;
    assert_rows(&request, "i13 i2 i8192 \ni14 i2 i16384 \n");
    request.options = &wrong;
    ck_assert_ptr_null(report_open(&workspace, &request, &error));
    assert_message(&error, "--least must be from 1");
    assert_nothing_left();
}

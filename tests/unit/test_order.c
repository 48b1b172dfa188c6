/* Order of imports: every report on two traces of each kind is byte for byte the same in whatever
 * order these were imported. */
#include "base/time_unit.h"
#include "unit.h"

/* Two of each kind; the second began earlier. */
static const struct {
    const char *name, *path;
} samples[] = {
    {"calls", "testdata/palmist/ok/small.raw"},
    {"calls2", "testdata/palmist/ok/reset.raw"},
    {"io", "testdata/most/small.po"},
    {"io2", "testdata/most/small.po"},
    {"spans", "testdata/android-trace/ok/shop-v3-wall.trace"},
    {"spans2", "testdata/android-trace/ok/shop-v2-wall.trace"},
    {"probes", "testdata/rmp/ok/session.rmp"},
    {"probes2", "testdata/rmp/ok/table2-rmp.rmp"},
    {"results", "testdata/mobibench/ok/IO_Latency.txt"},
    {"results2", "testdata/mobibench/ok/output.txt"},
    {"samples", "testdata/samples/ok/small.smp"},
    {"samples2", "testdata/samples/ok/bare-crlf.smp"},
};

enum { SAMPLES = COUNT(samples) };

static void import_one(struct database *database, size_t i) {
    struct import_summary summary;
    struct import_options options = {
        .name = samples[i].name,
        .start = (INT64_C(400000) - (int64_t)i) * HOUR,
        .utc_offset = EVENT_NONE,
        .again = true,
    };

    ck_assert_msg(import_files(database, &config, &options, &samples[i].path, 1, &summary, &error),
                  "%s: %s", samples[i].path, error.message);
}

/* A database with all samples. */
struct side {
    struct database database;
    struct workspace workspace;
};

static void open_side(struct side *side, const char *file, bool backwards,
                      const struct query_set *queries) {
    assert_done(database_open(&side->database, folder_path(file), DATABASE_CREATE, &error));
    for (size_t i = 0; i < SAMPLES; i++) {
        import_one(&side->database, backwards ? SAMPLES - 1 - i : i);
    }
    assert_done(workspace_open(&side->workspace, &side->database, &config, queries, &error));
}

static void close_side(struct side *side) {
    workspace_close(&side->workspace);
    database_close(&side->database);
}

UNIT_CASE("order", folder_make, folder_remove);

UNIT_TEST(imports_in_any_order) {
    struct side forwards, backwards;
    int made = 0;

    assert_done(query_set_load(&queries, NULL, &error));
    open_side(&forwards, "forwards.db", false, &queries);
    open_side(&backwards, "backwards.db", true, &queries);
    for (size_t i = 0; i < queries.count; i++) {
        const struct query *query = &queries.queries[i];
        struct report_option option;
        const struct report_request request = unit_request(query, &option);

        made += unit_same(&forwards.workspace, &backwards.workspace, &request, query->file);
    }
    ck_assert_int_gt(made, 100);
    close_side(&forwards);
    close_side(&backwards);
    query_set_free(&queries);
}

/* stores: pushed data arrives once and complete despite failures, reports from a store equal those
 * from the file, and a lying store is detected. The store is tests/fake_store.c. */
#include <inttypes.h>

#include "../fake_store.h"
#include "remote/push.h"
#include "remote/rowbinary.h"
#include "remote/store_snapshot.h"
#include "remote/statements.h"
#include "remote/maintenance.h"
#include "unit.h"

/* In an order different from that of reports, and of ids in a store. */
static const struct {
    const char *name, *path;
} samples[] = {
    {"calls", "testdata/palmist/ok/small.raw"},
    {"steps", "testdata/blktrace/ok/kernel.bin"},
    {"more", "testdata/most/damaged/several.po"},
    {"io", "testdata/most/small.po"},
    {"spans", "testdata/android-trace/ok/shop-v3-dual.trace"},
    {"probes", "testdata/rmp/ok/session.rmp"},
    {"open", "testdata/dwtrace/ok/stopped.dwt"},
    {"syscalls", "testdata/strace/ok/error.strace"},
    {"memory", "testdata/samples/ok/small.smp"},
    {"lost", "testdata/ftrace/ok/older.txt"},
};

enum { SAMPLES = COUNT(samples) };

static const struct remote_options options = {.url = FAKE_STORE};
static struct remote remote;

static void load_catalog(void) {
    catalog_free(&catalog);
    ck_assert(catalog_load(&catalog, &database, &error));
}

static void import_from(size_t first, size_t count) {
    for (size_t i = first; i < first + count; i++) {
        unit_import_file(&database, &config, samples[i].name, samples[i].path);
    }
    load_catalog();
}

static void import_samples(size_t count) {
    import_from(0, count);
}

static void set_up(void) {
    struct text others = {0};

    database_make();
    ck_assert(fake_store_begin());
    assert_done(remote_open(&remote, &options, &error));
    assert_done(maintenance_init(&remote, NULL, &others, &error));
    text_free(&others);
}

static void tear_down(void) {
    remote_close(&remote);
    fake_store_end();
    unit_close();
}

/* --- pushing ----------------------------------------------------------------------------------*/

/* Results for the traces of the last push, in order. */
static struct push_outcome outcomes[SAMPLES];
static size_t outcome_count;

static void take_outcome(void *context, const struct catalog_trace *trace,
                         const struct push_outcome *outcome) {
    (void)context, (void)trace;
    outcomes[outcome_count++] = *outcome;
}

static bool push(bool events, struct error *error) {
    const struct push_listener listener = {.take = take_outcome};
    const struct catalog_trace *traces[SAMPLES];

    for (size_t i = 0; i < catalog.count; i++) {
        traces[i] = &catalog.traces[i];
    }
    outcome_count = 0;
    *error = (struct error){0};
    return push_traces(&remote, &database, traces, catalog.count, events, &listener, error);
}

static void found(void *context, const struct remote_commit *commit, const char *what) {
    text_append_format(context, "%s: %s\n", commit->name, what);
}

/* Checks that the store has that many valid traces. */
static void expect_sound(int64_t traces, int64_t with_events) {
    struct text wrong = {0};
    struct maintenance_report report = {.found = found, .context = &wrong};

    assert_done(maintenance_check(&remote, &report, &error));
    ck_assert_str_eq(text_string(&wrong), "");
    ck_assert_int_eq(report.wrong, 0);
    ck_assert_int_eq(report.traces, traces);
    ck_assert_int_eq(report.with_events, with_events);
    text_free(&wrong);
}

UNIT_CASE("stores", set_up, tear_down);

UNIT_TEST(pushed_once) {
    import_samples(SAMPLES);
    assert_done(push(false, &error));
    ck_assert_uint_eq(outcome_count, SAMPLES);
    expect_sound(SAMPLES, 0);
    ck_assert(push(false, &error));
    for (size_t i = 0; i < SAMPLES; i++) {
        ck_assert_int_eq(outcomes[i].result, PUSH_WAS_THERE);
    }
    /* A push with events replaces the other. */
    ck_assert(push(true, &error));
    for (size_t i = 0; i < SAMPLES; i++) {
        ck_assert_int_eq(outcomes[i].result, PUSH_SENT);
        ck_assert(outcomes[i].events);
    }
    expect_sound(SAMPLES, SAMPLES);
}

UNIT_TEST(other_names_are_told) {
    import_samples(2);
    ck_assert(push(false, &error));
    unit_run("UPDATE name SET text = text || 'x'");
    ck_assert(push(false, &error));
    ck_assert_int_eq(outcomes[0].result, PUSH_WAS_THERE_OTHERWISE);
    ck_assert_int_eq(outcomes[0].rows, 0);
    /* The location of the files does not matter. */
    unit_run("UPDATE name SET text = substr(text, 1, length(text) - 1);"
             "UPDATE source SET name = '/elsewhere/' || name");
    ck_assert(push(false, &error));
    ck_assert_int_eq(outcomes[0].result, PUSH_WAS_THERE);
    unit_run("UPDATE trace SET events = events + 1");
    load_catalog();
    ck_assert(!push(false, &error));
    assert_message(&error, "imported with other options");
    expect_sound(2, 0);
}

/* Values that SQLite accepts but a store does not. */
UNIT_TEST(values_that_cannot_be) {
    import_samples(2);
    unit_run("UPDATE event SET size = 1.5 WHERE id = 3");
    ck_assert(!push(true, &error));
    assert_message(&error, "event.size has invalid contents");
    expect_sound(0, 0);
    ck_assert(push(false, &error));
    expect_sound(2, 0);
}

/* --- selecting a trace ------------------------------------------------------------------------ */

/* Selects "io" and "more" of device d, and "io" of another, by all their names. */
UNIT_LOOP(what_is_typed, 8) {
    static const struct {
        const char *typed, *says; /* says: NULL: found */
    } words[] = {
        {"more", NULL},
        {"d/io", NULL},
        {"d/more", NULL},
        {"steps", NULL},
        {"d/steps", "the store has no trace 'd/steps'"},
        {"mor", "the store has no trace 'mor'"},
        {"", "the store has no trace ''"},
        {"io", "'io' is ambiguous: 2 traces match: "},
    };
    struct remote_commits commits;
    const struct remote_commit *found_one;
    char hash[33];

    import_samples(4);
    unit_run("UPDATE trace SET device = 'd' WHERE name IN ('io', 'more')");
    load_catalog();
    ck_assert(push(false, &error));
    ck_assert(fake_store_run("UPDATE fake.trace SET name = 'io' WHERE name = 'calls'"));
    ck_assert(remote_commits_load(&commits, &remote, NULL, &error));
    found_one = remote_commits_choose(&commits, words[_i].typed, &error);
    if (words[_i].says != NULL) {
        ck_assert_ptr_null(found_one);
        assert_message(&error, words[_i].says);
    } else {
        assert_done(found_one != NULL);
        ck_assert_str_eq(found_one->name, strrchr(words[_i].typed, '/') == NULL
                                              ? words[_i].typed
                                              : strrchr(words[_i].typed, '/') + 1);
        /* By the hash, complete or a prefix; three digits are too few. */
        snprintf(hash, sizeof hash, "%s", found_one->hash);
        ck_assert_ptr_eq(remote_commits_choose(&commits, hash, &error), found_one);
        hash[8] = '\0';
        ck_assert_ptr_eq(remote_commits_choose(&commits, hash, &error), found_one);
        hash[3] = '\0';
        ck_assert_ptr_null(remote_commits_choose(&commits, hash, &error));
    }
    remote_commits_free(&commits);
}

/* --- failures in transit ---------------------------------------------------------------------- */

/* Exchanges that fail: the first ones whose statement begins with this. */
static struct trouble {
    const char *with;
    int times;
    void (*make)(struct fake_exchange *exchange);
    int made;
} trouble;

static void make_trouble(void *context, struct fake_exchange *exchange) {
    (void)context;
    if (strncmp(exchange->statement, trouble.with, strlen(trouble.with)) == 0 &&
        trouble.made < trouble.times) {
        trouble.made++;
        trouble.make(exchange);
    }
}

static void expect_trouble(const char *with, int times,
                           void (*make)(struct fake_exchange *exchange)) {
    trouble = (struct trouble){with, times, make, 0};
    fake_store_watched(make_trouble, NULL);
}

/* The store executes the request, but the answer is lost. */
static void lose(struct fake_exchange *exchange) {
    text_clear(exchange->answer);
    *exchange->outcome = (struct http_outcome){.worth_retrying = true, .reason = "lost"};
}

static void complain(struct fake_exchange *exchange, long status, const char *what) {
    text_clear(exchange->answer);
    text_append_string(exchange->answer, what);
    *exchange->outcome = (struct http_outcome){.answered = true, .status = status};
}

static void be_busy(struct fake_exchange *exchange) {
    complain(exchange, 500, "Code: 202, e.displayText() = DB::Exception: Too many queries");
}

static const struct {
    const char *with;
    int times;
    void (*make)(struct fake_exchange *exchange);
    unsigned attempts; /* 0: any */
} troubles[] = {
    /* A retry would duplicate the rows, so everything is sent again with another number. */
    {"INSERT INTO fake.`name`", 1, lose, 2},
    /* The row that commits may exist twice. */
    {"INSERT INTO fake.`trace`", 1, lose, 0},
    {"SELECT", 2, be_busy, 0},
};

UNIT_LOOP(troubles_that_pass, COUNT(troubles)) {
    import_samples(3);
    expect_trouble(troubles[_i].with, troubles[_i].times, troubles[_i].make);
    assert_done(push(true, &error));
    ck_assert_int_eq(trouble.made, troubles[_i].times);
    if (troubles[_i].attempts > 0) {
        ck_assert_uint_gt(fake_store_waited(), 0);
        for (size_t i = 0; i < outcome_count; i++) {
            ck_assert_uint_eq(outcomes[i].attempts, troubles[_i].attempts);
        }
    }
    expect_sound(3, 3);
}

UNIT_TEST(busy_for_ever) {
    import_samples(2);
    expect_trouble("INSERT", 1000, be_busy);
    ck_assert(!push(true, &error));
    assert_message(&error, "Too many queries");
    fake_store_watched(NULL, NULL);
    expect_sound(0, 0);
}

/* Loses a row, while the store reports success. */
static void lose_row(struct fake_exchange *exchange) {
    (void)exchange;
    ck_assert(fake_store_run("DELETE FROM fake.name WHERE rowid IN (SELECT max(rowid) FROM "
                             "fake.name)"));
}

static void change_row(struct fake_exchange *exchange) {
    (void)exchange;
    ck_assert(fake_store_run("UPDATE fake.name SET id = id + 1 WHERE rowid IN (SELECT max(rowid) "
                             "FROM fake.name)"));
}

static void (*const losses[])(struct fake_exchange *exchange) = {lose_row, change_row};

/* Once: it is sent again. Always: it is given up, and not committed; the earlier trace, which has
 * no loss, is. */
UNIT_LOOP(rows_that_are_lost, 2) {
    import_samples(2);
    expect_trouble("INSERT INTO fake.`name`", 1, losses[_i]);
    assert_done(push(true, &error));
    expect_sound(2, 2);
    ck_assert(fake_store_run("DELETE FROM fake.trace"));
    expect_trouble("INSERT INTO fake.`name`", 1000, losses[_i]);
    ck_assert(!push(true, &error));
    assert_message(&error, "nothing was committed");
    fake_store_watched(NULL, NULL);
    expect_sound(1, 1);
}

/* --- maintenance ------------------------------------------------------------------------------ */

UNIT_LOOP(check_sees_what_changed, 6) {
    static const char *const changes[] = {
        "UPDATE fake.name SET text = text || 'x' WHERE id = 2",
        "UPDATE fake.ledger SET count = count + 1",
        "DELETE FROM fake.rollup_hour WHERE rowid = 1",
        "INSERT INTO fake.actor SELECT * FROM fake.actor WHERE rowid = 1",
        "UPDATE fake.event SET time = time + 1 WHERE id = 1",
        "UPDATE fake.event SET size = NULL WHERE size NOT NULL",
    };
    struct text wrong = {0};
    struct maintenance_report report = {.found = found, .context = &wrong};

    import_samples(3);
    ck_assert(push(true, &error));
    ck_assert(fake_store_run(changes[_i]));
    ck_assert(maintenance_check(&remote, &report, &error));
    ck_assert_int_ge(report.wrong, 1);
    ck_assert_ptr_nonnull(strstr(wrong.bytes, "differ from what was sent"));
    text_free(&wrong);
}

UNIT_LOOP(counts_that_cannot_be, 2) {
    static const char *const changes[] = {"UPDATE fake.trace SET events = 9223372036854775807",
                                          "UPDATE fake.trace SET events = -1"};
    struct maintenance_report report = {.found = found};

    import_samples(2);
    ck_assert(push(true, &error));
    ck_assert(fake_store_run(changes[_i]));
    ck_assert(!maintenance_check(&remote, &report, &error));
    assert_message(&error, "unexpected answer");
}

UNIT_TEST(removed_and_swept) {
    struct remote_commits commits;
    bool in_cluster;
    int64_t rows, attempts;

    import_samples(3);
    ck_assert(push(true, &error));
    assert_done(maintenance_find_tables(&remote, &in_cluster, &error));
    ck_assert(!in_cluster);
    ck_assert(remote_commits_load(&commits, &remote, NULL, &error));
    ck_assert(maintenance_remove(&remote, &commits, commits.rows[0].pair.trace, &error));
    remote_commits_free(&commits);
    expect_sound(2, 2);
    /* Old enough that no reader can use it. */
    assert_done(maintenance_sweep(&remote, 3600, &rows, &attempts, &error));
    ck_assert_int_eq(attempts, 0);
    assert_done(maintenance_sweep(&remote, -1, &rows, &attempts, &error));
    ck_assert_int_eq(attempts, 1);
    ck_assert_int_gt(rows, 10);
    expect_sound(2, 2);
    ck_assert(push(true, &error));
    expect_sound(3, 3);
}

UNIT_LOOP(tables_that_are_missing, 4) {
    static const struct {
        const char *sql, *says;
    } spoilt[] = {
        {"DELETE FROM system.columns", "there is no table trace"},
        {"DELETE FROM system.columns WHERE name = 'self'", "there is no event.self"},
        {"UPDATE system.columns SET type = 'Int32' WHERE name = 'size'", "is of type Int32"},
        {"UPDATE system.columns SET type = 'Int64' WHERE name = 'attempt'", "is of type Int64"},
    };
    bool in_cluster;

    ck_assert(fake_store_run(spoilt[_i].sql));
    ck_assert(!maintenance_find_tables(&remote, &in_cluster, &error));
    assert_message(&error, spoilt[_i].says);
}

/* A store of an earlier version, with pushed data, gets them by `store init`. */
UNIT_TEST(columns_that_are_missing) {
    bool in_cluster;
    struct text others = {0};

    import_samples(3);
    ck_assert(push(true, &error));
    ck_assert(fake_store_run("ALTER TABLE fake.trace DROP COLUMN rows;"
                             "DELETE FROM system.columns WHERE name = 'rows'"));
    ck_assert(!maintenance_find_tables(&remote, &in_cluster, &error));
    assert_message(&error, "there is no trace.rows; make it with tracetool store init");
    assert_done(maintenance_init(&remote, NULL, &others, &error));
    assert_done(maintenance_find_tables(&remote, &in_cluster, &error));
    expect_sound(3, 3);
    text_free(&others);
}

UNIT_LOOP(clusters, 7) {
    static const struct {
        const char *sql, *cluster, *says; /* says: NULL: valid */
    } layouts[] = {
        {"SELECT 1", "fleet", "the server knows no cluster 'fleet'; there is none"},
        {"INSERT INTO system.clusters VALUES ('a', 'h', 9000, 1, 1, 1), ('b', 'h', 9000, 1, 1, 1)",
         "fleet", "there are: a, b"},
        {"INSERT INTO system.clusters VALUES ('fleet', 'h', 9000, 2, 0, 1)", "fleet",
         "is not replicated"},
        {"INSERT INTO system.clusters VALUES ('fleet', 'h', 9000, 1, 1, 1), "
         "('fleet', 'other', 9001, 1, 0, 2)",
         "fleet", NULL},
        {"INSERT INTO system.tables VALUES ('trace', 'Distributed(''fleet'', ''fake'')', 'fake')",
         NULL, "its tables are of cluster 'fleet'"},
        {"INSERT INTO system.tables VALUES ('trace_local', 'MergeTree', 'fake')", NULL,
         "were created for a cluster"},
        {"INSERT INTO system.clusters VALUES ('fleet', 'h', 9000, 1, 1, 1);"
         "INSERT INTO system.tables VALUES ('trace', 'MergeTree', 'fake')",
         "fleet", "to no cluster"},
    };
    struct text others = {0};
    bool done;

    ck_assert(fake_store_run(layouts[_i].sql));
    done = maintenance_init(&remote, layouts[_i].cluster, &others, &error);
    ck_assert_int_eq(done, layouts[_i].says == NULL);
    if (done) {
        ck_assert_str_eq(text_string(&others), "other:9001");
    } else {
        assert_message(&error, layouts[_i].says);
    }
    text_free(&others);
}

/* --- server errors ---------------------------------------------------------------------------- */

static const struct {
    long status;
    const char *answer, *says;
} complaints[] = {
    {404, "Code: 60, e.displayText() = DB::Exception: Table fake.trace doesn't exist.",
     "tracetool store init makes a store"},
    {403, "Code: 516, e.displayText() = DB::Exception: Authentication failed",
     "TRACETOOL_STORE_USER"},
    {500, "Code: 164, e.displayText() = DB::Exception: Cannot modify 'x' setting in readonly mode",
     "needs the setting readonly = 2"},
    {500, "Code: 164, e.displayText() = DB::Exception: Cannot execute query in readonly mode\n",
     "readonly mode; this user may only read"},
    {500, "Code: 279, e.displayText() = DB::Exception: There is no table fake.trace on server",
     "each server needs tracetool store init"},
    {500, "Code: 279, e.displayText() = DB::NetException: All connection tries failed. Log:",
     "a server of the cluster cannot be reached"},
    {500, "Code: 47, e.displayText() = DB::Exception: Unknown identifier: rows",
     "tracetool store init adds the columns"},
    {302, "", "redirects are not followed"},
    {418, "teapot", "HTTP status 418: is a ClickHouse server there?"},
    {200, "", "unexpected answer to the query"},
    {200, "\1x", "unexpected answer to the query"},
    {200,
     "\3"
     "0.1",
     "unexpected answer to the query"},
};

static int complaint;

static void complain_so(struct fake_exchange *exchange) {
    complain(exchange, complaints[complaint].status, complaints[complaint].answer);
}

UNIT_LOOP(complaints_are_told, COUNT(complaints)) {
    struct remote other;

    complaint = _i;
    expect_trouble("SELECT version()", 1000, complain_so);
    ck_assert(!remote_open(&other, &options, &error));
    assert_message(&error, complaints[_i].says);
}

static void be_a_page(struct fake_exchange *exchange) {
    complain(exchange, 200, "<html>");
    exchange->outcome->is_html = true;
}

static void be_long(struct fake_exchange *exchange) {
    exchange->outcome->too_long = true;
}

UNIT_LOOP(no_answers, 3) {
    static const struct {
        void (*make)(struct fake_exchange *exchange);
        const char *says;
    } answers[] = {{be_a_page, "unexpected answer"},
                   {be_long, "the answer of the server is too long"},
                   {lose, "lost"}};
    struct remote_commits commits;

    expect_trouble("SELECT", 1000, answers[_i].make);
    ck_assert(!remote_commits_load(&commits, &remote, NULL, &error));
    assert_message(&error, answers[_i].says);
}

/* --- reports ----------------------------------------------------------------------------------*/

/* Where reports are made: the file or the store. */
struct place {
    struct store_snapshot *snapshot; /* NULL: the file */
    struct database database;
    struct workspace workspace;
};

static struct place here, there;

static bool open_there(int64_t most_rows, struct error *error) {
    *error = (struct error){0};
    there.snapshot = store_snapshot_open(&options, most_rows, &there.database, error);
    return there.snapshot != NULL &&
           workspace_open(&there.workspace, &there.database, &config, &queries, error);
}

static void close_there(void) {
    if (there.snapshot != NULL) {
        workspace_close(&there.workspace);
        database_close(&there.database);
        store_snapshot_close(there.snapshot);
    }
}

/* Pushes `count` samples and opens both places. */
static void open_both(size_t count, bool events) {
    import_samples(count);
    assert_done(push(events, &error));
    ck_assert(query_set_load(&queries, NULL, &error));
    ck_assert(workspace_open(&here.workspace, &database, &config, &queries, &error));
    assert_done(open_there(STORE_SNAPSHOT_MOST_ROWS, &error));
}

static void close_both(void) {
    close_there();
    workspace_close(&here.workspace);
    query_set_free(&queries);
}

/* Checks for the same bytes, or the same error. Returns whether the report is available. */
static bool expect_same(const struct report_request *request, const char *what) {
    return unit_same(&here.workspace, &there.workspace, request, what);
}

/* Each report, without options: with them it uses the same tables. */
UNIT_TEST(reports_are_those_of_the_file) {
    int made = 0;

    open_both(SAMPLES, true);
    for (size_t i = 0; i < queries.count; i++) {
        const struct query *query = &queries.queries[i];

        if (query->when_option == NULL) {
            made += expect_same(&(struct report_request){.report = query->report}, query->file);
        }
    }
    ck_assert_int_gt(made, 50);
    close_both();
}

/* Three traces called boot, of two devices, and another. */
UNIT_LOOP(beginnings_that_several_have, 12) {
    static const struct {
        const char *typed, *device, *says; /* says: NULL: the trace of this device is selected */
    } words[] = {
        {"boot", NULL, "'boot' is ambiguous: 3 traces match: "},
        {"boo", NULL, "'boot' is ambiguous: 3 traces match: "},
        {"b", NULL, "'boot' is ambiguous: 3 traces match: "},
        {"dev2/boot", "dev2", NULL},
        {"dev2/bo", "dev2", NULL},
        {"dev2", "dev2", NULL},
        {"dev1/bo", NULL, "'dev1/boot' is ambiguous: 2 traces match: "},
        {"dev", NULL, "trace 'dev' is ambiguous: it could mean dev"},
        {"i", "", NULL},
        {"dev3/bo", NULL, "did you mean dev"},
        {"bot", NULL, "there is no trace bot; did you mean boot? There are: "},
        {"x", NULL, "dev2/boot"},
    };
    const struct catalog_trace *trace;
    struct catalog of_store;

    open_both(4, false);
    close_there();
    ck_assert(fake_store_run(
        "UPDATE fake.trace SET device = CASE name WHEN 'more' THEN 'dev2' ELSE 'dev1' END,"
        " name = 'boot' WHERE name <> 'io'"));
    ck_assert(open_there(STORE_SNAPSHOT_MOST_ROWS, &error));
    ck_assert(catalog_load(&of_store, &there.database, &error));
    trace = catalog_choose(&of_store, words[_i].typed, &error);
    if (words[_i].says != NULL) {
        ck_assert_ptr_null(trace);
        assert_message(&error, words[_i].says);
    } else {
        assert_done(trace != NULL);
        ck_assert_str_eq(trace->device, words[_i].device);
    }
    catalog_free(&of_store);
    close_both();
}

/* --- parts of the events ----------------------------------------------------------------------*/

enum { LONG_IOS = 600 };

/* Imports, after "io", which has lower ids, a log of LONG_IOS I/Os, 250 us apart, each queued and
 * completed, by four processes, on five files. */
static void import_long(void) {
    struct text log = {0};

    import_from(3, 1);
    for (int i = 0; i < LONG_IOS; i++) {
        for (int step = 0; step < 2; step++) {
            text_append_format(&log, "0.%03d%06d\t%c\t%s\t%d\t%d\t%d\tprocess%d\tD\t/data/%d.db\n",
                               i / 4, i % 4 * 250000 + step * 100000 + 1, step == 0 ? 'Q' : 'C',
                               i % 3 == 0 ? "R" : "W", 1000 + i * 7 % 40, 8 + i % 5 * 8,
                               300 + i % 4, i % 4, i % 5);
        }
    }
    unit_import(&database, "most", "long", text_string(&log));
    text_free(&log);
    load_catalog();
}

static const char *const process1[] = {"process1"}, *const database2[] = {"/data/2.db"},
                         *const nobody[] = {"nobody"};

/* Selections, and limits of the number of events fetched out of 1200, including those at the
 * ends. */
static const struct {
    const char *from, *to, *action;
    struct name_set processes, files;
    unsigned classes_out;
    int64_t most;
} chosen[] = {
    {"0.0500001", "0.1", NULL, {0}, {0}, 0, 401},
    {"0.05", "0.0504", NULL, {0}, {0}, 0, 6},
    {"0.14", NULL, NULL, {0}, {0}, 0, 81},
    {NULL, "0.01", NULL, {0}, {0}, 0, 81},
    {"0.05012", "0.05024", NULL, {0}, {0}, 0, 2},
    {"7", NULL, NULL, {0}, {0}, 0, 1},
    {NULL, "0", NULL, {0}, {0}, 0, 1},
    {"0.1", "0.05", NULL, {0}, {0}, 0, 1200},
    {NULL, NULL, NULL, {0}, {0}, 0, 620},
    {NULL, NULL, "Q", {0}, {0}, 0, 620},
    {NULL, NULL, NULL, {process1, 1, NULL, 0}, {0}, 0, 170},
    {NULL, NULL, NULL, {NULL, 0, process1, 1}, {0}, 0, 470},
    {"0.02", "0.1", NULL, {process1, 1, NULL, 0}, {0}, 0, 100},
    {NULL, NULL, NULL, {0}, {database2, 1, NULL, 0}, 0, 140},
    {NULL, NULL, NULL, {0}, {NULL, 0, database2, 1}, 0, 500},
    {NULL, NULL, NULL, {nobody, 1, NULL, 0}, {0}, 0, 18},
    {NULL, NULL, NULL, {0}, {0}, 1u << IO_READ, 420},
    {"0.03", NULL, "C", {process1, 1, NULL, 0}, {NULL, 0, database2, 1}, 1u << IO_WRITE, 60},
};

enum { CHOSEN = COUNT(chosen) };

static void choose_events(struct filter *filter, int which) {
    *filter = (struct filter){.action = chosen[which].action,
                              .words_out[FILTER_CLASSES] = chosen[which].classes_out};
    filter->names[FILTER_PROCESS] = chosen[which].processes;
    filter->names[FILTER_FILE] = chosen[which].files;
    ck_assert(time_bound_parse("from", chosen[which].from, &filter->from, &error));
    ck_assert(time_bound_parse("to", chosen[which].to, &filter->to, &error));
}

/* Counts the requested rows of `event`; their ids belong to one trace. */
static int64_t event_rows;

static void count_events(void *context, struct fake_exchange *exchange) {
    static const char rows[] = "SELECT trace, attempt, `id`, `time`";

    (void)context;
    if (strncmp(exchange->statement, rows, strlen(rows)) == 0) {
        struct rowbinary_reader reader = rowbinary_reader(exchange->answer);

        for (; rowbinary_more(&reader); event_rows++) {
            rowbinary_u64(&reader);
            rowbinary_u64(&reader);
            for (const struct remote_column *column = remote_table_find("event")->columns;
                 column->name != NULL; column++) {
                size_t length;

                if (remote_type_is_nullable(column->type) && rowbinary_read_null(&reader)) {
                    continue;
                }
                if (remote_type_is_text(column->type)) {
                    rowbinary_text(&reader, &length);
                } else {
                    rowbinary_i64(&reader);
                }
            }
        }
        ck_assert(!reader.failed);
    }
}

/* Reopens the store; its report must equal that of the file. */
static bool expect_parts(const struct report_request *request) {
    bool made;

    event_rows = 0;
    ck_assert(open_there(STORE_SNAPSHOT_MOST_ROWS, &error));
    made = expect_same(request, request->report);
    close_there();
    return made;
}

/* Checks a report with a known number of events, and those whose turn it is. */
static void expect_choice(int which) {
    static const char *const traces[] = {"io", "long"};
    struct report_request request = {.report = "seeks", .traces = traces, .trace_count = 2};
    struct filter filter;

    choose_events(&filter, which);
    request.filter = filter;
    ck_assert_int_eq(expect_parts(&request), chosen[which].processes.names != nobody);
    /* "io" has 53, and all of them are fetched. */
    ck_assert_msg(event_rows <= chosen[which].most + 53, "%d: %" PRId64 " events", which,
                  event_rows);
    for (size_t i = (size_t)which; i < queries.count; i += CHOSEN) {
        struct report_option option;

        request = unit_request(&queries.queries[i], &option);
        request.traces = traces;
        request.trace_count = 2;
        request.filter = filter;
        if ((queries.queries[i].kinds & 1u << TRACE_IO) != 0) {
            expect_parts(&request);
        }
    }
}

/* Each report equals that of the file, and only the events that it reads are fetched. */
UNIT_TEST(parts_are_those_of_the_file) {
    import_long();
    assert_done(push(true, &error));
    ck_assert(query_set_load(&queries, NULL, &error));
    ck_assert(workspace_open(&here.workspace, &database, &config, &queries, &error));
    fake_store_watched(count_events, NULL);
    for (int which = 0; which < CHOSEN; which++) {
        expect_choice(which);
    }
    workspace_close(&here.workspace);
    query_set_free(&queries);
}

/* Changes the rows of `event` in transit. */
static void drop_events(void *context, struct fake_exchange *exchange) {
    (void)context;
    if (strncmp(exchange->statement, "SELECT trace, attempt, `id`, `time`", 35) == 0) {
        text_clear(exchange->answer);
    }
}

/* Rows that are lost, moved or have another time are detected in a part, too. */
UNIT_LOOP(parts_that_lack_rows, 5) {
    static const struct {
        const char *sql, *says; /* sql: NULL: no rows arrive */
    } wrong[] = {
        {"DELETE FROM fake.event WHERE id = 150", "fewer rows of event of trace long"},
        {NULL, "fewer rows of event of trace long"},
        {"UPDATE fake.event SET id = 502 WHERE id = 500", ""},
        {"UPDATE fake.event SET time = 0 WHERE id = 500", "unexpected answer"},
        {"UPDATE fake.event SET time = 60000000 WHERE id = 1100", "unexpected answer"},
    };
    static const char *const traces[] = {"long"};
    struct report_request request = {.report = "seeks", .traces = traces, .trace_count = 1};

    import_long();
    open_both(0, true);
    close_there();
    choose_events(&request.filter, 0);
    ck_assert(expect_parts(&request));
    ck_assert(wrong[_i].sql == NULL || fake_store_run(wrong[_i].sql));
    fake_store_watched(wrong[_i].sql == NULL ? drop_events : NULL, NULL);
    ck_assert(open_there(STORE_SNAPSHOT_MOST_ROWS, &error));
    ck_assert_ptr_null(unit_printed(&there.workspace, &request, &error));
    assert_message(&error, wrong[_i].says);
    close_both();
}

/* If one row is lost and another duplicated, the total is unchanged. The part has the events 401 to
 * 800. */
UNIT_LOOP(parts_of_which_others_are_twice, 5) {
    static const struct {
        const char *report, *table, *event;
        int lost, twice;
    } wrong[] = {
        {"seeks", "event", "id", 500, 900},    {"seeks", "event", "id", 900, 1000},
        {"files", "event", "id", 500, 300},    {"files", "io_part", "event", 500, 900},
        {"files", "io_part", "event", 900, 2},
    };
    static const char *const traces[] = {"long"};
    struct report_request request = {
        .report = wrong[_i].report, .traces = traces, .trace_count = 1};
    struct text sql = {0};

    import_long();
    /* Every second event has two parts. */
    unit_run("INSERT INTO io_part SELECT e.id, n.value, e.object, e.flags,"
             " iif(n.value, 512, e.size - 512) FROM trace AS t"
             " JOIN event AS e ON e.id BETWEEN t.first_event AND t.last_event"
             " JOIN json_each('[0, 1]') AS n"
             " WHERE t.name = 'long' AND (e.id - t.first_event) % 2 = 1");
    open_both(0, true);
    close_there();
    choose_events(&request.filter, 0);
    ck_assert(expect_parts(&request));
    text_append_format(&sql, "DELETE FROM fake.%s WHERE %s = %d", wrong[_i].table, wrong[_i].event,
                       wrong[_i].lost);
    ck_assert(fake_store_run(text_string(&sql)));
    text_clear(&sql);
    text_append_format(&sql, "INSERT INTO fake.%s SELECT * FROM fake.%s WHERE %s = %d",
                       wrong[_i].table, wrong[_i].table, wrong[_i].event, wrong[_i].twice);
    ck_assert(fake_store_run(text_string(&sql)));
    text_clear(&sql);
    text_append_format(&sql,
                       "of trace long some rows of %s are missing, and others are there twice",
                       wrong[_i].table);
    ck_assert(open_there(STORE_SNAPSHOT_MOST_ROWS, &error));
    ck_assert_ptr_null(unit_printed(&there.workspace, &request, &error));
    assert_message(&error, text_string(&sql));
    text_free(&sql);
    close_both();
}

/* Of two errors, the one that a file reports. */
UNIT_TEST(two_mistakes) {
    static const char *const traces[] = {"long"}, *const files[] = {"nosuch"};
    struct report_request request = {.report = "seeks", .traces = traces, .trace_count = 1};

    import_long();
    open_both(0, true);
    request.filter.action = "X";
    ck_assert_ptr_null(unit_printed(&there.workspace, &request, &error));
    assert_message(&error, "trace long has no I/O with action X");
    request.filter.names[FILTER_FILE] = (struct name_set){files, 1, NULL, 0};
    ck_assert_ptr_null(unit_printed(&here.workspace, &request, &error));
    assert_message(&error, "no file is called nosuch in trace long");
    ck_assert_ptr_null(unit_printed(&there.workspace, &request, &error));
    assert_message(&error, "no file is called nosuch in trace long");
    close_both();
}

/* Numbers of the requests for events, or their count. */
static size_t of_events[8], of_events_count;

static void note_events(void *context, struct fake_exchange *exchange) {
    (void)context;
    if (strstr(exchange->statement, " FROM fake.`event` ") != NULL && of_events_count < 8) {
        of_events[of_events_count++] = exchange->number;
    }
}

/* Nothing is asked beforehand if nearly all events are fetched; a limit's message says what
 * helps. */
UNIT_LOOP(events_that_come_whole, 4) {
    static const struct {
        const char *trace, *from, *to;
        bool filtered;
        size_t asked;
        const char *says; /* of --most-rows */
    } cases[] = {
        {"io", "0.0001", NULL, true, 1, "choose fewer traces with -t (all events"},
        {"long", "0.002", "0.145", false, 1, "choose fewer traces with -t (all events"},
        {"long", "0.002", "0.145", true, 3, "choose traces with -t, a time with --from"},
        {"long", "0.02", "0.12", false, 3, "choose traces with -t, a time with --from"},
    };
    const char *traces[] = {cases[_i].trace};
    struct report_request request = {.report = "seeks", .traces = traces, .trace_count = 1};

    import_long();
    open_both(0, true);
    close_there();
    ck_assert(time_bound_parse("from", cases[_i].from, &request.filter.from, &error));
    ck_assert(time_bound_parse("to", cases[_i].to, &request.filter.to, &error));
    request.filter.words_out[FILTER_CLASSES] = cases[_i].filtered ? 1u << IO_READ : 0;
    of_events_count = 0;
    fake_store_watched(note_events, NULL);
    ck_assert(open_there(STORE_SNAPSHOT_MOST_ROWS, &error));
    expect_same(&request, cases[_i].trace);
    ck_assert_uint_eq(of_events_count, cases[_i].asked);
    close_there();
    ck_assert(open_there(1, &error));
    ck_assert_ptr_null(unit_printed(&there.workspace, &request, &error));
    assert_message(&error, cases[_i].says);
    close_both();
}

/* Rows that a store has lost or duplicated do not enter sums silently; without counts from the
 * push, nothing can be detected. */
UNIT_LOOP(sums_of_other_rows, 5) {
    static const struct {
        const char *sql, *says; /* says: NULL: the report equals that of the file */
    } changes[] = {
        {"DELETE FROM fake.rollup_size WHERE rowid = (SELECT max(rowid) FROM fake.rollup_size)",
         "fewer rows of rollup_size of trace "},
        {"INSERT INTO fake.rollup_size SELECT * FROM fake.rollup_size WHERE rowid = (SELECT "
         "max(rowid) FROM fake.rollup_size)",
         "more rows of rollup_size of trace "},
        {"DELETE FROM fake.rollup_size WHERE (trace, attempt) = (SELECT trace, attempt FROM"
         " fake.trace WHERE name = 'io')",
         "fewer rows of rollup_size of trace io than"},
        {"UPDATE fake.trace SET rows = ''", NULL},
        {"UPDATE fake.trace SET rows = rows || ' of_tomorrow=9'", NULL},
    };
    const struct report_request request = {.report = "rw"};

    open_both(4, false);
    close_there();
    ck_assert(fake_store_run(changes[_i].sql));
    ck_assert(open_there(STORE_SNAPSHOT_MOST_ROWS, &error));
    if (changes[_i].says == NULL) {
        ck_assert(expect_same(&request, changes[_i].sql));
        ck_assert(expect_same(&(struct report_request){.report = "hourly"}, changes[_i].sql));
    } else {
        ck_assert_ptr_null(unit_printed(&there.workspace, &request, &error));
        assert_message(&error, changes[_i].says);
    }
    close_both();
}

/* Drops or duplicates one of the sums in an answer. */
static bool sums_are_twice;

static void spoil_sums(void *context, struct fake_exchange *exchange) {
    /* class, size, rows, and four sums with a byte before each */
    enum { ROW = 3 * 8 + 4 * 9 };
    struct text *answer = exchange->answer;

    (void)context;
    if (strstr(exchange->statement, "sum(bitShiftRight(") == NULL ||
        strstr(exchange->statement, "`rollup_size`") == NULL) {
        return;
    }
    ck_assert_uint_eq(answer->length % ROW, 0);
    ck_assert_uint_gt(answer->length, ROW);
    if (sums_are_twice) {
        char row[ROW];

        memcpy(row, answer->bytes + ROW, ROW);
        text_append(answer, row, ROW);
    } else {
        answer->length -= ROW;
    }
}

UNIT_LOOP(sums_that_are_missing, 2) {
    open_both(4, false);
    sums_are_twice = _i;
    fake_store_watched(spoil_sums, NULL);
    ck_assert_ptr_null(
        unit_printed(&there.workspace, &(struct report_request){.report = "rw"}, &error));
    assert_message(&error, _i ? "rollup_size" : "sums cover fewer rows of rollup_size than it has");
    close_both();
}

/* Traces selected together get distinct names; a single one keeps its name. */
UNIT_TEST(names_that_several_have) {
    struct catalog of_store;
    char *printed, name[64];

    open_both(4, false);
    close_there();
    ck_assert(fake_store_run("UPDATE fake.trace SET name = 'boot' WHERE name <> 'io'"));
    ck_assert(open_there(STORE_SNAPSHOT_MOST_ROWS, &error));
    ck_assert(catalog_load(&of_store, &there.database, &error));
    for (size_t i = 0; i < of_store.count; i++) {
        const char *const hash = of_store.traces[i].hash;

        printed = unit_printed(
            &there.workspace,
            &(struct report_request){.report = "summary", .traces = &hash, .trace_count = 1},
            &error);
        assert_done(printed != NULL);
        ck_assert_ptr_null(strstr(printed, "boot ["));
        free(printed);
    }
    printed = unit_printed(&there.workspace,
                           &(struct report_request){.report = "summary", .by_trace = true}, &error);
    assert_done(printed != NULL);
    for (size_t i = 0; i < of_store.count; i++) {
        snprintf(name, sizeof name, "\"boot [%.8s]\"", of_store.traces[i].hash);
        ck_assert_msg((strstr(printed, name) != NULL) ==
                          (strcmp(of_store.traces[i].name, "io") != 0),
                      "%s", printed);
    }
    ck_assert_ptr_nonnull(strstr(printed, "\"io\""));
    free(printed);
    catalog_free(&of_store);
    /* Typed names still select the same. */
    ck_assert(catalog_load(&of_store, &there.database, &error));
    ck_assert_ptr_null(catalog_choose(&of_store, "boot", &error));
    assert_message(&error, "'boot' is ambiguous: 3 traces match: ");
    catalog_free(&of_store);
    close_both();
}

UNIT_TEST(events_that_are_not_there) {
    const struct report_request request = {.report = "gaps"};

    open_both(2, false);
    ck_assert_ptr_null(unit_printed(&there.workspace, &request, &error));
    assert_message(&error, "was pushed without its events");
    close_there();
    ck_assert(push(true, &error));
    ck_assert(open_there(3, &error));
    ck_assert_ptr_null(unit_printed(&there.workspace, &request, &error));
    assert_message(&error, "raise the limit with --most-rows N");
    close_both();
}

/* Only traces with open calls need their events: rollups answer for the others. */
UNIT_TEST(events_of_one_result) {
    const struct report_request request = {.report = "functions"};
    const struct push_listener listener = {.take = take_outcome};
    const struct catalog_trace *traces[2];

    open_both(SAMPLES, false);
    ck_assert_ptr_null(unit_printed(&there.workspace, &request, &error));
    assert_message(&error, "was pushed without its events");
    close_there();
    traces[0] = catalog_find(&catalog, "spans");
    traces[1] = catalog_find(&catalog, "open");
    outcome_count = 0;
    assert_done(push_traces(&remote, &database, traces, 2, true, &listener, &error));
    ck_assert(open_there(STORE_SNAPSHOT_MOST_ROWS, &error));
    ck_assert(expect_same(&request, "functions"));
    close_both();
}

/* --- lies -------------------------------------------------------------------------------------*/

/* A change of an answer. */
static struct lie {
    size_t number;
    unsigned kind, place;
    bool told;
} lie;

enum { LIE_KINDS = 7 };

static void tell_lie(void *context, struct fake_exchange *exchange) {
    struct text *answer = exchange->answer;
    const size_t at = answer->length * lie.place / 8;

    (void)context;
    if (exchange->number != lie.number || answer->length == 0) {
        return;
    }
    lie.told = true;
    switch (lie.kind) {
    case 0:
        answer->length = at;
        break;
    case 1:
        answer->length--;
        break;
    case 2:
        text_append_char(answer, 1);
        break;
    case 3: {
        struct text once = {0};

        text_append(&once, answer->bytes, answer->length);
        text_append(answer, once.bytes, once.length);
        text_free(&once);
        break;
    }
    case 4:
        answer->bytes[at] ^= (char)(1 << lie.place);
        break;
    default: /* extreme numbers */
        for (size_t i = at; i < at + 8 && i < answer->length; i++) {
            answer->bytes[i] = (char)(lie.kind == 5 ? 0xff : i == at + 7 ? 0x80 : 0);
        }
    }
}

static void try_lie(void) {
    static const char *const reports[] = {"summary", "gaps"};

    if (!open_there(STORE_SNAPSHOT_MOST_ROWS, &error)) {
        ck_assert_int_ne(error.message[0], '\0');
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        free(
            unit_printed(&there.workspace, &(struct report_request){.report = reports[i]}, &error));
        ck_assert(error.status == EXIT_DONE || error.message[0] != '\0');
    }
    close_there();
}

/* The only results are a report or an error; every seventh answer is that to another request. */
UNIT_LOOP(lies, LIE_KINDS) {
    size_t count, told = 0;

    open_both(2, true);
    close_there();
    count = fake_store_requests();
    try_lie();
    count = fake_store_requests() - count;
    fake_store_watched(tell_lie, NULL);
    for (size_t i = (size_t)_i; i < count; i += LIE_KINDS) {
        lie = (struct lie){fake_store_requests() + i, (unsigned)_i, (unsigned)(i % 8), false};
        try_lie();
        told += lie.told;
    }
    ck_assert_uint_ge(told, 2);
    workspace_close(&here.workspace);
    query_set_free(&queries);
}

static void print_part(void) {
    static const char *const traces[] = {"long"};
    struct report_request request = {.report = "seeks", .traces = traces, .trace_count = 1};

    choose_events(&request.filter, 12);
    assert_done(open_there(STORE_SNAPSHOT_MOST_ROWS, &error));
    free(unit_printed(&there.workspace, &request, &error));
    ck_assert(error.status == EXIT_DONE || error.message[0] != '\0');
    close_there();
}

/* The same for requests that find, count and fetch a part of the events. */
UNIT_TEST(lies_of_parts) {
    size_t begun, told = 0;

    import_long();
    open_both(0, true);
    close_there();
    of_events_count = 0;
    fake_store_watched(note_events, NULL);
    begun = fake_store_requests();
    print_part();
    ck_assert_uint_eq(of_events_count, 3);
    fake_store_watched(tell_lie, NULL);
    for (size_t i = 0; i < of_events_count * LIE_KINDS; i++) {
        lie = (struct lie){fake_store_requests() + of_events[i / LIE_KINDS] - begun,
                           (unsigned)(i % LIE_KINDS), (unsigned)(i % 8), false};
        print_part();
        told += lie.told;
    }
    ck_assert_uint_ge(told, 20);
    workspace_close(&here.workspace);
    query_set_free(&queries);
}

/* Missing rows, and ids of other traces, are detected. */
UNIT_LOOP(rows_that_cannot_be, 11) {
    static const struct {
        const char *sql, *report, *says;
    } wrong[] = {
        {"DELETE FROM fake.event WHERE id = 2", "gaps", "fewer rows of event"},
        {"DELETE FROM fake.name WHERE id = 2", "popularity", "fewer rows of name"},
        {"UPDATE fake.event SET operation = 1000000 WHERE id = 2", "gaps", "unexpected answer"},
        {"UPDATE fake.event SET actor = -1 WHERE id = 2", "gaps", "unexpected answer"},
        {"UPDATE fake.event SET id = 1 WHERE id = 2", "gaps", ""},
        {"UPDATE fake.name SET id = 4294967296 WHERE id = 1", "popularity", "unexpected answer"},
        {"UPDATE fake.trace SET first_event = -9223372036854775807 - 1", NULL, "unexpected answer"},
        {"UPDATE fake.trace SET last_event = 9223372036854775807", NULL, "unexpected answer"},
        {"UPDATE fake.trace SET first_event = -1, last_event = 9223372036854775807", NULL,
         "unexpected answer"},
        {"UPDATE fake.trace SET store_version = 2", NULL, "it is of store version 2"},
        {"UPDATE fake.source SET first_event = 1000000", NULL, "unexpected answer"},
    };
    const struct report_request request = {.report = wrong[_i].report};

    open_both(1, true);
    close_there();
    ck_assert(fake_store_run(wrong[_i].sql));
    if (wrong[_i].report == NULL) {
        ck_assert(!open_there(STORE_SNAPSHOT_MOST_ROWS, &error));
    } else {
        assert_done(open_there(STORE_SNAPSHOT_MOST_ROWS, &error));
        ck_assert_ptr_null(unit_printed(&there.workspace, &request, &error));
    }
    assert_message(&error, wrong[_i].says);
    close_both();
}

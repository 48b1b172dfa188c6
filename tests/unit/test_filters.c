/* Filters: every row of select/filters.h selects the same as plain SQL, in views, in passes over
 * columns and over rows, in walks over calls, and in every report.
 *
 * A new row fails until it has an example here. */
#include "base/words.h"
#include "scan/event_scan.h"
#include "scan/span_walk.h"
#include "select/match.h"
#include "unit.h"

static const struct {
    const char *name, *path;
} samples[] = {
    {"io", "testdata/most/small.po"},
    {"requests", "testdata/blkparse/ok/kernel.txt"},
    {"spans", "testdata/android-trace/ok/shop-v3-dual.trace"},
    {"probes", "testdata/rmp/ok/session.rmp"},
    {"files", "testdata/mobigen/small.txt"},
    {"strace", "testdata/strace/ok/names.strace"},
    {"layers", "testdata/ftrace/ok/layers.txt"},
};

#define SAMPLES COUNT(samples)

/* Selection of a filter in a trace, as SQL on the event e and its n(ame), a(ctor) and o(bject). */
static const struct example {
    enum filter_option option;
    const char *argument, *trace, *passes;
} examples[] = {
    {FILTER_OPTION_PROCESS, "kworker/0:1", "io", "a.name = 'kworker/0:1'"},
    {FILTER_OPTION_PROCESS, "1507", "probes", "a.pid = 1507"},
    {FILTER_OPTION_NOT_PROCESS, "app two", "io", "a.name IS NOT 'app two'"},
    {FILTER_OPTION_OP, "openat", "strace", "n.text = 'openat'"},
    {FILTER_OPTION_NOT_OP, "openat", "strace", "n.text IS NOT 'openat'"},
    {FILTER_OPTION_UNDER, "com.android.browser.TabControl.restoreState", "probes",
     "EXISTS (SELECT 1 FROM event AS p JOIN name AS m ON m.id = p.operation"
     " WHERE m.text = 'com.android.browser.TabControl.restoreState' AND p.actor = e.actor"
     " AND p.depth <= e.depth AND e.time BETWEEN p.time AND p.time + p.duration - 1)"},
    {FILTER_OPTION_COMPONENT, "java.lang.Thread", "spans",
     "(SELECT c.text FROM name AS c WHERE c.id = n.component) = 'java.lang.Thread'"},
    {FILTER_OPTION_NOT_COMPONENT, "java.lang.Thread", "spans",
     "(SELECT c.text FROM name AS c WHERE c.id = n.component) IS NOT 'java.lang.Thread'"},
    {FILTER_OPTION_FILE, "/sdcard/My Photos/a b.jpg", "files",
     "o.name = '/sdcard/My Photos/a b.jpg'"},
    {FILTER_OPTION_FILE, "/data/data/app one/my notes.db", "io",
     "o.name = '/data/data/app one/my notes.db'"},
    {FILTER_OPTION_NOT_FILE, "/sdcard/My Photos/a b.jpg", "files",
     "o.name IS NOT '/sdcard/My Photos/a b.jpg'"},
    {FILTER_OPTION_FILETYPE, "", "io", "ifnull(o.type, '') = ''"},
    {FILTER_OPTION_NOT_FILETYPE, "", "io", "ifnull(o.type, '') <> ''"},
    {FILTER_OPTION_PARTITION, "unmapped", "io", "1"},
    {FILTER_OPTION_NOT_PARTITION, "unmapped", "io", "0"},
    {FILTER_OPTION_CLASS, "write", "io", "e.flags & 7 = 2"},
    {FILTER_OPTION_NOT_CLASS, "write", "io", "e.flags & 7 <> 2"},
    {FILTER_OPTION_BLOCK_TYPE, "data", "io", "e.flags >> 3 & 7 = 1"},
    {FILTER_OPTION_BLOCK_TYPE, "journal,metadata", "io", "e.flags >> 3 & 7 IN (2, 3)"},
    {FILTER_OPTION_NOT_BLOCK_TYPE, "journal", "io", "e.flags >> 3 & 7 <> 2"},
    {FILTER_OPTION_EVIDENCE, "proven", "io", "e.flags >> 22 & 7 BETWEEN 1 AND 4"},
    {FILTER_OPTION_LAYER, "ext4", "layers", "n.kind = 'ext4'"},
    {FILTER_OPTION_THREAD, "1", "files", "a.tid = 1"},
    {FILTER_OPTION_NOT_THREAD, "1", "files", "a.tid IS NOT 1"},
    {FILTER_OPTION_THREAD, "jbd2/loop0-8", "layers", "a.name = 'jbd2/loop0-8'"},
    {FILTER_OPTION_THREAD, "Thread-7 (5)", "spans", "a.tid = 5"},
    {FILTER_OPTION_THREAD, "Thread-7/5", "spans", "a.tid = 5"},
    {FILTER_OPTION_THREAD, "1507:1530", "probes", "a.tid = 1530"},
    {FILTER_OPTION_PATH, "*.db", "files", "substr(o.name, -3) = '.db'"},
    {FILTER_OPTION_PATH, "/data/*-journal", "io", "o.name LIKE '/data/%-journal'"},
    {FILTER_OPTION_NOT_PATH, "*.db", "files", "o.name IS NULL OR substr(o.name, -3) <> '.db'"},
    {FILTER_OPTION_MIN_SIZE, "8192", "io", "e.size >= 8192"},
    {FILTER_OPTION_MIN_SIZE, "1000", "files", "e.size >= 1000"},
    {FILTER_OPTION_MAX_SIZE, "8192", "requests", "e.size <= 8192"},
    {FILTER_OPTION_MAX_SIZE, "100", "files", "e.size <= 100"},
    {FILTER_OPTION_MIN_DURATION, "150us", "requests", "e.duration >= 150000"},
    {FILTER_OPTION_MIN, "150us", "requests", "e.duration >= 150000"},
    {FILTER_OPTION_MIN_DURATION, "20us", "layers", "e.duration >= 20000"},
    {FILTER_OPTION_MIN_DURATION, "10ms", "probes", "e.duration >= 10000000"},
    /* Calls open at the end have times. */
    {FILTER_OPTION_MIN_DURATION, "100us", "spans",
     "ifnull((SELECT p.duration FROM open_call AS p WHERE p.event = e.id), e.duration) >= 100000"},
    /* Text of tables for missing names, and for processes. */
    {FILTER_OPTION_FILE, "(none)", "files", "o.name IS NULL"},
    {FILTER_OPTION_NOT_FILE, "(none)", "files", "o.name IS NOT NULL"},
    {FILTER_OPTION_FILE, "(none)", "io", "ifnull(o.name, '') IN ('', '(null)')"},
    {FILTER_OPTION_FILETYPE, "(none)", "io", "ifnull(o.type, '') = ''"},
    {FILTER_OPTION_PROCESS, "(none)", "io", "ifnull(a.name, '') IN ('', '(null)')"},
    {FILTER_OPTION_NOT_PROCESS, "(none)", "io", "ifnull(a.name, '') NOT IN ('', '(null)')"},
    {FILTER_OPTION_OP, "(none)", "strace", "e.operation IS NULL"},
    {FILTER_OPTION_NOT_THREAD, "(none)", "layers", "a.tid IS NOT NULL"},
    {FILTER_OPTION_PROCESS, "app/100", "strace", "a.pid = 100"},
    {FILTER_OPTION_PROCESS, "100 app", "strace", "a.pid = 100"},
    /* Lists, patterns and ends of paths, which match no name literally. */
    {FILTER_OPTION_OP, "openat,f*sync", "strace",
     "n.text = 'openat' OR (n.text LIKE 'f%' AND n.text LIKE '%sync')"},
    {FILTER_OPTION_NOT_OP, "*at", "strace", "n.text IS NULL OR n.text NOT LIKE '%at'"},
    {FILTER_OPTION_FILE, "a b.jpg", "files", "o.name = '/sdcard/My Photos/a b.jpg'"},
    {FILTER_OPTION_FILE, "*.db*", "files", "o.name LIKE '%.db%'"},
    {FILTER_OPTION_FILE, "a*.db,*.jpg", "files",
     "o.name LIKE '%/a%.db' AND substr(o.name, instr(o.name, 'a.db') - 1, 1) = '/'"
     " OR o.name LIKE '%.jpg'"},
    {FILTER_OPTION_NOT_FILE, "*.db,a b.jpg", "files",
     "o.name IS NULL OR (o.name NOT LIKE '%.db' AND o.name NOT LIKE '%/a b.jpg')"},
    {FILTER_OPTION_PATH, "*.db,*.jpg", "files", "o.name LIKE '%.db' OR o.name LIKE '%.jpg'"},
    {FILTER_OPTION_FILE, "my notes.db", "io", "o.name = '/data/data/app one/my notes.db'"},
    {FILTER_OPTION_FILETYPE, "sqlite*", "io", "o.type LIKE 'sqlite%'"},
    {FILTER_OPTION_PROCESS, "kworker*", "io", "a.name LIKE 'kworker%'"},
    {FILTER_OPTION_NOT_PROCESS, "kworker*,app two", "io",
     "a.name IS NULL OR (a.name NOT LIKE 'kworker%' AND a.name <> 'app two')"},
    {FILTER_OPTION_CLASS, "read,write", "io", "e.flags & 7 IN (0, 2)"},
    {FILTER_OPTION_THREAD, "jbd2*", "layers", "a.name LIKE 'jbd2%'"},
    {FILTER_OPTION_THREAD, "1507:*", "probes", "a.pid = 1507"},
    {FILTER_OPTION_THREAD, "153*", "probes",
     "a.name LIKE '153%' OR CAST(a.tid AS TEXT) LIKE '153%'"},
    {FILTER_OPTION_PROCESS, "*", "files", "a.name IS NOT NULL OR a.pid IS NOT NULL"},
    {FILTER_OPTION_OP, "java.lang.*:*", "spans",
     "(SELECT c.text FROM name AS c WHERE c.id = n.component) LIKE 'java.lang.%'"},
    {FILTER_OPTION_COMPONENT, "java.*", "spans",
     "(SELECT c.text FROM name AS c WHERE c.id = n.component) LIKE 'java.%'"},
    {FILTER_OPTION_LAYER, "ext*", "layers", "n.kind LIKE 'ext%'"},
    {FILTER_OPTION_ERRORS, NULL, "files", "e.value < 0"},
    {FILTER_OPTION_ERRORS, NULL, "strace", "e.error IS NOT NULL"},
};

#define EXAMPLES COUNT(examples)

static void set_up(void) {
    database_make();
    for (size_t i = 0; i < SAMPLES; i++) {
        unit_import_file(&database, &config, samples[i].name, samples[i].path);
    }
    unit_open(NULL);
}

static struct filter filter_of(const struct example *example) {
    struct filter filter = {0};

    assert_done(filter_add_option(&filter, example->option, &example->argument, 1, &error));
    return filter;
}

/* --- events -----------------------------------------------------------------------------------*/

struct sums {
    int64_t count, ids;
};

/* Returns the events that plain SQL selects; for block I/O, completions. */
static struct sums plain(const struct catalog_trace *trace, const char *passes) {
    static const char *const sums[] = {"count(*)", "ifnull(sum(e.id), 0)"};
    int64_t found[2];

    for (int i = 0; i < 2; i++) {
        struct text sql = {0};

        text_append_format(&sql,
                           "SELECT %s FROM event AS e LEFT JOIN name AS n ON n.id = e.operation"
                           " LEFT JOIN actor AS a ON a.id = e.actor"
                           " LEFT JOIN object AS o ON o.id = e.object"
                           " WHERE e.id BETWEEN %lld AND %lld AND %s AND (%s)",
                           sums[i], (long long)trace->first_event, (long long)trace->last_event,
                           trace->kind == TRACE_IO ? "n.text = 'C'" : "1", passes);
        assert_done(database_query_integer(&database, text_string(&sql), 0, 0, &found[i], &error));
        text_free(&sql);
    }
    return (struct sums){found[0], found[1]};
}

static bool add_events(void *context, const struct event_columns *columns, size_t count,
                       struct error *error) {
    struct sums *sums = context;

    for (size_t i = 0; i < count; i++) {
        sums->count++;
        sums->ids += columns->id[i];
    }
    return true;
}

static bool add_row(void *context, const struct span_row *row, struct error *error) {
    struct sums *sums = context;

    sums->count++;
    sums->ids += row->id;
    return true;
}

static void assert_sums(const struct example *example, const char *how, struct sums found,
                        struct sums right) {
    ck_assert_msg(found.count == right.count && found.ids == right.ids,
                  "example %td, %s of %s by %s: %lld events, sum of ids %lld, not %lld, %lld",
                  example - examples, example->argument == NULL ? "" : example->argument,
                  example->trace, how, (long long)found.count, (long long)found.ids,
                  (long long)right.count, (long long)right.ids);
}

/* The view, a pass over columns or rows, and a walk yield the same events. */
static void choose(const struct example *example, enum event_source source) {
    static const struct span_visitor visitor = {.row = add_row};
    const struct catalog_trace *trace = catalog_find(&catalog, example->trace);
    struct selection_request request = {.traces = &trace, .count = 1, .events = source};
    const struct filter typed = filter_of(example);
    struct abbreviations abbreviations;
    struct sums right = plain(trace, example->passes), scanned = {0}, walked = {0};
    const struct span_visit visit = {&visitor, &walked};
    struct selection selection = {0};
    struct temp_schema temp;
    struct event_scan scan;

    assert_done(abbreviations_make(&abbreviations, &database, &trace, 1, &typed, &error));
    assert_done(match_check_names_exist(&database, &trace, 1, &abbreviations.filter, &error));
    request.filter = abbreviations.filter;
    ck_assert(filter_check(&request.filter, trace, &error));
    temp = (struct temp_schema){.database = &database};
    assert_done(workspace_select(&temp, &request, &selection, &error));
    ck_assert(span_ranges_find(&selection, &error));
    assert_sums(example, "view",
                (struct sums){unit_ask("SELECT count(*) FROM temp.selected_event"),
                              unit_ask("SELECT ifnull(sum(id), 0) FROM temp.selected_event")},
                right);
    event_scan_init(&scan, &selection, &selection.traces[0]);
    scan.visit = add_events;
    ck_assert(event_scan_in_order(&scan, &scanned, &error));
    assert_sums(example, source == EVENTS_FROM_ROWS ? "rows" : "columns", scanned, right);
    if (trace->kind == TRACE_SPANS) {
        ck_assert(span_walk(&selection, &selection.traces[0], false, 0, &visit, 1, &error));
        assert_sums(example, "walk", walked, right);
    }
    selection_close(&selection);
    temp_schema_free(&temp);
    abbreviations_free(&abbreviations);
}

UNIT_CASE("filters", set_up, unit_close);

UNIT_TEST(events_are_what_sql_chooses) {
    static const char *const names[] = {
#define X(ID, ...) #ID,
        FILTERS(X)
#undef X
    };
    bool has[FILTER_OPTIONS] = {false};

    for (size_t i = 0; i < EXAMPLES; i++) {
        has[examples[i].option] = true;
        choose(&examples[i], EVENTS_FROM_COLUMNS);
        choose(&examples[i], EVENTS_FROM_ROWS);
    }
    for (size_t i = 0; i < FILTER_OPTIONS; i++) {
        ck_assert_msg(has[i], "%s of select/filters.h has no example here", names[i]);
    }
}

/* --- reports ----------------------------------------------------------------------------------*/

/* Returns whether two query files read events in the same way: by the same analyses, for the same
 * kinds. */
static bool reads_the_same(const struct query *query, const struct query *other) {
    size_t i = 0;

    while (i < query->wanted_count && i < other->wanted_count &&
           query->wanted[i].analysis == other->wanted[i].analysis) {
        i++;
    }
    return i == query->wanted_count && i == other->wanted_count && query->kinds == other->kinds &&
           query->reads_events == other->reads_events;
}

static bool same_text(const char *one, const char *other) {
    return one == other || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

/* Returns whether a trace of a kind that both hold gives the same report for both. */
static bool asks_the_same(const struct query *query, const struct query *other) {
    return same_text(query->report, other->report) &&
           same_text(query->when_option, other->when_option) &&
           same_text(query->when_value, other->when_value);
}

/* Whether the query file is the first for a trace of that kind to read events in its way, and the
 * first of its report. */
static bool is_first(size_t place, enum trace_kind kind) {
    const struct query *query = &queries.queries[place];
    bool first = query->kinds >> kind & 1;

    for (size_t i = 0; first && i < place; i++) {
        const struct query *other = &queries.queries[i];

        first = !(other->kinds >> kind & 1) ||
                !(reads_the_same(query, other) || asks_the_same(query, other));
    }
    return first;
}

/* Checks that a report of the example is the same by columns and by rows. Returns whether it is
 * available. */
static bool is_same(const struct example *example, const struct filter *filter,
                    const struct query *query) {
    struct report_option option;
    struct report_request request = unit_request(query, &option);
    char *expected, *got;

    request.traces = &example->trace;
    request.trace_count = 1;
    request.filter = *filter;
    request.counted_by = COUNTED_BY_COLUMNS;
    expected = unit_printed(&workspace, &request, &error);
    if (expected == NULL) {
        return false;
    }
    request.counted_by = COUNTED_BY_SQLITE;
    got = unit_printed(&workspace, &request, &error);
    ck_assert_msg(got != NULL && strcmp(got, expected) == 0,
                  "%s of %s with example %td by rows:\n%.2000s\nby columns:\n%.2000s", query->file,
                  example->trace, example - examples, got, expected);
    free(got);
    free(expected);
    return true;
}

/* Whether it is the first example of its filter. What it selects is tested above; reports get that
 * as ids, ranges or flags, whatever was typed. */
static bool is_first_example(size_t place) {
    for (size_t i = 0; i < place; i++) {
        if (examples[i].option == examples[place].option) {
            return false;
        }
    }
    return true;
}

/* Each filter once, with a report of each way to read events. */
UNIT_TEST(reports_are_what_is_chosen) {
    int made = 0;

    for (size_t i = 0; i < EXAMPLES; i++) {
        const struct filter filter = filter_of(&examples[i]);
        const enum trace_kind kind = catalog_find(&catalog, examples[i].trace)->kind;

        for (size_t j = 0; j < queries.count; j++) {
            if (is_first_example(i) && is_first(j, kind)) {
                made += is_same(&examples[i], &filter, &queries.queries[j]);
            }
        }
    }
    ck_assert_int_gt(made, 1400);
}

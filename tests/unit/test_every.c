/* Every importer, exporter, report and style in the program's tables, on a full disk or in a
 * program that dies (failing_disk.h). New ones are included automatically. An importer fails
 * without a sample in testdata/NAME/ok or testdata/NAME/small.*, an exporter without a suitable
 * trace.
 */
#include <dirent.h>
#include <sys/stat.h>
#include <zlib.h>

#include "failing_disk.h"
#include "output/printer.h"
#include "store/check.h"
#include "unit.h"

/* --- samples ----------------------------------------------------------------------------------*/

static const char *base, *used, *used_journal, *used_log, *used_index, *packed;

static bool import_as(struct database *database, const struct importer *importer, const char *name,
                      const char *path, struct error *error) {
    struct import_options options = {
        .importer = importer,
        .name = name,
        .again = true,
        .start = EVENT_NONE,
        .utc_offset = EVENT_NONE,
    };
    struct import_summary summary;

    return import_files(database, &config, &options, &path, 1, &summary, error);
}

static bool is_good(const struct importer *importer, const char *path) {
    struct error error = {0}; /* most are not good */
    struct database database;
    bool done;

    ck_assert(database_open(&database, ":memory:", DATABASE_CREATE, &error));
    done = import_as(&database, importer, "sample", path, &error);
    database_close(&database);
    return done;
}

/* Finds the smallest file of a directory that is a log of the format. */
static void look_for_sample(const struct importer *importer, const char *folder, const char *begin,
                            struct text *found, off_t *size) {
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    struct text path = {0};
    struct stat status;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        text_clear(&path);
        text_append_format(&path, "%s/%s", folder, entry->d_name);
        if (strncmp(entry->d_name, begin, strlen(begin)) == 0 && entry->d_name[0] != '.' &&
            stat(text_string(&path), &status) == 0 && S_ISREG(status.st_mode) &&
            status.st_size > 256 && (*size == 0 || status.st_size < *size) &&
            is_good(importer, text_string(&path))) {
            text_clear(found);
            text_append_string(found, text_string(&path));
            *size = status.st_size;
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    text_free(&path);
}

/* Finds a sample of the format; the test fails if there is none. */
static void find_sample(const struct importer *importer, struct text *path) {
    struct text folder = {0};
    off_t size = 0;

    text_append_format(&folder, "testdata/%s", importer->name);
    look_for_sample(importer, text_string(&folder), "small.", path, &size);
    text_append_string(&folder, "/ok");
    look_for_sample(importer, text_string(&folder), "", path, &size);
    ck_assert_msg(size > 0, "there is no good log of %s in %s", importer->name,
                  text_string(&folder));
    text_free(&folder);
}

static void set_up(void) {
    folder_make();
    ck_assert(config_set_defaults(&config, &error));
    base = folder_path("base.db");
    used = folder_path("used.db");
    used_journal = folder_path("used.db-journal");
    used_log = folder_path("used.db-wal");
    used_index = folder_path("used.db-shm");
    packed = folder_path("packed.gz");
}

static void tear_down(void) {
    config_free(&config);
    folder_remove();
}

/* --- imports ----------------------------------------------------------------------------------*/

static void copy_file(const char *from, const char *to) {
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    static char bytes[65536];
    size_t got;

    ck_assert_msg(in != NULL && out != NULL, "%s to %s", from, to);
    while ((got = fread(bytes, 1, sizeof bytes, in)) > 0) {
        ck_assert_uint_eq(fwrite(bytes, 1, got, out), got);
    }
    fclose(in);
    ck_assert_int_eq(fclose(out), 0);
}

/* A compressed log is written through a write-ahead log, a small plain one is not. */
static void pack(const char *from) {
    FILE *in = fopen(from, "rb");
    gzFile out = gzopen(packed, "wb1");
    static char bytes[65536];
    size_t got;

    ck_assert(in != NULL && out != NULL);
    while ((got = fread(bytes, 1, sizeof bytes, in)) > 0) {
        ck_assert_int_eq(gzwrite(out, bytes, (unsigned)got), (int)got);
    }
    fclose(in);
    ck_assert_int_eq(gzclose(out), Z_OK);
}

static void broken(void *context, const char *trace, const char *what) {
    ck_abort_msg("%s: %s: %s", (const char *)context, trace, what);
}

/* Returns the number of traces besides the earlier one, which must be unchanged; all must be
 * valid. */
static size_t others(const char *what) {
    const struct store_report report = {.context = (void *)what, .found = broken};
    struct database database;
    size_t count;

    ck_assert_msg(database_open(&database, used, DATABASE_READ, &error), "%s: %s", what,
                  error.message);
    ck_assert_str_eq(unit_text(&database, "PRAGMA integrity_check"), "ok");
    ck_assert_str_eq(unit_text(&database, "SELECT name || events FROM trace ORDER BY id"),
                     "before2");
    ck_assert_str_eq(unit_text(&database, "SELECT group_concat(time || ':' || address) FROM"
                                          " (SELECT time, address FROM event ORDER BY id LIMIT 2)"),
                     "1000000000:8,2000000000:64");
    ck_assert(catalog_load(&catalog, &database, &error));
    for (size_t i = 0; i < catalog.count; i++) {
        const struct catalog_trace *trace = &catalog.traces[i];

        ck_assert_msg(store_check(&database, &trace, 1, &report, &error), "%s: %s", what,
                      error.message);
    }
    count = catalog.count - 1;
    catalog_free(&catalog);
    database_close(&database);
    return count;
}

static void renew_used(void) {
    copy_file(base, used);
    unlink(used_journal);
    unlink(used_log);
    unlink(used_index);
}

/* Imports with the fault. */
static void import_with(const struct importer *importer, const char *path, enum fault fault,
                        int after) {
    struct database database;
    char what[128];
    size_t traces;
    bool done;

    snprintf(what, sizeof what, "%s %s, %s after %d", importer->name,
             path == packed ? "packed" : "plain", fault == FAULT_FULL ? "full" : "dead", after);
    renew_used();
    error = (struct error){0};
    ck_assert(database_open(&database, used, DATABASE_WRITE, &error));
    disk_fail(fault, after);
    done = import_as(&database, importer, "new", path, &error);
    if (fault == FAULT_FULL) {
        disk_fail(FAULT_NONE, 0);
    }
    database_close(&database);
    disk_fail(FAULT_NONE, 0);
    traces = others(what);
    ck_assert_msg(done || error.message[0] != '\0', "%s: no message", what);
    ck_assert_msg(!done || traces > 0, "%s: it is said to be there", what);
    /* A program that dies after the last byte of a commit has not reported success yet. */
    ck_assert_msg(done || fault == FAULT_DEAD || traces == 0, "%s: %s, and it is there", what,
                  error.message);
}

/* Counts the operations of an import without a fault. */
static void count_operations(const struct importer *importer, const char *path, int *grown,
                             int *changed) {
    struct database database;

    renew_used();
    ck_assert(database_open(&database, used, DATABASE_WRITE, &error));
    disk_fail(FAULT_NONE, 0);
    ck_assert_msg(import_as(&database, importer, "new", path, &error), "%s: %s", path,
                  error.message);
    *grown = disk_grown();
    *changed = disk_changed();
    database_close(&database);
    ck_assert_uint_ge(others(path), 1);
}

/* With EVERY=1 in the environment every operation, else a few, different for each format. */
static int step_of(int count) {
    const char *every = getenv("EVERY");

    return every != NULL ? atoi(every) : count / 3 + 1;
}

static void attack_import(const struct importer *importer, size_t number, const char *path) {
    int grown, changed, step;

    count_operations(importer, path, &grown, &changed);
    ck_assert_int_gt(grown, 0);
    if (getenv("FORMAT") != NULL) {
        printf("operations: %d\n", grown + changed);
    }
    step = step_of(grown);
    for (int at = (int)number % step; at < grown; at += step) {
        import_with(importer, path, FAULT_FULL, at);
    }
    step = step_of(changed);
    for (int at = (int)number % step; at < changed; at += step) {
        import_with(importer, path, FAULT_DEAD, at);
    }
}

/* Returns whether an importer is attacked with such a log: alternately plain or compressed; with
 * EVERY both; with FORMAT in the environment only that one. */
static bool is_chosen(const struct importer *importer, size_t number, bool is_packed) {
    const char *only = getenv("FORMAT");

    return (only == NULL || strcmp(only, importer->name) == 0) &&
           (getenv("EVERY") != NULL || number % 2 == is_packed);
}

UNIT_CASE("every", set_up, tear_down);

/* Existing data is unchanged, and a new trace is complete or absent. */
UNIT_TEST(test_imports) {
    static const char before[] = "1.000000000\tC\tR\t8\t8\t1\tp\tM\n"
                                 "2.000000000\tC\tW\t64\t8\t1\tp\tM\n";
    const char *log = folder_write("before", before, sizeof before - 1);
    const struct importer *importer;
    struct database database;
    struct text path = {0};

    ck_assert(database_open(&database, base, DATABASE_CREATE, &error));
    ck_assert(import_as(&database, importer_find(&config, "most"), "before", log, &error));
    database_close(&database);
    disk_begin();
    for (size_t i = 0; (importer = importer_at(&config, i)) != NULL; i++) {
        if (!is_chosen(importer, i, false) && !is_chosen(importer, i, true)) {
            continue;
        }
        find_sample(importer, &path);
        if (is_chosen(importer, i, false)) {
            attack_import(importer, i, text_string(&path));
        }
        if (is_chosen(importer, i, true)) {
            pack(text_string(&path));
            attack_import(importer, i, packed);
        }
    }
    text_free(&path);
}

/* --- output ----------------------------------------------------------------------------------- */

/* A database in memory with a trace of every format, and its catalog. */
static struct database samples;
static FILE *nowhere, *full;

static void open_samples(void) {
    const struct importer *importer;
    struct text path = {0};

    set_up();
    ck_assert(database_open(&samples, ":memory:", DATABASE_CREATE, &error));
    for (size_t i = 0; (importer = importer_at(&config, i)) != NULL; i++) {
        find_sample(importer, &path);
        assert_done(import_as(&samples, importer, importer->name, text_string(&path), &error));
    }
    /* The only ones with states and counters. */
    assert_done(import_as(&samples, importer_find(&config, "ftrace"), "states",
                          "testdata/ftrace/ok/states.txt", &error));
    assert_done(import_as(&samples, importer_find(&config, "ftrace"), "async",
                          "testdata/ftrace/ok/async.txt", &error));
    text_free(&path);
    ck_assert(catalog_load(&catalog, &samples, &error));
    assert_done(query_set_load(&queries, NULL, &error));
    assert_done(workspace_open(&workspace, &samples, &config, &queries, &error));
    nowhere = fopen("/dev/null", "w");
    full = fopen("/dev/full", "w");
    ck_assert(nowhere != NULL && full != NULL);
    setvbuf(full, NULL, _IONBF, 0);
}

static void close_samples(void) {
    fclose(nowhere);
    fclose(full);
    workspace_close(&workspace);
    query_set_free(&queries);
    catalog_free(&catalog);
    database_close(&samples);
    tear_down();
}

static bool export_to(const struct exporter *exporter, const char *trace, FILE *file,
                      struct error *error) {
    const struct export_order order = {.exporter = exporter, .file = file};
    const struct report_request request = {
        .traces = &trace,
        .trace_count = 1,
        .filter = {.from = {.plain = -1}, .to = {.plain = -1}},
    };
    struct export_run run = {0};
    struct workspace workspace;
    bool done;

    done = workspace_open(&workspace, &samples, &config, &queries, error) &&
           run_export(&workspace, &request, &order, &run, error);
    workspace_close(&workspace);
    return done;
}

/* Exports the trace if possible; then something must be written, and a full disk must be
 * reported. */
static bool try_export(const struct exporter *exporter, const char *trace, bool *no_library) {
    char *bytes = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&bytes, &length);
    bool done;

    ck_assert_ptr_nonnull(memory);
    done = export_to(exporter, trace, memory, &error);
    fclose(memory);
    free(bytes);
    *no_library = *no_library || strstr(error.message, "libduckdb") != NULL;
    if (done && length > 0) {
        ck_assert_msg(!export_to(exporter, trace, full, &error), "%s of %s to a full disk",
                      exporter->name, trace);
        assert_message(&error, "No space left");
    }
    return done && length > 0;
}

UNIT_CASE("outputs", open_samples, close_samples);

/* Each exporter supports one of these traces, except one whose library may be missing. */
UNIT_TEST(test_exporters) {
    for (size_t i = 0; exporters[i] != NULL; i++) {
        bool no_library = false;
        size_t tried = 0;

        for (size_t k = 0; k < catalog.count && tried < 2; k++) {
            tried += try_export(exporters[i], catalog.traces[k].name, &no_library);
        }
        ck_assert_msg(tried > 0 || no_library, "no trace of testdata can be exported as %s",
                      exporters[i]->name);
    }
}

static bool report_to(const char *report, const char *trace, const char *style, FILE *file,
                      struct error *error) {
    const struct printer_options options = {0};
    const struct report_request request = {
        .report = report,
        .traces = &trace,
        .trace_count = 1,
        .picture = strcmp(style, "gnuplot") == 0,
        .filter = {.from = {.plain = -1}, .to = {.plain = -1}},
    };

    return print_report(&workspace, &request, printer_style_find(style), file, &options, error);
}

/* Returns whether some trace has the report in that style, which then reports a full disk; else
 * `error` has the reason for the last trace. */
static bool is_told(const char *report, const char *style, struct error *error) {
    for (size_t i = 0; i < catalog.count; i++) {
        const char *trace = catalog.traces[i].name;

        *error = (struct error){0};
        if (report_to(report, trace, style, nowhere, error)) {
            ck_assert_msg(!report_to(report, trace, style, full, error),
                          "report %s as %s to a full disk", report, style);
            assert_message(error, "No space left");
            return true;
        }
    }
    return false;
}

/* Each report of the table that needs only a trace. */
UNIT_TEST(test_reports) {
    const char *last = "";

    for (size_t i = 0; i < queries.count; i++) {
        const char *report = queries.queries[i].report;

        if (strcmp(report, last) == 0 || queries.queries[i].needs != NULL) {
            continue;
        }
        last = report;
        ck_assert_msg(is_told(report, "tsv", &error), "no trace of testdata has report %s: %s",
                      report, error.message);
    }
}

/* Each style; some reports have no picture, and one is a tree. */
UNIT_TEST(test_styles) {
    char names[256];

    assert_done(query_set_attach_plots(&queries, "popularity", &error));
    snprintf(names, sizeof names, "%s", printer_style_names());
    for (char *rest, *name = strtok_r(names, " ", &rest); name != NULL;
         name = strtok_r(NULL, " ", &rest)) {
        ck_assert_msg(is_told("calltree", name, &error) || is_told("popularity", name, &error),
                      "no trace of testdata has a report as %s: %s", name, error.message);
    }
}

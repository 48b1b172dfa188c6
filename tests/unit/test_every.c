/* Every importer, exporter and report of the program's own tables, against a disk that is full or a
 * program that dies. A new one is tried without a change here; an importer fails without a sample
 * in testdata/NAME/ok or testdata/NAME/small.*, an exporter without a trace that it can be made of.
 *
 * SQLite writes through a layer that counts what it does: of each import any operation can be the
 * last one, without a process or a moment of its own.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/text.h"
#include "import/import.h"
#include "output/printer.h"
#include "report/exporting.h"
#include "report/print.h"
#include "store/check.h"
#include "unit.h"

/* --- a disk that fails --------------------------------------------------------------------------
 */

enum fault {
    FAULT_NONE,
    FAULT_FULL, /* files cannot grow */
    FAULT_DEAD, /* nothing reaches the disk any more, as of a program that was killed */
};

static struct {
    sqlite3_vfs *real;
    enum fault fault;
    int left;           /* operations until the fault */
    int grown, changed; /* operations so far that make a file larger, that change anything */
} disk;

/* A file of SQLite's; the real one lies behind it. */
struct disk_file {
    sqlite3_file base;
    bool watched; /* the database, its journal or its log; not a temporary file */
};

static sqlite3_file *real_of(sqlite3_file *file) {
    return (sqlite3_file *)((struct disk_file *)file + 1);
}

/* What an operation on the disk comes to before it is done. */
static int strike(const sqlite3_file *file, bool grows) {
    if (file != NULL && !((const struct disk_file *)file)->watched) {
        return SQLITE_OK;
    }
    disk.grown += grows;
    disk.changed++;
    if (disk.fault == FAULT_NONE || (disk.fault == FAULT_FULL && !grows) || disk.left-- > 0) {
        return SQLITE_OK;
    }
    disk.left = 0;
    return disk.fault == FAULT_FULL ? SQLITE_FULL : SQLITE_IOERR;
}

static bool is_beyond(sqlite3_file *file, sqlite3_int64 end) {
    sqlite3_file *real = real_of(file);
    sqlite3_int64 size;

    return real->pMethods->xFileSize(real, &size) != SQLITE_OK || end > size;
}

static int disk_close(sqlite3_file *file) {
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int disk_read(sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset) {
    return real_of(file)->pMethods->xRead(real_of(file), bytes, length, offset);
}

static int disk_write(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
    int status = strike(file, is_beyond(file, offset + length));

    return status != SQLITE_OK
               ? status
               : real_of(file)->pMethods->xWrite(real_of(file), bytes, length, offset);
}

static int disk_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int status = strike(file, false);

    return status != SQLITE_OK ? status : real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int disk_sync(sqlite3_file *file, int flags) {
    int status = strike(file, false);

    return status != SQLITE_OK ? status : real_of(file)->pMethods->xSync(real_of(file), flags);
}

static int disk_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int disk_lock(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int disk_unlock(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int disk_is_reserved(sqlite3_file *file, int *reserved) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), reserved);
}

static int disk_control(sqlite3_file *file, int code, void *argument) {
    int status = SQLITE_OK;

    if (code == SQLITE_FCNTL_SIZE_HINT && is_beyond(file, *(sqlite3_int64 *)argument)) {
        status = strike(file, true);
    }
    return status != SQLITE_OK
               ? status
               : real_of(file)->pMethods->xFileControl(real_of(file), code, argument);
}

static int disk_sector(sqlite3_file *file) {
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int disk_traits(sqlite3_file *file) {
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int disk_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **map) {
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, map);
}

static int disk_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void disk_shm_barrier(sqlite3_file *file) {
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

/* The dead take nothing away. */
static int disk_shm_unmap(sqlite3_file *file, int with_file) {
    bool dead = disk.fault == FAULT_DEAD && disk.left == 0;

    return real_of(file)->pMethods->xShmUnmap(real_of(file), with_file && !dead);
}

static int disk_fetch(sqlite3_file *file, sqlite3_int64 offset, int length, void **bytes) {
    return real_of(file)->pMethods->xFetch(real_of(file), offset, length, bytes);
}

static int disk_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *bytes) {
    return real_of(file)->pMethods->xUnfetch(real_of(file), offset, bytes);
}

static const sqlite3_io_methods disk_methods = {
    .iVersion = 3,
    .xClose = disk_close,
    .xRead = disk_read,
    .xWrite = disk_write,
    .xTruncate = disk_truncate,
    .xSync = disk_sync,
    .xFileSize = disk_size,
    .xLock = disk_lock,
    .xUnlock = disk_unlock,
    .xCheckReservedLock = disk_is_reserved,
    .xFileControl = disk_control,
    .xSectorSize = disk_sector,
    .xDeviceCharacteristics = disk_traits,
    .xShmMap = disk_shm_map,
    .xShmLock = disk_shm_lock,
    .xShmBarrier = disk_shm_barrier,
    .xShmUnmap = disk_shm_unmap,
    .xFetch = disk_fetch,
    .xUnfetch = disk_unfetch,
};

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                     int *opened) {
    const int watched = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL;
    int status = disk.real->xOpen(disk.real, name, real_of(file), flags, opened);

    (void)vfs;
    *(struct disk_file *)file = (struct disk_file){.watched = (flags & watched) != 0};
    file->pMethods = status == SQLITE_OK ? &disk_methods : NULL;
    return status;
}

static int disk_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    int status = strike(NULL, false);

    (void)vfs;
    return status != SQLITE_OK ? status : disk.real->xDelete(disk.real, name, sync);
}

/* What the layer does not know is the real one's, which does not look at what it is called by. */
static void disk_begin(void) {
    static sqlite3_vfs layer;

    disk.real = sqlite3_vfs_find(NULL);
    layer = *disk.real;
    layer.zName = "failing";
    layer.pNext = NULL;
    layer.szOsFile += (int)sizeof(struct disk_file);
    layer.xOpen = disk_open;
    layer.xDelete = disk_delete;
    ck_assert_int_eq(sqlite3_vfs_register(&layer, 1), SQLITE_OK);
}

/* Fails after so many operations of its kind. */
static void disk_fail(enum fault fault, int after) {
    disk.fault = fault;
    disk.left = after;
    disk.grown = disk.changed = 0;
}

/* --- samples ------------------------------------------------------------------------------------
 */

static struct config config;
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
    struct database database;
    struct error error = {0};
    bool done;

    ck_assert(database_open(&database, ":memory:", DATABASE_CREATE, &error));
    done = import_as(&database, importer, "sample", path, &error);
    database_close(&database);
    return done;
}

/* Takes the smallest file of a folder that is a log of the format. */
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

/* The path of a sample of the format; the test fails when there is none. */
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
    struct error error = {0};

    folder_make();
    ck_assert(config_defaults(&config, &error));
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

/* --- imports ------------------------------------------------------------------------------------
 */

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

/* A packed log is written through a write-ahead log, a small plain one is not. */
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

/* How many traces there are beside the one of before, which is as it was; all are sound. */
static size_t others(const char *what) {
    const struct store_report report = {.context = (void *)what, .found = broken};
    struct error error = {0};
    struct database database;
    struct catalog catalog;
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

/* An import that meets the fault. */
static void import_with(const struct importer *importer, const char *path, enum fault fault,
                        int after) {
    struct error error = {0};
    struct database database;
    char what[128];
    size_t traces;
    bool done;

    snprintf(what, sizeof what, "%s %s, %s after %d", importer->name,
             path == packed ? "packed" : "plain", fault == FAULT_FULL ? "full" : "dead", after);
    renew_used();
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
    /* Who dies behind the last byte of a commit has said nothing yet. */
    ck_assert_msg(done || fault == FAULT_DEAD || traces == 0, "%s: %s, and it is there", what,
                  error.message);
}

/* Operations of an import without a fault. */
static void count_operations(const struct importer *importer, const char *path, int *grown,
                             int *changed) {
    struct error error = {0};
    struct database database;

    renew_used();
    ck_assert(database_open(&database, used, DATABASE_WRITE, &error));
    disk_fail(FAULT_NONE, 0);
    ck_assert_msg(import_as(&database, importer, "new", path, &error), "%s: %s", path,
                  error.message);
    *grown = disk.grown;
    *changed = disk.changed;
    database_close(&database);
    ck_assert_uint_ge(others(path), 1);
}

/* Each operation in its turn: EVERY=1 in the environment; else a few, other ones for each format.
 */
static int step_of(int count) {
    const char *every = getenv("EVERY");

    return every != NULL ? atoi(every) : count / 3 + 1;
}

static void attack_import(const struct importer *importer, size_t number, const char *path) {
    int grown, changed, step;

    count_operations(importer, path, &grown, &changed);
    ck_assert_int_gt(grown, 0);
    step = step_of(grown);
    for (int at = (int)number % step; at < grown; at += step) {
        import_with(importer, path, FAULT_FULL, at);
    }
    step = step_of(changed);
    for (int at = (int)number % step; at < changed; at += step) {
        import_with(importer, path, FAULT_DEAD, at);
    }
}

/* What was there stays as it is, and a new trace is whole or absent. */
START_TEST(test_imports) {
    static const char before[] = "1.000000000\tC\tR\t8\t8\t1\tp\tM\n"
                                 "2.000000000\tC\tW\t64\t8\t1\tp\tM\n";
    const char *log = folder_write("before", before, sizeof before - 1);
    const struct importer *importer;
    struct error error = {0};
    struct database database;
    struct text path = {0};

    ck_assert(database_open(&database, base, DATABASE_CREATE, &error));
    ck_assert(import_as(&database, importer_find(&config, "most"), "before", log, &error));
    database_close(&database);
    disk_begin();
    for (size_t i = 0; (importer = importer_at(&config, i)) != NULL; i++) {
        find_sample(importer, &path);
        if (i % 2 == 0 || getenv("EVERY") != NULL) {
            attack_import(importer, i, text_string(&path));
        }
        if (i % 2 == 1 || getenv("EVERY") != NULL) {
            pack(text_string(&path));
            attack_import(importer, i, packed);
        }
    }
    text_free(&path);
}
END_TEST

/* --- what is written out ------------------------------------------------------------------------
 */

/* A database in memory with a trace of every format, and what reads it. */
static struct database samples;
static struct catalog catalog;
static struct query_set queries;
static FILE *nowhere, *full;

static void open_samples(void) {
    const struct importer *importer;
    struct error error = {0};
    struct text path = {0};

    set_up();
    ck_assert(database_open(&samples, ":memory:", DATABASE_CREATE, &error));
    for (size_t i = 0; (importer = importer_at(&config, i)) != NULL; i++) {
        find_sample(importer, &path);
        ck_assert_msg(import_as(&samples, importer, importer->name, text_string(&path), &error),
                      "%s", error.message);
    }
    text_free(&path);
    ck_assert(catalog_load(&catalog, &samples, &error));
    ck_assert(query_set_load(&queries, NULL, &error));
    nowhere = fopen("/dev/null", "w");
    full = fopen("/dev/full", "w");
    ck_assert(nowhere != NULL && full != NULL);
    setvbuf(full, NULL, _IONBF, 0);
}

static void close_samples(void) {
    fclose(nowhere);
    fclose(full);
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
           exporting_run(&workspace, &request, &order, &run, error);
    workspace_close(&workspace);
    return done;
}

/* Whether the trace can be exported so; something is written then, and a full disk is told. */
static bool try_export(const struct exporter *exporter, const char *trace, bool *no_library) {
    char *bytes = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&bytes, &length);
    struct error error = {0};
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

/* Each exporter can be made of one of these traces, but for one whose library may not be there. */
START_TEST(test_exporters) {
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
END_TEST

static bool report_to(const char *report, const char *trace, FILE *file, struct error *error) {
    const struct printer_options options = {0};
    const struct report_request request = {
        .report = report,
        .traces = &trace,
        .trace_count = 1,
        .filter = {.from = {.plain = -1}, .to = {.plain = -1}},
    };
    struct workspace workspace;
    bool done;

    done = workspace_open(&workspace, &samples, &config, &queries, error) &&
           print_report(&workspace, &request, printer_style_find("tsv"), file, &options, error);
    workspace_close(&workspace);
    return done;
}

/* Each report of the table that needs nothing beside a trace says when the disk is full. */
START_TEST(test_reports) {
    const char *last = "";

    for (size_t i = 0; i < queries.count; i++) {
        const char *report = queries.queries[i].report;
        bool tried = false;

        if (strcmp(report, last) == 0 || queries.queries[i].needs != NULL) {
            continue;
        }
        last = report;
        for (size_t k = 0; k < catalog.count && !tried; k++) {
            struct error error = {0};

            if (report_to(report, catalog.traces[k].name, nowhere, &error)) {
                ck_assert_msg(!report_to(report, catalog.traces[k].name, full, &error),
                              "report %s to a full disk", report);
                assert_message(&error, "No space left");
                tried = true;
            }
        }
        ck_assert_msg(tried, "no trace of testdata has report %s", report);
    }
}
END_TEST

Suite *every_suite(void) {
    Suite *suite = suite_create("every");
    TCase *imports = tcase_create("imports"), *outputs = tcase_create("outputs");

    tcase_add_checked_fixture(imports, set_up, tear_down);
    tcase_set_timeout(imports, 60);
    tcase_add_test(imports, test_imports);
    suite_add_tcase(suite, imports);
    tcase_add_checked_fixture(outputs, open_samples, close_samples);
    tcase_set_timeout(outputs, 30);
    tcase_add_test(outputs, test_exporters);
    tcase_add_test(outputs, test_reports);
    suite_add_tcase(suite, outputs);
    return suite;
}

/* Changes of an existing trace, on a full disk or in a program that dies: the database then is
 * either unchanged or completely changed, to the last row. */
#include "analysis/recount.h"
#include "annotate/annotation.h"
#include "annotate/naming.h"
#include "annotate/repair.h"
#include "failing_disk.h"
#include "store/catalog.h"
#include "store/store.h"
#include "store/trace_tables.h"
#include "unit.h"

static struct config symbols;
static const char *base, *used;

/* --- changes ---------------------------------------------------------------------------------- */

static bool run_remove(struct database *database, const struct catalog_trace *trace,
                       struct error *error) {
    struct store store;
    bool done = store_begin_change(&store, database, error) &&
                store_remove(database, trace->id, error) && store_commit(&store, error);

    store_end(&store);
    return done;
}

static bool run_name(struct database *database, const struct catalog_trace *trace,
                     struct error *error) {
    struct annotation annotation;
    struct naming_result named;
    bool done = annotation_open(&annotation, database, &config, trace->name, error) &&
                apply_symbol_names(&annotation, &symbols, &named, error) &&
                annotation_commit(&annotation, error);

    annotation_close(&annotation);
    return done;
}

/* For rollups that differ from the events. */
static bool run_repair(struct database *database, const struct catalog_trace *trace,
                       struct error *error) {
    struct repair_result repaired;

    return repair_trace(database, &config, trace, &repaired, error);
}

static const struct {
    const char *name;
    bool (*run)(struct database *database, const struct catalog_trace *trace, struct error *error);
} changes[] = {
    {"remove", run_remove},
    {"name", run_name},
    {"repair", run_repair},
};

enum { CHANGES = COUNT(changes) };

/* --- databases --------------------------------------------------------------------------------*/

/* Imports two traces; rollups of the first differ from its events. */
static void set_up(void) {
    static const char rules[] = "file_types:\n  picture: [db, txt]\n";
    struct database database;

    folder_make();
    base = folder_path("base.db");
    used = folder_path("used.db");
    ck_assert(config_set_defaults(&config, &error));
    assert_done(
        config_read(folder_write("symbols.yaml", rules, sizeof rules - 1), &symbols, &error));
    ck_assert(database_open(&database, base, DATABASE_CREATE, &error));
    unit_import_file(&database, &config, "first", "testdata/most/small.po");
    unit_import_file(&database, &config, "second", "testdata/most/small.po");
    assert_done(database_run(&database,
                             "UPDATE rollup_size SET count = count + 1 WHERE trace = 1;"
                             "DELETE FROM rollup_latency WHERE trace = 1",
                             &error));
    database_close(&database);
    disk_begin();
}

static void tear_down(void) {
    config_free(&config);
    config_free(&symbols);
    folder_remove();
}

/* Appends the rows of a table. */
static void append_rows(struct database *database, const char *table, struct text *rows) {
    char sql[128], **cells;
    int count, width;

    snprintf(sql, sizeof sql, "SELECT * FROM main.\"%s\"", table);
    ck_assert_int_eq(sqlite3_get_table(database->handle, sql, &cells, &count, &width, NULL),
                     SQLITE_OK);
    text_append_string(rows, table);
    for (int i = width; i < (count + 1) * width; i++) {
        text_append_format(rows, "%s%s", i % width == 0 ? "\n" : "\t",
                           cells[i] == NULL ? "NULL" : cells[i]);
    }
    text_append_char(rows, '\n');
    sqlite3_free_table(cells);
}

/* Reads all rows of the database, as another program. */
static void read_rows(struct text *rows, const char *what) {
    struct database database;
    char **tables;
    int count, width;

    text_clear(rows);
    ck_assert_msg(database_open(&database, used, DATABASE_READ, &error), "%s: %s", what,
                  error.message);
    ck_assert_str_eq(unit_text(&database, "PRAGMA integrity_check"), "ok");
    ck_assert_int_eq(
        sqlite3_get_table(database.handle,
                          "SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY name",
                          &tables, &count, &width, NULL),
        SQLITE_OK);
    for (int i = 1; i <= count; i++) {
        append_rows(&database, tables[i], rows);
    }
    sqlite3_free_table(tables);
    database_close(&database);
}

static void renew_used(void) {
    static const char *const beside[] = {"used.db-journal", "used.db-wal", "used.db-shm"};

    for (size_t i = 0; i < COUNT(beside); i++) {
        unlink(folder_path(beside[i]));
    }
    folder_run("cp base.db used.db");
}

/* Changes the first trace, with the fault. */
static bool change_with(size_t number, enum fault fault, int after, struct error *error) {
    struct database database;
    bool done;

    renew_used();
    ck_assert(database_open(&database, used, DATABASE_WRITE, error));
    ck_assert(recount_register(&database, &config, error));
    ck_assert(catalog_load(&catalog, &database, error));
    disk_fail(fault, after);
    done = changes[number].run(&database, &catalog.traces[0], error);
    if (fault == FAULT_FULL) {
        disk_fail(FAULT_NONE, 0);
    }
    catalog_free(&catalog);
    database_close(&database);
    return done;
}

/* --- attacks ----------------------------------------------------------------------------------*/

struct outcome {
    struct text before, after;
};

static void attack(size_t number, enum fault fault, int after, const struct outcome *outcome) {
    struct text rows = {0};
    char what[64];
    bool done;

    error = (struct error){0};
    done = change_with(number, fault, after, &error);
    disk_fail(FAULT_NONE, 0);
    snprintf(what, sizeof what, "%s, %s after %d", changes[number].name,
             fault == FAULT_FULL ? "full" : "dead", after);
    read_rows(&rows, what);
    ck_assert_msg(done || error.message[0] != '\0', "%s: no message", what);
    if (strcmp(text_string(&rows), text_string(&outcome->after)) != 0) {
        ck_assert_msg(!done, "%s: it is said to be done", what);
        ck_assert_msg(strcmp(text_string(&rows), text_string(&outcome->before)) == 0,
                      "%s: neither what it was nor what it was to be", what);
    } else {
        /* A program that dies after the last byte of a commit has not reported success yet. */
        ck_assert_msg(done || fault == FAULT_DEAD, "%s: done, and an error: %s", what,
                      error.message);
    }
    text_free(&rows);
}

/* With EVERY in the environment every operation, else a few. */
static void attack_all(size_t number, enum fault fault, int count, const struct outcome *outcome) {
    int step = getenv("EVERY") != NULL ? 1 : count / 6 + 1;

    for (int at = 0; at < count; at += step) {
        attack(number, fault, at, outcome);
    }
}

UNIT_CASE("changes", set_up, tear_down);

UNIT_LOOP(whole_or_not_at_all, CHANGES) {
    size_t number = (size_t)_i;
    struct outcome outcome = {{0}, {0}};
    int grown, changed;

    renew_used();
    read_rows(&outcome.before, "before");
    ck_assert_msg(change_with(number, FAULT_NONE, 0, &error), "%s: %s", changes[number].name,
                  error.message);
    grown = disk_grown();
    changed = disk_changed();
    read_rows(&outcome.after, "after");
    ck_assert_str_ne(text_string(&outcome.before), text_string(&outcome.after));
    ck_assert_int_gt(changed, 5);
    attack_all(number, FAULT_FULL, grown, &outcome);
    attack_all(number, FAULT_DEAD, changed, &outcome);
    text_free(&outcome.before);
    text_free(&outcome.after);
}

/* Imports any bytes, from the file to the rows, and reads them back as text. */
#include <stdio.h>
#include <string.h>

#include "import/import.h"
#include "report/dump.h"
#include "report/print.h"
#include "output/printer.h"
#include "store/check.h"
#include "target.h"

static void found(void *context, const char *trace, const char *what) {
    (void)context;
    target_failed("%s: %s", trace, what);
}

/* Checks the database by the rules of `tracetool check`. */
static void check_database(struct database *database) {
    const struct store_report report = {.found = found};
    struct catalog catalog;
    struct error error = {0};

    if (!catalog_load(&catalog, database, &error)) {
        target_failed("%s", error.message);
    }
    for (size_t i = 0; i < catalog.count; i++) {
        const struct catalog_trace *trace = &catalog.traces[i];

        if (!store_check(database, &trace, 1, &report, &error)) {
            target_failed("%s", error.message);
        }
    }
    catalog_free(&catalog);
}

/* Runs the importers' own functions for `dump` on the imported events. */
static void dump(struct database *database, const struct config *config) {
    struct report_request request = {0};
    struct workspace workspace;
    struct printer_options options = {0};
    struct error error = {0};
    FILE *file = fopen("/dev/null", "w");

    request.filter.from.plain = request.filter.to.plain = -1;
    if (file == NULL) {
        target_failed("/dev/null cannot be opened");
    }
    if (!workspace_open(&workspace, database, config, NULL, &error) ||
        !dump_run(&workspace, &request, NULL, file, &options, &error)) {
        target_failed("dump: %s", error.message);
    }
    workspace_close(&workspace);
    fclose(file);
    target_did("dump");
}

/* Exports a trace in one format. Most formats refuse most traces, with a message. */
static void export_trace(struct database *database, const struct exporter *exporter,
                         const char *trace, FILE *file) {
    const struct export_order order = {.exporter = exporter, .file = file};
    struct report_request request = {.traces = &trace, .trace_count = 1};
    struct export_run run = {0};
    struct workspace workspace;
    struct error error = {0};
    char what[64];
    bool done;

    request.filter.from.plain = request.filter.to.plain = -1;
    done = workspace_open(&workspace, database, target_config(), NULL, &error) &&
           run_export(&workspace, &request, &order, &run, &error);
    workspace_close(&workspace);
    target_check_message(done, &error);
    if (done) {
        snprintf(what, sizeof what, "export %s", exporter->name);
        target_did(what);
    }
}

/* Exports each trace in one format for its kind, which the input chooses. */
static void export_some(struct database *database, size_t length) {
    FILE *file = fopen("/dev/null", "w");
    struct catalog catalog;
    struct error error = {0};

    if (file == NULL || !catalog_load(&catalog, database, &error)) {
        target_failed("cannot export: %s", error.message);
    }
    for (size_t i = 0; i < catalog.count; i++) {
        const struct exporter *fitting[64];
        size_t count = 0;

        for (size_t k = 0; exporters[k] != NULL && count < 64; k++) {
            if ((exporters[k]->kinds >> catalog.traces[i].kind & 1) != 0) {
                fitting[count++] = exporters[k];
            }
        }
        if (count > 0) {
            export_trace(database, fitting[length % count], catalog.traces[i].name, file);
        }
    }
    catalog_free(&catalog);
    fclose(file);
}

static void check_summary(struct database *database, const struct import_summary *summary) {
    struct error error = {0};
    int64_t sum;

    if (!database_query_integer(database,
                                "SELECT sum(events + merged + ignored + rejected) FROM trace", 0,
                                -1, &sum, &error) ||
        sum != summary->events + summary->merged + summary->ignored + summary->rejected) {
        target_failed("the summary does not say what the database says");
    }
}

/* Only a few logs of the format have states of threads. */
static void count_states(struct database *database) {
    struct error error = {0};
    int64_t events;

    if (!database_query_integer(database, "SELECT sum(events) FROM trace WHERE kind = 'states'", 0,
                                0, &events, &error)) {
        target_failed("%s", error.message);
    }
    if (events > 0) {
        target_did("states");
    }
}

static void check_failure(struct database *database, const struct error *failure, int64_t before) {
    struct error error = {0};
    int64_t traces;

    if (failure->status != EXIT_FAILED || failure->message[0] == '\0') {
        target_failed("a failure without a message");
    }
    if (!database_query_integer(database, "SELECT count(*) FROM trace", 0, -1, &traces, &error) ||
        traces != before) {
        target_failed("a failed import left something: %s", failure->message);
    }
}

/* While fuzzing, one input in this many is read back: opening a database and reading back cost more
 * than an import of a small file. For the same reason one database is emptied between inputs. */
#define READ_BACK_OF 16

static void empty_database(struct database *database) {
    static char *deletes;
    struct error error = {0};
    sqlite3_stmt *tables;
    bool row;

    if (deletes == NULL) {
        tables = database_prepare(database,
                                  "SELECT group_concat('DELETE FROM ' || name, ';') FROM"
                                  " sqlite_schema WHERE type = 'table'",
                                  &error);
        if (tables == NULL || !database_step(database, tables, &row, &error) || !row ||
            (deletes = strdup((const char *)sqlite3_column_text(tables, 0))) == NULL) {
            target_failed("no tables: %s", error.message);
        }
        sqlite3_finalize(tables);
    }
    if (!database_run(database, deletes, &error)) {
        target_failed("%s", error.message);
    }
}

static bool import_file(struct database *database, struct import_options *options,
                        const char *path) {
    struct import_summary summary;
    struct error error = {0};
    int64_t before;

    if (!database_query_integer(database, "SELECT count(*) FROM trace", 0, -1, &before, &error)) {
        target_failed("%s", error.message);
    }
    if (!import_files(database, target_config(), options, &path, 1, &summary, &error)) {
        check_failure(database, &error, before);
        return false;
    }
    if (!options->append) {
        check_summary(database, &summary);
    }
    check_database(database);
    count_states(database);
    target_did(options->append ? "append" : "import");
    return true;
}

void importer_target(const struct importer *importer, bool append, const uint8_t *bytes,
                     size_t length) {
    static struct database database;
    struct import_options options = {
        .importer = importer,
        .name = "fuzz",
        .start = EVENT_NONE,
        .utc_offset = EVENT_NONE,
    };
    const char *path = target_file(bytes, length);
    struct error error = {0};

    if (database.handle == NULL && !database_open(&database, ":memory:", DATABASE_CREATE, &error)) {
        target_failed("%s", error.message);
    }
    if (!import_file(&database, &options, path)) {
        return;
    }
    if (append) {
        options.append = options.again = true;
        import_file(&database, &options, path);
    }
    if (target_does(0, READ_BACK_OF, bytes, length)) {
        dump(&database, target_config());
        export_some(&database, length);
        database_close(&database);
    } else {
        empty_database(&database);
    }
}

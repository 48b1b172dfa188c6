/* A whole import of any bytes, from the file to the rows, and back out as text. */
#include <stdio.h>
#include <string.h>

#include "import/import.h"
#include "report/dump.h"
#include "output/printer.h"
#include "target.h"

/* Each gives 1 when something is wrong with trace 'fuzz'. They are the promises of docs/spans.md
 * and of the ledger, in other words than those of `tracetool check`. */
static const struct {
    const char *what, *sql;
} checks[] = {
    {"events are not rows and paired exits",
     "SELECT events <> paired + (SELECT count(*) FROM event) FROM trace"},
    {"the rows are not those of the trace",
     "SELECT count(*) <> 0 FROM event, trace WHERE event.id < first_event OR"
     " event.id > last_event OR first_event IS NULL"},
    {"a total of the ledger is not the sum of its reasons",
     "SELECT merged || ' ' || ignored || ' ' || rejected <>"
     " (SELECT ifnull(sum(count) FILTER (WHERE outcome = 'merged'), 0) || ' ' ||"
     " ifnull(sum(count) FILTER (WHERE outcome = 'ignored'), 0) || ' ' ||"
     " ifnull(sum(count) FILTER (WHERE outcome = 'rejected'), 0) FROM ledger) FROM trace"},
    {"a count of the ledger is not positive, or its place is outside of the file",
     "SELECT count(*) <> 0 FROM ledger JOIN source ON source.id = ledger.source"
     " WHERE count <= 0 OR first_offset < 0 OR first_offset > size OR bytes < 0"},
    {"more bytes were lost than there were",
     "SELECT lost_bytes < 0 OR lost_bytes > (SELECT sum(size) FROM source) FROM trace"},
    {"a count is negative", "SELECT min(events, merged, ignored, rejected, paired) < 0 FROM trace"},
    {"a duration, a size or a depth is negative",
     "SELECT count(*) <> 0 FROM event WHERE duration < 0 OR size < 0 OR depth < 0 OR self < 0"
     " OR self > duration"},
    {"the order is not that of time",
     "SELECT count(*) <> 0 FROM event AS a JOIN event AS b ON b.id = a.id + 1"
     " WHERE b.time < a.time"},
    {"a name, actor or object is missing",
     "SELECT count(*) <> 0 FROM event WHERE"
     " (operation IS NOT NULL AND operation NOT IN (SELECT id FROM name)) OR"
     " (actor IS NOT NULL AND actor NOT IN (SELECT id FROM actor)) OR"
     " (object IS NOT NULL AND object NOT IN (SELECT id FROM object))"},
    {"a caller is missing", "SELECT count(*) <> 0 FROM event WHERE parent IS NOT NULL AND"
                            " parent NOT IN (SELECT id FROM event)"},
};

static void check_database(struct database *database) {
    struct error error = {0};

    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        int64_t wrong;

        if (!database_integer(database, checks[i].sql, 0, 1, &wrong, &error)) {
            target_failed("%s", error.message);
        }
        if (wrong) {
            target_failed("%s", checks[i].what);
        }
    }
}

/* The importers' own functions for `dump` see what the log brought in. */
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

static void check_summary(struct database *database, const struct import_summary *summary) {
    struct error error = {0};
    int64_t sum;

    if (!database_integer(database, "SELECT events + merged + ignored + rejected FROM trace", 0, -1,
                          &sum, &error) ||
        sum != summary->events + summary->merged + summary->ignored + summary->rejected) {
        target_failed("the summary does not say what the database says");
    }
}

static void check_failure(struct database *database, const struct error *failure, int64_t before) {
    struct error error = {0};
    int64_t traces;

    if (failure->status != EXIT_FAILED || failure->message[0] == '\0') {
        target_failed("a failure without a message");
    }
    if (!database_integer(database, "SELECT count(*) FROM trace", 0, -1, &traces, &error) ||
        traces != before) {
        target_failed("a failed import left something: %s", failure->message);
    }
}

/* While fuzzing, one input in so many is read back: opening a database and reading back cost more
 * than an import of a small file. So one database is emptied between inputs, too. */
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

static bool import_file(struct database *database, struct import_options *options, const char *path,
                        int64_t before) {
    static const struct config config;
    struct import_summary summary;
    struct error error = {0};

    if (!import_files(database, &config, options, &path, 1, &summary, &error)) {
        check_failure(database, &error, before);
        return false;
    }
    if (!options->append) {
        check_summary(database, &summary);
    }
    check_database(database);
    target_did(options->append ? "append" : "import");
    return true;
}

void importer_target(const struct importer *importer, bool append, const uint8_t *bytes,
                     size_t length) {
    static const struct config config;
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
    if (!import_file(&database, &options, path, 0)) {
        return;
    }
    if (append) {
        options.append = options.again = true;
        import_file(&database, &options, path, 1);
    }
    if (target_does(0, READ_BACK_OF, bytes, length)) {
        dump(&database, &config);
        database_close(&database);
    } else {
        empty_database(&database);
    }
}

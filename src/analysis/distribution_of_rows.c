/* Percentiles of what a statement gives: temp.distribution. */
#include "base/text.h"
#include "scan/distribution.h"
#include "analysis/scan.h"

struct distribution_scan {
    struct database *database;
    struct distribution *distribution;
    struct error *error;
    bool failed;
};

/* distribution_rows(scan, group, value) */
static void distribution_step(sqlite3_context *context, int count, sqlite3_value **values) {
    struct distribution_scan *scan = scan_state(values);
    const char *name = (const char *)sqlite3_value_text(values[1]);

    (void)count;
    if (scan != NULL && !scan->failed &&
        !distribution_add(scan->distribution, name == NULL ? "" : name,
                          sqlite3_value_int64(values[2]), scan->error)) {
        scan->failed = true;
        sqlite3_result_error(context, scan->error->message, -1);
    }
}

static bool run_pass(struct distribution_scan *scan, const char *rows) {
    struct text sql = {0};
    sqlite3_stmt *statement = NULL;

    text_append_format(&sql,
                       "SELECT distribution_rows(?1, part, value) FROM (SELECT NULL AS part,"
                       " NULL AS value WHERE 0 UNION ALL %s)",
                       rows);
    if (sql.failed) {
        error_no_memory(scan->error);
    } else {
        statement = database_prepare_reading(scan->database, text_string(&sql), scan->error);
    }
    text_free(&sql);
    return statement != NULL &&
           scan_run(scan->database, statement, scan, &scan->failed, scan->error);
}

bool scan_distribution(struct database *database, const char *rows, struct error *error) {
    struct distribution_scan scan = {database, distribution_new(), error, false};
    bool more = true, done = scan.distribution != NULL || error_no_memory(error);

    while (done && more) {
        done = run_pass(&scan, rows) && distribution_end_pass(scan.distribution, &more, error);
    }
    done = done && distribution_write(scan.distribution, database, error);
    distribution_free(scan.distribution);
    return done;
}

bool scan_register_distribution(struct database *database, struct error *error) {
    return scan_register_function(database, "distribution_rows", 3, distribution_step, error);
}

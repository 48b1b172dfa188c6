/* tracetool sql: one query of the user's own, which can only read. */
#include <string.h>

#include "cli/command.h"
#include "report/report.h"

/* Reading is all that is allowed, whatever the query says. */
static int only_reading(void *context, int action, const char *first, const char *second,
                        const char *database, const char *trigger) {
    (void)context;
    (void)first;
    (void)database;
    (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return second != NULL && strcmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    default:
        return SQLITE_DENY;
    }
}

/* Nothing but blanks, comments and semicolons may follow the statement. */
static bool is_alone(struct database *database, const char *rest, struct error *error) {
    sqlite3_stmt *next = NULL;

    while (*rest != '\0') {
        const char *begin = rest;

        if (sqlite3_prepare_v2(database->handle, begin, -1, &next, &rest) != SQLITE_OK ||
            next != NULL) {
            sqlite3_finalize(next);
            return error_set(error, "one statement at a time: something follows the first");
        }
        if (rest == begin) {
            break;
        }
    }
    return true;
}

static sqlite3_stmt *prepare(struct database *database, const char *sql, struct error *error) {
    sqlite3_stmt *statement = NULL;
    const char *rest = sql;
    int status;

    sqlite3_set_authorizer(database->handle, only_reading, NULL);
    status = sqlite3_prepare_v2(database->handle, sql, -1, &statement, &rest);
    if (status == SQLITE_AUTH || strcmp(sqlite3_errmsg(database->handle), "not authorized") == 0) {
        error_set(error, "the query may only read: SELECT from tables and views");
    } else if (status != SQLITE_OK) {
        error_set(error, "the query is wrong: %s", sqlite3_errmsg(database->handle));
    } else if (statement == NULL) {
        error_set(error, "the query is empty");
    } else if (!is_alone(database, rest, error) || !sqlite3_stmt_readonly(statement)) {
        if (error->status == EXIT_DONE) {
            error_set(error, "the query may only read");
        }
        sqlite3_finalize(statement);
        statement = NULL;
    }
    return statement;
}

struct query_output {
    struct session *session;
    struct database *database;
    sqlite3_stmt *statement;
};

static bool print_query(struct printer *printer, void *context, struct error *error) {
    const struct query_output *output = context;
    struct result result = {.report = "sql", .title = "", .clock_unit = "ns"};

    return report_print_statement(output->database, output->statement, printer, &result,
                                  arguments_number(output->session->arguments, OPTION_TOP, 0),
                                  error);
}

bool command_sql(struct session *session, struct error *error) {
    struct database database;
    struct query_output output = {.session = session, .database = &database};
    bool done;

    if (!database_open(&database, session->database_path, DATABASE_READ, error)) {
        return false;
    }
    output.statement = prepare(&database, session->arguments->words[0], error);
    done = output.statement != NULL && session_print(session, false, print_query, &output, error);
    sqlite3_finalize(output.statement);
    database_close(&database);
    return done;
}

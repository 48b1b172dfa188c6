/* tracetool sql: one query of the user's own, which can only read. */
#include "cli/command.h"
#include "report/print.h"

/* Nobody gives parameters a value: SQLite would take them for NULL. */
static bool check_parameters(sqlite3_stmt *statement, struct error *error) {
    int count = sqlite3_bind_parameter_count(statement);
    const char *name = NULL;

    for (int i = 1; name == NULL && i <= count; i++) {
        name = sqlite3_bind_parameter_name(statement, i);
    }
    return count == 0 ||
           error_set_status(error, EXIT_USAGE,
                            "the query has a parameter, %s, that nobody gives a value: write the "
                            "value itself, or make it a report of your own (tracetool-config(5))",
                            name == NULL ? "?" : name);
}

struct query_output {
    struct session *session;
    struct database *database;
    sqlite3_stmt *statement;
};

static bool print_query(struct printer *printer, void *context, struct error *error) {
    const struct query_output *output = context;
    struct result result = {.report = "sql", .title = "", .clock_unit = "ns"};

    return print_statement(output->database, output->statement, printer, &result,
                           arguments_number(output->session->arguments, OPTION_TOP, 0), error);
}

bool command_sql(struct session *session, struct error *error) {
    struct database database;
    struct query_output output = {.session = session, .database = &database};
    bool done;

    sqlite3_hard_heap_limit64(DATABASE_MOST_MEMORY);
    if (!session_open(session, &database, DATABASE_READ, error)) {
        return false;
    }
    output.statement = database_prepare_reading(&database, session->arguments->words[0], error);
    done = output.statement != NULL && check_parameters(output.statement, error) &&
           session_print(session, false, print_query, &output, error);
    sqlite3_finalize(output.statement);
    return session_close(session, &database, done, error);
}

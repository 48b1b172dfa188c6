/* tracetool sql: one query of the user's own, which can only read. */
#include "cli/command.h"
#include "report/print.h"

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
    done = output.statement != NULL && session_print(session, false, print_query, &output, error);
    sqlite3_finalize(output.statement);
    return session_close(session, &database, done, error);
}

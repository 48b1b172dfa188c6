/* tracetool sql and plot sql: run one read-only SQL statement of the user, describe tables and
 * views, or start sqlite3's shell. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/picture.h"
#include "output/printer.h"
#include "report/print.h"
#include "report/query_text.h"
#include "report/workspace.h"
#include "store/database.h"
#include "store/schema.h"

/* plot sql: plots the second column of a statement over the first; an optional third column names
 * the series. If the first column is numeric, draws points connected by lines; if it is text, draws
 * bars. */

/* Limit of rows in a picture, since gnuplot holds them in memory. */
#define STATEMENT_PICTURE_ROWS 1000000

enum { MOST_COLUMNS = 3 };

static bool command_sql_is_number(const struct value *value) {
    return value->type == VALUE_INTEGER || value->type == VALUE_REAL;
}

/* Returns whether a number is too large for gnuplot, which computes differences for its axes. */
static bool is_too_large(const struct value *value) {
    return value->type == VALUE_REAL && !(fabs(value->real) <= DBL_MAX / 8);
}

/* Chooses bars or lines, by the first row whose first column is not NULL. Resets the statement. */
static bool choose_bars_or_lines(struct database *database, sqlite3_stmt *statement, bool *bars,
                                 struct error *error) {
    struct value first = {.type = VALUE_NULL};
    bool row = true, done = true;

    while (done && row && first.type == VALUE_NULL) {
        done = database_step(database, statement, &row, error);
        if (done && row) {
            row_value(statement, 0, &first);
        }
    }
    *bars = first.type != VALUE_NULL && !command_sql_is_number(&first);
    return done && (sqlite3_reset(statement) == SQLITE_OK || database_set_error(database, error));
}

static bool command_sql_check_row(const struct value *values, bool bars, int64_t row,
                                  const char *const *names, struct error *error) {
    if (values[0].type != VALUE_NULL && command_sql_is_number(&values[0]) == bars) {
        return error_set(error,
                         "the first column, %s, is %s in row %lld but %s in earlier rows: CAST it "
                         "to one type in the query",
                         names[0], bars ? "a number" : "text", (long long)row,
                         bars ? "text" : "a number");
    }
    if (values[1].type != VALUE_NULL && !command_sql_is_number(&values[1])) {
        return error_set(error, "the second column, %s, is not a number in row %lld", names[1],
                         (long long)row);
    }
    for (size_t i = 0; i < 2; i++) {
        if (is_too_large(&values[i])) {
            return error_set(error, "column %s: the number in row %lld is too large to be drawn",
                             names[i], (long long)row);
        }
    }
    return true;
}

static bool command_sql_print_rows(struct database *database, sqlite3_stmt *statement,
                                   struct printer *printer, const struct result *result, bool bars,
                                   int64_t top, struct error *error) {
    struct value values[MOST_COLUMNS];
    bool row = true;

    for (int64_t printed = 0; top == 0 || printed < top; printed++) {
        if (!database_step(database, statement, &row, error)) {
            return false;
        }
        if (!row) {
            break;
        }
        if (printed == STATEMENT_PICTURE_ROWS) {
            return error_set(error,
                             "a picture has at most %d rows, and the query returns more: aggregate "
                             "in the query, or draw the first rows with --top",
                             STATEMENT_PICTURE_ROWS);
        }
        for (size_t i = 0; i < result->column_count; i++) {
            row_value(statement, (int)i, &values[i]);
        }
        if (bars && values[0].type == VALUE_NULL) {
            values[0] = (struct value){.type = VALUE_TEXT, .bytes = ""};
        }
        if (!command_sql_check_row(values, bars, printed + 1, result->axes, error) ||
            !printer_row(printer, values, error)) {
            return false;
        }
    }
    return true;
}

/* Appends an SQL statement with its lines joined. */
static void append_statement(struct text *out, const char *sql) {
    bool blank = false;

    text_append_string(out, "query: ");
    for (; *sql != '\0'; sql++) {
        bool is_blank = *sql == ' ' || *sql == '\n' || *sql == '\t' || *sql == '\r';

        if (!is_blank) {
            text_append_string(out, blank ? " " : "");
            text_append_char(out, *sql);
        }
        blank = is_blank;
    }
}

/* Plots at most `top` rows (0: all) of the statement with `printer`, whose style is gnuplot. No row
 * may have been read yet; the caller finalizes the statement. `sql`: text shown in the picture.
 * Fails if columns have unsuitable types, or if there are too many rows. */
static bool statement_picture(struct database *database, sqlite3_stmt *statement, const char *sql,
                              struct printer *printer, int64_t top, struct error *error) {
    const struct column columns[MOST_COLUMNS] = {
        {"x", "", COLUMN_ANY}, {"y", "", COLUMN_ANY}, {"series", "", COLUMN_TEXT}};
    const char *axes[MOST_COLUMNS], *remarks[1];
    struct text remark = {0};
    struct result result = {
        .report = "sql",
        .title = "Query",
        .clock_unit = "ns",
        .columns = columns,
        .column_count = (size_t)sqlite3_column_count(statement),
        .axes = axes,
        .remarks = remarks,
        .remark_count = 1,
    };
    char *plot;
    bool bars, done;

    if (result.column_count < 2 || result.column_count > MOST_COLUMNS) {
        return error_usage(error,
                           "plot sql needs a query with two columns (x and y, or a label and a "
                           "value), or three, where the third names the series; this one has %zu",
                           result.column_count);
    }
    for (size_t i = 0; i < result.column_count; i++) {
        axes[i] = sqlite3_column_name(statement, (int)i);
    }
    if (!choose_bars_or_lines(database, statement, &bars, error)) {
        return false;
    }
    plot = query_plot_read(bars ? "sql-bars" : "sql-lines", NULL, error);
    append_statement(&remark, sql);
    remarks[0] = text_string(&remark);
    result.plot = plot;
    done = plot != NULL && printer_begin(printer, &result, error) &&
           command_sql_print_rows(database, statement, printer, &result, bars, top, error) &&
           printer_end(printer, error);
    text_free(&remark);
    free(plot);
    return done;
}

/* --- reading and checking the statement ------------------------------------------------------- */

/* Limit of the statement's size in bytes. */
#define STATEMENT_LIMIT (1024 * 1024)

/* UTF-8 byte order mark, which some editors write at the start of a file. */
static const char byte_order_mark[] = "\xEF\xBB\xBF";

static bool command_sql_read_stream(FILE *file, const char *name, struct text *out,
                                    struct error *error) {
    char buffer[4096];
    size_t got;

    while ((got = fread(buffer, 1, sizeof buffer, file)) > 0) {
        text_append(out, buffer, got);
        if (out->length > STATEMENT_LIMIT) {
            return error_set(error, "%s: a statement of more than 1 MiB", name);
        }
    }
    if (ferror(file)) {
        return error_set(error, "%s: cannot be read: %s", name, strerror(errno));
    }
    return memchr(text_string(out), '\0', out->length) == NULL ||
           error_set(error, "%s: holds a NUL byte, so it is not SQL", name);
}

static char *command_sql_read_file(const char *path, struct error *error) {
    const bool is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "stdin" : path;
    FILE *file = is_stdin ? stdin : file_open_stream(path);
    struct text out = {0};
    char *statement = NULL;

    if (file == NULL) {
        error_set(error, "%s: cannot be read: %s", path, file_strerror(errno));
        return NULL;
    }
    if (command_sql_read_stream(file, name, &out, error)) {
        const char *begin = text_string(&out);
        size_t mark = strlen(byte_order_mark);

        statement = xstrdup(strncmp(begin, byte_order_mark, mark) == 0 ? begin + mark : begin);
    }
    if (!is_stdin) {
        fclose(file);
    }
    text_free(&out);
    return statement;
}

/* Reads the statement: the argument, a file (-f FILE) or stdin (-). Owned by the caller; NULL with
 * `error` set on failure. Called before the database is opened. */
static char *statement_read(const struct arguments *arguments, struct error *error) {
    const char *given = arguments->word_count > 0 ? arguments->words[0] : NULL;

    if (given != NULL && arguments->given[OPTION_SQL_FILE]) {
        error_usage(error, "give one query: either '%s' or the file of -f", given);
    } else if (arguments->given[OPTION_SQL_FILE]) {
        return command_sql_read_file(arguments->values[OPTION_SQL_FILE], error);
    } else if (given != NULL && strcmp(given, "-") == 0) {
        return command_sql_read_file("-", error);
    } else if (given != NULL) {
        return xstrdup(given);
    } else {
        error_usage(error, "which query? give it as an argument, in a file with -f FILE, or on "
                           "stdin with -");
    }
    return NULL;
}

/* Sets an error if the statement has parameters: nothing binds them, so SQLite would use NULL. */
static bool command_sql_check_parameters(sqlite3_stmt *statement, struct error *error) {
    int count = sqlite3_bind_parameter_count(statement);
    const char *name = NULL;

    for (int i = 1; name == NULL && i <= count; i++) {
        name = sqlite3_bind_parameter_name(statement, i);
    }
    return count == 0 ||
           error_usage(error,
                       "parameter %s of the query has no value: write the value into the query, or "
                       "make the query a report of your own (tracetool-config(5))",
                       name == NULL ? "?" : name);
}

/* Prepares the statement, and checks that it is read-only and has no parameters. Returns NULL with
 * `error` set on failure. */
static sqlite3_stmt *statement_prepare(struct database *database, const char *sql,
                                       struct error *error) {
    sqlite3_stmt *statement = database_prepare_read_only(database, sql, error);

    if (statement != NULL && !command_sql_check_parameters(statement, error)) {
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

    return print_statement(output->database, output->statement, printer, &result,
                           arguments_number(output->session->arguments, OPTION_TOP, 0), error);
}

static bool run_query(struct session *session, const char *statement, struct error *error) {
    struct database database;
    struct query_output output = {.session = session, .database = &database};
    bool done;

    database_limit_memory();
    if (!session_open(session, &database, DATABASE_READ, error)) {
        return false;
    }
    output.statement = statement_prepare(&database, statement, error);
    done = output.statement != NULL && session_print(session, false, print_query, &output, error);
    sqlite3_finalize(output.statement);
    return session_close(session, &database, done, error);
}

/* --- .schema: descriptions of columns --------------------------------------------------------- */

static const char schema_command[] = ".schema";

struct schema_output {
    struct printer *printer;
    const char *table; /* table to describe; NULL: all */
    size_t rows;
};

static struct value command_sql_text_value(const char *string) {
    return (struct value){
        .type = *string == '\0' ? VALUE_NULL : VALUE_TEXT,
        .bytes = string,
        .length = strlen(string),
    };
}

static bool print_word(void *context, const struct schema_word *word, struct error *error) {
    struct schema_output *output = context;
    const struct value values[] = {command_sql_text_value(word->table),
                                   command_sql_text_value(word->column),
                                   command_sql_text_value(word->what)};

    if (output->table != NULL && strcmp(output->table, word->table) != 0) {
        return true;
    }
    output->rows++;
    return printer_row(output->printer, values, error);
}

static bool add_table(void *context, const struct schema_word *word, struct error *error) {
    if (*word->column == '\0') {
        text_append_format(context, " %s", word->table);
    }
    return true;
}

static bool refuse_table(const char *table, struct error *error) {
    struct text tables = {0};

    if (schema_visit(add_table, &tables, error)) {
        error_usage(error, ".schema: there is no table or view '%s'; there are%s", table,
                    text_string(&tables));
    }
    text_free(&tables);
    return false;
}

static bool print_schema(struct printer *printer, void *context, struct error *error) {
    static const struct column columns[] = {
        {"table", "", COLUMN_TEXT}, {"column", "", COLUMN_TEXT}, {"meaning", "", COLUMN_TEXT}};
    const struct result result = {
        .report = "schema",
        .title = "",
        .clock_unit = "ns",
        .columns = columns,
        .column_count = sizeof columns / sizeof columns[0],
    };
    struct schema_output *output = context;

    output->printer = printer;
    return printer_begin(printer, &result, error) && schema_visit(print_word, output, error) &&
           printer_end(printer, error) && (output->rows > 0 || refuse_table(output->table, error));
}

/* Runs a command like those of sqlite3's shell: a dot and a word, maybe followed by an argument. */
static bool run_dot_command(struct session *session, const char *command, const char *second,
                            struct error *error) {
    const char *rest = command + strcspn(command, " ");

    if (strncmp(command, schema_command, strlen(schema_command)) != 0 ||
        rest != command + strlen(schema_command)) {
        return error_usage(
            error,
            "'%s' works only in sqlite3's shell; here, .schema [TABLE] lists tables and columns",
            command);
    }
    rest += strspn(rest, " ");
    const char *table = *rest != '\0' ? rest : second;
    struct schema_output output = {.table = table};

    return session_print(session, false, print_schema, &output, error);
}

/* --- .shell: sqlite3's own shell -------------------------------------------------------------- */

/* Replaces the process by sqlite3. Returns only on failure, with false. */
static bool become_shell(const char *path, struct error *error) {
    struct text name = {0};

    /* Prefixes ./ so that sqlite3 does not take the path as an option (-…) or URI (file:…). */
    text_append_string(&name, *path == '/' ? "" : "./");
    text_append_string(&name, path);
    signal(SIGPIPE, SIG_DFL);
    execlp("sqlite3", "sqlite3", "-readonly", "-box", text_string(&name), (char *)NULL);
    error_set(error, "sqlite3 cannot be run%s%s; without it, give a query: tracetool sql QUERY",
              errno == ENOENT ? ": install it (Debian: sqlite3)" : ": ",
              errno == ENOENT ? "" : strerror(errno));
    text_free(&name);
    return false;
}

bool command_sql(struct session *session, struct error *error) {
    const struct arguments *arguments = session->arguments;
    const char *second = arguments->word_count > 1 ? arguments->words[1] : NULL;
    char *statement;
    bool done;

    if (arguments->word_count > 0 && arguments->words[0][0] == '.') {
        return run_dot_command(session, arguments->words[0], second, error);
    }
    if (second != NULL) {
        return strchr(second, ' ') != NULL
                   ? error_usage(error, "sql: one argument too many: '%s'", second)
                   : error_usage(error, "there is neither a file nor a trace '%s'", second);
    }
    if (arguments->word_count == 0 && !arguments->given[OPTION_SQL_FILE] &&
        session->stdout_is_terminal && isatty(STDIN_FILENO)) {
        /* Opens the database before the shell starts: checks that it is one of tracetool's,
         * migrates it, and recovers its write-ahead log. */
        struct database database;

        return session_open(session, &database, DATABASE_READ, error) &&
               session_close(session, &database, true, error) &&
               become_shell(session->database_path, error);
    }
    statement = statement_read(arguments, error);
    done = statement != NULL && run_query(session, statement, error);
    free(statement);
    return done;
}

static bool print_sql(struct session *session, struct database *database, const char *sql,
                      FILE *script, const struct printer_options *options, struct error *error) {
    const int64_t top = arguments_number(session->arguments, OPTION_TOP, 0);
    sqlite3_stmt *statement = statement_prepare(database, sql, error);
    struct printer *printer;
    bool done = false;

    if (statement != NULL) {
        printer = printer_open(&printer_style_gnuplot, script, options);
        done = printer_close(
            printer, statement_picture(database, statement, sql, printer, top, error), error);
    }
    sqlite3_finalize(statement);
    return done;
}

static bool draw_sql(struct session *session, struct database *database, const char *sql,
                     struct picture *picture, struct error *error) {
    struct plot plot;
    bool done = picture_begin(picture, false, &plot, error) != NULL;

    if (done) {
        done = print_sql(session, database, sql, plot.script, &picture->printer, error);
        database_end_read_transaction(database);
        done = picture_end(picture, &plot, done, error);
    }
    return done;
}

bool command_plot_sql(struct session *session, struct error *error) {
    struct picture picture;
    struct database database;
    char *sql = NULL;
    bool done = picture_read(&picture, session, error);

    if (done && remote_is_address(session->database_path)) {
        done = error_usage(error, "plot sql reads a database file, not a store");
    }
    if (done) {
        sql = statement_read(session->arguments, error);
        database_limit_memory();
    }
    if (sql != NULL && session_open(session, &database, DATABASE_READ, error)) {
        done = draw_sql(session, &database, sql, &picture, error);
        done = session_close(session, &database, done, error);
    } else {
        done = false;
    }
    free(sql);
    picture_free(&picture);
    return done;
}

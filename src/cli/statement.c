#include "cli/statement.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/memory.h"

/* Editors of other systems put it before the first letter. */
static const char byte_order_mark[] = "\xEF\xBB\xBF";

static bool read_stream(FILE *file, const char *name, struct text *out, struct error *error) {
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
           error_set(error, "%s: holds a NUL byte: this is no SQL", name);
}

static char *read_file(const char *path, struct error *error) {
    const bool is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "stdin" : path;
    FILE *file = is_stdin ? stdin : file_open_stream(path);
    struct text out = {0};
    char *statement = NULL;

    if (file == NULL) {
        error_set(error, "%s: cannot be read: %s", path, file_cause(errno));
        return NULL;
    }
    if (read_stream(file, name, &out, error)) {
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

bool statement_is_given(const struct arguments *arguments) {
    return arguments->word_count > 0 || arguments->given[OPTION_SQL_FILE];
}

char *statement_read(const struct arguments *arguments, struct error *error) {
    const char *given = arguments->word_count > 0 ? arguments->words[0] : NULL;

    if (given != NULL && arguments->given[OPTION_SQL_FILE]) {
        error_set_status(error, EXIT_USAGE, "one query at a time: '%s' or that of -f", given);
    } else if (arguments->given[OPTION_SQL_FILE]) {
        return read_file(arguments->values[OPTION_SQL_FILE], error);
    } else if (given != NULL && strcmp(given, "-") == 0) {
        return read_file("-", error);
    } else if (given != NULL) {
        return xstrdup(given);
    } else {
        error_set_status(error, EXIT_USAGE,
                         "which query? give it as an argument, in a file with -f FILE, or on "
                         "stdin with -");
    }
    return NULL;
}

/* Nobody gives parameters a value: SQLite would take them for NULL. */
static bool check_parameters(sqlite3_stmt *statement, struct error *error) {
    int count = sqlite3_bind_parameter_count(statement);
    const char *name = NULL;

    for (int i = 1; name == NULL && i <= count; i++) {
        name = sqlite3_bind_parameter_name(statement, i);
    }
    return count == 0 ||
           error_set_status(error, EXIT_USAGE,
                            "parameter %s of the query has no value: write the value itself, or "
                            "make the query a report of your own (tracetool-config(5))",
                            name == NULL ? "?" : name);
}

sqlite3_stmt *statement_prepare(struct database *database, const char *sql, struct error *error) {
    sqlite3_stmt *statement = database_prepare_reading(database, sql, error);

    if (statement != NULL && !check_parameters(statement, error)) {
        sqlite3_finalize(statement);
        statement = NULL;
    }
    return statement;
}

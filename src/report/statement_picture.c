#include "report/statement_picture.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/query_text.h"
#include "report/workspace.h"

enum { MOST_COLUMNS = 3 };

static bool is_number(const struct value *value) {
    return value->type == VALUE_INTEGER || value->type == VALUE_REAL;
}

/* Axes of gnuplot's end where differences of two numbers do. */
static bool is_too_large(const struct value *value) {
    return value->type == VALUE_REAL && !(fabs(value->real) <= DBL_MAX / 8);
}

/* Whether the first row that says it is of bars. No rows are left behind it. */
static bool look_at_first(struct rows *rows, bool *bars, struct error *error) {
    struct value first = {.type = VALUE_NULL};
    bool row = true, done = true;

    while (done && row && first.type == VALUE_NULL) {
        done = rows_next(rows, &row, error);
        if (done && row) {
            rows_value(rows, 0, &first);
        }
    }
    *bars = first.type != VALUE_NULL && !is_number(&first);
    return done && rows_again(rows, error);
}

static bool check_row(const struct value *values, bool bars, int64_t row, const char *const *names,
                      struct error *error) {
    if (values[0].type != VALUE_NULL && is_number(&values[0]) == bars) {
        return error_set(error,
                         "the first column, %s, is %s in row %lld and was %s before: CAST it to "
                         "one of them",
                         names[0], bars ? "a number" : "text", (long long)row,
                         bars ? "text" : "a number");
    }
    if (values[1].type != VALUE_NULL && !is_number(&values[1])) {
        return error_set(error, "the second column, %s, is no number in row %lld", names[1],
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

static bool print_rows(struct rows *rows, struct printer *printer, const struct result *result,
                       bool bars, int64_t top, struct error *error) {
    struct value values[MOST_COLUMNS];
    bool row = true;

    for (int64_t printed = 0; top == 0 || printed < top; printed++) {
        if (!rows_next(rows, &row, error)) {
            return false;
        }
        if (!row) {
            break;
        }
        if (printed == STATEMENT_PICTURE_ROWS) {
            return error_set(error,
                             "a picture has at most %d rows, and the query gives more: have it "
                             "count or add up, or take the first with --top",
                             STATEMENT_PICTURE_ROWS);
        }
        for (size_t i = 0; i < result->column_count; i++) {
            rows_value(rows, (int)i, &values[i]);
        }
        if (bars && values[0].type == VALUE_NULL) {
            values[0] = (struct value){.type = VALUE_TEXT, .bytes = ""};
        }
        if (!check_row(values, bars, printed + 1, result->axes, error) ||
            !printer_row(printer, values, error)) {
            return false;
        }
    }
    return true;
}

/* The statement in one line. */
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

bool statement_picture(struct database *database, sqlite3_stmt *statement, const char *sql,
                       struct printer *printer, int64_t top, struct error *error) {
    const struct column columns[MOST_COLUMNS] = {
        {"x", "", COLUMN_ANY}, {"y", "", COLUMN_ANY}, {"series", "", COLUMN_TEXT}};
    struct rows rows = {.database = database, .statement = statement};
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
        return error_set_status(error, EXIT_USAGE,
                                "plot sql draws two columns, x and y or a label and a value, and a "
                                "third that tells series apart; the query has %zu",
                                result.column_count);
    }
    for (size_t i = 0; i < result.column_count; i++) {
        axes[i] = sqlite3_column_name(statement, (int)i);
    }
    if (!look_at_first(&rows, &bars, error)) {
        return false;
    }
    plot = query_plot_read(bars ? "sql-bars" : "sql-lines", NULL, error);
    append_statement(&remark, sql);
    remarks[0] = text_string(&remark);
    result.plot = plot;
    done = plot != NULL && printer_begin(printer, &result, error) &&
           print_rows(&rows, printer, &result, bars, top, error) && printer_end(printer, error);
    text_free(&remark);
    free(plot);
    return done;
}

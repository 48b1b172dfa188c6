#include "report/print.h"

#include <stdlib.h>

#include "base/memory.h"

static bool print_rows(struct report *report, struct printer *printer, struct error *error) {
    const struct value *values;
    bool done;

    while ((done = report_row(report, &values, error)) && values != NULL) {
        if (!printer_row(printer, values, error)) {
            return false;
        }
    }
    return done;
}

static bool print_results(struct report *report, struct printer *printer, struct error *error) {
    const struct result *result;
    bool done;

    while ((done = report_next(report, &result, error)) && result != NULL) {
        if (!printer_begin(printer, result, error) || !print_rows(report, printer, error) ||
            !printer_end(printer, error)) {
            return false;
        }
    }
    return done;
}

bool print_report(struct workspace *workspace, const struct report_request *request,
                  const struct printer_style *style, FILE *file,
                  const struct printer_options *given, struct error *error) {
    struct report_request alone = *request;
    struct report *report;
    struct printer_options options = *given;
    struct printer *printer;
    bool done;

    alone.alone = true;
    report = report_open(workspace, &alone, error);
    done = report != NULL && (!options.one_picture || report_check_one_query(report, error));

    if (done) {
        options.many = report_is_many(report);
        printer = printer_open(style, file, &options);
        done = printer_close(printer, print_results(report, printer, error), error);
    }
    report_close(report);
    return done;
}

static bool print_values(struct rows *rows, struct printer *printer, size_t count, int kind_column,
                         int64_t top, struct error *error) {
    struct value *values = xcalloc(count + 1, sizeof *values);
    bool row = true, done = true;

    for (int64_t printed = 0; done && (top == 0 || printed < top); printed++) {
        done = rows_next(rows, &row, error);
        if (!done || !row) {
            break;
        }
        for (size_t i = 0; i < count; i++) {
            rows_value(rows, (int)i, &values[i]);
        }
        if (kind_column >= 0 && count > 0) {
            rows_set_kind(rows, kind_column, &values[count - 1]);
        }
        done = printer_row(printer, values, error);
    }
    free(values);
    return done;
}

bool print_statement(struct database *database, sqlite3_stmt *statement, struct printer *printer,
                     struct result *result, int64_t top, struct error *error) {
    int count = sqlite3_column_count(statement);
    struct column *columns = NULL;
    /* Nobody else reads: there is no list, and the statement stays the caller's. */
    struct rows rows = {.database = database, .statement = statement};
    bool done;
    int kind_column = result->columns == NULL ? -1 : rows_kind_column(statement);

    result->row_units = kind_column >= 0;
    if (result->columns == NULL) {
        columns = xcalloc((size_t)count + 1, sizeof *columns);
        for (int i = 0; i < count; i++) {
            columns[i] = (struct column){sqlite3_column_name(statement, i), "", COLUMN_ANY};
        }
        result->columns = columns;
        result->column_count = (size_t)count;
    }
    done = printer_begin(printer, result, error) &&
           print_values(&rows, printer, result->column_count, kind_column, top, error) &&
           printer_end(printer, error);
    free(columns);
    return done;
}

#include "report/print.h"

#include <stdlib.h>

#include "base/memory.h"
#include "export/export.h"
#include "report/request.h"
#include "report/workspace.h"
#include "select/match.h"

/* Export: passes the requested trace and its filters to the exporter of a format. */

/* Returns whether the format supports the trace's kind, and the trace has sectors, if needed. */
static bool print_check_trace(const struct catalog_trace *trace, const struct export_order *order,
                              struct error *error) {
    const struct exporter *exporter = order->exporter;
    bool io = trace->kind == TRACE_IO, of_io = exporter->kinds == 1u << TRACE_IO;

    if (exporter->sectors && (io || of_io) &&
        (!io || catalog_meaning(trace, "address", "sector") == NULL)) {
        return error_set(error, "trace %s has no sectors of block I/O; export as %s needs them",
                         trace->name, exporter->name);
    }
    if (order->real_paths && (!exporter->real_paths || trace->kind != TRACE_CALLS)) {
        return error_usage(error,
                           "--real-paths works only for system calls exported as fio or mobigen, "
                           "not for export as %s of trace %s",
                           exporter->name, trace->name);
    }
    return (exporter->kinds >> trace->kind & 1) != 0 ||
           error_set(error,
                     "trace %s holds %s; %s does not export these: `tracetool exports` lists what "
                     "each format needs",
                     trace->name, trace_kind_words(trace->kind), exporter->name);
}

static bool export_trace(struct temp_schema *temp, const struct report_request *request,
                         const struct catalog_trace *trace, const struct export_order *order,
                         struct export_run *run, struct error *error) {
    const struct selection_request selected = {
        .traces = &trace,
        .count = 1,
        .filter = request->filter,
        .all_actions = order->exporter->steps,
    };
    struct selection selection = {0};
    bool done = request_check_filter(request, trace, error) &&
                workspace_select(temp, &selected, &selection, error) &&
                export_selection(order, &selection, run, error);

    selection_close(&selection);
    return done;
}

/* Exports the trace, after expanding abbreviated names in the filter. */
static bool export_expanded(struct workspace *workspace, const struct report_request *request,
                            const struct catalog_trace *trace, const struct export_order *order,
                            struct export_run *run, struct error *error) {
    struct report_request expanded = *request;
    struct abbreviations abbreviations = {0};
    struct temp_schema temp = {.database = workspace->database};
    bool done =
        abbreviations_make(&abbreviations, workspace->database, &trace, 1, &request->filter,
                           error) &&
        match_check_names_exist(workspace->database, &trace, 1, &abbreviations.filter, error);

    if (done) {
        expanded.filter = abbreviations.filter;
        done = export_trace(&temp, &expanded, trace, order, run, error);
        temp_schema_free(&temp);
    }
    abbreviations_free(&abbreviations);
    return done;
}

bool run_export(struct workspace *workspace, const struct report_request *request,
                const struct export_order *order, struct export_run *run, struct error *error) {
    const struct catalog_trace *trace;
    bool done;

    if (!workspace_begin(workspace, error)) {
        return false;
    }
    trace =
        catalog_choose_kind(&workspace->catalog, request->traces[0], order->exporter->kinds, error);
    done = trace != NULL && print_check_trace(trace, order, error) &&
           export_expanded(workspace, request, trace, order, run, error);
    workspace_end(workspace);
    return done;
}

static bool print_result_rows(struct report *report, struct printer *printer, struct error *error) {
    const struct value *values;
    bool done;

    while ((done = report_next_row(report, &values, error)) && values != NULL) {
        if (!printer_row(printer, values, error)) {
            return false;
        }
    }
    return done;
}

static bool print_all_results(struct report *report, struct printer *printer, struct error *error) {
    const struct result *result;
    bool done;

    while ((done = report_next(report, &result, error)) && result != NULL) {
        if (!printer_begin(printer, result, error) || !print_result_rows(report, printer, error) ||
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
    alone.people = style == &printer_style_table;
    report = report_open(workspace, &alone, error);
    done = report != NULL && (!options.one_picture || report_check_one_query(report, error));

    if (done) {
        options.many = report_has_many_results(report);
        printer = printer_open(style, file, &options);
        done = printer_close(printer, print_all_results(report, printer, error), error);
    }
    report_close(report);
    return done;
}

static bool print_values(struct database *database, sqlite3_stmt *statement,
                         struct printer *printer, size_t count, int kind_column, int64_t top,
                         struct error *error) {
    struct value *values = xcalloc(count + 1, sizeof *values);
    bool row = true, done = true;

    for (int64_t printed = 0; done && (top == 0 || printed < top); printed++) {
        done = database_step(database, statement, &row, error);
        if (!done || !row) {
            break;
        }
        for (size_t i = 0; i < count; i++) {
            row_value(statement, (int)i, &values[i]);
        }
        if (kind_column >= 0 && count > 0) {
            row_set_kind(statement, kind_column, &values[count - 1]);
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
    bool done;
    int kind_column = result->columns == NULL ? -1 : row_kind_column(statement);

    result->row_units = kind_column >= 0;
    if (result->columns == NULL) {
        columns = xcalloc((size_t)count + 1, sizeof *columns);
        for (int i = 0; i < count; i++) {
            columns[i] = (struct column){sqlite3_column_name(statement, i), "", COLUMN_ANY};
        }
        result->columns = columns;
        result->column_count = (size_t)count;
    }
    done =
        printer_begin(printer, result, error) &&
        print_values(database, statement, printer, result->column_count, kind_column, top, error) &&
        printer_end(printer, error);
    free(columns);
    return done;
}

#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "import/importer.h"
#include "report/bind.h"
#include "report/choose.h"
#include "report/mark.h"
#include "report/prepare.h"
#include "report/reference.h"
#include "select/match.h"

struct report {
    struct workspace *workspace;
    const struct report_request *request; /* both borrowed */
    struct scratch scratch;
    struct choice *choices; /* owned */
    size_t choice_count;
    /* The result in hand; what is not open is zeroed. */
    const struct query *query;
    const struct catalog_trace **traces; /* owned; room for all choices */
    struct result_trace *ledger;         /* likewise */
    size_t trace_count;
    struct mark mark;
    struct selection selection;
    struct result result;
    struct column columns[QUERY_COLUMNS];
    int from[QUERY_COLUMNS]; /* column of the statement */
    int kind_column;         /* the one that names the kind of the last value; -1: none */
    struct rows rows;
    int64_t row_count; /* given so far */
    struct value values[QUERY_COLUMNS + 1];
};

/* --- opening ---------------------------------------------------------------------------------- */

/* A name that fits none of the traces is a mistake; one that fits some leaves the others empty. */
static bool check_names(const struct report *report, struct error *error) {
    for (size_t i = 0; i < report->choice_count; i++) {
        report->traces[i] = report->choices[i].trace;
    }
    if (!match_check(report->workspace->database, report->traces, report->choice_count,
                     &report->request->filter, error)) {
        return false;
    }
    for (size_t i = 0; i < report->choice_count; i++) {
        if ((i == 0 || report->choices[i].query != report->choices[i - 1].query) &&
            !prepare_check(report->workspace, report->choices[i].query, report->request,
                           report->traces, report->choice_count, error)) {
            return false;
        }
    }
    return true;
}

static bool check_filters(const struct report *report, struct error *error) {
    for (size_t i = 0; i < report->choice_count; i++) {
        if (!request_check_filter(report->request, report->choices[i].trace, error)) {
            return false;
        }
    }
    return true;
}

/* temp.reference: what --reference names. */
static bool load_reference(struct report *report, struct error *error) {
    const struct report_option *reference = request_option(report->request, "reference");

    return scratch_table(&report->scratch, "reference", "(name TEXT, time INTEGER)", error) &&
           (reference == NULL || reference_load(&report->scratch, reference->value, error));
}

static bool set_up(struct report *report, struct error *error) {
    struct workspace *workspace = report->workspace;

    if (!load_reference(report, error) ||
        !choose(&workspace->catalog, workspace->queries, report->request, &report->choices,
                &report->choice_count, error)) {
        return false;
    }
    report->traces = calloc(report->choice_count, sizeof(const struct catalog_trace *));
    report->ledger = calloc(report->choice_count, sizeof *report->ledger);
    if (report->traces == NULL || report->ledger == NULL) {
        return error_no_memory(error);
    }
    return check_filters(report, error) && check_names(report, error);
}

struct report *report_open(struct workspace *workspace, const struct report_request *request,
                           struct error *error) {
    struct report *report;

    if (!choose_check_report(workspace->queries, request->report, error)) {
        return NULL;
    }
    report = calloc(1, sizeof *report);
    if (report == NULL) {
        error_no_memory(error);
        return NULL;
    }
    report->workspace = workspace;
    report->request = request;
    if (!workspace_begin(workspace, error)) {
        free(report);
        return NULL;
    }
    rows_put_aside(&workspace->rows);
    if (!workspace_scratch(workspace, &report->scratch, error) || !set_up(report, error)) {
        report_close(report);
        return NULL;
    }
    return report;
}

/* Ends the result in hand. */
static void end_result(struct report *report) {
    rows_close(&report->rows);
    workspace_deselect(report->workspace, &report->selection);
    report->query = NULL;
}

void report_close(struct report *report) {
    if (report == NULL) {
        return;
    }
    end_result(report);
    mark_free(&report->mark);
    workspace_end_scratch(report->workspace, &report->scratch);
    workspace_end(report->workspace);
    free(report->choices);
    free(report->traces);
    free(report->ledger);
    free(report);
}

bool report_is_many(const struct report *report) {
    for (size_t i = 1; i < report->choice_count; i++) {
        if (!choices_share_result(&report->choices[0], &report->choices[i])) {
            return true;
        }
    }
    return report->request->by_trace;
}

bool report_check_one_query(const struct report *report, struct error *error) {
    const struct choice *choices = report->choices;

    for (size_t i = 1; i < report->choice_count; i++) {
        if (choices[i].query != choices[0].query) {
            return error_set(error,
                             "one picture cannot show trace %s, which holds %s, and trace %s, "
                             "which holds %s: choose with -t",
                             choices[0].trace->name, trace_kind_name(choices[0].trace->kind),
                             choices[i].trace->name, trace_kind_name(choices[i].trace->kind));
        }
    }
    return true;
}

/* --- the query -------------------------------------------------------------------------------- */

/* Says in which file the mistake is, and where it is known, in which line. */
static void place_mistake(const struct report *report, const char *sql, struct error *error) {
    int offset = scratch_mistake(&report->scratch, sql);
    struct text place = {0};

    if (offset >= 0) {
        query_place(report->query, sql + offset, &place);
    } else {
        text_append_string(&place, report->query->file);
    }
    error_context(error, "query file %s", text_string(&place));
    text_free(&place);
}

static sqlite3_stmt *prepare_query(struct report *report, const char *sql, struct error *error) {
    sqlite3_stmt *statement = scratch_prepare_reading(&report->scratch, sql, error);

    const struct binding binding = {
        .query = report->query,
        .request = report->request,
        .catalog = &report->workspace->catalog,
        .trace = report->traces[0],
    };

    if (statement == NULL) {
        place_mistake(report, sql, error);
    } else if (!bind_parameters(&binding, statement, error)) {
        sqlite3_finalize(statement);
        statement = NULL;
    }
    return statement;
}

static bool add_query_remarks(struct report *report, struct error *error) {
    for (size_t i = 0; i < report->query->remark_count; i++) {
        sqlite3_stmt *statement = prepare_query(report, report->query->remarks[i], error);
        bool row = true, done = statement != NULL;

        while (done && row) {
            done = database_step(report->workspace->database, statement, &row, error);
            if (done && row && sqlite3_column_type(statement, 0) != SQLITE_NULL) {
                done = remarks_add(&report->selection.remarks, error, "%s",
                                   sqlite3_column_text(statement, 0));
            }
        }
        sqlite3_finalize(statement);
        if (!done) {
            return false;
        }
    }
    return true;
}

/* Columns whose condition holds, and where they are in the statement. Times that are no seconds are
 * written as durations are: in whole units of the trace's clock. */
static size_t find_columns(struct report *report) {
    const struct report_request *request = report->request;
    size_t count = 0;

    for (size_t i = 0; i < report->query->column_count; i++) {
        const struct query_column *column = &report->query->columns[i];

        if (column->condition == NULL || request_option(request, column->condition) != NULL ||
            (request->study != NULL && strcmp(column->condition, "study") == 0)) {
            report->from[count] = (int)i;
            report->columns[count] = column->column;
            if (column->column.kind == COLUMN_TIME &&
                strcmp(report->result.clock_unit, "ns") != 0) {
                report->columns[count].kind = COLUMN_DURATION;
            }
            count++;
        }
    }
    return count;
}

static bool open_rows(struct report *report, struct error *error) {
    sqlite3_stmt *statement = prepare_query(report, report->query->sql, error);

    if (statement == NULL) {
        return false;
    }
    if ((size_t)sqlite3_column_count(statement) < report->query->column_count) {
        sqlite3_finalize(statement);
        return error_set(error, "query file %s: gives fewer columns than its header names",
                         report->query->file);
    }
    report->kind_column = rows_kind_column(statement);
    report->row_count = 0;
    rows_open(&report->rows, &report->workspace->rows, report->workspace->database, statement);
    return true;
}

/* --- results ---------------------------------------------------------------------------------- */

/* Takes the choices that share a result with the first that is not done. */
static void take_group(struct report *report, size_t first) {
    report->query = report->choices[first].query;
    report->trace_count = 0;
    for (size_t i = first; i < report->choice_count; i++) {
        struct choice *choice = &report->choices[i];
        const struct catalog_trace *trace = choice->trace;

        if (i != first &&
            (report->request->by_trace || !choices_share_result(&report->choices[first], choice))) {
            continue;
        }
        choice->done = true;
        report->ledger[report->trace_count] = (struct result_trace){
            .name = trace->name,
            .format = trace->format,
            .events = trace->events,
            .merged = trace->merged,
            .ignored = trace->ignored,
            .rejected = trace->rejected,
        };
        report->traces[report->trace_count++] = trace;
    }
}

/* Puts what is to be known of the marked trace before what is to be known of the report's own. */
static bool select_traces(struct report *report, struct error *error) {
    struct remarks remarks = {0};
    bool done =
        mark_select(&report->mark, report->workspace, &report->scratch, report->query,
                    report->request, &remarks, error) &&
        prepare_selection(report->workspace, &report->scratch, report->query, report->request,
                          report->traces, report->trace_count, &report->selection, error) &&
        remarks_add_all(&remarks, &report->selection.remarks, error);

    if (done) {
        remarks_free(&report->selection.remarks);
        report->selection.remarks = remarks;
    } else {
        remarks_free(&remarks);
    }
    return done;
}

static bool make_result(struct report *report, struct error *error) {
    const struct query *query = report->query;

    report->result = (struct result){
        .report = query->report,
        .title = query->title,
        .clock_unit = report->traces[0]->clock_unit,
        .traces = report->ledger,
        .trace_count = report->trace_count,
        .columns = report->columns,
        .plot = query->plot_text,
    };
    if (!select_traces(report, error) || !add_query_remarks(report, error)) {
        return false;
    }
    report->result.column_count = find_columns(report);
    report->result.remarks = (const char *const *)report->selection.remarks.lines;
    report->result.remark_count = report->selection.remarks.count;
    return open_rows(report, error);
}

bool report_next(struct report *report, const struct result **result, struct error *error) {
    size_t next = 0;

    *result = NULL;
    end_result(report);
    while (next < report->choice_count && report->choices[next].done) {
        next++;
    }
    if (next == report->choice_count) {
        return true;
    }
    take_group(report, next);
    if (!make_result(report, error)) {
        return false;
    }
    *result = &report->result;
    return true;
}

bool report_row(struct report *report, const struct value **values, struct error *error) {
    int64_t top = report->request->top;
    size_t count = report->result.column_count;
    bool row = false;

    *values = NULL;
    if (top != 0 && report->row_count >= top) {
        return true;
    }
    if (!rows_next(&report->rows, &row, error)) {
        return false;
    }
    if (!row) {
        return true;
    }
    report->row_count++;
    for (size_t i = 0; i < count; i++) {
        rows_value(&report->rows, report->from[i], &report->values[i]);
    }
    if (report->kind_column >= 0 && count > 0) {
        report->values[count - 1].kind = rows_kind(&report->rows, report->kind_column);
    }
    *values = report->values;
    return true;
}

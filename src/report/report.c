#include "base/words.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "report/reference.h"
#include "select/selection_spans.h"

/* --- printing the rows of a statement ----------------------------------------------------------
 */

static const struct {
    const char *name;
    enum column_kind kind;
} row_kinds[] = {
    {"integer", COLUMN_INTEGER}, {"real", COLUMN_REAL},         {"share", COLUMN_SHARE},
    {"bytes", COLUMN_BYTES},     {"duration", COLUMN_DURATION}, {"time", COLUMN_TIME},
    {"text", COLUMN_TEXT},
};

static enum column_kind row_kind(sqlite3_stmt *statement, int column) {
    const char *name = (const char *)sqlite3_column_text(statement, column);

    for (size_t i = 0; i < sizeof row_kinds / sizeof row_kinds[0]; i++) {
        if (name != NULL && strcmp(row_kinds[i].name, name) == 0) {
            return row_kinds[i].kind;
        }
    }
    return COLUMN_ANY;
}

static void read_value(sqlite3_stmt *statement, int column, struct value *value) {
    *value = (struct value){.type = VALUE_NULL};
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        value->type = VALUE_INTEGER;
        value->integer = sqlite3_column_int64(statement, column);
        break;
    case SQLITE_FLOAT:
        value->type = VALUE_REAL;
        value->real = sqlite3_column_double(statement, column);
        break;
    case SQLITE_TEXT:
        value->type = VALUE_TEXT;
        value->bytes = (const char *)sqlite3_column_text(statement, column);
        value->length = (size_t)sqlite3_column_bytes(statement, column);
        break;
    case SQLITE_BLOB:
        value->type = VALUE_BLOB;
        value->bytes = sqlite3_column_blob(statement, column);
        value->length = (size_t)sqlite3_column_bytes(statement, column);
        break;
    default:
        break;
    }
}

static bool print_rows(struct database *database, sqlite3_stmt *statement, struct printer *printer,
                       const struct result *result, const int *from, int kind_column, int64_t top,
                       struct error *error) {
    struct value *values = calloc(result->column_count + 1, sizeof *values);
    bool row = true, done = values != NULL || error_no_memory(error);

    for (int64_t count = 0; done && (top == 0 || count < top); count++) {
        done = database_step(database, statement, &row, error);
        if (!done || !row) {
            break;
        }
        for (size_t i = 0; i < result->column_count; i++) {
            read_value(statement, from == NULL ? (int)i : from[i], &values[i]);
        }
        if (kind_column >= 0 && result->column_count > 0) {
            values[result->column_count - 1].kind = row_kind(statement, kind_column);
        }
        done = printer_row(printer, values, error);
    }
    free(values);
    return done;
}

/* A column called _kind at the end of the statement is not printed. */
static int find_kind_column(sqlite3_stmt *statement) {
    int last = sqlite3_column_count(statement) - 1;

    return last >= 0 && strcmp(sqlite3_column_name(statement, last), "_kind") == 0 ? last : -1;
}

bool report_print_statement(struct database *database, sqlite3_stmt *statement,
                            struct printer *printer, struct result *result, int64_t top,
                            struct error *error) {
    int count = sqlite3_column_count(statement);
    struct column *columns = NULL;
    bool done;

    if (result->columns == NULL) {
        columns = calloc((size_t)count + 1, sizeof *columns);
        if (columns == NULL) {
            return error_no_memory(error);
        }
        for (int i = 0; i < count; i++) {
            columns[i] = (struct column){sqlite3_column_name(statement, i), "", COLUMN_ANY};
        }
        result->columns = columns;
        result->column_count = (size_t)count;
    }
    done = printer_begin(printer, result, error) &&
           print_rows(database, statement, printer, result, NULL,
                      columns == NULL ? find_kind_column(statement) : -1, top, error) &&
           printer_end(printer, error);
    free(columns);
    return done;
}

/* --- which query for which trace ----------------------------------------------------------------
 */

struct choice {
    const struct catalog_trace *trace;
    const struct query *query;
    bool done; /* printed as part of a group */
};

static const struct report_option *find_option(const struct report_request *request,
                                               const char *name) {
    for (size_t i = 0; i < request->option_count; i++) {
        if (strcmp(request->options[i].name, name) == 0) {
            return &request->options[i];
        }
    }
    return NULL;
}

/* Whether the query's `when` holds: 0 no, 1 it has none or holds by default, 2 it was asked for. */
static int condition_holds(const struct query *query, const struct report_request *request) {
    const struct report_option *option;

    if (query->when_option == NULL) {
        return 1;
    }
    option = find_option(request, query->when_option);
    if (option == NULL) {
        return query->by_default;
    }
    return query->when_value == NULL || strcmp(query->when_value, option->value) == 0 ? 2 : 0;
}

/* How well a query suits a trace: 0 not at all; asked for by an option before made for the format
 * before made for all. */
static int suitability(const struct query *query, const struct report_request *request,
                       const struct catalog_trace *trace) {
    bool of_format = word_in(query->formats, trace->format);
    int condition;

    if (strcmp(query->report, request->report) != 0 || !(query->kinds >> trace->kind & 1) ||
        ((query->tallies >> TALLY_HOUR & 1) && !catalog_real_clock(trace)) ||
        (query->formats[0] != '\0' && !of_format)) {
        return 0;
    }
    condition = condition_holds(query, request);
    return condition == 0 ? 0 : 2 * condition + of_format;
}

static const struct query *choose_query(const struct query_set *queries,
                                        const struct report_request *request,
                                        const struct catalog_trace *trace) {
    const struct query *best = NULL;
    int best_score = 0;

    for (size_t i = 0; i < queries->count; i++) {
        const struct query *query = &queries->queries[i];
        int score = suitability(query, request, trace);

        if (score > best_score) {
            best = query;
            best_score = score;
        }
    }
    return best;
}

static bool check_report_exists(const struct query_set *queries, const char *report,
                                struct error *error) {
    for (size_t i = 0; i < queries->count; i++) {
        if (strcmp(queries->queries[i].report, report) == 0) {
            return true;
        }
    }
    return error_set_status(error, EXIT_USAGE,
                            "there is no report '%s'; `tracetool reports` lists them", report);
}

/* Whether the report exists for that kind of trace, with other options. */
static bool has_kind(const struct query_set *queries, const char *report, enum trace_kind kind) {
    for (size_t i = 0; i < queries->count; i++) {
        if (strcmp(queries->queries[i].report, report) == 0 &&
            (queries->queries[i].kinds >> kind & 1)) {
            return true;
        }
    }
    return false;
}

static bool refuse_option(const struct report_request *request, enum trace_kind kind,
                          const struct report_option *option, struct error *error) {
    return error_set_status(error, EXIT_USAGE, "report %s over %s does not take --%s%s%s",
                            request->report, trace_kind_name(kind), option->name,
                            option->value[0] == '\0' ? "" : " ", option->value);
}

/* No query of the report was chosen for a kind of trace it is made for: an option selects none. */
static bool refuse_selection(const struct query_set *queries, const struct report_request *request,
                             const struct catalog_trace *trace, struct error *error) {
    for (size_t i = 0; i < queries->count; i++) {
        const struct query *query = &queries->queries[i];
        const struct report_option *option =
            query->when_option == NULL ? NULL : find_option(request, query->when_option);

        if (option != NULL && strcmp(query->report, request->report) == 0) {
            return refuse_option(request, trace->kind, option, error);
        }
    }
    return error_set(error, "report %s needs a real clock; trace %s counts in %s", request->report,
                     trace->name, trace->clock_unit);
}

/* Says which traces there are that the report is made for, or which there are at all. */
static bool no_trace_fits(const struct catalog *catalog, const struct query_set *queries,
                          const struct report_request *request, const char *why,
                          struct error *error) {
    struct catalog fitting = {.traces = calloc(catalog->count + 1, sizeof *catalog->traces)};
    struct text names = {0};

    for (size_t i = 0; fitting.traces != NULL && i < catalog->count; i++) {
        if (has_kind(queries, request->report, catalog->traces[i].kind)) {
            fitting.traces[fitting.count++] = catalog->traces[i];
        }
    }
    catalog_append_names(fitting.count > 0 ? &fitting : catalog, &names);
    free(fitting.traces);
    if (catalog->count == 0) {
        error_set(error, "the database holds no traces");
    } else {
        error_set(error, "%s; %s: %s", why,
                  fitting.count > 0 ? "traces it applies to" : "there are only",
                  text_string(&names));
    }
    text_free(&names);
    return false;
}

static bool choose_named(const struct catalog *catalog, const struct query_set *queries,
                         const struct report_request *request, struct choice *choices,
                         size_t *count, struct error *error) {
    for (size_t i = 0; i < request->trace_count; i++) {
        const struct catalog_trace *trace = catalog_find(catalog, request->traces[i]);
        const struct query *query;

        if (trace == NULL) {
            return catalog_unknown(catalog, request->traces[i], error);
        }
        query = choose_query(queries, request, trace);
        if (query == NULL && has_kind(queries, request->report, trace->kind)) {
            return refuse_selection(queries, request, trace, error);
        }
        if (query == NULL) {
            char why[ERROR_MESSAGE_SIZE / 2];

            snprintf(why, sizeof why, "report %s does not apply to trace %s, which holds %s",
                     request->report, trace->name, trace_kind_name(trace->kind));
            return no_trace_fits(catalog, queries, request, why, error);
        }
        choices[(*count)++] = (struct choice){.trace = trace, .query = query};
    }
    return true;
}

static bool is_given_twice(const struct report_request *request, struct error *error) {
    for (size_t i = 0; i < request->trace_count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(request->traces[i], request->traces[j]) == 0) {
                return !error_set_status(error, EXIT_USAGE, "trace %s is given twice",
                                         request->traces[i]);
            }
        }
    }
    return false;
}

bool report_includes(const struct report_request *request, const struct catalog_trace *trace) {
    return request->study == NULL || strcmp(request->study, trace->study) == 0;
}

bool report_check_study(const struct catalog *catalog, const struct report_request *request,
                        struct error *error) {
    bool found = request->study == NULL;

    for (size_t i = 0; i < catalog->count && !found; i++) {
        found = report_includes(request, &catalog->traces[i]);
    }
    if (!found) {
        return error_set(error, "no trace belongs to a study %s; import --study gives them one",
                         request->study);
    }
    return request->study == NULL || request->trace_count == 0 ||
           error_set_status(error, EXIT_USAGE, "either --study or --trace chooses the traces");
}

/* The traces of the request with their queries. `choices` has room for all. */
static bool choose(const struct catalog *catalog, const struct query_set *queries,
                   const struct report_request *request, struct choice *choices, size_t *count,
                   struct error *error) {
    *count = 0;
    if (is_given_twice(request, error) || !report_check_study(catalog, request, error)) {
        return false;
    }
    if (request->trace_count > 0) {
        return choose_named(catalog, queries, request, choices, count, error);
    }
    for (size_t i = 0; i < catalog->count; i++) {
        const struct query *query = choose_query(queries, request, &catalog->traces[i]);

        if (query != NULL && report_includes(request, &catalog->traces[i])) {
            choices[(*count)++] = (struct choice){.trace = &catalog->traces[i], .query = query};
        }
    }
    for (size_t i = 0; *count == 0 && i < catalog->count; i++) {
        if (has_kind(queries, request->report, catalog->traces[i].kind)) {
            return refuse_selection(queries, request, &catalog->traces[i], error);
        }
    }
    return *count > 0 ||
           no_trace_fits(catalog, queries, request, "no trace fits the report", error);
}

/* An option that a chosen query does not take is a mistake; so is one missing that it needs. */
static bool check_options(const struct report_request *request, const struct choice *choices,
                          size_t count, struct error *error) {
    for (size_t j = 0; j < count; j++) {
        const char *needs = choices[j].query->needs;

        if (needs != NULL && find_option(request, needs) == NULL) {
            return error_set_status(error, EXIT_USAGE, "report %s needs --%s", request->report,
                                    needs);
        }
    }
    for (size_t i = 0; i < request->option_count; i++) {
        const struct report_option *option = &request->options[i];

        for (size_t j = 0; j < count; j++) {
            const struct query *query = choices[j].query;
            bool selects =
                query->when_option != NULL && strcmp(query->when_option, option->name) == 0;

            if (!selects && !word_in(query->options, option->name)) {
                return refuse_option(request, choices[j].trace->kind, option, error);
            }
        }
    }
    return true;
}

/* A name that fits none of the traces is a mistake; one that fits some leaves the others empty. */
static bool check_names(struct database *database, const struct report_request *request,
                        const struct choice *choices, size_t count, struct error *error) {
    const struct catalog_trace **traces = calloc(count, sizeof(const struct catalog_trace *));
    bool done;

    if (traces == NULL) {
        return error_no_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        traces[i] = choices[i].trace;
    }
    done = selection_check(database, traces, count, &request->filter, error);
    free(traces);
    return done;
}

/* The filters that only one kind of trace has. */
bool report_check_filters(const struct selection_filter *filter, const struct catalog_trace *trace,
                          struct error *error) {
    const char *io = filter->action != NULL ? "action" : filter->has_device ? "device" : NULL;
    const char *spans = filter->under != NULL       ? "under"
                        : filter->component != NULL ? "component"
                        : filter->clock != NULL     ? "clock"
                                                    : NULL;

    if (io != NULL && trace->kind != TRACE_IO) {
        return error_set_status(error, EXIT_USAGE, "--%s is for block I/O; trace %s holds %s", io,
                                trace->name, trace_kind_name(trace->kind));
    }
    if (spans != NULL && trace->kind != TRACE_SPANS) {
        return error_set_status(error, EXIT_USAGE,
                                "--%s is for calls with a duration; trace %s holds %s", spans,
                                trace->name, trace_kind_name(trace->kind));
    }
    return trace->kind != TRACE_SPANS || spans_check_clock(trace, filter, error);
}

static bool check_filters(const struct report_request *request, const struct choice *choices,
                          size_t count, struct error *error) {
    for (size_t i = 0; i < count; i++) {
        if (!report_check_filters(&request->filter, choices[i].trace, error)) {
            return false;
        }
    }
    return true;
}

/* --- one result ----------------------------------------------------------------------------------
 */

/* Everything that does not change from one result to the next. */
struct run {
    struct database *database;
    const struct config *config;
    const struct catalog *catalog;
    const struct report_request *request;
    struct printer *printer;
    const struct query *marked;  /* the query for which temp.marked_operation was filled */
    struct remarks mark_remarks; /* what the reader must know of the trace of --mark */
};

/* The trace that --mark names. */
static bool bind_mark(const struct run *run, sqlite3_stmt *statement, int parameter,
                      const char *name, struct error *error) {
    const struct catalog_trace *trace = catalog_find(run->catalog, name);

    if (trace == NULL) {
        return catalog_unknown(run->catalog, name, error);
    }
    sqlite3_bind_int64(statement, parameter, trace->id);
    return true;
}

/* The option that an SQL parameter means: its dashes are underscores there. */
static const struct report_option *find_parameter(const struct report_request *request,
                                                  const char *parameter) {
    char name[64];
    size_t length = strlen(parameter);

    if (length >= sizeof name) {
        return NULL;
    }
    for (size_t i = 0; i <= length; i++) {
        name[i] = parameter[i] == '_' ? '-' : parameter[i];
    }
    return find_option(request, name);
}

static bool bind_parameters(const struct run *run, sqlite3_stmt *statement, struct error *error) {
    int count = sqlite3_bind_parameter_count(statement);

    for (int i = 1; i <= count; i++) {
        const char *name = sqlite3_bind_parameter_name(statement, i);
        const struct report_option *option =
            name == NULL ? NULL : find_parameter(run->request, name + 1);

        if (name != NULL && strcmp(name, ":top") == 0 && run->request->top > 0) {
            sqlite3_bind_int64(statement, i, run->request->top);
        } else if (option != NULL && strcmp(option->name, "mark") == 0) {
            if (!bind_mark(run, statement, i, option->value, error)) {
                return false;
            }
        } else if (option != NULL && option->number) {
            sqlite3_bind_int64(statement, i, strtoll(option->value, NULL, 10));
        } else if (option != NULL) {
            sqlite3_bind_text(statement, i, option->value, -1, SQLITE_STATIC);
        }
    }
    return true;
}

/* Says in which file the mistake is, and where SQLite knows it, in which line. */
static void place_mistake(const struct run *run, const struct query *query, const char *sql,
                          struct error *error) {
    int offset = sqlite3_error_offset(run->database->handle);
    struct text place = {0};

    if (offset >= 0) {
        query_place(query, sql + offset, &place);
    } else {
        text_append_string(&place, query->file);
    }
    error_context(error, "query file %s", text_string(&place));
    text_free(&place);
}

static sqlite3_stmt *prepare_query(const struct run *run, const struct query *query,
                                   const char *sql, struct error *error) {
    sqlite3_stmt *statement = database_prepare_reading(run->database, sql, error);

    if (statement == NULL) {
        place_mistake(run, query, sql, error);
    } else if (!bind_parameters(run, statement, error)) {
        sqlite3_finalize(statement);
        statement = NULL;
    }
    return statement;
}

static bool add_query_remarks(const struct run *run, const struct query *query,
                              struct remarks *remarks, struct error *error) {
    for (size_t i = 0; i < query->remark_count; i++) {
        sqlite3_stmt *statement = prepare_query(run, query, query->remarks[i], error);
        bool row = true, done = statement != NULL;

        while (done && row) {
            done = database_step(run->database, statement, &row, error);
            if (done && row && sqlite3_column_type(statement, 0) != SQLITE_NULL) {
                done = remarks_add(remarks, error, "%s", sqlite3_column_text(statement, 0));
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
static size_t visible_columns(const struct report_request *request, const struct query *query,
                              const char *clock_unit, struct column *columns, int *from) {
    size_t count = 0;

    for (size_t i = 0; i < query->column_count; i++) {
        const struct query_column *column = &query->columns[i];

        if (column->condition == NULL || find_option(request, column->condition) != NULL ||
            (request->study != NULL && strcmp(column->condition, "study") == 0)) {
            from[count] = (int)i;
            columns[count] = column->column;
            if (column->column.kind == COLUMN_TIME && strcmp(clock_unit, "ns") != 0) {
                columns[count].kind = COLUMN_DURATION;
            }
            count++;
        }
    }
    return count;
}

static bool print_result(const struct run *run, const struct query *query, struct result *result,
                         struct error *error) {
    struct column columns[QUERY_COLUMNS];
    int from[QUERY_COLUMNS];
    sqlite3_stmt *statement = prepare_query(run, query, query->sql, error);
    bool done = statement != NULL;

    result->columns = columns;
    result->column_count = visible_columns(run->request, query, result->clock_unit, columns, from);
    if (done && (size_t)sqlite3_column_count(statement) < query->column_count) {
        done = error_set(error, "query file %s: gives fewer columns than its header names",
                         query->file);
    }
    done = done && printer_begin(run->printer, result, error) &&
           print_rows(run->database, statement, run->printer, result, from,
                      find_kind_column(statement), run->request->top, error) &&
           printer_end(run->printer, error);
    sqlite3_finalize(statement);
    return done;
}

/* Counts the events of the trace of --mark that pass the filters, with the selection that the query
 * is to have of its own traces afterwards. */
static bool count_marked(struct run *run, const struct query *query,
                         const struct catalog_trace *trace, struct error *error) {
    const struct selection_filter *filter = &run->request->filter;
    struct text missing = {0};
    bool done = database_run(run->database, "DELETE FROM temp.marked_operation", error) &&
                report_check_filters(filter, trace, error) &&
                selection_missing(run->database, trace, filter, &missing, error);

    if (done && missing.length > 0) {
        done =
            remarks_add(&run->mark_remarks, error, "nothing is marked: %s", text_string(&missing));
    } else if (done) {
        done = selection_set(run->database, run->config, &trace, 1, filter, query,
                             &run->mark_remarks, error) &&
               database_run(run->database,
                            "INSERT INTO temp.marked_operation"
                            " SELECT operation, actor, sum(count) FROM temp.tally_operation"
                            " GROUP BY operation, actor",
                            error);
    }
    text_free(&missing);
    return done;
}

/* Does so once for all results of a query. */
static bool select_marked(struct run *run, const struct query *query, struct remarks *remarks,
                          struct error *error) {
    const struct report_option *mark = find_option(run->request, "mark");
    const struct catalog_trace *trace;
    bool done = true;

    if (mark == NULL || !(query->tallies >> TALLY_OPERATION & 1)) {
        return true;
    }
    trace = catalog_find(run->catalog, mark->value);
    if (trace == NULL) {
        return catalog_unknown(run->catalog, mark->value, error);
    }
    if (run->marked != query) {
        remarks_free(&run->mark_remarks);
        run->marked = query;
        done = count_marked(run, query, trace, error);
    }
    for (size_t i = 0; done && i < run->mark_remarks.count; i++) {
        done = remarks_add(remarks, error, "%s", run->mark_remarks.lines[i]);
    }
    return done;
}

/* Selects the traces of one result and prints it. */
static bool run_group(struct run *run, const struct query *query,
                      const struct catalog_trace *const *traces, size_t count,
                      struct error *error) {
    struct remarks remarks = {0};
    struct result_trace *ledger = calloc(count, sizeof *ledger);
    struct result result = {
        .report = query->report,
        .title = query->title,
        .clock_unit = traces[0]->clock_unit,
        .traces = ledger,
        .trace_count = count,
        .plot = query->plot_text,
    };
    bool done = ledger != NULL || error_no_memory(error);

    for (size_t i = 0; done && i < count; i++) {
        ledger[i] = (struct result_trace){
            .name = traces[i]->name,
            .format = traces[i]->format,
            .events = traces[i]->events,
            .merged = traces[i]->merged,
            .ignored = traces[i]->ignored,
            .rejected = traces[i]->rejected,
        };
    }
    done = done && select_marked(run, query, &remarks, error) &&
           selection_set(run->database, run->config, traces, count, &run->request->filter, query,
                         &remarks, error) &&
           add_query_remarks(run, query, &remarks, error);
    result.remarks = (const char *const *)remarks.lines;
    result.remark_count = remarks.count;
    done = done && print_result(run, query, &result, error);
    remarks_free(&remarks);
    free(ledger);
    return done;
}

/* --- all results
 * ---------------------------------------------------------------------------------- */

/* Whether two traces may share a result: the same query, kind and clock. */
static bool same_group(const struct choice *left, const struct choice *right) {
    return left->query == right->query && left->trace->kind == right->trace->kind &&
           strcmp(left->trace->clock_unit, right->trace->clock_unit) == 0 &&
           (left->query->any_clocks || strcmp(left->trace->clocks, right->trace->clocks) == 0);
}

/* Runs the group that begins with choice `first`, all traces of which are marked done. */
static bool run_group_of(struct run *run, struct choice *choices, size_t count, size_t first,
                         struct error *error) {
    const struct catalog_trace **traces = calloc(count, sizeof(const struct catalog_trace *));
    size_t trace_count = 0;
    bool done;

    if (traces == NULL) {
        return error_no_memory(error);
    }
    for (size_t i = first; i < count; i++) {
        if (i == first || (!run->request->by_trace && same_group(&choices[first], &choices[i]))) {
            choices[i].done = true;
            traces[trace_count++] = choices[i].trace;
        }
    }
    done = run_group(run, choices[first].query, traces, trace_count, error);
    free(traces);
    return done;
}

static bool is_many(const struct choice *choices, size_t count, bool by_trace) {
    for (size_t i = 1; i < count; i++) {
        if (!same_group(&choices[0], &choices[i])) {
            return true;
        }
    }
    return by_trace;
}

/* A file holds one picture, so one query must answer for all traces. */
static bool check_one_picture(const struct choice *choices, size_t count, struct error *error) {
    for (size_t i = 1; i < count; i++) {
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

static bool run_choices(struct run *run, struct choice *choices, size_t count,
                        const struct printer_style *style, FILE *file,
                        const struct printer_options *printer_options, struct error *error) {
    struct printer_options options = *printer_options;
    struct error closing = {0};
    bool done = true;

    if (options.one_picture && !check_one_picture(choices, count, error)) {
        return false;
    }
    options.many = is_many(choices, count, run->request->by_trace);
    run->printer = printer_open(style, file, &options, error);
    if (run->printer == NULL) {
        return false;
    }
    for (size_t i = 0; done && i < count; i++) {
        done = choices[i].done || run_group_of(run, choices, count, i, error);
    }
    if (!printer_close(run->printer, !done, &closing) && done) {
        *error = closing;
        done = false;
    }
    return done;
}

/* What --reference names. */
static bool load_reference(const struct run *run, struct error *error) {
    const struct report_option *reference = find_option(run->request, "reference");

    return reference == NULL || reference_load(run->database, reference->value, error);
}

static bool run_all(struct database *database, const struct config *config,
                    const struct query_set *queries, const struct report_request *request,
                    const struct printer_style *style, FILE *file,
                    const struct printer_options *printer_options, struct error *error) {
    struct catalog catalog;
    struct run run = {
        .database = database,
        .config = config,
        .catalog = &catalog,
        .request = request,
    };
    struct choice *choices;
    size_t count;
    bool done;

    if (!catalog_load(&catalog, database, error)) {
        return false;
    }
    choices = calloc(catalog.count + request->trace_count + 1, sizeof *choices);
    done = choices != NULL || error_no_memory(error);
    done = done && load_reference(&run, error) &&
           choose(&catalog, queries, request, choices, &count, error) &&
           check_options(request, choices, count, error) &&
           check_filters(request, choices, count, error) &&
           check_names(database, request, choices, count, error) &&
           run_choices(&run, choices, count, style, file, printer_options, error);
    free(choices);
    remarks_free(&run.mark_remarks);
    catalog_free(&catalog);
    return done;
}

bool report_run(struct database *database, const struct config *config,
                const struct query_set *queries, const struct report_request *request,
                const struct printer_style *style, FILE *file,
                const struct printer_options *printer_options, struct error *error) {
    return check_report_exists(queries, request->report, error) &&
           selection_open(database, config, error) &&
           run_all(database, config, queries, request, style, file, printer_options, error);
}

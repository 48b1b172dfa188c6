#include "report/prepare.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"
#include "import/importer.h"
#include "model/meaning.h"
#include "report/means.h"
#include "select/match.h"

/* --- parameters of SQL statements ------------------------------------------------------------- */

/* Returns the value of --op if the query uses it as a parameter (line `op`), not as a filter. */
static const char *bind_op(const struct query *query, const struct report_request *request) {
    const struct name_set *names = &request->filter.names[FILTER_OPERATION];

    return query->op != NULL && request_option(request, query->op) == NULL && names->count == 1 &&
                   names->excluded_count == 0 && names->names[0][0] != FILTER_PATTERN[0]
               ? names->names[0]
               : NULL;
}

/* Returns the trace that --mark or --against names; NULL with `error` set if there is none. */
static const struct catalog_trace *find_named_trace(const struct catalog *catalog,
                                                    const struct query *query,
                                                    const struct report_option *option,
                                                    struct error *error) {
    const struct catalog_trace *trace =
        catalog_choose_kind(catalog, option->value, query->kinds, error);

    if (trace == NULL && access(option->value, F_OK) == 0) {
        error_set_status(error, error->status,
                         "%s; --%s takes a trace of the same database, not a file: import both, or "
                         "`report %s A B -t A --%s B`",
                         error->message, option->name, query->report, option->name);
    }
    return trace;
}

/* Binds the id of the trace that an option such as --mark names. */
static bool bind_trace(const struct binding *binding, sqlite3_stmt *statement, int parameter,
                       const struct report_option *option, struct error *error) {
    const struct catalog_trace *trace =
        find_named_trace(binding->catalog, binding->query, option, error);

    if (trace == NULL) {
        return false;
    }
    sqlite3_bind_int64(statement, parameter, trace->id);
    return true;
}

/* Sets `name` to the option that an SQL parameter is named after: `:per_page` gives `per-page`. "":
 * the parameter has no name, or one of 64 or more bytes. */
static void option_name(const char *parameter, char name[64]) {
    size_t length = parameter == NULL ? 0 : strlen(parameter + 1);

    name[0] = '\0';
    for (size_t i = 0; length < 64 && i < length; i++) {
        name[i] = parameter[i + 1] == '_' ? '-' : parameter[i + 1];
        name[i + 1] = '\0';
    }
}

/* Returns the value of SQL parameter `:top` or `:rows`, for queries that do not define it: the
 * limit of --top. 0: all rows are needed, so the parameter stays NULL. */
static int64_t rows_enough(const struct binding *binding, const char *name) {
    bool all = binding->request->sort != NULL ||
               (strcmp(name, "rows") == 0 &&
                (means_are_wanted(binding->request, binding->query) ||
                 query_curve_groups(binding->query, request_wants_curves(binding->request)) > 0));

    return all ? 0 : binding->request->top;
}

static bool bind_time(const struct query_parameter *parameter, const struct parameter_value *value,
                      bool is_default, const struct catalog_trace *trace, sqlite3_stmt *statement,
                      int index, struct error *error) {
    bool real = catalog_has_real_clock(trace);

    if (!real && value->plain < 0 && is_default) {
        return true; /* the default is in a unit of time, but the trace's clock has none */
    }
    if (!real && value->plain < 0) {
        return error_usage(error,
                           "trace %s counts time in %s: give --%s as a whole number of these units",
                           trace->name, trace->clock_unit, parameter->row.name);
    }
    sqlite3_bind_int64(statement, index, real ? value->number : value->plain);
    return true;
}

/* Binds `given` (NULL: the parameter's default) to the SQL parameter `index`. Times are bound in
 * units of the trace's clock. The parameter stays NULL if there is no value, or if the default is a
 * duration and the clock has no unit of time. */
static bool bind_own(const struct query_parameter *parameter, const char *given,
                     const struct catalog_trace *trace, sqlite3_stmt *statement, int index,
                     struct error *error) {
    struct parameter_value value;
    const bool is_default = given == NULL;

    if (is_default) {
        given = parameter->otherwise;
    }
    if (given == NULL) {
        return true;
    }
    if (!parameter_read(&parameter->row, given, &value, error)) {
        return false;
    }
    switch (parameter->row.type) {
    case PARAMETER_NUMBER:
        sqlite3_bind_int64(statement, index, value.number);
        return true;
    case PARAMETER_REAL:
        sqlite3_bind_double(statement, index, value.real);
        return true;
    case PARAMETER_TIME:
        return bind_time(parameter, &value, is_default, trace, statement, index, error);
    default:
        sqlite3_bind_text(statement, index, value.text, -1, SQLITE_STATIC);
        return true;
    }
}

static bool bind_parameter(const struct binding *binding, sqlite3_stmt *statement, int i,
                           const char *name, struct error *error) {
    const struct report_option *option = request_option(binding->request, name);
    const struct query_parameter *own = query_parameter(binding->query, name);

    if (own != NULL) {
        const char *op = binding->query->op != NULL && strcmp(name, binding->query->op) == 0
                             ? bind_op(binding->query, binding->request)
                             : NULL;

        return bind_own(own, option == NULL ? op : option->value, binding->trace, statement, i,
                        error);
    }
    if (strcmp(name, "top") == 0 || strcmp(name, "rows") == 0) {
        if (rows_enough(binding, name) > 0) {
            sqlite3_bind_int64(statement, i, rows_enough(binding, name));
        }
    } else if (strcmp(name, QUERY_PICTURE) == 0 && binding->request->picture) {
        sqlite3_bind_int64(statement, i, 1);
    } else if (strcmp(name, QUERY_COMPARE) == 0 && binding->request->compare) {
        sqlite3_bind_int64(statement, i, 1);
    } else if (strcmp(name, QUERY_PEOPLE) == 0 && binding->request->people) {
        sqlite3_bind_int64(statement, i, 1);
    } else if (strcmp(name, QUERY_BRIEF) == 0 && binding->request->brief) {
        sqlite3_bind_int64(statement, i, 1);
    } else if (strcmp(name, QUERY_ALL) == 0 && binding->request->all) {
        sqlite3_bind_int64(statement, i, 1);
    } else if (strcmp(name, QUERY_UNSYNCHRONOUS) == 0) {
        sqlite3_bind_int(statement, i, (binding->request->unknown & FACT(SYNCHRONOUS)) != 0);
    } else if (option != NULL && (strcmp(name, "mark") == 0 || strcmp(name, "against") == 0)) {
        return bind_trace(binding, statement, i, option, error);
    } else if (option != NULL && option->number) {
        sqlite3_bind_int64(statement, i, strtoll(option->value, NULL, 10));
    } else if (option != NULL) {
        sqlite3_bind_text(statement, i, option->value, -1, SQLITE_STATIC);
    }
    return true;
}

/* Binds the named parameters of a statement. A parameter stays NULL if no option has its name, or
 * if the option was not given and has no default. Values are borrowed from request and query. */
static bool bind_parameters(const struct binding *binding, sqlite3_stmt *statement,
                            struct error *error) {
    int count = sqlite3_bind_parameter_count(statement);
    bool done = true;

    for (int i = 1; done && i <= count; i++) {
        char name[64];

        option_name(sqlite3_bind_parameter_name(statement, i), name);
        done = bind_parameter(binding, statement, i, name, error);
    }
    return done;
}

/* Returns whether `:top` or `:rows` stays NULL, so that a LIMIT has no effect. */
static bool limits_nothing(const struct binding *binding, const char *name) {
    return query_parameter(binding->query, name) == NULL && rows_enough(binding, name) == 0;
}

/* Returns whether the first `*length` bytes of `sql` end with `end`. If so, shortens `*length` by
 * the length of `end`. */
static bool cut_end(const char *sql, size_t *length, const char *end) {
    size_t cut = strlen(end);
    bool ends = *length >= cut && memcmp(sql + *length - cut, end, cut) == 0;

    *length -= ends ? cut : 0;
    return ends;
}

/* Returns the length of the statement without a final line `LIMIT ifnull(:top, -1)`, or `:rows`, if
 * that parameter stays NULL. With such a LIMIT, which has no effect, SQLite sorts all rows by
 * insertion into a table on disk instead of merging runs: four times as long for 1 million rows. */
static size_t useful_length(const struct binding *binding, const char *sql) {
    size_t length = query_statement_length(sql);

    if ((limits_nothing(binding, "top") && cut_end(sql, &length, "\nLIMIT ifnull(:top, -1)")) ||
        (limits_nothing(binding, "rows") && cut_end(sql, &length, "\nLIMIT ifnull(:rows, -1)"))) {
        return length;
    }
    return strlen(sql);
}

/* Prepares the statement without a LIMIT that has no effect. If that fails, prepares the whole
 * text, so that the error message refers to the text in the query file. */
static sqlite3_stmt *take_useful(struct temp_schema *temp, const struct binding *binding,
                                 const char *sql, struct error *error) {
    size_t length = useful_length(binding, sql);
    struct error ignored = {0};
    sqlite3_stmt *statement;
    char *useful;

    if (sql[length] == '\0') {
        return database_acquire_read_only(temp->database, sql, error);
    }
    useful = xstrndup(sql, length);
    statement = database_acquire_read_only(temp->database, useful, &ignored);
    free(useful);
    return statement != NULL ? statement : database_acquire_read_only(temp->database, sql, error);
}

/* Returns the offset in `sql` of the missing table that SQLite's message names; -1: unknown. */
static int find_missing_table(const char *sql, const char *message) {
    static const char missing[] = "no such table: ";
    const char *name = strstr(message, missing), *at;

    if (name == NULL) {
        return -1;
    }
    at = sql_find_name(sql, name + strlen(missing));
    return at != NULL ? (int)(at - sql) : -1;
}

sqlite3_stmt *prepare_statement(struct temp_schema *temp, const struct binding *binding,
                                const char *sql, struct error *error) {
    sqlite3_stmt *statement = take_useful(temp, binding, sql, error);

    if (statement == NULL) {
        int offset = sqlite3_error_offset(temp->database->handle);
        struct text place = {0};

        if (offset < 0) {
            offset = find_missing_table(sql, error->message);
        }
        /* Puts the query file and, if known, the line of the mistake before the message. */
        if (offset >= 0) {
            query_append_place(binding->query, sql + offset, &place);
        } else {
            text_append_string(&place, binding->query->file);
        }
        error_context(error, "query file %s", text_string(&place));
        text_free(&place);
    } else if (!bind_parameters(binding, statement, error)) {
        sqlite3_finalize(statement);
        statement = NULL;
    }
    return statement;
}

/* --- parameters of analyses ------------------------------------------------------------------- */

/* Sets the parameters of an analysis from the request's options. If the query file defines an
 * option with a parameter's name, that parameter keeps its default. */
static bool prepare_read_values(const struct query *query, const struct report_request *request,
                                struct requested_analysis *wanted, struct error *error) {
    const struct parameter *parameters = wanted->analysis->parameters;

    for (size_t i = 0; i < ANALYSIS_PARAMETERS && parameters[i].name != NULL; i++) {
        const struct report_option *option = query_parameter(query, parameters[i].name) != NULL
                                                 ? NULL
                                                 : request_option(request, parameters[i].name);

        if (!parameter_read(&parameters[i], option == NULL ? NULL : option->value,
                            &wanted->values[i], error)) {
            return false;
        }
    }
    return true;
}

/* Returns whether the rows of the query read a table of the analysis. */
static bool rows_read(const struct query *query, const struct analysis *analysis) {
    bool found = false;

    for (size_t i = 0; i < ANALYSIS_TABLES && analysis->tables[i].name != NULL; i++) {
        found |= sql_find_name(query->sql, analysis->tables[i].name) != NULL;
    }
    return found;
}

/* Copies the query's analyses to `wanted`, which has room for all, and sets their parameters. If
 * only the rows are read, leaves out analyses of filtered events that only remarks read. */
static bool read_wanted(const struct query *query, const struct report_request *request,
                        struct requested_analysis *wanted, size_t *count, struct error *error) {
    *count = 0;
    for (size_t i = 0; i < query->wanted_count; i++) {
        if (request->rows_only && query->wanted[i].filtered_only &&
            !rows_read(query, query->wanted[i].analysis)) {
            continue;
        }
        wanted[*count] = query->wanted[i];
        if (!prepare_read_values(query, request, &wanted[(*count)++], error)) {
            return false;
        }
    }
    return true;
}

static bool prepare_check_names(const struct workspace *workspace,
                                const struct requested_analysis *wanted,
                                const struct catalog_trace *const *traces, size_t count,
                                struct error *error) {
    const struct parameter *parameters = wanted->analysis->parameters;

    for (size_t i = 0; i < ANALYSIS_PARAMETERS && parameters[i].name != NULL; i++) {
        if (parameters[i].fits != NULL &&
            !match_check_pattern(workspace->database, traces, count, parameters[i].what,
                                 parameters[i].fits, wanted->values[i].text, error)) {
            return false;
        }
    }
    return true;
}

bool prepare_check_request(const struct workspace *workspace, const struct query *query,
                           const struct report_request *request,
                           const struct catalog_trace *const *traces, size_t count,
                           struct error *error) {
    for (size_t i = 0; i < query->wanted_count; i++) {
        struct requested_analysis wanted = query->wanted[i];

        if (!prepare_read_values(query, request, &wanted, error) ||
            !prepare_check_names(workspace, &wanted, traces, count, error)) {
            return false;
        }
    }
    return true;
}

struct loggable_target {
    struct temp_schema *temp;
    sqlite3_stmt *insert;
    struct error *error;
    bool by_default, any;
};

static bool prepare_add_loggable(void *context, int64_t code) {
    struct loggable_target *target = context;

    if (target->by_default) {
        return true;
    }
    target->any = true;
    sqlite3_bind_int64(target->insert, 1, code);
    return database_execute(target->temp->database, target->insert, target->error);
}

/* Fills temp.configured_operation with the operations that a device logs by configuration. */
static bool prepare_add_configured(struct loggable_target *target, const struct config *config,
                                   const struct importer *importer, struct error *error) {
    bool done;

    if (!temp_schema_table(target->temp, "configured_operation", "(code INTEGER PRIMARY KEY)",
                           error)) {
        return false;
    }
    target->insert =
        database_prepare(target->temp->database,
                         "INSERT OR IGNORE INTO temp.configured_operation VALUES (?1)", error);
    done = target->insert != NULL &&
           importer->loggable(config, prepare_add_loggable, target, &target->by_default, error);
    sqlite3_finalize(target->insert);
    return done;
}

/* Creates the view temp.loggable_operation: operations that a device can log. They come from the
 * current configuration or, if that lists none, from each trace's import. It is a view, since it
 * has a thousand rows per trace and few reports read it. */
static bool select_loggable(struct temp_schema *temp, const struct config *config,
                            const char *format, struct error *error) {
    const struct importer *importer = importer_find(config, format);
    struct loggable_target target = {.temp = temp, .error = error};

    return (importer == NULL || importer->loggable == NULL ||
            prepare_add_configured(&target, config, importer, error)) &&
           temp_schema_view(temp, "loggable_operation",
                            target.any
                                ? "SELECT 0 AS trace, code, 0 AS by_default"
                                  " FROM temp.configured_operation"
                                : "SELECT l.trace, l.code, l.by_default FROM temp.selection AS s"
                                  " CROSS JOIN main.loggable AS l ON l.trace = s.trace",
                            error);
}

/* --- selecting the events of a query ---------------------------------------------------------- */

static bool bind_rows(const void *binding, sqlite3_stmt *statement, struct error *error) {
    return bind_parameters(binding, statement, error);
}

/* Returns for how many groups cumulative curves are drawn. --top limits their number. */
static size_t curves_wanted(const struct query *query, const struct report_request *request) {
    size_t curves = query_curve_groups(query, request_wants_curves(request));

    return request->top > 0 && (uint64_t)request->top < curves ? (size_t)request->top : curves;
}

/* Returns whether --top determines which rows the analysis makes, not only how many are printed. */
static bool chooses_by_top(const struct query *query) {
    return query->wanted_count > 0 && query->wanted[0].analysis->chooses_by_top;
}

static bool run_analyses(const struct workspace *workspace, const struct query *query,
                         const struct report_request *request, const struct catalog_trace *trace,
                         struct selection *selection, struct error *error) {
    const struct binding binding = {
        .query = query,
        .request = request,
        .catalog = &workspace->catalog,
        .trace = trace,
    };
    const struct passes passes = {
        .selection = selection,
        .config = workspace->config,
        /* Number of rows of the analyses' tables that the query needs. All, unless its SQL has
           :top. Also all with --sort, unless --top determines which rows the analyses make. */
        .top = sql_find_name(query->sql, ":top") != NULL &&
                       (request->sort == NULL || chooses_by_top(query))
                   ? request->top
                   : 0,
        .result_rows = sql_find_name(query->sql, ":rows") != NULL && request->sort == NULL &&
                               !means_are_wanted(request, query) &&
                               query_curve_groups(query, request_wants_curves(request)) == 0
                           ? request->top
                           : 0,
        .bind = bind_rows,
        .binding = &binding,
        .shape = {.curves = curves_wanted(query, request),
                  .blocks = request->blocks,
                  .naming = request->naming},
        .begun = query->begun,
        .rollups = request->counted_by == COUNTED_BY_ANY       ? ROLLUPS_WHERE_THEY_ANSWER
                   : request->counted_by == COUNTED_BY_ROLLUPS ? ROLLUPS_ONLY
                                                               : ROLLUPS_NEVER,
    };
    struct requested_analysis wanted[QUERY_ANALYSES];
    size_t count;

    return read_wanted(query, request, wanted, &count, error) &&
           passes_run(&passes, wanted, count, error);
}

static enum correct correction_of_request(const struct query *query,
                                          const struct report_request *request) {
    return request_option(request, "corrected") != NULL  ? CORRECT_ALL
           : request_option(request, "measured") != NULL ? CORRECT_NONE
                                                         : query->correct;
}

/* Always true for a user's query, since it may refer to tables in ways that are not recognised. */
bool prepare_query_reads(const struct query *query, const char *name) {
    char text[64];
    bool found = query->is_own;

    snprintf(text, sizeof text, "temp.%s", name);
    found = found || query_has_name(query, text);
    for (size_t i = 0; !found && i < query->wanted_count; i++) {
        const struct requested_analysis *wanted = &query->wanted[i];

        found = (wanted->analysis->reads != NULL && word_in(wanted->analysis->reads, name)) ||
                (wanted->rows != NULL && sql_find_name(wanted->rows, text) != NULL);
    }
    return found;
}

/* Returns whether the query reads a table of the selection. Unlike prepare_query_reads(), knows
 * that a query with `events: yes` reads selected_event, to test whether it has any rows. */
static bool reads_of_selection(const void *query, const char *name) {
    const struct query *reader = query;

    return prepare_query_reads(reader, name) ||
           (reader->reads_events && strcmp(name, "selected_event") == 0);
}

bool prepare_needs_events(const struct query *query, const struct report_request *request,
                          const struct catalog_trace *trace) {
    const bool narrows = filter_can_exclude(&request->filter);
    struct requested_analysis wanted[QUERY_ANALYSES];
    size_t count;
    struct error ignored; /* unused: prepare_check_request() has already reported this error */

    return narrows || query->reads_events ||
           (trace->kind == TRACE_SPANS && query_has_name(query, "main.event")) ||
           (read_wanted(query, request, wanted, &count, &ignored) &&
            passes_need_events(wanted, count, &trace, 1, narrows,
                               correction_of_request(query, request) != CORRECT_NONE));
}

bool prepare_selection(struct workspace *workspace, struct temp_schema *temp,
                       const struct query *query, const struct report_request *request,
                       const struct catalog_trace *const *traces, size_t count,
                       struct selection *selection, struct error *error) {
    const bool op = bind_op(query, request) != NULL;
    struct selection_request wanted = {
        .traces = traces,
        .count = count,
        .filter = request->filter,
        .clock = query->both_clocks ? "cpu" : request->clock,
        .correct = correction_of_request(query, request),
        .leave_open = request->open != NULL && strcmp(request->open, "leave-out") == 0,
        .all_actions = query->all_actions,
        .events = request->counted_by == COUNTED_BY_COLUMNS  ? EVENTS_FROM_COLUMNS
                  : request->counted_by == COUNTED_BY_SQLITE ? EVENTS_FROM_ROWS
                                                             : EVENTS_FROM_ANY,
        .reads = reads_of_selection,
        .reader = query,
    };

    if (request->counted_by == COUNTED_BY_ROLLUPS && query->reads_events) {
        return error_set(
            error, "report %s reads single events, which stored sums (rollups) do not contain",
            request->report);
    }
    if (op) {
        wanted.filter.names[FILTER_OPERATION] = (struct name_set){0};
    }
    if (!workspace_select(temp, &wanted, selection, error) ||
        (prepare_query_reads(query, "loggable_operation") &&
         !select_loggable(temp, workspace->config, traces[0]->format, error)) ||
        !run_analyses(workspace, query, request, traces[0], selection, error)) {
        return false;
    }
    /* With --op as a parameter (not a filter), rollups may replace the pass over events that would
     * set met_events. Since the operation's name was checked, it has events. */
    selection->met_events |= op && !filter_can_exclude(&wanted.filter);
    temp_schema_drop_unused(temp);
    return true;
}

/* --- marking operations that occur in another trace ------------------------------------------- */

/* Returns a SELECT of operation, actor and number of events, for a query whose rows can be marked
 * (--mark); NULL: they cannot. */
static const char *marked_counts(const struct query *query) {
    for (size_t i = 0; i < query->wanted_count && word_in(query->options, "mark"); i++) {
        const char *name = query->wanted[i].analysis->name;

        if (strcmp(name, "operation") == 0) {
            return "SELECT operation, actor, sum(count) FROM temp.tally_operation"
                   " GROUP BY operation, actor";
        }
        if (strcmp(name, "call_operation") == 0) {
            return "SELECT operation, actor, calls FROM temp.tally_call WHERE calls > 0";
        }
    }
    return NULL;
}

/* Counts events of the trace that --mark names, selected like those of the query's own traces. */
static bool prepare_count_events(struct mark *mark, struct workspace *workspace,
                                 struct temp_schema *temp, const struct query *query,
                                 const struct report_request *request,
                                 const struct catalog_trace *trace, struct error *error) {
    struct selection selection = {0};
    char *insert = xasprintf("INSERT INTO temp.marked_operation %s", marked_counts(query));
    bool done = prepare_selection(workspace, temp, query, request, &trace, 1, &selection, error) &&
                database_run(temp->database, insert, error);

    if (done) {
        notes_append_all(&mark->notes, &selection.notes);
    }
    free(insert);
    selection_close(&selection);
    return done;
}

static bool prepare_fill(struct mark *mark, struct workspace *workspace, struct temp_schema *temp,
                         const struct query *query, const struct report_request *request,
                         const struct catalog_trace *trace, struct error *error) {
    struct text missing = {0};
    bool done = request_check_filter(request, trace, error) &&
                database_run(temp->database, "DELETE FROM temp.marked_operation", error) &&
                match_append_missing(workspace->database, trace, &request->filter, &missing, error);

    if (done && missing.length > 0) {
        notes_append(&mark->notes, "nothing is marked: %s", text_string(&missing));
    } else if (done) {
        done = prepare_count_events(mark, workspace, temp, query, request, trace, error);
    }
    text_free(&missing);
    return done;
}

bool mark_fill_table(struct mark *mark, struct workspace *workspace, struct temp_schema *temp,
                     const struct query *query, const struct report_request *request,
                     struct notes *notes, struct error *error) {
    const struct report_option *option = request_option(request, "mark");
    const struct catalog_trace *trace;

    if (marked_counts(query) == NULL) {
        return true;
    }
    if (!mark->made &&
        !temp_schema_table(temp, "marked_operation",
                           "(operation INTEGER, actor INTEGER, count INTEGER)", error)) {
        return false;
    }
    mark->made = true;
    if (option == NULL) {
        return true;
    }
    trace = find_named_trace(&workspace->catalog, query, option, error);
    if (trace == NULL) {
        return false;
    }
    if (mark->query != query) {
        notes_free(&mark->notes);
        mark->query = query;
        if (!prepare_fill(mark, workspace, temp, query, request, trace, error)) {
            return false;
        }
    }
    notes_append_all(notes, &mark->notes);
    return true;
}

/* --- reading reference times ------------------------------------------------------------------ */

/* Parses a time such as `123` (ns) or `12.5 ms` to ns. False if it is invalid or out of range. */
static bool prepare_parse_time(const char *text, int64_t *time) {
    static const struct unit {
        const char *name;
        double nanoseconds;
    } units[] = {{"", 1}, {"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    const struct unit *unit;
    char *end;
    double number = strtod(text, &end);

    if (end == text || !isfinite(number) || number < 0) {
        return false;
    }
    end += strspn(end, " ");
    unit = find_named(units, sizeof units / sizeof units[0], sizeof units[0], end);
    if (unit == NULL || number * unit->nanoseconds >= 9e18) {
        return false;
    }
    *time = (int64_t)(number * unit->nanoseconds + 0.5);
    return true;
}

static bool prepare_load_line(struct database *database, sqlite3_stmt *insert, const char *path,
                              int64_t number, char *line, struct error *error) {
    char *tab;
    int64_t time;

    line[strcspn(line, "\r\n")] = '\0';
    if (line[strspn(line, " \t")] == '\0' || line[0] == '#') {
        return true;
    }
    tab = strrchr(line, '\t');
    if (tab == NULL) {
        tab = strrchr(line, ' ');
    }
    if (tab == NULL || tab == line || !prepare_parse_time(tab + 1, &time)) {
        return error_set(error,
                         "%s:%lld: expected a name, a TAB and a time in ns (or with a unit: 12ms)",
                         path, (long long)number);
    }
    *tab = '\0';
    sqlite3_bind_text(insert, 1, line, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(insert, 2, time);
    return database_execute(database, insert, error);
}

static bool load_reference(struct temp_schema *temp, const char *path, struct error *error) {
    sqlite3_stmt *insert =
        database_prepare(temp->database, "INSERT INTO temp.reference VALUES (?1, ?2)", error);
    FILE *file = insert == NULL ? NULL : file_open_stream(path);
    char *line = xmalloc(REFERENCE_LINE);
    bool done = insert != NULL;

    if (done && file == NULL) {
        done = error_set(error, "%s: cannot open: %s", path, file_strerror(errno));
    }
    for (int64_t number = 1; done && fgets(line, REFERENCE_LINE, file) != NULL; number++) {
        if (number > REFERENCE_LINES || strlen(line) == REFERENCE_LINE - 1) {
            done = error_set(
                error, "%s:%lld: the file or this line is too long; at most %d lines of %d bytes",
                path, (long long)number, REFERENCE_LINES, REFERENCE_LINE);
        } else {
            done = prepare_load_line(temp->database, insert, path, number, line, error);
        }
    }
    if (done && ferror(file)) {
        done = error_set(error, "%s: cannot read: %s", path, file_strerror(errno));
    }
    free(line);
    if (file != NULL) {
        fclose(file);
    }
    sqlite3_finalize(insert);
    return done;
}

/* Returns whether any query of the report reads temp.reference, for any kind of trace. */
static bool reads_reference(const struct query_set *set, const struct report_request *request) {
    FOR_QUERIES_OF(set, request->report) {
        if (prepare_query_reads(query, "reference")) {
            return true;
        }
    }
    return false;
}

bool prepare_reference_table(struct temp_schema *temp, const struct query_set *queries,
                             const struct report_request *request, struct error *error) {
    const struct report_option *reference = request_option(request, "reference");

    if (reference == NULL && !reads_reference(queries, request)) {
        return true;
    }
    return temp_schema_table(temp, "reference", "(name TEXT, time INTEGER)", error) &&
           (reference == NULL || load_reference(temp, reference->value, error));
}

/* --- --sort: sorts the rows of a report by a column ------------------------------------------- */

static bool report_sums_traces(const char *name) {
    static const char word[] = "cumulative";
    const size_t length = strlen(name), end = sizeof word - 1;

    return length >= end && strcmp(name + length - end, word) == 0;
}

static bool check_request(const struct report_request *request, const struct query *query,
                          struct error *error) {
    const struct report_option *share = request_option(request, "share");

    if (query->indented) {
        return error_usage(error, "--sort does not go with %s: its rows are a tree", query->report);
    }
    if (share != NULL && strcmp(share->value, "row") == 0) {
        return error_usage(
            error, "--sort and --share row exclude each other: --share row sets the order itself");
    }
    return true;
}

static bool no_column(const char *name, const struct query *query, const struct column *columns,
                      size_t count, struct error *error) {
    struct text names = {0};

    for (size_t i = 0; i < count; i++) {
        text_append_format(&names, "%s%s", i == 0 ? "" : ", ", columns[i].name);
    }
    error_usage(error, "--sort: %s has no column '%s'; it has %s", query->report, name,
                text_string(&names));
    text_free(&names);
    return false;
}

bool sorting_find_column(struct sorting *sorting, const struct report_request *request,
                         const struct query *query, struct column *columns, int *from,
                         size_t *count, struct error *error) {
    const bool reversed = request->sort[0] == '+';
    const char *name = request->sort + reversed;
    size_t kept = 0;

    *sorting = (struct sorting){.column = -1};
    for (size_t i = 0; i < *count; i++) {
        if (report_sums_traces(columns[i].name)) {
            continue;
        }
        if (strcmp(columns[i].name, name) == 0) {
            sorting->column = from[i];
            sorting->is_text = column_kind_is_text(columns[i].kind);
            sorting->ascending = sorting->is_text != reversed;
        }
        columns[kept] = columns[i];
        from[kept++] = from[i];
    }
    *count = kept;
    return sorting->column < 0 ? no_column(name, query, columns, kept, error)
                               : check_request(request, query, error);
}

void sorting_append_statement(const struct sorting *sorting, sqlite3_stmt *statement,
                              struct text *text) {
    /* The statement's text, without trailing comments. */
    const char *sql = sqlite3_sql(statement);
    const int count = sqlite3_column_count(statement), kind = row_kind_column(statement),
              more = row_find_more_column(statement);

    text_append_string(text, "WITH _rows(");
    for (int i = 0; i < count; i++) {
        text_append_format(text, "%s_%d", i == 0 ? "" : ", ", i);
    }
    text_append_format(text, ") AS (%.*s\n) SELECT ", (int)query_statement_length(sql), sql);
    for (int i = 0; i < count; i++) {
        text_append_format(text, "%s_%d AS \"%s\"", i == 0 ? "" : ", ", i,
                           i == kind || i == more ? sqlite3_column_name(statement, i) : "");
    }
    text_append_format(text,
                       " FROM (SELECT *, row_number() OVER () AS _place FROM _rows)"
                       " ORDER BY _%d IS NULL, _%d%s%s, _place",
                       sorting->column, sorting->column, sorting->is_text ? " COLLATE NOCASE" : "",
                       sorting->ascending ? "" : " DESC");
}

#include "report/prepare.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "import/importer.h"
#include "report/bind.h"
#include "report/means.h"
#include "select/match.h"

/* --- parameters ------------------------------------------------------------------------------- */

/* An option that is a parameter of the file's own is not the analysis's, which has its default. */
static bool read_values(const struct query *query, const struct report_request *request,
                        struct wanted_analysis *wanted, struct error *error) {
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

/* What the query wants, with the values that the request has; `wanted` has room for all. */
static bool read_wanted(const struct query *query, const struct report_request *request,
                        struct wanted_analysis *wanted, struct error *error) {
    memcpy(wanted, query->wanted, query->wanted_count * sizeof *wanted);
    for (size_t i = 0; i < query->wanted_count; i++) {
        if (!read_values(query, request, &wanted[i], error)) {
            return false;
        }
    }
    return true;
}

static bool check_names(const struct workspace *workspace, const struct wanted_analysis *wanted,
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

bool prepare_check(const struct workspace *workspace, const struct query *query,
                   const struct report_request *request, const struct catalog_trace *const *traces,
                   size_t count, struct error *error) {
    for (size_t i = 0; i < query->wanted_count; i++) {
        struct wanted_analysis wanted = query->wanted[i];

        if (!read_values(query, request, &wanted, error) ||
            !check_names(workspace, &wanted, traces, count, error)) {
            return false;
        }
    }
    return true;
}

/* --- what could have been logged -------------------------------------------------------------- */

struct loggable_target {
    struct scratch *scratch;
    sqlite3_stmt *insert;
    struct error *error;
    bool by_default, any;
};

static bool add_loggable(void *context, int64_t code) {
    struct loggable_target *target = context;

    if (target->by_default) {
        return true;
    }
    target->any = true;
    sqlite3_bind_int64(target->insert, 1, code);
    return database_execute(target->scratch->database, target->insert, target->error);
}

/* What the present configuration says. */
static bool add_configured(struct loggable_target *target, const struct config *config,
                           const struct importer *importer, struct error *error) {
    bool done;

    if (!scratch_table(target->scratch, "configured_operation", "(code INTEGER PRIMARY KEY)",
                       error)) {
        return false;
    }
    target->insert = scratch_prepare(
        target->scratch, "INSERT OR IGNORE INTO temp.configured_operation VALUES (?1)", error);
    done = target->insert != NULL &&
           importer->loggable(config, add_loggable, target, &target->by_default, error);
    sqlite3_finalize(target->insert);
    return done;
}

/* temp.loggable_operation: the present configuration speaks for all traces, else what was known at
 * import. A view, for that is a thousand rows a trace, which few reports read. */
static bool select_loggable(struct scratch *scratch, const struct config *config,
                            const char *format, struct error *error) {
    const struct importer *importer = importer_find(config, format);
    struct loggable_target target = {.scratch = scratch, .error = error};

    if (importer != NULL && importer->loggable != NULL &&
        !add_configured(&target, config, importer, error)) {
        return false;
    }
    return scratch_view(scratch, "loggable_operation",
                        target.any ? "SELECT 0 AS trace, code, 0 AS by_default"
                                     " FROM temp.configured_operation"
                                   : "SELECT l.trace, l.code, l.by_default FROM temp.selection AS s"
                                     " CROSS JOIN main.loggable AS l ON l.trace = s.trace",
                        error);
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool bind_rows(const void *binding, sqlite3_stmt *statement, struct error *error) {
    return bind_parameters(binding, statement, error);
}

/* Whether a query speaks of a parameter, given with its colon. */
static bool reads(const struct query *query, const char *parameter) {
    size_t length = strlen(parameter);
    const char *at = strstr(query->sql, parameter);

    while (at != NULL && (isalnum((unsigned char)at[length]) || at[length] == '_')) {
        at = strstr(at + length, parameter);
    }
    return at != NULL;
}

/* Of how many groups the curves are drawn. */
static size_t curves_wanted(const struct query *query, const struct report_request *request) {
    size_t curves = query_curves(query, request_wants_curves(request));

    return request->top > 0 && (uint64_t)request->top < curves ? (size_t)request->top : curves;
}

/* How many rows the query wants, 0: all. */
static int64_t rows_wanted(const struct query *query, const struct report_request *request) {
    return reads(query, ":rows") && !means_wanted(request, query) &&
                   query_curves(query, request_wants_curves(request)) == 0
               ? request->top
               : 0;
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
        /* So many rows of the tables are enough, unless the query adds them up. */
        .top = reads(query, ":top") ? request->top : 0,
        .result_rows = rows_wanted(query, request),
        .bind = bind_rows,
        .binding = &binding,
        .curves = curves_wanted(query, request),
        .blocks = request->blocks,
        .naming = request->naming,
        .begun = query->begun,
        .rollups = request->counted_by == COUNTED_BY_ANY       ? ROLLUPS_WHERE_THEY_ANSWER
                   : request->counted_by == COUNTED_BY_ROLLUPS ? ROLLUPS_ONLY
                                                               : ROLLUPS_NEVER,
    };
    struct wanted_analysis wanted[QUERY_ANALYSES];

    return read_wanted(query, request, wanted, error) &&
           passes_run(&passes, wanted, query->wanted_count, error);
}

bool prepare_reads_studies(const struct query *query) {
    return strstr(query->sql, ".study = ") != NULL;
}

static enum correct correct_of(const struct query *query, const struct report_request *request) {
    return request_option(request, "corrected") != NULL  ? CORRECT_ALL
           : request_option(request, "measured") != NULL ? CORRECT_NONE
                                                         : query->correct;
}

/* Whether the query or one of its remarks has the text. */
static bool has_text(const struct query *query, const char *text) {
    bool has = strstr(query->sql, text) != NULL;

    for (size_t i = 0; !has && i < query->remark_count; i++) {
        has = strstr(query->remarks[i], text) != NULL;
    }
    return has;
}

/* A user's own query may name tables otherwise. */
bool prepare_reads(const struct query *query, const char *name) {
    char text[64];
    bool found = query->is_own;

    snprintf(text, sizeof text, "temp.%s", name);
    found = found || has_text(query, text);
    for (size_t i = 0; !found && i < query->wanted_count; i++) {
        const struct wanted_analysis *wanted = &query->wanted[i];

        found = (wanted->analysis->reads != NULL && word_in(wanted->analysis->reads, name)) ||
                (wanted->rows != NULL && strstr(wanted->rows, text) != NULL);
    }
    return found;
}

/* Reports on events ask whether there are some. */
static bool reads_of_selection(const void *query, const char *name) {
    const struct query *reader = query;

    return prepare_reads(reader, name) ||
           (reader->reads_events && strcmp(name, "selected_event") == 0);
}

bool prepare_is_issued(const struct query *query) {
    bool issued = false;

    for (size_t i = 0; i < query->wanted_count; i++) {
        issued |= query->wanted[i].analysis->issued;
    }
    return issued;
}

bool prepare_reads_partitions(const struct query *query) {
    return has_text(query, "partition");
}

bool prepare_reads_open_calls(const struct query *query) {
    bool reads = has_text(query, "temp.open_part") || has_text(query, "temp.span_remark");

    for (size_t i = 0; !reads && i < query->wanted_count; i++) {
        reads = query->wanted[i].analysis->rollup_open != NULL;
    }
    return reads;
}

/* Whether the text looks up events only by ids that lie at the ends of the time. */
static bool reads_ends(const char *sql) {
    static const char *const ids[] = {
        "s.first_event",
        "s.last_event",
        "x.first_event",
        "x.last_event",
        "f.id",
        "f.id + 1", /* include/outlying.sql */
        "k.id - 1",
        "k.id",
        "kept.first",
        "kept.last",
        "ifnull(k.first, s.first_event)",
        "ifnull(k.last, s.last_event)",
    };
    bool ends = true;

    while (ends && (sql = strstr(sql, "main.event")) != NULL) {
        const char *id;
        int length = 0;

        sql += strlen("main.event");
        sscanf(sql, " AS %*[a-z] ON %*[a-z].id = %n", &length);
        id = sql + length;
        ends = false;
        for (size_t i = 0; length > 0 && !ends && i < sizeof ids / sizeof ids[0]; i++) {
            ends = strcspn(id, "\n") == strlen(ids[i]) && strncmp(id, ids[i], strlen(ids[i])) == 0;
        }
    }
    return ends;
}

bool prepare_counts_parts(const struct query *query) {
    size_t i = 0;

    while (i < query->wanted_count && query->wanted[i].analysis->window != WINDOW_PARTS) {
        i++;
    }
    return !query->begun && i < query->wanted_count;
}

bool prepare_takes_part(const struct query *query, bool *all_actions) {
    bool takes = !query->is_own && !prepare_reads_studies(query) && reads_ends(query->sql);

    *all_actions = query->all_actions;
    for (size_t i = 0; takes && i < query->remark_count; i++) {
        takes = reads_ends(query->remarks[i]);
    }
    for (size_t i = 0; takes && i < query->wanted_count; i++) {
        const struct wanted_analysis *wanted = &query->wanted[i];

        takes = wanted->rows == NULL || reads_ends(wanted->rows);
        *all_actions |= wanted->analysis->pass == PASS_ALL_ACTIONS;
    }
    return takes;
}

void prepare_append_tables(const struct query *query, struct text *tables) {
    for (size_t i = 0; i < query->wanted_count; i++) {
        const struct analysis *analysis = query->wanted[i].analysis;

        if (analysis->rollup != NULL) {
            text_append_format(tables, "rollup_%s ", analysis->rollup);
        }
    }
    if (prepare_reads_open_calls(query)) {
        text_append_string(tables, "rollup_depth ");
    }
    if (prepare_reads(query, "loggable_operation")) {
        text_append_string(tables, "loggable ");
    }
    if (has_text(query, "main.object")) {
        text_append_string(tables, "object ");
    }
}

bool prepare_needs_events(const struct query *query, const struct report_request *request,
                          const struct catalog_trace *const *traces, size_t count) {
    const bool narrows = filter_narrows(&request->filter);
    struct wanted_analysis wanted[QUERY_ANALYSES];
    struct error ignored; /* prepare_check() tells it */

    return narrows || query->reads_events ||
           (traces[0]->kind == TRACE_SPANS && has_text(query, "main.event ")) ||
           (read_wanted(query, request, wanted, &ignored) &&
            passes_need_events(wanted, query->wanted_count, traces, count, narrows,
                               correct_of(query, request) != CORRECT_NONE));
}

bool prepare_selection(struct workspace *workspace, struct scratch *scratch,
                       const struct query *query, const struct report_request *request,
                       const struct catalog_trace *const *traces, size_t count,
                       struct selection *selection, struct error *error) {
    const bool op = bind_op(query, request) != NULL;
    struct selection_request wanted = {
        .traces = traces,
        .count = count,
        .filter = request->filter,
        .clock = query->both_clocks ? "cpu" : request->clock,
        .correct = correct_of(query, request),
        .leave_open = request->open != NULL && strcmp(request->open, "leave-out") == 0,
        .all_actions = query->all_actions,
        .events = request->counted_by == COUNTED_BY_COLUMNS  ? EVENTS_FROM_COLUMNS
                  : request->counted_by == COUNTED_BY_SQLITE ? EVENTS_FROM_ROWS
                                                             : EVENTS_FROM_ANY,
        .reads = reads_of_selection,
        .reader = query,
    };

    if (request->counted_by == COUNTED_BY_ROLLUPS && query->reads_events) {
        return error_set(error, "rollups do not answer report %s, which reads events",
                         request->report);
    }
    if (op) {
        wanted.filter.names[FILTER_OPERATION] = (struct name_set){0};
    }
    if (!workspace_select(workspace, scratch, &wanted, selection, error) ||
        (prepare_reads(query, "loggable_operation") &&
         !select_loggable(scratch, workspace->config, traces[0]->format, error)) ||
        !run_analyses(workspace, query, request, traces[0], selection, error)) {
        return false;
    }
    /* Rollups may have answered without that; the name is known to be there. */
    selection->met_events |= op && !filter_narrows(&wanted.filter);
    scratch_settle(scratch);
    return true;
}

#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/time_unit.h"
#include "base/words.h"
#include "import/importer.h"
#include "report/choose.h"
#include "report/means.h"
#include "report/prepare.h"
#include "report/units.h"
#include "report/unknown.h"
#include "select/layer.h"
#include "select/match.h"
#include "select/selection.h"

struct report {
    struct workspace *workspace;
    /* `workspace` and `request` are borrowed; once `expanded` is filled, `request` points to it. */
    const struct report_request *request;
    struct report_request expanded; /* copy with expanded names, layers and devices in its filter */
    /* Full names for the abbreviated names in the filter. */
    struct abbreviations abbreviations;
    struct temp_schema temp;
    struct choice *choices; /* owned */
    size_t choice_count;
    size_t choices_done; /* choices (traces) before this index are done; later ones may be done */
    /* First choice (trace) of the current or previous result; NULL: no result yet. */
    const struct choice *last_choice;
    /* Members from here on belong to the current result; zeroed if there is none. */
    const struct query *query;
    const struct catalog_trace **traces; /* owned; room for all traces of the report */
    struct result_trace *ledger; /* owned; traces of the result; room for all of the report */
    size_t trace_count;
    struct mark mark;
    struct selection selection;
    struct result result;
    struct column columns[QUERY_COLUMNS];
    char weight_unit[UNIT_SIZE];
    int from[QUERY_COLUMNS]; /* for each column of the result: its index in the statement's rows */
    struct sorting sorting;
    struct downsampling downsampling;
    int kind_column; /* index in the statement of column _kind (row_kind_column()); -1: none */
    int more_column; /* index in the statement of column _more (row_find_more_column()); -1: none */
    sqlite3_stmt *statement; /* SELECT that returns the rows of the result; NULL: none */
    struct unknown unknown;
    struct shares shares;
    struct means means; /* means over the groups so far; zeroed: none */
    bool is_means; /* true: the current result is that of means, with mean_columns and mean_notes */
    bool rows_left; /* true: rows beyond --top must still be read, for `means` */
    struct column mean_columns[MEANS_COLUMNS];
    struct notes mean_notes;
    int64_t row_count; /* number of rows returned to the caller */
    struct value values[MEANS_COLUMNS];
};

/* --- opening a report ------------------------------------------------------------------------- */

/* Expands and checks the names in the filter. A name that occurs in no trace is an error; traces
 * that lack a name have no rows. */
static bool report_check_names(struct report *report, struct error *error) {
    for (size_t i = 0; i < report->choice_count; i++) {
        report->traces[i] = report->choices[i].trace;
    }
    if (!abbreviations_make(&report->abbreviations, report->workspace->database, report->traces,
                            report->choice_count, &report->request->filter, error) ||
        !match_check_names_exist(report->workspace->database, report->traces, report->choice_count,
                                 &report->abbreviations.filter, error)) {
        return false;
    }
    report->expanded.filter = report->abbreviations.filter;
    for (size_t i = 0; i < report->choice_count; i++) {
        if ((i == 0 || report->choices[i].query != report->choices[i - 1].query) &&
            !prepare_check_request(report->workspace, report->choices[i].query, report->request,
                                   report->traces, report->choice_count, error)) {
            return false;
        }
    }
    return true;
}

/* Selects the topmost layers of calls (layer.h) if traces have several and the filter names none.
 * Names must be loaded. */
static bool choose_layers(struct report *report, struct error *error) {
    struct database *database = report->workspace->database;
    struct database_wanted wanted = {.tables = "rollup_operation"};
    int64_t *ids = xcalloc(report->choice_count + 1, sizeof *ids);
    bool done = true;

    wanted.traces = ids;
    for (size_t i = 0; done && i < report->choice_count; i++) {
        report->traces[i] = report->choices[i].trace;
        if (layers_are_ambiguous(report->traces[i])) {
            ids[wanted.count++] = report->traces[i]->id;
        }
    }
    report->expanded = *report->request;
    report->request = &report->expanded;
    /* With --by hour, each result selects its hour later; until then, the filter has all hours. */
    if (report->request->group == GROUP_HOUR) {
        report->expanded.filter.hours = (struct day_hours){.length = DAY};
    }
    done =
        done && (wanted.count == 0 || (database_fetch(database, &wanted, error) &&
                                       layers_choose(database, report->traces, report->choice_count,
                                                     &report->expanded.filter, error)));
    free(ids);
    return done;
}

static bool report_has_partitions(const struct report *report, bool *has, struct error *error) {
    int64_t count = 0;

    for (size_t i = 0; count == 0 && i < report->choice_count; i++) {
        if (!database_query_integer(report->workspace->database,
                                    "SELECT EXISTS (SELECT 1 FROM main.partition WHERE trace = ?1)",
                                    report->traces[i]->id, 0, &count, error)) {
            return false;
        }
    }
    *has = count > 0;
    return true;
}

/* Returns whether the query needs issue records (D), for times from issue to completion or for the
 * stages of an I/O. Sets `*each_device` if it handles each device separately. */
static bool is_issued(const struct query *query, bool *each_device) {
    bool issued = false;

    for (size_t i = 0; i < query->wanted_count; i++) {
        issued |= query->wanted[i].analysis->issued;
        *each_device |= query->wanted[i].analysis->each_device;
    }
    return issued;
}

/* Chooses the devices whose I/Os are counted, for block I/O traces with several devices. */
static bool choose_devices(struct report *report, struct error *error) {
    const struct report_request *request = report->request;
    const char *action = request->filter.action;
    bool issued = action != NULL && strcmp(action, "C") != 0 && strcmp(action, "Q") != 0,
         places = filter_has(&request->filter, FILTER_PARTITION), all = false;

    for (size_t i = 0; i < report->choice_count; i++) {
        const struct query *query = report->choices[i].query;

        if (report->choices[i].trace->kind != TRACE_IO) {
            continue;
        }
        issued |= is_issued(query, &all) && request_option(request, "q2c") == NULL;
        places |= query_has_name(query, "partition");
        all |= query->all_actions;
    }
    if (places && !report_has_partitions(report, &places, error)) {
        return false;
    }
    selection_choose_stacked_devices(report->traces, report->choice_count, issued, places || all,
                                     &report->expanded.filter);
    return true;
}

static bool report_check_filters(const struct report *report, struct error *error) {
    for (size_t i = 0; i < report->choice_count; i++) {
        if (!request_check_filter(report->request, report->choices[i].trace, error)) {
            return false;
        }
    }
    return true;
}

static void note_sum(const struct report *report) {
    const struct report_request *request = report->request;
    struct text line = {0};

    if (request->say == NULL) {
        return;
    }
    choices_append_merge_description(request, report->choices, report->choice_count, &line);
    if (line.length > 0) {
        request->say(request->say_context, text_string(&line));
    }
    text_free(&line);
}

static bool report_set_up(struct report *report, struct error *error) {
    struct workspace *workspace = report->workspace;

    if (!shares_check(report->request, error) ||
        !prepare_reference_table(&report->temp, workspace->queries, report->request, error) ||
        !choose_reports(&workspace->catalog, workspace->queries, report->request, &report->choices,
                        &report->choice_count, error)) {
        return false;
    }
    report->traces = xcalloc(report->choice_count, sizeof(const struct catalog_trace *));
    report->ledger = xcalloc(report->choice_count, sizeof *report->ledger);
    if (!report_check_filters(report, error) || !choose_layers(report, error) ||
        !choose_devices(report, error) ||
        !fetch_plan_run(workspace, report->request, report->choices, report->choice_count, error) ||
        !report_check_names(report, error)) {
        return false;
    }
    note_sum(report);
    return report->request->group != GROUP_HOUR ||
           choices_split_by_hour(&report->request->filter, &report->choices, &report->choice_count,
                                 error);
}

struct report *report_open(struct workspace *workspace, const struct report_request *request,
                           struct error *error) {
    struct report *report;

    if (choose_report(workspace->queries, request->report, error) == NULL) {
        return NULL;
    }
    report = xcalloc(1, sizeof *report);
    report->workspace = workspace;
    report->request = request;
    if (!workspace_begin(workspace, error)) {
        free(report);
        return NULL;
    }
    report->temp.database = workspace->database;
    if (!report_set_up(report, error)) {
        report_close(report);
        return NULL;
    }
    return report;
}

static void end_result(struct report *report) {
    database_release_read_only(report->workspace->database, report->statement);
    report->statement = NULL;
    shares_free(&report->shares);
    notes_free(&report->mean_notes);
    report->is_means = false;
    report->rows_left = false;
    selection_close(&report->selection);
    report->query = NULL;
}

void report_close(struct report *report) {
    if (report == NULL) {
        return;
    }
    end_result(report);
    means_free(&report->means);
    notes_free(&report->mark.notes);
    abbreviations_free(&report->abbreviations);
    temp_schema_free(&report->temp);
    workspace_end(report->workspace);
    free(report->choices);
    free(report->traces);
    free(report->ledger);
    free(report);
}

const struct query *report_query(const struct report *report) {
    return report->query;
}

const struct selection *report_selection(const struct report *report) {
    return &report->selection;
}

bool report_has_many_results(const struct report *report) {
    return choices_have_many_results(report->request, report->choices, report->choice_count);
}

size_t report_choice_count(const struct report *report) {
    return report->choice_count;
}

/* Returns whether the results of both queries can be drawn in one picture. */
static bool share_picture(const struct query *a, const struct query *b) {
    return a == b || (strcmp(a->plot, b->plot) == 0 && strcmp(a->title, b->title) == 0 &&
                      a->column_count == b->column_count);
}

bool report_check_one_query(const struct report *report, struct error *error) {
    const struct choice *choices = report->choices;

    for (size_t i = 1; i < report->choice_count; i++) {
        if (!share_picture(choices[i].query, choices[0].query)) {
            return error_set(error,
                             "one picture cannot show trace %s, which holds %s, and trace %s, "
                             "which holds %s: choose one with -t",
                             choices[0].trace->name, trace_kind_name(choices[0].trace->kind),
                             choices[i].trace->name, trace_kind_name(choices[i].trace->kind));
        }
    }
    return true;
}

/* --- running the query of a result ------------------------------------------------------------ */

static sqlite3_stmt *prepare_query(struct report *report, const char *sql, struct error *error) {
    const struct binding binding = {
        .query = report->query,
        .request = report->request,
        .catalog = &report->workspace->catalog,
        .trace = report->traces[0],
    };

    return prepare_statement(&report->temp, &binding, sql, error);
}

static bool add_remarks_of(struct report *report, const struct query_remark *remark,
                           struct error *error) {
    sqlite3_stmt *statement = prepare_query(report, remark->sql, error);
    bool row = true, done = statement != NULL;

    while (done && row) {
        done = database_step(report->workspace->database, statement, &row, error);
        if (done && row && sqlite3_column_type(statement, 0) != SQLITE_NULL) {
            notes_append_class(&report->selection.notes, remark->class, "%s",
                               sqlite3_column_text(statement, 0));
        }
    }
    database_release_read_only(report->workspace->database, statement);
    return done;
}

static bool add_query_remarks(struct report *report, struct error *error) {
    struct query_remark statements[REMARK_STATEMENTS];
    size_t count =
        remark_find_statements(report->query, report->request, &report->selection, statements);

    for (size_t i = 0; i < count; i++) {
        if (!add_remarks_of(report, &statements[i], error)) {
            return false;
        }
    }
    return true;
}

/* Sets the columns of the result: those whose conditions hold. Returns their number. Times in other
 * units than ns are shown as durations. */
static size_t report_find_columns(struct report *report) {
    const struct report_request *request = report->request;
    size_t count = 0;

    for (size_t i = 0; i < report->query->column_count; i++) {
        const struct query_column *column = &report->query->columns[i];

        if (column->condition == NULL ||
            (request_option(request, column->condition) != NULL) != column->unless ||
            (request_wants_curves(request) && query_column_is_for_curves(column)) ||
            (request->study != NULL && strcmp(column->condition, "study") == 0) ||
            (report->trace_count > 1 && strcmp(column->condition, "several") == 0) ||
            (request->all && strcmp(column->condition, QUERY_ALL) == 0) ||
            (request->picture && query_column_is_for_plots(column)) ||
            (request->compare && query_column_is_for_compare(column))) {
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

/* Sets the columns for downsampling a plot's rows (line `thin`). */
static void report_find_places(struct report *report) {
    const struct query *query = report->query;

    report->downsampling.count = 0;
    for (size_t i = 0; i < query->place_count; i++) {
        const struct query_downsampling_key *place = &query->place[i];
        struct downsampling_key key = {.parts = place->parts, .has_plus = place->plus != NULL};

        if (result_find_column(&report->result, place->column, &key.column) &&
            (place->plus == NULL || result_find_column(&report->result, place->plus, &key.plus))) {
            report->downsampling.keys[report->downsampling.count++] = key;
        }
    }
    report->downsampling.has_weight =
        query->thin_weight != NULL &&
        result_find_column(&report->result, query->thin_weight, &report->downsampling.weight);
    report->result.downsampling = report->downsampling.count > 0 ? &report->downsampling : NULL;
}

static bool report_sort_rows(struct report *report, struct error *error) {
    struct text sql = {0};

    sorting_append_statement(&report->sorting, report->statement, &sql);
    database_release_read_only(report->workspace->database, report->statement);
    report->statement = prepare_query(report, text_string(&sql), error);
    text_free(&sql);
    return report->statement != NULL;
}

static bool report_open_rows(struct report *report, struct error *error) {
    report->statement = prepare_query(report, report->query->sql, error);
    if (report->statement == NULL) {
        return false;
    }
    if ((size_t)sqlite3_column_count(report->statement) < report->query->column_count) {
        return error_set(error,
                         "query file %s: the query returns fewer columns than the header declares",
                         report->query->file);
    }
    if (report->request->sort != NULL && !report_sort_rows(report, error)) {
        return false;
    }
    report->kind_column = row_kind_column(report->statement);
    report->more_column = report->request->brief && report->request->top == 0
                              ? row_find_more_column(report->statement)
                              : -1;
    report->row_count = 0;
    return true;
}

/* Reads the next row of the statement. `*known`: false if the row needs a fact no log states. */
static bool step_row(struct report *report, bool *row, bool *known, struct error *error) {
    size_t count = report->result.column_count;
    sqlite3_mutex *lock = database_lock(report->workspace->database);
    const bool done = database_step(report->workspace->database, report->statement, row, error);

    for (size_t i = 0; *row && i < count; i++) {
        row_value(report->statement, report->from[i], &report->values[i]);
    }
    sqlite3_mutex_leave(lock);
    if (!done) {
        return false;
    }
    if (*row && report->kind_column >= 0 && count > 0) {
        row_set_kind(report->statement, report->kind_column, &report->values[count - 1]);
    }
    if (*row && report->more_column >= 0) {
        report->result.rows_more += sqlite3_column_int64(report->statement, report->more_column);
    }
    *known = !*row || unknown_apply(&report->unknown, report->values, count);
    return true;
}

/* Reads all rows once, to compute the sums that --share refers to. */
static bool count_shares(struct report *report, struct error *error) {
    bool row = true, known, done = true;

    if (report->shares.of == SHARE_NONE) {
        return true;
    }
    while (done && row) {
        done = step_row(report, &row, &known, error);
        if (done && row && known) {
            shares_add(&report->shares, report->values);
        }
    }
    /* The same rows are read again, so shares_apply() starts at the first group. */
    report->shares.group = 0;
    text_clear(&report->shares.container);
    return done && (sqlite3_reset(report->statement) == SQLITE_OK ||
                    database_set_error(report->workspace->database, error));
}

/* Returns whether the rows of the current result are added to means. */
static bool is_of_means(const struct report *report) {
    return report->means.groups > 0 && report->result.group[0] != '\0';
}

/* Reads the next row for which the logs state all facts. Adds skipped rows to means as unknown. */
static bool report_read_row(struct report *report, bool *row, struct error *error) {
    bool known = false;

    while (!known) {
        if (!step_row(report, row, &known, error) ||
            (!known && is_of_means(report) &&
             !means_add_unknown(&report->means, report->values, error))) {
            return false;
        }
    }
    return true;
}

/* Reads the next row of the result; adds it to the means, if there are any. */
static bool next_row(struct report *report, bool *row, struct error *error) {
    *row = false;
    if (report->is_means) {
        *row = means_next(&report->means, report->values);
        return true;
    }
    if (!report->rows_left) {
        return true;
    }
    if (!report_read_row(report, row, error)) {
        return false;
    }
    if (*row) {
        shares_apply(&report->shares, report->values);
    }
    report->rows_left = *row;
    return !*row || !is_of_means(report) || means_add(&report->means, report->values, error);
}

/* Adds the rows beyond --top to the means. */
static bool report_finish_rows(struct report *report, struct error *error) {
    bool row = report->means.groups > 0 && !report->is_means, done = true;

    while (done && row) {
        done = next_row(report, &row, error);
    }
    return done;
}

/* --- moving from result to result ------------------------------------------------------------- */

static void add_to_ledger(struct report *report, const struct catalog_trace *trace) {
    for (size_t i = 0; report->request->group == GROUP_HOUR && i < report->trace_count; i++) {
        if (report->traces[i] == trace) {
            return; /* the trace was already added, for another hour */
        }
    }
    report->ledger[report->trace_count] = result_trace_of(trace);
    report->traces[report->trace_count++] = trace;
}

/* Returns whether the query has analyses that exclude some selected events. */
static bool leaves_out(const struct query *query) {
    bool leaves = false;

    for (size_t i = 0; i < query->wanted_count; i++) {
        leaves |= query->wanted[i].analysis->leaves_out;
    }
    return leaves;
}

/* Adds a note on unmatched filters if no event passes the filter. */
static bool add_nothing_left(struct report *report, struct notes *notes, struct error *error) {
    struct database *database = report->workspace->database;
    bool passed = leaves_out(report->query), left = passed && report->selection.met_events;
    struct filter given = report->request->filter;
    struct text sql = {0};
    bool done = true;

    report->means.no_events = false;
    given.devices = DEVICES_ALL; /* a choice of devices is none of the user's conditions */
    if (left || !filter_can_exclude(&given)) {
        return true;
    }
    remark_append_row_check(report->query, &sql);
    if (sql.length > 0) {
        struct database_query query = database_query(database, error, text_string(&sql), "");

        left = database_next(&query);
        done = database_end(&query);
    }
    report->means.no_events = done && !left && (passed || sql.length > 0);
    if (report->means.no_events) {
        done = match_note_no_events(database, &report->request->filter, notes, error);
    }
    text_free(&sql);
    return done;
}

/* Adds a note on traces whose log has records that are earlier than the record before. */
static void add_earlier(const struct report *report, struct notes *notes) {
    enum { NAMED = 4 };
    size_t count = 0;

    for (size_t i = 0; i < report->trace_count; i++) {
        const struct catalog_trace *trace = report->traces[i];

        if (trace->earlier[0] != '\0' && ++count <= NAMED) {
            notes_append(notes, "trace %s: %s; its events are sorted by time", trace->name,
                         trace->earlier);
        }
    }
    notes_append_count(
        notes, (int64_t)count - NAMED,
        "%zu more trace{ has|s have} records earlier than the previous one; tracetool "
        "show TRACE says by how much",
        count - NAMED);
}

/* Selects the events of the result's traces. Adds notes on the group and on --mark's trace first.
 */
static bool report_select_traces(struct report *report, struct error *error) {
    struct notes notes = {0};
    const char *kind = group_names[report->request->group];
    const char *label = report->result.group;

    if (label != NULL && label[0] == '\0') {
        notes_append(&notes, "traces without a %s", kind);
    } else if (label != NULL) {
        notes_append(&notes, "%s: %s", kind, label);
    }
    add_earlier(report, &notes);
    notes_append_all(&notes, &report->abbreviations.notes);
    if (!mark_fill_table(&report->mark, report->workspace, &report->temp, report->query,
                         report->request, &notes, error) ||
        !prepare_selection(report->workspace, &report->temp, report->query, report->request,
                           report->traces, report->trace_count, &report->selection, error)) {
        notes_free(&notes);
        return false;
    }
    notes_append_all(&notes, &report->selection.notes);
    notes_free(&report->selection.notes);
    report->selection.notes = notes;
    return add_nothing_left(report, &report->selection.notes, error);
}

/* If the report has several results, labels the current result with its trace or group. */
static void name_part(struct report *report) {
    const char *group = report->result.group;

    if (group != NULL) {
        report->result.part_name = group_names[report->request->group];
        report->result.part = group[0] == '\0' ? NULL : group;
    } else if (report->request->by_trace || (report->query->apart && report->choice_count > 1)) {
        report->result.part_name = group_names[GROUP_TRACE];
        report->result.part = report->traces[0]->name;
    }
}

/* Returns whether equal hours of all groups are the same hours: hours of the day, or hours since
 * the start of traces. A mean over both would be of neither. */
static bool hours_are_alike(const struct report *report) {
    size_t of_day = 0, others = 0;

    for (size_t i = 0; i < report->choice_count; i++) {
        if (report->choices[i].query == report->query) {
            of_day += catalog_has_hours_of_day(report->choices[i].trace);
            others += !catalog_has_hours_of_day(report->choices[i].trace);
        }
    }
    return of_day == 0 || others == 0 || !word_in(report->query->key, "hour") ||
           request_option(report->request, "timeline") != NULL;
}

/* Returns the text of the query's plot, which depends on the options; borrowed; NULL: none. */
static const char *choose_plot(const struct query *query, const struct report_request *request) {
    const struct query_other_plot *other = &query->other_plot;
    const struct report_option *option =
        other->option == NULL ? NULL : request_option(request, other->option);

    return option != NULL && (other->values[0] == '\0' || word_in(other->values, option->value))
               ? other->text
               : query->plot_text;
}

static bool make_result(struct report *report, struct error *error) {
    const struct query *query = report->query;

    if (report->request->group == GROUP_HOUR) {
        report->expanded.filter.hours = choice_selected_hours(report->last_choice);
    }
    report->result = (struct result){
        .group = report->request->group == GROUP_NONE
                     ? NULL
                     : choice_group_label(report->request, report->last_choice),
        .clock_unit = report->traces[0]->clock_unit,
        .traces = report->ledger,
        .trace_count = report->trace_count,
        .columns = report->columns,
        .shares = query->total == NULL ? NULL : shares_option_value(report->request),
        .curve = report->request->curve,
        .some_classes = report->request->filter.words_out[FILTER_CLASSES] != 0,
        .plot = choose_plot(query, report->request),
        .sorted_below = true,
    };
    query_describe(query, &report->result);
    if (!report_select_traces(report, error) ||
        (!report->request->rows_only && !add_query_remarks(report, error))) {
        return false;
    }
    report->result.column_count = report_find_columns(report);
    if (!units_set_weight_unit(report->workspace->database, query, report->columns,
                               report->result.column_count, report->weight_unit, error) ||
        (report->request->sort != NULL &&
         !sorting_find_column(&report->sorting, report->request, query, report->columns,
                              report->from, &report->result.column_count, error))) {
        return false;
    }
    unknown_find(&report->unknown, query, report->traces, report->trace_count,
                 report->request->unknown, report->columns, report->result.column_count);
    unknown_append_note(&report->unknown, &report->selection.notes);
    shares_begin(&report->shares, query, report->request, report->columns,
                 report->result.column_count, &report->selection.notes);
    report_find_places(report);
    name_part(report);
    notes_show(&report->selection.notes, &report->result);
    report->rows_left = true;
    if (!report_open_rows(report, error) || !count_shares(report, error)) {
        return false;
    }
    report->result.row_units = report->kind_column >= 0;
    /* Begins the group of this result in the means. Groups without a label are excluded. */
    if (means_are_wanted(report->request, report->query) && report->result.group[0] != '\0' &&
        hours_are_alike(report)) {
        means_begin_group(&report->means, report->query, report->result.group, report->columns,
                          report->result.column_count, &report->shares,
                          strcmp(report->result.clock_unit, "ns") == 0);
    }
    return true;
}

/* Sets the current result to the means over the groups. */
static void make_means(struct report *report) {
    struct result *result = &report->result;

    report->is_means = true;
    report->row_count = 0;
    report->trace_count = 0;
    for (size_t i = 0; i < report->choice_count; i++) {
        /* Excludes groups that are not in the means. */
        if (choices_can_be_merged(report->last_choice, &report->choices[i]) &&
            choice_group_label(report->request, &report->choices[i])[0] != '\0') {
            add_to_ledger(report, report->choices[i].trace);
        }
    }
    means_append_notes(&report->means, group_names[report->request->group], &report->mean_notes);
    means_finish(&report->means, report->mean_columns, &result->column_count);
    result->group = NULL;
    result->part_name = NULL;
    result->row_units = false;
    result->columns = report->mean_columns;
    result->trace_count = report->trace_count;
    notes_show(&report->mean_notes, result);
}

/* Returns the index of the first choice (trace) that is not done and, unless `like` is NULL, can
 * share a result with it; choice_count: none. */
static size_t first_choice(const struct report *report, const struct choice *like) {
    size_t first = report->choices_done;

    while (first < report->choice_count &&
           (report->choices[first].done ||
            (like != NULL && !choices_can_be_merged(like, &report->choices[first])))) {
        first++;
    }
    return first;
}

/* Returns the index of the next choice (trace), or choice_count. Averaged groups adjoin. */
static size_t report_next_choice(const struct report *report) {
    size_t next = report->choice_count;

    if (report->request->group != GROUP_NONE && report->last_choice != NULL) {
        next = first_choice(report, report->last_choice);
    }
    return next < report->choice_count ? next : first_choice(report, NULL);
}

/* Adds the database's path to the message about an integer overflow, which a damaged log can cause.
 * Always returns false. */
static bool explain_overflow(const struct report *report, struct error *error) {
    return strstr(error->message, "integer overflow") == NULL
               ? false
               : error_set(error,
                           "%s: integer overflow in a sum; `tracetool check` finds out whether the "
                           "database is damaged",
                           report->workspace->database->path);
}

bool report_next(struct report *report, const struct result **result, struct error *error) {
    bool was_means = report->is_means;
    size_t next;

    *result = NULL;
    if (!report_finish_rows(report, error)) {
        return false;
    }
    end_result(report);
    next = report_next_choice(report);
    if (next == report->choice_count || report->means.groups == 0 ||
        !choices_can_be_merged(report->last_choice, &report->choices[next])) {
        /* All groups that are averaged together are done: the next result is their means. */
        if (report->means.groups > 1 && !was_means) {
            *result = &report->result;
            make_means(report);
            return true;
        }
        means_free(&report->means);
    }
    if (next == report->choice_count) {
        return true;
    }
    /* Collects the traces that share a result with the next choice (trace with its query). */
    report->query = report->choices[next].query;
    report->last_choice = &report->choices[next];
    report->trace_count = 0;
    for (size_t i = next; i < report->choice_count; i++) {
        struct choice *choice = &report->choices[i];

        if (i == next || choices_are_merged(report->request, &report->choices[next], choice)) {
            choice->done = true;
            add_to_ledger(report, choice->trace);
        }
        if (report->request->by_trace || report->query->apart) {
            break; /* every trace has its own result */
        }
    }
    while (report->choices_done < report->choice_count &&
           report->choices[report->choices_done].done) {
        report->choices_done++;
    }
    if (!make_result(report, error)) {
        return explain_overflow(report, error);
    }
    *result = &report->result;
    return true;
}

bool report_next_row(struct report *report, const struct value **values, struct error *error) {
    int64_t top = report->request->top;
    bool row = false;

    *values = NULL;
    if (top != 0 && report->row_count >= top &&
        query_curve_groups(report->query, request_wants_curves(report->request)) == 0) {
        return true;
    }
    if (!next_row(report, &row, error)) {
        return explain_overflow(report, error);
    }
    if (row) {
        report->row_count++;
        *values = report->values;
    }
    return true;
}

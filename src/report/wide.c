#include "report/wide.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/words.h"
#include "report/choose.h"
#include "select/notes.h"

const char wide_report[] = "summary";

/* Short names of columns that a user may ask for, each with the path of the cell that fills the
 * column: REPORT.ROW or REPORT.ROW.COLUMN. */
static const struct {
    const char *word, *path;
} short_words[] = {
    {"requests", "summary.I/Os"},           {"calls", "summary.events"},
    {"mean_size", "summary.mean_I/O_size"}, {"footprint", "footprint.used.bytes"},
    {"min", "percentiles.all.min"},         {"mean", "percentiles.all.mean"},
    {"p50", "percentiles.all.p50"},         {"p90", "percentiles.all.p90"},
    {"p95", "percentiles.all.p95"},         {"p99", "percentiles.all.p99"},
    {"p99.9", "percentiles.all.p99.9"},     {"max", "percentiles.all.max"},
};

#define ALL_OF_THEM "all" /* name, in --columns, of the only row of a report with --by none */

struct figure {
    const char *name;   /* column of the table, as typed in --columns */
    const char *report; /* report that contains the value; borrowed from the queries */
    const char *row;    /* row of the report; NULL: the report has one row */
    const char *other;  /* alternative row if `row` is missing; NULL: none */
    const char *column; /* column of the report; NULL: the last one */
    bool of_all;        /* true: the report runs with --by none */
    bool is_made;       /* true: the report has run */
    bool is_found;
    enum column_kind kind; /* kind of the first value found */
    const char *unit;
};

/* How well a report's row matches the name of a table column; larger is better. */
enum fit { FIT_NONE, FIT_OTHER, FIT_LOOSE, FIT_EXACT };

struct cell {
    struct value value;
    enum fit fit;
    bool is_ambiguous; /* true: several rows match equally well, which is an error */
};

/* A trace's cells, one per figure (column of the table); those not found yet are zeroed. */
struct wide_row {
    struct cell *cells; /* owned */
    size_t count;
};

/* An attribute (row) of the summary report, and the index of its figure. */
struct attribute {
    const char *name;
    size_t figure;
    UT_hash_handle hh;
};

/* A `#` line of the reports, and the traces that it applies to. */
struct wide_remark {
    const char *line;
    enum remark_class class;
    size_t count;      /* number of the traces with this `#` line */
    struct text names; /* owned; names of the traces with this line, separated by ", " */
};

struct wide {
    struct workspace *workspace;
    const struct report_request *request;
    struct pool pool; /* owns all strings */
    struct figure *figures;
    size_t figure_count, figure_capacity;
    struct result_trace *traces;
    size_t trace_count, trace_capacity;
    struct wide_row *rows; /* owned; for each trace, the cells of its row */
    size_t row_capacity;
    size_t last_trace; /* index of the trace found last */
    struct attribute *attributes;
    struct wide_remark *remarks;
    size_t remark_count, remark_capacity;
};

/* --- the columns that the user names ---------------------------------------------------------- */

static struct figure *new_figure(struct wide *wide, const char *name, const char *report) {
    struct figure *figure = ARRAY_NEW(wide->figures, wide->figure_count, wide->figure_capacity);

    *figure = (struct figure){.name = pool_copy(&wide->pool, name), .report = report};
    return figure;
}

/* Returns a trace's cell for a figure (column); NULL: nothing was found for the trace yet. */
static struct cell *wide_find_cell(const struct wide *wide, size_t trace, size_t figure) {
    struct wide_row *row = &wide->rows[trace];

    return figure < row->count ? &row->cells[figure] : NULL;
}

static struct cell *make_figure_cell(struct wide *wide, size_t trace, size_t figure) {
    struct wide_row *row = &wide->rows[trace];

    if (figure >= row->count) {
        size_t count = figure + figure / 2 + 8;

        row->cells = xreallocarray(row->cells, count, sizeof *row->cells);
        memset(row->cells + row->count, 0, (count - row->count) * sizeof *row->cells);
        row->count = count;
    }
    return &row->cells[figure];
}

/* Returns whether `typed` means `name`, if case is ignored and `_` may replace blanks. */
static bool wide_is_called(const char *typed, const char *name) {
    for (; *typed != '\0' && *name != '\0'; typed++, name++) {
        char is = *typed == '_' ? ' ' : *typed, wanted = *name == '_' ? ' ' : *name;

        if (strncasecmp(&is, &wanted, 1) != 0) {
            return false;
        }
    }
    return *typed == *name;
}

/* Returns the dot before COLUMN in ROW.COLUMN, or NULL. COLUMN may have a dot itself: p99.9. */
static char *wide_find_column(char *path) {
    char *dot = strrchr(path, '.');

    if (dot != NULL && strcmp(dot, ".9") == 0) {
        *dot = '\0';
        char *before = strrchr(path, '.');

        *dot = '.';
        dot = before;
    }
    return dot;
}

static bool wide_read_path(struct wide *wide, struct figure *figure, const char *path,
                           struct error *error) {
    char *report = pool_copy(&wide->pool, path), *row = strchr(report, '.'), *column;

    *row++ = '\0';
    figure->report = choose_report(wide->workspace->queries, report, error);
    if (figure->report == NULL) {
        return false;
    }
    if (strcmp(figure->report, wide_report) == 0) {
        figure->row = row;
        return true;
    }
    column = wide_find_column(row);
    if (column == NULL) {
        figure->column = row;
        return true;
    }
    *column = '\0';
    figure->row = row;
    figure->column = column + 1;
    figure->of_all =
        strcmp(figure->row, ALL_OF_THEM) == 0 && word_in("latency percentiles", figure->report);
    return true;
}

static bool add_figure(struct wide *wide, const char *name, struct error *error) {
    struct figure *figure = new_figure(wide, name, wide_report);
    const char *dot = strchr(name, '.');

    for (size_t i = 0; i < sizeof short_words / sizeof short_words[0]; i++) {
        if (wide_is_called(name, short_words[i].word)) {
            if (!wide_read_path(wide, figure, short_words[i].path, error)) {
                return false;
            }
            /* An attribute of the summary with this name has precedence over the abbreviation. */
            if (strcmp(figure->report, wide_report) == 0) {
                figure->other = figure->row;
                figure->row = figure->name;
            }
            return true;
        }
    }
    if (dot != NULL) {
        return wide_read_path(wide, figure, name, error);
    }
    figure->row = figure->name;
    return true;
}

static bool wide_read_names(struct wide *wide, const char *names, struct error *error) {
    char *list = pool_copy(&wide->pool, names);

    for (char *name; (name = strsep(&list, ",")) != NULL;) {
        name += strspn(name, " ");
        if (*name == '\0') {
            return error_usage(error, "--columns '%s': a name between the commas is empty", names);
        }
        if (!add_figure(wide, name, error)) {
            return false;
        }
    }
    return true;
}

/* --- taking values from the rows of reports --------------------------------------------------- */

/* Copies a value. A duration in units of a counter becomes a text with the clock's unit. */
static struct value wide_copy_value(struct wide *wide, const struct value *from,
                                    const char *clock_unit) {
    struct value value = *from;
    char *copy;

    if (value.type == VALUE_INTEGER && value.kind == COLUMN_DURATION &&
        strcmp(clock_unit, "ns") != 0) {
        char text[96];

        snprintf(text, sizeof text, "%lld %s", (long long)value.integer, clock_unit);
        value = value_text(pool_copy(&wide->pool, text));
    } else if (value.type == VALUE_TEXT || value.type == VALUE_BLOB) {
        copy = pool_allocate(&wide->pool, value.length + 1);
        memcpy(copy, value.bytes, value.length);
        value.bytes = copy;
    }
    return value;
}

/* Records that the report has a figure's column; `value` NULL: the report has no rows. */
static void find_column_of(struct wide *wide, struct figure *figure, const struct column *column,
                           const struct value *value) {
    if (!figure->is_found) {
        figure->kind = value != NULL ? printer_value_kind(value, column) : column->kind;
        figure->unit = pool_copy(&wide->pool,
                                 value != NULL && value->unit != NULL ? value->unit : column->unit);
    }
    figure->is_found = true;
}

static void wide_add_value(struct wide *wide, size_t trace, size_t index, enum fit fit,
                           const struct value *value, const struct result *result,
                           const struct column *column) {
    struct cell *cell = make_figure_cell(wide, trace, index);
    struct value kept = *value;

    if (fit <= cell->fit) {
        cell->is_ambiguous |= fit == cell->fit;
        return;
    }
    kept.kind = printer_value_kind(value, column);
    *cell = (struct cell){.value = wide_copy_value(wide, &kept, result->clock_unit), .fit = fit};
    find_column_of(wide, &wide->figures[index], column, value);
}

/* Sets `name` to a row's name: its key columns, separated by blanks; without a key, its first value
 * that is not empty. */
static void append_row_name(struct text *name, const struct query *query,
                            const struct result *result, const struct value *values) {
    text_clear(name);
    for (size_t i = 0; i < result->column_count; i++) {
        bool is_key = query->key[0] == '\0' ? name->length == 0
                                            : word_in(query->key, result->columns[i].name);

        if (is_key) {
            text_append_string(name, name->length > 0 ? " " : "");
            if (values[i].type == VALUE_TEXT) {
                text_append(name, values[i].bytes, values[i].length);
            } else {
                printer_append_machine(name, &values[i], &result->columns[i]);
            }
        }
    }
}

/* Returns the index of the figure (table column) of an attribute; adds the figure if missing. */
static size_t find_attribute(struct wide *wide, const char *name) {
    struct attribute *attribute;

    HASH_FIND_STR(wide->attributes, name, attribute);
    if (attribute == NULL) {
        struct figure *figure = new_figure(wide, name, wide_report);

        figure->row = figure->name;
        attribute = pool_allocate(&wide->pool, sizeof *attribute);
        attribute->name = figure->name;
        attribute->figure = wide->figure_count - 1;
        HASH_ADD_KEYPTR(hh, wide->attributes, attribute->name, strlen(attribute->name), attribute);
    }
    return attribute->figure;
}

struct making {
    const struct figure *like; /* figure whose report is run, for all its table columns */
    bool all;                  /* true: add a figure (table column) for each row of the report */
};

static bool wide_is_alike(const struct figure *one, const struct figure *other) {
    return strcmp(one->report, other->report) == 0 && one->of_all == other->of_all;
}

/* Returns the index of the result's column for a figure (table column); column_count if there is
 * none, or if the figure belongs to another report. */
static size_t result_column_of_figure(const struct figure *figure, const struct making *making,
                                      const struct result *result) {
    size_t column = result->column_count;

    if (wide_is_alike(figure, making->like) && figure->column == NULL) {
        column = result->column_count - 1;
    } else if (wide_is_alike(figure, making->like)) {
        column = 0;
        while (column < result->column_count &&
               !wide_is_called(figure->column, result->columns[column].name)) {
            column++;
        }
    }
    return column;
}

static enum fit column_fit_of_figure(const struct figure *figure, const char *name) {
    return figure->row == NULL || strcmp(figure->row, name) == 0          ? FIT_EXACT
           : wide_is_called(figure->row, name)                            ? FIT_LOOSE
           : figure->other != NULL && wide_is_called(figure->other, name) ? FIT_OTHER
                                                                          : FIT_NONE;
}

static void wide_add_row(struct wide *wide, size_t trace, const struct making *making,
                         const struct result *result, const struct value *values,
                         const char *name) {
    if (making->all) {
        size_t last = result->column_count - 1;

        wide_add_value(wide, trace, find_attribute(wide, name), FIT_EXACT, &values[last], result,
                       &result->columns[last]);
        return;
    }
    for (size_t i = 0; i < wide->figure_count; i++) {
        const struct figure *figure = &wide->figures[i];
        size_t column = result_column_of_figure(figure, making, result);
        enum fit fit =
            column < result->column_count ? column_fit_of_figure(figure, name) : FIT_NONE;

        if (fit != FIT_NONE) {
            wide_add_value(wide, trace, i, fit, &values[column], result, &result->columns[column]);
        }
    }
}

/* Records columns of a report that has no rows for the trace: they exist, but are empty. */
static void add_no_rows(struct wide *wide, const struct making *making,
                        const struct result *result) {
    for (size_t i = 0; i < wide->figure_count; i++) {
        struct figure *figure = &wide->figures[i];
        size_t column = result_column_of_figure(figure, making, result);

        if (column < result->column_count) {
            find_column_of(wide, figure, &result->columns[column], NULL);
        }
    }
}

/* --- making the reports ----------------------------------------------------------------------- */

static size_t wide_add_trace(struct wide *wide, const struct result_trace *trace) {
    *ARRAY_NEW(wide->traces, wide->trace_count, wide->trace_capacity) = *trace;
    wide->rows =
        array_grow(wide->rows, wide->trace_count - 1, &wide->row_capacity, sizeof *wide->rows);
    wide->rows[wide->trace_count - 1] = (struct wide_row){.count = 0};
    return wide->trace_count - 1;
}

/* Returns the index of a trace; trace_count: unknown. Reports list traces in the same order, but
 * may lack some, so the search starts at the last one found. */
static size_t wide_find_trace(struct wide *wide, const struct result_trace *trace) {
    for (size_t i = 0; i < wide->trace_count; i++) {
        size_t at = (wide->last_trace + i) % wide->trace_count;
        const struct result_trace *other = &wide->traces[at];

        if (strcmp(other->name, trace->name) == 0 && strcmp(other->format, trace->format) == 0 &&
            other->events == trace->events) {
            wide->last_trace = at;
            return at;
        }
    }
    return wide->trace_count;
}

static void add_remark(struct wide *wide, const struct result *result, size_t index) {
    const char *line = result->remarks[index], *name = result->traces[0].name;
    struct wide_remark *remark = NULL;

    for (size_t i = 0; i < wide->remark_count && remark == NULL; i++) {
        remark = strcmp(wide->remarks[i].line, line) == 0 ? &wide->remarks[i] : NULL;
    }
    if (remark == NULL) {
        remark = ARRAY_NEW(wide->remarks, wide->remark_count, wide->remark_capacity);
        *remark = (struct wide_remark){
            .line = pool_copy(&wide->pool, line),
            .class = result->remark_classes != NULL ? result->remark_classes[index] : REMARK_PLAIN,
        };
    }
    remark->count++;
    text_append_string(&remark->names, remark->count > 1 ? ", " : "");
    text_append_string(&remark->names, name);
}

static bool wide_add_result(struct wide *wide, struct report *report, const struct result *result,
                            const struct making *making, struct error *error) {
    const struct query *query = report_query(report);
    bool is_first = strcmp(making->like->report, wide_report) == 0, done;
    size_t trace = is_first ? wide_add_trace(wide, &result->traces[0])
                            : wide_find_trace(wide, &result->traces[0]);
    const struct value *values;
    struct text name = {0};
    bool has_rows = false;

    for (size_t i = 0; i < result->remark_count; i++) {
        add_remark(wide, result, i);
    }
    while ((done = report_next_row(report, &values, error)) && values != NULL) {
        append_row_name(&name, query, result, values);
        has_rows = true;
        if (trace < wide->trace_count) {
            wide_add_row(wide, trace, making, result, values, text_string(&name));
        }
    }
    if (done && !has_rows) {
        add_no_rows(wide, making, result);
    }
    text_free(&name);
    return done;
}

/* Runs a report with one result per trace; stores the values of its figures (table columns). */
static bool wide_make_report(struct wide *wide, const struct making *making, struct error *error) {
    const struct report_option none = {.name = "by", .value = "none"};
    struct report_request request = *wide->request;
    const struct result *result;
    struct report *report;
    bool done = true;

    request.report = making->like->report;
    request.by_trace = true;
    request.brief = false;
    if (strcmp(request.report, wide_report) != 0) {
        request.options = &none;
        request.option_count = making->like->of_all ? 1 : 0;
    }
    report = report_open(wide->workspace, &request, error);
    if (report == NULL) {
        return false;
    }
    while ((done = report_next(report, &result, error)) && result != NULL) {
        done = wide_add_result(wide, report, result, making, error);
        if (!done) {
            break;
        }
    }
    report_close(report);
    return done;
}

static bool make_figures(struct wide *wide, struct error *error) {
    struct figure summary = {.report = wide_report};

    if (!wide_make_report(wide, &(struct making){&summary, wide->figure_count == 0}, error)) {
        return false;
    }
    for (size_t i = 0; i < wide->figure_count; i++) {
        struct figure like = wide->figures[i];

        if (!like.is_made && !wide_is_alike(&like, &summary) &&
            !wide_make_report(wide, &(struct making){&like, false}, error)) {
            return false;
        }
        for (size_t j = i; j < wide->figure_count; j++) {
            wide->figures[j].is_made |= wide_is_alike(&wide->figures[j], &like);
        }
    }
    return true;
}

static bool check_found(const struct figure *figure, struct error *error) {
    return figure->is_found ||
           error_usage(error,
                       "--columns: cannot find '%s': for these traces, report %s has %s; without "
                       "--columns, all its rows become columns",
                       figure->name, figure->report,
                       figure->column == NULL ? "no such row" : "no such row or column");
}

static bool check_figures(const struct wide *wide, struct error *error) {
    for (size_t i = 0; i < wide->figure_count; i++) {
        const struct figure *figure = &wide->figures[i];

        if (!check_found(figure, error)) {
            return false;
        }
        for (size_t trace = 0; trace < wide->trace_count; trace++) {
            const struct cell *cell = wide_find_cell(wide, trace, i);

            if (cell != NULL && cell->is_ambiguous) {
                return error_usage(
                    error,
                    "--columns: trace %s: several rows of report %s fit '%s'; write the whole name",
                    wide->traces[trace].name, figure->report, figure->name);
            }
        }
    }
    return true;
}

/* --- printing the table ----------------------------------------------------------------------- */

/* Returns a figure's column of the table, with blanks in its name replaced by underscores. */
static struct column word_for_column_name(struct wide *wide, const struct figure *figure) {
    char *name = pool_copy(&wide->pool, figure->name);

    for (char *at = name; (at = strchr(at, ' ')) != NULL;) {
        *at = '_';
    }
    return (struct column){.name = name, .unit = figure->unit, .kind = figure->kind};
}

struct place {
    const char *name;
    size_t trace;
};

static int wide_compare_places(const void *left, const void *right) {
    return strverscmp(((const struct place *)left)->name, ((const struct place *)right)->name);
}

static bool wide_print_rows(const struct wide *wide, struct printer *printer, struct error *error) {
    struct place *places = xcalloc(wide->trace_count + 1, sizeof *places);
    struct value *row = xcalloc(wide->figure_count + 1, sizeof *row);
    bool done = true;

    for (size_t i = 0; i < wide->trace_count; i++) {
        places[i] = (struct place){wide->traces[i].name, i};
    }
    qsort(places, wide->trace_count, sizeof *places, wide_compare_places);
    for (size_t i = 0; done && i < wide->trace_count; i++) {
        row[0] = value_text(places[i].name);
        for (size_t figure = 0; figure < wide->figure_count; figure++) {
            const struct cell *cell = wide_find_cell(wide, places[i].trace, figure);

            row[1 + figure] = cell != NULL ? cell->value : (struct value){.type = VALUE_NULL};
        }
        done = printer_row(printer, row, error);
    }
    free(row);
    free(places);
    return done;
}

static bool print_table(struct wide *wide, struct printer *printer, struct error *error) {
    struct notes notes = {0};
    struct column *columns = xcalloc(wide->figure_count + 1, sizeof *columns);
    struct result result = {
        .report = wide_report,
        .title = "Summary",
        .clock_unit = "ns",
        .traces = wide->traces,
        .trace_count = wide->trace_count,
        .remarks_below = true,
        .sorted_below = true,
        .columns = columns,
        .column_count = wide->figure_count + 1,
    };
    bool done;

    columns[0] = (struct column){"trace", "", COLUMN_TEXT};
    for (size_t i = 0; i < wide->figure_count; i++) {
        columns[1 + i] = word_for_column_name(wide, &wide->figures[i]);
    }
    for (size_t i = 0; i < wide->remark_count; i++) {
        const struct wide_remark *remark = &wide->remarks[i];

        if (remark->count >= wide->trace_count) {
            notes_append_class(&notes, remark->class, "%s", remark->line);
        } else {
            notes_append_class(&notes, remark->class, "%s: %s", text_string(&remark->names),
                               remark->line);
        }
    }
    notes_show(&notes, &result);
    done = printer_begin(printer, &result, error) && wide_print_rows(wide, printer, error) &&
           printer_end(printer, error);
    notes_free(&notes);
    free(columns);
    return done;
}

bool print_wide(struct workspace *workspace, const struct report_request *request,
                const char *names, const struct printer_style *style, FILE *file,
                const struct printer_options *options, struct error *error) {
    struct wide wide = {.workspace = workspace, .request = request};
    struct printer *printer;
    bool done;

    if (!workspace_begin(workspace, error)) {
        return false;
    }
    done = (names == NULL || wide_read_names(&wide, names, error)) && make_figures(&wide, error) &&
           check_figures(&wide, error);
    if (done) {
        printer = printer_open(style, file, options);
        done = printer_close(printer, print_table(&wide, printer, error), error);
    }
    for (size_t i = 0; i < wide.trace_count; i++) {
        free(wide.rows[i].cells);
    }
    for (size_t i = 0; i < wide.remark_count; i++) {
        text_free(&wide.remarks[i].names);
    }
    HASH_CLEAR(hh, wide.attributes);
    free(wide.rows);
    free(wide.traces);
    free(wide.remarks);
    free(wide.figures);
    pool_free(&wide.pool);
    workspace_end(workspace);
    return done;
}

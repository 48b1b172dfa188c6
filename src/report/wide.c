#include "report/wide.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/words.h"
#include "report/choose.h"
#include "select/notes.h"

const char wide_report[] = "summary";

/* What papers call figures that are cells of reports. */
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

#define ALL_OF_THEM "all" /* the row of --by none */

struct figure {
    const char *name;   /* as typed */
    const char *report; /* borrowed from the queries */
    const char *row;    /* NULL: the report has one */
    const char *column; /* NULL: the last one */
    bool of_all;        /* --by none */
    bool is_made;       /* its report was */
    bool is_found;
    enum column_kind kind; /* of the first value */
    const char *unit;
};

/* A remark, and whose it is. */
struct wide_remark {
    const char *line;
    enum remark_class class;
    size_t count;      /* traces that have it */
    struct text names; /* of them; owned */
};

struct wide {
    struct workspace *workspace;
    const struct report_request *request;
    struct pool pool; /* what strings of all others are in */
    struct figure *figures;
    size_t figure_count, figure_capacity;
    struct result_trace *traces;
    size_t trace_count, trace_capacity;
    struct value **values; /* of each trace, an array with one for each figure */
    size_t value_capacity;
    struct wide_remark *remarks;
    size_t remark_count, remark_capacity;
};

/* --- figures ---------------------------------------------------------------------------------- */

static struct figure *new_figure(struct wide *wide, const char *name, const char *report) {
    struct figure *figure = ARRAY_NEW(wide->figures, wide->figure_count, wide->figure_capacity);

    *figure = (struct figure){.name = pool_copy(&wide->pool, name), .report = report};
    for (size_t i = 0; i < wide->trace_count; i++) {
        wide->values[i] = xreallocarray(wide->values[i], wide->figure_count, sizeof(struct value));
        wide->values[i][wide->figure_count - 1] = (struct value){.type = VALUE_NULL};
    }
    return figure;
}

/* Blanks and underscores are the same, and so are letters of both cases. */
static bool is_called(const char *typed, const char *name) {
    for (; *typed != '\0' && *name != '\0'; typed++, name++) {
        char is = *typed == '_' ? ' ' : *typed, wanted = *name == '_' ? ' ' : *name;

        if (strncasecmp(&is, &wanted, 1) != 0) {
            return false;
        }
    }
    return *typed == *name;
}

/* Where the name of the column begins: p99.9 has a dot in it. */
static char *find_column(char *path) {
    char *dot = strrchr(path, '.');

    if (dot != NULL && strcmp(dot, ".9") == 0) {
        *dot = '\0';
        char *before = strrchr(path, '.');

        *dot = '.';
        dot = before;
    }
    return dot;
}

static bool read_path(struct wide *wide, struct figure *figure, const char *path,
                      struct error *error) {
    char *report = pool_copy(&wide->pool, path), *row = strchr(report, '.'), *column;

    *row++ = '\0';
    figure->report = choose_report(wide->workspace->queries, report, error);
    if (figure->report == NULL) {
        return false;
    }
    column = strcmp(figure->report, wide_report) == 0 ? NULL : find_column(row);
    if (column != NULL) {
        *column++ = '\0';
        figure->row = row;
        figure->column = column;
    } else if (strcmp(figure->report, wide_report) == 0) {
        figure->row = row;
    } else {
        figure->column = row;
    }
    figure->of_all = figure->row != NULL && strcmp(figure->row, ALL_OF_THEM) == 0 &&
                     word_in("latency percentiles", figure->report);
    return true;
}

static bool add_figure(struct wide *wide, const char *name, struct error *error) {
    struct figure *figure = new_figure(wide, name, wide_report);
    const char *dot = strchr(name, '.');

    for (size_t i = 0; i < sizeof short_words / sizeof short_words[0]; i++) {
        if (is_called(name, short_words[i].word)) {
            return read_path(wide, figure, short_words[i].path, error);
        }
    }
    if (dot != NULL) {
        return read_path(wide, figure, name, error);
    }
    figure->row = figure->name;
    return true;
}

static bool read_names(struct wide *wide, const char *names, struct error *error) {
    char *list = pool_copy(&wide->pool, names);

    for (char *name; (name = strsep(&list, ",")) != NULL;) {
        name += strspn(name, " ");
        if (*name == '\0') {
            return error_usage(error, "--columns '%s': a name of a figure is empty", names);
        }
        if (!add_figure(wide, name, error)) {
            return false;
        }
    }
    return true;
}

/* --- values ----------------------------------------------------------------------------------- */

/* Times of a clock that is not real are said with their unit. */
static struct value keep_value(struct wide *wide, const struct value *from,
                               const char *clock_unit) {
    struct value value = *from;
    char *copy;

    if (value.type == VALUE_INTEGER && value.kind == COLUMN_DURATION &&
        strcmp(clock_unit, "ns") != 0) {
        char text[96];

        snprintf(text, sizeof text, "%lld %s", (long long)value.integer, clock_unit);
        value = value_text(pool_copy(&wide->pool, text));
    } else if (value.type == VALUE_TEXT || value.type == VALUE_BLOB) {
        copy = pool_take(&wide->pool, value.length + 1);
        memcpy(copy, value.bytes, value.length);
        value.bytes = copy;
    }
    return value;
}

static void take_value(struct wide *wide, size_t trace, struct figure *figure,
                       const struct value *value, const struct result *result,
                       const struct column *column) {
    struct value kept = *value;

    kept.kind = printer_value_kind(value, column);
    kept = keep_value(wide, &kept, result->clock_unit);
    wide->values[trace][figure - wide->figures] = kept;
    if (!figure->is_found) {
        figure->kind = kept.kind;
        figure->unit = pool_copy(&wide->pool, value->unit != NULL ? value->unit : column->unit);
    }
    figure->is_found = true;
}

/* What the row is called: the columns of its key, else its first one, parted by blanks. */
static void append_row_name(struct text *name, const struct query *query,
                            const struct result *result, const struct value *values) {
    text_clear(name);
    for (size_t i = 0; i < result->column_count; i++) {
        bool is_key = query->key[0] == '\0' ? i == 0 : word_in(query->key, result->columns[i].name);

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

static size_t column_of(const struct figure *figure, const struct result *result) {
    if (figure->column == NULL) {
        return result->column_count - 1;
    }
    for (size_t i = 0; i < result->column_count; i++) {
        if (is_called(figure->column, result->columns[i].name)) {
            return i;
        }
    }
    return result->column_count;
}

/* Of all attributes a figure each, in the order in which they come. */
static void add_attribute(struct wide *wide, const char *name) {
    struct figure *figure;

    for (size_t i = 0; i < wide->figure_count; i++) {
        if (strcmp(wide->figures[i].row, name) == 0) {
            return;
        }
    }
    figure = new_figure(wide, name, wide_report);
    figure->row = figure->name;
}

struct making {
    const struct figure *like; /* figures of its report are taken */
    bool all;                  /* and all rows of it are figures */
};

static bool is_alike(const struct figure *one, const struct figure *other) {
    return strcmp(one->report, other->report) == 0 && one->of_all == other->of_all;
}

static void take_row(struct wide *wide, size_t trace, const struct making *making,
                     const struct result *result, const struct value *values, const char *name) {
    if (making->all) {
        add_attribute(wide, name);
    }
    for (size_t i = 0; i < wide->figure_count; i++) {
        struct figure *figure = &wide->figures[i];
        size_t column =
            is_alike(figure, making->like) ? column_of(figure, result) : result->column_count;

        if (column < result->column_count &&
            (figure->row == NULL || is_called(figure->row, name))) {
            take_value(wide, trace, figure, &values[column], result, &result->columns[column]);
        }
    }
}

/* --- reports ---------------------------------------------------------------------------------- */

static size_t find_trace(struct wide *wide, const struct result_trace *trace, bool is_first) {
    size_t i = 0;
    struct result_trace *added;

    while (i < wide->trace_count && strcmp(wide->traces[i].name, trace->name) != 0) {
        i++;
    }
    if (i == wide->trace_count && is_first) {
        added = ARRAY_NEW(wide->traces, wide->trace_count, wide->trace_capacity);
        *added = *trace;
        wide->values = array_grow(wide->values, i, &wide->value_capacity, sizeof *wide->values);
        wide->values[i] = xcalloc(wide->figure_count + 1, sizeof(struct value));
    }
    return i;
}

static void take_remark(struct wide *wide, const struct result *result, size_t index) {
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

static bool take_result(struct wide *wide, struct report *report, const struct result *result,
                        const struct making *making, struct error *error) {
    const struct query *query = report_query(report);
    bool is_first = strcmp(making->like->report, wide_report) == 0, done;
    size_t trace = find_trace(wide, &result->traces[0], is_first);
    const struct value *values;
    struct text name = {0};

    for (size_t i = 0; i < result->remark_count; i++) {
        take_remark(wide, result, i);
    }
    while ((done = report_row(report, &values, error)) && values != NULL) {
        append_row_name(&name, query, result, values);
        if (trace < wide->trace_count) {
            take_row(wide, trace, making, result, values, text_string(&name));
        }
    }
    text_free(&name);
    return done;
}

/* Makes a report of each trace, and takes the figures that are in it. */
static bool make_report(struct wide *wide, const struct making *making, struct error *error) {
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
        done = take_result(wide, report, result, making, error);
        if (!done) {
            break;
        }
    }
    report_close(report);
    return done;
}

static bool make_figures(struct wide *wide, struct error *error) {
    struct figure summary = {.report = wide_report};

    if (!make_report(wide, &(struct making){&summary, wide->figure_count == 0}, error)) {
        return false;
    }
    for (size_t i = 0; i < wide->figure_count; i++) {
        struct figure like = wide->figures[i];

        if (!like.is_made && !is_alike(&like, &summary) &&
            !make_report(wide, &(struct making){&like, false}, error)) {
            return false;
        }
        for (size_t j = i; j < wide->figure_count; j++) {
            wide->figures[j].is_made |= is_alike(&wide->figures[j], &like);
        }
    }
    return true;
}

static bool check_figures(const struct wide *wide, struct error *error) {
    for (size_t i = 0; i < wide->figure_count; i++) {
        const struct figure *figure = &wide->figures[i];

        if (!figure->is_found) {
            return error_usage(error,
                               "--columns: no trace here has '%s'; report %s has %s; without "
                               "--columns all of the summary are there",
                               figure->name, figure->report,
                               figure->column == NULL ? "no such row" : "no such row or column");
        }
    }
    return true;
}

/* --- printing --------------------------------------------------------------------------------- */

static void make_remarks(const struct wide *wide, struct notes *notes) {
    for (size_t i = 0; i < wide->remark_count; i++) {
        const struct wide_remark *remark = &wide->remarks[i];

        if (remark->count >= wide->trace_count) {
            notes_append_class(notes, remark->class, "%s", remark->line);
        } else {
            notes_append_class(notes, remark->class, "%s: %s", text_string(&remark->names),
                               remark->line);
        }
    }
}

/* As a word: blanks are underscores. */
static struct column column_for(struct wide *wide, const struct figure *figure) {
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

static int compare_places(const void *left, const void *right) {
    return strverscmp(((const struct place *)left)->name, ((const struct place *)right)->name);
}

static bool print_rows(const struct wide *wide, struct printer *printer, struct error *error) {
    struct place *places = xcalloc(wide->trace_count + 1, sizeof *places);
    struct value *row = xcalloc(wide->figure_count + 1, sizeof *row);
    bool done = true;

    for (size_t i = 0; i < wide->trace_count; i++) {
        places[i] = (struct place){wide->traces[i].name, i};
    }
    qsort(places, wide->trace_count, sizeof *places, compare_places);
    for (size_t i = 0; done && i < wide->trace_count; i++) {
        row[0] = value_text(places[i].name);
        memcpy(row + 1, wide->values[places[i].trace], wide->figure_count * sizeof *row);
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
        columns[1 + i] = column_for(wide, &wide->figures[i]);
    }
    make_remarks(wide, &notes);
    notes_show(&notes, &result);
    done = printer_begin(printer, &result, error) && print_rows(wide, printer, error) &&
           printer_end(printer, error);
    notes_free(&notes);
    free(columns);
    return done;
}

static void free_wide(struct wide *wide) {
    for (size_t i = 0; i < wide->trace_count; i++) {
        free(wide->values[i]);
    }
    for (size_t i = 0; i < wide->remark_count; i++) {
        text_free(&wide->remarks[i].names);
    }
    free(wide->values);
    free(wide->traces);
    free(wide->remarks);
    free(wide->figures);
    pool_free(&wide->pool);
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
    done = (names == NULL || read_names(&wide, names, error)) && make_figures(&wide, error) &&
           check_figures(&wide, error);
    if (done) {
        printer = printer_open(style, file, options);
        done = printer_close(printer, print_table(&wide, printer, error), error);
    }
    free_wide(&wide);
    workspace_end(workspace);
    return done;
}

#include "compare/compare.h"

#include <string.h>

#include "compare/picture.h"

/* --- the # lines ------------------------------------------------------------------------------ */

static bool has_line(const struct remarks *remarks, const char *line) {
    for (size_t i = 0; i < remarks->count; i++) {
        if (strcmp(remarks->lines[i], line) == 0) {
            return true;
        }
    }
    return false;
}

/* The reports' own lines; once, if both have them. */
static void add_reports_own(const struct comparison *comparison, struct remarks *remarks) {
    const struct remarks *a = &comparison->sides[SIDE_A].remarks;
    const struct remarks *b = &comparison->sides[SIDE_B].remarks;

    for (size_t i = 0; i < a->count; i++) {
        remarks_append(remarks, has_line(b, a->lines[i]) ? "%s" : "a: %s", a->lines[i]);
    }
    for (size_t i = 0; i < b->count; i++) {
        if (!has_line(a, b->lines[i])) {
            remarks_append(remarks, "b: %s", b->lines[i]);
        }
    }
}

static void say_verdicts(const struct comparison *comparison, struct remarks *remarks) {
    const struct compare_method_row *method = comparison->method;
    double noise = 100 * comparison->request->noise;

    if (comparison->request->blocks == 0 || comparison->is_itself) {
        remarks_append(remarks, "verdicts are by effect alone: a ratio within %g %% is the same",
                       noise);
    } else if (method == &compare_paths ||
               (method == &compare_times && !compare_traces_tell(comparison))) {
        /* Times of one run, and paths, have no bounds. */
        remarks_append(remarks,
                       "verdicts: unclear, since the chance variation of times is not known; "
                       "--blocks 0: by effect alone%s",
                       method == &compare_times ? ", several runs (--with): by these" : "");
    } else {
        remarks_append(remarks,
                       "verdicts: a change of more than %g %% whose low and high do not enclose 1; "
                       "the same where both are within %g %%; else unclear",
                       noise, noise);
    }
}

static void say_all(const struct comparison *comparison, struct remarks *remarks) {
    const struct compare_method_row *method = comparison->method;
    bool of_shares = comparison->request->per == PER_USUAL && method == &compare_counts;

    add_reports_own(comparison, remarks);
    if (method->pers[0] != '\0') {
        remarks_append(remarks, "per %s%s", compare_per_names[comparison_per(comparison)],
                       of_shares ? "; ratio and sorting by delta are of shares" : "");
    }
    remarks_append_all(remarks, &comparison->remarks);
    if (method != &compare_sizes && method != &compare_values) {
        say_verdicts(comparison, remarks);
    }
}

/* --- printing --------------------------------------------------------------------------------- */

/* What is printed, and the values of a row. */
struct printing {
    const struct comparison *comparison;
    bool is_folded; /* for flame graph tools: both sides' self times */
    struct compare_page page;
    struct compare_picture picture;
    int64_t top; /* rows; 0: all */
    struct column columns[QUERY_COLUMNS + COMPARE_COLUMNS];
    struct value values[QUERY_COLUMNS + COMPARE_COLUMNS];
};

static const struct column folded_columns[] = {
    {"self_a", "ns", COLUMN_DURATION}, {"self_b", "ns", COLUMN_DURATION}, {0}};

/* Numbers that are divided are whole no more. */
static struct column divided_column(const struct comparison *comparison, struct column column) {
    if (comparison->scaled && (column.kind == COLUMN_INTEGER || column.kind == COLUMN_DURATION)) {
        column.kind = COLUMN_REAL;
    }
    return column;
}

static void add_columns(const struct comparison *comparison, struct printing *printing) {
    const struct compare_table *table = &comparison->table;
    const struct column *columns =
        printing->is_folded ? folded_columns : comparison->method->columns;
    size_t count = 0;

    for (size_t i = 0; i < table->key_count; i++) {
        printing->columns[count++] = comparison->sides[SIDE_A].keys[i];
    }
    for (size_t i = 0; columns[i].name != NULL; i++) {
        printing->columns[count++] = divided_column(comparison, columns[i]);
    }
    printing->page.result.columns = printing->columns;
    printing->page.result.column_count = count;
}

/* Of a path that is not wanted nothing is printed, but others go through it. */
static void fill(struct printing *printing, const struct compare_row *row, bool wanted) {
    const struct comparison *comparison = printing->comparison;
    struct value *values = printing->values + comparison->table.key_count;

    memset(printing->values, 0, sizeof printing->values);
    for (size_t i = 0; i < comparison->table.key_count; i++) {
        printing->values[i] = row->keys[i];
    }
    if (!printing->is_folded) {
        comparison->method->fill(comparison, row, values);
    } else if (wanted) {
        compare_paths_fill_own(comparison, row, values);
    }
}

/* How many rows are printed: those that are asked for, `top` at most (0: all). */
static size_t count_wanted(const struct comparison *comparison, int64_t top) {
    const struct compare_table *table = &comparison->table;
    size_t wanted = 0;

    for (size_t i = 0; i < table->count; i++) {
        wanted += comparison_wants(comparison, table->rows[i]);
    }
    return top > 0 && (uint64_t)top < wanted ? (size_t)top : wanted;
}

static bool print_rows(struct printing *printing, struct printer *printer, struct error *error) {
    const struct comparison *comparison = printing->comparison;
    const struct compare_table *table = &comparison->table;
    size_t left = count_wanted(comparison, printing->top);

    for (size_t i = 0; i < table->count && left > 0; i++) {
        bool wanted = comparison_wants(comparison, table->rows[i]);

        if (!wanted && !printing->is_folded) {
            continue;
        }
        fill(printing, table->rows[i], wanted);
        if (!printer_row(printer, printing->values, error)) {
            return false;
        }
        left -= wanted;
    }
    return true;
}

static bool print_results(void *context, struct printer *printer, struct error *error) {
    struct printing *printing = context;
    const struct comparison *comparison = printing->comparison;
    struct result *result = &printing->page.result;

    if (comparison->request->picture && compare_picture_is_tree(comparison)) {
        return compare_picture_tree(comparison, result, printer, error);
    }
    if (comparison->request->picture && compare_picture_is_of_groups(comparison)) {
        return compare_picture_groups(comparison, result, printer, error);
    }
    return printer_begin(printer, result, error) && print_rows(printing, printer, error) &&
           printer_end(printer, error);
}

/* What is drawn, and of how many rows. */
static bool begin_picture(struct printing *printing, struct error *error) {
    const struct comparison *comparison = printing->comparison;
    bool of_groups = compare_picture_is_of_groups(comparison);
    size_t all = of_groups ? comparison->groups.count : count_wanted(comparison, 0), drawn;

    printing->top = compare_picture_rows(comparison);
    drawn = of_groups ? compare_picture_group_count(comparison)
                      : count_wanted(comparison, printing->top);
    if (!compare_picture_begin(&printing->picture, comparison, compare_picture_plot(comparison),
                               &printing->page.result, error)) {
        return false;
    }
    if (compare_picture_is_tree(comparison)) {
        compare_picture_say_tree(comparison, &printing->page.remarks);
    }
    if (drawn < all) {
        remarks_append(&printing->page.remarks, "drawn: %zu of %zu %s", drawn, all,
                       of_groups ? "groups" : "rows");
    }
    return true;
}

static bool print(const struct comparison *comparison, const struct printer_style *style,
                  FILE *file, const struct printer_options *options, struct error *error) {
    const struct query *query = comparison->sides[SIDE_A].query;
    struct printing printing = {
        .comparison = comparison,
        .is_folded = comparison->method->is_tree && style == &printer_style_folded,
        .top = comparison->request->top,
    };
    struct compare_page *page = &printing.page;
    bool done;

    page->result.report = query->report;
    page->result.title = query->title;
    page->result.indented = comparison->method->is_tree ? query->indented : NULL;
    add_columns(comparison, &printing);
    compare_page_begin(comparison, page);
    done = !comparison->request->picture || begin_picture(&printing, error);
    if (done) {
        say_all(comparison, &page->remarks);
        done = compare_page_print(page, style, file, options, print_results, &printing, error);
    }
    compare_page_free(page);
    compare_picture_free(&printing.picture);
    return done;
}

bool compare_print(struct workspace *workspace, const struct compare_request *request,
                   const struct printer_style *style, FILE *file,
                   const struct printer_options *options, struct error *error) {
    struct comparison comparison = {
        .workspace = workspace,
        .request = request,
        .check = request->picture ? compare_picture_check : NULL,
    };
    bool done = workspace_begin(workspace, error);

    if (!done) {
        return false;
    }
    done = comparison_make(&comparison, error) && print(&comparison, style, file, options, error);
    comparison_free(&comparison);
    workspace_end(workspace);
    return done;
}

#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "compare/comparison.h"

/* --- normalising ------------------------------------------------------------------------------ */

static enum compare_per per_of(const struct comparison *comparison) {
    return comparison->request->per == PER_USUAL ? comparison->method->usual_per
                                                 : comparison->request->per;
}

/* What a side is divided by. */
static double divisor(const struct comparison *comparison, enum side side) {
    const struct compare_side *one = &comparison->sides[side];

    switch (per_of(comparison)) {
    case PER_SECOND:
        return one->observed / 1e9;
    case PER_CALL:
    case PER_IO:
        return comparison->method == &compare_times ? one->totals[NUMBER_CALLS]
                                                    : one->totals[NUMBER_VALUE];
    case PER_RUN:
        return (double)one->trace_count;
    default:
        return 1;
    }
}

static void find_scale(struct comparison *comparison) {
    for (enum side side = SIDE_A; side < SIDES; side++) {
        double by = divisor(comparison, side);

        comparison->scale[side] = by > 0 ? 1 / by : 0;
        comparison->scaled |= by != 1;
    }
}

static bool check_words(const struct comparison *comparison, struct error *error) {
    const struct compare_request *request = comparison->request;
    const struct compare_method_row *method = comparison->method;
    const char *report = request->sides[SIDE_A].report;

    if (request->per != PER_USUAL && !word_in(method->pers, compare_per_names[request->per])) {
        return error_set_status(
            error, EXIT_USAGE, "report %s is not compared --per %s; %s%s", report,
            compare_per_names[request->per],
            method->pers[0] == '\0' ? "its values stay as they are" : "there are ", method->pers);
    }
    return request->sort == SORT_USUAL ||
           word_in(method->sorts, compare_sort_names[request->sort]) ||
           error_set_status(error, EXIT_USAGE, "report %s is not compared --sort %s; there are %s",
                            report, compare_sort_names[request->sort], method->sorts);
}

/* --- the # lines ------------------------------------------------------------------------------ */

static bool say_side(const struct comparison *comparison, enum side which, struct remarks *remarks,
                     struct error *error) {
    const struct compare_side *side = &comparison->sides[which];
    struct text time = {0};
    bool done;

    if (strcmp(side->clock_unit, "ns") == 0) {
        text_append_format(&time, ", %.9g s", side->observed / 1e9);
    }
    done = !time.failed || error_no_memory(error);
    done = done && remarks_add(remarks, error, "%s: %s%s", which == SIDE_A ? "a" : "b",
                               compare_side_name(side), text_string(&time));
    text_free(&time);
    return done;
}

static bool has_line(const struct remarks *remarks, const char *line) {
    for (size_t i = 0; i < remarks->count; i++) {
        if (strcmp(remarks->lines[i], line) == 0) {
            return true;
        }
    }
    return false;
}

/* What the reports say themselves: once, where both do. */
static bool add_reports_own(const struct comparison *comparison, struct remarks *remarks,
                            struct error *error) {
    const struct remarks *a = &comparison->sides[SIDE_A].remarks;
    const struct remarks *b = &comparison->sides[SIDE_B].remarks;
    bool done = true;

    for (size_t i = 0; done && i < a->count; i++) {
        done = remarks_add(remarks, error, has_line(b, a->lines[i]) ? "%s" : "a: %s", a->lines[i]);
    }
    for (size_t i = 0; done && i < b->count; i++) {
        done = has_line(a, b->lines[i]) || remarks_add(remarks, error, "b: %s", b->lines[i]);
    }
    return done;
}

/* What numbers are of, and ratios. */
static bool say_per(const struct comparison *comparison, struct remarks *remarks,
                    struct error *error) {
    const struct compare_method_row *method = comparison->method;
    bool of_shares = comparison->request->per == PER_USUAL && method == &compare_counts;

    return method->pers[0] == '\0' ||
           remarks_add(remarks, error, "per %s%s", compare_per_names[per_of(comparison)],
                       of_shares ? "; ratio and sorting by delta are of shares" : "");
}

static bool say_all(const struct comparison *comparison, struct remarks *remarks,
                    struct error *error) {
    return say_side(comparison, SIDE_A, remarks, error) &&
           say_side(comparison, SIDE_B, remarks, error) &&
           remarks_add_all(remarks, &comparison->mismatches, error) &&
           add_reports_own(comparison, remarks, error) && say_per(comparison, remarks, error) &&
           remarks_add_all(remarks, &comparison->remarks, error) &&
           (comparison->method == &compare_sizes || comparison->method == &compare_values ||
            remarks_add(remarks, error,
                        "verdicts are by effect alone: a ratio within %g %% is the same",
                        100 * comparison->request->noise));
}

/* --- sorting ---------------------------------------------------------------------------------- */

static enum compare_sort sort_of(const struct comparison *comparison) {
    return comparison->request->sort == SORT_USUAL ? comparison->method->usual_sort
                                                   : comparison->request->sort;
}

/* The larger, the sooner; what has none comes last. */
static double weight(const struct compare_row *row, enum compare_sort sort) {
    double value = 0;

    switch (sort) {
    case SORT_PART:
        value = row->part;
        break;
    case SORT_DELTA:
        value = fabs(row->delta);
        break;
    case SORT_RATIO:
        value = row->ratio > 0 ? fabs(log(row->ratio)) : NAN;
        break;
    case SORT_RANK:
        value = row->rank[SIDE_A] > 0 && row->rank[SIDE_B] > 0
                    ? fabs((double)(row->rank[SIDE_B] - row->rank[SIDE_A]))
                    : NAN;
        break;
    case SORT_A:
        value = row->values[SIDE_A];
        break;
    case SORT_B:
        value = row->values[SIDE_B];
        break;
    case SORT_USUAL:
        break;
    }
    return isnan(value) ? -1 : value;
}

/* What is equal, or not to be sorted, by its key; what sides say each for themselves, as it came.
 */
static int compare_sorted(const void *left, const void *right, void *context) {
    const struct comparison *comparison = context;
    const struct compare_row *a = *(struct compare_row *const *)left;
    const struct compare_row *b = *(struct compare_row *const *)right;
    enum compare_sort sort = sort_of(comparison);
    double weight_a = weight(a, sort), weight_b = weight(b, sort);

    if (weight_a != weight_b) {
        return weight_a < weight_b ? 1 : -1;
    }
    if (comparison->method->keeps_order) {
        return (a->number > b->number) - (a->number < b->number);
    }
    return compare_table_order(&comparison->table, a, b);
}

static bool is_wanted(const struct comparison *comparison, const struct compare_row *row) {
    switch (comparison->request->only) {
    case ONLY_BOTH:
        return row->has[SIDE_A] && row->has[SIDE_B];
    case ONLY_A:
        return !row->has[SIDE_B];
    case ONLY_B:
        return !row->has[SIDE_A];
    case ONLY_CHANGED:
        return row->verdict != VERDICT_SAME && row->verdict != VERDICT_NOT_COMPARABLE;
    case ONLY_ALL:
        break;
    }
    return true;
}

/* --- printing --------------------------------------------------------------------------------- */

/* The parts of what is printed. */
struct page {
    struct result result;
    struct result_trace *ledger; /* owned */
    struct remarks remarks;      /* owned */
    struct column columns[QUERY_COLUMNS + COMPARE_COLUMNS];
    struct value values[QUERY_COLUMNS + COMPARE_COLUMNS];
};

/* Numbers that are divided are whole no more. */
static struct column method_column(const struct comparison *comparison, size_t i) {
    struct column column = comparison->method->columns[i];

    if (comparison->scaled && (column.kind == COLUMN_INTEGER || column.kind == COLUMN_DURATION)) {
        column.kind = COLUMN_REAL;
    }
    return column;
}

static void add_columns(const struct comparison *comparison, struct page *page) {
    const struct compare_table *table = &comparison->table;
    size_t count = 0;

    for (size_t i = 0; i < table->key_count; i++) {
        page->columns[count++] = comparison->sides[SIDE_A].keys[i];
    }
    for (size_t i = 0; comparison->method->columns[i].name != NULL; i++) {
        page->columns[count++] = method_column(comparison, i);
    }
    page->result.columns = page->columns;
    page->result.column_count = count;
}

/* The traces of both sides, each once. */
static bool add_ledger(const struct comparison *comparison, struct page *page,
                       struct error *error) {
    const struct compare_side *sides = comparison->sides;
    size_t count = 0;

    page->ledger =
        calloc(sides[SIDE_A].trace_count + sides[SIDE_B].trace_count, sizeof *page->ledger);
    if (page->ledger == NULL) {
        return error_no_memory(error);
    }
    for (enum side side = SIDE_A; side < SIDES; side++) {
        for (size_t i = 0; i < sides[side].trace_count; i++) {
            const struct catalog_trace *trace = sides[side].traces[i];
            size_t known = 0;

            while (known < count && page->ledger[known].name != trace->name) {
                known++;
            }
            if (known == count) {
                page->ledger[count++] = (struct result_trace){
                    .name = trace->name,
                    .format = trace->format,
                    .events = trace->events,
                    .merged = trace->merged,
                    .ignored = trace->ignored,
                    .rejected = trace->rejected,
                    .lost = trace->lost,
                };
            }
        }
    }
    page->result.traces = page->ledger;
    page->result.trace_count = count;
    return true;
}

static bool make_page(const struct comparison *comparison, struct page *page, struct error *error) {
    const struct query *query = comparison->sides[SIDE_A].query;

    page->result = (struct result){
        .report = query->report,
        .title = query->title,
        .clock_unit = comparison->sides[SIDE_A].clock_unit,
    };
    add_columns(comparison, page);
    if (!add_ledger(comparison, page, error) || !say_all(comparison, &page->remarks, error)) {
        return false;
    }
    page->result.remarks = (const char *const *)page->remarks.lines;
    page->result.remark_count = page->remarks.count;
    return true;
}

static bool print_rows(const struct comparison *comparison, struct page *page,
                       struct printer *printer, struct error *error) {
    const struct compare_table *table = &comparison->table;
    int64_t printed = 0, top = comparison->request->top;

    for (size_t i = 0; i < table->count && (top == 0 || printed < top); i++) {
        const struct compare_row *row = table->rows[i];

        if (!is_wanted(comparison, row)) {
            continue;
        }
        memset(page->values, 0, sizeof page->values);
        for (size_t j = 0; j < table->key_count; j++) {
            page->values[j] = row->keys[j];
        }
        comparison->method->fill(comparison, row, page->values + table->key_count);
        if (!printer_row(printer, page->values, error)) {
            return false;
        }
        printed++;
    }
    return true;
}

static bool print_page(const struct comparison *comparison, struct page *page,
                       const struct printer_style *style, FILE *file,
                       const struct printer_options *options, struct error *error) {
    struct printer *printer = printer_open(style, file, options, error);
    struct error closing = {0};
    bool done = printer != NULL && printer_begin(printer, &page->result, error) &&
                print_rows(comparison, page, printer, error) && printer_end(printer, error);

    if (printer != NULL && !printer_close(printer, !done, &closing) && done) {
        *error = closing;
        done = false;
    }
    return done;
}

/* --- all of it -------------------------------------------------------------------------------- */

static bool compare(struct comparison *comparison, struct error *error) {
    const struct compare_request *request = comparison->request;

    comparison->names.strip_hex = request->strip_hex;
    if ((request->match != NULL &&
         !compare_names_load(&comparison->names, request->match, error)) ||
        !compare_side_read(comparison, SIDE_A, error) || !check_words(comparison, error) ||
        !compare_side_read(comparison, SIDE_B, error) || !compare_check(comparison, error)) {
        return false;
    }
    find_scale(comparison);
    if (!comparison->method->finish(comparison, error) || !compare_mismatches(comparison, error)) {
        return false;
    }
    qsort_r(comparison->table.rows, comparison->table.count, sizeof(struct compare_row *),
            compare_sorted, comparison);
    return !request->strict || comparison->mismatches.count == 0 ||
           error_set(error, "a and b are hard to compare (--strict): %s",
                     comparison->mismatches.lines[0]);
}

bool compare_print(struct workspace *workspace, const struct compare_request *request,
                   const struct printer_style *style, FILE *file,
                   const struct printer_options *options, struct error *error) {
    struct comparison comparison = {.workspace = workspace, .request = request};
    struct page page = {.ledger = NULL};
    bool done = workspace_begin(workspace, error);

    if (!done) {
        return false;
    }
    done = compare(&comparison, error) && make_page(&comparison, &page, error) &&
           print_page(&comparison, &page, style, file, options, error);
    remarks_free(&page.remarks);
    free(page.ledger);
    remarks_free(&comparison.remarks);
    remarks_free(&comparison.mismatches);
    compare_table_free(&comparison.table);
    compare_groups_free(&comparison.groups);
    compare_names_free(&comparison.names);
    compare_side_free(&comparison.sides[SIDE_A]);
    compare_side_free(&comparison.sides[SIDE_B]);
    workspace_end(workspace);
    return done;
}

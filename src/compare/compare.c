#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/student.h"
#include "compare/metrics.h"
#include "compare/parts.h"

static void note_side(const struct comparison *comparison, enum side which, struct notes *notes) {
    const struct compare_side *side = &comparison->sides[which];
    struct text line = {0};

    text_append_string(&line, which == SIDE_A ? "a: " : "b: ");
    if (side->trace_count > 1) {
        text_append_format(&line, "%zu traces: ", side->trace_count);
    }
    for (size_t i = 0; i < side->trace_count; i++) {
        text_append_string(&line, i == 0 ? "" : ", ");
        text_append_string(&line, side->traces[i]->name);
    }
    if (strcmp(side->clock_unit, "ns") == 0) {
        text_append_format(&line, ", %.9g s", side->observed / 1e9);
    }
    notes_append(notes, "%s", text_string(&line));
    text_free(&line);
}

/* Returns whether the page's list of traces already contains the trace. */
static bool is_listed(const struct compare_page *page, const struct catalog_trace *trace) {
    for (size_t i = 0; i < page->result.trace_count; i++) {
        if (page->ledger[i].name == trace->name) {
            return true;
        }
    }
    return false;
}

/* Adds the traces of both sides to the page, each only once. */
static void add_ledger(const struct comparison *comparison, struct compare_page *page) {
    const struct compare_side *sides = comparison->sides;
    size_t count = page->result.trace_count + sides[SIDE_A].trace_count + sides[SIDE_B].trace_count;

    page->ledger = xreallocarray(page->ledger, count, sizeof *page->ledger);
    for (enum side side = SIDE_A; side < SIDES; side++) {
        for (size_t i = 0; i < sides[side].trace_count; i++) {
            if (!is_listed(page, sides[side].traces[i])) {
                page->ledger[page->result.trace_count++] = result_trace_of(sides[side].traces[i]);
            }
        }
    }
    page->result.traces = page->ledger;
}

void compare_page_add_sides(const struct comparison *comparison, struct compare_page *page) {
    for (enum side side = SIDE_A; side < SIDES; side++) {
        if (!is_listed(page, comparison->sides[side].traces[0])) {
            note_side(comparison, side, &page->notes);
        }
    }
    add_ledger(comparison, page);
}

void compare_page_begin(const struct comparison *comparison, struct compare_page *page) {
    page->result.clock_unit = comparison->sides[SIDE_A].clock_unit;
    add_ledger(comparison, page);
    note_side(comparison, SIDE_A, &page->notes);
    note_side(comparison, SIDE_B, &page->notes);
    notes_append_all(&page->notes, &comparison->mismatches);
}

void compare_page_put_notes(struct compare_page *page) {
    page->result.headline_count = page->headlines.count;
    notes_append_all(&page->headlines, &page->notes);
    notes_show(&page->headlines, &page->result);
    page->result.remarks_below = true;
}

void compare_page_free(struct compare_page *page) {
    free(page->ledger);
    notes_free(&page->headlines);
    notes_free(&page->notes);
    *page = (struct compare_page){.ledger = NULL};
}

/* Pictures of comparisons. Most methods draw the printed rows with gnuplot (plots/compare-….gp).
 * The program itself draws call trees, as flame graphs. For distributions of values, the data are
 * not the printed rows, but one result for each group of values: its histogram on both sides, or
 * its quantiles. */

/* Default number of drawn rows for counts and times. */
#define COMPARE_PICTURE_ROWS 20

/* Limit of groups of values (such as reads and writes) in a picture; each group has a panel. */
#define COMPARE_PICTURE_GROUPS 6

/* Value of plots[].plot for pictures that the program draws without gnuplot. */
static const char FLAME_GRAPH[] = "flame graph";

/* Plot file name for each method of comparing and each kind of drawing. */
static const struct {
    enum compare_method method;
    enum compare_drawing drawing;
    const char *plot;
} plots[] = {
    {COMPARE_COUNTS, DRAWING_USUAL, "compare-shares"},
    {COMPARE_TIMES, DRAWING_USUAL, "compare-shares"},
    {COMPARE_SIZES, DRAWING_USUAL, "compare-sizes"},
    {COMPARE_SIZES, DRAWING_BYTES, "compare-sizes-bytes"},
    {COMPARE_VALUES, DRAWING_USUAL, "compare-values"},
    {COMPARE_VALUES, DRAWING_SHIFT, "compare-shift"},
    {COMPARE_CLOCK, DRAWING_USUAL, "compare-hours"},
    {COMPARE_TREE, DRAWING_USUAL, FLAME_GRAPH},
};

/* Option of `plot compare` that requests each drawing. */
static const char *const options[COMPARE_DRAWINGS] = {
    [DRAWING_SHIFT] = "shift",
    [DRAWING_BYTES] = "weight",
};

static enum compare_method compare_method_of(const struct comparison *comparison) {
    return comparison->sides[SIDE_A].query->compare.method;
}

static const char *plot_of_comparison(enum compare_method method, enum compare_drawing drawing) {
    for (size_t i = 0; i < sizeof plots / sizeof plots[0]; i++) {
        if (plots[i].method == method && plots[i].drawing == drawing) {
            return plots[i].plot;
        }
    }
    return NULL;
}

/* Appends the names of the reports whose comparison has this kind of drawing. */
static void append_reports(struct text *out, const struct query_set *queries,
                           enum compare_drawing drawing) {
    const char *separator = "";

    for (size_t i = 0; i < queries->count; i += query_set_count_of_report(queries, i)) {
        bool has = false;

        for (size_t j = 0; j < query_set_count_of_report(queries, i); j++) {
            has =
                has || plot_of_comparison(queries->queries[i + j].compare.method, drawing) != NULL;
        }
        if (has) {
            text_append_format(out, "%s%s", separator, queries->queries[i].report);
            separator = ", ";
        }
    }
}

bool compare_picture_exists(const struct query *query) {
    return plot_of_comparison(query->compare.method, DRAWING_USUAL) != NULL;
}

static const char *compare_picture_plot(const struct comparison *comparison) {
    return plot_of_comparison(compare_method_of(comparison), comparison->request->drawing);
}

static bool compare_picture_is_tree(const struct comparison *comparison) {
    return compare_picture_plot(comparison) == FLAME_GRAPH;
}

static bool compare_picture_check(const struct comparison *comparison, struct error *error) {
    enum compare_drawing drawing = comparison->request->drawing;
    const char *report = comparison->sides[SIDE_A].query->report;
    struct text others = {0};

    if (compare_picture_is_tree(comparison) && !comparison->request->own_svg) {
        return error_usage(error,
                           "the picture of %s of two traces is an SVG: tracetool plot compare "
                           "A B %s -o FILE.svg",
                           report, report);
    }
    if (compare_picture_is_tree(comparison) && comparison->request->top > 0) {
        return error_usage(error, "--top is of rows: a flame graph has all paths; leave it out");
    }
    if (comparison->request->widths != WIDTHS_MAX && !compare_picture_is_tree(comparison)) {
        return error_usage(error, "--widths is of flame graphs, not of report %s", report);
    }
    if (compare_picture_plot(comparison) != NULL) {
        return true;
    }
    if (!compare_picture_exists(comparison->sides[SIDE_A].query)) {
        append_reports(&others, comparison->workspace->queries, DRAWING_USUAL);
        error_usage(error,
                    "a comparison by report %s has no picture; there are those by %s, and "
                    "without a report one of what changed most",
                    report, text_string(&others));
    } else {
        append_reports(&others, comparison->workspace->queries, drawing);
        error_usage(error, "--%s is no picture of report %s, but of %s", options[drawing], report,
                    text_string(&others));
    }
    text_free(&others);
    return false;
}

bool compare_report_has_call_trees(const struct query_set *queries, const char *report) {
    FOR_QUERIES_OF(queries, report) {
        if (query->compare.method == COMPARE_TREE) {
            return true;
        }
    }
    return false;
}

static int64_t compare_picture_rows(const struct comparison *comparison) {
    const struct compare_request *request = comparison->request;
    enum compare_method method = compare_method_of(comparison);

    return request->top > 0                                      ? request->top
           : method == COMPARE_COUNTS || method == COMPARE_TIMES ? COMPARE_PICTURE_ROWS
                                                                 : 0;
}

static void name_side(const struct comparison *comparison, enum side which, struct text *name) {
    const struct compare_side *side = &comparison->sides[which];
    const char *study = comparison->request->sides[which].study;

    text_append_string(name, study != NULL ? study : compare_side_name(side));
    if (study == NULL && side->trace_count > 1) {
        text_append_format(name, " and %zu more", side->trace_count - 1);
    }
}

bool compare_picture_begin(struct compare_picture *picture, const struct comparison *comparison,
                           const char *name, struct result *result, struct error *error) {
    const char *directory = comparison->workspace->queries->directory;

    if (name != FLAME_GRAPH) {
        picture->plot = query_plot_read(name, directory, error);
        if (picture->plot == NULL) {
            return false;
        }
    }
    for (enum side side = SIDE_A; side < SIDES; side++) {
        name_side(comparison, side, &picture->names[side]);
        picture->compared[side] = text_string(&picture->names[side]);
    }
    result->plot = picture->plot;
    result->compared = picture->compared;
    return true;
}

void compare_picture_free(struct compare_picture *picture) {
    free(picture->plot);
    text_free(&picture->names[SIDE_A]);
    text_free(&picture->names[SIDE_B]);
    *picture = (struct compare_picture){.plot = NULL};
}

/* --- choosing the groups of values to draw ---------------------------------------------------- */

/* Returns whether the group of values has a histogram on this side; only the largest groups have
 * one. */
static bool has_curve(const struct compare_group *group, enum side side) {
    return group->has[side] && group->cuts[side].counts != NULL;
}

static bool can_be_drawn(const struct comparison *comparison, const struct compare_group *group) {
    return comparison->request->drawing == DRAWING_SHIFT
               ? group->has[SIDE_A] && group->has[SIDE_B]
               : has_curve(group, SIDE_A) || has_curve(group, SIDE_B);
}

static bool is_among(const size_t *groups, size_t count, size_t group) {
    for (size_t i = 0; i < count; i++) {
        if (groups[i] == group) {
            return true;
        }
    }
    return false;
}

/* Chooses the groups of values to draw, in the order of the rows. Returns their number. */
static size_t choose_groups(const struct comparison *comparison, size_t *groups) {
    const struct compare_table *table = &comparison->table;
    int64_t top = comparison->request->top;
    size_t most = top > 0 && top < COMPARE_PICTURE_GROUPS ? (size_t)top : COMPARE_PICTURE_GROUPS;
    size_t count = 0;

    for (size_t i = 0; i < table->count && count < most; i++) {
        const struct compare_row *row = table->rows[i];

        if (comparison_prints_row(comparison, row) && !is_among(groups, count, row->group) &&
            can_be_drawn(comparison, &comparison->groups.groups[row->group])) {
            groups[count++] = row->group;
        }
    }
    return count;
}

/* --- printing histograms of groups ------------------------------------------------------------ */

static const struct column curve_columns[] = {{"value", "ns", COLUMN_DURATION},
                                              {"cumulative_a", "fraction", COLUMN_SHARE},
                                              {"cumulative_b", "fraction", COLUMN_SHARE}};

#define CURVE_COLUMNS (sizeof curve_columns / sizeof curve_columns[0])

/* Returns how many values of a group are in a histogram bucket, over all blocks of time. */
static uint64_t compare_count_in(const struct compare_block_histograms *cut, int64_t bucket) {
    int64_t place = bucket - cut->least;
    uint64_t count = 0;

    if (place >= 0 && place < (int64_t)cut->places) {
        for (size_t block = 0; block < cut->blocks; block++) {
            count += cut->counts[block * cut->places + (size_t)place];
        }
    }
    return count;
}

/* Finds the range of histogram buckets of both sides: `*first` is included, `*end` is not. */
static void compare_find_range(const struct compare_group *group, int64_t *first, int64_t *end) {
    *first = INT64_MAX;
    *end = INT64_MIN;
    for (enum side side = SIDE_A; side < SIDES; side++) {
        const struct compare_block_histograms *cut = &group->cuts[side];

        if (has_curve(group, side)) {
            *first = cut->least < *first ? cut->least : *first;
            *end =
                cut->least + (int64_t)cut->places > *end ? cut->least + (int64_t)cut->places : *end;
        }
    }
}

/* Returns the value in the middle of a histogram bucket. */
static int64_t compare_value_of(int64_t bucket) {
    double value = bucket == 0 ? 0 : exp2(distribution_bucket(bucket));

    return value < 9.2e18 ? (int64_t)nearbyint(value) : INT64_MAX;
}

/* Prints a row for each histogram bucket in which either side has values. */
static bool print_curve(const struct compare_group *group, struct printer *printer,
                        struct error *error) {
    uint64_t seen[SIDES] = {0}, all[SIDES] = {0};
    int64_t first, end;
    bool done = true;

    compare_find_range(group, &first, &end);
    for (int64_t bucket = first; bucket < end; bucket++) {
        all[SIDE_A] += compare_count_in(&group->cuts[SIDE_A], bucket);
        all[SIDE_B] += compare_count_in(&group->cuts[SIDE_B], bucket);
    }
    for (int64_t bucket = first; done && bucket < end; bucket++) {
        struct value values[CURVE_COLUMNS] = {{0}};
        uint64_t here = 0;

        for (enum side side = SIDE_A; side < SIDES; side++) {
            uint64_t count = compare_count_in(&group->cuts[side], bucket);

            here += count;
            seen[side] += count;
            values[1 + side] =
                value_real(all[side] > 0 ? (double)seen[side] / (double)all[side] : NAN);
        }
        values[0] = value_integer(compare_value_of(bucket));
        done = here == 0 || printer_row(printer, values, error);
    }
    return done;
}

/* Prints quantiles and mean of a group of values, one per row, even rows that --only excludes. */
static bool print_quantiles(const struct comparison *comparison, size_t group,
                            struct printer *printer, struct error *error) {
    const struct compare_table *table = &comparison->table;
    const struct compare_row *rows[COMPARE_LEVELS] = {NULL};
    bool done = true;

    for (size_t i = 0; i < table->count; i++) {
        if (table->rows[i]->group == group) {
            rows[table->rows[i]->level] = table->rows[i];
        }
    }
    for (int level = 0; done && level < COMPARE_LEVEL_COUNT; level++) {
        struct value values[QUERY_COLUMNS + COMPARE_COLUMNS] = {{0}};

        if (rows[level] == NULL) {
            continue;
        }
        for (size_t i = 0; i < table->key_count; i++) {
            values[i] = rows[level]->keys[i];
        }
        compare_fill_cells(comparison, rows[level], comparison->method->cells,
                           values + table->key_count);
        done = printer_row(printer, values, error);
    }
    return done;
}

/* --- printing results of groups and trees ----------------------------------------------------- */

static bool compare_picture_is_of_groups(const struct comparison *comparison) {
    return comparison->method == &compare_values;
}

static size_t compare_picture_group_count(const struct comparison *comparison) {
    size_t groups[COMPARE_PICTURE_GROUPS];

    return choose_groups(comparison, groups);
}

static bool print_group(const struct comparison *comparison, size_t group, struct result *result,
                        struct printer *printer, struct error *error) {
    const struct compare_group *one = &comparison->groups.groups[group];
    bool shift = comparison->request->drawing == DRAWING_SHIFT;

    result->group = one->name;
    if (!shift) {
        result->columns = curve_columns;
        result->column_count = CURVE_COLUMNS;
    }
    return printer_begin(printer, result, error) &&
           (shift ? print_quantiles(comparison, group, printer, error)
                  : print_curve(one, printer, error)) &&
           printer_end(printer, error);
}

static bool compare_picture_groups(const struct comparison *comparison, struct result *result,
                                   struct printer *printer, struct error *error) {
    size_t groups[COMPARE_PICTURE_GROUPS];
    size_t count = choose_groups(comparison, groups);
    bool done = true;

    if (count == 0) {
        return error_set(error, "there is nothing to draw: no group of report %s has values%s",
                         result->report,
                         comparison->request->drawing == DRAWING_SHIFT ? " in a and in b" : "");
    }
    result->remarks_of_all = true;
    for (size_t i = 0; done && i < count; i++) {
        done = print_group(comparison, groups[i], result, printer, error);
        /* Only the first result prints the list of traces and the comment lines. */
        result->trace_count = 0;
        result->remark_count = 0;
    }
    return done;
}

/* Sum of the widths of a flame graph with --per: the fractions are scaled to this integer. */
#define WHOLE 1e15

/* Returns the width of a call path in the flame graph: its self time, without its callees. */
static double compare_width_of(const struct comparison *comparison, const struct compare_row *row) {
    const int64_t *own = comparison->tree.nodes[row->number].own;
    double a = (double)own[SIDE_A] * comparison->scale[SIDE_A];
    double b = (double)own[SIDE_B] * comparison->scale[SIDE_B];

    /* A path that --only excludes is drawn only as a parent of selected paths; its width is 0. */
    if (!comparison_prints_row(comparison, row)) {
        return 0;
    }
    switch (comparison->request->widths) {
    case WIDTHS_A:
        return a;
    case WIDTHS_B:
        return b;
    default:
        return fmax(a, b);
    }
}

/* Returns the factor that turns fractional widths (with --per) into integers; else 1. */
static double find_factor(const struct comparison *comparison) {
    double all = 0;

    for (size_t i = 0; comparison->scaled && i < comparison->table.count; i++) {
        all += compare_width_of(comparison, comparison->table.rows[i]);
    }
    return all > 0 ? WHOLE / all : 1;
}

static bool print_tree_rows(const struct comparison *comparison, size_t keys, size_t columns,
                            struct printer *printer, struct error *error) {
    const struct compare_table *table = &comparison->table;
    double factor = find_factor(comparison);
    bool done = true;

    for (size_t i = 0; done && i < table->count; i++) {
        struct value values[QUERY_COLUMNS + COMPARE_COLUMNS + 1] = {{0}};

        for (size_t j = 0; j < keys; j++) {
            values[j] = table->rows[i]->keys[j];
        }
        compare_fill_cells(comparison, table->rows[i], comparison->method->cells, values + keys);
        values[columns] = value_integer(
            (int64_t)fmin(compare_width_of(comparison, table->rows[i]) * factor, 9e18));
        done = printer_row(printer, values, error);
    }
    return done;
}

static bool compare_picture_tree(const struct comparison *comparison, const struct result *result,
                                 struct printer *printer, struct error *error) {
    struct column columns[QUERY_COLUMNS + COMPARE_COLUMNS + 1];
    size_t count = result->column_count;
    struct result with_self = *result;

    memcpy(columns, result->columns, count * sizeof *columns);
    columns[count] = (struct column){"self", "", COLUMN_INTEGER};
    with_self.columns = columns;
    with_self.column_count = count + 1;
    return printer_begin(printer, &with_self, error) &&
           print_tree_rows(comparison, comparison->table.key_count, count, printer, error) &&
           printer_end(printer, error);
}

static void compare_picture_note_tree(const struct comparison *comparison, struct notes *notes) {
    static const char *const widths[] = {
        [WIDTHS_MAX] = "the larger self time of a and b",
        [WIDTHS_A] = "the self time of a",
        [WIDTHS_B] = "the self time of b",
    };

    notes_append(notes, "widths: %s, callees included", widths[comparison->request->widths]);
    notes_append(notes,
                 "colours: b / a of totals, white within %g %%, + and red up to 4, − and blue "
                 "down to 1/4; striped: only in a (blue) or in b (red)",
                 100 * comparison->request->noise);
}

/* --- the # lines on method and verdicts ------------------------------------------------------- */

static void note_verdicts(const struct comparison *comparison, struct notes *notes) {
    const struct compare_method_row *method = comparison->method;
    double noise = 100 * comparison->request->noise;

    if (comparison->request->blocks == 0 || comparison->is_itself) {
        notes_append(notes,
                     "verdicts are by size of change, not by significance: a ratio within %g %% of "
                     "1 is the same",
                     noise);
    } else if (method == &compare_times && compare_lacks_durations(comparison)) {
        notes_append(
            notes,
            "verdicts new and gone: calls that only b or only a has; times are not comparable");
    } else if (method == &compare_paths ||
               (method == &compare_times && !compare_has_several_traces(comparison))) {
        /* Times of a single run, and of call paths, have no confidence bounds. */
        notes_append(
            notes,
            "verdicts on times are unclear, since it is not known how much times vary by chance; "
            "--blocks 0 judges by size of change alone%s",
            method == &compare_times ? ", and several runs of b (--with) show the variation" : "");
    } else {
        notes_append(notes,
                     "verdict: a change if more than %g %% and 1 is not between low and high; "
                     "the same if low and high are within %g %% of 1%s; else unclear",
                     noise, noise,
                     compare_has_sums(comparison) ? ", or unknown and a equals b" : "");
    }
}

void compare_note_renamed(const int64_t renamed[SIDES], struct notes *notes) {
    if (renamed[SIDE_A] + renamed[SIDE_B] > 0) {
        notes_append(notes,
                     "names matched with pids, pipe numbers and random parts replaced by *: %lld "
                     "in a, %lld in b; --exact-names keeps them",
                     (long long)renamed[SIDE_A], (long long)renamed[SIDE_B]);
    }
}

static void compare_note_all(const struct comparison *comparison, struct notes *notes) {
    const struct compare_method_row *method = comparison->method;
    bool of_shares = comparison->request->per == PER_USUAL && method == &compare_counts;
    const struct notes *a = &comparison->sides[SIDE_A].notes;
    const struct notes *b = &comparison->sides[SIDE_B].notes;

    /* Copies the comment lines of both reports. A line that is in both is printed only once. */
    for (size_t i = 0; i < a->count; i++) {
        notes_append(notes, notes_have(b, a->lines[i]) ? "%s" : "a: %s", a->lines[i]);
    }
    for (size_t i = 0; i < b->count; i++) {
        if (!notes_have(a, b->lines[i])) {
            notes_append(notes, "b: %s", b->lines[i]);
        }
    }
    compare_note_renamed(comparison->renamed, notes);
    if (method->pers[0] != '\0') {
        const enum compare_per per = comparison_per(comparison);

        notes_append(notes, "numbers %s%s%s",
                     per == PER_NONE ? "of whole traces (--per none)" : "per ",
                     per == PER_NONE ? "" : compare_per_names[per],
                     of_shares ? "; ratio and sorting by delta use shares" : "");
    }
    notes_append_all(notes, &comparison->notes);
    if (method != &compare_sizes && method != &compare_values) {
        note_verdicts(comparison, notes);
    }
    compare_note_few(comparison, notes);
}

/* State while headlines on one report are collected. */
struct taking {
    struct headlines headlines; /* owned; sentences on the largest changes */
    const char *report;
    double *p; /* owned; of all tested figures, in the order of visits */
    size_t tests, capacity;
    size_t visited; /* number of tested figures that add_headline() has visited */
    /* Degrees of freedom of bounds, and their distance in standard deviations. */
    double degrees, deviations;
};

/* Returns whether a headline on the figure needs an adjusted p-value. Distances do not: a report
 * has one test of its distance. */
static bool is_one_of_several_tests(const struct compare_metric *metric) {
    return metric->preference > 0 && !metric->is_distance && !isnan(metric->p);
}

/* Collects the p-values of all tests of a report. compare_min_p_value() would hide one change among
 * many rows, so smaller p-values come from the bounds, by Student's distribution. */
static void collect_p_value(void *context, const struct compare_metric *metric) {
    struct taking *taking = context;
    double room = fabs(log(metric->ratio / (metric->ratio > 1 ? metric->low : metric->high)));
    double p = metric->p;

    if (!is_one_of_several_tests(metric)) {
        return;
    }
    if (p <= METRIC_CHANCE && room > 0) {
        p = fmin(p, student_p_of_t(taking->deviations * fabs(log(metric->ratio)) / room,
                                   taking->degrees));
    }
    taking->p = array_grow(taking->p, taking->tests, &taking->capacity, sizeof *taking->p);
    taking->p[taking->tests++] = p;
}

static void add_headline(void *context, const struct compare_metric *metric) {
    struct taking *taking = context;

    if (is_one_of_several_tests(metric) && taking->p[taking->visited++] > METRIC_CHANCE &&
        (metric->verdict == VERDICT_MORE || metric->verdict == VERDICT_LESS)) {
        taking->headlines.alone++;
    } else {
        headlines_add(&taking->headlines, taking->report, true, metric);
    }
}

static double degrees_of_bounds(const struct comparison *comparison) {
    size_t units =
        compare_has_several_traces(comparison)
            ? comparison->sides[SIDE_A].trace_count + comparison->sides[SIDE_B].trace_count
            : 2 * (size_t)comparison->request->blocks;

    return fmax((double)units - 2, 1);
}

static void compare_note_headlines(const struct comparison *comparison, struct notes *notes) {
    struct taking taking = {.report = comparison->sides[SIDE_A].query->report};
    const struct compare_table *table = &comparison->table;
    size_t unclear = 0, all = 0;
    const unsigned timeless[SIDES] = {comparison->sides[SIDE_A].quality.timeless,
                                      comparison->sides[SIDE_B].quality.timeless};

    if (table->count > 0 && compare_lacks_durations(comparison) &&
        compare_uses_durations(comparison)) {
        headlines_note_missing_durations(&taking.headlines, timeless, notes);
    }
    if (table->count == 0 ||
        headlines_note_ignored_chance(comparison->request, comparison->is_itself, notes)) {
        return;
    }
    for (size_t i = 0; i < table->count; i++) {
        if (!comparison_counts_values(comparison, table->rows[i]) &&
            !comparison_hides_level(comparison, table->rows[i])) {
            unclear += table->rows[i]->verdict == VERDICT_UNCLEAR;
            all++;
        }
    }
    taking.degrees = degrees_of_bounds(comparison);
    taking.deviations =
        student_t_critical_two_sided(comparison->request->confidence, taking.degrees);
    compare_visit_metrics(comparison, collect_p_value, &taking);
    statistics_adjust(taking.p, taking.tests, ADJUST_BENJAMINI_HOCHBERG);
    compare_visit_metrics(comparison, add_headline, &taking);
    if (comparison->method == &compare_rows) {
        headlines_note_time_components(comparison, &taking.headlines, notes);
    }
    headlines_add_to_notes(&taking.headlines, unclear, all,
                           comparison->method == &compare_values ? "figures" : "rows", notes);
    headlines_free(&taking.headlines);
    free(taking.p);
}

/* --- printing the rows of a comparison -------------------------------------------------------- */

/* State while the rows of a comparison are printed. */
struct printing {
    const struct comparison *comparison;
    bool for_people; /* true: the output is text for a terminal, where values have units */
    bool is_folded;  /* true: print one line per call path, the format of flame graph tools */
    const enum compare_cell *cells; /* columns to print; if `is_folded`: self times of a and b */
    struct compare_page page;
    struct compare_picture picture;
    int64_t top; /* number of rows to print at most; 0: no limit */
    struct column columns[QUERY_COLUMNS + COMPARE_COLUMNS];
    struct value values[QUERY_COLUMNS + COMPARE_COLUMNS];
};

static void compare_add_columns(const struct comparison *comparison, struct printing *printing) {
    const struct compare_table *table = &comparison->table;
    size_t count = 0;

    for (size_t i = 0; i < table->key_count; i++) {
        printing->columns[count++] = comparison->sides[SIDE_A].keys[i];
    }
    for (size_t i = 0; printing->cells[i] != CELL_END; i++) {
        if (printing->cells[i] == CELL_UNIT && printing->for_people) {
            break;
        }
        printing->columns[count++] = compare_cell_column(comparison, printing->cells[i]);
    }
    printing->page.result.columns = printing->columns;
    printing->page.result.column_count = count;
}

/* Fills the cells of a row. In folded output, a path that --only excludes is printed with empty
 * cells, as a parent of other paths. */
static void fill_printed_row(struct printing *printing, const struct compare_row *row,
                             bool wanted) {
    const struct comparison *comparison = printing->comparison;

    memset(printing->values, 0, sizeof printing->values);
    for (size_t i = 0; i < comparison->table.key_count; i++) {
        printing->values[i] = row->keys[i];
    }
    if (!printing->is_folded || wanted) {
        compare_fill_cells(comparison, row, printing->cells,
                           printing->values + comparison->table.key_count);
    }
}

/* Returns the number of rows to print: those that --only selects, at most `top` (0: no limit). */
static size_t count_rows_to_print(const struct comparison *comparison, int64_t top) {
    const struct compare_table *table = &comparison->table;
    size_t wanted = 0;

    for (size_t i = 0; i < table->count; i++) {
        wanted += comparison_prints_row(comparison, table->rows[i]);
    }
    return top > 0 && (uint64_t)top < wanted ? (size_t)top : wanted;
}

static bool compare_print_rows(struct printing *printing, struct printer *printer,
                               struct error *error) {
    const struct comparison *comparison = printing->comparison;
    const struct compare_table *table = &comparison->table;
    size_t left = count_rows_to_print(comparison, printing->top);

    for (size_t i = 0; i < table->count && left > 0; i++) {
        bool wanted = comparison_prints_row(comparison, table->rows[i]);

        if (!wanted && !printing->is_folded) {
            continue;
        }
        fill_printed_row(printing, table->rows[i], wanted);
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
    return printer_begin(printer, result, error) && compare_print_rows(printing, printer, error) &&
           printer_end(printer, error);
}

/* Sets up the picture's plot and labels, and the number of rows to draw. */
static bool begin_picture(struct printing *printing, struct error *error) {
    const struct comparison *comparison = printing->comparison;
    bool of_groups = compare_picture_is_of_groups(comparison);
    size_t all = of_groups ? comparison->groups.count : count_rows_to_print(comparison, 0), drawn;

    printing->top = compare_picture_rows(comparison);
    drawn = of_groups ? compare_picture_group_count(comparison)
                      : count_rows_to_print(comparison, printing->top);
    if (!compare_picture_begin(&printing->picture, comparison, compare_picture_plot(comparison),
                               &printing->page.result, error)) {
        return false;
    }
    if (compare_picture_is_tree(comparison)) {
        compare_picture_note_tree(comparison, &printing->page.notes);
    }
    if (drawn < all) {
        notes_append(&printing->page.notes, "drawn: %zu of %zu %s", drawn, all,
                     of_groups ? "groups" : "rows");
    }
    return true;
}

static bool print_comparison(const struct comparison *comparison, struct printer *printer,
                             struct error *error) {
    const struct printer_style *style = printer->style;
    const struct query *query = comparison->sides[SIDE_A].query;
    struct printing printing = {
        .comparison = comparison,
        .is_folded = comparison->method->is_tree && style == &printer_style_folded,
        .top = comparison->request->top,
    };
    static const enum compare_cell folded_cells[] = {CELL_OWN_A, CELL_OWN_B, CELL_END};
    struct compare_page *page = &printing.page;
    bool done;

    printing.for_people = !style->is_machine;
    printing.cells = printing.is_folded ? folded_cells : comparison->method->cells;
    page->result.report = query->report;
    page->result.title = query->title;
    page->result.indented = comparison->method->is_tree ? query->indented : NULL;
    compare_add_columns(comparison, &printing);
    compare_page_begin(comparison, page);
    done = !comparison->request->picture || begin_picture(&printing, error);
    if (done && !comparison->request->picture) {
        compare_note_headlines(comparison, &page->headlines);
    }
    if (done) {
        compare_note_all(comparison, &page->notes);
        compare_page_put_notes(page);
        done = print_results(&printing, printer, error);
    }
    compare_page_free(page);
    compare_picture_free(&printing.picture);
    return done;
}

static bool check_method(const struct comparison *comparison, struct error *error) {
    return compare_check_weights_used(comparison, error) &&
           (!comparison->request->picture || compare_picture_check(comparison, error));
}

static bool print_part(struct workspace *workspace, const struct compare_request *request,
                       struct printer *printer, struct error *error) {
    struct comparison comparison = {
        .workspace = workspace,
        .request = request,
        .check = check_method,
    };
    bool done =
        comparison_make(&comparison, error) && print_comparison(&comparison, printer, error);

    comparison_free(&comparison);
    return done;
}

bool compare_print(struct workspace *workspace, const struct compare_request *request,
                   const struct printer_style *style, FILE *file,
                   const struct printer_options *options, struct error *error) {
    struct printer_options of_parts = *options;
    struct compare_request part;
    struct compare_kinds parts;
    struct printer *printer;
    bool done = workspace_begin(workspace, error);

    if (!done) {
        return false;
    }
    parts = compare_kinds_of(workspace, request);
    of_parts.many |= parts.count > 1;
    printer = printer_open(style, file, &of_parts);
    while (done && compare_kinds_next(&parts, &part)) {
        part.people = !style->is_machine;
        done = print_part(workspace, &part, printer, error);
        if (request->picture) { /* A picture shows only one kind of trace, the first. */
            break;
        }
    }
    done = printer_close(printer, done, error);
    workspace_end(workspace);
    return done;
}

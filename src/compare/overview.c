#include "base/search.h"
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/metrics.h"
#include "compare/parts.h"
#include "report/report.h"
#include "scan/statistics.h"

/* Limit of figures that the overview collects from all reports. */
#define MOST_FIGURES 16384

/* Names of reports that the overview leaves out, and their common error message. */
struct left_out {
    struct text reports, reason; /* owned */
};

/* A comment line of a report on why the sides are hard to compare. Further reports with the same
 * line except for its numbers are only named. */
struct caveat {
    struct text line, others; /* owned */
    size_t count;             /* number of reports in `others` */
};

/* Limit of rows named in "rows of REPORT that changed most", and of sentences on findings. */
#define MOST_PARTS 3

struct figure {
    const char *report; /* borrowed; name of the report, with the kind of trace if several kinds are
                           compared */
    char *item;         /* owned */
    struct compare_metric metric;
    size_t number; /* number of figures that were added before this one */
};

struct overview {
    struct workspace *workspace;
    const struct compare_request *request;
    struct figure *figures; /* owned */
    size_t count, capacity;
    const char *report; /* name of the report being read; with the kind of trace if several kinds
                           are compared */
    struct notes parts; /* owned; names of reports with their kind of trace, such as "files (io)" */
    struct notes most;  /* owned; comment lines on costs and on rows with a large share */
    struct notes said;  /* owned; comment lines added so far, so that none is added twice */
    struct text untimed; /* owned; names of reports whose costs do not include time (--weights) */
    struct caveat *caveats; /* owned */
    size_t caveat_count;
    struct left_out *left; /* owned */
    size_t left_count;
    struct compare_page page;    /* owned; traces and comment lines, begun with the first report */
    int64_t renamed[SIDES];      /* number of rows with replaced names, in all reports */
    bool same_calls, same_files; /* same_calls: both sides have the same number of each call;
                                    same_files: the same number of bytes of each file */
    bool has_page;
    bool is_itself;
    unsigned timeless[SIDES]; /* compare_quality.timeless; 0 if both sides have the same events */
    double least_p;           /* smallest possible p-value (compare_min_p_value()) */
    bool is_single; /* true: each side is one run, so the chance variation of times is unknown */
    struct headlines headlines;     /* owned; those on items that one side lacks come first */
    struct compare_picture picture; /* owned; input of the plot, if one is requested */
    size_t adjusted; /* number of figures with a p-value; the adjustment of p-values uses it */
};

/* Returns whether the figure is the count of an item that only one side has. */
static bool is_of_one(const struct compare_metric *metric) {
    return isnan(metric->effect) && metric->kind == COLUMN_INTEGER &&
           (metric->verdict == VERDICT_NEW || metric->verdict == VERDICT_GONE);
}

/* Returns true if the overview may print the figure: its query marks it, its value is known, and it
 * is not 0 on both sides. */
static bool is_worth_row(const struct compare_metric *metric) {
    return metric->is_headline &&
           (metric->is_distance || fabs(metric->a) > 0 || fabs(metric->b) > 0) && /* NAN: false */
           (!isnan(metric->effect) || is_of_one(metric));
}

/* Returns true if a number has so many digits that two figures with this value surely measure the
 * same: a duration, bytes or a fraction, unlike 0.5 or 7. */
static bool has_digits(double number) {
    return fabs(number) >= 1000 || 1000 * number != floor(1000 * number);
}

static bool figures_are_twins(const struct overview *overview, const struct figure *figure,
                              const struct compare_metric *metric) {
    const struct compare_metric *other = &figure->metric;

    return !metric->is_distance && !other->is_distance && figure->report != overview->report &&
           other->a == metric->a && other->b == metric->b &&
           ((strcmp(other->name, metric->name) == 0 && strcmp(figure->item, metric->item) == 0) ||
            (has_digits(metric->a) && has_digits(metric->b)));
}

/* Returns a figure of another report with equal values; NULL if there is none. Reports overlap:
 * latencies of I/Os are also among the stages of I/Os. */
static struct figure *find_twin(const struct overview *overview,
                                const struct compare_metric *metric) {
    for (size_t i = 0; i < overview->count; i++) {
        if (figures_are_twins(overview, &overview->figures[i], metric)) {
            return &overview->figures[i];
        }
    }
    return NULL;
}

static void fill_figure(const struct overview *overview, struct figure *figure,
                        const struct compare_metric *metric) {
    free(figure->item);
    figure->report = overview->report;
    figure->item = xstrdup(metric->item);
    figure->metric = *metric;
    figure->metric.item_length = strlen(figure->item);
    /* An item is cut at a NUL byte. */
    figure->metric.subject = metric->subject < figure->metric.item_length ? metric->subject : 0;
}

static void overview_add(void *context, const struct compare_metric *metric) {
    struct overview *overview = context;
    struct figure *twin = find_twin(overview, metric);

    if (metric->is_headline && isnan(metric->effect)) {
        headlines_add(&overview->headlines, overview->report, false, metric);
    }
    if (!is_worth_row(metric)) {
        return;
    }
    if (twin != NULL) {
        /* Of two equal figures, the one with confidence bounds is printed. */
        if (!isnan(metric->low) && isnan(twin->metric.low)) {
            fill_figure(overview, twin, metric);
        }
        return;
    }
    if (overview->count < MOST_FIGURES) {
        overview->figures = array_grow(overview->figures, overview->count, &overview->capacity,
                                       sizeof *overview->figures);
        overview->figures[overview->count] = (struct figure){.number = overview->count};
        fill_figure(overview, &overview->figures[overview->count++], metric);
    }
}

/* Adds a comment line with the rows that contribute most to the report's change. */
static void note_most(struct overview *overview, const struct comparison *comparison) {
    const struct compare_table *table = &comparison->table;
    struct text line = {0};

    for (size_t i = 0; i < table->count && i < MOST_PARTS && table->rows[i]->part > 0; i++) {
        text_append_string(&line, i == 0 ? "" : ", ");
        compare_append_keys(&line, table->rows[i]->keys, table->key_count);
        text_append_format(&line, " (%.1f %%, %s)", 100 * table->rows[i]->part,
                           compare_verdicts[table->rows[i]->verdict]);
    }
    if (comparison->method->usual_sort == SORT_PART && line.length > 0) {
        notes_append(&overview->most, "rows of %s that changed most: %s", overview->report,
                     text_string(&line));
    }
    text_free(&line);
}

static bool overview_fits(const struct overview *overview, const struct compare_request *request) {
    const struct query *a = compare_find_query(overview->workspace, &request->sides[SIDE_A]);
    const struct query *b = compare_find_query(overview->workspace, &request->sides[SIDE_B]);

    return a != NULL && b != NULL && a->compare.method != COMPARE_NOT &&
           /* Leaves out call trees, since another report has their rows without the tree. */
           a->compare.method != COMPARE_TREE && !a->compare.alone && !b->compare.alone &&
           a->compare.method == b->compare.method && strcmp(a->compare.key, b->compare.key) == 0 &&
           a->needs == NULL && b->needs == NULL;
}

/* Returns whether two lines are equal except for numbers in them. */
static bool overview_is_alike(const char *left, const char *right) {
    static const char numbers[] = "0123456789.";

    for (;;) {
        left += strspn(left, numbers);
        right += strspn(right, numbers);
        if (*left != *right || *left == '\0') {
            return *left == *right;
        }
        left++;
        right++;
    }
}

static void add_caveat(struct overview *overview, const char *line) {
    struct caveat *caveat;

    for (size_t i = 0; i < overview->caveat_count; i++) {
        caveat = &overview->caveats[i];
        if (overview_is_alike(strchr(text_string(&caveat->line), ':') + 2, line)) {
            text_append_item(&caveat->others, overview->report);
            caveat->count++;
            return;
        }
    }
    overview->caveats =
        xrealloc(overview->caveats, (overview->caveat_count + 1) * sizeof *overview->caveats);
    caveat = &overview->caveats[overview->caveat_count++];
    *caveat = (struct caveat){0};
    text_append_format(&caveat->line, "%s: %s", overview->report, line);
}

/* Adds the traces and comment lines on mismatches of a comparison. The first report's lines are
 * printed unchanged. Of other reports, only new lines are added, with the report's name. */
static bool add_page(struct overview *overview, const struct comparison *comparison,
                     struct error *error) {
    const struct notes *mismatches = &comparison->mismatches;
    bool is_first = !overview->has_page;

    if (is_first) {
        compare_page_begin(comparison, &overview->page);
        overview->has_page = true;
        overview->is_itself = comparison->is_itself;
        overview->least_p = compare_min_p_value(comparison);
        overview->is_single = comparison->sides[SIDE_A].trace_count == 1 &&
                              comparison->sides[SIDE_B].trace_count == 1;
        compare_note_few(comparison, &overview->page.notes);
        if (overview->request->picture &&
            !compare_picture_begin(&overview->picture, comparison, "compare-overview",
                                   &overview->page.result, error)) {
            return false;
        }
    } else {
        compare_page_add_sides(comparison, &overview->page);
    }
    if (overview->request->strict && mismatches->count > 0) {
        return error_set(error, "a and b are hard to compare (--strict): %s", mismatches->lines[0]);
    }
    for (size_t i = 0; i < mismatches->count; i++) {
        const char *line = mismatches->lines[i];

        if (notes_have(&overview->said, line)) {
            continue;
        }
        notes_append(&overview->said, "%s", line);
        if (!is_first) {
            add_caveat(overview, line);
        }
    }
    return true;
}

/* Returns whether both sides have the same rows, with equal numbers. `number`: NUMBER_VALUE (counts
 * or times) or NUMBER_CALLS. */
static bool has_same_rows(const struct comparison *comparison, int number) {
    const struct compare_table *table = &comparison->table;

    for (size_t i = 0; i < table->count; i++) {
        const struct compare_row *row = table->rows[i];

        if (!row->has[SIDE_A] || !row->has[SIDE_B] ||
            row->numbers[SIDE_A][number] != row->numbers[SIDE_B][number]) {
            return false;
        }
    }
    return table->count > 0;
}

/* Adds the comment line with the unit of costs (--weights), and collects the reports that do not
 * count costs of time. Both sides have the same lines. */
static void note_costs(struct overview *overview, const struct comparison *comparison) {
    const struct notes *notes = &comparison->sides[SIDE_A].notes;

    for (size_t i = 0; i < notes->count; i++) {
        const char *line = notes->lines[i];

        if (strncmp(line, "cost: ", strlen("cost: ")) == 0 && !notes_have(&overview->said, line)) {
            notes_append(&overview->said, "%s", line);
            notes_append(&overview->most, "%s", line);
        } else if (strncmp(line, "costs do not include", strlen("costs do not include")) == 0) {
            text_append_item(&overview->untimed, overview->report);
        }
    }
}

static bool overview_add_part(struct overview *overview, const struct compare_request *request,
                              struct error *error) {
    struct comparison comparison = {
        .is_known = overview->has_page, .workspace = overview->workspace, .request = request};
    bool done = comparison_make(&comparison, error);

    if (done) {
        compare_visit_metrics(&comparison, overview_add, overview);
        note_most(overview, &comparison);
        /* Records whether the system calls and the files are the same on both sides. */
        if (strcmp(overview->report, "syscalls") == 0) {
            overview->same_calls = has_same_rows(&comparison, NUMBER_CALLS);
        } else if (strcmp(overview->report, "files") == 0) {
            overview->same_files = has_same_rows(&comparison, NUMBER_VALUE);
        }
        note_costs(overview, &comparison);
        for (enum side side = SIDE_A; side < SIDES; side++) {
            overview->timeless[side] |=
                comparison.is_itself ? 0 : comparison.sides[side].quality.timeless;
        }
        overview->renamed[SIDE_A] += comparison.renamed[SIDE_A];
        overview->renamed[SIDE_B] += comparison.renamed[SIDE_B];
        done = add_page(overview, &comparison, error);
    }
    comparison_free(&comparison);
    return done;
}

/* Excludes a report because a log lacks its data or has too many, and clears the error: other
 * reports may work.
 * Returns false for all other errors. */
static bool overview_exclude_report(struct overview *overview, const char *report,
                                    struct error *error) {
    struct left_out *left = overview->left;
    size_t i = 0;

    if (!error_is_of_data(error)) {
        return false;
    }
    while (i < overview->left_count && strcmp(text_string(&left[i].reason), error->message) != 0) {
        i++;
    }
    if (i == overview->left_count) {
        left = xrealloc(left, (i + 1) * sizeof *left);
        overview->left = left;
        left[overview->left_count++] = (struct left_out){0};
        text_append_string(&left[i].reason, error->message);
    }
    if (strcmp(text_string(&left[i].reports), report) != 0) { /* names each report only once */
        text_append_item(&left[i].reports, report);
    }
    *error = (struct error){0};
    return true;
}

/* Returns the request for a report, without --per, --sort and others that suit only one report. */
static struct compare_request overview_request(const struct overview *overview,
                                               const char *report) {
    struct compare_request request = *overview->request;

    request.sides[SIDE_A].report = request.sides[SIDE_B].report = report;
    request.per = PER_USUAL;
    request.sort = SORT_USUAL;
    request.strict = request.picture = false;
    return request;
}

/* Adds the figures of a report, separately for each kind of trace that both sides have. */
static bool overview_add_report(struct overview *overview, const char *report,
                                struct error *error) {
    const struct compare_request request = overview_request(overview, report);
    struct compare_kinds parts = compare_kinds_of(overview->workspace, &request);
    struct compare_request part;

    while (compare_kinds_next(&parts, &part)) {
        if (!overview_fits(overview, &part)) {
            continue;
        }
        overview->report = report;
        if (parts.count > 1) {
            notes_append(&overview->parts, "%s (%s)", report,
                         trace_kind_name((enum trace_kind)(parts.next - 1)));
            overview->report = overview->parts.lines[overview->parts.count - 1];
        }
        if (!compare_kind_has_filter_names(overview->workspace, &part, error)) {
            error->absent = error->status == EXIT_FAILED;
        } else if (overview_add_part(overview, &part, error)) {
            continue;
        }
        if (!overview_exclude_report(overview, overview->report, error)) {
            /* a usage error is about the traces or options, which no report was named for */
            return error->status != EXIT_USAGE &&
                   error_context(error, "report %s", overview->report);
        }
    }
    return true;
}

/* Checks that a side's traces exist, because compare_find_query() ignores such errors. */
static bool check_side(const struct overview *overview, const struct report_request *side,
                       struct error *error) {
    const struct catalog *catalog = &overview->workspace->catalog;
    const struct catalog_trace **traces = xcalloc(catalog->count + 1, sizeof(const void *));
    size_t count = 0;
    bool done = request_check_labels(side, catalog, error) &&
                request_add_traces(side, catalog, traces, &count, error);

    free(traces);
    return done;
}

static bool add_reports(struct overview *overview, struct error *error) {
    const struct query_set *queries = overview->workspace->queries;
    const struct report_request *sides = overview->request->sides;

    if (!check_side(overview, &sides[SIDE_A], error) ||
        !check_side(overview, &sides[SIDE_B], error)) {
        return false;
    }
    for (size_t i = 0; i < queries->count; i += query_set_count_of_report(queries, i)) {
        const char *report = queries->queries[i].report;

        if (!overview_add_report(overview, report, error)) {
            return false;
        }
    }
    if (!overview->has_page && overview->left_count > 0) {
        return error_set_absent(error, "%s", text_string(&overview->left[0].reason));
    }
    return overview->has_page ||
           error_set(error, "there is no report that both can be compared by");
}

/* Groups of figures in printing order: run time, counts, bytes, durations, others, unchanged ones.
 * most_of_tier: limit of rows for each group if the overview has OVERVIEW_TOP rows. If groups have
 * fewer figures than that, figures of other groups follow at the end. */
enum tier { TIER_RUN, TIER_COUNTS, TIER_BYTES, TIER_TIMES, TIER_OTHERS, TIER_SAME, TIERS };
#define MOST_ALIKE 3
static const int most_of_tier[TIERS] = {2, 7, 4, 4, 3, 0};

/* Returns whether the report is the summary, of any kind of trace. */
static bool is_summary(const char *report) {
    return strncmp(report, "summary", strlen("summary")) == 0;
}

static enum tier tier_of_figure(const struct figure *figure) {
    const struct compare_metric *metric = &figure->metric;

    if (metric->kind == COLUMN_DURATION && is_summary(figure->report)) {
        return TIER_RUN;
    }
    if (metric->a == metric->b) {
        return TIER_SAME;
    }
    return metric->kind == COLUMN_INTEGER    ? TIER_COUNTS
           : metric->kind == COLUMN_BYTES    ? TIER_BYTES
           : metric->kind == COLUMN_DURATION ? TIER_TIMES
                                             : TIER_OTHERS;
}

static int compare_effects(const void *left, const void *right) {
    const struct figure *a = left, *b = right;

    if (tier_of_figure(a) != tier_of_figure(b)) {
        return ORDER(tier_of_figure(a), tier_of_figure(b));
    }
    if (tier_of_figure(a) == TIER_RUN) { /* sorts the run time before the time in calls */
        return ORDER(a->number, b->number);
    }
    if (is_of_one(&a->metric) != is_of_one(&b->metric)) {
        return is_of_one(&a->metric) ? -1 : 1;
    }
    if (is_of_one(&a->metric) && !isnan(a->metric.weight)) {
        return a->metric.weight != b->metric.weight ? ORDER(b->metric.weight, a->metric.weight)
                                                    : ORDER(a->number, b->number);
    }
    if (a->metric.effect != b->metric.effect) {
        return a->metric.effect < b->metric.effect ? 1 : -1;
    }
    return ORDER(a->number, b->number);
}

/* Adjusts all p-values of the overview for multiple comparisons. */
static void adjust_p_values(struct overview *overview) {
    double *p = xcalloc(overview->count + 1, sizeof *p);
    size_t *places = xcalloc(overview->count + 1, sizeof *places), known = 0;

    for (size_t i = 0; i < overview->count; i++) {
        if (!isnan(overview->figures[i].metric.p)) {
            p[known] = overview->figures[i].metric.p;
            places[known++] = i;
        }
    }
    statistics_adjust(p, known, overview->request->adjustment);
    for (size_t i = 0; i < known; i++) {
        struct compare_metric *metric = &overview->figures[places[i]].metric;

        metric->p = p[i];
        if (p[i] > METRIC_CHANCE &&
            (metric->verdict == VERDICT_MORE || metric->verdict == VERDICT_LESS)) {
            metric->verdict = VERDICT_UNCLEAR;
        }
    }
    overview->adjusted = known;
    free(p);
    free(places);
}

static bool overview_is_wanted(const struct overview *overview, const struct figure *figure) {
    if (overview->request->picture && is_of_one(&figure->metric)) {
        return false;
    }
    return overview->request->only != ONLY_CHANGED ||
           (figure->metric.verdict != VERDICT_SAME &&
            figure->metric.verdict != VERDICT_NOT_COMPARABLE);
}

/* Column `unit` is last and only in tsv. In tables for people, units follow the values. */
static const struct column columns[] = {
    {"rank", "", COLUMN_NUMBER}, {"report", "", COLUMN_TEXT}, {"item", "", COLUMN_TEXT},
    {"metric", "", COLUMN_TEXT}, {"a", "", COLUMN_REAL},      {"b", "", COLUMN_REAL},
    {"change", "", COLUMN_REAL}, {"low", "", COLUMN_REAL},    {"high", "", COLUMN_REAL},
    {"effect", "", COLUMN_REAL}, {"p", "", COLUMN_REAL},      {"verdict", "", COLUMN_TEXT},
    {"unit", "", COLUMN_TEXT},
};

#define COLUMNS (sizeof columns / sizeof columns[0])

static const char *overview_unit_of(const struct compare_metric *metric) {
    return metric->is_distance               ? ""
           : metric->kind == COLUMN_DURATION ? metric->clock_unit
           : metric->kind == COLUMN_BYTES    ? "bytes"
           : metric->kind == COLUMN_SHARE    ? "fraction"
           : metric->unit != NULL            ? metric->unit
                                             : "";
}

/* Returns a number with its unit, for tables. Counts are integers, others have six decimals. */
static struct value value_for_people(const struct compare_metric *metric, double number) {
    struct value value = value_real(number);

    if (metric->kind == COLUMN_INTEGER && fabs(number) < 1e15 && number == floor(number)) {
        value = value_integer((int64_t)number);
        value.kind = COLUMN_INTEGER;
        return value;
    }
    value.kind = metric->kind == COLUMN_SHARE ? COLUMN_SHARE : COLUMN_REAL;
    value.unit = metric->kind == COLUMN_DURATION ? "ns"
                 : metric->kind == COLUMN_BYTES  ? "bytes"
                                                 : metric->unit;
    return value;
}

/* Fills a row of the overview with a figure. `for_people`: a and b get units. */
static void overview_fill(const struct figure *figure, int64_t rank, bool for_people,
                          struct value *values) {
    const struct compare_metric *metric = &figure->metric;

    values[0] = value_integer(rank);
    values[1] = value_text(figure->report);
    values[2] = value_text(figure->item);
    values[3] = value_text(metric->name);
    values[4] = value_real(metric->is_distance ? NAN : metric->a);
    values[5] = value_real(metric->is_distance ? NAN : metric->b);
    if (for_people && !metric->is_distance) {
        values[4] = value_for_people(metric, metric->a);
        values[5] = value_for_people(metric, metric->b);
    }
    /* A side without the item gets the count 0 instead of NULL. */
    if (is_of_one(metric)) {
        values[metric->verdict == VERDICT_NEW ? 4 : 5] =
            values[metric->verdict == VERDICT_NEW ? 5 : 4];
        values[metric->verdict == VERDICT_NEW ? 4 : 5].integer = 0;
        values[metric->verdict == VERDICT_NEW ? 4 : 5].real = 0;
    }
    values[6] = value_real(metric->is_distance ? metric->b : metric->ratio);
    values[7] = value_real(metric->low);
    values[8] = value_real(metric->high);
    values[9] = value_real(metric->effect);
    values[10] = value_real(metric->p);
    values[11] = value_text(compare_verdicts[metric->verdict]);
    values[12] = overview_unit_of(metric)[0] != '\0' ? value_text(overview_unit_of(metric))
                                                     : (struct value){.type = VALUE_NULL};
}

/* Returns how many of the first `count` figures are chosen, and have the report and the group (enum
 * tier) of `figure`. */
static int overview_count_alike(const struct figure *figures, const bool *chosen, size_t count,
                                const struct figure *figure) {
    int alike = 0;

    for (size_t i = 0; i < count; i++) {
        alike += chosen[i] && figures[i].report == figure->report &&
                 tier_of_figure(&figures[i]) == tier_of_figure(figure);
    }
    return alike;
}

/* Chooses at most `top` figures to print. The first pass limits the rows of each group (enum tier),
 * and the rows of a report in a group to MOST_ALIKE (not for report summary). The second pass adds
 * further figures, up to `top` in all. */
static bool *choose_figures(const struct overview *overview, int64_t top) {
    bool *chosen = xcalloc(overview->count + 1, sizeof *chosen);
    int64_t left = top;

    for (int pass = 0; pass < 2; pass++) {
        int64_t seen[TIERS] = {0};

        for (size_t i = 0; i < overview->count && left > 0; i++) {
            const struct figure *figure = &overview->figures[i];
            const enum tier tier = tier_of_figure(figure);

            if (!chosen[i] && overview_is_wanted(overview, figure) &&
                (pass > 0 || is_summary(figure->report) ||
                 overview_count_alike(overview->figures, chosen, i, figure) < MOST_ALIKE) &&
                (pass > 0 || ++seen[tier] * OVERVIEW_TOP <= most_of_tier[tier] * top)) {
                chosen[i] = true;
                left--;
            }
        }
    }
    return chosen;
}

static bool print_figures(const struct overview *overview, struct printer *printer,
                          struct error *error) {
    bool for_people = !printer->style->is_machine && !overview->request->picture;
    int64_t rank = 0;
    bool *chosen = choose_figures(overview, overview->request->top > 0 ? overview->request->top
                                                                       : OVERVIEW_TOP);
    bool done = true;

    for (size_t i = 0; done && i < overview->count; i++) {
        struct value values[COLUMNS];

        if (chosen[i]) {
            overview_fill(&overview->figures[i], ++rank, for_people, values);
            done = printer_row(printer, values, error);
        }
    }
    free(chosen);
    return done;
}

static bool overview_print_results(void *context, struct printer *printer, struct error *error) {
    struct overview *overview = context;

    overview->page.result.column_count = COLUMNS - !printer->style->is_machine;
    return printer_begin(printer, &overview->page.result, error) &&
           print_figures(overview, printer, error) && printer_end(printer, error);
}

/* Adds a comment line if no adjusted p-value can be significant. The smallest p of permutations is
 * 1 / (resamples + 1), or larger if traces are few. Holm multiplies it by the number of figures. */
static void note_least(struct overview *overview) {
    const struct compare_request *request = overview->request;
    double least = (double)overview->adjusted * overview->least_p;

    if (request->adjustment != ADJUST_HOLM || least < METRIC_CHANCE) {
        return;
    }
    if (overview->least_p * (1 + (double)request->resamples) > 1 + 1e-9) {
        notes_append(&overview->page.notes,
                     "p cannot be below %.2g: with this few traces, p is at least %.2g, and "
                     "Holm multiplies it by the %zu figures; p below %g needs more traces",
                     fmin(least, 1), overview->least_p, overview->adjusted, METRIC_CHANCE);
    } else {
        notes_append(&overview->page.notes,
                     "p cannot be below %.2g: with %d resamples, p is at least 1 / %d, and "
                     "Holm multiplies it by the %zu figures; p below %g needs --resamples %.0f",
                     fmin(least, 1), request->resamples, request->resamples + 1, overview->adjusted,
                     METRIC_CHANCE, (double)overview->adjusted / METRIC_CHANCE);
    }
}

/* Adds a note on figures that are not printed, unless the user gave their number. */
static void overview_note_rest(const struct overview *overview, struct notes *notes) {
    size_t wanted = 0;

    for (size_t i = 0; i < overview->count; i++) {
        wanted += overview_is_wanted(overview, &overview->figures[i]);
    }
    if (overview->request->top == 0 && !overview->request->picture && wanted > OVERVIEW_TOP) {
        notes_append(notes, "printed: %d of %zu figures; --top N prints N", OVERVIEW_TOP, wanted);
    }
}

static void overview_note_all(struct overview *overview) {
    static const char *const by[ADJUSTMENTS] = {"Benjamini and Hochberg", "Holm"};
    struct notes *notes = &overview->page.notes;
    double noise = 100 * overview->request->noise;

    for (size_t i = 0; i < overview->caveat_count; i++) {
        const struct caveat *caveat = &overview->caveats[i];

        if (caveat->count == 0) {
            notes_append(notes, "%s", text_string(&caveat->line));
        } else {
            notes_append(notes, "%s; likewise %zu other%s: %s", text_string(&caveat->line),
                         caveat->count, caveat->count == 1 ? "" : "s",
                         text_string(&caveat->others));
        }
    }
    compare_note_renamed(overview->renamed, notes);
    overview_note_rest(overview, notes);
    notes_append(
        notes,
        "change: b / a, or the distance between a and b; effect: |log2| of the ratio (1: doubled "
        "or halved), or a difference of shares; order of rows: run time, counts, bytes, times, "
        "others, each by effect; p: adjusted by %s for %zu of the %zu figures",
        by[overview->request->adjustment], overview->adjusted, overview->count);
    if (overview->request->blocks == 0) {
        notes_append(notes,
                     "verdicts are by size of change, not by significance (--blocks 0): a ratio "
                     "within %g %% of 1 is the same",
                     noise);
    } else {
        notes_append(notes,
                     "verdict: a change if more than %g %%, 1 is not between low and "
                     "high, and p is at most %g; the same if low and high are within %g %% of 1, "
                     "or a value has none and a equals b; else unclear",
                     noise, METRIC_CHANCE, noise);
    }
    note_least(overview);
    for (size_t i = 0; i < overview->left_count; i++) {
        notes_append(notes, "left out: %s: %s", text_string(&overview->left[i].reports),
                     text_string(&overview->left[i].reason));
    }
    notes_append_all(notes, &overview->most);
    if (overview->untimed.length > 0) {
        notes_append(notes, "costs do not include the weights per ms of time in %s",
                     text_string(&overview->untimed));
    }
}

/* Returns true if a figure differs by more than --noise, but it has neither confidence bounds nor a
 * p-value. */
static bool is_unknown(const struct overview *overview, const struct figure *figure) {
    const struct compare_metric *metric = &figure->metric;

    return metric->verdict == VERDICT_UNCLEAR && !metric->is_distance && isnan(metric->low) &&
           isnan(metric->p) && isfinite(metric->effect) &&
           metric->effect > log2(1 + overview->request->noise);
}

static void overview_note_headlines(struct overview *overview) {
    struct notes *notes = &overview->page.headlines;
    struct headlines unknown = {.is_unknown = true};
    size_t unclear = 0, all = 0;

    if (!overview->request->picture) {
        headlines_note_missing_durations(&overview->headlines, overview->timeless, notes);
    }
    if (overview->request->picture ||
        headlines_note_ignored_chance(overview->request, overview->is_itself, notes)) {
        return;
    }
    for (size_t i = 0; i < overview->count; i++) {
        struct figure *figure = &overview->figures[i];

        figure->metric.item = figure->item;
        if (is_of_one(&figure->metric)) {
            continue;
        }
        all++;
        figure->metric.weight = figure->metric.effect;
        unclear += figure->metric.verdict == VERDICT_UNCLEAR;
        headlines_add(&overview->headlines, figure->report, false, &figure->metric);
        if (overview->is_single && is_unknown(overview, figure)) {
            headlines_add(&unknown, figure->report, false, &figure->metric);
        }
    }
    headlines_add_to_notes(&overview->headlines, unclear, all, "figures", notes);
    headlines_note_untested(&unknown, &overview->headlines, notes);
    headlines_free(&unknown);
    if (overview->same_calls || overview->same_files) {
        notes_append(notes, "%s",
                     overview->same_calls && overview->same_files ? "same calls, same files"
                     : overview->same_calls                       ? "same calls"
                                                                  : "same files");
    }
}

/* Returns whether only this side has the finding (a row of report findings), though the other
 * side's log has the data to show it. */
static bool is_finding_of(const struct compare_row *row, enum side side) {
    return row->has[side] && row->given[side].type != VALUE_NULL &&
           !row->has[SIDE_A + SIDE_B - side];
}

/* Appends the names of the findings (rows of report findings) that only this side has. */
static void overview_append_findings(struct text *names, const struct comparison *comparison,
                                     enum side side) {
    for (size_t i = 0; i < comparison->table.count; i++) {
        const struct compare_row *row = comparison->table.rows[i];

        if (is_finding_of(row, side)) {
            struct text name = {0};

            compare_append_keys(&name, row->keys, 1);
            text_append_item(names, text_string(&name));
            text_free(&name);
        }
    }
}

static const char in_b[] = " in b: ";

/* Returns true if explain_finding() wrote the comment line about a finding that only b has. */
static bool is_new_finding(const struct comparison *comparison, const char *line) {
    const char *end = strstr(line, in_b);

    for (size_t i = 0; end != NULL && i < comparison->table.count; i++) {
        const struct compare_row *row = comparison->table.rows[i];

        if (row->keys[0].length == (size_t)(end - line) &&
            memcmp(row->keys[0].bytes, line, row->keys[0].length) == 0) {
            return is_finding_of(row, SIDE_B);
        }
    }
    return false;
}

/* Adds a comment line with the sentence of a finding of side b and the command that shows more. */
static void explain_finding(void *lines, enum side side, const struct result *result,
                            const struct value *values) {
    const int sentence = column_find(result->columns, result->column_count, "sentence");
    const int command = column_find(result->columns, result->column_count, "command");

    if (side == SIDE_B && sentence > 0 && command > 0 && values[0].type == VALUE_TEXT &&
        values[sentence].type == VALUE_TEXT && values[command].type == VALUE_TEXT) {
        notes_append(lines, "%.*s%s%.*s: %.*s", (int)values[0].length, values[0].bytes, in_b,
                     (int)values[sentence].length, values[sentence].bytes,
                     (int)values[command].length, values[command].bytes);
    }
}

/* Appends the names of findings that only one side has to that side's line, and adds sentences on
 * those of b. With option --all, the report also lists findings that a log lacks the data to show;
 * their weight is NULL. */
static bool overview_compare_findings(struct overview *overview,
                                      const struct compare_request *request,
                                      struct text lines[SIDES], struct notes *sentences,
                                      struct error *error) {
    struct compare_request all = *request;
    struct notes explained = {0};
    struct comparison comparison = {.is_known = true,
                                    .workspace = overview->workspace,
                                    .request = &all,
                                    .visit = explain_finding,
                                    .context = &explained};
    const struct query *a = compare_find_query(overview->workspace, &request->sides[SIDE_A]);
    bool done;

    if (a == NULL || a->compare.method != COMPARE_ROWS ||
        a != compare_find_query(overview->workspace, &request->sides[SIDE_B])) {
        return true;
    }
    all.sides[SIDE_A].all = all.sides[SIDE_B].all = true;
    done = comparison_make(&comparison, error);
    if (!done) {
        done = overview_exclude_report(overview, "findings", error) ||
               error_context(error, "report findings");
    } else {
        overview_append_findings(&lines[SIDE_A], &comparison, SIDE_A);
        overview_append_findings(&lines[SIDE_B], &comparison, SIDE_B);
        for (size_t i = 0; i < explained.count && sentences->count < MOST_PARTS; i++) {
            if (is_new_finding(&comparison, explained.lines[i])) {
                notes_append(sentences, "%s", explained.lines[i]);
            }
        }
    }
    notes_free(&explained);
    comparison_free(&comparison);
    return done;
}

/* Adds a headline with new findings (only in b) and gone findings (only in a). */
static bool note_findings(struct overview *overview, struct error *error) {
    struct compare_request request = overview_request(overview, "findings"), part;
    struct compare_kinds parts;
    struct text lines[SIDES] = {{0}};
    struct notes sentences = {0};
    bool done = true;

    if (overview->is_itself || overview->request->picture) {
        return true;
    }
    request.blocks = 0;
    parts = compare_kinds_of(overview->workspace, &request);
    while (done && compare_kinds_next(&parts, &part)) {
        done = overview_compare_findings(overview, &part, lines, &sentences, error);
    }
    if (done && lines[SIDE_A].length + lines[SIDE_B].length > 0) {
        notes_append(&overview->page.headlines, "%s%s%s%s%s",
                     lines[SIDE_B].length > 0 ? "new findings: " : "", text_string(&lines[SIDE_B]),
                     lines[SIDE_A].length > 0 && lines[SIDE_B].length > 0 ? "; " : "",
                     lines[SIDE_A].length > 0 ? "findings gone: " : "",
                     text_string(&lines[SIDE_A]));
        notes_append_all(&overview->page.headlines, &sentences);
    }
    notes_free(&sentences);
    text_free(&lines[SIDE_A]);
    text_free(&lines[SIDE_B]);
    return done;
}

static void free_overview(struct overview *overview) {
    for (size_t i = 0; i < overview->count; i++) {
        free(overview->figures[i].item);
    }
    free(overview->figures);
    headlines_free(&overview->headlines);
    notes_free(&overview->most);
    notes_free(&overview->said);
    notes_free(&overview->parts);
    text_free(&overview->untimed);
    for (size_t i = 0; i < overview->caveat_count; i++) {
        text_free(&overview->caveats[i].line);
        text_free(&overview->caveats[i].others);
    }
    free(overview->caveats);
    for (size_t i = 0; i < overview->left_count; i++) {
        text_free(&overview->left[i].reports);
        text_free(&overview->left[i].reason);
    }
    free(overview->left);
    compare_page_free(&overview->page);
    compare_picture_free(&overview->picture);
}

bool compare_overview(struct workspace *workspace, const struct compare_request *request,
                      const struct printer_style *style, FILE *file,
                      const struct printer_options *options, struct error *error) {
    struct overview overview = {.workspace = workspace, .request = request};
    struct printer *printer;
    bool done = workspace_begin(workspace, error);

    if (!done) {
        return false;
    }
    done = add_reports(&overview, error);
    if (done) {
        adjust_p_values(&overview);
        sort_items(overview.figures, overview.count, sizeof *overview.figures, compare_effects);
        overview_note_headlines(&overview);
        done = note_findings(&overview, error);
    }
    if (done) {
        overview_note_all(&overview);
        overview.page.result.report = "compare";
        overview.page.result.title = "What changed most";
        overview.page.result.columns = columns;
        overview.page.result.column_count = COLUMNS;
        compare_page_put_notes(&overview.page);
        printer = printer_open(style, file, options);
        done = printer_close(printer, overview_print_results(&overview, printer, error), error);
    }
    free_overview(&overview);
    workspace_end(workspace);
    return done;
}

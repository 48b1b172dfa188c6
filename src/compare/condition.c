/* Conditions on figures of a comparison (--fail-if), declared in compare.h. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "compare/compare.h"
#include "compare/metrics.h"
#include "compare/parts.h"
#include "report/choose.h"
#include "select/window.h"

/* Returns the figures of a method: distances over all rows, then figures of single rows, separated
 * by spaces. The method `rows` has only "value". */
static const char *compare_metric_names(enum compare_method method) {
    static const char *const names[] = {
        [COMPARE_NOT] = "",
        [COMPARE_COUNTS] = "tvd js count share",
        [COMPARE_SIZES] = "tvd js d wasserstein mean count share",
        [COMPARE_TIMES] = "self calls mean",
        [COMPARE_CLOCK] = "tvd js count share rate",
        [COMPARE_VALUES] = "p1 p5 p10 p25 p50 p75 p90 p95 p99 p99.9 max mean n",
        [COMPARE_ROWS] = "value",
        [COMPARE_TREE] = "total self calls",
    };

    return names[method];
}

/* The bounds of a two-sided 90 % interval are those of one-sided 95 % intervals. */
#define CONFIDENCE 0.9

/* --- parsing a condition ---------------------------------------------------------------------- */

static bool condition_refuse(const struct compare_condition *condition, const char *what,
                             struct error *error) {
    return error_usage(error,
                       "--fail-if '%s': %s; such as 'latency.read.p99 > +10%%', "
                       "'iosize.mean > x1.5', 'rw.write.count > +100', 'popularity.tvd > 0.05'",
                       condition->text, what);
}

/* Reads the next segment of a figure's name: a quoted one, or up to one of the characters `ends`.
 * Returns the position after it. */
static const char *cut_segment(const char *at, char *segment, const char *ends, size_t *length) {
    bool quoted = *at == '"';
    size_t size = quoted ? strcspn(at + 1, "\"") : strcspn(at, ends);

    memcpy(segment, at + quoted, size);
    segment[size] = '\0';
    *length = size;
    at += size + quoted;
    return quoted && *at == '"' ? at + 1 : at;
}

/* Appends a segment to the row's name, after a space. `item` is large enough, because a condition
 * has at most CONDITION_MOST / 2 bytes. */
static void append_segment(char *item, const char *segment) {
    size_t length = strlen(item), more = strlen(segment);

    if (length > 0) {
        item[length++] = ' ';
    }
    if (length + more < CONDITION_MOST) {
        memcpy(item + length, segment, more + 1);
    }
}

/* Reads REPORT.SEGMENT.SEGMENT…: the last segment is the metric, the others name the row. Also
 * reads REPORT(SEGMENT, …).SEGMENT, the form of `tracetool assert`. */
static const char *condition_read_path(struct compare_condition *condition, const char *at,
                                       char *report) {
    size_t length;

    at = cut_segment(at, report, "(./<> ", &length);
    for (const char *end = *at == '(' ? "," : ""; *end == ','; end = at) {
        char segment[CONDITION_MOST];

        at += 1 + strspn(at + 1, " ");
        at = cut_segment(at, segment, ",)", &length);
        at += strspn(at, " ");
        while (length > 0 && segment[length - 1] == ' ') {
            segment[--length] = '\0';
        }
        append_segment(condition->item, segment);
    }
    at += *at == ')';
    while (*at == '.') {
        char segment[CONDITION_MOST];

        at = cut_segment(at + 1, segment, "./<> ", &length);
        /* The metric p99.9 was split at its dot. */
        if (strcmp(condition->metric, "p99") == 0 && strcmp(segment, "9") == 0) {
            memcpy(condition->metric, "p99.9", sizeof "p99.9");
            continue;
        }
        if (condition->metric[0] != '\0') {
            append_segment(condition->item, condition->metric);
        }
        memcpy(condition->metric, segment, length + 1);
    }
    return at;
}

static bool read_per(struct compare_condition *condition, const char **at) {
    char word[CONDITION_MOST];
    size_t length;

    if (**at != '/') {
        return true;
    }
    *at = cut_segment(*at + 1, word, "./<> ", &length);
    condition->per = (enum compare_per)string_index(compare_per_names, COMPARE_PERS, word);
    return *word != '\0' && condition->per < COMPARE_PERS;
}

static const char *condition_skip_blanks(const char *at) {
    return at + strspn(at, " ");
}

/* Parses the limit of a condition: +10%, x1.5, +4096 or 20. */
static bool condition_read_value(struct compare_condition *condition, const char *at) {
    bool is_ratio = *at == 'x';
    char *end;

    condition->is_signed = *at == '+' || *at == '-';
    condition->threshold = strtod(at + is_ratio, &end);
    if (end == at + is_ratio || !isfinite(condition->threshold)) {
        return false;
    }
    condition->of = is_ratio ? OF_RATIO : condition->is_signed ? OF_DIFFERENCE : OF_B;
    end = (char *)condition_skip_blanks(end);
    if (*end == '%' && !is_ratio) {
        condition->of = OF_PER_CENT;
        end++;
    }
    return *condition_skip_blanks(end) == '\0';
}

/* Appends the names that are not in the list yet. */
static void append_names(struct text *list, const char *names) {
    char name[16];

    for (; *names != '\0'; names += strspn(names, " ")) {
        const int length = (int)strcspn(names, " ");

        snprintf(name, sizeof name, "%.*s", length, names);
        if (!word_in(text_string(list), name)) {
            text_append_format(list, "%s%s", list->length > 0 ? " " : "", name);
        }
        names += length;
    }
}

/* Returns whether a query of the report has the figure. Appends the figures that exist, for an
 * error message. With the method `rows`, any figure is accepted: it is part of the row's name. */
static bool has_metric(const struct query_set *queries, const struct compare_condition *condition,
                       struct text *figures) {
    FOR_QUERIES_OF(queries, condition->report) {
        enum compare_method method = query->compare.method;

        if (method == COMPARE_NOT) {
            continue;
        }
        append_names(figures, compare_metric_names(method));
        if (method == COMPARE_ROWS || word_in(text_string(figures), condition->metric)) {
            return true;
        }
    }
    return false;
}

bool compare_condition_lacks_interval(const struct compare_condition *condition,
                                      const struct query_set *queries) {
    if (!word_in(condition->of == OF_B ? "max" : "max n", condition->metric)) {
        return false;
    }
    FOR_QUERIES_OF(queries, condition->report) {
        enum compare_method method = query->compare.method;

        if (method == COMPARE_ROWS || (method != COMPARE_VALUES &&
                                       word_in(compare_metric_names(method), condition->metric))) {
            return false;
        }
    }
    return true;
}

bool compare_condition_parse(struct compare_condition *condition, const char *text,
                             const struct query_set *queries, struct error *error) {
    char report[CONDITION_MOST];
    struct text figures = {0};
    bool done;
    const char *at;

    *condition = (struct compare_condition){.text = text, .path = condition_skip_blanks(text)};
    if (strlen(text) >= CONDITION_MOST / 2) {
        return condition_refuse(condition, "it is too long", error);
    }
    at = condition_read_path(condition, condition->path, report);
    if (condition->metric[0] == '\0' || !read_per(condition, &at)) {
        return condition_refuse(condition,
                                "it has to begin with REPORT.FIGURE or REPORT.ROW.FIGURE", error);
    }
    condition->path_length = (size_t)(at - condition->path);
    at = condition_skip_blanks(at);
    condition->is_less = *at == '<';
    condition->or_equal = *at != '\0' && at[1] == '=';
    if ((*at != '<' && *at != '>') ||
        !condition_read_value(condition, condition_skip_blanks(at + 1 + condition->or_equal))) {
        return condition_refuse(condition, "> or < and a number have to follow", error);
    }
    condition->is_read = true;
    condition->report = choose_report(queries, report, error);
    if (condition->report == NULL) {
        return false;
    }
    done = has_metric(queries, condition, &figures);
    if (!done) {
        char what[CONDITION_MOST];

        snprintf(what, sizeof what, "the report has no figure '%.60s'; there are %.200s",
                 condition->metric, text_string(&figures));
        condition_refuse(condition, figures.length > 0 ? what : "the report cannot be compared",
                         error);
    }
    text_free(&figures);
    return done;
}

struct finding {
    const struct compare_condition *condition;
    bool rows_only; /* true (method `rows`): figures have no metric; the text after the last dot is
                       part of the row's name */
    struct compare_metric metric;
    bool found;
};

/* Returns whether names are equal. "_" in `typed` matches a space, so that no quotes are needed. */
static bool condition_is_called(const char *typed, const char *name) {
    for (; *typed != '\0' && *name != '\0'; typed++, name++) {
        if (*typed != *name && !(*typed == '_' && *name == ' ')) {
            return false;
        }
    }
    return *typed == *name;
}

static void match_metric(void *context, const struct compare_metric *metric) {
    struct finding *finding = context;
    const struct compare_condition *condition = finding->condition;
    char item[CONDITION_MOST];

    memcpy(item, condition->item, sizeof item);
    if (finding->rows_only) {
        append_segment(item, condition->metric);
    }
    if ((finding->rows_only || strcmp(metric->name, condition->metric) == 0) &&
        condition_is_called(item, metric->item)) {
        finding->metric = *metric;
        finding->found = true;
    }
}

/* --- deciding whether a condition fails ------------------------------------------------------- */

/* Returns the quantity to compare with the limit, if b were `ratio` times a. The ratio is infinite
 * if a is 0 and b is not. With ratio == metric->ratio, b is exact instead of a rounded product. A
 * value that differs from the limit only by rounding becomes the limit: 11 is exactly 10 % more
 * than 10, and 0.33 exactly 10 % more than 0.3. */
static double condition_value_of(const struct compare_condition *condition,
                                 const struct compare_metric *metric, double ratio) {
    double b = isnan(ratio) || ratio == metric->ratio ? metric->b : metric->a * ratio;
    double value = b, unit = 0; /* unit: change of b per change of `value` by 1; 0: `value` is b */

    if (isnan(ratio) && metric->a == 0 && !metric->is_distance) {
        ratio = metric->b > 0 ? INFINITY : metric->b == 0 ? 1 : NAN;
    }
    switch (condition->of) {
    case OF_DIFFERENCE:
        value = b - metric->a;
        unit = 1;
        break;
    case OF_RATIO:
        value = metric->is_distance ? NAN : ratio;
        unit = metric->a;
        break;
    case OF_PER_CENT:
        value = metric->is_distance ? NAN : 100 * (ratio - 1);
        unit = metric->a / 100;
        break;
    case OF_B:
        break;
    }
    return unit != 0 && fabs((value - condition->threshold) * unit) <=
                            4 * DBL_EPSILON * fmax(fabs(metric->a), fabs(b))
               ? condition->threshold
               : value;
}

static bool condition_is_beyond(const struct compare_condition *condition, double value) {
    return (condition->is_less ? value < condition->threshold : value > condition->threshold) ||
           (condition->or_equal && value == condition->threshold);
}

static void append_condition_value(struct text *line, const struct compare_condition *condition,
                                   double value) {
    text_append_format(line,
                       condition->of == OF_PER_CENT     ? "%+.4g %%"
                       : condition->of == OF_DIFFERENCE ? "%+.6g"
                       : condition->of == OF_RATIO      ? "x%.4g"
                                                        : "%.6g",
                       value);
}

/* Returns whether the whole confidence interval is beyond the limit. Without an interval: true if
 * the verdict is clear without it, such as if b is 0, or if the condition is on a count of b. */
static bool is_certain(const struct compare_condition *condition,
                       const struct compare_metric *metric) {
    if (metric->is_distance) {
        return condition->is_less || metric->verdict == VERDICT_MORE;
    }
    return isnan(metric->low)
               ? metric->verdict != VERDICT_UNCLEAR ||
                     (condition->of == OF_B && metric->kind == COLUMN_INTEGER)
               : condition_is_beyond(
                     condition,
                     condition_value_of(condition, metric,
                                        condition->is_less ? metric->high : metric->low));
}

static const char *why_uncertain(const struct compare_metric *metric) {
    return metric->is_distance && isnan(metric->p)
               ? "p is not known; --certainty point tests the value without it"
           : metric->is_distance ? "the difference may be chance"
           : isnan(metric->low)  ? "its confidence interval is not known; --certainty point tests "
                                   "the value without it"
                                 : "its confidence interval includes values within the limit";
}

static enum condition_state decide_condition(const struct compare_condition *condition,
                                             const struct compare_metric *metric,
                                             bool wants_interval, const char **why) {
    double value = condition_value_of(condition, metric, metric->ratio);

    *why = "";
    if (isnan(value) || metric->verdict == VERDICT_NOT_COMPARABLE) {
        *why = "not comparable";
        return CONDITION_UNDECIDED;
    }
    if (metric->joined) {
        *why = "events were lost, so a time may join two requests";
        return CONDITION_UNDECIDED;
    }
    if (!condition_is_beyond(condition, value)) {
        return CONDITION_PASSED;
    }
    if (!wants_interval || is_certain(condition, metric)) {
        return CONDITION_FAILED;
    }
    *why = why_uncertain(metric);
    return CONDITION_UNDECIDED;
}

/* Appends the change from a to b and its confidence bounds, in the unit of the limit. */
static void condition_append_change(struct text *line, const struct compare_condition *condition,
                                    const struct compare_metric *metric) {
    double value = condition_value_of(condition, metric, metric->ratio);

    if (metric->is_distance || isnan(value) || isinf(value)) {
        return;
    }
    text_append_string(line, ": ");
    append_condition_value(line, condition, value);
    if (!isnan(metric->low)) {
        text_append_string(line, ", from ");
        append_condition_value(line, condition, condition_value_of(condition, metric, metric->low));
        text_append_string(line, " to ");
        append_condition_value(line, condition,
                               condition_value_of(condition, metric, metric->high));
    }
}

static void append_number(struct text *line, const char *before, double number) {
    text_append_format(line, isnan(number) ? "%sunknown" : "%s%.10g", before, number);
}

/* Appends the outcome: `FAILED popularity.fsync.count 8 to 204 (limit +10 %): +2450 %`. */
static void note_condition(const struct compare_condition *condition,
                           const struct compare_metric *metric, enum condition_state state,
                           const char *why, struct text *line) {
    static const char *const words[] = {[CONDITION_PASSED] = "passed ",
                                        [CONDITION_FAILED] = "FAILED ",
                                        [CONDITION_UNDECIDED] = "undecided "};

    text_append_string(line, words[state]);
    text_append(line, condition->path, condition->path_length);
    if (metric->is_distance && !isnan(metric->b)) {
        text_append_format(line, " %.6g", metric->b);
    } else if (metric->is_distance) {
        append_number(line, " ", metric->b);
    } else {
        append_number(line, " ", metric->a);
        append_number(line, " to ", metric->b);
    }
    text_append_string(line, condition->is_less ? " (lower limit " : " (limit ");
    append_condition_value(line, condition, condition->threshold);
    text_append_string(line, ")");
    condition_append_change(line, condition, metric);
    text_append_string(line, *why == '\0' ? "" : "; ");
    text_append_string(line, why);
}

/* Returns whether all traces of a side have no events in its window of time. A count of 0 there is
 * none of the log. */
static bool is_outside_window(const struct comparison *comparison, enum side which) {
    const struct compare_side *side = &comparison->sides[which];
    size_t outside = 0;

    for (size_t i = 0; i < side->trace_count; i++) {
        outside += window_is_outside(side->traces[i], &comparison->request->sides[which].filter);
    }
    return outside > 0 && outside == side->trace_count;
}

static bool condition_check_condition(const struct compare_condition *condition,
                                      struct comparison *comparison, enum condition_state *state,
                                      struct text *line, struct error *error) {
    struct finding finding = {.condition = condition};
    bool a_is_outside, b_is_outside;
    const char *why;

    if (!comparison_make(comparison, error)) {
        return false;
    }
    a_is_outside = is_outside_window(comparison, SIDE_A);
    b_is_outside = is_outside_window(comparison, SIDE_B);
    finding.rows_only = comparison->method == &compare_rows;
    compare_visit_metrics(comparison, match_metric, &finding);
    if (!finding.found) {
        return error_usage(error,
                           "--fail-if '%s': report %s has no such row, neither in a nor in b",
                           condition->text, condition->report);
    }
    *state = decide_condition(condition, &finding.metric, comparison->request->blocks > 0, &why);
    if (*state == CONDITION_FAILED && compare_has_too_few_traces(comparison) &&
        !isnan(finding.metric.low)) {
        *state = CONDITION_UNDECIDED;
        why = "with so few traces p cannot be low enough; --certainty point tests the value "
              "without it";
    }
    if (a_is_outside || b_is_outside) {
        *state = CONDITION_UNDECIDED;
        why = !b_is_outside   ? "a has no events in that time"
              : !a_is_outside ? "b has no events in that time"
                              : "a and b have no events in that time";
    }
    note_condition(condition, &finding.metric, *state, why, line);
    return true;
}

bool compare_condition_check(const struct compare_condition *condition, struct workspace *workspace,
                             const struct compare_request *given, bool point,
                             enum condition_state *state, struct text *line, struct error *error) {
    struct compare_request request = *given, part;
    struct compare_kinds parts;
    bool done = false;

    request.sides[SIDE_A].report = request.sides[SIDE_B].report = condition->report;
    request.confidence = CONFIDENCE;
    request.sort = SORT_USUAL;
    request.per = condition->per;
    request.blocks = point ? 0 : request.blocks;
    if (!workspace_begin(workspace, error)) {
        return false;
    }
    parts = compare_kinds_of(workspace, &request);
    while (!done && compare_kinds_next(&parts, &part)) { /* until a kind of traces has the row */
        struct comparison comparison = {.is_known = true, .workspace = workspace, .request = &part};

        *error = (struct error){0};
        done = condition_check_condition(condition, &comparison, state, line, error);
        comparison_free(&comparison);
    }
    if (done && parts.count > 1) {
        text_append_format(line, "; of %s", trace_kind_words((enum trace_kind)(parts.next - 1)));
    }
    workspace_end(workspace);
    return done;
}

#include "compare/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "base/words.h"
#include "compare/request.h"
#include "report/choose.h"

/* --- normalising ------------------------------------------------------------------------------ */

enum compare_per comparison_per(const struct comparison *comparison) {
    return comparison->request->per == PER_USUAL ? comparison->method->usual_per
                                                 : comparison->request->per;
}

/* Upside down a call counts in each row beneath its function's. */
static double calls_of_roots(const struct compare_tree *tree, enum side side) {
    double calls = 0;

    for (size_t i = 0; i < tree->count; i++) {
        if (tree->nodes[i].above == COMPARE_NO_NODE) {
            calls += (double)tree->nodes[i].row->numbers[side][NUMBER_CALLS];
        }
    }
    return calls;
}

/* What a side is divided by. */
static double divisor(const struct comparison *comparison, enum side side) {
    const struct compare_side *one = &comparison->sides[side];

    switch (comparison_per(comparison)) {
    case PER_SECOND:
        return one->observed / 1e9;
    case PER_CALL:
    case PER_IO:
        if (comparison->tree.inverted) {
            return calls_of_roots(&comparison->tree, side);
        }
        return comparison->method == &compare_times || comparison->method->is_tree
                   ? one->totals[NUMBER_CALLS]
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

static void sort(struct comparison *comparison) {
    if (comparison->method->is_tree) {
        compare_tree_sort(&comparison->tree, &comparison->table, compare_sorted, comparison);
    } else {
        compare_table_sort(&comparison->table, compare_sorted, comparison);
    }
}

/* --- choosing ----------------------------------------------------------------------------------
 */

bool comparison_wants(const struct comparison *comparison, const struct compare_row *row) {
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

/* --- all of it -------------------------------------------------------------------------------- */

/* A block of time is no trace: beside several traces, one is a single block. */
static void join_blocks(struct comparison *comparison) {
    bool several = compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST;

    for (enum side side = SIDE_A; several && side < SIDES; side++) {
        if (comparison->sides[side].trace_count == 1) {
            compare_groups_join(&comparison->groups, side);
        }
    }
}

/* Whether both sides are the same events: they differ by nothing but their windows. */
static bool is_itself(const struct comparison *comparison) {
    const struct filter *a = &comparison->request->sides[SIDE_A].filter;
    const struct filter *b = &comparison->request->sides[SIDE_B].filter;

    return compare_is_same(comparison) && a->from.kind == b->from.kind &&
           a->from.time == b->from.time && a->to.kind == b->to.kind && a->to.time == b->to.time;
}

/* The facts that no log of a side states. A side that cannot be read says so when it is. */
static unsigned unknown_of(const struct comparison *comparison, enum side side) {
    struct choice *choices = NULL;
    struct error ignored = {0};
    unsigned unknown = 0;
    size_t count = 0;

    if (choose(&comparison->workspace->catalog, comparison->workspace->queries,
               &comparison->request->sides[side], &choices, &count, &ignored)) {
        unknown = count == 0 ? 0 : ~0u;
        for (size_t i = 0; i < count; i++) {
            unknown &= choices[i].trace->unknown;
        }
    }
    free(choices);
    return unknown;
}

/* What one side does not know cannot be compared: the other one leaves it out, too. */
static void leave_out_unknown(struct comparison *comparison) {
    unsigned unknown = unknown_of(comparison, SIDE_A) | unknown_of(comparison, SIDE_B);

    comparison->both = *comparison->request;
    for (int i = 0; i < SIDES; i++) {
        comparison->both.sides[i].unknown |= unknown;
    }
    comparison->request = &comparison->both;
}

bool comparison_make(struct comparison *comparison, struct error *error) {
    const struct compare_request *request = comparison->request;

    comparison->names.strip_hex = request->strip_hex;
    if (!request_tell_apart(request->sides, SIDES, &comparison->workspace->catalog,
                            comparison->workspace->database, error)) {
        return false;
    }
    leave_out_unknown(comparison);
    if ((request->match != NULL &&
         !compare_names_load(&comparison->names, request->match, error)) ||
        !compare_side_read(comparison, SIDE_A, error) || !check_words(comparison, error) ||
        (comparison->check != NULL && !comparison->check(comparison, error)) ||
        !compare_side_read(comparison, SIDE_B, error) || !compare_check(comparison, error)) {
        return false;
    }
    comparison->is_itself = is_itself(comparison);
    comparison->mean_low = comparison->mean_high = NAN;
    join_blocks(comparison);
    find_scale(comparison);
    if (!comparison->method->finish(comparison, error) || !compare_mismatches(comparison, error)) {
        return false;
    }
    sort(comparison);
    return !request->strict || comparison->mismatches.count == 0 ||
           error_set(error, "a and b are hard to compare (--strict): %s",
                     comparison->mismatches.lines[0]);
}

void comparison_free(struct comparison *comparison) {
    remarks_free(&comparison->remarks);
    remarks_free(&comparison->mismatches);
    compare_table_free(&comparison->table);
    compare_tree_free(&comparison->tree);
    compare_groups_free(&comparison->groups);
    compare_names_free(&comparison->names);
    compare_side_free(&comparison->sides[SIDE_A]);
    compare_side_free(&comparison->sides[SIDE_B]);
}

const char *const compare_per_names[COMPARE_PERS] = {"", "none", "second", "call", "io", "run"};
const char *const compare_only_names[COMPARE_ONLYS] = {"", "both", "a", "b", "changed"};
const char *const compare_sort_names[COMPARE_SORTS] = {"",     "part", "delta", "ratio",
                                                       "rank", "a",    "b"};
const char *const compare_widths_names[COMPARE_WIDTHS] = {"max", "a", "b"};
const char *const compare_adjustment_names[ADJUSTMENTS] = {"bh", "holm"};

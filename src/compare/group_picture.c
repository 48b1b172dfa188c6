/* Pictures of values: of each group the distribution on both sides, or the ratio of its quantiles.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/picture.h"

/* --- which groups ----------------------------------------------------------------------------- */

/* Of the largest groups alone it is known how their values are spread. */
static bool has_curve(const struct compare_group *group, enum side side) {
    return group->has[side] && group->cuts[side].counts != NULL;
}

static bool can_be_drawn(const struct comparison *comparison, const struct compare_group *group) {
    if (comparison->request->drawing == DRAWING_SHIFT) {
        return group->has[SIDE_A] && group->has[SIDE_B];
    }
    return has_curve(group, SIDE_A) || has_curve(group, SIDE_B);
}

static bool is_among(const size_t *groups, size_t count, size_t group) {
    for (size_t i = 0; i < count; i++) {
        if (groups[i] == group) {
            return true;
        }
    }
    return false;
}

/* Groups in the order in which the rows name them. */
static size_t choose_groups(const struct comparison *comparison, size_t *groups) {
    const struct compare_table *table = &comparison->table;
    int64_t top = comparison->request->top;
    size_t most = top > 0 && top < COMPARE_PICTURE_GROUPS ? (size_t)top : COMPARE_PICTURE_GROUPS;
    size_t count = 0;

    for (size_t i = 0; i < table->count && count < most; i++) {
        const struct compare_row *row = table->rows[i];

        if (comparison_wants(comparison, row) && !is_among(groups, count, row->group) &&
            can_be_drawn(comparison, &comparison->groups.groups[row->group])) {
            groups[count++] = row->group;
        }
    }
    return count;
}

/* --- distributions ---------------------------------------------------------------------------- */

static const struct column curve_columns[] = {{"value", "ns", COLUMN_DURATION},
                                              {"cumulative_a", "fraction", COLUMN_SHARE},
                                              {"cumulative_b", "fraction", COLUMN_SHARE}};

#define CURVE_COLUMNS (sizeof curve_columns / sizeof curve_columns[0])

/* How many values of all blocks are in the bucket. */
static uint64_t count_in(const struct compare_cut *cut, int64_t bucket) {
    int64_t place = bucket - cut->least;
    uint64_t count = 0;

    if (place >= 0 && place < (int64_t)cut->places) {
        for (size_t block = 0; block < cut->blocks; block++) {
            count += cut->counts[block * cut->places + (size_t)place];
        }
    }
    return count;
}

/* The buckets of both sides: from `*first` on, before `*end`. */
static void find_range(const struct compare_group *group, int64_t *first, int64_t *end) {
    *first = INT64_MAX;
    *end = INT64_MIN;
    for (enum side side = SIDE_A; side < SIDES; side++) {
        const struct compare_cut *cut = &group->cuts[side];

        if (has_curve(group, side)) {
            *first = cut->least < *first ? cut->least : *first;
            *end =
                cut->least + (int64_t)cut->places > *end ? cut->least + (int64_t)cut->places : *end;
        }
    }
}

/* The middle of the bucket's values. */
static int64_t value_of(int64_t bucket) {
    double value = bucket == 0 ? 0 : exp2(distribution_bucket(bucket));

    return value < 9.2e18 ? (int64_t)nearbyint(value) : INT64_MAX;
}

/* A row for each bucket in which there is a value of any side. */
static bool print_curve(const struct compare_group *group, struct printer *printer,
                        struct error *error) {
    uint64_t seen[SIDES] = {0}, all[SIDES] = {0};
    int64_t first, end;
    bool done = true;

    find_range(group, &first, &end);
    for (int64_t bucket = first; bucket < end; bucket++) {
        all[SIDE_A] += count_in(&group->cuts[SIDE_A], bucket);
        all[SIDE_B] += count_in(&group->cuts[SIDE_B], bucket);
    }
    for (int64_t bucket = first; done && bucket < end; bucket++) {
        struct value values[CURVE_COLUMNS] = {{0}};
        uint64_t here = 0;

        for (enum side side = SIDE_A; side < SIDES; side++) {
            uint64_t count = count_in(&group->cuts[side], bucket);

            here += count;
            seen[side] += count;
            compare_put_real(&values[1 + side],
                             all[side] > 0 ? (double)seen[side] / (double)all[side] : NAN);
        }
        compare_put_integer(&values[0], value_of(bucket));
        done = here == 0 || printer_row(printer, values, error);
    }
    return done;
}

/* --- quantiles -------------------------------------------------------------------------------- */

/* The group's rows, by level; those that --only leaves out, too. */
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
    for (int level = 0; done && level < COMPARE_LEVELS; level++) {
        struct value values[QUERY_COLUMNS + COMPARE_COLUMNS] = {{0}};

        if (rows[level] == NULL) {
            continue;
        }
        for (size_t i = 0; i < table->key_count; i++) {
            values[i] = rows[level]->keys[i];
        }
        comparison->method->fill(comparison, rows[level], values + table->key_count);
        done = printer_row(printer, values, error);
    }
    return done;
}

/* --- results ---------------------------------------------------------------------------------- */

bool compare_picture_is_of_groups(const struct comparison *comparison) {
    return comparison->method == &compare_values;
}

size_t compare_picture_group_count(const struct comparison *comparison) {
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

bool compare_picture_groups(const struct comparison *comparison, struct result *result,
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
        /* What stands above all of them is said once. */
        result->trace_count = 0;
        result->remark_count = 0;
    }
    return done;
}

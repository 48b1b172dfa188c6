#include "compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/saturate.h"
#include "base/search.h"
#include "base/words.h"
#include "compare/request.h"
#include "report/choose.h"
#include "report/report.h"

static const struct compare_method_row *const methods[] = {
    [COMPARE_COUNTS] = &compare_counts, [COMPARE_SIZES] = &compare_sizes,
    [COMPARE_TIMES] = &compare_times,   [COMPARE_CLOCK] = &compare_clock,
    [COMPARE_VALUES] = &compare_values, [COMPARE_ROWS] = &compare_rows,
    [COMPARE_TREE] = &compare_paths,
};

/* Columns of a report, by their role in the comparison. */
struct places {
    const struct result *result;
    bool is_key[QUERY_COLUMNS];
    bool is_value[QUERY_COLUMNS]; /* true: the method `rows` compares the column's values */
    /* column index of each role; -1: the report has no such column */
    int numbers[NUMBERS], seconds, has_sign, group, depth, total, count, deviation;
    size_t keys;  /* number of key columns */
    bool several; /* true: with the method `rows`, the report has more than one column of values */
};

const char *compare_side_name(const struct compare_side *side) {
    return side->traces[0]->name;
}

/* Sets side->observed: the time from first to last selected event, summed over the traces. */
static bool find_observed(struct compare_side *side, const struct selection *selection,
                          struct error *error) {
    struct database_query query =
        database_query(selection->database, error,
                       "SELECT total(iif(x.last_event = t.last_event AND x.to_end, t.last_time,"
                       " e.time) - s.time) FROM temp.selection AS x"
                       " CROSS JOIN main.trace AS t ON t.id = x.trace"
                       " CROSS JOIN main.event AS s ON s.id = x.first_event"
                       " CROSS JOIN main.event AS e ON e.id = x.last_event"
                       " WHERE x.first_event <= x.last_event",
                       "");

    if (database_next(&query)) {
        side->observed = sqlite3_column_double(query.row, 0);
    }
    return database_end(&query);
}

static bool comparison_find_action(struct compare_side *side, const struct selection *selection,
                                   struct error *error) {
    struct database_query query;

    if (selection->traces[0].action <= 0 || side->query->all_actions) {
        return true;
    }
    query = database_query(selection->database, error, "SELECT text FROM main.name WHERE id = ?1",
                           "i", selection->traces[0].action);
    if (database_next(&query) && sqlite3_column_type(query.row, 0) == SQLITE_TEXT) {
        side->action = xstrdup((const char *)sqlite3_column_text(query.row, 0));
    }
    return database_end(&query);
}

static void comparison_set_traces(struct compare_side *side, const struct selection *selection) {
    const struct catalog_trace **traces =
        xcalloc(selection->count, sizeof(const struct catalog_trace *));

    for (size_t i = 0; i < selection->count; i++) {
        traces[i] = selection->traces[i].trace;
    }
    side->traces = traces;
    side->trace_count = selection->count;
    side->clock_unit = traces[0]->clock_unit;
}

/* --- reading rows of the report on a side ----------------------------------------------------- */

static bool is_value(const struct query *query, const struct column *column) {
    if (query->compare.value != NULL) {
        return word_in(query->compare.value, column->name);
    }
    return !column_kind_is_text(column->kind) && column->kind != COLUMN_NUMBER &&
           column->kind != COLUMN_TIME && !word_in(query->meanless, column->name);
}

static void comparison_find_places(struct comparison *comparison, enum side which,
                                   const struct result *result, struct places *places) {
    struct compare_side *side = &comparison->sides[which];
    const struct query_compare *compare = &side->query->compare;
    size_t keys = 0, values = 0;

    *places = (struct places){.result = result};
    comparison->names.has_pids =
        !(side->query->kinds >> TRACE_IO & 1) ||
        request_option(&comparison->request->sides[which], "by-pid") != NULL;
    comparison->names.trace = comparison->request->sides[which].trace_count == 1
                                  ? comparison->request->sides[which].traces[0]
                                  : NULL;
    for (size_t i = 0; i < result->column_count; i++) {
        places->is_key[i] = word_in(compare->key, result->columns[i].name);
        if (places->is_key[i]) {
            side->keys[keys++] = result->columns[i];
        } else {
            places->is_value[i] = is_value(side->query, &result->columns[i]);
            values += places->is_value[i];
        }
    }
    places->several = values > 1;
    places->keys = keys;
    places->numbers[NUMBER_VALUE] =
        column_find(result->columns, result->column_count,
                    compare->time != NULL ? compare->time : compare->value);
    places->numbers[NUMBER_CALLS] =
        column_find(result->columns, result->column_count, compare->calls);
    places->seconds = column_find(result->columns, result->column_count, compare->seconds);
    places->has_sign = column_find(result->columns, result->column_count, compare->has_sign);
    places->count = column_find(result->columns, result->column_count, compare->count);
    places->deviation = column_find(result->columns, result->column_count, compare->deviation);
    places->group = column_find(result->columns, result->column_count, compare->group);
    places->total = column_find(result->columns, result->column_count, compare->total);
    places->depth = column_find(result->columns, result->column_count, "depth");
    comparison->tree.inverted =
        comparison->method->is_tree &&
        column_find(result->columns, result->column_count, "self_share") >= 0;
    comparison->table.keeps_given = comparison->method->keeps_given;
    comparison->table.key_count = keys;
    side->number_key =
        keys > 0 && !column_kind_is_text(side->keys[0].kind) ? side->keys[0].name : NULL;
    for (size_t i = 0; comparison->method->keys[i].name != NULL; i++) {
        side->keys[i] = comparison->method->keys[i];
        comparison->table.key_count = i + 1;
    }
}

/* Copies a row's key columns, with names replaced (compare_names). Copies the bytes, too, since the
 * next replacement overwrites its buffer. */
static void comparison_copy_key(struct comparison *comparison, enum side side,
                                const struct places *places, const struct value *values,
                                struct value *keys) {
    bool is_renamed = false;
    size_t count = 0;

    for (size_t i = 0; i < places->result->column_count; i++) {
        struct value key = values[i];

        if (!places->is_key[i]) {
            continue;
        }
        key.kind = COLUMN_ANY;
        key.unit = NULL;
        is_renamed |=
            compare_names_apply(&comparison->names, side == SIDE_A, places->result->columns[i].name,
                                count > 0 ? keys : NULL, &key);
        compare_table_store(&keys[count++], &key);
    }
    comparison->renamed[side] += is_renamed && comparison->block == NULL;
}

static int64_t comparison_count_of(const struct value *value) {
    int64_t count = value->type == VALUE_INTEGER ? value->integer : 0;

    return count > 0 ? count : 0;
}

static void comparison_copy_numbers(struct comparison *comparison, enum side side,
                                    const struct places *places, const struct value *values,
                                    struct compare_row *row) {
    for (int i = 0; i < NUMBERS; i++) {
        if (places->numbers[i] >= 0) {
            int64_t count = comparison_count_of(&values[places->numbers[i]]);

            add_saturated(&row->numbers[side][i], count);
            comparison->sides[side].totals[i] += (double)count;
        }
    }
    row->timed[side] |= places->numbers[NUMBER_VALUE] >= 0 &&
                        values[places->numbers[NUMBER_VALUE]].type != VALUE_NULL;
}

/* Adds a call path (one row of a call tree). Its key is the depth and the function's name. */
static bool add_path(struct comparison *comparison, enum side side, const struct places *places,
                     const struct value *keys, const struct value *values, struct error *error) {
    const struct value *depth = &values[places->depth];
    const struct value *name =
        &keys[column_find(places->result->columns, places->result->column_count, "name") >
              places->depth];
    struct compare_row *row;

    if (!compare_tree_add(&comparison->tree, &comparison->table, side,
                          depth->type == VALUE_INTEGER ? depth->integer : -1, name, &row, error)) {
        return error_context(error, "report %s", comparison->sides[side].query->report);
    }
    comparison_copy_numbers(comparison, side, places, values, row);
    add_saturated(&comparison->tree.nodes[row->number].totals[side],
                  comparison_count_of(&values[places->total]));
    return true;
}

/* Adds counts or times of a row of the report to the row of the comparison with the same key. */
static bool add_numbers(struct comparison *comparison, enum side side, const struct places *places,
                        const struct value *keys, const struct value *values, struct error *error) {
    const struct compare_block *block = comparison->block;
    struct compare_row *row;

    if (block != NULL) {
        /* A user's query may return rows for an interval that it does not return for the whole
         * trace; these are ignored. */
        row = compare_table_find(&comparison->table, keys);
        if (row != NULL) {
            block->counts[block->places[row->number]] +=
                (double)comparison_count_of(&values[places->numbers[NUMBER_VALUE]]);
        }
        return true;
    }
    if (!compare_table_row(&comparison->table, side, keys, &row, error)) {
        return false;
    }
    comparison_copy_numbers(comparison, side, places, values, row);
    if (places->seconds >= 0 && values[places->seconds].type == VALUE_REAL) {
        row->seconds[side] += values[places->seconds].real;
    }
    return true;
}

/* --- rows whose values are compared one by one ------------------------------------------------ */

/* Finds or adds the row of that name for a side. If the side already has a row of that name, a
 * number is appended, as in "name (2)"; the first row counts these copies. */
static bool find_free(struct comparison *comparison, enum side side, struct text *name,
                      struct compare_row **row, struct error *error) {
    size_t length = name->length;
    struct compare_row *first = NULL;

    for (;;) {
        struct value key = {.type = VALUE_TEXT, .bytes = text_string(name), .length = name->length};
        bool had;

        if (!compare_table_row(&comparison->table, side, &key, row, error)) {
            return false;
        }
        had = (*row)->given[side].kind != COLUMN_ANY || (*row)->given[side].type != VALUE_NULL;
        if (!had) {
            return true;
        }
        first = first == NULL ? *row : first;
        name->length = length;
        text_append_format(name, " (%d)", ++first->copies[side] + 1);
    }
}

/* Stores the value of a report's row for one block. Skips names that occur in several rows, because
 * their order may differ between blocks. */
static void store_block_value(const struct comparison *comparison, const struct text *name,
                              const struct value *value, const struct value *calls) {
    const struct value key = {
        .type = VALUE_TEXT, .bytes = text_string(name), .length = name->length};
    const struct compare_block *block = comparison->block;
    const struct compare_row *row = compare_table_find(&comparison->table, &key);

    if (row != NULL && row->copies[SIDE_A] == 0 && row->copies[SIDE_B] == 0) {
        block->counts[block->places[row->number]] = value_number(value);
        if (block->calls != NULL && calls != NULL) {
            block->calls[block->places[row->number]] = value_number(calls);
        }
    }
}

/* Returns a string literal for the unit, since `unit` is freed with the report; NULL: unknown. */
static const char *static_copy_of_unit(const char *unit) {
    return strcmp(unit, "bytes") == 0 ? "bytes" : strcmp(unit, "ns") == 0 ? "ns" : NULL;
}

static void comparison_append_value(struct text *out, const struct value *value) {
    if (value->type == VALUE_TEXT || value->type == VALUE_BLOB) {
        text_append(out, value->bytes, value->length);
    } else if (value->type == VALUE_INTEGER) {
        text_append_integer(out, value->integer);
    } else if (value->type == VALUE_REAL) {
        text_append_format(out, "%.6f", value->real);
    }
}

/* Appends the columns of a row's key, separated by spaces. Unused elements of `keys` are NULL. */
static void comparison_append_name(const struct value *keys, struct text *name) {
    for (size_t i = 0; i < QUERY_COLUMNS; i++) {
        if (keys[i].type != VALUE_NULL) {
            text_append_string(name, name->length == 0 ? "" : " ");
            comparison_append_value(name, &keys[i]);
        }
    }
}

static bool add_given(struct comparison *comparison, enum side side, const struct places *places,
                      const struct value *keys, const struct value *values, struct error *error) {
    const struct column *columns = places->result->columns;
    struct text name = {0};
    size_t prefix;
    bool done = true;

    comparison_append_name(keys, &name);
    prefix = name.length;
    for (size_t i = 0; done && i < places->result->column_count; i++) {
        struct value value = values[i];
        struct compare_row *row;

        if (!places->is_value[i]) {
            continue;
        }
        name.length = prefix;
        if (places->several) {
            text_append_format(&name, "%s%s", prefix > 0 ? " " : "", columns[i].name);
        }
        if (comparison->block != NULL) {
            store_block_value(
                comparison, &name, &value,
                places->numbers[NUMBER_CALLS] < 0 ? NULL : &values[places->numbers[NUMBER_CALLS]]);
            continue;
        }
        value.kind = printer_value_kind(&values[i], &columns[i]);
        value.unit = static_copy_of_unit(values[i].unit != NULL ? values[i].unit : columns[i].unit);
        done = find_free(comparison, side, &name, &row, error);
        if (done) {
            compare_table_store(&row->given[side], &value);
            row->subject = places->several ? prefix : 0;
        }
        if (done && comparison->sides[side].query->compare.time != NULL &&
            (int)i == places->numbers[NUMBER_VALUE]) {
            comparison_copy_numbers(comparison, side, places, values, row);
            row->leading = places->keys > 1 && keys[0].type == VALUE_TEXT ? keys[0].length : 0;
        }
        if (done && places->has_sign >= 0) {
            const struct value *has_sign = &values[places->has_sign];

            row->has_sign |= has_sign->type == VALUE_INTEGER && has_sign->integer != 0;
        }
        if (done && places->count >= 0 && places->deviation >= 0) {
            row->count[side] = value_number(&values[places->count]);
            row->deviation[side] = value_number(&values[places->deviation]);
        }
    }
    text_free(&name);
    return done;
}

/* --- reading groups of values ----------------------------------------------------------------- */

/* Adds one row for each figure of a group of values (such as latencies of reads): its quantiles,
 * maximum, mean and number of values. */
static bool add_levels(struct comparison *comparison, enum side side, size_t group,
                       struct error *error) {
    const char *name = comparison->groups.groups[group].name;

    for (int level = 0; level < COMPARE_LEVELS; level++) {
        const struct value keys[] = {
            value_text(name),
            value_text(compare_levels[level]),
        };
        struct compare_row *row;

        if (!compare_table_row(&comparison->table, side, keys, &row, error)) {
            return false;
        }
        row->group = group;
        row->level = level;
    }
    return true;
}

static bool comparison_add_group(struct comparison *comparison, enum side side,
                                 const struct places *places, const struct value *keys,
                                 const struct value *values, struct error *error) {
    struct text name = {0};
    size_t group;
    bool done;

    comparison_append_name(keys, &name);
    done = compare_groups_read(&comparison->groups, side, comparison->reading, comparison->temp,
                               &values[places->group], text_string(&name), &group, error) &&
           add_levels(comparison, side, group, error);
    text_free(&name);
    return done;
}

static bool comparison_add_row(struct comparison *comparison, enum side side,
                               const struct places *places, const struct value *values,
                               struct error *error) {
    struct value keys[QUERY_COLUMNS] = {{0}};
    bool done;

    comparison_copy_key(comparison, side, places, values, keys);
    done = places->group >= 0 ? comparison_add_group(comparison, side, places, keys, values, error)
           : places->total >= 0 ? add_path(comparison, side, places, keys, values, error)
           : comparison->method->keeps_given
               ? add_given(comparison, side, places, keys, values, error)
               : add_numbers(comparison, side, places, keys, values, error);
    for (size_t i = 0; i < QUERY_COLUMNS; i++) {
        if (keys[i].type == VALUE_TEXT || keys[i].type == VALUE_BLOB) {
            free((char *)keys[i].bytes);
        }
    }
    return done;
}

/* --- running the report on a side ------------------------------------------------------------- */

static bool choose_method(struct comparison *comparison, enum side which, struct error *error) {
    const struct compare_side *side = &comparison->sides[which];
    const struct query_compare *compare = &side->query->compare;

    if (compare->method == COMPARE_NOT) {
        return error_usage(error,
                           "report %s cannot be compared: its query file %s has no line "
                           "compare:",
                           side->query->report, side->query->file);
    }
    if (which == SIDE_B && !compare_check_kinds(comparison, error)) {
        return false;
    }
    if (which == SIDE_B &&
        (comparison->method != methods[compare->method] ||
         strcmp(comparison->sides[SIDE_A].query->compare.key, compare->key) != 0)) {
        return error_usage(error,
                           "%s and %s cannot be compared: report %s is in %s for the first, and in "
                           "%s for the second",
                           compare_side_name(&comparison->sides[SIDE_A]), compare_side_name(side),
                           side->query->report, comparison->sides[SIDE_A].query->file,
                           side->query->file);
    }
    comparison->method = methods[compare->method];
    return true;
}

static bool comparison_read_rows(struct comparison *comparison, enum side side,
                                 struct report *report, const struct result *result,
                                 struct error *error) {
    const struct value *values;
    struct places places;
    bool done;

    comparison_find_places(comparison, side, result, &places);
    comparison->temp = report_selection(report)->temp;
    while ((done = report_next_row(report, &values, error)) && values != NULL) {
        if (comparison->visit != NULL) {
            comparison->visit(comparison->context, side, result, values);
        }
        if (!comparison_add_row(comparison, side, &places, values, error)) {
            return false;
        }
    }
    return done;
}

/* Checks that the report gives one result for all traces of a side, since only the first result is
 * read. Returns false with the error set if there is another one. */
static bool check_last(const struct comparison *comparison, enum side which, struct report *report,
                       struct error *error) {
    const struct compare_side *side = &comparison->sides[which];
    const struct result *result = NULL;

    if (!report_next(report, &result, error)) {
        return false;
    }
    if (result == NULL) {
        return true;
    }
    if (side->query->apart) {
        error_usage(error,
                    "report %s gives one result for each trace, and results cannot be added up: "
                    "compare single traces",
                    side->query->report);
    } else {
        error_usage(error,
                    "traces %s and %s cannot be added up: they are of different kinds, or have "
                    "different clocks",
                    compare_side_name(side), result->traces[0].name);
    }
    error->absent = true;
    return false;
}

static bool find_quality(const struct comparison *comparison, struct compare_side *side,
                         const struct selection *selection, struct error *error) {
    const struct compare_quality_wanted wanted = {
        .filter = !comparison->is_known,
        .times = comparison->method == &compare_values && selection->times == CALL_TIMES_FIRST,
        /* Also without blocks: whether a side has events at all decides if it has distances. */
        .rates = comparison->method == &compare_counts || comparison->method == &compare_sizes ||
                 comparison->method == &compare_clock,
        .per_second =
            comparison->method == &compare_clock || comparison_per(comparison) == PER_SECOND,
    };

    return compare_quality_read(&side->quality, side->query, selection, &wanted, error);
}

static bool comparison_read_result(struct comparison *comparison, enum side which,
                                   struct report *report, const struct result *result,
                                   struct error *error) {
    struct compare_side *side = &comparison->sides[which];
    const struct selection *selection = report_selection(report);

    side->query = report_query(report);
    comparison_set_traces(side, selection);
    for (size_t i = 0; i < result->remark_count; i++) {
        notes_append(&side->notes, "%s", result->remarks[i]);
    }
    if (!choose_method(comparison, which, error) || !find_observed(side, selection, error) ||
        !comparison_find_action(side, selection, error) ||
        !find_quality(comparison, side, selection, error)) {
        return false;
    }
    comparison->reading = side->trace_count > 1 ? READ_TOTALS : READ_ALL;
    return comparison_read_rows(comparison, which, report, result, error) &&
           compare_side_split_into_blocks(comparison, which, selection, error) &&
           check_last(comparison, which, report, error);
}

/* Runs the comparison's report on a side with a changed request, and reads its rows. */
static bool read_other(struct comparison *comparison, enum side side,
                       const struct report_request *request, struct error *error) {
    struct report_request rows = *request;
    struct report *report;
    const struct result *result = NULL;
    bool done;

    rows.rows_only = true;
    report = report_open(comparison->workspace, &rows, error);
    done = report != NULL && report_next(report, &result, error) &&
           (result == NULL || comparison_read_rows(comparison, side, report, result, error));
    report_close(report);
    return done;
}

bool compare_side_read_block(struct comparison *comparison, enum side side,
                             const struct report_request *request, struct compare_block *block,
                             struct error *error) {
    bool done;

    comparison->block = block;
    done = read_other(comparison, side, request, error);
    comparison->block = NULL;
    return done;
}

/* Runs the report on one trace of a side. The trace's values become one block for resampling. */
static bool read_apart(struct comparison *comparison, enum side which, size_t trace,
                       const struct distribution_naming *naming, struct error *error) {
    const char *const word = catalog_unique_word(&comparison->workspace->catalog,
                                                 comparison->sides[which].traces[trace]);
    struct report_request request = comparison->request->sides[which];

    request.traces = &word;
    request.trace_count = 1;
    request.study = NULL;
    request.blocks = 1;
    request.naming = naming;
    comparison->reading = READ_BLOCKS;
    return read_other(comparison, which, &request, error);
}

/* Reads the groups of values again if different names became the same by replacement. If the side
 * has several traces, then reads each trace as a block. */
static bool read_groups(struct comparison *comparison, enum side side, struct error *error) {
    const struct distribution_naming *naming =
        compare_groups_names_to_reread(&comparison->groups, side);
    struct report_request request = comparison->request->sides[side];
    bool done = true;

    if (naming != NULL) {
        request.naming = naming;
        done = read_other(comparison, side, &request, error);
    }
    for (size_t i = 0;
         done && comparison->reading != READ_ALL && i < comparison->sides[side].trace_count; i++) {
        done = read_apart(comparison, side, i, naming, error);
    }
    compare_groups_forget_names(&comparison->groups);
    return done;
}

static bool compare_side_read(struct comparison *comparison, enum side side, struct error *error) {
    const struct report_request *request = &comparison->request->sides[side];
    struct report *report = report_open(comparison->workspace, request, error);
    const struct result *result = NULL;
    bool done = report != NULL && report_next(report, &result, error) &&
                (result != NULL ||
                 error_set(error, "report %s has no result for %s", request->report,
                           request->trace_count > 0 ? request->traces[0] : request->study)) &&
                comparison_read_result(comparison, side, report, result, error);

    report_close(report);
    comparison->tree.path_length = 0; /* the next row that is read is a root of a tree */
    return done && (comparison->method != &compare_values || read_groups(comparison, side, error));
}

static void compare_side_free(struct compare_side *side) {
    free((void *)side->traces);
    free(side->action);
    free(side->bounds);
    free(side->quality.weights);
    notes_free(&side->notes);
    *side = (struct compare_side){0};
}

/* --- dividing numbers by --per ---------------------------------------------------------------- */

enum compare_per comparison_per(const struct comparison *comparison) {
    return comparison->request->per == PER_USUAL ? comparison->method->usual_per
                                                 : comparison->request->per;
}

/* Returns the number of calls, summed over the tree's roots. Other rows of an inverted tree count
 * the same calls again. */
static double calls_of_roots(const struct compare_tree *tree, enum side side) {
    double calls = 0;

    for (size_t i = 0; i < tree->count; i++) {
        if (tree->nodes[i].above == COMPARE_NO_NODE) {
            calls += (double)tree->nodes[i].row->numbers[side][NUMBER_CALLS];
        }
    }
    return calls;
}

/* Returns the divisor of a side's numbers for --per: seconds, calls, I/Os or runs. */
static double side_divisor(const struct comparison *comparison, enum side side) {
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

static bool comparison_check_words(const struct comparison *comparison, struct error *error) {
    const struct compare_request *request = comparison->request;
    const struct compare_method_row *method = comparison->method;
    const char *report = request->sides[SIDE_A].report;

    if (request->per != PER_USUAL && !word_in(method->pers, compare_per_names[request->per])) {
        return error_usage(error, "report %s cannot be compared --per %s; %s%s", report,
                           compare_per_names[request->per],
                           method->pers[0] == '\0' ? "its values stay as they are" : "there are ",
                           method->pers);
    }
    return request->sort == SORT_USUAL ||
           word_in(method->sorts, compare_sort_names[request->sort]) ||
           error_usage(error, "report %s cannot be sorted --sort %s; there are %s", report,
                       compare_sort_names[request->sort], method->sorts);
}

/* --- sorting the rows of a comparison --------------------------------------------------------- */

/* Returns the number by which the row is sorted, in descending order; -1 if it is unknown. */
static double row_sort_key(const struct compare_row *row, enum compare_sort sort) {
    double value = 0;

    switch (sort) {
    case SORT_PART: /* rows without times come last (negative keys), those with most calls first */
        value = isnan(row->part) ? -1 / (1 + fmax((double)row->numbers[SIDE_A][NUMBER_CALLS],
                                                  (double)row->numbers[SIDE_B][NUMBER_CALLS]))
                                 : row->part;
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

/* Orders rows by row_sort_key(), descending; equal rows by key, or in the report's order. */
static int comparison_compare_sorted(const void *left, const void *right, void *context) {
    const struct comparison *comparison = context;
    const struct compare_row *a = *(struct compare_row *const *)left;
    const struct compare_row *b = *(struct compare_row *const *)right;
    enum compare_sort sort = comparison->request->sort == SORT_USUAL
                                 ? comparison->method->usual_sort
                                 : comparison->request->sort;
    double weight_a = row_sort_key(a, sort), weight_b = row_sort_key(b, sort);

    if (weight_a != weight_b) {
        return weight_a < weight_b ? 1 : -1;
    }
    if (comparison->method->keeps_order) {
        return ORDER(a->number, b->number);
    }
    return compare_table_order(&comparison->table, a, b);
}

bool comparison_counts_values(const struct comparison *comparison, const struct compare_row *row) {
    return comparison->method == &compare_values && row->level == COMPARE_LEVEL_COUNT;
}

/* Figures of a group of values that are printed without --all-quantiles. */
#define USUAL_LEVELS "p50 p90 p99 mean n"

bool comparison_hides_level(const struct comparison *comparison, const struct compare_row *row) {
    return comparison->method == &compare_values && !comparison->request->all_quantiles &&
           !comparison->request->picture && !word_in(USUAL_LEVELS, compare_levels[row->level]);
}

bool comparison_prints_row(const struct comparison *comparison, const struct compare_row *row) {
    if (comparison_hides_level(comparison, row)) {
        return false;
    }
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

/* --- running and comparing the reports of both sides ------------------------------------------ */

/* Returns whether both sides have the same events: the same traces and the same time windows. */
static bool is_itself(const struct comparison *comparison) {
    const struct filter *a = &comparison->request->sides[SIDE_A].filter;
    const struct filter *b = &comparison->request->sides[SIDE_B].filter;

    return compare_sides_are_same(comparison) && a->from.kind == b->from.kind &&
           a->from.time == b->from.time && a->to.kind == b->to.kind && a->to.time == b->to.time;
}

/* Returns the facts (bit set, such as durations) that none of the side's logs contains. Errors are
 * ignored here: the report gives them later. */
static unsigned facts_unknown_on_side(const struct comparison *comparison, enum side side) {
    struct choice *choices = NULL;
    struct error ignored = {0};
    unsigned unknown = 0;
    size_t count = 0;

    if (choose_reports(&comparison->workspace->catalog, comparison->workspace->queries,
                       &comparison->request->sides[side], &choices, &count, &ignored)) {
        unknown = count == 0 ? 0 : ~0u;
        for (size_t i = 0; i < count; i++) {
            unknown &= choices[i].trace->unknown;
        }
    }
    free(choices);
    return unknown;
}

/* Excludes data that only one side's logs contain, such as flush flags, from both reports. */
static void exclude_unknown(struct comparison *comparison) {
    unsigned unknown =
        facts_unknown_on_side(comparison, SIDE_A) | facts_unknown_on_side(comparison, SIDE_B);

    comparison->both = *comparison->request;
    for (int i = 0; i < SIDES; i++) {
        comparison->both.sides[i].unknown |= unknown;
    }
    comparison->request = &comparison->both;
}

/* Gives the traces of both sides different names (catalog_make_names_unique()). A missing trace is
 * no error here: the report gives the error later. */
static bool make_names_unique(const struct comparison *comparison, struct error *error) {
    struct catalog *catalog = &comparison->workspace->catalog;
    const struct catalog_trace **traces = xcalloc(catalog->count + 1, sizeof(const void *));
    struct error ignored = {0};
    size_t found = 0;
    bool done;

    for (int i = 0; catalog->of_store && i < SIDES; i++) {
        request_add_traces(&comparison->request->sides[i], catalog, traces, &found, &ignored);
    }
    done =
        catalog_make_names_unique(catalog, comparison->workspace->database, traces, found, error);
    free(traces);
    return done;
}

bool comparison_make(struct comparison *comparison, struct error *error) {
    const struct compare_request *request = comparison->request;

    comparison->names.strip_hex = request->strip_hex;
    comparison->names.is_exact = request->exact_names;
    if (!make_names_unique(comparison, error)) {
        return false;
    }
    exclude_unknown(comparison);
    if ((request->match != NULL &&
         !compare_names_load(&comparison->names, request->match, error)) ||
        !compare_side_read(comparison, SIDE_A, error) ||
        !comparison_check_words(comparison, error) ||
        (comparison->check != NULL && !comparison->check(comparison, error)) ||
        !compare_side_read(comparison, SIDE_B, error) ||
        !compare_check_comparable(comparison, error)) {
        return false;
    }
    comparison->is_itself = is_itself(comparison);
    comparison->mean_low = comparison->mean_high = NAN;
    /* If either side has several traces, each trace is a block. A single trace on the other side is
     * then one block and is not divided by time. */
    bool several = compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST;

    for (enum side side = SIDE_A; several && side < SIDES; side++) {
        if (comparison->sides[side].trace_count == 1) {
            compare_groups_merge_blocks(&comparison->groups, side);
        }
    }
    for (enum side side = SIDE_A; side < SIDES; side++) {
        double by = side_divisor(comparison, side);

        comparison->scale[side] = by > 0 ? 1 / by : 0;
        comparison->scaled |= by != 1;
    }
    if (!comparison->method->finish(comparison, error) ||
        !compare_add_mismatches(comparison, error)) {
        return false;
    }
    if (comparison->method->is_tree) {
        compare_tree_sort(&comparison->tree, &comparison->table, comparison_compare_sorted,
                          comparison);
    } else {
        compare_table_sort(&comparison->table, comparison_compare_sorted, comparison);
    }
    return !request->strict || comparison->mismatches.count == 0 ||
           error_set(error, "a and b are hard to compare (--strict): %s",
                     comparison->mismatches.lines[0]);
}

void comparison_free(struct comparison *comparison) {
    notes_free(&comparison->notes);
    notes_free(&comparison->mismatches);
    compare_table_free(&comparison->table);
    compare_tree_free(&comparison->tree);
    compare_groups_free(&comparison->groups);
    compare_names_free(&comparison->names);
    free(comparison->spread.values);
    free(comparison->spread.calls);
    compare_side_free(&comparison->sides[SIDE_A]);
    compare_side_free(&comparison->sides[SIDE_B]);
}

const char *const compare_per_names[COMPARE_PERS] = {"", "none", "second", "call", "io", "run"};
const char *const compare_only_names[COMPARE_ONLYS] = {"", "both", "a", "b", "changed"};
const char *const compare_sort_names[COMPARE_SORTS] = {"",     "part", "delta", "ratio",
                                                       "rank", "a",    "b"};
const char *const compare_widths_names[COMPARE_WIDTHS] = {"max", "a", "b"};
const char *const compare_adjustment_names[ADJUSTMENTS] = {"bh", "holm"};

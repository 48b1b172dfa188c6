#include "report/means.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/running_stats.h"
#include "base/saturate.h"
#include "base/search.h"
#include "base/words.h"
#include "output/printer.h"

/* Names of shares, the values of --share.
 *
 * Shares: a query with a line `total` in its header has counts in its integer columns, except those
 * of the key; `total` is their sum in a row. With --share, counts become shares of their row's
 * total, of their column's sum, or of the sum of all totals. Sums must be known before the first
 * row, so the rows are read twice. If the key has several columns, consecutive rows that differ
 * only in the last one form a group, and a column's sum is that of the group. */
static const char *const names[] = {
    [SHARE_NONE] = "", [SHARE_ROW] = "row", [SHARE_COLUMN] = "column", [SHARE_ALL] = "all"};

const char *shares_option_value(const struct report_request *request) {
    const struct report_option *option = request_option(request, "share");

    return option == NULL ? NULL : option->value;
}

static enum share_of means_find(const char *name) {
    int of = SHARE_ALL;

    while (of != SHARE_NONE && strcmp(names[of], name) != 0) {
        of--;
    }
    return (enum share_of)of;
}

bool shares_check(const struct report_request *request, struct error *error) {
    const char *name = shares_option_value(request);

    return name == NULL || means_find(name) != SHARE_NONE ||
           error_usage(error, "--share must be row, column or all, not '%s'", name);
}

void shares_begin(struct shares *shares, const struct query *query,
                  const struct report_request *request, struct column *columns, size_t count,
                  struct notes *notes) {
    size_t keys = 0;

    *shares = (struct shares){.columns = count};
    if (shares_option_value(request) == NULL || query->total == NULL) {
        return;
    }
    shares->of = means_find(shares_option_value(request));
    for (size_t i = 0; i < count; i++) {
        bool is_key = word_in(query->key, columns[i].name);

        keys += is_key;
        shares->counted[i] = !is_key && columns[i].kind == COLUMN_INTEGER;
        if (shares->counted[i] && strcmp(columns[i].name, query->total) == 0) {
            shares->total = i;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (shares->counted[i]) {
            columns[i].kind = COLUMN_SHARE;
            columns[i].unit = "fraction";
        }
    }
    shares->containers = keys == 0 ? 0 : keys - 1;
    if (shares->of == SHARE_ROW) {
        notes_append(notes, "counts are shown as shares of the %s of their row", query->total);
    } else if (shares->of == SHARE_ALL) {
        notes_append(notes, "counts are shown as shares of the %s of all rows", query->total);
    } else {
        notes_append(notes, "counts are shown as shares of the sum of their column%s%s",
                     shares->containers == 0 ? "" : " within the same ",
                     shares->containers == 0 ? "" : query->columns[0].column.name);
    }
}

/* Sets the current group of rows to that of this row: the current or the next one. Rows of a group
 * have keys that differ only in the last column. */
static void enter_group(struct shares *shares, const struct value *values) {
    struct text container = {0};
    bool same;

    for (size_t i = 0; i < shares->containers; i++) {
        row_key_append(&container, &values[i]);
    }
    same = shares->group > 0 && container.length == shares->container.length &&
           memcmp(text_string(&container), text_string(&shares->container), container.length) == 0;
    shares->group += !same;
    text_free(&shares->container);
    shares->container = container;
}

static int64_t *sums_of_container(const struct shares *shares) {
    return shares->sums + (shares->group - 1) * shares->columns;
}

void shares_add(struct shares *shares, const struct value *values) {
    enter_group(shares, values);
    if (shares->group > shares->groups) {
        size_t size = shares->columns * sizeof *shares->sums;

        if (shares->groups == shares->capacity) {
            size_t capacity = 2 * shares->capacity + 8;

            shares->sums = xreallocarray(shares->sums, capacity, size);
            shares->capacity = capacity;
        }
        memset(shares->sums + shares->groups * shares->columns, 0, size);
        shares->groups++;
    }
    for (size_t i = 0; i < shares->columns; i++) {
        if (shares->counted[i] && values[i].type == VALUE_INTEGER) {
            add_saturated(&sums_of_container(shares)[i], values[i].integer);
        }
    }
    if (values[shares->total].type == VALUE_INTEGER) {
        add_saturated(&shares->all, values[shares->total].integer);
    }
}

void shares_apply(struct shares *shares, struct value *values) {
    int64_t total;

    if (shares->of == SHARE_NONE) {
        return;
    }
    enter_group(shares, values);
    total = values[shares->total].integer;
    for (size_t i = 0; i < shares->columns; i++) {
        const int64_t whole = shares->of == SHARE_ROW      ? total
                              : shares->of == SHARE_COLUMN ? sums_of_container(shares)[i]
                                                           : shares->all;

        if (shares->counted[i] && values[i].type == VALUE_INTEGER) {
            values[i].type = VALUE_REAL;
            values[i].real = whole == 0 ? 0 : (double)values[i].integer / (double)whole;
        }
    }
}

void shares_free(struct shares *shares) {
    free(shares->sums);
    text_free(&shares->container);
    *shares = (struct shares){0};
}

/* Statistics of one column of a row over all groups (--by) that have the row. */
struct cell {
    struct running_stats spread;
    enum column_kind kind;
};

/* All rows that have the same key columns except the last one. */
struct means_container {
    char *key; /* owned */
    size_t key_length;
    size_t group;   /* number, from 1, of the last group (--by) that has a row with this key */
    int64_t groups; /* number of groups (--by) that have a row with this key */
    UT_hash_handle hh;
};

struct means_row {
    /* Owned; values of the key columns as bytes, then a count to separate equal rows. */
    char *key;
    size_t key_length;
    size_t number;   /* position in order of first appearance, from 0 */
    size_t group;    /* number, from 1, of the last group (--by) that has the row */
    int64_t groups;  /* number of groups (--by) that have the row */
    int64_t unknown; /* number of groups (--by) whose logs lack facts that the row needs */
    struct means_container *container;
    struct value *values; /* owned, with their bytes; the values of the key columns */
    struct cell *cells;   /* owned; one element per column */
    UT_hash_handle hh;
};

bool means_are_wanted(const struct report_request *request, const struct query *query) {
    return request->group != GROUP_NONE && query->key[0] != '\0' && !request->picture;
}

/* Returns true if means of such values make sense. False for times since the start of a trace and,
 * without a real clock, for durations. */
static bool means_is_number(enum column_kind kind, bool has_clock) {
    return kind == COLUMN_INTEGER || kind == COLUMN_REAL || kind == COLUMN_SHARE ||
           kind == COLUMN_BYTES || (kind == COLUMN_DURATION && has_clock);
}

static void means_begin(struct means *means, const struct query *query,
                        const struct column *columns, size_t count, bool has_clock) {
    means->query = query;
    means->column_count = count;
    means->has_clock = has_clock;
    for (size_t i = 0; i < count; i++) {
        means->columns[i] = columns[i];
        means->is_key[i] = word_in(query->key, columns[i].name);
        means->has_mean[i] =
            !means->is_key[i] && !word_in(query->meanless, columns[i].name) &&
            (columns[i].kind == COLUMN_ANY || means_is_number(columns[i].kind, has_clock));
        means->keys += means->is_key[i];
    }
}

void means_begin_group(struct means *means, const struct query *query, const char *name,
                       const struct column *columns, size_t count, const struct shares *shares,
                       bool has_clock) {
    if (means->groups == 0) {
        means_begin(means, query, columns, count, has_clock);
        /* Sets what total each column's shares refer to; SHARE_NONE: its values are no shares.
         * Columns that hold shares even without --share are treated as with --share column. */
        for (size_t i = 0; i < count; i++) {
            means->of[i] = shares->counted[i]                ? shares->of
                           : columns[i].kind == COLUMN_SHARE ? SHARE_COLUMN
                                                             : SHARE_NONE;
        }
    }
    means->groups++;
    text_append_item(&means->names, name);
}

/* --- collecting rows -------------------------------------------------------------------------- */

static void means_free_row(const struct means *means, struct means_row *row) {
    for (size_t i = 0; row->values != NULL && i < means->keys; i++) {
        free((char *)row->values[i].bytes);
    }
    free(row->values);
    free(row->cells);
    free(row->key);
    free(row);
}

static void copy_key(const struct means *means, struct means_row *row, const struct value *values) {
    size_t at = 0;

    for (size_t i = 0; i < means->column_count; i++) {
        struct value *copy = &row->values[at];

        if (!means->is_key[i]) {
            continue;
        }
        *copy = values[i];
        copy->kind = means->columns[i].kind;
        copy->bytes = NULL;
        at++;
        if (values[i].type == VALUE_TEXT || values[i].type == VALUE_BLOB) {
            char *bytes = xmalloc(values[i].length + 1);

            memcpy(bytes, values[i].bytes, values[i].length);
            copy->bytes = bytes;
        }
    }
}

static struct means_row *means_new_row(struct means *means, const struct text *key,
                                       const struct value *values, struct error *error) {
    struct means_row *row;

    if (means->row_count == MEANS_ROWS) {
        error_set_too_many(
            error,
            "cannot compute means of more than %d different rows: choose fewer with filters, "
            "or give "
            "--by-trace",
            MEANS_ROWS);
        return NULL;
    }
    row = xcalloc(1, sizeof *row);
    row->number = means->row_count;
    row->key_length = key->length;
    row->key = xmalloc(key->length + 1);
    row->values = xcalloc(means->keys + 1, sizeof *row->values);
    row->cells = xcalloc(means->column_count, sizeof *row->cells);
    copy_key(means, row, values);
    memcpy(row->key, key->bytes, key->length);
    HASH_ADD_KEYPTR(hh, means->table, row->key, row->key_length, row);
    means->row_count++;
    return row;
}

/* Returns the container of rows with this key (all columns but the last); adds it if missing. */
static struct means_container *find_container(struct means *means, const char *key, size_t length) {
    struct means_container *container = NULL;

    HASH_FIND(hh, means->containers, key, length, container);
    if (container != NULL) {
        return container;
    }
    container = xcalloc(1, sizeof *container);
    container->key = xmalloc(length + 1);
    memcpy(container->key, key, length);
    container->key_length = length;
    HASH_ADD_KEYPTR(hh, means->containers, container->key, container->key_length, container);
    return container;
}

/* Returns the row of means for the keys in `values`, and adds it if missing. If groups have several
 * rows with equal keys, the first ones of all groups become one row of means, then the second ones,
 * and so on. */
static struct means_row *means_find_row(struct means *means, const struct value *values,
                                        struct error *error) {
    struct text key = {0};
    struct means_row *row = NULL;
    size_t plain, outer = 0;

    for (size_t i = 0; i < means->column_count; i++) {
        if (means->is_key[i]) {
            outer = key.length;
            row_key_append(&key, &values[i]);
        }
    }
    plain = key.length;
    for (int64_t copy = 0;; copy++) {
        key.length = plain;
        text_append_integer(&key, copy);
        HASH_FIND(hh, means->table, text_string(&key), key.length, row);
        if (row == NULL || row->group != means->groups) {
            break;
        }
    }
    if (row == NULL) {
        row = means_new_row(means, &key, values, error);
    }
    if (row != NULL && row->container == NULL) {
        row->container = find_container(means, text_string(&key), outer);
    }
    text_free(&key);
    return row;
}

bool means_add(struct means *means, const struct value *values, struct error *error) {
    struct means_row *row = means_find_row(means, values, error);

    if (row == NULL) {
        return false;
    }
    row->group = means->groups;
    row->groups++;
    if (row->container->group != means->groups) {
        row->container->group = means->groups;
        row->container->groups++;
    }
    if (means->filled_group != means->groups) {
        means->filled_group = means->groups;
        means->filled++;
        means->empty += means->no_events;
    }
    for (size_t i = 0; i < means->column_count; i++) {
        enum column_kind kind = printer_value_kind(&values[i], &means->columns[i]);

        if (!means->has_mean[i] || !means_is_number(kind, means->has_clock) ||
            (means->no_events && means->of[i] != SHARE_NONE)) {
            continue;
        }
        if (isfinite(value_number(&values[i]))) {
            row->cells[i].kind = kind;
            running_stats_add(&row->cells[i].spread, value_number(&values[i]));
        }
    }
    return true;
}

bool means_add_unknown(struct means *means, const struct value *values, struct error *error) {
    struct means_row *row = means_find_row(means, values, error);

    if (row == NULL) {
        return false;
    }
    row->group = means->groups;
    row->unknown++;
    means->has_unknown = true;
    return true;
}

/* --- computing means -------------------------------------------------------------------------- */

static bool have_means_of_shares(const struct means *means, enum share_of of) {
    for (size_t i = 0; i < means->column_count; i++) {
        if (means->has_mean[i] && means->of[i] == of &&
            !word_in(means->query->absent, means->columns[i].name)) {
            return true;
        }
    }
    return false;
}

void means_append_notes(const struct means *means, const char *kind, struct notes *notes) {
    struct text absent = {0};

    for (size_t i = 0; i < means->column_count; i++) {
        if (word_in(means->query->absent, means->columns[i].name)) {
            text_append_format(&absent, " and of %s", means->columns[i].name);
        }
    }
    notes_append_count(notes, (int64_t)means->groups, "means over %zu group{s}, by %s: %s",
                       means->groups, kind, text_string(&means->names));
    notes_append_class(notes, REMARK_DEFINITION,
                       "n: number of groups that have the row; a group without it counts as 0 in "
                       "means of counts, bytes and shares, and is left out of means of times%s%s",
                       have_means_of_shares(means, SHARE_ROW) ? " and of shares of the row" : "",
                       text_string(&absent));
    if (means->keys > 1 && have_means_of_shares(means, SHARE_COLUMN)) {
        notes_append_class(
            notes, REMARK_EXCLUDED,
            "excluded from means of shares within a %s: groups that have no row for it",
            means->query->columns[0].column.name);
    }
    if (means->has_unknown) {
        notes_append_class(
            notes, REMARK_EXCLUDED,
            "excluded from a row: groups whose logs do not record what the row counts");
    }
    if (have_means_of_shares(means, SHARE_COLUMN) || have_means_of_shares(means, SHARE_ALL)) {
        size_t empty = means->groups - means->filled + means->empty;

        notes_append_count(notes, (int64_t)empty,
                           "%zu group{ has|s have} no events, and so no shares", empty);
    }
    notes_append_class(notes, REMARK_DEFINITION,
                       "standard deviations are those of a sample (divided by n - 1)");
    if (!means->has_clock) {
        notes_append(notes,
                     "means of times omitted: the clocks of the logs count in different units");
    }
    text_free(&absent);
}

/* Returns how many groups count as 0 in a mean: those that lack the row, but have the total that
 * its share would refer to. */
static int64_t zero_values_of_row(const struct means *means, const struct means_row *row,
                                  size_t column) {
    int64_t groups = (int64_t)means->groups;

    if (word_in(means->query->absent, means->columns[column].name)) {
        return 0;
    }
    switch (means->of[column]) {
    case SHARE_ROW:
        return 0;
    case SHARE_COLUMN:
        groups = row->container->groups;
        break;
    case SHARE_ALL:
        groups = (int64_t)means->filled;
        break;
    case SHARE_NONE:
        break;
    }
    groups -= row->groups + row->unknown;
    return groups < 0 ? 0 : groups;
}

static bool has_cells(const struct means_row *row, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (row->cells[i].spread.count > 0) {
            return true;
        }
    }
    return false;
}

/* A row to sort, for qsort(). */
struct sorted {
    const struct means *means;
    struct means_row *row;
    double by; /* mean of the column that the query's line `order` names */
};

static int compare_numbers(double left, double right) {
    return ORDER(left, right);
}

static int compare_values(const struct value *left, const struct value *right) {
    if (left->type != VALUE_TEXT || right->type != VALUE_TEXT) {
        double a = left->type == VALUE_INTEGER ? (double)left->integer : left->real;
        double b = right->type == VALUE_INTEGER ? (double)right->integer : right->real;

        return compare_numbers(a, b);
    } else {
        size_t shorter = left->length < right->length ? left->length : right->length;
        int order = memcmp(left->bytes, right->bytes, shorter);

        return order != 0 ? order : compare_numbers((double)left->length, (double)right->length);
    }
}

/* Sorts by all key columns except the last, then by the column of the line `order`, largest first,
 * then by the last key column if there is a line `order` or that column is a number. Other rows
 * stay in order of appearance. */
static int means_compare_rows(const void *left, const void *right) {
    const struct sorted *a = left, *b = right;
    const bool by_column = a->means->query->order != NULL;
    size_t last = a->means->keys - 1;
    int order = 0;

    for (size_t i = 0; order == 0 && i < last; i++) {
        order = compare_values(&a->row->values[i], &b->row->values[i]);
    }
    if (order == 0 && by_column) {
        order = compare_numbers(b->by, a->by);
    }
    if (order == 0 && (by_column || a->row->values[last].type != VALUE_TEXT)) {
        order = compare_values(&a->row->values[last], &b->row->values[last]);
    }
    return order != 0 ? order : compare_numbers((double)a->row->number, (double)b->row->number);
}

static void means_sort_rows(struct means *means) {
    struct sorted *sorted = xcalloc(means->row_count + 1, sizeof *sorted);
    struct means_row *row = NULL, *next = NULL;
    size_t count = 0;

    means->order = xcalloc(means->row_count + 1, sizeof *means->order);
    HASH_ITER(hh, means->table, row, next) {
        if (!has_cells(row, means->column_count)) {
            continue;
        }
        sorted[count] = (struct sorted){.means = means, .row = row};
        for (size_t i = 0; i < means->column_count; i++) {
            /* Counts, bytes and shares are 0 in groups that lack the row. */
            if (row->cells[i].spread.count > 0 && (means->columns[i].kind == COLUMN_INTEGER ||
                                                   means->columns[i].kind == COLUMN_BYTES ||
                                                   means->columns[i].kind == COLUMN_SHARE)) {
                running_stats_add_zeros(&row->cells[i].spread, zero_values_of_row(means, row, i));
            }
            if (means->query->order != NULL &&
                strcmp(means->columns[i].name, means->query->order) == 0) {
                sorted[count].by = (double)row->cells[i].spread.mean;
            }
        }
        count++;
    }
    qsort(sorted, count, sizeof *sorted, means_compare_rows);
    for (size_t i = 0; i < count; i++) {
        means->order[i] = sorted[i].row;
    }
    means->row_count = count;
    free(sorted);
}

/* Returns the kind of a mean. The mean of integers is real. */
static enum column_kind mean_kind(enum column_kind kind) {
    return kind == COLUMN_INTEGER || kind == COLUMN_BYTES ? COLUMN_REAL : kind;
}

static void means_name_column(struct means *means, struct column *columns, size_t *count,
                              const struct column *column, const char *ending) {
    struct text *name = &means->column_names[*count];

    text_append_format(name, "%s%s", column->name, ending);
    columns[*count] = (struct column){text_string(name), column->unit, mean_kind(column->kind)};
    ++*count;
}

void means_finish(struct means *means, struct column *columns, size_t *count) {
    *count = 0;
    for (size_t i = 0; i < means->column_count; i++) {
        if (means->is_key[i]) {
            columns[(*count)++] = means->columns[i];
        }
    }
    columns[(*count)++] = (struct column){"n", "", COLUMN_INTEGER};
    for (size_t i = 0; i < means->column_count; i++) {
        if (means->has_mean[i]) {
            means_name_column(means, columns, count, &means->columns[i], "_mean");
            means_name_column(means, columns, count, &means->columns[i], "_sd");
        }
    }
    means_sort_rows(means);
}

/* Sets a value to a mean. Times are rounded to integers. */
static void means_set_number(struct value *value, double number, enum column_kind kind) {
    *value = (struct value){.type = VALUE_REAL, .real = number, .kind = mean_kind(kind)};
    if (kind == COLUMN_DURATION) {
        value->type = VALUE_INTEGER;
        value->integer = (int64_t)llround(number);
    }
}

bool means_next(struct means *means, struct value *values) {
    const struct means_row *row;
    size_t at = means->keys;

    if (means->given == means->row_count) {
        return false;
    }
    row = means->order[means->given++];
    memcpy(values, row->values, means->keys * sizeof *values);
    values[at++] = value_integer(row->groups);
    for (size_t i = 0; i < means->column_count; i++) {
        const struct running_stats *spread = &row->cells[i].spread;
        enum column_kind kind = row->cells[i].kind;

        if (!means->has_mean[i]) {
            continue;
        }
        values[at] = values[at + 1] = (struct value){.type = VALUE_NULL};
        if (spread->count > 0) {
            means_set_number(&values[at], (double)spread->mean, kind);
        }
        if (spread->count > 1) {
            means_set_number(&values[at + 1], (double)running_stats_deviation(spread), kind);
        }
        at += 2;
    }
    return true;
}

void means_free(struct means *means) {
    struct means_row *row, *next;
    struct means_container *container, *next_container;

    HASH_ITER(hh, means->table, row, next) {
        HASH_DEL(means->table, row);
        means_free_row(means, row);
    }
    HASH_ITER(hh, means->containers, container, next_container) {
        HASH_DEL(means->containers, container);
        free(container->key);
        free(container);
    }
    for (size_t i = 0; i < MEANS_COLUMNS; i++) {
        text_free(&means->column_names[i]);
    }
    text_free(&means->names);
    free(means->order);
    *means = (struct means){0};
}

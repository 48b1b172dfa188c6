#include "compare/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/search.h"
#include "compare/request.h"
#include "output/printer.h"

struct compare_table_link {
    struct compare_row *row;
    UT_hash_handle hh;
};

static bool has_bytes(const struct value *value) {
    return value->type == VALUE_TEXT || value->type == VALUE_BLOB;
}

static void free_values(struct value *values, size_t count) {
    for (size_t i = 0; values != NULL && i < count; i++) {
        if (has_bytes(&values[i])) {
            free((char *)values[i].bytes);
        }
    }
    free(values);
}

static void table_free_row(const struct compare_table *table, struct compare_row *row) {
    free_values(row->keys, table->key_count);
    free_values(row->given, SIDES);
    free(row->link);
    free(row->key);
    free(row);
}

void compare_table_keep(struct value *place, const struct value *value) {
    struct value copy = *value;

    if (has_bytes(value)) {
        char *bytes = xmalloc(value->length + 1);

        memcpy(bytes, value->bytes, value->length);
        bytes[value->length] = '\0';
        copy.bytes = bytes;
    }
    if (has_bytes(place)) {
        free((char *)place->bytes);
    }
    *place = copy;
}

static void table_append_keys(const struct compare_table *table, const struct value *keys,
                              struct text *key) {
    for (size_t i = 0; i < table->key_count; i++) {
        row_key_append(key, &keys[i]);
    }
}

static struct compare_row *table_add_row(struct compare_table *table, const struct value *keys) {
    struct compare_row *row = xcalloc(1, sizeof *row);
    struct text key = {0};

    *row = (struct compare_row){
        .number = table->count,
        .ratio = NAN,
        .low = NAN,
        .high = NAN,
        .p = NAN,
        .share_error = NAN,
        .count_error = NAN,
    };
    table_append_keys(table, keys, &key);
    row->key = key.bytes; /* the row owns it now */
    row->key_length = key.length;
    row->keys = xcalloc(table->key_count, sizeof *row->keys);
    for (size_t i = 0; i < table->key_count; i++) {
        compare_table_keep(&row->keys[i], &keys[i]);
    }
    row->given = table->keeps_given ? xcalloc(SIDES, sizeof *row->given) : NULL;
    row->link = xcalloc(1, sizeof *row->link);
    row->link->row = row;
    HASH_ADD_KEYPTR(hh, table->hash, row->key, row->key_length, row->link);
    table->rows =
        array_grow(table->rows, table->count, &table->capacity, sizeof(struct compare_row *));
    table->rows[table->count++] = row;
    return row;
}

struct compare_row *compare_table_find(const struct compare_table *table,
                                       const struct value *keys) {
    struct compare_table_link *link = NULL;
    struct text key = {0};

    table_append_keys(table, keys, &key);
    HASH_FIND(hh, table->hash, text_string(&key), key.length, link);
    text_free(&key);
    return link == NULL ? NULL : link->row;
}

bool compare_table_row(struct compare_table *table, enum side side, const struct value *keys,
                       struct compare_row **row, struct error *error) {
    *row = compare_table_find(table, keys);
    if (*row == NULL && table->count == COMPARE_ROWS_MOST) {
        return error_set(error,
                         "the two have more than %d different rows, which are not compared: choose "
                         "fewer with filters",
                         COMPARE_ROWS_MOST);
    }
    if (*row == NULL) {
        *row = table_add_row(table, keys);
    }
    (*row)->has[side] = true;
    return true;
}

static double table_number_of(const struct value *value) {
    return value->type == VALUE_INTEGER ? (double)value->integer : value->real;
}

static int order_values(const struct value *left, const struct value *right) {
    size_t shorter = left->length < right->length ? left->length : right->length;
    int order;

    if (left->type != right->type && (has_bytes(left) || has_bytes(right))) {
        return has_bytes(left) ? 1 : -1;
    }
    if (!has_bytes(left)) {
        return ORDER(table_number_of(left), table_number_of(right));
    }
    order = memcmp(left->bytes, right->bytes, shorter);
    return order != 0 ? order : ORDER((double)left->length, (double)right->length);
}

static void table_append_value(struct text *out, const struct value *value) {
    if (value->type == VALUE_TEXT || value->type == VALUE_BLOB) {
        text_append(out, value->bytes, value->length);
    } else if (value->type == VALUE_INTEGER) {
        text_append_integer(out, value->integer);
    } else if (value->type == VALUE_REAL) {
        text_append_format(out, "%.6f", value->real);
    }
}

void compare_table_name(const struct value *keys, size_t most, struct text *name) {
    for (size_t i = 0; i < most; i++) {
        if (keys[i].type != VALUE_NULL) {
            text_append_string(name, name->length == 0 ? "" : " ");
            table_append_value(name, &keys[i]);
        }
    }
}

double compare_number(const struct value *value) {
    return value->type == VALUE_INTEGER ? (double)value->integer
           : value->type == VALUE_REAL  ? value->real
                                        : NAN;
}

int compare_table_order(const struct compare_table *table, const struct compare_row *left,
                        const struct compare_row *right) {
    int order = 0;

    for (size_t i = 0; order == 0 && i < table->key_count; i++) {
        order = order_values(&left->keys[i], &right->keys[i]);
    }
    return order != 0 ? order : ORDER(left->number, right->number);
}

void compare_table_sort(struct compare_table *table,
                        int (*compare)(const void *left, const void *right, void *context),
                        void *context) {
    if (table->count > 0) {
        qsort_r(table->rows, table->count, sizeof(struct compare_row *), compare, context);
    }
}

void compare_table_free(struct compare_table *table) {
    HASH_CLEAR(hh, table->hash);
    for (size_t i = 0; i < table->count; i++) {
        table_free_row(table, table->rows[i]);
    }
    free(table->rows);
    *table = (struct compare_table){0};
}

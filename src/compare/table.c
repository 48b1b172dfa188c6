#include "compare/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/search.h"
#include "compare/request.h"
#include "output/printer.h"

/* Entry of a hash table: maps the name of a group of values to the group's index. */
struct compare_place {
    char *name; /* owned */
    size_t place;
    UT_hash_handle hh;
};

/* A group of values of a side's report that joins another, as replacing made the names equal. */
struct compare_alias {
    /* owned; part: name of this group; first: name of the group that it joins */
    char *part, *first;
    size_t first_length;
    UT_hash_handle hh;
};

/* Finds the group of values with that name; adds a new one if needed. */
static bool groups_find(struct compare_groups *groups, const char *name, size_t *number,
                        struct error *error) {
    struct compare_place *place = NULL;
    size_t length = strlen(name);

    HASH_FIND(hh, groups->places, name, length, place);
    if (place != NULL) {
        *number = place->place;
        return true;
    }
    if (groups->count == COMPARE_GROUPS) {
        return error_set_too_many(
            error,
            "a and b have more than %d groups of values, which is too many to "
            "compare: choose fewer with filters",
            COMPARE_GROUPS);
    }
    groups->groups =
        array_grow(groups->groups, groups->count, &groups->capacity, sizeof *groups->groups);
    place = xcalloc(1, sizeof *place);
    place->name = xstrdup(name);
    HASH_ADD_KEYPTR(hh, groups->places, place->name, length, place);
    *number = place->place = groups->count++;
    groups->groups[*number] = (struct compare_group){.name = place->name};
    return true;
}

static const char *find_first(const void *context, const char *name, size_t *length) {
    const struct compare_groups *groups = context;
    struct compare_alias *alias = NULL;

    HASH_FIND(hh, groups->aliases, name, *length, alias);
    if (alias == NULL) {
        return name;
    }
    *length = alias->first_length;
    return alias->first;
}

/* Returns a copy that ends with a NUL. `bytes` may be NULL if `length` is 0. */
static char *copy_bytes(const char *bytes, size_t length) {
    char *copied = xmalloc(length + 1);

    memcpy(copied, length == 0 ? "" : bytes, length);
    copied[length] = '\0';
    return copied;
}

const struct distribution_naming *compare_groups_names_to_reread(struct compare_groups *groups,
                                                                 enum side side) {
    if (groups->aliases == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < groups->count; i++) {
        struct compare_group *group = &groups->groups[i];

        group->has[side] = false;
        free(group->cuts[side].counts);
        group->cuts[side] = (struct compare_block_histograms){.blocks = 0};
    }
    groups->naming = (struct distribution_naming){find_first, groups};
    return &groups->naming;
}

void compare_groups_forget_names(struct compare_groups *groups) {
    struct compare_alias *alias, *next;

    HASH_ITER(hh, groups->aliases, alias, next) {
        HASH_DEL(groups->aliases, alias);
        free(alias->part);
        free(alias->first);
        free(alias);
    }
    for (size_t i = 0; i < groups->count; i++) {
        free(groups->groups[i].part);
        groups->groups[i].part = NULL;
    }
    groups->naming = (struct distribution_naming){0};
}

static struct database_query query_part(struct temp_schema *temp, const char *sql,
                                        const struct value *part, struct error *error) {
    return database_query(temp->database, error, sql, "t", part->bytes == NULL ? "" : part->bytes,
                          part->length);
}

static bool read_totals(struct compare_group *group, enum side side, struct temp_schema *temp,
                        const struct value *part, struct error *error) {
    struct database_query query = query_part(
        temp, "SELECT count, mean, max FROM temp.distribution WHERE name = ?1", part, error);

    if (database_next(&query)) {
        group->counts[side] = sqlite3_column_int64(query.row, 0);
        group->means[side] = sqlite3_column_int64(query.row, 1);
        group->largest[side] = sqlite3_column_int64(query.row, 2);
    }
    return database_end(&query);
}

static bool read_quantiles(struct compare_group *group, enum side side, struct temp_schema *temp,
                           const struct value *part, struct error *error) {
    struct database_query query = query_part(temp,
                                             "SELECT value FROM temp.distribution_quantile"
                                             " WHERE name = ?1 ORDER BY thousandths",
                                             part, error);

    for (int i = 0; i < DISTRIBUTION_QUANTILE_COUNT && database_next(&query); i++) {
        group->quantiles[side][i] = sqlite3_column_int64(query.row, 0);
    }
    return database_end(&query);
}

/* Allocates the histograms of the blocks of a group of values, if there are blocks. */
static bool groups_make_room(struct compare_block_histograms *cut, struct temp_schema *temp,
                             const struct value *part, struct error *error) {
    struct database_query query =
        query_part(temp,
                   "SELECT max(block) + 1, min(bucket), max(bucket) - min(bucket) + 1"
                   " FROM temp.distribution_block WHERE name = ?1",
                   part, error);

    if (database_next(&query) && sqlite3_column_type(query.row, 0) == SQLITE_INTEGER) {
        cut->blocks = (size_t)sqlite3_column_int64(query.row, 0);
        cut->least = sqlite3_column_int64(query.row, 1);
        cut->places = (size_t)sqlite3_column_int64(query.row, 2);
        cut->counts = xcalloc(cut->blocks * cut->places, sizeof *cut->counts);
    }
    return database_end(&query);
}

static bool groups_read_blocks(struct compare_block_histograms *cut, struct temp_schema *temp,
                               const struct value *part, struct error *error) {
    struct database_query query;

    if (!groups_make_room(cut, temp, part, error) || cut->counts == NULL) {
        return error->status == EXIT_DONE;
    }
    query =
        query_part(temp, "SELECT block, bucket, count FROM temp.distribution_block WHERE name = ?1",
                   part, error);
    while (database_next(&query)) {
        size_t block = (size_t)sqlite3_column_int64(query.row, 0);
        size_t place = (size_t)(sqlite3_column_int64(query.row, 1) - cut->least);

        cut->counts[block * cut->places + place] = (uint32_t)sqlite3_column_int64(query.row, 2);
    }
    return database_end(&query);
}

/* Appends the blocks of `from` to those of `cut`, and empties `from`. */
static void groups_append_blocks(struct compare_block_histograms *cut,
                                 struct compare_block_histograms *from) {
    int64_t least = cut->blocks == 0 || from->least < cut->least ? from->least : cut->least;
    int64_t end_cut = cut->least + (int64_t)cut->places, end = from->least + (int64_t)from->places;
    struct compare_block_histograms both = {.blocks = cut->blocks + from->blocks, .least = least};

    if (from->blocks == 0) {
        return;
    }
    end = cut->blocks > 0 && end_cut > end ? end_cut : end;
    both.places = (size_t)(end - least);
    both.counts = xcalloc(both.blocks * both.places, sizeof *both.counts);
    for (size_t i = 0; i < both.blocks; i++) {
        const struct compare_block_histograms *one = i < cut->blocks ? cut : from;
        size_t block = i < cut->blocks ? i : i - cut->blocks;

        memcpy(both.counts + i * both.places + (one->least - least),
               one->counts + block * one->places, one->places * sizeof *one->counts);
    }
    free(cut->counts);
    free(from->counts);
    *cut = both;
    *from = (struct compare_block_histograms){.blocks = 0};
}

static bool groups_add_blocks(struct compare_group *group, enum side side, struct temp_schema *temp,
                              const struct value *part, struct error *error) {
    struct compare_block_histograms cut = {.blocks = 0};
    bool done = groups_read_blocks(&cut, temp, part, error);

    if (done) {
        groups_append_blocks(&group->cuts[side], &cut);
    }
    free(cut.counts);
    return done;
}

/* If names of several groups became equal, only the first group is read, since quantiles cannot be
 * added up. The others become aliases. compare_groups_names_to_reread() then makes the caller read
 * all of them again, as one group. */
bool compare_groups_read(struct compare_groups *groups, enum side side, enum compare_read what,
                         struct temp_schema *temp, const struct value *part, const char *name,
                         size_t *place, struct error *error) {
    struct compare_group *group;

    if (!groups_find(groups, name, place, error)) {
        return false;
    }
    group = &groups->groups[*place];
    if (what == READ_BLOCKS) {
        return groups_add_blocks(group, side, temp, part, error);
    }
    if (group->has[side]) {
        if (groups->naming.find == NULL) {
            struct compare_alias *alias = xcalloc(1, sizeof *alias);

            alias->part = copy_bytes(part->bytes, part->length);
            alias->first = copy_bytes(group->part, group->part_length);
            alias->first_length = group->part_length;
            HASH_ADD_KEYPTR(hh, groups->aliases, alias->part, part->length, alias);
        }
        return true;
    }
    free(group->part);
    group->part = copy_bytes(part->bytes, part->length);
    group->part_length = part->length;
    group->has[side] = true;
    return read_totals(group, side, temp, part, error) &&
           read_quantiles(group, side, temp, part, error) &&
           (what == READ_TOTALS || groups_add_blocks(group, side, temp, part, error));
}

void compare_groups_merge_blocks(struct compare_groups *groups, enum side side) {
    for (size_t i = 0; i < groups->count; i++) {
        struct compare_block_histograms *cut = &groups->groups[i].cuts[side];

        for (size_t j = cut->places; j < cut->blocks * cut->places; j++) {
            cut->counts[j % cut->places] += cut->counts[j];
        }
        cut->blocks = cut->blocks > 0 ? 1 : 0;
    }
}

void compare_groups_free(struct compare_groups *groups) {
    struct compare_place *place, *next;

    compare_groups_forget_names(groups);
    HASH_ITER(hh, groups->places, place, next) {
        HASH_DEL(groups->places, place);
        free(place->name);
        free(place);
    }
    for (size_t i = 0; i < groups->count; i++) {
        free(groups->groups[i].cuts[SIDE_A].counts);
        free(groups->groups[i].cuts[SIDE_B].counts);
    }
    free(groups->groups);
    *groups = (struct compare_groups){0};
}

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

void compare_table_store(struct value *place, const struct value *value) {
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
    row->key = key.bytes; /* the row frees the key */
    row->key_length = key.length;
    row->keys = xcalloc(table->key_count, sizeof *row->keys);
    for (size_t i = 0; i < table->key_count; i++) {
        compare_table_store(&row->keys[i], &keys[i]);
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
        return error_set_too_many(
            error,
            "a and b have more than %d different rows, which is too many to compare: "
            "choose fewer with filters",
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
        free_values(table->rows[i]->keys, table->key_count);
        free_values(table->rows[i]->given, SIDES);
        free(table->rows[i]->link);
        free(table->rows[i]->key);
        free(table->rows[i]);
    }
    free(table->rows);
    *table = (struct compare_table){0};
}

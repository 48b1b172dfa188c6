#include "scan/id_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"

/* Ids come in ascending order. */
static void add_id(struct id_set *set, size_t *capacity, uint32_t id) {
    size_t word;

    if (set->words == 0) {
        set->least = id;
    }
    word = (id - set->least) / 64;
    if (word + 1 >= *capacity) {
        size_t grown = 2 * word + 8;
        /* xcalloc() of large blocks takes no memory until ids are set. */
        uint64_t *bits = xcalloc(grown, sizeof *bits);

        if (set->words > 0) {
            memcpy(bits, set->bits, set->words * sizeof *bits);
        }
        free(set->bits);
        set->bits = bits;
        *capacity = grown;
    }
    set->words = word + 1;
    set->bits[word] |= UINT64_C(1) << (id - set->least) % 64;
}

/* Uses the index on the trace, so that ids of other traces cost nothing. */
#define OF_TRACE(rows, table)                                                                      \
    {                                                                                              \
        "SELECT s.id FROM main." rows " AS o CROSS JOIN temp." table                               \
        " AS s ON s.id = o.id WHERE o.trace = ?1 ORDER BY o.id",                                   \
            "SELECT 1 FROM temp." table " WHERE id = 0"                                            \
    }

static const struct {
    const char *ids, *has_none;
} selects[] = {
    [SELECTED_OPERATIONS] = OF_TRACE("name", "selected_operation"),
    [UNDER_OPERATIONS] = OF_TRACE("name", "under_operation"),
    [SELECTED_ACTORS] = OF_TRACE("actor", "selected_actor"),
    [SELECTED_OBJECTS] = OF_TRACE("object", "selected_object"),
};

bool id_set_query(struct id_set *set, struct database *database, const char *sql, int64_t trace,
                  struct error *error) {
    struct database_query query = database_query(database, error, sql, "i", trace);
    size_t capacity = 0;

    *set = (struct id_set){0};
    while (database_next(&query)) {
        int64_t id = sqlite3_column_int64(query.row, 0);

        if (id < 0 || id > UINT32_MAX) {
            query.failed =
                !error_set(error, "%s: the database is damaged (ids out of range)", database->path);
        } else if (id == 0) {
            set->has_none = true;
        } else {
            add_id(set, &capacity, (uint32_t)id);
        }
    }
    return database_end(&query);
}

bool id_set_read(struct id_set *set, const struct selection *selection, enum selected_ids which,
                 int64_t trace, struct error *error) {
    int64_t none = 0;

    if (!id_set_query(set, selection->database, selects[which].ids, trace, error) ||
        !database_integer(selection->database, selects[which].has_none, 0, 0, &none, error)) {
        return false;
    }
    set->has_none = none != 0;
    return true;
}

bool id_set_has_between(const struct id_set *set, int64_t least, int64_t most) {
    int64_t first = set->least, last = first + 64 * (int64_t)set->words - 1;

    least = least < first ? first : least;
    most = most > last ? last : most;
    for (int64_t id = least; id <= most; id++) {
        /* Skips empty words. */
        if ((id - first) % 64 == 0 && set->bits[(id - first) / 64] == 0) {
            id += 63;
        } else if (id_set_has(set, (uint32_t)id)) {
            return true;
        }
    }
    return false;
}

void id_set_free(struct id_set *set) {
    free(set->bits);
    *set = (struct id_set){0};
}

/* `id` is first, for search_id(). */
struct id_value {
    uint32_t id;
    int64_t number;
};

bool id_values_query(struct id_values *values, struct database *database, const char *sql,
                     int64_t trace, struct error *error) {
    struct database_query query = database_query(database, error, sql, "i", trace);

    values->count = 0;
    while (database_next(&query)) {
        *ARRAY_NEW(values->values, values->count, values->capacity) = (struct id_value){
            (uint32_t)sqlite3_column_int64(query.row, 0), sqlite3_column_int64(query.row, 1)};
    }
    return database_end(&query);
}

void id_values_free(struct id_values *values) {
    free(values->values);
    *values = (struct id_values){0};
}

bool id_values_find(const struct id_values *values, uint32_t id, int64_t *number) {
    const struct id_value *found = search_id(values->values, values->count, sizeof *found, id);

    if (found != NULL) {
        *number = found->number;
    }
    return found != NULL;
}

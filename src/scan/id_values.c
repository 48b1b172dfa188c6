#include "scan/id_values.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"

/* `id` is first, for compare_uint32(). */
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
    const struct id_value *found = NULL;

    if (values->count > 0) {
        /* Ids of a trace are mostly consecutive. */
        size_t place = id - values->values[0].id;

        found = place < values->count && values->values[place].id == id
                    ? &values->values[place]
                    : bsearch(&id, values->values, values->count, sizeof *found, compare_uint32);
    }
    if (found == NULL) {
        return false;
    }
    *number = found->number;
    return true;
}

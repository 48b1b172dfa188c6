/* Numbers by row ids of the tables name, actor or object, of one trace at a time. */
#ifndef TRACETOOL_ID_VALUES_H
#define TRACETOOL_ID_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "store/connection.h"

/* Zeroed: empty. */
struct id_values {
    struct id_value *values; /* owned; in order of id */
    size_t count, capacity;
};

/* Reads what a SELECT gives, ids in ascending order and a number for each: ?1 is bound to the
 * trace. What was there is forgotten. To be freed in any case. */
bool id_values_query(struct id_values *values, struct database *database, const char *sql,
                     int64_t trace, struct error *error);
void id_values_free(struct id_values *values);

/* The number of an id; false: it has none. */
bool id_values_find(const struct id_values *values, uint32_t id, int64_t *number);

#endif

/* Numbers by row id of the tables name, actor or object, for one trace at a time. */
#ifndef TRACETOOL_ID_VALUES_H
#define TRACETOOL_ID_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "store/connection.h"

/* Empty when zeroed. */
struct id_values {
    struct id_value *values; /* owned; sorted by id */
    size_t count, capacity;
};

/* Reads the ids, in ascending order, and numbers that a SELECT returns; ?1 is the trace. Replaces
 * the content. Must always be freed. */
bool id_values_query(struct id_values *values, struct database *database, const char *sql,
                     int64_t trace, struct error *error);
void id_values_free(struct id_values *values);

/* Finds the number of an id; false if it has none. */
bool id_values_find(const struct id_values *values, uint32_t id, int64_t *number);

#endif

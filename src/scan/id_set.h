/* Sets of row ids of the tables name, actor or object, for one trace at a time. */
#ifndef TRACETOOL_ID_SET_H
#define TRACETOOL_ID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "select/selection.h"
#include "store/connection.h"

/* Empty when zeroed. One bit per id, starting at `least`: ids of a trace are close together. */
struct id_set {
    uint64_t *bits; /* owned; an empty word follows; NULL: no ids except 0 */
    uint32_t least;
    size_t words;
    bool has_none; /* 0, for no reference, is in the set */
};

/* Ids matching the names in a selection's filter (match_select()). Only use those that the filter
 * has. */
enum selected_ids { SELECTED_OPERATIONS, UNDER_OPERATIONS, SELECTED_ACTORS, SELECTED_OBJECTS };

/* Reads the ids that belong to a trace. The set must always be freed. */
bool id_set_read(struct id_set *set, const struct selection *selection, enum selected_ids which,
                 int64_t trace, struct error *error);
void id_set_free(struct id_set *set);

/* Reads the ids that a SELECT returns in ascending order; ?1 is the trace, and 0 stands for no
 * reference. False on failure or if an id is out of range. The set must always be freed. */
bool id_set_query(struct id_set *set, struct database *database, const char *sql, int64_t trace,
                  struct error *error);

/* Whether the set has an id from `least` to `most`. */
bool id_set_has_between(const struct id_set *set, int64_t least, int64_t most);

/* Branchless, since ids are unpredictable. */
static inline bool id_set_has(const struct id_set *set, uint32_t id) {
    uint32_t place = id - set->least;
    size_t word = place / 64 < set->words ? place / 64 : set->words;
    bool some = set->bits != NULL && (set->bits[word] >> place % 64 & 1) != 0;

    return some | (id == 0 && set->has_none);
}

/* Numbers by row id of the tables name, actor or object, for one trace at a time. */

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

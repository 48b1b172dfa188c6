/* Sets of row ids of the tables name, actor or object, for one trace at a time. */
#ifndef TRACETOOL_ID_SET_H
#define TRACETOOL_ID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "select/selection.h"

/* Zeroed: empty. A bit an id, from `least` on: ids of a trace lie close together. */
struct id_set {
    uint64_t *bits; /* owned; behind them a word without any; NULL: no id but 0 */
    uint32_t least;
    size_t words;
    bool has_none; /* 0, which stands for no row, is in it */
};

/* What the filter of a selection has named: only those that it does have (match_select()). */
enum selected_ids { SELECTED_OPERATIONS, UNDER_OPERATIONS, SELECTED_ACTORS, SELECTED_OBJECTS };

/* Reads those ids that belong to a trace. The set is to be freed in any case. */
bool id_set_read(struct id_set *set, const struct selection *selection, enum selected_ids which,
                 int64_t trace, struct error *error);
void id_set_free(struct id_set *set);

/* Reads the ids that a SELECT gives, in ascending order: ?1 is bound to the trace; 0 stands for no
 * row. False: it failed, or an id is out of range. The set is to be freed in any case. */
bool id_set_query(struct id_set *set, struct database *database, const char *sql, int64_t trace,
                  struct error *error);

/* Whether an id from `least` to `most` is in the set. */
bool id_set_has_between(const struct id_set *set, int64_t least, int64_t most);

/* No branch depends on the id: which ones come is not to be foreseen. */
static inline bool id_set_has(const struct id_set *set, uint32_t id) {
    uint32_t place = id - set->least;
    size_t word = place / 64 < set->words ? place / 64 : set->words;
    bool some = set->bits != NULL && (set->bits[word] >> place % 64 & 1) != 0;

    return some | (id == 0 && set->has_none);
}

#endif

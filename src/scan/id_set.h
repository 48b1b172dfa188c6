/* Sets of row ids of the tables name, actor or object, for one trace at a time. */
#ifndef TRACETOOL_ID_SET_H
#define TRACETOOL_ID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "select/selection.h"

/* Zeroed: empty. A bit an id, from `least` on: ids of a trace lie close together. */
struct id_set {
    uint64_t *bits; /* owned */
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

/* Whether an id from `least` to `most` is in the set. */
bool id_set_has_between(const struct id_set *set, int64_t least, int64_t most);

static inline bool id_set_has(const struct id_set *set, uint32_t id) {
    uint32_t place = id - set->least;

    if (id == 0) {
        return set->has_none;
    }
    return place / 64 < set->words && (set->bits[place / 64] >> place % 64 & 1) != 0;
}

#endif

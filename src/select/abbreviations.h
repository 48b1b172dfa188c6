/* Names of operations in a filter that are short for others: `wait` for `wait(JI)V`, where no
 * operation of the traces is called so and only one begins so. */
#ifndef TRACETOOL_ABBREVIATIONS_H
#define TRACETOOL_ABBREVIATIONS_H

#include "select/filter.h"
#include "select/notes.h"
#include "store/catalog.h"

struct abbreviations {
    struct filter filter; /* with whole names; lists and names are borrowed, or among `owned` */
    void **owned;         /* owned, each of them, too */
    size_t count;         /* of these */
    struct notes notes;   /* owned; what was taken for what */
};

/* Makes `abbreviations->filter` out of `filter`, whose strings and lists are borrowed. What fits
 * something, or nothing, or begins several, stays as it is. To be freed in any case. */
bool abbreviations_make(struct abbreviations *abbreviations, struct database *database,
                        const struct catalog_trace *const *traces, size_t count,
                        const struct filter *filter, struct error *error);
void abbreviations_free(struct abbreviations *abbreviations);

#endif

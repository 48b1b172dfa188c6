/* What the names in a filter mean: operations, components, actors and devices of traces. */
#ifndef TRACETOOL_MATCH_H
#define TRACETOOL_MATCH_H

#include "select/filter.h"
#include "select/scratch.h"
#include "store/catalog.h"

/* Whether what the filter names occurs in at least one of the traces; says so if not. The functions
 * of functions.h must be there. */
bool match_check(struct database *database, const struct catalog_trace *const *traces, size_t count,
                 const struct filter *filter, struct error *error);

/* Appends to `missing` a sentence about what the filter names and a trace has not, the action of
 * block I/O included; nothing when it has all. */
bool match_missing(struct database *database, const struct catalog_trace *trace,
                   const struct filter *filter, struct text *missing, struct error *error);

/* Whether `pattern` fits anything in at least one of the traces: `sql` gives a row when ?1, the
 * pattern, occurs in the trace ?2. Says that there is no such `what` if not. */
bool match_check_pattern(struct database *database, const struct catalog_trace *const *traces,
                         size_t count, const char *what, const char *sql, const char *pattern,
                         struct error *error);

/* Makes tables of the ids that the filter names, of the traces in temp.selection, each with one
 * column `id`: temp.selected_operation (--op and --component), selected_actor, selected_object,
 * under_operation; only those that the filter needs. */
bool match_select(struct scratch *scratch, const struct filter *filter, struct error *error);

#endif

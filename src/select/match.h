/* What the names in a filter mean: operations, components, actors, files and partitions of traces.
 */
#ifndef TRACETOOL_MATCH_H
#define TRACETOOL_MATCH_H

#include "select/filter.h"
#include "select/notes.h"
#include "select/temp_schema.h"
#include "store/catalog.h"

/* Whether each name that the filter gives, to choose or to exclude, occurs in at least one of the
 * traces; says so if not. The functions of functions.h must be there. */
bool match_check(struct database *database, const struct catalog_trace *const *traces, size_t count,
                 const struct filter *filter, struct error *error);

/* Appends to `missing` a sentence about what the filter chooses by name and a trace has not, the
 * action of block I/O included; nothing when it has one of each. */
bool match_missing(struct database *database, const struct catalog_trace *trace,
                   const struct filter *filter, struct text *missing, struct error *error);

/* Whether `pattern` fits anything in at least one of the traces: `sql` gives a row when ?1, the
 * pattern, occurs in the trace ?2. Says that there is no such `what` if not. */
bool match_check_pattern(struct database *database, const struct catalog_trace *const *traces,
                         size_t count, const char *what, const char *sql, const char *pattern,
                         struct error *error);

/* Makes what the filter needs of these tables, for the traces in temp.selection:
 * temp.filter_name (by, excluded, text): the names it gives, `by` is enum filter_by;
 * temp.selected_operation (--op and --component), selected_actor and selected_object, with a column
 * `id`: ids of rows that pass, and 0 if what refers to no row passes; under_operation, likewise, of
 * --under. */
bool match_select(struct temp_schema *temp, const struct filter *filter, struct error *error);

/* Appends conditions on a row, each beginning with AND, that hold when it passes what the filter
 * says of `by`: `matches` is SQL that holds when the row has the name p.text. */
void match_append_passes(const struct filter *filter, enum filter_by by, const char *matches,
                         struct text *sql);

/* --- abbreviations ------------------------------------------------------------------------------
 */

/* What names in a filter stand for that none of the traces has as they stand: names between commas,
 * a pattern in which * fits anything, of files the end of a path behind a slash, or of operations
 * the beginning of one: `wait` for `wait(JI)V`, where only one begins so. Patterns stay such,
 * behind FILTER_PATTERN, unless each name is needed. */
struct abbreviations {
    struct filter filter; /* with whole names; lists and names are borrowed, or among `owned` */
    void **owned;         /* owned, each of them, too */
    size_t count;         /* of these */
    struct notes notes;   /* owned; what was taken for what */
};

/* Makes `abbreviations->filter` out of `filter`, whose strings and lists are borrowed. What fits
 * something as it stands, or nothing in any way, stays as it is. To be freed in any case. */
bool abbreviations_make(struct abbreviations *abbreviations, struct database *database,
                        const struct catalog_trace *const *traces, size_t count,
                        const struct filter *filter, struct error *error);
void abbreviations_free(struct abbreviations *abbreviations);

/* Adds the note that no event passes the filter, after match_select(); where it chooses by block
 * types, with those that the selected traces have. */
bool match_say_nothing(struct database *database, const struct filter *filter, struct notes *notes,
                       struct error *error);

#endif

/* Resolves the names in a filter: operations, components, actors, files and partitions of traces.
 */
#ifndef TRACETOOL_MATCH_H
#define TRACETOOL_MATCH_H

#include "select/filter.h"
#include "select/notes.h"
#include "select/temp_schema.h"
#include "store/catalog.h"

/* Whether each name in the filter, included or excluded, occurs in at least one trace. Sets an
 * error if not. Requires the functions of functions.h. */
bool match_check(struct database *database, const struct catalog_trace *const *traces, size_t count,
                 const struct filter *filter, struct error *error);

/* Appends to `missing` a sentence on names in the filter that the trace lacks, including the action
 * of block I/O; nothing if it has one of each. */
bool match_missing(struct database *database, const struct catalog_trace *trace,
                   const struct filter *filter, struct text *missing, struct error *error);

/* Whether `pattern` matches in at least one trace: `sql` returns a row if ?1, the pattern, occurs
 * in the trace ?2. If not, sets an error: no such `what`. */
bool match_check_pattern(struct database *database, const struct catalog_trace *const *traces,
                         size_t count, const char *what, const char *sql, const char *pattern,
                         struct error *error);

/* Creates the tables that the filter needs, for the traces in temp.selection. temp.filter_name (by,
 * excluded, text): its names; `by` is enum filter_by. temp.selected_operation (--op and
 * --component), selected_actor and selected_object, with a column `id`: ids of matching rows, and 0
 * if events without a reference pass. under_operation: the same for --under. */
bool match_select(struct temp_schema *temp, const struct filter *filter, struct error *error);

/* Appends conditions on a row, each beginning with AND, for the filter's names of `by`. `matches`
 * is SQL that tests whether the row has the name p.text. */
void match_append_passes(const struct filter *filter, enum filter_by by, const char *matches,
                         struct text *sql);

/* --- abbreviations ---------------------------------------------------------------------------- */

/* Expands names in a filter that no trace has literally: lists separated by commas, patterns with
 * *, ends of file paths after a slash, and unique prefixes of operations (`wait` for `wait(JI)V`).
 * Patterns stay patterns, marked by FILTER_PATTERN, unless all names are needed. */
struct abbreviations {
    struct filter filter; /* has full names; lists and names are borrowed, or in `owned` */
    void **owned;         /* owned, with its elements */
    size_t count;         /* number of elements in `owned` */
    struct notes notes;   /* owned; explain the expansions */
};

/* Sets `abbreviations->filter` from `filter`, whose strings and lists are borrowed. Names that
 * match literally, or not at all, stay unchanged. Must always be freed. */
bool abbreviations_make(struct abbreviations *abbreviations, struct database *database,
                        const struct catalog_trace *const *traces, size_t count,
                        const struct filter *filter, struct error *error);
void abbreviations_free(struct abbreviations *abbreviations);

/* Adds a note that no event passes the filter, after match_select(); for block types, lists those
 * of the selected traces. */
bool match_report_unmatched(struct database *database, const struct filter *filter,
                            struct notes *notes, struct error *error);

#endif

/* Finds what the names in a filter match: operations, components, actors, files, partitions. */
#ifndef TRACETOOL_MATCH_H
#define TRACETOOL_MATCH_H

#include "select/filter.h"
#include "select/notes.h"
#include "select/temp_schema.h"
#include "store/catalog.h"

/* Returns whether each name in the filter, accepted or excluded, occurs in at least one trace. Sets
 * an error if not. Requires the functions of functions.h. */
bool match_check(struct database *database, const struct catalog_trace *const *traces, size_t count,
                 const struct filter *filter, struct error *error);

/* Appends a sentence to `missing` about names in the filter that the trace lacks, and the action of
 * block I/O. Appends nothing if the trace has one of each option's names. */
bool match_append_missing(struct database *database, const struct catalog_trace *trace,
                          const struct filter *filter, struct text *missing, struct error *error);

/* Returns whether `pattern` matches in at least one trace: `sql` returns a row if ?1, the pattern,
 * occurs in the trace ?2. If not, sets an error: there is no such `what`. */
bool match_check_pattern(struct database *database, const struct catalog_trace *const *traces,
                         size_t count, const char *what, const char *sql, const char *pattern,
                         struct error *error);

/* Creates the tables that the filter needs, for the traces in temp.selection. temp.filter_name (by,
 * excluded, text) has its names; `by` is enum filter_by. temp.selected_operation (--op and
 * --component), selected_actor and selected_object have a column `id`: ids of matching rows, and 0
 * if events that refer to no row pass. under_operation: the same for --under. */
bool match_make_tables(struct temp_schema *temp, const struct filter *filter, struct error *error);

/* Appends conditions on a row, each beginning with AND, for the names of `by` in the filter.
 * `matches` is SQL that tests whether the row has the name p.text. */
void match_append_passes(const struct filter *filter, enum filter_by by, const char *matches,
                         struct text *sql);

/* --- abbreviated names ------------------------------------------------------------------------ */

/* A filter in which all names are expanded that no trace has literally: lists separated by commas,
 * patterns with *, ends of file paths after a slash, and unique beginnings of operations (`wait`
 * for `wait(JI)V`). Patterns stay patterns, marked by FILTER_PATTERN, unless names are needed. */
struct abbreviations {
    /* The filter with full names; lists and names are borrowed, or in `owned`. */
    struct filter filter;
    void **owned;       /* owned, with its elements: memory of lists and names */
    size_t count;       /* number of elements in `owned` */
    struct notes notes; /* owned; notes that explain the expansions */
};

/* Sets `abbreviations->filter` to `filter` with names expanded; its strings and lists are borrowed.
 * Names that match literally, or not at all, stay unchanged. Must always be freed. */
bool abbreviations_make(struct abbreviations *abbreviations, struct database *database,
                        const struct catalog_trace *const *traces, size_t count,
                        const struct filter *filter, struct error *error);
void abbreviations_free(struct abbreviations *abbreviations);

/* Adds a note that no event passes the filter; called after match_make_tables(). For block types,
 * lists those that the selected traces have. */
bool match_report_unmatched(struct database *database, const struct filter *filter,
                            struct notes *notes, struct error *error);

#endif

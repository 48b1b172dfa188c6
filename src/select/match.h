/* Finds what the names in a filter match: operations, components, actors, files, partitions. */
#ifndef TRACETOOL_MATCH_H
#define TRACETOOL_MATCH_H

#include "select/filter.h"
#include "select/notes.h"
#include "select/temp_schema.h"
#include "store/catalog.h"

/* SQL that orders the actors `a` of a process: first its first thread (tid = pid) by its last name,
 * which is that of the program executed last. */
#define MATCH_BY_LEADER                                                                            \
    "ORDER BY a.tid IS NOT a.pid, a.name IS NULL, iif(a.tid IS a.pid, -a.id, a.id)"

/* Returns whether each name in the filter, accepted or excluded, occurs in at least one trace. Sets
 * an error if not. The SQL functions of functions.h must be registered. */
bool match_check_names_exist(struct database *database, const struct catalog_trace *const *traces,
                             size_t count, const struct filter *filter, struct error *error);

/* Appends a sentence to `missing` if the trace lacks names in the filter, or the filter's action of
 * block I/O. Appends nothing if the trace has at least one name for each option. */
bool match_append_missing(struct database *database, const struct catalog_trace *trace,
                          const struct filter *filter, struct text *missing, struct error *error);

/* Returns whether `pattern` (NULL: always) matches in at least one trace. `sql` is a SELECT that
 * returns a row if ?1, the pattern, occurs in trace ?2. If none matches, sets the error that no
 * `what` is called so. */
bool match_check_pattern(struct database *database, const struct catalog_trace *const *traces,
                         size_t count, const char *what, const char *sql, const char *pattern,
                         struct error *error);

/* Creates the tables that the filter needs, for the traces in temp.selection. temp.filter_name (by,
 * excluded, text) holds the filter's names; `by` is enum filter_by. temp.selected_operation,
 * selected_actor and selected_object hold the ids of matching rows, and 0 if events without such a
 * row pass. temp.under_operation holds the ids of the functions that --under names. */
bool match_make_tables(struct temp_schema *temp, const struct filter *filter, struct error *error);

/* Appends SQL conditions on a row, each beginning with AND, for the filter's names of type `by`.
 * `matches` is SQL that tests whether the row is called p.text. */
void match_append_name_conditions(const struct filter *filter, enum filter_by by,
                                  const char *matches, struct text *sql);

/* --- abbreviated names ------------------------------------------------------------------------ */

/* A filter with expanded names. A name that no trace has literally may be a list separated by
 * commas, a pattern with *, the end of a file path after a slash, or the unique beginning of an
 * operation (`wait` for `wait(JI)V`). A pattern stays one (FILTER_PATTERN), unless code needs
 * names. */
struct abbreviations {
    /* The filter with full names; lists and names are borrowed, or owned by `owned`. */
    struct filter filter;
    void **owned;       /* owned, with its elements: the lists and names that expansion made */
    size_t count;       /* number of elements in `owned` */
    struct notes notes; /* owned; notes that say what was expanded */
};

/* Sets `abbreviations->filter` to `filter` with expanded names; its strings and lists are borrowed.
 * Names that match literally, or not at all, stay unchanged. Must be freed even on failure. */
bool abbreviations_make(struct abbreviations *abbreviations, struct database *database,
                        const struct catalog_trace *const *traces, size_t count,
                        const struct filter *filter, struct error *error);
void abbreviations_free(struct abbreviations *abbreviations);

/* Adds a note that no event passes the filter; called after match_make_tables(). If block types are
 * filtered, lists those in the selected traces. */
bool match_note_no_events(struct database *database, const struct filter *filter,
                          struct notes *notes, struct error *error);

#endif

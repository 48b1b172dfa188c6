/* The set of query files: built-in ones and those in the user's directory. */
#ifndef TRACETOOL_QUERY_SET_H
#define TRACETOOL_QUERY_SET_H

#include "report/query.h"

struct query_set {
    struct query *queries; /* owned; sorted by report, file and position in the file */
    size_t count, capacity;
    const char *directory; /* borrowed; the user's directory of queries; NULL: none */
    bool whole;            /* true: the queries of all reports are loaded */
};

/* Loads all built-in queries, and those in `directory` (*.sql, with plots *.gp) unless it is NULL.
 * A user's file replaces the built-in file or part (query.name) with the same name. A parameter
 * must have the same type in all files of a report. */
bool query_set_load(struct query_set *set, const char *directory, struct error *error);

/* Loads queries like query_set_load(), but only the built-in reports with the name or prefix
 * `typed`, which is all that choose_report() and the report need. With a directory, or without a
 * match, loads all, so that invalid user files are found and messages can list all reports. */
bool query_set_load_typed(struct query_set *set, const char *directory, const char *typed,
                          struct error *error);
void query_set_free(struct query_set *set);

/* Loads the plots of a report (NULL: of all), which only drawing needs. Sets `plot_text` and
 * `is_flame_graph` of the queries. */
bool query_set_attach_plots(struct query_set *set, const char *report, struct error *error);

/* Returns the first query of a report, or its next one after `before`; NULL: none. */
const struct query *query_set_next(const struct query_set *set, const struct query *before,
                                   const char *report);

/* Loops over the queries of a report, as `const struct query *query`. */
#define FOR_QUERIES_OF(SET, REPORT)                                                                \
    for (const struct query *query = query_set_next(SET, NULL, REPORT); query != NULL;             \
         query = query_set_next(SET, query, REPORT))

/* Returns the number of queries of a report; `first`: index of its first query. */
size_t query_set_count_of_report(const struct query_set *set, size_t first);

/* Returns whether a report with this name is built in or in `directory` (NULL: none). Returns false
 * if a file there has errors. */
bool query_report_exists(const char *directory, const char *report);

/* Returns the query that a report uses without options, among its `count` queries; borrowed. */
const struct query *query_without_options(const struct query *files, size_t count);

/* Returns whether all plots of a report are flame graphs in SVG. */
bool query_set_is_flame_graph(const struct query_set *set, const char *report);

#endif

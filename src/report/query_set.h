/* All query files: the built-in ones and the user's own. */
#ifndef TRACETOOL_QUERY_SET_H
#define TRACETOOL_QUERY_SET_H

#include "report/query.h"

struct query_set {
    struct query *queries; /* owned; sorted by report, file and position in the file */
    size_t count, capacity;
    const char *directory; /* borrowed; the user's directory of queries; NULL: none */
    bool whole;            /* true: the queries of all reports are loaded */
};

/* Loads all built-in queries, and those in `directory` (*.sql, with *.gp files) unless NULL. A file
 * there replaces a built-in one, or a part of one (query.name), with the same name. A parameter
 * must have the same type in all files of a report. */
bool query_set_load(struct query_set *set, const char *directory, struct error *error);

/* Loads queries like query_set_load(), but of the built-in files only those of reports with the
 * name or prefix `typed`, if there are any: choose_report() and the report itself need no others.
 * With a directory, or without a match, loads all: a user's file may be invalid; messages list
 * reports. */
bool query_set_load_typed(struct query_set *set, const char *directory, const char *typed,
                          struct error *error);
void query_set_free(struct query_set *set);

/* Loads the plots of a report, or of all (NULL), which only drawing needs. Sets `plot_text` and
 * `is_flame_graph` of the queries. */
bool query_set_attach_plots(struct query_set *set, const char *report, struct error *error);

/* Returns how many queries the report has whose first query is at index `first`. */
size_t query_set_count_of_report(const struct query_set *set, size_t first);

/* Returns whether a report with this name is built in or in `directory` (NULL: none). False if the
 * files there have errors. */
bool query_report_exists(const char *directory, const char *report);

/* Returns the query for a report without options, among its `count` queries; borrowed. */
const struct query *query_without_options(const struct query *files, size_t count);

/* Returns whether all plots of a report are flame graphs in SVG. */
bool query_set_is_flame_graph(const struct query_set *set, const char *report);

#endif

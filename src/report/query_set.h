/* All query files: built-in ones and those of the user. */
#ifndef TRACETOOL_QUERY_SET_H
#define TRACETOOL_QUERY_SET_H

#include "report/query.h"

struct query_set {
    struct query *queries; /* owned; by report, file and position in it */
    size_t count, capacity;
    const char *directory; /* borrowed; the user's directory, NULL: none */
    bool whole;            /* true: all reports are loaded */
};

/* Loads all built-in queries, and those in `directory` (*.sql, with *.gp files) unless NULL. A file
 * there replaces a built-in one, or a part of one (query.name), with the same name. A parameter
 * must have the same type in all files of a report. */
bool query_set_load(struct query_set *set, const char *directory, struct error *error);

/* Like query_set_load(), but of the built-in files loads only those of reports with the name or
 * prefix `typed`, if there are any: choose_report() and the report itself need no others. With a
 * directory, or without a match, loads all: a user's file may be invalid, and messages list other
 * reports. */
bool query_set_load_typed(struct query_set *set, const char *directory, const char *typed,
                          struct error *error);
void query_set_free(struct query_set *set);

/* Loads the plots of a report, or of all (NULL), which are needed only for drawing: sets
 * `plot_text` and `is_flame_graph` of the queries. */
bool query_set_attach_plots(struct query_set *set, const char *report, struct error *error);

/* Number of files of the report that begins at index `first`. */
size_t query_set_files(const struct query_set *set, size_t first);

/* Whether a report of that name is built in or in `directory` (NULL: none). False if the files
 * there have errors. */
bool query_report_exists(const char *directory, const char *report);

/* Returns the file for a report without options, among its `count` files; borrowed. */
const struct query *query_common(const struct query *files, size_t count);

/* Whether all queries of the report with plots become flame graphs in SVG. */
bool query_set_is_flame_graph(const struct query_set *set, const char *report);

#endif

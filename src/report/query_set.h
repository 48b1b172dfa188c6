/* The query files that the program has: its own, and those of the user. */
#ifndef TRACETOOL_QUERY_SET_H
#define TRACETOOL_QUERY_SET_H

#include "report/query.h"

struct query_set {
    struct query *queries; /* owned; in order of report, file and place in it */
    size_t count, capacity;
    const char *directory; /* borrowed; the folder of the user's own, NULL: none */
};

/* All queries of the program, and those in `directory` (*.sql, with *.gp beside them) unless that
 * is NULL. A file there replaces one of the program's, or a part of one (query.name), with the same
 * name. A parameter is of the same type in all files of a report. */
bool query_set_load(struct query_set *set, const char *directory, struct error *error);

/* The same, but of the program's own only the files of the reports that `typed` is or begins, where
 * there are such: all that choose_report() and a report itself ask for. With a directory, and where
 * `typed` begins no report, all are loaded: a user's own may be wrong anywhere, and of all reports
 * some are named to who has typed none. */
bool query_set_load_typed(struct query_set *set, const char *directory, const char *typed,
                          struct error *error);
void query_set_free(struct query_set *set);

/* Reads the pictures of a report, or of all (NULL), which are wanted only where they are drawn: the
 * queries have their `plot_text` and `is_flame_graph` from then on. */
bool query_set_attach_plots(struct query_set *set, const char *report, struct error *error);

/* How many files, from the one at `first` on, are of its report. */
size_t query_set_files(const struct query_set *set, size_t first);

/* Whether there is a report of that name, in the program or in `directory` (NULL: none). Not when
 * the files there have mistakes. */
bool query_report_exists(const char *directory, const char *report);

/* Of the files of a report, `count` of them, the one that is meant without options; borrowed. */
const struct query *query_common(const struct query *files, size_t count);

/* Whether all queries of the report that have pictures are drawn as flame graphs, where they are
 * drawn as SVG. */
bool query_set_is_flame_graph(const struct query_set *set, const char *report);

#endif

/* Runs a report: finds its query, selects traces and events, prints the rows. */
#ifndef TRACETOOL_REPORT_H
#define TRACETOOL_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "config/config.h"
#include "output/printer.h"
#include "report/query.h"
#include "select/selection.h"
#include "store/database.h"

/* A report option of the user's beside the common ones: --of application, --length 3, --timeline.
 */
struct report_option {
    const char *name;
    const char *value; /* "" for one without a value */
    bool number;       /* the value is a number, and is bound as one */
};

struct report_request {
    const char *report;
    const char *const *traces; /* names; none: all that fit */
    size_t trace_count;
    const char *study; /* only traces of this study; NULL: all */
    bool by_trace;
    int64_t top; /* 0: all rows */
    struct selection_filter filter;
    const struct report_option *options;
    size_t option_count;
};

/* Prints the results of a request; `printer_open` is called with what is known by then. On failure
 * output may have been begun, which the caller cuts off. */
bool report_run(struct database *database, const struct config *config,
                const struct query_set *queries, const struct report_request *request,
                const struct printer_style *style, FILE *file,
                const struct printer_options *printer_options, struct error *error);

/* Whether there is a trace of the study that the request names; says so if not. */
bool report_check_study(const struct catalog *catalog, const struct report_request *request,
                        struct error *error);

/* Whether the request is about a trace that it does not name: of its study, or of none. */
bool report_includes(const struct report_request *request, const struct catalog_trace *trace);

/* Whether the filters make sense for the trace; says so if not. */
bool report_check_filters(const struct selection_filter *filter, const struct catalog_trace *trace,
                          struct error *error);

/* Runs any statement and prints its rows: `result` without columns takes the statement's own names.
 * A column more than `result` has, called _kind, names the kind (enum column_kind) of the last one
 * in its row. `top` rows at most, 0: all. */
bool report_print_statement(struct database *database, sqlite3_stmt *statement,
                            struct printer *printer, struct result *result, int64_t top,
                            struct error *error);

#endif

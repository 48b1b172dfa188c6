/* Loads what a command on reports needs: queries, the request on the command line, the database. */
#ifndef TRACETOOL_REPORT_LOAD_H
#define TRACETOOL_REPORT_LOAD_H

#include "cli/command.h"
#include "report/query_set.h"
#include "report/request.h"
#include "report/workspace.h"

/* Options from query files: --NAME for a line `-- parameter: NAME …`. */
#define REPORT_OTHERS 32 /* limit of different options of query files in a command line */

/* Parses the command line again if parameters of its report have names that are options of the
 * program, or abbreviations of them. For that report the file's parameter takes precedence, so that
 * files continue to work when the program gets new options. Prints a note on stderr. `parsed`:
 * result of the first parse; if false, `error` is set. Returns the result of the last parse. */
bool report_parse_own_options(const struct config *config, const struct command *command,
                              struct arguments *arguments, bool parsed, struct error *error);

/* An option that a report accepts, besides those of all reports. */
struct own_option {
    char name[64];
    /* Borrowed; parameter of the query file; NULL: it is an option of the program. */
    const struct query_parameter *parameter;
    /* Value of the option that selects one of the report's queries; NULL: none. */
    const char *value;
    unsigned kinds; /* kinds of traces with this option, as bits of enum trace_kind */
};

struct own_options {
    struct own_option *options; /* owned */
    size_t count;
};

/* Returns the options of all queries of a report, in the order of the queries, without duplicates.
 * If the default or help of an option differs between queries, it is listed once for each. Freed by
 * own_options_free(). */
struct own_options own_options_list(const struct query_set *queries, const char *report);
void own_options_free(struct own_options *list);

/* Adds the given parameters of the report to `options`, which has room for REPORT_OTHERS more than
 * `*count`. Prints an error if the report has no such parameter, or its value is wrong. */
bool report_add_parameters(const struct arguments *arguments, const struct query_set *queries,
                           const char *report, struct report_option *options, size_t *count,
                           struct error *error);

/* Returns the report that `typed` means, like choose_report(). If it is an abbreviation, prints on
 * stderr what it was taken for. */
const char *report_resolve_name(const struct session *session, const struct query_set *queries,
                                const char *typed, struct error *error);

/* --- loading a report ------------------------------------------------------------------------- */

/* Name of the report that --cdf implies if none is named; with a report, --cdf is an option. */
extern const char report_of_cdf[];

struct report_load {
    struct report_option options[OPTION_MOST + REPORT_OTHERS];
    struct report_request request; /* borrows from this structure and the session */
    struct query_set queries;
    struct database database;
    struct workspace workspace;
};

/* Purpose for which a report is loaded. */
enum report_use {
    REPORT_PRINTED,
    REPORT_DRAWN,
    REPORT_BESIDE_OTHERS, /* other reports are needed, too, so all queries are loaded */
};

/* Loads the queries, finds the report that `typed` means, reads its options, and opens the
 * database. After success, report_unload() must be called. */
bool report_load(struct session *session, const char *typed, struct report_load *loaded,
                 enum report_use use, struct error *error);

/* Closes what report_load() has opened. Returns `done`, or false if closing fails. */
bool report_unload(struct session *session, struct report_load *loaded, bool done,
                   struct error *error);

#endif

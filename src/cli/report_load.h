/* Loads what a command on reports needs: queries, a request from the command line, the database. */
#ifndef TRACETOOL_REPORT_LOAD_H
#define TRACETOOL_REPORT_LOAD_H

#include "cli/command.h"
#include "report/query_set.h"
#include "report/request.h"
#include "report/workspace.h"

/* Options that query files add to reports: --NAME for a line `-- parameter: NAME …`. */
#define REPORT_OTHERS 32 /* limit of different options of query files in a command line */

/* Parses the command line again if parameters of its report have names that are options of the
 * program, or beginnings of them. For that report, the parameter of the file takes precedence, so
 * that files keep working when the program gets new options. Prints a note on stderr. `parsed`:
 * result of the first parse; if false, `error` is set. Returns the result of the last parse. */
bool report_parse_own_options(const struct config *config, const struct command *command,
                              struct arguments *arguments, bool parsed, struct error *error);

/* An option that a report takes, besides the common ones. */
struct own_option {
    char name[64];
    /* Borrowed; parameter of the query file; NULL: an option of the program. */
    const struct query_parameter *parameter;
    /* Value of the option that selects one of the report's queries; NULL: none. */
    const char *value;
    unsigned kinds; /* kinds of traces for which the option exists: bit set of enum trace_kind */
};

struct own_options {
    struct own_option *options; /* owned */
    size_t count;
};

/* Returns the options of all queries of a report, in their order. Each occurs once, unless its
 * default or help differs between queries. Freed by own_options_free(). */
struct own_options own_options_list(const struct query_set *queries, const char *report);
void own_options_free(struct own_options *list);

/* Adds the parameters of the report that were given to `options`, which has room for REPORT_OTHERS
 * more than `*count`. Prints an error if there is no such parameter, or its value is wrong. */
bool report_add_parameters(const struct arguments *arguments, const struct query_set *queries,
                           const char *report, struct report_option *options, size_t *count,
                           struct error *error);

/* Returns the report that `typed` means, like choose_report(). Prints on stderr what an
 * abbreviation was taken for. */
const char *report_resolve_name(const struct session *session, const struct query_set *queries,
                                const char *typed, struct error *error);

/* --- loading a report ------------------------------------------------------------------------- */

/* Name of the report that --cdf means if no report is named; otherwise --cdf is an option. */
extern const char report_of_cdf[];

struct report_load {
    struct report_option options[OPTION_MOST + REPORT_OTHERS];
    struct report_request request; /* borrows from this structure, and from the session */
    struct query_set queries;
    struct database database;
    struct workspace workspace;
};

/* What the loaded report is used for. */
enum report_use {
    REPORT_PRINTED,
    REPORT_DRAWN,
    REPORT_BESIDE_OTHERS, /* other reports are needed as well, so all are loaded */
};

/* Loads the queries, chooses the report that `typed` means, reads its options, and opens the
 * database. After success report_unload() must be called. */
bool report_load(struct session *session, const char *typed, struct report_load *loaded,
                 enum report_use use, struct error *error);

/* Closes what report_load() has opened. Returns `done`, or false if closing fails. */
bool report_unload(struct session *session, struct report_load *loaded, bool done,
                   struct error *error);

#endif

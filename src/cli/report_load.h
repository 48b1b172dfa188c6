/* Loads what a command on reports needs: the queries, a request from the command line, and the
 * database. */
#ifndef TRACETOOL_REPORT_LOAD_H
#define TRACETOOL_REPORT_LOAD_H

#include "cli/command.h"
#include "report/query_set.h"
#include "report/request.h"
#include "report/workspace.h"

/* Options that query files add to reports: --NAME of `-- parameter: NAME …`. */
#define REPORT_OTHERS 32 /* most different options of query files in a command line */

/* Parses the command line again if parameters of its report have names of the program's options or
 * prefixes of them. Within that report, the file's parameter takes precedence, so that files keep
 * working when the program adds options. Prints a note on stderr. `parsed`: the result of the
 * first parse; `error` is set if false. Returns the result of the last parse. */
bool report_own_options(const struct config *config, const struct command *command,
                        struct arguments *arguments, bool parsed, struct error *error);

/* An option of one report, in addition to the common ones. */
struct own_option {
    char name[64];
    const struct query_parameter *parameter; /* borrowed; NULL: an option of the program */
    const char *value; /* value of this option that selects one of the report's files; NULL: none */
    unsigned kinds;    /* trace kinds that take it: bit set of enum trace_kind */
};

struct own_options {
    struct own_option *options; /* owned */
    size_t count;
};

/* Returns the options of all files of a report, in their order. Each occurs once, unless its
 * default or help differs between files. Freed by own_options_free(). */
struct own_options own_options_list(const struct query_set *queries, const char *report);
void own_options_free(struct own_options *list);

/* Adds the given parameters of the report to `options`, which has room for REPORT_OTHERS more than
 * `*count`. Prints an error if the report has no such parameter or cannot take the value. */
bool report_others(const struct arguments *arguments, const struct query_set *queries,
                   const char *report, struct report_option *options, size_t *count,
                   struct error *error);

/* Returns the report that `typed` means, as choose_report(). Prints on stderr how an abbreviation
 * was completed. */
const char *report_typed(const struct session *session, const struct query_set *queries,
                         const char *typed, struct error *error);

/* --- loading ---------------------------------------------------------------------------------- */

/* Report that --cdf selects if no report is named; else --cdf is an option. */
extern const char report_of_cdf[];

struct report_load {
    struct report_option options[OPTION_MOST + REPORT_OTHERS];
    struct report_request request; /* borrows from this structure and from the session */
    struct query_set queries;
    struct database database;
    struct workspace workspace;
};

/* Purpose of the loaded report. */
enum report_use {
    REPORT_PRINTED,
    REPORT_DRAWN,
    REPORT_BESIDE_OTHERS, /* other reports are also made or named: load all */
};

/* Loads the queries, chooses the report that `typed` means, reads its options, and opens the
 * database. Call report_unload() after success. */
bool report_load(struct session *session, const char *typed, struct report_load *loaded,
                 enum report_use use, struct error *error);

/* Closes everything. Returns `done`, the command's result, or false if closing fails. */
bool report_unload(struct session *session, struct report_load *loaded, bool done,
                   struct error *error);

#endif

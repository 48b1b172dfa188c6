/* What a command on reports needs: queries, a request out of the command line, and the database. */
#ifndef TRACETOOL_REPORT_LOAD_H
#define TRACETOOL_REPORT_LOAD_H

#include "cli/command.h"
#include "report/query_set.h"
#include "report/request.h"
#include "report/workspace.h"

/* Options of reports that query files have of their own: --NAME of `-- parameter: NAME …`. */
#define REPORT_OTHERS 32 /* different ones that may be given at once */

/* Parses the command line again where its report has parameters with names of the program's
 * options, or that begin one: within that report a name is the file's, as it was before the program
 * had such an option. Says so on stderr. `parsed`: what the first parsing came to; `error` is set
 * if false. Returns what the last one came to. */
bool report_own_options(const struct config *config, const struct command *command,
                        struct arguments *arguments, bool parsed, struct error *error);

/* An option of one report, in addition to the common ones. */
struct own_option {
    char name[64];
    const struct query_parameter *parameter; /* borrowed; NULL: an option of the program */
    const char *value;                       /* that one of the files is for, NULL: none */
    unsigned kinds;                          /* bit set of enum trace_kind: which take it */
};

struct own_options {
    struct own_option *options; /* owned */
    size_t count;
};

/* The options of all files of a report, in their order: each once, but for parameters whose default
 * or help is not the same everywhere. Freed by own_options_free(). */
struct own_options own_options_list(const struct query_set *queries, const char *report);
void own_options_free(struct own_options *list);

/* Adds what was given to parameters of the report to `options`, which has room for REPORT_OTHERS
 * more than `*count`; says so when the report has no such parameter or cannot take the value. */
bool report_others(const struct arguments *arguments, const struct query_set *queries,
                   const char *report, struct report_option *options, size_t *count,
                   struct error *error);

/* The report that `typed` means: as choose_report(), but says on stderr what the beginning of a
 * name was taken for. */
const char *report_typed(const struct session *session, const struct query_set *queries,
                         const char *typed, struct error *error);

/* --- loading ------------------------------------------------------------------------------------
 */

/* The report that --cdf means without a report; with a report it is an option. */
extern const char report_of_cdf[];

struct report_load {
    struct report_option options[OPTION_MOST + REPORT_OTHERS];
    struct report_request request; /* borrows from here and from the session */
    struct query_set queries;
    struct database database;
    struct workspace workspace;
};

/* What becomes of the report. */
enum report_use {
    REPORT_PRINTED,
    REPORT_DRAWN,
    REPORT_BESIDE_OTHERS, /* others are made, or named, with it: all are loaded */
};

/* Loads the queries, chooses the report that `typed` means, reads its options, and opens the
 * database. What succeeded ends with report_unload(). */
bool report_load(struct session *session, const char *typed, struct report_load *loaded,
                 enum report_use use, struct error *error);

/* Closes all. `done`: what the command has come to, which is returned unless closing fails. */
bool report_unload(struct session *session, struct report_load *loaded, bool done,
                   struct error *error);

#endif

/* Options of reports that query files have of their own: --NAME of a line `-- parameter: NAME …`.
 */
#ifndef TRACETOOL_REPORT_OPTIONS_H
#define TRACETOOL_REPORT_OPTIONS_H

#include "cli/command.h"
#include "report/query_set.h"
#include "report/request.h"

#define REPORT_OTHERS 32 /* different ones that may be given at once */

/* Parses the command line again where its report has parameters with names of the program's
 * options, or that begin one: within that report a name is the file's, as it was before the program
 * had such an option. Says so on stderr. `parsed`: what the first parsing came to; `error` is set
 * if false. Returns what the last one came to. */
bool report_own_options(const struct config *config, const struct command *command,
                        struct arguments *arguments, bool parsed, struct error *error);

/* Adds what was given to parameters of the report to `options`, which has room for REPORT_OTHERS
 * more than `*count`; says so when the report has no such parameter or cannot take the value. */
bool report_others(const struct arguments *arguments, const struct query_set *queries,
                   const char *report, struct report_option *options, size_t *count,
                   struct error *error);

/* An option of a report beside the common ones. */
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

#endif

/* What a command on reports needs: queries, a request out of the command line, and the database. */
#ifndef TRACETOOL_REPORT_LOAD_H
#define TRACETOOL_REPORT_LOAD_H

#include "cli/command.h"
#include "cli/report_options.h"
#include "report/workspace.h"

/* The report that --cdf alone is short for; beside the name of another it is an option of that. */
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

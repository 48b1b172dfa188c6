/* --fail-if: conditions on figures of a comparison. The command fails if one holds. */
#ifndef TRACETOOL_FAIL_IF_H
#define TRACETOOL_FAIL_IF_H

#include "cli/report_load.h"
#include "compare/compare.h"

/* The conditions of a command line. All zero: none. */
struct fail_ifs;

/* Parses the conditions; NULL with `error` set if one is wrong. `wants_interval`: rejects figures
 * that never have a confidence interval. Freed by fail_ifs_free(). */
struct fail_ifs *fail_ifs_read(struct session *session, bool wants_interval,
                               const struct query_set *queries, struct error *error);
void fail_ifs_free(struct fail_ifs *fail_ifs);

/* Prints the result of each condition, then whether any failed. An undecided condition never
 * counts as passed. */
bool fail_ifs_check(const struct fail_ifs *fail_ifs, const struct compare_request *request,
                    struct workspace *workspace, bool point, struct error *error);

#endif

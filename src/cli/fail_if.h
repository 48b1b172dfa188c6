/* --fail-if: conditions on figures of a comparison, which must not hold. */
#ifndef TRACETOOL_FAIL_IF_H
#define TRACETOOL_FAIL_IF_H

#include "cli/report_load.h"
#include "compare/compare.h"

/* The conditions of a command line. All zero: none. */
struct fail_ifs;

/* Reads them; NULL with `error` set when one is wrong. `wants_interval`: figures that never have
 * one are wrong. Ended by fail_ifs_free(). */
struct fail_ifs *fail_ifs_read(struct session *session, bool wants_interval,
                               const struct query_set *queries, struct error *error);
void fail_ifs_free(struct fail_ifs *fail_ifs);

/* Says what came of each, then whether any failed. What is undecided is never taken for well. */
bool fail_ifs_check(const struct fail_ifs *fail_ifs, const struct compare_request *request,
                    struct workspace *workspace, bool point, struct error *error);

#endif

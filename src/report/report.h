/* A report, made step by step: one after another in a workspace.
 *
 *     report = report_open(workspace, &request, &error);
 *     while (report_next(report, &result, &error) && result != NULL) {
 *         while (report_row(report, &values, &error) && values != NULL) { … }
 *     }
 *     report_close(report);
 */
#ifndef TRACETOOL_REPORT_H
#define TRACETOOL_REPORT_H

#include <stdbool.h>

#include "output/printer.h"
#include "report/request.h"
#include "report/workspace.h"

struct report;

/* Finds the report's queries and what they are about. Owned by the caller; NULL with `error` set on
 * failure. `request` and all it points to are borrowed until report_close(), which comes before
 * workspace_close(). */
struct report *report_open(struct workspace *workspace, const struct report_request *request,
                           struct error *error);

/* NULL is allowed. */
void report_close(struct report *report);

/* Whether several results may come. */
bool report_is_many(const struct report *report);

/* Whether one query answers for all traces, so that one picture can show them; says so if not. */
bool report_check_one_query(const struct report *report, struct error *error);

/* Goes to the next result, behind the rows of the last one: selects, counts, and prepares the
 * query.
 * `*result` is what is known of it, valid until the next call; NULL: there is none. */
bool report_next(struct report *report, const struct result **result, struct error *error);

/* The query of the result in hand, and the selection that it reads, borrowed until the next one. */
const struct query *report_query(const struct report *report);
const struct selection *report_selection(const struct report *report);

/* Goes to the next row of the result: `*values` has one value for each of its columns, NULL: there
 * is none. They stay until the next call. */
bool report_row(struct report *report, const struct value **values, struct error *error);

#endif

/* A report, executed step by step. A workspace runs one report at a time.
 *
 *     report = report_open(workspace, &request, &error);
 *     while (report_next(report, &result, &error) && result != NULL) {
 *         while (report_next_row(report, &values, &error) && values != NULL) { … }
 *     }
 *     report_close(report); */
#ifndef TRACETOOL_REPORT_H
#define TRACETOOL_REPORT_H

#include <stdbool.h>

#include "output/printer.h"
#include "report/request.h"
#include "report/workspace.h"

struct report;

/* Finds the queries and traces of a report. Owned by the caller; NULL with `error` set on failure.
 * `request` and all it points to are borrowed until report_close(), which must come before
 * workspace_close(). */
struct report *report_open(struct workspace *workspace, const struct report_request *request,
                           struct error *error);

/* Closes a report; does nothing for NULL. */
void report_close(struct report *report);

/* Returns whether there may be several results. */
bool report_has_many_results(const struct report *report);

/* Returns the number of choices, pairs of a trace and its query; with `by_trace`, of results. */
size_t report_choice_count(const struct report *report);

/* Returns whether all traces have the same query, which one plot can show; sets an error if not. */
bool report_check_one_query(const struct report *report, struct error *error);

/* Moves on to the next result: reads the remaining rows of the last one, selects events, runs the
 * analyses, and prepares the query. `*result` is valid until the next call; NULL at the end. */
bool report_next(struct report *report, const struct result **result, struct error *error);

/* Return the query and the selection of the current result, borrowed until the next one. */
const struct query *report_query(const struct report *report);
const struct selection *report_selection(const struct report *report);

/* Reads the next row of the result. `*values` has one value per column, and is valid until the next
 * call; NULL at the end. */
bool report_next_row(struct report *report, const struct value **values, struct error *error);

#endif

/* A report, executed step by step. A workspace runs only one report at a time.
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

/* Finds the queries and traces of a report, and fetches its data from a store. The caller frees it
 * by report_close(), before workspace_close(); NULL with `error` set on failure. `request` and all
 * it points to are borrowed until report_close(). */
struct report *report_open(struct workspace *workspace, const struct report_request *request,
                           struct error *error);

/* Closes a report; does nothing for NULL. */
void report_close(struct report *report);

/* Returns whether there may be several results. */
bool report_has_many_results(const struct report *report);

/* Returns the number of pairs of a trace and its query; with `by_trace`, the number of results. */
size_t report_choice_count(const struct report *report);

/* Returns true if one plot can show the report: all traces have the same query. Else an error. */
bool report_check_one_query(const struct report *report, struct error *error);

/* Begins the next result: reads the remaining rows of the previous one, selects events, runs the
 * analyses, and prepares the query. `*result` is valid until the next call; NULL at the end. */
bool report_next(struct report *report, const struct result **result, struct error *error);

/* Return the query and the selection of the current result, borrowed until report_next(). */
const struct query *report_query(const struct report *report);
const struct selection *report_selection(const struct report *report);

/* Reads the next row of the result. `*values` has one value per column, and is valid until the next
 * call; NULL after the last row. */
bool report_next_row(struct report *report, const struct value **values, struct error *error);

#endif

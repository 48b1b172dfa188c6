/* Selects what a query reads, and has it counted. */
#ifndef TRACETOOL_PREPARE_H
#define TRACETOOL_PREPARE_H

#include "report/query.h"
#include "report/request.h"
#include "report/workspace.h"

/* Whether the options of the request are good values of the parameters of the analyses that the
 * query wants, and what they name occurs in one of the traces; says so if not. */
bool prepare_check(const struct workspace *workspace, const struct query *query,
                   const struct report_request *request, const struct catalog_trace *const *traces,
                   size_t count, struct error *error);

/* Whether the query, as the request has it, looks at events of the traces beyond the times of each
 * one's first and last; else rollups answer. Of spans these two times are no less than others. */
bool prepare_needs_events(const struct query *query, const struct report_request *request,
                          const struct catalog_trace *const *traces, size_t count);

/* Whether the query adds what is open at the end of the log to rollups, of which spans have the
 * times with their events. */
bool prepare_reads_open_calls(const struct query *query);

/* Whether the query is of what was issued: times from issue to completion, and stages. */
bool prepare_is_issued(const struct query *query);

/* Whether it tells partitions apart. */
bool prepare_reads_partitions(const struct query *query);

/* Whether times of the query are parts of calls where the window cuts these. */
bool prepare_counts_parts(const struct query *query);

/* Whether all that the query looks at of events are those that a filter of the request and the
 * action choose, and a few at either end of the time (DATABASE_PART_ENDS); `*all_actions`: I/Os of
 * any action are, unless the filter names one. */
bool prepare_takes_part(const struct query *query, bool *all_actions);

/* Appends, blank-separated, what the query reads of whole traces of the tables that are not always
 * there (database_wanted). */
void prepare_append_tables(const struct query *query, struct text *tables);

/* Whether the query looks at other traces of the same studies, too. */
bool prepare_reads_studies(const struct query *query);

/* Whether the query, or an analysis that it wants, reads the temporary table `name`. */
bool prepare_reads(const struct query *query, const char *name);

/* Makes the selection of the traces, which are of one kind, with the tables that the query reads.
 * To be ended by workspace_deselect() in any case. */
bool prepare_selection(struct workspace *workspace, struct scratch *scratch,
                       const struct query *query, const struct report_request *request,
                       const struct catalog_trace *const *traces, size_t count,
                       struct selection *selection, struct error *error);

#endif

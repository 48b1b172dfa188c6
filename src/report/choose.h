/* Chooses the traces of a report and the query for each of them. */
#ifndef TRACETOOL_CHOOSE_H
#define TRACETOOL_CHOOSE_H

#include "base/text.h"
#include "report/query_set.h"
#include "report/request.h"

struct choice {
    const struct catalog_trace *trace; /* borrowed */
    const struct query *query;         /* borrowed */
    unsigned hour;                     /* hour of the day (0 to 23), with --by hour */
    bool named;                        /* the trace was requested by name, not by a pattern */
    bool done;                         /* true: the result that the trace belongs to is finished */
};

/* Sets `choices`, owned by the caller, to the requested traces with their queries: at least one, in
 * order of the request, otherwise of the catalog. Fails if the report does not exist or suits none
 * of the traces, or if an option applies to none of them, or not to one that is named; other traces
 * are left out. Also fails if it would add times in units of different counters. */
bool choose_reports(const struct catalog *catalog, const struct query_set *queries,
                    const struct report_request *request, struct choice **choices, size_t *count,
                    struct error *error);

/* Returns whether a query of `typed` (REPORT, or REPORT --OPTION VALUE) suits the trace. */
bool report_suits_trace(const struct query_set *queries, const char *typed,
                        const struct catalog_trace *trace);

/* Returns a hint for a common name of a report that has another name here ("mrc": "that is `reuse`:
 * …"). NULL if there is none. */
const char *choose_synonym(const char *typed);

/* Appends "look at" and the first reports whose title, question or columns have the word, if any.
 */
void choose_append_related(const struct query_set *queries, const char *word, struct text *out);

/* Returns the report with this name or unique prefix; borrowed from `queries`. On failure returns
 * NULL; the error lists reports with the word in their title, question or columns. */
const char *choose_report(const struct query_set *queries, const char *typed, struct error *error);

/* Returns the group that a choice (trace with its query) belongs to: the value of the request's
 * --by, like `06:00` or the name of a device; "": no group. */
const char *choice_group_label(const struct report_request *request, const struct choice *choice);

/* Returns true if two traces have the same query, kind and clock, so one result can add them up. */
bool choices_can_be_merged(const struct choice *left, const struct choice *right);

/* Returns true if two traces can be added up in one result, and options do not separate them. */
bool choices_are_merged(const struct report_request *request, const struct choice *left,
                        const struct choice *right);

/* Returns whether the choices (traces with their queries) may give more than one result. */
bool choices_have_many_results(const struct report_request *request, const struct choice *choices,
                               size_t count);

/* Replaces each choice (trace with its query) by one for each hour of the day with selected times.
 * The caller owns `*choices` before and after. Fails if a trace has no time of day. */
bool choices_split_by_hour(const struct filter *filter, struct choice **choices, size_t *count,
                           struct error *error);

/* Returns the hour of the day of a choice, as a filter for the events of its result. */
struct day_hours choice_selected_hours(const struct choice *choice);

/* Appends one line, without newline, that says which traces' counts are added up, and how to select
 * among them. Appends nothing if the request chooses or separates traces, if no result has several
 * traces, or if all are rounds of one study. Labels and names are not escaped. */
void choices_append_merge_description(const struct report_request *request,
                                      const struct choice *choices, size_t count,
                                      struct text *line);

#endif

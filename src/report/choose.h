/* Chooses the traces of a report and the query for each of them. */
#ifndef TRACETOOL_CHOOSE_H
#define TRACETOOL_CHOOSE_H

#include "base/text.h"
#include "report/query_set.h"
#include "report/request.h"

struct choice {
    const struct catalog_trace *trace; /* borrowed */
    const struct query *query;         /* borrowed */
    unsigned hour;                     /* hour of the day, with --by hour */
    bool named;                        /* the trace was requested by name, not by a pattern */
    bool done;                         /* true: the choice is part of a finished result */
};

/* Sets `choices`, owned by the caller, to the requested traces with their queries: at least one, in
 * order of the request, otherwise of the catalog. Fails if the report does not exist or suits none
 * of the traces, or if an option does not apply to one of them. Also fails if it would add times in
 * units of different counters. */
bool choose_reports(const struct catalog *catalog, const struct query_set *queries,
                    const struct report_request *request, struct choice **choices, size_t *count,
                    struct error *error);

/* Returns whether some query suits the trace and the words REPORT, or REPORT --OPTION VALUE. */
bool report_suits_trace(const struct query_set *queries, const char *typed,
                        const struct catalog_trace *trace);

/* Returns a hint for a word that users may type for a report with another name: "that is `reuse`:
 * …". NULL if there is none. */
const char *choose_synonym(const char *typed);

/* Returns the report with a name or unique prefix; borrowed from the queries. NULL with `error`
 * set, which lists reports that have the word in their title or columns. */
const char *choose_report(const struct query_set *queries, const char *typed, struct error *error);

/* Returns the label of a choice's group (--by); "" for none, 06:00 for an hour. */
const char *choice_group_label(const struct report_request *request, const struct choice *choice);

/* Returns whether two traces can share a result: they have the same query, kind and clock. */
bool choices_share_result(const struct choice *left, const struct choice *right);

/* Returns whether two traces share a result, because the request does not separate them. */
bool choices_of_one_result(const struct report_request *request, const struct choice *left,
                           const struct choice *right);

/* Returns whether there can be several results. */
bool choices_have_many_results(const struct report_request *request, const struct choice *choices,
                               size_t count);

/* Replaces each choice by several, one for each hour of the day in which its trace has selected
 * times. The caller owns `*choices` before and after. Fails if a trace's hours are not known. */
bool choices_split_by_hour(const struct filter *filter, struct choice **choices, size_t *count,
                           struct error *error);

/* Returns the hour of a choice, to filter the events of its result. */
struct day_hours choice_selected_hours(const struct choice *choice);

/* Appends one line, without newline, about traces whose counts are added up in one result, and how
 * to choose among them. Appends nothing if the request chooses or separates traces, if no result
 * has several traces, or if these are rounds of one study. Labels and names in it are raw bytes. */
void sum_append_description(const struct report_request *request, const struct choice *choices,
                            size_t count, struct text *line);

#endif

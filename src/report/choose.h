/* Which query answers for which trace. */
#ifndef TRACETOOL_CHOOSE_H
#define TRACETOOL_CHOOSE_H

#include "base/text.h"
#include "report/query_set.h"
#include "report/request.h"

struct choice {
    const struct catalog_trace *trace; /* borrowed */
    const struct query *query;         /* likewise */
    unsigned hour;                     /* of the day, with --by hour */
    bool named;                        /* the trace was asked for by its name, not by a pattern */
    bool done;                         /* part of a result that has been made */
};

/* Puts the traces of the request with their queries into `choices`, owned by the caller, in the
 * order of the request, else of the catalog: at least one. Fails where the report does not exist or
 * is for none of them, where an option makes no sense for one of them, or where times of
 * counters would be added up that are not known to be one. */
bool choose(const struct catalog *catalog, const struct query_set *queries,
            const struct report_request *request, struct choice **choices, size_t *count,
            struct error *error);

/* Whether there is a query for the trace of what is typed as REPORT or REPORT --OPTION VALUE. */
bool report_answers(const struct query_set *queries, const char *typed,
                    const struct catalog_trace *trace);

/* Completes the words of options that choose among the report's queries, such as --of.
 * False with `error` set, which lists the words, when there is none. */
bool choose_words(const struct query_set *queries, const char *report,
                  struct report_option *options, size_t count, struct error *error);

/* What leads on from a word that people type for a report of another name: "that is `reuse`: …";
 * NULL: nothing does. */
const char *choose_synonym(const char *typed);

/* The report that was meant, by its name or what begins it alone; borrowed from the queries. NULL
 * with `error` set when there is none: it names those that have the word in their titles or
 * columns.
 */
const char *choose_report(const struct query_set *queries, const char *typed, struct error *error);

/* The text of the query's plot for the options that were given; borrowed, NULL: there is none. */
const char *choose_plot(const struct query *query, const struct report_request *request);

/* The group that a choice is in, by its label, as request_group(); of an hour 06:00. */
const char *choice_group(const struct report_request *request, const struct choice *choice);

/* Whether two traces may share a result: the same query, kind and clock. */
bool choices_share_result(const struct choice *left, const struct choice *right);

/* Whether they do: also as far as the request keeps traces apart. */
bool choices_of_one_result(const struct report_request *request, const struct choice *left,
                           const struct choice *right);

/* Whether several results may be made of them. */
bool choices_are_many(const struct report_request *request, const struct choice *choices,
                      size_t count);

/* Puts in place of each choice one for each hour of the day in which its trace has times that the
 * filter chooses; `*choices` is owned by the caller before and after. Fails where a trace does not
 * know the hours of its day. */
bool choices_by_hour(const struct filter *filter, struct choice **choices, size_t *count,
                     struct error *error);

/* The hour of a choice, for the filter of its result. */
struct day_hours choice_hours(const struct choice *choice);

/* Appends one line, without an end, that says which traces have a result in common and what chooses
 * among them. Nothing where the request chooses traces or keeps them apart, where no result is of
 * several, or where all of those are rounds of one study, which is there to be added up. Labels and
 * names in it are any bytes. */
void sum_describe(const struct report_request *request, const struct choice *choices, size_t count,
                  struct text *line);

#endif

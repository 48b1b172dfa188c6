/* Places of broken contracts: the calls that figures count, and those that rows of reports name.
 * One pass over the events finds all of a trace with the same filter. */
#ifndef TRACETOOL_PLACES_H
#define TRACETOOL_PLACES_H

#include "contract/contract.h"
#include "model/event_columns.h"
#include "select/match.h"
#include "select/selection.h"

/* The calls whose places in the log are wanted. Empty when zeroed. */
struct places {
    struct place_group *groups; /* owned; by trace and filter */
    size_t outcome;             /* index of the outcome that is added to */
};

/* --- the calls of a trace that pass a filter -------------------------------------------------- */

struct selected_calls {
    struct temp_schema temp; /* owned, as are the next */
    struct abbreviations abbreviations;
    struct selection selection;
    unsigned fields; /* columns of events to read, besides those of every scan */
};

/* `reads`: the views and labels that are read, as in struct selection_request. Always close it. */
bool selected_calls_open(struct selected_calls *calls, struct workspace *workspace,
                         const struct catalog_trace *trace, const struct filter *filter,
                         const char *reads, struct error *error);
void selected_calls_close(struct selected_calls *calls);

/* Visits the selected calls in order, as event_scan_in_turns(), with operation, object, error and
 * duration. */
bool selected_calls_scan(const struct selected_calls *calls,
                         bool (*visit)(void *, const struct event_columns *, size_t,
                                       struct error *),
                         void *const *contexts, size_t count, struct error *error);

/* Appends the places of `calls` (event ids of the selection), at most CONTRACT_PLACES. */
bool contract_list_calls(const int64_t *calls, size_t count, struct database *database,
                         struct outcome *outcome, struct error *error);

/* Appends the places of the first calls found for a contract. For an order, each names the call
 * that is missing before it, and the call since which it is missing. */
bool contract_list_found(const struct contract *contract, const struct calls_found *found,
                         struct database *database, struct outcome *outcome, struct error *error);

#endif

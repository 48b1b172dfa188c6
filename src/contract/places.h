/* Places of broken contracts: where in the log those calls are that figures count, or that rows of
 * reports are about. One pass over the events finds all in a trace that have the same filter. */
#ifndef TRACETOOL_PLACES_H
#define TRACETOOL_PLACES_H

#include "contract/contract.h"
#include "model/event_columns.h"
#include "select/match.h"
#include "select/selection.h"

/* Searches for calls whose places in the log are wanted. Empty when zeroed. */
struct places {
    struct place_group *groups; /* owned hash table: searches by trace and filter */
    size_t outcome;             /* index of the outcome to which places are added */
};

/* --- the calls of a trace that pass a filter -------------------------------------------------- */

struct selected_calls {
    struct temp_schema temp; /* owned, like `selection` and `abbreviations` */
    struct abbreviations abbreviations;
    struct selection selection;
    unsigned fields; /* columns of events to read, besides those that every scan reads */
};

/* Selects the calls of a trace that pass a filter. `reads`: views and labels to create, as in
 * struct selection_request. selected_calls_close() must always be called. */
bool selected_calls_open(struct selected_calls *calls, struct workspace *workspace,
                         const struct catalog_trace *trace, const struct filter *filter,
                         const char *reads, struct error *error);
void selected_calls_close(struct selected_calls *calls);

/* Visits the selected calls in order, with operation, object, error and duration. */
bool selected_calls_scan(const struct selected_calls *calls,
                         bool (*visit)(void *, const struct event_columns *, size_t,
                                       struct error *),
                         void *const *contexts, size_t count, struct error *error);

/* Appends the places of `calls`, event ids of the selection; at most CONTRACT_PLACES. */
bool contract_list_calls(const int64_t *calls, size_t count, struct database *database,
                         struct outcome *outcome, struct error *error);

/* Appends the places of the first calls that were found for a contract. In an order, each place
 * also names the call that is missing before it, and the call since which it is missing. */
bool contract_list_calls_found(const struct contract *contract, const struct calls_found *found,
                               struct database *database, struct outcome *outcome,
                               struct error *error);

#endif

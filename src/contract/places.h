/* Places of broken contracts: the log lines of calls that figures count, or that rows of reports
 * are about. One pass over the events of a trace finds the places for all contracts with the same
 * filter. */
#ifndef TRACETOOL_PLACES_H
#define TRACETOOL_PLACES_H

#include "contract/contract.h"
#include "model/event_columns.h"
#include "select/match.h"
#include "select/selection.h"

/* Searches for calls whose places are to be listed. Zeroed: empty. */
struct places {
    struct place_group *groups; /* owned hash table: searches by trace and filter */
    size_t outcome;             /* index of the outcome whose places receive the found calls */
};

/* --- the calls of a trace that pass a filter -------------------------------------------------- */

struct selected_calls {
    struct temp_schema temp; /* owned, like `selection` and `abbreviations` */
    struct abbreviations abbreviations;
    struct selection selection;
    unsigned fields; /* columns of events to read, in addition to those that selected_calls_scan()
                        always reads */
};

/* Selects the calls of a trace that pass a filter. `reads`: views and labels to create, as in
 * struct selection_request. Call selected_calls_close() also on failure. */
bool selected_calls_open(struct selected_calls *calls, struct workspace *workspace,
                         const struct catalog_trace *trace, const struct filter *filter,
                         const char *reads, struct error *error);
void selected_calls_close(struct selected_calls *calls);

/* Visits the selected calls in log order, with operation, object, error, thread and duration. */
bool selected_calls_scan(const struct selected_calls *calls,
                         bool (*visit)(void *, const struct event_columns *, size_t,
                                       struct error *),
                         void *const *contexts, size_t count, struct error *error);

/* Appends the places of at most CONTRACT_PLACES calls, given by event ids in the selection.
 * `with_bytes`: each with its bytes instead of its duration. */
bool contract_list_calls(const int64_t *calls, size_t count, bool with_bytes,
                         struct database *database, struct outcome *outcome, struct error *error);

/* Appends the places of the first calls that a pass found for a contract. In an order, each place
 * also names the `after` call that is missing before it, and the last `since` call. */
bool contract_list_calls_found(const struct contract *contract, const struct calls_found *found,
                               struct database *database, struct outcome *outcome,
                               struct error *error);

#endif

/* Contracts on the order of calls, judged together in one pass over the events. */
#ifndef TRACETOOL_ORDER_H
#define TRACETOOL_ORDER_H

#include "contract/contract.h"

/* What is found of an order contract in a trace. */
struct order_found {
    bool is_searched;
    const char *why;                /* why it is unknown; NULL: it is known */
    int64_t count;                  /* calls that break it */
    int64_t calls[CONTRACT_PLACES]; /* event ids of the first ones; INT64_MAX behind the last */
    int64_t since[CONTRACT_PLACES]; /* last call of `since` before each; EVENT_NONE: none */
};

/* Limits for all order contracts with the same filter. */
#define ORDER_MATCHES ((size_t)1 << 24) /* files, added up over the parts of contracts */
#define ORDER_STATES  ((size_t)1 << 20) /* different matches of *, added up over contracts */
#define ORDER_ENDS    ((size_t)1 << 20) /* calls of `after` under way at once, added up */

/* Searches the trace for the order contract of index `first`, and for all others with the same
 * filter. Sets `found[INDEX * stride]` of each. */
bool orders_find(const struct contracts *contracts, size_t first, struct workspace *workspace,
                 const struct catalog_trace *trace, struct order_found *found, size_t stride,
                 struct error *error);

/* Appends the first calls that break an order as places: each with the call that is missing, and
 * since which other. */
bool contract_append_calls(const struct contract *contract, const struct order_found *found,
                           struct workspace *workspace, struct outcome *outcome,
                           struct error *error);

/* Sets `*lacks` if calls of an order were left out of the log (measure_lacks()). */
bool order_lacks_calls(const struct contract *contract, struct database *database,
                       const struct catalog_trace *trace, bool *lacks, struct error *error);

#endif

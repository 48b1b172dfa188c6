/* Contracts on the order of calls, judged together in one pass over the events. */
#ifndef TRACETOOL_ORDER_H
#define TRACETOOL_ORDER_H

#include "contract/contract.h"
#include "model/event_columns.h"

struct orders;

/* Limits for all order contracts with the same filter. */
#define ORDER_MATCHES ((size_t)1 << 24) /* files, added up over the parts of contracts */
#define ORDER_STATES  ((size_t)1 << 20) /* different matches of *, added up over contracts */
#define ORDER_ENDS    ((size_t)1 << 20) /* calls of `after` under way at once, added up */

/* Begins a search for the order contract with index `first`, and for later ones with the same
 * filter that are not searched for yet. Sets `found[INDEX * stride]` of each. `*orders`: NULL if
 * there are none. Always close them, also on failure. */
bool orders_open(struct orders **orders, const struct contracts *contracts, size_t first,
                 struct database *database, const struct catalog_trace *trace,
                 struct calls_found *found, size_t stride, struct error *error);

/* Takes the next calls, in order. */
bool orders_visit(struct orders *orders, const struct event_columns *columns, size_t count,
                  struct error *error);

/* Judges the last calls, and frees the search. NULL is allowed. */
void orders_close(struct orders *orders);

/* Sets `*why` if an order is unknown in a trace: one of its names is of no call of the trace or of
 * Linux, or its calls were left out of the log (measure_lacks()); else NULL. In the pool, or
 * constant. */
bool order_check_calls(const struct contract *contract, struct database *database,
                       const struct catalog_trace *trace, struct pool *pool, const char **why,
                       struct error *error);

#endif

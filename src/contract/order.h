/* Contracts on the order of calls, judged together in one pass over the events. */
#ifndef TRACETOOL_ORDER_H
#define TRACETOOL_ORDER_H

#include "contract/contract.h"
#include "model/event_columns.h"

struct orders;

/* Limits for all contracts on orders that have the same filter. */
#define ORDER_MATCHES ((size_t)1 << 24) /* files, summed over the parts of contracts */
#define ORDER_STATES  ((size_t)1 << 20) /* texts that * matches, summed over contracts */
/* Calls of `after` that run at the same time, summed over contracts. */
#define ORDER_ENDS ((size_t)1 << 20)

/* Begins to judge the order with index `first`, and later ones with the same filter that were not
 * judged yet. Sets `found[INDEX * stride]` for each. `*orders` is NULL if there are none.
 * orders_close() must always be called. */
bool orders_open(struct orders **orders, const struct contracts *contracts, size_t first,
                 struct database *database, const struct catalog_trace *trace,
                 struct calls_found *found, size_t stride, struct error *error);

/* Judges the next calls, which come in order. */
bool orders_visit(struct orders *orders, const struct event_columns *columns, size_t count,
                  struct error *error);

/* Judges the last calls, and ends. Does nothing for NULL. */
void orders_close(struct orders *orders);

/* Sets `*why`, in the pool or constant, if an order cannot be judged in a trace: one of its names
 * is a call neither of the trace nor of Linux, or its calls were left out of the log
 * (measure_lacks_calls()). Else NULL. */
bool order_check_calls(const struct contract *contract, struct database *database,
                       const struct catalog_trace *trace, struct pool *pool, const char **why,
                       struct error *error);

#endif

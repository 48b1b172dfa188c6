/* Contracts on the order of calls, judged together in one pass over the events. */
#ifndef TRACETOOL_ORDER_H
#define TRACETOOL_ORDER_H

#include "contract/contract.h"
#include "model/event_columns.h"

struct orders;

/* Limits for all contracts on orders with the same filter. */
#define ORDER_MATCHES ((size_t)1 << 24) /* matching files, summed over all parts of contracts */
#define ORDER_STATES  ((size_t)1 << 20) /* texts that * matches, summed over all contracts */
/* Limit of AFTER calls that run at the same time, summed over all contracts. */
#define ORDER_ENDS ((size_t)1 << 20)

/* Begins to judge the order with index `first`, and later orders with the same filter that were not
 * judged yet. Sets `found[INDEX * stride]` for each. `*opened` becomes NULL if there are none. Call
 * orders_close() also on failure. */
bool orders_open(struct orders **orders, const struct contracts *contracts, size_t first,
                 struct database *database, const struct catalog_trace *trace,
                 struct calls_found *found, size_t stride, struct error *error);

/* Judges `count` calls. All calls must be passed in log order. */
bool orders_visit(struct orders *orders, const struct event_columns *columns, size_t count,
                  struct error *error);

/* Judges the last calls and frees all memory. Does nothing for NULL. */
void orders_close(struct orders *orders);

/* Sets `*why` (in the pool, or a literal) if an order cannot be judged in a trace: neither the
 * trace nor Linux has a call that it names, or the log was recorded without these calls
 * (measure_lacks_calls()). Else sets it to NULL. */
bool order_check_calls(const struct contract *contract, struct database *database,
                       const struct catalog_trace *trace, struct pool *pool, const char **why,
                       struct error *error);

#endif

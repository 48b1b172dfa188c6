/* Counts the events of traces anew, whatever rollups there are: what these must agree with. */
#ifndef TRACETOOL_RECOUNT_H
#define TRACETOOL_RECOUNT_H

#include "analysis/passes.h"
#include "store/check.h"

/* Zeroed: closed. */
struct recount {
    struct scratch scratch;
    struct selection selection; /* of all events and all actions */
};

/* Once a connection, before any statement runs on it; `config` is borrowed as long as it is open.
 */
bool recount_register(struct database *database, const struct config *config, struct error *error);

/* Fills the tables of the analyses that `names` (blank-separated) says, such as temp.tally_block,
 * for traces of one kind. To be ended by recount_close() in any case. No other selection is open on
 * the connection meanwhile. */
bool recount_open(struct recount *recount, struct database *database, const struct config *config,
                  const struct catalog_trace *const *traces, size_t count, const char *names,
                  struct error *error);
void recount_close(struct recount *recount);

/* Counts anew and reports every rollup of tallies that does not agree with the events; of traces of
 * one kind that have the same rollups. False only when the counting failed. */
bool recount_compare(struct database *database, const struct config *config,
                     const struct catalog_trace *const *traces, size_t count,
                     const struct store_report *report, struct error *error);

#endif

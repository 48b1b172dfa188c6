/* Recounts the events of traces without using rollups, to verify the rollups. */
#ifndef TRACETOOL_RECOUNT_H
#define TRACETOOL_RECOUNT_H

#include "analysis/passes.h"
#include "store/check.h"

/* The rollup of call times by function and thread, which is not a tally. */
#define SPAN_ROLLUP "span"

/* Zeroed: closed. */
struct recount {
    struct temp_schema temp;
    struct selection selection; /* all events and all actions */
};

/* Registers SQL functions, once per connection; `config` is borrowed as long as it is open. */
bool recount_register(struct database *database, const struct config *config, struct error *error);

/* Fills the tables of the analyses in `names` (blank-separated), such as temp.tally_block, for
 * traces of one kind, from their rows alone or from columns if there are any. Must be closed by
 * recount_close() even on failure. No other selection may be open on the connection meanwhile. */
bool recount_open(struct recount *recount, struct database *database, const struct config *config,
                  const struct catalog_trace *const *traces, size_t count, const char *names,
                  enum event_source events, struct error *error);
void recount_close(struct recount *recount);

/* Rebuilds the rollup of a trace's call times from its rows, as the import made it, in the
 * caller's transaction. */
bool recount_spans(struct database *database, const struct catalog_trace *trace,
                   struct error *error);

/* Recounts and reports every rollup that disagrees with the events, for traces of one kind with
 * the same rollups. False only if counting failed. */
bool recount_compare(struct database *database, const struct config *config,
                     const struct catalog_trace *const *traces, size_t count,
                     const struct store_report *report, struct error *error);

#endif

/* Counts the events of traces again, without the rollups (counts of the import), to verify
 * these. */
#ifndef TRACETOOL_RECOUNT_H
#define TRACETOOL_RECOUNT_H

#include "analysis/passes.h"
#include "store/check.h"

/* Name of the rollup of call times by function and thread, which is not one of enum tally_kind. */
#define SPAN_ROLLUP "span"

/* An open recount, with its tables. Zeroed: closed. */
struct recount {
    struct temp_schema temp;
    struct selection selection; /* selects all events, of all actions */
};

/* Registers the SQL functions of a recount, once per connection; `config` is borrowed. */
bool recount_register(struct database *database, const struct config *config, struct error *error);

/* Counts the events of traces of one kind into the tables of the analyses in `names`
 * (blank-separated), such as temp.tally_block. Reads events from their rows alone, or from columns
 * if there are any. Must be closed by recount_close() even on failure. No other selection may be
 * open on the connection meanwhile. */
bool recount_open(struct recount *recount, struct database *database, const struct config *config,
                  const struct catalog_trace *const *traces, size_t count, const char *names,
                  enum event_source events, struct error *error);
void recount_close(struct recount *recount);

/* Rebuilds the rollup of call times of a trace from its events, as the import made it, in the
 * caller's transaction. */
bool recount_spans(struct database *database, const struct catalog_trace *trace,
                   struct error *error);

/* Recounts the events of traces of one kind that have the same rollups, and reports each rollup
 * that does not agree. Returns false only if counting failed. */
bool recount_compare(struct database *database, const struct config *config,
                     const struct catalog_trace *const *traces, size_t count,
                     const struct store_report *report, struct error *error);

#endif

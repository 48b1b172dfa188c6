/* Counts the events of traces again, to verify the rollups (counts stored by the import). */
#ifndef TRACETOOL_RECOUNT_H
#define TRACETOOL_RECOUNT_H

#include "analysis/passes.h"
#include "store/check.h"

/* Name of the rollup of call times by function and thread, which is not one of enum tally_kind. */
#define SPAN_ROLLUP "span"

/* An open recount, with its temporary tables. Zeroed: closed. */
struct recount {
    struct temp_schema temp;
    struct selection selection; /* selects all events, of all actions */
};

/* Registers the SQL functions that a recount needs, once per connection; `config` is borrowed. */
bool recount_register(struct database *database, const struct config *config, struct error *error);

/* Counts the events of traces of the same kind into the tables of the analyses in `names`
 * (blank-separated), such as temp.tally_block. `events`: whether they are read from table event
 * only, or from event columns (column_table.h) where there are any. Call recount_close() even on
 * failure. The connection must have no other selection. */
bool recount_open(struct recount *recount, struct database *database, const struct config *config,
                  const struct catalog_trace *const *traces, size_t count, const char *names,
                  enum event_source events, struct error *error);
void recount_close(struct recount *recount);

/* Rebuilds a trace's rollup of call times from its events, in the caller's transaction. */
bool recount_spans(struct database *database, const struct catalog_trace *trace,
                   struct error *error);

/* Recounts the events of traces of the same kind with the same rollups, and reports each rollup
 * that differs. Returns false only if counting failed. */
bool recount_compare(struct database *database, const struct config *config,
                     const struct catalog_trace *const *traces, size_t count,
                     const struct store_report *report, struct error *error);

#endif

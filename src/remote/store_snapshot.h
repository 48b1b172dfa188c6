/* Snapshot of a store: a temporary database with the usual tables, so that all reports work on it.
 *
 * The tables trace, source, ledger, remark, meaning, map, probe, loss and pairing are complete from
 * the beginning. Names and rollups of a trace are fetched when a report uses the trace, events only
 * when a report reads them (database_fetch()). */
#ifndef TRACETOOL_REMOTE_STORE_SNAPSHOT_H
#define TRACETOOL_REMOTE_STORE_SNAPSHOT_H

#include <stdint.h>

#include "base/error.h"
#include "remote/client.h"
#include "store/database.h"

/* Default limit of events fetched from a store. */
#define STORE_SNAPSHOT_MOST_ROWS 10000000

struct store_snapshot;

/* Connects to a store and opens `database` as its snapshot; close `database` with database_close().
 * `most_rows`: limit of events to fetch. Returns NULL with `error` set on failure; then nothing
 * needs to be closed. */
struct store_snapshot *store_snapshot_open(const struct remote_options *options, int64_t most_rows,
                                           struct database *database, struct error *error);

/* Closes the snapshot, after its database was closed. NULL is allowed. */
void store_snapshot_close(struct store_snapshot *snapshot);

#endif

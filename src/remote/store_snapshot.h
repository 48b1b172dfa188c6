/* Snapshot of a store as a temporary database with this program's schema, so that all reports work
 * on it.
 *
 * The tables trace, source, ledger, remark, meaning, map and probe are complete from the beginning.
 * Names and rollups of a trace are fetched when it is chosen, and its events only when a report
 * reads them (database_fetch()). */
#ifndef TRACETOOL_REMOTE_STORE_SNAPSHOT_H
#define TRACETOOL_REMOTE_STORE_SNAPSHOT_H

#include <stdint.h>

#include "base/error.h"
#include "remote/client.h"
#include "store/database.h"

/* Default limit of events that one report may fetch. */
#define STORE_SNAPSHOT_MOST_ROWS 10000000

struct store_snapshot;

/* Opens the store, and `database` as its snapshot; close it with database_close(). `most_rows`:
 * limit of fetched events. NULL with `error` set on failure; then nothing needs closing. */
struct store_snapshot *store_snapshot_open(const struct remote_options *options, int64_t most_rows,
                                           struct database *database, struct error *error);

/* Closes the snapshot, after its database. NULL is allowed. */
void store_snapshot_close(struct store_snapshot *snapshot);

#endif

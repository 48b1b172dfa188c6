/* A store as a database: a temporary one with this program's schema, into which comes out of the
 * store what is asked of its traces, so that reports are made of it as of any other.
 *
 * All traces of the store are in its tables trace, source, ledger, remark, meaning, map and probe
 * from the beginning. Names and rollups of a trace come when it is chosen, and its events only
 * where a report looks at them (database_fetch()).
 */
#ifndef TRACETOOL_REMOTE_STORE_SNAPSHOT_H
#define TRACETOOL_REMOTE_STORE_SNAPSHOT_H

#include <stdint.h>

#include "base/error.h"
#include "remote/client.h"
#include "store/database.h"

/* Events that one report may fetch unless it is told how many. */
#define STORE_SNAPSHOT_MOST_ROWS 10000000

struct store_snapshot;

/* Opens the store, and `database` as its snapshot, with which database_close() ends. `most_rows`:
 * so many events are fetched at most. NULL with `error` set on failure, when nothing needs closing.
 */
struct store_snapshot *store_snapshot_open(const struct remote_options *options, int64_t most_rows,
                                           struct database *database, struct error *error);

/* Behind the database, which fetches from it. NULL is allowed. */
void store_snapshot_close(struct store_snapshot *snapshot);

#endif

/* The transaction of a trace: a log that holds several kinds of events has several in one. */
#ifndef TRACETOOL_TRANSACTION_H
#define TRACETOOL_TRANSACTION_H

#include "base/text.h"
#include "model/event.h"
#include "store/database.h"
#include "store/store.h"
#include "store/trace_metadata.h"

/* --- removal -------------------------------------------------------------------------------------
 */

/* Removes a trace wholly, within a transaction of the caller's. */
bool store_remove(struct database *database, int64_t trace, struct error *error);

/* --- order of time -------------------------------------------------------------------------------
 */

/* Puts the events of the trace in order of time, however far they were out of it. SQLite sorts them
 * outside memory; they get new ids. */
bool store_sort(struct store *store, struct error *error);

/* --- staging -------------------------------------------------------------------------------------
 */

/* Where several traces are written in one transaction, only the first grows
 * at the end of `event`; as the ids of a trace are one range, the events of the others wait in
 * temporary tables until all of them are known. */

/* Puts the events of a joined trace, which has all of them, behind those that are there. */
bool store_place(struct store *store, struct error *error);

/* --- the transaction -----------------------------------------------------------------------------
 */

/* Takes the write lock (waits up to DATABASE_WAIT ms), checks the name, and begins the trace. On
 * failure nothing was changed and nothing needs freeing. */
bool store_begin(struct store *store, struct database *database, const struct store_trace *trace,
                 struct error *error);

/* Takes the write lock in order to change an existing trace; the caller puts its id into `trace`.
 * Then store_existing_names(), store_entry(), store_commit() and
 * store_end(). On failure nothing was changed and nothing needs freeing. */
bool store_begin_change(struct store *store, struct database *database, struct error *error);

/* Begins another trace, a new one, in the transaction of `first`, under a name for the time being;
 * `number` tells it from others of the transaction. */
bool store_join(struct store *store, const struct store *first, unsigned number,
                const struct store_trace *trace, struct error *error);

/* Completes the trace's row. `rollups` names the complete ones, blank-separated. */
bool store_complete(struct store *store, const struct store_ending *ending, const char *rollups,
                    struct error *error);

/* Commits, with what was joined. */
bool store_commit(struct store *store, struct error *error);

/* Undoes everything since store_begin(); harmless after a commit. Frees what the store owns. Of a
 * joined trace it only does the latter, and comes before that of the first. */
void store_end(struct store *store);

#endif

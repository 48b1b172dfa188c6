/* Lets readers read while a program writes. During a write, the database has a write-ahead log
 * (-wal, and -shm, its index). At rest it is a single file, which can be copied or put on read-only
 * media.
 *
 * The log can be switched on and off only while nobody else uses the database. So a writer waits
 * for readers that came before it. If it cannot switch the log off at its end, the next program
 * that can does so.
 */
#ifndef TRACETOOL_WAL_H
#define TRACETOOL_WAL_H

#include <stdbool.h>

#include "base/error.h"
#include "store/connection.h"

/* Begins a write transaction; waits for other writers. `brief`: the changes stay in memory until
 * the commit, so readers need no log. No log is used on network file systems, or for a database
 * without content yet (struct database.filling), because it writes everything twice. */
bool wal_begin(struct database *database, bool brief, struct error *error);

/* Commits. Moves the log to the file as far as readers allow; waits for earlier readers about as
 * long as moving this transaction's part takes. Fails, with everything unchanged, if there is no
 * space in the file. */
bool wal_commit(struct database *database, struct error *error);

/* Whether the connection is in WAL mode; it must have read once. */
bool wal_is_on(struct database *database);

/* Switches the log off, unless others use the database. True if it is off. */
bool wal_end(struct database *database);

/* Whether the open file's header says that it has a log. */
bool wal_in_header(int descriptor);

/* Whether the database has a log that may hold pages not yet in the file. */
bool wal_is_left(const char *path);

/* Recovers what crashed programs left: replays a journal, or moves a log to the file and switches
 * it off. Does nothing while others use the database or if it is not writable; this is not a
 * failure. It is free if there is nothing to do.
 *
 * `descriptor`, of the file, holds the lock of database.c, so nobody deletes the file meanwhile.
 * `path` has no links. No connection of this process may be open to it: it opens and closes one,
 * which drops the locks of others.
 */
void wal_settle(const char *path, int descriptor);

#endif

/* Writing beside readers. While a program writes, the database keeps a write-ahead log (-wal, and
 * -shm, its index), so that others read what was there before. At rest it has none: it is one file,
 * which can be copied, and lie on read-only media.
 *
 * The log can be switched on and off only while nobody else uses the database. So a writer waits
 * for readers that came before it; what it cannot switch off at its end, the next one does who can.
 */
#ifndef TRACETOOL_WAL_H
#define TRACETOOL_WAL_H

#include <stdbool.h>

#include "base/error.h"
#include "store/connection.h"

/* Begins a transaction that writes; other writers are waited for. `brief`: it changes so little
 * that it stays in memory until it is committed; readers need no log then. Where there cannot be a
 * log (file systems of networks), and where there is nothing yet to read (struct database.filling),
 * there is none: all that is written to a log is written twice. */
bool wal_begin(struct database *database, bool brief, struct error *error);

/* Ends it. What is in the log moves to the file, as far as readers allow; those that began before
 * are waited for about as long as moving takes what the transaction added. Fails, with everything
 * as it was before, when there is no room for it in the file. */
bool wal_commit(struct database *database, struct error *error);

/* Whether there is a log, as far as this connection knows; it must have read once. */
bool wal_is_on(struct database *database);

/* Switches the log off, unless others use the database. True when it is off. */
bool wal_end(struct database *database);

/* Whether the file that is open says that it has a log. */
bool wal_in_header(int descriptor);

/* Whether a log lies beside the file that may hold pages not yet in the file. */
bool wal_is_left(const char *path);

/* Puts in order what programs that ended too early left beside the database: a journal is played
 * back, a log moved to the file and switched off. Nothing of it happens while others use the
 * database, or where it cannot be written; it is no failure, and costs nothing when there is
 * nothing to do. `descriptor` is of the file, by which the program is present (database.c), so
 * that nobody deletes it meanwhile; `path` has no links. No connection
 * of this process may be open to it: one is opened and closed, which gives up the locks of the
 * others.
 */
void wal_settle(const char *path, int descriptor);

#endif

/* Lets other programs read the database while this one writes.
 *
 * During a write, the database has a write-ahead log (-wal, and its index -shm). Otherwise it is a
 * single file, which can be copied or put on read-only media. WAL mode can be switched on and off
 * only while no other program uses the database: so a writer waits for earlier readers. If it
 * cannot switch WAL mode off at the end, the next program does so. */
#ifndef TRACETOOL_WAL_H
#define TRACETOOL_WAL_H

#include <stdbool.h>

#include "base/error.h"
#include "store/connection.h"

/* Begins a write transaction; waits for other writers. Switches WAL mode on, except if `brief`, on
 * network file systems, or during the first import (struct database.filling): WAL makes SQLite
 * write twice. `brief`: changes fit into memory until the commit, so readers need no log. */
bool wal_begin(struct database *database, bool brief, struct error *error);

/* Commits. Does a checkpoint: writes the log to the file, as far as readers allow. Waits for
 * earlier readers, about as long as it takes to write this transaction's part of the log. If the
 * disk has no space, fails and changes nothing. */
bool wal_commit(struct database *database, struct error *error);

/* Returns whether the connection is in WAL mode. The connection must have read something before. */
bool wal_is_on(struct database *database);

/* Switches WAL mode off, unless other programs use the database. Returns true if it is off. */
bool wal_end(struct database *database);

/* Returns whether the header of the open database file says that it is in WAL mode. */
bool wal_header_has_log(int descriptor);

/* Returns whether the database has a write-ahead log, which may hold pages that the file lacks. */
bool wal_exists(const char *path);

/* Repairs what a crashed program left: recovers by a journal, or writes a log to the file and
 * switches WAL mode off. Does nothing, without an error, while other programs use the database, or
 * if the database cannot be written. Costs nothing if there is nothing to repair. `descriptor` of
 * the file holds the lock of database.c, so nobody deletes the file meanwhile. `path` contains no
 * symbolic links. This process must have no connection to the file: this function opens and closes
 * one, which drops SQLite's locks of all others. */
void wal_repair_leftovers(const char *path, int descriptor);

#endif

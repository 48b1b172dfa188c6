/* Opens and closes the SQLite file, and manages its schema.
 *
 * A database is identified by application_id and user_version. Files of other programs, newer
 * schemas, schemas before the first release and damaged files are refused with an error of one
 * sentence. */
#ifndef TRACETOOL_DATABASE_H
#define TRACETOOL_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "store/connection.h"

#define DATABASE_SCHEMA_VERSION 10

/* Switches off SQLite's counting of memory, which takes a lock for each allocation. Call it once,
 * before any database is opened. */
void database_skip_memory_counts(void);

/* Switches counting of memory on again, with DATABASE_MOST_MEMORY as limit. Call it while no
 * database is open. Functions fail with an error if the limit is reached. */
void database_limit_memory(void);

enum database_mode {
    DATABASE_READ,   /* reads; the file must exist; only temporary tables can be changed */
    DATABASE_WRITE,  /* writes; the file must exist */
    DATABASE_CREATE, /* writes; creates the file if it is missing */
    DATABASE_NEW,    /* writes; creates the file; an error if the name exists, also as a link */
    /* Flag: a private database, made from a log that a command reads directly. It has its own
     * application_id, no triggers, and mode 0600. Without this flag, private databases are
     * refused. */
    DATABASE_PRIVATE = 8,
    /* Flag for creating a private database: events are stored only by column (event_table.h). */
    DATABASE_WITHOUT_ROWS = 16,
};

/* Name that opens the snapshot of a store: a database in SQLite's temporary files, without a file
 * of its own. The snapshot holds traces of several databases, whose names need not be unique. Its
 * table `pushed` (trace, hash, name) has the traces' hashes and original names. Only with
 * DATABASE_CREATE. */
#define DATABASE_SHADOW ""

/* Opens the database file. Databases of an earlier schema version are migrated (schema.h), also for
 * reading; an error if the file cannot be written. A version that cannot be migrated, or a database
 * that lacks tables, is refused. With DATABASE_READ, the connection reads the database as it is
 * now, until closing. Nothing needs closing after a failure. */
bool database_open(struct database *database, const char *path, enum database_mode mode,
                   struct error *error);

/* Opens a database like database_open(). `patience` ends and reports long waits for a lock; it must
 * live until the database is closed. */
bool database_open_patiently(struct database *database, const char *path, enum database_mode mode,
                             const struct patience *patience, struct error *error);

/* Closes the database. Deletes the file if this connection created it and it has no trace, unless
 * another program has it open. Switches off the write-ahead log if nobody else uses the
 * database. */
void database_close(struct database *database);

/* Ends the read transaction, so that writers need not wait for it. Only with DATABASE_READ. */
void database_end_read_transaction(struct database *database);

/* Ends long operations of SQLite early, such as a checkpoint. Safe in signal handlers. */
void database_interrupt(const struct database *database);

/* Returns whether another program waits to write until this one stops reading. For any thread. */
bool database_has_waiting_writer(const struct database *database);

/* Returns whether the file was deleted or moved since it was opened. */
bool database_has_moved(struct database *database);

/* Sets the error that the database's file was deleted or moved. Always returns false. */
bool database_set_deleted_error(const struct database *database, struct error *error);

/* Tells other programs that the first import is committed, so that they may read and write. */
void database_allow_other_programs(struct database *database);

/* Opens the file and prevents its deletion until the returned descriptor is closed. The descriptor
 * must be closed after all databases on this file. Returns -1 and sets errno on failure. */
int database_prevent_deletion(const char *path);

/* Deletes a database file and SQLite's files for it, unless a process has it open. Returns whether
 * it was deleted. */
bool database_remove_unused(const char *path);

/* Returns whether the path is a regular file that no process has open as a database. On file
 * systems without locks, every regular file counts as unused. */
bool database_file_is_unused(const char *path);

#endif

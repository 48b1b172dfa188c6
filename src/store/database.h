/* Opens and closes the SQLite file, and manages its schema.
 *
 * A database is identified by application_id and user_version. Files of other programs, newer
 * schemas, schemas before the first release and damaged files are refused with one sentence.
 */
#ifndef TRACETOOL_DATABASE_H
#define TRACETOOL_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "store/connection.h"

#define DATABASE_SCHEMA_VERSION 10

/* Disables SQLite's memory accounting, which takes a lock for each allocation. Call once, before
 * opening any database. */
void database_spare_counts(void);

/* Enables memory accounting again, limited to DATABASE_MOST_MEMORY. Call while no database is open;
 * database_*() report when the limit is reached. */
void database_limit_memory(void);

enum database_mode {
    DATABASE_READ,   /* must exist; only temporary tables can be changed */
    DATABASE_WRITE,  /* for writing; the database must exist */
    DATABASE_CREATE, /* for writing; the database is created if missing */
    DATABASE_NEW,    /* created; an error if the name exists, also as a link */
    /* Flag: a private database, made for a log that is read directly. It has its own
     * application_id, no triggers, and mode 0600. Without the flag, such a file is refused. */
    DATABASE_PRIVATE = 8,
    /* Flag for creating it: its events are stored as columns only (event_table.h). */
    DATABASE_WITHOUT_ROWS = 16,
};

/* Name of a database without a file, which SQLite keeps in temporary files. It collects traces of
 * several databases. They need not have unique names; the table `pushed` (trace, hash, name) has
 * their hashes and original names. Only with DATABASE_CREATE.
 */
#define DATABASE_SHADOW ""

/* Opens the database file. In any mode, an earlier schema version is first migrated if there are
 * steps (schema.h); an error if it is not writable. A version without steps is refused, and so is a
 * database without all tables. With DATABASE_READ, everything until it is closed is read from a
 * snapshot taken now. On failure nothing needs closing. */
bool database_open(struct database *database, const char *path, enum database_mode mode,
                   struct error *error);

/* Opens a database like database_open(), interruptible while it waits, and with a message about the
 * wait. `patience` must outlive the open database. */
bool database_open_patiently(struct database *database, const char *path, enum database_mode mode,
                             const struct patience *patience, struct error *error);

/* Closes the database. Deletes one that was created and has no trace, unless another program has it
 * open. Switches off a writer's write-ahead log if nobody else uses the database. */
void database_close(struct database *database);

/* Ends the read transaction, so that writers need not wait. Only for DATABASE_READ. */
void database_finish_reading(struct database *database);

/* Interrupts long operations, such as a checkpoint; for signal handlers. */
void database_interrupt(const struct database *database);

/* Whether another program waits to write until this one stops reading. Callable from any thread. */
bool database_is_wanted(const struct database *database);

/* Whether the path no longer names the open file. */
bool database_has_moved(struct database *database);

/* Sets an error: its file was deleted or moved. Always false. */
bool database_deleted(const struct database *database, struct error *error);

/* Tells that the first content was committed: other programs may read and write from now on. */
void database_filled(struct database *database);

/* Prevents deletion of the file while the returned descriptor is open. Close it only after every
 * database on that file is closed. -1 with errno if it cannot be opened. */
int database_hold(const char *path);

/* Deletes the file, with SQLite's files for it, unless a process has it open. Returns whether it
 * did.
 */
bool database_remove_unused(const char *path);

/* Whether the path is a regular file that no process has open. Always true for regular files on a
 * file system without open file description locks. */
bool database_is_left_over(const char *path);

#endif

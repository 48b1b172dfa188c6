/* The SQLite file: opening and closing it, and its schema.
 *
 * A database is recognised by its application_id and its user_version; another program's file, a
 * newer schema, one of before the first release and a damaged file are refused in one sentence.
 */
#ifndef TRACETOOL_DATABASE_H
#define TRACETOOL_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "store/connection.h"

#define DATABASE_SCHEMA_VERSION 9

/* Has SQLite not count the memory that it takes: so it needs no lock for each piece of it. To be
 * called once, before any database is opened. */
void database_spare_counts(void);

/* Has SQLite count it again, and take no more than DATABASE_MOST_MEMORY. To be called while no
 * database is open; database_*() says so where that is not enough. */
void database_limit_memory(void);

enum database_mode {
    DATABASE_READ,   /* must exist; nothing in it can be changed (temporary tables can) */
    DATABASE_WRITE,  /* must exist */
    DATABASE_CREATE, /* made when it does not exist */
    DATABASE_NEW,    /* made; an error where there is anything of that name, a link too */
    /* Added to one of them: a private database, made for a log that is asked directly. It has an
     * application_id of its own, no triggers, and mode 0600. Without, such a file is refused. */
    DATABASE_PRIVATE = 8,
    /* Added to that where it is made: its events are columns alone (event_table.h). */
    DATABASE_WITHOUT_ROWS = 16,
};

/* The name of a database that is nobody's file: SQLite keeps it in temporary ones. Traces in it may
 * be called alike, and have a hash in the table `pushed` (trace, hash, name), with the name that
 * they came with: it is for what was brought together of many databases. Only with DATABASE_CREATE.
 */
#define DATABASE_SHADOW ""

/* Opens the database file. One of an earlier schema version is migrated first where there are steps
 * (schema.h), whatever the mode; where it cannot be written that is an error. One that no step
 * leads from, and one that lacks a table of the schema, is refused. With DATABASE_READ everything
 * that is read until it is closed is of one moment, that of this call. On failure nothing needs
 * closing. */
bool database_open(struct database *database, const char *path, enum database_mode mode,
                   struct error *error);

/* The same for a program that can be interrupted while it waits, and tells what it waits for.
 * `patience` must outlive the open database. */
bool database_open_patiently(struct database *database, const char *path, enum database_mode mode,
                             const struct patience *patience, struct error *error);

/* Closes it. A database that was created and still holds no trace is deleted again, unless another
 * program has it open. The write-ahead log of a writer is switched off when nobody else uses the
 * database. */
void database_close(struct database *database);

/* Nothing more will be read: writers need not wait any longer. For one opened with DATABASE_READ.
 */
void database_finish_reading(struct database *database);

/* Ends what may take long beside statements, moving the log to the file; for signal handlers. */
void database_interrupt(const struct database *database);

/* Whether another program wants to write and waits for this one to end its reading; to be asked
 * from any thread. */
bool database_is_wanted(const struct database *database);

/* Whether the file of that name is no longer the one that is open. */
bool database_has_moved(struct database *database);

/* Says that its file was deleted or moved. Always false. */
bool database_deleted(const struct database *database, struct error *error);

/* What makes the database has been committed: others may read it, and write to it. */
void database_filled(struct database *database);

/* Has nobody delete the file as long as the descriptor is open, which must not be closed before
 * every database of that file is. -1 with errno where it cannot be opened. */
int database_hold(const char *path);

/* Deletes the file with what SQLite left beside it, unless a process has it open. Whether it did.
 */
bool database_remove_unused(const char *path);

/* Whether the name is a plain file that no process has open. Always true for plain files on a file
 * system without locks of open file descriptions. */
bool database_is_left_over(const char *path);

#endif

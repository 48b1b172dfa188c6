/* The virtual table `event` of a private database (database.h) that stores events only by column.
 * It can be read with SQL, but has no bytes of arguments. If a command's SQL tries to change rows,
 * SQLite fails with EVENT_TABLE_FIXED; the command then imports the log again, with rows. */
#ifndef TRACETOOL_EVENT_TABLE_H
#define TRACETOOL_EVENT_TABLE_H

#include "store/connection.h"

/* Part of SQLite's message if a statement tries to write to the virtual table. */
#define EVENT_TABLE_FIXED "table event may not be modified"

/* Replaces CREATE TABLE event in the schema. */
#define EVENT_TABLE_SQL "CREATE VIRTUAL TABLE event USING tracetool_event"

/* Registers the virtual table on the database's connection. `database` must not move in memory
 * while it is open. Returns false if SQLite fails. */
bool event_table_register(struct database *database);

#endif

/* The table `event` of a private database (database.h) that stores events only by column: a virtual
 * table, for reading with SQL. It has no bytes of arguments. A command that has to change rows
 * fails with EVENT_TABLE_FIXED; the log is then imported again, with rows. */
#ifndef TRACETOOL_EVENT_TABLE_H
#define TRACETOOL_EVENT_TABLE_H

#include "store/connection.h"

/* Part of SQLite's message if a statement tries to write to the virtual table. */
#define EVENT_TABLE_FIXED "table event may not be modified"

/* Stands in the schema instead of CREATE TABLE event. */
#define EVENT_TABLE_SQL "CREATE VIRTUAL TABLE event USING tracetool_event"

/* Registers the virtual table on the database's connection. `database` must not move in memory
 * while it is open. Returns false if SQLite fails. */
bool event_table_register(struct database *database);

#endif

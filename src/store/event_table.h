/* The table `event` of a private database (database.h) without rows: a virtual table over its
 * columns.
 *
 * It has no argument bytes and is read-only. A command that must change rows fails with
 * EVENT_TABLE_FIXED; the log is then imported again, with rows.
 */
#ifndef TRACETOOL_EVENT_TABLE_H
#define TRACETOOL_EVENT_TABLE_H

#include "store/connection.h"

/* Part of SQLite's message on an attempt to write. */
#define EVENT_TABLE_FIXED "table event may not be modified"

/* Replaces CREATE TABLE event. */
#define EVENT_TABLE_SQL "CREATE VIRTUAL TABLE event USING tracetool_event"

/* Registers the module on the database's connection. `database` must not move while it is open.
 * False if SQLite fails. */
bool event_table_register(struct database *database);

#endif

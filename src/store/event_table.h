/* The table `event` of a private database (database.h) that has columns and no rows: a virtual
 * table over the columns, which SQL reads as it reads rows.
 *
 * It has no argument bytes. It cannot be written to: what has to change rows fails with
 * EVENT_TABLE_FIXED, and the log is imported once more, with rows.
 */
#ifndef TRACETOOL_EVENT_TABLE_H
#define TRACETOOL_EVENT_TABLE_H

#include "store/connection.h"

/* In the message of SQLite where somebody writes to it. */
#define EVENT_TABLE_FIXED "table event may not be modified"

/* What takes the place of CREATE TABLE event. */
#define EVENT_TABLE_SQL "CREATE VIRTUAL TABLE event USING tracetool_event"

/* Makes the module known to the connection of the database, which must stay where it is as long as
 * it is open. False when SQLite fails. */
bool event_table_register(struct database *database);

#endif

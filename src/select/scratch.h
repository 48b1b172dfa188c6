/* Temporary tables and views of one user, who may be one of several on a connection.
 *
 * SQL, of ours and of query files, calls them temp.NAME. Those of the first user on a connection
 * are called just so; those of others have a prefix, which is put in front of NAME before SQLite
 * sees the statement. All are in SQLite's schema `temp`: views of another schema could not read the
 * tables of traces, and an attached database cannot be detached within a transaction.
 *
 * Whoever makes one result after another makes the same tables again and again. So what is given
 * back stays, emptied, for who makes the same under its name next, and statements are kept: without
 * a change of the schema SQLite need not compile them anew.
 *
 * SQLite may abort a statement that runs while a temporary table is made or dropped: whoever makes
 * or drops them sees to it that none does (workspace.h).
 */
#ifndef TRACETOOL_SCRATCH_H
#define TRACETOOL_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "store/database.h"

struct scratch {
    struct database *database; /* borrowed */
    unsigned number;           /* of the user */
    char prefix[16];
    struct scratch_object *made;  /* owned; in order of making, behind them those given back */
    size_t count, kept, capacity; /* those in use, all, and for how many there is room */
};

/* `number`: 0 for the first user of a connection, whose names have no prefix. Numbers of users at
 * the same time differ. */
void scratch_init(struct scratch *scratch, struct database *database, unsigned number);

/* Drops what is left and frees. */
void scratch_free(struct scratch *scratch);

/* Makes temp.NAME: `definition` is what follows the name, as "(trace INTEGER PRIMARY KEY, first)".
 */
bool scratch_table(struct scratch *scratch, const char *name, const char *definition,
                   struct error *error);

/* Makes the view temp.NAME of a SELECT. */
bool scratch_view(struct scratch *scratch, const char *name, const char *select,
                  struct error *error);

/* Makes an index on a column of a table made here, behind its rows: without any it needs none. It
 * goes with the table. */
bool scratch_index(struct scratch *scratch, const char *table, const char *column,
                   struct error *error);

/* Gives back what was made since `count` was `from`. */
void scratch_give_back(struct scratch *scratch, size_t from);

/* Drops what was given back and not made again, so that nothing is there that nobody made. */
void scratch_settle(struct scratch *scratch);

/* As database_run(), database_prepare() and database_prepare_reading(), of SQL that speaks of
 * temp.NAME. */
bool scratch_run(struct scratch *scratch, const char *sql, struct error *error);
sqlite3_stmt *scratch_prepare(struct scratch *scratch, const char *sql, struct error *error);
sqlite3_stmt *scratch_prepare_reading(struct scratch *scratch, const char *sql,
                                      struct error *error);

/* As database_take() and database_take_reading(); what they give goes to database_keep() and
 * database_keep_reading(). */
sqlite3_stmt *scratch_take(struct scratch *scratch, const char *sql, struct error *error);
sqlite3_stmt *scratch_take_reading(struct scratch *scratch, const char *sql, struct error *error);

/* Where in `sql`, which could not be prepared just now, the mistake is; -1: that is not known. */
int scratch_mistake(const struct scratch *scratch, const char *sql);

#endif

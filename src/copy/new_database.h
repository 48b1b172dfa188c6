/* Makes a new database: it has a temporary name until it is complete, so that a failure or a signal
 * leaves nothing. Never replaces a file. */
#ifndef TRACETOOL_NEW_DATABASE_H
#define TRACETOOL_NEW_DATABASE_H

#include "base/signal_cleanup.h"
#include "store/database.h"

/* A database while it is made; zeroed: none. */
struct new_database {
    struct database database; /* empty at first; only the caller uses it */
    bool open;
    char *place, *path; /* owned; path of the complete database, and of the temporary one */
    char *journal;      /* owned; path of SQLite's journal */
    struct signal_cleanup_duty duty;
};

/* Creates and opens the database. Nothing needs closing after a failure. */
bool new_database_open(struct new_database *made, const char *place, struct error *error);

/* Closes the database and gives it its final path; fails if there is a file now. */
bool new_database_commit(struct new_database *made, struct error *error);

/* Call it in any case; without new_database_commit(), deletes the file. */
void new_database_close(struct new_database *made);

#endif

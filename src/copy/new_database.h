/* Makes a new database under a temporary name until it is complete, so that a failure or a signal
 * leaves no file. Never replaces a file. */
#ifndef TRACETOOL_NEW_DATABASE_H
#define TRACETOOL_NEW_DATABASE_H

#include "base/signal_cleanup.h"
#include "store/database.h"

/* A database that is being made; zeroed: none. */
struct new_database {
    struct database database; /* empty at first; for the caller's use only */
    bool open;
    /* owned; place: path of the complete database; path: of the temporary one */
    char *place, *path;
    char *journal; /* owned; path of SQLite's journal */
    struct signal_cleanup_hook hook;
};

/* Creates and opens the database. On failure, nothing needs to be closed. */
bool new_database_open(struct new_database *made, const char *place, struct error *error);

/* Closes the database and renames it to its final path. Fails if a file exists there by now. */
bool new_database_commit(struct new_database *made, struct error *error);

/* Closes the database, and deletes the file unless it was committed. Always call it. */
void new_database_close(struct new_database *made);

#endif

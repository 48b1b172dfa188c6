/* Creates a database under a temporary name until it is complete, so that a failure or a signal
 * leaves nothing. Never replaces a file. */
#ifndef TRACETOOL_NEW_DATABASE_H
#define TRACETOOL_NEW_DATABASE_H

#include "base/signal_cleanup.h"
#include "store/database.h"

/* None when zeroed. */
struct new_database {
    struct database database; /* empty, used only by the caller */
    bool open;
    char *place, *path; /* owned; final path, and temporary path */
    char *journal;      /* owned; its SQLite journal */
    struct signal_cleanup_duty duty;
};

/* On failure nothing needs closing. */
bool new_database_open(struct new_database *made, const char *place, struct error *error);

/* Closes it and renames it to its final path; fails if that exists by now. */
bool new_database_commit(struct new_database *made, struct error *error);

/* Must always be called; without a commit it deletes the file. */
void new_database_close(struct new_database *made);

#endif

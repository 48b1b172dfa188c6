/* A database that is made as a whole: it has another name until it is complete, so that a failure
 * or a signal leaves nothing, and it never takes the place of a file. */
#ifndef TRACETOOL_NEW_DATABASE_H
#define TRACETOOL_NEW_DATABASE_H

#include "base/signal_cleanup.h"
#include "store/database.h"

/* Zeroed: none. */
struct new_database {
    struct database database; /* empty, and only the caller's */
    bool open;
    char *place, *path; /* owned; where it will be, and what it is called until then */
    char *journal;      /* owned; SQLite's, beside it */
    struct signal_cleanup_duty duty;
};

/* On failure nothing needs closing. */
bool new_database_open(struct new_database *made, const char *place, struct error *error);

/* Closes it and gives it its place; fails where there is a file by now. */
bool new_database_commit(struct new_database *made, struct error *error);

/* In any case: without a commit the file goes. */
void new_database_close(struct new_database *made);

#endif

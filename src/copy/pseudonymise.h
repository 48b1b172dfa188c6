/* Copies a database with pseudonyms for the names in its logs (pseudonyms.h). Every text column
 * needs a decision: pseudonymise.c lists them all; an unlisted column prevents the copy. */
#ifndef TRACETOOL_PSEUDONYMISE_H
#define TRACETOOL_PSEUDONYMISE_H

#include "copy/new_database.h"
#include "copy/pseudonyms.h"
#include "store/catalog.h"

/* A copy being made. */
struct pseudonymise {
    struct new_database made;
    struct catalog catalog; /* catalog of the source database, as its rows will be */
};

/* Creates a new database `place` for traces of `from`, which is open for reading. Fails if `place`
 * exists; then nothing needs closing. */
bool pseudonymise_open(struct pseudonymise *copy, const struct database *from, const char *place,
                       struct error *error);

/* Copies these traces of the catalog, with the same ids, times, numbers and rollups, and moves the
 * database to its final path. Omits arguments of calls, and keeps only the number of remarks. No
 * real name is ever written to it. Call once. */
bool pseudonymise_traces(struct pseudonymise *copy, struct pseudonyms *pseudonyms,
                         const struct catalog_trace *const *traces, size_t count,
                         struct error *error);

/* Must always be called; discards an incomplete copy. */
void pseudonymise_close(struct pseudonymise *copy);

#endif

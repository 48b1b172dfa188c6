/* A database's copy in which what a log names has other names (pseudonyms.h). Every column of text
 * is decided on: pseudonymise.c lists them, and one that it does not list is left empty. */
#ifndef TRACETOOL_PSEUDONYMISE_H
#define TRACETOOL_PSEUDONYMISE_H

#include "copy/new_database.h"
#include "copy/pseudonyms.h"
#include "store/catalog.h"

/* A copy that is being made. */
struct pseudonymise {
    struct new_database made;
    struct catalog catalog; /* of the database that is copied, as its rows will be */
};

/* Makes a new database `place` for traces of `from`, which is open for reading. Fails when there is
 * a file `place`; then nothing needs closing. */
bool pseudonymise_open(struct pseudonymise *copy, const struct database *from, const char *place,
                       struct error *error);

/* Copies these traces of the catalog, with the same ids, times, numbers and rollups, and gives the
 * database its place. Arguments of calls are left out, and remarks but for their number. No name is
 * ever written into it. To be called once. */
bool pseudonymise_traces(struct pseudonymise *copy, struct pseudonyms *pseudonyms,
                         const struct catalog_trace *const *traces, size_t count,
                         struct error *error);

/* In any case; what has no place by then goes. */
void pseudonymise_close(struct pseudonymise *copy);

#endif

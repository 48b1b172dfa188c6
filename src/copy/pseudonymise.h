/* A database's copy in which what a log names has other names (pseudonyms.h). Every column of text
 * is decided on: pseudonymise.c lists them, and one that it does not list is left empty. */
#ifndef TRACETOOL_PSEUDONYMISE_H
#define TRACETOOL_PSEUDONYMISE_H

#include "copy/pseudonyms.h"
#include "store/catalog.h"

/* Writes a new database `place` with these traces of `from`, which is open for reading; its ids,
 * times, numbers and rollups are the same. No name is ever written into it. Fails, and leaves
 * nothing, when there is a file `place`. */
bool pseudonymise_traces(struct pseudonyms *pseudonyms, const struct database *from,
                         const struct catalog_trace *const *traces, size_t count, const char *place,
                         struct error *error);

/* Whether the arguments of a trace's calls are kept, as text without names; others are left out. */
bool pseudonymise_keeps_arguments(const struct catalog_trace *trace);

/* What becomes of a column of text: the SQL, in which t is the row; "" when it stays as it is; NULL
 * when it is not listed. */
const char *pseudonymise_column(const char *table, const char *column);

#endif

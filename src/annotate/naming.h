/* Names learnt after the import: of applications, components and functions, the types of files, and
 * partitions. */
#ifndef TRACETOOL_NAMING_H
#define TRACETOOL_NAMING_H

#include "config/config.h"
#include "store/database.h"

/* How many things got their names, and what they are. */
struct named {
    int64_t count;
    const char *what;
};

/* Gives what the trace called `name` holds the names of `symbols`, within a transaction of the
 * caller's on a connection with recount_register(). */
bool name_trace(struct database *database, const struct config *symbols, const char *name,
                struct named *named, struct error *error);

#endif

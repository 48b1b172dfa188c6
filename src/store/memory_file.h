/* A database file that is memory of this process: SQLite reads it through a VFS of its own, as one
 * that is mapped into memory.
 *
 * sqlite3_deserialize() does the same, but opens the database anew each time, and where there is no
 * memory for that leaves a connection in which the next statement crashes (SQLite 3.40).
 */
#ifndef TRACETOOL_MEMORY_FILE_H
#define TRACETOOL_MEMORY_FILE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "store/connection.h"

/* Stays where it is while attached. Its owner may replace all pages but the first between
 * statements: SQLite looks at them in place, and keeps no copy. */
struct memory_file {
    const unsigned char *first; /* borrowed: the first page, which does not change */
    size_t first_size;
    const unsigned char *bytes; /* borrowed: what is behind it */
    size_t size;                /* bytes of that which are there */
    size_t says; /* how large the file says it is: constant, at least as large as all this */
    sqlite3_vfs vfs;
    char name[32]; /* of the VFS */
};

/* Attaches the file as a database that is only read. The connection must take URIs. `*in_place` is
 * false, and the file may not change, where SQLite was built without memory-mapped files. */
bool memory_file_attach(struct memory_file *file, struct database *database, const char *schema,
                        bool *in_place, struct error *error);

/* Not within a transaction. Zeroed is not attached. */
void memory_file_detach(struct memory_file *file, struct database *database, const char *schema);

#endif

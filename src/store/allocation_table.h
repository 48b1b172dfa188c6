/* What a log tells of whose blocks are: the table `allocation`. */
#ifndef TRACETOOL_ALLOCATION_TABLE_H
#define TRACETOOL_ALLOCATION_TABLE_H

#include "model/allocation.h"
#include "store/database.h"

/* Writes the records of a trace. Zeroed: none was written yet. */
struct allocation_writer {
    sqlite3_stmt *insert; /* owned */
    int64_t next;         /* number of the next one */
};

/* Writes records behind those that the trace has. */
bool allocation_table_write(struct allocation_writer *writer, struct database *database,
                            int64_t trace, const struct allocation *items, size_t count,
                            struct error *error);
void allocation_writer_close(struct allocation_writer *writer);

/* Gives the records of the file systems on two devices, which may be the same, and what was lost,
 * in order of time. Rows that are none of what tracetool writes are passed over. `take` returns
 * false, with its error set, to stop. */
bool allocation_table_read(struct database *database, int64_t trace, const int64_t devices[2],
                           bool (*take)(void *context, const struct allocation *allocation,
                                        struct error *error),
                           void *context, struct error *error);

#endif

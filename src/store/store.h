/* A trace that is being written, in a transaction that either keeps all of it or leaves the
 * database as it was. What is done with it has its own headers:
 *
 *     transaction.h     its beginning and end, and those of further traces in it
 *     batch_writer.h    events, and what they speak of, batch after batch
 *     trace_metadata.h  its row, sources, ledger, remarks; what a trace that goes on has already
 *
 * The store knows tables and no format.
 */
#ifndef TRACETOOL_STORE_H
#define TRACETOOL_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "store/trace_tables.h"
#include "store/database.h"

/* What an existing trace says of itself; strings are owned by the store. */
struct store_existing {
    char *rollups, *resume; /* resume: NULL for none */
    int64_t start, utc_offset, sessions;
    int64_t remarks; /* how many there are */
};

/* Tables with a row for some events, by the same id (batch_writer.h). */
enum beside_table { BESIDE_CPU_TIME, BESIDE_OPEN_CALL, BESIDE_TABLES };

/* A trace that is being written. */
struct store {
    struct database *database; /* borrowed */
    /* The trace shares the transaction of another one that grows at the end of `event`. As the ids
     * of a trace are one range, its own events wait in a table aside, until store_place(). */
    bool aside;
    char events[32], batches[32];   /* tables that are written to, and read from */
    char beside[BESIDE_TABLES][32]; /* those with more of some events */
    int64_t trace;                  /* trace.id */
    unsigned columns;               /* enum event_column */
    int64_t first_event;            /* id of the trace's first event */
    int64_t first_row;              /* id that the first event of this import gets */
    int64_t next_event;
    int64_t first_time, last_time;                  /* smallest and largest so far */
    uint32_t first_name, first_actor, first_object; /* first free ids */
    struct row_pages *pages;   /* owned; NULL: events enter through the virtual table */
    const struct batch *batch; /* what the virtual table hands over just now */
    sqlite3_stmt *insert_events, *insert_name, *insert_actor, *insert_object;
    sqlite3_stmt *rename_name, *rename_actor;
    sqlite3_stmt *insert_cpu_times, *end_call, *end_cpu_time, *open_call; /* of spans, else NULL */
    struct column_writer
        *column_writer; /* owned; NULL: they are made at the end, out of the rows */
    struct allocation_writer allocations; /* owned */
    struct store_existing existing;       /* of a trace that goes on; zeroed for a new one */
    bool appending;
    bool in_transaction;
};

#endif

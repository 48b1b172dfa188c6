/* A trace that is being written, in a transaction that either keeps all of it or leaves the
 * database as it was.
 *
 * The store knows tables and no format.
 */
#ifndef TRACETOOL_STORE_H
#define TRACETOOL_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/batch.h"
#include "model/event.h"
#include "store/database.h"

/* What an existing trace says of itself; strings are owned by the store. */
struct store_existing {
    char *rollups, *resume; /* resume: NULL for none */
    int64_t start, utc_offset, sessions;
    int64_t remarks; /* how many there are */
};

/* Tables with a row for some events, by the same id. */
enum beside_table { BESIDE_CPU_TIME, BESIDE_OPEN_CALL, BESIDE_TABLES };

/* A trace that is being written. */
struct store {
    struct database *database; /* borrowed */
    /* The trace shares the transaction of another one that grows at the end of `event`. As the ids
     * of a trace are one range, its own events wait aside, until store_place(). */
    bool aside;
    struct staged_rows *staged;     /* owned; those that are rows; NULL: all wait in a table */
    char events[32];                /* the table that is written to */
    char beside[BESIDE_TABLES][32]; /* those with more of some events */
    int64_t trace;                  /* trace.id */
    unsigned columns;               /* enum event_column */
    int64_t first_event;            /* id of the trace's first event */
    int64_t first_row;              /* id that the first event of this import gets */
    int64_t next_event;
    int64_t first_time, last_time;                  /* smallest and largest so far */
    uint32_t first_name, first_actor, first_object; /* first free ids */
    struct row_pages *pages;                        /* owned; NULL: events are bound one by one */
    sqlite3_stmt *insert_events;                    /* prepared when it is needed */
    sqlite3_stmt *end_call, *end_cpu_time, *cpu_times, *open_call; /* of spans, else NULL */
    struct column_writer
        *column_writer;             /* owned; NULL: they are made at the end, out of the rows */
    struct store_existing existing; /* of a trace that goes on; zeroed for a new one */
    bool appending;
    bool in_transaction;
};

/* --- events --------------------------------------------------------------------------------------
 */

/* They enter as rows that are made already (row_pages.h); where that cannot be, they are bound one
 * by one. */

/* Writes a new name, actor or object, with an id from first_name, … on, or renames one. */
bool store_entry(struct store *store, const struct entry *entry, struct error *error);

/* Makes the rows of a batch's events, by any thread, while others are written; `store` says what
 * belongs into them since batch_writer_prepare(). */
void store_make_rows(const struct store *store, struct batch *batch);

/* Has the system begin to write to the disk what it holds of the database, by any thread: the
 * commit waits for all that is not there yet. */
void store_write_back(const struct store *store);

/* Writes the names and events of a batch, whose rows and columns were made; events get successive
 * ids. Then it completes the events of earlier batches that the batch's endings tell of, and writes
 * its allocations. */
bool store_write(struct store *store, const struct batch *batch, struct error *error);

/* --- order of time -------------------------------------------------------------------------------
 */

/* Puts the events of the trace in order of time, however far they were out of it. SQLite sorts them
 * outside memory; they get new ids. row_order.h is faster where few of them are late. */
bool store_sort(struct store *store, struct error *error);

/* The id behind those of all events. Fails where what somebody else put there leaves no room. */
bool store_find_end(const struct store *store, int64_t *end, struct error *error);

/* Whether events of the trace have parts, where a map was made before: 1 or 0. */
bool store_count_parts(const struct store *store, int64_t *parts, struct error *error);

/* --- staging -------------------------------------------------------------------------------------
 */

/* Where several traces are written in one transaction, only the first grows
 * at the end of `event`; as the ids of a trace are one range, the events of the others wait in
 * a temporary file (staged_rows.h) until all of them are known: those of spans, which may change
 * yet, and those that are no rows, in temporary tables. */

/* Puts the events of a joined trace, which has all of them, behind those that are there. */
bool store_place(struct store *store, struct error *error);

/* --- the transaction -----------------------------------------------------------------------------
 */

/* What is known of a trace before its first event. Borrowed strings, NULL where not given. */
struct store_trace {
    const char *name;
    const char *format;
    const char *device, *user, *study;
    enum trace_kind kind;
    unsigned columns; /* enum event_column: those that events of this trace may have */
    bool replace;     /* a trace of that name is removed first */
    bool append;      /* the trace of that name goes on */
    bool brief;       /* the transaction will be small (wal.h) */
};

/* What is known after its last event. */
struct store_ending {
    const char *variant;
    const char *clock_unit, *clocks;
    int64_t clock_hz;   /* EVENT_NONE: no counter */
    int64_t start;      /* ns since 1970 UTC, of time 0; EVENT_NONE: not known */
    int64_t utc_offset; /* minutes east of UTC; EVENT_NONE: not known */
    int64_t sessions;
    int64_t events, merged, ignored, rejected, lost_bytes;
    int64_t last_time;            /* of records that have no row; EVENT_NONE: none */
    int64_t round, call_overhead; /* EVENT_NONE: not known */
    int64_t paired;               /* of the events, those that have no row */
    const char *resume;           /* what the importer needs to go on later; NULL: nothing */
};

/* Takes the write lock (waits up to DATABASE_WAIT ms), checks the name, and begins the trace. On
 * failure nothing was changed and nothing needs freeing. */
bool store_begin(struct store *store, struct database *database, const struct store_trace *trace,
                 struct error *error);

/* Takes the write lock in order to change an existing trace; the caller puts its id into `trace`.
 * Then store_entry(), store_commit() and store_end(). On failure nothing was changed and nothing
 * needs freeing. */
bool store_begin_change(struct store *store, struct database *database, struct error *error);

/* Begins another trace, a new one, in the transaction of `first`, under a name for the time being;
 * `number` tells it from others of the transaction. */
bool store_join(struct store *store, const struct store *first, unsigned number,
                const struct store_trace *trace, struct error *error);

/* Completes the trace's row. `rollups` names the complete ones, blank-separated. */
bool store_complete(struct store *store, const struct store_ending *ending, const char *rollups,
                    struct error *error);

/* Commits, with what was joined. */
bool store_commit(struct store *store, struct error *error);

/* Undoes everything since store_begin(); harmless after a commit. Frees what the store owns. Of a
 * joined trace it only does the latter, and comes before that of the first. */
void store_end(struct store *store);

#endif

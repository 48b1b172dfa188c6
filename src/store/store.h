/* Writes a trace in a transaction, which either stores all of it or leaves the database unchanged.
 * Independent of log formats.
 */
#ifndef TRACETOOL_STORE_H
#define TRACETOOL_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/batch.h"
#include "model/event.h"
#include "store/database.h"

/* An existing trace's data; strings are owned by the store. */
struct store_existing {
    char *rollups, *resume; /* resume: NULL for none */
    int64_t start, utc_offset, sessions;
    int64_t remarks; /* number of remarks */
};

/* Tables with additional columns for some events, by event id. */
enum beside_table { BESIDE_CPU_TIME, BESIDE_OPEN_CALL, BESIDE_TABLES };

/* A trace being written. */
struct store {
    struct database *database; /* borrowed */
    /* Joined to the transaction of another trace, which appends to `event`. A trace's ids are one
     * range, so its events are staged until store_place(). */
    bool aside;
    /* Joined states: their ends change them, so rows are made of the columns at store_place(). */
    bool of_columns;
    struct staged_rows *staged;     /* owned; staged rows; NULL: all are staged in a table */
    char events[32];                /* name of the table that the events are written to */
    char beside[BESIDE_TABLES][32]; /* names of the tables with additional columns */
    int64_t trace;                  /* trace.id of the trace being written */
    unsigned columns;               /* enum event_column */
    int64_t first_event;            /* id of the trace's first event */
    int64_t first_row;              /* id of this import's first event */
    int64_t next_event;
    int64_t first_time, last_time;                  /* minimum and maximum so far */
    uint32_t first_name, first_actor, first_object; /* first free ids */
    struct row_pages *pages; /* owned, if of_columns borrowed; NULL: events are bound one by one */
    sqlite3_stmt *insert_events; /* prepared on demand */
    sqlite3_stmt *end_call, *end_cpu_time, *cpu_times,
        *open_call; /* only for spans, otherwise NULL */
    struct column_writer
        *column_writer;             /* owned; NULL: columns are built from the rows at the end */
    struct store_existing existing; /* data of a trace being appended to; zeroed for a new one */
    bool appending;
    bool in_transaction;
};

/* --- events --------------------------------------------------------------------------------------
 */

/* Events are inserted as ready-made rows (row_pages.h), or bound one by one if that is impossible.
 */

/* Writes a new name, actor or object, with ids starting at first_name, …, or renames one. */
bool store_entry(struct store *store, const struct entry *entry, struct error *error);

/* Packs the arguments of calls (argument_pack.h) before the rows are built. On the same thread as
 * store_make_rows(). */
void store_pack_arguments(const struct store *store, struct batch *batch);

/* Builds the rows of a batch's events, on any thread, while others are written. Uses what
 * batch_writer_prepare() put into `store`. */
void store_make_rows(const struct store *store, struct batch *batch);

/* Starts writing the database's dirty pages to disk, on any thread, so that the commit waits less.
 */
void store_write_back(const struct store *store);

/* Writes the names and events of a batch with prepared rows and columns; events get successive ids.
 * Then completes earlier events by the batch's endings and writes its allocations. */
bool store_write(struct store *store, const struct batch *batch, struct error *error);

/* --- time order ------------------------------------------------------------------------------- */

/* Sorts the events of the trace by time, whatever their order, with new ids. SQLite sorts them in
 * temporary files. row_order.h is faster if few are late. */
bool store_sort(struct store *store, struct error *error);

/* Returns the id after all events. Fails if foreign rows leave no room. */
bool store_find_end(const struct store *store, int64_t *end, struct error *error);

/* Whether events of the trace have parts, from an earlier map: 1 or 0. */
bool store_count_parts(const struct store *store, int64_t *parts, struct error *error);

/* --- staging -------------------------------------------------------------------------------------
 */

/* If one transaction writes several traces, only the first appends to `event`, since a trace's ids
 * are one range. The events of the others are staged until all are known. Spans, which may still
 * change, and events without ready-made rows are in temporary tables; states are only in columns;
 * the rest is in a temporary file (event_rows.h). */

/* Appends the staged events of a joined trace, once it is complete. */
bool store_place(struct store *store, struct error *error);

/* Writes the range of the trace's ids, which a pass over its columns needs. */
bool store_set_range(const struct store *store, struct error *error);

/* --- the transaction -----------------------------------------------------------------------------
 */

/* Data of a trace known before its first event. Borrowed strings, NULL if not given. */
struct store_trace {
    const char *name;
    const char *format;
    const char *device, *user, *study;
    enum trace_kind kind;
    unsigned columns; /* enum event_column: those its events may have */
    bool replace;     /* first removes the trace of that name */
    bool append;      /* appends to the trace of that name */
    bool brief;       /* expects a small transaction (wal.h) */
};

/* Data known after its last event. */
struct store_ending {
    const char *variant;
    const char *clock_unit, *clocks;
    int64_t clock_hz;   /* frequency of the log's counter; EVENT_NONE: no counter */
    int64_t start;      /* time 0 in ns since 1970 UTC; EVENT_NONE: unknown */
    int64_t utc_offset; /* minutes east of UTC; EVENT_NONE: unknown */
    int64_t sessions;
    int64_t events, merged, ignored, rejected, lost_bytes;
    int64_t last_time;            /* last time of records without a row; EVENT_NONE: none */
    int64_t round, call_overhead; /* EVENT_NONE: unknown */
    int64_t paired;               /* events without a row of their own */
    const char *resume;           /* importer state for a later append; NULL: none */
};

/* Takes the write lock (waits up to DATABASE_WAIT ms), checks the name, and begins the trace. On
 * failure nothing was changed and nothing needs freeing. */
bool store_begin(struct store *store, struct database *database, const struct store_trace *trace,
                 struct error *error);

/* Takes the write lock to change an existing trace; the caller sets `trace` to its id. Then call
 * store_entry(), store_commit() and store_end(). On failure nothing was changed and nothing needs
 * freeing. */
bool store_begin_change(struct store *store, struct database *database, struct error *error);

/* Begins a new trace in the transaction of `first`, under a temporary name; `number` is unique in
 * the transaction. */
bool store_join(struct store *store, const struct store *first, unsigned number,
                const struct store_trace *trace, struct error *error);

/* Completes the trace's row. `rollups` lists the complete ones, separated by blanks. */
bool store_complete(struct store *store, const struct store_ending *ending, const char *rollups,
                    struct error *error);

/* Commits, including joined traces. */
bool store_commit(struct store *store, struct error *error);

/* Rolls back everything since store_begin(), unless committed, and frees what the store owns. For a
 * joined trace it only frees; call it before that of the first. */
void store_end(struct store *store);

#endif

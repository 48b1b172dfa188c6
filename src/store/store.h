/* Writes a trace in a transaction: stores all of it, or leaves the database as it was. Does not
 * depend on the log's format. */
#ifndef TRACETOOL_STORE_H
#define TRACETOOL_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/batch.h"
#include "model/event.h"
#include "store/database.h"

/* What the database already has of a trace to which events are appended. Strings are owned. */
struct store_existing {
    char *rollups, *resume; /* `resume`: state of the importer; NULL: none */
    int64_t start, utc_offset, sessions;
    int64_t remarks; /* number of the trace's remarks */
};

/* Tables with more columns about some events: CPU times, and calls that are open at the end. */
enum beside_table { BESIDE_CPU_TIME, BESIDE_OPEN_CALL, BESIDE_TABLES };

/* State of writing a trace. */
struct store {
    struct database *database; /* borrowed */
    /* true: another trace of the transaction appends to `event`. Ids of a trace are one range, so
     * the events of this one wait in temporary tables until store_place_rows(). */
    bool aside;
    /* true: `aside` and thread states, whose ends change them later: store_place_rows() makes rows
     * from columns. */
    bool of_columns;
    struct staged_rows *staged; /* owned; rows that wait in a file; NULL: they wait in a table */
    char events[32];            /* table that events are written to */
    char beside[BESIDE_TABLES][32]; /* tables for the data of enum beside_table */
    int64_t trace;                  /* id of the trace in the table `trace` */
    unsigned columns;               /* columns that events may have: enum event_column */
    int64_t first_event;            /* id of the trace's first event */
    int64_t first_row;              /* id of the first event that this import adds */
    int64_t next_event;
    int64_t first_time, last_time;                  /* least and largest time so far */
    uint32_t first_name, first_actor, first_object; /* ids of the first new name, actor, object */
    struct row_pages *pages; /* owned, if of_columns borrowed; NULL: SQL inserts events singly */
    sqlite3_stmt *insert_events; /* prepared when first needed */
    sqlite3_stmt *end_call, *end_cpu_time, *cpu_times,
        *open_call; /* only for traces of spans, else NULL */
    struct column_writer
        *column_writer;             /* owned; NULL: columns are built from the rows at the end */
    struct store_existing existing; /* data of a trace to append to; zeroed for a new one */
    bool appending;
    bool in_transaction;
};

/* --- writing names and events ----------------------------------------------------------------- */

/* Events are inserted as complete rows (row_pages.h), or if that is not possible, one by one. */

/* Writes a new name, actor or object, with ids from store->first_name, … on; or changes the text of
 * one. */
bool store_write_entry(struct store *store, const struct entry *entry, struct error *error);

/* Packs the arguments of a batch's calls (argument_pack.h). Call it before store_make_rows(), on
 * the same thread. */
void store_pack_arguments(const struct store *store, struct batch *batch);

/* Makes the rows of a batch's events. May run on any thread while other batches are written: it
 * reads only members of the store that writing a batch does not change. */
void store_make_rows(const struct store *store, struct batch *batch);

/* Tells the kernel to write the file's changed pages to the disk now, so that committing is faster.
 * For any thread. */
void store_write_back(const struct store *store);

/* Writes names and events of a batch that has its rows and columns; the events get the next ids.
 * Then completes earlier events by the batch's `endings`, and writes its allocations. */
bool store_write(struct store *store, const struct batch *batch, struct error *error);

/* --- sorting the events of a trace by time ---------------------------------------------------- */

/* Sorts the events of the trace by time, and gives them new ids. SQLite sorts in temporary files.
 * row_order.h is faster if few events are late. */
bool store_sort(struct store *store, struct error *error);

/* Finds the first id after all events of the database. Fails if rows of another program leave no
 * room. */
bool store_find_end(const struct store *store, int64_t *end, struct error *error);

/* Finds whether the trace's events have parts, which an earlier `map` added: 1 or 0. */
bool store_count_parts(const struct store *store, int64_t *parts, struct error *error);

/* --- several traces in a transaction ---------------------------------------------------------- */

/* If a transaction writes several traces, only the first one appends to `event`, since a trace's
 * ids are one range. Events of the others wait until all are known. They wait in temporary tables
 * if they may still change (calls), or if SQL has to insert them; thread states are in columns
 * only; all others wait in a temporary file (event_rows.h). */

/* Appends the waiting events of a trace to `event`, when the trace is complete. */
bool store_place_rows(struct store *store, struct error *error);

/* Writes the trace's range of event ids, which reading its columns requires. */
bool store_set_range(const struct store *store, struct error *error);

/* --- beginning and ending the transaction ----------------------------------------------------- */

/* What is known of a trace before its first event. Strings are borrowed; NULL: not given. */
struct store_trace {
    const char *name;
    const char *format;
    const char *device, *user, *study;
    enum trace_kind kind;
    unsigned columns; /* columns that its events may have: enum event_column */
    bool replace;     /* true: removes the trace of this name first */
    bool append;      /* true: appends to the trace of this name */
    bool brief;       /* true: the transaction will be small (wal.h) */
};

/* What is known of a trace after its last event. */
struct store_ending {
    const char *variant;
    const char *clock_unit, *clocks;
    int64_t clock_hz;   /* frequency of the log's counter in Hz; EVENT_NONE: no counter */
    int64_t start;      /* wall clock at time 0, ns since 1970 UTC; EVENT_NONE: unknown */
    int64_t utc_offset; /* time zone, minutes east of UTC; EVENT_NONE: unknown */
    int64_t sessions;
    int64_t events, merged, ignored, rejected, lost_bytes;
    int64_t last_time; /* time of the last record, if it has no row; EVENT_NONE: it has one */
    int64_t round, call_overhead; /* study's round; cost of a call; EVENT_NONE: unknown */
    int64_t paired;     /* events without a row of their own: ends of calls and the like */
    const char *resume; /* state of the importer, for appending later; NULL: none */
};

/* Takes the write lock, checks the name and begins the trace. Waits for the lock up to
 * DATABASE_WAIT ms. On failure nothing is changed, and nothing needs freeing. */
bool store_begin(struct store *store, struct database *database, const struct store_trace *trace,
                 struct error *error);

/* Takes the write lock for changing an existing trace; the caller then sets store->trace to its id.
 * End with store_commit() and store_end(). On failure nothing is changed, and nothing needs
 * freeing. */
bool store_begin_change(struct store *store, struct database *database, struct error *error);

/* Begins another new trace in the transaction of `first`, with a temporary name. Each call in a
 * transaction needs another `number`. */
bool store_begin_another_trace(struct store *store, const struct store *first, unsigned number,
                               const struct store_trace *trace, struct error *error);

/* Completes the trace's row. `rollups`: names of the complete rollups, separated by blanks. */
bool store_complete(struct store *store, const struct store_ending *ending, const char *rollups,
                    struct error *error);

/* Commits the transaction, with all its traces. */
bool store_commit(struct store *store, struct error *error);

/* Undoes everything since store_begin() if it was not committed, and frees what the store owns. For
 * a store of store_begin_another_trace(): only frees; call it before store_end() of the first
 * store. */
void store_end(struct store *store);

#endif

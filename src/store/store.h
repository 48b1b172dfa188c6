/* Writes a trace in a transaction: stores all of it, or leaves the database as it was. Does not
 * depend on the log's format. */
#ifndef TRACETOOL_STORE_H
#define TRACETOOL_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/batch.h"
#include "model/event.h"
#include "store/database.h"

/* Data of an existing trace to which events are appended. Strings are owned. */
struct store_existing {
    char *rollups, *resume; /* rollups: names of complete rollups; resume: saved state of the
                               importer, NULL: none */
    int64_t start, utc_offset, sessions;
    int64_t remarks; /* number of the next note (table remark) on the trace */
};

/* Tables with more columns for some events: CPU times, and calls open at the end of the log. */
enum beside_table { BESIDE_CPU_TIME, BESIDE_OPEN_CALL, BESIDE_TABLES };

/* State of writing a trace. */
struct store {
    struct database *database; /* borrowed */
    /* true: events wait in temporary tables or files until store_insert_staged_rows(), since
     * another trace of this transaction appends to `event`, and a trace's ids must be one range */
    bool aside;
    /* true: thread states of an `aside` trace. Their durations are set later, so they are written
     * to event_column only; store_insert_staged_rows() makes rows of `event` from event_column */
    bool of_columns;
    /* owned; rows waiting in a temporary file; NULL: they are in a temporary table */
    struct staged_rows *staged;
    char events[32];                /* name of the table that events are inserted into */
    char beside[BESIDE_TABLES][32]; /* by enum beside_table: name of its table in this import */
    int64_t trace;                  /* id of the trace in the table `trace` */
    unsigned columns;    /* columns that the events may have: bits of enum event_column */
    int64_t first_event; /* id of the trace's first event */
    int64_t first_row;   /* id of the first event that this import adds */
    int64_t next_event;
    int64_t first_time, last_time; /* least and largest time of the events so far */
    /* ids of the first new name, actor and object */
    uint32_t first_name, first_actor, first_object;
    struct row_pages *pages; /* owned, or borrowed if of_columns; NULL: SQL inserts events one by
                                one (row_pages.h) */
    sqlite3_stmt *insert_events; /* prepared when first needed */
    sqlite3_stmt *end_call, *end_cpu_time, *cpu_times,
        *open_call; /* statements for ends of calls; NULL unless the trace is of spans */
    /* owned; NULL: event_column is filled from the rows of `event` at the end */
    struct column_writer *column_writer;
    struct store_existing
        existing; /* data of the trace that is appended to; zeroed for a new trace */
    bool appending;
    bool in_transaction;
};

/* --- writing names and events ----------------------------------------------------------------- */

/* Events are inserted as complete rows (row_pages.h), or if that is not possible, one by one. */

/* Inserts a new name, actor (process or thread) or object (file or device), with ids from
 * store->first_name etc. on; or changes an earlier one. */
bool store_write_entry(struct store *store, const struct entry *entry, struct error *error);

/* Packs the arguments of a batch's calls (argument_pack.h). Call it before store_make_rows(), on
 * the same thread. */
void store_pack_arguments(const struct store *store, struct batch *batch);

/* Makes the database rows of a batch's events. May run on any thread while other batches are
 * written: it only reads members of the store that do not change then. */
void store_make_rows(const struct store *store, struct batch *batch);

/* Tells the kernel to write the file's dirty pages to the disk now, so that committing is faster.
 * May be called on any thread. */
void store_write_back(const struct store *store);

/* Writes the names and events of a batch, whose rows and columns must have been made. The events
 * get the next ids. Then sets the ends of earlier events by the batch's `endings`, and writes its
 * records of block allocations. */
bool store_write(struct store *store, const struct batch *batch, struct error *error);

/* --- sorting the events of a trace by time ---------------------------------------------------- */

/* Sorts the events of the trace by time and gives them new ids, by SQL, which sorts in temporary
 * files. row_order.h is faster if few events are out of order. */
bool store_sort(struct store *store, struct error *error);

/* Sets `*end` to the first id after all events of the database. Fails if another program has
 * inserted such large ids that there is no room. */
bool store_find_end(const struct store *store, int64_t *end, struct error *error);

/* Sets `*parts` to 1 if an earlier `map` divided I/Os of the trace among files (io_part); else to
 * 0. */
bool store_count_parts(const struct store *store, int64_t *parts, struct error *error);

/* --- several traces in a transaction ---------------------------------------------------------- */

/* If a transaction writes several traces, only the first one appends to `event` at once, since a
 * trace's ids must be one range. The events of the other traces wait until each is complete: in
 * temporary tables if they may still change (calls), or if SQL has to insert them; in event_column
 * if they are thread states; all others in a temporary file (event_rows.h). */

/* Inserts the waiting events of a complete trace into `event`. */
bool store_insert_staged_rows(struct store *store, struct error *error);

/* Writes the trace's range of event ids, which readers of event_column need. */
bool store_set_id_range(const struct store *store, struct error *error);

/* --- beginning and ending the transaction ----------------------------------------------------- */

/* Data of a trace that are known before its first event. Strings are borrowed; NULL: not given. */
struct store_trace {
    const char *name;
    const char *format;
    const char *device, *user, *study;
    enum trace_kind kind;
    unsigned columns; /* columns that its events may have: bits of enum event_column */
    bool replace;     /* true: first removes the existing trace of this name */
    bool append;      /* true: appends to the existing trace of this name */
    /* true: the transaction will be small, so readers need no write-ahead log (wal.h) */
    bool brief;
};

/* Data of a trace that are known only after its last event. */
struct store_ending {
    const char *variant;
    const char *clock_unit, *clocks;
    int64_t clock_hz;   /* frequency of the log's counter in Hz; EVENT_NONE: no counter */
    int64_t start;      /* wall clock at time 0, ns since 1970 UTC; EVENT_NONE: unknown */
    int64_t utc_offset; /* time zone, minutes east of UTC; EVENT_NONE: unknown */
    int64_t sessions;
    int64_t events, merged, ignored, rejected, lost_bytes;
    /* time of the last record, if it is not stored as an event; else EVENT_NONE */
    int64_t last_time;
    int64_t round, call_overhead; /* round: number of the study's round; call_overhead: time that
                                     measuring adds to a call, ns; EVENT_NONE: unknown */
    int64_t paired;     /* number of log events without a row of their own, such as ends of calls */
    const char *resume; /* state of the importer, saved for appending later; NULL: none */
};

/* Takes the write lock, checks the name and begins the trace. Waits for the lock up to
 * DATABASE_WAIT ms. On failure nothing is changed, and nothing needs freeing. */
bool store_begin(struct store *store, struct database *database, const struct store_trace *trace,
                 struct error *error);

/* Takes the write lock for changing an existing trace; the caller then sets store->trace to its id.
 * End with store_commit() and store_end(). On failure nothing is changed, and nothing needs
 * freeing. */
bool store_begin_change(struct store *store, struct database *database, struct error *error);

/* Begins another new trace, with a temporary name, in the transaction of `first`. `number` must
 * differ for each trace of the transaction. */
bool store_begin_another_trace(struct store *store, const struct store *first, unsigned number,
                               const struct store_trace *trace, struct error *error);

/* Completes the trace's row. `rollups`: names of the complete rollups, separated by blanks. */
bool store_complete(struct store *store, const struct store_ending *ending, const char *rollups,
                    struct error *error);

/* Commits the transaction, with all its traces. */
bool store_commit(struct store *store, struct error *error);

/* Undoes everything since store_begin() unless it was committed, and frees the store's memory. For
 * a store of store_begin_another_trace(): only frees memory; must be called before store_end() of
 * the first store. */
void store_end(struct store *store);

#endif

/* Inner parts of a store snapshot (a database in which rows of a store are fetched as needed).
 * store_snapshot.c opens it, serves reports and fetches events; snapshot_tables.c fetches names,
 * rollups and sums of rollups. */
#ifndef TRACETOOL_REMOTE_SNAPSHOT_PARTS_H
#define TRACETOOL_REMOTE_SNAPSHOT_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "copy/transfer.h"
#include "remote/client.h"
#include "remote/commits.h"
#include "remote/push.h"
#include "remote/statements.h"
#include "store/connection.h"
#include "store/database.h"
#include "store/trace_label.h"

/* Limit of a trace's rows in a table. */
#define SNAPSHOT_MOST_OF_TABLE ((int64_t)1 << 40)

/* Tables that are fetched as a whole when the snapshot is opened, after `trace`. */
#define SNAPSHOT_AT_ONCE "source ledger remark meaning map probe loss pairing"

struct snapshot_trace {
    struct remote_pair pair;
    int64_t id;               /* id of the trace in the database's table `trace` */
    struct trace_label label; /* name, device and hash; borrowed from `commits` */
    bool sent_events;
    int64_t rows; /* number of the trace's events */
    int64_t
        most[TRANSFER_IDS]; /* by table: largest id in the store; SNAPSHOT_MOST_OF_TABLE: unknown */
    int64_t shift[TRANSFER_IDS]; /* by table: what to add to ids of the store to get those here */
    bool numbered;               /* true: `shift` of names is known, so names can be fetched */
    uint64_t fetched;  /* tables that were fetched: bits by index in remote_tables; not for
                          SNAPSHOT_AT_ONCE */
    uint64_t summed;   /* bits of tables with rows that are part of sums in the database */
    int64_t part_rows; /* number of events in the database, if a part of them was fetched */
    bool counted;      /* true: the commit tells the number of rows in each table */
    int64_t left[REMOTE_MOST_TABLES]; /* by table: rows sent to the store, but not fetched yet */
};

struct store_snapshot {
    struct remote remote;
    struct database *database;      /* borrowed */
    struct database_source source;  /* function by which the database fetches rows from here */
    struct remote_commits commits;  /* traces in the store when the snapshot was opened */
    struct snapshot_trace *traces;  /* owned; sorted by id, which begins at 1 */
    struct snapshot_trace **sorted; /* owned; the same traces, by key (trace and attempt) */
    size_t count;
    int64_t most_rows, rows;    /* limit of events to fetch; number of events fetched so far */
    int64_t next[TRANSFER_IDS]; /* by table: number of ids in use */
};

/* Returns the bit of a table in `fetched`. */
static inline uint64_t snapshot_table_bit(const struct remote_table *table) {
    return UINT64_C(1) << (table - remote_tables);
}

/* Returns the bit in `fetched` that stands for all tables of events. */
static inline uint64_t snapshot_events_bit(void) {
    return snapshot_table_bit(remote_table_find("event"));
}

/* --- fetching the rows of a table ------------------------------------------------------------- */

/* Compares two traces, given by pointers to pointers, by key (trace and attempt); for qsort(). */
int snapshot_compare_keys(const void *left, const void *right);

/* State of reading rows of a table. The caller sets `snapshot` and `table`, and finalizes
 * `insert`. */
struct snapshot_rows {
    struct store_snapshot *snapshot;
    const struct remote_table *table;
    sqlite3_stmt *insert; /* owned */
    int64_t rows;         /* rows read */
};

/* Compiles the statement that inserts a row. */
bool snapshot_rows_open(struct snapshot_rows *in, struct error *error);

/* Runs a query, frees its text, and inserts the rows that the store answers with. */
bool snapshot_rows_fetch(struct snapshot_rows *in, struct text *sql, struct error *error);

/* Sets an error: the store has too few or too many rows of a trace. Always returns false. */
bool snapshot_count_error(const struct store_snapshot *snapshot, const struct remote_table *table,
                          const struct snapshot_trace *trace, bool fewer, struct error *error);

/* Checks a number of rows that the store counted, or that are still to be fetched: it must be the
 * number of rows that were sent and not fetched. */
bool snapshot_check_count(const struct store_snapshot *snapshot, const struct remote_table *table,
                          const struct snapshot_trace *trace, int64_t rows, struct error *error);

/* Checks that all rows that were sent to a table were fetched. */
bool snapshot_check_rows(const struct store_snapshot *snapshot, const struct remote_table *table,
                         const struct snapshot_trace *trace, struct error *error);

/* Returns whether a table may have rows that were not fetched yet. The store is not asked about
 * others: each statement costs it about 0.1 ms per trace. */
bool snapshot_misses_rows(const struct snapshot_trace *trace, const struct remote_table *table);

/* Fetches all rows of a table for some traces, with as many queries as the limit of an answer
 * requires. */
bool snapshot_fetch_rows(struct store_snapshot *snapshot, const struct remote_table *table,
                         const struct remote_pair *pairs, size_t count, struct error *error);

/* Fetches the rows of those traces that have any, and checks that all rows that were sent came. */
bool snapshot_fetch_table(struct store_snapshot *snapshot, const struct remote_table *table,
                          const struct remote_pair *pairs, size_t count, struct error *error);

/* --- fetching names and rollups --------------------------------------------------------------- */

/* Fetches all that a report wants, except events. `pairs` has room for all wanted traces. */
bool snapshot_fetch_tables(struct store_snapshot *snapshot, const struct database_wanted *wanted,
                           struct remote_pair *pairs, struct error *error);

/* --- fetching events -------------------------------------------------------------------------- */

/* Number of a trace's rows in one of the store's tables of events. */
struct event_count {
    int64_t all, part; /* number of all rows, and of the rows in the part that a report reads */
    bool each_once;    /* true: the store has each event, or part of an I/O, only once */
};

/* Which events of a trace to fetch for a report. */
struct event_part {
    bool chosen;      /* true: the store leaves out events that the report does not need */
    bool some;        /* true: only a part; false: all events, and the members below are not used */
    int64_t from, to; /* times of the part, as in struct database_part */
    int64_t first, last; /* ids in the store of the events in these times; last < first: none */
    int64_t low, high;   /* ids to fetch: `first` to `last`, and one more before and after */
    struct event_count count; /* rows of table `event` */
    struct text condition;    /* owned; SQL condition of the filter (remote_append_ids() …) */
};

/* Inserts only a trace's first and last event, which tell its start and end. */
bool insert_time_bounds(struct store_snapshot *snapshot, const struct snapshot_trace *trace,
                        struct error *error);

#endif

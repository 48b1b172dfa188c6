/* Internal header of store snapshots: databases that fetch rows of a store as needed.
 * store_snapshot.c opens a snapshot, serves reports and fetches events. snapshot_tables.c fetches
 * names, rollups and sums of rollups. */
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

/* Tables that are fetched completely when the snapshot is opened, in addition to `trace`. */
#define SNAPSHOT_AT_ONCE "source ledger remark meaning map probe loss pairing"

struct snapshot_trace {
    struct upload_key pair;
    int64_t id;               /* id of the trace in the snapshot's table `trace` */
    struct trace_label label; /* name, device and hash; borrowed from `commits` */
    bool sent_events;
    int64_t rows; /* number of the trace's events */
    /* by table: largest id in the store; SNAPSHOT_MOST_OF_TABLE: unknown */
    int64_t most[TRANSFER_IDS];
    int64_t shift[TRANSFER_IDS]; /* by table: id in the snapshot minus id in the store */
    bool numbered;               /* true: `shift` is known for names, so names can be fetched */
    /* bit i: remote_tables[i] was fetched; unused for tables in SNAPSHOT_AT_ONCE */
    uint64_t fetched;
    uint64_t summed;   /* bit i: the snapshot has sums of remote_tables[i] instead of its rows */
    int64_t part_rows; /* number of events in the snapshot, if only a part was fetched */
    bool counted;      /* true: the row of table `trace` has the number of rows in each table */
    int64_t left[REMOTE_MOST_TABLES]; /* by table: number of rows sent to the store that were not
                                         fetched yet */
};

struct store_snapshot {
    struct remote remote;
    struct database *database;      /* borrowed; the snapshot */
    struct database_source source;  /* function that the database calls to fetch rows */
    struct remote_commits commits;  /* traces in the store when the snapshot was opened */
    struct snapshot_trace *traces;  /* owned; sorted by id; ids begin at 1 */
    struct snapshot_trace **sorted; /* owned; pointers to all `traces`, sorted by key */
    size_t count;
    /* most_rows: limit of events to fetch; rows: number of events fetched */
    int64_t most_rows, rows;
    int64_t next[TRANSFER_IDS]; /* by table: number of ids used so far */
};

/* Returns the bit of a table in `fetched`. */
static inline uint64_t snapshot_table_bit(const struct remote_table *table) {
    return UINT64_C(1) << (table - remote_tables);
}

/* Returns the bit in `fetched` for all event tables. */
static inline uint64_t snapshot_events_bit(void) {
    return snapshot_table_bit(remote_table_find("event"));
}

/* --- fetching the rows of a table ------------------------------------------------------------- */

/* Orders two traces, given by pointers to pointers, by trace and attempt; for qsort(). */
int snapshot_compare_keys(const void *left, const void *right);

/* State of reading a table. The caller sets `snapshot` and `table`, and finalises `insert`. */
struct snapshot_rows {
    struct store_snapshot *snapshot;
    const struct remote_table *table;
    sqlite3_stmt *insert; /* owned */
    int64_t rows;         /* number of rows read */
};

/* Compiles the statement that inserts a row. */
bool snapshot_rows_open(struct snapshot_rows *in, struct error *error);

/* Runs a query, frees its text, and inserts the returned rows. */
bool snapshot_rows_fetch(struct snapshot_rows *in, struct text *sql, struct error *error);

/* Sets an error: the store returned too few (`fewer`) or too many rows. Always returns false. */
bool snapshot_count_error(const struct store_snapshot *snapshot, const struct remote_table *table,
                          const struct snapshot_trace *trace, bool fewer, struct error *error);

/* Checks that `rows` is the number of rows sent and not fetched yet; sets an error if not. */
bool snapshot_check_count(const struct store_snapshot *snapshot, const struct remote_table *table,
                          const struct snapshot_trace *trace, int64_t rows, struct error *error);

/* Checks that all rows that were sent in a table were fetched; else sets an error. */
bool snapshot_check_rows(const struct store_snapshot *snapshot, const struct remote_table *table,
                         const struct snapshot_trace *trace, struct error *error);

/* Returns whether a table may have rows that were not fetched yet. Other tables are not queried,
 * since each statement costs the store about 0.1 ms per trace. */
bool snapshot_needs_fetch(const struct snapshot_trace *trace, const struct remote_table *table);

/* Fetches all rows of a table for `count` traces. Uses several queries if an answer would exceed
 * its limit. */
bool snapshot_fetch_rows(struct store_snapshot *snapshot, const struct remote_table *table,
                         const struct upload_key *pairs, size_t count, struct error *error);

/* Fetches the rows of those traces that have rows in the table, and checks that none is missing. */
bool snapshot_fetch_table(struct store_snapshot *snapshot, const struct remote_table *table,
                          const struct upload_key *pairs, size_t count, struct error *error);

/* --- fetching names and rollups --------------------------------------------------------------- */

/* Fetches all that a report needs, except events. `pairs`: buffer for the keys of its traces. */
bool snapshot_fetch_tables(struct store_snapshot *snapshot, const struct database_wanted *wanted,
                           struct upload_key *pairs, struct error *error);

/* --- fetching events -------------------------------------------------------------------------- */

/* Number of a trace's rows in an event table of the store. */
struct event_count {
    int64_t all, part; /* all: number of all rows; part: number of those that a report needs */
    bool each_once;    /* true: the store has each event (or part of an I/O) only once */
};

/* Events of a trace to fetch for a report. */
struct event_part {
    bool chosen; /* true: the trace is so large that only needed events are fetched */
    bool some;   /* true: only some events; false: all events, and the members below are unused */
    int64_t from, to;         /* times of the needed events, as in struct database_part */
    int64_t first, last;      /* ids in the store of the events in [from, to); last < first: none */
    int64_t low, high;        /* ids to fetch: `first` to `last`, and one more at each end */
    struct event_count count; /* numbers of rows of table `event` */
    struct text condition;    /* owned; SQL condition for the report's filter, applied by the server
                                 (remote_append_ids() and others) */
};

/* Inserts only a trace's first and last event, which give its start and end time. */
bool insert_time_bounds(struct store_snapshot *snapshot, const struct snapshot_trace *trace,
                        struct error *error);

#endif

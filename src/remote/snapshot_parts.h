/* Internals of a store snapshot: store_snapshot.c opens it, serves reports and fetches events,
 * snapshot_tables.c fetches names, rollups and sums of rollups. */
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

/* Limit of rows in a table per trace. */
#define SNAPSHOT_MOST_OF_TABLE ((int64_t)1 << 40)

/* Tables that are filled when the snapshot is opened, after `trace`. */
#define SNAPSHOT_AT_ONCE "source ledger remark meaning map probe loss pairing"

struct snapshot_trace {
    struct remote_pair pair;
    int64_t id;               /* trace.id of the database */
    struct trace_label label; /* borrowed from the commits */
    bool sent_events;
    int64_t rows; /* number of events */
    int64_t
        most[TRANSFER_IDS]; /* largest ids in the store; SNAPSHOT_MOST_OF_TABLE: not known yet */
    int64_t shift[TRANSFER_IDS]; /* offset from ids in the store to ids in the database */
    bool numbered;               /* names have ids and can be fetched */
    uint64_t fetched;            /* bit set of fetched tables, by index in remote_tables; without
                                    SNAPSHOT_AT_ONCE */
    uint64_t summed;             /* bit set of tables whose rows are part of sums */
    int64_t part_rows;           /* events of the part that is in the database */
    bool counted;                /* the commit contains row counts */
    int64_t left[REMOTE_MOST_TABLES]; /* rows that were pushed but not yet fetched, by table */
};

struct store_snapshot {
    struct remote remote;
    struct database *database;      /* borrowed */
    struct database_source source;  /* callback of the database that fetches from this snapshot */
    struct remote_commits commits;  /* state when the snapshot was opened */
    struct snapshot_trace *traces;  /* owned; sorted by id, from 1 on */
    struct snapshot_trace **sorted; /* owned; sorted by pair */
    size_t count;
    int64_t most_rows, rows;    /* limit of fetched events; events fetched */
    int64_t next[TRANSFER_IDS]; /* number of ids in use */
};

/* Returns the bit of a table in `fetched`. */
static inline uint64_t snapshot_table_bit(const struct remote_table *table) {
    return UINT64_C(1) << (table - remote_tables);
}

/* Returns the bit that represents all tables of events. */
static inline uint64_t snapshot_events_bit(void) {
    return snapshot_table_bit(remote_table_find("event"));
}

/* --- rows ----------------------------------------------------------------------------------------
 */

/* Compares pointers to pointers to traces by their pairs, for qsort(). */
int snapshot_by_pair(const void *left, const void *right);

/* Rows of one table being read. The caller sets `snapshot` and `table`, and finalizes `insert`. */
struct snapshot_rows {
    struct store_snapshot *snapshot;
    const struct remote_table *table;
    sqlite3_stmt *insert; /* owned */
    int64_t rows;         /* rows read */
};

/* Prepares the INSERT. */
bool snapshot_rows_open(struct snapshot_rows *in, struct error *error);

/* Runs the query `sql`, frees it, and inserts the rows into the table. */
bool snapshot_rows_fetch(struct snapshot_rows *in, struct text *sql, struct error *error);

/* Reports that the store has too few or too many rows of a trace. Always returns false. */
bool snapshot_miscounted(const struct store_snapshot *snapshot, const struct remote_table *table,
                         const struct snapshot_trace *trace, bool fewer, struct error *error);

/* Checks the number of `rows` that the store counts, or that are missing after a fetch: it must be
 * the number of pushed rows that were not fetched. */
bool snapshot_check_count(const struct store_snapshot *snapshot, const struct remote_table *table,
                          const struct snapshot_trace *trace, int64_t rows, struct error *error);

/* Checks that as many rows were fetched as were pushed. */
bool snapshot_check_rows(const struct store_snapshot *snapshot, const struct remote_table *table,
                         const struct snapshot_trace *trace, struct error *error);

/* Returns whether a table may have rows that were not fetched yet. Other tables are not queried: a
 * statement costs the server about 0.1 ms per trace. */
bool snapshot_misses_rows(const struct snapshot_trace *trace, const struct remote_table *table);

/* Fetches all rows of a table for the traces, in as many queries as the limit of an answer
 * requires. */
bool snapshot_fetch_rows(struct store_snapshot *snapshot, const struct remote_table *table,
                         const struct remote_pair *pairs, size_t count, struct error *error);

/* Fetches the rows of the traces that have any, and checks that as many came as were pushed. */
bool snapshot_fetch_table(struct store_snapshot *snapshot, const struct remote_table *table,
                          const struct remote_pair *pairs, size_t count, struct error *error);

/* --- names and rollups ---------------------------------------------------------------------------
 */

/* Fetches everything wanted except events. `pairs` has room for all wanted traces. */
bool snapshot_fetch_tables(struct store_snapshot *snapshot, const struct database_wanted *wanted,
                           struct remote_pair *pairs, struct error *error);

/* --- events --------------------------------------------------------------------------------------
 */

/* Row counts of a trace in a table of events of the store. */
struct event_count {
    int64_t all, part; /* all rows, and rows of the part */
    bool each_once;    /* true: no event, and no part of an I/O, occurs twice */
};

/* Part of a trace's events that a report reads. */
struct event_part {
    bool chosen;         /* the server filters, so that fewer events are fetched */
    bool some;           /* fetch a part; if false, fetch all events and ignore the members below */
    int64_t from, to;    /* time range, as in struct database_part */
    int64_t first, last; /* ids in the store of the events in this range; last < first: none */
    int64_t low, high;   /* ids to fetch: one more at either end, if it exists */
    struct event_count count; /* counts of table `event` */
    struct text condition;    /* owned; SQL of the filter, by remote_append_ids() and others */
};

/* Inserts only the first and the last event of a trace, for queries of its start and end. */
bool insert_time_bounds(struct store_snapshot *snapshot, const struct snapshot_trace *trace,
                        struct error *error);

#endif

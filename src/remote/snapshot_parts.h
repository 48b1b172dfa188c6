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
#include "remote/contents.h"
#include "remote/statements.h"
#include "store/connection.h"
#include "store/database.h"
#include "store/trace_label.h"

/* No table of one trace has more rows. */
#define SNAPSHOT_MOST_OF_TABLE ((int64_t)1 << 40)

/* Tables that are there from the beginning, behind `trace`. */
#define SNAPSHOT_AT_ONCE "source ledger remark meaning map probe loss pairing"

struct snapshot_trace {
    struct remote_pair pair;
    int64_t id;               /* trace.id of the database */
    struct trace_label label; /* borrowed from the commits */
    bool sent_events;
    int64_t rows; /* events */
    int64_t
        most[TRANSFER_IDS]; /* largest ids in the store; SNAPSHOT_MOST_OF_TABLE: not known yet */
    int64_t shift[TRANSFER_IDS]; /* what is added to them */
    bool numbered;               /* names have ids, and may be fetched */
    uint64_t fetched;            /* bit set of places in remote_tables; beside SNAPSHOT_AT_ONCE */
    uint64_t summed;             /* likewise, of those whose rows are part of sums */
    int64_t part_rows;           /* events of a part that is there */
    bool counted;                /* its commit says how many rows there are */
    int64_t left[REMOTE_MOST_TABLES]; /* of them, those that have not come */
};

struct store_snapshot {
    struct remote remote;
    struct database *database;      /* borrowed */
    struct database_source source;  /* what the database is given of this */
    struct remote_commits commits;  /* as they were when it was opened */
    struct snapshot_trace *traces;  /* owned; in order of id, from 1 on */
    struct snapshot_trace **sorted; /* owned; in order of their pairs */
    size_t count;
    int64_t most_rows, rows;    /* events that may be fetched, and that are */
    int64_t next[TRANSFER_IDS]; /* how many ids are used */
};

/* Which bit of `fetched` says that a table is there. */
static inline uint64_t snapshot_table_bit(const struct remote_table *table) {
    return UINT64_C(1) << (table - remote_tables);
}

/* That of all tables of events. */
static inline uint64_t snapshot_events_bit(void) {
    return snapshot_table_bit(remote_table_find("event"));
}

/* --- rows ----------------------------------------------------------------------------------------
 */

/* Compares pointers to pointers to traces by their pairs, for qsort(). */
int snapshot_by_pair(const void *left, const void *right);

/* Rows of one table on their way. Shadow and table are set by the caller, who finalizes `insert`.
 */
struct snapshot_rows {
    struct store_snapshot *snapshot;
    const struct remote_table *table;
    sqlite3_stmt *insert; /* owned */
    int64_t rows;         /* that came */
};

/* Prepares the INSERT. */
bool snapshot_rows_open(struct snapshot_rows *in, struct error *error);

/* Asks `sql`, which is freed, and puts the rows into the table. */
bool snapshot_rows_take(struct snapshot_rows *in, struct text *sql, struct error *error);

/* Says that rows of a trace are missing, or too many. Always false. */
bool snapshot_miscounted(const struct store_snapshot *snapshot, const struct remote_table *table,
                         const struct snapshot_trace *trace, bool fewer, struct error *error);

/* Whether there are as many rows as were pushed: `rows` are those that came or are counted of the
 * rows that were left. */
bool snapshot_check_count(const struct store_snapshot *snapshot, const struct remote_table *table,
                          const struct snapshot_trace *trace, int64_t rows, struct error *error);

/* Whether as many rows came as were pushed. */
bool snapshot_check_rows(const struct store_snapshot *snapshot, const struct remote_table *table,
                         const struct snapshot_trace *trace, struct error *error);

/* Whether rows of a table are to come, or may. Of others nobody asks: a statement takes the server
 * some 0.1 ms for each trace that it names. */
bool snapshot_has_left(const struct snapshot_trace *trace, const struct remote_table *table);

/* All rows that a table has of the traces, as many traces at a time as an answer has room for. */
bool snapshot_take_rows(struct store_snapshot *snapshot, const struct remote_table *table,
                        const struct remote_pair *pairs, size_t count, struct error *error);

/* The same, of those that have rows of it; it must be as many as they were pushed with. */
bool snapshot_take_table(struct store_snapshot *snapshot, const struct remote_table *table,
                         const struct remote_pair *pairs, size_t count, struct error *error);

/* --- names and rollups ---------------------------------------------------------------------------
 */

/* All that is wanted but events; `pairs` has room for all traces that are. */
bool snapshot_fetch_tables(struct store_snapshot *snapshot, const struct database_wanted *wanted,
                           struct remote_pair *pairs, struct error *error);

/* --- events --------------------------------------------------------------------------------------
 */

/* Rows that the store has of a trace in a table of events. */
struct event_count {
    int64_t all, part; /* and how many of them are of the part */
    bool each_once;    /* no two are of one event, or of one part of an I/O */
};

/* The events of a trace that a report reads. */
struct event_part {
    bool chosen;         /* the server chooses, so that less comes where less is wanted */
    bool some;           /* else all events are to be fetched, and nothing else counts */
    int64_t from, to;    /* as in struct database_part */
    int64_t first, last; /* ids in the store of what lies between; last < first: nothing does */
    int64_t low, high;   /* ids that are asked for: one more at either end, where there is one */
    struct event_count count; /* of events */
    struct text condition;    /* owned; of remote_append_ids() and remote_append_classes() */
};

/* Puts the first and the last event of a trace in place of all, for those who ask when it began and
 * ended. */
bool snapshot_put_bounds(struct store_snapshot *snapshot, const struct snapshot_trace *trace,
                         struct error *error);

#endif

/* What the files of shadow.h share: shadow.c, from its opening on, and what reports fetch;
 * shadow_rows.c, rows of answers into tables; shadow_events.c, events; shadow_tables.c, all else
 * that comes when it is asked for. */
#ifndef TRACETOOL_REMOTE_SHADOW_PARTS_H
#define TRACETOOL_REMOTE_SHADOW_PARTS_H

#include "copy/transfer.h"
#include "remote/commits.h"
#include "remote/contents.h"
#include "store/database.h"
#include "store/trace_label.h"

/* No table of one trace has more rows. */
#define SHADOW_MOST_OF_TABLE ((int64_t)1 << 40)

/* Tables that are there from the beginning, behind `trace`. */
#define SHADOW_AT_ONCE "source ledger remark meaning map probe loss pairing"

struct shadow_trace {
    struct remote_pair pair;
    int64_t id;               /* trace.id of the database */
    struct trace_label label; /* borrowed from the commits */
    bool sent_events;
    int64_t rows;                /* events */
    int64_t most[TRANSFER_IDS];  /* largest ids in the store; SHADOW_MOST_OF_TABLE: not known yet */
    int64_t shift[TRANSFER_IDS]; /* what is added to them */
    bool numbered;               /* names have ids, and may be fetched */
    uint64_t fetched;            /* bit set of places in remote_tables; beside SHADOW_AT_ONCE */
    uint64_t summed;             /* likewise, of those whose rows are part of sums */
    int64_t part_rows;           /* events of a part that is there */
    bool counted;                /* its commit says how many rows there are */
    int64_t left[REMOTE_MOST_TABLES]; /* of them, those that have not come */
};

struct shadow {
    struct remote remote;
    struct database *database;     /* borrowed */
    struct database_source source; /* what the database is given of this */
    struct remote_commits commits; /* as they were when it was opened */
    struct shadow_trace *traces;   /* owned; in order of id, from 1 on */
    struct shadow_trace **sorted;  /* owned; in order of their pairs */
    size_t count;
    int64_t most_rows, rows;    /* events that may be fetched, and that are */
    int64_t next[TRANSFER_IDS]; /* how many ids are used */
};

/* Which bit of `fetched` says that a table is there. */
static inline uint64_t shadow_table_bit(const struct remote_table *table) {
    return UINT64_C(1) << (table - remote_tables);
}

/* That of all tables of events. */
static inline uint64_t shadow_events_bit(void) {
    return shadow_table_bit(remote_table_find("event"));
}

#endif

/* Writes one trace: a transaction that either keeps all of it or leaves the database as it was.
 *
 * The store knows tables and no format. Events come in batches and enter as rows that are made
 * already (row_pages.h); where that cannot be, through an internal virtual table (batch_table.c),
 * which SQLite reads about twice as fast as it takes bound values.
 */
#ifndef TRACETOOL_STORE_H
#define TRACETOOL_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/batch.h"
#include "model/meaning.h"
#include "model/tally.h"
#include "store/allocation_table.h"
#include "store/column_table.h"
#include "store/database.h"

/* What is known of a trace before its first event. Borrowed strings, NULL where not given. */
struct store_trace {
    const char *name;
    const char *format;
    const char *device, *user, *study;
    enum trace_kind kind;
    unsigned columns; /* enum event_column: those that events of this trace may have */
    bool replace;     /* a trace of that name is removed first */
    bool append;      /* the trace of that name goes on */
    bool brief;       /* the transaction will be small (write_ahead.h) */
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

struct store_source {
    const char *name, *hash, *packing;
    int64_t size, events;
    int64_t first_event, last_event; /* 0: none */
};

/* Names that an existing trace has already, in order to go on with it. */
struct store_names {
    void *context;
    bool (*name)(void *context, uint32_t id, const struct name_entry *name);
    bool (*actor)(void *context, uint32_t id, const struct actor_entry *actor);
    bool (*object)(void *context, uint32_t id, const struct object_entry *object);
};

/* What an existing trace says of itself; strings are owned by the store. */
struct store_existing {
    char *rollups, *resume; /* resume: NULL for none */
    int64_t start, utc_offset, sessions;
    int64_t remarks; /* how many there are */
};

/* Tables with a row for some events, whose id is theirs. */
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

/* Takes the write lock (waits up to DATABASE_WAIT ms), checks the name, and begins the trace. On
 * failure nothing was changed and nothing needs freeing. */
bool store_begin(struct store *store, struct database *database, const struct store_trace *trace,
                 struct error *error);

/* Takes the write lock in order to change what is known of a trace that is there, whose id the
 * caller puts into `trace`. Then store_existing_names(), store_entry(), store_commit() and
 * store_end(). On failure nothing was changed and nothing needs freeing. */
bool store_begin_change(struct store *store, struct database *database, struct error *error);

/* Writes a new name, actor or object, with an id from first_name, … on, or renames one. */
bool store_entry(struct store *store, const struct entry *entry, struct error *error);

/* Begins another trace, a new one, in the transaction of `first`, under a name for the time being;
 * `number` tells it from others of the transaction. */
bool store_join(struct store *store, const struct store *first, unsigned number,
                const struct store_trace *trace, struct error *error);

/* Puts the events of a joined trace, which has all of them, behind those that are there. */
bool store_place(struct store *store, struct error *error);

/* Gives the trace its name, and that of the log whose trace it is beside others; NULL: none. */
bool store_name(struct store *store, const char *name, const char *log, struct error *error);

/* Gives the names of the trace that goes on, one after another; the entries are borrowed. */
bool store_existing_names(struct store *store, const struct store_names *names,
                          struct error *error);

/* Gives every thread of the spans of a trace that goes on, with the time of its last record, to
 * `thread`, which returns false when out of memory. */
bool store_existing_threads(struct store *store, void *context,
                            bool (*thread)(void *context, uint32_t actor, int64_t time),
                            struct error *error);

/* Writes the names and events of a batch; events get successive ids. Then it completes the events
 * of earlier batches that the batch's endings tell of, and writes its allocations. */
bool store_write(struct store *store, const struct batch *batch, struct error *error);

/* Whether a source of another import has that content already: `*trace_name` is its trace, owned
 * by the caller, NULL when there is none. */
bool store_find_content(struct store *store, const char *hash, char **trace_name,
                        struct error *error);

/* Adds a row to `source` and gives its id. */
bool store_source(struct store *store, const struct store_source *source, int64_t *id,
                  struct error *error);

bool store_ledger(struct store *store, int64_t source, const char *outcome, const char *reason,
                  int64_t count, int64_t first_offset, int64_t bytes, struct error *error);

bool store_remark(struct store *store, int64_t number, const char *text, struct error *error);

/* Adds what a column means; that it is known already does not matter. */
bool store_meaning(struct store *store, const struct event_meaning *meaning, struct error *error);

bool store_loggable(struct store *store, int64_t code, bool by_default, struct error *error);

/* Puts the events of the trace in order of time, however far they were out of it. SQLite sorts them
 * outside memory; they get new ids. */
bool store_sort(struct store *store, struct error *error);

/* Completes the trace's row. `rollups` names the complete ones, blank-separated. */
bool store_complete(struct store *store, const struct store_ending *ending, const char *rollups,
                    struct error *error);

/* Commits, with what was joined. */
bool store_commit(struct store *store, struct error *error);

/* Undoes everything since store_begin(); harmless after a commit. Frees what the store owns. Of a
 * joined trace it only does the latter, and comes before that of the first. */
void store_end(struct store *store);

/* Removes a trace wholly, within a transaction of the caller's. */
bool store_remove(struct database *database, int64_t trace, struct error *error);

/* Registers the virtual table that hands over `store->batch`. */
bool batch_table_register(struct store *store, struct error *error);

#endif

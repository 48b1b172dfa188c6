/* What a trace has beside its events: its row, files, ledger and remarks; and what one that goes on
 * has already. */
#ifndef TRACETOOL_TRACE_METADATA_H
#define TRACETOOL_TRACE_METADATA_H

#include "model/batch.h"
#include "model/meaning.h"
#include "model/event.h"
#include "store/store.h"

/* --- the row -------------------------------------------------------------------------------------
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

/* The id that a query gives for a name, which is its ?1; 0: none. */
bool trace_row_find(struct store *store, const char *sql, const char *name, int64_t *id,
                    struct error *error);

/* Makes the row of a new trace and sets `store->trace`. */
bool trace_row_insert(struct store *store, const struct store_trace *trace, struct error *error);

/* Writes what is known now, and the ranges of ids and times of the trace's events. */
bool trace_row_complete(struct store *store, const struct store_ending *ending, const char *rollups,
                        struct error *error);

/* Names the trace, and the log that it shares with other traces; NULL: none. */
bool store_name(struct store *store, const char *name, const char *log, struct error *error);

/* --- files, ledger and remarks -------------------------------------------------------------------
 */

/* A file of the trace. Borrowed strings. */
struct store_source {
    const char *name, *hash, *packing; /* packing: '' for none */
    int64_t size, events;              /* size: bytes, unpacked */
    int64_t first_event, last_event;   /* 0: none */
};

/* Whether a source of another import has that content already: `*trace_name` is its trace, owned
 * by the caller, NULL when there is none. */
bool store_find_content(struct store *store, const char *hash, char **trace_name,
                        struct error *error);

/* Adds a row to `source` and gives its id. */
bool store_source(struct store *store, const struct store_source *source, int64_t *id,
                  struct error *error);

/* Adds a line to the ledger: `count` records of a source, the first at the byte `first_offset` of
 * what was unpacked, had that outcome for that reason, and `bytes` bytes were lost with them. */
bool store_ledger(struct store *store, int64_t source, const char *outcome, const char *reason,
                  int64_t count, int64_t first_offset, int64_t bytes, struct error *error);

/* Adds a remark; `number` counts those of this import from 0 on. */
bool store_remark(struct store *store, int64_t number, const char *text, struct error *error);

/* Adds what a column means; that it is known already does not matter. */
bool store_meaning(struct store *store, const struct event_meaning *meaning, struct error *error);

/* Adds that the log does not state the fact, or takes that back; either may be so already. */
bool store_fact_unknown(struct store *store, enum fact fact, struct error *error);
bool store_fact_known(struct store *store, enum fact fact, struct error *error);

/* Adds that time 0 is a time of day, `nanoseconds` after midnight: MEANING_TIME_OF_DAY. */
bool store_time_of_day(struct store *store, int64_t nanoseconds, struct error *error);

/* Adds a call that the program that wrote the log could log, and whether it does by default; that
 * it is known already does not matter. */
bool store_loggable(struct store *store, int64_t code, bool by_default, struct error *error);

/* --- a trace that goes on ------------------------------------------------------------------------
 */

/* Takes over what the row of the trace `store->trace` says: its range of events and times, and
 * `store->existing`. Fails where its format is not `format`; `name` is what messages call it. */
bool trace_existing_load(struct store *store, const char *name, const char *format,
                         struct error *error);

/* Called with each of its names, actors and objects, NULL: with none of them; false with an error
 * set ends that. */
struct store_names {
    void *context;
    bool (*name)(void *context, uint32_t id, const struct name_entry *name);
    bool (*actor)(void *context, uint32_t id, const struct actor_entry *actor);
    bool (*object)(void *context, uint32_t id, const struct object_entry *object);
};

/* Gives the names of the trace that goes on, one after another; the entries are borrowed. */
bool store_existing_names(struct store *store, const struct store_names *names,
                          struct error *error);

/* Gives every thread of the spans of a trace that goes on, with the time of its last record, to
 * `thread`. */
bool store_existing_threads(struct store *store, void *context,
                            void (*thread)(void *context, uint32_t actor, int64_t time),
                            struct error *error);

#endif

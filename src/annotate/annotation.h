/* Changes one trace after its import, in one transaction, with consistent rollups; a failure
 * changes nothing.
 *
 *     annotation_open()                 takes the write lock
 *     annotation_add_object(), …        finds or adds an object, an actor or a name
 *     annotation_declare()              selects the event columns to set
 *     annotation_set()                  sets them, for events in order of id
 *     annotation_mark_rollup()          marks rollups affected by other changes
 *     annotation_commit()               recounts these rollups, and commits
 *     annotation_close()                always; rolls back unless committed
 */
#ifndef TRACETOOL_ANNOTATION_H
#define TRACETOOL_ANNOTATION_H

#include "config/config.h"
#include "import/dictionary.h"
#include "store/catalog.h"
#include "store/column_table.h"
#include "store/store.h"

/* Number of changed events that are written together. */
#define ANNOTATION_EVENTS 16384

/* State of changing a trace. Callers may only read `trace` and `store.database`. */
struct annotation {
    struct store store;                /* the transaction of the changes */
    const struct config *config;       /* borrowed */
    struct catalog catalog;            /* owned */
    const struct catalog_trace *trace; /* the trace that is changed, an element of `catalog` */
    struct dictionary *objects;        /* owned; finds the trace's objects; NULL until first used */
    struct text key;                   /* owned */
    struct error *failure;
    unsigned touched;       /* rollups to recount: bits of enum tally_kind */
    bool touched_spans;     /* true: recount rollup_span, the times of calls */
    bool touched_latencies; /* true: recount rollup_latency and rollup_call */
    bool missing;     /* set by the caller; true: also count marked rollups that the trace lacks */
    unsigned columns; /* columns to change: bits of enum event_column */
    struct event_change *events; /* owned; up to ANNOTATION_EVENTS changes that are not written */
    size_t count, position;      /* `position`: index of the event that was looked up last */
    int64_t last;                /* id of the last changed event */
    sqlite3_stmt *update;        /* owned */
    struct column_changer *changer; /* owned; updates the columns; NULL: nothing was written yet */
};

/* Begins to change the trace called `name`. recount_register() must have been called for the
 * connection. Until the end, no statement and no selection may be open on it; `config` is borrowed.
 * On failure nothing needs closing. */
bool annotation_open(struct annotation *annotation, struct database *database,
                     const struct config *config, const char *name, struct error *error);

/* Returns the id of an object of the trace; adds it if it is new. Returns 0 and sets `error` on
 * failure. Objects take at most the memory of a dictionary. */
uint32_t annotation_add_object(struct annotation *annotation, const struct object_entry *object,
                               struct error *error);

/* Declares what annotation_set() will change: any of EVENT_OPERATION, EVENT_ACTOR, EVENT_OBJECT and
 * EVENT_FLAGS, and which bits of the flags. Call it once, before. Marks rollups that depend on
 * these for recounting. Not for traces of spans, whose rollup is counted while calls are open. */
bool annotation_declare(struct annotation *annotation, unsigned columns, uint32_t flags,
                        struct error *error);

/* Changes the declared columns of an event; ids must increase from call to call. */
bool annotation_set(struct annotation *annotation, const struct event_change *event,
                    struct error *error);

/* Writes all changes to the database, so that the caller's SQL sees them. */
bool annotation_flush(struct annotation *annotation, struct error *error);

/* Marks a rollup, such as "block" or "span", for recounting at the commit. */
void annotation_mark_rollup(struct annotation *annotation, const char *rollup);

/* Writes all changes, recounts the marked rollups, and commits. As at the import, a rollup with
 * more than TALLY_ROWS rows is dropped. */
bool annotation_commit(struct annotation *annotation, struct error *error);

/* Undoes all changes if they were not committed, and frees the state. */
void annotation_close(struct annotation *annotation);

#endif

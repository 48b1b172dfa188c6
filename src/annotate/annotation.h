/* Changes an imported trace in one transaction, with consistent rollups (tables of counts). A
 * failure changes nothing.
 *
 *     annotation_open()                 takes the write lock
 *     annotation_add_object(), …        finds or adds an object, an actor or a name
 *     annotation_declare()              selects the event columns to set
 *     annotation_set()                  sets them, for events in order of id
 *     annotation_mark_rollup()          marks rollups affected by other changes
 *     annotation_commit()               counts these rollups again, and commits
 *     annotation_close()                always; rolls back unless committed */
#ifndef TRACETOOL_ANNOTATION_H
#define TRACETOOL_ANNOTATION_H

#include "config/config.h"
#include "import/dictionary.h"
#include "store/catalog.h"
#include "store/column_table.h"
#include "store/store.h"

/* Limit of pending changes; then they are written together. */
#define ANNOTATION_EVENTS 16384

/* State of changing a trace. Callers may only read `trace` and `store.database`. */
struct annotation {
    struct store store;                /* transaction with all changes */
    const struct config *config;       /* borrowed */
    struct catalog catalog;            /* owned */
    const struct catalog_trace *trace; /* the changed trace, an element of `catalog` */
    struct dictionary *objects;        /* owned; the trace's objects by key; NULL: not loaded yet */
    struct text key;                   /* owned; buffer for keys of objects */
    struct error *failure;
    unsigned touched;       /* rollups to count again: bits of enum tally_kind */
    bool touched_spans;     /* true: count rollup_span again */
    bool touched_latencies; /* true: count rollup_latency and rollup_call again */
    bool missing;     /* set by the caller; true: also count marked rollups that do not exist yet */
    unsigned columns; /* columns to change: bits of enum event_column */
    struct event_change *events;    /* owned; up to ANNOTATION_EVENTS pending changes */
    size_t count, position;         /* `position`: index in `events` of the last search */
    int64_t last;                   /* id of the last changed event */
    sqlite3_stmt *update;           /* owned */
    struct column_changer *changer; /* owned; updates the event columns (column_table.h); NULL:
                                       before the first write */
};

/* Begins to change the trace `name`. The connection must have been prepared by recount_register().
 * It must have no open statement or selection until annotation_close(). `config` is borrowed. On
 * failure, nothing needs to be closed. */
bool annotation_open(struct annotation *annotation, struct database *database,
                     const struct config *config, const char *name, struct error *error);

/* Returns the id of an object of the trace, and adds it if it is new. Returns 0 with `error` set on
 * failure, also if there are 2^31 objects. Memory is bounded (dictionary.h). */
uint32_t annotation_add_object(struct annotation *annotation, const struct object_entry *object,
                               struct error *error);

/* Declares what annotation_set() will change: any of EVENT_OPERATION, EVENT_ACTOR, EVENT_OBJECT and
 * EVENT_FLAGS, and in EVENT_FLAGS the bits `flags`. Call it once, before annotation_set(). Marks
 * the rollups that depend on these, to be counted again. Fails for traces of spans (function
 * calls). */
bool annotation_declare(struct annotation *annotation, unsigned columns, uint32_t flags,
                        struct error *error);

/* Changes the declared columns of an event. Ids must increase from call to call. */
bool annotation_set(struct annotation *annotation, const struct event_change *event,
                    struct error *error);

/* Writes all changes to the database, so that the caller's SQL sees them. */
bool annotation_flush(struct annotation *annotation, struct error *error);

/* Marks a rollup, such as "block" or "span", to be counted again at the commit. */
void annotation_mark_rollup(struct annotation *annotation, const char *rollup);

/* Writes all changes, counts the marked rollups again, and commits. As at the import, a rollup with
 * more than TALLY_ROWS rows is dropped. */
bool annotation_commit(struct annotation *annotation, struct error *error);

/* Frees the state. Rolls back all changes that were not committed. */
void annotation_close(struct annotation *annotation);

#endif

/* Changes one trace after its import, in one transaction, with consistent rollups; a failure
 * changes nothing.
 *
 *     annotation_open()                 takes the write lock
 *     annotation_object(), …            finds or adds an object, an actor or a name
 *     annotation_columns()              selects the event columns to set
 *     annotation_set()                  sets them, for events in order of id
 *     annotation_touch()                marks rollups affected by other changes
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

/* Number of events that are written together. */
#define ANNOTATION_EVENTS 16384

/* Members are private, except `trace` and `store.database`, which users read. */
struct annotation {
    struct store store;                /* the transaction */
    const struct config *config;       /* borrowed */
    struct catalog catalog;            /* owned */
    const struct catalog_trace *trace; /* element of `catalog` */
    struct dictionary *objects;        /* owned; the trace's objects; NULL until used */
    struct text key;                   /* owned */
    struct error *failure;
    unsigned touched;            /* bit set of enum tally_kind */
    bool touched_spans;          /* true: the rollup of call times must be recounted */
    bool touched_latencies;      /* true: the rollups of latencies and of calls must be recounted */
    bool missing;                /* adds touched rollups that the trace lacks; set by the caller */
    unsigned columns;            /* bit set of enum event_column */
    struct event_change *events; /* owned; ANNOTATION_EVENTS pending events */
    size_t count, position;      /* position: of the event found last */
    int64_t last;                /* id of the last event set */
    sqlite3_stmt *update;        /* owned */
    struct column_changer *changer; /* owned; NULL: nothing written yet */
};

/* Begins to change the trace `name`. The connection must have had recount_register(). Until the
 * end, no statement and no selection may be open on it. On failure nothing needs closing. `config`
 * is borrowed until then. */
bool annotation_open(struct annotation *annotation, struct database *database,
                     const struct config *config, const char *name, struct error *error);

/* Finds or adds an object of the trace and returns its id; 0 with `error` set on failure. Memory is
 * limited to that of a dictionary. */
uint32_t annotation_object(struct annotation *annotation, const struct object_entry *object,
                           struct error *error);

/* Declares, once and before annotation_set(), the columns to set: any of EVENT_OPERATION,
 * EVENT_ACTOR, EVENT_OBJECT and EVENT_FLAGS, and the bits of the flags that may change. Rollups
 * that read them are touched. Not for traces of spans, whose calls are counted while open. */
bool annotation_columns(struct annotation *annotation, unsigned columns, uint32_t flags,
                        struct error *error);

/* Sets the declared columns of an event; ids must increase. */
bool annotation_set(struct annotation *annotation, const struct event_change *event,
                    struct error *error);

/* Writes pending events to the database, so that the caller's SQL reads the events. */
bool annotation_flush(struct annotation *annotation, struct error *error);

/* Marks a rollup, such as "block" or "span", for recounting. */
void annotation_touch(struct annotation *annotation, const char *rollup);

/* Writes pending events, recounts the touched rollups (dropping one with more than TALLY_ROWS, as
 * at import), and commits. */
bool annotation_commit(struct annotation *annotation, struct error *error);

/* Rolls back, unless committed, and frees. */
void annotation_close(struct annotation *annotation);

#endif

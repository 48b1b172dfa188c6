/* Changes one trace after its import, in one transaction: either all of it is kept, with rollups
 * that agree, or nothing is changed.
 *
 *     annotation_open()                 takes the write lock
 *     annotation_object(), …            find an object, an actor or a name, or make it
 *     annotation_columns()              which columns of events are set
 *     annotation_set()                  sets them, for events in order of id
 *     annotation_touch()                which rollups count what was changed otherwise
 *     annotation_commit()               has these counted anew, and commits
 *     annotation_close()                in any case; without a commit it undoes all
 */
#ifndef TRACETOOL_ANNOTATION_H
#define TRACETOOL_ANNOTATION_H

#include "config/config.h"
#include "import/dictionary.h"
#include "store/catalog.h"
#include "store/column_table.h"
#include "store/store.h"

/* Events that are written at once. */
#define ANNOTATION_EVENTS 16384

/* Fields are the annotation's own, but for what users of `trace` and `store.database` read. */
struct annotation {
    struct store store;                /* the transaction */
    const struct config *config;       /* borrowed */
    struct catalog catalog;            /* owned */
    const struct catalog_trace *trace; /* of `catalog` */
    struct dictionary *objects;        /* owned; those of the trace, NULL until one is asked for */
    struct text key;                   /* owned */
    struct error *failure;
    unsigned touched;            /* bit set of enum tally_kind */
    bool touched_spans;          /* the rollup of times of calls, too */
    bool touched_latencies;      /* those of latencies and of calls, too */
    bool missing;                /* touched rollups that the trace lacks are made; the caller's */
    unsigned columns;            /* bit set of enum event_column */
    struct event_change *events; /* owned; ANNOTATION_EVENTS that are not yet written */
    size_t count, position;      /* position: of the event that was found last */
    int64_t last;                /* id of the last event that was set */
    sqlite3_stmt *update;        /* owned */
    struct column_changer *changer; /* owned; NULL: nothing was written yet */
};

/* Begins to change the trace called `name`. The connection has had recount_register(), and no
 * statement runs on it, nor a selection, until the end. On failure nothing needs closing. `config`
 * is borrowed until then. */
bool annotation_open(struct annotation *annotation, struct database *database,
                     const struct config *config, const char *name, struct error *error);

/* The id of an equal object of the trace, which is made when there is none. 0 with `error` set on
 * failure. Memory is that of a dictionary, however many there are. */
uint32_t annotation_object(struct annotation *annotation, const struct object_entry *object,
                           struct error *error);

/* Says, once and before annotation_set(), which columns are set: some of EVENT_OPERATION,
 * EVENT_ACTOR, EVENT_OBJECT and EVENT_FLAGS; and of the flags, which bits may become others.
 * Rollups that read them count as touched. Not for traces of spans: their calls were counted while
 * they were open. */
bool annotation_columns(struct annotation *annotation, unsigned columns, uint32_t flags,
                        struct error *error);

/* Sets them for an event of the trace, as far as annotation_columns() named them; its id is larger
 * than that of the call before. */
bool annotation_set(struct annotation *annotation, const struct event_change *event,
                    struct error *error);

/* Writes what was set so far, so that a statement of the caller's sees it. */
bool annotation_flush(struct annotation *annotation, struct error *error);

/* Says that a rollup, such as "block" or "span", has to be counted anew. */
void annotation_touch(struct annotation *annotation, const char *rollup);

/* Writes what is left, has the touched rollups counted anew (one that has become larger than
 * TALLY_ROWS is dropped, as at an import), and commits. */
bool annotation_commit(struct annotation *annotation, struct error *error);

/* Undoes everything, unless it was committed, and frees. */
void annotation_close(struct annotation *annotation);

#endif

/* Tables with rows of a trace: allocations, losses, partitions and remaps; and which rows of any
 * table belong to a trace. */
#ifndef TRACETOOL_TRACE_TABLES_H
#define TRACETOOL_TRACE_TABLES_H

#include <stdbool.h>
#include <string.h>

#include "config/config.h"
#include "model/allocation.h"
#include "model/remap.h"
#include "store/database.h"

/* Returns a condition on the table's row t: ?1 is the trace, ?2 and ?3 are its first and last
 * event. `has_trace`: the table has a column `trace`. */
static inline const char *trace_rows_of(const char *table, bool has_trace) {
    return strcmp(table, "trace") == 0   ? "t.id = ?1"
           : strcmp(table, "event") == 0 ? "t.id BETWEEN ?2 AND ?3"
           : has_trace                   ? "t.trace = ?1"
                                         : "t.event BETWEEN ?2 AND ?3";
}

/* Removes a trace completely, within the caller's transaction. */
bool store_remove(struct database *database, int64_t trace, struct error *error);

struct name_entry;
struct actor_entry;
struct object_entry;

/* Callbacks for each name, actor and object of a trace; NULL skips them. Returning false with an
 * error set stops. */
struct trace_names {
    void *context;
    bool (*name)(void *context, uint32_t id, const struct name_entry *name);
    bool (*actor)(void *context, uint32_t id, const struct actor_entry *actor);
    bool (*object)(void *context, uint32_t id, const struct object_entry *object);
};

/* Passes the trace's names to the callbacks; the entries are borrowed. */
bool trace_names_read(struct database *database, int64_t trace, const struct trace_names *names,
                      struct error *error);

/* --- allocation ----------------------------------------------------------------------------------
 */

/* Appends records to those of the trace. */
bool allocation_table_write(struct database *database, int64_t trace,
                            const struct allocation *items, size_t count, struct error *error);

/* Reads the records of file systems on two devices, which may be equal, and of losses, in time
 * order. Ignores rows that tracetool never writes. `take` returns false, with its error set, to
 * stop. */
bool allocation_table_read(struct database *database, int64_t trace, const int64_t devices[2],
                           bool (*take)(void *context, const struct allocation *allocation,
                                        struct error *error),
                           void *context, struct error *error);

/* --- loss ----------------------------------------------------------------------------------------
 */

/* CPU number if the log gives none. */
#define LOSS_NO_CPU (-1)

/* A row of the table. */
struct loss_row {
    int64_t cpu;         /* number of the CPU; LOSS_NO_CPU: unknown */
    int64_t lost;        /* number of lost events; 0: none */
    int64_t uncounted;   /* number of losses of unknown size */
    int64_t overwritten; /* lost events before the log's first one; only for LOSS_NO_CPU */
    int64_t events;      /* number of the CPU's events in the log */
    int64_t first, last; /* times of these; EVENT_NONE: none */
};

/* Adds to the trace's losses in the table. */
bool loss_table_add(struct database *database, int64_t trace, const struct loss_row *row,
                    struct error *error);

/* --- partition -----------------------------------------------------------------------------------
 */

/* Partitions of a trace, as configured at import or set later by `tracetool name`. */

struct partitions {
    struct config_partition *entries; /* owned */
    size_t count;
};

/* Replaces the trace's partitions in the table. */
bool partitions_write(struct database *database, int64_t trace,
                      const struct config_partition *entries, size_t count, struct error *error);

/* Reads the trace's partitions, in the order in which they were written. On failure nothing needs
 * freeing. */
bool partitions_read(struct database *database, int64_t trace, struct partitions *partitions,
                     struct error *error);

void partitions_free(struct partitions *partitions);

/* --- remap ---------------------------------------------------------------------------------------
 */

/* Adds to the trace's remaps in the table. */
bool remap_table_write(struct database *database, int64_t trace, const struct remap *remaps,
                       size_t count, struct error *error);

/* Reads the remaps onto a device, ordered by upper device and first sector: `*count`, at most
 * REMAPS_MOST. An appended trace may have several with the same shift. `*whole`: there are no
 * others, and the table had room for all of the trace (REMAPS_REST). */
bool remap_table_read(struct database *database, int64_t trace, int64_t device,
                      struct remap *remaps, size_t *count, bool *whole, struct error *error);

#endif

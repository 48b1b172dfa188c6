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

/* Returns an SQL condition that is true for the rows t of a table that belong to trace ?1, whose
 * event ids are ?2 to ?3. `has_trace`: the table has a column `trace`. */
static inline const char *trace_rows_of(const char *table, bool has_trace) {
    return strcmp(table, "trace") == 0   ? "t.id = ?1"
           : strcmp(table, "event") == 0 ? "t.id BETWEEN ?2 AND ?3"
           : has_trace                   ? "t.trace = ?1"
                                         : "t.event BETWEEN ?2 AND ?3";
}

/* Removes a trace from all tables, in the caller's transaction. */
bool store_remove(struct database *database, int64_t trace, struct error *error);

struct name_entry;
struct actor_entry;
struct object_entry;

/* Functions to be called for each name, actor (process or thread) and object (file or device) of a
 * trace; NULL: not called. To stop, a function returns false and sets an error. */
struct trace_names {
    void *context;
    bool (*name)(void *context, uint32_t id, const struct name_entry *name);
    bool (*actor)(void *context, uint32_t id, const struct actor_entry *actor);
    bool (*object)(void *context, uint32_t id, const struct object_entry *object);
};

/* Calls the functions for a trace's names, actors and objects. Entries are borrowed during a call.
 */
bool trace_names_read(struct database *database, int64_t trace, const struct trace_names *names,
                      struct error *error);

/* --- table allocation: space that file systems allocated and freed ---------------------------- */

/* Appends records to a trace's rows of the table allocation. */
bool allocation_table_write(struct database *database, int64_t trace,
                            const struct allocation *items, size_t count, struct error *error);

/* Reads the allocation records of the file systems on two devices, which may be the same, and the
 * records on lost events, in order of time. Ignores rows that tracetool never writes. To stop,
 * `take` returns false and sets its error. */
bool allocation_table_read(struct database *database, int64_t trace, const int64_t devices[2],
                           bool (*take)(void *context, const struct allocation *allocation,
                                        struct error *error),
                           void *context, struct error *error);

/* --- table loss: events that a log lacks, by CPU ---------------------------------------------- */

/* CPU number of losses if the log names no CPU. */
#define LOSS_NO_CPU (-1)

/* A row of the table loss: events that are missing in a log, by CPU. */
struct loss_row {
    int64_t cpu;       /* CPU that the events are from; LOSS_NO_CPU: unknown */
    int64_t lost;      /* number of lost events; 0: none */
    int64_t uncounted; /* number of gaps with an unknown number of events */
    /* number of events lost before the log's first event; only with LOSS_NO_CPU */
    int64_t overwritten;
    int64_t events;      /* number of events of this CPU in the log */
    int64_t first, last; /* times of this CPU's first and last event; EVENT_NONE: none */
};

/* Adds the numbers to the trace's row for this CPU in the table loss. */
bool loss_table_add(struct database *database, int64_t trace, const struct loss_row *row,
                    struct error *error);

/* --- table partition: partitions of the devices in a trace ------------------------------------ */

/* Partitions of a trace's devices: named ranges of sectors, from the configuration at import, or
 * set later by `tracetool name`. */

struct partitions {
    struct config_partition *entries; /* owned */
    size_t count;
};

/* Replaces all rows of a trace in the table partition. */
bool partitions_write(struct database *database, int64_t trace,
                      const struct config_partition *entries, size_t count, struct error *error);

/* Reads the partitions of a trace in the order in which they were written. Nothing needs freeing
 * after a failure. */
bool partitions_read(struct database *database, int64_t trace, struct partitions *partitions,
                     struct error *error);

void partitions_free(struct partitions *partitions);

/* --- table remap: sectors of a device above that are on a device below ------------------------ */

/* Appends remaps (mappings of sectors between devices) to a trace's rows of the table remap. */
bool remap_table_write(struct database *database, int64_t trace, const struct remap *remaps,
                       size_t count, struct error *error);

/* Reads the remaps (mappings of sectors between devices) onto a lower device, ordered by upper
 * device and first sector. Sets `*count`, at most REMAPS_MOST. After files were appended, several
 * remaps may have the same shift of sectors. Sets `*whole` to false if there are more than
 * REMAPS_MOST, or if the log had more than the trace could store (REMAPS_REST). */
bool remap_table_read(struct database *database, int64_t trace, int64_t device,
                      struct remap *remaps, size_t *count, bool *whole, struct error *error);

#endif

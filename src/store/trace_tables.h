/* Tables with rows of a trace: allocations of blocks, losses, partitions and remaps, and which rows
 * of any table are a trace's. */
#ifndef TRACETOOL_TRACE_TABLES_H
#define TRACETOOL_TRACE_TABLES_H

#include <stdbool.h>
#include <string.h>

#include "config/config.h"
#include "model/allocation.h"
#include "model/remap.h"
#include "store/database.h"

/* A condition on row t of the table: ?1 is the trace, ?2 and ?3 are its first and last event.
 * `has_trace`: the table has a column of that name. */
static inline const char *trace_rows_of(const char *table, bool has_trace) {
    return strcmp(table, "trace") == 0   ? "t.id = ?1"
           : strcmp(table, "event") == 0 ? "t.id BETWEEN ?2 AND ?3"
           : has_trace                   ? "t.trace = ?1"
                                         : "t.event BETWEEN ?2 AND ?3";
}

/* Removes a trace wholly, within a transaction of the caller's. */
bool store_remove(struct database *database, int64_t trace, struct error *error);

struct name_entry;
struct actor_entry;
struct object_entry;

/* Called with each name, actor and object of a trace, NULL: with none of them; false with an error
 * set ends that. */
struct trace_names {
    void *context;
    bool (*name)(void *context, uint32_t id, const struct name_entry *name);
    bool (*actor)(void *context, uint32_t id, const struct actor_entry *actor);
    bool (*object)(void *context, uint32_t id, const struct object_entry *object);
};

/* Gives the names of the trace, one after another; the entries are borrowed. */
bool trace_names_read(struct database *database, int64_t trace, const struct trace_names *names,
                      struct error *error);

/* --- allocation ----------------------------------------------------------------------------------
 */

/* Writes records behind those that the trace has. */
bool allocation_table_write(struct database *database, int64_t trace,
                            const struct allocation *items, size_t count, struct error *error);

/* Gives the records of the file systems on two devices, which may be the same, and what was lost,
 * in order of time. Rows that are none of what tracetool writes are passed over. `take` returns
 * false, with its error set, to stop. */
bool allocation_table_read(struct database *database, int64_t trace, const int64_t devices[2],
                           bool (*take)(void *context, const struct allocation *allocation,
                                        struct error *error),
                           void *context, struct error *error);

/* --- loss ----------------------------------------------------------------------------------------
 */

/* What stands in place of a CPU's number where the log names none. */
#define LOSS_NO_CPU (-1)

/* A row of the table. */
struct loss_row {
    int64_t cpu;         /* LOSS_NO_CPU: not known */
    int64_t lost;        /* events; 0: none */
    int64_t uncounted;   /* losses without a number */
    int64_t overwritten; /* of those lost, the ones before the log's first event; of LOSS_NO_CPU */
    int64_t events;      /* that are in the log */
    int64_t first, last; /* times of these; EVENT_NONE: there are none */
};

/* Adds to what the table has for the trace. */
bool loss_table_add(struct database *database, int64_t trace, const struct loss_row *row,
                    struct error *error);

/* --- partition -----------------------------------------------------------------------------------
 */

/* The partitions of a trace, as the configuration gave them at import or `tracetool name` later. */

struct partitions {
    struct config_partition *entries; /* owned */
    size_t count;
};

/* Replaces what the table holds for the trace. */
bool partitions_write(struct database *database, int64_t trace,
                      const struct config_partition *entries, size_t count, struct error *error);

/* Reads them, in the order in which they were given. On failure nothing needs freeing. */
bool partitions_read(struct database *database, int64_t trace, struct partitions *partitions,
                     struct error *error);

void partitions_free(struct partitions *partitions);

/* --- remap ---------------------------------------------------------------------------------------
 */

/* Adds to those that the table has for the trace. */
bool remap_table_write(struct database *database, int64_t trace, const struct remap *remaps,
                       size_t count, struct error *error);

/* Reads those onto a device, by the device above and by the first sector: at most `most`, `*count`
 * of them; a trace that went on may have several of one shift. `*whole`: there are no others, nor
 * any of the trace that the table had no room for (REMAPS_REST). */
bool remap_table_read(struct database *database, int64_t trace, int64_t device,
                      struct remap *remaps, size_t most, size_t *count, bool *whole,
                      struct error *error);

#endif

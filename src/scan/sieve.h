/* The filter of a selection as it applies to the events of a trace: which of them pass. */
#ifndef TRACETOOL_SIEVE_H
#define TRACETOOL_SIEVE_H

#include "model/event_chunk.h"
#include "model/partition.h"
#include "scan/id_set.h"
#include "scan/open_times.h"
#include "store/devices.h"
#include "store/partition_table.h"

/* What is sifted. */
struct sieve_scope {
    struct database *database;
    const struct selection *selection; /* whose filter chooses; NULL: all pass */
    int64_t trace;
    int64_t first, last; /* ids */
    int64_t action;      /* only events of this operation; EVENT_NONE: all */
    unsigned fields;     /* enum event_column: those that are looked at afterwards */
};

struct sieve {
    int64_t action;
    bool by_operation, by_actor, by_object, by_partition;
    bool by_source; /* by_object: what was copied from one of them passes, too */
    struct id_set operations, actors, objects;
    unsigned classes_out, evidence_out;
    uint32_t flags_out; /* none of these */
    struct partitions partitions;
    struct devices devices;
    bool *partition_passes; /* owned; by number, the last is that of what lies in none */
    struct open_times open; /* that are put where the events lack them */
    unsigned fields;        /* that it looks at, or puts values by (`open`) */
};

/* To be freed in any case. */
bool sieve_init(struct sieve *sieve, const struct sieve_scope *scope, struct error *error);
void sieve_free(struct sieve *sieve);

/* Whether one of its questions is what single values of a field are: which that is. */
bool sieve_asks(const struct sieve *sieve, enum event_field field);

/* Whether events with a value of such a field pass, as far as it goes. */
bool sieve_passes(const struct sieve *sieve, enum event_field field, int64_t value);

/* Of the `count` events at `*places`, those that pass: how many, and `*places` where they are, in
 * their order, which is `kept` when the sieve looked at the events. That has room for them, and may
 * be `*places`. The columns have the sieve's fields. `asked`: the fields of which sieve_passes()
 * was asked of all of them. */
size_t sieve_events(const struct sieve *sieve, const struct event_columns *columns, unsigned asked,
                    const uint32_t **places, uint32_t *kept, size_t count);

/* Whether an event of a chunk may pass, by the extents of its fields. */
bool sieve_may_pass(const struct sieve *sieve, const struct event_chunk_part *parts);

#endif

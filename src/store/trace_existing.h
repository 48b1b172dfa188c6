/* What a trace that goes on has already. */
#ifndef TRACETOOL_TRACE_EXISTING_H
#define TRACETOOL_TRACE_EXISTING_H

#include "model/batch.h"
#include "store/store.h"

/* Takes over what the row of the trace `store->trace` says: its range of events and times, and
 * `store->existing`. Fails where its format is not `format`; `name` is what messages call it. */
bool trace_existing_load(struct store *store, const char *name, const char *format,
                         struct error *error);

/* Called with each of its names, actors and objects, NULL: with none of them; false when out of
 * memory. */
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
 * `thread`, which returns false when out of memory. */
bool store_existing_threads(struct store *store, void *context,
                            bool (*thread)(void *context, uint32_t actor, int64_t time),
                            struct error *error);

#endif

/* Block devices of a trace's objects. */
#ifndef TRACETOOL_DEVICES_H
#define TRACETOOL_DEVICES_H

#include <stddef.h>
#include <stdint.h>

#include "model/event.h"
#include "store/database.h"

/* Empty when zeroed. */
struct devices {
    int64_t *numbers; /* owned: by object id, starting at `least`; EVENT_NONE: unknown */
    uint32_t least;
    size_t count, capacity;
};

/* Reads the devices of the trace. Must always be freed. */
bool devices_read(struct devices *devices, struct database *database, int64_t trace,
                  struct error *error);

void devices_free(struct devices *devices);

/* Returns device_number() of the object; EVENT_NONE if unknown. */
static inline int64_t devices_find(const struct devices *devices, uint32_t object) {
    uint32_t place = object - devices->least;

    return place < devices->count ? devices->numbers[place] : EVENT_NONE;
}

#endif

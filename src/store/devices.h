/* The block device that each object of a trace is on. */
#ifndef TRACETOOL_DEVICES_H
#define TRACETOOL_DEVICES_H

#include <stddef.h>
#include <stdint.h>

#include "model/event.h"
#include "store/database.h"

/* Zeroed: no object is on a known device. */
struct devices {
    int64_t *numbers; /* owned: by object id, from `least` on; EVENT_NONE: not known */
    uint32_t least;
    size_t count, capacity;
};

/* Reads those of the trace. To be freed in any case. */
bool devices_read(struct devices *devices, struct database *database, int64_t trace,
                  struct error *error);

void devices_free(struct devices *devices);

/* device_number() of the object, EVENT_NONE when it is not known. */
static inline int64_t devices_find(const struct devices *devices, uint32_t object) {
    uint32_t place = object - devices->least;

    return place < devices->count ? devices->numbers[place] : EVENT_NONE;
}

#endif

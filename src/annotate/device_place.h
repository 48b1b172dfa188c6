/* Finds the position of an image's file system on the traced device. */
#ifndef TRACETOOL_DEVICE_PLACE_H
#define TRACETOOL_DEVICE_PLACE_H

#include "model/remap.h"
#include "store/catalog.h"

/* Known data before the trace is read. */
struct device_request {
    int64_t device;  /* EVENT_NONE: the trace's only device */
    uint64_t offset; /* start of the file system on it, bytes */
    bool by_remaps;  /* neither the user nor the image gives the offset: use the log's remaps */
};

struct device_place {
    int64_t device; /* device of the I/Os; EVENT_NONE: not in the log */
    int64_t from;   /* the device above it, by remaps; EVENT_NONE: no remaps used */
    /* Sector ranges of the device, ascending; their shifts give the file system's sectors. A single
     * piece covers the whole device. */
    struct remap pieces[REMAPS_MOST];
    size_t count;
};

/* Finds the position. If a device has no I/Os, but the log has remaps from it to one that has some,
 * it stands for that one, with the offset given by the remaps. The same for the only device with
 * remaps to it. False with `error` set if there are several candidates, if the given device is
 * neither, or if remaps are not linear. */
bool device_place_find(struct device_place *place, const struct device_request *request,
                       struct database *database, const struct catalog_trace *trace,
                       struct error *error);

/* Converts a sector of the device to one of the file system; false: outside. */
bool device_place_sector(const struct device_place *place, int64_t address, uint64_t *sector);

/* Returns the bytes of the device before the file system; EVENT_NONE: it is in pieces or begins
 * elsewhere. */
int64_t device_place_offset(const struct device_place *place);

#endif

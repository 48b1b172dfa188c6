/* Where on the device that was traced the file system of an image lies. */
#ifndef TRACETOOL_DEVICE_PLACE_H
#define TRACETOOL_DEVICE_PLACE_H

#include "model/remap.h"
#include "store/catalog.h"

/* What is known of it before the trace is asked. */
struct device_request {
    int64_t device;  /* EVENT_NONE: the only one of the trace */
    uint64_t offset; /* where the file system begins on it, bytes */
    bool
        by_remaps; /* the offset is not given, nor has the image one: the log's remaps may say it */
};

struct device_place {
    int64_t device; /* that I/Os are of; EVENT_NONE: the log tells none */
    int64_t from;   /* the one above it, by remaps; EVENT_NONE: none of them was used */
    /* Sectors of the device, ascending; shifted by these they are the file system's. One piece is
     * all of the device. */
    struct remap pieces[REMAPS_MOST];
    size_t count;
};

/* Finds the place. A device without I/Os of its own, of which the log has remaps to one that has,
 * is that one, with as many sectors in front as the remaps say; so is the only one that has remaps
 * to it. False with `error` set, when several come into question, when the device that is given is
 * neither, or when remaps are not linear. */
bool device_place_find(struct device_place *place, const struct device_request *request,
                       struct database *database, const struct catalog_trace *trace,
                       struct error *error);

/* The sector of the file system that a sector of the device is; false: none. */
bool device_place_sector(const struct device_place *place, int64_t address, uint64_t *sector);

/* The bytes of the device in front of the file system; EVENT_NONE: it is in pieces, or
 * begins elsewhere. */
int64_t device_place_offset(const struct device_place *place);

#endif

/* Mapping from a device to the one below it, found from a log's remaps (action A of blktrace): from
 * a partition to its disk, or from a volume to its disks. */
#ifndef TRACETOOL_REMAP_H
#define TRACETOOL_REMAP_H

#include <stddef.h>
#include <stdint.h>

/* Maximum mappings, in all and between two devices. Further ones between two devices are counted as
 * one with `shift` EVENT_NONE; linear mappings never need as many. */
#define REMAPS_MOST 256
#define REMAPS_EACH 16

/* Value of both devices in the last entry of a full table, which counts all further remaps; its
 * `shift` is EVENT_NONE. */
#define REMAPS_REST 0

/* Limit of remaps that wait for a remap that continues them to a further device. */
#define REMAPS_PENDING 16

/* Remaps between two devices with the same shift. */
struct remap {
    int64_t from, device; /* upper and lower device, as device_number() */
    int64_t shift;        /* lower sector minus upper sector; EVENT_NONE: several */
    int64_t first, last;  /* lowest and highest lower sector seen */
    int64_t count;        /* number of remaps */
};

/* A remap record of a log. */
struct remap_step {
    int64_t from, from_sector, device, sector, sectors;
};

/* Empty when zeroed. */
struct remaps {
    struct remap items[REMAPS_MOST];
    size_t count, last; /* last: the entry counted last */
    struct remap_step pending[REMAPS_PENDING];
    size_t next; /* index in `pending` to count and replace next */
};

/* Counts a remap. If it continues an earlier one, as a partition's remap continues to its disk, the
 * earlier one is counted with the final target. blktrace gives both by the disk's number. Remaps
 * without sectors are ignored. */
void remaps_note(struct remaps *remaps, const struct remap_step *step);

/* Counts the pending remaps; call once before reading `items`. */
void remaps_sort_by_sector(struct remaps *remaps);

#endif

/* Finds how the sectors of a device map to a lower device, from the remaps in a log (action A of
 * blktrace): from a partition to its disk, or from a volume to its disks. */
#ifndef TRACETOOL_REMAP_H
#define TRACETOOL_REMAP_H

#include <stddef.h>
#include <stdint.h>

/* Limits of entries: in all, and per pair of devices. Beyond REMAPS_EACH, further remaps of the
 * pair share an entry with `shift` EVENT_NONE; linear volumes need only a few entries. */
#define REMAPS_MOST 256
#define REMAPS_EACH 16

/* Device number in the last entry of a full table, for `from` and `device`. That entry counts all
 * further remaps; its `shift` is EVENT_NONE. */
#define REMAPS_REST 0

/* Number of recent remaps not counted yet, since a later one may continue them. */
#define REMAPS_PENDING 16

/* Remaps from one device to another with the same shift of sectors. */
struct remap {
    int64_t from, device; /* upper and lower device, as device_number() */
    int64_t shift;        /* lower sector minus upper sector; EVENT_NONE: different shifts */
    int64_t first, last;  /* lowest and highest sector used on the lower device */
    int64_t count;        /* number of remaps in the log */
};

/* A remap as recorded in the log. */
struct remap_step {
    int64_t from, from_sector, device, sector, sectors;
};

/* All remaps of a log. Zeroed: none. */
struct remaps {
    struct remap items[REMAPS_MOST];
    size_t count, last; /* last: index of the entry that counted the latest remap */
    struct remap_step pending[REMAPS_PENDING];
    size_t next; /* index in `pending` of the oldest remap, which is replaced next */
};

/* Counts a remap. If it continues an earlier one (from a partition to the disk, and then to another
 * device), the earlier one is counted with the final device instead. (blktrace gives both with the
 * disk's number.) Ignores remaps with invalid sectors or devices. */
void remaps_note(struct remaps *remaps, const struct remap_step *step);

/* Counts the remaps in `pending`. Called once, before `items` is read. */
void remaps_count_pending(struct remaps *remaps);

#endif

/* Finds which sectors of a device are on which device below, from the remaps in a log (action A of
 * blktrace): from a partition to its disk, or from a volume to its disks. */
#ifndef TRACETOOL_REMAP_H
#define TRACETOOL_REMAP_H

#include <stddef.h>
#include <stdint.h>

/* Limits of entries: in all, and between two devices. If there are more between two devices, these
 * are counted as one, with `shift` EVENT_NONE: linear volumes need only a few. */
#define REMAPS_MOST 256
#define REMAPS_EACH 16

/* Stands for both devices in the last entry of a full table, which counts all further remaps;
 * `shift` is EVENT_NONE. */
#define REMAPS_REST 0

/* Limit of remaps that wait for another one that goes on to a further device. */
#define REMAPS_PENDING 16

/* Remaps from one device to another with the same shift. */
struct remap {
    int64_t from, device; /* device above, and device below, as device_number() */
    int64_t shift;        /* sector below minus sector above; EVENT_NONE: several shifts */
    int64_t first, last;  /* first and last sector on the device below */
    int64_t count;        /* number of remaps in the log */
};

/* A remap as a record of the log states it. */
struct remap_step {
    int64_t from, from_sector, device, sector, sectors;
};

/* All remaps so far; zeroed: none. */
struct remaps {
    struct remap items[REMAPS_MOST];
    size_t count, last; /* last: index of the entry that counted last */
    struct remap_step pending[REMAPS_PENDING];
    size_t next; /* index in `pending` of the remap that is counted and replaced next */
};

/* Counts a remap. If it continues an earlier one, as from a partition to the disk and on to another
 * device, the earlier one is counted with the last target; blktrace gives both with the disk's
 * number. Ignores remaps without sectors. */
void remaps_note(struct remaps *remaps, const struct remap_step *step);

/* Counts the remaps that wait; call it once, before `items` is read. */
void remaps_sort_by_sector(struct remaps *remaps);

#endif

/* How I/Os of a device went on to the one below it, as a log tells by its remaps (action A of
 * blktrace): those of a partition to its disk, those of a volume to the disks it is made of. */
#ifndef TRACETOOL_REMAP_H
#define TRACETOOL_REMAP_H

#include <stddef.h>
#include <stdint.h>

/* Ways that are distinguished, and of these, from one device to one other. What is beyond is
 * counted as one, whose `shift` is EVENT_NONE: nothing linear has as many. */
#define REMAPS_MOST 256
#define REMAPS_EACH 16

/* The devices, above and below, of the last entry of a full table, whose `shift` is EVENT_NONE: it
 * counts all that there was no room for. */
#define REMAPS_REST 0

/* Remaps that wait for one that goes on from where they went. */
#define REMAPS_PENDING 16

/* I/Os that were all moved by as many sectors. */
struct remap {
    int64_t from, device; /* above and below, as device_number() gives them */
    int64_t shift;        /* the sector below less that above; EVENT_NONE: several */
    int64_t first, last;  /* the least and the last sector below that was seen */
    int64_t count;        /* remaps */
};

/* A remap, as it is in a log. */
struct remap_step {
    int64_t from, from_sector, device, sector, sectors;
};

/* Zeroed: nothing was seen. */
struct remaps {
    struct remap items[REMAPS_MOST];
    size_t count, last; /* last: the one that was counted last */
    struct remap_step pending[REMAPS_PENDING];
    size_t next; /* of `pending`, to be counted and replaced */
};

/* Counts a remap. Where it goes on from where an earlier one went, as one to a partition does to
 * its disk, that one is counted as going all the way: blktrace calls both places by the disk's
 * number. What has no sectors is not looked at. */
void remaps_note(struct remaps *remaps, const struct remap_step *step);

/* Counts those that still wait; to be called once, before `items` is looked at. */
void remaps_settle(struct remaps *remaps);

#endif

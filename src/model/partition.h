/* Partitions: names for devices and ranges of sectors. */
#ifndef TRACETOOL_PARTITION_H
#define TRACETOOL_PARTITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

/* The partition of an I/O that no entry fits. */
#define PARTITION_UNMAPPED "unmapped"

/* A device number as it is stored: major << 20 | minor. */
static inline int64_t device_number(uint32_t major, uint32_t minor) {
    return (int64_t)major << 20 | minor;
}

static inline int device_major(int64_t device) {
    return (int)(device >> 20);
}

static inline int device_minor(int64_t device) {
    return (int)(device & 0xFFFFF);
}

/* The position of the first of `count` partitions that holds the sector of the device, which may be
 * EVENT_NONE (not known: then only ranges without a device fit), as may be the sector; `count` when
 * none does. */
size_t partition_index(const struct config_partition *partitions, size_t count, int64_t device,
                       int64_t sector);

/* Likewise its name, borrowed; PARTITION_UNMAPPED when there is none. */
const char *partition_find(const struct config_partition *partitions, size_t count, int64_t device,
                           int64_t sector);

#endif

/* Partitions: names for devices, or for ranges of sectors on a device. */
#ifndef TRACETOOL_PARTITION_H
#define TRACETOOL_PARTITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

/* Name shown for sectors outside all partitions. */
#define PARTITION_UNMAPPED "unmapped"

/* Returns a device number as stored in databases: major << 20 | minor. */
static inline int64_t device_number(uint32_t major, uint32_t minor) {
    return (int64_t)major << 20 | minor;
}

static inline int device_major(int64_t device) {
    return (int)(device >> 20);
}

static inline int device_minor(int64_t device) {
    return (int)(device & 0xFFFFF);
}

/* Returns the index of the first of `count` partitions that contains the sector; `count`: none.
 * Device and sector may be EVENT_NONE: an unknown device is only in partitions without a device. */
size_t partition_index(const struct config_partition *partitions, size_t count, int64_t device,
                       int64_t sector);

/* Returns the name of the first partition that contains the sector; PARTITION_UNMAPPED: none.
 * Borrowed from `partitions`. */
const char *partition_find(const struct config_partition *partitions, size_t count, int64_t device,
                           int64_t sector);

#endif

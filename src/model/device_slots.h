/* Small numbers for devices, for per-device state. */
#ifndef TRACETOOL_DEVICE_SLOTS_H
#define TRACETOOL_DEVICE_SLOTS_H

#include <stddef.h>
#include <stdint.h>

/* Distinguishes the first DEVICE_SLOTS - 1 devices; all others share the last slot. Empty when
 * zeroed. */
#define DEVICE_SLOTS 256

struct device_slots {
    int64_t devices[DEVICE_SLOTS];
    size_t count, last; /* last: result of the last lookup */
};

/* Returns a device's slot. A new device's slot is the previous `count`. */
static inline size_t device_slot(struct device_slots *slots, int64_t device) {
    size_t i = 0;

    if (slots->last < slots->count && slots->devices[slots->last] == device) {
        return slots->last;
    }
    while (i < slots->count && slots->devices[i] != device && i < DEVICE_SLOTS - 1) {
        i++;
    }
    if (i == slots->count) {
        slots->devices[slots->count++] = device;
    }
    return slots->last = i;
}

#endif

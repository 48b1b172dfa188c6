/* Devices by small numbers, for those who keep something of each. */
#ifndef TRACETOOL_DEVICE_SLOTS_H
#define TRACETOOL_DEVICE_SLOTS_H

#include <stddef.h>
#include <stdint.h>

/* Those told apart are the first so many, and all further ones share the last number. Zeroed there
 * are none. */
#define DEVICE_SLOTS 256

struct device_slots {
    int64_t devices[DEVICE_SLOTS];
    size_t count, last; /* the one found last */
};

/* The slot of a device; the first time it is `count` of before. */
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

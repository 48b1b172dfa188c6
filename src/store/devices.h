/* Maps the objects (files, devices …) of a trace to block devices, and devices to small numbers. */
#ifndef TRACETOOL_DEVICES_H
#define TRACETOOL_DEVICES_H

#include <stddef.h>
#include <stdint.h>

#include "model/event.h"
#include "store/database.h"

/* Block device of each object of a trace (row of the table object). Zeroed: no objects. */
struct devices {
    int64_t *numbers; /* owned: device of each object id from `least` on; EVENT_NONE: unknown */
    uint32_t least;
    size_t count, capacity;
};

/* Reads the devices of a trace's objects. Free `devices` in any case. */
bool devices_read(struct devices *devices, struct database *database, int64_t trace,
                  struct error *error);

void devices_free(struct devices *devices);

/* Returns the device number (device_number()) of an object; EVENT_NONE if unknown. */
static inline int64_t devices_find(const struct devices *devices, uint32_t object) {
    uint32_t place = object - devices->least;

    return place < devices->count ? devices->numbers[place] : EVENT_NONE;
}

/* Numbers up to DEVICE_SLOTS for devices: the first DEVICE_SLOTS - 1 devices get a slot each, all
 * further devices share the last slot. Zeroed: no devices. */
#define DEVICE_SLOTS 256

struct device_slots {
    int64_t devices[DEVICE_SLOTS];
    size_t count, last; /* `last`: index of the slot found last */
};

/* Returns the slot of a device. A new device gets the next free slot, whose index is `count`. */
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

/* Maps the objects (files, devices …) of a trace to block devices, and devices to small numbers. */
#ifndef TRACETOOL_DEVICES_H
#define TRACETOOL_DEVICES_H

#include <stddef.h>
#include <stdint.h>

#include "model/event.h"
#include "store/database.h"

/* A device with a number; an entry of a hash table. */
struct numbered_device;

/* Returns the number of a device in the table `known`: 0 for the first device asked for, 1 for the
 * second, and so on. The table is NULL at first; free it with devices_free_numbers(). */
uint32_t devices_number(struct numbered_device **known, int64_t device);
void devices_free_numbers(struct numbered_device *known);

/* Block device of each object of a trace (row of the table object), and a slot for each device:
 * small numbers in the order in which the devices first occur. Zeroed: no objects. */
struct devices {
    uint32_t *slots;  /* owned; slot of the device of each object id from `least` on */
    int64_t *numbers; /* owned; by slot: device_number(); EVENT_NONE for slot 0 */
    uint32_t least;
    size_t count, capacity;
    size_t slot_count, slot_capacity;
};

/* Reads the devices of a trace's objects. Free `devices` in any case. */
bool devices_read(struct devices *devices, struct database *database, int64_t trace,
                  struct error *error);

void devices_free(struct devices *devices);

/* Returns the slot of an object's device, less than `slot_count`; 0 if the device is unknown. */
static inline uint32_t devices_find_slot(const struct devices *devices, uint32_t object) {
    uint32_t place = object - devices->least;

    return place < devices->count ? devices->slots[place] : 0;
}

/* Returns the device number (device_number()) of an object; EVENT_NONE if unknown. */
static inline int64_t devices_find(const struct devices *devices, uint32_t object) {
    uint32_t slot = devices_find_slot(devices, object);

    return slot == 0 ? EVENT_NONE : devices->numbers[slot];
}

#endif

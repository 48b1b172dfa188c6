/* Sequential and random I/O: whether each starts where the previous one of the same direction and
 * device ended. */
#ifndef TRACETOOL_LOCALITY_H
#define TRACETOOL_LOCALITY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/device_slots.h"
#include "model/event.h"

enum locality_direction { LOCALITY_READS, LOCALITY_WRITES };
#define LOCALITY_DIRECTIONS 2

struct locality {
    bool data_only; /* metadata and journal blocks do not count */
    struct device_slots devices;
    int64_t end[DEVICE_SLOTS][LOCALITY_DIRECTIONS]; /* sector behind the last I/O; -1: none yet */
    int64_t sequential[LOCALITY_DIRECTIONS], random[LOCALITY_DIRECTIONS];
};

/* No I/O was seen yet. */
void locality_init(struct locality *locality, bool data_only);

/* What counts of an I/O. */
struct locality_io {
    enum locality_direction direction;
    bool is_data; /* neither of metadata nor of the journal */
    int64_t device, address, end;
};

/* Of the device of that number (EVENT_NONE: not known), with flags, address and size as struct
 * event has them. False: it has no place or carries no data, and does not count. */
bool locality_io(struct locality_io *io, int64_t device, uint32_t flags, int64_t address,
                 int64_t size);

/* The next I/O, in order of time. */
void locality_add(struct locality *locality, const struct locality_io *io);

#endif

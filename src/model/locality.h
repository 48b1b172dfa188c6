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

/* The sector behind an I/O. Sums of hostile numbers wrap around. */
static inline int64_t locality_end(int64_t address, int64_t size) {
    return size == EVENT_NONE ? address
                              : (int64_t)((uint64_t)address + (uint64_t)(size / IO_SECTOR));
}

/* Of the device of that number (EVENT_NONE: not known), with flags, address and size as struct
 * event has them. False: it has no place or carries no data, and does not count. */
static inline bool locality_io(struct locality_io *io, int64_t device, uint32_t flags,
                               int64_t address, int64_t size) {
    enum io_class class = io_class_of(flags);
    enum io_block_type type = io_block_type_of(flags);

    if (class == IO_OTHER || class == IO_FLUSH || size == 0 || address == EVENT_NONE) {
        return false;
    }
    *io = (struct locality_io){
        .direction = class == IO_WRITE || class == IO_WRITESYNC ? LOCALITY_WRITES : LOCALITY_READS,
        .is_data = type != IO_BLOCK_JOURNAL && type != IO_BLOCK_METADATA,
        .device = device,
        .address = address,
        .end = locality_end(address, size),
    };
    return true;
}

/* The next I/O, in order of time. */
static inline void locality_add(struct locality *locality, const struct locality_io *io) {
    int64_t *end;
    bool sequential;

    if (locality->data_only && !io->is_data) {
        return;
    }
    end = &locality->end[device_slot(&locality->devices, io->device)][io->direction];
    sequential = *end == io->address;
    locality->sequential[io->direction] += sequential;
    locality->random[io->direction] += !sequential;
    *end = io->end;
}

#endif

#include "model/locality.h"

#include <string.h>

void locality_init(struct locality *locality, bool data_only) {
    *locality = (struct locality){.data_only = data_only};
    memset(locality->end, 0xFF, sizeof locality->end);
}

/* Sums of hostile numbers wrap around. */
static int64_t end_of(int64_t address, int64_t size) {
    return size == EVENT_NONE ? address
                              : (int64_t)((uint64_t)address + (uint64_t)(size / IO_SECTOR));
}

bool locality_io(struct locality_io *io, int64_t device, uint32_t flags, int64_t address,
                 int64_t size) {
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
        .end = end_of(address, size),
    };
    return true;
}

void locality_add(struct locality *locality, const struct locality_io *io) {
    int64_t *end;

    if (locality->data_only && !io->is_data) {
        return;
    }
    end = &locality->end[device_slot(&locality->devices, io->device)][io->direction];
    if (*end == io->address) {
        locality->sequential[io->direction]++;
    } else {
        locality->random[io->direction]++;
    }
    *end = io->end;
}

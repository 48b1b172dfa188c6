#include "model/io_key.h"

#include "model/event.h"

/* The direction that its flags tell, as an importer has them or as they are stored: that of a
 * request with sectors. */
static enum io_direction io_direction_of(uint32_t flags) {
    if (flags & IO_FLAG_DISCARD) {
        return IO_DIRECTION_DISCARD;
    }
    switch (io_class_of(flags)) {
    case IO_READ:
    case IO_READSYNC:
        return IO_DIRECTION_READ;
    case IO_WRITE:
    case IO_WRITESYNC:
        return IO_DIRECTION_WRITE;
    case IO_FLUSH:
        return flags & IO_FLAG_FLUSH_WRITE ? IO_DIRECTION_WRITE : IO_DIRECTION_OTHER;
    default:
        return IO_DIRECTION_OTHER;
    }
}

struct io_key io_key_of(uint32_t flags, int64_t device, int64_t sector, int64_t blocks) {
    if ((flags & IO_FLAG_FLUSH) != 0 &&
        (sector == EVENT_NONE || blocks == EVENT_NONE || blocks == 0)) {
        return (struct io_key){IO_DIRECTION_FLUSH, device, 0};
    }
    return (struct io_key){io_direction_of(flags), device, sector};
}

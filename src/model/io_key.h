/* What makes an issue (D) and a completion (C) of block I/O ends of one request: device, direction
 * and first sector. Flushes without sectors have the device alone. */
#ifndef TRACETOOL_IO_KEY_H
#define TRACETOOL_IO_KEY_H

#include <stdbool.h>
#include <stdint.h>

enum io_direction {
    IO_DIRECTION_READ,
    IO_DIRECTION_WRITE,
    IO_DIRECTION_DISCARD,
    IO_DIRECTION_OTHER,
    IO_DIRECTION_FLUSH, /* without sectors */
};

struct io_key {
    int64_t direction; /* enum io_direction */
    int64_t device;    /* EVENT_NONE: not known */
    int64_t sector;    /* 0 of a flush; EVENT_NONE: none, and nothing has its key */
};

/* The key of a request. `blocks`: sectors, 0 or EVENT_NONE without. */
struct io_key io_key_of(uint32_t flags, int64_t device, int64_t sector, int64_t blocks);

/* Whether a request proves something when its other end is missing: it is a read, a write, a
 * discard or a flush, at a known place. Commands, and ends of a whole that went in parts, do not
 * have both ends in every log. */
static inline bool io_key_has_both_ends(const struct io_key *key, int64_t blocks) {
    return key->direction == IO_DIRECTION_FLUSH ||
           (key->direction != IO_DIRECTION_OTHER && key->sector != INT64_MIN && blocks > 0);
}

#endif

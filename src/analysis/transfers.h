/* Reads and writes with known position and size: I/Os of a device, or system calls on a file.
 *
 * Requests without data or position are excluded, and so are discards. */
#ifndef TRACETOOL_TRANSFERS_H
#define TRACETOOL_TRANSFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/call_operations.h"
#include "model/device_slots.h"
#include "model/event_columns.h"
#include "store/devices.h"

/* Columns that transfers_visit() reads. */
#define TRANSFER_FIELDS                                                                            \
    (EVENT_OPERATION | EVENT_OBJECT | EVENT_FLAGS | EVENT_ADDRESS | EVENT_SIZE | EVENT_SOURCE |    \
     EVENT_SOURCE_ADDRESS)

struct transfer {
    int64_t within; /* device_number(), EVENT_NONE for one not known; or the file's object.id */
    int64_t begin, size; /* bytes; size is at least 1, and begin + size a number */
    bool write;
    int64_t time;
};

/* Zeroed: of no trace. */
struct transfers {
    bool of_files;                     /* calls on files, not I/Os of devices */
    struct devices devices;            /* owned; of I/Os */
    struct call_operations operations; /* owned; of calls */
    /* Calls of all traces so far that transferred bytes, but whose file or position is unknown. */
    int64_t unplaced;
};

/* What the state of an analysis of transfers begins with, and hooks for it. visit() has transfer()
 * told of the transfers that events are, in their order: a call that copies is a read and a write.
 */
struct transfers_state {
    struct analysis_context *context;
    struct transfers transfers;
};

void transfers_begin_trace(void *transfers_state);
void transfers_visit(void *transfers_state, const struct event_columns *columns, size_t count);
void transfers_free(void *transfers_state);

#endif

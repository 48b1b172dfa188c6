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
    int64_t within;      /* device_number(), EVENT_NONE if unknown; or the file's object.id */
    int64_t begin, size; /* bytes; size is at least 1, and begin + size does not overflow */
    bool write;
    int64_t time;
};

/* Zeroed: no trace. */
struct transfers {
    bool of_files;                     /* calls on files instead of I/Os of devices */
    struct devices devices;            /* owned; for I/Os */
    struct call_operations operations; /* owned; for calls */
    /* Calls of all traces so far that transferred bytes with an unknown file or position. */
    int64_t unplaced;
};

/* First member of the state of an analysis of transfers, with hooks. visit() passes the events'
 * transfers to transfer(), in order: a call that copies is a read and a write.
 */
struct transfers_state {
    struct analysis_context *context;
    struct transfers transfers;
};

void transfers_begin_trace(void *transfers_state);
void transfers_visit(void *transfers_state, const struct event_columns *columns, size_t count);
void transfers_free(void *transfers_state);

#endif

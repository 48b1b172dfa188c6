/* Reads and writes of which it is known where they begin and how long they are: I/Os of a device,
 * or system calls on a file.
 *
 * What carries no data, or has no place, is none of them, and neither is a discard.
 */
#ifndef TRACETOOL_TRANSFERS_H
#define TRACETOOL_TRANSFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/call_operations.h"
#include "base/error.h"
#include "model/event_columns.h"
#include "store/catalog.h"
#include "store/devices.h"

/* The columns that transfers_take() looks at. */
#define TRANSFER_FIELDS (EVENT_OPERATION | EVENT_OBJECT | EVENT_FLAGS | EVENT_ADDRESS | EVENT_SIZE)

/* Bytes of a sector, in which the places of I/Os are counted. */
#define TRANSFER_SECTOR 512

struct transfer {
    int64_t within; /* device_number(), EVENT_NONE for one not known; or the file's object.id */
    int64_t begin, size; /* bytes; size is at least 1, and begin + size a number */
    bool write;
};

/* Zeroed is of no trace. */
struct transfers {
    bool of_files;                     /* calls on files, not I/Os of devices */
    struct devices devices;            /* owned; of I/Os */
    struct call_operations operations; /* owned; of calls */
    /* Calls of all traces so far that transferred bytes, but of no known file or no known place. */
    int64_t unplaced;
};

/* Looks at another trace, of I/Os or of system calls. It is to be freed in any case. */
bool transfers_begin(struct transfers *transfers, struct database *database,
                     const struct catalog_trace *trace, struct error *error);
void transfers_free(struct transfers *transfers);

/* Whether event `i` is a transfer, and which. */
bool transfers_take(struct transfers *transfers, const struct event_columns *columns, size_t i,
                    struct transfer *transfer);

/* Devices by small numbers: those told apart are the first so many, and all further ones share the
 * last number. Zeroed there are none. */
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

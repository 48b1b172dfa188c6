/* Block I/O from logs with every step of a request, by blktrace's actions. In addition to
 * block_io.h, requests get the process that asked for them, and stacked devices are noted. A reader
 * (blkparse's text, MOST's, blktrace's binary files, ftrace's block events) is a parser plus these
 * functions. Its list of meanings has EVENT_PLACE_ISSUER, "process". */
#ifndef TRACETOOL_BLOCK_TRACE_H
#define TRACETOOL_BLOCK_TRACE_H

#include "block_io.h"
#include "block_issuer.h"
#include "model/remap.h"

#define BLOCK_DEVICES_NOTED 64 /* devices, and pairs of stacked devices */

struct block_device_use {
    int64_t device;
    int64_t issued, completed;
    int64_t below; /* completed requests that came from a device above */
};

struct block_devices {
    struct block_device_use devices[BLOCK_DEVICES_NOTED];
    size_t device_count;
    struct {
        int64_t above, device;
    } stacked[BLOCK_DEVICES_NOTED]; /* from the remaps */
    size_t stacked_count;
    bool below; /* some requests, of any action, came from a device above */
    struct remaps remaps;
};

/* State of a trace. Initialise it with zeros before block_trace_begin(). */
struct block_trace {
    struct block_io io;
    struct block_issuers issuers;
    struct block_devices devices;
};

/* Meanings of the columns that block_trace_add() sets, where the object is a device and `value` is
 * set. */
extern const struct event_meaning block_trace_meanings[];

/* begin() of an importer: prepares the struct block_trace. Call block_trace_end() in any case. */
void block_trace_begin(struct import *import, void *state);

/* Follows a request and makes its event; see block_issuers_follow() and block_io_add() for what
 * the request must hold. The request may be changed. Returns the event as block_io_add() does. */
struct event *block_trace_add(struct import *import, struct block_trace *state,
                              struct block_request *request);

/* Does the same for a command to a device below the block layer. Its flags, process and latency are
 * known. `above` is the device of the request behind it; EVENT_NONE: none. */
struct event *block_trace_add_command(struct import *import, struct block_trace *state,
                                      const struct block_request *request, int64_t above);

/* end() of an importer: adds notes on unmatched requests and on devices; frees the state. */
void block_trace_end(struct import *import, void *state, bool failed);

/* dump(): as block_io_dump(), followed by `value`: an error, a number of requests or the sector of
 * a split. */
void block_trace_dump(const struct dump_event *event, struct text *out);

#endif

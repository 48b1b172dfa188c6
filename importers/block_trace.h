/* Block I/O whose every step is told, by blktrace's actions: beside what block_io.h does,
 * requests get the process that asked for them, and devices that lie over others are remarked on. A
 * reader of blkparse's text, of MOST's, of blktrace's binary files and of ftrace's block events is
 * a parser and these functions; its list of meanings has EVENT_PLACE_ISSUER, "process". */
#ifndef TRACETOOL_BLOCK_TRACE_H
#define TRACETOOL_BLOCK_TRACE_H

#include "block_io.h"
#include "block_issuer.h"
#include "model/remap.h"

#define BLOCK_DEVICES_NOTED 64 /* devices, and pairs of one over another */

struct block_device_use {
    int64_t device;
    int64_t issued, completed;
    int64_t below; /* completions of requests of a device above */
};

struct block_devices {
    struct block_device_use devices[BLOCK_DEVICES_NOTED];
    size_t device_count;
    struct {
        int64_t above, device;
    } stacked[BLOCK_DEVICES_NOTED]; /* by the remaps */
    size_t stacked_count;
    bool below; /* some requests, whatever their action, are of a device above */
    struct remaps remaps;
};

/* State of a trace; a zeroed one is ready for block_trace_begin(). */
struct block_trace {
    struct block_io io;
    struct block_issuers issuers;
    struct block_devices devices;
};

/* What the columns mean that block_trace_keep() fills in, where the object is a device and `value`
 * is set. */
extern const struct event_meaning block_trace_meanings[];

/* Makes the struct block_trace ready: begin() of an importer. block_trace_end() in any case. */
void block_trace_begin(struct import *import, void *state);

/* Follows a request and makes its event: block_issuers_follow() and block_io_keep() say what it
 * must hold. It may be changed. The event as block_io_keep() gives it. */
struct event *block_trace_keep(struct import *import, struct block_trace *state,
                               struct block_request *request);

/* The same of a command to a device below those of the block layer, whose flags, process and
 * latency are known: of a request of device `above` (EVENT_NONE: of none). */
struct event *block_trace_keep_command(struct import *import, struct block_trace *state,
                                       const struct block_request *request, int64_t above);

/* Remarks on unmatched requests and on devices; frees the state: end() of an importer. */
void block_trace_end(struct import *import, void *state, bool failed);

/* dump(): as block_io_dump(), and what `value` is: an error, requests or where it was split. */
void block_trace_dump(const struct dump_event *event, struct text *out);

#endif

/* Block I/O from logs with every step of a request, by blktrace's actions. In addition to
 * block_io.h, finds the process that asked for a request (the asker), and notes stacked devices. A
 * reader (blkparse's text, MOST's, blktrace's binary files, ftrace's block events) is a parser plus
 * these functions. Its list of meanings has EVENT_PLACE_ISSUER, "process". */
#ifndef TRACETOOL_BLOCK_TRACE_H
#define TRACETOOL_BLOCK_TRACE_H

#include "block_io.h"
#include "model/remap.h"
#include "block_request.h"
#include "pending.h"

#define BLOCK_PROCESS        64    /* bytes kept of a name; the kernel's names have at most 15 */
#define BLOCK_PENDING        65536 /* most tracked requests; beyond that the oldest are dropped */
#define BLOCK_ISSUER_DEVICES 64    /* most devices whose flushes are tracked */

/* A process. */
struct block_party {
    bool known;
    uint8_t length;
    int64_t pid;
    char process[BLOCK_PROCESS];
};

/* Processes that an I/O is attributed to: `asker` caused it, `issuer` was running when it was
 * issued. */
struct block_parties {
    struct block_party asker, issuer;
    enum io_origin origin; /* how the asker was found */
    bool shared;           /* true: some sectors of the request have another asker */
    bool below;     /* true: all sectors came from a stacked device above, with a known asker */
    bool was_asked; /* the log has the request's queueing (Q) */
    int64_t asked;  /* time of the first Q of the request */
};

/* First-in, first-out queue of requests without sectors: numbers of the next one to enter and to
 * leave. */
struct block_line {
    int64_t in, out;
};

struct block_flushing {
    int64_t device;
    bool queued;      /* a Q without blocks has been seen */
    int64_t remapped; /* flushes remapped from devices above; their Qs have not come yet */
    /* By stage: flushes without data that have been queued; reads without data that have been
     * queued; flushes in flight; other requests without sectors in flight. */
    struct block_line lines[4];
    int64_t served;               /* queued flushes below this number have been issued */
    struct block_parties waiting; /* parties of the request that has waited longest for a flush */
};

/* Initialise with zeros. */
struct block_issuers {
    struct pending_table extents; /* requests in flight, by stage, device and sector; owned */
    bool asked;                   /* the log has queueings (Q) */
    struct block_flushing devices[BLOCK_ISSUER_DEVICES];
    size_t device_count;
    struct block_parties found; /* processes of the last request for which some were found */
};

/* Follows a request; requests must come in order of time. Sets for I, D, R and C: pid and process
 * to the asker; the issuer if it is another process; the origin in the flags. The names are valid
 * until the next call. For X, `value` must be the sector of the split; for A, `from_device` and
 * `from_sector` the old place. `process` is NULL for a request without a process. Sets a
 * completion's queue time, and IO_FLAG_FLUSH_ASKED if it was queued with a flush. */
void block_issuers_follow(struct block_issuers *issuers, struct block_request *request);

#define BLOCK_DEVICES_NOTED 64 /* most devices, and pairs of stacked devices, that are counted */

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
    } stacked[BLOCK_DEVICES_NOTED]; /* pairs of stacked devices, from the remaps */
    size_t stacked_count;
    bool below; /* true: some requests, of any action, came from a device above */
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

/* Makes the event of a command to a device below the block layer, whose flags, process and latency
 * are known. `above` is the device of the request that caused it; EVENT_NONE: none. */
struct event *block_trace_add_command(struct import *import, struct block_trace *state,
                                      const struct block_request *request, int64_t above);

/* end() of an importer: adds notes on unmatched requests and on devices; frees the state. */
void block_trace_end(struct import *import, void *state, bool failed);

/* dump(): as block_io_dump(), followed by `value`: an error, a number of requests or the sector of
 * a split. */
void block_trace_dump(const struct dump_event *event, struct text *out);

#endif

/* Block I/O from logs that have every step of a request, by blktrace's actions. In addition to
 * block_io.h, finds the process that asked for a request (the submitter), and finds which devices
 * are stacked. An importer (blkparse's text, MOST's, blktrace's binary files, ftrace's block
 * events) is a parser that calls these functions. Its list of meanings must have
 * EVENT_PLACE_ISSUER, "process". */
#ifndef TRACETOOL_BLOCK_TRACE_H
#define TRACETOOL_BLOCK_TRACE_H

#include "block_io.h"
#include "model/remap.h"
#include "block_request.h"
#include "pending.h"

#define BLOCK_PROCESS        64 /* maximum bytes of a process name; the kernel's have at most 15 */
#define BLOCK_PENDING        131072 /* maximum requests tracked; then the oldest are dropped */
#define BLOCK_ISSUER_DEVICES 65536  /* maximum devices whose flushes are tracked */

/* A process that asked for a request, or issued it. */
struct block_process {
    bool known;
    uint8_t length;
    int64_t pid;
    char process[BLOCK_PROCESS];
};

/* Processes to which an I/O is attributed: `submitter` caused the I/O, `issuer` was running when it
 * was issued. */
struct block_processes {
    struct block_process submitter, issuer;
    enum io_origin origin; /* how the submitter was found */
    bool shared;           /* true: other processes asked for some sectors of the request */
    bool below; /* true: a stacked device passed on all sectors, and their submitter is known */
    bool was_queued; /* true: the log has the request's queue event (Q) */
    int64_t asked;   /* time of the first Q on the request's own device, or of the remap to it */
};

/* A first-in, first-out queue of requests without sectors. `in`: number of the next one to enter;
 * `out`: number of the next one to leave. */
struct block_line {
    int64_t in, out;
};

struct block_flushing {
    int64_t device;
    bool queued;      /* true: the log has queue events (Q) without blocks */
    int64_t remapped; /* number of flushes remapped to this device from a stacked one, and not yet
                         queued (Q) on it */
    /* Queues of: queued flushes without data; queued reads without data; flushes in flight; other
     * requests without sectors in flight. */
    struct block_line lines[4];
    int64_t served; /* serial number of the first flush in the queue that has not been issued */
    struct block_processes
        waiting; /* processes of the request that has waited longest for a flush */
    UT_hash_handle hh;
};

/* State for finding the processes that asked for requests (submitters). Initialise with zeros. */
struct block_issuers {
    struct pending_table extents;   /* owned; requests in flight, by stage, device and sector */
    bool asked;                     /* true: the log has queue events (Q) */
    struct block_flushing *devices; /* owned; hash table */
    struct block_processes found;   /* submitter and issuer of the last request */
};

/* Finds the submitter of a request. Requests must come in order of time. For I, D, R and C (insert,
 * issue, requeue, completion), sets in `request` pid and process of the submitter, the issuer if
 * that is another process, and in the flags how the submitter was found (enum io_origin). Names are
 * valid until the next call. For X (split), `value` must be the sector of the split; for A (remap),
 * `from_device` and `from_sector` where the I/O came from. `process` is NULL for a request without
 * a process. For a completion, also sets the time of its Q, and IO_FLAG_FLUSH_ASKED if the request
 * was queued with a flush. */
void block_issuers_find_submitter(struct block_issuers *issuers, struct block_request *request);

void block_issuers_free(struct block_issuers *issuers);

/* Maximum devices counted, and maximum pairs of stacked devices. */
#define BLOCK_DEVICES_NOTED 65536

struct block_device_use {
    int64_t device;
    int64_t issued, completed;
    int64_t below;  /* number of completed requests that came from a device above */
    unsigned above; /* what the devices above do, as in block_trace.c */
    UT_hash_handle hh;
};

struct block_stacked_pair {
    int64_t above, device;
};

struct block_stacked {
    struct block_stacked_pair pair;
    UT_hash_handle hh;
};

struct block_devices {
    struct block_device_use *devices; /* owned; hash table, in order of the first use */
    struct block_stacked *stacked;    /* owned; the same of stacked devices, known from remaps */
    bool below; /* true: some event, of any action, is on a request from a stacked device */
    struct remaps remaps;
};

/* State of a trace of block I/O. Initialise it with zeros before block_trace_begin(). */
struct block_trace {
    struct block_io io;
    struct block_issuers issuers;
    struct block_devices devices;
};

/* Meanings of the columns that block_trace_add() sets. The object is a device. */
extern const struct event_meaning block_trace_meanings[];

/* Implements begin() of an importer: prepares the state. block_trace_end() must follow, also after
 * a failure. */
void block_trace_begin(struct import *import, void *state);

/* Finds the submitter of a request, stores it in `request`, and makes the event. The request must
 * hold what block_issuers_find_submitter() and block_io_add() need. The event is valid until the
 * next import_…() call except import_arguments(). */
struct event *block_trace_add(struct import *import, struct block_trace *state,
                              struct block_request *request);

/* Makes the event of a driver's command to a device, with known flags, process and latency. `above`
 * is the device of the block request that caused the command; EVENT_NONE: none. */
struct event *block_trace_add_command(struct import *import, struct block_trace *state,
                                      const struct block_request *request, int64_t above);

/* Implements end(): adds remarks on unmatched requests and on devices; frees the state. */
void block_trace_end(struct import *import, void *state, bool failed);

/* Implements dump(): the text of block_io_dump(), then `value`: an error, a number of requests or
 * the sector of a split. */
void block_trace_dump(const struct dump_event *event, struct text *out);

#endif

/* Who asked for a request, and who dispatched it. The process of a dispatch is often a worker of
 * the block layer, that of a completion whoever the interrupt met, so both are taken from what went
 * before. For logs that tell of every step of a request: text of blkparse, binary blktrace, events
 * of ftrace.
 *
 * What each action says, by blktrace's letters (ftrace's names):
 *
 *     Q (block_bio_queue)    its process asked for the sectors
 *     G, M, F (getrq, merges) the same, when no Q was seen. The sectors of a merged I/O complete
 *                            with the request that they lie in
 *     X (block_split)        what begins at the sector of the split has the same asker
 *     A (block_bio_remap)    who asked at the place before asked at the new one; a Q there that
 *                            follows is the same I/O, whoever hands it on
 *     I (insert)             is given who asked, and its own process as issuer
 *     D (block_rq_issue)     likewise; its process dispatched the sectors
 *     R (block_rq_requeue)   is given both; the next D dispatches anew
 *     C (block_rq_complete)  is given both
 *
 * Of several at the same sectors the oldest goes on first, as in block_latency.h; R takes the
 * newest back, and a split or remap is of the newest.
 *
 * The asker of a request is that of its first sectors; IO_FLAG_SHARED says that another asked for
 * some of the rest. Where there is no Q, D counts, then the process that C itself names: enum
 * io_origin in the flags says so.
 *
 * Q without blocks is a flush, as is the first part of one with flush and data (in rwbs F before
 * W). The block layer flushes the device for all who wait by one request without blocks (D FN),
 * which is given whoever has waited longest; after data with FUA that the device did not get with
 * the data, its asker waits once more. At last the whole completes, without a length: its asker's.
 */
#ifndef TRACETOOL_BLOCK_ISSUER_H
#define TRACETOOL_BLOCK_ISSUER_H

#include "block_request.h"
#include "pending.h"

#define BLOCK_PROCESS        64 /* bytes of a name that are remembered; the kernel's have up to 15 */
#define BLOCK_PENDING        65536 /* requests that are remembered; then the oldest are forgotten */
#define BLOCK_ISSUER_DEVICES 64    /* devices whose flushes are followed */

/* A process. */
struct block_party {
    bool known;
    uint8_t length;
    int64_t pid;
    char process[BLOCK_PROCESS];
};

/* Whom an I/O is put down to. */
struct block_parties {
    struct block_party asker, issuer;
    enum io_origin origin; /* of the asker */
    bool shared;           /* somebody else asked for a part */
    bool below;            /* all of it went on from a device above that was asked for it */
    bool was_asked;        /* somebody was seen asking … */
    int64_t asked;         /* … at that time, of several the first */
};

/* Requests without sectors, numbered as they come; they leave in the same order. */
struct block_line {
    int64_t in, out;
};

struct block_flushing {
    int64_t device;
    bool queued;                  /* a Q without blocks has been seen */
    int64_t remapped;             /* flushes of devices above that went on to it, before their Qs */
    struct block_line asked;      /* flushes without data that were asked for */
    int64_t served;               /* of these, up to here they have been dispatched */
    struct block_line issued;     /* flushes on their way */
    struct block_line commands;   /* anything else without sectors on its way */
    struct block_parties waiting; /* who has waited longest for a flush */
};

/* A zeroed one is ready. */
struct block_issuers {
    struct pending_table extents; /* what is on its way, by stage, device and sector; owned */
    bool asked;                   /* the log has Qs */
    struct block_flushing devices[BLOCK_ISSUER_DEVICES];
    size_t device_count;
    struct block_parties found; /* of the last request that was given any */
};

/* Takes note of a request; requests come in order of time. I, D, R and C are given who asked as pid
 * and process, who dispatched as issuer where that is somebody else, and what this rests on in the
 * flags; names are valid until the next call. Of X, `value` must be the sector of the split; of A,
 * `from_device` and `from_sector` the place before. A request without a process has NULL there.
 * Sets a completion's queue time, and IO_FLAG_FLUSH_ASKED if it was queued with a flush.
 */
void block_issuers_follow(struct block_issuers *issuers, struct block_request *request);

void block_issuers_free(struct block_issuers *issuers);

#endif

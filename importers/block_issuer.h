/* Finds the process that asked for a request, and the process that issued it. The issuing process
 * is
 * often a worker of the block layer; at a completion, the process is whoever the interrupt met. So
 * both are taken from earlier actions. For logs with every step of a request: text of blkparse,
 * binary blktrace, events of ftrace.
 *
 * Effect of each action, by blktrace's letters (ftrace's names):
 *
 *     Q (block_bio_queue)    its process is the asker of the sectors
 *     G, M, F (getrq, merges) the same, if no Q was seen. The sectors of a merged I/O complete with
 *                            the request that contains them
 *     X (block_split)        the part that begins at the sector of the split keeps the asker
 *     A (block_bio_remap)    the asker at the old place becomes the asker at the new one; a Q that
 *                            follows there is the same I/O, whichever process passes it on
 *     I (insert)             gets the asker, and its own process as issuer
 *     D (block_rq_issue)     gets the asker; its process is the issuer of the sectors
 *     R (block_rq_requeue)   gets both; the next D issues the request again
 *     C (block_rq_complete)  gets both
 *
 * Of several requests at the same sectors the oldest moves on first, as in block_io.h. R takes
 * the newest back; a split or remap also concerns the newest.
 *
 * The asker of a request is the asker of its first sectors. IO_FLAG_SHARED marks a request with
 * another asker for some of the rest. Without a Q, the process of D counts, then the process that C
 * names itself; enum io_origin in the flags tells which.
 *
 * A Q without blocks is a flush, and so is the first part of a flush with data (F before W in
 * rwbs).
 * The block layer flushes the device once for all waiting askers, by a request without blocks (D
 * FN).
 * That request gets the asker that has waited longest. After data with FUA, on a device without
 * FUA,
 * the asker waits for a second flush. At last the whole request completes, without a length; it
 * gets
 * its own asker. */
#ifndef TRACETOOL_BLOCK_ISSUER_H
#define TRACETOOL_BLOCK_ISSUER_H

#include "block_request.h"
#include "pending.h"

#define BLOCK_PROCESS        64    /* bytes kept of a name; the kernel's names have at most 15 */
#define BLOCK_PENDING        65536 /* requests that are kept; beyond that the oldest are dropped */
#define BLOCK_ISSUER_DEVICES 64    /* devices with tracked flushes */

/* A process. */
struct block_party {
    bool known;
    uint8_t length;
    int64_t pid;
    char process[BLOCK_PROCESS];
};

/* Processes that an I/O is attributed to. */
struct block_parties {
    struct block_party asker, issuer;
    enum io_origin origin; /* source of the asker */
    bool shared;           /* some sectors have another asker */
    bool below;            /* all sectors came from a device above, with a known asker */
    bool was_asked;        /* a Q was seen … */
    int64_t asked;         /* … at this time; the first of several */
};

/* A queue of requests without sectors. They are numbered as they come and leave in that order. */
struct block_line {
    int64_t in, out;
};

struct block_flushing {
    int64_t device;
    bool queued;              /* a Q without blocks has been seen */
    int64_t remapped;         /* flushes remapped from devices above; their Qs have not come yet */
    struct block_line asked;  /* flushes without data that have been queued */
    int64_t served;           /* those below this number have been issued */
    struct block_line issued; /* flushes in flight */
    struct block_line commands;   /* other requests without sectors in flight */
    struct block_parties waiting; /* asker that has waited longest for a flush */
};

/* Initialise with zeros. */
struct block_issuers {
    struct pending_table extents; /* requests in flight, by stage, device and sector; owned */
    bool asked;                   /* the log has Qs */
    struct block_flushing devices[BLOCK_ISSUER_DEVICES];
    size_t device_count;
    struct block_parties found; /* parties of the last request that got any */
};

/* Follows a request; requests must come in order of time. Sets for I, D, R and C: pid and process
 * to the asker; the issuer if it is another process; the origin in the flags. The names are valid
 * until the next call. For X, `value` must be the sector of the split; for A, `from_device` and
 * `from_sector` the old place. `process` is NULL for a request without a process. Sets a
 * completion's queue time, and IO_FLAG_FLUSH_ASKED if it was queued with a flush. */
void block_issuers_follow(struct block_issuers *issuers, struct block_request *request);

void block_issuers_free(struct block_issuers *issuers);

#endif

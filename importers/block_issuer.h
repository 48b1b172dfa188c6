/* Who asked for a request, and who dispatched it: a completion comes in an interrupt, which meets
 * any process, so its own is taken from what went before. For logs that tell of every step of a
 * request: text of blkparse, binary blktrace, events of ftrace.
 *
 * What each action says, by blktrace's letters (ftrace's names):
 *
 *     Q (block_bio_queue)    its process asked for the sectors
 *     G, I (getrq, insert)   the same, when no Q was seen
 *     D (block_rq_issue)     its process dispatched them: this is whom a completion is given
 *     M, F (merges)          the I/O is part of another request now, with which it completes
 *     X (block_split)        what begins at the sector of the split has the same asker
 *     A (block_bio_remap)    who asked at the place before asked at the new one
 *     R (block_rq_requeue)   nothing: the next D counts
 *     C (block_rq_complete)  is given who dispatched it, else who asked for it
 *
 * A request without blocks is a flush; one with flush and data (in rwbs F before or behind W)
 * completes part by part, flush, data, flush, and then as a whole, which is its asker's.
 */
#ifndef TRACETOOL_BLOCK_ISSUER_H
#define TRACETOOL_BLOCK_ISSUER_H

#include "block_request.h"

#define BLOCK_PROCESS 64    /* bytes of a name that are remembered; the kernel's have up to 15 */
#define BLOCK_PENDING 65536 /* requests that are remembered; then the oldest are forgotten */

struct block_issuer {
    bool known;
    uint8_t length;
    int64_t pid;
    char process[BLOCK_PROCESS];
};

struct block_pending;

/* A zeroed one is ready. */
struct block_issuers {
    struct block_pending *pending; /* requests on their way, by device and sector; owned */
    struct block_issuer found;     /* of the last completion */
};

/* Takes note of a request; requests come in order of time. A completion is given pid and process of
 * whoever dispatched it, as far as that is known: the process's name is valid until the next call.
 * Of X, `value` must be the sector of the split; of A, `from_device` and `from_sector` the place
 * before. A request whose process is NULL says nothing, but for X, A, M, F and C. Out of memory
 * only loses names. */
void block_issuers_follow(struct block_issuers *issuers, struct block_request *request);

void block_issuers_free(struct block_issuers *issuers);

#endif

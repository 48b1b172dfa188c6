/* The time from the issue of a request to its completion.
 *
 * Issues are matched by device, direction and sector, flushes without sectors by device alone. Of
 * several that are in flight with one key, a completion ends the oldest, and a requeue takes the
 * newest back. What a completion leaves of its request is still in flight and comes first at its
 * sector: the request has one latency, which its last part gets. A completion that covers several
 * requests ends them all.
 */
#ifndef TRACETOOL_BLOCK_LATENCY_H
#define TRACETOOL_BLOCK_LATENCY_H

#include "block_request.h"
#include "import/importer.h"
#include "pending.h"

/* Issued requests whose completion has not been seen; when there are more, the oldest are given
 * up. */
#define BLOCK_OUTSTANDING 65536

/* A zeroed one is ready. */
struct block_latency {
    struct pending_table outstanding; /* struct outstanding; owned */
    int64_t issued;                   /* requests */
    int64_t completed, unmatched;     /* completions, and those without an issue */
    int64_t parts;                    /* completions behind which a part was still in flight */
    int64_t shared;                   /* issues at a sector where another one was in flight */
    int64_t given_up;                 /* issues without a completion */
};

/* A request is issued (D). Out of memory only loses its latency. */
void block_latency_issue(struct block_latency *state, const struct block_request *request);

/* A request goes back to the queue (R): its issue does not count. */
void block_latency_requeue(struct block_latency *state, const struct block_request *request);

/* A request completes (C): nanoseconds since its issue, EVENT_NONE when that was not seen or a part
 * of it is still in flight. */
int64_t block_latency_complete(struct block_latency *state, const struct block_request *request);

/* Says at the end how many found no partner, completed in parts or shared a sector. */
void block_latency_remark(struct import *import, const struct block_latency *state);

void block_latency_free(struct block_latency *state);

#endif

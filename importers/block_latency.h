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
#include "model/io_pairing.h"
#include "pending.h"

/* Issued requests without a completion so far; when there are more, the oldest are given
 * up. */
#define BLOCK_OUTSTANDING 65536

/* Devices that are distinguished where requests lack their other end, a power of two; further ones
 * share places. */
#define BLOCK_LATENCY_DEVICES 64

/* What a device's requests prove of events that are missing from the log. Pairing the newest issue
 * first, the request that finds its key empty waits until the key is empty again: so the longest
 * such latency is the longest time for which a key had requests in flight. */
struct block_evidence {
    bool used, issued, completed;
    bool covered; /* a completion ended several requests: others may lack theirs */
    int64_t device;
    int64_t longest;   /* such a time */
    int64_t unmatched; /* when a completion last found no issue; INT64_MIN: never */
    int64_t open;      /* since when a key that never was empty again had requests; INT64_MAX */
};

/* A zeroed one is ready. */
struct block_latency {
    struct pending_table outstanding;                     /* struct outstanding; owned */
    struct block_evidence devices[BLOCK_LATENCY_DEVICES]; /* by the device's number, hashed */
    bool begun;
    int64_t first, last;          /* times of any requests */
    int64_t issued;               /* requests */
    int64_t completed, unmatched; /* completions, and those without an issue */
    int64_t parts;                /* completions behind which a part was still in flight */
    int64_t shared;               /* issues at a sector where another one was in flight */
    int64_t given_up;             /* issues without a completion */
};

/* A request of any action: where the log begins and ends. */
static inline void block_latency_see(struct block_latency *state, int64_t time) {
    if (time > state->last || !state->begun) {
        state->last = time;
    }
    if (time < state->first || !state->begun) {
        state->first = time;
        state->begun = true;
    }
}

/* A request is issued (D). */
void block_latency_issue(struct block_latency *state, const struct block_request *request);

/* A request goes back to the queue (R): its issue does not count. */
void block_latency_requeue(struct block_latency *state, const struct block_request *request);

/* A request completes (C): nanoseconds since its issue, EVENT_NONE when that was not seen or a part
 * of it is still in flight. */
int64_t block_latency_complete(struct block_latency *state, const struct block_request *request);

/* Says at the end how many found no partner, completed in parts or shared a sector; and of which
 * devices it is proven that events are missing (import_loss_proven()): an issue or a completion
 * lacks its other end further from the end or the beginning of the log than any request took. */
void block_latency_remark(struct import *import, struct block_latency *state);

void block_latency_free(struct block_latency *state);

#endif

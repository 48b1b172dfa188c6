/* Latency: the time from the issue of a request to its completion.
 *
 * Issues are matched by device, direction and sector; flushes without sectors by device alone. If
 * several requests with one key are in flight, a completion ends the oldest, and a requeue takes
 * the
 * newest back. After a partial completion the rest of the request stays in flight and comes first
 * at
 * its sector. The last part gets the latency of the whole request. A completion that covers several
 * requests ends all of them. */
#ifndef TRACETOOL_BLOCK_LATENCY_H
#define TRACETOOL_BLOCK_LATENCY_H

#include "block_request.h"
#include "import/importer.h"
#include "model/io_pairing.h"
#include "pending.h"

/* Most issued requests without a completion; beyond that the oldest are dropped. */
#define BLOCK_OUTSTANDING 65536

/* Slots for devices in the detection of missing events, a power of two. More devices share slots.
 */
#define BLOCK_LATENCY_DEVICES 64

/* Evidence of lost events, from the requests of a device. Matching the newest issue first, a
 * request that finds its key empty stays until the key is empty again. So the longest such latency
 * is the longest time for which a key had requests in flight. */
struct block_evidence {
    bool used, issued, completed;
    bool covered; /* a completion ended several requests, so others may lack theirs */
    int64_t device;
    int64_t longest;   /* longest time for which a key had requests in flight */
    int64_t unmatched; /* time of the last completion without an issue; INT64_MIN: none */
    int64_t open;      /* earliest time since which a key has had requests in flight until the end;
                          INT64_MAX: none */
};

/* Initialise with zeros. */
struct block_latency {
    struct pending_table outstanding;                     /* struct outstanding; owned */
    struct block_evidence devices[BLOCK_LATENCY_DEVICES]; /* by hash of the device number */
    bool begun;
    int64_t first, last;          /* times of the first and last request, whatever their action */
    int64_t issued;               /* requests */
    int64_t completed, unmatched; /* completions, and completions without an issue */
    int64_t parts;                /* completions that left a part in flight */
    int64_t shared;               /* issues at a sector with another request in flight */
    int64_t given_up;             /* issues without a completion */
};

/* Records the time of a request with any action: the log's first and last time. */
static inline void block_latency_see(struct block_latency *state, int64_t time) {
    if (time > state->last || !state->begun) {
        state->last = time;
    }
    if (time < state->first || !state->begun) {
        state->first = time;
        state->begun = true;
    }
}

/* Follows the issue of a request (D). */
void block_latency_issue(struct block_latency *state, const struct block_request *request);

/* Follows a requeue (R): its issue does not count. */
void block_latency_requeue(struct block_latency *state, const struct block_request *request);

/* Follows a completion (C). Returns the nanoseconds since its issue; EVENT_NONE if the issue was
 * not seen or a part of the request is still in flight. */
int64_t block_latency_complete(struct block_latency *state, const struct block_request *request);

/* Adds notes at the end: unmatched requests, partial completions, shared sectors. Also reports
 * devices that have provably lost events (import_loss_proven()): an issue lacks its completion, or
 * a completion its issue, farther from the end or start of the log than the longest request. */
void block_latency_remark(struct import *import, struct block_latency *state);

void block_latency_free(struct block_latency *state);

#endif

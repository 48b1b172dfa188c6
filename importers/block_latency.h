/* The time from the issue of a request to its completion. Matched by device, direction and sector:
 * what a completion leaves of its request stays issued, and one that covers several ends them all;
 * flushes without sectors are matched in order, by device. */
#ifndef TRACETOOL_BLOCK_LATENCY_H
#define TRACETOOL_BLOCK_LATENCY_H

#include "block_request.h"
#include "import/importer.h"

/* Issued requests whose completion has not been seen; when there are more, the oldest are given
 * up. */
#define BLOCK_OUTSTANDING 65536

/* Devices whose flushes are told apart. */
#define BLOCK_DEVICES 64

struct block_outstanding;

/* Flushes of a device, numbered as they are issued. */
struct block_flushes {
    int64_t device;
    int64_t issued, completed;
};

/* A zeroed one is ready. */
struct block_latency {
    /* Issued, by device, direction and sector, behind one that is none; owned. */
    struct block_outstanding *outstanding;
    struct block_outstanding *spare; /* not in use; owned */
    int64_t issued;                  /* requests */
    int64_t completed, unmatched;    /* completions, and those without an issue */
    int64_t given_up;                /* issues without a completion */
    struct block_flushes flushes[BLOCK_DEVICES];
    size_t device_count;
};

/* A request is issued (D). Out of memory only loses its latency. */
void block_latency_issue(struct block_latency *state, const struct block_request *request);

/* A request completes (C): nanoseconds since its issue, EVENT_NONE when that was not seen. */
int64_t block_latency_complete(struct block_latency *state, const struct block_request *request);

/* Says at the end how many found no partner. */
void block_latency_remark(struct import *import, const struct block_latency *state);

void block_latency_free(struct block_latency *state);

#endif

/* Pairs completions (C) of block I/O with issues (D), when events may be missing from the log.
 * tracetool-formats(7) specifies the rule; docs/decisions.md lists alternatives that were tried.
 *
 * A completion takes the newest issue of its key. Older issues are dropped, since their completion
 * is lost. If requests share a key, that would drop requests in flight together: an issue of a
 * shared key is dropped only after IO_PAIRING_PASSED completions have passed it. The chosen issues
 * and completions of a key are then paired in time order, first with first. A requeue (R) removes
 * the newest issue. A partial completion leaves the rest in flight, and the last part has the
 * request's latency.
 *
 * The queue time (Q) of a request is found the same way: a dispatch takes the newest Q at its
 * sectors.
 */
#ifndef TRACETOOL_IO_PAIRING_H
#define TRACETOOL_IO_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* --- keys --------------------------------------------------------------------------------------
 */

/* Key that an issue (D) and a completion (C) of one request share: device, direction and first
 * sector. Flushes have no sectors and are identified by device alone. */
enum io_direction {
    IO_DIRECTION_READ,
    IO_DIRECTION_WRITE,
    IO_DIRECTION_DISCARD,
    IO_DIRECTION_OTHER,
    IO_DIRECTION_FLUSH, /* a flush, which has no sectors */
};

struct io_key {
    int64_t direction; /* enum io_direction */
    int64_t device;    /* EVENT_NONE: unknown */
    int64_t sector;    /* 0 for a flush; EVENT_NONE: unknown, matches nothing */
};

/* Returns the key of a request. `blocks` is in sectors; 0 or EVENT_NONE if it has none. */
struct io_key io_key_of(uint32_t flags, int64_t device, int64_t sector, int64_t blocks);

/* Whether both ends of a request should be in the log, so that a missing one is significant. True
 * for reads, writes, discards and flushes at a known sector. False for commands and for the end of
 * a split request. */
static inline bool io_key_has_both_ends(const struct io_key *key, int64_t blocks) {
    return key->direction == IO_DIRECTION_FLUSH ||
           (key->direction != IO_DIRECTION_OTHER && key->sector != INT64_MIN && blocks > 0);
}

/* --- pairs -------------------------------------------------------------------------------------
 */

/* A key is shared after IO_PAIRING_ISSUES issues, if more than one in IO_PAIRING_SHARE directly
 * followed another issue of the key. */
#define IO_PAIRING_ISSUES 8
#define IO_PAIRING_SHARE  5

/* Completions that pass an issue of a shared key before it is dropped. */
#define IO_PAIRING_PASSED 16

/* Maximum number of keys; then the least recently used one is dropped. */
#define IO_PAIRING_KEYS 65536

/* Maximum number of requests queued or in flight; then the oldest ones of the least recently used
 * key are dropped. */
#define IO_PAIRING_REQUESTS 65536

/* Maximum pairs of a key waiting for their order; then the first is passed on as it is. */
#define IO_PAIRING_CHOSEN 1024

/* A completion. */
struct io_completion {
    int64_t id, time;
    int64_t duration, response; /* values stored with the event, passed on unchanged */
};

/* A completion with its match. Times are EVENT_NONE if unknown. */
struct io_pair {
    struct io_completion completion;
    struct io_key key;
    int64_t issued;
    int64_t asked;        /* when the request was queued (Q) */
    int64_t asked_before; /* when the previous request at this place was queued */
    bool part;            /* the I/O is a part of a split request, but not the last part */
    bool whole;           /* the end of a split request, which has no issue of its own */
};

struct io_pairing;

/* Creates a pairing, which the caller frees. `visit` gets each completion once, in order within a
 * key. It stops the pairing by returning false with `error` set. */
struct io_pairing *io_pairing_new(bool (*visit)(void *context, const struct io_pair *pair,
                                                struct error *error),
                                  void *context);

/* NULL is allowed. */
void io_pairing_free(struct io_pairing *pairing);

/* Process the next event, in time order. `blocks`: sectors, or 0. Return false with `error` set on
 * failure. */
bool io_pairing_queue(struct io_pairing *pairing, const struct io_key *key, int64_t time,
                      int64_t blocks, struct error *error);
bool io_pairing_is_queued(const struct io_pairing *pairing, const struct io_key *key);
bool io_pairing_issue(struct io_pairing *pairing, const struct io_key *key, int64_t time,
                      int64_t blocks, struct error *error);
/* Removes the newest issue of the key; false if there is none. */
bool io_pairing_requeue(struct io_pairing *pairing, const struct io_key *key);
bool io_pairing_complete(struct io_pairing *pairing, const struct io_key *key,
                         const struct io_completion *completion, int64_t blocks,
                         struct error *error);

/* Visits the waiting pairs after the last event. */
bool io_pairing_end(struct io_pairing *pairing, struct error *error);

#endif

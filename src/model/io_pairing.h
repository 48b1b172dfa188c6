/* Finds the issue (D) of each completion (C) of block I/O, though events may be missing in the log.
 * tracetool-formats(7) specifies how; docs/decisions.md lists alternatives that were tried.
 *
 * Requests have a key: device, direction and first sector. A completion takes the newest issue with
 * its key; older ones are dropped, since their completions were lost. But if several requests with
 * a key are often in flight together, an older issue is dropped only after IO_PAIRING_PASSED
 * completions. The issues and completions of a key are then paired in the order of time, the first
 * with the first.
 *
 * A requeue (R) removes the newest issue. If a request is completed in parts, the rest stays in
 * flight, and the last part has the request's latency.
 *
 * The queueing (Q) of a request is found in the same way: an issue takes the newest one at its
 * sectors. */
#ifndef TRACETOOL_IO_PAIRING_H
#define TRACETOOL_IO_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* --- keys by which issues (D) and completions (C) are paired ---------------------------------- */

/* Key of a request, which its issue (D) and completion (C) share: device, direction and first
 * sector. Flushes have no sectors: their key is the device. */
enum io_direction {
    IO_DIRECTION_READ,
    IO_DIRECTION_WRITE,
    IO_DIRECTION_DISCARD,
    IO_DIRECTION_OTHER,
    IO_DIRECTION_FLUSH, /* a flush, which has no sectors */
};

struct io_key {
    int64_t direction; /* enum io_direction */
    int64_t device;    /* device number; EVENT_NONE: unknown */
    int64_t sector; /* first sector, 0 for a flush; EVENT_NONE: unknown, and nothing has this key */
};

/* Returns the key of a request. `blocks`: number of sectors; 0 or EVENT_NONE if the request has
 * none. */
struct io_key io_key_make(uint32_t flags, int64_t device, int64_t sector, int64_t blocks);

/* Returns whether the log should have both issue and completion of a request: if so, a missing one
 * means a loss. True for reads, writes, discards and flushes at a known sector; false for commands,
 * and for the end of a request that was split. */
static inline bool io_key_has_both_ends(const struct io_key *key, int64_t blocks) {
    return key->direction == IO_DIRECTION_FLUSH ||
           (key->direction != IO_DIRECTION_OTHER && key->sector != INT64_MIN && blocks > 0);
}

/* --- finding pairs ---------------------------------------------------------------------------- */

/* A key is shared (several requests with it are in flight together) if it had at least
 * IO_PAIRING_ISSUES issues, and more than one in IO_PAIRING_SHARE came directly after another
 * issue. */
#define IO_PAIRING_ISSUES 8
#define IO_PAIRING_SHARE  5

/* An issue of a shared key is dropped after so many completions took a newer one. */
#define IO_PAIRING_PASSED 16

/* Limit of keys; if there are more, the one not used for longest is dropped. */
#define IO_PAIRING_KEYS 65536

/* Limit of requests that are queued or in flight; if there are more, the oldest ones of the key not
 * used for longest are dropped. */
#define IO_PAIRING_REQUESTS 65536

/* Limit of pairs of a key that wait to be visited in order; if there are more, the first is
 * visited. */
#define IO_PAIRING_CHOSEN 1024

/* An event of completion (C). */
struct io_completion {
    int64_t id, time;
    int64_t duration, response; /* values of the event as stored, which are passed on */
};

/* A completion with the issue found for it. Times are EVENT_NONE if unknown. */
struct io_pair {
    struct io_completion completion;
    struct io_key key;
    int64_t issued;
    int64_t asked;        /* when the request was queued (Q) */
    int64_t asked_before; /* when the request before with the same key was queued */
    bool part;  /* true: a part of a request that was completed in parts, but not the last one */
    bool whole; /* true: the end of a request that was split, which has no issue of its own */
};

struct io_pairing;

/* Returns a state of pairing, which the caller frees. `visit` gets each completion once, those with
 * the same key in order. It stops pairing if it returns false and sets `error`. */
struct io_pairing *io_pairing_new(bool (*visit)(void *context, const struct io_pair *pair,
                                                struct error *error),
                                  void *context);

/* Frees the state; NULL is allowed. */
void io_pairing_free(struct io_pairing *pairing);

/* Handle the next event, in order of time. `blocks`: number of sectors, or 0. Return false and set
 * `error` on failure. */
bool io_pairing_queue(struct io_pairing *pairing, const struct io_key *key, int64_t time,
                      int64_t blocks, struct error *error);
bool io_pairing_is_queued(const struct io_pairing *pairing, const struct io_key *key);
bool io_pairing_issue(struct io_pairing *pairing, const struct io_key *key, int64_t time,
                      int64_t blocks, struct error *error);
/* Handles a requeue (R): removes the newest issue of the key; returns false if there is none. */
bool io_pairing_requeue(struct io_pairing *pairing, const struct io_key *key);
bool io_pairing_complete(struct io_pairing *pairing, const struct io_key *key,
                         const struct io_completion *completion, int64_t blocks,
                         struct error *error);

/* Visits the pairs that wait, after the last event. */
bool io_pairing_end(struct io_pairing *pairing, struct error *error);

#endif

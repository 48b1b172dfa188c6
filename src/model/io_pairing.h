/* Matches each completion (C) of block I/O with its issue (D), though the log may lack events.
 * tracetool-formats(7) specifies the rules; docs/decisions.md lists alternatives that were tried.
 *
 * Requests have a key: device, direction and first sector. A completion matches the newest issue
 * with its key; older ones are dropped, since their completions were lost. But if several requests
 * with a key are often in flight together, an older issue is dropped only after IO_PAIRING_PASSED
 * completions. The issues and completions of a key are then matched in order of time, the first
 * with the first.
 *
 * A requeue (R) removes the newest issue. If a request is completed in parts, the rest remains in
 * flight, and the last part gets the request's latency.
 *
 * The queueing (Q) of a request is found by the same rules: an issue matches the newest Q at its
 * sectors. */
#ifndef TRACETOOL_IO_PAIRING_H
#define TRACETOOL_IO_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* --- keys by which issues (D) and completions (C) are paired ---------------------------------- */

/* The key that issue (D) and completion (C) of a request have in common: device, direction and
 * first sector. The key of a flush is its device, since flushes have no sectors. */
enum io_direction {
    IO_DIRECTION_READ,
    IO_DIRECTION_WRITE,
    IO_DIRECTION_DISCARD,
    IO_DIRECTION_OTHER,
    IO_DIRECTION_FLUSH, /* a flush, which has no sectors */
};

struct io_key {
    int64_t direction; /* value of enum io_direction */
    int64_t device;    /* device_number(); EVENT_NONE: unknown */
    int64_t sector;    /* first sector; 0 for a flush; EVENT_NONE: unknown, so nothing matches */
};

/* Returns a request's key. `blocks`: number of sectors; 0 or EVENT_NONE: none. */
struct io_key io_key_make(uint32_t flags, int64_t device, int64_t sector, int64_t blocks);

/* Returns whether a complete log has both issue and completion of such a request, so that a missing
 * one means lost events. True for reads, writes, discards and flushes at a known sector. False for
 * commands, and for the remainder of a split request. */
static inline bool io_key_has_both_ends(const struct io_key *key, int64_t blocks) {
    return key->direction == IO_DIRECTION_FLUSH ||
           (key->direction != IO_DIRECTION_OTHER && key->sector != INT64_MIN && blocks > 0);
}

/* --- finding pairs ---------------------------------------------------------------------------- */

/* A key is shared (several requests with it are in flight together) if it had at least
 * IO_PAIRING_ISSUES issues, and more than one in IO_PAIRING_SHARE of them directly followed another
 * issue. */
#define IO_PAIRING_ISSUES 8
#define IO_PAIRING_SHARE  5

/* An issue with a shared key is dropped after so many completions matched newer issues. */
#define IO_PAIRING_PASSED 16

/* Limit of keys; beyond it, the least recently used one is dropped. */
#define IO_PAIRING_KEYS 65536

/* Limit of requests queued or in flight; beyond it, drops the oldest ones of the least recently
 * used key. */
#define IO_PAIRING_REQUESTS 65536

/* Limit of matched pairs of a key that are held back for sorting; beyond it, visits the first. */
#define IO_PAIRING_CHOSEN 1024

/* A completion event (C). */
struct io_completion {
    int64_t id, time;
    int64_t duration, response; /* stored values of the completion event, passed on unchanged */
};

/* A completion and the issue matched with it. Times are EVENT_NONE if unknown. */
struct io_pair {
    struct io_completion completion;
    struct io_key key;
    int64_t issued;
    int64_t asked;        /* when the request was queued (Q) */
    int64_t asked_before; /* when the previous request with this key was queued */
    bool part;  /* true: the request is completed in parts, and this is not the last one */
    bool whole; /* true: the completion of a split request's remainder, which has no issue */
};

struct io_pairing;

/* Returns a new state of pairing; the caller frees it. `visit` gets each completion once, in order
 * among those with the same key. It may stop the pairing by returning false with `error` set. */
struct io_pairing *io_pairing_new(bool (*visit)(void *context, const struct io_pair *pair,
                                                struct error *error),
                                  void *context);

/* Frees the state; does nothing for NULL. */
void io_pairing_free(struct io_pairing *pairing);

/* Handle the next event of the log, in order of time: Q, D or C. `blocks`: number of sectors, or 0.
 * Return false with `error` set on failure. */
bool io_pairing_queue(struct io_pairing *pairing, const struct io_key *key, int64_t time,
                      int64_t blocks, struct error *error);
bool io_pairing_is_queued(const struct io_pairing *pairing, const struct io_key *key);
bool io_pairing_issue(struct io_pairing *pairing, const struct io_key *key, int64_t time,
                      int64_t blocks, struct error *error);
/* Handles a requeue (R): removes the newest issue with this key; returns false if there is none. */
bool io_pairing_requeue(struct io_pairing *pairing, const struct io_key *key);
bool io_pairing_complete(struct io_pairing *pairing, const struct io_key *key,
                         const struct io_completion *completion, int64_t blocks,
                         struct error *error);

/* Visits the remaining pairs; called after the last event. */
bool io_pairing_end(struct io_pairing *pairing, struct error *error);

#endif

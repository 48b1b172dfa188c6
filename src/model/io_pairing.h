/* Which completion (C) of block I/O belongs to which issue (D) where events are missing from the
 * log. tracetool-formats(7) has the rule; docs/decisions.md says what else was tried.
 *
 * A completion takes the newest issue of its key. Older ones of the key are given
 * up: their completion is lost. Where requests share a key, that would give up those that are in
 * flight at once, so an issue of a shared key is given up only when IO_PAIRING_PASSED completions
 * have passed it. What was chosen is paired in order of time: the first issue with the first
 * completion. A requeue (R) takes the newest issue back. A completion of a part leaves the rest in
 * flight, and the last part has the request's latency.
 *
 * When a request was asked for (Q) is found likewise: a dispatch takes the newest Q at its sectors.
 */
#ifndef TRACETOOL_IO_PAIRING_H
#define TRACETOOL_IO_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* --- keys --------------------------------------------------------------------------------------
 */

/* What makes an issue (D) and a completion (C) of block I/O ends of one request: device, direction
 * and first sector. Flushes without sectors have the device alone. */
enum io_direction {
    IO_DIRECTION_READ,
    IO_DIRECTION_WRITE,
    IO_DIRECTION_DISCARD,
    IO_DIRECTION_OTHER,
    IO_DIRECTION_FLUSH, /* without sectors */
};

struct io_key {
    int64_t direction; /* enum io_direction */
    int64_t device;    /* EVENT_NONE: not known */
    int64_t sector;    /* 0 of a flush; EVENT_NONE: none, and nothing has its key */
};

/* The key of a request. `blocks`: sectors, 0 or EVENT_NONE without. */
struct io_key io_key_of(uint32_t flags, int64_t device, int64_t sector, int64_t blocks);

/* Whether a request proves something when its other end is missing: it is a read, a write, a
 * discard or a flush, at a known place. Commands, and ends of a whole that went in parts, do not
 * have both ends in every log. */
static inline bool io_key_has_both_ends(const struct io_key *key, int64_t blocks) {
    return key->direction == IO_DIRECTION_FLUSH ||
           (key->direction != IO_DIRECTION_OTHER && key->sector != INT64_MIN && blocks > 0);
}

/* --- pairs -------------------------------------------------------------------------------------
 */

/* A key is shared when it has had so many issues, and more than one in so many of them came right
 * behind another issue of the key. */
#define IO_PAIRING_ISSUES 8
#define IO_PAIRING_SHARE  5

/* Completions that pass an issue of a shared key before it is given up. */
#define IO_PAIRING_PASSED 16

/* Keys that are remembered; then that which was not used for longest is forgotten. */
#define IO_PAIRING_KEYS 65536

/* Requests that are in flight or asked for; then the oldest of the key that was not used for
 * longest are given up. */
#define IO_PAIRING_REQUESTS 65536

/* Pairs of a key that wait for their order; then the first is taken as it is. */
#define IO_PAIRING_CHOSEN 1024

/* A completion. */
struct io_completion {
    int64_t id, time;
    int64_t duration, response; /* as they are stored; not used */
};

/* What belongs to it. Times are EVENT_NONE where nothing does. */
struct io_pair {
    struct io_completion completion;
    struct io_key key;
    int64_t issued;
    int64_t asked;        /* when the request was asked for */
    int64_t asked_before; /* when the request before was asked for at the same place */
    bool part;            /* it is a part of a request, and not the last */
    bool whole;           /* it ends a whole that went in parts, and has no issue of its own */
};

struct io_pairing;

/* `visit` gets each completion once, those of a key in order. False with `error` set ends it all.
 * The caller frees it. */
struct io_pairing *io_pairing_new(bool (*visit)(void *context, const struct io_pair *pair,
                                                struct error *error),
                                  void *context);

/* NULL is allowed. */
void io_pairing_free(struct io_pairing *pairing);

/* The next event, in order of time. `blocks`: sectors, 0 without. All return false with `error` set
 * on failure. */
bool io_pairing_ask(struct io_pairing *pairing, const struct io_key *key, int64_t time,
                    int64_t blocks, struct error *error);
bool io_pairing_is_asked(const struct io_pairing *pairing, const struct io_key *key);
bool io_pairing_issue(struct io_pairing *pairing, const struct io_key *key, int64_t time,
                      int64_t blocks, struct error *error);
/* False: there is no issue to take back. */
bool io_pairing_requeue(struct io_pairing *pairing, const struct io_key *key);
bool io_pairing_complete(struct io_pairing *pairing, const struct io_key *key,
                         const struct io_completion *completion, int64_t blocks,
                         struct error *error);

/* Behind the last event: visits what waits. */
bool io_pairing_end(struct io_pairing *pairing, struct error *error);

#endif

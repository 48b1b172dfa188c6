#include "block_latency.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum direction {
    DIRECTION_READ,
    DIRECTION_WRITE,
    DIRECTION_DISCARD,
    DIRECTION_OTHER,
    DIRECTION_FLUSH,
    DIRECTION_NONE, /* no request */
};

struct request_key {
    int64_t device;
    int64_t sector; /* of a flush: its number */
    int64_t direction;
};

struct block_outstanding {
    UT_hash_handle hh; /* keeps the order of issue */
    struct request_key key;
    int64_t issued; /* time */
    int64_t blocks;
};

static bool is_bare_flush(const struct block_request *request) {
    return (request->flags & IO_FLAG_FLUSH) != 0 &&
           (request->sector == EVENT_NONE || request->blocks == EVENT_NONE || request->blocks == 0);
}

static struct request_key key_of(const struct block_request *request) {
    struct request_key key;

    memset(&key, 0, sizeof key);
    key.device = request->device;
    key.sector = request->sector;
    key.direction = request->flags & IO_FLAG_DISCARD ? DIRECTION_DISCARD
                    : block_is_read(request->flags)  ? DIRECTION_READ
                    : block_is_write(request->flags) ? DIRECTION_WRITE
                                                     : DIRECTION_OTHER;
    return key;
}

static struct block_outstanding *find(const struct block_latency *state,
                                      const struct request_key *key) {
    struct block_outstanding *found;

    HASH_FIND(hh, state->outstanding, key, sizeof *key, found);
    return found;
}

/* `hh.next` of a spare one leads to the next. */
static void forget(struct block_latency *state, struct block_outstanding *request) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what is in the list has neighbours. */
    HASH_DEL(state->outstanding, request);
    request->hh.next = state->spare;
    state->spare = request;
}

static struct block_outstanding *new_outstanding(struct block_latency *state) {
    struct block_outstanding *request = state->spare;

    if (request == NULL) {
        return calloc(1, sizeof *request);
    }
    state->spare = request->hh.next;
    return request;
}

void block_latency_free(struct block_latency *state) {
    struct block_outstanding *request = NULL, *next;

    HASH_ITER(hh, state->outstanding, request, next) {
        forget(state, request);
    }
    while (state->spare != NULL) {
        request = state->spare;
        state->spare = request->hh.next;
        free(request);
    }
}

/* uthash gives its table back with the last element and makes another one for the next, which is
 * most of the work where one request is on its way at a time. So one element, the first, stays. */
static bool keep_table(struct block_latency *state) {
    struct block_outstanding *first = NULL;

    if (state->outstanding != NULL) {
        return true;
    }
    first = calloc(1, sizeof *first);
    if (first == NULL) {
        return false;
    }
    first->key.direction = DIRECTION_NONE;
    HASH_ADD(hh, state->outstanding, key, sizeof first->key, first);
    if (!hash_added(first)) {
        free(first);
        return false;
    }
    return true;
}

/* Without that element. */
static size_t count_outstanding(const struct block_latency *state) {
    return state->outstanding == NULL ? 0 : HASH_COUNT(state->outstanding) - 1;
}

/* A request that cannot be remembered for lack of memory only loses its latency. */
static void remember(struct block_latency *state, const struct request_key *key, int64_t issued,
                     int64_t blocks) {
    struct block_outstanding *request = find(state, key);

    if (request != NULL) {
        /* Issued again, after a requeue: the last issue counts. */
        request->issued = issued;
        request->blocks = blocks;
        return;
    }
    if (!keep_table(state)) {
        return;
    }
    if (count_outstanding(state) >= BLOCK_OUTSTANDING) {
        state->given_up++;
        forget(state, state->outstanding->hh.next);
    }
    request = new_outstanding(state);
    if (request == NULL) {
        return;
    }
    request->key = *key;
    request->issued = issued;
    request->blocks = blocks;
    HASH_ADD(hh, state->outstanding, key, sizeof request->key, request);
    if (!hash_added(request)) {
        free(request);
    }
}

/* The flushes of a device; NULL when there are too many devices. */
static struct block_flushes *flushes_of(struct block_latency *state, int64_t device) {
    for (size_t i = 0; i < state->device_count; i++) {
        if (state->flushes[i].device == device) {
            return &state->flushes[i];
        }
    }
    if (state->device_count == BLOCK_DEVICES) {
        return NULL;
    }
    state->flushes[state->device_count] = (struct block_flushes){.device = device};
    return &state->flushes[state->device_count++];
}

void block_latency_issue(struct block_latency *state, const struct block_request *request) {
    struct request_key key = key_of(request);
    int64_t blocks = request->blocks == EVENT_NONE ? 0 : request->blocks;
    struct block_flushes *flushes;

    state->issued++;
    if (is_bare_flush(request)) {
        flushes = flushes_of(state, request->device);
        if (flushes != NULL) {
            key.direction = DIRECTION_FLUSH;
            key.sector = flushes->issued++;
            remember(state, &key, request->time, 0);
        }
    } else if (request->sector != EVENT_NONE) {
        remember(state, &key, request->time, blocks);
    }
}

/* The oldest flush of the device that is outstanding. */
static struct block_outstanding *oldest_flush(struct block_latency *state, int64_t device) {
    struct block_flushes *flushes = flushes_of(state, device);
    struct request_key key;

    if (flushes == NULL || flushes->completed == flushes->issued) {
        return NULL;
    }
    memset(&key, 0, sizeof key);
    key.device = device;
    key.direction = DIRECTION_FLUSH;
    key.sector = flushes->completed++;
    return find(state, &key);
}

/* Takes `blocks` from the request's sector on off the outstanding ones: what is left of the last
 * one stays. */
static void complete(struct block_latency *state, struct block_outstanding *request,
                     int64_t blocks) {
    while (request != NULL) {
        struct request_key rest = request->key;
        int64_t issued = request->issued, left = request->blocks - blocks;
        int64_t covered = request->blocks;

        forget(state, request);
        if (left > 0) {
            rest.sector += blocks;
            remember(state, &rest, issued, left);
            return;
        }
        blocks -= covered;
        rest.sector += covered;
        request = blocks > 0 && covered > 0 ? find(state, &rest) : NULL;
    }
}

int64_t block_latency_complete(struct block_latency *state, const struct block_request *request) {
    struct request_key key = key_of(request);
    struct block_outstanding *issued =
        is_bare_flush(request) ? oldest_flush(state, request->device) : find(state, &key);
    int64_t duration;

    /* A completion without a length that is no flush ends a whole of several requests, which have
     * completed themselves; another I/O may be on its way at its sector. */
    if (!is_bare_flush(request) && request->blocks == 0 &&
        (issued == NULL || issued->blocks != 0)) {
        return EVENT_NONE;
    }
    state->completed++;
    if (issued == NULL || issued->issued > request->time) {
        state->unmatched++;
        return EVENT_NONE;
    }
    duration = request->time - issued->issued;
    complete(state, issued, request->blocks == EVENT_NONE ? 0 : request->blocks);
    return duration;
}

void block_latency_remark(struct import *import, const struct block_latency *state) {
    int64_t open = state->given_up + (int64_t)count_outstanding(state);

    /* A log that holds no issues at all does not miss any. */
    if (state->issued > 0 && state->unmatched > 0) {
        import_remark(import, "%lld of %lld completions had no matching issue: no latency",
                      (long long)state->unmatched, (long long)state->completed);
    }
    if (open > 0) {
        import_remark(import, "%lld issued requests had no matching completion", (long long)open);
    }
}

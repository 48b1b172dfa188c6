#include "block_latency.h"

enum direction {
    DIRECTION_READ,
    DIRECTION_WRITE,
    DIRECTION_DISCARD,
    DIRECTION_OTHER,
    DIRECTION_FLUSH,
};

/* An issued request, or what is left of one. Its stage is the direction. */
struct outstanding {
    struct pending pending;
    int64_t issued; /* time */
    int64_t blocks; /* 0: none, or not known */
};

static bool is_bare_flush(const struct block_request *request) {
    return (request->flags & IO_FLAG_FLUSH) != 0 &&
           (request->sector == EVENT_NONE || request->blocks == EVENT_NONE || request->blocks == 0);
}

static int64_t blocks_of(const struct block_request *request) {
    return request->blocks == EVENT_NONE ? 0 : request->blocks;
}

static struct pending_key key_of(const struct block_request *request) {
    bool is_flush = is_bare_flush(request);

    return (struct pending_key){
        .stage = is_flush                           ? DIRECTION_FLUSH
                 : request->flags & IO_FLAG_DISCARD ? DIRECTION_DISCARD
                 : block_is_read(request->flags)    ? DIRECTION_READ
                 : block_is_write(request->flags)   ? DIRECTION_WRITE
                                                    : DIRECTION_OTHER,
        .device = request->device,
        .sector = is_flush ? 0 : request->sector,
    };
}

static struct outstanding *find(const struct block_latency *state, const struct pending_key *key,
                                enum pending_place place) {
    return (struct outstanding *)pending_find(&state->outstanding, key, place);
}

static void forget(struct block_latency *state, struct outstanding *request) {
    pending_remove(&state->outstanding, &request->pending);
}

/* A request that cannot be remembered for lack of memory only loses its latency. */
static void remember(struct block_latency *state, const struct pending_key *key,
                     enum pending_place place, int64_t issued, int64_t blocks) {
    struct outstanding *request;

    state->outstanding.size = sizeof *request;
    if (state->outstanding.count >= BLOCK_OUTSTANDING) {
        state->given_up++;
        pending_remove(&state->outstanding, state->outstanding.oldest);
    }
    request = (struct outstanding *)pending_add(&state->outstanding, key, place);
    if (request != NULL) {
        request->issued = issued;
        request->blocks = blocks;
    }
}

void block_latency_issue(struct block_latency *state, const struct block_request *request) {
    struct pending_key key = key_of(request);

    state->issued++;
    if (key.sector != EVENT_NONE) {
        state->shared += key.stage != DIRECTION_FLUSH && find(state, &key, PENDING_FIRST) != NULL;
        remember(state, &key, PENDING_LAST, request->time, blocks_of(request));
    }
}

void block_latency_requeue(struct block_latency *state, const struct block_request *request) {
    struct pending_key key = key_of(request);
    struct outstanding *newest = find(state, &key, PENDING_LAST);

    if (newest != NULL) {
        forget(state, newest);
    }
}

/* Takes `blocks` from the request's sector on off the outstanding ones. False: a part of the
 * request itself is left. */
static bool complete(struct block_latency *state, struct outstanding *request, int64_t blocks) {
    bool whole = blocks == 0 || request->blocks <= blocks;

    while (request != NULL) {
        struct pending_key rest = request->pending.key;
        int64_t issued = request->issued, covered = request->blocks;

        forget(state, request);
        if (blocks > 0 && covered > blocks) {
            rest.sector += blocks;
            remember(state, &rest, PENDING_FIRST, issued, covered - blocks);
            break;
        }
        blocks -= covered;
        rest.sector += covered;
        request = blocks > 0 && covered > 0 ? find(state, &rest, PENDING_FIRST) : NULL;
    }
    return whole;
}

int64_t block_latency_complete(struct block_latency *state, const struct block_request *request) {
    struct pending_key key = key_of(request);
    struct outstanding *oldest = find(state, &key, PENDING_FIRST);
    int64_t issued;

    /* A completion without a length that is no flush ends a whole of several requests, which have
     * completed themselves; another I/O may be on its way at its sector. */
    if (!is_bare_flush(request) && request->blocks == 0 &&
        (oldest == NULL || oldest->blocks != 0)) {
        return EVENT_NONE;
    }
    state->completed++;
    if (oldest == NULL || oldest->issued > request->time) {
        state->unmatched++;
        return EVENT_NONE;
    }
    issued = oldest->issued;
    if (!complete(state, oldest, blocks_of(request))) {
        state->parts++;
        return EVENT_NONE;
    }
    return request->time - issued;
}

void block_latency_remark(struct import *import, const struct block_latency *state) {
    int64_t open = state->given_up + (int64_t)state->outstanding.count;

    /* A log that holds no issues at all does not miss any. */
    if (state->issued > 0 && state->unmatched > 0) {
        import_remark(import, "%lld of %lld completions had no matching issue: no latency",
                      (long long)state->unmatched, (long long)state->completed);
    }
    if (open > 0) {
        import_remark(import, "%lld issued requests had no matching completion", (long long)open);
    }
    if (state->parts > 0) {
        import_remark(
            import, "completions of a part of their request, whose last part has the latency: %lld",
            (long long)state->parts);
    }
    if (state->shared > 0) {
        import_remark(
            import,
            "requests issued while another one was in flight at their sector, of which the "
            "oldest completes first: %lld",
            (long long)state->shared);
    }
}

void block_latency_free(struct block_latency *state) {
    pending_free(&state->outstanding);
}

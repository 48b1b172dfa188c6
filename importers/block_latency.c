#include "block_latency.h"

/* An issued request, or the rest of one. Its stage is the direction. */
struct outstanding {
    struct pending pending;
    int64_t issued; /* time */
    int64_t blocks; /* 0: none, or unknown */
    int64_t since;  /* start of the time in which the key has had requests in flight */
    bool mixed;     /* requests of different lengths shared this key, so a rest is no evidence */
};

static int64_t block_latency_blocks_of(const struct block_request *request) {
    return request->blocks == EVENT_NONE ? 0 : request->blocks;
}

static struct pending_key block_latency_key_of(const struct block_request *request) {
    const struct io_key key =
        io_key_of(request->flags, request->device, request->sector, request->blocks);

    return (struct pending_key){.stage = key.direction, .device = key.device, .sector = key.sector};
}

/* Returns whether a missing issue or completion of the request proves a loss. */
static bool has_both_ends(const struct pending_key *key, int64_t blocks) {
    return io_key_has_both_ends(&(struct io_key){key->stage, key->device, key->sector}, blocks);
}

static struct block_evidence *evidence_of(struct block_latency *state, int64_t device) {
    const uint64_t hash = (uint64_t)device ^ (uint64_t)device >> 20;
    struct block_evidence *evidence = NULL;

    for (size_t i = 0; i < BLOCK_LATENCY_DEVICES; i++) {
        evidence = &state->devices[(hash + i) % BLOCK_LATENCY_DEVICES];
        if (!evidence->used) {
            *evidence = (struct block_evidence){
                .used = true, .device = device, .unmatched = INT64_MIN, .open = INT64_MAX};
        }
        if (evidence->device == device) {
            break;
        }
    }
    return evidence;
}

static struct outstanding *block_latency_find(const struct block_latency *state,
                                              const struct pending_key *key,
                                              enum pending_place place) {
    return (struct outstanding *)pending_find(&state->outstanding, key, place);
}

static void block_latency_forget(struct block_latency *state, struct outstanding *request) {
    pending_remove(&state->outstanding, &request->pending);
}

/* Records a request that never completed in the log. */
static void leave_open(struct block_latency *state, const struct outstanding *request) {
    const struct pending_key *key = &request->pending.key;
    struct block_evidence *evidence = evidence_of(state, key->device);

    if (!request->mixed && has_both_ends(key, request->blocks) && request->since < evidence->open) {
        evidence->open = request->since;
    }
}

static void block_latency_remember(struct block_latency *state, const struct pending_key *key,
                                   enum pending_place place, const struct outstanding *as) {
    state->outstanding.size = sizeof *as;
    if (state->outstanding.count >= BLOCK_OUTSTANDING) {
        state->given_up++;
        leave_open(state, (struct outstanding *)state->outstanding.oldest);
        pending_remove(&state->outstanding, state->outstanding.oldest);
    }
    pending_add(&state->outstanding, key, place, &as->pending);
}

void block_latency_issue(struct block_latency *state, const struct block_request *request) {
    struct pending_key key = block_latency_key_of(request);
    struct outstanding issue = {.issued = request->time,
                                .blocks = block_latency_blocks_of(request)};
    const struct outstanding *other;

    state->issued++;
    if (key.sector == EVENT_NONE) {
        return;
    }
    other = block_latency_find(state, &key, PENDING_FIRST);
    state->shared += key.stage != IO_DIRECTION_FLUSH && other != NULL;
    issue.since = other == NULL ? request->time : other->since;
    issue.mixed = other != NULL && other->mixed;
    evidence_of(state, key.device)->issued = true;
    block_latency_remember(state, &key, PENDING_LAST, &issue);
}

void block_latency_requeue(struct block_latency *state, const struct block_request *request) {
    struct pending_key key = block_latency_key_of(request);
    struct outstanding *newest = block_latency_find(state, &key, PENDING_LAST);

    if (newest != NULL) {
        block_latency_forget(state, newest);
    }
}

/* Moves the rest of a request to the sector after its first `blocks`. */
static void block_latency_leave_rest(struct block_latency *state, const struct outstanding *request,
                                     int64_t blocks) {
    struct pending_key key = request->pending.key;
    struct outstanding rest = *request;
    const struct outstanding *other;

    key.sector += blocks;
    rest.blocks -= blocks;
    other = block_latency_find(state, &key, PENDING_FIRST);
    rest.mixed |= request->pending.next != NULL || other != NULL;
    rest.since = other != NULL && other->since < rest.since ? other->since : rest.since;
    block_latency_forget(state, (struct outstanding *)block_latency_find(
                                    state, &request->pending.key, PENDING_FIRST));
    block_latency_remember(state, &key, PENDING_FIRST, &rest);
}

/* Completes `blocks` from the request's sector on, at `time`. False if a part of the request itself
 * remains. */
static bool complete(struct block_latency *state, struct outstanding *request, int64_t blocks,
                     int64_t time, struct block_evidence *evidence) {
    bool whole = blocks == 0 || request->blocks <= blocks, first = true;

    while (request != NULL) {
        struct pending_key next = request->pending.key;
        int64_t covered = request->blocks;

        evidence->covered |= !first;
        first = false;
        if (blocks > 0 && covered > blocks) {
            block_latency_leave_rest(state, request, blocks);
            break;
        }
        if (request->pending.next == NULL && time - request->since > evidence->longest) {
            evidence->longest = time - request->since;
        }
        block_latency_forget(state, request);
        blocks -= covered;
        next.sector += covered;
        request =
            blocks > 0 && covered > 0 ? block_latency_find(state, &next, PENDING_FIRST) : NULL;
    }
    return whole;
}

int64_t block_latency_complete(struct block_latency *state, const struct block_request *request) {
    struct pending_key key = block_latency_key_of(request);
    struct outstanding *oldest = block_latency_find(state, &key, PENDING_FIRST);
    struct block_evidence *evidence;
    int64_t issued;

    /* A completion without a length that is not a flush ends a whole of several requests, which
     * have already completed. Another I/O may be in flight at its sector. */
    if (key.stage != IO_DIRECTION_FLUSH && request->blocks == 0 &&
        (oldest == NULL || oldest->blocks != 0)) {
        return EVENT_NONE;
    }
    state->completed++;
    evidence = evidence_of(state, key.device);
    evidence->completed = true;
    if (oldest == NULL || oldest->issued > request->time) {
        state->unmatched++;
        if (oldest == NULL && has_both_ends(&key, request->blocks) &&
            request->time > evidence->unmatched) {
            evidence->unmatched = request->time;
        }
        return EVENT_NONE;
    }
    issued = oldest->issued;
    if (!complete(state, oldest, block_latency_blocks_of(request), request->time, evidence)) {
        state->parts++;
        return EVENT_NONE;
    }
    return request->time - issued;
}

/* Returns whether a request of the device lacks its other end for longer than the longest request.
 */
static bool block_latency_is_proven(const struct block_latency *state,
                                    const struct block_evidence *evidence) {
    return evidence->used && evidence->issued && evidence->completed &&
           ((evidence->open != INT64_MAX && state->last - evidence->open > evidence->longest) ||
            (evidence->unmatched != INT64_MIN && !evidence->covered &&
             evidence->unmatched - state->first > evidence->longest));
}

/* Reports devices that have provably lost events. Then requests are matched again later, and notes
 * on these matches would be wrong. */
static bool block_latency_tell_losses(struct import *import, struct block_latency *state) {
    bool proven = false;

    for (const struct pending *open = state->outstanding.oldest; open != NULL; open = open->newer) {
        leave_open(state, (const struct outstanding *)open);
    }
    for (size_t i = 0; i < BLOCK_LATENCY_DEVICES; i++) {
        if (block_latency_is_proven(state, &state->devices[i])) {
            import_loss_proven(import, state->devices[i].device);
            proven = true;
        }
    }
    return proven || import_loss_told(import);
}

void block_latency_remark(struct import *import, struct block_latency *state) {
    int64_t open = state->given_up + (int64_t)state->outstanding.count;
    bool lossy = block_latency_tell_losses(import, state);

    /* A log without any issues does not miss them. */
    if (!lossy && state->issued > 0 && state->unmatched > 0) {
        import_remark(import, "%lld of %lld completions had no matching issue: no latency",
                      (long long)state->unmatched, (long long)state->completed);
    }
    import_remark_count(import, lossy ? 0 : open,
                        "%lld issued requests had no matching completion");
    import_remark_count(import, state->parts,
                        "partial completions: %lld; the last part has the latency");
    import_remark_count(import, state->shared,
                        "requests issued while another one was in flight at their sector: %lld; "
                        "the oldest completes first");
}

void block_latency_free(struct block_latency *state) {
    pending_free(&state->outstanding);
}

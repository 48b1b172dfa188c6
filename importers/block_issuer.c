#include "block_issuer.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

struct block_pending_key {
    int64_t device;
    int64_t sector; /* EVENT_NONE: the flushes of the device */
};

/* A request, or part of one, that is on its way. */
struct block_pending {
    UT_hash_handle hh; /* keeps the order of arrival */
    struct block_pending_key key;
    struct block_issuer queued, issued; /* by Q, by D */
    int64_t blocks;                     /* of D */
    int64_t flushes;                    /* Q without a length that are on their way */
    bool in_parts; /* flush, data, flush: completes part by part and as a whole */
};

static struct block_pending *find_pending(const struct block_issuers *state, int64_t device,
                                          int64_t sector) {
    struct block_pending_key key;
    struct block_pending *found;

    memset(&key, 0, sizeof key);
    key.device = device;
    key.sector = sector;
    HASH_FIND(hh, state->pending, &key, sizeof key, found);
    return found;
}

static void forget_pending(struct block_issuers *state, struct block_pending *pending) {
    HASH_DEL(state->pending, pending);
    free(pending);
}

/* What is there for the sector, or something new; NULL when out of memory, which only loses the
 * name of a process. */
static struct block_pending *make_pending(struct block_issuers *state, int64_t device,
                                          int64_t sector) {
    struct block_pending *pending = find_pending(state, device, sector);

    if (pending != NULL) {
        return pending;
    }
    if (HASH_COUNT(state->pending) >= BLOCK_PENDING) {
        forget_pending(state, state->pending);
    }
    pending = calloc(1, sizeof *pending);
    if (pending == NULL) {
        return NULL;
    }
    pending->key.device = device;
    pending->key.sector = sector;
    HASH_ADD(hh, state->pending, key, sizeof pending->key, pending);
    if (!hash_added(pending)) {
        free(pending);
        return NULL;
    }
    return pending;
}

static void set_issuer(struct block_issuer *issuer, const struct block_request *request) {
    issuer->known = request->process_length <= BLOCK_PROCESS;
    if (issuer->known) {
        issuer->pid = request->pid;
        issuer->length = (uint8_t)request->process_length;
        memcpy(issuer->process, request->process, request->process_length);
    }
}

/* Where a request is kept: flushes that have no sector by their device alone. NULL: nowhere. */
static struct block_pending *make_place(struct block_issuers *state,
                                        const struct block_request *request) {
    bool empty = request->blocks == 0;

    return request->process == NULL || (request->sector == EVENT_NONE && !empty)
               ? NULL
               : make_pending(state, request->device, empty ? EVENT_NONE : request->sector);
}

static void ask(struct block_issuers *state, const struct block_request *request) {
    struct block_pending *pending = make_place(state, request);

    if (pending != NULL) {
        set_issuer(&pending->queued, request);
        pending->in_parts = (request->flags & (IO_FLAG_FLUSH | IO_FLAG_FUA)) != 0;
        pending->flushes += request->blocks == 0;
    }
}

static void dispatch(struct block_issuers *state, const struct block_request *request) {
    struct block_pending *pending = make_place(state, request);

    if (pending != NULL) {
        set_issuer(&pending->issued, request);
        pending->blocks = request->blocks;
    }
}

/* Whoever got or inserted the request asked for it, unless that is known better. Flushes without
 * blocks are the block layer's own by then. */
static void insert(struct block_issuers *state, const struct block_request *request) {
    if (request->blocks != 0 && find_pending(state, request->device, request->sector) == NULL) {
        ask(state, request);
    }
}

/* The asker of one place is that of another, unless somebody asked there already. */
static void copy_asker(struct block_issuers *state, int64_t from_device, int64_t from_sector,
                       int64_t device, int64_t sector) {
    struct block_pending *from, *to;
    struct block_issuer asker;

    if (from_sector == EVENT_NONE || sector == EVENT_NONE ||
        (from = find_pending(state, from_device, from_sector)) == NULL ||
        find_pending(state, device, sector) != NULL) {
        return;
    }
    asker = from->queued; /* `from` may have to make room */
    to = make_pending(state, device, sector);
    if (to != NULL) {
        to->queued = asker;
    }
}

static void split(struct block_issuers *state, const struct block_request *request) {
    copy_asker(state, request->device, request->sector, request->device, request->value);
}

static void remap(struct block_issuers *state, const struct block_request *request) {
    copy_asker(state, request->from_device, request->from_sector, request->device, request->sector);
}

/* Part of another request from now on, with which it completes. */
static void merge(struct block_issuers *state, const struct block_request *request) {
    struct block_pending *pending = find_pending(state, request->device, request->sector);

    if (pending != NULL && request->sector != EVENT_NONE && !pending->issued.known) {
        forget_pending(state, pending);
    }
}

/* A completion without a length is either of a flush that was issued for others, or of all that was
 * asked for with it, when the parts are done. */
static void complete_empty(struct block_issuers *state, const struct block_request *request,
                           struct block_issuer *issuer) {
    struct block_pending *whole = find_pending(state, request->device, request->sector);
    struct block_pending *flushes = find_pending(state, request->device, EVENT_NONE);

    if (request->flags & IO_FLAG_FLUSH) {
        if (flushes != NULL) {
            *issuer = flushes->issued;
            flushes->issued.known = false;
        }
    } else if (whole != NULL && whole != flushes && whole->in_parts) {
        *issuer = whole->queued;
        forget_pending(state, whole);
    } else if (flushes != NULL && flushes->flushes > 0) {
        *issuer = flushes->queued;
        flushes->flushes--;
    }
}

static void complete_blocks(struct block_issuers *state, const struct block_request *request,
                            struct block_issuer *issuer) {
    struct block_pending *pending = find_pending(state, request->device, request->sector);
    struct block_pending *rest;
    int64_t left;

    if (pending == NULL || request->sector == EVENT_NONE) {
        return;
    }
    *issuer = pending->issued.known ? pending->issued : pending->queued;
    left = pending->issued.known && request->blocks != EVENT_NONE
               ? pending->blocks - request->blocks
               : 0;
    if (pending->issued.known && pending->in_parts) {
        pending->issued.known = false;
    } else {
        forget_pending(state, pending);
    }
    /* Completed in pieces: the next one begins where this one ends. */
    if (left > 0 &&
        (rest = make_pending(state, request->device, request->sector + request->blocks)) != NULL) {
        rest->issued = *issuer;
        rest->blocks = left;
    }
}

static void complete(struct block_issuers *state, struct block_request *request) {
    struct block_issuer *issuer = &state->found;

    issuer->known = false;
    if (request->blocks == 0) {
        complete_empty(state, request, issuer);
    } else {
        complete_blocks(state, request, issuer);
    }
    if (issuer->known) {
        request->pid = issuer->pid;
        request->process = issuer->process;
        request->process_length = issuer->length;
    }
}

void block_issuers_follow(struct block_issuers *state, struct block_request *request) {
    if (request->action_length != 1) {
        return;
    }
    switch (request->action[0]) {
    case 'Q':
        ask(state, request);
        break;
    case 'G':
    case 'I':
        insert(state, request);
        break;
    case 'D':
        dispatch(state, request);
        break;
    case 'M':
    case 'F':
        merge(state, request);
        break;
    case 'X':
        split(state, request);
        break;
    case 'A':
        remap(state, request);
        break;
    case 'C':
        complete(state, request);
        break;
    default: /* R: the next D says anew who dispatched */
        break;
    }
}

void block_issuers_free(struct block_issuers *state) {
    struct block_pending *pending = NULL, *next;

    HASH_ITER(hh, state->pending, pending, next) {
        forget_pending(state, pending);
    }
}

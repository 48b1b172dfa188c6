#include "block_issuer.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Where an extent is on its way; the same sectors may be in several stages. */
enum stage {
    STAGE_ASKED,    /* Q */
    STAGE_ISSUED,   /* D */
    STAGE_WHOLE,    /* its data has completed, the whole has not */
    STAGE_BARE,     /* asked for without blocks; the key has a number instead of a sector, … */
    STAGE_FLUSHING, /* … and so it has of a flush that was dispatched … */
    STAGE_COMMAND,  /* … and of anything else without sectors */
    STAGE_NONE,     /* nothing is on its way */
};

struct extent_key {
    int64_t stage, device, sector;
};

/* Sectors that one process asked for, or a request that was dispatched. */
struct block_extent {
    UT_hash_handle hh; /* keeps the order of arrival */
    struct extent_key key;
    struct block_parties parties;
    int64_t blocks; /* EVENT_NONE: not known */
    uint32_t flags; /* flush and FUA: asked for, and not dispatched with the data */
    bool remapped;  /* the next Q here is the same I/O */
};

/* What completes or is dispatched with flush or FUA goes through several requests. */
#define IN_PARTS (IO_FLAG_FLUSH | IO_FLAG_FUA | IO_FLAG_BARRIER)

/* --- extents ---------------------------------------------------------------------------------- */

static struct block_extent *find_extent(const struct block_issuers *state, enum stage stage,
                                        int64_t device, int64_t sector) {
    struct extent_key key = {stage, device, sector}; /* has no padding */
    struct block_extent *found;

    HASH_FIND(hh, state->extents, &key, sizeof key, found);
    return found;
}

/* `hh.next` of a spare one leads to the next. */
static void forget(struct block_issuers *state, struct block_extent *extent) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): what is in the list has neighbours. */
    HASH_DEL(state->extents, extent);
    extent->hh.next = state->spare;
    state->spare = extent;
}

static struct block_extent *new_extent(struct block_issuers *state) {
    struct block_extent *extent = state->spare;

    if (extent == NULL) {
        return malloc(sizeof *extent);
    }
    state->spare = extent->hh.next;
    return extent;
}

/* uthash gives its table back with the last element and makes another one for the next, which is
 * most of the work where one request is on its way at a time. So one element, the first, stays. */
static bool keep_table(struct block_issuers *state) {
    struct block_extent *first = NULL;

    if (state->extents != NULL) {
        return true;
    }
    first = calloc(1, sizeof *first);
    if (first == NULL) {
        return false;
    }
    first->key.stage = STAGE_NONE;
    HASH_ADD(hh, state->extents, key, sizeof first->key, first);
    if (!hash_added(first)) {
        free(first);
        return false;
    }
    return true;
}

/* Puts an extent where its key says, in place of what was there. */
static void put_extent(struct block_issuers *state, enum stage stage, int64_t device,
                       int64_t sector, const struct block_extent *extent) {
    struct block_extent *put = find_extent(state, stage, device, sector);

    if (put != NULL) {
        forget(state, put);
    }
    if (!keep_table(state)) {
        return;
    }
    if (HASH_COUNT(state->extents) > BLOCK_PENDING) {
        forget(state, state->extents->hh.next);
    }
    put = new_extent(state);
    if (put == NULL) {
        return;
    }
    put->key = (struct extent_key){stage, device, sector};
    put->parties = extent->parties;
    put->blocks = extent->blocks;
    put->flags = extent->flags;
    put->remapped = extent->remapped;
    HASH_ADD(hh, state->extents, key, sizeof put->key, put);
    if (!hash_added(put)) {
        free(put);
    }
}

/* Whether an extent reaches beyond its first `blocks`. */
static bool reaches_beyond(const struct block_extent *extent, int64_t blocks) {
    return extent->blocks != EVENT_NONE && blocks > 0 && blocks < extent->blocks;
}

/* Cuts an extent in two behind its first `blocks`. */
static void cut(struct block_issuers *state, struct block_extent *extent, int64_t blocks) {
    struct extent_key key = extent->key;
    struct block_extent rest;

    if (!reaches_beyond(extent, blocks)) {
        return;
    }
    rest = *extent;
    rest.blocks -= blocks;
    extent->blocks = blocks; /* which may be forgotten, to make room */
    put_extent(state, (enum stage)key.stage, key.device, key.sector + blocks, &rest);
}

static bool same_party(const struct block_party *left, const struct block_party *right) {
    return left->known == right->known && left->pid == right->pid &&
           left->length == right->length &&
           memcmp(left->process, right->process, left->length) == 0;
}

/* Takes `blocks` from a sector on out of a stage: what of the last extent is left stays.
 * EVENT_NONE: all of the extent there. False when nothing is there; `taken` is the first extent. */
static bool take_extents(struct block_issuers *state, enum stage stage, int64_t device,
                         int64_t sector, int64_t blocks, struct block_extent *taken) {
    struct block_extent *extent = find_extent(state, stage, device, sector);

    if (extent == NULL) {
        return false;
    }
    *taken = *extent;
    while (extent != NULL) {
        int64_t covered;

        if (blocks != EVENT_NONE && reaches_beyond(extent, blocks)) {
            cut(state, extent, blocks);
            extent = find_extent(state, stage, device, sector);
        }
        if (extent == NULL) { /* room had to be made for the rest */
            break;
        }
        covered = extent->blocks;
        taken->parties.shared |=
            extent->parties.shared || !same_party(&extent->parties.asker, &taken->parties.asker);
        if (extent->parties.was_asked &&
            (!taken->parties.was_asked || extent->parties.asked < taken->parties.asked)) {
            taken->parties.was_asked = true;
            taken->parties.asked = extent->parties.asked;
        }
        forget(state, extent);
        if (blocks == EVENT_NONE || covered <= 0 || covered >= blocks) {
            break;
        }
        blocks -= covered;
        sector += covered;
        extent = find_extent(state, stage, device, sector);
    }
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

static struct block_flushing *flushing_of(struct block_issuers *state, int64_t device) {
    for (size_t i = 0; i < state->device_count; i++) {
        if (state->devices[i].device == device) {
            return &state->devices[i];
        }
    }
    if (state->device_count == BLOCK_ISSUER_DEVICES) {
        return NULL;
    }
    state->devices[state->device_count] = (struct block_flushing){.device = device};
    return &state->devices[state->device_count++];
}

static void enter_line(struct block_issuers *state, const struct block_flushing *device,
                       enum stage stage, struct block_line *line,
                       const struct block_parties *parties) {
    struct block_extent extent = {.parties = *parties, .blocks = 0};

    put_extent(state, stage, device->device, line->in++, &extent);
}

static bool leave_line(struct block_issuers *state, const struct block_flushing *device,
                       enum stage stage, struct block_line *line, struct block_parties *parties) {
    struct block_extent extent;

    if (line->out == line->in ||
        !take_extents(state, stage, device->device, line->out++, EVENT_NONE, &extent)) {
        return false;
    }
    *parties = extent.parties;
    return true;
}

static void wait_for_flush(struct block_flushing *device, const struct block_parties *parties) {
    if (!device->waiting.asker.known) {
        device->waiting = *parties;
        device->waiting.issuer.known = false;
    } else {
        device->waiting.shared |= !same_party(&device->waiting.asker, &parties->asker);
    }
}

/* --- who it was ------------------------------------------------------------------------------- */

static struct block_party party_of(const struct block_request *request) {
    struct block_party party = {.known = false};

    if (request->process != NULL && request->process_length <= BLOCK_PROCESS) {
        party.known = true;
        party.pid = request->pid;
        party.length = (uint8_t)request->process_length;
        memcpy(party.process, request->process, request->process_length);
    }
    return party;
}

/* Without a Q, who dispatched a request counts as its asker. */
static void dispatched_by(struct block_parties *parties, const struct block_request *request) {
    parties->issuer = party_of(request);
    if (!parties->asker.known) {
        parties->asker = parties->issuer;
        parties->origin = IO_ORIGIN_ISSUED;
    }
}

/* Tells the request who asked for it and who dispatched it. One that nobody is known to have asked
 * for keeps the process that it names itself. */
static void tell(struct block_issuers *state, struct block_request *request,
                 const struct block_parties *parties) {
    struct block_parties *found = &state->found;

    *found = *parties;
    if (!found->asker.known) {
        found->asker = party_of(request);
        found->origin = request->process == NULL         ? IO_ORIGIN_UNKNOWN
                        : block_has_action(request, 'C') ? IO_ORIGIN_COMPLETED
                                                         : IO_ORIGIN_ISSUED;
    }
    request->flags |= (uint32_t)found->origin << IO_ORIGIN_SHIFT;
    request->flags |= found->issuer.known ? 0 : IO_FLAG_UNISSUED;
    request->flags |= found->shared ? IO_FLAG_SHARED : 0;
    request->was_asked = found->was_asked;
    request->asked = found->asked;
    if (found->asker.known) {
        request->pid = found->asker.pid;
        request->process = found->asker.process;
        request->process_length = found->asker.length;
    }
    if (found->issuer.known && !same_party(&found->issuer, &found->asker)) {
        request->issuer_pid = found->issuer.pid;
        request->issuer = found->issuer.process;
        request->issuer_length = found->issuer.length;
    }
}

/* --- asking ----------------------------------------------------------------------------------- */

static bool is_empty(const struct block_request *request) {
    return request->blocks == 0 || request->sector == EVENT_NONE;
}

static void ask_empty(struct block_issuers *state, const struct block_request *request) {
    struct block_flushing *device = flushing_of(state, request->device);
    struct block_parties parties = {
        .asker = party_of(request), .was_asked = true, .asked = request->time};

    if (device != NULL && request->blocks == 0) {
        enter_line(state, device, STAGE_BARE, &device->asked, &parties);
        wait_for_flush(device, &parties);
    }
}

static void ask(struct block_issuers *state, const struct block_request *request) {
    const struct block_extent *before =
        find_extent(state, STAGE_ASKED, request->device, request->sector);
    struct block_extent extent = {
        .parties = {.asker = party_of(request), .was_asked = true, .asked = request->time},
        .blocks = request->blocks,
        .flags = request->flags & IN_PARTS,
    };

    if (before != NULL && before->remapped) {
        extent.parties = before->parties;
    }
    put_extent(state, STAGE_ASKED, request->device, request->sector, &extent);
    if (request->flags & IO_FLAG_FLUSH) {
        struct block_flushing *device = flushing_of(state, request->device);

        if (device != NULL) {
            wait_for_flush(device, &extent.parties);
        }
    }
}

static void queue(struct block_issuers *state, const struct block_request *request) {
    struct block_flushing *device;

    if (!is_empty(request)) {
        ask(state, request);
    } else {
        device = flushing_of(state, request->device);
        if (device != NULL) {
            device->queued = true;
        }
        ask_empty(state, request);
    }
}

/* Got or merged: who did so asked for it, when no Q was seen. */
static void get(struct block_issuers *state, const struct block_request *request) {
    const struct block_flushing *device;

    if (!is_empty(request)) {
        if (find_extent(state, STAGE_ASKED, request->device, request->sector) == NULL) {
            ask(state, request);
        }
        return;
    }
    device = flushing_of(state, request->device);
    if (device != NULL && !device->queued && block_has_action(request, 'G')) {
        ask_empty(state, request);
    }
}

static void split(struct block_issuers *state, const struct block_request *request) {
    struct block_extent *extent = find_extent(state, STAGE_ASKED, request->device, request->sector);

    if (extent != NULL && request->sector != EVENT_NONE && request->value != EVENT_NONE &&
        find_extent(state, STAGE_ASKED, request->device, request->value) == NULL) {
        cut(state, extent, request->value - request->sector);
    }
}

/* The place before keeps its extent: a device over others completes its own I/O. */
static void remap(struct block_issuers *state, const struct block_request *request) {
    struct block_extent *from =
        find_extent(state, STAGE_ASKED, request->from_device, request->from_sector);
    struct block_extent extent;

    if (from == NULL || is_empty(request) || request->from_sector == EVENT_NONE ||
        (request->from_device == request->device && request->from_sector == request->sector)) {
        return;
    }
    if (request->blocks != EVENT_NONE) {
        cut(state, from, request->blocks); /* the rest may go elsewhere */
        from = find_extent(state, STAGE_ASKED, request->from_device, request->from_sector);
    }
    if (from != NULL) {
        extent = *from;
        extent.blocks = request->blocks;
        extent.remapped = true;
        put_extent(state, STAGE_ASKED, request->device, request->sector, &extent);
    }
}

/* --- dispatch and requeue --------------------------------------------------------------------- */

/* A flush for all who wait; anything else without sectors is a command of its own. */
static void dispatch_empty(struct block_issuers *state, struct block_request *request) {
    struct block_flushing *device = flushing_of(state, request->device);
    struct block_parties parties = {.shared = false};
    bool is_flush = (request->flags & IO_FLAG_FLUSH) != 0;

    if (device != NULL && is_flush) {
        parties = device->waiting;
        device->waiting = (struct block_parties){.shared = false};
    }
    dispatched_by(&parties, request);
    if (device != NULL) {
        for (; is_flush && device->served < device->asked.in; device->served++) {
            struct block_extent *asked =
                find_extent(state, STAGE_BARE, device->device, device->served);

            if (asked != NULL) {
                asked->parties.issuer = parties.issuer;
            }
        }
        enter_line(state, device, is_flush ? STAGE_FLUSHING : STAGE_COMMAND,
                   is_flush ? &device->issued : &device->commands, &parties);
    }
    tell(state, request, &parties);
}

static void dispatch(struct block_issuers *state, struct block_request *request) {
    struct block_extent extent = {.flags = 0};

    if (is_empty(request)) {
        dispatch_empty(state, request);
        return;
    }
    /* After a requeue, what was dispatched is dispatched again. */
    if (!take_extents(state, STAGE_ASKED, request->device, request->sector, request->blocks,
                      &extent)) {
        take_extents(state, STAGE_ISSUED, request->device, request->sector, request->blocks,
                     &extent);
    }
    dispatched_by(&extent.parties, request);
    extent.blocks = request->blocks;
    extent.flags &= ~(request->flags & IN_PARTS);
    extent.remapped = false;
    put_extent(state, STAGE_ISSUED, request->device, request->sector, &extent);
    tell(state, request, &extent.parties);
}

static void requeue(struct block_issuers *state, struct block_request *request) {
    struct block_parties parties = {.shared = false};
    struct block_flushing *device = flushing_of(state, request->device);
    const struct block_extent *issued;

    if (!is_empty(request)) {
        issued = find_extent(state, STAGE_ISSUED, request->device, request->sector);
        parties = issued == NULL ? parties : issued->parties;
    } else if (device != NULL && (request->flags & IO_FLAG_FLUSH) &&
               leave_line(state, device, STAGE_FLUSHING, &device->issued, &parties)) {
        wait_for_flush(device, &parties);
    }
    tell(state, request, &parties);
}

/* Who inserts a request hands it on, as who dispatches it. */
static void insert(struct block_issuers *state, struct block_request *request) {
    struct block_parties parties = {.shared = false};
    const struct block_flushing *device = flushing_of(state, request->device);
    const struct block_extent *asked;

    if (is_empty(request)) {
        asked = device == NULL
                    ? NULL
                    : find_extent(state, STAGE_BARE, request->device, device->asked.in - 1);
        parties = asked == NULL ? parties : asked->parties;
    } else if (((asked = find_extent(state, STAGE_ASKED, request->device, request->sector)) !=
                    NULL ||
                (asked = find_extent(state, STAGE_ISSUED, request->device, request->sector)) !=
                    NULL)) {
        parties = asked->parties;
    }
    dispatched_by(&parties, request);
    tell(state, request, &parties);
}

/* --- completion ------------------------------------------------------------------------------- */

/* Without a length: a flush; the whole of what went in parts; what was asked for without blocks; or
 * a command. */
static bool complete_empty(struct block_issuers *state, const struct block_request *request,
                           struct block_parties *parties) {
    struct block_flushing *device = flushing_of(state, request->device);
    struct block_extent whole;

    if ((request->flags & IO_FLAG_FLUSH) && device != NULL &&
        leave_line(state, device, STAGE_FLUSHING, &device->issued, parties)) {
        return true;
    }
    if (request->sector != EVENT_NONE &&
        take_extents(state, STAGE_WHOLE, request->device, request->sector, EVENT_NONE, &whole)) {
        *parties = whole.parties;
        return true;
    }
    return device != NULL && (leave_line(state, device, STAGE_BARE, &device->asked, parties) ||
                              leave_line(state, device, STAGE_COMMAND, &device->commands, parties));
}

/* A device over others has no dispatch of its own: it completes what was asked for. */
static void complete_blocks(struct block_issuers *state, struct block_request *request,
                            struct block_parties *parties) {
    struct block_extent extent;

    if (!take_extents(state, STAGE_ISSUED, request->device, request->sector, request->blocks,
                      &extent) &&
        !take_extents(state, STAGE_ASKED, request->device, request->sector, request->blocks,
                      &extent)) {
        return;
    }
    *parties = extent.parties;
    if (extent.flags & IN_PARTS) {
        struct block_flushing *device = flushing_of(state, request->device);

        request->flags |= IO_FLAG_FLUSH_ASKED;
        put_extent(state, STAGE_WHOLE, request->device, request->sector, &extent);
        if (device != NULL && (extent.flags & IO_FLAG_FUA)) {
            wait_for_flush(device, parties);
        }
    }
}

static void complete(struct block_issuers *state, struct block_request *request) {
    struct block_parties parties = {.shared = false};

    if (is_empty(request)) {
        complete_empty(state, request, &parties);
    } else {
        complete_blocks(state, request, &parties);
    }
    tell(state, request, &parties);
}

/* --- the whole -------------------------------------------------------------------------------- */

void block_issuers_follow(struct block_issuers *state, struct block_request *request) {
    if (request->action_length != 1) {
        return;
    }
    switch (request->action[0]) {
    case 'Q':
        queue(state, request);
        break;
    case 'G':
    case 'M':
    case 'F':
        get(state, request);
        break;
    case 'X':
        split(state, request);
        break;
    case 'A':
        remap(state, request);
        break;
    case 'I':
        insert(state, request);
        break;
    case 'D':
        dispatch(state, request);
        break;
    case 'R':
        requeue(state, request);
        break;
    case 'C':
        complete(state, request);
        break;
    default: /* plugs, timers: about the queue */
        break;
    }
}

void block_issuers_free(struct block_issuers *state) {
    struct block_extent *extent = NULL, *next;

    HASH_ITER(hh, state->extents, extent, next) {
        forget(state, extent);
    }
    while (state->spare != NULL) {
        extent = state->spare;
        state->spare = extent->hh.next;
        free(extent);
    }
}

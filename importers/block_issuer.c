/* Finds the process that asked for a request (the submitter, which queued it), and the process that
 * issued it. The issuing process is often a worker of the block layer; a completion names the
 * process that its interrupt stopped. So submitter and issuer are taken from earlier actions. For
 * logs with every step of a request: text of blkparse, binary blktrace, events of ftrace.
 *
 * Effect of each action, by blktrace's letters (ftrace's names):
 *
 *     Q (block_bio_queue)    its process is the submitter of the sectors
 *     G, M, F (getrq, merges) the same, if no Q was seen. The sectors of a merged I/O complete with
 *                            the request that contains them
 *     X (block_split)        the part that begins at the sector of the split keeps the submitter
 *     A (block_bio_remap)    the submitter at the old place becomes the submitter at the new one; a
 * Q that follows there is the same I/O, whichever process passes it on I (insert)             gets
 * the submitter, and its own process as issuer D (block_rq_issue)     gets the submitter; its
 * process is the issuer of the sectors R (block_rq_requeue)   gets submitter and issuer; the next D
 * issues the request again C (block_rq_complete)  gets submitter and issuer
 *
 * If several requests have the same sectors, an action concerns the oldest, as in block_io.h. An R,
 * a split or a remap concerns the newest.
 *
 * The submitter of a request is the submitter of its first sectors. IO_FLAG_SHARED marks a request
 * with another submitter for some of the rest. Without a Q, the submitter is the process of D;
 * without a D, the process in C. enum io_origin in the flags says from which action the submitter
 * is known.
 *
 * A Q without blocks is a flush, and so is the first part of a flush with data (F before W in
 * rwbs). The block layer flushes the device once for all waiting submitters, by a request without
 * blocks (D FN). That flush gets the submitter that has waited longest. After data with FUA, on a
 * device without FUA, the submitter waits for a second flush. Last comes the completion of the
 * whole request, without a length; it gets the process that queued it as submitter. */
#include "block_trace.h"

#include <string.h>

/* Progress of an I/O, which is tracked as an extent of sectors. The same sectors may have several
 * extents, in one stage or in several. */
enum stage {
    STAGE_QUEUED,   /* queued (Q) */
    STAGE_ISSUED,   /* issued (D) */
    STAGE_REQUEUED, /* requeued (R): the next issue (D) is of the same request */
    STAGE_WHOLE,    /* the data has completed; the completion of the whole request, after a flush,
                       follows */
    STAGE_BARE,     /* flush queued without sectors; key: a serial number in place of a sector */
    STAGE_READ,     /* read queued without sectors; key: a serial number in place of a sector */
    STAGE_FLUSHING, /* issued flush; key: a serial number in place of a sector */
    STAGE_COMMAND,  /* another issued request without sectors; key: a serial number */
    STAGES,
};

/* Sectors that a process queued, or those of an issued request. */
struct block_extent {
    struct pending pending;
    struct block_processes parties;
    int64_t blocks; /* number of blocks; EVENT_NONE: unknown */
    uint32_t flags; /* flags flush, FUA and barrier at the queueing; the issue (D) may lack them */
    bool remapped;  /* true: remapped to here (A): the next Q at these sectors is the same I/O */
    bool split; /* true: made by a split (X). A later Q with the same process and length is of the
                   same I/O, as in kernels before 4.3 */
    bool got;   /* true: made by a G (get request) or a merge; a later Q at its sectors replaces the
                   extent */
};

/* Flags of requests that are issued and completed in several steps. */
#define IN_PARTS (IO_FLAG_FLUSH | IO_FLAG_FUA | IO_FLAG_BARRIER)

/* --- extents: sectors in flight --------------------------------------------------------------- */

/* Returns the number of a stage for a key of the hash table. It includes the direction, so that
 * reads, writes and other requests at one sector have different keys. */
static int64_t extent_stage_for_key(enum stage stage, const struct block_request *request) {
    return stage + STAGES * (block_is_read(request->flags)    ? 1
                             : block_is_write(request->flags) ? 2
                                                              : 0);
}

static struct block_extent *find_extent(const struct block_issuers *state, int64_t stage,
                                        int64_t device, int64_t sector, enum pending_place place) {
    const struct pending_key key = {stage, device, sector, 0};

    return (struct block_extent *)pending_find(&state->extents, &key, place);
}

/* Finds an extent that begins at the first sector of a request. */
static struct block_extent *find_at(const struct block_issuers *state, enum stage stage,
                                    const struct block_request *request, enum pending_place place) {
    return find_extent(state, extent_stage_for_key(stage, request), request->device,
                       request->sector, place);
}

static void block_issuer_remove(struct block_issuers *state, struct block_extent *extent) {
    pending_remove(&state->extents, &extent->pending);
}

/* Adds a copy of an extent under a key, before or after the other extents with this key. */
static void insert_extent(struct block_issuers *state, const struct pending_key *key,
                          enum pending_place place, const struct block_extent *extent) {
    state->extents.size = sizeof *extent;
    if (state->extents.count >= BLOCK_PENDING) {
        pending_remove(&state->extents, state->extents.oldest);
    }
    pending_add(&state->extents, key, place, &extent->pending);
}

static void insert_newest(struct block_issuers *state, int64_t stage, int64_t device,
                          int64_t sector, const struct block_extent *extent) {
    insert_extent(state, &(struct pending_key){stage, device, sector, 0}, PENDING_LAST, extent);
}

static void insert_at(struct block_issuers *state, enum stage stage,
                      const struct block_request *request, const struct block_extent *extent) {
    insert_newest(state, extent_stage_for_key(stage, request), request->device, request->sector,
                  extent);
}

/* Returns whether an extent is longer than `blocks`. */
static bool reaches_beyond(const struct block_extent *extent, int64_t blocks) {
    return extent->blocks != EVENT_NONE && blocks > 0 && blocks < extent->blocks;
}

/* Splits an extent after its first `blocks`. The rest is added after other extents that begin at
 * the rest's first sector. */
static void block_issuer_cut(struct block_issuers *state, struct block_extent *extent,
                             int64_t blocks) {
    struct pending_key key = extent->pending.key;
    struct block_extent rest;

    if (!reaches_beyond(extent, blocks)) {
        return;
    }
    rest = *extent;
    rest.blocks -= blocks;
    extent->blocks = blocks; /* set this first: insert_extent() may free the extent to make room */
    key.sector += blocks;
    insert_extent(state, &key, PENDING_LAST, &rest);
}

static bool same_process_or_thread(const struct block_process *left,
                                   const struct block_process *right) {
    return left->known == right->known && left->pid == right->pid &&
           left->length == right->length &&
           memcmp(left->process, right->process, left->length) == 0;
}

/* Removes `blocks` from `sector` on from the extents of a stage, the oldest first; EVENT_NONE
 * removes one whole extent. The rest of a longer extent stays, before others at its sector. `taken`
 * receives the first extent; what all removed extents say about submitters is merged into it.
 * Returns false if no extent begins at `sector`. */
static bool remove_extents(struct block_issuers *state, int64_t stage, int64_t device,
                           int64_t sector, int64_t blocks, struct block_extent *taken) {
    struct block_extent *extent = find_extent(state, stage, device, sector, PENDING_FIRST);

    if (extent == NULL) {
        return false;
    }
    *taken = *extent;
    while (extent != NULL) {
        struct block_extent all = *extent;
        struct pending_key rest = extent->pending.key;

        /* Merge submitter and flags of this extent into `taken`. */
        taken->parties.shared |=
            extent->parties.shared ||
            !same_process_or_thread(&extent->parties.submitter, &taken->parties.submitter);
        taken->parties.below &= extent->parties.below;
        if (extent->parties.was_queued &&
            (!taken->parties.was_queued || extent->parties.asked < taken->parties.asked)) {
            taken->parties.was_queued = true;
            taken->parties.asked = extent->parties.asked;
        }
        block_issuer_remove(state, extent);
        if (blocks != EVENT_NONE && reaches_beyond(&all, blocks)) {
            all.blocks -= blocks;
            rest.sector += blocks;
            insert_extent(state, &rest, PENDING_FIRST, &all);
            break;
        }
        if (blocks == EVENT_NONE || all.blocks <= 0 || all.blocks >= blocks) {
            break;
        }
        blocks -= all.blocks;
        sector += all.blocks;
        extent = find_extent(state, stage, device, sector, PENDING_FIRST);
        /* if no extent has the rest of the sectors, their submitter is unknown */
        taken->parties.below &= extent != NULL;
    }
    return true;
}

static bool remove_extents_of_stage(struct block_issuers *state, enum stage stage,
                                    const struct block_request *request, int64_t blocks,
                                    struct block_extent *taken) {
    return remove_extents(state, extent_stage_for_key(stage, request), request->device,
                          request->sector, blocks, taken);
}

/* --- queues of requests without sectors ------------------------------------------------------- */

static struct block_flushing *find_device_flushes(struct block_issuers *state, int64_t device) {
    struct block_flushing *found;

    HASH_FIND(hh, state->devices, &device, sizeof device, found);
    if (found == NULL && HASH_COUNT(state->devices) < BLOCK_ISSUER_DEVICES) {
        HASH_NEW(state->devices, device, device, found);
    }
    return found;
}

static struct block_line *line_of(struct block_flushing *device, enum stage stage) {
    return &device->lines[stage - STAGE_BARE];
}

/* Returns the stage of a request queued without blocks. */
static enum stage queued_stage(const struct block_request *request) {
    return block_is_read(request->flags) ? STAGE_READ : STAGE_BARE;
}

static void append_flush_request(struct block_issuers *state, struct block_flushing *device,
                                 enum stage stage, const struct block_processes *parties) {
    struct block_extent extent = {.parties = *parties, .blocks = 0};

    insert_newest(state, stage, device->device, line_of(device, stage)->in++, &extent);
}

static bool shrink_flush_queue(struct block_issuers *state, struct block_flushing *device,
                               enum stage stage, struct block_processes *parties) {
    struct block_line *line = line_of(device, stage);
    struct block_extent extent;

    if (line->out == line->in ||
        !remove_extents(state, stage, device->device, line->out++, EVENT_NONE, &extent)) {
        return false;
    }
    *parties = extent.parties;
    return true;
}

static void wait_for_flush(struct block_flushing *device, const struct block_processes *parties) {
    if (!device->waiting.submitter.known) {
        device->waiting = *parties;
        device->waiting.issuer.known = false;
    } else {
        device->waiting.shared |=
            !same_process_or_thread(&device->waiting.submitter, &parties->submitter);
        device->waiting.below &= parties->below;
    }
}

/* --- submitter and issuer of a request
 * ------------------------------------------------------------ */

static struct block_process process_of_request(const struct block_request *request) {
    struct block_process party = {.known = false};

    if (request->process != NULL && request->process_length <= BLOCK_PROCESS) {
        party.known = true;
        party.pid = request->pid;
        party.length = (uint8_t)request->process_length;
        memcpy(party.process, request->process, request->process_length);
    }
    return party;
}

/* Sets the issuer to the request's process. Without a queue event (Q) it is also the submitter. */
static void set_request_issuer(struct block_processes *parties,
                               const struct block_request *request) {
    parties->issuer = process_of_request(request);
    if (!parties->submitter.known) {
        parties->submitter = parties->issuer;
        parties->origin = IO_ORIGIN_ISSUED;
    }
}

/* Sets submitter and issuer in the request. If no submitter is known, the request keeps its
 * process. */
static void block_issuer_set_request(struct block_issuers *state, struct block_request *request,
                                     const struct block_processes *parties) {
    struct block_processes *found = &state->found;

    *found = *parties;
    if (!found->submitter.known) {
        found->submitter = process_of_request(request);
        found->origin = request->process == NULL         ? IO_ORIGIN_UNKNOWN
                        : block_has_action(request, 'C') ? IO_ORIGIN_COMPLETED
                                                         : IO_ORIGIN_ISSUED;
    }
    request->flags |= (uint32_t)found->origin << IO_ORIGIN_SHIFT;
    request->flags |= found->issuer.known ? 0 : IO_FLAG_UNISSUED;
    request->flags |= found->shared ? IO_FLAG_SHARED : 0;
    request->flags |= found->below ? IO_FLAG_BELOW : 0;
    request->was_queued = found->was_queued;
    request->asked = found->asked;
    if (found->submitter.known) {
        request->pid = found->submitter.pid;
        request->process = found->submitter.process;
        request->process_length = found->submitter.length;
    }
    if (found->issuer.known && !same_process_or_thread(&found->issuer, &found->submitter)) {
        request->issuer_pid = found->issuer.pid;
        request->issuer = found->issuer.process;
        request->issuer_length = found->issuer.length;
    }
}

/* --- queue events (Q, G, M, F, X, A) ---------------------------------------------------------- */

static bool block_issuer_is_empty(const struct block_request *request) {
    return request->blocks == 0 || request->sector == EVENT_NONE;
}

static void queue_empty_request(struct block_issuers *state, struct block_request *request) {
    struct block_flushing *device = find_device_flushes(state, request->device);
    struct block_processes parties = {.submitter = process_of_request(request),
                                      .was_queued = block_has_action(request, 'Q'),
                                      .asked = request->time};

    if (device != NULL && request->blocks == 0) {
        parties.below = device->remapped > 0;
        device->remapped -= parties.below;
        request->flags |= parties.below ? IO_FLAG_BELOW : 0;
        append_flush_request(state, device, queued_stage(request), &parties);
        if (!block_is_read(request->flags)) {
            wait_for_flush(device, &parties);
        }
    }
}

static void block_issuer_queue(struct block_issuers *state, struct block_request *request) {
    struct block_extent *before = find_at(state, STAGE_QUEUED, request, PENDING_LAST);
    bool is_queued = block_has_action(request, 'Q');
    struct block_extent extent = {
        .parties = {.submitter = process_of_request(request),
                    .was_queued = is_queued,
                    .asked = request->time},
        .blocks = request->blocks,
        .flags = request->flags & IN_PARTS,
        .got = !is_queued,
    };

    if (before != NULL &&
        (before->remapped ||
         (before->split && before->blocks == extent.blocks &&
          same_process_or_thread(&before->parties.submitter, &extent.parties.submitter)))) {
        extent.parties = before->parties;
        if (before->remapped && is_queued) {
            /* The response time on this device starts with its own Q, not with that of the stacked
             * device above it. */
            extent.parties.was_queued = true;
            extent.parties.asked = request->time;
        }
        request->flags |= extent.parties.below ? IO_FLAG_BELOW : 0;
        block_issuer_remove(state, before);
    } else if (before != NULL && before->got && !extent.got) {
        block_issuer_remove(state, before);
    }
    insert_at(state, STAGE_QUEUED, request, &extent);
    if (request->flags & IO_FLAG_FLUSH) {
        struct block_flushing *device = find_device_flushes(state, request->device);

        if (device != NULL) {
            wait_for_flush(device, &extent.parties);
        }
    }
}

static void enter_queued_request(struct block_issuers *state, struct block_request *request) {
    struct block_flushing *device;

    if (!block_issuer_is_empty(request)) {
        block_issuer_queue(state, request);
    } else {
        device = find_device_flushes(state, request->device);
        if (device != NULL) {
            device->queued = true;
        }
        queue_empty_request(state, request);
    }
}

/* Handles a get or merge event (G, M, F): its process is the submitter if there was no Q. */
static void block_issuer_get(struct block_issuers *state, struct block_request *request) {
    const struct block_flushing *device;

    if (!block_issuer_is_empty(request)) {
        const struct block_extent *asked = find_at(state, STAGE_QUEUED, request, PENDING_FIRST);

        if (!state->asked || asked == NULL) {
            block_issuer_queue(state, request);
        } else {
            request->flags |= asked->parties.below ? IO_FLAG_BELOW : 0;
        }
        return;
    }
    device = find_device_flushes(state, request->device);
    if (device != NULL && !device->queued && block_has_action(request, 'G')) {
        queue_empty_request(state, request);
    }
}

static void block_issuer_split(struct block_issuers *state, const struct block_request *request) {
    const int64_t stage = extent_stage_for_key(STAGE_QUEUED, request);
    struct block_extent *extent =
        find_extent(state, stage, request->device, request->sector, PENDING_LAST);
    struct block_extent *rest;

    if (extent == NULL || request->sector == EVENT_NONE || request->value == EVENT_NONE ||
        find_extent(state, stage, request->device, request->value, PENDING_FIRST) != NULL) {
        return;
    }
    block_issuer_cut(state, extent, request->value - request->sector);
    rest = find_extent(state, stage, request->device, request->value, PENDING_LAST);
    if (rest != NULL) {
        rest->split = true;
    }
}

/* Finds an extent that a stacked device has remapped to a partition, but no event has remapped from
 * the partition to the disk yet: it has the disk's device, but sectors relative to the partition.
 * NULL: none. */
static struct block_extent *passed_to_partition(struct block_issuers *state,
                                                const struct block_request *request) {
    struct block_extent *passed = find_extent(state, extent_stage_for_key(STAGE_QUEUED, request),
                                              request->device, request->from_sector, PENDING_LAST);

    return passed != NULL && passed->remapped && passed->blocks == request->blocks ? passed : NULL;
}

/* Handles a remap event (A). The extent at the old sectors stays, since a stacked device completes
 * its own I/O. A remap comes right after its Q, so it concerns the newest extent at the old
 * sectors. */
static void follow_remap(struct block_issuers *state, const struct block_request *request) {
    struct block_flushing *above, *below;
    struct block_extent *from =
        find_extent(state, extent_stage_for_key(STAGE_QUEUED, request), request->from_device,
                    request->from_sector, PENDING_LAST);
    struct block_extent extent;
    int64_t device;

    if (request->blocks == 0 && request->from_device != request->device &&
        request->from_device != EVENT_NONE && (request->flags & IO_FLAG_FLUSH)) {
        above = find_device_flushes(state, request->from_device);
        below = find_device_flushes(state, request->device);
        if (above != NULL && below != NULL &&
            line_of(above, STAGE_BARE)->in > line_of(above, STAGE_BARE)->out) {
            below->remapped++;
        }
        return;
    }
    if (from == NULL) {
        from = passed_to_partition(state, request);
    }
    if (from == NULL || block_issuer_is_empty(request) || request->from_sector == EVENT_NONE ||
        (request->from_device == request->device && request->from_sector == request->sector)) {
        return;
    }
    device = from->pending.key.device;
    if (request->blocks != EVENT_NONE) {
        block_issuer_cut(state, from, request->blocks); /* the rest may be remapped elsewhere */
        from = find_extent(state, extent_stage_for_key(STAGE_QUEUED, request), device,
                           request->from_sector, PENDING_LAST);
    }
    if (from != NULL) {
        extent = *from;
        extent.blocks = request->blocks;
        extent.remapped = true;
        if (device != request->from_device) {
            block_issuer_remove(state, from); /* only a step between two remaps: completes no I/O */
        }
        if (device != request->device) {
            /* A stacked device such as MD passes on the I/O without a Q on the lower device. */
            extent.parties.below = true;
            extent.parties.asked = request->time;
        }
        insert_at(state, STAGE_QUEUED, request, &extent);
    }
}

/* --- issue and requeue events (D, R, I) ------------------------------------------------------- */

/* Handles the issue (D) of a request without sectors: a SCSI command, or one flush for all
 * processes waiting for one. */
static void dispatch_empty(struct block_issuers *state, struct block_request *request) {
    struct block_flushing *device = find_device_flushes(state, request->device);
    struct block_processes parties = {.shared = false};
    bool is_flush = (request->flags & IO_FLAG_FLUSH) != 0;

    if (device != NULL && is_flush) {
        parties = device->waiting;
        device->waiting = (struct block_processes){.shared = false};
    }
    set_request_issuer(&parties, request);
    if (device != NULL) {
        for (; is_flush && device->served < line_of(device, STAGE_BARE)->in; device->served++) {
            struct block_extent *asked =
                find_extent(state, STAGE_BARE, device->device, device->served, PENDING_FIRST);

            if (asked != NULL) {
                asked->parties.issuer = parties.issuer;
            }
        }
        append_flush_request(state, device, is_flush ? STAGE_FLUSHING : STAGE_COMMAND, &parties);
    }
    block_issuer_set_request(state, request, &parties);
}

/* Finds the extent of an issued request: among requeued extents, else queued ones, else issued
 * ones. An issued one is found if the log has queue events (Q) but lacks requeues. */
static void find_dispatched(struct block_issuers *state, const struct block_request *request,
                            struct block_extent *extent) {
    struct block_extent *before;

    if (remove_extents_of_stage(state, STAGE_REQUEUED, request, request->blocks, extent) ||
        remove_extents_of_stage(state, STAGE_QUEUED, request, request->blocks, extent)) {
        return;
    }
    before = find_at(state, STAGE_ISSUED, request, PENDING_LAST);
    if (before != NULL && state->asked) {
        *extent = *before;
        block_issuer_remove(state, before);
    }
}

static void dispatch_request(struct block_issuers *state, struct block_request *request) {
    struct block_extent extent = {.flags = 0};

    if (block_issuer_is_empty(request)) {
        dispatch_empty(state, request);
        return;
    }
    find_dispatched(state, request, &extent);
    set_request_issuer(&extent.parties, request);
    extent.blocks = request->blocks;
    extent.flags &= ~(request->flags & IN_PARTS);
    extent.remapped = extent.split = extent.got = false;
    insert_at(state, STAGE_ISSUED, request, &extent);
    block_issuer_set_request(state, request, &extent.parties);
}

/* Handles a requeue event (R): the newest request at its sector, or the newest flush, is issued
 * again later. */
static void block_issuer_requeue(struct block_issuers *state, struct block_request *request) {
    struct block_processes parties = {.shared = false};
    struct block_flushing *device = find_device_flushes(state, request->device);
    struct block_extent *issued, copy;

    if (!block_issuer_is_empty(request)) {
        issued = find_at(state, STAGE_ISSUED, request, PENDING_LAST);
        if (issued != NULL) {
            copy = *issued;
            parties = copy.parties;
            block_issuer_remove(state, issued);
            insert_at(state, STAGE_REQUEUED, request, &copy);
        }
    } else if (device != NULL && (request->flags & IO_FLAG_FLUSH) &&
               line_of(device, STAGE_FLUSHING)->in > line_of(device, STAGE_FLUSHING)->out) {
        issued = find_extent(state, STAGE_FLUSHING, device->device,
                             --line_of(device, STAGE_FLUSHING)->in, PENDING_FIRST);
        if (issued != NULL) {
            parties = issued->parties;
            block_issuer_remove(state, issued);
            wait_for_flush(device, &parties);
        }
    }
    block_issuer_set_request(state, request, &parties);
}

/* Handles an insert event (I): stores its process as the issuer. */
static void block_issuer_insert(struct block_issuers *state, struct block_request *request) {
    struct block_processes parties = {.shared = false};
    struct block_flushing *device = find_device_flushes(state, request->device);
    const struct block_extent *asked = NULL;

    if (!block_issuer_is_empty(request)) {
        static const enum stage stages[] = {STAGE_REQUEUED, STAGE_QUEUED, STAGE_ISSUED};

        for (size_t i = 0; asked == NULL && i < sizeof stages / sizeof *stages; i++) {
            asked = find_at(state, stages[i], request, PENDING_FIRST);
        }
    } else if (device != NULL) {
        const enum stage stage = queued_stage(request);

        asked = find_extent(state, stage, request->device, line_of(device, stage)->in - 1,
                            PENDING_FIRST);
    }
    if (asked != NULL) {
        parties = asked->parties;
    }
    set_request_issuer(&parties, request);
    block_issuer_set_request(state, request, &parties);
}

/* --- completion events (C) -------------------------------------------------------------------- */

/* Completes a request without a length: a flush, the whole of a request with several steps, a
 * request queued without blocks, or a command. */
static bool complete_empty_request(struct block_issuers *state, const struct block_request *request,
                                   struct block_processes *parties) {
    struct block_flushing *device = find_device_flushes(state, request->device);
    struct block_extent whole;

    if ((request->flags & IO_FLAG_FLUSH) && device != NULL &&
        shrink_flush_queue(state, device, STAGE_FLUSHING, parties)) {
        return true;
    }
    if (request->sector != EVENT_NONE &&
        remove_extents_of_stage(state, STAGE_WHOLE, request, EVENT_NONE, &whole)) {
        *parties = whole.parties;
        return true;
    }
    return device != NULL && (shrink_flush_queue(state, device, queued_stage(request), parties) ||
                              shrink_flush_queue(state, device, STAGE_COMMAND, parties));
}

/* Completes a request with blocks. A stacked device issues no requests: it completes those that
 * were queued. */
static void complete_blocks(struct block_issuers *state, struct block_request *request,
                            struct block_processes *parties) {
    struct block_extent extent;

    if (!remove_extents_of_stage(state, STAGE_ISSUED, request, request->blocks, &extent) &&
        !remove_extents_of_stage(state, STAGE_QUEUED, request, request->blocks, &extent)) {
        return;
    }
    *parties = extent.parties;
    parties->was_queued &= !reaches_beyond(&extent, request->blocks);
    if (extent.flags & IN_PARTS) {
        struct block_flushing *device = find_device_flushes(state, request->device);

        request->flags |= IO_FLAG_FLUSH_ASKED;
        insert_at(state, STAGE_WHOLE, request, &extent);
        if (device != NULL && (extent.flags & IO_FLAG_FUA)) {
            wait_for_flush(device, parties);
        }
    }
}

static void block_issuer_complete(struct block_issuers *state, struct block_request *request) {
    struct block_processes parties = {.shared = false};

    if (block_issuer_is_empty(request)) {
        complete_empty_request(state, request, &parties);
    } else {
        complete_blocks(state, request, &parties);
    }
    block_issuer_set_request(state, request, &parties);
}

/* --- choosing the function for an action ------------------------------------------------------ */

void block_issuers_find_submitter(struct block_issuers *state, struct block_request *request) {
    if (request->action_length != 1) {
        return;
    }
    switch (request->action[0]) {
    case 'Q':
        state->asked = true;
        enter_queued_request(state, request);
        break;
    case 'G':
    case 'M':
    case 'F':
        block_issuer_get(state, request);
        break;
    case 'X':
        block_issuer_split(state, request);
        break;
    case 'A':
        follow_remap(state, request);
        break;
    case 'I':
        block_issuer_insert(state, request);
        break;
    case 'D':
        dispatch_request(state, request);
        break;
    case 'R':
        block_issuer_requeue(state, request);
        break;
    case 'C':
        block_issuer_complete(state, request);
        break;
    default: /* plug, unplug and timer events concern the queue, not a request */
        break;
    }
}

void block_issuers_free(struct block_issuers *state) {
    pending_free(&state->extents);
    HASH_FREE(state->devices);
}

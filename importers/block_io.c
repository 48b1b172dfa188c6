#include "block_io.h"

#include <string.h>

#include "syscalls.h"

/* An issued request, or the part of it that has not completed. In its key, `stage` is the
 * direction. */
struct outstanding {
    struct pending pending;
    int64_t issued; /* time of the issue */
    int64_t blocks; /* number of blocks; 0: none, or unknown */
    int64_t since;  /* time since when the key (device, direction, sector) has had a request in
                       flight without a break */
    bool mixed; /* true: requests of this key differ in length, so a partial completion proves no
                   loss */
};

static int64_t block_latency_blocks_of(const struct block_request *request) {
    return request->blocks == EVENT_NONE ? 0 : request->blocks;
}

static struct pending_key block_latency_key_of(const struct block_request *request) {
    const struct io_key key =
        io_key_make(request->flags, request->device, request->sector, request->blocks);

    return (struct pending_key){.stage = key.direction, .device = key.device, .sector = key.sector};
}

/* Returns whether a request with this key and length always has an issue and a completion. If one
 * of them is not in the log, events were lost. */
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

static void block_latency_remove(struct block_latency *state, struct outstanding *request) {
    pending_remove(&state->outstanding, &request->pending);
}

/* Updates the evidence of lost events for a request whose completion is not in the log. */
static void add_open_request(struct block_latency *state, const struct outstanding *request) {
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
        /* It may complete, so neither its end nor a completion without an issue proves a loss. */
        state->given_up++;
        evidence_of(state, state->outstanding.oldest->key.device)->covered = true;
        pending_remove(&state->outstanding, state->outstanding.oldest);
    }
    pending_add(&state->outstanding, key, place, &as->pending);
}

/* Stores the issue (D) of a request until its completion. */
static void block_latency_issue(struct block_latency *state, const struct block_request *request) {
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

/* Removes the first `blocks` of a request, which have completed. The rest stays in flight; its key
 * has the first remaining sector. */
static void block_latency_move_rest(struct block_latency *state, const struct outstanding *request,
                                    int64_t blocks) {
    struct pending_key key = request->pending.key;
    struct outstanding rest = *request;
    const struct outstanding *other;

    key.sector += blocks;
    rest.blocks -= blocks;
    other = block_latency_find(state, &key, PENDING_FIRST);
    rest.mixed |= request->pending.next != NULL || other != NULL;
    rest.since = other != NULL && other->since < rest.since ? other->since : rest.since;
    block_latency_remove(state, (struct outstanding *)block_latency_find(
                                    state, &request->pending.key, PENDING_FIRST));
    block_latency_remember(state, &key, PENDING_FIRST, &rest);
}

/* Completes `blocks` from the request's sector on, at `time`. Returns false if a part of the
 * request is still in flight. */
static bool complete_request_blocks(struct block_latency *state, struct outstanding *request,
                                    int64_t blocks, int64_t time, struct block_evidence *evidence) {
    bool whole = blocks == 0 || request->blocks <= blocks, first = true;

    while (request != NULL) {
        struct pending_key next = request->pending.key;
        int64_t covered = request->blocks;

        evidence->covered |= !first;
        first = false;
        if (blocks > 0 && covered > blocks) {
            block_latency_move_rest(state, request, blocks);
            break;
        }
        if (request->pending.next == NULL && time - request->since > evidence->longest) {
            evidence->longest = time - request->since;
        }
        block_latency_remove(state, request);
        blocks -= covered;
        next.sector += covered;
        request =
            blocks > 0 && covered > 0 ? block_latency_find(state, &next, PENDING_FIRST) : NULL;
    }
    return whole;
}

/* Matches a completion (C) with its issue. Returns the nanoseconds since its issue; EVENT_NONE if
 * no issue matches, or a part of the request is still in flight. */
static int64_t block_latency_complete(struct block_latency *state,
                                      const struct block_request *request) {
    struct pending_key key = block_latency_key_of(request);
    struct outstanding *oldest = block_latency_find(state, &key, PENDING_FIRST);
    struct block_evidence *evidence;
    int64_t issued;

    /* A completion without a length, unless of a flush, ends a request with several steps (data and
     * flush). Its data has already completed, and another I/O may be in flight at the sector. */
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
    if (!complete_request_blocks(state, oldest, block_latency_blocks_of(request), request->time,
                                 evidence)) {
        state->parts++;
        return EVENT_NONE;
    }
    return request->time - issued;
}

/* Returns whether events of the device were certainly lost: a completion without an issue comes
 * later after the log's start, or an issue without a completion earlier before its end, than the
 * longest request took. */
static bool block_latency_is_proven(const struct block_latency *state,
                                    const struct block_evidence *evidence) {
    return evidence->used && evidence->issued && evidence->completed &&
           ((evidence->open != INT64_MAX && state->last - evidence->open > evidence->longest) ||
            (evidence->unmatched != INT64_MIN && !evidence->covered &&
             evidence->unmatched - state->first > evidence->longest));
}

/* Reports the devices of which events were certainly lost. Returns true if there are any: requests
 * of these devices are matched again later, so remarks on the present matches would be wrong. */
static bool block_latency_report_losses(struct import *import, struct block_latency *state) {
    bool proven = false;

    for (const struct pending *open = state->outstanding.oldest; open != NULL; open = open->newer) {
        add_open_request(state, (const struct outstanding *)open);
    }
    for (size_t i = 0; i < BLOCK_LATENCY_DEVICES; i++) {
        if (block_latency_is_proven(state, &state->devices[i])) {
            import_declare_loss(import, state->devices[i].device);
            proven = true;
        }
    }
    return proven || import_loss_was_reported(import);
}

/* Adds remarks at the end: unmatched requests, partial completions, shared sectors. Also reports
 * devices of which events were certainly lost (import_declare_loss()). */
static void block_latency_remark(struct import *import, struct block_latency *state) {
    int64_t open = state->given_up + (int64_t)state->outstanding.count;
    bool lossy = block_latency_report_losses(import, state);

    /* A log without any issues was recorded without them, so no remark. */
    if (!lossy && state->issued > 0 && state->unmatched > 0) {
        import_remark(import, "%lld of %lld completions had no matching issue: no latency",
                      (long long)state->unmatched, (long long)state->completed);
    }
    import_remark_count(import, lossy ? 0 : open,
                        "%lld issued request{s} had no matching completion");
    import_remark_count(import, state->given_up,
                        "%lld issued request{s} {was|were} given up, and {its completion has|their "
                        "completions have} no latency: more than 131072 were in flight at once");
    import_remark_count(import, state->parts,
                        "completions of a part of a request: %lld; the last part has the latency");
    import_remark_count(import, state->shared,
                        "requests issued while another one was in flight at their sector: %lld; "
                        "the oldest completes first");
}

/* Maximum file names in a cache: a phone uses some 40,000 files, each many times. */
#define FILES_REMEMBERED ((size_t)1 << 17)

/* --- adding events with their names ----------------------------------------------------------- */

const char block_io_both_ends[] = "issue and completion of one request";
const char block_io_unaligned[] = "%lld address{ is no whole sector: it counts as the sector that "
                                  "it lies|es are no whole sectors: "
                                  "they count as those that they lie} in";

const struct event_meaning block_io_meanings[] = {
    BLOCK_IO_MEANINGS,
    {0},
};

const struct event_meaning block_io_device_meanings[] = {
    {EVENT_PLACE_DURATION, "", "latency", "clock"},
    {EVENT_PLACE_ACTOR, "", "process", ""},
    {EVENT_PLACE_OBJECT, "", "device", ""},
    {EVENT_PLACE_ADDRESS, "", "sector", "512 bytes"},
    {EVENT_PLACE_SIZE, "", "transfer", "bytes"},
    {0},
};

void block_io_begin(struct import *import, struct block_io *state) {
    state->files.most = FILES_REMEMBERED;
    import_file_types(import, &state->types);
}

/* Finds the ids of a process by its number and name: those of its actor and of its label
 * (event.actor and event.process). */
static const struct lookup_cache_entry *block_io_find_actor(struct import *import,
                                                            struct block_io *state, int64_t pid,
                                                            const char *process, size_t length) {
    struct lookup_cache_key key = {{pid, process == NULL}, process, length};
    bool known;
    struct lookup_cache_entry *entry = lookup_cache_find(&state->processes, &key, &known);

    if (!known) {
        entry->values[0] = import_actor(
            import, &(struct actor_entry){1, pid, EVENT_NONE, EVENT_NONE, process, length});
        entry->values[1] = import_label(import, process == NULL ? "" : process, length);
    }
    return entry;
}

static void block_io_find_process(struct import *import, struct block_io *state,
                                  const struct block_request *request, struct event *event) {
    const struct lookup_cache_entry *submitter =
        block_io_find_actor(import, state, request->pid, request->process, request->process_length);

    event->actor = submitter->values[0];
    event->process = submitter->values[1];
    event->issuer = request->issuer == NULL
                        ? 0
                        : block_io_find_actor(import, state, request->issuer_pid, request->issuer,
                                              request->issuer_length)
                              ->values[0];
}

static void block_io_find_file(struct import *import, struct block_io *state,
                               const struct block_request *request, struct event *event) {
    size_t length = request->file == NULL ? 0 : request->file_length;
    struct lookup_cache_key key = {
        {request->device, (intptr_t)request->file_type}, request->file, length};
    bool known;
    struct lookup_cache_entry *entry = lookup_cache_find(&state->files, &key, &known);

    if (!known) {
        const char *type = request->file_type != NULL
                               ? request->file_type
                               : file_types_find(&state->types, request->file, length);

        entry->values[0] = import_object(import, &(struct object_entry){
                                                     .name = length > 0 ? request->file : NULL,
                                                     .length = length,
                                                     .type = type,
                                                     .device = request->device,
                                                 });
        entry->values[1] = import_label(import, type, strlen(type));
    }
    event->object = entry->values[0];
    event->file_type = entry->values[1];
}

/* Returns the label of the request's partition (event.partition). Names of partitions are compared
 * by address, since each name is stored once. */
static uint32_t find_partition(struct import *import, struct block_io *state,
                               const struct block_request *request) {
    const char *name = import_partition(import, request->device, request->sector);

    if (name != state->partition || state->partition_label == 0) {
        state->partition = name;
        state->partition_label = import_label(import, name, strlen(name));
    }
    return state->partition_label;
}

/* Returns the name.id of the request's action. Nearly all actions are one letter, and alternate. */
static uint32_t block_io_find_action(struct import *import, struct block_io *state,
                                     const struct block_request *request) {
    const struct word action = {request->action, request->action_length};
    uint32_t *id;

    if (action.length != 1) {
        return import_simple_name(import, "action", action);
    }
    id = &state->actions[(uint8_t)*action.bytes];
    if (*id == 0) {
        *id = import_simple_name(import, "action", action);
    }
    return *id;
}

struct event *block_io_add(struct import *import, struct block_io *state,
                           const struct block_request *request) {
    struct event names = {.operation = block_io_find_action(import, state, request)};
    struct event *event;

    block_io_find_process(import, state, request, &names);
    block_io_find_file(import, state, request, &names);
    names.partition = find_partition(import, state, request);
    event = import_event(import);
    event->time = request->time;
    event->operation = names.operation;
    event->actor = names.actor;
    event->object = names.object;
    event->file_type = names.file_type;
    event->process = names.process;
    event->issuer = names.issuer;
    event->partition = names.partition;
    event->flags = block_stored_flags(request);
    if (io_class_of(event->flags) == IO_FLUSH) {
        import_declare_facts_present(import, FACT(FLUSHES));
    }
    event->address = request->sector;
    event->size = request->blocks == EVENT_NONE
                      ? EVENT_NONE
                      : request->blocks * SECTOR_SIZE + request->more_bytes;
    event->value = request->value;
    block_latency_extend_period(&state->latency, request->time);
    if (request->tells_latency) {
        event->duration = block_has_action(request, 'C') ? request->latency : EVENT_NONE;
    } else if (block_has_action(request, 'D')) {
        block_latency_issue(&state->latency, request);
    } else if (block_has_action(request, 'R')) {
        /* A requeue (R) undoes the newest issue of its request. */
        struct pending_key key = block_latency_key_of(request);
        struct outstanding *newest = block_latency_find(&state->latency, &key, PENDING_LAST);

        if (newest != NULL) {
            block_latency_remove(&state->latency, newest);
        }
    } else if (block_has_action(request, 'C')) {
        event->duration = block_latency_complete(&state->latency, request);
        if (request->was_queued && request->asked <= request->time) {
            event->response = request->time - request->asked;
        }
    }
    return event;
}

void block_io_add_action(struct import *import, struct block_io *state,
                         struct block_request *request, const char *action, int64_t time) {
    request->action = action;
    request->action_length = 1;
    request->time = time;
    block_io_add(import, state, request);
}

void block_io_end(struct import *import, struct block_io *state, bool failed) {
    if (!failed) {
        block_latency_remark(import, &state->latency);
    }
    pending_free(&state->latency.outstanding);
    lookup_cache_free(&state->processes);
    lookup_cache_free(&state->files);
    file_types_free(&state->types);
}

/* --- times with a wall clock ------------------------------------------------------------------ */

int64_t block_io_elapsed(struct import *import, struct block_start *start, int64_t time) {
    if (!start->begun) {
        start->begun = true;
        start->origin = time;
        if (!start->undated) {
            import_set_start_time(import, time);
        }
    }
    return time - start->origin;
}

void block_dated_begin(struct import *import, void *state) {
    block_io_begin(import, &((struct block_dated *)state)->io);
}

void block_dated_end(struct import *import, void *state, bool failed) {
    block_io_end(import, &((struct block_dated *)state)->io, failed);
}

/* State stored for --append: files appended to the trace use the time 0 of its first file. */
const struct resume_value block_dated_resume[] = {
    {"origin", offsetof(struct block_dated, start.origin), 0, INT64_MAX, false},
    {0},
};

/* --- dump of an event ------------------------------------------------------------------------- */

/* Appends a process as " [pid name]". */
static void block_io_append_process(int64_t pid, const char *name, size_t length,
                                    struct text *out) {
    dump_number(out, " [", pid);
    text_append_string(out, pid == EVENT_NONE ? " [" : " ");
    text_append_escaped(out, name, length);
    text_append_char(out, ']');
}

void block_io_dump(const struct dump_event *dump, struct text *out) {
    const struct event *event = &dump->event;
    unsigned block_type = io_block_type_of(event->flags);

    text_append_escaped(out, dump->operation, dump->operation_length);
    text_append_char(out, ' ');
    block_append_rwbs(event->flags, out);
    dump_number(out, " ", event->address);
    dump_number(out, " + ", event->size == EVENT_NONE ? EVENT_NONE : event->size / SECTOR_SIZE);
    block_io_append_process(dump->pid, dump->actor, dump->actor_length, out);
    text_append_char(out, ' ');
    text_append_string(out, block_type < IO_BLOCK_TYPES ? io_block_type_words[block_type] : "?");
    dump_bytes(out, " ", dump->object, dump->object_length);
    if (event->duration != EVENT_NONE) {
        text_append_string(out, " latency ");
        dump_time(out, dump, event->duration);
    }
    if (event->issuer != 0) {
        text_append_string(out, dump->operation[0] == 'I' ? " inserted by" : " dispatched by");
        block_io_append_process(dump->issuer_pid, dump->issuer, dump->issuer_length, out);
    }
}

#include "block_trace.h"

#include "model/partition.h"

enum { DEVICES_NAMED = 8 /* maximum devices that a remark lists */ };

const struct event_meaning block_trace_meanings[] = {
    {EVENT_PLACE_DURATION, "", "latency", "clock"},
    {EVENT_PLACE_ACTOR, "", "process", ""},
    {EVENT_PLACE_OBJECT, "", "device", ""},
    {EVENT_PLACE_ADDRESS, "", "sector", "512 bytes"},
    {EVENT_PLACE_SIZE, "", "transfer", "bytes"},
    {EVENT_PLACE_VALUE, "", "error", ""},
    {EVENT_PLACE_VALUE, "", "requests", ""},
    {EVENT_PLACE_VALUE, "", "split", "512 bytes"},
    {EVENT_PLACE_ISSUER, "", "process", ""},
    {EVENT_PLACE_RESPONSE, "", "response", "clock"},
    {0},
};

/* --- stacked devices -------------------------------------------------------------------------- */

static struct block_device_use *block_trace_find_device(const struct block_devices *state,
                                                        int64_t device) {
    struct block_device_use *use;

    HASH_FIND(hh, state->devices, &device, sizeof device, use);
    return use;
}

static void count_use(struct block_devices *state, const struct block_request *request) {
    struct block_device_use *use;
    bool issued = block_has_action(request, 'D'), completed = block_has_action(request, 'C'),
         below = (request->flags & IO_FLAG_BELOW) != 0;

    state->below |= below;
    if (!issued && !completed) {
        return;
    }
    use = block_trace_find_device(state, request->device);
    if (use == NULL && HASH_COUNT(state->devices) < BLOCK_DEVICES_NOTED) {
        HASH_NEW(state->devices, device, request->device, use);
    }
    if (use != NULL) {
        use->issued += issued;
        use->completed += completed;
        use->below += completed && below;
    }
}

/* Records that the device `above` is stacked on `device`. */
static void note_stacked(struct block_devices *state, int64_t above, int64_t device) {
    const struct block_stacked_pair pair = {above, device};
    struct block_stacked *stacked;

    HASH_FIND(hh, state->stacked, &pair, sizeof pair, stacked);
    if (stacked == NULL && HASH_COUNT(state->stacked) < BLOCK_DEVICES_NOTED && above != device) {
        HASH_NEW(state->stacked, pair, pair, stacked);
    }
}

/* What the devices above a device do, in a set of bits. */
enum { ABOVE_ISSUES = 1, ABOVE_COMPLETES = 2 };

/* Sets `above` of the devices on which others are stacked. */
static void note_use_above(const struct block_devices *state) {
    for (const struct block_stacked *stacked = state->stacked; stacked != NULL;
         stacked = stacked->hh.next) {
        const struct block_device_use *above = block_trace_find_device(state, stacked->pair.above);
        struct block_device_use *use = block_trace_find_device(state, stacked->pair.device);

        if (above != NULL && use != NULL) {
            use->above |= (above->issued > 0 ? ABOVE_ISSUES : 0) |
                          (above->completed > 0 ? ABOVE_COMPLETES : 0);
        }
    }
}

/* Declares that a bit of column flags means "below": a stacked device passed the request on.
 * Reports exclude such requests, since they are counted on the stacked device. Not declared if that
 * device completes no requests in the log. */
static void set_meaning_of_lower_requests(struct import *import, struct block_devices *state) {
    static const struct event_meaning below = {EVENT_PLACE_FLAGS, "", "below", ""},
                                      issued = {EVENT_PLACE_FLAGS, "", "below issued", ""};
    bool counts = state->below, issues = false;

    note_use_above(state);
    for (const struct block_device_use *use = state->devices; use != NULL; use = use->hh.next) {
        counts &= use->below == 0 || (use->above & ABOVE_COMPLETES) != 0;
        issues |= use->below > 0 && (use->above & ABOVE_ISSUES) != 0;
    }
    if (counts) {
        import_add_meaning(import, &below);
    }
    if (counts && issues) {
        import_add_meaning(import, &issued);
    }
}

static void remark_stacked_device(struct import *import, int64_t above,
                                  const struct block_device_use *use) {
    int major = device_major(use->device), minor = device_minor(use->device);

    if (use->below > 0) {
        import_remark(import,
                      "device %d:%d lies over %d:%d: %lld of %lld completions on %d:%d are of "
                      "requests of a device above, and count there; --device %d:%d includes them",
                      device_major(above), device_minor(above), major, minor, (long long)use->below,
                      (long long)use->completed, major, minor, major, minor);
    } else {
        import_remark(import,
                      "device %d:%d lies over %d:%d and both complete: the same I/O counts on "
                      "each; --device chooses one",
                      device_major(above), device_minor(above), major, minor);
    }
}

/* Adds a remark with the number of completions of each device, if several have some. */
static void remark_completions(struct import *import, const struct block_devices *state) {
    size_t completing = 0;
    struct text list = {0};

    for (const struct block_device_use *use = state->devices; use != NULL; use = use->hh.next) {
        completing += use->completed > 0;
        if (use->completed > 0 && completing <= DEVICES_NAMED) {
            text_append_format(&list, "%s%d:%d (%lld)", completing == 1 ? "" : ", ",
                               device_major(use->device), device_minor(use->device),
                               (long long)use->completed);
        }
    }
    if (completing > 1) {
        import_remark(import, "completions on %zu devices: %s%s", completing, text_string(&list),
                      completing > DEVICES_NAMED ? ", …" : "");
    }
    text_free(&list);
}

static void remark_devices(struct import *import, struct block_devices *state) {
    remark_completions(import, state);
    for (const struct block_stacked *stacked = state->stacked; stacked != NULL;
         stacked = stacked->hh.next) {
        const struct block_device_use *above = block_trace_find_device(state, stacked->pair.above),
                                      *use = block_trace_find_device(state, stacked->pair.device);

        if (above != NULL && above->completed > 0 && use != NULL && use->completed > 0) {
            remark_stacked_device(import, above->device, use);
        }
    }
}

/* --- events of requests ----------------------------------------------------------------------- */

void block_trace_begin(struct import *import, void *state) {
    block_io_begin(import, &((struct block_trace *)state)->io);
}

struct event *block_trace_add(struct import *import, struct block_trace *state,
                              struct block_request *request) {
    block_issuers_find_submitter(&state->issuers, request);
    count_use(&state->devices, request);
    if (block_has_action(request, 'A') && request->from_device != EVENT_NONE) {
        const struct remap_step step = {
            .from = request->from_device,
            .from_sector = request->from_sector,
            .device = request->device,
            .sector = request->sector,
            .sectors = request->blocks,
        };

        remaps_note(&state->devices.remaps, &step);
        note_stacked(&state->devices, step.from, step.device);
    }
    return block_io_add(import, &state->io, request);
}

struct event *block_trace_add_command(struct import *import, struct block_trace *state,
                                      const struct block_request *request, int64_t above) {
    count_use(&state->devices, request);
    if (above != EVENT_NONE) {
        note_stacked(&state->devices, above, request->device);
    }
    return block_io_add(import, &state->io, request);
}

void block_trace_end(struct import *import, void *context, bool failed) {
    struct block_trace *state = context;

    if (!failed) {
        remaps_count_pending(&state->devices.remaps);
        import_remaps(import, state->devices.remaps.items, state->devices.remaps.count);
        set_meaning_of_lower_requests(import, &state->devices);
        remark_devices(import, &state->devices);
    }
    block_issuers_free(&state->issuers);
    HASH_FREE(state->devices.devices);
    HASH_FREE(state->devices.stacked);
    block_io_end(import, &state->io, failed);
}

/* Implements dump(): shows an event of block I/O with its `value`. */
void block_trace_dump(const struct dump_event *dump, struct text *out) {
    int64_t value = dump->event.value;

    block_io_dump(dump, out);
    if (value == EVENT_NONE || value == 0) {
        return;
    }
    text_append_string(out, dump->operation[0] == 'U'   ? " requests "
                            : dump->operation[0] == 'X' ? " split at "
                                                        : " error ");
    text_append_integer(out, value);
}

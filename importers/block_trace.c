#include "block_trace.h"

#include "model/partition.h"

enum { DEVICES_NAMED = 8 /* in a remark */ };

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

/* --- devices over devices --------------------------------------------------------------------- */

static struct block_device_use *find_device(struct block_devices *state, int64_t device) {
    for (size_t i = 0; i < state->device_count; i++) {
        if (state->devices[i].device == device) {
            return &state->devices[i];
        }
    }
    return NULL;
}

static void count_completion(struct block_devices *state, int64_t device) {
    struct block_device_use *use = find_device(state, device);

    if (use == NULL && state->device_count < BLOCK_DEVICES_NOTED) {
        use = &state->devices[state->device_count++];
        *use = (struct block_device_use){.device = device};
    }
    if (use != NULL) {
        use->completed++;
    }
}

static void note_remap(struct block_devices *state, const struct block_request *request) {
    const struct remap_step step = {
        .from = request->from_device,
        .from_sector = request->from_sector,
        .device = request->device,
        .sector = request->sector,
        .sectors = request->blocks,
    };

    remaps_note(&state->remaps, &step);
}

/* Whether an earlier one is between the same devices. */
static bool is_told(const struct remaps *remaps, size_t number) {
    const struct remap *remap = &remaps->items[number];
    size_t i = 0;

    while (i < number &&
           (remaps->items[i].from != remap->from || remaps->items[i].device != remap->device)) {
        i++;
    }
    return i < number;
}

static void remark_devices(struct import *import, struct block_devices *state) {
    struct text list = {0};

    for (size_t i = 0; i < state->device_count && i < DEVICES_NAMED; i++) {
        text_append_format(
            &list, "%s%d:%d (%lld)", i == 0 ? "" : ", ", device_major(state->devices[i].device),
            device_minor(state->devices[i].device), (long long)state->devices[i].completed);
    }
    if (state->device_count > DEVICES_NAMED) {
        text_append_string(&list, ", …");
    }
    if (state->device_count > 1) {
        import_remark(import, "completions on %zu devices: %s", state->device_count,
                      text_string(&list));
    }
    text_free(&list);
    for (size_t i = 0; i < state->remaps.count; i++) {
        struct remap remap = state->remaps.items[i];

        if (remap.from != remap.device && find_device(state, remap.from) != NULL &&
            find_device(state, remap.device) != NULL && !is_told(&state->remaps, i)) {
            import_remark(import,
                          "device %d:%d lies over %d:%d and both complete: the same I/O counts "
                          "on each; --device chooses one",
                          device_major(remap.from), device_minor(remap.from),
                          device_major(remap.device), device_minor(remap.device));
        }
    }
}

/* --- requests --------------------------------------------------------------------------------- */

bool block_trace_begin(struct import *import, struct block_trace *state, struct error *error) {
    return block_io_begin(import, &state->io, error);
}

bool block_trace_keep(struct import *import, struct block_trace *state,
                      struct block_request *request) {
    block_issuers_follow(&state->issuers, request);
    if (block_has_action(request, 'C')) {
        count_completion(&state->devices, request->device);
    } else if (block_has_action(request, 'A') && request->from_device != EVENT_NONE) {
        note_remap(&state->devices, request);
    }
    return block_io_keep(import, &state->io, request);
}

void block_trace_end(struct import *import, struct block_trace *state, bool failed) {
    if (!failed) {
        remaps_settle(&state->devices.remaps);
        import_remaps(import, state->devices.remaps.items, state->devices.remaps.count);
        remark_devices(import, &state->devices);
    }
    block_issuers_free(&state->issuers);
    block_io_end(import, &state->io, failed);
}

/* Says what `value` is, too. */
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

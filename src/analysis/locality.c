/* Sequential and random I/O: temp.tally_locality. */
#include <string.h>

#include "analysis/analysis.h"
#include "model/event.h"
#include "store/devices.h"

enum { DIRECTIONS = 2 }; /* reads, writes */

struct locality {
    struct device_slots devices;
    int64_t end[DEVICE_SLOTS][DIRECTIONS]; /* sector after the last I/O; -1: none yet */
    int64_t sequential[DIRECTIONS], random[DIRECTIONS];
};

/* Returns the sector after an I/O. Sums of hostile numbers wrap around. */
static int64_t locality_end(int64_t address, int64_t size) {
    return size == EVENT_NONE ? address
                              : (int64_t)((uint64_t)address + (uint64_t)(size / IO_SECTOR));
}

struct locality_state {
    struct analysis_context *context;
    struct devices devices; /* owned; by object */
    struct locality locality;
};

/* Skips I/Os without a sector or data. */
static void locality_visit(void *locality_state, const struct event_columns *columns,
                           size_t count) {
    struct locality_state *state = locality_state;
    struct locality *locality = &state->locality;
    bool data_only = state->context->values[0].given;

    for (size_t i = 0; i < count; i++) {
        enum io_class class = io_class_of(columns->flags[i]);
        enum io_block_type type = io_block_type_of(columns->flags[i]);
        int64_t device, address = columns->address[i], *end;
        bool sequential, writes = class == IO_WRITE || class == IO_WRITESYNC;

        if (class == IO_OTHER || class == IO_FLUSH || columns->size[i] == 0 ||
            address == EVENT_NONE ||
            (data_only && (type == IO_BLOCK_JOURNAL || type == IO_BLOCK_METADATA))) {
            continue;
        }
        device = devices_find(&state->devices, columns->object[i]);
        end = &locality->end[device_slot(&locality->devices, device)][writes];
        sequential = *end == address;
        locality->sequential[writes] += sequential;
        locality->random[writes] += !sequential;
        *end = locality_end(address, columns->size[i]);
    }
}

/* Each trace has disks of its own. */
static void locality_begin_trace(void *locality_state) {
    struct locality_state *state = locality_state;
    struct analysis_context *context = state->context;

    state->locality = (struct locality){0};
    memset(state->locality.end, 0xFF, sizeof state->locality.end);
    devices_free(&state->devices);
    devices_read(&state->devices, context->database, context->trace->trace->id, &context->error);
}

static void locality_end_trace(void *locality_state) {
    struct locality_state *state = locality_state;

    for (int direction = 0; direction < DIRECTIONS; direction++) {
        TEMP_ROW(&state->context->tables[0], state->context->trace->trace->id, direction,
                 state->locality.sequential[direction], state->locality.random[direction]);
    }
}

static void locality_free_state(void *locality_state) {
    struct locality_state *state = locality_state;

    devices_free(&state->devices);
}

/* Reads (0) and writes (1) that start where the previous one of the same direction and device
 * ended, and all others. I/Os without a sector or data do not count, and with --data-only neither
 * do metadata and journal blocks. */
const struct analysis analysis_locality = {
    .name = "locality",
    .tables = {{"tally_locality", "trace, direction, sequential, random", NULL}},
    .pass = PASS_IN_ORDER,
    .fields = EVENT_OBJECT | EVENT_FLAGS | EVENT_ADDRESS | EVENT_SIZE,
    .parameters = {{
        .name = "data-only",
        .type = PARAMETER_FLAG,
        .help = "locality: leave metadata and journal out",
    }},
    .state_size = sizeof(struct locality_state),
    .begin_trace = locality_begin_trace,
    .visit = locality_visit,
    .end_trace = locality_end_trace,
    .free = locality_free_state,
};

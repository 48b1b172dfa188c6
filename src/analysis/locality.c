/* Sequential and random I/O: temp.tally_locality. */
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/transfers.h"

enum {
    DIRECTIONS = 2, /* reads, writes */
};

struct locality_state {
    const struct analysis_context *context;
    bool data_only;
    int64_t trace;
    struct devices object_devices; /* owned */
    struct device_slots devices;
    int64_t end[DEVICE_SLOTS][DIRECTIONS]; /* sector behind the last I/O, -1: none yet */
    int64_t sequential[DIRECTIONS], random[DIRECTIONS];
};

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct locality_state *state = context_state;

    (void)error;
    for (size_t i = 0; i < count; i++) {
        enum io_class class = io_class_of(columns->flags[i]);
        enum io_block_type type = io_block_type_of(columns->flags[i]);
        int64_t address = columns->address[i], size = columns->size[i];
        int direction = class == IO_WRITE || class == IO_WRITESYNC;
        size_t slot;

        if (class == IO_OTHER || class == IO_FLUSH || size == 0 || address == EVENT_NONE ||
            (state->data_only && (type == IO_BLOCK_JOURNAL || type == IO_BLOCK_METADATA))) {
            continue;
        }
        slot =
            device_slot(&state->devices, devices_find(&state->object_devices, columns->object[i]));
        if (state->end[slot][direction] == address) {
            state->sequential[direction]++;
        } else {
            state->random[direction]++;
        }
        state->end[slot][direction] = address + (size == EVENT_NONE ? 0 : size / TRANSFER_SECTOR);
    }
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct locality_state *state = context_state;

    (void)error;
    state->context = context;
    state->data_only = context->values[0].given;
    return true;
}

/* Another trace has another disk. */
static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct locality_state *state = context_state;

    state->trace = trace->trace->id;
    state->devices = (struct device_slots){.count = 0};
    memset(state->end, 0xFF, sizeof state->end);
    memset(state->sequential, 0, sizeof state->sequential);
    memset(state->random, 0, sizeof state->random);
    devices_free(&state->object_devices);
    return devices_read(&state->object_devices, state->context->selection->database, state->trace,
                        error);
}

static bool write_counts(void *context_state, struct error *error) {
    const struct locality_state *state = context_state;
    const struct selection *selection = state->context->selection;
    sqlite3_stmt *insert = scratch_prepare(
        selection->scratch, "INSERT INTO temp.tally_locality VALUES (?1, ?2, ?3, ?4)", error);
    bool done = insert != NULL;

    for (int direction = 0; done && direction < DIRECTIONS; direction++) {
        sqlite3_bind_int64(insert, 1, state->trace);
        sqlite3_bind_int64(insert, 2, direction);
        sqlite3_bind_int64(insert, 3, state->sequential[direction]);
        sqlite3_bind_int64(insert, 4, state->random[direction]);
        done = database_execute(selection->database, insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}

static void free_state(void *context_state) {
    struct locality_state *state = context_state;

    devices_free(&state->object_devices);
}

/* Reads (0) and writes (1) that start where the previous one of the same direction and device
 * ended, and the others. I/Os without a sector or without data do not count; with --data-only
 * neither do metadata and journal blocks. */
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
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit,
    .end_trace = write_counts,
    .free = free_state,
};

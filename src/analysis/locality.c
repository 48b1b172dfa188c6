/* Sequential and random I/O: temp.tally_locality. */
#include <string.h>

#include "analysis/analysis.h"
#include "model/device_slots.h"
#include "model/event.h"
#include "store/devices.h"

enum locality_direction { LOCALITY_READS, LOCALITY_WRITES };
#define LOCALITY_DIRECTIONS 2

struct locality {
    bool data_only; /* metadata and journal blocks do not count */
    struct device_slots devices;
    int64_t end[DEVICE_SLOTS][LOCALITY_DIRECTIONS]; /* sector behind the last I/O; -1: none yet */
    int64_t sequential[LOCALITY_DIRECTIONS], random[LOCALITY_DIRECTIONS];
};

/* What counts of an I/O. */
struct locality_io {
    enum locality_direction direction;
    bool is_data; /* neither of metadata nor of the journal */
    int64_t device, address, end;
};

/* The sector behind an I/O. Sums of hostile numbers wrap around. */
static int64_t locality_end(int64_t address, int64_t size) {
    return size == EVENT_NONE ? address
                              : (int64_t)((uint64_t)address + (uint64_t)(size / IO_SECTOR));
}

/* Of the device of that number (EVENT_NONE: not known), with flags, address and size as struct
 * event has them. False: it has no place or carries no data, and does not count. */
static bool locality_io(struct locality_io *io, int64_t device, uint32_t flags, int64_t address,
                        int64_t size) {
    enum io_class class = io_class_of(flags);
    enum io_block_type type = io_block_type_of(flags);

    if (class == IO_OTHER || class == IO_FLUSH || size == 0 || address == EVENT_NONE) {
        return false;
    }
    *io = (struct locality_io){
        .direction = class == IO_WRITE || class == IO_WRITESYNC ? LOCALITY_WRITES : LOCALITY_READS,
        .is_data = type != IO_BLOCK_JOURNAL && type != IO_BLOCK_METADATA,
        .device = device,
        .address = address,
        .end = locality_end(address, size),
    };
    return true;
}

/* The next I/O, in order of time. */
static void locality_add(struct locality *locality, const struct locality_io *io) {
    int64_t *end;
    bool sequential;

    if (locality->data_only && !io->is_data) {
        return;
    }
    end = &locality->end[device_slot(&locality->devices, io->device)][io->direction];
    sequential = *end == io->address;
    locality->sequential[io->direction] += sequential;
    locality->random[io->direction] += !sequential;
    *end = io->end;
}

struct locality_state {
    const struct analysis_context *context;
    int64_t trace;
    struct devices devices; /* owned; of objects */
    struct locality locality;
};

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct locality_state *state = context_state;
    struct locality_io io;

    (void)error;
    for (size_t i = 0; i < count; i++) {
        if (locality_io(&io, devices_find(&state->devices, columns->object[i]), columns->flags[i],
                        columns->address[i], columns->size[i])) {
            locality_add(&state->locality, &io);
        }
    }
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct locality_state *state = context_state;

    (void)error;
    state->context = context;
    return true;
}

/* Another trace has another disk. */
static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct locality_state *state = context_state;

    state->trace = trace->trace->id;
    state->locality = (struct locality){.data_only = state->context->values[0].given};
    memset(state->locality.end, 0xFF, sizeof state->locality.end);
    devices_free(&state->devices);
    return devices_read(&state->devices, state->context->selection->database, state->trace, error);
}

static bool write_counts(void *context_state, struct error *error) {
    const struct locality_state *state = context_state;
    const struct selection *selection = state->context->selection;
    sqlite3_stmt *insert = temp_schema_prepare(
        selection->temp, "INSERT INTO temp.tally_locality VALUES (?1, ?2, ?3, ?4)", error);
    bool done = insert != NULL;

    for (int direction = 0; done && direction < LOCALITY_DIRECTIONS; direction++) {
        sqlite3_bind_int64(insert, 1, state->trace);
        sqlite3_bind_int64(insert, 2, direction);
        sqlite3_bind_int64(insert, 3, state->locality.sequential[direction]);
        sqlite3_bind_int64(insert, 4, state->locality.random[direction]);
        done = database_execute(selection->database, insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}

static void free_state(void *context_state) {
    struct locality_state *state = context_state;

    devices_free(&state->devices);
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

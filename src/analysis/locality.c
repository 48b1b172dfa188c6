/* Sequential and random I/O: temp.tally_locality. */
#include "scan/event_scan.h"
#include "analysis/scan.h"
#include "store/devices.h"

enum {
    LOCALITY_DEVICES = 256, /* told apart; further ones share a place */
    DIRECTIONS = 2,         /* reads, writes */
    SECTOR = 512,
};

struct locality_device {
    int64_t device;
    int64_t end[DIRECTIONS]; /* sector behind the last I/O, -1: none yet */
};

struct locality_scan {
    bool data_only;
    struct devices object_devices;
    struct locality_device devices[LOCALITY_DEVICES];
    size_t device_count;
    int64_t sequential[DIRECTIONS], random[DIRECTIONS];
};

static struct locality_device *find_device(struct locality_scan *scan, int64_t device) {
    for (size_t i = 0; i < scan->device_count; i++) {
        if (scan->devices[i].device == device || i == LOCALITY_DEVICES - 1) {
            return &scan->devices[i];
        }
    }
    scan->devices[scan->device_count] = (struct locality_device){device, {-1, -1}};
    return &scan->devices[scan->device_count++];
}

static bool visit(void *context, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct locality_scan *scan = context;

    (void)error;
    for (size_t i = 0; i < count; i++) {
        enum io_class class = io_class_of(columns->flags[i]);
        enum io_block_type type = io_block_type_of(columns->flags[i]);
        int64_t address = columns->address[i], size = columns->size[i];
        int direction = class == IO_WRITE || class == IO_WRITESYNC;
        struct locality_device *device;

        if (class == IO_OTHER || address == EVENT_NONE ||
            (scan->data_only && (type == IO_BLOCK_JOURNAL || type == IO_BLOCK_METADATA))) {
            continue;
        }
        device = find_device(scan, devices_find(&scan->object_devices, columns->object[i]));
        if (device->end[direction] == address) {
            scan->sequential[direction]++;
        } else {
            scan->random[direction]++;
        }
        device->end[direction] = address + (size == EVENT_NONE ? 0 : size / SECTOR);
    }
    return true;
}

static bool write_counts(struct database *database, const struct locality_scan *scan, int64_t trace,
                         struct error *error) {
    for (int64_t direction = 0; direction < DIRECTIONS; direction++) {
        if (!database_change(
                database, error, "INSERT INTO temp.tally_locality VALUES (?1, ?2, ?3, ?4)", "iiii",
                trace, direction, scan->sequential[direction], scan->random[direction])) {
            return false;
        }
    }
    return true;
}

/* Another trace has another disk. */
static bool scan_trace(void *context, struct event_scan *events, struct error *error) {
    const bool *data_only = context;
    struct locality_scan scan = {.data_only = *data_only};
    bool done;

    events->fields = EVENT_OBJECT | EVENT_FLAGS | EVENT_ADDRESS | EVENT_SIZE;
    events->visit = visit;
    done = devices_read(&scan.object_devices, events->database, events->trace, error) &&
           event_scan_in_order(events, &scan, error) &&
           write_counts(events->database, &scan, events->trace, error);
    devices_free(&scan.object_devices);
    return done;
}

bool scan_locality(struct database *database, const struct selection_filter *filter,
                   struct error *error) {
    bool data_only = filter->data_only;

    return database_run(database,
                        "CREATE TEMP TABLE tally_locality (trace, direction, sequential, random)",
                        error) &&
           event_scan_selection(database, filter, scan_trace, &data_only, error);
}

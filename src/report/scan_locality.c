/* Sequential and random I/O: temp.tally_locality. */
#include "report/scan.h"

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
    int64_t trace;
    struct locality_device devices[LOCALITY_DEVICES];
    size_t device_count;
    int64_t sequential[DIRECTIONS], random[DIRECTIONS];
    struct database *database;
    struct error *error;
    bool failed;
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

static bool write_counts(struct locality_scan *scan) {
    for (int64_t direction = 0; direction < DIRECTIONS; direction++) {
        if (!database_change(scan->database, scan->error,
                             "INSERT INTO temp.tally_locality VALUES (?1, ?2, ?3, ?4)", "iiii",
                             scan->trace, direction, scan->sequential[direction],
                             scan->random[direction])) {
            return false;
        }
        scan->sequential[direction] = scan->random[direction] = 0;
    }
    return true;
}

/* Another trace begins: its disk is another one. */
static bool next_trace(struct locality_scan *scan, int64_t trace) {
    if (scan->trace != 0 && !write_counts(scan)) {
        return false;
    }
    scan->trace = trace;
    scan->device_count = 0;
    return true;
}

/* locality_events(scan, trace, device, flags, address, size) */
static void locality_step(sqlite3_context *context, int count, sqlite3_value **values) {
    struct locality_scan *scan = scan_state(values);
    int64_t trace = sqlite3_value_int64(values[1]);
    enum io_class class = io_class_of((uint32_t)sqlite3_value_int64(values[3]));
    int direction = class == IO_WRITE || class == IO_WRITESYNC;
    int64_t sector = sqlite3_value_int64(values[4]);
    struct locality_device *device;

    (void)count;
    if (scan == NULL || scan->failed) {
        return;
    }
    if (trace != scan->trace && !next_trace(scan, trace)) {
        scan->failed = true;
        sqlite3_result_error(context, scan->error->message, -1);
        return;
    }
    if (class == IO_OTHER || sqlite3_value_type(values[4]) == SQLITE_NULL) {
        return;
    }
    device = find_device(scan, sqlite3_value_type(values[2]) == SQLITE_NULL
                                   ? EVENT_NONE
                                   : sqlite3_value_int64(values[2]));
    if (device->end[direction] == sector) {
        scan->sequential[direction]++;
    } else {
        scan->random[direction]++;
    }
    device->end[direction] = sector + sqlite3_value_int64(values[5]) / SECTOR;
}

bool scan_locality(struct database *database, bool data_only, struct error *error) {
    struct locality_scan scan = {.database = database, .error = error};
    sqlite3_stmt *statement;

    if (!database_run(database,
                      "CREATE TEMP TABLE tally_locality (trace, direction, sequential, random)",
                      error)) {
        return false;
    }
    /* Block types 2 and 3 are journal and metadata. */
    statement = database_prepare(
        database,
        "SELECT locality_events(?1, e.trace, o.device, e.flags, e.address, e.size)"
        " FROM temp.selected_event AS e LEFT JOIN main.object AS o ON o.id = e.object"
        " WHERE NOT ?2 OR e.flags >> 3 & 7 NOT IN (2, 3)",
        error);
    if (statement == NULL) {
        return false;
    }
    sqlite3_bind_int(statement, 2, data_only);
    return scan_run(database, statement, &scan, &scan.failed, error) &&
           (scan.trace == 0 || write_counts(&scan));
}

bool scan_register_locality(struct database *database, struct error *error) {
    return scan_register_function(database, "locality_events", 6, locality_step, error);
}

#include "store/devices.h"

#include <stdlib.h>

#include "base/memory.h"

/* Ids of a trace follow one another; only a damaged database has them so far apart. */
#define MOST_IDS (1 << 27)

/* Room for ids up to `object`, which ascend. */
static bool need_place(struct devices *devices, int64_t object, struct error *error) {
    size_t count;

    if (devices->count == 0) {
        devices->least = (uint32_t)object;
    }
    count = (size_t)(object - devices->least) + 1;
    if (count > MOST_IDS) {
        return error_set(error, "the ids of objects lie too far apart: the database is damaged");
    }
    if (count > devices->capacity) {
        size_t larger = 2 * count;

        devices->numbers = xreallocarray(devices->numbers, larger, sizeof *devices->numbers);
        devices->capacity = larger;
    }
    while (devices->count < count) {
        devices->numbers[devices->count++] = EVENT_NONE;
    }
    return true;
}

static bool add_device(struct devices *devices, int64_t object, int64_t device,
                       struct error *error) {
    if (!need_place(devices, object, error)) {
        return false;
    }
    devices->numbers[object - devices->least] = device;
    return true;
}

bool devices_read(struct devices *devices, struct database *database, int64_t trace,
                  struct error *error) {
    sqlite3_stmt *select =
        database_take(database,
                      "SELECT id, device FROM main.object WHERE trace = ?1 AND device IS NOT NULL"
                      " AND id BETWEEN 1 AND 4294967295 ORDER BY id",
                      error);
    bool row = true, done = select != NULL;

    *devices = (struct devices){0};
    if (done) {
        sqlite3_bind_int64(select, 1, trace);
    }
    while (done && row) {
        done = database_step(database, select, &row, error);
        done = done && (!row || add_device(devices, sqlite3_column_int64(select, 0),
                                           sqlite3_column_int64(select, 1), error));
    }
    database_keep(database, select);
    return done;
}

void devices_free(struct devices *devices) {
    free(devices->numbers);
    *devices = (struct devices){0};
}

#include "store/devices.h"

#include <stdlib.h>

#include "base/memory.h"

/* Limit of the range of a trace's object ids. They are consecutive, except in a damaged database.
 */
#define MOST_IDS (1 << 27)

/* Makes room for the device of object id `object`; ids must increase from call to call. */
static bool need_place(struct devices *devices, int64_t object, struct error *error) {
    size_t count;

    if (devices->count == 0) {
        devices->least = (uint32_t)object;
    }
    count = (size_t)(object - devices->least) + 1;
    if (count > MOST_IDS) {
        return error_set(error, "the database is damaged: its object ids are out of range");
    }
    if (count > devices->capacity) {
        devices->capacity = 2 * count;
        devices->numbers =
            xreallocarray(devices->numbers, devices->capacity, sizeof *devices->numbers);
    }
    while (devices->count < count) {
        devices->numbers[devices->count++] = EVENT_NONE;
    }
    return true;
}

bool devices_read(struct devices *devices, struct database *database, int64_t trace,
                  struct error *error) {
    struct database_query query =
        database_query(database, error,
                       "SELECT id, device FROM main.object WHERE trace = ?1 AND device IS NOT NULL"
                       " AND id BETWEEN 1 AND 4294967295 ORDER BY id",
                       "i", trace);

    *devices = (struct devices){0};
    while (database_next(&query)) {
        int64_t object = sqlite3_column_int64(query.row, 0);

        query.failed = !need_place(devices, object, error);
        if (!query.failed) {
            devices->numbers[object - devices->least] = sqlite3_column_int64(query.row, 1);
        }
    }
    return database_end(&query);
}

void devices_free(struct devices *devices) {
    free(devices->numbers);
    *devices = (struct devices){0};
}

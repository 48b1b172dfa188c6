#include "store/devices.h"

#include <stdlib.h>

#include "base/hash.h"

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
        devices->slots = xreallocarray(devices->slots, devices->capacity, sizeof *devices->slots);
    }
    while (devices->count < count) {
        devices->slots[devices->count++] = 0;
    }
    return true;
}

struct numbered_device {
    int64_t device;
    uint32_t number;
    UT_hash_handle hh;
};

uint32_t devices_number(struct numbered_device **known, int64_t device) {
    struct numbered_device *found;

    HASH_FIND(hh, *known, &device, sizeof device, found);
    if (found == NULL) {
        HASH_NEW(*known, device, device, found);
        found->number = HASH_COUNT(*known) - 1;
    }
    return found->number;
}

void devices_free_numbers(struct numbered_device *known) {
    HASH_FREE(known);
}

/* Returns the slot of a device; a new device gets the next one. */
static uint32_t devices_slot(struct devices *devices, struct numbered_device **known,
                             int64_t device) {
    const uint32_t slot = devices_number(known, device);

    if (slot == devices->slot_count) {
        *ARRAY_NEW(devices->numbers, devices->slot_count, devices->slot_capacity) = device;
    }
    return slot;
}

bool devices_read(struct devices *devices, struct database *database, int64_t trace,
                  struct error *error) {
    struct database_query query =
        database_query(database, error,
                       "SELECT id, device FROM main.object WHERE trace = ?1 AND device IS NOT NULL"
                       " AND id BETWEEN 1 AND 4294967295 ORDER BY id",
                       "i", trace);
    struct numbered_device *known = NULL;

    *devices = (struct devices){0};
    devices_slot(devices, &known, EVENT_NONE); /* slot 0 */
    while (database_next(&query)) {
        int64_t object = sqlite3_column_int64(query.row, 0);

        query.failed = !need_place(devices, object, error);
        if (!query.failed) {
            devices->slots[object - devices->least] =
                devices_slot(devices, &known, sqlite3_column_int64(query.row, 1));
        }
    }
    devices_free_numbers(known);
    return database_end(&query);
}

void devices_free(struct devices *devices) {
    free(devices->slots);
    free(devices->numbers);
    *devices = (struct devices){0};
}

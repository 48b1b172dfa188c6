#include "store/remap_table.h"

#include "model/event.h"

bool remap_table_write(struct database *database, int64_t trace, const struct remap *remaps,
                       size_t count, struct error *error) {
    for (size_t i = 0; i < count; i++) {
        const struct remap *remap = &remaps[i];

        if (!database_change(database, error,
                             "INSERT INTO main.remap VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                             "iiioiii", trace, remap->from, remap->device, remap->shift,
                             remap->first, remap->last, remap->count)) {
            return false;
        }
    }
    return true;
}

bool remap_table_read(struct database *database, int64_t trace, int64_t device,
                      struct remap *remaps, size_t most, size_t *count, bool *whole,
                      struct error *error) {
    int64_t rest = 0;
    sqlite3_stmt *select =
        database_prepare(database,
                         "SELECT \"from\", device, shift, first, last, count FROM main.remap"
                         " WHERE trace = ?1 AND device = ?2 AND \"from\" <> device"
                         " ORDER BY \"from\", first, last, shift",
                         error);
    bool row = true, done = select != NULL;

    *count = 0;
    *whole = true;
    if (done) {
        sqlite3_bind_int64(select, 1, trace);
        sqlite3_bind_int64(select, 2, device);
    }
    while (done && row && *whole) {
        done = database_step(database, select, &row, error);
        *whole = !row || *count < most;
        if (done && row && *whole) {
            remaps[(*count)++] = (struct remap){
                .from = sqlite3_column_int64(select, 0),
                .device = sqlite3_column_int64(select, 1),
                .shift = database_column_optional(select, 2),
                .first = sqlite3_column_int64(select, 3),
                .last = sqlite3_column_int64(select, 4),
                .count = sqlite3_column_int64(select, 5),
            };
        }
    }
    sqlite3_finalize(select);
    done = done && database_integer(database,
                                    "SELECT count(*) FROM main.remap WHERE trace = ?1 AND"
                                    " \"from\" = 0 AND device = 0 AND shift IS NULL",
                                    trace, 0, &rest, error);
    *whole = *whole && rest == 0;
    return done;
}

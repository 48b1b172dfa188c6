#include "store/partition_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool partitions_write(struct database *database, int64_t trace,
                      const struct config_partition *entries, size_t count, struct error *error) {
    if (!database_change(database, error, "DELETE FROM main.partition WHERE trace = ?1", "i",
                         trace)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct config_partition *entry = &entries[i];
        bool ranged = entry->sectors > 0;

        if (!database_change(
                database, error, "INSERT INTO main.partition VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                "iisooo", trace, (int64_t)i + 1, entry->name,
                entry->device < 0 ? INT64_MIN : entry->device,
                ranged ? entry->first_sector : INT64_MIN, ranged ? entry->sectors : INT64_MIN)) {
            return false;
        }
    }
    return true;
}

static bool add_entry(struct partitions *partitions, sqlite3_stmt *row, struct error *error) {
    struct config_partition *entries =
        xrealloc(partitions->entries, (partitions->count + 1) * sizeof *entries);
    const char *name = (const char *)sqlite3_column_text(row, 0);

    partitions->entries = entries;
    entries[partitions->count] = (struct config_partition){
        .name = xstrdup(name == NULL ? "" : name),
        .device = sqlite3_column_type(row, 1) == SQLITE_NULL ? -1 : sqlite3_column_int64(row, 1),
        .first_sector = sqlite3_column_int64(row, 2),
        .sectors = sqlite3_column_int64(row, 3),
    };
    return entries[partitions->count++].name != NULL || error_no_memory(error);
}

bool partitions_read(struct database *database, int64_t trace, struct partitions *partitions,
                     struct error *error) {
    sqlite3_stmt *select =
        database_prepare(database,
                         "SELECT name, device, first_sector, sectors FROM main.partition"
                         " WHERE trace = ?1 ORDER BY number",
                         error);
    bool row = true, done = select != NULL;

    *partitions = (struct partitions){0};
    if (done) {
        sqlite3_bind_int64(select, 1, trace);
    }
    while (done && row) {
        done = database_step(database, select, &row, error) &&
               (!row || add_entry(partitions, select, error));
    }
    sqlite3_finalize(select);
    if (!done) {
        partitions_free(partitions);
    }
    return done;
}

void partitions_free(struct partitions *partitions) {
    for (size_t i = 0; i < partitions->count; i++) {
        free(partitions->entries[i].name);
    }
    free(partitions->entries);
    *partitions = (struct partitions){0};
}

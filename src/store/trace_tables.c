#include "store/trace_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/event.h"

static bool open_writer(struct allocation_writer *writer, struct database *database, int64_t trace,
                        struct error *error) {
    if (!database_integer(database, "SELECT max(number) + 1 FROM main.allocation WHERE trace = ?1",
                          trace, 0, &writer->next, error)) {
        return false;
    }
    writer->insert = database_prepare(
        database, "INSERT INTO main.allocation VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)", error);
    return writer->insert != NULL;
}

bool allocation_table_write(struct allocation_writer *writer, struct database *database,
                            int64_t trace, const struct allocation *items, size_t count,
                            struct error *error) {
    bool done = count == 0 || writer->insert != NULL || open_writer(writer, database, trace, error);

    for (size_t i = 0; done && i < count; i++) {
        const struct allocation *item = &items[i];
        sqlite3_stmt *insert = writer->insert;

        sqlite3_bind_int64(insert, 1, trace);
        sqlite3_bind_int64(insert, 2, writer->next++);
        sqlite3_bind_int64(insert, 3, item->time);
        sqlite3_bind_int64(insert, 4, item->device);
        sqlite3_bind_text(insert, 5, allocation_word(item->what), -1, SQLITE_STATIC);
        sqlite3_bind_int64(insert, 6, item->inode);
        database_bind_optional(insert, 7, item->mode);
        sqlite3_bind_int64(insert, 8, item->block);
        sqlite3_bind_int64(insert, 9, item->count);
        done = database_execute(database, insert, error);
    }
    return done;
}

void allocation_writer_close(struct allocation_writer *writer) {
    sqlite3_finalize(writer->insert);
    *writer = (struct allocation_writer){0};
}

static bool is_sound(const struct allocation *item) {
    return item->what != ALLOCATION_WHATS && item->inode >= 0 && item->inode <= UINT32_MAX &&
           item->block >= 0 && item->count >= 0 && item->count <= UINT32_MAX &&
           item->block <= INT64_MAX - item->count;
}

bool allocation_table_read(struct database *database, int64_t trace, const int64_t devices[2],
                           bool (*take)(void *context, const struct allocation *allocation,
                                        struct error *error),
                           void *context, struct error *error) {
    sqlite3_stmt *select = database_prepare(
        database,
        "SELECT time, device, what, inode, mode, block, count FROM main.allocation"
        " WHERE trace = ?1 AND (device IN (?2, ?3) OR what IN ('lost', 'regained'))"
        " ORDER BY time, number",
        error);
    bool row = true, done = select != NULL;

    if (done) {
        sqlite3_bind_int64(select, 1, trace);
        sqlite3_bind_int64(select, 2, devices[0]);
        sqlite3_bind_int64(select, 3, devices[1]);
    }
    while (done && (done = database_step(database, select, &row, error)) && row) {
        const struct allocation item = {
            .time = sqlite3_column_int64(select, 0),
            .device = sqlite3_column_int64(select, 1),
            .what = allocation_what((const char *)sqlite3_column_text(select, 2)),
            .inode = sqlite3_column_int64(select, 3),
            .mode = database_column_optional(select, 4),
            .block = sqlite3_column_int64(select, 5),
            .count = sqlite3_column_int64(select, 6),
        };

        done = !is_sound(&item) || take(context, &item, error);
    }
    sqlite3_finalize(select);
    return done;
}

/* --- loss ----------------------------------------------------------------------------------------
 */

bool loss_table_add(struct database *database, int64_t trace, const struct loss_row *row,
                    struct error *error) {
    return database_change(
        database, error,
        "INSERT INTO main.loss VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
        " ON CONFLICT (trace, cpu) DO UPDATE SET lost = lost + excluded.lost,"
        " uncounted = uncounted + excluded.uncounted,"
        " overwritten = overwritten + excluded.overwritten, events = events + excluded.events,"
        " first = min(ifnull(first, excluded.first), ifnull(excluded.first, first)),"
        " last = max(ifnull(last, excluded.last), ifnull(excluded.last, last))",
        "iiiiiioo", trace, row->cpu, row->lost, row->uncounted, row->overwritten, row->events,
        row->first, row->last);
}

/* --- partition -----------------------------------------------------------------------------------
 */

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

static void add_entry(struct partitions *partitions, sqlite3_stmt *row) {
    struct config_partition *entries =
        xrealloc(partitions->entries, (partitions->count + 1) * sizeof *entries);
    const char *name = (const char *)sqlite3_column_text(row, 0);

    partitions->entries = entries;
    entries[partitions->count++] = (struct config_partition){
        .name = xstrdup(name == NULL ? "" : name),
        .device = sqlite3_column_type(row, 1) == SQLITE_NULL ? -1 : sqlite3_column_int64(row, 1),
        .first_sector = sqlite3_column_int64(row, 2),
        .sectors = sqlite3_column_int64(row, 3),
    };
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
        done = database_step(database, select, &row, error);
        if (done && row) {
            add_entry(partitions, select);
        }
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

/* --- remap ---------------------------------------------------------------------------------------
 */

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

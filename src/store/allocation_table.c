#include "store/allocation_table.h"

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

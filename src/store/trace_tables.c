#include "store/trace_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "model/batch.h"
#include "model/event.h"

/* --- removing a trace from all tables --------------------------------------------------------- */

/* Tables with a column `trace`, the id of a trace. */
static const char *const dependent_tables[] = {
    "name",           "actor",        "object",         "loggable",
    "ledger",         "remark",       "rollup_hour",    "rollup_operation",
    "rollup_size",    "rollup_block", "rollup_process", "rollup_origin",
    "rollup_letters", "rollup_depth", "rollup_span",    "rollup_latency",
    "probe",          "partition",    "source",         "meaning",
    "event_column",   "map",          "remap",          "pairing",
    "allocation",     "loss",         "rollup_call",    "argument_pack",
};

/* Deletes the rows of a table that refer, in `column`, to events of a trace. */
static bool remove_events(struct database *database, int64_t trace, const char *table,
                          const char *column, struct error *error) {
    char sql[256];

    snprintf(sql, sizeof sql,
             "DELETE FROM %s WHERE %s BETWEEN (SELECT first_event FROM trace WHERE id = ?1)"
             " AND (SELECT last_event FROM trace WHERE id = ?1)",
             table, column);
    return database_run_bound(database, error, sql, "i", trace);
}

bool store_remove(struct database *database, int64_t trace, struct error *error) {
    static const char *const beside[] = {"cpu_time", "open_call", "io_part"};

    if (!database->without_rows && !remove_events(database, trace, "event", "id", error)) {
        return false;
    }
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        if (!remove_events(database, trace, beside[i], "event", error)) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof dependent_tables / sizeof dependent_tables[0]; i++) {
        char sql[64];

        snprintf(sql, sizeof sql, "DELETE FROM %s WHERE trace = ?1", dependent_tables[i]);
        if (!database_run_bound(database, error, sql, "i", trace)) {
            return false;
        }
    }
    return database_run_bound(database, error, "DELETE FROM trace WHERE id = ?1", "i", trace);
}

static bool insert_name(const struct trace_names *names, sqlite3_stmt *row) {
    return names->name(names->context, (uint32_t)sqlite3_column_int64(row, 0),
                       &(struct name_entry){
                           .kind = (const char *)sqlite3_column_text(row, 1),
                           .code = database_column_optional(row, 2),
                           .text = (const char *)sqlite3_column_text(row, 3),
                           .length = (size_t)sqlite3_column_bytes(row, 3),
                           .component = (uint32_t)sqlite3_column_int64(row, 4),
                       });
}

static bool insert_actor(const struct trace_names *names, sqlite3_stmt *row) {
    return names->actor(names->context, (uint32_t)sqlite3_column_int64(row, 0),
                        &(struct actor_entry){
                            .session = sqlite3_column_int64(row, 1),
                            .pid = database_column_optional(row, 2),
                            .tid = database_column_optional(row, 3),
                            .code = database_column_optional(row, 4),
                            .name = (const char *)sqlite3_column_text(row, 5),
                            .length = (size_t)sqlite3_column_bytes(row, 5),
                        });
}

static bool insert_object(const struct trace_names *names, sqlite3_stmt *row) {
    return names->object(names->context, (uint32_t)sqlite3_column_int64(row, 0),
                         &(struct object_entry){
                             .name = (const char *)sqlite3_column_text(row, 1),
                             .length = (size_t)sqlite3_column_bytes(row, 1),
                             .type = (const char *)sqlite3_column_text(row, 2),
                             .device = database_column_optional(row, 3),
                             .inode = (uint32_t)sqlite3_column_int64(row, 4),
                             .generation = (uint32_t)sqlite3_column_int64(row, 5),
                         });
}

bool trace_names_read(struct database *database, int64_t trace, const struct trace_names *names,
                      struct error *error) {
    static const struct {
        const char *sql;
        bool (*give)(const struct trace_names *names, sqlite3_stmt *row);
    } kinds[] = {
        {"SELECT id, ifnull(kind, ''), code, ifnull(text, ''), component FROM name"
         " WHERE trace = ?1",
         insert_name},
        {"SELECT id, session, pid, tid, code, name FROM actor WHERE trace = ?1", insert_actor},
        {"SELECT id, name, type, device, inode, generation FROM object WHERE trace = ?1",
         insert_object},
    };
    const bool wanted[] = {names->name != NULL, names->actor != NULL, names->object != NULL};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct database_query query = database_query(database, error, kinds[i].sql, "i", trace);

        while (wanted[i] && database_next(&query)) {
            query.failed = !kinds[i].give(names, query.row);
        }
        if (!database_end(&query)) {
            return false;
        }
    }
    return true;
}

/* --- the table allocation: blocks that file systems allocated and freed ----------------------- */

static const char *const allocation_words[ALLOCATION_WHATS] = {
    [ALLOCATION_DATA] = "data",       [ALLOCATION_METADATA] = "metadata",
    [ALLOCATION_HELD] = "held",       [ALLOCATION_FREED] = "freed",
    [ALLOCATION_CREATED] = "created", [ALLOCATION_DELETED] = "deleted",
    [ALLOCATION_LOST] = "lost",       [ALLOCATION_REGAINED] = "regained",
};

/* Returns the kind of allocation record for a word; ALLOCATION_WHATS if the word is unknown. */
static enum allocation_what find_what(const char *word) {
    return (enum allocation_what)(
        word == NULL ? ALLOCATION_WHATS : string_index(allocation_words, ALLOCATION_WHATS, word));
}

bool allocation_table_write(struct database *database, int64_t trace,
                            const struct allocation *items, size_t count, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < count; i++) {
        const struct allocation *item = &items[i];

        done = database_run_bound(
            database, error,
            "INSERT INTO main.allocation VALUES (?1, (SELECT"
            " ifnull(max(number) + 1, 0) FROM main.allocation WHERE trace = ?1),"
            " ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            "iiisioii", trace, item->time, item->device, allocation_words[item->what], item->inode,
            item->mode, item->block, item->count);
    }
    return done;
}

bool allocation_table_read(struct database *database, int64_t trace, const int64_t devices[2],
                           bool (*take)(void *context, const struct allocation *allocation,
                                        struct error *error),
                           void *context, struct error *error) {
    struct database_query query =
        database_query(database, error,
                       "SELECT time, device, what, inode, mode, block, count FROM main.allocation"
                       " WHERE trace = ?1 AND (device IN (?2, ?3) OR what IN ('lost', 'regained'))"
                       " ORDER BY time, number",
                       "iii", trace, devices[0], devices[1]);

    while (database_next(&query)) {
        const struct allocation item = {
            .time = sqlite3_column_int64(query.row, 0),
            .device = sqlite3_column_int64(query.row, 1),
            .what = find_what((const char *)sqlite3_column_text(query.row, 2)),
            .inode = sqlite3_column_int64(query.row, 3),
            .mode = database_column_optional(query.row, 4),
            .block = sqlite3_column_int64(query.row, 5),
            .count = sqlite3_column_int64(query.row, 6),
        };

        query.failed = item.what != ALLOCATION_WHATS && item.inode >= 0 &&
                       item.inode <= UINT32_MAX && item.block >= 0 && item.count >= 0 &&
                       item.count <= UINT32_MAX && item.block <= INT64_MAX - item.count &&
                       !take(context, &item, error);
    }
    return database_end(&query);
}

/* --- the table loss: events that a log lacks, by CPU ------------------------------------------ */

bool loss_table_add(struct database *database, int64_t trace, const struct loss_row *row,
                    struct error *error) {
    return database_run_bound(
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

/* --- the table partition: partitions of a trace's devices ------------------------------------- */

bool partitions_write(struct database *database, int64_t trace,
                      const struct config_partition *entries, size_t count, struct error *error) {
    if (!database_run_bound(database, error, "DELETE FROM main.partition WHERE trace = ?1", "i",
                            trace)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct config_partition *entry = &entries[i];
        bool ranged = entry->sectors > 0;

        if (!database_run_bound(
                database, error, "INSERT INTO main.partition VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                "iisooo", trace, (int64_t)i + 1, entry->name,
                entry->device < 0 ? INT64_MIN : entry->device,
                ranged ? entry->first_sector : INT64_MIN, ranged ? entry->sectors : INT64_MIN)) {
            return false;
        }
    }
    return true;
}

bool partitions_read(struct database *database, int64_t trace, struct partitions *partitions,
                     struct error *error) {
    struct database_query query =
        database_query(database, error,
                       "SELECT name, ifnull(device, -1), first_sector, sectors FROM main.partition"
                       " WHERE trace = ?1 ORDER BY number",
                       "i", trace);

    *partitions = (struct partitions){0};
    while (database_next(&query)) {
        partitions->entries =
            xreallocarray(partitions->entries, partitions->count + 1, sizeof *partitions->entries);
        partitions->entries[partitions->count++] = (struct config_partition){
            .name = xstrdup(database_column_text(query.row, 0)),
            .device = sqlite3_column_int64(query.row, 1),
            .first_sector = sqlite3_column_int64(query.row, 2),
            .sectors = sqlite3_column_int64(query.row, 3),
        };
    }
    if (query.failed) {
        partitions_free(partitions);
    }
    return database_end(&query);
}

void partitions_free(struct partitions *partitions) {
    for (size_t i = 0; i < partitions->count; i++) {
        free(partitions->entries[i].name);
    }
    free(partitions->entries);
    *partitions = (struct partitions){0};
}

/* --- the table remap: sectors of a device that are on another --------------------------------- */

bool remap_table_write(struct database *database, int64_t trace, const struct remap *remaps,
                       size_t count, struct error *error) {
    for (size_t i = 0; i < count; i++) {
        const struct remap *remap = &remaps[i];

        if (!database_run_bound(database, error,
                                "INSERT INTO main.remap VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                                "iiioiii", trace, remap->from, remap->device, remap->shift,
                                remap->first, remap->last, remap->count)) {
            return false;
        }
    }
    return true;
}

bool remap_table_read(struct database *database, int64_t trace, int64_t device,
                      struct remap *remaps, size_t *count, bool *whole, struct error *error) {
    struct database_query query =
        database_query(database, error,
                       "SELECT \"from\", device, shift, first, last, count FROM main.remap"
                       " WHERE trace = ?1 AND device = ?2 AND \"from\" <> device"
                       " ORDER BY \"from\", first, last, shift",
                       "ii", trace, device);
    int64_t rest = 0;

    *whole = true;
    for (*count = 0; *whole && database_next(&query);) {
        *whole = *count < REMAPS_MOST;
        if (*whole) {
            remaps[(*count)++] = (struct remap){
                .from = sqlite3_column_int64(query.row, 0),
                .device = sqlite3_column_int64(query.row, 1),
                .shift = database_column_optional(query.row, 2),
                .first = sqlite3_column_int64(query.row, 3),
                .last = sqlite3_column_int64(query.row, 4),
                .count = sqlite3_column_int64(query.row, 5),
            };
        }
    }
    if (!database_end(&query) ||
        !database_query_integer(database,
                                "SELECT count(*) FROM main.remap WHERE trace = ?1"
                                " AND \"from\" = 0 AND device = 0 AND shift IS NULL",
                                trace, 0, &rest, error)) {
        return false;
    }
    *whole = *whole && rest == 0;
    return true;
}

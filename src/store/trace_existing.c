#include "store/trace_existing.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static char *column_copy(sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);

    return text == NULL ? NULL : xstrdup(text);
}

/* Takes over what the trace's row says; `row` is that of trace_existing_load(). */
static bool read_existing(struct store *store, sqlite3_stmt *row, const char *name,
                          const char *format, struct error *error) {
    const char *its_format = (const char *)sqlite3_column_text(row, 0);

    if (its_format == NULL || strcmp(its_format, format) != 0) {
        return error_set(error, "trace %s holds %s; a file of format %s cannot be appended", name,
                         its_format, format);
    }
    store->existing = (struct store_existing){
        .rollups = column_copy(row, 1),
        .resume = column_copy(row, 2),
        .start = database_column_optional(row, 3),
        .utc_offset = database_column_optional(row, 4),
        .sessions = sqlite3_column_int64(row, 5),
        .remarks = sqlite3_column_int64(row, 10),
    };
    if (sqlite3_column_type(row, 6) != SQLITE_NULL) {
        store->first_event = sqlite3_column_int64(row, 6);
        store->next_event = sqlite3_column_int64(row, 7) + 1;
        store->first_time = sqlite3_column_int64(row, 8);
        store->last_time = sqlite3_column_int64(row, 9);
    }
    return store->existing.rollups != NULL || error_no_memory(error);
}

bool trace_existing_load(struct store *store, const char *name, const char *format,
                         struct error *error) {
    sqlite3_stmt *select = database_prepare(
        store->database,
        "SELECT format, rollups, resume, start, utc_offset, sessions, first_event, last_event,"
        " first_time, last_time, (SELECT count(*) FROM remark WHERE trace = ?1)"
        " FROM trace WHERE id = ?1",
        error);
    bool row = false, done = select != NULL;

    if (done) {
        sqlite3_bind_int64(select, 1, store->trace);
        done = database_step(store->database, select, &row, error);
    }
    done = done && row && read_existing(store, select, name, format, error);
    sqlite3_finalize(select);
    return done;
}

static bool give_name(const struct store_names *names, sqlite3_stmt *row) {
    return names->name(names->context, (uint32_t)sqlite3_column_int64(row, 0),
                       &(struct name_entry){
                           .kind = (const char *)sqlite3_column_text(row, 1),
                           .code = database_column_optional(row, 2),
                           .text = (const char *)sqlite3_column_text(row, 3),
                           .length = (size_t)sqlite3_column_bytes(row, 3),
                       });
}

static bool give_actor(const struct store_names *names, sqlite3_stmt *row) {
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

static bool give_object(const struct store_names *names, sqlite3_stmt *row) {
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

bool store_existing_names(struct store *store, const struct store_names *names,
                          struct error *error) {
    static const struct {
        const char *sql;
        bool (*give)(const struct store_names *names, sqlite3_stmt *row);
    } kinds[] = {
        {"SELECT id, ifnull(kind, ''), code, ifnull(text, '') FROM name WHERE trace = ?1",
         give_name},
        {"SELECT id, session, pid, tid, code, name FROM actor WHERE trace = ?1", give_actor},
        {"SELECT id, name, type, device, inode, generation FROM object WHERE trace = ?1",
         give_object},
    };
    const bool wanted[] = {names->name != NULL, names->actor != NULL, names->object != NULL};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        sqlite3_stmt *select = database_prepare(store->database, kinds[i].sql, error);
        bool row = wanted[i], done = select != NULL;

        if (done) {
            sqlite3_bind_int64(select, 1, store->trace);
        }
        while (done && row) {
            done = database_step(store->database, select, &row, error) &&
                   (!row || kinds[i].give(names, select));
        }
        sqlite3_finalize(select);
        if (!done) {
            return error->status != EXIT_DONE ? false : error_no_memory(error);
        }
    }
    return true;
}

bool store_existing_threads(struct store *store, void *context,
                            bool (*thread)(void *context, uint32_t actor, int64_t time),
                            struct error *error) {
    sqlite3_stmt *select = database_prepare(
        store->database,
        /* A time plus a duration is one of the log's own times: the importers see to their size. */
        "SELECT actor, max(time + ifnull(duration, 0)) FROM event WHERE id BETWEEN ?1 AND ?2"
        " AND actor IS NOT NULL GROUP BY actor",
        error);
    bool row = true, done = select != NULL;

    if (done) {
        sqlite3_bind_int64(select, 1, store->first_event);
        sqlite3_bind_int64(select, 2, store->next_event - 1);
    }
    while (done && row) {
        done = database_step(store->database, select, &row, error);
        if (done && row &&
            !thread(context, (uint32_t)sqlite3_column_int64(select, 0),
                    sqlite3_column_int64(select, 1))) {
            done = error_no_memory(error);
        }
    }
    sqlite3_finalize(select);
    return done;
}

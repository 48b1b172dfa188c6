#include "store/transaction.h"

#include <stdlib.h>

#include "store/batch_writer.h"
#include "store/entry_table.h"
#include "store/event_tables.h"
#include "store/row_pages.h"
#include "store/trace_aside.h"
#include "store/trace_existing.h"
#include "store/trace_remove.h"
#include "store/trace_sort.h"
#include "store/write_ahead.h"

/* The events of a trace are one range: before it grows, it must be the last one. */
static bool move_to_end(struct store *store, int64_t end, struct error *error) {
    int64_t first = store->first_event;

    if (store->next_event == end) {
        return true;
    }
    if (store->next_event == store->first_event) {
        store->first_event = store->next_event = end;
        return true;
    }
    return store_sort(store, error) &&
           database_change(store->database, error,
                           "UPDATE source SET first_event = first_event + ?1,"
                           " last_event = last_event + ?1 WHERE trace = ?2",
                           "ii", store->first_event - first, store->trace);
}

static bool begin_appending(struct store *store, const struct store_trace *trace,
                            struct error *error) {
    int64_t end;

    store->appending = true;
    return trace_existing_load(store, trace->name, trace->format, error) &&
           event_tables_end(store, &end, error) && move_to_end(store, end, error);
}

/* Removes the trace of a name, or all traces of the log of that name, when it is to be replaced. */
static bool clear_name(struct store *store, const struct store_trace *trace, struct error *error) {
    int64_t id, part;

    if (!trace_row_find(store,
                        "SELECT id FROM trace WHERE name = ?1 AND log IS NOT NULL AND log <> name",
                        trace->name, &part, error)) {
        return false;
    }
    if (part != 0 && trace->replace) {
        return error_set(error,
                         "trace %s is a part of a log, with other traces: --replace the log as a "
                         "whole, or `tracetool remove` the trace",
                         trace->name);
    }
    do {
        if (!trace_row_find(store, "SELECT id FROM trace WHERE name = ?1 OR log = ?1 LIMIT 1",
                            trace->name, &id, error)) {
            return false;
        }
        if (id != 0 && !trace->replace) {
            return error_set(error,
                             "a trace named %s is there already; choose another name with -n, or "
                             "--replace it",
                             trace->name);
        }
        if (id != 0 && !store_remove(store->database, id, error)) {
            return false;
        }
    } while (id != 0);
    return true;
}

static bool begin_trace(struct store *store, const struct store_trace *trace, struct error *error) {
    if (!trace_row_find(store, "SELECT id FROM trace WHERE name = ?1", trace->name, &store->trace,
                        error)) {
        return false;
    }
    if (trace->append) {
        return store->trace == 0
                   ? error_set(error, "there is no trace named %s to append to; name it with -n",
                               trace->name)
                   : begin_appending(store, trace, error);
    }
    return clear_name(store, trace, error) && trace_row_insert(store, trace, error);
}

static bool first_free_ids(struct store *store, struct error *error) {
    static const char *const queries[] = {
        "SELECT max(id) + 1 FROM name",
        "SELECT max(id) + 1 FROM actor",
        "SELECT max(id) + 1 FROM object",
    };
    uint32_t *const ids[] = {&store->first_name, &store->first_actor, &store->first_object};
    int64_t id;

    for (size_t i = 0; i < 3; i++) {
        if (!database_integer(store->database, queries[i], 0, 1, &id, error)) {
            return false;
        }
        if (id < 1 || id >= INT64_C(1) << 31) {
            return error_set(error, "%s: holds too many names; use a new database",
                             store->database->path);
        }
        *ids[i] = (uint32_t)id;
    }
    if (!store->appending) {
        if (!event_tables_end(store, &store->first_event, error)) {
            return false;
        }
        store->next_event = store->first_event;
    }
    store->first_row = store->next_event;
    return true;
}

/* The database file may have been deleted by hand while this program waited for the lock. */
static bool check_not_moved(const struct store *store, struct error *error) {
    return !database_has_moved(store->database) || database_deleted(store->database, error);
}

/* What a trace of a kind cannot have is not written. */
static unsigned columns_of(const struct store_trace *trace) {
    return trace->kind == TRACE_SPANS
               ? trace->columns
               : trace->columns & ~(unsigned)(EVENT_PARENT | EVENT_DEPTH | EVENT_SELF | EVENT_CPU);
}

static struct store new_store(struct database *database, const struct store_trace *trace) {
    return (struct store){
        .database = database,
        .events = "main.event",
        .beside = {"main.cpu_time", "main.open_call"},
        .batches = "batch",
        .columns = columns_of(trace),
        .first_time = INT64_MAX,
        .last_time = INT64_MIN,
    };
}

static bool begin_writing(struct store *store, bool brief, struct error *error) {
    store->in_transaction = write_ahead_begin(store->database, brief, error);
    return store->in_transaction;
}

static bool prepare(struct store *store, struct error *error) {
    return batch_writer_prepare(store, error) && entry_table_prepare(store, error);
}

bool store_begin(struct store *store, struct database *database, const struct store_trace *trace,
                 struct error *error) {
    *store = new_store(database, trace);
    if (!begin_writing(store, trace->brief, error)) {
        return false;
    }
    if (check_not_moved(store, error) && begin_trace(store, trace, error) &&
        first_free_ids(store, error) && prepare(store, error)) {
        return true;
    }
    store_end(store);
    return false;
}

bool store_begin_change(struct store *store, struct database *database, struct error *error) {
    *store = (struct store){.database = database, .appending = true};
    if (!begin_writing(store, false, error)) {
        return false;
    }
    if (check_not_moved(store, error) && first_free_ids(store, error) &&
        entry_table_prepare(store, error)) {
        return true;
    }
    store_end(store);
    return false;
}

bool store_join(struct store *store, const struct store *first, unsigned number,
                const struct store_trace *trace, struct error *error) {
    *store = new_store(first->database, trace);
    return trace_aside_make(store, number, error) && trace_row_insert(store, trace, error) &&
           prepare(store, error);
}

bool store_complete(struct store *store, const struct store_ending *ending, const char *rollups,
                    struct error *error) {
    return trace_row_complete(store, ending, rollups, error) && batch_writer_finish(store, error);
}

bool store_commit(struct store *store, struct error *error) {
    if (!check_not_moved(store, error) || !write_ahead_commit(store->database, error)) {
        return false;
    }
    store->in_transaction = false;
    return true;
}

void store_end(struct store *store) {
    free(store->existing.rollups);
    free(store->existing.resume);
    store->existing = (struct store_existing){0};
    batch_writer_close(store);
    entry_table_close(store);
    if (store->aside) {
        trace_aside_drop(store);
    }
    if (store->in_transaction) {
        /* A rollback that fails leaves a journal that the next program to open it plays back. */
        sqlite3_exec(store->database->handle, "ROLLBACK", NULL, NULL, NULL);
        store->in_transaction = false;
    }
    row_pages_keep(store->pages);
    store->pages = NULL;
}

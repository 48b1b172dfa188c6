#include "store/row_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "model/batch.h"
#include "model/event_columns.h"
#include "store/column_reader.h"
#include "store/column_table.h"
#include "store/event_rows.h"
#include "store/store.h"

/* A late row: a row before it has a later time. */
struct late_row {
    int64_t id, time;
};

/* State of sorting. All rows except late ones are already in order of time. Each late row is copied
 * before the first of these rows with a later time. */
struct order {
    struct store *store;
    int64_t most;           /* latest time of all rows read so far */
    struct late_row *by_id; /* owned; the late rows, ordered by id */
    size_t count, capacity;
    struct late_row *by_time; /* owned; the late rows, ordered by time */
    size_t passed, placed; /* passed: number of late rows skipped (in by_id); placed: number of them
                              copied (in by_time) */
    sqlite3_stmt *one;     /* owned; statement that selects a row by id */
    struct batch *batch;   /* owned; sorted rows that are not inserted yet */
    struct event_columns columns;
    struct column_coder *coder; /* owned */
};

/* --- finding rows that are earlier than the one before ---------------------------------------- */

static bool note_late_event(void *context, const struct event_columns *columns, size_t count,
                            struct error *error) {
    struct order *order = context;

    for (size_t i = 0; i < count; i++) {
        if (columns->time[i] >= order->most) {
            order->most = columns->time[i];
        } else if (order->count <= ROW_ORDER_LATE) {
            *ARRAY_NEW(order->by_id, order->count, order->capacity) =
                (struct late_row){columns->id[i], columns->time[i]};
        }
    }
    return true;
}

static int compare_late(const void *left, const void *right) {
    const struct late_row *a = left, *b = right;

    return a->time != b->time ? ORDER(a->time, b->time) : ORDER(a->id, b->id);
}

/* Finds the late rows in `event`, because the rows of event_column are not complete yet. */
static bool find_late_events(struct order *order, struct error *error) {
    const struct store *store = order->store;
    const struct event_pass pass = {
        .database = store->database,
        .range = {store->trace, store->first_event, store->next_event - 1},
        .of_rows = true,
        .visit = note_late_event,
    };

    order->most = INT64_MIN;
    if (!event_pass_run(&pass, order, error)) {
        return false;
    }
    order->by_time = xmalloc((order->count + 1) * sizeof *order->by_time);
    if (order->count > 0) {
        memcpy(order->by_time, order->by_id, order->count * sizeof *order->by_time);
        qsort(order->by_time, order->count, sizeof *order->by_time, compare_late);
    }
    return true;
}

/* --- copying the rows in order ---------------------------------------------------------------- */

/* Inserts the batch's sorted rows into the store. */
static bool write_batch(struct order *order, struct error *error) {
    struct store *store = order->store;
    struct batch *batch = order->batch;

    event_columns_fill(&order->columns, batch->events, batch->event_count, batch->first_serial,
                       store->first_row);
    event_chunk_encode_columns(&batch->columns, order->coder, &order->columns, batch->event_count,
                               store->columns);
    store_make_rows(store, batch);
    if (!store_write(store, batch, error)) {
        return false;
    }
    batch->first_serial += (int64_t)batch->event_count;
    batch_clear(batch);
    return true;
}

static bool copy_row(struct order *order, sqlite3_stmt *row, struct error *error) {
    return (!batch_is_full(order->batch) || write_batch(order, error)) &&
           event_rows_read_event(order->store->database, row, order->store->columns, order->batch,
                                 error);
}

/* Copies the late rows with times before `time`; if `all`, all remaining ones. */
static bool copy_late(struct order *order, int64_t time, bool all, struct error *error) {
    while (order->placed < order->count && (all || order->by_time[order->placed].time < time)) {
        bool row;

        sqlite3_bind_int64(order->one, 1, order->by_time[order->placed++].id);
        if (!database_step(order->store->database, order->one, &row, error) ||
            (row && !copy_row(order, order->one, error))) {
            return false;
        }
        sqlite3_reset(order->one);
    }
    return true;
}

/* Copies a row, after the late rows with earlier times. Skips the row if it is itself late. */
static bool copy_next(struct order *order, sqlite3_stmt *row, struct error *error) {
    if (order->passed < order->count &&
        order->by_id[order->passed].id == sqlite3_column_int64(row, 0)) {
        order->passed++;
        return true;
    }
    return copy_late(order, sqlite3_column_int64(row, 1), false, error) &&
           copy_row(order, row, error);
}

static void select_events(const struct store *store, struct text *sql, const char *condition) {
    event_rows_select(sql, store->columns);
    text_append_string(sql, " FROM main.event AS e WHERE ");
    text_append_string(sql, condition);
}

static bool copy_rows(struct order *order, int64_t first, int64_t last, struct error *error) {
    struct database *database = order->store->database;
    struct text sql = {0}, one = {0};
    struct database_query query;

    select_events(order->store, &one, "e.id = ?1");
    order->one = database_prepare_text(database, &one, error);
    if (order->one == NULL) {
        return false;
    }
    select_events(order->store, &sql, "e.id BETWEEN ?1 AND ?2 ORDER BY e.id");
    query = database_query_text(database, error, &sql, "ii", first, last);
    while (database_next(&query)) {
        query.failed = !copy_next(order, query.row, error);
    }
    return database_end(&query) && copy_late(order, 0, true, error) && write_batch(order, error);
}

/* Prepares the store so that the sorted copies get ids from `end` on. */
static bool begin_copy(struct order *order, int64_t end, struct error *error) {
    struct store *store = order->store;

    column_writer_free(store->column_writer);
    store->column_writer = column_writer_new(store->database, store->trace, store->columns);
    store->first_event = store->first_row = store->next_event = end;
    order->batch = batch_new();
    order->batch->in_order = true;
    order->coder = xmalloc(sizeof *order->coder);
    event_columns_grow(&order->columns, store->columns & ~(unsigned)EVENT_ARGUMENTS, BATCH_EVENTS);
    return column_table_remove(store->database, store->trace, error);
}

static void free_order(struct order *order) {
    free(order->by_id);
    free(order->by_time);
    sqlite3_finalize(order->one);
    batch_free(order->batch);
    event_columns_free(&order->columns);
    free(order->coder);
}

/* Copies the rows of the trace in order of time. Sets `*done` to false, without changes, if there
 * are too many late rows. */
static bool copy_in_order(struct store *store, bool *done, struct error *error) {
    struct order order = {.store = store};
    int64_t first = store->first_event, last = store->next_event - 1, row = store->first_row, end;
    bool fine = store_find_end(store, &end, error) && find_late_events(&order, error);

    if (fine && order.count <= ROW_ORDER_LATE) {
        *done = true;
        fine =
            begin_copy(&order, end, error) && copy_rows(&order, first, last, error) &&
            database_run_bound(store->database, error,
                               "DELETE FROM event WHERE id BETWEEN ?1 AND ?2", "ii", first, last);
        store->first_row = row;
    }
    free_order(&order);
    return fine;
}

/* Sorts the events of a private database without rows, by SQL on the virtual table `event`. When
 * the table returns its first sorted row, it has read all old rows of event_column; then these are
 * deleted. */
static bool sort_columns(struct store *store, struct error *error) {
    struct order order = {.store = store};
    const int64_t first = store->first_event, last = store->next_event - 1;
    struct text sql = {0};
    struct database_query query;
    bool more;

    if (!column_writer_finish(store->column_writer, error) || !store_set_id_range(store, error)) {
        return false;
    }
    select_events(store, &sql, "e.id BETWEEN ?1 AND ?2 ORDER BY e.time, e.id");
    query = database_query_text(store->database, error, &sql, "ii", first, last);
    more = database_next(&query);
    query.failed = !begin_copy(&order, first, error) || query.failed;
    while (more && !query.failed) {
        query.failed = !copy_row(&order, query.row, error);
        more = database_next(&query);
    }
    more = database_end(&query) && write_batch(&order, error);
    free_order(&order);
    return more;
}

bool row_order_sort(struct store *store, struct error *error) {
    int64_t parts;
    bool done = false;

    if (!store_count_parts(store, &parts, error) ||
        (parts == 0 && store->pages != NULL && !(store->columns & (EVENT_PARENT | EVENT_CPU)) &&
         !copy_in_order(store, &done, error))) {
        return false;
    }
    if (store->database->without_rows && !(store->columns & (EVENT_PARENT | EVENT_CPU))) {
        return sort_columns(store, error);
    }
    return done || store_sort(store, error);
}

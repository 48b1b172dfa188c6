#include "store/row_renewal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What rows have of the columns. */
#define FIELDS (((1u << EVENT_PLACES) - 1) & ~(unsigned)EVENT_ARGUMENTS)

/* Events whose rows are to be made. */
struct portion {
    struct row_pages *pages;      /* borrowed */
    struct event_columns columns; /* owned; EVENT_CHUNK of them */
    size_t count;
};

struct row_renewal {
    struct database *database; /* borrowed */
    struct column_range range;
    struct event *events;                   /* owned; EVENT_CHUNK of them; the thread's */
    struct portion portions[RENEWAL_PAGES]; /* taken by turns */
    size_t copied;                          /* portions whose rows are written */
    pthread_t thread;
    bool started;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    size_t taken, laid; /* portions that were taken, and whose rows are laid out */
    bool failed, stopped;
    struct error error;
};

/* --- the thread ----------------------------------------------------------------------------------
 */

static bool lay_out(struct row_renewal *renewal, const struct portion *portion,
                    struct error *error) {
    static const struct event empty = EVENT_EMPTY;
    const struct event_columns *columns = &portion->columns;
    const struct batch batch = {
        .events = renewal->events,
        .event_count = portion->count,
        .first_serial = columns->id[0] - renewal->range.first,
    };
    bool fit;

    for (size_t i = 0; i < portion->count; i++) {
        struct event *event = &renewal->events[i];

        *event = empty;
        event_columns_take(columns, i, event);
        if (event->parent != EVENT_NONE) {
            event->parent -= renewal->range.first;
        }
    }
    return row_pages_lay_out(portion->pages, &batch, FIELDS, renewal->range.first, &fit, error) &&
           (fit ||
            error_set(error, "%s: an event does not fit into a page", renewal->database->path));
}

static void *work(void *context) {
    struct row_renewal *renewal = context;

    pthread_mutex_lock(&renewal->lock);
    while (!renewal->stopped && !renewal->failed) {
        struct error error = {0};
        bool done;

        if (renewal->laid == renewal->taken) {
            pthread_cond_wait(&renewal->changed, &renewal->lock);
            continue;
        }
        pthread_mutex_unlock(&renewal->lock);
        done = lay_out(renewal, &renewal->portions[renewal->laid % RENEWAL_PAGES], &error);
        pthread_mutex_lock(&renewal->lock);
        if (done) {
            renewal->laid++;
        } else {
            renewal->failed = true;
            renewal->error = error;
        }
        pthread_cond_broadcast(&renewal->changed);
    }
    pthread_mutex_unlock(&renewal->lock);
    return NULL;
}

/* --- making one ----------------------------------------------------------------------------------
 */

/* Whether the columns are all that is known of all rows of the table. */
static bool is_possible(struct database *database, const struct column_range *range, bool arguments,
                        bool *possible, struct error *error) {
    enum column_state state = COLUMNS_NONE;
    int64_t first, last, found = 0;

    *possible = false;
    if (!column_table_state(database, range, &state, error) ||
        !database_integer(database, "SELECT min(id) FROM main.event", 0, EVENT_NONE, &first,
                          error) ||
        !database_integer(database, "SELECT max(id) FROM main.event", 0, EVENT_NONE, &last,
                          error)) {
        return false;
    }
    if (state != COLUMNS_WHOLE || first != range->first || last != range->last) {
        return true;
    }
    if (arguments &&
        !database_integer(database,
                          "SELECT EXISTS (SELECT 1 FROM main.event WHERE arguments NOT NULL)", 0, 0,
                          &found, error)) {
        return false;
    }
    *possible = found == 0;
    return true;
}

static bool make_pages(struct row_pages *pages[RENEWAL_PAGES], struct database *database,
                       struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < RENEWAL_PAGES && (i == 0 || pages[i - 1] != NULL); i++) {
        done = row_pages_new(database, &pages[i], error);
    }
    return done;
}

static bool prepare(struct row_renewal *renewal, struct row_pages *pages[RENEWAL_PAGES],
                    struct error *error) {
    renewal->events = malloc(EVENT_CHUNK * sizeof *renewal->events);
    if (renewal->events == NULL) {
        return error_no_memory(error);
    }
    for (size_t i = 0; i < RENEWAL_PAGES; i++) {
        renewal->portions[i].pages = pages[i];
        if (!event_columns_grow(&renewal->portions[i].columns, FIELDS, EVENT_CHUNK)) {
            return error_no_memory(error);
        }
    }
    renewal->started = pthread_create(&renewal->thread, NULL, work, renewal) == 0;
    return renewal->started || error_set(error, "cannot start a thread");
}

bool row_renewal_new(struct row_renewal **made, struct row_pages *pages[RENEWAL_PAGES],
                     struct database *database, const struct column_range *range, bool arguments,
                     struct error *error) {
    struct row_renewal *renewal;
    bool possible;

    *made = NULL;
    if (!is_possible(database, range, arguments, &possible, error) ||
        (possible && !make_pages(pages, database, error))) {
        return false;
    }
    if (!possible || pages[RENEWAL_PAGES - 1] == NULL) {
        return true;
    }
    renewal = calloc(1, sizeof *renewal);
    if (renewal == NULL) {
        return error_no_memory(error);
    }
    renewal->database = database;
    renewal->range = *range;
    pthread_mutex_init(&renewal->lock, NULL);
    pthread_cond_init(&renewal->changed, NULL);
    if (!prepare(renewal, pages, error)) {
        row_renewal_free(renewal);
        return false;
    }
    *made = renewal;
    return true;
}

void row_renewal_free(struct row_renewal *renewal) {
    if (renewal == NULL) {
        return;
    }
    if (renewal->started) {
        pthread_mutex_lock(&renewal->lock);
        renewal->stopped = true;
        pthread_cond_broadcast(&renewal->changed);
        pthread_mutex_unlock(&renewal->lock);
        pthread_join(renewal->thread, NULL);
    }
    pthread_cond_destroy(&renewal->changed);
    pthread_mutex_destroy(&renewal->lock);
    for (size_t i = 0; i < RENEWAL_PAGES; i++) {
        event_columns_free(&renewal->portions[i].columns);
    }
    free(renewal->events);
    free(renewal);
}

/* --- using it ------------------------------------------------------------------------------------
 */

bool row_renewal_begin(struct row_renewal *renewal, int64_t *removed, struct error *error) {
    struct database *database = renewal->database;
    int64_t secure;
    char restore[64];
    bool done;

    if (!database_integer(database, "PRAGMA main.secure_delete", 0, 0, &secure, error)) {
        return false;
    }
    snprintf(restore, sizeof restore, "PRAGMA main.secure_delete = %s",
             secure == 0   ? "OFF"
             : secure == 1 ? "ON"
                           : "FAST");
    /* What is removed comes back at once. To fill it with zeros first would write all of it one
     * time more. */
    done = database_run(database, "PRAGMA main.secure_delete = OFF", error) &&
           database_run(database, "DELETE FROM main.event", error);
    *removed = sqlite3_changes64(database->handle);
    return done && database_run(database, restore, error);
}

/* Writes the rows of all portions but the last `left`. */
static bool copy_rows(struct row_renewal *renewal, size_t left, struct error *error) {
    bool done = true;

    while (done && renewal->copied + left < renewal->taken) {
        pthread_mutex_lock(&renewal->lock);
        while (renewal->laid == renewal->copied && !renewal->failed) {
            pthread_cond_wait(&renewal->changed, &renewal->lock);
        }
        done = renewal->laid > renewal->copied;
        if (!done) {
            *error = renewal->error;
        }
        pthread_mutex_unlock(&renewal->lock);
        done =
            done && row_pages_copy(renewal->portions[renewal->copied % RENEWAL_PAGES].pages, error);
        renewal->copied++;
    }
    return done;
}

/* The portion that is taken next was copied: the thread has done with it. */
static void keep_columns(struct row_renewal *renewal, const struct event_columns *columns,
                         size_t count) {
    struct portion *portion = &renewal->portions[renewal->taken % RENEWAL_PAGES];

    memcpy(portion->columns.id, columns->id, count * sizeof *columns->id);
    memcpy(portion->columns.time, columns->time, count * sizeof *columns->time);
#define X(NAME, field, FORM)                                                                       \
    if (EVENT_##NAME & FIELDS) {                                                                   \
        memcpy(portion->columns.field, columns->field, count * sizeof *columns->field);            \
    }
    EVENT_COLUMNS(X)
#undef X
    portion->count = count;
}

bool row_renewal_take(void *context, const struct event_columns *columns, size_t count,
                      struct error *error) {
    struct row_renewal *renewal = context;

    keep_columns(renewal, columns, count);
    pthread_mutex_lock(&renewal->lock);
    renewal->taken++;
    pthread_cond_broadcast(&renewal->changed);
    pthread_mutex_unlock(&renewal->lock);
    return copy_rows(renewal, 1, error);
}

bool row_renewal_finish(struct row_renewal *renewal, struct error *error) {
    return copy_rows(renewal, 0, error);
}

#include "store/row_renewal.h"

#include <stdio.h>
#include <stdlib.h>

struct row_renewal {
    struct database *database; /* borrowed */
    struct row_pages *pages;   /* borrowed */
    struct column_range range;
    struct event *events; /* owned; EVENT_CHUNK of them */
};

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

bool row_renewal_new(struct row_renewal **made, struct row_pages **pages, struct database *database,
                     const struct column_range *range, bool arguments, struct error *error) {
    struct row_renewal *renewal;
    bool possible;

    *made = NULL;
    if (!is_possible(database, range, arguments, &possible, error) ||
        (possible && !row_pages_new(database, pages, error))) {
        return false;
    }
    if (!possible || *pages == NULL) {
        return true;
    }
    renewal = calloc(1, sizeof *renewal);
    if (renewal == NULL) {
        return error_no_memory(error);
    }
    *renewal = (struct row_renewal){
        .database = database,
        .pages = *pages,
        .range = *range,
        .events = malloc(EVENT_CHUNK * sizeof *renewal->events),
    };
    if (renewal->events == NULL) {
        free(renewal);
        return error_no_memory(error);
    }
    *made = renewal;
    return true;
}

void row_renewal_free(struct row_renewal *renewal) {
    if (renewal != NULL) {
        free(renewal->events);
        free(renewal);
    }
}

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

bool row_renewal_take(void *context, const struct event_columns *columns, size_t count,
                      struct error *error) {
    static const struct event empty = EVENT_EMPTY;
    struct row_renewal *renewal = context;
    const struct batch batch = {
        .events = renewal->events,
        .event_count = count,
        .first_serial = columns->id[0] - renewal->range.first,
    };
    bool written;

    for (size_t i = 0; i < count; i++) {
        struct event *event = &renewal->events[i];

        *event = empty;
        event_columns_take(columns, i, event);
        if (event->parent != EVENT_NONE) {
            event->parent -= renewal->range.first;
        }
    }
    return row_pages_write(renewal->pages, &batch, ~(unsigned)EVENT_ARGUMENTS, renewal->range.first,
                           &written, error) &&
           (written ||
            error_set(error, "%s: an event does not fit into a page", renewal->database->path));
}

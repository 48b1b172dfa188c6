#include "scan/open_times.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"

static void open_times_add_row(struct open_times *times, sqlite3_stmt *row) {
    *ARRAY_NEW(times->calls, times->count, times->capacity) = (struct open_time){
        .id = sqlite3_column_int64(row, 0),
        .duration = sqlite3_column_int64(row, 1),
        .self = database_column_optional(row, 2),
        .cpu_duration = database_column_optional(row, 3),
        .cpu_self = database_column_optional(row, 4),
    };
}

bool open_times_read(struct open_times *times, struct database *database, int64_t first,
                     int64_t last, struct error *error) {
    struct database_query query =
        database_query(database, error,
                       "SELECT event, duration, self, cpu_duration, cpu_self FROM main.open_call"
                       " WHERE event BETWEEN ?1 AND ?2 ORDER BY event",
                       "ii", first, last);

    *times = (struct open_times){0};
    while (database_next(&query)) {
        open_times_add_row(times, query.row);
    }
    return database_end(&query);
}

void open_times_free(struct open_times *times) {
    free(times->calls);
    *times = (struct open_times){0};
}

const struct open_time *open_times_find(const struct open_times *times, int64_t id) {
    return times->count == 0
               ? NULL
               : bsearch(&id, times->calls, times->count, sizeof *times->calls, compare_int64);
}

static void open_times_put(int64_t *column, size_t at, int64_t value) {
    if (column != NULL) {
        column[at] = value;
    }
}

void open_times_fill(const struct open_times *times, struct event_columns *columns, size_t count) {
    for (size_t i = 0; times->count > 0 && i < count; i++) {
        const struct open_time *call =
            columns->flags[i] & SPAN_OPEN ? open_times_find(times, columns->id[i]) : NULL;

        if (call != NULL) {
            open_times_put(columns->duration, i, call->duration);
            open_times_put(columns->self, i, call->self);
            open_times_put(columns->cpu_duration, i, call->cpu_duration);
            open_times_put(columns->cpu_self, i, call->cpu_self);
        }
    }
}

#include "store/event_tables.h"

/* Beyond it no trace begins: behind it is room for the largest. */
#define MOST_EVENT_ID (INT64_C(1) << 62)

const struct event_beside beside_tables[BESIDE_TABLES] = {
    [BESIDE_CPU_TIME] = {"cpu_time", "duration, self"},
    [BESIDE_OPEN_CALL] = {"open_call", "duration, self, cpu_duration, cpu_self"},
};

void event_tables_append_columns(struct text *list, unsigned columns) {
    text_append_string(list, "time");
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        if (columns >> place & 1) {
            text_append_format(list, ", %s", event_column_name((enum event_place)place));
        }
    }
}

bool event_tables_end(const struct store *store, int64_t *end, struct error *error) {
    return database_integer(store->database, "SELECT max(id) + 1 FROM main.event", 0, 1, end,
                            error) &&
           (*end <= MOST_EVENT_ID ||
            error_set(error, "%s: holds too large ids of events; use a new database",
                      store->database->path));
}

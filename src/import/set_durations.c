#include "import/set_durations.h"

#include <stdlib.h>

#include "base/memory.h"

bool set_durations_begin(struct set_durations *set, struct database *database,
                         const struct column_range *range, unsigned columns, struct error *error) {
    const char *update = (columns & EVENT_RESPONSE) != 0
                             ? "UPDATE main.event SET duration = ?2, response = ?3 WHERE id = ?1"
                             : "UPDATE main.event SET duration = ?2 WHERE id = ?1";

    *set = (struct set_durations){.database = database, .range = *range};
    set->changes = xmalloc(SET_DURATIONS_BATCH * sizeof *set->changes);
    set->columns = columns;
    set->changer = column_changer_new(database, range, columns, error);
    set->update = set->changer == NULL ? NULL : database_prepare(database, update, error);
    return set->update != NULL;
}

/* Rows first: columns that turn out to be damaged are made anew of them. */
static bool write_changes(struct set_durations *set, struct error *error) {
    for (size_t i = 0; i < set->count; i++) {
        sqlite3_bind_int64(set->update, 1, set->changes[i].id);
        database_bind_optional(set->update, 2, set->changes[i].duration);
        if ((set->columns & EVENT_RESPONSE) != 0) {
            database_bind_optional(set->update, 3, set->changes[i].response);
        }
        if (!database_execute(set->database, set->update, error)) {
            return false;
        }
    }
    if (!column_changer_set(set->changer, set->changes, set->count, error)) {
        return false;
    }
    set->count = 0;
    return true;
}

bool set_durations_set(struct set_durations *set, const struct event_change *change,
                       struct error *error) {
    if (set->count == SET_DURATIONS_BATCH && !write_changes(set, error)) {
        return false;
    }
    set->changes[set->count++] = *change;
    return true;
}

bool set_durations_end(struct set_durations *set, struct error *error) {
    return write_changes(set, error) && column_changer_finish(set->changer, error);
}

void set_durations_free(struct set_durations *set) {
    sqlite3_finalize(set->update);
    column_changer_free(set->changer);
    free(set->changes);
    *set = (struct set_durations){0};
}

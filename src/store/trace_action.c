#include "store/trace_action.h"

#include "model/event.h"

bool action_find(struct database *database, int64_t trace, const char *letters, int64_t *action,
                 struct error *error) {
    sqlite3_stmt *find = database_take(
        database, "SELECT id FROM name WHERE trace = ?1 AND kind = 'action' AND text = ?2", error);
    bool row, done;

    *action = EVENT_NONE;
    if (find == NULL) {
        return false;
    }
    sqlite3_bind_int64(find, 1, trace);
    sqlite3_bind_text(find, 2, letters, -1, SQLITE_STATIC);
    done = database_step(database, find, &row, error);
    if (done && row) {
        *action = sqlite3_column_int64(find, 0);
    }
    database_keep(database, find);
    return done;
}

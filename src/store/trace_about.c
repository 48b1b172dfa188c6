#include "store/trace_about.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool store_find_content(struct store *store, const char *hash, char **trace_name,
                        struct error *error) {
    sqlite3_stmt *find =
        database_prepare(store->database,
                         "SELECT trace.name FROM source JOIN trace ON trace.id = source.trace"
                         " WHERE source.hash = ?1 AND source.size > 0 LIMIT 1",
                         error);
    bool row = false, done;

    *trace_name = NULL;
    if (find == NULL) {
        return false;
    }
    sqlite3_bind_text(find, 1, hash, -1, SQLITE_STATIC);
    done = database_step(store->database, find, &row, error);
    if (row) {
        const char *name = (const char *)sqlite3_column_text(find, 0);

        *trace_name = xstrdup(name == NULL ? "" : name);
        done = *trace_name != NULL || error_no_memory(error);
    }
    sqlite3_finalize(find);
    return done;
}

bool store_source(struct store *store, const struct store_source *source, int64_t *id,
                  struct error *error) {
    bool done = database_change(
        store->database, error,
        "INSERT INTO source (trace, name, hash, size, packing, events, first_event, last_event)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, nullif(?7, 0), nullif(?8, 0))",
        "issisiii", store->trace, source->name, source->hash, source->size, source->packing,
        source->events, source->first_event, source->last_event);

    *id = sqlite3_last_insert_rowid(store->database->handle);
    return done;
}

bool store_ledger(struct store *store, int64_t source, const char *outcome, const char *reason,
                  int64_t count, int64_t first_offset, int64_t bytes, struct error *error) {
    return database_change(store->database, error,
                           "INSERT INTO ledger VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", "iissiii",
                           store->trace, source, outcome, reason, count, first_offset, bytes);
}

bool store_remark(struct store *store, int64_t number, const char *text, struct error *error) {
    return database_change(store->database, error, "INSERT INTO remark VALUES (?1, ?2, ?3)", "iis",
                           store->trace, store->existing.remarks + number, text);
}

bool store_meaning(struct store *store, const struct event_meaning *meaning, struct error *error) {
    return database_change(store->database, error,
                           "INSERT OR IGNORE INTO meaning VALUES (?1, ?2, ?3, ?4, ?5)", "issss",
                           store->trace, event_column_name(meaning->place), meaning->kind,
                           meaning->what, meaning->unit);
}

bool store_fact_unknown(struct store *store, enum fact fact, struct error *error) {
    return database_change(store->database, error,
                           "INSERT OR IGNORE INTO meaning"
                           " VALUES (?1, '', '', '" FACT_UNKNOWN "' || ?2, '')",
                           "is", store->trace, fact_words(fact));
}

bool store_fact_known(struct store *store, enum fact fact, struct error *error) {
    return database_change(store->database, error,
                           "DELETE FROM meaning WHERE trace = ?1 AND \"column\" = ''"
                           " AND what = '" FACT_UNKNOWN "' || ?2",
                           "is", store->trace, fact_words(fact));
}

bool store_time_of_day(struct store *store, int64_t nanoseconds, struct error *error) {
    return database_change(
        store->database, error,
        "INSERT OR IGNORE INTO meaning VALUES (?1, 'time', '', '" MEANING_TIME_OF_DAY
        "', 'ns from ' || ?2)",
        "ii", store->trace, nanoseconds);
}

bool store_loggable(struct store *store, int64_t code, bool by_default, struct error *error) {
    return database_change(store->database, error,
                           "INSERT OR IGNORE INTO loggable VALUES (?1, ?2, ?3)", "iii",
                           store->trace, code, (int64_t)by_default);
}

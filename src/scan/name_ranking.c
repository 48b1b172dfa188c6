#include "scan/name_ranking.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"

struct entry {
    int64_t count;
    size_t length;
    UT_hash_handle hh;
    char name[];
};

struct name_ranking {
    struct temp_schema *temp; /* borrowed */
    const char *table;        /* borrowed */
    size_t most;              /* entries that have room */
    struct entry *entries;    /* owned hash table */
    size_t bytes;             /* of their names */
    int64_t total;
    bool in_table;        /* some are in the table */
    bool ended;           /* nothing is added any more: the entries are sorted */
    struct entry *next;   /* the entry that is to be given */
    sqlite3_stmt *select; /* gives them where they are in the table; owned */
};

struct name_ranking *name_ranking_new(struct temp_schema *temp, const char *table, size_t names) {
    struct name_ranking *ranking = xcalloc(1, sizeof *ranking);

    ranking->temp = temp;
    ranking->table = table;
    ranking->most = names;
    return ranking;
}

static void forget(struct name_ranking *ranking) {
    struct entry *entry, *next;

    HASH_ITER(hh, ranking->entries, entry, next) {
        HASH_DEL(ranking->entries, entry);
        free(entry);
    }
    ranking->bytes = 0;
}

void name_ranking_free(struct name_ranking *ranking) {
    if (ranking != NULL) {
        sqlite3_finalize(ranking->select);
        forget(ranking);
        free(ranking);
    }
}

int64_t name_ranking_total(const struct name_ranking *ranking) {
    return ranking->total;
}

/* What is in memory goes to the table. */
static bool move_to_table(struct name_ranking *ranking, struct error *error) {
    struct temp_rows rows = {ranking->temp, ranking->table, error, .columns = 2};

    for (const struct entry *entry = ranking->entries; entry != NULL; entry = entry->hh.next) {
        temp_rows_text(&rows, 1, entry->name, entry->length);
        TEMP_ROW(&rows, entry->count);
    }
    forget(ranking);
    ranking->in_table = true;
    return temp_rows_end(&rows);
}

static bool has_room(const struct name_ranking *ranking, size_t length) {
    size_t count = HASH_COUNT(ranking->entries);

    return count < ranking->most && (count == 0 || ranking->bytes + length <= NAME_RANKING_BYTES);
}

bool name_ranking_add(struct name_ranking *ranking, const char *name, size_t length, int64_t count,
                      struct error *error) {
    struct entry *entry;

    HASH_FIND(hh, ranking->entries, name, length, entry);
    if (entry == NULL) {
        if (!has_room(ranking, length) && !move_to_table(ranking, error)) {
            return false;
        }
        entry = xcalloc(1, sizeof *entry + length);
        entry->length = length;
        memcpy(entry->name, name, length);
        HASH_ADD_KEYPTR(hh, ranking->entries, entry->name, length, entry);
        ranking->bytes += length;
    }
    ranking->total += count;
    entry->count += count;
    return true;
}

/* --- reading -----------------------------------------------------------------------------------
 */

static int compare_entries(const struct entry *a, const struct entry *b) {
    int order;

    if (a->count != b->count) {
        return (a->count < b->count) - (a->count > b->count);
    }
    order = memcmp(a->name, b->name, a->length < b->length ? a->length : b->length);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

static bool end(struct name_ranking *ranking, struct error *error) {
    struct text sql = {0};

    ranking->ended = true;
    if (!ranking->in_table) {
        HASH_SORT(ranking->entries, compare_entries);
        ranking->next = ranking->entries;
        return true;
    }
    if (!move_to_table(ranking, error)) {
        return false;
    }
    text_append_format(&sql,
                       "SELECT name, sum(count) FROM temp.%s GROUP BY name ORDER BY 2 DESC, 1",
                       ranking->table);
    ranking->select = database_prepare(ranking->temp->database, text_string(&sql), error);
    text_free(&sql);
    return ranking->select != NULL;
}

bool name_ranking_next(struct name_ranking *ranking, struct ranked_name *ranked, bool *some,
                       struct error *error) {
    const struct entry *entry;

    if (!ranking->ended && !end(ranking, error)) {
        return false;
    }
    if (ranking->select != NULL) {
        if (!database_step(ranking->temp->database, ranking->select, some, error)) {
            return false;
        }
        if (*some) {
            ranked->name = (const char *)sqlite3_column_text(ranking->select, 0);
            ranked->length = (size_t)sqlite3_column_bytes(ranking->select, 0);
            ranked->count = sqlite3_column_int64(ranking->select, 1);
        }
        return !*some || ranked->name != NULL || error_no_memory(error);
    }
    entry = ranking->next;
    *some = entry != NULL;
    if (*some) {
        *ranked = (struct ranked_name){entry->name, entry->length, entry->count};
        ranking->next = entry->hh.next;
    }
    return true;
}

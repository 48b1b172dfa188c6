#include "scan/name_ranking.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/hash_seed.h"
#include "base/text.h"

enum { LEAST_SLOTS = 64 };

struct entry {
    size_t at; /* where its name begins among the names */
    uint32_t length;
    uint32_t hash;
    int64_t count;
};

struct name_ranking {
    struct temp_schema *temp; /* borrowed */
    const char *table;        /* borrowed */
    size_t most;              /* entries that have room */
    struct entry *entries;    /* owned */
    size_t count, capacity;
    struct text names; /* of all entries, one behind the other */
    uint32_t *slots;   /* owned hash table: numbers of entries, from 1; 0: empty */
    size_t slot_count; /* a power of two, 0 at first */
    int64_t total;
    bool in_table;        /* some are in the table */
    bool ended;           /* nothing is added any more: the entries are sorted */
    size_t next;          /* the entry that is to be given */
    sqlite3_stmt *select; /* gives them where they are in the table; owned */
};

struct name_ranking *name_ranking_new(struct temp_schema *temp, const char *table, size_t names) {
    struct name_ranking *ranking = xcalloc(1, sizeof *ranking);

    ranking->temp = temp;
    ranking->table = table;
    ranking->most = names;
    return ranking;
}

void name_ranking_free(struct name_ranking *ranking) {
    if (ranking != NULL) {
        sqlite3_finalize(ranking->select);
        text_free(&ranking->names);
        free(ranking->entries);
        free(ranking->slots);
        free(ranking);
    }
}

int64_t name_ranking_total(const struct name_ranking *ranking) {
    return ranking->total;
}

/* --- counting ----------------------------------------------------------------------------------
 */

static const char *name_of(const struct name_ranking *ranking, const struct entry *entry) {
    return text_string(&ranking->names) + entry->at;
}

/* The slot of a name: that of its entry, or an empty one. There always is an empty one. */
static uint32_t *find_slot(const struct name_ranking *ranking, const char *name, size_t length,
                           uint32_t hash) {
    size_t slot = hash & (ranking->slot_count - 1);

    while (ranking->slots[slot] != 0) {
        const struct entry *entry = &ranking->entries[ranking->slots[slot] - 1];

        if (entry->hash == hash && entry->length == length &&
            memcmp(name_of(ranking, entry), name, length) == 0) {
            break;
        }
        slot = (slot + 1) & (ranking->slot_count - 1);
    }
    return &ranking->slots[slot];
}

/* Half of the slots are empty at least. */
static void grow_slots(struct name_ranking *ranking) {
    size_t count = ranking->slot_count == 0 ? LEAST_SLOTS : 2 * ranking->slot_count;
    uint32_t *slots;

    if (2 * (ranking->count + 1) <= ranking->slot_count) {
        return;
    }
    slots = xcalloc(count, sizeof *slots);
    for (size_t i = 0; i < ranking->count; i++) {
        size_t slot = ranking->entries[i].hash & (count - 1);

        while (slots[slot] != 0) {
            slot = (slot + 1) & (count - 1);
        }
        slots[slot] = (uint32_t)(i + 1);
    }
    free(ranking->slots);
    ranking->slots = slots;
    ranking->slot_count = count;
}

/* What is in memory goes to the table. */
static bool move_to_table(struct name_ranking *ranking, struct error *error) {
    struct temp_rows rows = {ranking->temp, ranking->table, error, .columns = 2};

    for (size_t i = 0; i < ranking->count; i++) {
        const struct entry *entry = &ranking->entries[i];

        temp_rows_text(&rows, 1, name_of(ranking, entry), entry->length);
        TEMP_ROW(&rows, entry->count);
    }
    text_clear(&ranking->names);
    memset(ranking->slots, 0, ranking->slot_count * sizeof *ranking->slots);
    ranking->count = 0;
    ranking->in_table = true;
    return temp_rows_end(&rows);
}

static bool has_room(const struct name_ranking *ranking, size_t length) {
    return ranking->count < ranking->most &&
           (ranking->count == 0 || ranking->names.length + length <= NAME_RANKING_BYTES);
}

static bool add_entry(struct name_ranking *ranking, struct entry entry, const char *name,
                      struct error *error) {
    if (!has_room(ranking, entry.length) && !move_to_table(ranking, error)) {
        return false;
    }
    ranking->entries =
        array_grow(ranking->entries, ranking->count, &ranking->capacity, sizeof *ranking->entries);
    grow_slots(ranking);
    entry.at = ranking->names.length;
    text_append(&ranking->names, name, entry.length);
    ranking->entries[ranking->count++] = entry;
    *find_slot(ranking, name, entry.length, entry.hash) = (uint32_t)ranking->count;
    return true;
}

bool name_ranking_add(struct name_ranking *ranking, const char *name, size_t length, int64_t count,
                      struct error *error) {
    const uint32_t hash = (uint32_t)seeded_hash(name, length);
    const uint32_t *slot = ranking->slot_count == 0 ? NULL : find_slot(ranking, name, length, hash);

    ranking->total += count;
    if (slot != NULL && *slot != 0) {
        ranking->entries[*slot - 1].count += count;
        return true;
    }
    return add_entry(ranking,
                     (struct entry){.length = (uint32_t)length, .hash = hash, .count = count}, name,
                     error);
}

/* --- reading -----------------------------------------------------------------------------------
 */

static int compare_entries(const void *left, const void *right, void *context) {
    const struct name_ranking *ranking = context;
    const struct entry *a = left, *b = right;
    int order;

    if (a->count != b->count) {
        return (a->count < b->count) - (a->count > b->count);
    }
    order = memcmp(name_of(ranking, a), name_of(ranking, b),
                   a->length < b->length ? a->length : b->length);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

static bool end(struct name_ranking *ranking, struct error *error) {
    struct text sql = {0};

    ranking->ended = true;
    if (!ranking->in_table) {
        if (ranking->count > 0) {
            qsort_r(ranking->entries, ranking->count, sizeof *ranking->entries, compare_entries,
                    ranking);
        }
        return true;
    }
    if (!move_to_table(ranking, error)) {
        return false;
    }
    text_append_format(&sql,
                       "SELECT name, sum(count) FROM temp.%s GROUP BY name ORDER BY 2 DESC, 1",
                       ranking->table);
    ranking->select = temp_schema_prepare(ranking->temp, text_string(&sql), error);
    text_free(&sql);
    return ranking->select != NULL;
}

bool name_ranking_next(struct name_ranking *ranking, struct ranked_name *ranked, bool *some,
                       struct error *error) {
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
    *some = ranking->next < ranking->count;
    if (*some) {
        const struct entry *entry = &ranking->entries[ranking->next++];

        *ranked = (struct ranked_name){name_of(ranking, entry), entry->length, entry->count};
    }
    return true;
}

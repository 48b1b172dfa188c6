#include "report/name_cache.h"

#include <stdlib.h>
#include "base/hash.h"
#include "base/memory.h"

/* With more names than this it begins anew: memory stays bounded. */
#define MOST_ENTRIES 65536

struct name_cache_entry {
    uint32_t id;
    struct text escaped, raw, kind; /* owned */
    int64_t numbers[2];
    UT_hash_handle hh;
};

bool name_cache_open(struct name_cache *cache, struct database *database, const char *sql,
                     struct error *error) {
    *cache = (struct name_cache){
        .database = database,
        .find = database_prepare(database, sql, error),
    };
    return cache->find != NULL;
}

static void free_entry(struct name_cache_entry *entry) {
    text_free(&entry->raw);
    text_free(&entry->escaped);
    text_free(&entry->kind);
    free(entry);
}

static void forget_all(struct name_cache *cache) {
    while (cache->entries != NULL) {
        struct name_cache_entry *entry = cache->entries;

        HASH_DEL(cache->entries, entry);
        free_entry(entry);
    }
    cache->last = NULL;
}

void name_cache_close(struct name_cache *cache) {
    sqlite3_finalize(cache->find);
    cache->find = NULL;
    forget_all(cache);
}

static void read_rest(const struct name_cache *cache, struct name_cache_entry *entry) {
    int columns = sqlite3_column_count(cache->find);
    const char *kind = columns > 3 ? (const char *)sqlite3_column_text(cache->find, 3) : NULL;

    for (int i = 0; i < 2; i++) {
        entry->numbers[i] =
            columns > i + 1 ? database_column_optional(cache->find, i + 1) : INT64_MIN;
    }
    text_append_string(&entry->kind, kind == NULL ? "" : kind);
}

static bool look_up(struct name_cache *cache, struct name_cache_entry *entry, struct error *error) {
    bool row, done;

    sqlite3_bind_int64(cache->find, 1, entry->id);
    done = database_step(cache->database, cache->find, &row, error);
    if (done && row) {
        const char *bytes = (const char *)sqlite3_column_text(cache->find, 0);

        size_t length = (size_t)sqlite3_column_bytes(cache->find, 0);

        text_append(&entry->raw, bytes == NULL ? "" : bytes, length);
        text_append_escaped(&entry->escaped, bytes == NULL ? "" : bytes, length);
        read_rest(cache, entry);
    }
    sqlite3_reset(cache->find);
    return done;
}

static struct name_cache_entry *add_entry(struct name_cache *cache, uint32_t id,
                                          struct error *error) {
    struct name_cache_entry *entry = xcalloc(1, sizeof *entry);

    entry->id = id;
    entry->numbers[0] = entry->numbers[1] = INT64_MIN;
    if (!look_up(cache, entry, error)) {
        free_entry(entry);
        return NULL;
    }
    if (HASH_COUNT(cache->entries) >= MOST_ENTRIES) {
        forget_all(cache);
    }
    HASH_ADD(hh, cache->entries, id, sizeof entry->id, entry);
    return entry;
}

bool name_cache_find(struct name_cache *cache, uint32_t id, struct name_cache_text *text,
                     struct error *error) {
    const struct name_cache_entry *entry = cache->last;

    if (entry == NULL || entry->id != id) {
        HASH_FIND(hh, cache->entries, &id, sizeof id, entry);
        if (entry == NULL && (entry = add_entry(cache, id, error)) == NULL) {
            return false;
        }
        cache->last = entry;
    }
    *text = (struct name_cache_text){
        .bytes = text_string(&entry->escaped),
        .length = entry->escaped.length,
        .raw = text_string(&entry->raw),
        .raw_length = entry->raw.length,
        .numbers = {entry->numbers[0], entry->numbers[1]},
        .kind = text_string(&entry->kind),
    };
    return true;
}

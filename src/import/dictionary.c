#include "import/dictionary.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

struct string {
    UT_hash_handle hh;
    uint32_t number;
    unsigned char key[];
};

struct dictionary {
    struct string *strings;
    size_t bytes;
    uint32_t next;
    /* Strings beyond the memory limit; NULL if there are none. */
    sqlite3 *overflow;
    sqlite3_stmt *find, *add;
};

struct dictionary *dictionary_open(uint32_t first) {
    struct dictionary *dictionary = xcalloc(1, sizeof *dictionary);

    dictionary->next = first;
    return dictionary;
}

void dictionary_close(struct dictionary *dictionary) {
    if (dictionary == NULL) {
        return;
    }
    HASH_FREE(dictionary->strings);
    sqlite3_finalize(dictionary->find);
    sqlite3_finalize(dictionary->add);
    sqlite3_close(dictionary->overflow);
    free(dictionary);
}

static bool overflow_failed(struct dictionary *dictionary, struct error *error) {
    return error_set(error, "the temporary database for names failed: %s",
                     sqlite3_errmsg(dictionary->overflow));
}

static bool open_overflow(struct dictionary *dictionary, struct error *error) {
    /* An empty name makes SQLite use a temporary file, which it deletes. */
    if (sqlite3_open("", &dictionary->overflow) != SQLITE_OK ||
        sqlite3_exec(dictionary->overflow,
                     "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                     "PRAGMA cache_size = -8192;"
                     "CREATE TABLE string(key BLOB PRIMARY KEY, number INTEGER) WITHOUT ROWID;"
                     "BEGIN",
                     NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(dictionary->overflow, "SELECT number FROM string WHERE key = ?1", -1,
                           &dictionary->find, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(dictionary->overflow, "INSERT INTO string VALUES (?1, ?2)", -1,
                           &dictionary->add, NULL) != SQLITE_OK) {
        return overflow_failed(dictionary, error);
    }
    return true;
}

/* `*number` is 0 if the key is missing. */
static bool find_overflow(struct dictionary *dictionary, const void *key, size_t length,
                          uint32_t *number, struct error *error) {
    int status;

    *number = 0;
    sqlite3_bind_blob64(dictionary->find, 1, key, length, SQLITE_STATIC);
    status = sqlite3_step(dictionary->find);
    if (status == SQLITE_ROW) {
        *number = (uint32_t)sqlite3_column_int64(dictionary->find, 0);
    }
    sqlite3_reset(dictionary->find);
    return status == SQLITE_ROW || status == SQLITE_DONE || overflow_failed(dictionary, error);
}

static bool add_overflow(struct dictionary *dictionary, const void *key, size_t length,
                         uint32_t number, struct error *error) {
    int status;

    sqlite3_bind_blob64(dictionary->add, 1, key, length, SQLITE_STATIC);
    sqlite3_bind_int64(dictionary->add, 2, number);
    status = sqlite3_step(dictionary->add);
    sqlite3_reset(dictionary->add);
    return status == SQLITE_DONE || overflow_failed(dictionary, error);
}

static bool is_full(const struct dictionary *dictionary) {
    return HASH_COUNT(dictionary->strings) >= DICTIONARY_STRINGS_IN_MEMORY ||
           dictionary->bytes >= DICTIONARY_BYTES_IN_MEMORY;
}

bool dictionary_set(struct dictionary *dictionary, const void *key, size_t length, uint32_t number,
                    struct error *error) {
    if (!is_full(dictionary)) {
        struct string *string = xmalloc(sizeof *string + length);

        string->number = number;
        memcpy(string->key, key, length);
        HASH_ADD_KEYPTR(hh, dictionary->strings, string->key, length, string);
        dictionary->bytes += sizeof *string + length;
        return true;
    }
    return (dictionary->overflow != NULL || open_overflow(dictionary, error)) &&
           add_overflow(dictionary, key, length, number, error);
}

bool dictionary_find(struct dictionary *dictionary, const void *key, size_t length,
                     uint32_t *number, struct error *error) {
    struct string *string;

    HASH_FIND(hh, dictionary->strings, key, length, string);
    *number = string == NULL ? 0 : string->number;
    return string != NULL || dictionary->overflow == NULL ||
           find_overflow(dictionary, key, length, number, error);
}

uint32_t dictionary_number(struct dictionary *dictionary, const void *key, size_t length,
                           bool *added, struct error *error) {
    uint32_t number;

    *added = false;
    if (!dictionary_find(dictionary, key, length, &number, error) || number != 0) {
        return number;
    }
    if (dictionary->next >= UINT32_C(1) << 31) {
        error_set(error, "more than 2147483647 different names");
        return 0;
    }
    if (!dictionary_set(dictionary, key, length, dictionary->next, error)) {
        return 0;
    }
    *added = true;
    return dictionary->next++;
}

/* --- keys ----------------------------------------------------------------------------------------
 */

void entry_key_number(struct text *key, int64_t number) {
    text_append(key, (const char *)&number, sizeof number);
}

/* Puts the length first, so that adjacent strings are unambiguous. */
static void key_string(struct text *key, const char *string, size_t length) {
    entry_key_number(key, string == NULL ? -1 : (int64_t)length);
    if (string != NULL) {
        text_append(key, string, length);
    }
}

void entry_key_name(struct text *key, const struct name_entry *name) {
    entry_key_number(key, name->code);
    key_string(key, name->kind, strlen(name->kind));
    /* The code identifies the name; its text may change. */
    if (name->code == EVENT_NONE) {
        key_string(key, name->text, name->length);
    }
}

void entry_key_actor(struct text *key, const struct actor_entry *actor) {
    entry_key_number(key, actor->session);
    entry_key_number(key, actor->pid);
    entry_key_number(key, actor->tid);
    entry_key_number(key, actor->code);
    /* The code identifies the actor; its name may change. */
    if (actor->code == EVENT_NONE) {
        key_string(key, actor->name, actor->length);
    }
}

void entry_key_object(struct text *key, const struct object_entry *object) {
    entry_key_number(key, object->device);
    key_string(key, object->type, object->type == NULL ? 0 : strlen(object->type));
    key_string(key, object->name, object->length);
    if (object->inode != 0) {
        entry_key_number(key, object->inode);
        entry_key_number(key, object->generation);
    }
}

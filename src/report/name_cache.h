/* Texts of names by id, made ready for output and kept while they are used. */
#ifndef TRACETOOL_NAME_CACHE_H
#define TRACETOOL_NAME_CACHE_H

#include <stdint.h>

#include "base/text.h"
#include "store/database.h"

struct name_cache {
    struct database *database;        /* borrowed */
    sqlite3_stmt *find;               /* owned; ?1 is the id */
    struct name_cache_entry *entries; /* owned hash table */
    const struct name_cache_entry *last;
};

struct name_cache_text {
    const char *bytes; /* escaped (text_append_escaped()), NUL-terminated; "" for none */
    size_t length;
    const char *raw; /* as it is in the database: any bytes */
    size_t raw_length;
    int64_t numbers[2]; /* INT64_MIN: NULL, or not asked for */
    const char *kind;   /* "" for none, or not asked for */
};

/* `sql` gives the text of an id, ?1, in its only row; behind it, two numbers and the kind if they
 * are wanted. */
bool name_cache_open(struct name_cache *cache, struct database *database, const char *sql,
                     struct error *error);
void name_cache_close(struct name_cache *cache);

/* The text of an id, borrowed until the next call. False with `error` set on failure. */
bool name_cache_find(struct name_cache *cache, uint32_t id, struct name_cache_text *text,
                     struct error *error);

#endif

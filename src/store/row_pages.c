#include "store/row_pages.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/memory_file.h"
#include "base/memory.h"

/* The name of the database in memory on the importing connection. */
#define SCHEMA "rows"

/* Pages of an empty database with a table, and of the largest one. */
#define EMPTY_PAGES 2
#define MOST_PAGES  (EMPTY_PAGES + BATCH_LEAVES)

struct row_pages {
    struct database *database; /* borrowed */
    sqlite3_stmt *copy;
    struct memory_file file;             /* as SQLite has them */
    unsigned char schema[BATCH_PAGE];    /* its first page */
    unsigned char no_events[BATCH_PAGE]; /* the second one, until there are some */
};

#define TYPE_INTEGER "INTEGER"
#define TYPE_PARENT  "INTEGER"
#define TYPE_ID      "INTEGER"
#define TYPE_FLAGS   "INTEGER"
#define TYPE_DEPTH   "INTEGER"
#define TYPE_BYTES   "BLOB"

/* The database with an empty table like `event` in schema.sql, as SQLite makes it. */
static bool make_empty(struct row_pages *pages, struct error *error) {
    static const char sql[] = "PRAGMA page_size = 65536;"
                              "CREATE TABLE event (id INTEGER PRIMARY KEY, time INTEGER NOT NULL"
#define X(NAME, field, FORM) ", " #field " " TYPE_##FORM
        EVENT_COLUMNS(X)
#undef X
            ")";
    sqlite3 *handle = NULL;
    sqlite3_int64 size = 0;
    unsigned char *bytes = NULL;
    bool done;

    if (sqlite3_open(":memory:", &handle) == SQLITE_OK &&
        sqlite3_exec(handle, sql, NULL, NULL, NULL) == SQLITE_OK) {
        bytes = sqlite3_serialize(handle, "main", &size, 0);
    }
    done = bytes != NULL && size == (sqlite3_int64)(EMPTY_PAGES * BATCH_PAGE);
    if (done) {
        memcpy(pages->schema, bytes, BATCH_PAGE);
        memcpy(pages->no_events, bytes + BATCH_PAGE, BATCH_PAGE);
    }
    sqlite3_free(bytes);
    sqlite3_close(handle);
    return done || error_no_memory(error);
}

/* How many pages the database has, as its header says. */
static void put_most_pages(unsigned char *bytes) {
    const uint32_t count = htobe32((uint32_t)MOST_PAGES);

    memcpy(bytes, &count, sizeof count);
}

/* SQLite finds these in the database from now on. */
static void put_pages(struct row_pages *pages, const unsigned char *bytes, size_t count) {
    pages->file.bytes = bytes;
    pages->file.size = count * BATCH_PAGE;
}

static bool open_pages(struct row_pages *pages, bool *in_place, struct error *error) {
    if (!make_empty(pages, error)) {
        return false;
    }
    put_most_pages(pages->schema + 28);
    pages->file.first = pages->schema;
    pages->file.first_size = BATCH_PAGE;
    pages->file.says = MOST_PAGES * BATCH_PAGE;
    put_pages(pages, pages->no_events, 1);
    if (!memory_file_attach(&pages->file, pages->database, SCHEMA, in_place, error)) {
        return false;
    }
    /* Whatever fails ends the whole transaction. To be able to undo this statement alone, SQLite
     * would keep, in a file, a copy of each page that goes from its cache to a write-ahead log. */
    pages->copy = database_prepare(
        pages->database, "INSERT OR ROLLBACK INTO main.event SELECT * FROM " SCHEMA ".event",
        error);
    return pages->copy != NULL;
}

/* Whether main.event has the columns that the pages have, none of which is anything but NULL where
 * a row does not have it, in a database of the same encoding. */
static bool same_columns(struct database *database, bool *same, struct error *error) {
    static const char sql[] = "SELECT group_concat(name, ' ') = 'id time"
#define X(NAME, field, FORM) " " #field
        EVENT_COLUMNS(X)
#undef X
            "' AND count(dflt_value) = 0 AND encoding = 'UTF-8'"
            " FROM pragma_table_info('event', 'main'), pragma_encoding";
    sqlite3_stmt *ask = database_take(database, sql, error);
    bool row = false, done = ask != NULL && database_step(database, ask, &row, error);

    *same = done && row && sqlite3_column_int(ask, 0) != 0;
    database_keep(database, ask);
    return done;
}

void row_pages_free(struct row_pages *pages) {
    if (pages != NULL) {
        sqlite3_finalize(pages->copy);
        memory_file_detach(&pages->file, pages->database, SCHEMA);
        free(pages);
    }
}

static bool make_pages(struct database *database, struct row_pages **pages, struct error *error) {
    bool in_place = true;

    *pages = xcalloc(1, sizeof **pages);
    (*pages)->database = database;
    if (!open_pages(*pages, &in_place, error)) {
        return false;
    }
    if (!in_place) {
        row_pages_free(*pages);
        *pages = NULL;
    }
    return true;
}

bool row_pages_new(struct database *database, struct row_pages **pages, struct error *error) {
    bool same;

    *pages = NULL;
    if (!same_columns(database, &same, error)) {
        return false;
    }
    if (same && database->pages != NULL) {
        *pages = database->pages;
        database->pages = NULL;
        return true;
    }
    return !same || make_pages(database, pages, error);
}

void row_pages_keep(struct row_pages *pages) {
    if (pages != NULL && pages->database->pages == NULL && pages->copy != NULL) {
        pages->database->pages = pages;
    } else {
        row_pages_free(pages);
    }
}

bool row_pages_write(struct row_pages *pages, const struct batch_pages *rows, struct error *error) {
    bool done;

    put_pages(pages, rows->bytes, rows->count);
    done = database_execute(pages->database, pages->copy, error);
    put_pages(pages, pages->no_events, 1);
    return done;
}

#include "import/record_sort.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "base/memory.h"

/* Of SQLite's machine, between two looks at whether to go on. */
enum { STEPS_AT_ONCE = 10000 };

struct record_sort {
    sqlite3 *database;    /* owned, temporary */
    sqlite3_stmt *insert; /* owned */
    sqlite3_stmt *select; /* owned; NULL: nothing was asked for yet */
    int64_t last;         /* time of the record that was added last */
    bool in_order;        /* so far */
};

static bool failed(const struct record_sort *sort, struct error *error) {
    return error_set(error, "sorting the log by time: %s%s", sqlite3_errmsg(sort->database),
                     sqlite3_errcode(sort->database) == SQLITE_FULL
                         ? "; TMPDIR names a folder with more room"
                         : "");
}

static int is_interrupted(void *context) {
    return *(const volatile sig_atomic_t *)context != 0;
}

static bool prepare(struct record_sort *sort, const char *sql, sqlite3_stmt **statement,
                    struct error *error) {
    return sqlite3_prepare_v2(sort->database, sql, -1, statement, NULL) == SQLITE_OK ||
           failed(sort, error);
}

struct record_sort *record_sort_open(const volatile sig_atomic_t *interrupted,
                                     struct error *error) {
    struct record_sort *sort = xcalloc(1, sizeof *sort);

    sort->last = INT64_MIN;
    sort->in_order = true;
    if (sqlite3_open("", &sort->database) != SQLITE_OK ||
        sqlite3_exec(sort->database,
                     "PRAGMA page_size = 16384; PRAGMA cache_size = -16384;"
                     " PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                     " CREATE TABLE record (number INTEGER PRIMARY KEY, time INTEGER,"
                     "  stream INTEGER, \"offset\" INTEGER, size INTEGER, bytes BLOB); BEGIN",
                     NULL, NULL, NULL) != SQLITE_OK) {
        failed(sort, error);
    } else if (prepare(sort, "INSERT INTO record VALUES (NULL, ?1, ?2, ?3, ?4, ?5)", &sort->insert,
                       error)) {
        if (interrupted != NULL) {
            sqlite3_progress_handler(sort->database, STEPS_AT_ONCE, is_interrupted,
                                     (void *)interrupted);
        }
        return sort;
    }
    record_sort_close(sort);
    return NULL;
}

bool record_sort_add(struct record_sort *sort, size_t stream, int64_t time,
                     const struct stream_record *record, struct error *error) {
    sort->in_order &= time >= sort->last;
    sort->last = time;
    sqlite3_bind_int64(sort->insert, 1, time);
    sqlite3_bind_int64(sort->insert, 2, (int64_t)stream);
    sqlite3_bind_int64(sort->insert, 3, record->offset);
    sqlite3_bind_int64(sort->insert, 4, record->size);
    if (record->bytes == NULL) {
        sqlite3_bind_null(sort->insert, 5);
    } else {
        sqlite3_bind_blob64(sort->insert, 5, record->length == 0 ? (const void *)"" : record->bytes,
                            record->length, SQLITE_STATIC);
    }
    sqlite3_step(sort->insert);
    return sqlite3_reset(sort->insert) == SQLITE_OK || failed(sort, error);
}

/* An index, and not a sorter: rows lie nearly in order, and each is moved once. */
static bool begin_reading(struct record_sort *sort, struct error *error) {
    if (!sort->in_order &&
        sqlite3_exec(sort->database, "CREATE INDEX record_by_time ON record (time)", NULL, NULL,
                     NULL) != SQLITE_OK) {
        return failed(sort, error);
    }
    return prepare(sort,
                   sort->in_order
                       ? "SELECT stream, \"offset\", size, bytes FROM record ORDER BY number"
                       : "SELECT stream, \"offset\", size, bytes FROM record INDEXED BY "
                         "record_by_time ORDER BY time, number",
                   &sort->select, error);
}

bool record_sort_next(struct record_sort *sort, size_t *stream, struct stream_record *record,
                      bool *some, struct error *error) {
    int result;

    if (sort->select == NULL && !begin_reading(sort, error)) {
        return false;
    }
    result = sqlite3_step(sort->select);
    *some = result == SQLITE_ROW;
    if (!*some) {
        return result == SQLITE_DONE || failed(sort, error);
    }
    *stream = (size_t)sqlite3_column_int64(sort->select, 0);
    *record = (struct stream_record){
        .bytes = sqlite3_column_blob(sort->select, 3),
        .length = (size_t)sqlite3_column_bytes(sort->select, 3),
        .offset = sqlite3_column_int64(sort->select, 1),
        .size = sqlite3_column_int64(sort->select, 2),
    };
    /* SQLite has no pointer for a text of no bytes. */
    if (record->bytes == NULL && sqlite3_column_type(sort->select, 3) != SQLITE_NULL) {
        record->bytes = (const uint8_t *)"";
    }
    return true;
}

void record_sort_close(struct record_sort *sort) {
    if (sort != NULL) {
        sqlite3_finalize(sort->insert);
        sqlite3_finalize(sort->select);
        sqlite3_close(sort->database);
        free(sort);
    }
}

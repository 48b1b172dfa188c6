#include "store/row_pages.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* --- a database file in memory ---------------------------------------------------------------- */

/* A database file in memory, which SQLite reads through a VFS (its interface for files) as if it
 * were memory-mapped. The alternative, sqlite3_deserialize(), opens the database again for each
 * batch; and if memory runs out, the connection's next statement crashes (SQLite 3.40). */

/* The file; it must not move in memory while attached. Between statements, the owner may replace
 * all pages except the first: SQLite reads them in place. */
struct memory_file {
    const unsigned char *first; /* borrowed: the first page, which never changes */
    size_t first_size;
    const unsigned char *bytes; /* borrowed: all pages after the first */
    size_t size;                /* number of bytes in `bytes` */
    size_t size_seen; /* file size that SQLite sees: constant, at least `first_size` + `size` */
    sqlite3_vfs vfs;
    char name[32]; /* name of the VFS under which SQLite finds the file */
};

/* The file as opened by SQLite. If DETACH fails, SQLite closes it after the memory_file is gone,
 * but does not read it. */
struct open_file {
    sqlite3_file base;
    const struct memory_file *file; /* borrowed */
};

static int vfs_close(sqlite3_file *opened) {
    return SQLITE_OK;
}

/* Returns the address of a range of the file; NULL if the file does not have the whole range. */
static const unsigned char *find_mapped_bytes(sqlite3_file *opened, sqlite3_int64 from,
                                              int wanted) {
    const struct memory_file *file = ((const struct open_file *)opened)->file;
    size_t begin = (size_t)from, end = begin + (size_t)wanted;

    if (end <= file->first_size) {
        return file->first + begin;
    }
    return begin >= file->first_size && end - file->first_size <= file->size
               ? file->bytes + (begin - file->first_size)
               : NULL;
}

static int vfs_read(sqlite3_file *opened, void *bytes, int wanted, sqlite3_int64 from) {
    const unsigned char *there = find_mapped_bytes(opened, from, wanted);

    if (there == NULL) {
        memset(bytes, 0, (size_t)wanted);
        return SQLITE_IOERR_SHORT_READ;
    }
    memcpy(bytes, there, (size_t)wanted);
    return SQLITE_OK;
}

static int vfs_write(sqlite3_file *opened, const void *bytes, int size, sqlite3_int64 at) {
    (void)opened, (void)bytes, (void)size, (void)at;
    return SQLITE_READONLY;
}

static int vfs_truncate(sqlite3_file *opened, sqlite3_int64 size) {
    (void)opened, (void)size;
    return SQLITE_READONLY;
}

static int vfs_file_size(sqlite3_file *opened, sqlite3_int64 *size) {
    *size = (sqlite3_int64)((const struct open_file *)opened)->file->size_seen;
    return SQLITE_OK;
}

/* Syncing and locking always succeed: nobody else uses the file. */
static int vfs_ok(sqlite3_file *opened, int how) {
    (void)opened, (void)how;
    return SQLITE_OK;
}

static int vfs_check_reserved_lock(sqlite3_file *opened, int *reserved) {
    *reserved = 0;
    return SQLITE_OK;
}

/* Tells SQLite the size of the mapping: the whole file. */
static int vfs_file_control(sqlite3_file *opened, int operation, void *argument) {
    return operation == SQLITE_FCNTL_MMAP_SIZE ? vfs_file_size(opened, argument) : SQLITE_NOTFOUND;
}

static int vfs_zero(sqlite3_file *opened) {
    return 0;
}

static int vfs_fetch(sqlite3_file *opened, sqlite3_int64 from, int wanted, void **bytes) {
    *bytes = (void *)find_mapped_bytes(opened, from, wanted);
    return SQLITE_OK;
}

static int vfs_unfetch(sqlite3_file *opened, sqlite3_int64 from, void *bytes) {
    (void)opened, (void)from, (void)bytes;
    return SQLITE_OK;
}

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *opened, int flags,
                    int *flags_out) {
    static const sqlite3_io_methods methods = {
        .iVersion = 3,
        .xClose = vfs_close,
        .xRead = vfs_read,
        .xWrite = vfs_write,
        .xTruncate = vfs_truncate,
        .xSync = vfs_ok,
        .xFileSize = vfs_file_size,
        .xLock = vfs_ok,
        .xUnlock = vfs_ok,
        .xCheckReservedLock = vfs_check_reserved_lock,
        .xFileControl = vfs_file_control,
        .xSectorSize = vfs_zero,
        .xDeviceCharacteristics = vfs_zero,
        .xFetch = vfs_fetch,
        .xUnfetch = vfs_unfetch,
    };

    opened->pMethods = NULL;
    if (!(flags & SQLITE_OPEN_MAIN_DB)) {
        return SQLITE_CANTOPEN; /* the database in memory has no journal or other file */
    }
    opened->pMethods = &methods;
    ((struct open_file *)opened)->file = vfs->pAppData;
    if (flags_out != NULL) {
        *flags_out = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
    }
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    (void)vfs, (void)name, (void)sync;
    return SQLITE_OK;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int how, int *there) {
    (void)vfs, (void)name, (void)how;
    *there = 0;
    return SQLITE_OK;
}

static int vfs_full_pathname(sqlite3_vfs *vfs, const char *name, int size, char *path) {
    sqlite3_snprintf(size, path, "%s", name);
    return SQLITE_OK;
}

/* Registers the VFS. Uses the default VFS for random numbers, sleep and time. */
static bool register_vfs(struct memory_file *file) {
    const sqlite3_vfs *usual = sqlite3_vfs_find(NULL);

    if (usual == NULL) {
        return false;
    }
    file->vfs = *usual;
    file->vfs.pNext = NULL;
    file->vfs.szOsFile = (int)sizeof(struct open_file);
    file->vfs.zName = file->name;
    file->vfs.pAppData = file;
    file->vfs.xOpen = vfs_open;
    file->vfs.xDelete = vfs_delete;
    file->vfs.xAccess = vfs_access;
    file->vfs.xFullPathname = vfs_full_pathname;
    snprintf(file->name, sizeof file->name, "memory-%p", (void *)file);
    return sqlite3_vfs_register(&file->vfs, 0) == SQLITE_OK;
}

/* Name in SQL of the attached database in memory. */
#define SCHEMA "rows"

/* Makes SQLite read the pages in place, not through its page cache. `*mapped`: whether it does. */
static bool map_database_pages(struct database *database, size_t size, bool *mapped,
                               struct error *error) {
    int64_t limit = 0;
    char sql[128];
    bool done;

    snprintf(sql, sizeof sql, "PRAGMA " SCHEMA ".mmap_size = %zu", size);
    done = database_query_integer(database, sql, 0, 0, &limit, error);
    *mapped = done && limit == (int64_t)size;
    return done;
}

/* Attaches the file as a read-only database. The connection must allow URIs. Sets `*in_place` to
 * false if SQLite was built without memory mapping: then the file must not change. */
static bool memory_file_attach(struct memory_file *file, struct database *database, bool *in_place,
                               struct error *error) {
    char sql[128];

    if (!register_vfs(file)) {
        file->vfs.pAppData = NULL;
        return error_no_memory(error);
    }
    snprintf(sql, sizeof sql, "ATTACH 'file:" SCHEMA "?vfs=%s&mode=ro' AS " SCHEMA, file->name);
    return database_run(database, sql, error) &&
           map_database_pages(database, file->size_seen, in_place, error);
}

/* Detaches the file. Must not be called in a transaction. Does nothing if the file is zeroed. */
static void memory_file_detach(struct memory_file *file, struct database *database) {
    if (file->vfs.pAppData != NULL) {
        sqlite3_exec(database->handle, "DETACH " SCHEMA, NULL, NULL, NULL);
        sqlite3_vfs_unregister(&file->vfs);
        file->vfs.pAppData = NULL;
    }
}

/* --- inserting the rows of batches ------------------------------------------------------------ */

/* Number of pages of a database with one empty table, and of the largest database. */
#define EMPTY_PAGES 2
#define MOST_PAGES  (EMPTY_PAGES + BATCH_LEAVES)

struct row_pages {
    struct database *database; /* borrowed */
    sqlite3_stmt *copy;
    struct memory_file file;             /* the file as SQLite reads it */
    unsigned char schema[BATCH_PAGE];    /* first page: header and schema */
    unsigned char no_events[BATCH_PAGE]; /* second page while there are no events: an empty table */
};

#define TYPE_INTEGER "INTEGER"
#define TYPE_PARENT  "INTEGER"
#define TYPE_ID      "INTEGER"
#define TYPE_FLAGS   "INTEGER"
#define TYPE_DEPTH   "INTEGER"
#define TYPE_BYTES   "BLOB"

/* Makes the pages of a database whose table `event` has the columns of schema.sql, but no rows. */
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

/* Sets the number of pages in the database header. */
static void set_page_count(unsigned char *bytes) {
    const uint32_t count = htobe32((uint32_t)MOST_PAGES);

    memcpy(bytes, &count, sizeof count);
}

/* Sets the pages that SQLite reads from now on after the first page. */
static void set_pages(struct row_pages *pages, const unsigned char *bytes, size_t count) {
    pages->file.bytes = bytes;
    pages->file.size = count * BATCH_PAGE;
}

static bool open_pages(struct row_pages *pages, bool *in_place, struct error *error) {
    if (!make_empty(pages, error)) {
        return false;
    }
    set_page_count(pages->schema + 28);
    pages->file.first = pages->schema;
    pages->file.first_size = BATCH_PAGE;
    pages->file.size_seen = MOST_PAGES * BATCH_PAGE;
    set_pages(pages, pages->no_events, 1);
    if (!memory_file_attach(&pages->file, pages->database, in_place, error)) {
        return false;
    }
    /* OR ROLLBACK: a failure undoes the whole transaction. Otherwise SQLite would save each changed
     * page to a file, to be able to undo this statement alone. */
    pages->copy = database_prepare(
        pages->database, "INSERT OR ROLLBACK INTO main.event SELECT * FROM " SCHEMA ".event",
        error);
    return pages->copy != NULL;
}

/* Sets `*same` to true if main.event has the same columns as the pages, all with NULL as default,
 * and the database stores text as UTF-8. */
static bool row_pages_same_columns(struct database *database, bool *same, struct error *error) {
    static const char sql[] = "SELECT group_concat(name, ' ') = 'id time"
#define X(NAME, field, FORM) " " #field
        EVENT_COLUMNS(X)
#undef X
            "' AND count(dflt_value) = 0 AND encoding = 'UTF-8'"
            " FROM pragma_table_info('event', 'main'), pragma_encoding";
    int64_t equal;
    bool done = database_query_integer(database, sql, 0, 0, &equal, error);

    *same = equal != 0;
    return done;
}

void row_pages_free(struct row_pages *pages) {
    if (pages != NULL) {
        sqlite3_finalize(pages->copy);
        memory_file_detach(&pages->file, pages->database);
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
    if (!row_pages_same_columns(database, &same, error)) {
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

    set_pages(pages, rows->bytes, rows->count);
    done = database_execute(pages->database, pages->copy, error);
    set_pages(pages, pages->no_events, 1);
    return done;
}

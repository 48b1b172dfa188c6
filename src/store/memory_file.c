#include "store/memory_file.h"

#include <stdio.h>
#include <string.h>

/* What SQLite has open. It outlives the memory where a database cannot be detached, and is closed
 * then without being read. */
struct open_file {
    sqlite3_file base;
    const struct memory_file *file; /* borrowed */
};

static int close_file(sqlite3_file *opened) {
    (void)opened;
    return SQLITE_OK;
}

/* Where bytes of the file are; NULL: they are not all there. */
static const unsigned char *find(sqlite3_file *opened, sqlite3_int64 from, int wanted) {
    const struct memory_file *file = ((const struct open_file *)opened)->file;
    size_t begin = (size_t)from, end = begin + (size_t)wanted;

    if (end <= file->first_size) {
        return file->first + begin;
    }
    return begin >= file->first_size && end - file->first_size <= file->size
               ? file->bytes + (begin - file->first_size)
               : NULL;
}

static int read_file(sqlite3_file *opened, void *bytes, int wanted, sqlite3_int64 from) {
    const unsigned char *there = find(opened, from, wanted);

    if (there == NULL) {
        memset(bytes, 0, (size_t)wanted);
        return SQLITE_IOERR_SHORT_READ;
    }
    memcpy(bytes, there, (size_t)wanted);
    return SQLITE_OK;
}

static int write_file(sqlite3_file *opened, const void *bytes, int size, sqlite3_int64 at) {
    (void)opened, (void)bytes, (void)size, (void)at;
    return SQLITE_READONLY;
}

static int truncate_file(sqlite3_file *opened, sqlite3_int64 size) {
    (void)opened, (void)size;
    return SQLITE_READONLY;
}

static int tell_size(sqlite3_file *opened, sqlite3_int64 *size) {
    *size = (sqlite3_int64)((const struct open_file *)opened)->file->says;
    return SQLITE_OK;
}

/* Syncing and locking: nobody else has it. */
static int do_nothing(sqlite3_file *opened, int how) {
    (void)opened, (void)how;
    return SQLITE_OK;
}

static int tell_reserved(sqlite3_file *opened, int *reserved) {
    (void)opened;
    *reserved = 0;
    return SQLITE_OK;
}

/* SQLite asks how much is mapped. */
static int control(sqlite3_file *opened, int operation, void *argument) {
    return operation == SQLITE_FCNTL_MMAP_SIZE ? tell_size(opened, argument) : SQLITE_NOTFOUND;
}

static int tell_nothing(sqlite3_file *opened) {
    (void)opened;
    return 0;
}

static int fetch(sqlite3_file *opened, sqlite3_int64 from, int wanted, void **bytes) {
    *bytes = (void *)find(opened, from, wanted);
    return SQLITE_OK;
}

static int unfetch(sqlite3_file *opened, sqlite3_int64 from, void *bytes) {
    (void)opened, (void)from, (void)bytes;
    return SQLITE_OK;
}

static int open_memory(sqlite3_vfs *vfs, const char *name, sqlite3_file *opened, int flags,
                       int *flags_out) {
    static const sqlite3_io_methods methods = {
        .iVersion = 3,
        .xClose = close_file,
        .xRead = read_file,
        .xWrite = write_file,
        .xTruncate = truncate_file,
        .xSync = do_nothing,
        .xFileSize = tell_size,
        .xLock = do_nothing,
        .xUnlock = do_nothing,
        .xCheckReservedLock = tell_reserved,
        .xFileControl = control,
        .xSectorSize = tell_nothing,
        .xDeviceCharacteristics = tell_nothing,
        .xFetch = fetch,
        .xUnfetch = unfetch,
    };

    (void)name;
    opened->pMethods = NULL;
    if (!(flags & SQLITE_OPEN_MAIN_DB)) {
        return SQLITE_CANTOPEN; /* it has no journal */
    }
    opened->pMethods = &methods;
    ((struct open_file *)opened)->file = vfs->pAppData;
    if (flags_out != NULL) {
        *flags_out = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
    }
    return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int sync) {
    (void)vfs, (void)name, (void)sync;
    return SQLITE_OK;
}

static int is_there(sqlite3_vfs *vfs, const char *name, int how, int *there) {
    (void)vfs, (void)name, (void)how;
    *there = 0;
    return SQLITE_OK;
}

static int tell_path(sqlite3_vfs *vfs, const char *name, int size, char *path) {
    (void)vfs;
    sqlite3_snprintf(size, path, "%s", name);
    return SQLITE_OK;
}

/* Random numbers, sleep and clock are those of any file. */
static bool make_vfs(struct memory_file *file) {
    const sqlite3_vfs *usual = sqlite3_vfs_find(NULL);

    if (usual == NULL) {
        return false;
    }
    file->vfs = *usual;
    file->vfs.pNext = NULL;
    file->vfs.szOsFile = (int)sizeof(struct open_file);
    file->vfs.zName = file->name;
    file->vfs.pAppData = file;
    file->vfs.xOpen = open_memory;
    file->vfs.xDelete = delete_file;
    file->vfs.xAccess = is_there;
    file->vfs.xFullPathname = tell_path;
    snprintf(file->name, sizeof file->name, "memory-%p", (void *)file);
    return sqlite3_vfs_register(&file->vfs, 0) == SQLITE_OK;
}

/* What is mapped is not kept in SQLite's page cache. */
static bool map(struct database *database, const char *schema, size_t size, bool *mapped,
                struct error *error) {
    int64_t limit = 0;
    char sql[128];
    bool done;

    snprintf(sql, sizeof sql, "PRAGMA %s.mmap_size = %zu", schema, size);
    done = database_integer(database, sql, 0, 0, &limit, error);
    *mapped = done && limit == (int64_t)size;
    return done;
}

bool memory_file_attach(struct memory_file *file, struct database *database, const char *schema,
                        bool *in_place, struct error *error) {
    char sql[128];

    if (!make_vfs(file)) {
        file->vfs.pAppData = NULL;
        return error_no_memory(error);
    }
    snprintf(sql, sizeof sql, "ATTACH 'file:%s?vfs=%s&mode=ro' AS %s", schema, file->name, schema);
    return database_run(database, sql, error) && map(database, schema, file->says, in_place, error);
}

void memory_file_detach(struct memory_file *file, struct database *database, const char *schema) {
    char sql[64];

    if (file->vfs.pAppData != NULL) {
        snprintf(sql, sizeof sql, "DETACH %s", schema);
        sqlite3_exec(database->handle, sql, NULL, NULL, NULL);
        sqlite3_vfs_unregister(&file->vfs);
        file->vfs.pAppData = NULL;
    }
}

#include "failing_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "unit.h"

static struct {
    sqlite3_vfs *real;
    enum fault fault;
    int left;           /* operations until the fault */
    int grown, changed; /* operations so far that make a file larger; that change anything */
} disk;

/* A file of SQLite; the real one follows it in memory. */
struct disk_file {
    sqlite3_file base;
    bool watched; /* the database, its journal or its log; not a temporary file */
};

static sqlite3_file *real_of(sqlite3_file *file) {
    return (sqlite3_file *)((struct disk_file *)file + 1);
}

/* Returns the result of a disk operation before it is done. */
static int strike(const sqlite3_file *file, bool grows) {
    if (file != NULL && !((const struct disk_file *)file)->watched) {
        return SQLITE_OK;
    }
    disk.grown += grows;
    disk.changed++;
    if (disk.fault == FAULT_NONE || (disk.fault == FAULT_FULL && !grows) || disk.left-- > 0) {
        return SQLITE_OK;
    }
    disk.left = 0;
    return disk.fault == FAULT_FULL ? SQLITE_FULL : SQLITE_IOERR;
}

static bool is_beyond(sqlite3_file *file, sqlite3_int64 end) {
    sqlite3_file *real = real_of(file);
    sqlite3_int64 size;

    return real->pMethods->xFileSize(real, &size) != SQLITE_OK || end > size;
}

static int disk_close(sqlite3_file *file) {
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int disk_read(sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset) {
    return real_of(file)->pMethods->xRead(real_of(file), bytes, length, offset);
}

static int disk_write(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
    int status = strike(file, is_beyond(file, offset + length));

    return status != SQLITE_OK
               ? status
               : real_of(file)->pMethods->xWrite(real_of(file), bytes, length, offset);
}

static int disk_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int status = strike(file, false);

    return status != SQLITE_OK ? status : real_of(file)->pMethods->xTruncate(real_of(file), size);
}

/* No power cut is simulated: written data may stay in the page cache, which is fast. */
static int disk_sync(sqlite3_file *file, int flags) {
    (void)flags;
    return strike(file, false);
}

static int disk_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int disk_lock(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int disk_unlock(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int disk_is_reserved(sqlite3_file *file, int *reserved) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), reserved);
}

static int disk_control(sqlite3_file *file, int code, void *argument) {
    int status = SQLITE_OK;

    if (code == SQLITE_FCNTL_SIZE_HINT && is_beyond(file, *(sqlite3_int64 *)argument)) {
        status = strike(file, true);
    }
    return status != SQLITE_OK
               ? status
               : real_of(file)->pMethods->xFileControl(real_of(file), code, argument);
}

static int disk_sector(sqlite3_file *file) {
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int disk_traits(sqlite3_file *file) {
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int disk_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **map) {
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, map);
}

static int disk_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void disk_shm_barrier(sqlite3_file *file) {
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

/* A dead process removes nothing. */
static int disk_shm_unmap(sqlite3_file *file, int with_file) {
    bool dead = disk.fault == FAULT_DEAD && disk.left == 0;

    return real_of(file)->pMethods->xShmUnmap(real_of(file), with_file && !dead);
}

static int disk_fetch(sqlite3_file *file, sqlite3_int64 offset, int length, void **bytes) {
    return real_of(file)->pMethods->xFetch(real_of(file), offset, length, bytes);
}

static int disk_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *bytes) {
    return real_of(file)->pMethods->xUnfetch(real_of(file), offset, bytes);
}

static const sqlite3_io_methods disk_methods = {
    .iVersion = 3,
    .xClose = disk_close,
    .xRead = disk_read,
    .xWrite = disk_write,
    .xTruncate = disk_truncate,
    .xSync = disk_sync,
    .xFileSize = disk_size,
    .xLock = disk_lock,
    .xUnlock = disk_unlock,
    .xCheckReservedLock = disk_is_reserved,
    .xFileControl = disk_control,
    .xSectorSize = disk_sector,
    .xDeviceCharacteristics = disk_traits,
    .xShmMap = disk_shm_map,
    .xShmLock = disk_shm_lock,
    .xShmBarrier = disk_shm_barrier,
    .xShmUnmap = disk_shm_unmap,
    .xFetch = disk_fetch,
    .xUnfetch = disk_unfetch,
};

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                     int *opened) {
    const int watched = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL;
    int status = disk.real->xOpen(disk.real, name, real_of(file), flags, opened);

    (void)vfs;
    *(struct disk_file *)file = (struct disk_file){.watched = (flags & watched) != 0};
    file->pMethods = status == SQLITE_OK ? &disk_methods : NULL;
    return status;
}

static int disk_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    int status = strike(NULL, false);

    (void)vfs;
    return status != SQLITE_OK ? status : disk.real->xDelete(disk.real, name, sync);
}

/* While the layer is active, space is allocated only through it. */
int fallocate(int descriptor, int mode, off_t offset, off_t length) {
    if (disk.real != NULL) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_fallocate, descriptor, mode, offset, length);
}

/* Methods not overridden are those of the real VFS, which ignores the VFS pointer it is called
 * with. */
void disk_begin(void) {
    static sqlite3_vfs layer;

    disk.real = sqlite3_vfs_find(NULL);
    layer = *disk.real;
    layer.zName = "failing";
    layer.pNext = NULL;
    layer.szOsFile += (int)sizeof(struct disk_file);
    layer.xOpen = disk_open;
    layer.xDelete = disk_delete;
    ck_assert_int_eq(sqlite3_vfs_register(&layer, 1), SQLITE_OK);
}

void disk_fail(enum fault fault, int after) {
    disk.fault = fault;
    disk.left = after;
    disk.grown = disk.changed = 0;
}

int disk_grown(void) {
    return disk.grown;
}

int disk_changed(void) {
    return disk.changed;
}

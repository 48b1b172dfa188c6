#include "store/wal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/text.h"

enum {
    SWITCH_WAIT = 100, /* limit of one attempt to switch WAL mode on, in ms; new readers must wait
                          meanwhile */
    /* milliseconds between two attempts; readers check for a waiting writer more often */
    KNOCK_TIME = 250,
};

/* Bytes per millisecond that a checkpoint writes from the log to the file, about. */
#define MOVING_SPEED (1024 * 1024)

/* --- file systems on which a log works -------------------------------------------------------- */

/* Returns whether the file is on a network file system. WAL mode is not possible there: the log's
 * index is memory that all programs share. */
static bool is_on_network(const char *path) {
    static const unsigned long networks[] = {
        0x00006969 /* NFS */,    0x0000517B /* SMB */,  0xFF534D42 /* CIFS */,
        0xFE534D42 /* SMB2 */,   0x01021997 /* 9P */,   0x5346414F /* AFS */,
        0x6B414653 /* AFS */,    0x73757245 /* Coda */, 0x00C36400 /* Ceph */,
        0x0BD00BD0 /* Lustre */, 0x01161970 /* GFS2 */, 0x7461636F /* OCFS2 */,
        0x786F4256 /* vboxsf */, 0x47504653 /* GPFS */, 0x65735546 /* FUSE, any */,
    };
    struct statfs status;

    if (statfs(path, &status) != 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        if (((unsigned long)status.f_type & 0xFFFFFFFF) == networks[i]) {
            return true;
        }
    }
    return false;
}

bool wal_is_on(struct database *database) {
    struct error ignored = {0};
    struct database_query query =
        database_query(database, &ignored, "PRAGMA main.journal_mode", "");
    bool on = database_next(&query) && strcmp(database_column_text(query.row, 0), "wal") == 0;

    database_end(&query);
    return on;
}

/* --- switching the log on --------------------------------------------------------------------- */

/* Tries once to switch WAL mode on. Sets `*busy` if other programs use the database. */
static bool try_to_switch_on(struct database *database, bool *busy, struct error *error) {
    long limit = busy_handler_limit(database->busy, SWITCH_WAIT);
    int status = sqlite3_exec(database->handle, "PRAGMA main.journal_mode = WAL", NULL, NULL, NULL);

    busy_handler_limit(database->busy, limit);
    *busy = (status & 0xFF) == SQLITE_BUSY;
    return status == SQLITE_OK || *busy || database_set_error(database, error);
}

/* Takes SQLite's write lock for a moment. Readers are not disturbed, but a reader whose output is
 * blocked (a pager) notices the lock (database_has_waiting_writer()) and ends its transaction. */
static bool signal_waiting_readers(struct database *database, struct error *error) {
    bool waited;

    if (!database_run(database, "BEGIN IMMEDIATE", error)) {
        return false;
    }
    waited = busy_handler_pause(database->busy, KNOCK_TIME);
    return database_run(database, "ROLLBACK", error) &&
           (waited ||
            error_set_status(error, EXIT_INTERRUPTED, "interrupted; nothing was changed"));
}

static bool enable_wal_mode(struct database *database, struct error *error) {
    bool busy = true;

    while (busy) {
        if (!try_to_switch_on(database, &busy, error) ||
            (busy && !signal_waiting_readers(database, error))) {
            return false;
        }
    }
    /* Switches off SQLite's automatic checkpoints: wal_commit() does one for each transaction. */
    sqlite3_wal_autocheckpoint(database->handle, 0);
    return true;
}

/* Switches WAL mode off. An exclusive lock lets SQLite do so without the log's shared index. */
static void switch_off_again(struct database *database) {
    sqlite3_exec(database->handle,
                 "PRAGMA main.locking_mode = EXCLUSIVE; PRAGMA main.journal_mode = DELETE;"
                 " PRAGMA main.locking_mode = NORMAL; SELECT count(*) FROM main.sqlite_schema",
                 NULL, NULL, NULL);
}

/* Returns the size of the database's companion file, such as -wal; -1 if there is none. */
static off_t size_of_file_beside(const char *path, const char *ending) {
    struct text name = {0};
    struct stat status;
    off_t size = -1;

    text_append_format(&name, "%s%s", path, ending);
    if (stat(text_string(&name), &status) == 0) {
        size = status.st_size;
    }
    text_free(&name);
    return size;
}

static off_t log_size(const struct database *database) {
    const char *path = sqlite3_db_filename(database->handle, "main");
    off_t size = path == NULL || path[0] == '\0' ? 0 : size_of_file_beside(path, "-wal");

    return size > 0 ? size : 0;
}

static bool begin_immediate_transaction(struct database *database, struct error *error) {
    if (!database_run(database, "BEGIN IMMEDIATE", error)) {
        return false;
    }
    database->log_size = log_size(database);
    return true;
}

bool wal_begin(struct database *database, bool brief, struct error *error) {
    const char *path = sqlite3_db_filename(database->handle, "main");
    bool on = !brief && !database->filling && path != NULL && path[0] != '\0' &&
              !wal_is_on(database) && !is_on_network(path);
    struct error failure = {0};

    if (on && !enable_wal_mode(database, error)) {
        return false;
    }
    if (begin_immediate_transaction(database, &failure)) {
        return true;
    }
    if (on && !busy_handler_interrupted(database->busy)) {
        /* The log's index cannot be created: the file system cannot share memory, the disk is full,
         * or its file name is taken. Continues without WAL mode. */
        switch_off_again(database);
        return begin_immediate_transaction(database, error);
    }
    *error = failure;
    return false;
}

/* --- committing through the log (WAL) --------------------------------------------------------- */

static bool refuse_full_disk(const struct database *database, int64_t size, struct error *error) {
    int cause = database_last_errno(database);

    return cause == 0 || cause == ENOSPC
               ? error_set(error, "%s: no space left on the disk; nothing was changed",
                           database->path)
               : error_set(error, "%s: cannot grow to %lld bytes: %s; nothing was changed",
                           database->path, (long long)size, strerror(cause));
}

/* Allocates file space in one call; SQLite would write a byte to each block. If this fails, SQLite
 * allocates and reports errors. */
static void preallocate_file_space(const struct database *database, int64_t size) {
    struct stat status;

    if (fstat(database->descriptor, &status) == 0 && status.st_size < size) {
        fallocate(database->descriptor, 0, status.st_size, size - status.st_size);
    }
}

/* Allocates the space that the file needs after the commit, while a failure can still be undone. */
static bool reserve_commit_space(struct database *database, struct error *error) {
    int64_t pages, page_size, size;
    int chunk, none = 0, status;

    if (!database_query_integer(database, "PRAGMA main.page_count", 0, 0, &pages, error) ||
        !database_query_integer(database, "PRAGMA main.page_size", 0, 0, &page_size, error)) {
        return false;
    }
    chunk = (int)page_size;
    size = pages * page_size;
    preallocate_file_space(database, size);
    sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_CHUNK_SIZE, &chunk);
    status = sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_SIZE_HINT, &size);
    sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_CHUNK_SIZE, &none);
    return status == SQLITE_OK || refuse_full_disk(database, size, error);
}

/* Returns how many milliseconds the checkpoint waits for readers: about as long as writing this
 * transaction's part of the log takes. The log's total size is no measure: it grows while a reader
 * stays, so each import would wait longer than the one before. */
static long milliseconds_to_wait_for_readers(const struct database *database) {
    off_t added = log_size(database) - database->log_size;

    return added > 0 ? (long)(added / MOVING_SPEED) : 0;
}

bool wal_commit(struct database *database, struct error *error) {
    bool log = wal_is_on(database);

    if ((log && !reserve_commit_space(database, error)) ||
        !database_run(database, "COMMIT", error)) {
        return false;
    }
    if (log) {
        /* Checkpoint: writes the log to the file and empties it, except for what readers still
         * need. Waits for readers for a short time: a reader that started before the commit would
         * otherwise have to do the whole checkpoint when it ends later. */
        long limit = busy_handler_limit(database->busy, milliseconds_to_wait_for_readers(database));

        sqlite3_wal_checkpoint_v2(database->handle, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
        busy_handler_limit(database->busy, limit);
    }
    return true;
}

/* --- switching the log off -------------------------------------------------------------------- */

bool wal_end(struct database *database) {
    int moved = 0;
    long limit;

    /* Undoes a transaction that a signal left open: WAL mode cannot be switched off during one. */
    if (sqlite3_get_autocommit(database->handle) == 0) {
        sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
    }
    if (!wal_is_on(database)) {
        return true;
    }
    /* If the file was moved or replaced, a log of this name belongs to another file: leaves it. */
    sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (moved) {
        return false;
    }
    limit = busy_handler_limit(database->busy, 0);
    sqlite3_exec(database->handle, "PRAGMA main.journal_mode = DELETE", NULL, NULL, NULL);
    busy_handler_limit(database->busy, limit);
    return !wal_is_on(database);
}

bool wal_exists(const char *path) {
    return size_of_file_beside(path, "-wal") > 0;
}

/* Reads the file format's write and read version, bytes 18 and 19 of the header; 2: WAL
 * (https://www.sqlite.org/fileformat2.html, 1.3.3). */
bool wal_header_has_log(int descriptor) {
    unsigned char versions[2] = {0};

    return pread(descriptor, versions, sizeof versions, 18) == (ssize_t)sizeof versions &&
           versions[0] == 2 && versions[1] == 2;
}

/* Returns whether the file is a database of tracetool. The caller switches WAL mode off in these
 * only: it must not change files of other programs. */
static bool wal_is_known(sqlite3 *handle) {
    sqlite3_stmt *select = NULL;
    bool known;

    sqlite3_prepare_v2(handle, "PRAGMA application_id", -1, &select, NULL);
    known = sqlite3_step(select) == SQLITE_ROW &&
            sqlite3_column_int64(select, 0) == DATABASE_APPLICATION_ID;
    sqlite3_finalize(select);
    return known;
}

/* Reads from the database, which makes SQLite recover it by its journal or log. Does nothing if
 * other programs use the database. */
static void recover_file(const char *path, const char *locking) {
    sqlite3 *handle = NULL;

    if (sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) ==
        SQLITE_OK) {
        sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
        sqlite3_exec(handle, locking, NULL, NULL, NULL);
        if (wal_is_known(handle)) {
            sqlite3_exec(handle, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
        }
    }
    sqlite3_close(handle);
}

void wal_repair_leftovers(const char *path, int descriptor) {
    if (size_of_file_beside(path, "-journal") >= 0 || size_of_file_beside(path, "-wal") >= 0 ||
        wal_header_has_log(descriptor)) {
        recover_file(path, "PRAGMA locking_mode = NORMAL");
        /* With an exclusive lock, SQLite needs no shared index. */
        if (wal_header_has_log(descriptor)) {
            recover_file(path, "PRAGMA locking_mode = EXCLUSIVE");
        }
    }
}

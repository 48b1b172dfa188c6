#include "store/database.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/resource.h"
#include "base/text.h"
#include "store/argument_pack.h"
#include "store/event_table.h"
#include "store/functions.h"
#include "store/connection.h"
#include "store/schema.h"
#include "store/row_pages.h"
#include "store/wal.h"
#include "base/memory.h"

/* SQLite's name of a database in memory. */
#define IN_MEMORY ":memory:"

/* Number of steps of SQLite's virtual machine, some 100 ns each, between checks for a signal. */
enum { STEPS_AT_ONCE = 10000 };

/* SQLite's fast allocator (lookaside) of a connection: size of a slot, and number of slots. */
enum { LOOKASIDE_SIZE = 1200, LOOKASIDE_COUNT = 400 };

/* Milliseconds between two checks whether the import that creates the database is complete. */
enum { FILLING_WAIT = 25 };

/* --- lock that marks a file as open ----------------------------------------------------------- */

/* A lock that marks the database file as open: so a failed import never deletes a database that
 * another process has open.
 *
 * Each process that opens the database holds a read lock on a byte far from SQLite's locks.
 * Deleting the file needs a write lock on that byte. It is an open file description lock: it lasts
 * until the descriptor is closed. SQLite's locks belong to the process, and closing any descriptor
 * of the file drops them: so this descriptor is opened before SQLite opens the file, and closed
 * after SQLite closes it. File systems without such locks lock nothing. */

/* Limit of attempts to open a file that other processes keep deleting. */
enum { REOPENINGS = 100 };

enum {
    PRESENCE_BYTE = 0x40001000,
    FILLING_BYTE, /* byte that is locked during the first import, see database_fill() */
};

/* Permissions of new files: SQLite's default, and for private databases. */
enum { PERMISSIONS = 0644, PRIVATE_PERMISSIONS = 0600 };

static struct flock database_range_of(short type, off_t byte) {
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
}

/* Sets or tests (fcntl() `command`) the lock that marks the file as open. Returns false if another
 * process holds a conflicting lock. */
static bool lock_file_range(int descriptor, short type, int command) {
    struct flock range = database_range_of(type, PRESENCE_BYTE);
    int status;

    do {
        status = fcntl(descriptor, command, &range);
    } while (status != 0 && errno == EINTR);
    return status == 0 || (errno != EAGAIN && errno != EACCES);
}

/* Opens the file. If `making`, opens it for writing, which a write lock requires, and creates it if
 * it is missing; without write permission opens it for reading. Sets `*made` if it was created. */
static int open_or_make(const char *path, bool making, mode_t permissions, bool *made) {
    int descriptor = open(path, (making ? O_RDWR : O_RDONLY) | O_CLOEXEC);

    *made = false;
    if (descriptor < 0 && making && errno == ENOENT) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, permissions);
        *made = descriptor >= 0;
    } else if (descriptor < 0 && making) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC);
    }
    return descriptor;
}

/* Replaces descriptor 0, 1 or 2 by a duplicate above 2. A program may be started with these
 * descriptors closed. A database file that then got 1 or 2 would receive the program's output. */
static int avoid_standard(int descriptor) {
    int other;

    if (descriptor < 0 || descriptor > STDERR_FILENO) {
        return descriptor;
    }
    other = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(descriptor);
    return other;
}

/* Returns whether the path still names the open file. */
static bool database_is_of(int descriptor, const char *path) {
    struct stat open_one, named;

    return fstat(descriptor, &open_one) == 0 && stat(path, &named) == 0 &&
           open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino;
}

/* Opens the file and prevents other processes from deleting it. If `making`, creates a missing file
 * and sets `*made`; then this process may delete it. Returns -1 and sets errno on failure, to
 * ESTALE if other processes deleted the file at each attempt. */
static int open_present(const char *path, bool making, mode_t permissions, bool *made) {
    for (int i = 0; i < REOPENINGS; i++) {
        int descriptor = avoid_standard(open_or_make(path, making, permissions, made));

        if (descriptor < 0) {
            return -1;
        }
        lock_file_range(descriptor, F_RDLCK, F_OFD_SETLKW);
        if (database_is_of(descriptor, path)) {
            return descriptor;
        }
        close(descriptor);
    }
    errno = ESTALE;
    return -1;
}

/* Creates the file. Returns -1 with errno EEXIST if the name exists, also as a link: nobody can
 * make the program write through a link. */
static int make_present(const char *path) {
    int descriptor =
        avoid_standard(open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, PERMISSIONS));

    if (descriptor >= 0) {
        lock_file_range(descriptor, F_RDLCK, F_OFD_SETLKW);
    }
    return descriptor;
}

/* Takes the write lock; returns true if no other process has the file open. A process that then
 * opens the file waits until this descriptor is closed, and finds the file deleted. */
static bool become_alone(int descriptor) {
    return lock_file_range(descriptor, F_WRLCK, F_OFD_SETLK);
}

/* Opens a regular file and takes the write lock; returns -1 if some process has the file open. */
static int open_alone(const char *path) {
    int descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;

    if (descriptor >= 0 && (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
                            !become_alone(descriptor))) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

bool database_file_is_unused(const char *path) {
    int descriptor = open_alone(path);

    if (descriptor >= 0) {
        close(descriptor);
    }
    return descriptor >= 0;
}

int database_prevent_deletion(const char *path) {
    bool made;

    return open_present(path, false, 0, &made);
}

bool database_remove_unused(const char *path) {
    static const char *const beside[] = {"-journal", "-wal", "-shm"};
    int descriptor = open_alone(path);
    bool done = descriptor >= 0 && database_is_of(descriptor, path) && unlink(path) == 0;

    for (size_t i = 0; done && i < sizeof beside / sizeof beside[0]; i++) {
        char *other = xasprintf("%s%s", path, beside[i]);

        unlink(other);
        free(other);
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    return done;
}

/* Locks FILLING_BYTE of a new file to mark that its first import is running. Returns false if
 * locking fails. The lock lasts until database_allow_other_programs(), or until the descriptor is
 * closed.
 */
static bool database_fill(int descriptor) {
    struct flock range = database_range_of(F_WRLCK, FILLING_BYTE);

    return fcntl(descriptor, F_OFD_SETLK, &range) == 0;
}

/* Returns whether no other process is running the first import into the file. */
static bool is_filled(int descriptor) {
    struct flock range = database_range_of(F_RDLCK, FILLING_BYTE);

    return fcntl(descriptor, F_OFD_GETLK, &range) != 0 || range.l_type == F_UNLCK;
}

/* --- creating and checking the schema --------------------------------------------------------- */

/* Creates the schema of a store's snapshot: with a table of hashes, without unique trace names. */
static bool create_shadow(struct database *database, const char *schema, struct error *error) {
    static const char unique[] = "name TEXT NOT NULL UNIQUE";
    const char *place = strstr(schema, unique);
    struct text sql = {0};
    bool done;

    text_append(&sql, schema, (size_t)(place - schema));
    text_append_format(&sql, "name TEXT NOT NULL%s", place + strlen(unique));
    text_append_string(&sql,
                       "\nCREATE TABLE pushed (trace INTEGER PRIMARY KEY, hash TEXT, name TEXT)");
    done = database_run(database, text_string(&sql), error);
    text_free(&sql);
    return done;
}

static int database_application_of(const struct database *database) {
    return database->is_private ? DATABASE_PRIVATE_APPLICATION_ID : DATABASE_APPLICATION_ID;
}

/* Appends the schema up to the text `begin`. Returns the position after the next text `end`, from
 * which the caller continues: the text from `begin` to `end` is omitted. */
static const char *copy_schema_before(struct text *out, const char *schema, const char *begin,
                                      const char *end) {
    const char *place = strstr(schema, begin);

    text_append(out, schema, (size_t)(place - schema));
    return strstr(place, end) + strlen(end);
}

/* Creates the schema of a private database, without triggers, since no other program changes it. */
static bool create_private(struct database *database, const char *schema, struct error *error) {
    struct text sql = {0};
    bool done;

    if (database->without_rows) {
        schema = copy_schema_before(&sql, schema, "CREATE TABLE IF NOT EXISTS event (", "\n);");
        text_append_string(&sql, EVENT_TABLE_SQL ";");
    }
    while (strstr(schema, "CREATE TRIGGER") != NULL) {
        schema = copy_schema_before(&sql, schema, "CREATE TRIGGER", "END;");
    }
    text_append_string(&sql, schema);
    done = database_run(database, text_string(&sql), error);
    text_free(&sql);
    return done;
}

/* Creates the tables if the file is empty. Two programs may do so at the same time, so checks again
 * under the write lock. */
static bool create_schema(struct database *database, struct error *error) {
    const char *schema = resource_find(schema_resources, "schema");
    int64_t objects;
    char version[128], begin[64];

    /* Large pages suit an import, which appends to one table, and reports, which read it in order.
     * A database without rows of `event` has mostly empty tables and indexes, one page each, so its
     * pages are small. */
    snprintf(begin, sizeof begin, "PRAGMA page_size = %d; BEGIN IMMEDIATE",
             database->without_rows ? 4096 : 16384);
    if (!database_run(database, begin, error) ||
        !database_query_integer(database, "SELECT count(*) FROM sqlite_schema", 0, 0, &objects,
                                error)) {
        return false;
    }
    if (objects > 0) {
        return database_run(database, "COMMIT", error);
    }
    snprintf(version, sizeof version, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             database_application_of(database), DATABASE_SCHEMA_VERSION);
    return (strcmp(database->path, DATABASE_SHADOW) == 0 ? create_shadow(database, schema, error)
            : database->is_private                       ? create_private(database, schema, error)
                                                         : database_run(database, schema, error)) &&
           database_run(database, version, error) && database_run(database, "COMMIT", error);
}

/* Returns true if the table does not exist or lacks the column; with `column` NULL, only if it does
 * not exist. Uses the schema that SQLite has already loaded. */
static bool schema_lacks(const struct database *database, const char *table, const char *column) {
    return sqlite3_table_column_metadata(database->handle, "main", table, column, NULL, NULL, NULL,
                                         NULL, NULL) == SQLITE_ERROR;
}

/* Sets `missing` to the name of a table that the database lacks; returns false if there is none. */
static bool database_find_missing(const struct database *database, char *missing, size_t size) {
    static const char begin[] = "CREATE TABLE IF NOT EXISTS ";
    const char *at = resource_find(schema_resources, "schema");

    while ((at = strstr(at, begin)) != NULL) {
        at += strlen(begin);
        snprintf(missing, size, "%.*s", (int)strcspn(at, " ("), at);
        if (schema_lacks(database, missing, NULL)) {
            return true;
        }
    }
    return false;
}

/* Numbers that identify the program and the schema version of a database. */
struct identity {
    int64_t objects, application, version;
    bool restored; /* true: has tracetool's tables, but application and version are 0: restored from
                      a dump, or copied by another program */
};

/* Reads the identifying numbers. Counts tables first: that makes SQLite reload the schema if
 * another connection changed it. */
static bool read_identity(struct database *database, struct identity *identity,
                          struct error *error) {
    if (!database_query_integer(database, "SELECT count(*) FROM sqlite_schema", 0, 0,
                                &identity->objects, error) ||
        !database_query_integer(database, "PRAGMA application_id", 0, 0, &identity->application,
                                error) ||
        !database_query_integer(database, "PRAGMA user_version", 0, 0, &identity->version, error)) {
        return false;
    }
    identity->restored = identity->application == 0 && identity->version == 0 &&
                         !schema_lacks(database, "trace", "rollups");
    return true;
}

/* Refuses files of other programs, and schema versions that cannot be migrated. */
static bool check_identity(struct database *database, struct identity *identity,
                           struct error *error) {
    char missing[64];

    if (!read_identity(database, identity, error)) {
        return false;
    }
    if (identity->application == DATABASE_PRIVATE_APPLICATION_ID && !database->is_private) {
        return error_set(
            error, "%s: is a cached database that tracetool made for a log; name the log itself",
            database->path);
    }
    if (identity->application != database_application_of(database) && !identity->restored) {
        return error_set(error,
                         "%s: is an SQLite database of another program; name a file of "
                         "tracetool's with -d",
                         database->path);
    }
    if (identity->version > DATABASE_SCHEMA_VERSION) {
        return error_set(error,
                         "%s: was made by a newer tracetool (schema version %lld, this program "
                         "knows up to %d); update tracetool",
                         database->path, (long long)identity->version, DATABASE_SCHEMA_VERSION);
    }
    if (!identity->restored &&
        identity->version < migration_oldest(schema_resources, DATABASE_SCHEMA_VERSION)) {
        return error_set(error,
                         "%s: made by an earlier development version (schema %lld; this one has "
                         "%d): import the logs again",
                         database->path, (long long)identity->version, DATABASE_SCHEMA_VERSION);
    }
    if ((identity->restored || identity->version == DATABASE_SCHEMA_VERSION) &&
        database_find_missing(database, missing, sizeof missing)) {
        return error_set(error,
                         "%s: lacks the table %s: made by an earlier development version, or "
                         "changed by another program; import the logs again",
                         database->path, missing);
    }
    return true;
}

/* Sets the identifying numbers of a restored database. Removes the columnar copy of events and the
 * rollups, since the dump, a text file, may have been edited. */
static bool database_adopt(struct database *database, struct error *error) {
    struct identity identity = {0};
    char numbers[128];

    if (!database_run(database, "BEGIN IMMEDIATE", error) ||
        !read_identity(database, &identity, error)) {
        return false;
    }
    snprintf(numbers, sizeof numbers, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             DATABASE_APPLICATION_ID, DATABASE_SCHEMA_VERSION);
    return (!identity.restored ||
            (database_run(database, "DELETE FROM main.event_column", error) &&
             database_run(database, "UPDATE main.trace SET rollups = ''", error) &&
             database_run(database, numbers, error))) &&
           database_run(database, "COMMIT", error);
}

static bool migrate_schema(struct database *database, struct error *error) {
    return migration_run(database, schema_resources, DATABASE_SCHEMA_VERSION, error);
}

/* SQLite's progress callback; a value other than 0 ends the running statement. */
static int database_is_interrupted(void *context) {
    return *(const volatile sig_atomic_t *)context != 0;
}

void database_skip_memory_counts(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

void database_limit_memory(void) {
    sqlite3_shutdown(); /* SQLite accepts these settings only while it is shut down, and it may have
                           been used for earlier logs. */
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 1);
    sqlite3_hard_heap_limit64(DATABASE_MOST_MEMORY);
}

static bool configure_connection(struct database *database, const struct patience *patience,
                                 struct error *error) {
    sqlite3_db_config(database->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    /* Makes lookaside, SQLite's fast allocator, ten times as large as usual: enough to compile
     * statements and to sum thousands of groups. Debian's SQLite has it off by default. */
    sqlite3_db_config(database->handle, SQLITE_DBCONFIG_LOOKASIDE, NULL, LOOKASIDE_SIZE,
                      LOOKASIDE_COUNT);
    /* Switches triggers off: they are for other programs (schema.sql), and a file from elsewhere
     * may contain harmful ones. */
    sqlite3_db_config(database->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    /* No checkpoint on closing: wal.h does one, which can be interrupted. */
    sqlite3_db_config(database->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    if (patience != NULL && patience->interrupted != NULL) {
        sqlite3_progress_handler(database->handle, STEPS_AT_ONCE, database_is_interrupted,
                                 (void *)patience->interrupted);
    }
    database->busy = busy_handler_new(database->handle, database->path, patience);
    return (functions_register(database->handle) && argument_pack_register(database) &&
            (!database->is_private || event_table_register(database))) ||
           database_set_error(database, error);
}

/* A function that changes the whole database, such as a migration. */
typedef bool (*change)(struct database *, struct error *);

/* Calls `make`, such as a migration, on a separate connection, which can write even if `database`
 * is open for reading. */
static bool change_by_writer(const struct database *database, change make, struct error *error) {
    struct database writer = {.path = database->path};
    bool done;

    if (sqlite3_open_v2(database->path, &writer.handle, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        done = database_set_error(&writer, error);
    } else {
        done = configure_connection(&writer, NULL, error) && make(&writer, error);
    }
    database_finalize_statements(&writer);
    sqlite3_close(writer.handle);
    busy_handler_free(writer.busy);
    return done;
}

/* Calls `make` as change_by_writer() does. Ends a reader's transaction before, since it would
 * prevent the commit, and begins a new one afterwards. */
static bool change_beside(struct database *database, change make, struct error *error) {
    struct identity identity;

    if (!database->reading) {
        return change_by_writer(database, make, error);
    }
    return database_run(database, "COMMIT", error) && change_by_writer(database, make, error) &&
           database_run(database, "BEGIN", error) && check_identity(database, &identity, error);
}

/* Marks a restored database as tracetool's, or migrates one of an earlier schema version. */
static bool bring_up_to_date(struct database *database, const struct identity *identity,
                             struct error *error) {
    if (identity->restored) {
        return change_beside(database, database_adopt, error) ||
               error_context(error, "the database was restored from a dump and must be marked as "
                                    "tracetool's");
    }
    return identity->version == DATABASE_SCHEMA_VERSION ||
           change_beside(database, migrate_schema, error) ||
           error_context(error,
                         "the database is of schema version %lld and must be brought to version %d",
                         (long long)identity->version, DATABASE_SCHEMA_VERSION);
}

static bool mode_creates_file(enum database_mode mode) {
    return mode == DATABASE_CREATE || mode == DATABASE_NEW;
}

static bool prepare_file(struct database *database, enum database_mode mode, struct error *error) {
    struct identity identity;
    bool empty;

    if (!read_identity(database, &identity, error)) {
        return false;
    }
    empty = identity.objects == 0 && identity.application == 0;
    if (empty && !mode_creates_file(mode)) {
        return error_set(error, "%s: holds no traces yet; `tracetool import` fills it",
                         database->path);
    }
    /* no sync at each commit of a private database: cache_store() syncs at the end */
    if (database->is_private && mode_creates_file(mode) &&
        !database_run(database, "PRAGMA synchronous = OFF", error)) {
        return false;
    }
    return (!empty || create_schema(database, error)) &&
           check_identity(database, &identity, error) &&
           bring_up_to_date(database, &identity, error);
}

/* Limits SQLite's page cache; sorts use temporary files. Must run when the page size is known:
 * SQLite converts kilobytes to pages at once. A larger cache would not help, only exceed the
 * processor's caches: reports read columns once, and imports write rows once. */
static bool bound_memory(struct database *database, struct error *error) {
    return database_run(database, "PRAGMA cache_size = -8192", error);
}

bool database_has_moved(struct database *database) {
    int moved = 0;

    sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved;
}

bool database_set_deleted_error(const struct database *database, struct error *error) {
    return error_set(error,
                     "%s: was deleted or moved by another program meanwhile; nothing was imported",
                     database->path);
}

/* Returns whether stdin is a pipe or a file, so that the user may have meant it as the log. */
static bool stdin_may_be_log(void) {
    struct stat status;

    return fstat(STDIN_FILENO, &status) == 0 &&
           (S_ISFIFO(status.st_mode) || (S_ISREG(status.st_mode) && status.st_size > 0));
}

static bool set_open_error(const struct database *database, int cause, bool missing,
                           struct error *error) {
    return error_set(
        error, "%s: cannot open the database: %s%s%s", database->path, strerror(cause),
        missing
            ? "; name one with -d, or make one with `tracetool import`; `tracetool LOG` needs none"
            : "",
        missing && stdin_may_be_log() ? "; `-` as LOG reads stdin" : "");
}

/* Refuses directories and devices: SQLite's message on a directory is unclear ("cannot open"), and
 * data written to a device would be lost. */
static bool database_check_path(const struct database *database, enum database_mode mode,
                                struct error *error) {
    struct stat status;

    if (stat(database->path, &status) != 0) {
        return mode_creates_file(mode) || set_open_error(database, errno, true, error);
    }
    if (S_ISDIR(status.st_mode)) {
        return set_open_error(database, EISDIR, false, error);
    }
    return S_ISREG(status.st_mode) ||
           error_set(error, "%s: cannot open the database: it is no regular file", database->path);
}

/* Takes the lock that prevents other processes from deleting the file. Creates the file if needed,
 * so that SQLite opens the file that is locked. */
static bool take_presence_lock(struct database *database, enum database_mode mode,
                               struct error *error) {
    int descriptor = mode == DATABASE_NEW
                         ? make_present(database->path)
                         : open_present(database->path, mode_creates_file(mode),
                                        database->is_private ? PRIVATE_PERMISSIONS : PERMISSIONS,
                                        &database->created);

    database->created |= mode == DATABASE_NEW && descriptor >= 0;
    if (descriptor < 0) {
        return errno == ESTALE ? database_set_deleted_error(database, error)
                               : set_open_error(database, errno,
                                                errno == ENOENT && !mode_creates_file(mode), error);
    }
    database->descriptor = descriptor;
    database->filling = database->created && database_fill(descriptor);
    return true;
}

/* Waits until another program's first import into the database is complete. */
static bool await_filling(struct database *database, struct error *error) {
    while (database->descriptor > 0 && !is_filled(database->descriptor)) {
        if (!busy_handler_pause(database->busy, FILLING_WAIT)) {
            return error_set_status(error, EXIT_INTERRUPTED, "interrupted; nothing was changed");
        }
    }
    return true;
}

/* Prevents other code of this process from opening the database's files. */
static void guard_database_files(struct database *database) {
    const char *path = sqlite3_db_filename(database->handle, "main");

    if (path != NULL && *path != '\0') {
        database->registration = file_register_database(path);
    }
}

static bool open_handle(struct database *database, const char *path, int flags,
                        const struct patience *patience, struct error *error) {
    /* Full mutex: threads of a scan and visit callbacks share the connection. */
    if (sqlite3_open_v2(path, &database->handle, flags | SQLITE_OPEN_FULLMUTEX, NULL) !=
        SQLITE_OK) {
        int cause = database->handle == NULL ? ENOMEM : sqlite3_system_errno(database->handle);

        return error_set(error, "%s: cannot open the database: %s", database->path,
                         cause != 0 ? strerror(cause) : sqlite3_errmsg(database->handle));
    }
    return configure_connection(database, patience, error);
}

static void close_handle(struct database *database) {
    sqlite3 *handle = database->handle;

    database_finalize_statements(database);
    row_pages_free(database->pages);
    database->pages = NULL;
    database->handle = NULL; /* cleared first: a signal handler may call database_interrupt() */
    sqlite3_close(handle);
    busy_handler_free(database->busy);
    database->busy = NULL;
}

void database_interrupt(const struct database *database) {
    if (database->handle != NULL) {
        sqlite3_interrupt(database->handle);
    }
}

/* On a read-only file system, SQLite cannot open a file in WAL mode whose log does not exist. Opens
 * such a file as immutable. */
static bool open_unchanging(struct database *database, struct error *error) {
    struct statvfs status;
    struct text address = {0};
    char *file = realpath(database->path, NULL);
    bool done = file != NULL && sqlite3_errcode(database->handle) == SQLITE_CANTOPEN &&
                statvfs(file, &status) == 0 && (status.f_flag & ST_RDONLY) && !wal_exists(file);

    if (done) {
        close_handle(database);
        text_append_string(&address, "file:");
        for (const char *at = file; *at != '\0'; at++) {
            text_append_format(&address, "%%%02X", (unsigned char)*at);
        }
        text_append_string(&address, "?immutable=1");
        done = open_handle(database, text_string(&address), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                           NULL, error);
    }
    text_free(&address);
    free(file);
    return done;
}

/* Begins a read transaction: the reader sees the database as it is now. */
static bool database_begin_reading(struct database *database, struct error *error) {
    return database_run(database, "BEGIN", error) && prepare_file(database, DATABASE_READ, error);
}

static bool open_for_reading(struct database *database, struct error *error) {
    struct error failure = {0};

    database->reading = true;
    if (!open_handle(database, database->path, SQLITE_OPEN_READONLY, NULL, error)) {
        return false;
    }
    guard_database_files(database);
    if (!database_begin_reading(database, &failure) &&
        !(open_unchanging(database, error) && database_begin_reading(database, &failure))) {
        *error = failure;
        return sqlite3_errcode(database->handle) == SQLITE_CANTOPEN &&
               wal_header_has_log(database->descriptor) &&
               error_set(error,
                         "%s: an import was interrupted, and its write-ahead log cannot be "
                         "recovered here; open the database once where its folder is writable",
                         database->path);
    }
    return bound_memory(database, error);
}

/* Opens the database for writing. SQLite's URI names are on, for attached files (row_pages.h); a
 * database path that begins with "file:" is not taken as a URI. */
static bool open_writable(struct database *database, const struct patience *patience,
                          struct error *error) {
    struct text path = {0};
    bool done;

    if (strncmp(database->path, "file:", 5) == 0) {
        text_append_string(&path, "./");
    }
    text_append_string(&path, database->path);
    done = open_handle(database, text_string(&path), SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI,
                       patience, error);
    text_free(&path);
    return done;
}

static bool open_for_writing(struct database *database, enum database_mode mode,
                             const struct patience *patience, struct error *error) {
    if (!open_writable(database, patience, error) || !await_filling(database, error)) {
        return false;
    }
    guard_database_files(database);
    if (!prepare_file(database, mode, error) || !bound_memory(database, error)) {
        return false;
    }
    busy_handler_limit(database->busy, DATABASE_WAIT_ENDLESS);
    return true;
}

static void database_settle(const struct database *database) {
    /* SQLite derives the names of its files, such as -wal, from the file itself, not from a
     * symbolic link to it. */
    char *file = realpath(database->path, NULL);

    if (file != NULL && database_is_of(database->descriptor, file)) {
        wal_repair_leftovers(file, database->descriptor);
    }
    free(file);
}

/* Opens the database. The descriptor for the lock is opened before SQLite opens the file, and
 * closed after: closing it while SQLite has the file open would drop SQLite's locks. */
static bool database_open_file(struct database *database, enum database_mode mode,
                               const struct patience *patience, struct error *error) {
    if (strcmp(database->path, IN_MEMORY) == 0 || strcmp(database->path, DATABASE_SHADOW) == 0) {
        return open_for_writing(database, mode, patience, error);
    }
    if (!database_check_path(database, mode, error) || !take_presence_lock(database, mode, error)) {
        return false;
    }
    if (mode == DATABASE_READ && !is_filled(database->descriptor)) {
        return error_set(error, "%s: holds no traces yet: its first import is still running",
                         database->path);
    }
    if (!database->created) {
        database_settle(database);
    }
    return mode == DATABASE_READ ? open_for_reading(database, error)
                                 : open_for_writing(database, mode, patience, error);
}

bool database_open_patiently(struct database *database, const char *path, enum database_mode mode,
                             const struct patience *patience, struct error *error) {
    *database = (struct database){.path = xstrdup(path),
                                  .is_private = (mode & DATABASE_PRIVATE) != 0,
                                  .without_rows = (mode & DATABASE_WITHOUT_ROWS) != 0};
    mode &= ~(unsigned)(DATABASE_PRIVATE | DATABASE_WITHOUT_ROWS);
    database->known = database_open_file(database, mode, patience, error);
    if (!database->known) {
        database_close(database);
    }
    return database->handle != NULL;
}

bool database_open(struct database *database, const char *path, enum database_mode mode,
                   struct error *error) {
    return database_open_patiently(database, path, mode, NULL, error);
}

/* Returns whether the file may be deleted: it has no trace and no tables of other programs. A file
 * in WAL mode must stay: its log would be applied to the next file with this name. */
static bool database_may_be_deleted(struct database *database) {
    struct error ignored = {0};
    struct stat status;
    int64_t objects = 1, traces = 1;

    if (fstat(database->descriptor, &status) == 0 && status.st_size == 0) {
        return true;
    }
    return database->handle != NULL && database_run(database, "BEGIN EXCLUSIVE", &ignored) &&
           database_query_integer(database, "SELECT count(*) FROM sqlite_schema", 0, 1, &objects,
                                  &ignored) &&
           (objects == 0 || (database_query_integer(database, "SELECT count(*) FROM trace", 0, 1,
                                                    &traces, &ignored) &&
                             traces == 0)) &&
           !wal_is_on(database);
}

/* Deletes the file unless another program has opened it. A program that opens it now waits for the
 * lock, and then finds it deleted. */
static void delete_when_unused(struct database *database) {
    /* path of the file, with symbolic links resolved */
    char *file = realpath(database->path, NULL);

    if (database->handle != NULL) {
        /* Does not wait for locks: if another program holds a lock of SQLite's, the file stays.
         * Programs such as sqlite3 do not take tracetool's lock that marks the file as open. */
        sqlite3_busy_timeout(database->handle, 0);
        /* Rolls back an open transaction: its journal would be applied to the next file of this
         * name. */
        sqlite3_exec(database->handle, "ROLLBACK", NULL, NULL, NULL);
    }
    if (file != NULL && become_alone(database->descriptor) &&
        database_is_of(database->descriptor, file) && database_may_be_deleted(database)) {
        unlink(file);
    }
    free(file);
}

void database_end_read_transaction(struct database *database) {
    struct error ignored = {0};

    if (!sqlite3_get_autocommit(database->handle)) {
        database_run(database, "COMMIT", &ignored);
    }
}

bool database_has_waiting_writer(const struct database *database) {
    sqlite3_file *file = NULL;
    int wanted = 0;

    return sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) ==
               SQLITE_OK &&
           file != NULL && file->pMethods != NULL &&
           file->pMethods->xCheckReservedLock(file, &wanted) == SQLITE_OK && wanted;
}

void database_close(struct database *database) {
    bool off = true;

    if (database->known) {
        off = database->reading ? !wal_is_on(database) : wal_end(database);
    }
    if (database->created && off) {
        delete_when_unused(database);
    }
    close_handle(database);
    /* A writer cannot switch off the write-ahead log while a reader is open, so a reader tries it
     * when it closes. */
    if (!off && database->reading) {
        database_settle(database);
    }
    file_unregister_database(database->registration);
    /* Must be last: closing a descriptor drops all POSIX locks of this process on the file. */
    if (database->descriptor > 0) {
        close(database->descriptor);
    }
    free(database->path);
    *database = (struct database){0};
}

void database_allow_other_programs(struct database *database) {
    if (database->filling) {
        struct flock range = database_range_of(F_UNLCK, FILLING_BYTE);

        fcntl(database->descriptor, F_OFD_SETLK, &range);
        database->filling = false;
    }
}

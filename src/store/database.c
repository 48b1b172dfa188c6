#include "store/database.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/resource.h"
#include "base/text.h"
#include "store/functions.h"

/* How often a file may be deleted by others while it is being opened. */
enum { REOPENINGS = 100 };

/* Whoever has a database open holds a lock for reading on this byte, which none of SQLite's locks
 * is near; who would delete the file needs one for writing. It belongs to the open file, not to the
 * process as SQLite's do. */
enum { PRESENCE_BYTE = 0x40001000 };

#undef database_failed /* of database.h, for analyzers */

bool database_failed(const struct database *database, struct error *error) {
    int code = sqlite3_errcode(database->handle);

    switch (code & 0xFF) {
    case SQLITE_BUSY:
        return error_set(error,
                         "%s: another program is writing to it (waited %d s); try again later",
                         database->path, DATABASE_WAIT / 1000);
    case SQLITE_NOTADB:
        return error_set(error, "%s: is not an SQLite database", database->path);
    case SQLITE_CORRUPT:
        return error_set(error,
                         "%s: the database is damaged (%s); restore it or import the logs again "
                         "into a new one",
                         database->path, sqlite3_errmsg(database->handle));
    case SQLITE_READONLY:
        return error_set(error, "%s: cannot be written (read-only file or file system)",
                         database->path);
    case SQLITE_TOOBIG:
        return error_set(error, "%s: the query makes a value of more than %d MiB", database->path,
                         sqlite3_limit(database->handle, SQLITE_LIMIT_LENGTH, -1) >> 20);
    case SQLITE_NOMEM:
        return sqlite3_hard_heap_limit64(-1) > 0
                   ? error_set(error, "%s: the query needs more than %d MiB of memory",
                               database->path, (int)(sqlite3_hard_heap_limit64(-1) >> 20))
                   : error_no_memory(error);
    case SQLITE_FULL:
        return error_set(error, "%s: no space left on the disk; nothing was changed",
                         database->path);
    default:
        return error_set(error, "%s: %s", database->path, sqlite3_errmsg(database->handle));
    }
}

bool database_run(struct database *database, const char *sql, struct error *error) {
    return sqlite3_exec(database->handle, sql, NULL, NULL, NULL) == SQLITE_OK ||
           database_failed(database, error);
}

sqlite3_stmt *database_prepare(struct database *database, const char *sql, struct error *error) {
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL) != SQLITE_OK) {
        database_failed(database, error);
    }
    return statement;
}

bool database_step(struct database *database, sqlite3_stmt *statement, bool *row,
                   struct error *error) {
    int status = sqlite3_step(statement);

    *row = status == SQLITE_ROW;
    return *row || status == SQLITE_DONE || database_failed(database, error);
}

bool database_execute(struct database *database, sqlite3_stmt *statement, struct error *error) {
    bool done = sqlite3_step(statement) == SQLITE_DONE || database_failed(database, error);

    sqlite3_reset(statement);
    return done;
}

void database_bind_optional(sqlite3_stmt *statement, int parameter, int64_t value) {
    if (value == INT64_MIN) {
        sqlite3_bind_null(statement, parameter);
    } else {
        sqlite3_bind_int64(statement, parameter, value);
    }
}

int64_t database_column_optional(sqlite3_stmt *row, int column) {
    return sqlite3_column_type(row, column) == SQLITE_NULL ? INT64_MIN
                                                           : sqlite3_column_int64(row, column);
}

bool database_change(struct database *database, struct error *error, const char *sql,
                     const char *types, ...) {
    sqlite3_stmt *statement = database_prepare(database, sql, error);
    va_list values;
    bool done;

    if (statement == NULL) {
        return false;
    }
    va_start(values, types);
    for (int i = 0; types[i] != '\0'; i++) {
        if (types[i] == 's') {
            sqlite3_bind_text(statement, i + 1, va_arg(values, const char *), -1, SQLITE_STATIC);
        } else if (types[i] == 'o') {
            database_bind_optional(statement, i + 1, va_arg(values, int64_t));
        } else {
            sqlite3_bind_int64(statement, i + 1, va_arg(values, int64_t));
        }
    }
    va_end(values);
    done = database_execute(database, statement, error);
    sqlite3_finalize(statement);
    return done;
}

bool database_integer(struct database *database, const char *sql, int64_t id, int64_t otherwise,
                      int64_t *value, struct error *error) {
    sqlite3_stmt *statement = database_prepare(database, sql, error);
    bool row = false;
    bool done;

    *value = otherwise;
    if (statement == NULL) {
        return false;
    }
    if (sqlite3_bind_parameter_count(statement) > 0) {
        sqlite3_bind_int64(statement, 1, id);
    }
    done = database_step(database, statement, &row, error);
    if (row && sqlite3_column_type(statement, 0) != SQLITE_NULL) {
        *value = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return done;
}

/* Creates the tables when the file is empty. Two programs may try at once: the check is made again
 * under the lock. */
static bool create_schema(struct database *database, struct error *error) {
    int64_t objects;
    char version[128];

    /* Big pages: an import appends to one table, and a report reads it in order. */
    if (!database_run(database, "PRAGMA page_size = 16384; BEGIN IMMEDIATE", error) ||
        !database_integer(database, "SELECT count(*) FROM sqlite_schema", 0, 0, &objects, error)) {
        return false;
    }
    if (objects > 0) {
        return database_run(database, "COMMIT", error);
    }
    snprintf(version, sizeof version, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             DATABASE_APPLICATION_ID, DATABASE_SCHEMA_VERSION);
    return database_run(database, resource_find(schema_resources, "schema"), error) &&
           database_run(database, version, error) && database_run(database, "COMMIT", error);
}

static bool check_identity(struct database *database, struct error *error) {
    int64_t application, version;

    if (!database_integer(database, "PRAGMA application_id", 0, 0, &application, error) ||
        !database_integer(database, "PRAGMA user_version", 0, 0, &version, error)) {
        return false;
    }
    if (application != DATABASE_APPLICATION_ID) {
        return error_set(error,
                         "%s: is an SQLite database of another program; name a file of "
                         "tracetool's with -d",
                         database->path);
    }
    if (version > DATABASE_SCHEMA_VERSION) {
        return error_set(error,
                         "%s: was made by a newer tracetool (schema version %lld, this program "
                         "knows up to %d); update tracetool",
                         database->path, (long long)version, DATABASE_SCHEMA_VERSION);
    }
    return true;
}

static bool configure(struct database *database, struct error *error) {
    sqlite3_busy_timeout(database->handle, DATABASE_WAIT);
    sqlite3_db_config(database->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return functions_register(database->handle) || database_failed(database, error);
}

/* Each step and the new version number are one transaction: it is done wholly or not at all. Two
 * programs may try at once: the version is read again under the lock. */
static bool migrate(struct database *database, struct error *error) {
    struct text name = {0};
    char version[64];
    int64_t from;
    bool done = database_run(database, "BEGIN IMMEDIATE", error) &&
                database_integer(database, "PRAGMA user_version", 0, 0, &from, error);

    for (; done && from < DATABASE_SCHEMA_VERSION; from++) {
        text_clear(&name);
        text_append_format(&name, "migrate-%lld", (long long)from);
        done = database_run(database, resource_find(schema_resources, text_string(&name)), error);
    }
    text_free(&name);
    snprintf(version, sizeof version, "PRAGMA user_version = %d; COMMIT", DATABASE_SCHEMA_VERSION);
    return done && database_run(database, resource_find(schema_resources, "schema"), error) &&
           database_run(database, version, error);
}

/* Migrates a database of an earlier version through a connection of its own, since a reader's may
 * not write. */
static bool migrate_file(struct database *database, struct error *error) {
    struct database writer = {.path = database->path};
    int64_t version;
    bool done;

    if (!database_integer(database, "PRAGMA user_version", 0, 0, &version, error)) {
        return false;
    }
    if (version >= DATABASE_SCHEMA_VERSION) {
        return true;
    }
    if (sqlite3_open_v2(database->path, &writer.handle, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        done = database_failed(&writer, error);
    } else {
        done = configure(&writer, error) && migrate(&writer, error);
    }
    sqlite3_close(writer.handle);
    if (!done) {
        error_context(error,
                      "the database is of schema version %lld and must be brought to version %d",
                      (long long)version, DATABASE_SCHEMA_VERSION);
    }
    return done;
}

static bool is_empty(struct database *database, bool *empty, struct error *error) {
    int64_t objects, application;

    if (!database_integer(database, "SELECT count(*) FROM sqlite_schema", 0, 0, &objects, error) ||
        !database_integer(database, "PRAGMA application_id", 0, 0, &application, error)) {
        return false;
    }
    *empty = objects == 0 && application == 0;
    return true;
}

static bool prepare_file(struct database *database, enum database_mode mode, struct error *error) {
    bool empty;

    if (!is_empty(database, &empty, error)) {
        return false;
    }
    if (empty && mode != DATABASE_CREATE) {
        return error_set(error, "%s: holds no traces yet; `tracetool import` fills it",
                         database->path);
    }
    if (empty && !create_schema(database, error)) {
        return false;
    }
    return check_identity(database, error) && migrate_file(database, error);
}

/* Memory is bounded by the page cache; sorting goes to temporary files. SQLite turns kilobytes into
 * pages when the size is set, so this comes after the page size is known. */
static bool bound_memory(struct database *database, struct error *error) {
    return database_run(database, "PRAGMA cache_size = -32768", error);
}

/* An import that was killed left a journal, which only a program that may write can play back: a
 * reader lets SQLite do that first. */
static void recover(const char *path) {
    char journal[4096];
    sqlite3 *handle = NULL;

    if (snprintf(journal, sizeof journal, "%s-journal", path) < (int)sizeof journal &&
        access(journal, F_OK) == 0 &&
        sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK) {
        sqlite3_exec(handle, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
    }
    sqlite3_close(handle);
}

/* Why a file could not be made. SQLite tries again without making it, so that all it has to say is
 * that there is none. */
static int cause_of_failure(const struct database *database) {
    int cause = database->handle == NULL ? ENOMEM : sqlite3_system_errno(database->handle);

    if (database->created && cause == ENOENT) {
        int descriptor = open(database->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

        cause = descriptor < 0 ? errno : cause;
        if (descriptor >= 0) {
            close(descriptor);
            unlink(database->path);
        }
    }
    return cause;
}

bool database_has_moved(struct database *database) {
    int moved = 0;

    sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved;
}

bool database_deleted(const struct database *database, struct error *error) {
    return error_set(error,
                     "%s: was deleted or moved by another program meanwhile; nothing was imported",
                     database->path);
}

/* From here on nothing else may open its files. */
static bool guard(struct database *database, struct error *error) {
    const char *path = sqlite3_db_filename(database->handle, "main");

    database->guard = path == NULL || *path == '\0' ? NULL : file_guard(path);
    return database->guard != NULL || path == NULL || *path == '\0' || error_no_memory(error);
}

static bool lock_presence(const struct database *database, short type, int command) {
    struct flock lock = {
        .l_type = type, .l_whence = SEEK_SET, .l_start = PRESENCE_BYTE, .l_len = 1};

    return database->descriptor <= 0 || fcntl(database->descriptor, command, &lock) == 0 ||
           (errno != EAGAIN && errno != EACCES);
}

/* From here on no other program deletes the file: see delete_when_unused(). A file system without
 * such locks has to do without, and so does a database in memory. */
static void be_present(struct database *database, enum database_mode mode) {
    const char *path = sqlite3_db_filename(database->handle, "main");
    int descriptor = -1;

    if (path != NULL && *path != '\0') {
        descriptor = open(path, (mode == DATABASE_CREATE ? O_RDWR : O_RDONLY) | O_CLOEXEC);
        if (descriptor < 0) {
            descriptor = open(path, O_RDONLY | O_CLOEXEC);
        }
    }
    if (descriptor > 0) {
        database->descriptor = descriptor;
        lock_presence(database, F_RDLCK, F_OFD_SETLKW);
    }
}

/* `*deleted`: it failed because another program deleted the file meanwhile. */
static bool open_file(struct database *database, const char *path, enum database_mode mode,
                      bool *deleted, struct error *error) {
    /* One thread at a time uses a connection: no locks needed inside of it. */
    int flags = SQLITE_OPEN_NOMUTEX;

    flags |= mode == DATABASE_READ    ? SQLITE_OPEN_READONLY
             : mode == DATABASE_WRITE ? SQLITE_OPEN_READWRITE
                                      : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    *database = (struct database){.path = strdup(path)};
    if (database->path == NULL) {
        return error_no_memory(error);
    }
    if (access(path, F_OK) != 0) {
        if (mode != DATABASE_CREATE) {
            error_set(error,
                      "%s: cannot open the database: %s; name one with -d, or make one with "
                      "`tracetool import`",
                      path, strerror(errno));
            free(database->path);
            return false;
        }
        database->created = true;
    }
    if (sqlite3_open_v2(path, &database->handle, flags, NULL) != SQLITE_OK) {
        int cause = cause_of_failure(database);

        error_set(error, "%s: cannot open the database: %s", path,
                  cause != 0 ? strerror(cause) : sqlite3_errmsg(database->handle));
    } else {
        be_present(database, mode);
        /* Before it is read: SQLite would take the journal of a new file of that name for its own.
         */
        *deleted = database_has_moved(database) && !database_deleted(database, error);
        if (!*deleted && mode == DATABASE_READ) {
            recover(path);
        }
        if (!*deleted && configure(database, error) && guard(database, error) &&
            prepare_file(database, mode, error) && bound_memory(database, error)) {
            return true;
        }
    }
    database_close(database);
    return false;
}

bool database_open(struct database *database, const char *path, enum database_mode mode,
                   struct error *error) {
    for (int i = 0;; i++) {
        struct error failure = {0};
        bool deleted = false;

        if (open_file(database, path, mode, &deleted, &failure)) {
            return true;
        }
        if (!deleted || i == REOPENINGS) {
            *error = failure;
            return false;
        }
    }
}

/* Not when another program has opened the new file meanwhile. Whoever opens it from now on waits
 * for the lock, and then finds that the file is gone. */
static void delete_when_unused(struct database *database) {
    struct error ignored = {0};
    int64_t objects = 1, traces = 0;

    if (!lock_presence(database, F_WRLCK, F_OFD_SETLK) || database_has_moved(database)) {
        return;
    }
    if (!database_run(database, "BEGIN EXCLUSIVE", &ignored) ||
        !database_integer(database, "SELECT count(*) FROM sqlite_schema", 0, 1, &objects,
                          &ignored)) {
        return;
    }
    if (objects == 0 ||
        (database_integer(database, "SELECT count(*) FROM trace", 0, 1, &traces, &ignored) &&
         traces == 0)) {
        char *file = realpath(database->path, NULL);

        /* The file itself, not a link to it. */
        if (file != NULL) {
            unlink(file);
        }
        free(file);
    }
}

void database_close(struct database *database) {
    if (database->created && database->handle != NULL) {
        delete_when_unused(database);
    }
    sqlite3_close(database->handle);
    file_unguard(database->guard);
    /* Only now: closing any descriptor of a file gives up all locks that the process has on it. */
    if (database->descriptor > 0) {
        close(database->descriptor);
    }
    free(database->path);
    *database = (struct database){0};
}

int database_descriptor(struct database *database) {
    if (database->descriptor == 0) {
        database->descriptor = open(database->path, O_RDONLY | O_CLOEXEC);
    }
    return database->descriptor > 0 && !database_has_moved(database) ? database->descriptor : -1;
}

/* --- queries of the user's own ------------------------------------------------------------------
 */

/* Functions that load code, or show addresses of it. */
static bool is_harmless(const char *function) {
    return strcmp(function, "load_extension") != 0 && strcmp(function, "fts3_tokenizer") != 0;
}

/* Reading is all that is allowed, whatever the query says. */
static int only_reading(void *context, int action, const char *first, const char *second,
                        const char *database, const char *trigger) {
    (void)context;
    (void)first;
    (void)database;
    (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return second == NULL || is_harmless(second) ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

/* Tables that are functions are made when a statement first names them, which the authorizer sees
 * as a change of the schema. So those that only read are made before it watches. */
static void make_functions(const struct database *database) {
    static const char *const functions[] = {
        "json_each",
        "json_tree",
        "pragma_table_info",
        "pragma_table_xinfo",
        "pragma_table_list",
        "pragma_index_list",
        "pragma_index_info",
        "pragma_index_xinfo",
        "pragma_foreign_key_list",
        "pragma_function_list",
    };

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        sqlite3_stmt *statement = NULL;
        char sql[64];

        snprintf(sql, sizeof sql, "SELECT 1 FROM %s", functions[i]);
        /* One that this SQLite does not have is missed when it is used. */
        sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL);
        sqlite3_finalize(statement);
    }
}

/* Nothing but blanks, comments and semicolons may follow the statement. */
static bool is_alone(struct database *database, const char *rest, struct error *error) {
    sqlite3_stmt *next = NULL;

    while (*rest != '\0') {
        const char *begin = rest;

        if (sqlite3_prepare_v2(database->handle, begin, -1, &next, &rest) != SQLITE_OK ||
            next != NULL) {
            sqlite3_finalize(next);
            /* A place in what follows (sqlite3_error_offset) is none in the whole: forget it. */
            sqlite3_prepare_v2(database->handle, ";", -1, &next, NULL);
            return error_set(error, "one statement at a time: something follows the first");
        }
        if (rest == begin) {
            break;
        }
    }
    return true;
}

/* Under the authorizer. */
static sqlite3_stmt *prepare_alone(struct database *database, const char *sql,
                                   struct error *error) {
    /* What SQLite says when the authorizer refuses to make a function's table. */
    static const char no_table[] = "vtable constructor failed: ";
    sqlite3_stmt *statement = NULL;
    const char *rest = sql;
    int status = sqlite3_prepare_v2(database->handle, sql, -1, &statement, &rest);
    const char *message = sqlite3_errmsg(database->handle);

    if (status != SQLITE_OK && strncmp(message, no_table, strlen(no_table)) == 0) {
        error_set(error,
                  "the query may only read: SELECT from tables and views, json_each, json_tree and "
                  "pragma_table_info, not from %s",
                  message + strlen(no_table));
    } else if (status == SQLITE_AUTH || strcmp(message, "not authorized") == 0) {
        error_set(error, "the query may only read: SELECT from tables and views");
    } else if (status != SQLITE_OK) {
        error_set(error, "the query is wrong: %s", message);
    } else if (statement == NULL) {
        error_set(error, "the query is empty");
    } else if (!is_alone(database, rest, error) || !sqlite3_stmt_readonly(statement)) {
        if (error->status == EXIT_DONE) {
            error_set(error, "the query may only read");
        }
        sqlite3_finalize(statement);
        statement = NULL;
    }
    return statement;
}

sqlite3_stmt *database_prepare_reading(struct database *database, const char *sql,
                                       struct error *error) {
    sqlite3_stmt *statement;

    sqlite3_limit(database->handle, SQLITE_LIMIT_LENGTH, DATABASE_MOST_VALUE);
    make_functions(database);
    sqlite3_set_authorizer(database->handle, only_reading, NULL);
    statement = prepare_alone(database, sql, error);
    sqlite3_set_authorizer(database->handle, NULL, NULL);
    return statement;
}

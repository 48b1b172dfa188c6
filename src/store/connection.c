#include "store/connection.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/resource.h"
#include "model/event.h"

/* --- waiting for other programs' locks -------------------------------------------------------- */

enum {
    SHORTEST_NAP = 1, /* first sleep in ms before the next try to get a lock: about the time of a
                         small transaction */
    LONGEST_NAP = 25,
    NOTIFY_AFTER = 3000,
};

struct busy_handler {
    const struct patience *patience; /* how a writer's wait without limit is interrupted and
                                        reported; NULL: a reader */
    char *path;                      /* owned */
    long limit;
    long waited; /* total time of waiting so far, in milliseconds */
    bool notified;
};

bool busy_handler_interrupted(const struct busy_handler *busy) {
    return busy->patience != NULL && busy->patience->interrupted != NULL &&
           *busy->patience->interrupted;
}

static void report_waiting(struct busy_handler *busy) {
    char message[512];

    if (busy->notified || busy->waited < NOTIFY_AFTER || busy->patience == NULL ||
        busy->patience->say == NULL) {
        return;
    }
    snprintf(message, sizeof message, "%s: waiting for another program that uses it", busy->path);
    busy->patience->say(busy->patience->context, message);
    busy->notified = true;
}

static long sleep_until_retry(struct busy_handler *busy, long milliseconds) {
    report_waiting(busy);
    /* A signal ends the sleep early, so that Ctrl-C takes effect at once. */
    nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
    busy->waited += milliseconds;
    return milliseconds;
}

/* SQLite's busy callback; `count`: number of earlier calls for the same lock. Sleeps and returns 1
 * to try again; returns 0 to give up. */
static int wait_for_lock(void *context, int count) {
    struct busy_handler *busy = context;
    long length = SHORTEST_NAP + count < LONGEST_NAP ? SHORTEST_NAP + count : LONGEST_NAP;
    /* sum of the earlier sleeps: 1, 2, … up to LONGEST_NAP, then LONGEST_NAP each; in milliseconds
     */
    long before = count < LONGEST_NAP ? (long)count * (count + 1) / 2
                                      : (long)LONGEST_NAP * (count - LONGEST_NAP / 2);

    if (before >= busy->limit || busy_handler_interrupted(busy)) {
        return 0;
    }
    sleep_until_retry(busy, length);
    return !busy_handler_interrupted(busy);
}

bool busy_handler_pause(struct busy_handler *busy, long milliseconds) {
    while (milliseconds > 0 && !busy_handler_interrupted(busy)) {
        milliseconds -= sleep_until_retry(busy, LONGEST_NAP);
    }
    return !busy_handler_interrupted(busy);
}

long busy_handler_limit(struct busy_handler *busy, long milliseconds) {
    long before = busy->limit;

    busy->limit = milliseconds;
    return before;
}

struct busy_handler *busy_handler_new(sqlite3 *handle, const char *path,
                                      const struct patience *patience) {
    struct busy_handler *busy = xcalloc(1, sizeof *busy);

    busy->path = xstrdup(path);
    busy->patience = patience;
    busy->limit = DATABASE_WAIT;
    sqlite3_busy_handler(handle, wait_for_lock, busy);
    return busy;
}

void busy_handler_free(struct busy_handler *busy) {
    if (busy != NULL) {
        free(busy->path);
    }
    free(busy);
}

/* --- reusing prepared statements -------------------------------------------------------------- */

/* Limit of cached prepared statements. For each of thousands of traces, compiling a statement takes
 * longer than running it. A report has about forty statements; a larger cache would only hold
 * statements of earlier reports. */
enum { MOST_KEPT = 64 };

struct kept_statement {
    sqlite3_stmt *statement; /* owned */
    const char *text;        /* text of the statement, owned by SQLite */
    size_t length;
    bool reading;
};

struct kept_statements {
    struct kept_statement entries[MOST_KEPT]; /* in order of use, the one used last at the end */
    size_t count;
};

static void remove_statement_at(struct kept_statements *kept, size_t place) {
    kept->count--;
    memmove(&kept->entries[place], &kept->entries[place + 1],
            (kept->count - place) * sizeof kept->entries[0]);
}

static sqlite3_stmt *kept_statements_take(struct kept_statements *kept, const char *sql,
                                          bool reading) {
    /* Searches from the statement used last. */
    for (size_t i = kept == NULL ? 0 : kept->count; i > 0; i--) {
        const struct kept_statement *entry = &kept->entries[i - 1];

        /* SQLite's copy of the text ends at the statement's semicolon: only blanks may follow in
         * `sql`. */
        if (entry->reading == reading && strncmp(sql, entry->text, entry->length) == 0 &&
            sql[entry->length + strspn(sql + entry->length, " \t\r\n")] == '\0') {
            sqlite3_stmt *statement = entry->statement;

            remove_statement_at(kept, i - 1);
            return statement;
        }
    }
    return NULL;
}

static void kept_statements_add(struct kept_statements **kept, sqlite3_stmt *statement,
                                bool reading) {
    const char *text = sqlite3_sql(statement);

    if (text == NULL) {
        return;
    }
    if (*kept == NULL) {
        *kept = xcalloc(1, sizeof **kept);
    }
    /* Must be the first step: resetting a query on a virtual table makes that table return another
     * statement to this cache. */
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    while ((*kept)->count == MOST_KEPT) {
        sqlite3_stmt *oldest = (*kept)->entries[0].statement;

        remove_statement_at(*kept, 0);
        sqlite3_finalize(oldest);
    }
    (*kept)->entries[(*kept)->count++] =
        (struct kept_statement){statement, text, strlen(text), reading};
}

/* --- running statements ----------------------------------------------------------------------- */

#undef database_set_error /* the macro of connection.h is only for static analysers */

int database_last_errno(const struct database *database) {
    int cause = 0;

    sqlite3_file_control(database->handle, "main", SQLITE_FCNTL_LAST_ERRNO, &cause);
    return cause;
}

bool database_set_error(const struct database *database, struct error *error) {
    int code = sqlite3_errcode(database->handle);

    if (database->busy != NULL && busy_handler_interrupted(database->busy)) {
        return error_set_status(error, EXIT_INTERRUPTED, "interrupted; nothing was changed");
    }
    switch (code & 0xFF) {
    case SQLITE_BUSY:
        return error_set(error,
                         "%s: another program is writing to it (waited %d s); try again later",
                         database->path, DATABASE_WAIT / 1000);
    case SQLITE_NOTADB:
        return error_set(error,
                         "%s: is not an SQLite database; `tracetool LOG` asks a log, `tracetool "
                         "import LOG` stores it",
                         database->path);
    case SQLITE_CORRUPT:
        return error_set(error, "%s: the database is damaged (%s); %s", database->path,
                         sqlite3_errmsg(database->handle),
                         database->is_private
                             ? "`tracetool cache clear` deletes it, and the log is read again"
                             : "restore it or import the logs again into a new one");
    case SQLITE_READONLY:
        return error_set(error, "%s: cannot be written (read-only file or file system)",
                         database->path);
    case SQLITE_TOOBIG:
        return error_set(error, "%s: the query creates a value of more than %d MiB", database->path,
                         sqlite3_limit(database->handle, SQLITE_LIMIT_LENGTH, -1) >> 20);
    case SQLITE_NOMEM:
        return sqlite3_hard_heap_limit64(-1) > 0
                   ? error_set(error, "%s: the query needs more than %d MiB of memory",
                               database->path, (int)(sqlite3_hard_heap_limit64(-1) >> 20))
                   : error_no_memory(error);
    case SQLITE_IOERR:
        if (sqlite3_extended_errcode(database->handle) == SQLITE_IOERR_WRITE &&
            database_last_errno(database) != 0) {
            return error_set(error, "%s: cannot be written: %s; nothing was changed",
                             database->path, strerror(database_last_errno(database)));
        }
        break;
    case SQLITE_FULL:
        /* A connection that only reads writes nothing but temporary files, so these have filled a
         * disk. */
        return database->reading
                   ? error_set(
                         error,
                         "%s: no space left for temporary files; set TMPDIR to another folder",
                         database->path)
                   : error_set(error,
                               "%s: no space left on the disk, or for temporary files where TMPDIR "
                               "says; nothing was changed",
                               database->path);
    default:
        break;
    }
    return error_set(error, "%s: %s", database->path, sqlite3_errmsg(database->handle));
}

bool database_fetch(const struct database *database, const struct database_wanted *wanted,
                    struct error *error) {
    const struct database_source *source = database->source;

    return source == NULL || source->fetch(source->context, wanted, error);
}

bool database_run(struct database *database, const char *sql, struct error *error) {
    return sqlite3_exec(database->handle, sql, NULL, NULL, NULL) == SQLITE_OK ||
           database_set_error(database, error);
}

sqlite3_stmt *database_prepare(struct database *database, const char *sql, struct error *error) {
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL) != SQLITE_OK) {
        database_set_error(database, error);
    }
    return statement;
}

sqlite3_stmt *database_prepare_text(struct database *database, struct text *sql,
                                    struct error *error) {
    sqlite3_stmt *statement = database_prepare(database, text_string(sql), error);

    text_free(sql);
    return statement;
}

sqlite3_mutex *database_lock(const struct database *database) {
    sqlite3_mutex *lock = sqlite3_db_mutex(database->handle);

    sqlite3_mutex_enter(lock);
    return lock;
}

sqlite3_stmt *database_acquire_statement(struct database *database, const char *sql,
                                         struct error *error) {
    sqlite3_mutex *lock = database_lock(database);
    sqlite3_stmt *statement = kept_statements_take(database->kept, sql, false);

    sqlite3_mutex_leave(lock);
    return statement != NULL ? statement : database_prepare(database, sql, error);
}

void database_release_statement(struct database *database, sqlite3_stmt *statement) {
    sqlite3_mutex *lock = database_lock(database);

    kept_statements_add(&database->kept, statement, false);
    sqlite3_mutex_leave(lock);
}

void database_finalize_statements(struct database *database) {
    while (database->kept != NULL && database->kept->count > 0) {
        sqlite3_finalize(database->kept->entries[--database->kept->count].statement);
    }
    free(database->kept);
    database->kept = NULL;
}

bool database_step(struct database *database, sqlite3_stmt *statement, bool *row,
                   struct error *error) {
    sqlite3_mutex *lock = database_lock(database);
    int status = sqlite3_step(statement);
    bool done =
        status == SQLITE_ROW || status == SQLITE_DONE || database_set_error(database, error);

    sqlite3_mutex_leave(lock);
    *row = status == SQLITE_ROW;
    return done;
}

bool database_execute(struct database *database, sqlite3_stmt *statement, struct error *error) {
    sqlite3_mutex *lock = database_lock(database);
    bool done = sqlite3_step(statement) == SQLITE_DONE || database_set_error(database, error);

    sqlite3_mutex_leave(lock);
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

static void connection_bind(sqlite3_stmt *statement, const char *types, va_list *values) {
    for (int i = 1; types[i - 1] != '\0'; i++) {
        switch (types[i - 1]) {
        case 's':
            sqlite3_bind_text(statement, i, va_arg(*values, const char *), -1, SQLITE_STATIC);
            break;
        case 't': {
            const char *text = va_arg(*values, const char *);

            sqlite3_bind_text64(statement, i, text, va_arg(*values, size_t), SQLITE_STATIC,
                                SQLITE_UTF8);
            break;
        }
        case 'b': {
            const void *bytes = va_arg(*values, const void *);

            sqlite3_bind_blob64(statement, i, bytes, va_arg(*values, size_t), SQLITE_STATIC);
            break;
        }
        case 'u':
            sqlite3_bind_int64(statement, i, va_arg(*values, uint32_t));
            break;
        case 'o':
            database_bind_optional(statement, i, va_arg(*values, int64_t));
            break;
        default:
            sqlite3_bind_int64(statement, i, va_arg(*values, int64_t));
        }
    }
}

bool database_insert(struct database *database, struct error *error, sqlite3_stmt *statement,
                     const char *types, ...) {
    va_list values;

    va_start(values, types);
    connection_bind(statement, types, &values);
    va_end(values);
    return database_execute(database, statement, error);
}

/* Caches only statements with parameters; others are not run repeatedly. */
static void return_to_cache(struct database *database, sqlite3_stmt *statement) {
    if (sqlite3_bind_parameter_count(statement) > 0) {
        database_release_statement(database, statement);
    } else {
        sqlite3_finalize(statement);
    }
}

bool database_run_bound(struct database *database, struct error *error, const char *sql,
                        const char *types, ...) {
    sqlite3_stmt *statement = database_acquire_statement(database, sql, error);
    va_list values;
    bool done;

    if (statement == NULL) {
        return false;
    }
    va_start(values, types);
    connection_bind(statement, types, &values);
    va_end(values);
    done = database_execute(database, statement, error);
    return_to_cache(database, statement);
    return done;
}

static struct database_query begin_query(struct database *database, struct error *error,
                                         const char *sql, const char *types, va_list *values) {
    struct database_query query = {.database = database, .error = error};

    query.row = database_acquire_statement(database, sql, error);
    query.failed = query.row == NULL;
    if (!query.failed) {
        connection_bind(query.row, types, values);
    }
    return query;
}

struct database_query database_query(struct database *database, struct error *error,
                                     const char *sql, const char *types, ...) {
    struct database_query query;
    va_list values;

    va_start(values, types);
    query = begin_query(database, error, sql, types, &values);
    va_end(values);
    return query;
}

struct database_query database_query_text(struct database *database, struct error *error,
                                          struct text *sql, const char *types, ...) {
    struct database_query query;
    va_list values;

    va_start(values, types);
    query = begin_query(database, error, text_string(sql), types, &values);
    va_end(values);
    text_free(sql);
    return query;
}

bool database_next(struct database_query *query) {
    bool row = false;

    query->failed =
        query->failed || !database_step(query->database, query->row, &row, query->error);
    return row;
}

bool database_end(struct database_query *query) {
    return_to_cache(query->database, query->row);
    query->row = NULL;
    return !query->failed;
}

bool database_query_integer(struct database *database, const char *sql, int64_t id,
                            int64_t otherwise, int64_t *value, struct error *error) {
    struct database_query query = database_query(database, error, sql, "");

    *value = otherwise;
    if (sqlite3_bind_parameter_count(query.row) > 0) {
        sqlite3_bind_int64(query.row, 1, id);
    }
    if (database_next(&query) && sqlite3_column_type(query.row, 0) != SQLITE_NULL) {
        *value = sqlite3_column_int64(query.row, 0);
    }
    return database_end(&query);
}

const char *database_column_text(sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);

    return text == NULL ? "" : text;
}

/* --- statements that users type --------------------------------------------------------------- */

/* Returns whether a user's statement may call an SQL function: it must not load code or show memory
 * addresses. */
static bool is_harmless(const char *function) {
    return strcmp(function, "load_extension") != 0 && strcmp(function, "fts3_tokenizer") != 0;
}

/* SQLite's authorizer callback: called for each action of a statement; refuses all but reading. */
static int only_reading(void *context, int action, const char *first, const char *second,
                        const char *database, const char *trigger) {
    struct database *reader = context;

    switch (action) {
    case SQLITE_READ:
        reader->reads_arguments |= strcmp(first, "event") == 0 && strcmp(second, "arguments") == 0;
        /* Refuses statements that read the rowid of temp.event, and records that: the rowid of a
         * view would be NULL without an error. */
        reader->reads_rowid |= database != NULL && strcmp(database, "temp") == 0 &&
                               strcmp(first, "event") == 0 && strcmp(second, "ROWID") == 0;
        return reader->reads_rowid ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return second == NULL || is_harmless(second) ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

/* Creates harmless table-valued functions (such as json_each), once per connection. SQLite would
 * create one when a statement first names it, and report a change of the schema to the authorizer,
 * which refuses it. */
static void make_functions(struct database *database) {
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

    sqlite3_set_authorizer(database->handle, NULL, NULL);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        sqlite3_stmt *statement = NULL;
        char sql[64];

        snprintf(sql, sizeof sql, "SELECT 1 FROM %s", functions[i]);
        /* If this SQLite lacks the function, only statements that use it fail, when they are
         * compiled. */
        sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL);
        sqlite3_finalize(statement);
    }
    database->has_functions = true;
    sqlite3_set_authorizer(database->handle, only_reading, database);
}

/* Returns whether only blanks, comments and semicolons follow the user's statement; sets an error
 * otherwise. */
static bool is_alone(struct database *database, const char *rest, struct error *error) {
    sqlite3_stmt *next = NULL;

    while (*rest != '\0') {
        const char *begin = rest;

        if (sqlite3_prepare_v2(database->handle, begin, -1, &next, &rest) != SQLITE_OK ||
            next != NULL) {
            sqlite3_finalize(next);
            /* Clears sqlite3_error_offset(), which would give a position in `rest`, not in the
             * whole text. */
            sqlite3_prepare_v2(database->handle, ";", -1, &next, NULL);
            return error_set(error, "only one statement is allowed: there is text after the first");
        }
        if (rest == begin) {
            break;
        }
    }
    return true;
}

/* Start of SQLite's message if only_reading() refuses a table-valued function. */
static const char no_table[] = "vtable constructor failed: ";

/* Returns whether compiling failed because a table-valued function was not created yet. */
static bool lacks_table(const struct database *database, int status) {
    return status != SQLITE_OK &&
           strncmp(sqlite3_errmsg(database->handle), no_table, strlen(no_table)) == 0;
}

/* Returns whether compiling failed because only_reading() refused an action. With some table-valued
 * functions, only SQLite's message shows it. */
static bool is_refused(const struct database *database, int status) {
    return status == SQLITE_AUTH || strcmp(sqlite3_errmsg(database->handle), "not authorized") == 0;
}

/* Compiles a statement with only_reading() as authorizer. Creates table-valued functions only if
 * needed: creating them takes longer than compiling most statements. */
static int prepare_watched(struct database *database, const char *sql, sqlite3_stmt **statement,
                           const char **rest) {
    int status = sqlite3_prepare_v2(database->handle, sql, -1, statement, rest);

    if ((lacks_table(database, status) || is_refused(database, status)) &&
        !database->has_functions) {
        make_functions(database);
        status = sqlite3_prepare_v2(database->handle, sql, -1, statement, rest);
    }
    return status;
}

/* Compiles a user's statement with only_reading() as authorizer. Fails if a second statement
 * follows. */
static sqlite3_stmt *prepare_alone(struct database *database, const char *sql,
                                   struct error *error) {
    sqlite3_stmt *statement = NULL;
    const char *rest = sql;
    int status = prepare_watched(database, sql, &statement, &rest);
    const char *message = sqlite3_errmsg(database->handle);

    if (lacks_table(database, status)) {
        error_set(error,
                  "the query may only read: SELECT from tables and views, json_each, json_tree and "
                  "pragma_table_info, not from %s",
                  message + strlen(no_table));
    } else if (database->reads_rowid) {
        error_set(error, "event has no rowid: use event.id, which is the same number");
    } else if (is_refused(database, status)) {
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

/* Creates the view temp.call: the schema's view `call`, but reading from temp.event. Its text is
 * the program's, since that in the database file may be forged. Runs only the text's first
 * statement. */
static bool show_calls(struct database *database, struct error *error) {
    static const char begin[] = "CREATE VIEW call AS";
    const char *view = strstr(resource_find(schema_resources, "schema"), begin);
    struct text sql = {0};
    sqlite3_stmt *create;
    bool done;

    text_append_format(&sql, "CREATE TEMP VIEW call AS%s", view + strlen(begin));
    create = database_prepare(database, text_string(&sql), error);
    done = create != NULL && database_execute(database, create, error);
    sqlite3_finalize(create);
    text_free(&sql);
    return done;
}

/* If the database has packed arguments (argument_pack.h), creates views temp.event and temp.call
 * that unpack them. Table names without a schema then mean these views. */
static bool show_arguments(struct database *database, struct error *error) {
    struct text sql = {0};
    int64_t packs;
    bool done = database_query_integer(database, "SELECT EXISTS (SELECT 1 FROM main.argument_pack)",
                                       0, 0, &packs, error);

    text_append_string(&sql, "CREATE TEMP VIEW event AS SELECT id, time");
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        text_append_format(&sql,
                           place == EVENT_PLACE_ARGUMENTS ? ", event_arguments(id, %s) AS arguments"
                                                          : ", %s",
                           event_column_name((enum event_place)place));
    }
    text_append_string(&sql, " FROM main.event");
    done = done && (packs == 0 || (database_run(database, text_string(&sql), error) &&
                                   show_calls(database, error)));
    text_free(&sql);
    return done;
}

sqlite3_stmt *database_prepare_read_only(struct database *database, const char *sql,
                                         struct error *error) {
    sqlite3_stmt *statement = NULL;

    /* The virtual table `event` (event_table.h) is created here, not when the user's statement
     * first names it: the authorizer would refuse that. */
    if (database->is_private) {
        sqlite3_prepare_v2(database->handle, "SELECT 1 FROM main.event", -1, &statement, NULL);
        sqlite3_finalize(statement);
    }
    sqlite3_limit(database->handle, SQLITE_LIMIT_LENGTH, DATABASE_MOST_VALUE);
    sqlite3_set_authorizer(database->handle, only_reading, database);
    database->reads_arguments = database->reads_rowid = false;
    statement = prepare_alone(database, sql, error);
    sqlite3_set_authorizer(database->handle, NULL, NULL);
    if (statement != NULL && database->reads_arguments && !database->shows_arguments) {
        sqlite3_finalize(statement);
        database->shows_arguments = show_arguments(database, error);
        return database->shows_arguments ? database_prepare_read_only(database, sql, error) : NULL;
    }
    return statement;
}

sqlite3_stmt *database_acquire_read_only(struct database *database, const char *sql,
                                         struct error *error) {
    sqlite3_stmt *statement = kept_statements_take(database->kept, sql, true);

    return statement != NULL ? statement : database_prepare_read_only(database, sql, error);
}

void database_release_read_only(struct database *database, sqlite3_stmt *statement) {
    kept_statements_add(&database->kept, statement, true);
}

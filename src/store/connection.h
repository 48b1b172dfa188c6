/* Database connection: waiting for locks, and running statements. */
#ifndef TRACETOOL_CONNECTION_H
#define TRACETOOL_CONNECTION_H

#include <limits.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* --- the busy handler ----------------------------------------------------------------------------
 */

/* Waits while another program locks the database.
 *
 * A reader gives up after DATABASE_WAIT; an import in WAL mode never blocks it so long. A writer
 * waits for other writers and readers without limit: SQLite's locks end with their process. */

/* Maximum wait for a read lock, in milliseconds. */
#define DATABASE_WAIT 10000
/* A wait for a lock without limit. */
#define DATABASE_WAIT_ENDLESS LONG_MAX

/* Interruption and announcement of a long wait. */
struct patience {
    const volatile sig_atomic_t *interrupted; /* nonzero ends the wait; NULL: nothing ends it */
    /* Called once, after three seconds, with the reason for the wait; NULL: not called. */
    void (*say)(void *context, const char *message);
    void *context;
};

struct busy_handler;

/* Installs a busy handler with the limit DATABASE_WAIT; `path` is for messages. `patience` may be
 * NULL; otherwise it must outlive the result. Owned by the caller, who frees it after closing the
 * handle. */
struct busy_handler *busy_handler_new(sqlite3 *handle, const char *path,
                                      const struct patience *patience);
void busy_handler_free(struct busy_handler *busy);

/* Sets the maximum of each wait in milliseconds; 0: does not wait. Returns the previous value. */
long busy_handler_limit(struct busy_handler *busy, long milliseconds);

/* Waits `milliseconds`, as part of a longer wait. False if interrupted. */
bool busy_handler_pause(struct busy_handler *busy, long milliseconds);

/* Whether the wait was interrupted. */
bool busy_handler_interrupted(const struct busy_handler *busy);

/* --- the connection ------------------------------------------------------------------------------
 */

#define DATABASE_APPLICATION_ID         0x54724C67 /* "TrLg" */
#define DATABASE_PRIVATE_APPLICATION_ID 0x54724C70 /* "TrLp" */

/* Row ids; 0 stands for NULL. Borrowed. */
struct database_ids {
    const int64_t *ids; /* ids that are wanted; NULL: any */
    size_t count;
};

/* Events at each end of the requested part that are present regardless of the conditions, with one
 * more before and after. They show the start of the trace and timestamp outliers.
 */
#define DATABASE_PART_ENDS 9

/* A trace with at most this many events is fetched completely: finding the requested ones takes
 * longer. */
#define DATABASE_FEW_EVENTS 1000

/* Conditions on the events of a trace that are needed. Others may be missing. */
struct database_part {
    bool some;            /* false: all events are needed, and the other members are unused */
    int64_t from, to;     /* trace times, `to` exclusive; INT64_MIN, INT64_MAX: unlimited */
    int64_t action;       /* the operation; INT64_MIN: any */
    unsigned classes_out; /* block I/O: bit set of enum io_class, classes not needed */
    struct database_ids operations, actors, objects;
    /* Further conditions on columns of `event`: SQL, each beginning with AND; NULL: none. */
    char *values;
};

/* Data needed for a report. All pointers are borrowed. */
struct database_wanted {
    const int64_t *traces; /* unique ids */
    size_t count;
    /* Tables to read among object, loggable and rollup_…, separated by blanks; NULL: all. Other
     * tables are always present. */
    const char *tables;
    bool events; /* needs events, with their dependent tables */
    /* Conditions on each trace's events; its names must have been fetched before. NULL: all events.
     * Nothing else may be read while the database is open. */
    const struct database_part *parts;
    /* For each trace, the name.id of the action to count, 0 for none. Rollups by action may then
     * hold sums over several traces, stored under one of them, until another set is requested.
     * NULL: no such sums. */
    const int64_t *actions;
};

/* Source of rows that are fetched on demand. */
struct database_source {
    /* Fetches the needed rows that are missing. */
    bool (*fetch)(void *context, const struct database_wanted *wanted, struct error *error);
    void *context;
};

struct database {
    sqlite3 *handle;      /* owned */
    char *path;           /* owned */
    bool created;         /* created by this call: deleted on close if it has no trace */
    bool filling;         /* being filled until database_filled(); deleted likewise */
    bool known;           /* true: the file is a database of tracetool */
    bool reading;         /* true: opened with DATABASE_READ */
    bool is_private;      /* opened with DATABASE_PRIVATE */
    bool without_rows;    /* created with DATABASE_WITHOUT_ROWS */
    bool reads_arguments; /* the statement being compiled reads event.arguments */
    bool reads_rowid;     /* true: the statement reads the rowid of temp.event, which has none */
    bool plain_arguments; /* imports write arguments into rows, not into packs */
    bool shows_arguments; /* packed arguments are shown by views in temp */
    bool has_functions;   /* table-valued functions are available: database_prepare_reading() */
    struct file_guard *guard;  /* prevents this process from opening its files; owned */
    struct busy_handler *busy; /* waits for other programs; owned */
    int64_t log_size; /* bytes of the write-ahead log at the beginning of the transaction */
    const struct database_source *source; /* borrowed; NULL: complete */
    struct kept_statements *kept;         /* statement cache; owned; NULL until used */
    struct row_pages *pages;              /* owned; NULL until row_pages_keep() */
    int descriptor; /* descriptor of the file, for the lock and the header; owned; 0: not open */
};

/* Sets SQLite's error message with the database's name. Always false. */
bool database_failed(const struct database *database, struct error *error);

/* errno of the last failed access to its file; 0: none, or unknown. */
int database_cause(const struct database *database);

/* Fetches the needed data, unless present. */
bool database_fetch(const struct database *database, const struct database_wanted *wanted,
                    struct error *error);

/* Runs one or more statements that return no rows. */
bool database_run(struct database *database, const char *sql, struct error *error);

/* Prepares a statement; NULL with `error` set on failure. The caller finalizes it. */
sqlite3_stmt *database_prepare(struct database *database, const char *sql, struct error *error);

/* As database_prepare(), for a statement in a text, which is freed. */
sqlite3_stmt *database_prepare_text(struct database *database, struct text *sql,
                                    struct error *error);

/* Prepares a statement with the statement cache. The caller returns the statement with
 * database_keep(). One thread at a time, like everything on a connection. */
sqlite3_stmt *database_take(struct database *database, const char *sql, struct error *error);

/* Returns a statement to the cache for the next database_take() of its text. NULL is allowed. */
void database_keep(struct database *database, sqlite3_stmt *statement);

/* Finalizes the cached statements, before the connection is closed. */
void database_forget(struct database *database);

/* Locks the connection, which the threads of a scan share; pass the result to
 * sqlite3_mutex_leave(). The lock is recursive. It keeps a failure and its message together, and
 * makes the calls of SQLite in between cheaper. */
sqlite3_mutex *database_lock(const struct database *database);

/* Steps once: `*row` tells whether there is a row. False with `error` set on failure. */
bool database_step(struct database *database, sqlite3_stmt *statement, bool *row,
                   struct error *error);

/* Runs a statement that returns no rows, and resets it. */
bool database_execute(struct database *database, sqlite3_stmt *statement, struct error *error);

/* Runs one statement that returns no rows, with values bound to ?1, ?2, … according to `types`: 'i'
 * int64_t, 'o' int64_t with INT64_MIN as NULL, 'u' uint32_t, 's' string (NULL: NULL), 't' text and
 * 'b' bytes, each followed by its length as size_t. */
bool database_change(struct database *database, struct error *error, const char *sql,
                     const char *types, ...);

/* Like database_change(), for a prepared statement. */
bool database_insert(struct database *database, struct error *error, sqlite3_stmt *statement,
                     const char *types, ...);

/* A running query, with values bound as by database_change():
 *
 *     struct database_query query = database_query(database, error, "SELECT …", "i", trace);
 *
 *     while (database_next(&query)) {
 *         … sqlite3_column_int64(query.row, 0) …
 *     }
 *     return database_end(&query);
 *
 * After a failure there are no more rows, and database_end() returns false; setting `failed` has
 * the same effect. */
struct database_query {
    sqlite3_stmt *row; /* owned; NULL if preparing failed */
    struct database *database;
    struct error *error;
    bool failed;
};

struct database_query database_query(struct database *database, struct error *error,
                                     const char *sql, const char *types, ...);

/* As database_query(), for a statement in a text, which is freed. */
struct database_query database_query_text(struct database *database, struct error *error,
                                          struct text *sql, const char *types, ...);
bool database_next(struct database_query *query);
bool database_end(struct database_query *query);

/* Binds a number; INT64_MIN as NULL. */
void database_bind_optional(sqlite3_stmt *statement, int parameter, int64_t value);

/* Returns the number in a column of the current row; INT64_MIN (EVENT_NONE) for NULL. */
int64_t database_column_optional(sqlite3_stmt *row, int column);

/* Returns the text in a column of the current row; "" for NULL. */
const char *database_column_text(sqlite3_stmt *row, int column);

/* Reads the integer in a query's only row; `otherwise` if there is no row or it is NULL. `id` is
 * bound to ?1 if the query has a parameter. */
bool database_integer(struct database *database, const char *sql, int64_t id, int64_t otherwise,
                      int64_t *value, struct error *error);

/* --- users' queries --------------------------------------------------------------------------- */

/* Memory limits of a user's statement, in bytes: of one value or row, and in all. */
#define DATABASE_MOST_VALUE  (16 << 20)
#define DATABASE_MOST_MEMORY (256 << 20)

/* Prepares a user's statement, which must be a single one and can only read. It refuses writes,
 * ATTACH, PRAGMA and loading code, but allows json_each, json_tree and schema functions. From then
 * on, no value of the connection may exceed DATABASE_MOST_VALUE. On failure sqlite3_error_offset()
 * gives the position of the error in `sql`, if known. */
sqlite3_stmt *database_prepare_reading(struct database *database, const char *sql,
                                       struct error *error);

/* As database_take() and database_keep(), for statements of database_prepare_reading(). */
sqlite3_stmt *database_take_reading(struct database *database, const char *sql,
                                    struct error *error);
void database_keep_reading(struct database *database, sqlite3_stmt *statement);

#ifdef __clang_analyzer__ /* as in error.h */
#define database_failed(...) (database_failed(__VA_ARGS__), false)
#endif

#endif

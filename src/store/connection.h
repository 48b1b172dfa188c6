/* A database connection: waits for locks of other programs, and runs SQL statements. */
#ifndef TRACETOOL_CONNECTION_H
#define TRACETOOL_CONNECTION_H

#include <limits.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* --- waiting for other programs' locks -------------------------------------------------------- */

/* Waits for locks that other programs hold on the database. A reader gives up after DATABASE_WAIT:
 * in WAL mode, imports never lock readers out that long. A writer waits for other writers and for
 * readers without limit: SQLite's locks end with the process that holds them. */

/* Limit of a reader's wait for a lock, in milliseconds. */
#define DATABASE_WAIT 10000
/* Limit of a writer's wait: none. */
#define DATABASE_WAIT_ENDLESS LONG_MAX

/* How a long wait for a lock is ended by a signal, and reported. */
struct patience {
    /* not 0: a signal ends the wait; NULL: signals do not end it */
    const volatile sig_atomic_t *interrupted;
    /* Called once, after three seconds, with the reason for waiting; NULL: no report. */
    void (*say)(void *context, const char *message);
    void *context;
};

struct busy_handler;

/* Makes SQLite wait up to DATABASE_WAIT for locks on `handle`. `path` is for messages. `patience`
 * may be NULL, and must live as long as the returned handler. The caller frees the handler after
 * closing `handle`. */
struct busy_handler *busy_handler_new(sqlite3 *handle, const char *path,
                                      const struct patience *patience);
void busy_handler_free(struct busy_handler *busy);

/* Sets the limit of each wait in milliseconds; 0: never waits. Returns the previous limit. */
long busy_handler_limit(struct busy_handler *busy, long milliseconds);

/* Sleeps as part of a longer wait for a lock. Returns false if a signal interrupted the sleep. */
bool busy_handler_pause(struct busy_handler *busy, long milliseconds);

/* Returns whether a signal has interrupted waits for locks. */
bool busy_handler_interrupted(const struct busy_handler *busy);

/* --- data of a connection --------------------------------------------------------------------- */

#define DATABASE_APPLICATION_ID         0x54724C67 /* "TrLg" */
#define DATABASE_PRIVATE_APPLICATION_ID 0x54724C70 /* "TrLp" */

/* Row ids of a table, as a condition of a report; an id 0 matches NULL. Borrowed. */
struct database_ids {
    const int64_t *ids; /* wanted ids; NULL: all ids */
    size_t count;
};

/* A report may request a part of a trace. This many events at each end of the part, and one event
 * beyond each end, are fetched even if the report's conditions exclude them. They show where the
 * trace starts, and which events have wrong times. */
#define DATABASE_PART_ENDS 9

/* Traces with at most this many events are fetched whole: selecting events would take longer. */
#define DATABASE_FEW_EVENTS 1000

/* Events of a trace that a report needs. Other events may be missing in the database. */
struct database_part {
    bool some; /* false: all events are needed, and the other members are not used */
    /* range of times in the trace, excluding `to`; INT64_MIN, INT64_MAX: no limit */
    int64_t from, to;
    int64_t action;       /* id of the action or operation; INT64_MIN: any */
    unsigned classes_out; /* block I/O: classes that are not needed, as bits of enum io_class */
    struct database_ids operations, actors, objects;
    /* More conditions on columns of `event`: SQL, each beginning with AND; NULL: none. */
    char *values;
};

/* Data that a report needs from the database. All pointers are borrowed. */
struct database_wanted {
    const int64_t *traces; /* unique ids */
    size_t count;
    /* Tables needed besides those always fetched: any of object, loggable, rollup_…, separated by
     * blanks; NULL: all. */
    const char *tables;
    bool events; /* true: events are needed, and rows of other tables about events */
    /* Events needed of each trace; NULL: all. Names, actors and objects in the conditions must have
     * been fetched before. While the database is open, only these events may be read. */
    const struct database_part *parts;
    /* For each trace, the id of the action whose I/Os are counted; 0: none. If set, counts by
     * action may be fetched as sums over all wanted traces, stored under one trace, until other
     * data are requested. NULL: always fetches counts of each trace. */
    const int64_t *actions;
};

/* Source of the rows of a partial database, which only has rows needed so far (remote stores). */
struct database_source {
    /* Fetches the wanted rows that are missing in the database. */
    bool (*fetch)(void *context, const struct database_wanted *wanted, struct error *error);
    void *context;
};

struct database {
    sqlite3 *handle;   /* owned */
    char *path;        /* owned */
    bool created;      /* true: created by this connection; deleted on closing if it has no trace */
    bool filling;      /* true: during the first import; other programs wait until
                          database_allow_other_programs() */
    bool known;        /* true: the file is a database of tracetool */
    bool reading;      /* true: opened with DATABASE_READ */
    bool is_private;   /* true: opened with DATABASE_PRIVATE */
    bool without_rows; /* true: created with DATABASE_WITHOUT_ROWS */
    bool reads_arguments; /* true: the user's statement being compiled reads event.arguments */
    bool reads_rowid; /* true: the user's statement reads the rowid of view temp.event: an error */
    bool plain_arguments; /* true: imports write arguments into rows, not into packs */
    bool shows_arguments; /* true: views in schema temp show arguments unpacked */
    bool has_functions;   /* true: table-valued functions have been created */
    struct registered_database *registration; /* owned; prevents other code of this process from
                                                 opening the database's files */
    struct busy_handler *busy;                /* owned; waits for locks of other programs */
    int64_t log_size; /* size of the write-ahead log in bytes when the transaction began */
    /* borrowed; fetches missing rows; NULL: the database has all rows */
    const struct database_source *source;
    struct kept_statements *kept; /* owned; cached prepared statements; NULL: none yet */
    struct row_pages *pages; /* owned; memory for inserting rows (row_pages_keep()); NULL: none */
    int descriptor; /* owned; open file descriptor, for locks and for reading the header; 0: none */
};

/* Sets an error with SQLite's message and the database's name. Always returns false. */
bool database_set_error(const struct database *database, struct error *error);

/* Returns errno of the last failed access to the database's file; 0: none failed, or unknown. */
int database_last_errno(const struct database *database);

/* Fetches the wanted rows that the database lacks from its source, if it has one. */
bool database_fetch(const struct database *database, const struct database_wanted *wanted,
                    struct error *error);

/* Runs one or more statements that return no rows. */
bool database_run(struct database *database, const char *sql, struct error *error);

/* Compiles a statement, which the caller finalizes. Returns NULL and sets `error` on failure. */
sqlite3_stmt *database_prepare(struct database *database, const char *sql, struct error *error);

/* Compiles the statement in a text, as database_prepare() does, and frees the text. */
sqlite3_stmt *database_prepare_text(struct database *database, struct text *sql,
                                    struct error *error);

/* Returns a prepared statement, from the cache if it has one with this text. The caller gives it
 * back to the cache by database_release_statement(). Only one thread may use a connection at a
 * time. */
sqlite3_stmt *database_acquire_statement(struct database *database, const char *sql,
                                         struct error *error);

/* Resets a statement and returns it to the cache of database_acquire_statement(). NULL is allowed.
 */
void database_release_statement(struct database *database, sqlite3_stmt *statement);

/* Finalizes all cached statements. Must be called before the connection is closed. */
void database_finalize_statements(struct database *database);

/* Locks the connection, which several threads may share during a scan. Unlock it by passing the
 * result to sqlite3_mutex_leave(). While it is locked, other threads cannot replace SQLite's error
 * message. It is SQLite's own recursive mutex, so calls of SQLite are faster, too. */
sqlite3_mutex *database_lock(const struct database *database);

/* Steps a statement once; `*row`: there is a row. Returns false and sets `error` on failure. */
bool database_step(struct database *database, sqlite3_stmt *statement, bool *row,
                   struct error *error);

/* Runs a statement that returns no rows, and resets it. */
bool database_execute(struct database *database, sqlite3_stmt *statement, struct error *error);

/* Runs one statement that returns no rows. `types` gives the types bound to ?1, ?2, …: 'i' int64_t,
 * 'o' int64_t with INT64_MIN for NULL, 'u' uint32_t, 's' string (NULL: NULL), 't' text and 'b'
 * bytes, each of these two followed by its length as size_t. */
bool database_run_bound(struct database *database, struct error *error, const char *sql,
                        const char *types, ...);

/* Runs a prepared statement that returns no rows, with values bound as by database_run_bound(). */
bool database_insert(struct database *database, struct error *error, sqlite3_stmt *statement,
                     const char *types, ...);

/* A running query; values are bound as by database_run_bound():
 *
 *     struct database_query query = database_query(database, error, "SELECT …", "i", trace);
 *
 *     while (database_next(&query)) {
 *         … sqlite3_column_int64(query.row, 0) …
 *     }
 *     return database_end(&query);
 *
 * After a failure there are no more rows, and database_end() returns false. A caller may set
 * `failed` for the same effect. */
struct database_query {
    sqlite3_stmt *row; /* owned statement; NULL: compiling failed */
    struct database *database;
    struct error *error;
    bool failed;
};

struct database_query database_query(struct database *database, struct error *error,
                                     const char *sql, const char *types, ...);

/* Runs a query as database_query() does, from a text, which is freed. */
struct database_query database_query_text(struct database *database, struct error *error,
                                          struct text *sql, const char *types, ...);
bool database_next(struct database_query *query);
bool database_end(struct database_query *query);

/* Binds a number to a parameter; INT64_MIN (EVENT_NONE) becomes NULL. */
void database_bind_optional(sqlite3_stmt *statement, int parameter, int64_t value);

/* Returns the number in a column of the current row; INT64_MIN (EVENT_NONE) if it is NULL. */
int64_t database_column_optional(sqlite3_stmt *row, int column);

/* Returns the text in a column of the current row; "" if it is NULL. */
const char *database_column_text(sqlite3_stmt *row, int column);

/* Sets `*value` to the integer that a query returns, or to `otherwise` if it returns NULL or no
 * row. Binds `id` to ?1, if the query has a parameter. */
bool database_query_integer(struct database *database, const char *sql, int64_t id,
                            int64_t otherwise, int64_t *value, struct error *error);

/* --- statements that users type --------------------------------------------------------------- */

/* Limits of memory for a user's statement, in bytes: of a single value or row, and of SQLite in
 * total. */
#define DATABASE_MOST_VALUE  (16 << 20)
#define DATABASE_MOST_MEMORY (256 << 20)

/* Compiles a user's statement: a single one, which can only read. Refuses writes, ATTACH, PRAGMA
 * and loading code; allows json_each, json_tree and functions on the schema. Afterwards no value on
 * the connection may exceed DATABASE_MOST_VALUE. On failure, sqlite3_error_offset() returns the
 * position of the error in `sql`, if known. */
sqlite3_stmt *database_prepare_read_only(struct database *database, const char *sql,
                                         struct error *error);

/* database_acquire_read_only() returns a statement compiled by database_prepare_read_only(), from
 * the cache if it is there. The caller returns it to the cache by database_release_read_only(). */
sqlite3_stmt *database_acquire_read_only(struct database *database, const char *sql,
                                         struct error *error);
void database_release_read_only(struct database *database, sqlite3_stmt *statement);

#ifdef __clang_analyzer__ /* tells static analysers that database_set_error() returns false */
#define database_set_error(...) (database_set_error(__VA_ARGS__), false)
#endif

#endif

/* A connection to a database, how it waits, and the few ways to run a statement on it. */
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

/* How a connection waits while another program holds the database.
 *
 * A reader gives up after DATABASE_WAIT; imports with a write-ahead log never block it so long. A
 * writer waits for other writers and for readers as long as they live: SQLite's locks end with
 * their process. */

/* How long the lock for reading is waited for, in milliseconds. */
#define DATABASE_WAIT 10000
/* As long as it takes. */
#define DATABASE_WAIT_ENDLESS LONG_MAX

/* How a long wait is interrupted and announced. */
struct patience {
    const volatile sig_atomic_t *interrupted; /* not 0 ends the waiting; NULL: nothing does */
    /* Called once, after three seconds, with what the program waits for; NULL: no call. */
    void (*say)(void *context, const char *message);
    void *context;
};

struct busy_handler;

/* Makes `handle` wait, at first for DATABASE_WAIT; `path` is the database's, for messages.
 * `patience` may be NULL, else it must outlive what is returned. Owned by the caller, and to be
 * freed after the handle is closed. */
struct busy_handler *busy_handler_new(sqlite3 *handle, const char *path,
                                      const struct patience *patience);
void busy_handler_free(struct busy_handler *busy);

/* Changes how long every single wait takes at most, in milliseconds; 0: not at all. Returns what it
 * was before. */
long busy_handler_limit(struct busy_handler *busy, long milliseconds);

/* Waits for so many milliseconds, as a part of a longer wait. False when it was interrupted. */
bool busy_handler_pause(struct busy_handler *busy, long milliseconds);

/* Whether an interruption ended the waiting. */
bool busy_handler_interrupted(const struct busy_handler *busy);

/* --- the connection ------------------------------------------------------------------------------
 */

#define DATABASE_APPLICATION_ID         0x54724C67 /* "TrLg" */
#define DATABASE_PRIVATE_APPLICATION_ID 0x54724C70 /* "TrLp" */

/* Ids of rows, 0 for what refers to no row. Borrowed. */
struct database_ids {
    const int64_t *ids; /* NULL: any */
    size_t count;
};

/* So many events at either end of what is wanted of a trace are there whatever else they are, and
 * one before and one behind them: for whoever asks when it began, and what lies far from all else.
 */
#define DATABASE_PART_ENDS 9

/* So few events of a trace all come: that takes less than to find out which of them are wanted. */
#define DATABASE_FEW_EVENTS 1000

/* What is known of those events of a trace that are looked at; others need not be there, but may.
 */
struct database_part {
    bool some;            /* else all are looked at, and nothing else counts */
    int64_t from, to;     /* times of the trace, `to` exclusive; INT64_MIN, INT64_MAX: no bound */
    int64_t action;       /* the operation; INT64_MIN: any */
    unsigned classes_out; /* block I/O: bit set of enum io_class, those that are not looked at */
    struct database_ids operations, actors, objects;
    char
        *values; /* what else columns of `event` must have: SQL, each beginning with AND; or NULL */
};

/* What is wanted of traces. All is borrowed. */
struct database_wanted {
    const int64_t *traces; /* ids, each once */
    size_t count;
    /* Those of the tables object, loggable and rollup_… that are read, blank-separated; NULL: all.
     * Other tables are there in any case. */
    const char *tables;
    bool events; /* and what belongs to them */
    /* Of the events of each trace, whose names have been fetched before; NULL: all. Whoever has it
     * looks at nothing else as long as the database is read. */
    const struct database_part *parts;
    /* Of each trace the name.id of the action whose I/Os are counted, 0 for none. Then
     * rollups by action may have sums of that action over several of the traces, under one of them,
     * in place of the rows of each, until others are asked for. NULL: never. */
    const int64_t *actions;
};

/* Where rows come from that are not in the database yet. */
struct database_source {
    /* Puts what is wanted into it, where it is not there yet. */
    bool (*fetch)(void *context, const struct database_wanted *wanted, struct error *error);
    void *context;
};

struct database {
    sqlite3 *handle;           /* owned */
    char *path;                /* owned */
    bool created;              /* by this call: delete it again when nothing came of it */
    bool filling;              /* likewise, and until something is in it (database_filled()) */
    bool known;                /* it is tracetool's */
    bool reading;              /* opened with DATABASE_READ */
    bool is_private;           /* opened with DATABASE_PRIVATE */
    bool without_rows;         /* made with DATABASE_WITHOUT_ROWS */
    bool has_functions;        /* tables that are functions are there: database_prepare_reading() */
    struct file_guard *guard;  /* nobody else opens its files meanwhile; owned */
    struct busy_handler *busy; /* for other programs; owned */
    int64_t log_size;          /* bytes of the write-ahead log when the transaction began */
    const struct database_source *source; /* borrowed; NULL: all is in it */
    struct kept_statements *kept;         /* owned; NULL: none yet */
    struct row_pages *pages;              /* owned; NULL: none yet; row_pages_keep() */
    int descriptor; /* of the file, for the lock and its header; owned; 0: not open */
};

/* Says what SQLite says, with the database's name. Always false. */
bool database_failed(const struct database *database, struct error *error);

/* Why the last access to its file failed, as errno; 0: it did not, or nobody knows. */
int database_cause(const struct database *database);

/* Sees to it that what is wanted is in the database. */
bool database_fetch(const struct database *database, const struct database_wanted *wanted,
                    struct error *error);

/* Runs one or more statements that return nothing. */
bool database_run(struct database *database, const char *sql, struct error *error);

/* Prepares a statement; NULL with `error` set on failure. The caller finalizes it. */
sqlite3_stmt *database_prepare(struct database *database, const char *sql, struct error *error);

/* The same of a text, which is freed. */
sqlite3_stmt *database_prepare_text(struct database *database, struct text *sql,
                                    struct error *error);

/* The same, of a statement that is asked for often: one that was kept, or a new one. The caller
 * gives it to database_keep(). As all that is done on a connection, by one thread at a time. */
sqlite3_stmt *database_take(struct database *database, const char *sql, struct error *error);

/* Consumes a statement: it is kept for the next database_take() of its text. NULL needs neither. */
void database_keep(struct database *database, sqlite3_stmt *statement);

/* Finalizes what is kept: before the connection is closed. */
void database_forget(struct database *database);

/* Steps once: `*row` says whether there is a row. False with `error` set on failure. */
bool database_step(struct database *database, sqlite3_stmt *statement, bool *row,
                   struct error *error);

/* Steps a statement that returns nothing, and resets it for the next time. */
bool database_execute(struct database *database, sqlite3_stmt *statement, struct error *error);

/* Runs one statement that returns nothing, with values bound to ?1, ?2, … as `types` says: 'i' an
 * int64_t, 'o' an int64_t that is stored as NULL when it is INT64_MIN, 'u' an uint32_t, 's' a
 * string (NULL: NULL), 't' text and 'b' bytes with their length, a size_t. */
bool database_change(struct database *database, struct error *error, const char *sql,
                     const char *types, ...);

/* The same of a statement that is prepared. */
bool database_insert(struct database *database, struct error *error, sqlite3_stmt *statement,
                     const char *types, ...);

/* A query that is being read, with values bound as by database_change():
 *
 *     struct database_query query = database_query(database, error, "SELECT …", "i", trace);
 *
 *     while (database_next(&query)) {
 *         … sqlite3_column_int64(query.row, 0) …
 *     }
 *     return database_end(&query);
 *
 * A failure ends the rows, and database_end() is false then; so does setting `failed`. */
struct database_query {
    sqlite3_stmt *row; /* owned; NULL when it could not be prepared */
    struct database *database;
    struct error *error;
    bool failed;
};

struct database_query database_query(struct database *database, struct error *error,
                                     const char *sql, const char *types, ...);

/* The same of a text, which is freed. */
struct database_query database_query_text(struct database *database, struct error *error,
                                          struct text *sql, const char *types, ...);
bool database_next(struct database_query *query);
bool database_end(struct database_query *query);

/* Binds NULL for INT64_MIN, else the number. */
void database_bind_optional(sqlite3_stmt *statement, int parameter, int64_t value);

/* The number in a column of the current row, INT64_MIN (EVENT_NONE) for NULL. */
int64_t database_column_optional(sqlite3_stmt *row, int column);

/* The text in a column of the current row, "" for NULL. */
const char *database_column_text(sqlite3_stmt *row, int column);

/* The integer that a query gives in its only row, `otherwise` when it gives none or NULL. `id` is
 * bound to ?1 when the query has it. */
bool database_integer(struct database *database, const char *sql, int64_t id, int64_t otherwise,
                      int64_t *value, struct error *error);

/* --- queries of the user's own --- */

/* What a user's statement may take, in bytes: for one value or row, and in all. */
#define DATABASE_MOST_VALUE  (16 << 20)
#define DATABASE_MOST_MEMORY (256 << 20)

/* Prepares a single statement of a user's, which can do nothing but read: no writing, ATTACH,
 * PRAGMA or loading of code; json_each, json_tree and functions that tell the schema are allowed.
 * From then on no value of the connection may be larger than DATABASE_MOST_VALUE. On failure
 * sqlite3_error_offset() says where in `sql` the mistake is, if that is known. */
sqlite3_stmt *database_prepare_reading(struct database *database, const char *sql,
                                       struct error *error);

/* As database_take() and database_keep(), of such statements. */
sqlite3_stmt *database_take_reading(struct database *database, const char *sql,
                                    struct error *error);
void database_keep_reading(struct database *database, sqlite3_stmt *statement);

#ifdef __clang_analyzer__ /* as in error.h */
#define database_failed(...) (database_failed(__VA_ARGS__), false)
#endif

#endif

/* A connection to a database, and the few ways to run a statement on it. */
#ifndef TRACETOOL_CONNECTION_H
#define TRACETOOL_CONNECTION_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* --- statements that are kept --------------------------------------------------------------------
 */

/* Statements that are prepared once and used again: what is asked of each of thousands of traces
 * would else be compiled for each of them, which costs more than the answer. */

struct kept_statements;

/* Takes one of that text out of those kept, NULL when there is none. `reading`: it was prepared by
 * database_prepare_reading(); others than these are of another kind. `kept` may be NULL. */
sqlite3_stmt *kept_statements_take(struct kept_statements *kept, const char *sql, bool reading);

/* Consumes the statement: resets it, forgets what was bound to it, and keeps it. That which was
 * kept first makes room. Makes `*kept` when it is NULL; without memory the statement is finalized.
 */
void kept_statements_add(struct kept_statements **kept, sqlite3_stmt *statement, bool reading);

/* --- the connection ------------------------------------------------------------------------------
 */

#define DATABASE_APPLICATION_ID 0x54724C67 /* "TrLg" */

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
    bool filling;              /* likewise, and until something is in it (open_lock_fill()) */
    bool known;                /* it is tracetool's */
    bool reading;              /* opened with DATABASE_READ */
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
 * int64_t, 'o' an int64_t that is stored as NULL when it is INT64_MIN, 's' a string (NULL: NULL).
 */
bool database_change(struct database *database, struct error *error, const char *sql,
                     const char *types, ...);

/* Binds NULL for INT64_MIN, else the number. */
void database_bind_optional(sqlite3_stmt *statement, int parameter, int64_t value);

/* The number in a column of the current row, INT64_MIN (EVENT_NONE) for NULL. */
int64_t database_column_optional(sqlite3_stmt *row, int column);

/* The integer that a query gives in its only row, `otherwise` when it gives none or NULL. `id` is
 * bound to ?1 when the query has it. */
bool database_integer(struct database *database, const char *sql, int64_t id, int64_t otherwise,
                      int64_t *value, struct error *error);

#ifdef __clang_analyzer__ /* as in error.h */
#define database_failed(...) (database_failed(__VA_ARGS__), false)
#endif

#endif

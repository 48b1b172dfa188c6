/* The tables of a store, in one table, out of which come its DDL (statements.h), what is sent
 * (push.h), how that is verified, and how it is read.
 *
 * They are the tables of src/store/schema.sql with the same columns, so that what was sent can be
 * put into a database again; docs/architecture.md says what differs:
 * - In front of each row stand the keys `trace` and `attempt` (commits.h), in place of trace.id.
 * - Ids are the trace's own, from 1 on (transfer_reference() says which columns hold ids): id -
 *   least id of the trace + 1. 0 and NULL stay.
 * - Rollups have the texts behind their ids beside them, so that the server can add up the rows of
 *   many traces.
 * - event_column is left out, which can be made anew, trace.resume, with which an import on this
 *   machine goes on, and allocation, of which only `map` makes something, which changes a file.
 */
#ifndef TRACETOOL_REMOTE_SCHEMA_H
#define TRACETOOL_REMOTE_SCHEMA_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Of the tables here; a store of another version is refused. */
#define REMOTE_STORE_VERSION 1

enum remote_type {
    REMOTE_KEY,           /* UInt64: trace, attempt, checksum */
    REMOTE_INTEGER,       /* Int64 */
    REMOTE_MAYBE_INTEGER, /* Nullable(Int64) */
    REMOTE_TEXT,          /* String, any bytes */
    REMOTE_MAYBE_TEXT,    /* Nullable(String) */
    REMOTE_MAYBE_BYTES,   /* the same, of a BLOB */
};

struct remote_column {
    const char *name;
    enum remote_type type;
    const char *sql;   /* what it is of row t of SQLite's table; NULL: the column of that name */
    const char *codec; /* how servers from version 20 on pack it; NULL: as they like */
};

struct remote_table {
    const char *name;
    const struct remote_column *columns; /* ends with a NULL name; behind the two keys */
    const char *order;                   /* by which columns rows lie in the store */
    const char *number; /* a column that hardly two rows have alike; NULL: there is none */
    bool of_events;     /* sent only with --events */
};

/* Ends with a NULL name; the first is `trace`, whose row is the commit. */
extern const struct remote_table remote_tables[];

/* Attempts that were taken out of the store by `remove`, a row each; `store sweep` deletes them. */
extern const struct remote_table remote_removed;

/* Where the columns of `trace` begin that SQLite does not have. */
#define REMOTE_TRACE_OWN "hash"

/* That of them which says how many rows each table has. */
#define REMOTE_TRACE_ROWS "rows"

/* The table of that name; NULL: none. */
const struct remote_table *remote_table_find(const char *name);

/* How many tables there are in remote_tables. */
size_t remote_table_count(void);

/* Whether the column of a rollup is neither the action nor what is counted. */
bool remote_column_is_dimension(const struct remote_column *column);

/* The type as the store calls it. */
const char *remote_type_name(enum remote_type type);

/* Whether there is a byte for NULL in front of its values. */
bool remote_type_is_nullable(enum remote_type type);

/* Whether its values are texts or bytes. */
bool remote_type_is_text(enum remote_type type);

/* --- checksums ----------------------------------------------------------------------------------
 */

/* A sum over rows of a table that the server and this program work out alike: what was lost, came
 * twice or was exchanged on the way makes it another one. It is (number + 1) × Σ weight × value
 * over the rows, in whole numbers modulo 2^64, where a text counts as the first 8 bytes of its MD5
 * (halfMD5(), which all servers have), NULL as 0, and what may be NULL as 1 more than it is.
 */
/* Appends what a row of the table adds, as SQL of the store. */
void checksum_append_sql(struct text *sql, const struct remote_table *table);

/* The same of a row whose values are the columns of a statement of SQLite's, in the same order and
 * of the types that the table says. */
uint64_t checksum_row(sqlite3_stmt *row, const struct remote_table *table);

#endif

/* Tables of a store. The DDL (statements.h), sending (push.h), verification and reading are derived
 * from this list.
 *
 * The tables and columns match those of src/store/schema.sql, so that pushed rows can be read into
 * a database again. Differences (docs/architecture.md):
 * - The keys `trace` and `attempt` (commits.h) precede the columns of each row and replace
 *   trace.id.
 * - Ids are per trace and start at 1: id - smallest id of the trace + 1. 0 and NULL stay.
 *   transfer_reference() lists the columns with ids.
 * - Rollups also contain the texts of their ids, so that the server can add up rows of many traces.
 * - Omitted: event_column (it can be rebuilt), trace.resume (it belongs to imports on this
 *   machine), argument_pack (a store has the arguments themselves), and
 *   allocation (only `map` reads it, and `map` changes a file). */
#ifndef TRACETOOL_REMOTE_SCHEMA_H
#define TRACETOOL_REMOTE_SCHEMA_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Version of these tables; a store of another version is refused. */
#define REMOTE_STORE_VERSION 1

enum remote_type {
    REMOTE_KEY,           /* UInt64: trace, attempt, checksum */
    REMOTE_INTEGER,       /* Int64 */
    REMOTE_MAYBE_INTEGER, /* Nullable(Int64) */
    REMOTE_TEXT,          /* String, any bytes */
    REMOTE_MAYBE_TEXT,    /* Nullable(String) */
    REMOTE_MAYBE_BYTES,   /* Nullable(String), from a BLOB */
};

struct remote_column {
    const char *name;
    enum remote_type type;
    const char *sql; /* SQL expression for row t of SQLite's table; NULL: the column of that name */
    const char *codec; /* compression codec for servers of version 20 or later; NULL: the server's
                          default */
};

struct remote_table {
    const char *name;
    const struct remote_column *columns; /* columns after the two keys; ends with a NULL name */
    const char *order;                   /* sort order of rows in the store */
    const char *number;                  /* column with nearly unique numbers; NULL: none */
    bool of_events;                      /* sent only with --events */
};

/* All tables; ends with a NULL name. The first is `trace`; its row is the commit. */
extern const struct remote_table remote_tables[];

/* Attempts hidden by `store remove`, one per row; `store sweep` deletes their rows. */
extern const struct remote_table remote_removed;

/* First column of `trace` that only the store has. */
#define REMOTE_TRACE_OWN "hash"

/* Column of `trace` with the row counts of each table. */
#define REMOTE_TRACE_ROWS "rows"

/* Returns the table of that name; NULL if there is none. */
const struct remote_table *remote_table_find(const char *name);

/* Returns the number of tables in remote_tables. */
size_t remote_table_count(void);

/* Returns whether a rollup's column is a dimension: neither the action nor a counted value. */
bool remote_column_is_dimension(const struct remote_column *column);

/* Returns the store's name of the type. */
const char *remote_type_name(enum remote_type type);

/* Returns whether the type is nullable, so that a byte precedes each value. */
bool remote_type_is_nullable(enum remote_type type);

/* Returns whether the values are texts or bytes. */
bool remote_type_is_text(enum remote_type type);

/* --- checksums ----------------------------------------------------------------------------------
 */

/* Checksum of a table's rows, computed identically by the server and by this program. It detects
 * lost, duplicated and altered rows. Checksum: (number + 1) × Σ weight × value over the rows, as
 * integers modulo 2^64. A text counts as the first 8 bytes of its MD5 (halfMD5(), which all servers
 * have). NULL counts as 0, and other values of a nullable column as value + 1. */
/* Appends the store's SQL expression for a row's summand of the checksum. */
void checksum_append_sql(struct text *sql, const struct remote_table *table);

/* Returns a row's summand of the checksum. The statement's columns have the order and types of the
 * table. */
uint64_t checksum_row(sqlite3_stmt *row, const struct remote_table *table);

#endif

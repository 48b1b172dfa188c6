/* Tables and columns of a store. Statements that create tables (statements.h), sending (push.h),
 * checking and reading all use this list.
 *
 * The tables are those of src/store/schema.sql, so that their rows can be read into a database
 * again. Differences (docs/architecture.md):
 * - Each row begins with the keys `trace` and `attempt` (commits.h), which replace trace.id.
 * - Ids begin at 1 in each trace: id - smallest id of the trace + 1. 0 and NULL are unchanged.
 * transfer_referenced() tells which columns hold ids.
 * - Rollups also have the texts of their ids, so that the server can add up rows of many traces.
 * - Omitted are event_column (it can be computed), trace.resume (it belongs to imports on this
 * machine), argument_pack (a store has the arguments themselves), and allocation (only `map` reads
 * it, and `map` changes a file). */
#ifndef TRACETOOL_REMOTE_SCHEMA_H
#define TRACETOOL_REMOTE_SCHEMA_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Version of the tables. Stores of other versions are refused. */
#define REMOTE_STORE_VERSION 1

enum remote_type {
    REMOTE_KEY,           /* UInt64: trace, attempt or checksum */
    REMOTE_INTEGER,       /* Int64 */
    REMOTE_MAYBE_INTEGER, /* Nullable(Int64): a number or NULL */
    REMOTE_TEXT,          /* String: any bytes */
    REMOTE_MAYBE_TEXT,    /* Nullable(String): any bytes or NULL */
    REMOTE_MAYBE_BYTES,   /* Nullable(String), for bytes: BLOB in SQLite */
};

struct remote_column {
    const char *name;
    enum remote_type type;
    const char *sql;   /* SQL for the value, from row `t`; NULL: the column of this name */
    const char *codec; /* compression codec on servers from version 20 on; NULL: default */
};

struct remote_table {
    const char *name;
    const struct remote_column *columns; /* columns after trace and attempt; ended by a NULL name */
    const char *order;                   /* sort key of the table on the server */
    const char *number; /* column whose numbers are nearly unique, for the checksum; NULL: none */
    bool of_events;     /* true: a table of events, sent only with --events */
};

/* All tables of a store, ended by a NULL name. The first is `trace`; its row commits an upload. */
extern const struct remote_table remote_tables[];

/* Table of uploads that `store remove` removed, one per row; `store sweep` deletes their rows. */
extern const struct remote_table remote_removed;

/* Name of the first column of table `trace` that only a store has, not a database. */
#define REMOTE_TRACE_OWN "hash"

/* Name of the column of table `trace` with the number of rows in each table. */
#define REMOTE_TRACE_ROWS "rows"

/* Returns the table with this name; NULL if there is none. */
const struct remote_table *remote_table_find(const char *name);

/* Returns the number of tables in remote_tables. */
size_t remote_table_count(void);

/* Returns whether a rollup (table of counts) counts by this column: it is no action and no count.
 */
bool remote_column_is_dimension(const struct remote_column *column);

/* Returns the name of a type in ClickHouse. */
const char *remote_type_name(enum remote_type type);

/* Returns whether values of the type may be NULL. Then a byte precedes each value. */
bool remote_type_is_nullable(enum remote_type type);

/* Returns whether values of the type are texts or bytes. */
bool remote_type_is_text(enum remote_type type);

/* --- checksums of rows ------------------------------------------------------------------------ */

/* Checksum of a table's rows, computed in the same way by the server and by this program. It
 * detects lost, repeated and changed rows. It is the sum over all rows of (number + 1) × Σ factor ×
 * value, as integers modulo 2^64. The value of a text is the first 8 bytes of its MD5 (halfMD5(),
 * which all servers have). NULL is 0; other values of a nullable column are value + 1. */
/* Appends ClickHouse's SQL for a row's summand in the checksum. */
void checksum_append_sql(struct text *sql, const struct remote_table *table);

/* Returns a row's summand in the checksum. The statement returns columns in the order and types of
 * the table. */
uint64_t checksum_row(sqlite3_stmt *row, const struct remote_table *table);

#endif

/* SQL statements and clauses for a store. They work with ClickHouse 18.16 and later: no WITH, no
 * parameters, no aliases that hide columns. Names are from schema.h, or were checked
 * (remote_is_name()). Numbers are written in decimal, texts as unhex('…'). */
#ifndef TRACETOOL_REMOTE_STATEMENTS_H
#define TRACETOOL_REMOTE_STATEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "remote/rowbinary.h"
#include "remote/schema.h"
#include "store/connection.h"

/* A range of rows in an event table. */
struct remote_range {
    const char *column;  /* column with the event's id */
    int64_t first, last; /* smallest and largest id of the range */
    /* SQL condition, beginning with AND, that applies only to rows from `near_first` to
     * `near_last`; "": none. Borrowed. */
    const char *condition;
    int64_t near_first, near_last;
};

/* Limit of keys (trace and attempt) in a statement; servers accept statements up to 256 KiB. */
#define REMOTE_MOST_CHOSEN 1000

/* Appends a text as unhex('…'), so that no byte needs escaping. */
void remote_append_text(struct text *sql, const char *bytes);

/* Appends (trace, attempt) IN (…) for 1 to REMOTE_MOST_CHOSEN keys. */
void remote_append_keys_condition(struct text *sql, const struct upload_key *pairs, size_t count);

/* Appends the condition that a row of a rollup (table of counts) has this action. */
void remote_append_action_condition(struct text *sql, const char *action);

/* Appends a column's name, type and, if `codecs`, compression, for CREATE TABLE. */
void remote_append_column(struct text *sql, const struct remote_column *column, bool codecs);

/* --- queries that read a store ---------------------------------------------------------------- */

/* Query for the version of the server, a text. */
#define REMOTE_VERSION_STATEMENT "SELECT version() FORMAT RowBinary"

/* Appends a query for all columns of a database. A row has three texts: table, column and type. */
void remote_append_columns(struct text *sql, const char *database);

/* Appends a query for the rows of the attempts (uploads) in `pairs`: trace, attempt and all
 * columns, in the order and types of the table. */
void remote_append_select(struct text *sql, const char *database, const struct remote_table *table,
                          const struct upload_key *pairs, size_t count);

/* Appends a query that adds up a rollup (table of counts) over the attempts (uploads) in `pairs`,
 * for one action. A row has the columns that the rollup counts by, the number of rows as Int64, and
 * four Nullable(Int64) for `count` and `bytes`: sums of their upper and their lower 32 bits, since
 * the server does not detect overflow. */
void remote_append_rollup(struct text *sql, const char *database, const struct remote_table *table,
                          const struct upload_key *pairs, size_t count, const char *action);

/* Appends a query for the rows of an attempt (upload) in a range of ids, with the columns of
 * remote_append_select(). */
void remote_append_select_range(struct text *sql, const char *database,
                                const struct remote_table *table, const struct upload_key *pair,
                                const struct remote_range *range);

/* Appends a query that counts the rows of an attempt (upload) in an event table. Its row has trace,
 * attempt, the number of all rows, and the number of rows that remote_append_select_range()
 * returns. The last value shows repeated rows: for `event` the sum of id + 2 id^3 modulo 2^64, for
 * other tables the number of different keys. There is no row if the attempt has no rows. */
void remote_append_count_range(struct text *sql, const char *database,
                               const struct remote_table *table, const struct upload_key *pair,
                               const struct remote_range *range);

/* Appends a query for the number of events before `from`, and before `to`, in an attempt (upload).
 * Its row has trace, attempt and these numbers. There is no row if the attempt has no events. */
void remote_append_count_before(struct text *sql, const char *database,
                                const struct upload_key *pair, int64_t from, int64_t to);

/* Appends a condition, beginning with AND, that a column has one of these ids minus `shift`; id 0
 * matches NULL. */
void remote_append_ids(struct text *sql, const char *column, const struct database_ids *ids,
                       int64_t shift);

/* Appends a condition, beginning with AND, that excludes the classes in `classes_out` (bits of enum
 * io_class). */
void remote_append_classes(struct text *sql, unsigned classes_out);

/* Appends a query that checks the attempts (uploads) in `pairs`, in all tables except `trace`; in
 * event tables only if `events`. A row has five UInt64: index in remote_tables, trace, attempt,
 * number of rows and checksum. */
void remote_append_check_query(struct text *sql, const char *database,
                               const struct upload_key *pairs, size_t count, bool events);

/* Appends a query for all attempts (uploads) in a table. A row has four UInt64: trace, attempt,
 * number of rows and checksum. */
void remote_append_sums(struct text *sql, const char *database, const char *table_name,
                        const struct remote_table *table);

/* --- statements that change rows or create tables --------------------------------------------- */

/* Appends an INSERT for a table; the rows follow it in the format RowBinary. */
void remote_append_insert(struct text *sql, const char *database, const struct remote_table *table);

/* Where a store's tables are. */
struct remote_layout {
    const char *database;
    const char *cluster; /* name of the store's cluster; NULL: the store is on one server. In a
                            cluster, tables NAME_local have a server's own rows, and tables NAME
                            give access to all rows */
    bool codecs;         /* true: use compression codecs, for servers from version 20 on */
};

/* Size of the name of a table with a server's own rows, with its NUL. */
#define REMOTE_MOST_LOCAL 80

/* Writes the name of the table with a server's own rows; `name` has REMOTE_MOST_LOCAL bytes. */
void remote_local_name(char *name, const struct remote_table *table, bool in_cluster);

/* Calls `take` with each statement that creates the store's database and tables, in order. The
 * statements do not change existing tables. */
bool remote_visit_definitions(const struct remote_layout *layout,
                              bool (*take)(void *context, const char *sql, struct error *error),
                              void *context, struct error *error);

#endif

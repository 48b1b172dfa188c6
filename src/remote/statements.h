/* Statements for a store, and parts of statements. ClickHouse 18.16 and later accept them: no WITH,
 * no parameters, no aliases that hide columns. Names come from schema.h or were checked
 * (remote_is_name()). Values are decimal numbers; texts are unhex('…'). */
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

/* Range of rows in a table of events. */
struct remote_range {
    const char *column;  /* column with an event's id */
    int64_t first, last; /* smallest and largest id */
    /* SQL condition, beginning with AND, for rows from `near_first` to `near_last`; rows outside
     * are always included. "": no condition. Borrowed. */
    const char *condition;
    int64_t near_first, near_last;
};

/* Limit of pairs in a statement; servers accept statements of up to 256 KiB. */
#define REMOTE_MOST_CHOSEN 1000

/* Appends a text as unhex('…'), which is safe for any text. */
void remote_append_text(struct text *sql, const char *bytes);

/* Appends (trace, attempt) IN (…) for 1 to REMOTE_MOST_CHOSEN pairs. */
void remote_append_chosen(struct text *sql, const struct remote_pair *pairs, size_t count);

/* Appends the condition that a rollup's row has this action. */
void remote_append_of_action(struct text *sql, const char *action);

/* Appends a column's definition. */
void remote_append_column(struct text *sql, const struct remote_column *column, bool codecs);

/* --- asking -------------------------------------------------------------------------------------
 */

/* Query of the server's version, a text. */
#define REMOTE_VERSION_STATEMENT "SELECT version() FORMAT RowBinary"

/* Appends a query of all columns of the database: table, name and type, three texts a row. */
void remote_append_columns(struct text *sql, const char *database);

/* Appends a query of the rows of the attempts in `pairs`: the two keys and all columns, in the
 * order and types of the table. */
void remote_append_select(struct text *sql, const char *database, const struct remote_table *table,
                          const struct remote_pair *pairs, size_t count);

/* Appends a query that sums a rollup over the attempts in `pairs`, for one action. A row has the
 * dimensions and four Nullable(Int64): the number of summed rows, then sums of `count` and `bytes`.
 * Each of these two is split into the sums of its upper and of its lower 32 bits, because the
 * server's sums overflow silently. */
void remote_append_group(struct text *sql, const char *database, const struct remote_table *table,
                         const struct remote_pair *pairs, size_t count, const char *action);

/* Appends a query of one attempt's rows in a range, in the format of remote_append_select(). */
void remote_append_select_range(struct text *sql, const char *database,
                                const struct remote_table *table, const struct remote_pair *pair,
                                const struct remote_range *range);

/* Appends a query that counts rows of one attempt in a table of events. Its row has the two keys,
 * the number of all rows, and the number of rows that remote_append_select_range() returns. The
 * last value shows duplicates. For `event` it is the sum of id + 2 id^3 modulo 2^64; for other
 * tables the number of rows with distinct keys and event (or part of it). No row if the attempt has
 * none. */
void remote_append_count_range(struct text *sql, const char *database,
                               const struct remote_table *table, const struct remote_pair *pair,
                               const struct remote_range *range);

/* Appends a query that returns, for one attempt to push a trace, its two keys and the numbers of
 * events before `from` and before `to`; no row if the attempt has no events. */
void remote_append_count_before(struct text *sql, const char *database,
                                const struct remote_pair *pair, int64_t from, int64_t to);

/* Appends a condition, beginning with AND, that a nullable column has one of these ids. 0 stands
 * for NULL. `shift` is subtracted from the ids. */
void remote_append_ids(struct text *sql, const char *column, const struct database_ids *ids,
                       int64_t shift);

/* Appends a condition, beginning with AND, that excludes the classes in the bit set `classes_out`
 * (enum io_class). */
void remote_append_classes(struct text *sql, unsigned classes_out);

/* Appends a query that verifies the attempts in `pairs` in all tables but `trace`; tables of events
 * only with `events`. A row has five UInt64: index in remote_tables, the two keys, row count and
 * checksum. */
void remote_append_verify(struct text *sql, const char *database, const struct remote_pair *pairs,
                          size_t count, bool events);

/* Appends a query of all attempts in a table. A row has four UInt64: the two keys, row count and
 * checksum. */
void remote_append_sums(struct text *sql, const char *database, const char *table_name,
                        const struct remote_table *table);

/* --- changing -----------------------------------------------------------------------------------
 */

/* Appends an INSERT for rows in format RowBinary, which follow it. */
void remote_append_insert(struct text *sql, const char *database, const struct remote_table *table);

/* Layout of a store on its servers. */
struct remote_layout {
    const char *database;
    const char *cluster; /* NULL: one server; else NAME_local has each server's rows, and NAME
                            refers to all */
    bool codecs;         /* the server is of version 20 or later */
};

/* Size in bytes of a local table's name, with its NUL. */
#define REMOTE_MOST_LOCAL 80

/* Writes the name of the table with this server's rows; `name` has room for REMOTE_MOST_LOCAL
 * bytes. */
void remote_local_name(char *name, const struct remote_table *table, bool in_cluster);

/* Calls `take` with each statement that creates the store, in order. Existing tables stay. */
bool remote_define(const struct remote_layout *layout,
                   bool (*take)(void *context, const char *sql, struct error *error), void *context,
                   struct error *error);

#endif

/* Statements that a store is sent, and parts of others. Each is taken by ClickHouse from 18.16 on:
 * no WITH, no parameters, no aliases that hide columns. Names in them are of schema.h, or were
 * checked (remote_is_name()); values are decimal numbers, texts nothing but unhex('…').
 */
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

/* Rows of a table of events. */
struct remote_range {
    const char *column;  /* with the id of an event */
    int64_t first, last; /* what it is from, and to */
    /* Of the rows from `near_first` to `near_last` only those are meant of which this holds, SQL
     * that begins with AND. "": all are. Borrowed. */
    const char *condition;
    int64_t near_first, near_last;
};

/* Most pairs in one statement, which servers take up to 256 KiB of. */
#define REMOTE_MOST_CHOSEN 1000

/* unhex('…') of any text: how one from outside stands in a statement. */
void remote_append_text(struct text *sql, const char *bytes);

/* (trace, attempt) IN (…), of 1 to REMOTE_MOST_CHOSEN pairs. */
void remote_append_chosen(struct text *sql, const struct remote_pair *pairs, size_t count);

/* Whether a row of a rollup is of that action. */
void remote_append_of_action(struct text *sql, const char *action);

/* A column's definition. */
void remote_append_column(struct text *sql, const struct remote_column *column, bool codecs);

/* --- asking -------------------------------------------------------------------------------------
 */

/* The server's version, a text. */
#define REMOTE_VERSION_STATEMENT "SELECT version() FORMAT RowBinary"

/* Table, column and type of what the database has: three texts a row. */
void remote_append_columns(struct text *sql, const char *database);

/* The two keys and all columns of these attempts, as their types say, in the order of the table. */
void remote_append_select(struct text *sql, const char *database, const struct remote_table *table,
                          const struct remote_pair *pairs, size_t count);

/* Sums of a rollup over these attempts, of the rows of one action: its dimensions, how many rows
 * there are, then of `count` and of `bytes` each the sum of the upper 32 bits and that of the lower
 * ones, for the server's sums go beyond 64 bits unseen. Each of these four is a Nullable(Int64). */
void remote_append_group(struct text *sql, const char *database, const struct remote_table *table,
                         const struct remote_pair *pairs, size_t count, const char *action);

/* The rows of one attempt whose `column` is from `first` to `last`, and of which the condition
 * holds, as remote_append_select(). */
void remote_append_select_range(struct text *sql, const char *database,
                                const struct remote_table *table, const struct remote_pair *pair,
                                const struct remote_range *range);

/* The two keys, how many rows of the table of events one attempt has, how many of these are those
 * that remote_append_select_range() gives, and what tells whether rows are there twice: of `event`
 * the sum of id + 2 id^3 modulo 2^64, of others how many differ in the keys and the event, or in
 * its parts; nothing where it has none. */
void remote_append_count_range(struct text *sql, const char *database,
                               const struct remote_table *table, const struct remote_pair *pair,
                               const struct remote_range *range);

/* The two keys, how many events of one attempt are before `from`, and how many before `to`; nothing
 * where it has none. */
void remote_append_count_before(struct text *sql, const char *database,
                                const struct remote_pair *pair, int64_t from, int64_t to);

/* A condition on events: that they have one of these ids, or none where 0 is among them, in a
 * column that may be NULL. Each begins with AND. `shift` is taken from the ids. */
void remote_append_ids(struct text *sql, const char *column, const struct database_ids *ids,
                       int64_t shift);

/* The same: that their class is none of the bit set `classes_out` (enum io_class). */
void remote_append_classes(struct text *sql, unsigned classes_out);

/* Of each table but `trace`, of which those of events only with `events`: its place in
 * remote_tables, the two keys, rows and checksum of these attempts: five UInt64 a row. */
void remote_append_verify(struct text *sql, const char *database, const struct remote_pair *pairs,
                          size_t count, bool events);

/* The two keys, rows and checksum of all attempts in a table: four UInt64 a row. */
void remote_append_sums(struct text *sql, const char *database, const char *table_name,
                        const struct remote_table *table);

/* --- changing -----------------------------------------------------------------------------------
 */

/* For rows of RowBinary that stand behind it. */
void remote_append_insert(struct text *sql, const char *database, const struct remote_table *table);

/* How a store is laid out on its servers. */
struct remote_layout {
    const char *database;
    const char *cluster; /* NULL: one server; else tables are NAME_local, and NAME leads to all */
    bool codecs;         /* the server is of version 20 or later */
};

/* Bytes for the name of a table, with its NUL. */
#define REMOTE_MOST_LOCAL 80

/* The table that holds the rows of this server; `name` has room for REMOTE_MOST_LOCAL bytes. */
void remote_local_name(char *name, const struct remote_table *table, bool in_cluster);

/* Gives `take` each statement that makes the store, in order; what is there stays. */
bool remote_define(const struct remote_layout *layout,
                   bool (*take)(void *context, const char *sql, struct error *error), void *context,
                   struct error *error);

#endif

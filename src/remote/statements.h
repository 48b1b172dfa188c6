/* All statements that a store is ever sent. Each is taken by ClickHouse from 18.16 on: no WITH, no
 * parameters, no aliases that hide columns. Names in them are of schema.h, or were checked
 * (remote_is_name()); values are decimal numbers, texts nothing but unhex('…').
 *
 * Functions append to a text; whoever sends it looks at `failed`.
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

/* --- asking -------------------------------------------------------------------------------------
 */

/* The server's version, a text. */
#define REMOTE_VERSION_STATEMENT "SELECT version() FORMAT RowBinary"

/* Table, column and type of what the database has: three texts a row. */
void remote_append_columns(struct text *sql, const char *database);

/* Cluster, host, port, replica's number and whether it is the server asked, of each server of each
 * cluster: two texts and three UInt64 a row, those of a cluster behind each other. */
void remote_append_clusters(struct text *sql);

/* Name and engine of the tables `trace` and `trace_local` that the database has: two texts a row.
 */
void remote_append_engines(struct text *sql, const char *database);

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

/* The two keys and the largest `id` of each of these attempts. */
void remote_append_most_ids(struct text *sql, const char *database,
                            const struct remote_table *table, const struct remote_pair *pairs,
                            size_t count);

/* The two keys of each of these attempts that has rows of the rollup, how many, and how many of
 * them are of the action. */
void remote_append_row_counts(struct text *sql, const char *database,
                              const struct remote_table *table, const struct remote_pair *pairs,
                              size_t count, const char *action);

/* The two keys and the columns named, of all attempts, or only of the trace `only`. */
void remote_append_commits(struct text *sql, const char *database, const struct remote_table *table,
                           const char *const *columns, size_t count, const uint64_t *only);

/* Of each table but `trace`, of which those of events only with `events`: its place in
 * remote_tables, the two keys, rows and checksum of these attempts: five UInt64 a row. */
void remote_append_verify(struct text *sql, const char *database, const struct remote_pair *pairs,
                          size_t count, bool events);

/* The two keys, rows and checksum of all attempts in a table: four UInt64 a row. */
void remote_append_sums(struct text *sql, const char *database, const char *table_name,
                        const struct remote_table *table);

/* The two keys and how many rows there are: three UInt64 a row. */
void remote_append_counts(struct text *sql, const char *database, const char *table_name);

/* --- changing -----------------------------------------------------------------------------------
 */

/* For rows of RowBinary that stand behind it. */
void remote_append_insert(struct text *sql, const char *database, const struct remote_table *table);

/* Deletes these attempts; the server does so in the background. */
void remote_append_delete(struct text *sql, const char *database, const char *table_name,
                          const struct remote_pair *pairs, size_t count);

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

/* Adds a column to a table that an earlier version made; rows that are there have 0, '' or NULL. */
void remote_append_add_column(struct text *sql, const char *database, const char *table_name,
                              const struct remote_column *column, bool codecs);

/* Gives `take` each statement that makes the store, in order; what is there stays. */
bool remote_define(const struct remote_layout *layout,
                   bool (*take)(void *context, const char *sql, struct error *error), void *context,
                   struct error *error);

#endif

/* Rows of answers on their way into tables of the shadow, and how many of them are to come. */
#ifndef TRACETOOL_REMOTE_SHADOW_ROWS_H
#define TRACETOOL_REMOTE_SHADOW_ROWS_H

#include "remote/shadow_parts.h"

/* Compares pointers to pointers to traces by their pairs, for qsort(). */
int shadow_by_pair(const void *left, const void *right);

/* The trace of a pair; NULL: it is none of the shadow's. */
struct shadow_trace *shadow_find_trace(const struct shadow *shadow, const struct remote_pair *pair);

/* Rows of one table on their way. Shadow and table are set by the caller, who finalizes `insert`.
 */
struct shadow_rows {
    struct shadow *shadow;
    const struct remote_table *table;
    sqlite3_stmt *insert; /* owned */
    int64_t rows;         /* that came */
};

/* Prepares the INSERT. */
bool shadow_rows_open(struct shadow_rows *in, struct error *error);

/* Asks `sql`, and puts the rows into the table. */
bool shadow_rows_take(struct shadow_rows *in, const struct text *sql, struct error *error);

/* Takes what the store says of a trace; false: it cannot be. */
typedef bool shadow_take_number(struct shadow_trace *trace, enum transfer_id which, int64_t number);

/* Asks for one number of each trace; `which` is for who takes it. */
bool shadow_take_numbers(struct shadow *shadow, const struct text *sql, shadow_take_number *take,
                         enum transfer_id which, struct error *error);

/* Says that rows of a trace are missing, or too many. Always false. */
bool shadow_miscounted(const struct shadow *shadow, const struct remote_table *table,
                       const struct shadow_trace *trace, bool fewer, struct error *error);

/* Whether there are as many rows as were pushed: `rows` are those that came or are counted of the
 * rows that were left. */
bool shadow_check_count(const struct shadow *shadow, const struct remote_table *table,
                        const struct shadow_trace *trace, int64_t rows, struct error *error);

/* Whether as many rows came as were pushed. */
bool shadow_check_rows(const struct shadow *shadow, const struct remote_table *table,
                       const struct shadow_trace *trace, struct error *error);

/* Whether rows of a table are to come, or may. Of others nobody asks: a statement takes the server
 * some 0.1 ms for each trace that it names. */
bool shadow_has_left(const struct shadow_trace *trace, const struct remote_table *table);

/* Those of the `*count` pairs whose traces have rows of the table, into an array of the caller's;
 * NULL with `error` set without memory. */
struct remote_pair *shadow_pairs_with_rows(const struct shadow *shadow,
                                           const struct remote_table *table,
                                           const struct remote_pair *pairs, size_t *count,
                                           struct error *error);

/* All rows that a table has of the traces, as many traces at a time as an answer has room for. */
bool shadow_take_rows(struct shadow *shadow, const struct remote_table *table,
                      const struct remote_pair *pairs, size_t count, struct error *error);

/* The same, of those that have rows of it; it must be as many as they were pushed with. */
bool shadow_take_table(struct shadow *shadow, const struct remote_table *table,
                       const struct remote_pair *pairs, size_t count, struct error *error);

#endif

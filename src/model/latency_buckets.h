/* Latency rollup: durations of a trace's I/Os by action and class, or of its calls by operation, in
 * few rows.
 *
 * The first pass counts durations in buckets (value_bucket()). If a percentile shares its bucket
 * with other values, a second pass keeps that bucket's values and splits them: below, equal to and
 * above the percentile. The rows therefore give exact percentiles.
 *
 * For I/Os, each bucket of DURATION_BITS is a row. For calls, which have many operations, buckets
 * are wider, and those without a percentile are joined to one row per bit length.
 */
#ifndef TRACETOOL_LATENCY_BUCKETS_H
#define TRACETOOL_LATENCY_BUCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event_columns.h"
#include "model/value_bucket.h"

/* Columns that latency_buckets_add() reads. */
#define LATENCY_FIELDS (EVENT_OPERATION | EVENT_FLAGS | EVENT_DURATION)

/* Limit of rows of the rollup of I/Os. With more, there is no rollup. */
#define LATENCY_ROWS 65536

/* Maximum values kept in the second pass; buckets beyond it are not split. */
#define LATENCY_VALUES 1048576

/* Stands for a missing duration. */
#define LATENCY_UNTIMED (-1)

/* A row; durations are in nanoseconds. */
struct latency_row {
    int64_t action;      /* name.id; the operation of calls */
    int64_t class;       /* enum io_class; 0 for calls */
    int64_t least, most; /* LATENCY_UNTIMED: no duration */
    int64_t count, sum;
};

struct latency_buckets;

/* `calls`: for a trace of calls, otherwise I/O. Owned by the caller. */
struct latency_buckets *latency_buckets_new(bool calls);
void latency_buckets_free(struct latency_buckets *buckets);

/* Adds `count` events of a pass. */
void latency_buckets_add(struct latency_buckets *buckets, const struct event_columns *columns,
                         size_t count);

/* Ends a pass; true if a second one is needed. */
bool latency_buckets_again(struct latency_buckets *buckets);

/* False if there are too many rows, operations or buckets, or a sum exceeds 64 bits. */
bool latency_buckets_fit(const struct latency_buckets *buckets);

/* Calls `visit` for each row; within an action and class, in order of `least`. */
void latency_buckets_rows(struct latency_buckets *buckets,
                          void (*visit)(void *context, const struct latency_row *row),
                          void *context);

#endif

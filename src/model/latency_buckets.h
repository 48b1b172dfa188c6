/* Durations of the I/Os of a trace by action and class, or of its calls by operation, in few rows:
 * the rollup of latencies.
 *
 * Durations are counted by buckets (value_bucket()). The first of two passes over the events does
 * so. Where a percentile of reports shares its bucket with others, the second pass keeps the values
 * of that bucket, which then is cut in three: what is smaller than the percentile, what is equal,
 * and what is larger. So the rows tell the percentiles of a trace to the last digit.
 *
 * Of I/Os a row is of a bucket by DURATION_BITS. Of calls, whose operations are many, buckets are
 * wider, and those that hold no percentile are one row for each number of bits.
 */
#ifndef TRACETOOL_LATENCY_BUCKETS_H
#define TRACETOOL_LATENCY_BUCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event_columns.h"
#include "model/value_bucket.h"

/* What the events have to have. */
#define LATENCY_FIELDS (EVENT_OPERATION | EVENT_FLAGS | EVENT_DURATION)

/* Most rows of I/Os; beyond that the rollup is given up. */
#define LATENCY_ROWS 65536

/* Most values that the second pass keeps: buckets that would exceed it are not cut. */
#define LATENCY_VALUES 1048576

/* In place of a duration: there is none. */
#define LATENCY_UNTIMED (-1)

/* A row: durations in nanoseconds. */
struct latency_row {
    int64_t action;      /* name.id; of calls the operation */
    int64_t class;       /* enum io_class; of calls 0 */
    int64_t least, most; /* LATENCY_UNTIMED: these have no duration */
    int64_t count, sum;
};

struct latency_buckets;

/* `calls`: of a trace of calls, else of I/O. Owned by the caller. */
struct latency_buckets *latency_buckets_new(bool calls);
void latency_buckets_free(struct latency_buckets *buckets);

/* Adds `count` events of a pass. */
void latency_buckets_add(struct latency_buckets *buckets, const struct event_columns *columns,
                         size_t count);

/* Ends a pass; true: a second one is needed. */
bool latency_buckets_again(struct latency_buckets *buckets);

/* Whether there are not too many rows, operations or buckets, nor sums beyond 64 bits. */
bool latency_buckets_fit(const struct latency_buckets *buckets);

/* Calls `visit` with each row, of an action and class in order of `least`. */
void latency_buckets_rows(struct latency_buckets *buckets,
                          void (*visit)(void *context, const struct latency_row *row),
                          void *context);

#endif

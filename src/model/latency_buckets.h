/* Counts durations for table rollup_latency in few rows: of a trace's I/Os by action and class, or
 * of its calls by operation.
 *
 * A first pass counts durations in buckets (value_bucket()). If a bucket that contains a percentile
 * has different values, a second pass stores them, and splits the bucket into rows: below, equal to
 * and above the percentile. So percentiles computed from the rows are exact.
 *
 * For I/Os, each bucket of DURATION_BITS is a row. Calls have many operations, so their buckets are
 * wider, and those without a percentile are merged into one row per bit length. */
#ifndef TRACETOOL_LATENCY_BUCKETS_H
#define TRACETOOL_LATENCY_BUCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event_columns.h"
#include "model/value_bucket.h"

/* Columns of events that latency_buckets_add() reads. */
#define LATENCY_FIELDS (EVENT_OPERATION | EVENT_FLAGS | EVENT_DURATION)

/* Limit of rows for I/Os; beyond it, the table gets no rows. */
#define LATENCY_ROWS 65536

/* Limit of values stored by the second pass; further buckets are not split. */
#define LATENCY_VALUES 1048576

/* Value of `least` and `most` in the row of events without a duration. */
#define LATENCY_UNTIMED (-1)

/* A row of rollup_latency; durations are in nanoseconds. */
struct latency_row {
    int64_t action;      /* name.id of the I/Os' action, or of the calls' operation */
    int64_t class;       /* class of an I/O (enum io_class); 0 for calls */
    int64_t least, most; /* smallest and largest duration; LATENCY_UNTIMED: no duration */
    int64_t count, sum;
};

struct latency_buckets;

/* Returns new counters, owned by the caller. `calls`: true for a trace of calls, false for I/O. */
struct latency_buckets *latency_buckets_new(bool calls);
void latency_buckets_free(struct latency_buckets *buckets);

/* Adds `count` events, in the first or second pass. Each pass must add the same events. */
void latency_buckets_add(struct latency_buckets *buckets, const struct event_columns *columns,
                         size_t count);

/* Ends a pass; returns true if a second pass is needed. */
bool latency_buckets_end_pass(struct latency_buckets *buckets);

/* Returns false if there are too many rows, operations or buckets, or if a sum exceeds 64 bits. */
bool latency_buckets_are_in_limits(const struct latency_buckets *buckets);

/* Calls `visit` for each row; the rows of an action and class come in order of `least`. */
void latency_buckets_visit_rows(struct latency_buckets *buckets,
                                void (*visit)(void *context, const struct latency_row *row),
                                void *context);

#endif

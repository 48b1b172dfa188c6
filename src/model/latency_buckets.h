/* Counts durations for the table rollup_latency: of a trace's I/Os by action and class, or of its
 * calls by operation, in few rows.
 *
 * A first pass counts durations in buckets (value_bucket()). If a bucket with a percentile has
 * several values, a second pass keeps these, and splits the bucket into rows: below, equal to and
 * above the percentile. So the rows give exact percentiles.
 *
 * Of I/Os, each bucket of DURATION_BITS is a row. Calls have many operations, so their buckets are
 * wider, and those without a percentile become one row for each number of bits. */
#ifndef TRACETOOL_LATENCY_BUCKETS_H
#define TRACETOOL_LATENCY_BUCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event_columns.h"
#include "model/value_bucket.h"

/* Columns of events that latency_buckets_add() needs. */
#define LATENCY_FIELDS (EVENT_OPERATION | EVENT_FLAGS | EVENT_DURATION)

/* Limit of rows for I/Os; if there are more, the table gets none. */
#define LATENCY_ROWS 65536

/* Limit of values that the second pass keeps; buckets beyond it are not split. */
#define LATENCY_VALUES 1048576

/* Stands in place of a missing duration. */
#define LATENCY_UNTIMED (-1)

/* A row of rollup_latency; durations are in nanoseconds. */
struct latency_row {
    int64_t action;      /* id of the action's name, or of the operation of calls */
    int64_t class;       /* class of an I/O (enum io_class); 0 for calls */
    int64_t least, most; /* smallest and largest duration; LATENCY_UNTIMED: without a duration */
    int64_t count, sum;
};

struct latency_buckets;

/* Returns a state of counting, owned by the caller. `calls`: for a trace of calls, not of I/O. */
struct latency_buckets *latency_buckets_new(bool calls);
void latency_buckets_free(struct latency_buckets *buckets);

/* Adds `count` events, in the first or the second pass. */
void latency_buckets_add(struct latency_buckets *buckets, const struct event_columns *columns,
                         size_t count);

/* Ends a pass; returns true if a second pass is needed. */
bool latency_buckets_end_pass(struct latency_buckets *buckets);

/* Returns false if there are too many rows, operations or buckets, or a sum exceeds 64 bits. */
bool latency_buckets_are_in_limits(const struct latency_buckets *buckets);

/* Calls `visit` for each row; those of an action and class are in order of `least`. */
void latency_buckets_visit_rows(struct latency_buckets *buckets,
                                void (*visit)(void *context, const struct latency_row *row),
                                void *context);

#endif

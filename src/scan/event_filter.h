/* The filter of a selection in C: which events of a trace pass. Rows of select/filters.h become
 * tests, each of one kind: a set of ids, a range, flags. */
#ifndef TRACETOOL_EVENT_FILTER_H
#define TRACETOOL_EVENT_FILTER_H

#include "model/event_chunk.h"
#include "model/partition.h"
#include "scan/id_set.h"
#include "scan/open_times.h"
#include "store/devices.h"
#include "store/trace_tables.h"

/* What is filtered. */
struct event_filter_scope {
    struct database *database;
    const struct selection *selection; /* NULL: all pass */
    int64_t trace;
    int64_t first, last; /* ids */
    int64_t action;      /* only events of this operation; EVENT_NONE: all */
    unsigned fields;     /* enum event_column: those that are read of what passes */
};

enum event_test_kind {
    EVENT_TEST_ACTION, /* the operation is `least` */
    EVENT_TEST_IDS,    /* the id in the column is in the set */
    EVENT_TEST_FILES,  /* the same of the file that was read or written, or copied from */
    EVENT_TEST_RANGE,  /* the number in the column is from `least` to `most` */
    EVENT_TEST_FLAGS,
    EVENT_TEST_FAILED,
    EVENT_TEST_PARTITION,
};

struct event_test {
    enum event_test_kind kind;
    enum event_place column;
    int64_t least, most;
    struct id_set ids;
};

#define EVENT_TESTS (7 + FILTER_QUANTITIES)

struct event_filter {
    struct event_test tests[EVENT_TESTS];
    size_t count;
    unsigned fields; /* columns that it reads, and those that it needs to put open times */
    unsigned classes_out, block_types_out, evidence_out;
    uint32_t flags_out; /* none of these */
    bool value_fails;   /* a value below 0 does */
    struct partitions partitions;
    struct devices devices;
    bool *partition_passes; /* owned; by number, the last is that of what lies in none */
    struct open_times open; /* of calls that were open at the end of the log */
    bool puts_open;         /* they are put where the events lack them */
};

/* To be freed in any case. */
bool event_filter_init(struct event_filter *filter, const struct event_filter_scope *scope,
                       struct error *error);
void event_filter_free(struct event_filter *filter);

/* Of the `count` events at `*places`, those that pass: how many, and `*places` where they are, in
 * their order. That is `kept`, when the filter read the events: room for them, which may be
 * `*places`. The columns have the filter's fields, and ids. */
size_t event_filter_events(const struct event_filter *filter, const struct event_columns *columns,
                           const uint32_t **places, uint32_t *kept, size_t count);

/* Whether event `at` of the columns passes. */
bool event_filter_passes(const struct event_filter *filter, const struct event_columns *columns,
                         size_t at);

/* Whether an event of a chunk may pass, by the least and the most of its columns. */
bool event_filter_may_pass(const struct event_filter *filter, const struct event_chunk_part *parts);

#endif

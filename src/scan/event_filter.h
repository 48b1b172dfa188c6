/* The filter of a selection for C code. Each row of select/filters.h becomes a test: by a set of
 * ids, a range of numbers, or flags. */
#ifndef TRACETOOL_EVENT_FILTER_H
#define TRACETOOL_EVENT_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event_chunk.h"
#include "model/event_columns.h"
#include "model/partition.h"
#include "store/database.h"
#include "store/devices.h"
#include "store/trace_tables.h"
#include "select/selection.h"
#include "store/connection.h"

/* A set of ids: bit i means id `least` + i, since the ids of a trace are close. Zeroed: empty. */
struct id_set {
    uint64_t *bits; /* owned; `words` words and an empty one; NULL: no ids, or only 0 */
    uint32_t least;
    size_t words;
    bool has_none; /* true: the set contains 0, which events without a reference have */
};

/* Tables of ids that match the names in a selection's filter (match_make_tables()). Only tables
 * that the filter needs exist. */
enum selected_ids { SELECTED_OPERATIONS, UNDER_OPERATIONS, SELECTED_ACTORS, SELECTED_OBJECTS };

/* Reads the ids of a table that belong to a trace. The set must be freed even on failure. */
bool id_set_read(struct id_set *set, const struct selection *selection, enum selected_ids which,
                 int64_t trace, struct error *error);

void id_set_free(struct id_set *set);

/* Replaces a set by the ids that a SELECT returns in ascending order; ?1 is the trace, and id 0
 * means no reference. False on failure or if an id is out of range. The set must be freed even
 * then. */
bool id_set_query(struct id_set *set, struct database *database, const char *sql, int64_t trace,
                  struct error *error);

/* Returns whether a set contains an id. Without branches, since mispredictions would cost more. */
static inline bool id_set_has(const struct id_set *set, uint32_t id) {
    uint32_t place = id - set->least;
    size_t word = place / 64 < set->words ? place / 64 : set->words;
    bool some = set->bits != NULL && (set->bits[word] >> place % 64 & 1) != 0;

    return some | (id == 0 && set->has_none);
}

/* An entry of a map: an id and its number. The id is the first member, for search_id(). */
struct id_value {
    uint32_t id;
    int64_t number;
};

/* A map from ids to numbers. Zeroed: empty. */
struct id_values {
    struct id_value *values; /* owned; sorted by id */
    size_t count, capacity;
    /* Owned; for each id from the smallest on: index + 1 in `values`; 0: the id has no number. */
    uint32_t *places;
    uint32_t span; /* number of elements of `places`; 0: unused, ids are too far apart */
};

/* Reads ids and numbers from a SELECT that returns ids in ascending order; ?1 is the trace.
 * Replaces the map. Must be freed even on failure. */
bool id_values_query(struct id_values *values, struct database *database, const char *sql,
                     int64_t trace, struct error *error);

void id_values_free(struct id_values *values);

/* Finds the number of an id; returns false if it has none. */
bool id_values_find(const struct id_values *values, uint32_t id, int64_t *number);

/* Times of calls that were open when the log ended, as if they had ended then (table open_call). */

/* Times of one call that was open when the log ended, in clock units. */
struct open_time {
    int64_t id; /* first member, for compare_int64() */
    int64_t duration, self, cpu_duration, cpu_self;
};

/* The times of open calls among a scan's events. Zeroed: empty. */
struct open_times {
    struct open_time *calls; /* owned; sorted by id of the call's event */
    size_t count, capacity;
};

/* Reads the times of open calls with ids from `first` to `last`. Must be freed even on failure. */
bool open_times_read(struct open_times *times, struct database *database, int64_t first,
                     int64_t last, struct error *error);
void open_times_free(struct open_times *times);

/* Sets the times of open calls in the columns of `count` events. The columns must include flags. */
void open_times_fill(const struct open_times *times, struct event_columns *columns, size_t count);

/* Returns the times of a call by its event id; NULL if it was not open at the log's end. */
const struct open_time *open_times_find(const struct open_times *times, int64_t id);

/* Parameters of a filter: which events it tests, and which of their columns are read. */
struct event_filter_scope {
    struct database *database;
    const struct selection *selection; /* selection with the filter; NULL: all events pass */
    int64_t trace;
    int64_t first, last; /* range of event ids that will be tested */
    int64_t action;      /* the only operation whose events pass; EVENT_NONE: any */
    unsigned fields;     /* columns to read of the events that pass: bits of enum event_column */
};

enum event_test_kind {
    EVENT_TEST_ACTION, /* passes if the event's operation is the id in `least` */
    EVENT_TEST_IDS,    /* passes if the id in the column is in the set */
    EVENT_TEST_FILES,  /* passes if the call's file or a copy's source file is in the set */
    EVENT_TEST_RANGE,  /* passes if the number in the column is from `least` to `most` */
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
    unsigned fields; /* columns that the filter tests, or in which it sets times of open calls */
    unsigned classes_out, block_types_out, evidence_out;
    uint32_t flags_out; /* events with any of these flags are excluded */
    bool value_fails;   /* a negative `value` means failure */
    struct partitions partitions;
    struct devices devices;
    /* Owned; by partition: whether its I/Os pass; the last element is for I/Os in no partition. */
    bool *partition_passes;
    struct open_times open; /* times of calls open when the log ended */
    bool puts_open; /* true: the scan writes the times of open calls to the decoded columns */
};

/* Prepares the filter for the events of a trace. It must be freed even on failure. */
bool event_filter_init(struct event_filter *filter, const struct event_filter_scope *scope,
                       struct error *error);
void event_filter_free(struct event_filter *filter);

/* Tests the `count` events at positions `*places`. Returns how many pass, and sets `*places` to
 * their positions, ascending. If there are any tests, the positions are written to `kept`, which
 * has room for `count` positions and may be the array `*places` itself. The columns must include
 * ids and filter->fields. */
size_t event_filter_events(const struct event_filter *filter, const struct event_columns *columns,
                           const uint32_t **places, uint32_t *kept, size_t count);

/* Returns whether the event at index `at` of the columns passes the filter. */
bool event_filter_passes(const struct event_filter *filter, const struct event_columns *columns,
                         size_t at);

/* Returns whether an event of a chunk (block of events) may pass, by each column's range. */
bool event_filter_may_pass(const struct event_filter *filter, const struct event_chunk_part *parts);

#endif

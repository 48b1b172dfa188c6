/* Counts of events by a few small dimensions: rollups, and the same counts over a selection.
 *
 * An import adds each batch to its trace's tallies, which become the rollup_… tables at the end. A
 * filtered report fills the same tallies by scanning events. Its query reads a table tally_… of the
 * same shape.
 */
#ifndef TRACETOOL_TALLY_H
#define TRACETOOL_TALLY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/event.h"

enum tally_kind {
    TALLY_HOUR,
    TALLY_OPERATION,
    TALLY_SIZE,
    TALLY_BLOCK,
    TALLY_PROCESS,
    TALLY_ORIGIN,
    TALLY_RWBS_FLAGS,
    TALLY_DEPTH,
    /* No rollups from here on: too many rows. */
    TALLY_FILE_TYPE,
    TALLY_ACTOR,
    TALLY_ISSUER,
    TALLY_OBJECT,
    TALLY_FILE,
    TALLY_SECTOR,
    TALLY_PLACE,
    TALLY_EVIDENCE,
    TALLY_COPIED,
};
#define TALLY_KINDS 17
#define TALLY_KEYS  5

/* Maximum rows of a rollup; with more it is dropped, and its reports scan. */
#define TALLY_ROWS 16384

/* Dimensions of counts. */
enum tally_dimension {
    DIMENSION_NONE,
    DIMENSION_ACTION, /* action of an I/O; otherwise 0 */
    DIMENSION_CLASS,  /* enum io_class; 0 if not I/O */
    DIMENSION_OPERATION,
    DIMENSION_CALLER, /* the actor; 0 for I/O */
    DIMENSION_ACTOR,
    DIMENSION_ISSUER, /* the actor that dispatched an I/O */
    DIMENSION_OBJECT,
    DIMENSION_HOUR, /* tally_hour() */
    DIMENSION_SIZE,
    DIMENSION_SECTOR,
    DIMENSION_BLOCK_TYPE, /* enum io_block_type */
    DIMENSION_PARTITION,  /* this and the next two are labels */
    DIMENSION_FILE_TYPE,
    DIMENSION_PROCESS,
    DIMENSION_ORIGIN,     /* IO_ORIGIN_FLAGS of the flags */
    DIMENSION_RWBS_FLAGS, /* IO_RWBS_FLAGS of the flags */
    DIMENSION_MAP,        /* IO_MAP_FLAGS of the flags */
    DIMENSION_MARKS,      /* all flags */
    DIMENSION_DEPTH,
};

struct tally_definition {
    const char *name;      /* rollup_NAME, tally_NAME */
    unsigned rollup_kinds; /* bit set of enum trace_kind: kinds that store the tally as a rollup */
    const char *columns;   /* SQL names of the dimensions, comma-separated */
    enum tally_dimension dimensions[TALLY_KEYS]; /* ends with DIMENSION_NONE */
    unsigned labels; /* bit set of dimensions that are import_label() numbers, stored as text */
};

extern const struct tally_definition tally_definitions[TALLY_KINDS];

/* Whether a tally counts by file or object, so that an event on several files is divided. */
bool tally_by_file(const struct tally_definition *definition);

/* Bits of event.flags that affect the counts. */
uint32_t tally_flags(const struct tally_definition *definition);

/* Whether a tally counts by partition. */
bool tally_by_partition(const struct tally_definition *definition);

/* Number of dimensions. */
unsigned tally_keys(const struct tally_definition *definition);

/* Finds a tally by name; TALLY_KINDS if unknown. */
enum tally_kind tally_find(const char *name);

struct tally_row {
    int64_t key[TALLY_KEYS];
    int64_t count; /* events; 0: another row counts them, and this one has part of their bytes */
    int64_t bytes; /* sum of the sizes of the events */
    bool used;     /* false: an empty slot */
};

struct tally {
    enum tally_kind kind;
    unsigned dimensions;    /* number of dimensions */
    struct tally_row *rows; /* owned; open addressing, some slots are empty */
    size_t capacity;        /* a power of two, initially 0 */
    size_t used;
    size_t most; /* maximum rows: TALLY_ROWS unless changed */
};

/* Data common to all events. */
struct tally_context {
    enum trace_kind kind;
    /* Nanoseconds from the start of a local hour (since 1970, at the device) to time 0. 0 without
     * wall clock: hours then count from the start. */
    int64_t hour_origin;
};

/* Initialises an empty tally, which owns nothing yet. */
void tally_init(struct tally *tally, enum tally_kind kind);
void tally_free(struct tally *tally);
/* Removes all rows, keeping the memory. */
void tally_clear(struct tally *tally);

/* Sorts the rows by key, for reading. Clear the tally before counting again. */
void tally_sort_rows(struct tally *tally);

/* A field of consecutive events: address of the first value and distance in bytes to the next.
 * Types as in struct event. */
struct tally_field {
    const void *first; /* borrowed; NULL: no dimension needs the field */
    size_t stride;
};

/* Events to count, with their fields in rows or columns. */
struct tally_events {
    struct tally_field time, operation, actor, issuer, object, flags, address, size, depth,
        file_type, process, partition;
    /* Number of events that each element stands for, and their total size; NULL: one event each. */
    const uint32_t *alike;
    const int64_t *bytes;
};

/* Fields of an array of events. */
struct tally_events tally_events_of(const struct event *events);

/* Step size for filling several tallies in turn, so that the events' fields stay in the cache. */
#define TALLY_AT_ONCE 256

/* Counts the events from `from` to before `end`. Returns the index where it stopped: `end`, or the
 * event that would exceed `most` rows. */
size_t tally_add(struct tally *tally, const struct tally_context *context,
                 const struct tally_events *events, size_t from, size_t end);

/* Adds a row of an earlier count. False, without counting it, if the tally would exceed `most`
 * rows. */
bool tally_insert(struct tally *tally, const struct tally_row *row);

/* Returns hour_origin of a trace that starts at `start` (ns since 1970 UTC) at a device whose clock
 * is `utc_offset` minutes east of UTC; either may be EVENT_NONE. */
int64_t tally_hour_origin(int64_t start, int64_t utc_offset);

/* Hour of an event: since 1970 at the device, or since the start if there is no wall clock. */
int64_t tally_hour(const struct tally_context *context, int64_t time);

/* --- groups ------------------------------------------------------------------------------------
 */

/* I/Os with the same action, flags and hour, and their number.
 *
 * Tallies with no other dimension have few rows for thousands of events, so they are given each
 * group once. Events are nearly in time order, so one hour at a time suffices.
 */

/* Tallies that accept groups, as a bit set of enum tally_kind. */
#define IO_GROUPS_TALLIES                                                                          \
    (1u << TALLY_HOUR | 1u << TALLY_OPERATION | 1u << TALLY_ORIGIN | 1u << TALLY_RWBS_FLAGS)

#define IO_GROUPS      64
#define IO_GROUP_SLOTS (4 * IO_GROUPS)

/* Groups of one hour. Empty if `count` is 0. */
struct io_groups {
    size_t count;
    int64_t begins; /* start of the hour, a time of the trace */
    struct {
        int64_t time; /* time of an event of the group */
        uint32_t operation, flags;
    } groups[IO_GROUPS];
    uint32_t events[IO_GROUPS];
    int64_t bytes[IO_GROUPS];
    uint8_t slots[IO_GROUP_SLOTS]; /* hash table of group numbers, from 1 */
};

/* Adds events from the first of `count` until one belongs to another hour or needs too many groups.
 * Returns how many were added. If not all, count and empty the groups, then add the rest. */
size_t io_groups_add(struct io_groups *groups, const struct tally_context *context,
                     const struct event *events, size_t count);

/* Returns the groups as `count` events for tally_add(). Borrowed until the next call. */
struct tally_events io_groups_events(const struct io_groups *groups);

#endif

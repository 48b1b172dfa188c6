/* Counts events by a few properties, such as hour and class: for rollups (tables of counts, filled
 * at import), or for the events that a report selects.
 *
 * An import adds each batch to the tallies of its trace; at its end they become the tables
 * rollup_…. A report with a filter counts the events that it reads in the same tallies. Its query
 * reads them as tables tally_…, with the same columns. */
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
    /* The tallies from here on are only for reports: as rollups (stored counts), they would have
       too many rows. */
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

/* Limit of rows of a rollup; if there are more, there is no rollup, so reports read the events. */
#define TALLY_ROWS 16384

/* Dimensions: properties that events are counted by. */
enum tally_dimension {
    DIMENSION_NONE,
    DIMENSION_ACTION, /* action of an I/O, such as C (completion); 0 for other events */
    DIMENSION_CLASS,  /* enum io_class; 0 if not I/O */
    DIMENSION_OPERATION,
    DIMENSION_CALLER, /* the actor (thread) of a call or span; 0 for I/O */
    DIMENSION_ACTOR,
    DIMENSION_ISSUER, /* the actor (process) that issued an I/O */
    DIMENSION_OBJECT,
    DIMENSION_HOUR, /* tally_hour() */
    DIMENSION_SIZE,
    DIMENSION_SECTOR,
    DIMENSION_BLOCK_TYPE, /* enum io_block_type */
    DIMENSION_PARTITION,  /* partition, file type and process: number of a label (text) */
    DIMENSION_FILE_TYPE,
    DIMENSION_PROCESS,
    DIMENSION_ORIGIN,     /* which event named the process: IO_ORIGIN_FLAGS of the flags */
    DIMENSION_RWBS_FLAGS, /* letters of rwbs: IO_RWBS_FLAGS of the flags */
    DIMENSION_MAP,        /* what `map` found: IO_MAP_FLAGS of the flags */
    DIMENSION_MARKS,      /* all flags of the event */
    DIMENSION_DEPTH,
};

struct tally_definition {
    const char *name;      /* NAME in the tables' names rollup_NAME and tally_NAME */
    unsigned rollup_kinds; /* kinds of traces with this rollup: bits of enum trace_kind; 0: none */
    const char *columns;   /* SQL names of the key columns, separated by commas */
    enum tally_dimension dimensions[TALLY_KEYS]; /* what key columns hold; DIMENSION_NONE: unused */
    unsigned labels; /* bit i: key i is the number of a text; tables store the text */
};

extern const struct tally_definition tally_definitions[TALLY_KINDS];

/* Returns whether a tally counts by file or a property of files. Then it divides the bytes of an
 * I/O on several files among the files. */
bool tally_by_file(const struct tally_definition *definition);

/* Returns the bits of event.flags that a tally depends on. */
uint32_t tally_flags(const struct tally_definition *definition);

/* Returns whether a tally counts by partition. */
bool tally_by_partition(const struct tally_definition *definition);

/* Returns the number of dimensions of a tally. */
unsigned tally_keys(const struct tally_definition *definition);

/* Returns the tally with this name; TALLY_KINDS: unknown. */
enum tally_kind tally_find(const char *name);

struct tally_row {
    int64_t key[TALLY_KEYS];
    int64_t count; /* number of events; 0: adds only bytes of events counted in another row */
    int64_t bytes; /* sum of the events' sizes in bytes */
    bool used;     /* false: the slot is empty */
};

struct tally {
    enum tally_kind kind;
    unsigned dimensions;    /* number of dimensions */
    struct tally_row *rows; /* owned; hash table with open addressing */
    size_t capacity;        /* number of slots: a power of two, or 0 initially */
    size_t used;
    size_t most; /* limit of rows; initially TALLY_ROWS */
};

/* What counting needs to know about a trace. */
struct tally_context {
    enum trace_kind kind;
    /* ns from the start of hour 0 to the trace's time 0. Hours count from 1970 in the device's
     * local time; without a wall clock, hour 0 begins at time 0. */
    int64_t hour_origin;
};

/* Initialises an empty tally, which owns no memory yet. */
void tally_init(struct tally *tally, enum tally_kind kind);
void tally_free(struct tally *tally);
/* Removes all rows, but keeps the memory. */
void tally_clear(struct tally *tally);

/* Sorts the rows by key, for reading from rows[0] on. Clear the tally before counting again. */
void tally_sort_rows(struct tally *tally);

/* A member of successive events: address of its first value, and distance in bytes from one value
 * to the next. Types are those of struct event. */
struct tally_field {
    const void *first; /* borrowed; the first event's value; NULL: not read */
    size_t stride;
};

/* Events to count: addresses of their members, in structures or in columns. */
struct tally_events {
    struct tally_field time, operation, actor, issuer, object, flags, address, size, depth,
        file_type, process, partition;
    /* Number of equal events that an element represents (`bytes`: total size); NULL: one event. */
    const uint32_t *alike;
    const int64_t *bytes;
};

/* Returns the members' addresses in an array of events. */
struct tally_events tally_events_of(const struct event *events);

/* Number of events to add to each of several tallies in turn, so that they stay in the cache. */
#define TALLY_AT_ONCE 256

/* Counts the events with indices from `from` to `end` - 1. Returns `end`, or the index of the first
 * event that would need more than `most` rows. */
size_t tally_add(struct tally *tally, const struct tally_context *context,
                 const struct tally_events *events, size_t from, size_t end);

/* Adds a row counted elsewhere. Returns false, without adding it, if there are `most` rows. */
bool tally_insert(struct tally *tally, const struct tally_row *row);

/* Returns hour_origin of a trace, from its start (ns since 1970 UTC) and the time zone of its
 * device (minutes east of UTC). Both may be EVENT_NONE. */
int64_t tally_hour_origin(int64_t start, int64_t utc_offset);

/* Returns the hour of an event: since 1970 in local time; without a wall clock, since the trace's
 * time 0. */
int64_t tally_hour(const struct tally_context *context, int64_t time);

/* --- groups of equal I/Os --------------------------------------------------------------------- */

/* Groups of I/Os with the same action, flags and hour. Tallies that count by nothing else have few
 * rows for thousands of events, so a group is added to them once instead of event by event. Since
 * events are nearly sorted by time, groups of one hour at a time suffice. */

/* Tallies that groups can be added to: bits of enum tally_kind. */
#define IO_GROUPS_TALLIES                                                                          \
    (1u << TALLY_HOUR | 1u << TALLY_OPERATION | 1u << TALLY_ORIGIN | 1u << TALLY_RWBS_FLAGS)

/* Tallies that groups can be added to, too, if all their events have the same labels: as in logs of
 * a device without processes and files. */
#define IO_GROUPS_LABELLED (1u << TALLY_BLOCK | 1u << TALLY_PROCESS)

#define IO_GROUPS      64
#define IO_GROUP_SLOTS (4 * IO_GROUPS)

/* The groups of equal I/Os in one hour. `count` 0: empty. */
struct io_groups {
    size_t count;
    int64_t begins; /* trace time at which the hour begins */
    struct {
        int64_t time; /* time of any event in the group */
        uint32_t operation, flags;
        uint32_t file_type, process, partition; /* labels of its first event */
    } groups[IO_GROUPS];
    uint32_t events[IO_GROUPS];
    int64_t bytes[IO_GROUPS];
    uint8_t slots[IO_GROUP_SLOTS]; /* hash table: index + 1 of a group; 0: empty */
};

/* Adds events to groups. Stops at the first event that is in another hour or needs too many groups.
 * Returns the number of events added. If it is below `count`, the caller must add the groups to the
 * tallies, set groups->count to 0, and continue with the remaining events. */
size_t io_groups_add(struct io_groups *groups, const struct tally_context *context,
                     const struct event *events, size_t count);

/* Returns whether `count` events (at least 1) have the same labels, and those of the groups. */
bool io_groups_have_labels(const struct io_groups *groups, const struct event *events,
                           size_t count);

/* Returns the groups as elements for tally_add(); borrowed until the next io_groups_add(). */
struct tally_events io_groups_events(const struct io_groups *groups);

#endif

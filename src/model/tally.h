/* Counts events by a few properties, such as hour and class: for rollups (tables of counts, filled
 * at import), or for the events that a report selects.
 *
 * An import adds each batch to the tallies of its trace; at its end they become the tables
 * rollup_…. A report with a filter counts the events that it reads in the same tallies, and its
 * query reads them as tables tally_… with the same columns. */
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
    /* The following have too many rows for rollups. */
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

/* Limit of rows of a rollup; if there are more, there is no rollup, and reports read the events. */
#define TALLY_ROWS 16384

/* Dimensions: what events are counted by. */
enum tally_dimension {
    DIMENSION_NONE,
    DIMENSION_ACTION, /* action of an I/O, such as C (completion); 0 for other events */
    DIMENSION_CLASS,  /* enum io_class; 0 for events other than I/Os */
    DIMENSION_OPERATION,
    DIMENSION_CALLER, /* the actor of a call or span; 0 for I/O */
    DIMENSION_ACTOR,
    DIMENSION_ISSUER, /* the actor that issued an I/O */
    DIMENSION_OBJECT,
    DIMENSION_HOUR, /* tally_hour() */
    DIMENSION_SIZE,
    DIMENSION_SECTOR,
    DIMENSION_BLOCK_TYPE, /* enum io_block_type */
    DIMENSION_PARTITION,  /* this and the next two are numbers of texts (labels) */
    DIMENSION_FILE_TYPE,
    DIMENSION_PROCESS,
    DIMENSION_ORIGIN,     /* origin of the process: bits IO_ORIGIN_FLAGS of the flags */
    DIMENSION_RWBS_FLAGS, /* letters of rwbs: bits IO_RWBS_FLAGS of the flags */
    DIMENSION_MAP,        /* what `map` found: bits IO_MAP_FLAGS of the flags */
    DIMENSION_MARKS,      /* all flags */
    DIMENSION_DEPTH,
};

struct tally_definition {
    const char *name;      /* NAME in rollup_NAME and tally_NAME */
    unsigned rollup_kinds; /* kinds of traces with this rollup: bits of enum trace_kind */
    const char *columns;   /* names of the columns in SQL, separated by commas */
    enum tally_dimension dimensions[TALLY_KEYS]; /* what it counts by; ends with DIMENSION_NONE */
    unsigned labels; /* bits of dimensions that are numbers of texts, stored as text */
};

extern const struct tally_definition tally_definitions[TALLY_KINDS];

/* Returns whether a tally counts by file or object: then an event on several files is divided. */
bool tally_by_file(const struct tally_definition *definition);

/* Returns the bits of event.flags that the counts depend on. */
uint32_t tally_flags(const struct tally_definition *definition);

/* Returns whether a tally counts by partition. */
bool tally_by_partition(const struct tally_definition *definition);

/* Returns the number of dimensions of a tally. */
unsigned tally_keys(const struct tally_definition *definition);

/* Finds a tally by its name; TALLY_KINDS if unknown. */
enum tally_kind tally_find(const char *name);

struct tally_row {
    int64_t key[TALLY_KEYS];
    int64_t count; /* number of events; 0: counted by another row, this one has only bytes */
    int64_t bytes; /* sum of the events' sizes */
    bool used;     /* false: the slot is empty */
};

struct tally {
    enum tally_kind kind;
    unsigned dimensions;    /* number of dimensions */
    struct tally_row *rows; /* owned; hash table with open addressing: some slots are empty */
    size_t capacity;        /* number of slots: a power of two, 0 at first */
    size_t used;
    size_t most; /* limit of rows: TALLY_ROWS unless changed */
};

/* What is the same for all events of a trace. */
struct tally_context {
    enum trace_kind kind;
    /* Nanoseconds from the start of an hour, by the device's local time since 1970, to time 0.
     * Without a wall clock 0: hours count from the start. */
    int64_t hour_origin;
};

/* Initialises a tally without rows. It owns nothing yet. */
void tally_init(struct tally *tally, enum tally_kind kind);
void tally_free(struct tally *tally);
/* Removes all rows, but keeps their memory. */
void tally_clear(struct tally *tally);

/* Sorts the rows by key, for reading. Clear the tally before you count again. */
void tally_sort_rows(struct tally *tally);

/* A member of successive events: where its first value is, and the bytes from one value to the
 * next. Types are those of struct event. */
struct tally_field {
    const void *first; /* borrowed; NULL: no dimension needs this */
    size_t stride;
};

/* Events to count: where their members are, in structures or in columns. */
struct tally_events {
    struct tally_field time, operation, actor, issuer, object, flags, address, size, depth,
        file_type, process, partition;
    /* How many equal events each element stands for, and their size in all; NULL: it is one
     * event. */
    const uint32_t *alike;
    const int64_t *bytes;
};

/* Returns where the members of an array of events are. */
struct tally_events tally_events_of(const struct event *events);

/* Number of events to add to several tallies in turn, so that they stay in the processor's
 * cache. */
#define TALLY_AT_ONCE 256

/* Counts the events with indices from `from` to before `end`. Returns the index where it stopped:
 * `end`, or the event that needs more than `most` rows. */
size_t tally_add(struct tally *tally, const struct tally_context *context,
                 const struct tally_events *events, size_t from, size_t end);

/* Adds a row that was counted before. Returns false, without adding it, if there are `most`
 * rows. */
bool tally_insert(struct tally *tally, const struct tally_row *row);

/* Returns hour_origin of a trace from its start (ns since 1970 UTC) and the time zone of its device
 * (minutes east of UTC). Both may be EVENT_NONE. */
int64_t tally_hour_origin(int64_t start, int64_t utc_offset);

/* Returns the hour of an event: since 1970 by the device's clock; without a wall clock, since the
 * trace's start. */
int64_t tally_hour(const struct tally_context *context, int64_t time);

/* --- groups of equal I/Os --------------------------------------------------------------------- */

/* Groups of I/Os with the same action, flags and hour, and their number. Tallies by nothing else
 * have few rows for thousands of events, so each group is added to them once. Events are nearly in
 * order of time, so groups of one hour at a time are enough. */

/* Tallies to which groups can be added: bits of enum tally_kind. */
#define IO_GROUPS_TALLIES                                                                          \
    (1u << TALLY_HOUR | 1u << TALLY_OPERATION | 1u << TALLY_ORIGIN | 1u << TALLY_RWBS_FLAGS)

#define IO_GROUPS      64
#define IO_GROUP_SLOTS (4 * IO_GROUPS)

/* Groups of equal I/Os in one hour. `count` 0: none. */
struct io_groups {
    size_t count;
    int64_t begins; /* time in the trace at which the hour begins */
    struct {
        int64_t time; /* time of some event of the group */
        uint32_t operation, flags;
    } groups[IO_GROUPS];
    uint32_t events[IO_GROUPS];
    int64_t bytes[IO_GROUPS];
    uint8_t slots[IO_GROUP_SLOTS]; /* hash table: 1 + index of a group */
};

/* Adds events to groups. Stops before the first event that is in another hour, or needs too many
 * groups. Returns the number of added events. If it is below `count`, count the groups, empty them,
 * and add the other events. */
size_t io_groups_add(struct io_groups *groups, const struct tally_context *context,
                     const struct event *events, size_t count);

/* Returns the groups as `count` elements for tally_add(). Borrowed until the next call. */
struct tally_events io_groups_events(const struct io_groups *groups);

#endif

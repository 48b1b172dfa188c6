/* Counts of events by a few small dimensions: the rollups, and the same counts over a selection.
 *
 * While an import passes, every batch is added to the tallies of its trace, which become the tables
 * rollup_… at the end. A report with filters fills the same tallies by scanning events. Either way
 * its query reads a table tally_… of the same shape.
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
    /* Those from here on have no rollup, for they have too many rows. */
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

/* A rollup with more rows than this is dropped; its reports scan. */
#define TALLY_ROWS 16384

/* What events are counted by. */
enum tally_dimension {
    DIMENSION_NONE,
    DIMENSION_ACTION, /* of I/O; else 0 */
    DIMENSION_CLASS,  /* enum io_class; of what is no I/O 0 */
    DIMENSION_OPERATION,
    DIMENSION_CALLER, /* the actor; of I/O 0 */
    DIMENSION_ACTOR,
    DIMENSION_ISSUER, /* who dispatched */
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
    unsigned rollup_kinds; /* bit set of enum trace_kind that keep it as a rollup */
    const char *columns;   /* names of the dimensions in SQL, comma-separated */
    enum tally_dimension dimensions[TALLY_KEYS]; /* DIMENSION_NONE ends them */
    unsigned labels; /* bit set of the dimensions that are numbers import_label() gave, stored as
                        text */
};

extern const struct tally_definition tally_definitions[TALLY_KINDS];

/* Whether events are counted by what they were done to, so that one on several files is divided. */
bool tally_by_file(const struct tally_definition *definition);

/* Which bits of event.flags decide how events are counted. */
uint32_t tally_flags(const struct tally_definition *definition);

/* Whether they are counted by partition. */
bool tally_by_partition(const struct tally_definition *definition);

/* How many dimensions a tally has. */
unsigned tally_keys(const struct tally_definition *definition);

/* The tally called `name`; TALLY_KINDS when there is none. */
enum tally_kind tally_find(const char *name);

struct tally_row {
    int64_t key[TALLY_KEYS];
    int64_t count; /* events; 0: they are counted in another row, which has a part of their bytes */
    int64_t bytes; /* sum of their sizes */
    bool used;     /* false: an empty slot */
};

struct tally {
    enum tally_kind kind;
    unsigned dimensions;    /* how many it has */
    struct tally_row *rows; /* owned; open addressing, some slots are empty */
    size_t capacity;        /* a power of two, 0 at first */
    size_t used;
    size_t most; /* rows it may have: TALLY_ROWS unless set */
};

/* What events do not say of themselves. */
struct tally_context {
    enum trace_kind kind;
    /* Nanoseconds from the begin of a local hour (since 1970, at the device) to time 0; 0 without
     * wall clock, when hours count from the start. */
    int64_t hour_origin;
};

/* Makes an empty one of that kind; nothing is owned yet. */
void tally_init(struct tally *tally, enum tally_kind kind);
void tally_free(struct tally *tally);
/* Removes all rows, and keeps the memory. */
void tally_clear(struct tally *tally);

/* Puts the rows, for who reads them, in order of their keys. Before anything is counted again the
 * tally is to be cleared. */
void tally_sort(struct tally *tally);

/* A field of some events: where the first one's value is, and how many bytes behind it the next
 * one's. The values are of the types of struct event. */
struct tally_field {
    const void *first; /* borrowed; NULL: nothing counts by it */
    size_t stride;
};

/* Events that are to be counted, wherever their fields stand: in rows or in columns. */
struct tally_events {
    struct tally_field time, operation, actor, issuer, object, flags, address, size, depth,
        file_type, process, partition;
    /* How many events each stands for, and their sizes together; NULL: itself alone. */
    const uint32_t *alike;
    const int64_t *bytes;
};

/* Those of an array. */
struct tally_events tally_events_of(const struct event *events);

/* Events that are counted at once: those who fill several tallies give each so many in turn, whose
 * fields then are in the processor's cache. */
#define TALLY_AT_ONCE 256

/* Counts the events from `from` to before `end`. Returns how many of them were looked at: up to
 * `end`, or up to the one for which there was no place, as the tally has `most` rows. */
size_t tally_add(struct tally *tally, const struct tally_context *context,
                 const struct tally_events *events, size_t from, size_t end);

/* Adds a row that was counted before. False when the tally has `most` rows and would need one more:
 * nothing was counted. */
bool tally_put(struct tally *tally, const struct tally_row *row);

/* hour_origin of a trace that starts at `start` (ns since 1970 UTC), at a device whose clock is
 * `utc_offset` minutes east of UTC; either may be EVENT_NONE. */
int64_t tally_hour_origin(int64_t start, int64_t utc_offset);

/* Hour of an event: since 1970 at the device with wall clock, since the start without. */
int64_t tally_hour(const struct tally_context *context, int64_t time);

/* --- groups ------------------------------------------------------------------------------------
 */

/* I/Os of the same action, flags and hour as one with its number.
 *
 * Tallies that count by nothing else have a few rows, into which events come by thousands: they are
 * given each group once. Events come in order of time, nearly, so one hour at a time is enough.
 */

/* The tallies that take groups, as a bit set of enum tally_kind. */
#define IO_GROUPS_TALLIES                                                                          \
    (1u << TALLY_HOUR | 1u << TALLY_OPERATION | 1u << TALLY_ORIGIN | 1u << TALLY_RWBS_FLAGS)

#define IO_GROUPS      64
#define IO_GROUP_SLOTS (4 * IO_GROUPS)

/* Of one hour. With `count` 0 it is empty. */
struct io_groups {
    size_t count;
    int64_t begins; /* the hour; a time of the trace */
    struct {
        int64_t time; /* of one of its events */
        uint32_t operation, flags;
    } groups[IO_GROUPS];
    uint32_t events[IO_GROUPS];
    int64_t bytes[IO_GROUPS];
    uint8_t slots[IO_GROUP_SLOTS]; /* of a hash table: numbers of groups, from 1 */
};

/* Adds the first of `count` events, and those behind it up to one that has no place: it is of
 * another hour, or there are too many groups. Returns how many were added: all, or groups are to be
 * counted and emptied before the rest. */
size_t io_groups_add(struct io_groups *groups, const struct tally_context *context,
                     const struct event *events, size_t count);

/* The groups, for tally_add(): `count` of them. Borrowed until the next call. */
struct tally_events io_groups_events(const struct io_groups *groups);

#endif

/* A batch: up to BATCH_EVENTS events with their new names, on the way from the importer to the
 * store. */
#ifndef TRACETOOL_BATCH_H
#define TRACETOOL_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/allocation.h"
#include "model/event.h"
#include "model/event_chunk.h"
#include "model/tally.h"
#include "base/error.h"
#include "base/text.h"

/* Bytes of a page of the database in memory. */
#define BATCH_PAGE ((size_t)65536)

/* Limit of leaf pages: a single page lists them, in 15 bytes each. */
#define BATCH_LEAVES (BATCH_PAGE / 15 - 100)

/* The events of a batch as pages of an SQLite table. Zeroed: empty. Can be reused for other
 * events. */
struct batch_pages {
    unsigned char *bytes;    /* owned; all pages */
    size_t count, capacity;  /* number of pages used, and allocated */
    int64_t *last;           /* owned; largest id of each leaf; room for BATCH_LEAVES */
    unsigned char *record;   /* owned; room for the record of a row */
    size_t cells, used_from; /* in the current leaf: number of rows, and offset of the lowest one */
    bool fit;                /* true: every event has a row in the pages */
};

/* Makes rows of events, with the `columns` (enum event_column). `first`: id of the first event.
 * `first_row`: id of the event with serial number 0, as parents are serial numbers. Sets `fit` to
 * false if a record is too long for a page, or there are no events. */
void batch_pages_make(struct batch_pages *pages, const struct event *events, size_t count,
                      int64_t first, unsigned columns, int64_t first_row);

/* A row of the table `event`: id, and SQLite's record of the other columns. */
struct batch_row {
    int64_t id;
    const unsigned char *record;
    size_t length;
};

/* Calls `visit` for each row, in order, until it returns false. Returns what `visit` returned last.
 * `fit` must be true. */
bool batch_pages_each(const struct batch_pages *pages,
                      bool (*visit)(void *context, const struct batch_row *row,
                                    struct error *error),
                      void *context, struct error *error);

/* Put rows that batch_pages_each() visited into pages again, in the order of ids. They must not
 * need more than BATCH_LEAVES pages. */
void batch_pages_begin(struct batch_pages *pages);

void batch_pages_add(struct batch_pages *pages, const struct batch_row *row);

void batch_pages_end(struct batch_pages *pages);

void batch_pages_free(struct batch_pages *pages);

/* A batch is passed on when it has so many events, or bytes of strings and arguments. */
#define BATCH_EVENTS EVENT_CHUNK
#define BATCH_BYTES  ((size_t)2 * 1024 * 1024)

enum entry_table {
    ENTRY_NAME,
    ENTRY_ACTOR,
    ENTRY_OBJECT,
    ENTRY_RENAME,       /* changes text and component of a name that was passed on before */
    ENTRY_RENAME_ACTOR, /* changes numbers and name of an actor that was passed on before */
    ENTRY_PROBE,        /* tells how a name was measured */
};

struct entry {
    enum entry_table table;
    uint32_t id;
    union {
        struct name_entry name;
        struct actor_entry actor;
        struct object_entry object;
        struct probe_entry probe;
    };
};

/* The end of a call or state whose beginning was passed on in an earlier batch; members are those
 * of struct event. If `open`, the call has not ended at the end of the log: its row, also in this
 * batch, stays as it is, and the members have its times until then. */
struct ending {
    int64_t serial; /* serial number of the event that begins the call */
    int64_t duration, self, cpu_duration, cpu_self;
    int64_t value, size;
    uint32_t flags;
    uint32_t object, operation; /* new object and operation; 0: as before */
    bool open;
    uint32_t arguments_size;
    const uint8_t *arguments; /* bytes to append to the event's arguments; in the batch's memory */
};

struct chunk;

struct batch {
    struct event *events; /* owned; room for BATCH_EVENTS */
    size_t event_count;
    unsigned trace;         /* number of the trace in this import */
    bool in_order;          /* true: events are sorted by time; false: perhaps not */
    int64_t first_serial;   /* number of events before this batch in this import */
    int64_t earlier;        /* largest time of all events before this batch */
    struct ending *endings; /* owned */
    size_t ending_count, ending_capacity;
    struct allocation *allocations; /* owned */
    size_t allocation_count, allocation_capacity;
    struct entry *entries; /* owned; their strings are in `chunks` */
    size_t entry_count, entry_capacity;
    struct chunk *chunks; /* owned; memory for strings and arguments; the first one has room */
    /* Owned: the events by column, and as rows, ready for writing. */
    struct event_chunk columns;
    struct batch_pages rows;
    struct text packed;   /* owned; packed arguments of the events; empty: they are not packed */
    int64_t packed_first; /* position in the trace of the batch's first event, if packed */
    struct tally_context tally_context; /* what counting the events by hour etc. needs to know */
    struct chunk *spare;                /* owned; chunks that were freed, for reuse */
    size_t bytes;                       /* number of bytes in use in `chunks` */
    int64_t source_bytes;               /* bytes of the log read so far, for showing progress */
};

/* Returns an empty batch, owned by the caller. */
struct batch *batch_new(void);
void batch_free(struct batch *batch);

/* Makes the batch empty, for reuse. */
void batch_clear(struct batch *batch);

static inline bool batch_is_full(const struct batch *batch) {
    return batch->event_count == BATCH_EVENTS || batch->bytes >= BATCH_BYTES ||
           batch->ending_count >= BATCH_EVENTS || batch->allocation_count >= BATCH_EVENTS;
}

/* Returns memory that is valid until batch_clear(). */
void *batch_memory(struct batch *batch, size_t size);

/* Copies a string into the batch's memory, and adds a NUL. */
char *batch_copy(struct batch *batch, const char *bytes, size_t length);

/* Appends a name, actor or object. Its strings must be valid until batch_clear(). */
void batch_add_entry(struct batch *batch, const struct entry *entry);

/* Appends the end of a call or state. */
void batch_add_ending(struct batch *batch, const struct ending *ending);

/* Appends an allocation record. */
void batch_add_allocation(struct batch *batch, const struct allocation *allocation);

/* Moves the last event before those directly before it that have later times. If it would move too
 * far, leaves it and sets `in_order` to false. Returns whether it moved. */
bool batch_sort_last(struct batch *batch);

/* Sorts the events of two successive batches together by time; equal times keep their order. The
 * earlier events go to `first`; both batches keep their number of events. */
void batch_merge(struct batch *first, struct batch *second);

#endif

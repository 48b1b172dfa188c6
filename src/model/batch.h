/* A batch of events with their new names, passed from the importer to the store. */
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

/* Page size in bytes. */
#define BATCH_PAGE ((size_t)65536)

/* Maximum number of leaves: one interior page lists them in 15 bytes each. */
#define BATCH_LEAVES (BATCH_PAGE / 15 - 100)

/* Empty when zeroed. Reusable for other events. */
struct batch_pages {
    unsigned char *bytes;    /* owned; all pages */
    size_t count, capacity;  /* numbers of pages used and allocated */
    int64_t *last;           /* owned; largest id of each leaf; room for BATCH_LEAVES */
    unsigned char *record;   /* owned; buffer for the record being built */
    size_t cells, used_from; /* leaf being filled: number of cells, start of the lowest one */
    bool fit;                /* every event has a row */
};

/* Builds the rows of events with the given `columns` (enum event_column). `first` is the id of the
 * first event, `first_row` the id of serial number 0, to which parents refer. `fit` is false if a
 * record is too long for a page or there are no events. */
void batch_pages_make(struct batch_pages *pages, const struct event *events, size_t count,
                      int64_t first, unsigned columns, int64_t first_row);

/* A row of the table `event`: its id and SQLite's record. */
struct batch_row {
    int64_t id;
    const unsigned char *record;
    size_t length;
};

/* Calls `visit` for each row in order until it returns false; returns the last result. The pages
 * must `fit`.
 */
bool batch_pages_each(const struct batch_pages *pages,
                      bool (*visit)(void *context, const struct batch_row *row,
                                    struct error *error),
                      void *context, struct error *error);

/* Build pages from rows of batch_pages_each(), with increasing ids. The rows must not need more
 * than BATCH_LEAVES pages. */
void batch_pages_begin(struct batch_pages *pages);

void batch_pages_add(struct batch_pages *pages, const struct batch_row *row);

void batch_pages_end(struct batch_pages *pages);

void batch_pages_free(struct batch_pages *pages);

/* Size at which a batch is passed on: events, or bytes of strings and arguments. */
#define BATCH_EVENTS EVENT_CHUNK
#define BATCH_BYTES  ((size_t)2 * 1024 * 1024)

enum entry_table {
    ENTRY_NAME,
    ENTRY_ACTOR,
    ENTRY_OBJECT,
    ENTRY_RENAME,       /* changes text and component of a name sent earlier */
    ENTRY_RENAME_ACTOR, /* changes numbers and name of an actor */
    ENTRY_PROBE,        /* how a name was measured */
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

/* Completes a call or state whose row is in an earlier batch; fields as in struct event. If `open`,
 * the call did not end: its row may be in any batch up to this one and stays as it is. The fields
 * then hold its time until the end of the log. */
struct ending {
    int64_t serial; /* serial number of the row */
    int64_t duration, self, cpu_duration, cpu_self;
    int64_t value, size;
    uint32_t flags;
    uint32_t object, operation; /* 0: as in the row */
    bool open;
    uint32_t arguments_size;
    const uint8_t *arguments; /* appended to the entry's arguments; in the batch's memory */
};

struct chunk;

struct batch {
    struct event *events; /* owned, BATCH_EVENTS elements */
    size_t event_count;
    unsigned trace;         /* index of the trace being imported */
    bool in_order;          /* events are sorted by time; false: unknown */
    int64_t first_serial;   /* serial number of the first event, counted from 0 in this import */
    int64_t earlier;        /* largest time of the events before the batch */
    struct ending *endings; /* owned */
    size_t ending_count, ending_capacity;
    struct allocation *allocations; /* owned */
    size_t allocation_count, allocation_capacity;
    struct entry *entries; /* owned; their strings are in the chunks */
    size_t entry_count, entry_capacity;
    struct chunk *chunks; /* owned memory for strings and arguments; the first one is in use */
    /* Owned; a second form of the events, for writing. */
    struct event_chunk columns;
    struct batch_pages rows;
    struct text packed;   /* owned; packed arguments of the events; empty: they are in the rows */
    int64_t packed_first; /* position of the first event of the pack in the trace */
    struct tally_context tally_context; /* what tallies need to count the events */
    struct chunk *spare;                /* owned; freed chunks kept for reuse */
    size_t bytes;                       /* allocated from the chunks */
    int64_t source_bytes;               /* bytes read from the source so far, for progress */
};

/* Owned by the caller. */
struct batch *batch_new(void);
void batch_free(struct batch *batch);

/* Empties the batch for reuse. */
void batch_clear(struct batch *batch);

static inline bool batch_is_full(const struct batch *batch) {
    return batch->event_count == BATCH_EVENTS || batch->bytes >= BATCH_BYTES ||
           batch->ending_count >= BATCH_EVENTS || batch->allocation_count >= BATCH_EVENTS;
}

/* Allocates memory that lives until batch_clear(). */
void *batch_memory(struct batch *batch, size_t size);

/* Copies a string, NUL-terminated, into the batch's memory. */
char *batch_copy(struct batch *batch, const char *bytes, size_t length);

/* Appends an entry. Its strings must live until batch_clear(). */
void batch_add_entry(struct batch *batch, const struct entry *entry);

/* Appends the end of a call or state. */
void batch_add_ending(struct batch *batch, const struct ending *ending);

/* Appends an allocation record. */
void batch_add_allocation(struct batch *batch, const struct allocation *allocation);

/* Moves the last event before later ones directly before it. If there are too many, sets `in_order`
 * to false instead. Returns whether the event was moved. */
bool batch_sort_last(struct batch *batch);

/* Sorts the events of both batches together by time, stably. The earlier ones go to `first`; each
 * batch keeps its number of events. */
void batch_merge(struct batch *first, struct batch *second);

#endif

/* A batch: up to BATCH_EVENTS events with their new names, passed from importer to store. */
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

/* Bytes of a page in the in-memory SQLite database of a batch. */
#define BATCH_PAGE ((size_t)65536)

/* Limit of leaf pages: the interior page lists all of them, in 15 bytes each. */
#define BATCH_LEAVES (BATCH_PAGE / 15 - 100)

/* The events of a batch as pages of an SQLite table. Zeroed: empty. Reusable for other events. */
struct batch_pages {
    unsigned char *bytes;    /* owned; all pages */
    size_t count, capacity;  /* number of pages used, and allocated */
    int64_t *last;           /* owned; by leaf: the largest row id; BATCH_LEAVES elements */
    unsigned char *record;   /* owned; buffer for the record of a row */
    size_t cells, used_from; /* current leaf: number of rows, and offset of the row written last */
    bool fit;                /* true: the pages hold all events */
};

/* Builds pages with the rows of `count` events, with the columns set in `columns` (enum
 * event_column). `first`: id of the first event. `first_row`: id of the event with serial number 0,
 * by which parents, given as serial numbers, become ids. Sets `fit` to false if a record is too
 * long for a page, or if there are no events. */
void batch_pages_make(struct batch_pages *pages, const struct event *events, size_t count,
                      int64_t first, unsigned columns, int64_t first_row);

/* A row of table `event`: its id, and the SQLite record of the other columns. */
struct batch_row {
    int64_t id;
    const unsigned char *record;
    size_t length;
};

/* Calls `visit` for each row in order, until it returns false. Returns the result of the last call.
 * `fit` must be true. */
bool batch_pages_each(const struct batch_pages *pages,
                      bool (*visit)(void *context, const struct batch_row *row,
                                    struct error *error),
                      void *context, struct error *error);

/* Build pages again from rows that batch_pages_each() visited, in order of ids: begin, add each
 * row, end. The rows must not need more than BATCH_LEAVES pages. */
void batch_pages_begin(struct batch_pages *pages);

void batch_pages_add(struct batch_pages *pages, const struct batch_row *row);

void batch_pages_end(struct batch_pages *pages);

void batch_pages_free(struct batch_pages *pages);

/* A batch is full when it has this many events, or bytes of strings and arguments. */
#define BATCH_EVENTS EVENT_CHUNK
#define BATCH_BYTES  ((size_t)2 * 1024 * 1024)

enum entry_table {
    ENTRY_NAME,
    ENTRY_ACTOR,
    ENTRY_OBJECT,
    ENTRY_RENAME,       /* replaces text and component of a name from an earlier batch */
    ENTRY_RENAME_ACTOR, /* replaces pid, tid, code, name of an actor (thread) of an earlier batch */
    ENTRY_PROBE,        /* how a function was measured (table probe) */
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

/* The end of a call or state whose begin was in an earlier batch; members are those of struct
 * event. If `open`, the call has not ended at the end of the log. Then its row remains unchanged,
 * and the members are its times until the log's end. */
struct ending {
    int64_t serial; /* serial number of the event in which the call or state began */
    int64_t duration, self, cpu_duration, cpu_self;
    int64_t value, size;
    uint32_t flags;
    uint32_t object, operation; /* new object and operation; 0: unchanged */
    bool open;
    uint32_t arguments_size;
    const uint8_t *arguments; /* bytes to append to the event's arguments, in the batch's memory */
};

struct chunk;

struct batch {
    struct event *events; /* owned; BATCH_EVENTS elements */
    size_t event_count;
    unsigned trace;       /* number of the trace within this import */
    bool in_order;        /* true: the events are known to be sorted by time */
    int64_t first_serial; /* number of events in earlier batches, the first event's serial number */
    int64_t earlier;      /* largest time of any event in earlier batches */
    struct ending *endings; /* owned */
    size_t ending_count, ending_capacity;
    struct allocation *allocations; /* owned */
    size_t allocation_count, allocation_capacity;
    struct entry *entries; /* owned; their strings are in `chunks` */
    size_t entry_count, entry_capacity;
    struct chunk *chunks; /* owned; memory of strings and arguments; the first one has free space */
    /* Owned; the events by column and as rows, ready for the store. */
    struct event_chunk columns;
    struct batch_pages rows;
    struct text packed;   /* owned; packed arguments (store/argument_pack.h); empty: not packed */
    int64_t packed_first; /* only if packed: position of the batch's first event in the trace */
    struct tally_context tally_context; /* what tallies need to know about the trace */
    struct chunk *spare;                /* owned; released chunks for reuse */
    size_t bytes;                       /* number of bytes in use in `chunks` */
    int64_t source_bytes;               /* bytes of the log read so far, for the progress display */
};

/* Returns an empty batch, owned by the caller. */
struct batch *batch_new(void);
void batch_free(struct batch *batch);

/* Empties a batch for reuse. */
void batch_clear(struct batch *batch);

static inline bool batch_is_full(const struct batch *batch) {
    return batch->event_count == BATCH_EVENTS || batch->bytes >= BATCH_BYTES ||
           batch->ending_count >= BATCH_EVENTS || batch->allocation_count >= BATCH_EVENTS;
}

/* Returns memory of the batch, valid until batch_clear(). */
void *batch_memory(struct batch *batch, size_t size);

/* Returns a copy of a string in the batch's memory, with a NUL appended. */
char *batch_copy(struct batch *batch, const char *bytes, size_t length);

/* Appends a name, actor (thread, process), object (file, device) or change. Its strings must be
 * valid until batch_clear(). */
void batch_add_entry(struct batch *batch, const struct entry *entry);

/* Appends the end of a call or state that began in an earlier batch. */
void batch_add_ending(struct batch *batch, const struct ending *ending);

/* Appends an allocation record. */
void batch_add_allocation(struct batch *batch, const struct allocation *allocation);

/* Moves the last event before the directly preceding events that have later times. If that is too
 * far, moves it only part of the way and sets `in_order` to false. Returns whether it was moved. */
bool batch_sort_last(struct batch *batch);

/* Sorts the events of two successive batches together by time, stably. The earlier events go to
 * `first`; the numbers of events in both batches remain. */
void batch_merge(struct batch *first, struct batch *second);

#endif

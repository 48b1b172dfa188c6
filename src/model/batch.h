/* Events on their way from the importer to the store, with the names that are new in them. */
#ifndef TRACETOOL_BATCH_H
#define TRACETOOL_BATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "model/allocation.h"
#include "model/event.h"
#include "model/event_chunk.h"
#include "model/batch_pages.h"
#include "model/tally.h"

/* A batch is handed over when it has this many events or bytes of strings and arguments. */
#define BATCH_EVENTS EVENT_CHUNK
#define BATCH_BYTES  ((size_t)2 * 1024 * 1024)

enum entry_table {
    ENTRY_NAME,
    ENTRY_ACTOR,
    ENTRY_OBJECT,
    ENTRY_RENAME,       /* of a name that was sent before: text and component */
    ENTRY_RENAME_ACTOR, /* its numbers and name */
    ENTRY_PROBE,        /* what is known of the name */
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

/* The end of a call or state that has its row in an earlier batch; fields as in struct event. Of an
 * open call, its row may be in any batch up to this, and stays as it is: this is what it took until
 * the log ended. */
struct ending {
    int64_t serial; /* of the row */
    int64_t duration, self, cpu_duration, cpu_self;
    int64_t value, size;
    uint32_t flags;
    bool open;
    uint32_t arguments_size;
    const uint8_t *arguments; /* to be put behind those of the entry; in the batch's memory */
};

struct chunk;

struct batch {
    struct event *events; /* owned, BATCH_EVENTS of them */
    size_t event_count;
    unsigned trace;         /* which of the traces that are being filled */
    bool in_order;          /* the events, by time; false: it is not known */
    int64_t first_serial;   /* of its first event, counted from 0 in this import */
    struct ending *endings; /* owned */
    size_t ending_count, ending_capacity;
    struct allocation *allocations; /* owned */
    size_t allocation_count, allocation_capacity;
    struct entry *entries; /* owned; their strings lie in the chunks */
    size_t entry_count, entry_capacity;
    struct chunk *chunks; /* owned memory of strings and arguments; used from the first on */
    /* Owned; the events once more, when they are to be written. */
    struct event_chunk columns;
    struct batch_pages rows;
    struct tally_context tally_context; /* by which they are to be counted */
    struct chunk *spare;                /* owned; kept from earlier content for the next */
    size_t bytes;                       /* handed out of the chunks */
    int64_t source_bytes;               /* read from the source so far, for progress */
};

/* Owned by the caller. */
struct batch *batch_new(void);
void batch_free(struct batch *batch);

/* Empties it for the next use. */
void batch_clear(struct batch *batch);

static inline bool batch_full(const struct batch *batch) {
    return batch->event_count == BATCH_EVENTS || batch->bytes >= BATCH_BYTES ||
           batch->ending_count >= BATCH_EVENTS || batch->allocation_count >= BATCH_EVENTS;
}

/* Memory that lives as long as the batch's content. */
void *batch_memory(struct batch *batch, size_t size);

/* A copy of a string in the batch's memory, NUL-terminated. */
char *batch_copy(struct batch *batch, const char *bytes, size_t length);

/* Appends an entry, whose strings must outlive the batch's content. */
void batch_add_entry(struct batch *batch, const struct entry *entry);

/* Appends the end of a call. */
void batch_add_ending(struct batch *batch, const struct ending *ending);

/* Appends an allocation of blocks. */
void batch_add_allocation(struct batch *batch, const struct allocation *allocation);

/* Moves the last event before those just before it that are later, as far as they are few; where
 * more are, `in_order` becomes false. Returns whether it was moved. */
bool batch_sort_last(struct batch *batch);

/* Sorts the events of `first` and `second` by time (equal times stay in order) over both: the
 * earlier ones come into `first`; each keeps its number of events. */
void batch_merge(struct batch *first, struct batch *second);

#endif

#include "model/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { CHUNK_SIZE = 64 * 1024 };

struct chunk {
    struct chunk *next;
    size_t used, size;
    unsigned char bytes[];
};

struct batch *batch_new(void) {
    struct batch *batch = xcalloc(1, sizeof *batch);

    batch->events = xmalloc(BATCH_EVENTS * sizeof *batch->events);
    return batch;
}

static void free_chunks(struct chunk *chunk) {
    while (chunk != NULL) {
        struct chunk *next = chunk->next;

        free(chunk);
        chunk = next;
    }
}

void batch_free(struct batch *batch) {
    if (batch == NULL) {
        return;
    }
    free_chunks(batch->chunks);
    free_chunks(batch->spare);
    free(batch->entries);
    free(batch->endings);
    free(batch->allocations);
    event_chunk_free(&batch->columns);
    batch_pages_free(&batch->rows);
    free(batch->events);
    free(batch);
}

void batch_clear(struct batch *batch) {
    /* Chunks of the usual size are kept for the next content: freeing in one thread what another
     * allocates would spread memory over the allocator's arenas. */
    while (batch->chunks != NULL) {
        struct chunk *chunk = batch->chunks;

        batch->chunks = chunk->next;
        if (chunk->size > CHUNK_SIZE) {
            free(chunk);
        } else {
            chunk->next = batch->spare;
            batch->spare = chunk;
        }
    }
    batch->rows.fit = batch->in_order = false;
    batch->event_count = 0;
    batch->ending_count = 0;
    batch->allocation_count = 0;
    batch->entry_count = 0;
    batch->bytes = 0;
}

/* A chunk with room for `size` bytes. */
static struct chunk *new_chunk(struct batch *batch, size_t size) {
    struct chunk *chunk = batch->spare;

    if (size <= CHUNK_SIZE && chunk != NULL) {
        batch->spare = chunk->next;
        chunk->used = 0;
        return chunk;
    }
    size = size > CHUNK_SIZE ? size : CHUNK_SIZE;
    chunk = xmalloc(sizeof *chunk + size);
    chunk->used = 0;
    chunk->size = size;
    return chunk;
}

void *batch_memory(struct batch *batch, size_t size) {
    struct chunk *chunk = batch->chunks;
    size_t rounded = (size + 7) & ~(size_t)7;
    void *memory;

    if (chunk == NULL || chunk->size - chunk->used < rounded) {
        chunk = new_chunk(batch, rounded);
        chunk->next = batch->chunks;
        batch->chunks = chunk;
    }
    memory = chunk->bytes + chunk->used;
    chunk->used += rounded;
    batch->bytes += rounded;
    return memory;
}

char *batch_copy(struct batch *batch, const char *bytes, size_t length) {
    char *copy = batch_memory(batch, length + 1);

    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

void batch_add_entry(struct batch *batch, const struct entry *entry) {
    batch->entries = array_grow(batch->entries, batch->entry_count, &batch->entry_capacity,
                                sizeof *batch->entries);
    batch->entries[batch->entry_count++] = *entry;
}

void batch_add_ending(struct batch *batch, const struct ending *ending) {
    batch->endings = array_grow(batch->endings, batch->ending_count, &batch->ending_capacity,
                                sizeof *batch->endings);
    batch->endings[batch->ending_count++] = *ending;
}

void batch_add_allocation(struct batch *batch, const struct allocation *allocation) {
    batch->allocations = array_grow(batch->allocations, batch->allocation_count,
                                    &batch->allocation_capacity, sizeof *batch->allocations);
    batch->allocations[batch->allocation_count++] = *allocation;
}

struct place {
    int64_t time;
    size_t position;
};

static int compare_places(const void *left, const void *right) {
    const struct place *a = left, *b = right;

    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return a->position < b->position ? -1 : a->position > b->position;
}

/* Moves of places, for each of them, that are less work than sorting. */
enum { FEW_MOVES = 16 };

/* Logs are nearly in order: few events go far. */
static void sort_places(struct place *places, size_t count) {
    size_t moves = 0;

    for (size_t i = 1; i < count && moves <= FEW_MOVES * count; i++) {
        struct place place = places[i];
        size_t to = i;

        for (; to > 0 && places[to - 1].time > place.time; to--) {
            places[to] = places[to - 1];
        }
        places[to] = place;
        moves += i - to;
    }
    if (moves > FEW_MOVES * count) {
        qsort(places, count, sizeof *places, compare_places);
    }
}

/* Two batches whose events are numbered through. */
struct pair {
    struct batch *first, *second;
    size_t border; /* the number of the first event of `second` */
};

static struct event *event_at(const struct pair *pair, size_t number) {
    return number < pair->border ? &pair->first->events[number]
                                 : &pair->second->events[number - pair->border];
}

/* Puts an event into a slot; argument bytes that lie in the other batch are copied. */
static void place_event(const struct pair *pair, size_t slot, const struct event *event,
                        size_t from) {
    struct event *to = event_at(pair, slot);

    *to = *event;
    if ((slot < pair->border) != (from < pair->border) && to->arguments != NULL) {
        struct batch *batch = slot < pair->border ? pair->first : pair->second;
        uint8_t *copy = batch_memory(batch, to->arguments_size);

        memcpy(copy, to->arguments, to->arguments_size);
        to->arguments = copy;
    }
}

/* Puts the event that belongs into a slot there, that which belongs into its slot there, and so on,
 * up to the slot where the first one's event belongs. These then say that they have their own. */
static void rotate(const struct pair *pair, struct place *places, size_t first) {
    const struct event displaced = *event_at(pair, first);
    size_t slot = first, from = places[first].position;

    while (from != first) {
        place_event(pair, slot, event_at(pair, from), from);
        places[slot].position = slot;
        slot = from;
        from = places[slot].position;
    }
    places[slot].position = slot;
    place_event(pair, slot, &displaced, first);
}

void batch_merge(struct batch *first, struct batch *second) {
    const struct pair pair = {first, second, first->event_count};
    size_t count = first->event_count + second->event_count;
    struct place *places = xmalloc((count + 1) * sizeof *places);

    for (size_t i = 0; i < count; i++) {
        places[i] = (struct place){event_at(&pair, i)->time, i};
    }
    sort_places(places, count);
    first->in_order = second->in_order = true;
    for (size_t i = 0; i < count; i++) {
        if (places[i].position != i) {
            rotate(&pair, places, i);
        }
    }
    free(places);
}

#include "model/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    CHUNK_SIZE = 64 * 1024,
    SORT_NEAR = 64, /* most events that one event is moved across, so that they stay in the cache */
};

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
    /* Keep chunks of the usual size: freeing in one thread what another allocates would spread
     * memory over the allocator's arenas. */
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

/* Returns a chunk with room for `size` bytes. */
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
    *ARRAY_NEW(batch->entries, batch->entry_count, batch->entry_capacity) = *entry;
}

void batch_add_ending(struct batch *batch, const struct ending *ending) {
    *ARRAY_NEW(batch->endings, batch->ending_count, batch->ending_capacity) = *ending;
}

void batch_add_allocation(struct batch *batch, const struct allocation *allocation) {
    *ARRAY_NEW(batch->allocations, batch->allocation_count, batch->allocation_capacity) =
        *allocation;
}

bool batch_sort_last(struct batch *batch) {
    struct event *last = &batch->events[batch->event_count - 1], *to = last;
    struct event *first = batch->event_count > SORT_NEAR ? last - SORT_NEAR : batch->events;
    struct event event;

    while (to > first && to[-1].time > last->time) {
        to--;
    }
    batch->in_order &= to == batch->events || to[-1].time <= last->time;
    if (to == last) {
        return false;
    }
    event = *last;
    memmove(to + 1, to, (size_t)(last - to) * sizeof event);
    *to = event;
    return true;
}

struct place {
    int64_t time;
    size_t position;
};

static int batch_compare_places(const void *left, const void *right) {
    const struct place *a = left, *b = right;

    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return a->position < b->position ? -1 : a->position > b->position;
}

/* Average moves per element up to which insertion sort is cheaper than sorting. */
enum { FEW_MOVES = 16 };

/* Insertion sort first: logs are nearly sorted. */
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
        qsort(places, count, sizeof *places, batch_compare_places);
    }
}

/* Two adjacent batches, and the range of places that may be out of order. */
struct pair {
    struct batch *first, *second;
    size_t from;   /* first event of the range in the first batch; places count from there */
    size_t border; /* place of the second batch's first event */
    size_t count;
};

static struct event *event_at(const struct pair *pair, size_t place) {
    return place < pair->border ? &pair->first->events[pair->from + place]
                                : &pair->second->events[place - pair->border];
}

/* Copies an event's argument bytes if it moved to the other batch. */
static void move_arguments(const struct pair *pair, size_t from, size_t to) {
    struct event *event = event_at(pair, to);

    if ((from < pair->border) != (to < pair->border) && event->arguments != NULL) {
        uint8_t *copy =
            batch_memory(to < pair->border ? pair->first : pair->second, event->arguments_size);

        memcpy(copy, event->arguments, event->arguments_size);
        event->arguments = copy;
    }
}

/* Moves the events of one cycle of the permutation. Their places are sorted afterwards. */
static void move_circle(const struct pair *pair, struct place *places, size_t first) {
    struct event aside = *event_at(pair, first);
    size_t to = first, from;

    while ((from = places[to].position) != first) {
        *event_at(pair, to) = *event_at(pair, from);
        move_arguments(pair, from, to);
        places[to].position = to;
        to = from;
    }
    *event_at(pair, to) = aside;
    move_arguments(pair, first, to);
    places[to].position = to;
}

/* If both batches are sorted, only the end of one and the beginning of the other overlap. */
static struct pair pair_of(struct batch *first, struct batch *second) {
    size_t from = first->event_count, end = 0;

    if (!first->in_order || !second->in_order) {
        return (struct pair){first, second, 0, from, from + second->event_count};
    }
    while (from > 0 && second->event_count > 0 &&
           first->events[from - 1].time > second->events[0].time) {
        from--;
    }
    while (from < first->event_count && end < second->event_count &&
           second->events[end].time < first->events[first->event_count - 1].time) {
        end++;
    }
    return (struct pair){first, second, from, first->event_count - from,
                         first->event_count - from + end};
}

void batch_merge(struct batch *first, struct batch *second) {
    const struct pair pair = pair_of(first, second);
    struct place *places = xmalloc((pair.count + 1) * sizeof *places);

    for (size_t i = 0; i < pair.count; i++) {
        places[i] = (struct place){event_at(&pair, i)->time, i};
    }
    sort_places(places, pair.count);
    first->in_order = second->in_order = true;
    for (size_t i = 0; i < pair.count; i++) {
        if (places[i].position != i) {
            move_circle(&pair, places, i);
        }
    }
    free(places);
}

#include "import/merge.h"

#include <stdlib.h>
#include <string.h>

#include "model/event.h"
#include "base/memory.h"

/* Memory of a held record beyond this is given back when it was taken. */
enum { KEPT_BYTES = 256 };

/* A record that waits for its time. */
struct held {
    int64_t time;
    struct stream_record record; /* its bytes lie in `memory`, unless nothing is held back */
    uint8_t *memory;             /* owned */
    size_t capacity;
};

/* One stream. Its held records are in order: `held[first]` is its next one. */
struct lane {
    struct held *held; /* owned, window + 1 of them, a ring; those that wait begin at `first` */
    size_t first, count;
    size_t bytes;      /* of those that wait */
    int64_t head;      /* time of the next record; before the first: when the stream begins */
    int64_t read_time; /* of the record that was read last */
    int64_t given_time;
    bool begun, ended;
};

/* `heap` has the lanes that have not ended; the first is the one whose head comes next. */
struct merge {
    struct merge_input input;
    struct lane *lanes; /* owned */
    size_t count;
    size_t *heap; /* owned */
    size_t heap_count;
    size_t ring; /* places in a lane's ring */
    bool begun;  /* the heap was made */
    bool given;  /* the head of heap[0] was given and is to be dropped */
    int64_t late;
};

struct merge *merge_open(const struct merge_input *input, const int64_t *first_times, size_t count,
                         unsigned window, struct error *error) {
    struct merge *merge = xcalloc(1, sizeof *merge);

    merge->input = *input;
    merge->ring = (size_t)window + 1;
    merge->lanes = xcalloc(count + 1, sizeof *merge->lanes);
    merge->heap = xcalloc(count + 1, sizeof *merge->heap);
    if (merge->lanes == NULL || merge->heap == NULL) {
        merge_close(merge);
        error_no_memory(error);
        return NULL;
    }
    merge->count = count;
    for (size_t i = 0; i < count; i++) {
        merge->lanes[i].head = merge->lanes[i].read_time = first_times[i];
        merge->lanes[i].given_time = INT64_MIN;
    }
    return merge;
}

static void free_lane(struct merge *merge, struct lane *lane) {
    for (size_t i = 0; lane->held != NULL && i < merge->ring; i++) {
        free(lane->held[i].memory);
    }
    free(lane->held);
    lane->held = NULL;
}

void merge_close(struct merge *merge) {
    if (merge == NULL) {
        return;
    }
    for (size_t i = 0; i < merge->count; i++) {
        free_lane(merge, &merge->lanes[i]);
    }
    free(merge->lanes);
    free(merge->heap);
    free(merge);
}

/* --- the heap ----------------------------------------------------------------------------------
 */

static bool comes_before(const struct merge *merge, size_t left, size_t right) {
    int64_t a = merge->lanes[left].head, b = merge->lanes[right].head;

    return a != b ? a < b : left < right;
}

/* The head of the lane at `place` has become later: it goes down. */
static void sink(struct merge *merge, size_t place) {
    size_t lane = merge->heap[place];

    for (size_t below; (below = 2 * place + 1) < merge->heap_count; place = below) {
        if (below + 1 < merge->heap_count &&
            comes_before(merge, merge->heap[below + 1], merge->heap[below])) {
            below++;
        }
        if (!comes_before(merge, merge->heap[below], lane)) {
            break;
        }
        merge->heap[place] = merge->heap[below];
    }
    merge->heap[place] = lane;
}

/* --- one stream ---------------------------------------------------------------------------------
 */

static struct held *held_at(const struct merge *merge, const struct lane *lane, size_t position) {
    return &lane->held[(lane->first + position) % merge->ring];
}

static bool copy_record(struct held *held, const struct stream_record *record,
                        struct error *error) {
    held->record = *record;
    if (record->bytes == NULL) {
        return true;
    }
    if (held->capacity < record->length + 1) {
        free(held->memory);
        held->capacity = record->length + 1;
        held->memory = xmalloc(held->capacity);
        if (held->memory == NULL) {
            held->capacity = 0;
            return error_no_memory(error);
        }
    }
    memcpy(held->memory, record->bytes, record->length);
    held->record.bytes = held->memory;
    return true;
}

/* Moves the record that was put last to where its time belongs, behind those of equal time. */
static void sort_last(const struct merge *merge, const struct lane *lane) {
    size_t place = lane->count - 1;
    struct held last = *held_at(merge, lane, place);

    for (; place > 0 && held_at(merge, lane, place - 1)->time > last.time; place--) {
        *held_at(merge, lane, place) = *held_at(merge, lane, place - 1);
    }
    *held_at(merge, lane, place) = last;
}

/* Reads one more record of a lane, which has room for it. */
static bool read_record(struct merge *merge, size_t number, struct error *error) {
    struct lane *lane = &merge->lanes[number];
    struct stream_record record;
    struct held *held;
    int64_t time = EVENT_NONE;
    bool some;

    if (!merge->input.next(merge->input.context, number, &record, &time, &some, error)) {
        return false;
    }
    lane->ended = !some;
    if (!some) {
        return true;
    }
    lane->read_time = time == EVENT_NONE ? lane->read_time : time;
    held = held_at(merge, lane, lane->count);
    held->time = lane->read_time;
    /* Without a window it is given before the stream is asked for another one. */
    held->record = record;
    if (merge->ring > 1 && !copy_record(held, &record, error)) {
        return false;
    }
    lane->count++;
    lane->bytes += record.length;
    sort_last(merge, lane);
    return true;
}

/* Reads ahead as far as the window allows, so that the head is what comes next of the lane. */
static bool fill(struct merge *merge, size_t number, struct error *error) {
    struct lane *lane = &merge->lanes[number];

    while (!lane->ended && lane->count < merge->ring &&
           (lane->count == 0 || lane->bytes < STREAM_BYTES)) {
        if (!read_record(merge, number, error)) {
            return false;
        }
    }
    if (lane->count > 0) {
        lane->head = held_at(merge, lane, 0)->time;
    }
    return true;
}

static bool begin_lane(struct merge *merge, size_t number, struct error *error) {
    struct lane *lane = &merge->lanes[number];

    lane->begun = true;
    lane->held = xcalloc(merge->ring, sizeof *lane->held);
    return lane->held != NULL ? fill(merge, number, error) : error_no_memory(error);
}

static bool drop_head(struct merge *merge, size_t number, struct error *error) {
    struct lane *lane = &merge->lanes[number];
    struct held *held = held_at(merge, lane, 0);

    lane->bytes -= held->record.length;
    if (held->capacity > KEPT_BYTES) {
        free(held->memory);
        held->memory = NULL;
        held->capacity = 0;
    }
    lane->first = (lane->first + 1) % merge->ring;
    lane->count--;
    return fill(merge, number, error);
}

/* --- all streams --------------------------------------------------------------------------------
 */

/* Puts the lane at the top of the heap where its new head belongs, or takes it out at its end. */
static void settle_top(struct merge *merge) {
    struct lane *lane = &merge->lanes[merge->heap[0]];

    if (lane->count == 0) {
        free_lane(merge, lane);
        merge->heap[0] = merge->heap[--merge->heap_count];
    }
    if (merge->heap_count > 0) {
        sink(merge, 0);
    }
}

/* All lanes wait to begin. */
static void make_heap(struct merge *merge) {
    merge->begun = true;
    for (; merge->heap_count < merge->count; merge->heap_count++) {
        merge->heap[merge->heap_count] = merge->heap_count;
    }
    for (size_t place = merge->heap_count / 2; place-- > 0;) {
        sink(merge, place);
    }
}

bool merge_next(struct merge *merge, size_t *stream, struct stream_record *record, bool *some,
                struct error *error) {
    struct lane *lane;

    if (merge->given) {
        merge->given = false;
        if (!drop_head(merge, merge->heap[0], error)) {
            return false;
        }
        settle_top(merge);
    } else if (!merge->begun) {
        make_heap(merge);
    }
    while (merge->heap_count > 0 && !merge->lanes[merge->heap[0]].begun) {
        if (!begin_lane(merge, merge->heap[0], error)) {
            return false;
        }
        settle_top(merge);
    }
    *some = merge->given = merge->heap_count > 0;
    if (!*some) {
        return true;
    }
    *stream = merge->heap[0];
    lane = &merge->lanes[*stream];
    *record = held_at(merge, lane, 0)->record;
    merge->late += lane->head < lane->given_time;
    lane->given_time = lane->head > lane->given_time ? lane->head : lane->given_time;
    return true;
}

int64_t merge_late(const struct merge *merge) {
    return merge->late;
}

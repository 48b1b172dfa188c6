#include "model/gaps.h"

#include <stdlib.h>
#include <string.h>

#include "model/event.h"
#include "base/memory.h"

/* An I/O that was in flight in so many idle times of the others is believed; beyond that the older
 * half of these stand. */
#define IDLE_OPEN 65536

/* --- the longest ------------------------------------------------------------------------------ */

bool gap_heap_init(struct gap_heap *heap, size_t capacity) {
    *heap = (struct gap_heap){.gaps = xmalloc(capacity * sizeof *heap->gaps), .capacity = capacity};
    return heap->gaps != NULL;
}

void gap_heap_free(struct gap_heap *heap) {
    free(heap->gaps);
    *heap = (struct gap_heap){0};
}

/* Whether `left` comes before `right` in the report: longer, or as long and earlier. */
static bool comes_before(const struct gap *left, const struct gap *right) {
    int64_t left_length = gap_length(left), right_length = gap_length(right);

    return left_length != right_length ? left_length > right_length : left->start < right->start;
}

static void swap(struct gap *left, struct gap *right) {
    struct gap kept = *left;

    *left = *right;
    *right = kept;
}

static void sift_up(struct gap *heap, size_t at) {
    while (at > 0 && comes_before(&heap[(at - 1) / 2], &heap[at])) {
        swap(&heap[(at - 1) / 2], &heap[at]);
        at = (at - 1) / 2;
    }
}

static void sift_down(struct gap *heap, size_t count) {
    size_t at = 0;

    for (;;) {
        size_t last = at;

        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {
            if (comes_before(&heap[last], &heap[child])) {
                last = child;
            }
        }
        if (last == at) {
            return;
        }
        swap(&heap[at], &heap[last]);
        at = last;
    }
}

void gap_heap_add(struct gap_heap *heap, const struct gap *gap) {
    if (heap->count < heap->capacity) {
        heap->gaps[heap->count++] = *gap;
        sift_up(heap->gaps, heap->count - 1);
    } else if (comes_before(gap, &heap->gaps[0])) {
        heap->gaps[0] = *gap;
        sift_down(heap->gaps, heap->count);
    }
}

/* --- idle times ------------------------------------------------------------------------------- */

struct idle_times {
    bool (*keep)(void *context, const struct gap *gap, struct error *error);
    void *context;
    int64_t trace, time; /* of the last completion */
    bool begun;
    /* Those of the I/Os that have completed, by time; a later completion may be of an I/O that was
     * in flight then. */
    struct gap *open; /* owned */
    size_t open_count;
    int64_t settled; /* idle times before that stand */
    int64_t completes, asks[2];
    int64_t asked; /* when the first I/O since the last completion was; INT64_MAX: none was */
    struct in_flight in_flight;
};

struct idle_times *idle_times_new(bool (*keep)(void *context, const struct gap *gap,
                                               struct error *error),
                                  void *context) {
    struct idle_times *times = xcalloc(1, sizeof *times);

    if (times != NULL) {
        times->keep = keep;
        times->context = context;
        times->open = xmalloc(IDLE_OPEN * sizeof *times->open); /* most of it is never used */
    }
    if (times != NULL && times->open == NULL) {
        free(times);
        times = NULL;
    }
    return times;
}

void idle_times_free(struct idle_times *times) {
    if (times != NULL) {
        free(times->open);
        free(times);
    }
}

struct in_flight *idle_times_in_flight(struct idle_times *times) {
    return &times->in_flight;
}

void idle_times_asks(struct idle_times *times, const int64_t asks[2]) {
    times->asks[0] = asks[0];
    times->asks[1] = asks[1];
}

void idle_times_begin(struct idle_times *times, int64_t trace, int64_t completes,
                      const int64_t asks[2]) {
    times->trace = trace;
    times->begun = false;
    times->settled = INT64_MIN;
    times->asked = INT64_MAX;
    times->completes = completes;
    idle_times_asks(times, asks);
}

/* The oldest so many stand from now on. */
static bool settle(struct idle_times *times, size_t count, struct error *error) {
    for (size_t i = 0; i < count; i++) {
        if (!times->keep(times->context, &times->open[i], error)) {
            return false;
        }
        times->settled = times->open[i].end;
        times->in_flight.unanswered += times->open[i].unanswered;
    }
    times->open_count -= count;
    memmove(times->open, &times->open[count], times->open_count * sizeof *times->open);
    return true;
}

/* From then on, up to now, it was not idle. */
static void take_back(struct idle_times *times, int64_t from) {
    struct gap *open = times->open;

    if (from < times->settled) {
        times->in_flight.overlooked++;
    }
    while (times->open_count > 0 && open[times->open_count - 1].start >= from) {
        times->open_count--;
    }
    if (times->open_count > 0 && open[times->open_count - 1].end > from) {
        open[times->open_count - 1].end = from;
        open[times->open_count - 1].unanswered = false;
    }
}

/* Nothing was in flight from the last completion to `end`, or until an I/O was asked for before
 * that of which no completion tells. */
static bool add_idle(struct idle_times *times, int64_t end, struct error *error) {
    bool unanswered = times->asked < end;

    end = unanswered ? times->asked : end;
    if (end <= times->time) {
        return true;
    }
    if (times->open_count == IDLE_OPEN && !settle(times, IDLE_OPEN / 2, error)) {
        return false;
    }
    times->open[times->open_count++] = (struct gap){times->trace, times->time, end, unanswered};
    return true;
}

static bool visit_completion(struct idle_times *times, int64_t from, int64_t to,
                             struct error *error) {
    if (times->begun && from <= times->time) {
        take_back(times, from);
    } else if (times->begun && !add_idle(times, from, error)) {
        return false;
    }
    times->begun = true;
    times->time = to;
    times->asked = INT64_MAX;
    return true;
}

static void visit_other(struct idle_times *times, int64_t operation, int64_t time) {
    bool asks = operation == times->asks[0] || operation == times->asks[1];

    if (asks && time < times->asked) {
        times->asked = time;
    }
}

/* I/Os come in order of completion. */
static bool add_completion(struct idle_times *times, const struct event_columns *columns, size_t i,
                           struct error *error) {
    int64_t time = columns->time[i], length = 0, from;
    enum gap_since since = GAP_SINCE_COMPLETED;

    if (columns->response[i] >= 0) {
        since = GAP_SINCE_ASKED;
        length = columns->response[i];
    } else if (columns->duration[i] >= 0) {
        since = GAP_SINCE_ISSUED;
        length = columns->duration[i];
    }
    times->in_flight.since[since]++;
    if (__builtin_sub_overflow(time, length, &from)) {
        from = INT64_MIN; /* no importer writes such */
    }
    return visit_completion(times, from, time, error);
}

bool idle_times_add(struct idle_times *times, const struct event_columns *columns, size_t count,
                    struct error *error) {
    for (size_t i = 0; i < count; i++) {
        if (times->completes != EVENT_NONE && columns->operation[i] != times->completes) {
            visit_other(times, columns->operation[i], columns->time[i]);
        } else if (!add_completion(times, columns, i, error)) {
            return false;
        }
    }
    return true;
}

bool idle_times_end(struct idle_times *times, struct error *error) {
    return (!times->begun || times->asked == INT64_MAX || add_idle(times, INT64_MAX, error)) &&
           settle(times, times->open_count, error);
}

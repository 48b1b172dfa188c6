#include "scan/span_walk.h"

#include <stdlib.h>
#include "base/hash.h"

#include "base/text.h"
#include "model/event.h"
#include "scan/event_scan.h"
#include "scan/id_set.h"

/* Threads beyond which those are forgotten that have no open call, and at all. */
#define IDLE_THREADS 65536
#define MOST_THREADS (1 << 20)

/* Ids of names follow one another; only a damaged database has them so far apart. */
#define MOST_IDS (1 << 28)

struct walk_frame {
    int64_t end; /* time of the exit; INT64_MAX: not known */
    int32_t depth;
    void *calls[]; /* what each visitor returned; NULL: it has not entered */
};

struct walk_thread {
    uint32_t actor;
    int32_t under;     /* depth of the outermost open call that --under names; -1: none is open */
    int64_t under_end; /* time of its exit */
    char *frames;      /* owned; of the chosen calls that are open, walk.frame_size bytes each */
    size_t count, capacity;
    UT_hash_handle hh;
};

struct walk {
    const struct selection *selection;
    const struct span_visit *visits;
    size_t visit_count;
    size_t frame_size;           /* bytes of a struct walk_frame with the calls of all visitors */
    struct walk_thread *threads; /* owned hash table */
    struct walk_thread *last;    /* of the row before, which the next often has */
    size_t sweep_at;             /* so many threads: forget the idle ones */
    int64_t chosen_from;         /* ids before only lead there */
    bool by_operation, by_actor, by_under;
    struct id_set operations, actors, under;
    uint32_t *merged; /* owned: what operations from `merged_least` on are taken for */
    uint32_t merged_least;
    size_t merged_count, merged_capacity;
    struct error *error;
};

static void forget_thread(struct walk *walk, struct walk_thread *thread) {
    HASH_DEL(walk->threads, thread);
    free(thread->frames);
    free(thread);
}

static struct walk_frame *frame_at(const struct walk *walk, const struct walk_thread *thread,
                                   size_t i) {
    return (struct walk_frame *)(void *)(thread->frames + i * walk->frame_size);
}

static void leave_innermost(const struct walk *walk, struct walk_thread *thread) {
    const struct walk_frame *frame = frame_at(walk, thread, --thread->count);

    for (size_t i = 0; i < walk->visit_count; i++) {
        if (frame->calls[i] != NULL && walk->visits[i].visitor->leave != NULL) {
            walk->visits[i].visitor->leave(walk->visits[i].state, frame->calls[i]);
        }
    }
}

/* What is still open ends with the walk. */
static void free_threads(struct walk *walk) {
    while (walk->threads != NULL) {
        while (walk->threads->count > 0) {
            leave_innermost(walk, walk->threads);
        }
        forget_thread(walk, walk->threads);
    }
}

/* Rows of a later time cannot lie in calls that have ended: threads without others are forgotten.
 * Mostly there are few threads, and this never happens. */
static void forget_idle_threads(struct walk *walk, int64_t now) {
    struct walk_thread *next;

    for (struct walk_thread *thread = walk->threads; thread != NULL; thread = next) {
        next = thread->hh.next;
        while (thread->count > 0 && frame_at(walk, thread, thread->count - 1)->end < now) {
            leave_innermost(walk, thread);
        }
        if (thread->count == 0 && (thread->under < 0 || thread->under_end < now)) {
            forget_thread(walk, thread);
        }
    }
    walk->last = NULL;
    walk->sweep_at = 2 * (size_t)HASH_COUNT(walk->threads) + IDLE_THREADS;
}

static struct walk_thread *new_thread(struct walk *walk, uint32_t actor, int64_t now) {
    struct walk_thread *thread;

    if (HASH_COUNT(walk->threads) >= walk->sweep_at) {
        forget_idle_threads(walk, now);
    }
    if (HASH_COUNT(walk->threads) >= MOST_THREADS) {
        error_set(
            walk->error,
            "more than %d threads have open calls at once: choose a time with --from and --to",
            MOST_THREADS);
        return NULL;
    }
    thread = calloc(1, sizeof *thread);
    if (thread == NULL) {
        error_no_memory(walk->error);
        return NULL;
    }
    thread->actor = actor;
    thread->under = -1;
    HASH_ADD(hh, walk->threads, actor, sizeof actor, thread);
    if (!hash_added(thread)) {
        free(thread);
        error_no_memory(walk->error);
        return NULL;
    }
    return thread;
}

static struct walk_thread *find_thread(struct walk *walk, const struct span_row *row) {
    struct walk_thread *thread = walk->last;

    if (thread == NULL || thread->actor != row->actor) {
        HASH_FIND(hh, walk->threads, &row->actor, sizeof row->actor, thread);
        if (thread == NULL) {
            thread = new_thread(walk, row->actor, row->time);
        }
        walk->last = thread;
    }
    return thread;
}

/* Calls as deep as a new row, or deeper, have ended. */
static void leave_calls(const struct walk *walk, struct walk_thread *thread, int32_t depth) {
    if (depth <= thread->under) {
        thread->under = -1;
    }
    while (thread->count > 0 && frame_at(walk, thread, thread->count - 1)->depth >= depth) {
        leave_innermost(walk, thread);
    }
}

/* The frame of one more call, which no visitor has entered; NULL when out of memory. */
static struct walk_frame *push_frame(const struct walk *walk, struct walk_thread *thread,
                                     const struct span_row *row) {
    struct walk_frame *frame;

    if (thread->count == thread->capacity) {
        size_t capacity = thread->capacity == 0 ? 4 : 2 * thread->capacity;
        char *frames = realloc(thread->frames, capacity * walk->frame_size);

        if (frames == NULL) {
            error_no_memory(walk->error);
            return NULL;
        }
        thread->frames = frames;
        thread->capacity = capacity;
    }
    frame = frame_at(walk, thread, thread->count++);
    frame->end = row->end;
    frame->depth = row->depth;
    for (size_t i = 0; i < walk->visit_count; i++) {
        frame->calls[i] = NULL;
    }
    return frame;
}

static bool enter_call(const struct walk *walk, struct walk_thread *thread,
                       const struct span_row *row) {
    struct walk_frame *frame = push_frame(walk, thread, row);
    const struct walk_frame *caller =
        frame == NULL || thread->count < 2 ? NULL : frame_at(walk, thread, thread->count - 2);

    for (size_t i = 0; frame != NULL && i < walk->visit_count; i++) {
        const struct span_visit *visit = &walk->visits[i];

        if (visit->visitor->enter == NULL) {
            continue;
        }
        frame->calls[i] = visit->visitor->enter(
            visit->state, row, caller == NULL ? NULL : caller->calls[i], walk->error);
        if (frame->calls[i] == NULL) {
            return false;
        }
    }
    return frame != NULL;
}

static bool visit_row(const struct walk *walk, const struct span_row *row) {
    for (size_t i = 0; i < walk->visit_count; i++) {
        const struct span_visit *visit = &walk->visits[i];

        if (visit->visitor->row != NULL && !visit->visitor->row(visit->state, row, walk->error)) {
            return false;
        }
    }
    return true;
}

/* `chosen`: by the filters on single rows; `is_under`: its function is the one of --under. */
static bool visit(struct walk *walk, const struct span_row *row, bool chosen, bool is_under) {
    struct walk_thread *thread = find_thread(walk, row);
    bool is_call = span_is_call(row->flags);

    if (thread == NULL) {
        return false;
    }
    if (is_call) {
        leave_calls(walk, thread, row->depth);
        if (is_under && thread->under < 0) {
            thread->under = row->depth;
            thread->under_end = row->end;
        }
    } else if (row->depth <= thread->under) {
        thread->under = -1;
    }
    if (!chosen || (walk->by_under && thread->under < 0)) {
        return true;
    }
    return visit_row(walk, row) && (!is_call || enter_call(walk, thread, row));
}

/* Operations that are not merged stand for themselves. */
static bool add_merged(struct walk *walk, uint32_t operation, struct error *error) {
    if (walk->merged_count == walk->merged_capacity) {
        size_t capacity = walk->merged_capacity == 0 ? 256 : 2 * walk->merged_capacity;
        uint32_t *grown = realloc(walk->merged, capacity * sizeof *grown);

        if (grown == NULL) {
            return error_no_memory(error);
        }
        walk->merged = grown;
        walk->merged_capacity = capacity;
    }
    walk->merged[walk->merged_count++] = operation;
    return true;
}

/* The time at which a call ended, INT64_MAX when it is not known. */
static int64_t end_of(int64_t time, int64_t duration) {
    int64_t end;

    return duration == EVENT_NONE || __builtin_add_overflow(time, duration, &end) ? INT64_MAX : end;
}

static uint32_t merged(const struct walk *walk, uint32_t operation) {
    uint32_t place = operation - walk->merged_least;

    return place < walk->merged_count ? walk->merged[place] : operation;
}

static bool visit_event(struct walk *walk, const struct event_columns *columns, size_t i) {
    bool second = walk->selection->second_clock;
    uint32_t operation = columns->operation[i];
    struct span_row span = {
        .id = columns->id[i],
        .time = columns->time[i],
        .end = end_of(columns->time[i], columns->duration[i]),
        .operation = operation,
        .merged = merged(walk, operation),
        .actor = columns->actor[i],
        .object = columns->object == NULL ? 0 : columns->object[i],
        .flags = columns->flags[i],
        .depth = columns->depth[i] < 0 ? 0 : columns->depth[i],
        .duration = second ? columns->cpu_duration[i] : columns->duration[i],
        .self = second ? columns->cpu_self[i] : columns->self[i],
    };

    if (span.self == EVENT_NONE) {
        span.self = span.duration;
    }
    return visit(walk, &span,
                 span.id >= walk->chosen_from &&
                     (!walk->by_operation || id_set_has(&walk->operations, operation)) &&
                     (!walk->by_actor || id_set_has(&walk->actors, span.actor)),
                 walk->by_under && id_set_has(&walk->under, operation));
}

static bool visit_events(void *context, const struct event_columns *columns, size_t count,
                         struct error *error) {
    struct walk *walk = context;

    walk->error = error;
    for (size_t i = 0; i < count; i++) {
        if (!visit_event(walk, columns, i)) {
            return false;
        }
    }
    return true;
}

/* Reads what temp.merged_operation says of the trace's operations. */
static bool read_merged(struct walk *walk, int64_t trace, struct error *error) {
    sqlite3_stmt *select = scratch_prepare(
        walk->selection->scratch,
        "SELECT m.id, m.merged FROM main.name AS n CROSS JOIN temp.merged_operation AS m"
        " ON m.id = n.id WHERE n.trace = ?1 ORDER BY n.id",
        error);
    bool row = true, done = select != NULL;

    if (done) {
        sqlite3_bind_int64(select, 1, trace);
    }
    while (done && row) {
        uint32_t id;

        done = database_step(walk->selection->database, select, &row, error);
        if (!done || !row) {
            break;
        }
        id = (uint32_t)sqlite3_column_int64(select, 0);
        if (walk->merged_count == 0) {
            walk->merged_least = id;
        }
        if (id - walk->merged_least >= MOST_IDS) {
            done = error_set(error, "the ids of names lie too far apart: the database is damaged");
        }
        while (done && walk->merged_count <= id - walk->merged_least) {
            done = add_merged(walk, walk->merged_least + (uint32_t)walk->merged_count, error);
        }
        if (done) {
            walk->merged[id - walk->merged_least] = (uint32_t)sqlite3_column_int64(select, 1);
        }
    }
    sqlite3_finalize(select);
    return done;
}

static bool read_sets(struct walk *walk, bool only_under, int64_t trace, struct error *error) {
    const struct selection *selection = walk->selection;
    const struct filter *filter = &selection->filter;

    walk->by_operation = !only_under && filter_by_operation(filter);
    walk->by_actor = !only_under && filter_by_actor(filter);
    walk->by_under = filter->under != NULL;
    return (!walk->by_operation ||
            id_set_read(&walk->operations, selection, SELECTED_OPERATIONS, trace, error)) &&
           (!walk->by_actor ||
            id_set_read(&walk->actors, selection, SELECTED_ACTORS, trace, error)) &&
           (!walk->by_under ||
            id_set_read(&walk->under, selection, UNDER_OPERATIONS, trace, error));
}

/* The rows that have to pass: beneath --under they begin with the trace, for what is open when the
 * time window begins is beneath a function that was called earlier. */
static int64_t first_row(const struct selection *selection, const struct selected_trace *trace) {
    return selection->filter.under != NULL ? trace->trace->first_event : trace->first;
}

bool span_walk(const struct selection *selection, const struct selected_trace *trace,
               bool only_under, unsigned fields, const struct span_visit *visits, size_t count,
               struct error *error) {
    struct walk walk = {
        .selection = selection,
        .visits = visits,
        .visit_count = count,
        .frame_size = sizeof(struct walk_frame) + count * sizeof(void *),
        .chosen_from = trace->first,
        .sweep_at = IDLE_THREADS,
        .error = error,
    };
    /* Every row leads to the next: the walk itself does the choosing. */
    const struct event_scan scan = {
        .database = selection->database,
        .trace = trace->trace->id,
        .first = first_row(selection, trace),
        .last = trace->last,
        .action = EVENT_NONE,
        .fields = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_FLAGS | EVENT_DEPTH |
                  EVENT_SELF | fields | (selection->second_clock ? (unsigned)EVENT_CPU : 0),
        .visit = visit_events,
    };
    bool done = read_sets(&walk, only_under, scan.trace, error) &&
                (!selection->merges_operations || read_merged(&walk, scan.trace, error)) &&
                event_scan_in_order(&scan, &walk, error);

    free_threads(&walk);
    id_set_free(&walk.operations);
    id_set_free(&walk.actors);
    id_set_free(&walk.under);
    free(walk.merged);
    return done;
}

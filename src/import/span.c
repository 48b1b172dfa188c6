#include "import/span.h"

#include <stdlib.h>
#include <string.h>

#include "base/saturate.h"
#include "import/about.h"
#include "import/context.h"
#include "import/emit.h"

static const char too_many_open[] = "more than 1048576 calls open at once";

/* Threads without open calls are forgotten beyond so many. */
#define IDLE_THREADS 65536

/* An open call. */
struct frame {
    int64_t serial; /* of its row */
    struct span_times_row *function;
    int64_t time, cpu;
    int64_t callees, cpu_callees; /* their durations */
    int64_t size;
    uint32_t outer; /* the next outer call of the same function: as span_times_row.open */
    bool has_arguments;
};

struct thread {
    uint32_t actor;
    int64_t time, cpu;    /* of its last record */
    struct frame *frames; /* owned */
    size_t depth, capacity;
    uint32_t rejected; /* entries on top of the stack that found no room */
    UT_hash_handle hh;
};

struct span_tracker {
    struct thread *threads; /* owned hash table */
    struct thread *last;    /* the thread of the last record, which the next often has */
    struct span_times times;
    bool crowded; /* more functions and threads than a rollup may have */
    size_t open;
    int64_t last_time; /* of any record */
    int64_t backwards, missing, strays;
};

struct span_tracker *span_tracker_new(void) {
    struct span_tracker *tracker = calloc(1, sizeof *tracker);

    if (tracker != NULL) {
        tracker->last_time = EVENT_NONE;
    }
    return tracker;
}

int64_t span_tracker_last_time(const struct span_tracker *tracker) {
    return tracker->last_time;
}

static void forget_thread(struct span_tracker *tracker, struct thread *thread) {
    HASH_DEL(tracker->threads, thread);
    free(thread->frames);
    free(thread);
}

void span_tracker_free(struct span_tracker *tracker) {
    if (tracker == NULL) {
        return;
    }
    while (tracker->threads != NULL) {
        forget_thread(tracker, tracker->threads);
    }
    span_times_free(&tracker->times);
    free(tracker);
}

struct span_times *span_tracker_times(struct span_tracker *tracker) {
    return &tracker->times;
}

/* --- threads -------------------------------------------------------------------------------- */

/* A log may name more threads than there were: those that have no open call need no memory. */
static void forget_idle_threads(struct span_tracker *tracker) {
    struct thread *next;

    for (struct thread *thread = tracker->threads; thread != NULL; thread = next) {
        next = thread->hh.next;
        /* The exits of entries that found no room are stray ones then. */
        if (thread->depth == 0) {
            forget_thread(tracker, thread);
        }
    }
}

static struct thread *new_thread(struct span_tracker *tracker, uint32_t actor) {
    struct thread *thread;

    if (HASH_COUNT(tracker->threads) >= IDLE_THREADS + 2 * tracker->open) {
        forget_idle_threads(tracker);
    }
    thread = calloc(1, sizeof *thread);
    if (thread != NULL) {
        thread->actor = actor;
        thread->time = thread->cpu = INT64_MIN;
        HASH_ADD(hh, tracker->threads, actor, sizeof actor, thread);
    }
    return thread;
}

bool span_tracker_resume(struct span_tracker *tracker, uint32_t actor, int64_t time) {
    struct thread *thread = new_thread(tracker, actor);

    if (thread != NULL) {
        thread->time = time;
    }
    return thread != NULL;
}

/* The thread of a record, whose times are moved up to where the thread was already. */
static struct thread *follow_thread(struct import *import, struct span_record *record) {
    struct span_tracker *tracker = import->spans;
    struct thread *thread = tracker->last;

    if (thread == NULL || thread->actor != record->actor) {
        HASH_FIND(hh, tracker->threads, &record->actor, sizeof record->actor, thread);
        if (thread == NULL && (thread = new_thread(tracker, record->actor)) == NULL) {
            error_no_memory(import->run->error);
            return NULL;
        }
        tracker->last = thread;
    }
    if (record->time < thread->time || (record->cpu != EVENT_NONE && record->cpu < thread->cpu)) {
        tracker->backwards++;
    }
    thread->time = record->time = record->time < thread->time ? thread->time : record->time;
    if (record->time > tracker->last_time) {
        tracker->last_time = record->time;
    }
    if (record->cpu != EVENT_NONE) {
        thread->cpu = record->cpu = record->cpu < thread->cpu ? thread->cpu : record->cpu;
    }
    return thread;
}

/* --- functions ------------------------------------------------------------------------------ */

/* With more functions and threads than the rollup can have it is given up, and only what is needed
 * to follow the stacks is kept. */
static void bound_functions(struct span_tracker *tracker) {
    struct span_times_row *next;

    tracker->crowded = true;
    for (struct span_times_row *row = tracker->times.rows; row != NULL; row = next) {
        next = row->hh.next;
        if (row->open == 0) {
            HASH_DEL(tracker->times.rows, row);
            free(row);
        }
    }
}

static struct span_times_row *find_function(struct import *import,
                                            const struct span_record *record) {
    struct span_tracker *tracker = import->spans;
    struct span_times_row *row;

    if (span_times_count(&tracker->times) >= TALLY_ROWS + 2 * tracker->open) {
        bound_functions(tracker);
        import->spans_complete = false;
    }
    row = span_times_row(&tracker->times, record->operation, record->actor);
    if (row == NULL) {
        error_no_memory(import->run->error);
    }
    return row;
}

/* --- rows ----------------------------------------------------------------------------------- */

static struct event *new_row(struct import *import, const struct thread *thread,
                             const struct span_record *record, uint32_t flags) {
    struct event *event = import_event(import);

    if (event == NULL) {
        return NULL;
    }
    event->time = record->time;
    event->operation = record->operation;
    event->actor = record->actor;
    event->object = record->object;
    event->flags = flags;
    event->size = record->size;
    event->value = flags & SPAN_STRAY_EXIT ? record->value : EVENT_NONE;
    event->depth = (int32_t)thread->depth;
    event->parent = thread->depth == 0 ? EVENT_NONE : thread->frames[thread->depth - 1].serial;
    return event;
}

static bool add_arguments(struct import *import, struct event *event,
                          const struct span_record *record) {
    return record->arguments_size == 0 ||
           import_arguments(import, event, record->arguments, record->arguments_size) != NULL;
}

/* The size is only known when a call has ended, so it is counted then. */
static bool count_row(struct import *import, const struct frame *frame, const struct event *row) {
    struct event counted = *row;

    counted.time = frame->time;
    counted.operation = frame->function->key.operation;
    counted.actor = frame->function->key.actor;
    counted.size = frame->size;
    return emit_count(import, &counted);
}

/* --- entry ---------------------------------------------------------------------------------- */

static bool push(struct import *import, struct thread *thread, const struct frame *frame) {
    if (thread->depth == thread->capacity) {
        size_t capacity = thread->capacity == 0 ? 8 : 2 * thread->capacity;
        struct frame *frames = realloc(thread->frames, capacity * sizeof *frames);

        if (frames == NULL) {
            return error_no_memory(import->run->error);
        }
        thread->frames = frames;
        thread->capacity = capacity;
    }
    thread->frames[thread->depth++] = *frame;
    frame->function->open = (uint32_t)thread->depth;
    import->spans->open++;
    return true;
}

bool import_entry(struct import *import, const struct span_record *given, int64_t offset,
                  int64_t bytes) {
    struct span_record record = *given;
    struct thread *thread = follow_thread(import, &record);
    struct frame frame;
    struct event *event;

    if (thread == NULL) {
        return false;
    }
    if (import->spans->open == SPAN_OPEN_LIMIT || thread->rejected > 0) {
        import_rejected(import, too_many_open, offset, bytes);
        thread->rejected++;
        return true;
    }
    frame = (struct frame){
        .function = find_function(import, &record),
        .time = record.time,
        .cpu = record.cpu,
        .size = record.size,
        .has_arguments = record.arguments_size > 0,
    };
    if (frame.function == NULL) {
        return false;
    }
    frame.outer = frame.function->open;
    frame.function->calls++;
    /* It is open until its exit is read. */
    event = new_row(import, thread, &record, SPAN_OPEN | (frame.outer > 0 ? SPAN_RECURSIVE : 0));
    if (event == NULL || !add_arguments(import, event, &record)) {
        return false;
    }
    frame.serial = import->rows - 1;
    return push(import, thread, &frame);
}

/* --- exit ----------------------------------------------------------------------------------- */

static int64_t since(int64_t begin, int64_t end) {
    int64_t duration;

    return __builtin_sub_overflow(end, begin, &duration) ? INT64_MAX : duration;
}

/* Self time: EVENT_NONE where it is the duration. */
static int64_t self_time(int64_t duration, int64_t callees) {
    return callees == 0 ? EVENT_NONE : duration < callees ? 0 : duration - callees;
}

static void add_time(struct span_times_row *function, enum span_clock clock, int64_t duration,
                     int64_t self, bool outermost) {
    span_times_add(&function->clocks[clock], duration, self == EVENT_NONE ? duration : self,
                   outermost);
}

/* What the end of a call says. */
static struct ending make_ending(const struct import *import, const struct frame *frame,
                                 const struct span_record *record, uint32_t flags) {
    struct ending ending = {
        .serial = frame->serial,
        .duration = EVENT_NONE,
        .self = EVENT_NONE,
        .cpu_duration = EVENT_NONE,
        .cpu_self = EVENT_NONE,
        .value = EVENT_NONE,
        .size = frame->size,
        .flags = flags | (frame->outer > 0 ? SPAN_RECURSIVE : 0),
    };

    if (import->run->clock.clocks[0] != '\0') {
        ending.duration = since(frame->time, record->time);
        ending.self = self_time(ending.duration, frame->callees);
    }
    if (frame->cpu != EVENT_NONE && record->cpu != EVENT_NONE) {
        ending.cpu_duration = since(frame->cpu, record->cpu);
        ending.cpu_self = self_time(ending.cpu_duration, frame->cpu_callees);
    }
    return ending;
}

/* Argument bytes of the exit, with what stands for those of an entry that had none. */
static bool ending_arguments(struct import *import, struct batch *batch, const struct frame *frame,
                             const struct span_record *record, struct ending *ending) {
    size_t before = frame->has_arguments ? 0 : 1;
    uint8_t *memory;

    if (record->arguments_size == 0) {
        return true;
    }
    memory = batch_memory(batch, before + record->arguments_size);
    if (memory == NULL) {
        return error_no_memory(import->run->error);
    }
    memory[0] = record->no_arguments;
    memcpy(memory + before, record->arguments, record->arguments_size);
    ending->arguments = memory;
    ending->arguments_size = (uint32_t)before + record->arguments_size;
    return true;
}

/* Writes the end into the row, which is still here, in `batch`. */
static bool complete_row(struct import *import, struct batch *batch, struct event *event,
                         const struct ending *ending) {
    event->duration = ending->duration;
    event->self = ending->self;
    event->cpu_duration = ending->cpu_duration;
    event->cpu_self = ending->cpu_self;
    event->value = ending->value;
    event->size = ending->size;
    event->flags = ending->flags;
    if (ending->arguments_size > 0) {
        uint8_t *both = batch_memory(batch, (size_t)event->arguments_size + ending->arguments_size);

        if (both == NULL) {
            return error_no_memory(import->run->error);
        }
        if (event->arguments_size > 0) {
            memcpy(both, event->arguments, event->arguments_size);
        }
        memcpy(both + event->arguments_size, ending->arguments, ending->arguments_size);
        event->arguments = both;
        event->arguments_size += ending->arguments_size;
    }
    return true;
}

static bool write_ending(struct import *import, const struct frame *frame,
                         const struct span_record *record, struct ending *ending) {
    struct batch *batch;
    struct event *event = emit_row(import, frame->serial, &batch);

    if (event == NULL && (batch = emit_batch(import)) == NULL) {
        return false;
    }
    if (!ending_arguments(import, batch, frame, record, ending)) {
        return false;
    }
    return event != NULL ? complete_row(import, batch, event, ending)
                         : batch_add_ending(batch, ending) || error_no_memory(import->run->error);
}

/* Takes the innermost call off the stack. `own`: the exit is this call's. */
static bool pop(struct import *import, struct thread *thread, const struct span_record *record,
                bool own) {
    static const struct span_record nothing = {.value = EVENT_NONE};
    struct frame frame = thread->frames[--thread->depth];
    struct frame *caller = thread->depth == 0 ? NULL : &thread->frames[thread->depth - 1];
    struct ending ending =
        make_ending(import, &frame, record, own ? record->flags : SPAN_EXIT_MISSING);

    import->spans->open--;
    frame.function->open = frame.outer;
    if (own) {
        ending.value = record->value;
        if (record->size != EVENT_NONE) {
            ending.size = frame.size == EVENT_NONE ? record->size : frame.size + record->size;
        }
    }
    frame.size = ending.size;
    if (ending.duration != EVENT_NONE) {
        add_time(frame.function, SPAN_WALL, ending.duration, ending.self, frame.outer == 0);
        if (caller != NULL) {
            add_saturated(&caller->callees, ending.duration);
        }
    }
    if (ending.cpu_duration != EVENT_NONE) {
        add_time(frame.function, SPAN_CPU, ending.cpu_duration, ending.cpu_self, frame.outer == 0);
        if (caller != NULL) {
            add_saturated(&caller->cpu_callees, ending.cpu_duration);
        }
    }
    return count_row(import, &frame,
                     &(struct event){.flags = ending.flags, .depth = (int32_t)thread->depth}) &&
           write_ending(import, &frame, own ? record : &nothing, &ending);
}

static bool stray_exit(struct import *import, const struct thread *thread,
                       const struct span_record *record) {
    struct event *event = new_row(import, thread, record, SPAN_STRAY_EXIT | record->flags);
    struct span_record arguments = *record;

    import->spans->strays++;
    if (event == NULL || !emit_count(import, event)) {
        return false;
    }
    return add_arguments(import, event, &arguments);
}

bool import_exit(struct import *import, const struct span_record *given, int64_t offset,
                 int64_t bytes) {
    struct span_record record = *given;
    struct thread *thread = follow_thread(import, &record);
    const struct span_times_row *function;
    size_t open;

    if (thread == NULL) {
        return false;
    }
    if (thread->rejected > 0) {
        import_rejected(import, too_many_open, offset, bytes);
        thread->rejected--;
        return true;
    }
    /* Mostly it is that of the innermost call. */
    if (thread->depth > 0 &&
        thread->frames[thread->depth - 1].function->key.operation == record.operation) {
        import->events++;
        return pop(import, thread, &record, true);
    }
    function = find_function(import, &record);
    if (function == NULL) {
        return false;
    }
    open = function->open;
    if (open == 0) {
        return stray_exit(import, thread, &record);
    }
    while (thread->depth > open) {
        import->spans->missing++;
        if (!pop(import, thread, &record, false)) {
            return false;
        }
    }
    import->events++;
    return pop(import, thread, &record, true);
}

/* --- data, and the end ------------------------------------------------------------------------ */

bool import_data(struct import *import, const struct span_record *given) {
    struct span_record record = *given;
    const struct thread *thread = follow_thread(import, &record);
    struct event *event;

    if (thread == NULL) {
        return false;
    }
    event = new_row(import, thread, &record, SPAN_DATA);
    return event != NULL && emit_count(import, event) && add_arguments(import, event, &record);
}

/* Their rows say already that they are open. */
static bool count_open(struct import *import) {
    for (const struct thread *thread = import->spans->threads; thread != NULL;
         thread = thread->hh.next) {
        for (size_t i = 0; i < thread->depth; i++) {
            const struct frame *frame = &thread->frames[i];
            struct event row = {
                .flags = SPAN_OPEN | (frame->outer > 0 ? SPAN_RECURSIVE : 0),
                .depth = (int32_t)i,
            };

            if (!count_row(import, frame, &row)) {
                return false;
            }
        }
    }
    return true;
}

bool span_tracker_finish(struct import *import) {
    const struct span_tracker *tracker = import->spans;

    if (!count_open(import)) {
        return false;
    }
    if (tracker->backwards > 0) {
        import_remark(import,
                      "earlier than the record before in the thread, and given its time: %lld "
                      "records",
                      (long long)tracker->backwards);
    }
    if (tracker->missing > 0) {
        import_remark(import, "without an exit of their own, ended with their callers: %lld calls",
                      (long long)tracker->missing);
    }
    if (tracker->strays > 0) {
        import_remark(import, "without an entry, kept and not counted as calls: %lld exits",
                      (long long)tracker->strays);
    }
    if (tracker->open > 0) {
        import_remark(import, "still open at the end, counted without a duration: %lld calls",
                      (long long)tracker->open);
    }
    return true;
}

#include "report/dump_spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "scan/event_scan.h"

/* Deeper calls are not indented further: the depth is told instead. */
#define MOST_INDENTED 48

/* Threads beyond which those without open calls are forgotten. */
#define IDLE_THREADS 65536

/* A call whose exit has not been written yet. */
struct open_call {
    struct event event;
    int64_t end;             /* time of the exit; EVENT_NONE: not known */
    size_t arguments_offset; /* of its arguments among those of the thread */
};

struct dump_thread {
    uint32_t actor;
    struct open_call *calls; /* owned */
    size_t count, capacity;
    struct text arguments; /* of all open calls, one after another */
    size_t place;          /* in the heap and 1; 0: not in it */
    UT_hash_handle hh;
};

struct span_dump {
    struct database *database;
    const struct catalog_trace *trace;
    const struct importer *importer;
    struct dump_lines *lines;
    struct name_cache functions, threads, objects;
    struct dump_thread *table; /* owned hash table */
    struct dump_thread *last;  /* of the row before */
    size_t sweep_at;           /* so many threads: forget those without open calls */
    /* Threads whose innermost call has a known end, the earliest first. */
    struct dump_thread **heap; /* owned */
    size_t heap_count, heap_capacity;
    struct text detail;
    int64_t events, event_count; /* wanted (0: all), and seen */
    bool enough;
};

/* --- which call ends next -------------------------------------------------------------------- */

static const struct open_call *innermost(const struct dump_thread *thread) {
    return &thread->calls[thread->count - 1];
}

static bool ends_before(const struct dump_thread *left, const struct dump_thread *right) {
    int64_t a = innermost(left)->end, b = innermost(right)->end;

    return a != b ? a < b : left->actor < right->actor;
}

static void place(struct span_dump *dump, size_t at, struct dump_thread *thread) {
    dump->heap[at] = thread;
    thread->place = at + 1;
}

static void sift_up(struct span_dump *dump, size_t at) {
    struct dump_thread *thread = dump->heap[at];

    while (at > 0 && ends_before(thread, dump->heap[(at - 1) / 2])) {
        place(dump, at, dump->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    place(dump, at, thread);
}

static void sift_down(struct span_dump *dump, size_t at) {
    struct dump_thread *thread = dump->heap[at];

    for (;;) {
        size_t child = 2 * at + 1;

        if (child + 1 < dump->heap_count && ends_before(dump->heap[child + 1], dump->heap[child])) {
            child++;
        }
        if (child >= dump->heap_count || !ends_before(dump->heap[child], thread)) {
            break;
        }
        place(dump, at, dump->heap[child]);
        at = child;
    }
    place(dump, at, thread);
}

/* The innermost call of the thread has changed. */
static bool update_heap(struct span_dump *dump, struct dump_thread *thread, struct error *error) {
    bool wanted = thread->count > 0 && innermost(thread)->end != EVENT_NONE;
    size_t at = thread->place - 1;

    if (!wanted && thread->place == 0) {
        return true;
    }
    if (!wanted) {
        struct dump_thread *moved = dump->heap[--dump->heap_count];

        thread->place = 0;
        if (moved != thread) {
            place(dump, at, moved);
            sift_up(dump, at);
            sift_down(dump, moved->place - 1);
        }
        return true;
    }
    if (thread->place == 0) {
        if (dump->heap_count == dump->heap_capacity) {
            size_t capacity = dump->heap_capacity == 0 ? 16 : 2 * dump->heap_capacity;
            struct dump_thread **heap = realloc(dump->heap, capacity * sizeof *heap);

            if (heap == NULL) {
                return error_no_memory(error);
            }
            dump->heap = heap;
            dump->heap_capacity = capacity;
        }
        at = dump->heap_count++;
        place(dump, at, thread);
    }
    sift_up(dump, at);
    sift_down(dump, thread->place - 1);
    return true;
}

/* --- one line ----------------------------------------------------------------------------------
 */

/* What stands for a record: an entry, an exit (one that is missing as well), data, an open call. */
static const char *mark_of(const struct event *event, enum dump_moment moment) {
    return moment == DUMP_DATA        ? ": "
           : moment == DUMP_ENTRY     ? "> "
           : event->flags & SPAN_OPEN ? "? "
                                      : "< ";
}

static void append_indent(struct text *detail, int32_t depth) {
    static const char blanks[2 * MOST_INDENTED + 1] =
        "                                                "
        "                                                ";
    int32_t levels = depth < MOST_INDENTED ? depth : MOST_INDENTED;

    text_append(detail, blanks, levels < 0 ? 0 : 2 * (size_t)levels);
    if (depth > MOST_INDENTED) {
        text_append_char(detail, '(');
        text_append_integer(detail, depth);
        text_append_string(detail, ") ");
    }
}

static void append_duration(const struct span_dump *dump, int64_t duration, struct text *detail) {
    text_append_string(detail, " [");
    if (catalog_real_clock(dump->trace)) {
        text_append_seconds(detail, duration);
    } else {
        text_append_integer(detail, duration);
    }
    text_append_char(detail, ']');
}

static void append_exit(const struct span_dump *dump, const struct dump_event *event,
                        struct text *detail) {
    uint32_t flags = event->event.flags;

    if (flags & SPAN_OPEN) {
        text_append_string(detail, " open at the end");
        return;
    }
    text_append_string(detail, flags & SPAN_STRAY_EXIT     ? " stray exit"
                               : flags & SPAN_EXIT_MISSING ? " exit missing"
                               : flags & SPAN_EXCEPTION    ? " exception"
                                                           : "");
    if (dump->importer != NULL && dump->importer->dump_span != NULL) {
        dump->importer->dump_span(event, DUMP_EXIT, detail);
    }
    if (event->event.duration != EVENT_NONE) {
        append_duration(dump, event->event.duration, detail);
    }
}

static bool write_line(struct span_dump *dump, const struct event *event, int64_t time,
                       enum dump_moment moment, struct error *error) {
    struct dump_event full = {.event = *event, .arguments_size = event->arguments_size};
    struct text *detail = &dump->detail;
    struct name_cache_text name, thread, object;

    if (!name_cache_find(&dump->functions, event->operation, &name, error) ||
        !name_cache_find(&dump->threads, event->actor, &thread, error)) {
        return false;
    }
    if (event->object != 0) {
        if (!name_cache_find(&dump->objects, event->object, &object, error)) {
            return false;
        }
        full.object = object.raw;
        full.object_length = object.raw_length;
    }
    text_clear(detail);
    append_indent(detail, event->depth);
    text_append(detail, mark_of(event, moment), 2);
    text_append(detail, name.bytes, name.length);
    if (moment == DUMP_EXIT) {
        append_exit(dump, &full, detail);
    } else if (dump->importer != NULL && dump->importer->dump_span != NULL) {
        dump->importer->dump_span(&full, moment, detail);
    }
    return dump->lines->write(dump->lines->context,
                              &(struct dump_line){
                                  .time = time,
                                  .size = event->size,
                                  .thread = &thread,
                                  .name = &name,
                                  .detail = detail,
                              },
                              error);
}

/* --- entries and exits in order of time ---------------------------------------------------------
 */

/* Writes the exit of the innermost call and takes it off the stack. */
static bool end_innermost(struct span_dump *dump, struct dump_thread *thread, struct error *error) {
    struct open_call call = thread->calls[--thread->count];
    bool done;

    call.event.arguments = call.event.arguments_size == 0
                               ? NULL
                               : (const uint8_t *)thread->arguments.bytes + call.arguments_offset;
    done = write_line(dump, &call.event, call.end, DUMP_EXIT, error);
    thread->arguments.length = call.arguments_offset;
    return done && update_heap(dump, thread, error);
}

static void forget_thread(struct span_dump *dump, struct dump_thread *thread) {
    HASH_DEL(dump->table, thread);
    text_free(&thread->arguments);
    free(thread->calls);
    free(thread);
}

/* A log may name more threads than there were: those without open calls need no memory. They are
 * not in the heap. */
static void forget_idle_threads(struct span_dump *dump) {
    struct dump_thread *next;

    for (struct dump_thread *thread = dump->table; thread != NULL; thread = next) {
        next = thread->hh.next;
        if (thread->count == 0) {
            forget_thread(dump, thread);
        }
    }
    dump->last = NULL;
    dump->sweep_at = 2 * (size_t)HASH_COUNT(dump->table) + IDLE_THREADS;
}

static struct dump_thread *find_thread(struct span_dump *dump, uint32_t actor,
                                       struct error *error) {
    struct dump_thread *thread = dump->last;

    if (thread != NULL && thread->actor == actor) {
        return thread;
    }
    HASH_FIND(hh, dump->table, &actor, sizeof actor, thread);
    if (thread == NULL) {
        if (HASH_COUNT(dump->table) >= dump->sweep_at) {
            forget_idle_threads(dump);
        }
        thread = calloc(1, sizeof *thread);
        if (thread == NULL) {
            error_no_memory(error);
            return NULL;
        }
        thread->actor = actor;
        HASH_ADD(hh, dump->table, actor, sizeof actor, thread);
        if (!hash_added(thread)) {
            free(thread);
            error_no_memory(error);
            return NULL;
        }
    }
    dump->last = thread;
    return thread;
}

static bool push_call(struct span_dump *dump, struct dump_thread *thread, const struct event *event,
                      struct error *error) {
    int64_t end;

    if (thread->count == thread->capacity) {
        size_t capacity = thread->capacity == 0 ? 4 : 2 * thread->capacity;
        struct open_call *calls = realloc(thread->calls, capacity * sizeof *calls);

        if (calls == NULL) {
            return error_no_memory(error);
        }
        thread->calls = calls;
        thread->capacity = capacity;
    }
    if (event->duration == EVENT_NONE ||
        __builtin_add_overflow(event->time, event->duration, &end)) {
        end = EVENT_NONE;
    }
    thread->calls[thread->count++] = (struct open_call){*event, end, thread->arguments.length};
    text_append(&thread->arguments, (const char *)event->arguments, event->arguments_size);
    return (!thread->arguments.failed || error_no_memory(error)) &&
           update_heap(dump, thread, error);
}

/* The exits that come before a row: those of earlier times, and in its own thread those of calls
 * that it does not lie in. */
static bool write_exits_before(struct span_dump *dump, const struct dump_thread *own,
                               const struct event *event, struct error *error) {
    while (dump->heap_count > 0 && innermost(dump->heap[0])->end < event->time) {
        if (!end_innermost(dump, dump->heap[0], error)) {
            return false;
        }
    }
    while (own->count > 0 && innermost(own)->event.depth >= event->depth) {
        if (!end_innermost(dump, dump->last, error)) {
            return false;
        }
    }
    return true;
}

static bool write_row(struct span_dump *dump, const struct event *event, struct error *error) {
    struct dump_thread *thread = find_thread(dump, event->actor, error);

    if (thread == NULL || !write_exits_before(dump, thread, event, error)) {
        return false;
    }
    if (!span_is_call(event->flags)) {
        return write_line(dump, event, event->time,
                          event->flags & SPAN_DATA ? DUMP_DATA : DUMP_EXIT, error);
    }
    return write_line(dump, event, event->time, DUMP_ENTRY, error) &&
           push_call(dump, thread, event, error);
}

/* Behind the last row: the exits whose times are known, then what has none. */
static bool write_rest(struct span_dump *dump, struct error *error) {
    while (dump->heap_count > 0) {
        if (!end_innermost(dump, dump->heap[0], error)) {
            return false;
        }
    }
    for (struct dump_thread *thread = dump->table; thread != NULL; thread = thread->hh.next) {
        while (thread->count > 0) {
            if (!end_innermost(dump, thread, error)) {
                return false;
            }
        }
    }
    return true;
}

/* --- a trace ------------------------------------------------------------------------------------
 */

static bool open_dump(struct span_dump *dump, struct error *error) {
    return name_cache_open(&dump->functions, dump->database,
                           "SELECT text FROM main.name WHERE id = ?1", error) &&
           name_cache_open(&dump->objects, dump->database,
                           "SELECT name FROM main.object WHERE id = ?1", error) &&
           name_cache_open(&dump->threads, dump->database,
                           "SELECT CASE WHEN name IS NULL THEN CAST(tid AS TEXT)"
                           " ELSE name || ' (' || tid || ')' END FROM main.actor WHERE id = ?1",
                           error);
}

static void close_dump(struct span_dump *dump) {
    while (dump->table != NULL) {
        forget_thread(dump, dump->table);
    }
    free(dump->heap);
    text_free(&dump->detail);
    name_cache_close(&dump->functions);
    name_cache_close(&dump->threads);
    name_cache_close(&dump->objects);
}

static bool write_events(void *context, const struct event_columns *columns, size_t count,
                         struct error *error) {
    struct span_dump *dump = context;

    for (size_t i = 0; i < count; i++) {
        struct event event = EVENT_EMPTY;

        if (dump->events > 0 && dump->event_count++ == dump->events) {
            dump->enough = true;
            return false;
        }
        event_columns_take(columns, i, &event);
        event.depth = event.depth < 0 ? 0 : event.depth;
        if (!write_row(dump, &event, error)) {
            return false;
        }
    }
    return true;
}

bool dump_spans(const struct selection *selection, int64_t events, struct dump_lines *lines,
                struct error *error) {
    const struct selected_trace *selected = &selection->traces[0];
    struct span_dump dump = {
        .database = selection->database,
        .trace = selected->trace,
        .importer = importer_find(selected->trace->format),
        .lines = lines,
        .sweep_at = IDLE_THREADS,
        .events = events,
    };
    struct event_scan scan;
    bool done;

    event_scan_init(&scan, selection, selected);
    scan.fields = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |
                  EVENT_SIZE | EVENT_VALUE | EVENT_DEPTH | EVENT_ARGUMENTS;
    scan.visit = write_events;
    done = open_dump(&dump, error) && (event_scan_in_order(&scan, &dump, error) || dump.enough) &&
           write_rest(&dump, error);
    close_dump(&dump);
    return done || lines->enough;
}

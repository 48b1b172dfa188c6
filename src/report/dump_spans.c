/* Dumps traces of kind spans: two lines for each call, for entry and exit, indented by depth. */
#include "report/dump.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/call_stacks.h"
#include "scan/event_scan.h"
#include "select/functions.h"
#include "store/column_table.h"

/* --- cache of names --------------------------------------------------------------------------- */

/* Limit of entries in a cache, to bound memory; beyond it, the cache is cleared. */
#define MOST_ENTRIES 65536

struct name_cache_entry {
    uint32_t id;
    struct text escaped, raw, kind; /* owned */
    int64_t numbers[3];
    UT_hash_handle hh;
};

bool name_cache_open(struct name_cache *cache, struct database *database, const char *sql,
                     struct error *error) {
    *cache = (struct name_cache){
        .database = database,
        .find = database_prepare(database, sql, error),
    };
    return cache->find != NULL;
}

static void free_entry(struct name_cache_entry *entry) {
    text_free(&entry->raw);
    text_free(&entry->escaped);
    text_free(&entry->kind);
    free(entry);
}

static void dump_spans_clear_all(struct name_cache *cache) {
    while (cache->entries != NULL) {
        struct name_cache_entry *entry = cache->entries;

        HASH_DEL(cache->entries, entry);
        free_entry(entry);
    }
    cache->last = NULL;
}

void name_cache_close(struct name_cache *cache) {
    sqlite3_finalize(cache->find);
    cache->find = NULL;
    dump_spans_clear_all(cache);
}

static void dump_spans_read_rest(const struct name_cache *cache, struct name_cache_entry *entry) {
    int columns = sqlite3_column_count(cache->find);
    const char *kind = columns > 4 ? (const char *)sqlite3_column_text(cache->find, 4) : NULL;

    for (int i = 0; i < 3; i++) {
        entry->numbers[i] =
            columns > i + 1 ? database_column_optional(cache->find, i + 1) : INT64_MIN;
    }
    text_append_string(&entry->kind, kind == NULL ? "" : kind);
}

static bool dump_spans_find_name(struct name_cache *cache, struct name_cache_entry *entry,
                                 struct error *error) {
    bool row, done;

    sqlite3_bind_int64(cache->find, 1, entry->id);
    done = database_step(cache->database, cache->find, &row, error);
    if (done && row) {
        const char *bytes = (const char *)sqlite3_column_text(cache->find, 0);

        size_t length = (size_t)sqlite3_column_bytes(cache->find, 0);

        text_append(&entry->raw, bytes == NULL ? "" : bytes, length);
        text_append_escaped(&entry->escaped, bytes == NULL ? "" : bytes, length);
        dump_spans_read_rest(cache, entry);
    }
    sqlite3_reset(cache->find);
    return done;
}

static struct name_cache_entry *add_entry(struct name_cache *cache, uint32_t id,
                                          struct error *error) {
    struct name_cache_entry *entry = xcalloc(1, sizeof *entry);

    entry->id = id;
    entry->numbers[0] = entry->numbers[1] = entry->numbers[2] = INT64_MIN;
    if (!dump_spans_find_name(cache, entry, error)) {
        free_entry(entry);
        return NULL;
    }
    if (HASH_COUNT(cache->entries) >= MOST_ENTRIES) {
        dump_spans_clear_all(cache);
    }
    HASH_ADD(hh, cache->entries, id, sizeof entry->id, entry);
    return entry;
}

bool name_cache_find(struct name_cache *cache, uint32_t id, struct name_cache_text *text,
                     struct error *error) {
    const struct name_cache_entry *entry = cache->last;

    if (entry == NULL || entry->id != id) {
        HASH_FIND(hh, cache->entries, &id, sizeof id, entry);
        if (entry == NULL && (entry = add_entry(cache, id, error)) == NULL) {
            return false;
        }
        cache->last = entry;
    }
    *text = (struct name_cache_text){
        .bytes = text_string(&entry->escaped),
        .length = entry->escaped.length,
        .raw = text_string(&entry->raw),
        .raw_length = entry->raw.length,
        .numbers = {entry->numbers[0], entry->numbers[1], entry->numbers[2]},
        .kind = text_string(&entry->kind),
    };
    return true;
}

/* Limit of indentation levels. For deeper calls, the depth is written as a number. */
#define MOST_INDENTED 48

/* A call whose entry was written, but not yet its exit. */
struct open_call {
    struct event event;
    int64_t id;              /* event.id */
    int64_t end;             /* time of the exit; EVENT_NONE: unknown, or open at the end */
    size_t arguments_offset; /* offset of the call's arguments in dump_thread.arguments */
};

struct dump_thread {
    struct call_thread stack; /* stack of struct open_call */
    struct text arguments;    /* arguments of all open calls, one after another */
    size_t place;             /* index of the thread in the heap + 1; 0: not in the heap */
};

struct span_dump {
    struct database *database;
    const struct catalog_trace *trace;
    const struct importer *importer;
    struct dump_lines *lines;
    struct name_cache functions, threads, objects;
    sqlite3_stmt *parents; /* owned; the caller of a call; NULL: the filter excludes no callers */
    struct dump_arguments arguments;
    struct call_stacks stacks; /* call stacks of all threads; elements are struct dump_thread */
    /* Heap of the threads whose innermost open call has a known end; the earliest end is first. */
    struct dump_thread **heap; /* owned */
    size_t heap_count, heap_capacity;
    struct text detail;
    int64_t events, event_count; /* limit of rows (0: all), and number of rows written */
    bool enough;
};

/* --- which exit comes next -------------------------------------------------------------------- */

/* Returns the innermost open call of a thread, which must have one. */
static const struct open_call *dump_spans_innermost(const struct dump_thread *thread) {
    return &((const struct open_call *)(void *)thread->stack.calls)[thread->stack.depth - 1];
}

static bool call_ends_before(const struct dump_thread *left, const struct dump_thread *right) {
    int64_t a = dump_spans_innermost(left)->end, b = dump_spans_innermost(right)->end;

    return a != b ? a < b : left->stack.actor < right->stack.actor;
}

static void dump_spans_place(struct span_dump *dump, size_t at, struct dump_thread *thread) {
    dump->heap[at] = thread;
    thread->place = at + 1;
}

static void dump_spans_sift_up(struct span_dump *dump, size_t at) {
    struct dump_thread *thread = dump->heap[at];

    while (at > 0 && call_ends_before(thread, dump->heap[(at - 1) / 2])) {
        dump_spans_place(dump, at, dump->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    dump_spans_place(dump, at, thread);
}

static void dump_spans_sift_down(struct span_dump *dump, size_t at) {
    struct dump_thread *thread = dump->heap[at];

    for (;;) {
        size_t child = 2 * at + 1;

        if (child + 1 < dump->heap_count &&
            call_ends_before(dump->heap[child + 1], dump->heap[child])) {
            child++;
        }
        if (child >= dump->heap_count || !call_ends_before(dump->heap[child], thread)) {
            break;
        }
        dump_spans_place(dump, at, dump->heap[child]);
        at = child;
    }
    dump_spans_place(dump, at, thread);
}

/* Adds, moves or removes a thread in the heap after its innermost call has changed. */
static void update_heap(struct span_dump *dump, struct dump_thread *thread) {
    bool wanted = thread->stack.depth > 0 && dump_spans_innermost(thread)->end != EVENT_NONE;
    size_t at = thread->place - 1;

    if (!wanted && thread->place == 0) {
        return;
    }
    if (!wanted) {
        struct dump_thread *moved = dump->heap[--dump->heap_count];

        thread->place = 0;
        if (moved != thread) {
            dump_spans_place(dump, at, moved);
            dump_spans_sift_up(dump, at);
            dump_spans_sift_down(dump, moved->place - 1);
        }
        return;
    }
    if (thread->place == 0) {
        if (dump->heap_count == dump->heap_capacity) {
            size_t capacity = dump->heap_capacity == 0 ? 16 : 2 * dump->heap_capacity;

            dump->heap = xreallocarray(dump->heap, capacity, sizeof(struct dump_thread *));
            dump->heap_capacity = capacity;
        }
        at = dump->heap_count++;
        dump_spans_place(dump, at, thread);
    }
    dump_spans_sift_up(dump, at);
    dump_spans_sift_down(dump, thread->place - 1);
}

/* --- writing one line ------------------------------------------------------------------------- */

static void dump_spans_append_indent(struct text *detail, int32_t depth) {
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
        text_append_string(detail, " [");
        if (catalog_has_real_clock(dump->trace)) {
            text_append_seconds(detail, event->event.duration);
        } else {
            text_append_integer(detail, event->event.duration);
        }
        text_append_char(detail, ']');
    }
}

static bool dump_spans_write_line(struct span_dump *dump, const struct event *event, int64_t time,
                                  enum dump_moment moment, struct error *error) {
    struct dump_event full = {
        .event = *event,
        .config = dump->lines->config,
        .state = dump->lines->state,
        .arguments_size = event->arguments_size,
    };
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
    dump_spans_append_indent(detail, event->depth);
    text_append(detail,
                moment == DUMP_DATA        ? ": "
                : moment == DUMP_ENTRY     ? "> "
                : event->flags & SPAN_OPEN ? "? "
                                           : "< ",
                2);
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

/* --- entries and exits in time order ---------------------------------------------------------- */

/* Moves the known end of a call on the thread's stack to `time`, a time inside it, if that is
 * later. If the log truncates start times, the outer call may seem to end earlier. */
static void extend_end(struct span_dump *dump, struct dump_thread *thread, size_t place,
                       int64_t time) {
    struct open_call *call = call_stacks_at(&dump->stacks, &thread->stack, place);

    if (call->end != EVENT_NONE && call->end < time) {
        call->end = time;
        update_heap(dump, thread);
    }
}

/* Writes the exit of a thread's innermost call, and removes the call from the stack. */
static bool dump_spans_end_innermost(struct span_dump *dump, struct dump_thread *thread,
                                     struct error *error) {
    struct open_call call =
        *(const struct open_call *)call_stacks_pop(&dump->stacks, &thread->stack);
    bool done;

    call.event.arguments = call.event.arguments_size == 0
                               ? NULL
                               : (const uint8_t *)thread->arguments.bytes + call.arguments_offset;
    done = dump_spans_write_line(dump, &call.event, call.end, DUMP_EXIT, error);
    thread->arguments.length = call.arguments_offset;
    update_heap(dump, thread);
    if (call.end != EVENT_NONE && thread->stack.depth > 0) {
        extend_end(dump, thread, thread->stack.depth - 1, call.end);
    }
    return done;
}

/* Frees the arguments of a thread without open calls, which is not in the heap. */
static void free_arguments(void *context, struct call_thread *thread) {
    text_free(&((struct dump_thread *)(void *)thread)->arguments);
}

static struct dump_thread *dump_spans_find_thread(struct span_dump *dump, uint32_t actor) {
    struct call_thread *thread = call_stacks_find(&dump->stacks, actor);

    return (void *)(thread != NULL ? thread : call_stacks_add(&dump->stacks, actor));
}

static void dump_spans_push_call(struct span_dump *dump, struct dump_thread *thread,
                                 const struct event *event, int64_t id) {
    struct open_call *call = call_stacks_push(&dump->stacks, &thread->stack);
    int64_t end;

    if (event->duration == EVENT_NONE || (event->flags & SPAN_OPEN) ||
        __builtin_add_overflow(event->time, event->duration, &end)) {
        end = EVENT_NONE;
    }
    *call = (struct open_call){*event, id, end, thread->arguments.length};
    text_append(&thread->arguments, (const char *)event->arguments, event->arguments_size);
    update_heap(dump, thread);
}

/* Limit of levels over which a caller is looked up. Otherwise a log of deep calls could take the
 * square of its length. */
enum { MOST_CALLERS = 64 };

/* Finds the caller of an event's that has this depth. Sets its id; 0 if there is none. */
static bool find_caller(struct span_dump *dump, const struct event *event, int32_t depth,
                        int64_t *id, struct error *error) {
    bool row = true;

    for (int32_t at = event->depth; row && *id != 0 && at > depth; at--) {
        sqlite3_bind_int64(dump->parents, 1, *id);
        if (!database_step(dump->database, dump->parents, &row, error)) {
            return false;
        }
        *id = row ? sqlite3_column_int64(dump->parents, 0) : 0;
        sqlite3_reset(dump->parents);
    }
    return true;
}

/* Counts the calls on a thread's stack that enclose its next row. A filter may exclude the row's
 * callers but not an earlier call of lower depth, so depths alone do not tell. */
static bool count_callers(struct span_dump *dump, const struct dump_thread *thread,
                          const struct event *event, int64_t id, size_t *count,
                          struct error *error) {
    for (*count = thread->stack.depth; *count > 0; (*count)--) {
        const struct open_call *call = call_stacks_at(&dump->stacks, &thread->stack, *count - 1);
        int64_t caller = id;

        if (call->event.depth >= event->depth) {
            continue;
        }
        if (dump->parents == NULL || (call->event.flags & SPAN_OPEN) ||
            (call->end != EVENT_NONE && call->end > event->time)) {
            break;
        }
        if (event->depth - call->event.depth > MOST_CALLERS) {
            if (call->end == EVENT_NONE || call->end == event->time) {
                break;
            }
            continue;
        }
        if (!find_caller(dump, event, call->event.depth, &caller, error)) {
            return false;
        }
        if (caller == call->id) {
            break;
        }
    }
    return true;
}

static bool dump_spans_write_row(struct span_dump *dump, const struct event *event, int64_t id,
                                 struct error *error) {
    struct dump_thread *thread = dump_spans_find_thread(dump, event->actor);
    size_t callers;

    /* Writes the exits that come before this row: of all threads the earlier ones, and of the row's
     * thread those of calls that do not contain the row. */
    if (!count_callers(dump, thread, event, id, &callers, error)) {
        return false;
    }
    if (callers > 0) {
        extend_end(dump, thread, callers - 1, event->time);
    }
    while (dump->heap_count > 0 && dump_spans_innermost(dump->heap[0])->end < event->time) {
        if (!dump_spans_end_innermost(dump, dump->heap[0], error)) {
            return false;
        }
    }
    while (thread->stack.depth > callers) {
        if (!dump_spans_end_innermost(dump, thread, error)) {
            return false;
        }
    }
    if (!span_is_call(event->flags)) {
        return dump_spans_write_line(dump, event, event->time,
                                     event->flags & SPAN_DATA ? DUMP_DATA : DUMP_EXIT, error);
    }
    if (!dump_spans_write_line(dump, event, event->time, DUMP_ENTRY, error)) {
        return false;
    }
    dump_spans_push_call(dump, thread, event, id);
    return true;
}

/* Writes the exits that remain after the last row, known exit times first. */
static bool dump_spans_write_rest(struct span_dump *dump, struct error *error) {
    while (dump->heap_count > 0) {
        if (!dump_spans_end_innermost(dump, dump->heap[0], error)) {
            return false;
        }
    }
    for (struct call_thread *thread = dump->stacks.threads; thread != NULL;
         thread = thread->hh.next) {
        while (thread->depth > 0) {
            if (!dump_spans_end_innermost(dump, (void *)thread, error)) {
                return false;
            }
        }
    }
    return true;
}

static bool open_threads(struct span_dump *dump, struct error *error) {
    bool several;

    return select_several_processes(dump->database, dump->trace->id, &several, error) &&
           name_cache_open(&dump->threads, dump->database,
                           several
                               ? "SELECT thread_label(pid, tid, name) FROM main.actor WHERE id = ?1"
                               : "SELECT thread_label(NULL, tid, name) FROM main.actor"
                                 " WHERE id = ?1",
                           error);
}

static bool open_parents(struct span_dump *dump, const struct filter *filter, struct error *error) {
    if (!filter_has_conditions_besides_time(filter)) {
        return true;
    }
    dump->parents =
        database_prepare(dump->database, "SELECT parent FROM main.event WHERE id = ?1", error);
    return dump->parents != NULL;
}

/* --- reading the arguments of events ---------------------------------------------------------- */

/* If the wanted row is at most so many rows ahead, steps over rows; else looks the row up by id. */
enum { NEAR = 256 };

bool dump_arguments_open(struct dump_arguments *arguments, const struct selection *selection,
                         struct error *error) {
    *arguments = (struct dump_arguments){
        .database = selection->database,
        .trace = selection->traces[0].trace->id,
        .id = INT64_MIN / 2,
    };
    if (catalog_meaning(selection->traces[0].trace, "arguments", NULL) == NULL) {
        return true;
    }
    arguments->rows = database_prepare(selection->database,
                                       "SELECT id, event_arguments(id, arguments) FROM main.event"
                                       " WHERE id >= ?1 ORDER BY id",
                                       error);
    return arguments->rows != NULL;
}

bool dump_arguments_read(struct dump_arguments *arguments, int64_t id, struct event *event,
                         struct error *error) {
    bool row = true;

    if (arguments->rows == NULL) {
        return true;
    }
    if (id - arguments->id > NEAR) {
        sqlite3_reset(arguments->rows);
        sqlite3_bind_int64(arguments->rows, 1, id);
    }
    for (; row && arguments->id < id; arguments->id = sqlite3_column_int64(arguments->rows, 0)) {
        if (!database_step(arguments->database, arguments->rows, &row, error)) {
            return false;
        }
    }
    if (arguments->id != id) {
        return columns_set_damaged_error(arguments->database, arguments->trace, error);
    }
    event->arguments = sqlite3_column_blob(arguments->rows, 1);
    event->arguments_size = (uint32_t)sqlite3_column_bytes(arguments->rows, 1);
    return true;
}

static bool dump_spans_write_events(void *context, const struct event_columns *columns,
                                    size_t count, struct error *error) {
    struct span_dump *dump = context;

    for (size_t i = 0; i < count; i++) {
        struct event event = EVENT_EMPTY;

        if (dump->events > 0 && dump->event_count++ == dump->events) {
            dump->enough = true;
            return false;
        }
        event_columns_copy_event(columns, i, &event);
        if (!dump_arguments_read(&dump->arguments, columns->id[i], &event, error)) {
            return false;
        }
        event.depth = event.depth < 0 ? 0 : event.depth;
        if (!dump_spans_write_row(dump, &event, columns->id[i], error)) {
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
        .importer = importer_find(lines->config, selected->trace->format),
        .lines = lines,
        .stacks = {.thread_size = sizeof(struct dump_thread),
                   .call_size = sizeof(struct open_call),
                   .forget = free_arguments},
        .events = events,
    };
    struct event_scan scan;
    bool done;

    event_scan_init(&scan, selection, selected);
    scan.fields = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |
                  EVENT_SIZE | EVENT_VALUE | EVENT_DEPTH;
    scan.visit = dump_spans_write_events;
    done = name_cache_open(&dump.functions, dump.database,
                           "SELECT text FROM main.name WHERE id = ?1", error) &&
           name_cache_open(&dump.objects, dump.database,
                           "SELECT name FROM main.object WHERE id = ?1", error) &&
           open_threads(&dump, error) && open_parents(&dump, &selection->filter, error) &&
           dump_arguments_open(&dump.arguments, selection, error) &&
           (event_scan_in_order(&scan, &dump, error) || dump.enough) &&
           dump_spans_write_rest(&dump, error);
    call_stacks_free(&dump.stacks);
    free(dump.heap);
    text_free(&dump.detail);
    name_cache_close(&dump.functions);
    name_cache_close(&dump.threads);
    name_cache_close(&dump.objects);
    sqlite3_finalize(dump.parents);
    sqlite3_finalize(dump.arguments.rows);
    return done || lines->enough;
}

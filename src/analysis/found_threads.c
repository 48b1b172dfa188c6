/* Measures threads for findings: their time, and the times of their calls that wait for locks or
 * sync files. Tables: temp.thread_found, temp.thread_sync and temp.lock_operation. */
#include "analysis/keyed_rows.h"
#include "base/saturate.h"
#include "scan/event_filter.h"

/* Limits of rows in memory over all threads of the analysis: rows by thread, rows by file. */
enum { THREADS_IN_MEMORY = 1 << 18, FILES_IN_MEMORY = 1 << 16 };

/* Calls of one kind with a duration: number, total and longest time inside the window. */
struct found_calls {
    int64_t count, time, most;
};

struct thread_row {
    uint32_t actor; /* actor.id of the thread, the key */
    int64_t first, last, busy;
    int64_t lock_operations; /* bit set: system calls by which the thread waited for locks */
    struct found_calls locks, syncs;
};

/* Key of a row, compared as bytes, so it has no padding. */
struct sync_key {
    uint32_t actor, object;
};

struct sync_row {
    struct sync_key key;
    struct found_calls calls;
};

struct found_state {
    struct keyed_state threads; /* hash table of struct thread_row */
    struct keyed_state files;   /* hash table of struct sync_row */
    int64_t from, to;           /* time window; calls are cut at its begin and end */
    bool durable;               /* true: the trace's events can have CALL_FLAG_DURABLE */
    /* Set in the first thread's state. `waits`: system calls that wait for locks or sync files;
     * `locks`: those that wait for locks, with a bit for each; `writes`: those that sync if flags
     * say so. */
    struct id_set waits, writes;
    struct id_values locks;
};

/* SELECT of the system calls that wait for locks, with a bit for each. */
#define LOCK_OPERATIONS                                                                            \
    "SELECT id, 1 << min(62, row_number() OVER (ORDER BY id) - 1) FROM main.name"                  \
    " WHERE trace = ?1 AND id BETWEEN 1 AND 4294967295 AND call_wait(text) = 'lock' ORDER BY id"

/* SQL clause: adds a row to an earlier row of its thread, which was written when memory was full.
 */
#define ADD_THREAD                                                                                 \
    " ON CONFLICT (actor) DO UPDATE SET first = min(first, excluded.first),"                       \
    " last = max(last, excluded.last),"                                                            \
    " lock_operations = lock_operations | excluded.lock_operations,"                               \
    " locks = locks + excluded.locks, lock_most = max(lock_most, excluded.lock_most),"             \
    " lock_time = ifnull(lock_time + excluded.lock_time, ifnull(lock_time, excluded.lock_time)),"  \
    " syncs = syncs + excluded.syncs,"                                                             \
    " sync_time = ifnull(sync_time + excluded.sync_time, ifnull(sync_time, excluded.sync_time))"

static const struct thread_row new_thread = {.first = INT64_MAX, .last = INT64_MIN};

static int64_t call_time_or_none(const struct found_calls *calls) {
    return calls->count > 0 ? calls->time : EVENT_NONE;
}

static void found_write_thread(struct analysis_context *context, const void *thread_row) {
    const struct thread_row *row = thread_row;
    int64_t last = row->first;

    /* If times are whole seconds, the sum of durations may exceed last - first. */
    add_saturated(&last, row->busy);
    last = last > row->last ? last : row->last;
    TEMP_ROW(&context->tables[0], context->trace->trace->id, row->actor, row->first, last,
             row->lock_operations, row->locks.count, call_time_or_none(&row->locks),
             row->locks.most, row->syncs.count, call_time_or_none(&row->syncs));
}

static void found_write_file(struct analysis_context *context, const void *sync_row) {
    const struct sync_row *row = sync_row;

    TEMP_ROW(&context->tables[1], context->trace->trace->id, row->key.actor, row->key.object,
             call_time_or_none(&row->calls));
}

static void found_add_calls(struct found_calls *to, const struct found_calls *from) {
    to->count += from->count;
    add_saturated(&to->time, from->time);
    to->most = from->most > to->most ? from->most : to->most;
}

static void found_add_thread(void *to, const void *from) {
    struct thread_row *into = to;
    const struct thread_row *row = from;

    into->first = row->first < into->first ? row->first : into->first;
    into->last = row->last > into->last ? row->last : into->last;
    add_saturated(&into->busy, row->busy);
    into->lock_operations |= row->lock_operations;
    found_add_calls(&into->locks, &row->locks);
    found_add_calls(&into->syncs, &row->syncs);
}

static void found_add_file(void *to, const void *from) {
    found_add_calls(&((struct sync_row *)to)->calls, &((const struct sync_row *)from)->calls);
}

/* A call to count, cut to the time window. */
struct found_part {
    uint32_t actor, operation, object, flags;
    int64_t begin, end;
    bool timed; /* true: the call has a duration; false: `end` is `begin` */
};

/* Adds a call to `calls`, if it has a duration. */
static void found_count_call(struct found_calls *calls, const struct found_part *part) {
    const int64_t inside = part->end - part->begin;

    if (part->timed) {
        found_add_calls(calls, &(struct found_calls){1, inside, inside});
    }
}

static void found_count(struct found_state *state, const struct found_part *part) {
    const struct found_state *first = state->threads.context->first;
    struct thread_row *row =
        keyed_rows_find_sized(&state->threads.rows, &part->actor, sizeof part->actor);
    const bool waits = id_set_has(&first->waits, part->operation);
    int64_t bit;

    row->first = part->begin < row->first ? part->begin : row->first;
    row->last = part->end > row->last ? part->end : row->last;
    add_saturated(&row->busy, part->end - part->begin);
    if (waits && id_values_find(&first->locks, part->operation, &bit)) {
        row->lock_operations |= bit;
        found_count_call(&row->locks, part);
    } else if (waits || ((part->flags & CALL_FLAG_DURABLE) != 0 && state->durable &&
                         id_set_has(&first->writes, part->operation))) {
        struct sync_row *file =
            keyed_rows_find(&state->files.rows, &(struct sync_key){part->actor, part->object});

        found_count_call(&row->syncs, part);
        found_count_call(&file->calls, part);
    }
}

static void found_visit(void *found_state, const struct event_columns *columns, size_t count) {
    struct found_state *state = found_state;

    for (size_t i = 0; i < count; i++) {
        const int64_t time = columns->time[i], duration = columns->duration[i];
        struct found_part part = {.actor = columns->actor[i],
                                  .operation = columns->operation[i],
                                  .object = columns->object[i],
                                  .flags = columns->flags[i],
                                  .begin = time,
                                  .end = time,
                                  .timed = duration >= 0};

        add_saturated(&part.end, duration < 0 ? 0 : duration);
        part.end = duration >= 0 && part.end > state->to ? state->to : part.end;
        found_count(state, &part);
    }
}

/* Of a call that began before the window, adds the part inside the window; found_visit() adds calls
 * that begin in it. */
static void found_add_edge(void *found_state, const struct window_edge *edge) {
    struct found_state *state = found_state;
    const struct found_part part = {.actor = edge->actor,
                                    .operation = edge->operation,
                                    .object = edge->object,
                                    .flags = edge->flags,
                                    .begin = state->from,
                                    .end = edge->end < state->to ? edge->end : state->to,
                                    .timed = true};

    if (edge->earlier) {
        found_count(state, &part);
    }
}

static void found_begin(void *found_state) {
    struct found_state *state = found_state;
    struct analysis_context *context = state->threads.context;

    state->files.context = context;
    context->tables[0].conflict = ADD_THREAD;
    state->threads.rows = (struct keyed_rows){
        .context = context,
        .kind = {sizeof new_thread.actor, sizeof new_thread, THREADS_IN_MEMORY,
                 .blank = &new_thread, .write = found_write_thread, .add = found_add_thread}};
    state->files.rows = (struct keyed_rows){
        .context = context,
        .kind = {sizeof(struct sync_key), sizeof(struct sync_row), FILES_IN_MEMORY,
                 .write = found_write_file, .add = found_add_file}};
}

static void found_begin_trace(void *found_state) {
    struct found_state *state = found_state;
    struct analysis_context *context = state->threads.context;
    const struct selected_trace *trace = context->trace;
    const int64_t id = trace->trace->id;

    state->from = trace->edges == NULL ? INT64_MIN : trace->edges->from;
    state->to = trace->edges == NULL ? INT64_MAX : trace->edges->to;
    state->durable = catalog_meaning(trace->trace, "flags", "call") != NULL;
    if (state != context->first) {
        return;
    }
    if (database_run_bound(context->database, &context->error,
                           "INSERT INTO temp.lock_operation " LOCK_OPERATIONS, "i", id) &&
        id_values_query(&state->locks, context->database, LOCK_OPERATIONS, id, &context->error) &&
        id_set_query(
            &state->waits, context->database,
            "SELECT id FROM main.name WHERE trace = ?1 AND (call_wait(text) = 'lock' OR text"
            " IN ('fsync', 'fdatasync', 'sync', 'syncfs', 'sync_file_range', 'msync'))"
            " ORDER BY id",
            id, &context->error)) {
        id_set_query(&state->writes, context->database,
                     "SELECT id FROM main.name WHERE trace = ?1"
                     " AND call_does(text) IN ('write', 'copy') ORDER BY id",
                     id, &context->error);
    }
}

static void found_merge(void *found_state, void *from) {
    struct found_state *state = found_state, *other = from;

    keyed_state_merge(&state->threads, &other->threads);
    keyed_state_merge(&state->files, &other->files);
}

static void found_end_trace(void *found_state) {
    struct found_state *state = found_state;

    keyed_state_end_trace(&state->threads);
    keyed_state_end_trace(&state->files);
}

static void found_free(void *found_state) {
    struct found_state *state = found_state;

    keyed_state_free(&state->threads);
    keyed_state_free(&state->files);
    id_values_free(&state->locks);
    id_set_free(&state->waits);
    id_set_free(&state->writes);
}

/* Times are those inside the time window, including calls that began before it. thread_found: a row
 * per thread. `first`, `last`: begin of its first call, end of its last; `lock_operations`: bits of
 * the calls by which it waited for locks; `locks`, `lock_time`, `lock_most`: number of these calls,
 * total and longest time; `syncs`, `sync_time`: number and time of calls that sync, including
 * O_DSYNC writes. Times are NULL if no duration is known. thread_sync: sync time by thread and
 * object; a key may have several rows. lock_operation: the bit of each system call. */
const struct analysis analysis_thread_found = {
    .name = "thread_found",
    .tables = {{"thread_found",
                "trace, actor INTEGER PRIMARY KEY, first, last, lock_operations, locks, lock_time,"
                " lock_most, syncs, sync_time",
                NULL},
               {"thread_sync", "trace, actor, object, time", NULL},
               {"lock_operation", "operation, bit", NULL}},
    .pass = PASS_ANY_ORDER,
    .fields = EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS | EVENT_DURATION,
    .window = WINDOW_PARTS,
    .state_size = sizeof(struct found_state),
    .begin = found_begin,
    .begin_trace = found_begin_trace,
    .visit = found_visit,
    .edge = found_add_edge,
    .merge = found_merge,
    .end_trace = found_end_trace,
    .free = found_free,
};

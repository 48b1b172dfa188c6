#include "report/span_walk.h"

#include <stdlib.h>
#include "base/hash.h"

#include "base/text.h"
#include "import/event.h"
#include "report/scan.h"

/* Threads beyond which those are forgotten that have no open call, and at all. */
#define IDLE_THREADS 65536
#define MOST_THREADS (1 << 20)

struct walk_frame {
    int32_t depth;
    int64_t end; /* time of the exit; INT64_MAX: not known */
    void *call;  /* the visitor's */
};

struct walk_thread {
    uint32_t actor;
    int32_t under;     /* depth of the outermost open call that --under names; -1: none is open */
    int64_t under_end; /* time of its exit */
    struct walk_frame *frames; /* owned; the chosen calls that are open */
    size_t count, capacity;
    UT_hash_handle hh;
};

struct walk {
    const struct selection_filter *filter;
    const struct span_visitor *visitor;
    struct walk_thread *threads; /* owned hash table */
    struct walk_thread *last;    /* of the row before, which the next often has */
    size_t sweep_at;             /* so many threads: forget the idle ones */
    struct error *error;
    bool failed;
};

static void forget_thread(struct walk *walk, struct walk_thread *thread) {
    HASH_DEL(walk->threads, thread);
    free(thread->frames);
    free(thread);
}

static void leave_innermost(const struct walk *walk, struct walk_thread *thread) {
    void *call = thread->frames[--thread->count].call;

    if (call != NULL && walk->visitor->leave != NULL) {
        walk->visitor->leave(walk->visitor->context, call);
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
        while (thread->count > 0 && thread->frames[thread->count - 1].end < now) {
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
    while (thread->count > 0 && thread->frames[thread->count - 1].depth >= depth) {
        leave_innermost(walk, thread);
    }
}

static bool enter_call(const struct walk *walk, struct walk_thread *thread,
                       const struct span_row *row) {
    const struct span_visitor *visitor = walk->visitor;
    void *call;

    if (visitor->enter == NULL) {
        return true;
    }
    if (thread->count == thread->capacity) {
        size_t capacity = thread->capacity == 0 ? 4 : 2 * thread->capacity;
        struct walk_frame *frames = realloc(thread->frames, capacity * sizeof *frames);

        if (frames == NULL) {
            return error_no_memory(walk->error);
        }
        thread->frames = frames;
        thread->capacity = capacity;
    }
    call = visitor->enter(visitor->context, row,
                          thread->count == 0 ? NULL : thread->frames[thread->count - 1].call,
                          walk->error);
    thread->frames[thread->count++] = (struct walk_frame){row->depth, row->end, call};
    return call != NULL;
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
    if (!chosen || (walk->filter->under != NULL && thread->under < 0)) {
        return true;
    }
    if (walk->visitor->row != NULL &&
        !walk->visitor->row(walk->visitor->context, row, walk->error)) {
        return false;
    }
    return !is_call || enter_call(walk, thread, row);
}

static int64_t optional(sqlite3_value *value) {
    return sqlite3_value_type(value) == SQLITE_NULL ? EVENT_NONE : sqlite3_value_int64(value);
}

/* The time at which a call ended, INT64_MAX when it is not known. */
static int64_t end_of(int64_t time, sqlite3_value *duration) {
    int64_t end;

    return sqlite3_value_type(duration) == SQLITE_NULL ||
                   __builtin_add_overflow(time, sqlite3_value_int64(duration), &end)
               ? INT64_MAX
               : end;
}

/* walk_spans(walk, id, time, wall duration, operation, actor, object, flags, depth, duration, self,
 * chosen, is_under) */
static void walk_step(sqlite3_context *context, int count, sqlite3_value **values) {
    struct walk *walk = scan_state(values);
    struct span_row row;

    (void)count;
    if (walk == NULL || walk->failed) {
        return;
    }
    row = (struct span_row){
        .id = sqlite3_value_int64(values[1]),
        .time = sqlite3_value_int64(values[2]),
        .end = end_of(sqlite3_value_int64(values[2]), values[3]),
        .operation = (uint32_t)sqlite3_value_int64(values[4]),
        .actor = (uint32_t)sqlite3_value_int64(values[5]),
        .object = (uint32_t)sqlite3_value_int64(values[6]),
        .flags = (uint32_t)sqlite3_value_int64(values[7]),
        .depth = sqlite3_value_int(values[8]),
        .duration = optional(values[9]),
        .self = optional(values[10]),
    };
    if (row.self == EVENT_NONE) {
        row.self = row.duration;
    }
    if (!visit(walk, &row, sqlite3_value_int(values[11]) != 0,
               sqlite3_value_int(values[12]) != 0)) {
        walk->failed = true;
        sqlite3_result_error(context, walk->error->message, -1);
    }
}

bool span_walk_register(struct database *database, struct error *error) {
    return scan_register_function(database, "walk_spans", 13, walk_step, error);
}

/* The statement is put together out of constant parts, so that filters that are not given cost
 * nothing. */
static sqlite3_stmt *prepare_walk(struct database *database, const struct selection_filter *filter,
                                  bool merge, bool object, struct error *error) {
    struct text sql = {0};
    sqlite3_stmt *statement = NULL;

    text_append_format(
        &sql,
        "SELECT walk_spans(?1, e.id, e.time, e.duration, %s, e.actor, %s, e.flags, e.depth, "
        "%s, e.id "
        ">= ?4%s%s, %s)"
        " FROM main.event AS e%s WHERE e.id BETWEEN ?2 AND ?3",
        merge ? "(SELECT merged FROM temp.merged_operation AS m WHERE m.id = e.operation)"
              : "e.operation",
        object ? "e.object" : "NULL",
        filter->cpu_beside ? "c.duration, c.self" : "e.duration, e.self",
        selection_by_operation(filter)
            ? " AND e.operation IN (SELECT id FROM temp.selected_operation)"
            : "",
        filter->process != NULL ? " AND e.actor IN (SELECT id FROM temp.selected_actor)" : "",
        filter->under != NULL ? "e.operation IN (SELECT id FROM temp.under_operation)" : "0",
        filter->cpu_beside ? " LEFT JOIN main.cpu_time AS c ON c.event = e.id" : "");
    if (sql.failed) {
        error_no_memory(error);
    } else {
        statement = database_prepare(database, text_string(&sql), error);
    }
    text_free(&sql);
    return statement;
}

bool span_walk(struct database *database, const struct selection_filter *filter,
               const struct span_walk_range *range, bool merge, const struct span_visitor *visitor,
               struct error *error) {
    struct walk walk = {
        .filter = filter,
        .visitor = visitor,
        .sweep_at = IDLE_THREADS,
        .error = error,
    };
    sqlite3_stmt *statement = prepare_walk(database, filter, merge, visitor->wants_object, error);
    bool done;

    if (statement == NULL) {
        return false;
    }
    sqlite3_bind_int64(statement, 2, range->first);
    sqlite3_bind_int64(statement, 3, range->last);
    sqlite3_bind_int64(statement, 4, range->chosen_from);
    done = scan_run(database, statement, &walk, &walk.failed, error);
    free_threads(&walk);
    return done;
}

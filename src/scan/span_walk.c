#include "scan/span_walk.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"
#include "model/call_stacks.h"
#include "model/event.h"
#include "scan/event_filter.h"
#include "scan/event_scan.h"

/* Limit of threads that have open calls at the same time. */
#define MOST_THREADS (1 << 20)

/* Limit of the range of a trace's name ids. They are consecutive unless the file is damaged. */
#define MOST_IDS (1 << 28)

/* An open call on a thread's stack, followed in memory by the data of each visitor. */
struct walk_frame {
    int64_t end; /* time of the exit; INT64_MAX: unknown */
    int32_t depth;
    uint32_t entered; /* bit set: visitors whose enter() was called for this call */
    /* True: the call is not selected, so enter() is called only when it makes a selected call. */
    bool waits;
    struct span_row row; /* only if `waits`: the call's row, to enter the call later */
};

struct walk_thread {
    struct call_thread stack; /* stack of the thread's open calls */
    size_t entered;    /* number of calls on the stack, to the innermost for which enter() ran */
    bool is_under;     /* true: a call of the function of --under is open */
    int32_t under;     /* depth of the outermost open call of the function of --under */
    int64_t under_end; /* time at which the call at depth `under` ends */
};

struct walk {
    const struct selection *selection;
    const struct span_visit *visits;
    size_t visit_count;
    bool leaves;                /* true: at least one visitor has a leave() */
    size_t places[SPAN_VISITS]; /* by visitor: offset of its data in a call's frame */
    struct call_stacks stacks;  /* stacks of struct walk_frame; threads are struct walk_thread */
    int64_t now;                /* time of the current row */
    int64_t chosen_from; /* rows with smaller ids are before the window: put on the stacks only */
    bool by_under;
    bool paths; /* true: a visitor asked for callers that are not selected */
    /* Calls that the time window cuts; NULL: calls count with their whole times. */
    const struct window_edges *edges;
    struct event_filter filter; /* the selection's filter without --under and time window */
    struct id_set under;
    struct open_times open; /* times of calls open when the log ended */
    /* Owned; by operation minus `merged_least`: the id shared by all operations of that name. */
    uint32_t *merged;
    uint32_t merged_least;
    size_t merged_count, merged_capacity;
    struct error *error;
};

/* Returns a visitor's data in the frame (record) of a call; NULL if `frame` is NULL. */
static void *visitor_data_of_call(const struct walk *walk, struct walk_frame *frame, size_t visit) {
    return frame == NULL ? NULL : (char *)frame + walk->places[visit];
}

static void end_innermost_call(const struct walk *walk, struct walk_thread *thread) {
    struct walk_frame *frame = call_stacks_pop(&walk->stacks, &thread->stack);
    struct walk_frame *caller = call_stacks_innermost(&walk->stacks, &thread->stack);

    thread->entered -= thread->entered > thread->stack.depth;
    for (size_t i = 0; walk->leaves && i < walk->visit_count; i++) {
        const struct span_visit *visit = &walk->visits[i];

        if ((frame->entered >> i & 1) && visit->visitor->leave != NULL) {
            visit->visitor->leave(visit->state, visitor_data_of_call(walk, frame, i),
                                  visitor_data_of_call(walk, caller, i));
        }
    }
}

/* Ends all open calls of a thread at the end of the walk. */
static void end_all_open_calls(void *context, struct call_thread *stack) {
    while (stack->depth > 0) {
        end_innermost_call(context, (void *)stack);
    }
}

/* Ends calls of a thread that ended before the current row. Returns true if no call of the function
 * of --under is open any more, so the thread can be forgotten. */
static bool span_walk_is_idle(void *context, struct call_thread *stack) {
    const struct walk *walk = context;
    struct walk_thread *thread = (void *)stack;
    const struct walk_frame *frame;

    while ((frame = call_stacks_innermost(&walk->stacks, stack)) != NULL &&
           frame->end < walk->now) {
        end_innermost_call(walk, thread);
    }
    return !thread->is_under || thread->under_end < walk->now;
}

static struct walk_thread *span_walk_find_thread(struct walk *walk, const struct span_row *row) {
    struct call_thread *thread = call_stacks_find(&walk->stacks, row->actor);

    if (thread != NULL) {
        return (void *)thread;
    }
    walk->now = row->time;
    thread = call_stacks_add(&walk->stacks, row->actor);
    if (call_stacks_count(&walk->stacks) > MOST_THREADS) {
        error_set_too_many(
            walk->error,
            "more than %d threads have open calls at once: choose a time with --from and --to",
            MOST_THREADS);
        return NULL;
    }
    return (void *)thread;
}

/* Calls enter() of the visitors for the call at index `place` of the thread's stack. */
static bool enter_place(const struct walk *walk, struct walk_thread *thread, size_t place,
                        const struct span_row *row) {
    struct walk_frame *frame = call_stacks_at(&walk->stacks, &thread->stack, place);
    struct walk_frame *caller =
        place == 0 ? NULL : call_stacks_at(&walk->stacks, &thread->stack, place - 1);

    frame->waits = false;
    for (size_t i = 0; i < walk->visit_count; i++) {
        const struct span_visit *visit = &walk->visits[i];

        if (row->path && !visit->visitor->paths) {
            continue;
        }
        if (visit->visitor->enter != NULL &&
            !visit->visitor->enter(visit->state, row, visitor_data_of_call(walk, frame, i),
                                   visitor_data_of_call(walk, caller, i), walk->error)) {
            return false;
        }
        frame->entered |= 1u << i;
    }
    return true;
}

/* Calls enter() for the waiting callers of a new selected call, at the top of the stack. */
static bool enter_callers(const struct walk *walk, struct walk_thread *thread) {
    size_t after = thread->stack.depth - 1, place = after;

    while (place > 0) {
        const struct walk_frame *frame = call_stacks_at(&walk->stacks, &thread->stack, place - 1);

        if (!frame->waits) {
            break;
        }
        place--;
    }
    for (; place < after; place++) {
        const struct walk_frame *frame = call_stacks_at(&walk->stacks, &thread->stack, place);
        struct span_row row = frame->row;

        if (!enter_place(walk, thread, place, &row)) {
            return false;
        }
    }
    return true;
}

/* Pushes a call. Unless `chosen`, enter() is called for it only when it makes a selected call. */
static bool span_walk_enter_call(const struct walk *walk, struct walk_thread *thread,
                                 const struct span_row *row, bool chosen) {
    struct walk_frame *frame = call_stacks_push(&walk->stacks, &thread->stack);

    frame->end = row->end;
    frame->depth = row->depth;
    frame->entered = 0;
    frame->waits = !chosen;
    if (!chosen) {
        frame->row = *row;
        frame->row.path = true;
        return true;
    }
    thread->entered = thread->stack.depth;
    return (!walk->paths || enter_callers(walk, thread)) &&
           enter_place(walk, thread, thread->stack.depth - 1, row);
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

/* Calls exclude() of the visitors whose enter() was called for a caller of this unselected call. */
static void span_walk_exclude_call(const struct walk *walk, const struct walk_thread *thread,
                                   const struct span_row *row) {
    struct walk_frame *frame =
        thread->entered == 0 ? NULL
                             : call_stacks_at(&walk->stacks, &thread->stack, thread->entered - 1);

    for (size_t i = 0; frame != NULL && i < walk->visit_count; i++) {
        const struct span_visit *visit = &walk->visits[i];

        if ((frame->entered >> i & 1) && visit->visitor->exclude != NULL) {
            visit->visitor->exclude(visit->state, row, visitor_data_of_call(walk, frame, i));
        }
    }
}

/* Processes a row. `chosen`: it passes the filter; `is_under`: its function is that of --under. */
static bool span_walk_visit(struct walk *walk, const struct span_row *row, bool chosen,
                            bool is_under) {
    struct walk_thread *thread = span_walk_find_thread(walk, row);
    bool is_call = span_is_call(row->flags);

    if (thread == NULL) {
        return false;
    }
    if (thread->is_under && row->depth <= thread->under) {
        thread->is_under = false;
    }
    if (is_call) {
        /* A new call ends the calls that are as deep or deeper. */
        const struct walk_frame *frame;

        while ((frame = call_stacks_innermost(&walk->stacks, &thread->stack)) != NULL &&
               frame->depth >= row->depth) {
            end_innermost_call(walk, thread);
        }
        if (is_under && !thread->is_under) {
            thread->is_under = true;
            thread->under = row->depth;
            thread->under_end = row->end;
        }
    }
    if (walk->by_under && !thread->is_under) {
        return true;
    }
    if (!chosen) {
        if (!is_call || (!row->earlier && row->id < walk->chosen_from)) {
            return true;
        }
        if (!row->earlier) {
            span_walk_exclude_call(walk, thread, row);
        }
        return !walk->paths || span_walk_enter_call(walk, thread, row, false);
    }
    return visit_row(walk, row) && (!is_call || span_walk_enter_call(walk, thread, row, true));
}

/* Adds an operation that shares its id with no other. */
static void add_merged(struct walk *walk, uint32_t operation) {
    *ARRAY_NEW(walk->merged, walk->merged_count, walk->merged_capacity) = operation;
}

/* Returns the time at which a call ends; INT64_MAX if unknown. */
static int64_t span_walk_end_of(int64_t time, int64_t duration) {
    int64_t end;

    return duration == EVENT_NONE || __builtin_add_overflow(time, duration, &end) ? INT64_MAX : end;
}

static uint32_t merged_operation_of(const struct walk *walk, uint32_t operation) {
    uint32_t place = operation - walk->merged_least;

    return place < walk->merged_count ? walk->merged[place] : operation;
}

/* Replaces a row's begin, end and durations by those of the part of the call in the window. */
static void set_edge(const struct window_edge *edge, const struct window_edges *edges,
                     struct span_row *span) {
    span->time = edge->earlier ? edges->from : edge->time;
    span->end = edge->end > edges->to && edge->end != INT64_MAX ? edges->to : edge->end;
    span->duration = edge->inside[EDGE_CHOSEN].duration;
    span->self = edge->inside[EDGE_CHOSEN].self;
    span->first_duration = edge->inside[EDGE_FIRST].duration;
    span->first_self = edge->inside[EDGE_FIRST].self;
    span->whole = edge->whole[EDGE_CHOSEN].duration;
}

/* Enters the calls that began before the window and end after its begin. */
static bool enter_earlier(struct walk *walk, unsigned fields) {
    for (size_t i = 0; walk->edges != NULL && i < walk->edges->earlier; i++) {
        const struct window_edge *edge = &walk->edges->edges[i];
        struct span_row span = {
            .id = edge->id,
            .earlier = true,
            .operation = edge->operation,
            .merged = merged_operation_of(walk, edge->operation),
            .actor = edge->actor,
            .object = fields & EVENT_OBJECT ? edge->object : 0,
            .flags = edge->flags,
            .depth = edge->depth,
        };

        set_edge(edge, walk->edges, &span);
        if (!span_walk_visit(walk, &span, edge->chosen,
                             walk->by_under && id_set_has(&walk->under, edge->operation))) {
            return false;
        }
    }
    return true;
}

/* Returns the call with this event id, if it began in the window and ends after it; else NULL. */
static const struct window_edge *span_walk_edge_of(const struct window_edges *edges, int64_t id) {
    const struct window_edge wanted = {.id = id};

    return edges->count == edges->earlier
               ? NULL
               : bsearch(&wanted, edges->edges + edges->earlier, edges->count - edges->earlier,
                         sizeof wanted, compare_int64);
}

/* Replaces the times of a call that ends after the window by its times inside the window. */
static void span_walk_cut(const struct walk *walk, struct span_row *span) {
    const struct window_edge *edge =
        walk->edges == NULL || span->end <= walk->edges->to || span->end == INT64_MAX
            ? NULL
            : span_walk_edge_of(walk->edges, span->id);

    span->whole = span->duration;
    if (edge != NULL) {
        set_edge(edge, walk->edges, span);
    }
}

static bool visit_event(struct walk *walk, const struct event_columns *columns, size_t i) {
    bool beside = selection_times(walk->selection) != NULL;
    uint32_t operation = columns->operation[i];
    const struct open_time *open =
        columns->flags[i] & SPAN_OPEN ? open_times_find(&walk->open, columns->id[i]) : NULL;
    struct span_row span = {
        .id = columns->id[i],
        .time = columns->time[i],
        .end = span_walk_end_of(columns->time[i], columns->duration[i]),
        .operation = operation,
        .merged = merged_operation_of(walk, operation),
        .actor = columns->actor[i],
        .object = columns->object == NULL ? 0 : columns->object[i],
        .flags = columns->flags[i],
        .depth = columns->depth[i] < 0 ? 0 : columns->depth[i],
        .duration = beside ? columns->cpu_duration[i] : columns->duration[i],
        .self = beside ? columns->cpu_self[i] : columns->self[i],
        .first_duration = columns->duration[i],
        .first_self = columns->self[i],
    };

    if (open != NULL) {
        /* Ends a call that was open when the log ended. Corrected times already include its end. */
        span.end = span_walk_end_of(span.time, open->duration);
        span.first_duration = open->duration;
        span.first_self = open->self;
        if (walk->selection->times == CALL_TIMES_FIRST) {
            span.duration = open->duration;
            span.self = open->self;
        } else if (walk->selection->times == CALL_TIMES_SECOND) {
            span.duration = open->cpu_duration;
            span.self = open->cpu_self;
        }
    }
    if (span.self == EVENT_NONE) {
        span.self = span.duration;
    }
    if (span.first_self == EVENT_NONE) {
        span.first_self = span.first_duration;
    }
    span_walk_cut(walk, &span);
    return span_walk_visit(
        walk, &span,
        span.id >= walk->chosen_from &&
            (walk->filter.count == 0 || event_filter_passes(&walk->filter, columns, i)),
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

/* Reads from temp.merged_operation the id that operations with the same name share. */
static bool read_merged(struct walk *walk, int64_t trace, struct error *error) {
    struct database_query query = database_query(
        walk->selection->database, error,
        "SELECT m.id, m.merged FROM main.name AS n CROSS JOIN temp.merged_operation AS m"
        " ON m.id = n.id WHERE n.trace = ?1 ORDER BY n.id",
        "i", trace);

    while (database_next(&query)) {
        uint32_t id = (uint32_t)sqlite3_column_int64(query.row, 0);

        if (walk->merged_count == 0) {
            walk->merged_least = id;
        }
        if (id - walk->merged_least >= MOST_IDS) {
            query.failed =
                !error_set(error, "the database is damaged: its name ids are out of range");
            break;
        }
        while (walk->merged_count <= id - walk->merged_least) {
            add_merged(walk, walk->merged_least + (uint32_t)walk->merged_count);
        }
        walk->merged[id - walk->merged_least] = (uint32_t)sqlite3_column_int64(query.row, 1);
    }
    return database_end(&query);
}

bool span_walk(const struct selection *selection, const struct selected_trace *trace,
               bool only_under, unsigned fields, const struct span_visit *visits, size_t count,
               struct error *error) {
    struct walk walk = {
        .selection = selection,
        .visits = visits,
        .visit_count = count,
        .stacks = {.idle = span_walk_is_idle, .forget = end_all_open_calls, .context = &walk},
        .chosen_from = trace->first,
        .edges = only_under ? NULL : trace->edges,
        .error = error,
    };
    /* Reads all rows, even if not selected, since a row's depth tells which calls have ended. */
    struct event_scan scan = {
        .database = selection->database,
        .times = selection,
        .trace = trace->trace->id,
        /* With --under, reads the trace from its begin, unless the calls cut by the window are
           known: calls open at the window's begin may be inside earlier calls of the function. */
        .first = selection->filter.under != NULL && walk.edges == NULL ? trace->trace->first_event
                                                                       : trace->first,
        .last = trace->last,
        .action = EVENT_NONE,
        .fields = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_FLAGS | EVENT_DEPTH |
                  EVENT_SELF | fields |
                  (selection_times(selection) != NULL ? (unsigned)EVENT_CPU : 0),
        .visit = visit_events,
    };
    bool done;
    size_t alignment = _Alignof(max_align_t);
    size_t size = sizeof(struct walk_frame);

    /* Lays out a frame: its members are followed by each visitor's data, aligned for any type. */
    for (size_t i = 0; i < walk.visit_count; i++) {
        size = (size + alignment - 1) / alignment * alignment;
        walk.places[i] = size;
        size += walk.visits[i].visitor->call_size;
        walk.leaves |= walk.visits[i].visitor->leave != NULL;
        walk.paths |= walk.visits[i].visitor->paths && !walk.selection->filter.whole_calls;
    }
    walk.stacks.call_size = (size + alignment - 1) / alignment * alignment;
    walk.stacks.thread_size = sizeof(struct walk_thread);
    walk.by_under = selection->filter.under != NULL;
    done = span_filter_read(&scan, selection, only_under, &walk.filter, &walk.under, error);
    scan.fields |= walk.filter.fields;
    done = done &&
           (selection->leave_open ||
            open_times_read(&walk.open, scan.database, scan.first, scan.last, error)) &&
           (!selection->merges_operations || read_merged(&walk, scan.trace, error)) &&
           enter_earlier(&walk, fields) && event_scan_in_order(&scan, &walk, error);
    call_stacks_free(&walk.stacks);
    open_times_free(&walk.open);
    event_filter_free(&walk.filter);
    id_set_free(&walk.under);
    free(walk.merged);
    return done;
}

/* --- ranges of events for --under ------------------------------------------------------------- */

struct range_scan {
    struct temp_rows rows;
    int64_t first, last; /* the range of event ids found last; it may still grow; 0: none */
    int64_t trace;
};

static void write_range(struct range_scan *scan) {
    if (scan->first != 0) {
        TEMP_ROW(&scan->rows, scan->first, scan->last, scan->trace);
    }
}

static bool extend_range(void *state, const struct span_row *row, struct error *error) {
    struct range_scan *scan = state;

    if (scan->first == 0 || row->id != scan->last + 1) {
        write_range(scan);
        scan->first = row->id;
    }
    scan->last = row->id;
    return true;
}

static const struct span_visitor range_visitor = {.row = extend_range};

bool span_ranges_find(struct selection *selection, struct error *error) {
    struct range_scan scan = {.rows = {selection->temp, "selected_range", error, .columns = 3}};
    const struct span_visit visit = {&range_visitor, &scan};
    bool done = true;

    if (selection->ranges_known) {
        return true;
    }
    for (size_t i = 0; done && i < selection->count; i++) {
        scan.first = 0;
        scan.trace = selection->traces[i].trace->id;
        done = span_walk(selection, &selection->traces[i], true, 0, &visit, 1, error);
        write_range(&scan);
    }
    return selection->ranges_known = temp_rows_end(&scan.rows) && done;
}

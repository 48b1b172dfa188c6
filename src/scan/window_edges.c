#include "scan/window_edges.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/call_stacks.h"
#include "model/event.h"
#include "scan/event_scan.h"
#include "scan/id_set.h"
#include "scan/open_times.h"
#include "select/window.h"

/* A call that runs at the event that is looked at. */
struct running {
    struct window_edge call;
    bool is_under;                          /* it or a call around it is what --under names */
    int64_t callees;                        /* durations of the calls that it made itself */
    size_t edge;                            /* its place among the edges and 1; 0: it has none */
    struct edge_times earlier[EDGE_CLOCKS]; /* the part before the window */
};

struct edge_scan {
    const struct selection *selection;
    const struct selected_trace *trace;
    struct window_edges *edges;
    bool spans, begun; /* the window has: what runs at its begin was noted */
    bool by_operation, by_actor, by_object, by_under;
    struct id_set operations, actors, objects, under;
    struct call_stacks stacks; /* spans: of struct call_thread and struct running */
    struct open_times open;
    int64_t now;
};

/* --- parts of calls ----------------------------------------------------------------------------
 */

__extension__ typedef __int128 wide;

/* `value` x part / whole; a part of nothing is nothing. Rounded down, so that the parts between
 * several times add up to the whole. */
static int64_t scaled(int64_t value, int64_t part, int64_t whole) {
    return value == EVENT_NONE ? EVENT_NONE
           : whole <= 0        ? 0
                               : (int64_t)((wide)value * part / whole);
}

/* The part of a call before `time`, of both clocks. `callees`: how long the calls that it made
 * itself had taken. Of a clock beside the first nothing is known within a call: its time counts as
 * if it had passed evenly. */
static void part_before(const struct running *running, int64_t time, int64_t callees,
                        struct edge_times *part) {
    const struct edge_times *first = &running->call.whole[EDGE_FIRST],
                            *chosen = &running->call.whole[EDGE_CHOSEN];
    int64_t duration = time - running->call.time, self = duration - callees;

    duration = duration < first->duration ? duration : first->duration;
    self = self < 0 ? 0 : self < first->self ? self : first->self;
    part[EDGE_FIRST] = (struct edge_times){duration, self};
    part[EDGE_CHOSEN].duration = scaled(chosen->duration, duration, first->duration);
    part[EDGE_CHOSEN].self = scaled(chosen->self, self, first->self);
}

static int64_t difference(int64_t later, int64_t earlier) {
    return later == EVENT_NONE || earlier == EVENT_NONE ? EVENT_NONE : later - earlier;
}

static bool add_edge(struct window_edges *edges, const struct window_edge *edge,
                     struct error *error) {
    struct window_edge *grown =
        array_grow(edges->edges, edges->count, &edges->capacity, sizeof *grown);

    edges->edges = grown;
    edges->edges[edges->count++] = *edge;
    return true;
}

/* A call that runs when the window begins. */
static bool note_begin(struct edge_scan *scan, struct running *running, int64_t callees,
                       struct error *error) {
    struct window_edge *call = &running->call;

    call->earlier = true;
    /* What has ended, or has no times, only leads to what it called. */
    call->chosen &= call->end > scan->edges->from && call->whole[EDGE_FIRST].duration != EVENT_NONE;
    part_before(running, scan->edges->from, callees, running->earlier);
    for (int clock = 0; clock < EDGE_CLOCKS; clock++) {
        call->inside[clock].duration =
            difference(call->whole[clock].duration, running->earlier[clock].duration);
        call->inside[clock].self =
            difference(call->whole[clock].self, running->earlier[clock].self);
    }
    if (!add_edge(scan->edges, call, error)) {
        return false;
    }
    running->edge = scan->edges->count;
    return true;
}

/* A call that runs when the window ends. */
static bool note_end(struct edge_scan *scan, struct running *running, int64_t callees,
                     struct error *error) {
    struct window_edge *edge = &running->call;
    struct edge_times before[EDGE_CLOCKS];

    if (edge->whole[EDGE_FIRST].duration == EVENT_NONE) {
        return true;
    }
    if (running->edge != 0) {
        edge = &scan->edges->edges[running->edge - 1];
    }
    part_before(running, scan->edges->to, callees, before);
    for (int clock = 0; clock < EDGE_CLOCKS; clock++) {
        edge->inside[clock].duration =
            running->edge == 0
                ? before[clock].duration
                : difference(before[clock].duration, running->earlier[clock].duration);
        edge->inside[clock].self =
            running->edge == 0 ? before[clock].self
                               : difference(before[clock].self, running->earlier[clock].self);
    }
    return running->edge != 0 || add_edge(scan->edges, edge, error);
}

/* --- what runs at a time -----------------------------------------------------------------------
 */

static struct running *innermost(const struct edge_scan *scan, const struct call_thread *thread) {
    return call_stacks_innermost(&scan->stacks, thread);
}

/* Takes the calls off the stack that ended before then. What ends then may have called what begins
 * then. */
static void leave_ended(const struct edge_scan *scan, struct call_thread *thread, int64_t time) {
    const struct running *running;

    while ((running = innermost(scan, thread)) != NULL && running->call.end < time) {
        call_stacks_pop(&scan->stacks, thread);
    }
}

static bool is_idle(void *context, struct call_thread *thread) {
    const struct edge_scan *scan = context;
    const struct running *running;

    /* What begins now may still lie in what ends now. */
    while ((running = innermost(scan, thread)) != NULL && running->call.end < scan->now) {
        call_stacks_pop(&scan->stacks, thread);
    }
    return thread->depth == 0;
}

/* How long the calls that one made itself had taken by a time at which `callee`, NULL for none, is
 * the one of them that runs. */
static int64_t callees_before(const struct running *running, const struct running *callee,
                              int64_t time) {
    int64_t duration = callee == NULL ? EVENT_NONE : callee->call.whole[EDGE_FIRST].duration;

    return duration == EVENT_NONE ? running->callees
                                  : running->callees - duration + (time - callee->call.time);
}

/* Notes all calls that run at one end of the window. */
static bool note_running(struct edge_scan *scan, int64_t time,
                         bool (*note)(struct edge_scan *scan, struct running *running,
                                      int64_t callees, struct error *error),
                         struct error *error) {
    for (struct call_thread *thread = scan->stacks.threads; thread != NULL;
         thread = thread->hh.next) {
        leave_ended(scan, thread, time);
        for (size_t i = 0; i < thread->depth; i++) {
            struct running *running = call_stacks_at(&scan->stacks, thread, i);
            const struct running *callee =
                i + 1 == thread->depth ? NULL : call_stacks_at(&scan->stacks, thread, i + 1);

            if (!note(scan, running, callees_before(running, callee, time), error)) {
                return false;
            }
        }
    }
    return true;
}

static bool begin_window(struct edge_scan *scan, struct error *error) {
    scan->begun = true;
    if (scan->edges->from != INT64_MIN &&
        !note_running(scan, scan->edges->from, note_begin, error)) {
        return false;
    }
    scan->edges->earlier = scan->edges->count;
    return true;
}

/* --- the events --------------------------------------------------------------------------------
 */

static struct edge_times times_of(int64_t duration, int64_t self) {
    return (struct edge_times){duration, self == EVENT_NONE ? duration : self};
}

static void take_times(const struct edge_scan *scan, const struct event_columns *columns, size_t i,
                       struct window_edge *call) {
    struct edge_times *whole = call->whole;
    const struct open_time *open =
        columns->flags[i] & SPAN_OPEN ? open_times_find(&scan->open, call->id) : NULL;
    enum call_times times = scan->selection->times;

    whole[EDGE_FIRST] =
        open == NULL
            ? times_of(columns->duration[i], columns->self == NULL ? EVENT_NONE : columns->self[i])
            : times_of(open->duration, open->self);
    whole[EDGE_CHOSEN] = times == CALL_TIMES_FIRST ? whole[EDGE_FIRST]
                         : open != NULL && times == CALL_TIMES_SECOND
                             ? times_of(open->cpu_duration, open->cpu_self)
                             : times_of(columns->cpu_duration[i], columns->cpu_self[i]);
    if (whole[EDGE_FIRST].duration == EVENT_NONE || whole[EDGE_FIRST].duration < 0 ||
        __builtin_add_overflow(call->time, whole[EDGE_FIRST].duration, &call->end)) {
        call->end = INT64_MAX;
        whole[EDGE_FIRST] = whole[EDGE_CHOSEN] = (struct edge_times){EVENT_NONE, EVENT_NONE};
    }
}

static void take_call(const struct edge_scan *scan, const struct event_columns *columns, size_t i,
                      struct window_edge *call) {
    *call = (struct window_edge){
        .id = columns->id[i],
        .time = columns->time[i],
        .operation = columns->operation[i],
        .actor = columns->actor[i],
        .object = columns->object[i],
        .flags = columns->flags[i],
        .depth = !scan->spans || columns->depth[i] < 0 ? 0 : columns->depth[i],
    };
    take_times(scan, columns, i, call);
    call->chosen = (!scan->by_operation || id_set_has(&scan->operations, call->operation)) &&
                   (!scan->by_actor || id_set_has(&scan->actors, call->actor)) &&
                   (!scan->by_object || id_set_has(&scan->objects, call->object));
    for (int clock = 0; clock < EDGE_CLOCKS; clock++) {
        call->inside[clock] = (struct edge_times){EVENT_NONE, EVENT_NONE};
    }
}

static struct call_thread *find_thread(struct edge_scan *scan, uint32_t actor,
                                       struct error *error) {
    struct call_thread *thread = call_stacks_find(&scan->stacks, actor);

    if (thread == NULL) {
        thread = call_stacks_add(&scan->stacks, actor);
    }
    return thread;
}

/* Calls as deep as a new one, or deeper, have ended. */
static bool enter_call(struct edge_scan *scan, const struct window_edge *call,
                       struct error *error) {
    struct call_thread *thread;
    struct running *running, *caller;

    scan->now = call->time;
    thread = find_thread(scan, call->actor, error);
    if (thread == NULL) {
        return false;
    }
    while ((caller = innermost(scan, thread)) != NULL && caller->call.depth >= call->depth) {
        call_stacks_pop(&scan->stacks, thread);
    }
    running = call_stacks_push(&scan->stacks, thread);
    caller = thread->depth < 2 ? NULL : call_stacks_at(&scan->stacks, thread, thread->depth - 2);
    *running = (struct running){.call = *call};
    running->is_under = (caller != NULL && caller->is_under) ||
                        (scan->by_under && id_set_has(&scan->under, call->operation));
    running->call.chosen &= !scan->by_under || running->is_under;
    if (caller != NULL && call->whole[EDGE_FIRST].duration != EVENT_NONE &&
        __builtin_add_overflow(caller->callees, call->whole[EDGE_FIRST].duration,
                               &caller->callees)) {
        caller->callees = INT64_MAX / 2;
    }
    return true;
}

/* Calls that have no depth need not end one inside another. */
static bool note_call(struct edge_scan *scan, const struct window_edge *call, struct error *error) {
    const struct window_edges *edges = scan->edges;
    struct running running = {.call = *call};

    return call->whole[EDGE_FIRST].duration == EVENT_NONE ||
           ((scan->begun || call->end <= edges->from || note_begin(scan, &running, 0, error)) &&
            (call->end <= edges->to || note_end(scan, &running, 0, error)));
}

static bool visit(void *context, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct edge_scan *scan = context;
    bool done = true;

    for (size_t i = 0; done && i < count; i++) {
        struct window_edge call;

        if (scan->spans && !span_is_call(columns->flags[i])) {
            continue;
        }
        take_call(scan, columns, i, &call);
        done = (scan->begun || call.id < scan->trace->first || begin_window(scan, error)) &&
               (scan->spans ? enter_call(scan, &call, error) : note_call(scan, &call, error));
    }
    return done;
}

/* --- the whole ---------------------------------------------------------------------------------
 */

static int compare_edges(const void *left, const void *right) {
    const struct window_edge *a = left, *b = right;

    return a->id < b->id ? -1 : a->id > b->id;
}

static bool read_sets(struct edge_scan *scan, int64_t trace, struct error *error) {
    const struct selection *selection = scan->selection;
    const struct filter *filter = &selection->filter;

    scan->by_operation = filter_by_operation(filter);
    scan->by_actor = filter_by_actor(filter);
    scan->by_object = filter_by_object(filter);
    scan->by_under = filter->under != NULL;
    return (!scan->by_operation ||
            id_set_read(&scan->operations, selection, SELECTED_OPERATIONS, trace, error)) &&
           (!scan->by_actor ||
            id_set_read(&scan->actors, selection, SELECTED_ACTORS, trace, error)) &&
           (!scan->by_object ||
            id_set_read(&scan->objects, selection, SELECTED_OBJECTS, trace, error)) &&
           (!scan->by_under ||
            id_set_read(&scan->under, selection, UNDER_OPERATIONS, trace, error));
}

/* All calls of a trace up to the end of the window: whoever is not chosen may have called. */
static bool scan_trace(struct edge_scan *scan, struct error *error) {
    const struct selection *selection = scan->selection;
    const struct catalog_trace *trace = scan->trace->trace;
    const struct event_scan events = {
        .database = selection->database,
        .times = selection,
        .trace = trace->id,
        .first = scan->edges->from == INT64_MIN ? scan->trace->first : trace->first_event,
        .last = scan->trace->last,
        .action = EVENT_NONE,
        .fields = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |
                  (scan->spans ? (unsigned)EVENT_DEPTH | EVENT_SELF : 0) |
                  (selection_times(selection) != NULL ? (unsigned)EVENT_CPU : 0),
        .visit = visit,
    };

    return read_sets(scan, trace->id, error) &&
           (!scan->spans || selection->leave_open ||
            open_times_read(&scan->open, events.database, events.first, events.last, error)) &&
           (events.last < events.first || event_scan_in_order(&events, scan, error)) &&
           (scan->begun || begin_window(scan, error)) &&
           (scan->edges->to == INT64_MAX || note_running(scan, scan->edges->to, note_end, error));
}

static bool find_in_trace(const struct selection *selection, struct selected_trace *trace,
                          struct error *error) {
    struct window_edges *edges = xcalloc(1, sizeof *edges);
    struct edge_scan scan = {
        .selection = selection,
        .trace = trace,
        .edges = edges,
        .spans = trace->trace->kind == TRACE_SPANS,
        .stacks = {.thread_size = sizeof(struct call_thread),
                   .call_size = sizeof(struct running),
                   .idle = is_idle,
                   .context = &scan},
    };
    struct window window;
    bool done;

    trace->edges = edges;
    done = window_times(trace->trace, &selection->filter, &window, error);
    edges->from = window.from;
    edges->to = window.to;
    done = done && (edges->from >= edges->to || scan_trace(&scan, error));
    if (edges->count > edges->earlier) {
        qsort(edges->edges + edges->earlier, edges->count - edges->earlier, sizeof *edges->edges,
              compare_edges);
    }
    call_stacks_free(&scan.stacks);
    open_times_free(&scan.open);
    id_set_free(&scan.operations);
    id_set_free(&scan.actors);
    id_set_free(&scan.objects);
    id_set_free(&scan.under);
    return done;
}

bool window_edges_wanted(const struct selection *selection) {
    bool durations = selection->traces[0].trace->kind == TRACE_SPANS;

    if (!filter_cuts_calls(&selection->filter)) {
        return false;
    }
    for (size_t i = 0; !durations && i < selection->count; i++) {
        durations = selection->traces[i].trace->kind == TRACE_CALLS &&
                    catalog_meaning(selection->traces[i].trace, "duration", "call") != NULL;
    }
    return durations;
}

bool window_edges_find(struct selection *selection, struct error *error) {
    for (size_t i = 0; i < selection->count; i++) {
        if (selection->traces[i].edges == NULL &&
            !find_in_trace(selection, &selection->traces[i], error)) {
            return false;
        }
    }
    return true;
}

const struct window_edge *window_edges_behind(const struct window_edges *edges, int64_t id) {
    const struct window_edge wanted = {.id = id};

    return edges->count == edges->earlier
               ? NULL
               : bsearch(&wanted, edges->edges + edges->earlier, edges->count - edges->earlier,
                         sizeof wanted, compare_edges);
}

void window_edges_free(struct window_edges *edges) {
    if (edges != NULL) {
        free(edges->edges);
        free(edges);
    }
}

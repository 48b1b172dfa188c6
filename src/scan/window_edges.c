/* Finds the calls or thread states that cross the begin or end of the time window, and their times
 * inside it.
 *
 * A window selects the calls that begin in it. But time is counted only inside the window, also
 * that of calls that began before it. A pass over the events before the window finds such calls. */
#include "scan/span_walk.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"
#include "model/call_stacks.h"
#include "model/event.h"
#include "scan/event_filter.h"
#include "scan/event_scan.h"
#include "select/window.h"

/* A call that is open at the time of the current event. */
struct running {
    struct window_edge call;
    bool is_under;   /* true: this call, or a caller of it, is of the function of --under */
    int64_t callees; /* sum of the durations of the call's direct callees */
    size_t edge;     /* index + 1 of the call in window_edges.edges; 0: not in that array */
    struct edge_times earlier[EDGE_CLOCKS]; /* by clock: the call's times before the window */
};

struct edge_scan {
    const struct selection *selection;
    const struct selected_trace *trace;
    struct window_edges *edges;
    bool spans, states; /* true: the trace is of kind spans; of kind states */
    bool begun; /* true: the window has begun, and the calls open at that time were recorded */
    bool by_under;
    struct event_filter filter;
    struct id_set under;
    struct call_stacks stacks; /* spans: threads, with stacks of struct running */
    struct open_times open;
    int64_t now;
};

/* --- the part of a call before a time --------------------------------------------------------- */

__extension__ typedef __int128 wide;

/* Returns value * part / whole, rounded down, so that the parts add up; 0 if `whole` is 0. */
static int64_t scale_by_ratio(int64_t value, int64_t part, int64_t whole) {
    return value == EVENT_NONE ? EVENT_NONE
           : whole <= 0        ? 0
                               : (int64_t)((wide)value * part / whole);
}

/* Computes the part of a call before `time`, by both clocks. `callees`: duration of its direct
 * callees until then. By a second clock, time is assumed to pass evenly during the call. */
static void part_before_window(const struct running *running, int64_t time, int64_t callees,
                               struct edge_times *part) {
    const struct edge_times *first = &running->call.whole[EDGE_FIRST],
                            *chosen = &running->call.whole[EDGE_CHOSEN];
    int64_t duration = time - running->call.time, self = duration - callees;

    duration = duration < first->duration ? duration : first->duration;
    self = self < 0 ? 0 : self < first->self ? self : first->self;
    part[EDGE_FIRST] = (struct edge_times){duration, self};
    part[EDGE_CHOSEN].duration = scale_by_ratio(chosen->duration, duration, first->duration);
    part[EDGE_CHOSEN].self = scale_by_ratio(chosen->self, self, first->self);
}

static int64_t known_time_difference(int64_t later, int64_t earlier) {
    return later == EVENT_NONE || earlier == EVENT_NONE ? EVENT_NONE : later - earlier;
}

static struct edge_times times_after(const struct edge_times *times,
                                     const struct edge_times *part) {
    return (struct edge_times){known_time_difference(times->duration, part->duration),
                               known_time_difference(times->self, part->self)};
}

static void window_edges_add_edge(struct window_edges *edges, const struct window_edge *edge) {
    *ARRAY_NEW(edges->edges, edges->count, edges->capacity) = *edge;
}

/* Records a call that is open when the window begins. */
static void note_begin(struct edge_scan *scan, struct running *running, int64_t callees) {
    struct window_edge *call = &running->call;

    call->earlier = true;
    /* A call that ended before the window or has no times is recorded only as possible caller. */
    call->chosen &= call->end > scan->edges->from && call->whole[EDGE_FIRST].duration != EVENT_NONE;
    part_before_window(running, scan->edges->from, callees, running->earlier);
    for (int clock = 0; clock < EDGE_CLOCKS; clock++) {
        call->inside[clock] = times_after(&call->whole[clock], &running->earlier[clock]);
    }
    window_edges_add_edge(scan->edges, call);
    running->edge = scan->edges->count;
}

/* Records a call that is open when the window ends. */
static void window_edges_note_end(struct edge_scan *scan, struct running *running,
                                  int64_t callees) {
    struct window_edge *edge = &running->call;
    struct edge_times before[EDGE_CLOCKS];

    if (edge->whole[EDGE_FIRST].duration == EVENT_NONE) {
        return;
    }
    if (running->edge != 0) {
        edge = &scan->edges->edges[running->edge - 1];
    }
    part_before_window(running, scan->edges->to, callees, before);
    for (int clock = 0; clock < EDGE_CLOCKS; clock++) {
        edge->inside[clock] = running->edge == 0
                                  ? before[clock]
                                  : times_after(&before[clock], &running->earlier[clock]);
    }
    if (running->edge == 0) {
        window_edges_add_edge(scan->edges, edge);
    }
}

/* --- the stacks of running calls -------------------------------------------------------------- */

static struct running *window_edges_innermost(const struct edge_scan *scan,
                                              const struct call_thread *thread) {
    return call_stacks_innermost(&scan->stacks, thread);
}

/* Removes a thread's calls that ended before `time`. A call that ends exactly then remains, as it
 * may contain one that begins then. */
static void end_ended(const struct edge_scan *scan, struct call_thread *thread, int64_t time) {
    const struct running *running;

    while ((running = window_edges_innermost(scan, thread)) != NULL && running->call.end < time) {
        call_stacks_pop(&scan->stacks, thread);
    }
}

static bool window_edges_is_idle(void *context, struct call_thread *thread) {
    const struct edge_scan *scan = context;

    end_ended(scan, thread, scan->now);
    return thread->depth == 0;
}

/* Returns the time in a call's direct callees before `time`. `callee`: the direct callee that is
 * open at `time`; NULL: none. */
static int64_t callees_before(const struct running *running, const struct running *callee,
                              int64_t time) {
    int64_t duration = callee == NULL ? EVENT_NONE : callee->call.whole[EDGE_FIRST].duration;

    return duration == EVENT_NONE ? running->callees
                                  : running->callees - duration + (time - callee->call.time);
}

/* Calls `note` for all calls open at `time`, the begin or end of the window. */
static void note_running(struct edge_scan *scan, int64_t time,
                         void (*note)(struct edge_scan *scan, struct running *running,
                                      int64_t callees)) {
    for (struct call_thread *thread = scan->stacks.threads; thread != NULL;
         thread = thread->hh.next) {
        end_ended(scan, thread, time);
        for (size_t i = 0; i < thread->depth; i++) {
            struct running *running = call_stacks_at(&scan->stacks, thread, i);
            const struct running *callee =
                i + 1 == thread->depth ? NULL : call_stacks_at(&scan->stacks, thread, i + 1);

            note(scan, running, callees_before(running, callee, time));
        }
    }
}

static void begin_window(struct edge_scan *scan) {
    scan->begun = true;
    if (scan->edges->from != INT64_MIN) {
        note_running(scan, scan->edges->from, note_begin);
    }
    scan->edges->earlier = scan->edges->count;
}

/* --- passing the events ----------------------------------------------------------------------- */

static struct edge_times times_of(int64_t duration, int64_t self) {
    return (struct edge_times){duration, self == EVENT_NONE ? duration : self};
}

static void set_times(const struct edge_scan *scan, const struct event_columns *columns, size_t i,
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

static void window_edges_set_call(const struct edge_scan *scan, const struct event_columns *columns,
                                  size_t i, struct window_edge *call) {
    *call = (struct window_edge){
        .id = columns->id[i],
        .time = columns->time[i],
        .operation = columns->operation[i],
        .actor = columns->actor[i],
        .object = columns->object[i],
        .flags = columns->flags[i],
        .value = scan->states ? columns->value[i] : EVENT_NONE,
        .depth = !scan->spans || columns->depth[i] < 0 ? 0 : columns->depth[i],
    };
    set_times(scan, columns, i, call);
    call->chosen = scan->filter.count == 0 || event_filter_passes(&scan->filter, columns, i);
    for (int clock = 0; clock < EDGE_CLOCKS; clock++) {
        call->inside[clock] = (struct edge_times){EVENT_NONE, EVENT_NONE};
    }
}

/* Pushes a new call on its thread's stack, after removing calls that are as deep or deeper. */
static void window_edges_enter_call(struct edge_scan *scan, const struct window_edge *call) {
    struct call_thread *thread = call_stacks_find(&scan->stacks, call->actor);
    struct running *running, *caller;

    scan->now = call->time;
    if (thread == NULL) {
        thread = call_stacks_add(&scan->stacks, call->actor);
    }
    while ((caller = window_edges_innermost(scan, thread)) != NULL &&
           caller->call.depth >= call->depth) {
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
}

/* Records a call of a trace without depths if it crosses the window's begin or end. Such calls may
 * overlap. */
static void window_edges_note_call(struct edge_scan *scan, const struct window_edge *call) {
    const struct window_edges *edges = scan->edges;
    struct running running = {.call = *call};

    if (call->whole[EDGE_FIRST].duration == EVENT_NONE) {
        return;
    }
    if (!scan->begun && call->end > edges->from) {
        note_begin(scan, &running, 0);
    }
    if (call->end > edges->to) {
        window_edges_note_end(scan, &running, 0);
    }
}

static bool window_edges_visit(void *context, const struct event_columns *columns, size_t count,
                               struct error *error) {
    struct edge_scan *scan = context;

    for (size_t i = 0; i < count; i++) {
        struct window_edge call;

        if (scan->spans && !span_is_call(columns->flags[i])) {
            continue;
        }
        window_edges_set_call(scan, columns, i, &call);
        if (!scan->begun && call.id >= scan->trace->first) {
            begin_window(scan);
        }
        if (scan->spans) {
            window_edges_enter_call(scan, &call);
        } else {
            window_edges_note_call(scan, &call);
        }
    }
    return true;
}

bool span_filter_read(const struct event_scan *scan, const struct selection *selection,
                      bool only_under, struct event_filter *filter, struct id_set *under,
                      struct error *error) {
    const struct event_filter_scope scope = {
        .database = scan->database,
        .selection = only_under ? NULL : selection,
        .trace = scan->trace,
        .first = scan->first,
        .last = scan->last,
        .action = EVENT_NONE,
    };

    return event_filter_init(filter, &scope, error) &&
           (selection->filter.under == NULL ||
            id_set_read(under, selection, UNDER_OPERATIONS, scan->trace, error));
}

/* Reads all calls before the window's end, since any may be a caller of a selected one. */
static bool scan_trace(struct edge_scan *scan, struct error *error) {
    const struct selection *selection = scan->selection;
    const struct catalog_trace *trace = scan->trace->trace;
    struct event_scan events = {
        .database = selection->database,
        .times = selection,
        .trace = trace->id,
        .first = scan->edges->from == INT64_MIN ? scan->trace->first : trace->first_event,
        .last = scan->trace->last,
        .action = EVENT_NONE,
        .fields = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |
                  (scan->spans ? (unsigned)EVENT_DEPTH | EVENT_SELF : 0) |
                  (scan->states ? (unsigned)EVENT_VALUE : 0) |
                  (selection_times(selection) != NULL ? (unsigned)EVENT_CPU : 0),
        .visit = window_edges_visit,
    };

    scan->by_under = scan->selection->filter.under != NULL;
    if (!span_filter_read(&events, scan->selection, false, &scan->filter, &scan->under, error)) {
        return false;
    }
    events.fields |= scan->filter.fields;
    if ((scan->spans && !selection->leave_open &&
         !open_times_read(&scan->open, events.database, events.first, events.last, error)) ||
        (events.last >= events.first && !event_scan_in_order(&events, scan, error))) {
        return false;
    }
    if (!scan->begun) {
        begin_window(scan);
    }
    if (scan->edges->to != INT64_MAX) {
        note_running(scan, scan->edges->to, window_edges_note_end);
    }
    return true;
}

static bool find_in_trace(const struct selection *selection, struct selected_trace *trace,
                          struct error *error) {
    struct window_edges *edges = xcalloc(1, sizeof *edges);
    struct edge_scan scan = {
        .selection = selection,
        .trace = trace,
        .edges = edges,
        .spans = trace->trace->kind == TRACE_SPANS,
        .states = trace->trace->kind == TRACE_STATES,
        .stacks = {.thread_size = sizeof(struct call_thread),
                   .call_size = sizeof(struct running),
                   .idle = window_edges_is_idle,
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
              compare_int64);
    }
    call_stacks_free(&scan.stacks);
    open_times_free(&scan.open);
    event_filter_free(&scan.filter);
    id_set_free(&scan.under);
    return done;
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

void window_edges_free(struct window_edges *edges) {
    if (edges != NULL) {
        free(edges->edges);
        free(edges);
    }
}

/* Computes the queue depth, which is the number of I/Os in flight: by depth in temp.tally_queue,
 * and by time interval in temp.queue_interval. An I/O is in flight from its issue (D), or with
 * --q2c from its queue event (Q), to its completion (queue_sweep.h). Each trace is a separate
 * queue; the times of all traces are added up. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/intervals.h"
#include "base/saturate.h"
#include "scan/queue_sweep.h"
#include "select/counted_action.h"
#include "select/window.h"
#include "base/memory.h"

enum {
    WANTED_INTERVALS = 500, /* number of intervals to aim at if --interval is not given */
    MOST_DEPTH = 65536,     /* this depth and all larger ones share a row */
    MERGES = 2,
    /* number of latest Q events that are searched for a merge's Q, which comes just before the
       merge */
    QUEUED_KEPT = 64,
};

/* Actions of merges: back merge, front merge. */
static const char *const merge_actions[MERGES] = {"M", "F"};

/* Time with a certain number of I/Os in flight, and number of I/Os issued meanwhile. */
struct depth_times {
    int64_t time, seen;
};

struct interval_times {
    int64_t in_flight, busy, deepest, issued;
    int64_t traces; /* number of traces that last until then */
};

struct queue_state {
    struct analysis_context *context;
    struct queue_sweep *sweep; /* owned */
    struct intervals intervals;
    struct depth_times *depths;   /* owned; by depth, MOST_DEPTH + 1 elements */
    struct interval_times *times; /* owned; one per interval */
    bool from_queue;              /* true: I/Os are in flight from queue (Q), not from issue (D) */
    /* name.id of actions. completes: those that end an I/O (EVENT_NONE: every action); begins:
     * those that begin one (ACTION_NOTHING: none). */
    int64_t completes, begins;
    int64_t from;           /* --from as a time of the trace; INT64_MIN: not given */
    int64_t merges[MERGES]; /* name.id of merge actions (M, F), by which a queued I/O (Q) joins
                               another request */
    int64_t requeues;       /* name.id of the requeue action, which cancels an issue (D) */
    /* In the current trace since --from. timed: completions with a known begin; begun: begins (Q or
     * D); merged: Qs that merged into another request. */
    int64_t timed, begun, merged;
    /* Sectors of the latest begins (Q or D); begin i is at index i % QUEUED_KEPT. */
    int64_t queued[QUEUED_KEPT];
    /* Over all traces, numbers of: I/Os; I/Os without a duration; begins without a completion;
     * merged Qs; requeues; flushes without data, which count as in flight like other I/Os. */
    int64_t counted, untimed, unanswered, all_merged, requeued, flushes;
};

/* --- counting times in flight ----------------------------------------------------------------- */

static size_t queue_place_of(int64_t depth) {
    return depth < MOST_DEPTH ? (size_t)depth : MOST_DEPTH;
}

/* Adds the part of a time span that lies in an interval, with `depth` I/Os in flight. */
static void queue_add_part(struct interval_times *times, int64_t length, int64_t depth) {
    add_saturated(&times->in_flight, product_saturated(length, depth));
    add_saturated(&times->busy, length);
    times->deepest = depth > times->deepest ? depth : times->deepest;
}

static void queue_add_time(void *queue_state, int64_t from, int64_t to, int64_t depth) {
    struct queue_state *state = queue_state;

    from = from < state->from ? state->from : from;
    if (from < to) {
        add_saturated(&state->depths[queue_place_of(depth)].time, subtract_saturated(to, from));
        struct interval_part part = interval_parts(&state->intervals, from, to);

        while (depth != 0 && interval_next_part(&state->intervals, &part)) {
            queue_add_part(&state->times[part.number], part.length, depth);
        }
    }
}

static void queue_add_issue(void *queue_state, const struct queue_issue *issue) {
    struct queue_state *state = queue_state;
    uint64_t interval = interval_of(&state->intervals, issue->time);

    /* I/Os issued before --from do not count: the number in flight then is unknown, as earlier
     * completions are not read */
    if (issue->time < state->from) {
        return;
    }
    state->depths[queue_place_of(issue->depth)].seen++;
    if (interval < state->intervals.count) {
        state->times[interval].issued++;
    }
}

/* Returns whether the Q of a merge at this sector was counted in `begun`. It was not if it came
 * before --from; then no stored sector equals the merge's. */
static bool queue_event_was_counted(const struct queue_state *state, int64_t sector) {
    bool found = state->begun > QUEUED_KEPT;

    for (int64_t i = 0; !found && i < state->begun; i++) {
        found = state->queued[i] == sector;
    }
    return found;
}

/* Counts an event that is not a completion: Q or D, a merge or a requeue. */
static void count_other(struct queue_state *state, int64_t action, int64_t sector) {
    if (action == state->begins) {
        state->queued[state->begun++ % QUEUED_KEPT] = sector;
    }
    state->requeued += action == state->requeues;
    for (int i = 0; i < MERGES; i++) {
        state->merged += action == state->merges[i] && queue_event_was_counted(state, sector);
    }
}

static void queue_visit(void *queue_state, const struct event_columns *columns, size_t count) {
    struct queue_state *state = queue_state;
    const int64_t *durations = state->from_queue ? columns->response : columns->duration;

    for (size_t i = 0; i < count; i++) {
        if (state->completes != EVENT_NONE && columns->operation[i] != state->completes) {
            count_other(state, columns->operation[i], columns->address[i]);
            continue;
        }
        state->counted++;
        if (durations[i] < 0) {
            state->untimed++;
            continue;
        }
        state->flushes += io_class_of(columns->flags[i]) == IO_FLUSH && columns->size[i] <= 0;
        state->timed += subtract_saturated(columns->time[i], durations[i]) >= state->from;
        queue_sweep_add(state->sweep, columns->time[i], durations[i]);
    }
}

static void queue_begin(void *queue_state) {
    struct queue_state *state = queue_state;

    state->from_queue = state->context->values[1].given;
    intervals_find(&state->intervals, state->context, COVER_FROM, WANTED_INTERVALS, INTERVALS_MOST);
    state->sweep = queue_sweep_new(&(struct queue_visitor){queue_add_issue, queue_add_time, state});
    state->depths = xcalloc(MOST_DEPTH + 1, sizeof *state->depths);
    state->times = xcalloc(state->intervals.count + 1, sizeof *state->times);
}

/* Counts the trace in the intervals until its last event in the window. */
static void queue_count_trace(struct queue_state *state, const struct selected_trace *trace,
                              const struct window *window) {
    const int64_t last =
        window->to <= trace->trace->last_time ? window->to - 1 : trace->trace->last_time;
    const uint64_t end = interval_of(&state->intervals, last);

    for (size_t i = 0; trace->first <= trace->last && i < state->intervals.count && i <= end; i++) {
        state->times[i].traces++;
    }
}

/* Finds the action that begins the time in flight and, if that is Q, the merge actions. If --action
 * selects another action than C, its events count as completions. */
static void queue_begin_trace(void *queue_state) {
    struct queue_state *state = queue_state;
    struct analysis_context *context = state->context;
    const struct selected_trace *trace = context->trace;
    int64_t id = trace->trace->id, completed;
    struct window window = {0};

    state->completes = trace->action;
    state->timed = state->begun = state->merged = 0;
    state->begins = state->merges[0] = state->merges[1] = state->requeues = ACTION_NOTHING;
    if (!window_times(trace->trace, &context->selection->filter, &window, &context->error) ||
        !queue_sweep_check(context->selection, trace, &context->error) ||
        !action_find(context->database, id, "C", &completed, &context->error)) {
        return;
    }
    state->from = window.from;
    queue_count_trace(state, trace, &window);
    if (completed == EVENT_NONE || trace->action != completed) {
        return;
    }
    for (int i = 0; state->from_queue && i < MERGES; i++) {
        action_find(context->database, id, merge_actions[i], &state->merges[i], &context->error);
    }
    if (!state->from_queue) {
        action_find(context->database, id, "R", &state->requeues, &context->error);
    }
    action_find(context->database, id, state->from_queue ? "Q" : "D", &state->begins,
                &context->error);
}

static void queue_end_trace(void *queue_state) {
    struct queue_state *state = queue_state;
    int64_t merged = state->merged < state->begun ? state->merged : state->begun;
    int64_t begun = state->begun - merged;

    state->all_merged += merged;
    state->unanswered += begun > state->timed ? begun - state->timed : 0;
    queue_sweep_end(state->sweep);
}

/* --- result ----------------------------------------------------------------------------------- */

static void queue_add_notes(const struct queue_state *state) {
    struct notes *notes = &state->context->selection->notes;

    if (state->untimed > 0) {
        notes_append_count(
            notes, state->counted,
            "excluded: %lld of %lld I/O{s}: no %s in the log, no data, or completed in "
            "parts",
            (long long)state->untimed, (long long)state->counted,
            state->from_queue ? "queue event (Q)" : "issue (D)");
    }
    if (state->flushes > 0) {
        notes_append(notes,
                     "flushes without data, in flight too: %lld (--not-class flush excludes them)",
                     (long long)state->flushes);
    }
    if (state->unanswered > 0) {
        notes_append(notes, "excluded: %s without a completion: %lld%s",
                     state->from_queue ? "queue events (Q)" : "issues (D)",
                     (long long)state->unanswered,
                     state->requeued > 0 ? "; some were requeued (R)" : "");
    }
    notes_append_count(
        notes, state->all_merged,
        "merged (M, F): %lld queue event{s} (Q); {it completes|they complete} with the "
        "other request",
        (long long)state->all_merged);
    if (state->depths[MOST_DEPTH].time != 0) {
        notes_append(notes, "depths of %d and more: one row, counted as %d", MOST_DEPTH,
                     MOST_DEPTH);
    }
    queue_sweep_note(queue_sweep_count_late(state->sweep), notes);
}

static void queue_write_rows(void *queue_state) {
    struct queue_state *state = queue_state;
    const struct intervals *intervals = &state->intervals;

    for (size_t i = 0; i <= MOST_DEPTH; i++) {
        const struct depth_times *depth = &state->depths[i];

        if (depth->time != 0 || depth->seen != 0) {
            TEMP_ROW(&state->context->tables[0], (int64_t)i, depth->time, depth->seen);
        }
    }
    for (size_t i = 0; i < intervals->count; i++) {
        const struct interval_times *times = &state->times[i];

        TEMP_ROW(&state->context->tables[1], (int64_t)(intervals->origin + i * intervals->length),
                 (int64_t)intervals->length, times->in_flight, times->busy, times->deepest,
                 times->issued, times->traces);
    }
    queue_add_notes(state);
}

static void queue_free_state(void *queue_state) {
    struct queue_state *state = queue_state;

    queue_sweep_free(state->sweep);
    free(state->depths);
    free(state->times);
}

/* tally_queue: a row per depth. `time`: time at that depth, from the first issue of a trace (or
 * --from if later) to its last completion; `seen`: I/Os issued while so many others were in flight.
 * queue_interval: a row per interval from the first event, or --from, to the last event.
 * `in_flight`: sum of the I/Os' times in flight; `busy`: time with any I/O in flight; `deepest`:
 * maximum depth; `traces`: number of traces that last until then. I/Os without a duration do not
 * count. */
const struct analysis analysis_queue = {
    .name = "queue",
    .tables = {{"tally_queue", "depth, time, seen", NULL},
               {"queue_interval", "start, length, in_flight, busy, deepest, issued, traces", NULL}},
    .issued = true,
    .pass = PASS_ALL_ACTIONS,
    .fields = EVENT_OPERATION | EVENT_ADDRESS | EVENT_SIZE | EVENT_FLAGS | EVENT_DURATION |
              EVENT_RESPONSE,
    .parameters = {INTERVAL_PARAMETER, Q2C_PARAMETER},
    .state_size = sizeof(struct queue_state),
    .begin = queue_begin,
    .begin_trace = queue_begin_trace,
    .visit = queue_visit,
    .end_trace = queue_end_trace,
    .write = queue_write_rows,
    .free = queue_free_state,
};

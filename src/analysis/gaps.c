/* Finds gaps between successive events of a trace or, if calls have durations, times without a
 * running call: temp.tally_gap. Also finds idle times, in which no selected I/O was in flight:
 * temp.tally_idle. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/counted_state.h"
#include "base/saturate.h"
#include "base/search.h"
#include "base/memory.h"
#include "model/event.h"
#include "scan/distribution.h"
#include "select/counted_action.h"

/* Limit of the longest gaps held in memory. If a report needs more, all gaps go to the table. */
#define GAPS_IN_MEMORY 65536

/* Values of analysis.variant. KEPT: lists the gaps. COMPARED: lists the gaps; if two traces are
 * compared, fills a distribution of their lengths instead. STEPS: counts gaps by length. */
enum { KEPT, COMPARED, STEPS };

/* Number of classes of lengths: 1, 2, 5, 10, … up to 10^18. */
enum { STEP_COUNT = 3 * 18 + 1 };

/* Class of gaps that are longer than the previous class's `length`, and at most this `length`. */
struct gap_step {
    /* length: upper bound of lengths; count: number of gaps; time: sum of their lengths. */
    int64_t length, count, time;
};

/* Name of the only group in temp.distribution, which has the lengths of all gaps. */
#define LENGTHS "gaps"

/* Limit of idle times that later completions may change. At it, the older half becomes final. */
#define IDLE_OPEN 65536

/* A gap from `start` to `end`, in the trace's unit of time; end > start. */
struct gap {
    int64_t trace, start, end;
    bool unanswered; /* true: the gap ends at an I/O whose completion is not in the log */
};

/* Returns the length of a gap; saturates, because times of a damaged database may be arbitrary. */
static inline int64_t gap_length(const struct gap *gap) {
    int64_t length;

    return __builtin_sub_overflow(gap->end, gap->start, &length) ? INT64_MAX : length;
}

/* The longest gaps so far; of equal gaps, the earliest. */
struct longest_gaps {
    struct gap *gaps; /* owned; unordered; space for twice `wanted` */
    /* count: number of elements; wanted: number that the report needs, 0: all */
    size_t count, wanted;
    int64_t least; /* shorter gaps than this are dropped */
};

/* Event at which an I/O begins: queue or issue or, if the log lacks both, completion. */
enum gap_since { GAP_SINCE_ASKED, GAP_SINCE_ISSUED, GAP_SINCE_COMPLETED };
#define GAP_SINCE_KINDS 3

/* Counts that the reports print with the idle times. */
struct in_flight {
    int64_t since[GAP_SINCE_KINDS]; /* number of I/Os by enum gap_since */
    int64_t overlooked; /* number of I/Os that began in an idle time too old to be corrected */
    /* Number of idle times that end at an I/O whose completion is not in the log. */
    int64_t unanswered;
};

/* Columns of events that analyses of idle times read. */
#define IDLE_FIELDS (EVENT_OPERATION | EVENT_DURATION | EVENT_RESPONSE)

/* Compares gaps for sorting: longest first, equal lengths by time. */
static int compare_gaps(const void *left, const void *right) {
    const struct gap *a = left, *b = right;
    int64_t a_length = gap_length(a), b_length = gap_length(b);

    return a_length != b_length   ? ORDER(b_length, a_length)
           : a->start != b->start ? ORDER(a->start, b->start)
                                  : ORDER(a->trace, b->trace);
}

/* Sorts the gaps, and drops those beyond the number that the report needs. */
static void sort_longest(struct longest_gaps *longest) {
    sort_items(longest->gaps, longest->count, sizeof *longest->gaps, compare_gaps);
    if (longest->count > 0 && longest->count >= longest->wanted) {
        longest->count = longest->wanted;
        longest->least = gap_length(&longest->gaps[longest->wanted - 1]);
    }
}

/* --- finding idle times ----------------------------------------------------------------------- */

struct idle_times {
    int64_t time; /* time of the last completion */
    bool begun;
    /* Owned; idle times between completions, sorted by time, that are not final: a later completion
     * may show that its I/O was in flight during them. */
    struct gap *open;
    size_t open_count;
    int64_t settled; /* all idle times that end before this time are final */
    int64_t completes, asks[2];
    int64_t asked; /* time of the first queue or issue event since the last completion; INT64_MAX:
                      none */
    struct in_flight in_flight;
};

struct gap_state {
    struct analysis_context *context;
    /* trace: of the last event; time: of the last event or, if events have durations, the latest
     * end so far. */
    int64_t trace, time;
    bool begun;
    bool lasting;    /* true: events have durations (calls or thread states) */
    int64_t counted; /* name.id of the operation to count; EVENT_NONE: all */
    struct longest_gaps longest;
    /* Owned; distribution of gap lengths; NULL: the gaps are listed. */
    struct distribution *distribution;
    size_t group; /* number of the group in `distribution` */
    /* Owned; STEP_COUNT classes, and one for longer gaps; NULL: gaps are not counted by length. */
    struct gap_step *steps;
    struct idle_times idle;
};

static void count_step(struct gap_step *steps, int64_t length) {
    size_t low = 0, high = STEP_COUNT;

    SEARCH(low, high, middle, steps[middle].length < length);
    steps[low].count++;
    add_saturated(&steps[low].time, length);
}

static void gaps_store_gap(struct gap_state *state, const struct gap *gap) {
    if (state->steps != NULL) {
        count_step(state->steps, gap_length(gap));
    } else if (state->distribution != NULL) {
        distribution_count(state->distribution, state->group, gap_length(gap));
    } else if (state->longest.wanted > 0) {
        if (gap_length(gap) >= state->longest.least) {
            state->longest.gaps[state->longest.count++] = *gap;
        }
        if (state->longest.count == 2 * state->longest.wanted) {
            sort_longest(&state->longest);
        }
    } else {
        TEMP_ROW(&state->context->tables[0], gap->trace, gap->start, gap->end);
    }
}

/* Makes the oldest `count` idle times final. */
static void gaps_finish(struct gap_state *state, size_t count) {
    struct idle_times *times = &state->idle;

    for (size_t i = 0; i < count; i++) {
        gaps_store_gap(state, &times->open[i]);
        times->settled = times->open[i].end;
        times->in_flight.unanswered += times->open[i].unanswered;
    }
    times->open_count -= count;
    memmove(times->open, &times->open[count], times->open_count * sizeof *times->open);
}

/* Adds the idle time from the last completion to `end`, or to an earlier queue or issue event of an
 * I/O without a completion. */
static void add_idle(struct gap_state *state, int64_t end) {
    struct idle_times *times = &state->idle;
    bool unanswered = times->asked < end;

    end = unanswered ? times->asked : end;
    if (end <= times->time) {
        return;
    }
    if (times->open_count == IDLE_OPEN) {
        gaps_finish(state, IDLE_OPEN / 2);
    }
    times->open[times->open_count++] = (struct gap){state->trace, times->time, end, unanswered};
}

/* Adds a completed I/O. Must be called in order of completion. */
static void add_completion(struct gap_state *state, const struct event_columns *columns, size_t i) {
    struct idle_times *times = &state->idle;
    enum gap_since since = columns->response[i] >= 0   ? GAP_SINCE_ASKED
                           : columns->duration[i] >= 0 ? GAP_SINCE_ISSUED
                                                       : GAP_SINCE_COMPLETED;
    int64_t length = since == GAP_SINCE_ASKED    ? columns->response[i]
                     : since == GAP_SINCE_ISSUED ? columns->duration[i]
                                                 : 0;
    int64_t from = difference_saturated(columns->time[i], length);

    times->in_flight.since[since]++;
    if (times->begun && from <= times->time) {
        /* This I/O was in flight from `from` on: removes later idle times, and shortens one that
         * contains `from`. */
        struct gap *open = times->open;

        if (from < times->settled) {
            times->in_flight.overlooked++;
        }
        while (times->open_count > 0 && open[times->open_count - 1].start >= from) {
            times->open_count--;
        }
        if (times->open_count > 0 && open[times->open_count - 1].end >= from) {
            open[times->open_count - 1].end = from;
            open[times->open_count - 1].unanswered = false;
        }
    } else if (times->begun) {
        add_idle(state, from);
    }
    times->begun = true;
    times->time = columns->time[i];
    times->asked = INT64_MAX;
}

static void visit_in_flight(void *gap_state, const struct event_columns *columns, size_t count) {
    struct gap_state *state = gap_state;
    struct idle_times *times = &state->idle;

    for (size_t i = 0; i < count; i++) {
        int64_t operation = columns->operation[i], time = columns->time[i];

        if (times->completes == EVENT_NONE || operation == times->completes) {
            add_completion(state, columns, i);
        } else if ((operation == times->asks[0] || operation == times->asks[1]) &&
                   time < times->asked) {
            times->asked = time;
        }
    }
}

static void end_idle(void *gap_state) {
    struct gap_state *state = gap_state;

    if (state->idle.begun && state->idle.asked != INT64_MAX) {
        add_idle(state, INT64_MAX);
    }
    gaps_finish(state, state->idle.open_count);
}

static void gaps_visit(void *gap_state, const struct event_columns *columns, size_t count) {
    struct gap_state *state = gap_state;

    for (size_t i = 0; i < count; i++) {
        struct gap gap = {state->trace, state->time, columns->time[i], false};
        int64_t end = gap.end;

        if (!is_counted_operation(state->counted, columns, i)) {
            continue;
        }
        if (state->begun && gap.end > gap.start) {
            gaps_store_gap(state, &gap);
        }
        if (state->lasting && columns->duration[i] > 0) {
            add_saturated(&end, columns->duration[i]);
        }
        state->time = state->begun && state->time > end ? state->time : end;
        state->begun = true;
    }
}

/* Adds a call or thread state that began before the window: no gap begins before its end. */
static void gaps_add_edge(void *gap_state, const struct window_edge *edge) {
    struct gap_state *state = gap_state;

    if (state->lasting && edge->earlier &&
        (state->counted == EVENT_NONE || edge->operation == state->counted)) {
        state->time = state->begun && state->time > edge->end ? state->time : edge->end;
        state->begun = true;
    }
}

static struct gap_step *make_steps(void) {
    static const int64_t digits[] = {1, 2, 5};
    struct gap_step *steps = xcalloc(STEP_COUNT + 1, sizeof *steps);
    int64_t power = 1;

    for (size_t i = 0; i < STEP_COUNT; i++) {
        steps[i].length = digits[i % 3] * power;
        power *= i % 3 == 2 ? 10 : 1;
    }
    return steps;
}

static void gaps_begin(void *gap_state) {
    struct gap_state *state = gap_state;
    struct analysis_context *context = state->context;
    int variant = context->analysis->variant;

    state->steps = variant == STEPS ? make_steps() : NULL;
    if (context->top > 0 && context->top <= GAPS_IN_MEMORY) {
        state->longest.wanted = (size_t)context->top;
        state->longest.gaps = xmalloc(2 * state->longest.wanted * sizeof(struct gap));
    }
    if (context->analysis->pass == PASS_ALL_ACTIONS) {
        /* rarely filled, so most of its memory is never touched */
        state->idle.open = xmalloc(IDLE_OPEN * sizeof(struct gap));
    }
    if (context->shape.blocks > 0 && variant == COMPARED) {
        struct distribution_shape shape = context->shape;

        shape.curves = 0;
        state->distribution = distribution_new(shape);
        state->group =
            distribution_group(state->distribution, LENGTHS, strlen(LENGTHS), &context->error);
    }
}

static void gaps_begin_trace(void *gap_state) {
    struct gap_state *state = gap_state;
    const struct catalog_trace *trace = state->context->trace->trace;

    state->trace = trace->id;
    state->begun = false;
    /* Durations of calls and thread states begin at the event's time; those of I/Os end there. */
    state->lasting = trace->kind == TRACE_CALLS || trace->kind == TRACE_STATES;
    state->counted = counted_operation(state->context);
}

/* Finds the actions of a trace that complete an I/O, and those that begin one. The selected action
 * counts as completion; if it is EVENT_NONE, every event does. If it is C, events Q (queue) and D
 * (issue) also end an idle time, even if their I/O never completes. */
static void gaps_begin_idle(void *gap_state) {
    struct gap_state *state = gap_state;
    struct analysis_context *context = state->context;
    const struct selected_trace *trace = context->trace;
    struct idle_times *times = &state->idle;
    int64_t id = trace->trace->id, completed;

    gaps_begin_trace(state);
    times->begun = false;
    times->settled = INT64_MIN;
    times->asked = INT64_MAX;
    times->completes = trace->action;
    times->asks[0] = times->asks[1] = EVENT_NONE;
    if (action_find(context->database, id, "C", &completed, &context->error) &&
        completed != EVENT_NONE && trace->action == completed &&
        action_find(context->database, id, "Q", &times->asks[0], &context->error)) {
        action_find(context->database, id, "D", &times->asks[1], &context->error);
    }
}

/* Returns whether the distribution needs another pass, which counts all gaps again. */
static bool gaps_again(void *gap_state) {
    struct gap_state *state = gap_state;
    bool more = state->distribution != NULL && distribution_end_pass(state->distribution);

    if (more) {
        state->idle.in_flight = (struct in_flight){0};
    }
    return more;
}

/* Writes the classes of lengths up to the last one with gaps. */
static void gaps_write_steps(struct gap_state *state) {
    size_t count = STEP_COUNT + 1;

    while (count > 0 && state->steps[count - 1].count == 0) {
        count--;
    }
    for (size_t i = 0; i < count && i < STEP_COUNT; i++) {
        const struct gap_step *step = &state->steps[i];

        TEMP_ROW(&state->context->tables[0], step->length, step->count, step->time);
    }
}

static void write_gap_rows(void *gap_state) {
    struct gap_state *state = gap_state;

    if (state->distribution != NULL) {
        distribution_write(state->distribution, state->context->temp, &state->context->error);
        return;
    }
    if (state->steps != NULL) {
        gaps_write_steps(state);
    }
    sort_longest(&state->longest);
    for (size_t i = 0; i < state->longest.count; i++) {
        const struct gap *gap = &state->longest.gaps[i];

        TEMP_ROW(&state->context->tables[0], gap->trace, gap->start, gap->end);
    }
}

static void write_idle(void *gap_state) {
    struct gap_state *state = gap_state;
    const struct in_flight *in_flight = &state->idle.in_flight;

    write_gap_rows(state);
    TEMP_ROW(&state->context->tables[1], in_flight->since[GAP_SINCE_ASKED],
             in_flight->since[GAP_SINCE_ISSUED], in_flight->since[GAP_SINCE_COMPLETED],
             in_flight->overlooked, in_flight->unanswered);
}

static void gaps_free_state(void *gap_state) {
    struct gap_state *state = gap_state;

    free(state->longest.gaps);
    free(state->steps);
    free(state->idle.open);
    distribution_free(state->distribution);
}

#define GAP_TABLE                                                                                  \
    { "tally_gap", "trace, start, \"end\"", NULL }
#define IDLE_TABLE                                                                                 \
    { "tally_idle", "trace, start, \"end\"", NULL }
#define STEP_TABLE                                                                                 \
    { "gap_step", "length, count, time", NULL }
#define LENGTH_TABLE                                                                               \
    { "distribution", DISTRIBUTION_COLUMNS, "name" }

#define GAPS(what, which, ...)                                                                     \
    .name = (what), .tables = {__VA_ARGS__}, .pass = PASS_IN_ORDER, .fields = EVENT_DURATION,      \
    .variant = (which), .state_size = sizeof(struct gap_state), .begin = gaps_begin,               \
    .begin_trace = gaps_begin_trace, .window = WINDOW_PARTS, .edge = gaps_add_edge,                \
    .visit = gaps_visit, .again = gaps_again, .write = write_gap_rows, .free = gaps_free_state

/* Lists the --top longest gaps between successive selected events of a trace or, if calls have
 * durations, times without a running call. Gaps of length 0 are left out. */
const struct analysis analysis_gap = {GAPS("gap", KEPT, GAP_TABLE)};

/* Lists the longest gaps, as analysis_gap. If two traces are compared, fills group LENGTHS of
 * temp.distribution with the lengths of all gaps instead. */
const struct analysis analysis_gap_compared = {
    GAPS("gap_compared", COMPARED, GAP_TABLE, LENGTH_TABLE)};

/* Counts gaps by length, in classes up to 1, 2, 5, 10, … 10^18: number and sum of lengths. */
const struct analysis analysis_gap_step = {GAPS("gap_step", STEPS, STEP_TABLE)};

#define IN_FLIGHT_TABLE                                                                            \
    { "in_flight", "asked, issued, completed, overlooked, unanswered", NULL }
#define IDLES(what, which, ...)                                                                    \
    .name = (what), .tables = {__VA_ARGS__}, .pass = PASS_ALL_ACTIONS, .fields = IDLE_FIELDS,      \
    .variant = (which), .state_size = sizeof(struct gap_state), .begin = gaps_begin,               \
    .begin_trace = gaps_begin_idle, .visit = visit_in_flight, .end_trace = end_idle,               \
    .again = gaps_again, .write = write_idle, .free = gaps_free_state

/* Lists the --top longest idle times, in which no selected I/O of a trace was in flight. An I/O is
 * in flight from its queue event to its completion; if its queue event is unknown, from its issue;
 * if both are unknown, only at its completion. Any queue or issue event ends an idle time, even if
 * the I/O never completes. temp.in_flight has the counts of struct in_flight. */
const struct analysis analysis_idle = {IDLES("idle", KEPT, IDLE_TABLE, IN_FLIGHT_TABLE)};

/* List and count idle times, as analysis_gap_compared and analysis_gap_step list and count gaps. */
const struct analysis analysis_idle_compared = {
    IDLES("idle_compared", COMPARED, IDLE_TABLE, IN_FLIGHT_TABLE, LENGTH_TABLE)};
const struct analysis analysis_idle_step = {IDLES("idle_step", STEPS, STEP_TABLE, IN_FLIGHT_TABLE)};

/* Time between one selected event of a trace and the next, and of calls with durations time in
 * which none of them ran: temp.tally_gap; and time in which no selected I/O of a trace was in
 * flight: temp.tally_idle. */
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

/* So many of the longest are kept in memory; for more, all go to the table. */
#define GAPS_IN_MEMORY 65536

/* What the analyses here differ by: whether they keep gaps, or, where two traces are compared,
 * count their lengths instead; or always count these, by steps. */
enum { KEPT, COMPARED, STEPS };

/* 1, 2, 5, 10, … up to 10^18. */
enum { STEP_COUNT = 3 * 18 + 1 };

/* Gaps that are no longer than a step, and longer than the one before. */
struct gap_step {
    int64_t length, count, time; /* `time`: of all */
};

/* The group of all lengths. */
#define LENGTHS "gaps"

/* An I/O that was in flight in so many idle times of the others is believed; beyond that the older
 * half of these stand. */
#define IDLE_OPEN 65536

/* From `start` to `end`, in the trace's unit of time; end > start. */
struct gap {
    int64_t trace, start, end;
    bool unanswered; /* an I/O ended it whose completion is not known */
};

/* How long it lasts; at most INT64_MAX, whatever the times of a damaged database are. */
static inline int64_t gap_length(const struct gap *gap) {
    int64_t length;

    return __builtin_sub_overflow(gap->end, gap->start, &length) ? INT64_MAX : length;
}

/* The longest gaps, and of equal ones the earliest. */
struct longest_gaps {
    struct gap *gaps;     /* owned; room for twice as many as are wanted, unordered */
    size_t count, wanted; /* wanted: 0, all are */
    int64_t least;        /* no shorter one is among them */
};

/* When an I/O is known to have been in flight from: where it was asked for, its issue, or, where
 * neither is known, its completion. */
enum gap_since { GAP_SINCE_ASKED, GAP_SINCE_ISSUED, GAP_SINCE_COMPLETED };
#define GAP_SINCE_KINDS 3

/* What is counted beside the idle times. */
struct in_flight {
    int64_t since[GAP_SINCE_KINDS]; /* I/Os */
    int64_t overlooked;             /* I/Os that began before an idle time that stood already */
    int64_t unanswered;             /* idle times that an I/O ended whose completion is not known */
};

/* What the I/Os have to have. */
#define IDLE_FIELDS (EVENT_OPERATION | EVENT_DURATION | EVENT_RESPONSE)

/* --- the longest -------------------------------------------------------------------------------
 */

/* In the order of the report: the longest first, of equal ones the earliest. */
static int compare_gaps(const void *left, const void *right) {
    const struct gap *a = left, *b = right;
    int64_t a_length = gap_length(a), b_length = gap_length(b);

    return a_length != b_length   ? ORDER(b_length, a_length)
           : a->start != b->start ? ORDER(a->start, b->start)
                                  : ORDER(a->trace, b->trace);
}

/* Leaves only so many as are wanted, in order. */
static void sort_longest(struct longest_gaps *longest) {
    if (longest->count > 0) {
        qsort(longest->gaps, longest->count, sizeof *longest->gaps, compare_gaps);
    }
    if (longest->count > 0 && longest->count >= longest->wanted) {
        longest->count = longest->wanted;
        longest->least = gap_length(&longest->gaps[longest->wanted - 1]);
    }
}

static void add_long(struct longest_gaps *longest, const struct gap *gap) {
    if (gap_length(gap) >= longest->least) {
        longest->gaps[longest->count++] = *gap;
    }
    if (longest->count == 2 * longest->wanted) {
        sort_longest(longest);
    }
}

/* --- idle times --------------------------------------------------------------------------------
 */

struct idle_times {
    int64_t time; /* of the last completion */
    bool begun;
    /* Those of the I/Os that have completed, by time; a later completion may be of an I/O that was
     * in flight then. */
    struct gap *open; /* owned */
    size_t open_count;
    int64_t settled; /* idle times before that stand */
    int64_t completes, asks[2];
    int64_t asked; /* when the first I/O since the last completion was; INT64_MAX: none was */
    struct in_flight in_flight;
};

struct gap_state {
    struct analysis_context *context;
    int64_t trace, time; /* of the last event; of calls, the end of the latest */
    bool begun;
    bool lasting;    /* events are calls, or states */
    int64_t counted; /* operation; EVENT_NONE: all */
    struct longest_gaps longest;
    struct distribution *distribution; /* owned; of lengths; NULL: gaps are kept */
    size_t group;                      /* of that */
    struct gap_step *steps; /* owned; STEP_COUNT, and one for all beyond; NULL: none are counted */
    struct idle_times idle;
};

static void count_step(struct gap_step *steps, int64_t length) {
    size_t low = 0, high = STEP_COUNT;

    SEARCH(low, high, middle, steps[middle].length < length);
    steps[low].count++;
    add_saturated(&steps[low].time, length);
}

static void keep_gap(struct gap_state *state, const struct gap *gap) {
    if (state->steps != NULL) {
        count_step(state->steps, gap_length(gap));
    } else if (state->distribution != NULL) {
        distribution_count(state->distribution, state->group, gap_length(gap));
    } else if (state->longest.wanted > 0) {
        add_long(&state->longest, gap);
    } else {
        TEMP_ROW(&state->context->tables[0], gap->trace, gap->start, gap->end);
    }
}

/* The oldest so many stand from now on. */
static void settle(struct gap_state *state, size_t count) {
    struct idle_times *times = &state->idle;

    for (size_t i = 0; i < count; i++) {
        keep_gap(state, &times->open[i]);
        times->settled = times->open[i].end;
        times->in_flight.unanswered += times->open[i].unanswered;
    }
    times->open_count -= count;
    memmove(times->open, &times->open[count], times->open_count * sizeof *times->open);
}

/* From then on, up to now, it was not idle. */
static void take_back(struct idle_times *times, int64_t from) {
    struct gap *open = times->open;

    if (from < times->settled) {
        times->in_flight.overlooked++;
    }
    while (times->open_count > 0 && open[times->open_count - 1].start >= from) {
        times->open_count--;
    }
    if (times->open_count > 0 && open[times->open_count - 1].end > from) {
        open[times->open_count - 1].end = from;
        open[times->open_count - 1].unanswered = false;
    }
}

/* Nothing was in flight from the last completion to `end`, or until an I/O was asked for before
 * that of which no completion tells. */
static void add_idle(struct gap_state *state, int64_t end) {
    struct idle_times *times = &state->idle;
    bool unanswered = times->asked < end;

    end = unanswered ? times->asked : end;
    if (end <= times->time) {
        return;
    }
    if (times->open_count == IDLE_OPEN) {
        settle(state, IDLE_OPEN / 2);
    }
    times->open[times->open_count++] = (struct gap){state->trace, times->time, end, unanswered};
}

/* I/Os come in order of completion. */
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
        take_back(times, from);
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
    settle(state, state->idle.open_count);
}

/* --- the analyses --------------------------------------------------------------------------------
 */

static void visit(void *gap_state, const struct event_columns *columns, size_t count) {
    struct gap_state *state = gap_state;

    for (size_t i = 0; i < count; i++) {
        struct gap gap = {state->trace, state->time, columns->time[i], false};
        int64_t end = gap.end;

        if (!is_counted_operation(state->counted, columns, i)) {
            continue;
        }
        if (state->begun && gap.end > gap.start) {
            keep_gap(state, &gap);
        }
        if (state->lasting && columns->duration[i] > 0) {
            add_saturated(&end, columns->duration[i]);
        }
        state->time = state->begun && state->time > end ? state->time : end;
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

static void begin(void *gap_state) {
    struct gap_state *state = gap_state;
    struct analysis_context *context = state->context;
    int variant = context->analysis->variant;

    state->steps = variant == STEPS ? make_steps() : NULL;
    if (context->top > 0 && context->top <= GAPS_IN_MEMORY) {
        state->longest.wanted = (size_t)context->top;
        state->longest.gaps = xmalloc(2 * state->longest.wanted * sizeof(struct gap));
    }
    if (context->analysis->pass == PASS_ALL_ACTIONS) {
        state->idle.open = xmalloc(IDLE_OPEN * sizeof(struct gap)); /* most of it is never used */
    }
    if (context->shape.blocks > 0 && variant == COMPARED) {
        struct distribution_shape shape = context->shape;

        shape.curves = 0;
        state->distribution = distribution_new(shape);
        state->group =
            distribution_group(state->distribution, LENGTHS, strlen(LENGTHS), &context->error);
    }
}

static void begin_trace(void *gap_state) {
    struct gap_state *state = gap_state;
    const struct catalog_trace *trace = state->context->trace->trace;

    state->trace = trace->id;
    state->begun = false;
    /* Calls last, if the log has durations. The duration of an I/O lies before its completion. */
    state->lasting = trace->kind == TRACE_CALLS || trace->kind == TRACE_STATES;
    state->counted = counted_operation(state->context);
}

/* What completes is the action that counts, any where that is EVENT_NONE. Of another than C each is
 * a completion: then no others end an idle time, as Q and D do even if their I/O never completes.
 */
static void begin_idle(void *gap_state) {
    struct gap_state *state = gap_state;
    struct analysis_context *context = state->context;
    const struct selected_trace *trace = context->trace;
    struct idle_times *times = &state->idle;
    int64_t id = trace->trace->id, completed;

    begin_trace(state);
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

/* All is counted again in a further pass, which only lengths need. */
static bool again(void *gap_state) {
    struct gap_state *state = gap_state;
    bool more = state->distribution != NULL && distribution_end_pass(state->distribution);

    if (more) {
        state->idle.in_flight = (struct in_flight){0};
    }
    return more;
}

/* Up to the last that has any; the empty ones before it, too. */
static void write_steps(struct gap_state *state) {
    size_t count = STEP_COUNT + 1;

    while (count > 0 && state->steps[count - 1].count == 0) {
        count--;
    }
    for (size_t i = 0; i < count && i < STEP_COUNT; i++) {
        const struct gap_step *step = &state->steps[i];

        TEMP_ROW(&state->context->tables[0], step->length, step->count, step->time);
    }
}

static void write_gaps(void *gap_state) {
    struct gap_state *state = gap_state;

    if (state->distribution != NULL) {
        distribution_write(state->distribution, state->context->temp, &state->context->error);
        return;
    }
    if (state->steps != NULL) {
        write_steps(state);
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

    write_gaps(state);
    TEMP_ROW(&state->context->tables[1], in_flight->since[GAP_SINCE_ASKED],
             in_flight->since[GAP_SINCE_ISSUED], in_flight->since[GAP_SINCE_COMPLETED],
             in_flight->overlooked, in_flight->unanswered);
}

static void free_state(void *gap_state) {
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
    .variant = (which), .state_size = sizeof(struct gap_state), .begin = begin,                    \
    .begin_trace = begin_trace, .visit = visit, .again = again, .write = write_gaps,               \
    .free = free_state

/* Times between successive selected events of a trace, of calls with durations times in which none
 * of them ran, those of no length left out; of those as many of the longest as --top says. */
const struct analysis analysis_gap = {GAPS("gap", KEPT, GAP_TABLE)};

/* The same, but where two traces are compared the lengths of all are in temp.distribution instead,
 * as the group LENGTHS. */
const struct analysis analysis_gap_compared = {
    GAPS("gap_compared", COMPARED, GAP_TABLE, LENGTH_TABLE)};

/* All of them up to 10^18 by the first of 1, 2, 5, 10, … that they do not exceed: how many, and the
 * sum of their lengths. */
const struct analysis analysis_gap_step = {GAPS("gap_step", STEPS, STEP_TABLE)};

#define IN_FLIGHT_TABLE                                                                            \
    { "in_flight", "asked, issued, completed, overlooked, unanswered", NULL }
#define IDLES(what, which, ...)                                                                    \
    .name = (what), .tables = {__VA_ARGS__}, .pass = PASS_ALL_ACTIONS, .fields = IDLE_FIELDS,      \
    .variant = (which), .state_size = sizeof(struct gap_state), .begin = begin,                    \
    .begin_trace = begin_idle, .visit = visit_in_flight, .end_trace = end_idle, .again = again,    \
    .write = write_idle, .free = free_state

/* Times in which no selected I/O of a trace was in flight, from its being asked for (or issued, or,
 * where neither is known, its completion) to its completion; an idle time ends where any is asked
 * for or issued, even if it never completes. Of those as many of the longest as --top says. How
 * many I/Os are in flight since which is in temp.in_flight, with how many began before an idle time
 * that stood already, and how many idle times an I/O ended whose completion is not known. */
const struct analysis analysis_idle = {IDLES("idle", KEPT, IDLE_TABLE, IN_FLIGHT_TABLE)};

/* The same, with lengths as for analysis_gap_compared, and steps as for analysis_gap_step. */
const struct analysis analysis_idle_compared = {
    IDLES("idle_compared", COMPARED, IDLE_TABLE, IN_FLIGHT_TABLE, LENGTH_TABLE)};
const struct analysis analysis_idle_step = {IDLES("idle_step", STEPS, STEP_TABLE, IN_FLIGHT_TABLE)};

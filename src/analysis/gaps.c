/* Time between one selected event of a trace and the next, and of calls with durations time in
 * which none of them ran: temp.tally_gap; and time in which no selected I/O of a trace was in
 * flight: temp.tally_idle. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/saturate.h"
#include "base/memory.h"
#include "model/event.h"
#include "scan/distribution.h"
#include "select/counted_action.h"

/* So many of the longest are kept in memory; for more, all go to the table. */
#define GAPS_IN_MEMORY 65536

/* What the analyses here differ by: whose gaps they are, and whether, where two traces are
 * compared, their lengths are counted instead of them. */
enum { GAP, IDLE, GAP_COMPARED, IDLE_COMPARED };

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

/* The longest gaps, and of equal ones the earliest. Zeroed: empty, without room. */
struct gap_heap {
    struct gap *gaps; /* owned; unordered */
    size_t count, capacity;
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

/* Whether `left` comes before `right` in the report: longer, or as long and earlier. */
static bool comes_before(const struct gap *left, const struct gap *right) {
    int64_t left_length = gap_length(left), right_length = gap_length(right);

    return left_length != right_length ? left_length > right_length : left->start < right->start;
}

static void swap(struct gap *left, struct gap *right) {
    struct gap held = *left;

    *left = *right;
    *right = held;
}

static void sift_up(struct gap *heap, size_t at) {
    while (at > 0 && comes_before(&heap[(at - 1) / 2], &heap[at])) {
        swap(&heap[(at - 1) / 2], &heap[at]);
        at = (at - 1) / 2;
    }
}

static void sift_down(struct gap *heap, size_t count) {
    size_t at = 0;

    for (;;) {
        size_t last = at;

        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {
            if (comes_before(&heap[last], &heap[child])) {
                last = child;
            }
        }
        if (last == at) {
            return;
        }
        swap(&heap[at], &heap[last]);
        at = last;
    }
}

/* Keeps a gap, where there is no room in place of the shortest. */
static void gap_heap_add(struct gap_heap *heap, const struct gap *gap) {
    if (heap->count < heap->capacity) {
        heap->gaps[heap->count++] = *gap;
        sift_up(heap->gaps, heap->count - 1);
    } else if (comes_before(gap, &heap->gaps[0])) {
        heap->gaps[0] = *gap;
        sift_down(heap->gaps, heap->count);
    }
}

/* --- idle times --------------------------------------------------------------------------------
 */

struct idle_times {
    bool (*keep)(void *context, const struct gap *gap, struct error *error);
    void *context;
    int64_t trace, time; /* of the last completion */
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

/* `keep` gets each idle time, in order; false with `error` set ends the pass. */
static struct idle_times *idle_times_new(bool (*keep)(void *context, const struct gap *gap,
                                                      struct error *error),
                                         void *context) {
    struct idle_times *times = xcalloc(1, sizeof *times);

    times->keep = keep;
    times->context = context;
    times->open = xmalloc(IDLE_OPEN * sizeof *times->open); /* most of it is never used */
    return times;
}

static void idle_times_free(struct idle_times *times) {
    if (times != NULL) {
        free(times->open);
        free(times);
    }
}

/* Begins a trace. `completes`: name.id of the action that completes, EVENT_NONE: any does; `asks`:
 * of the two that end an idle time even if their I/O never completes, EVENT_NONE: the trace has
 * none. */
static void idle_times_begin(struct idle_times *times, int64_t trace, int64_t completes,
                             const int64_t asks[2]) {
    times->trace = trace;
    times->begun = false;
    times->settled = INT64_MIN;
    times->asked = INT64_MAX;
    times->completes = completes;
    times->asks[0] = asks[0];
    times->asks[1] = asks[1];
}

/* The oldest so many stand from now on. */
static bool settle(struct idle_times *times, size_t count, struct error *error) {
    for (size_t i = 0; i < count; i++) {
        if (!times->keep(times->context, &times->open[i], error)) {
            return false;
        }
        times->settled = times->open[i].end;
        times->in_flight.unanswered += times->open[i].unanswered;
    }
    times->open_count -= count;
    memmove(times->open, &times->open[count], times->open_count * sizeof *times->open);
    return true;
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
static bool add_idle(struct idle_times *times, int64_t end, struct error *error) {
    bool unanswered = times->asked < end;

    end = unanswered ? times->asked : end;
    if (end <= times->time) {
        return true;
    }
    if (times->open_count == IDLE_OPEN && !settle(times, IDLE_OPEN / 2, error)) {
        return false;
    }
    times->open[times->open_count++] = (struct gap){times->trace, times->time, end, unanswered};
    return true;
}

static bool visit_completion(struct idle_times *times, int64_t from, int64_t to,
                             struct error *error) {
    if (times->begun && from <= times->time) {
        take_back(times, from);
    } else if (times->begun && !add_idle(times, from, error)) {
        return false;
    }
    times->begun = true;
    times->time = to;
    times->asked = INT64_MAX;
    return true;
}

static void visit_other(struct idle_times *times, int64_t operation, int64_t time) {
    bool asks = operation == times->asks[0] || operation == times->asks[1];

    if (asks && time < times->asked) {
        times->asked = time;
    }
}

/* I/Os come in order of completion. */
static bool add_completion(struct idle_times *times, const struct event_columns *columns, size_t i,
                           struct error *error) {
    int64_t time = columns->time[i], length = 0, from;
    enum gap_since since = GAP_SINCE_COMPLETED;

    if (columns->response[i] >= 0) {
        since = GAP_SINCE_ASKED;
        length = columns->response[i];
    } else if (columns->duration[i] >= 0) {
        since = GAP_SINCE_ISSUED;
        length = columns->duration[i];
    }
    times->in_flight.since[since]++;
    if (__builtin_sub_overflow(time, length, &from)) {
        from = INT64_MIN; /* no importer writes such */
    }
    return visit_completion(times, from, time, error);
}

static bool idle_times_add(struct idle_times *times, const struct event_columns *columns,
                           size_t count, struct error *error) {
    for (size_t i = 0; i < count; i++) {
        if (times->completes != EVENT_NONE && columns->operation[i] != times->completes) {
            visit_other(times, columns->operation[i], columns->time[i]);
        } else if (!add_completion(times, columns, i, error)) {
            return false;
        }
    }
    return true;
}

static bool idle_times_end(struct idle_times *times, struct error *error) {
    return (!times->begun || times->asked == INT64_MAX || add_idle(times, INT64_MAX, error)) &&
           settle(times, times->open_count, error);
}
/* --- the analyses --------------------------------------------------------------------------------
 */

struct gap_state {
    struct database *database;
    int64_t trace, time; /* of the last event; of calls, the end of the latest */
    bool begun;
    bool lasting;            /* events are calls */
    struct gap_heap longest; /* owned; without room: all are kept */
    sqlite3_stmt *insert;
    struct temp_schema *temp;
    struct distribution *distribution; /* owned; of lengths; NULL: gaps are kept */
    size_t group;                      /* of that */
    struct idle_times *idle;           /* owned; NULL: times between events */
    const struct selection *selection;
};

static bool write_gap(const struct gap_state *state, const struct gap *gap, struct error *error) {
    sqlite3_bind_int64(state->insert, 1, gap->trace);
    sqlite3_bind_int64(state->insert, 2, gap->start);
    sqlite3_bind_int64(state->insert, 3, gap->end);
    return database_execute(state->database, state->insert, error);
}

static bool keep_gap(void *context_state, const struct gap *gap, struct error *error) {
    struct gap_state *state = context_state;

    if (state->distribution != NULL) {
        distribution_count(state->distribution, state->group, gap_length(gap));
        return true;
    }
    if (state->longest.capacity == 0) {
        return write_gap(state, gap, error);
    }
    gap_heap_add(&state->longest, gap);
    return true;
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct gap_state *state = context_state;

    for (size_t i = 0; i < count; i++) {
        struct gap gap = {state->trace, state->time, columns->time[i], false};
        int64_t end = gap.end;

        if (state->begun && gap.end > gap.start && !keep_gap(state, &gap, error)) {
            return false;
        }
        if (state->lasting && columns->duration[i] > 0) {
            add_saturated(&end, columns->duration[i]);
        }
        state->time = state->begun && state->time > end ? state->time : end;
        state->begun = true;
    }
    return true;
}

static bool visit_in_flight(void *context_state, const struct event_columns *columns, size_t count,
                            struct error *error) {
    const struct gap_state *state = context_state;

    return idle_times_add(state->idle, columns, count, error);
}

static bool end_idle(void *context_state, struct error *error) {
    const struct gap_state *state = context_state;

    return idle_times_end(state->idle, error);
}

static bool begin_lengths(struct gap_state *state, const struct analysis_context *context,
                          struct error *error) {
    int variant = context->analysis->variant;

    if (context->blocks <= 0 || (variant != GAP_COMPARED && variant != IDLE_COMPARED)) {
        return true;
    }
    state->distribution = distribution_new();
    distribution_name(state->distribution, context->naming);
    distribution_cut(state->distribution, context->blocks);
    return distribution_group(state->distribution, LENGTHS, strlen(LENGTHS), &state->group, error);
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct gap_state *state = context_state;
    char insert[64];

    state->selection = context->selection;
    state->temp = context->selection->temp;
    state->database = context->selection->database;
    if (context->top > 0 && context->top <= GAPS_IN_MEMORY) {
        state->longest.capacity = (size_t)context->top;
        state->longest.gaps = xmalloc(state->longest.capacity * sizeof *state->longest.gaps);
    }
    if (context->analysis->pass == PASS_ALL_ACTIONS) {
        state->idle = idle_times_new(keep_gap, state);
    }
    snprintf(insert, sizeof insert, "INSERT INTO temp.%s VALUES (?1, ?2, ?3)",
             context->analysis->tables[0].name);
    state->insert = temp_schema_prepare(state->temp, insert, error);
    return state->insert != NULL && begin_lengths(state, context, error);
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct gap_state *state = context_state;

    (void)error;
    state->trace = trace->trace->id;
    state->begun = false;
    /* Calls last, if the log has durations. The duration of an I/O lies before its completion. */
    state->lasting = trace->trace->kind == TRACE_CALLS;
    return true;
}

static bool begin_idle(void *context_state, const struct selected_trace *trace,
                       struct error *error) {
    static const char *const letters[] = {"Q", "D"};
    const struct gap_state *state = context_state;
    int64_t asks[2] = {EVENT_NONE, EVENT_NONE}, completed;

    if (!action_find(state->database, trace->trace->id, "C", &completed, error)) {
        return false;
    }
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        /* Of another action that counts, each is a completion: the others say nothing. */
        if (completed != EVENT_NONE && trace->action == completed &&
            !action_find(state->database, trace->trace->id, letters[i], &asks[i], error)) {
            return false;
        }
    }
    idle_times_begin(state->idle, trace->trace->id, trace->action, asks);
    return true;
}

/* All is counted again in a further pass, which only lengths need. */
static bool again(void *context_state, bool *more, struct error *error) {
    struct gap_state *state = context_state;

    if (state->distribution == NULL) {
        return true;
    }
    if (!distribution_end_pass(state->distribution, more, error)) {
        return false;
    }
    if (*more && state->idle != NULL) {
        state->idle->in_flight = (struct in_flight){0};
    }
    return true;
}

static bool write_heap(void *context_state, struct error *error) {
    struct gap_state *state = context_state;

    if (state->distribution != NULL) {
        return distribution_write(state->distribution, state->temp, error);
    }
    for (size_t i = 0; i < state->longest.count; i++) {
        if (!write_gap(state, &state->longest.gaps[i], error)) {
            return false;
        }
    }
    return true;
}

static void free_state(void *context_state) {
    struct gap_state *state = context_state;

    sqlite3_finalize(state->insert);
    free(state->longest.gaps);
    idle_times_free(state->idle);
    distribution_free(state->distribution);
}

static bool write_idle(void *context_state, struct error *error) {
    const struct gap_state *state = context_state;
    const struct in_flight *in_flight = &state->idle->in_flight;
    sqlite3_stmt *insert;
    bool done =
        write_heap(context_state, error) &&
        (insert = temp_schema_prepare(
             state->temp, "INSERT INTO temp.in_flight VALUES (?1, ?2, ?3, ?4, ?5)", error)) != NULL;

    if (done) {
        for (int since = 0; since < GAP_SINCE_KINDS; since++) {
            sqlite3_bind_int64(insert, since + 1, in_flight->since[since]);
        }
        sqlite3_bind_int64(insert, GAP_SINCE_KINDS + 1, in_flight->overlooked);
        sqlite3_bind_int64(insert, GAP_SINCE_KINDS + 2, in_flight->unanswered);
        done = database_execute(state->database, insert, error);
        sqlite3_finalize(insert);
    }
    return done;
}

#define GAPS(what, which, ...)                                                                     \
    .name = (what), .tables = {{"tally_gap", "trace, start, \"end\"", NULL}, __VA_ARGS__},         \
    .pass = PASS_IN_ORDER, .fields = EVENT_DURATION, .variant = (which),                           \
    .state_size = sizeof(struct gap_state), .begin = begin, .begin_trace = begin_trace,            \
    .visit = visit, .again = again, .write = write_heap, .free = free_state

/* Times between successive selected events of a trace, of calls with durations times in which none
 * of them ran, those of no length left out; of those as many of the longest as --top says. */
const struct analysis analysis_gap = {GAPS("gap", GAP, {0})};

/* The same, but where two traces are compared the lengths of all are in temp.distribution instead,
 * as the group LENGTHS. */
const struct analysis analysis_gap_compared = {
    GAPS("gap_compared", GAP_COMPARED, {"distribution", DISTRIBUTION_COLUMNS, "name"})};

#define IDLES(what, which, ...)                                                                    \
    .name = (what),                                                                                \
    .tables = {{"tally_idle", "trace, start, \"end\"", NULL},                                      \
               {"in_flight", "asked, issued, completed, overlooked, unanswered", NULL},            \
               __VA_ARGS__},                                                                       \
    .pass = PASS_ALL_ACTIONS, .fields = IDLE_FIELDS, .variant = (which),                           \
    .state_size = sizeof(struct gap_state), .begin = begin, .begin_trace = begin_idle,             \
    .visit = visit_in_flight, .end_trace = end_idle, .again = again, .write = write_idle,          \
    .free = free_state

/* Times in which no selected I/O of a trace was in flight, from its being asked for (or issued, or,
 * where neither is known, its completion) to its completion; an idle time ends where any is asked
 * for or issued, even if it never completes. Of those as many of the longest as --top says. How
 * many I/Os are in flight since which is in temp.in_flight, with how many began before an idle time
 * that stood already, and how many idle times an I/O ended whose completion is not known. */
const struct analysis analysis_idle = {IDLES("idle", IDLE, {0})};

/* The same, with lengths as for analysis_gap_compared. */
const struct analysis analysis_idle_compared = {
    IDLES("idle_compared", IDLE_COMPARED, {"distribution", DISTRIBUTION_COLUMNS, "name"})};

/* Time between one selected event of a trace and the next: temp.tally_gap; and time in which no
 * selected I/O of a trace was in flight: temp.tally_idle. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
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

/* When an I/O is known to have been in flight from. */
enum since { SINCE_ASKED, SINCE_ISSUED, SINCE_COMPLETED, SINCE_KINDS };

struct gap {
    int64_t trace, start, end;
    bool unanswered; /* an I/O ended it whose completion is not known */
};

struct gap_state {
    struct database *database;
    int64_t trace, time; /* of the last event */
    bool begun;
    struct gap *heap; /* the longest so far, the shortest of them on top; NULL: keep all */
    size_t count, capacity;
    sqlite3_stmt *insert;
    struct scratch *scratch;
    struct distribution *distribution; /* owned; of lengths; NULL: gaps are kept */
    size_t group;                      /* of that */
    /* Of idle times, those of the I/Os that have completed, by time; a later completion may be of
     * an I/O that was in flight then. */
    struct gap *open;
    size_t open_count;
    int64_t settled; /* idle times before that stand */
    /* name.id of the action that completes (EVENT_NONE: any), and of those that end an idle time
     * even if their I/O never completes (EVENT_NONE: not in the trace). */
    int64_t completes, asks[2];
    int64_t asked; /* when the first I/O since the last completion was; INT64_MAX: none was */
    int64_t since[SINCE_KINDS], overlooked;
    int64_t unanswered; /* idle times that such an I/O ended */
};

/* Whether `left` comes before `right` in the report: longer, or as long and earlier. */
static bool comes_before(const struct gap *left, const struct gap *right) {
    int64_t left_length = left->end - left->start, right_length = right->end - right->start;

    return left_length != right_length ? left_length > right_length : left->start < right->start;
}

static void swap(struct gap *left, struct gap *right) {
    struct gap kept = *left;

    *left = *right;
    *right = kept;
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

static bool write_gap(struct gap_state *state, const struct gap *gap, struct error *error) {
    sqlite3_bind_int64(state->insert, 1, gap->trace);
    sqlite3_bind_int64(state->insert, 2, gap->start);
    sqlite3_bind_int64(state->insert, 3, gap->end);
    return database_execute(state->database, state->insert, error);
}

static bool keep_gap(struct gap_state *state, const struct gap *gap, struct error *error) {
    if (state->distribution != NULL) {
        distribution_count(state->distribution, state->group, gap->end - gap->start);
        return true;
    }
    if (state->heap == NULL) {
        return write_gap(state, gap, error);
    }
    if (state->count < state->capacity) {
        state->heap[state->count++] = *gap;
        sift_up(state->heap, state->count - 1);
    } else if (comes_before(gap, &state->heap[0])) {
        state->heap[0] = *gap;
        sift_down(state->heap, state->count);
    }
    return true;
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct gap_state *state = context_state;

    for (size_t i = 0; i < count; i++) {
        struct gap gap = {state->trace, state->time, columns->time[i], false};

        if (state->begun && gap.end > gap.start && !keep_gap(state, &gap, error)) {
            return false;
        }
        state->begun = true;
        state->time = gap.end;
    }
    return true;
}

/* --- idle times --------------------------------------------------------------------------------
 */

/* The oldest so many stand from now on. */
static bool settle(struct gap_state *state, size_t count, struct error *error) {
    for (size_t i = 0; i < count; i++) {
        if (!keep_gap(state, &state->open[i], error)) {
            return false;
        }
        state->settled = state->open[i].end;
        state->unanswered += state->open[i].unanswered;
    }
    state->open_count -= count;
    memmove(state->open, &state->open[count], state->open_count * sizeof *state->open);
    return true;
}

/* From then on, up to now, it was not idle. */
static void take_back(struct gap_state *state, int64_t from) {
    struct gap *open = state->open;

    if (from < state->settled) {
        state->overlooked++;
    }
    while (state->open_count > 0 && open[state->open_count - 1].start >= from) {
        state->open_count--;
    }
    if (state->open_count > 0 && open[state->open_count - 1].end > from) {
        open[state->open_count - 1].end = from;
        open[state->open_count - 1].unanswered = false;
    }
}

/* Nothing was in flight from the last completion to `end`, or until an I/O was asked for before
 * that of which no completion tells. */
static bool add_idle(struct gap_state *state, int64_t end, struct error *error) {
    bool unanswered = state->asked < end;

    end = unanswered ? state->asked : end;
    if (end <= state->time) {
        return true;
    }
    if (state->open_count == IDLE_OPEN && !settle(state, IDLE_OPEN / 2, error)) {
        return false;
    }
    state->open[state->open_count++] = (struct gap){state->trace, state->time, end, unanswered};
    return true;
}

static bool visit_completion(struct gap_state *state, int64_t from, int64_t to,
                             struct error *error) {
    if (state->begun && from <= state->time) {
        take_back(state, from);
    } else if (state->begun && !add_idle(state, from, error)) {
        return false;
    }
    state->begun = true;
    state->time = to;
    state->asked = INT64_MAX;
    return true;
}

static void visit_other(struct gap_state *state, int64_t operation, int64_t time) {
    bool asks = operation == state->asks[0] || operation == state->asks[1];

    if (asks && time < state->asked) {
        state->asked = time;
    }
}

/* Selected I/Os come in order of completion. */
static bool visit_in_flight(void *context_state, const struct event_columns *columns, size_t count,
                            struct error *error) {
    struct gap_state *state = context_state;

    for (size_t i = 0; i < count; i++) {
        enum since since = columns->response[i] >= 0   ? SINCE_ASKED
                           : columns->duration[i] >= 0 ? SINCE_ISSUED
                                                       : SINCE_COMPLETED;
        int64_t lengths[SINCE_KINDS] = {columns->response[i], columns->duration[i], 0};
        int64_t from;

        if (state->completes != EVENT_NONE && columns->operation[i] != state->completes) {
            visit_other(state, columns->operation[i], columns->time[i]);
            continue;
        }
        state->since[since]++;
        if (__builtin_sub_overflow(columns->time[i], lengths[since], &from)) {
            from = INT64_MIN; /* no importer writes such */
        }
        if (!visit_completion(state, from, columns->time[i], error)) {
            return false;
        }
    }
    return true;
}

static bool end_idle(void *context_state, struct error *error) {
    struct gap_state *state = context_state;

    return (!state->begun || state->asked == INT64_MAX || add_idle(state, INT64_MAX, error)) &&
           settle(state, state->open_count, error);
}

/* --- both --------------------------------------------------------------------------------------
 */

static bool begin_lengths(struct gap_state *state, const struct analysis_context *context,
                          struct error *error) {
    int variant = context->analysis->variant;

    if (context->blocks <= 0 || (variant != GAP_COMPARED && variant != IDLE_COMPARED)) {
        return true;
    }
    state->distribution = distribution_new();
    if (state->distribution == NULL) {
        return error_no_memory(error);
    }
    distribution_name(state->distribution, context->naming);
    distribution_cut(state->distribution, context->blocks);
    return distribution_group(state->distribution, LENGTHS, strlen(LENGTHS), &state->group, error);
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct gap_state *state = context_state;
    char insert[64];

    state->scratch = context->selection->scratch;
    state->database = context->selection->database;
    if (context->top > 0 && context->top <= GAPS_IN_MEMORY) {
        state->capacity = (size_t)context->top;
        state->heap = calloc(state->capacity, sizeof *state->heap);
        if (state->heap == NULL) {
            return error_no_memory(error);
        }
    }
    if (context->analysis->pass == PASS_ALL_ACTIONS &&
        (state->open = calloc(IDLE_OPEN, sizeof *state->open)) == NULL) {
        return error_no_memory(error);
    }
    snprintf(insert, sizeof insert, "INSERT INTO temp.%s VALUES (?1, ?2, ?3)",
             context->analysis->tables[0].name);
    state->insert = scratch_prepare(state->scratch, insert, error);
    return state->insert != NULL && begin_lengths(state, context, error);
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct gap_state *state = context_state;

    (void)error;
    state->trace = trace->trace->id;
    state->begun = false;
    state->settled = INT64_MIN;
    return true;
}

static bool begin_idle(void *context_state, const struct selected_trace *trace,
                       struct error *error) {
    static const char *const letters[] = {"Q", "D"};
    struct gap_state *state = context_state;
    int64_t completed;

    if (!begin_trace(state, trace, error) ||
        !action_find(state->database, state->trace, "C", &completed, error)) {
        return false;
    }
    state->asked = INT64_MAX;
    state->completes = trace->action;
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        state->asks[i] = EVENT_NONE;
        /* Of another action that counts, each is a completion: the others say nothing. */
        if (completed != EVENT_NONE && trace->action == completed &&
            !action_find(state->database, state->trace, letters[i], &state->asks[i], error)) {
            return false;
        }
    }
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
    if (*more) {
        memset(state->since, 0, sizeof state->since);
        state->overlooked = state->unanswered = 0;
    }
    return true;
}

static bool write_heap(void *context_state, struct error *error) {
    struct gap_state *state = context_state;

    if (state->distribution != NULL) {
        return distribution_write(state->distribution, state->scratch, error);
    }
    for (size_t i = 0; i < state->count; i++) {
        if (!write_gap(state, &state->heap[i], error)) {
            return false;
        }
    }
    return true;
}

static void free_state(void *context_state) {
    struct gap_state *state = context_state;

    sqlite3_finalize(state->insert);
    free(state->heap);
    free(state->open);
    distribution_free(state->distribution);
}

static bool write_idle(void *context_state, struct error *error) {
    struct gap_state *state = context_state;
    sqlite3_stmt *insert;
    bool done = write_heap(state, error) &&
                (insert = scratch_prepare(state->scratch,
                                          "INSERT INTO temp.in_flight VALUES (?1, ?2, ?3, ?4, ?5)",
                                          error)) != NULL;

    if (done) {
        for (int since = 0; since < SINCE_KINDS; since++) {
            sqlite3_bind_int64(insert, since + 1, state->since[since]);
        }
        sqlite3_bind_int64(insert, SINCE_KINDS + 1, state->overlooked);
        sqlite3_bind_int64(insert, SINCE_KINDS + 2, state->unanswered);
        done = database_execute(state->database, insert, error);
        sqlite3_finalize(insert);
    }
    return done;
}

#define GAPS(what, which, ...)                                                                     \
    .name = (what), .tables = {{"tally_gap", "trace, start, \"end\"", NULL}, __VA_ARGS__},         \
    .pass = PASS_IN_ORDER, .variant = (which), .state_size = sizeof(struct gap_state),             \
    .begin = begin, .begin_trace = begin_trace, .visit = visit, .again = again,                    \
    .write = write_heap, .free = free_state

/* Times between successive selected events of a trace, those of no length left out; of those as
 * many of the longest as --top says. */
const struct analysis analysis_gap = {GAPS("gap", GAP, {0})};

/* The same, but where two traces are compared the lengths of all are in temp.distribution instead,
 * as the group LENGTHS. */
const struct analysis analysis_gap_compared = {
    GAPS("gap_compared", GAP_COMPARED, {"distribution", DISTRIBUTION_COLUMNS, NULL})};

#define IDLES(what, which, ...)                                                                    \
    .name = (what),                                                                                \
    .tables = {{"tally_idle", "trace, start, \"end\"", NULL},                                      \
               {"in_flight", "asked, issued, completed, overlooked, unanswered", NULL},            \
               __VA_ARGS__},                                                                       \
    .pass = PASS_ALL_ACTIONS, .fields = EVENT_OPERATION | EVENT_DURATION | EVENT_RESPONSE,         \
    .variant = (which), .state_size = sizeof(struct gap_state), .begin = begin,                    \
    .begin_trace = begin_idle, .visit = visit_in_flight, .end_trace = end_idle, .again = again,    \
    .write = write_idle, .free = free_state

/* Times in which no selected I/O of a trace was in flight, from its being asked for (or issued, or,
 * where neither is known, its completion) to its completion; an idle time ends where any is asked
 * for or issued, even if it never completes. Of those as many of the longest as --top says. How
 * many I/Os are in flight since which is in temp.in_flight, with how many began before an idle time
 * that stood already, and how many idle times an I/O ended whose completion is not known. */
const struct analysis analysis_idle = {IDLES("idle", IDLE, {0})};

/* The same, with lengths as for analysis_gap_compared. */
const struct analysis analysis_idle_compared = {
    IDLES("idle_compared", IDLE_COMPARED, {"distribution", DISTRIBUTION_COLUMNS, NULL})};

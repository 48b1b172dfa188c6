/* Time between one selected event of a trace and the next, and of calls with durations time in
 * which none of them ran: temp.tally_gap; and time in which no selected I/O of a trace was in
 * flight: temp.tally_idle. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/saturate.h"
#include "model/gaps.h"
#include "scan/distribution.h"
#include "select/counted_action.h"

/* So many of the longest are kept in memory; for more, all go to the table. */
#define GAPS_IN_MEMORY 65536

/* What the analyses here differ by: whose gaps they are, and whether, where two traces are
 * compared, their lengths are counted instead of them. */
enum { GAP, IDLE, GAP_COMPARED, IDLE_COMPARED };

/* The group of all lengths. */
#define LENGTHS "gaps"

struct gap_state {
    struct database *database;
    int64_t trace, time; /* of the last event; of calls, the end of the latest */
    bool begun;
    bool lasting;            /* events are calls */
    struct gap_heap longest; /* owned; without room: all are kept */
    sqlite3_stmt *insert;
    struct scratch *scratch;
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
    state->scratch = context->selection->scratch;
    state->database = context->selection->database;
    if (context->top > 0 && context->top <= GAPS_IN_MEMORY) {
        if (!gap_heap_init(&state->longest, (size_t)context->top)) {
            return error_no_memory(error);
        }
    }
    if (context->analysis->pass == PASS_ALL_ACTIONS &&
        (state->idle = idle_times_new(keep_gap, state)) == NULL) {
        return error_no_memory(error);
    }
    snprintf(insert, sizeof insert, "INSERT INTO temp.%s VALUES (?1, ?2, ?3)",
             context->analysis->tables[0].name);
    state->insert = scratch_prepare(state->scratch, insert, error);
    return state->insert != NULL && begin_lengths(state, context, error);
}

/* Calls last, if the log has durations. The duration of an I/O lies before its completion. */
static bool is_lasting(const struct catalog_trace *trace) {
    return trace->kind == TRACE_CALLS;
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct gap_state *state = context_state;

    (void)error;
    state->trace = trace->trace->id;
    state->begun = false;
    state->lasting = is_lasting(trace->trace);
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
        *idle_times_in_flight(state->idle) = (struct in_flight){0};
    }
    return true;
}

static bool write_heap(void *context_state, struct error *error) {
    struct gap_state *state = context_state;

    if (state->distribution != NULL) {
        return distribution_write(state->distribution, state->scratch, error);
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
    gap_heap_free(&state->longest);
    idle_times_free(state->idle);
    distribution_free(state->distribution);
}

static bool write_idle(void *context_state, struct error *error) {
    const struct gap_state *state = context_state;
    const struct in_flight *in_flight = idle_times_in_flight(state->idle);
    sqlite3_stmt *insert;
    bool done = write_heap(context_state, error) &&
                (insert = scratch_prepare(state->scratch,
                                          "INSERT INTO temp.in_flight VALUES (?1, ?2, ?3, ?4, ?5)",
                                          error)) != NULL;

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

/* --- the rollups -------------------------------------------------------------------------------
 */

/* Adds the gaps of a trace that the rollup has. */
static bool take_gaps(struct gap_state *state, const struct selected_trace *trace,
                      struct error *error) {
    sqlite3_stmt *select = scratch_take(state->scratch,
                                        "SELECT start, \"end\" FROM main.rollup_gap"
                                        " WHERE trace = ?1 AND action = ?2 AND idle = ?3",
                                        error);
    bool row = true, done = select != NULL;

    if (done) {
        sqlite3_bind_int64(select, 1, trace->trace->id);
        sqlite3_bind_int64(select, 2, trace->action == EVENT_NONE ? 0 : trace->action);
        sqlite3_bind_int64(select, 3, state->idle != NULL || is_lasting(trace->trace));
    }
    while (done && (done = database_step(state->database, select, &row, error)) && row) {
        const struct gap gap = {trace->trace->id, sqlite3_column_int64(select, 0),
                                sqlite3_column_int64(select, 1), false};

        done = gap.end > gap.start ||
               error_set(error,
                         "trace %s: its rollup by gap is damaged; 'tracetool check --repair' makes "
                         "it anew",
                         trace->trace->name);
        if (done) {
            gap_heap_add(&state->longest, &gap);
        }
    }
    database_keep(state->database, select);
    return done;
}

/* Adds what is counted beside idle times. */
static bool take_in_flight(const struct gap_state *state, int64_t trace, struct error *error) {
    struct in_flight *counts = idle_times_in_flight(state->idle);
    int64_t *const sums[] = {&counts->since[GAP_SINCE_ASKED], &counts->since[GAP_SINCE_ISSUED],
                             &counts->since[GAP_SINCE_COMPLETED], &counts->overlooked,
                             &counts->unanswered};
    sqlite3_stmt *select = scratch_take(
        state->scratch,
        "SELECT asked, issued, completed, overlooked, unanswered FROM main.rollup_in_flight"
        " WHERE trace = ?1",
        error);
    bool row = false, done = select != NULL;

    if (done) {
        sqlite3_bind_int64(select, 1, trace);
        done = database_step(state->database, select, &row, error);
    }
    for (size_t i = 0; done && row && i < sizeof sums / sizeof sums[0]; i++) {
        add_saturated(sums[i], sqlite3_column_int64(select, (int)i));
    }
    database_keep(state->database, select);
    return done;
}

/* Whether the rollup answers for a trace. Where events lie far from all others the reader is told
 * which, out of the events. */
static bool may_take(const struct gap_state *state, const struct selected_trace *trace, bool *may,
                     struct error *error) {
    bool io = trace->trace->kind == TRACE_IO, done;
    int64_t completed = EVENT_NONE, far = 0;

    done = (!io || action_find(state->database, trace->trace->id, "C", &completed, error)) &&
           database_integer(state->database,
                            "SELECT count(*) FROM main.rollup_gap WHERE trace = ?1"
                            " AND action = 0 AND \"end\" - start > 86400000000000",
                            trace->trace->id, 0, &far, error);
    *may = done && far == 0 && trace->action == completed && (!io || completed != EVENT_NONE);
    return done;
}

/* As many of the longest as a rollup has; all of them it does not tell. */
static bool take(void *context_state, bool *taken, struct error *error) {
    struct gap_state *state = context_state;
    const struct selection *selection = state->selection;
    bool may = state->distribution == NULL && state->longest.capacity > 0 &&
               state->longest.capacity <= GAP_ROLLUP_KEPT;
    bool done = true;

    for (size_t i = 0; done && may && i < selection->count; i++) {
        done = may_take(state, &selection->traces[i], &may, error);
    }
    for (size_t i = 0; done && may && i < selection->count; i++) {
        const struct selected_trace *trace = &selection->traces[i];

        done = take_gaps(state, trace, error) &&
               (state->idle == NULL || take_in_flight(state, trace->trace->id, error));
    }
    *taken = done && may;
    return done;
}

#define GAPS(what, which, ...)                                                                     \
    .name = (what), .tables = {{"tally_gap", "trace, start, \"end\"", NULL}, __VA_ARGS__},         \
    .pass = PASS_IN_ORDER, .fields = EVENT_DURATION, .variant = (which),                           \
    .state_size = sizeof(struct gap_state), .rollup = "gap", .take = take,                         \
    .taken_alone = TAKEN_ALONE, .begin = begin, .begin_trace = begin_trace, .visit = visit,        \
    .again = again, .write = write_heap, .free = free_state

#define TAKEN_ALONE "--top 1000 and less needs none"
_Static_assert(GAP_ROLLUP_KEPT == 1000, "TAKEN_ALONE says so");

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
    .state_size = sizeof(struct gap_state), .begin = begin, .rollup = "gap", .take = take,         \
    .taken_alone = TAKEN_ALONE, .begin_trace = begin_idle, .visit = visit_in_flight,               \
    .end_trace = end_idle, .again = again, .write = write_idle, .free = free_state

/* Times in which no selected I/O of a trace was in flight, from its being asked for (or issued, or,
 * where neither is known, its completion) to its completion; an idle time ends where any is asked
 * for or issued, even if it never completes. Of those as many of the longest as --top says. How
 * many I/Os are in flight since which is in temp.in_flight, with how many began before an idle time
 * that stood already, and how many idle times an I/O ended whose completion is not known. */
const struct analysis analysis_idle = {IDLES("idle", IDLE, {0})};

/* The same, with lengths as for analysis_gap_compared. */
const struct analysis analysis_idle_compared = {
    IDLES("idle_compared", IDLE_COMPARED, {"distribution", DISTRIBUTION_COLUMNS, "name"})};

/* Computes times of calls by function and thread: temp.tally_span, and by both clocks (wall clock
 * and CPU time) temp.tally_wait.
 *
 * All columns but `total` can be summed up over calls in any order. `total` includes only the
 * outermost selected calls of a function. All calls that are not recursive are outermost. A
 * recursive call is outermost, too, if no caller with the same function is selected: that caller
 * began before --from, is above --under, or is excluded by its size, duration or result. Each
 * recursive call is inside the latest non-recursive call of the function before it. So with --from,
 * recursive calls after the first non-recursive one in the window are not outermost. For those
 * before it, a walk over the calls finds which are outermost. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/saturate.h"
#include "model/call_rollups.h"
#include "store/rollup_tables.h"

/* Limit of rows in memory over all threads; then rows without open calls go to the table. */
#define TIMES_IN_MEMORY 65536

/* the cache of rows has 2^RECENT_BITS slots */
enum { RECENT_BITS = 12 };

struct times_state {
    struct analysis_context *context;
    bool both;  /* true: counts times by the trace's first and by its second clock */
    bool apart; /* true: a call may be selected although its caller of the same function is not */
    /* True: a recursive call without a known outer call may be an outermost selected one. */
    bool doubts;
    /* True: a recursive call that began before the window may be an outermost selected call. */
    bool doubts_earlier;
    /* Owned; unless `both` is set, SPAN_WALL means the clock that the user selected. */
    struct span_times times;
    size_t flush_at;
    /* Id of the last call that may be outermost, among the calls of rows already written to the
     * table. */
    int64_t doubtful;
    /* Cache of rows by hash of function and thread; NULL: an empty slot. */
    struct span_times_row *recent[1 << RECENT_BITS];
};

/* --- writing rows ----------------------------------------------------------------------------- */

/* Returns whether a row has times of calls that another row counts, or that a window cuts. */
static bool has_more(const struct span_clock_times *times) {
    return times->total != 0 || times->self != 0;
}

static void write_both(struct temp_rows *rows, int64_t trace, const struct span_times_row *row) {
    const struct span_clock_times *wall = &row->clocks[SPAN_WALL], *cpu = &row->clocks[SPAN_CPU];
    bool timed = wall->timed > 0 || has_more(wall);

    TEMP_ROW(rows, trace, row->key.operation, row->key.actor, row->calls,
             timed ? wall->total : EVENT_NONE, timed ? wall->self : EVENT_NONE,
             timed ? cpu->total : EVENT_NONE, timed ? cpu->self : EVENT_NONE);
}

/* Writes a row to tally_span. A row may have times but no calls: see has_more(). */
static void write_chosen(struct temp_rows *rows, int64_t trace, const struct span_times_row *row) {
    const struct span_clock_times *times = &row->clocks[SPAN_WALL];
    bool timed = times->timed > 0, some = timed || has_more(times);

    TEMP_ROW(rows, trace, row->key.operation, row->key.actor, row->calls, times->timed,
             some ? times->total : EVENT_NONE, timed ? times->sum : EVENT_NONE,
             some ? times->self : EVENT_NONE, timed ? times->least : EVENT_NONE,
             timed ? times->most : EVENT_NONE);
}

/* Writes the rows to the table; without `open`, only those without open calls. The caller must hold
 * database_lock(). */
static void span_times_write_times(const struct times_state *state, bool open) {
    struct temp_rows *rows = &state->context->tables[0];
    int64_t trace = state->context->trace->trace->id;

    for (size_t i = 0; i < state->times.count; i++) {
        const struct span_times_row *row = state->times.rows[i];

        if (row->open == 0 || open) {
            (state->both ? write_both : write_chosen)(rows, trace, row);
        }
    }
}

/* Returns the id of the last recursive call of a row that may be outermost; 0: none. */
static int64_t last_possibly_outermost_call(const struct span_times_row *row) {
    return row->outermost == 0 || row->doubtful_to < row->outermost ? row->doubtful_to
           : row->doubtful_from < row->outermost                    ? row->outermost - 1
                                                                    : 0;
}

static void note_doubtful(struct times_state *state) {
    for (size_t i = 0; i < state->times.count; i++) {
        int64_t last = last_possibly_outermost_call(state->times.rows[i]);

        state->doubtful = last > state->doubtful ? last : state->doubtful;
    }
}

/* Returns the row of a function in a thread, and adds it if missing. A cache finds most rows. */
static struct span_times_row *span_times_find_row(struct times_state *state, uint32_t operation,
                                                  uint32_t actor) {
    uint32_t mixed = operation * UINT32_C(0x9E3779B1) + actor * UINT32_C(0x85EBCA77);
    struct span_times_row **recent = &state->recent[mixed >> (32 - RECENT_BITS)];

    if (*recent == NULL || (*recent)->key.operation != operation || (*recent)->key.actor != actor) {
        if (state->times.count >= state->flush_at) {
            /* memory is full: writes rows to the table, where the query adds up equal keys */
            sqlite3_mutex *lock = database_lock(state->context->database);

            span_times_write_times(state, false);
            sqlite3_mutex_leave(lock);
            note_doubtful(state);
            span_times_clear_closed(&state->times);
            memset(state->recent, 0, sizeof state->recent);
            state->flush_at = 2 * state->times.count + TIMES_IN_MEMORY / state->context->states;
        }
        *recent = span_times_row(&state->times, operation, actor);
    }
    return *recent;
}

/* --- counting calls in any order -------------------------------------------------------------- */

/* Adds the times of a call. If no self time is stored (no callees), it is the duration. */
static void span_times_add_time(struct span_clock_times *times, int64_t duration, int64_t self,
                                bool outermost) {
    span_times_add(times, duration, self == EVENT_NONE ? duration : self, outermost);
}

/* Adds the times of a call to a row. With `both`, only calls with times by both clocks count. */
static void add_times(const struct times_state *state, struct span_times_row *row,
                      const struct event_columns *columns, size_t i, bool outermost) {
    if (columns->duration[i] == EVENT_NONE ||
        (state->both && columns->cpu_duration[i] == EVENT_NONE)) {
        return;
    }
    span_times_add_time(&row->clocks[SPAN_WALL], columns->duration[i], columns->self[i], outermost);
    if (state->both) {
        span_times_add_time(&row->clocks[SPAN_CPU], columns->cpu_duration[i], columns->cpu_self[i],
                            outermost);
    }
}

/* Records which recursive calls of a row may be outermost. Must be called in order of id. With
 * `apart`, all recursive calls may be, because their outer call may not be selected. */
static void span_times_note_call(const struct times_state *state, struct span_times_row *row,
                                 bool recursive, int64_t id) {
    if (!recursive) {
        row->outermost = state->apart ? 0 : id;
        return;
    }
    row->doubtful_from = row->doubtful_from == 0 ? id : row->doubtful_from;
    row->doubtful_to = id;
}

static void span_times_visit(void *times_state, const struct event_columns *columns, size_t count) {
    struct times_state *state = times_state;

    for (size_t i = 0; i < count; i++) {
        bool recursive = columns->flags[i] & SPAN_RECURSIVE;
        struct span_times_row *row;

        if (!span_is_call(columns->flags[i])) {
            continue;
        }
        row = span_times_find_row(state, columns->operation[i], columns->actor[i]);
        row->calls++;
        add_times(state, row, columns, i, !recursive);
        if (state->doubts && row->outermost == 0) {
            span_times_note_call(state, row, recursive, columns->id[i]);
        }
    }
}

/* Of a call that the window cuts, adds the part inside the window; or, if span_times_visit() has
 * added the whole call, subtracts the part outside. With `apart`, a walk finds outermost calls. */
static void span_times_add_edge(void *times_state, const struct window_edge *edge) {
    struct times_state *state = times_state;
    bool recursive = edge->flags & SPAN_RECURSIVE;
    struct span_times_row *row = span_times_find_row(state, edge->operation, edge->actor);

    for (int clock = 0; clock < (state->both ? SPAN_CLOCKS : 1); clock++) {
        int of = state->both && clock == SPAN_WALL ? EDGE_FIRST : EDGE_CHOSEN;
        const struct edge_times *inside = &edge->inside[of], *whole = &edge->whole[of];
        struct span_clock_times *times = &row->clocks[clock];

        if (inside->duration == EVENT_NONE || edge->inside[EDGE_CHOSEN].duration == EVENT_NONE) {
            continue;
        }
        times->self += inside->self - (edge->earlier ? 0 : whole->self);
        times->total += recursive ? 0 : inside->duration - (edge->earlier ? 0 : whole->duration);
    }
    if (edge->earlier && recursive && state->apart) {
        state->doubts_earlier = true;
        span_times_note_call(state, row, true, state->context->trace->first);
    }
}

/* Returns the smaller of two ids; an id of 0 is none. */
static int64_t lesser_id_or_zero(int64_t a, int64_t b) {
    return a == 0 || (b != 0 && b < a) ? b : a;
}

static void merge_span_times(void *times_state, void *other) {
    struct times_state *state = times_state, *from = other;

    for (size_t i = 0; i < from->times.count; i++) {
        const struct span_times_row *row = from->times.rows[i];
        struct span_times_row *into =
            span_times_find_row(state, row->key.operation, row->key.actor);

        into->calls += row->calls;
        for (int clock = 0; clock < SPAN_CLOCKS; clock++) {
            span_times_merge(&into->clocks[clock], &row->clocks[clock]);
        }
        into->outermost = lesser_id_or_zero(into->outermost, row->outermost);
        into->doubtful_from = lesser_id_or_zero(into->doubtful_from, row->doubtful_from);
        into->doubtful_to =
            row->doubtful_to > into->doubtful_to ? row->doubtful_to : into->doubtful_to;
    }
    state->doubtful = from->doubtful > state->doubtful ? from->doubtful : state->doubtful;
    from->doubtful = 0;
    span_times_free(&from->times);
}

/* --- finding outermost recursive calls by a walk ---------------------------------------------- */

static void add_total(const struct times_state *state, struct span_times_row *function,
                      const struct span_row *row) {
    if (row->duration == EVENT_NONE || (state->both && row->first_duration == EVENT_NONE)) {
        return;
    }
    add_saturated(&function->clocks[SPAN_WALL].total,
                  state->both ? row->first_duration : row->duration);
    if (state->both) {
        add_saturated(&function->clocks[SPAN_CPU].total, row->duration);
    }
}

/* Adds the call to its function's total if it is outermost. Stores the row in its stack frame. */
static bool enter_function(void *times_state, const struct span_row *row, void *call, void *caller,
                           struct error *error) {
    struct times_state *state = times_state;
    struct span_times_row *function = span_times_find_row(state, row->operation, row->actor);

    if (function->open == 0 && (row->flags & SPAN_RECURSIVE)) {
        add_total(state, function, row);
    }
    function->open++;
    *(struct span_times_row **)call = function;
    return true;
}

static void exit_function(void *times_state, void *call, void *caller) {
    (*(struct span_times_row **)call)->open--;
}

static const struct span_visitor outermost_calls = {
    .call_size = sizeof(struct span_times_row *),
    .enter = enter_function,
    .leave = exit_function,
};

static void span_times_begin_trace(void *times_state) {
    struct times_state *state = times_state;
    const struct analysis_context *context = state->context;
    const struct filter *filter = &context->selection->filter;

    state->both = context->analysis->both_clocks;
    /* With leave_open, a call without a duration that began before the window is not selected,
     * though calls inside it may be. */
    state->apart = filter->under != NULL || filter->hours.length > 0 || filter_by_value(filter) ||
                   (context->trace->edges != NULL && context->selection->leave_open);
    state->doubts_earlier = false;
    /* With a window, calls that began before it are counted, too, so the outer call of each
     * recursive call is known, unless `apart` is set. */
    state->doubts = state->apart || context->trace->edges == NULL;
    memset(state->recent, 0, sizeof state->recent); /* its rows are of the previous trace */
    state->doubtful = 0;
    state->flush_at = TIMES_IN_MEMORY / context->states;
}

static void span_times_end_trace(void *times_state) {
    struct times_state *state = times_state;
    const struct span_visit visits[] = {{&outermost_calls, state}};
    struct analysis_context *context = state->context;
    struct selected_trace part = *context->trace;

    note_doubtful(state);
    part.last = state->doubtful < part.last ? state->doubtful : part.last;
    if (part.last >= part.first || state->doubts_earlier) {
        span_walk(context->selection, &part, false, 0, visits, 1, &context->error);
    }
    span_times_write_times(state, true);
    span_times_free(&state->times);
}

static void span_times_free_state(void *times_state) {
    struct times_state *state = times_state;

    span_times_free(&state->times);
}

#define ROLLUP_ROWS(times)                                                                         \
    "SELECT r.trace, r.operation, r.actor, r.calls, " times                                        \
    " FROM temp.selection AS s CROSS JOIN main.rollup_span AS r WHERE r.trace = s.trace"

#define OPEN_CALLS                                                                                 \
    " FROM temp.selection AS s"                                                                    \
    " CROSS JOIN main.open_call AS o ON o.event BETWEEN s.first_event AND s.last_event"            \
    " CROSS JOIN main.event AS e ON e.id = o.event"

/* SELECT of the calls open at the end of the log, with their times. Of these calls the rollup
 * (counts stored by the import) has only the number. */
#define OPEN_ROWS(clock)                                                                           \
    "SELECT s.trace, e.operation, e.actor, 0, 1,"                                                  \
    " iif(span_flag(e.flags, 'recursive'), 0, o." clock "duration), o." clock "duration,"          \
    " ifnull(o." clock "self, o." clock "duration), o." clock "duration, o." clock                 \
    "duration" OPEN_CALLS " WHERE o." clock "duration IS NOT NULL"

/* SQL for a time of the rollup; NULL if some calls lack a time by one of the clocks. */
#define BOTH(times) "iif(r.timed IS r.cpu_timed, r." times ", NULL) AS " times

#define TIMES_FUNCTIONS                                                                            \
    .pass = PASS_ANY_ORDER,                                                                        \
    .fields = EVENT_OPERATION | EVENT_ACTOR | EVENT_FLAGS | EVENT_DURATION | EVENT_SELF,           \
    .window = WINDOW_PARTS, .state_size = sizeof(struct times_state),                              \
    .begin_trace = span_times_begin_trace, .visit = span_times_visit, .edge = span_times_add_edge, \
    .merge = merge_span_times, .end_trace = span_times_end_trace, .free = span_times_free_state

const struct analysis analysis_span = {
    .name = "span",
    .tables = {{"tally_span",
                "trace, operation, actor, calls, timed, total, sum, self, least, most", NULL}},
    .rollup = "span",
    .rollup_title = "function and thread",
    .rollup_rows = ROLLUP_ROWS("r.timed, r.total, r.sum, r.self, r.least, r.most"),
    .rollup_rows_beside = ROLLUP_ROWS("r.cpu_timed AS timed, r.cpu_total AS total,"
                                      " r.cpu_sum AS sum, r.cpu_self AS self,"
                                      " r.cpu_least AS least, r.cpu_most AS most"),
    .rollup_open = OPEN_ROWS(""),
    .rollup_open_beside = OPEN_ROWS("cpu_"),
    TIMES_FUNCTIONS,
};

/* tally_wait, for traces with a second clock that the selection uses: times by both clocks of the
 * calls that have both; the first is the wall clock. From a rollup, times are NULL if any call of
 * the function lacks one of them. */
const struct analysis analysis_wait = {
    .name = "wait",
    .both_clocks = true,
    .tables = {{"tally_wait", "trace, operation, actor, calls, total, self, cpu_total, cpu_self",
                NULL}},
    .rollup = "span",
    .rollup_title = "function and thread",
    .rollup_rows =
        ROLLUP_ROWS(BOTH("total") ", " BOTH("self") ", " BOTH("cpu_total") ", " BOTH("cpu_self")),
    .rollup_open_beside =
        "SELECT s.trace, e.operation, e.actor, 0,"
        " iif(span_flag(e.flags, 'recursive'), 0, o.duration), ifnull(o.self, o.duration),"
        " iif(span_flag(e.flags, 'recursive'), 0, o.cpu_duration),"
        " ifnull(o.cpu_self, o.cpu_duration)" OPEN_CALLS " WHERE o.cpu_duration IS NOT NULL",
    TIMES_FUNCTIONS,
};

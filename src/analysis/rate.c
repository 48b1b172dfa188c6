/* What happened in each interval of time: temp.tally_rate, by what tells groups apart, and
 * temp.rate_interval, an interval a row with how much was in flight in it.
 *
 * Intervals are half open and counted from the start of each trace: [k L, (k + 1) L). Traces of one
 * selection are laid over one another. Nothing depends on the order of events: a time that covers
 * many intervals adds to the first and the last of them, and is noted where the ones between begin
 * and end, which end_trace() sums up.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/intervals.h"
#include "base/hash_seed.h"
#include "base/saturate.h"
#include "base/memory.h"

enum {
    WANTED_INTERVALS = 500,  /* at most, when --interval does not say how long they are */
    CELLS_IN_MEMORY = 65536, /* over all threads; then they go to the table, to be counted on */
};

enum rate_by { BY_CLASS, BY_PROCESS, BY_FILE, BY_OPERATION };

/* What a group did in an interval. */
struct cell {
    uint32_t interval, group;
    int64_t count; /* 0: the cell is free */
    int64_t bytes, timed, duration, longest;
};

struct rate_state {
    struct analysis_context *context;
    enum trace_kind kind;
    struct intervals intervals;
    struct cell *cells; /* owned; open addressing, `capacity` of them, a power of 2 */
    size_t capacity, used;
    /* Of each interval and what follows the last: times in flight of what does not cover it; how
     * many more cover it than the one before. */
    int64_t *partly, *covering; /* owned */
    int64_t timed;              /* events whose duration is known */
    int64_t from, to;           /* calls in flight count between these */
};

/* --- cells -------------------------------------------------------------------------------------
 */

/* The cell of the group, or the free one where it belongs. */
static struct cell *find_cell(const struct rate_state *state, uint32_t interval, uint32_t group) {
    size_t at = seeded_hash_number((uint64_t)interval << 32 | group) & (state->capacity - 1);

    while (state->cells[at].count != 0 &&
           (state->cells[at].interval != interval || state->cells[at].group != group)) {
        at = (at + 1) & (state->capacity - 1);
    }
    return &state->cells[at];
}

static void forget_cells(struct rate_state *state) {
    if (state->used > 0) {
        memset(state->cells, 0, state->capacity * sizeof *state->cells);
        state->used = 0;
    }
}

/* All cells go to the table, whose equal rows the query adds up. */
static void flush(struct rate_state *state) {
    analysis_lock(true);
    for (size_t i = 0; state->used > 0 && i < state->capacity; i++) {
        const struct cell *cell = &state->cells[i];

        if (cell->count != 0) {
            TEMP_ROW(&state->context->tables[0], cell->interval, cell->group, cell->count,
                     cell->bytes, cell->timed, cell->duration, cell->longest);
        }
    }
    analysis_lock(false);
    forget_cells(state);
}

static void add_cell(struct rate_state *state, const struct cell *added) {
    struct cell *cell = find_cell(state, added->interval, added->group);

    if (cell->count == 0) {
        if (state->used == state->capacity / 2) {
            flush(state);
            cell = find_cell(state, added->interval, added->group);
        }
        *cell = (struct cell){.interval = added->interval, .group = added->group};
        state->used++;
    }
    cell->count += added->count;
    cell->timed += added->timed;
    add_saturated(&cell->bytes, added->bytes);
    add_saturated(&cell->duration, added->duration);
    cell->longest = added->longest > cell->longest ? added->longest : cell->longest;
}

/* --- the pass ----------------------------------------------------------------------------------
 */

/* Something was in flight from `from` to `to`, as far as there are intervals. */
static void add_flight(struct rate_state *state, int64_t from, int64_t to) {
    int64_t origin = (int64_t)state->intervals.origin;
    uint64_t end = state->intervals.length * state->intervals.count, begin, behind;
    size_t first, last;

    if (to <= origin) {
        return;
    }
    begin = from <= origin ? 0 : (uint64_t)from - state->intervals.origin;
    behind = (uint64_t)to - state->intervals.origin;
    behind = behind < end ? behind : end;
    if (begin >= behind) {
        return;
    }
    first = (size_t)(begin / state->intervals.length);
    last = (size_t)(behind / state->intervals.length);
    if (first == last) {
        add_saturated(&state->partly[first], (int64_t)(behind - begin));
        return;
    }
    add_saturated(&state->partly[first], (int64_t)((first + 1) * state->intervals.length - begin));
    add_saturated(&state->partly[last], (int64_t)(behind - last * state->intervals.length));
    state->covering[first + 1]++;
    state->covering[last]--;
}

static void add_duration(struct rate_state *state, int64_t time, int64_t duration,
                         struct cell *cell) {
    cell->timed = 1;
    cell->duration = cell->longest = duration;
    state->timed++;
    /* An I/O has the time when it completed, a call when it began. */
    if (state->kind == TRACE_IO) {
        add_flight(state, difference_saturated(time, duration), time);
    } else {
        int64_t end = sum_saturated(time, duration);

        add_flight(state, time, end < state->to ? end : state->to);
    }
}

static uint32_t group_of(const struct rate_state *state, const struct event_columns *columns,
                         size_t i) {
    switch ((enum rate_by)state->context->analysis->variant) {
    case BY_PROCESS:
        return columns->actor[i];
    case BY_FILE:
        return columns->object[i];
    case BY_OPERATION:
        return columns->operation[i];
    case BY_CLASS:
        break;
    }
    return state->kind == TRACE_IO ? (uint32_t)io_class_of(columns->flags[i]) : 0;
}

static void visit(void *rate_state, const struct event_columns *columns, size_t count) {
    struct rate_state *state = rate_state;

    for (size_t i = 0; i < count; i++) {
        uint64_t interval = interval_of(&state->intervals, columns->time[i]);
        struct cell cell = {.interval = (uint32_t)interval, .count = 1};

        /* Rows of a damaged database may be in no order. */
        if (interval >= state->intervals.count ||
            (state->kind == TRACE_SPANS && !span_is_call(columns->flags[i]))) {
            continue;
        }
        cell.group = group_of(state, columns, i);
        cell.bytes = columns->size[i] > 0 ? columns->size[i] : 0;
        if (columns->duration[i] >= 0) {
            add_duration(state, columns->time[i], columns->duration[i], &cell);
        }
        add_cell(state, &cell);
    }
}

/* A call that began before the window is in flight in it. */
static void add_edge(void *rate_state, const struct window_edge *edge) {
    struct rate_state *state = rate_state;

    if (edge->earlier) {
        state->timed++;
        add_flight(state, state->from, edge->end < state->to ? edge->end : state->to);
    }
}

static void begin(void *rate_state) {
    struct rate_state *state = rate_state;

    intervals_find(&state->intervals, state->context, INT64_MAX, WANTED_INTERVALS, INTERVALS_MOST);
    state->capacity = 1024;
    while (state->capacity < 2 * CELLS_IN_MEMORY / state->context->states) {
        state->capacity *= 2;
    }
    state->cells = xcalloc(state->capacity, sizeof *state->cells);
    state->partly = xcalloc(state->intervals.count + 1, sizeof *state->partly);
    state->covering = xcalloc(state->intervals.count + 1, sizeof *state->covering);
}

static void begin_trace(void *rate_state) {
    struct rate_state *state = rate_state;
    const struct selected_trace *trace = state->context->trace;

    state->kind = trace->trace->kind;
    state->from = trace->edges == NULL ? INT64_MIN : trace->edges->from;
    state->to = trace->edges == NULL ? INT64_MAX : trace->edges->to;
}

static void merge(void *rate_state, void *other) {
    struct rate_state *state = rate_state, *from = other;

    for (size_t i = 0; from->used > 0 && i < from->capacity; i++) {
        if (from->cells[i].count != 0) {
            add_cell(state, &from->cells[i]);
        }
    }
    for (size_t i = 0; i <= state->intervals.count; i++) {
        add_saturated(&state->partly[i], from->partly[i]);
        state->covering[i] += from->covering[i];
        from->partly[i] = from->covering[i] = 0;
    }
    state->timed += from->timed;
    from->timed = 0;
    forget_cells(from);
}

/* A row an interval, the empty ones too. */
static void write_rows(void *rate_state) {
    struct rate_state *state = rate_state;
    const struct intervals *intervals = &state->intervals;
    int64_t cover = 0;

    flush(state);
    for (size_t i = 0; i < intervals->count; i++) {
        int64_t in_flight;

        cover += state->covering[i];
        in_flight = product_saturated(cover, (int64_t)intervals->length);
        add_saturated(&in_flight, state->partly[i]);
        TEMP_ROW(&state->context->tables[1], (int64_t)i,
                 (int64_t)(intervals->origin + i * intervals->length), (int64_t)intervals->length,
                 state->timed > 0 ? in_flight : EVENT_NONE);
    }
}

static void free_state(void *rate_state) {
    struct rate_state *state = rate_state;

    free(state->cells);
    free(state->partly);
    free(state->covering);
}

/* Selected events by interval and group (enum io_class, 0 of calls; actor.id; object.id, 0 for
 * none; name.id): how many, their bytes, how many have a duration, the sum of these and the
 * longest. Equal keys may come in several rows. And all intervals from the first event to the last:
 * where each begins, how long it is, and the times in flight within it, summed over what was in
 * flight; NULL where no event has a duration. */
#define RATE(what, grouping, looks_at)                                                             \
    .name = (what),                                                                                \
    .tables = {{"tally_rate", "interval, \"group\", count, bytes, timed, duration, longest",       \
                "interval"},                                                                       \
               {"rate_interval", "interval, start, length, in_flight", NULL}},                     \
    .pass = PASS_ANY_ORDER, .fields = EVENT_FLAGS | EVENT_SIZE | EVENT_DURATION | (looks_at),      \
    .window = WINDOW_PARTS, .edge = add_edge, .parameters = {INTERVAL_PARAMETER},                  \
    .variant = (grouping), .state_size = sizeof(struct rate_state), .begin = begin,                \
    .begin_trace = begin_trace, .visit = visit, .merge = merge, .write = write_rows,               \
    .free = free_state

const struct analysis analysis_rate = {RATE("rate", BY_CLASS, 0)};
const struct analysis analysis_rate_process = {RATE("rate_process", BY_PROCESS, EVENT_ACTOR)};
const struct analysis analysis_rate_file = {RATE("rate_file", BY_FILE, EVENT_OBJECT)};
const struct analysis analysis_rate_operation = {
    RATE("rate_operation", BY_OPERATION, EVENT_OPERATION)};

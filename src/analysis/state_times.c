/* Computes the time of threads in each state, by processor or time interval: temp.tally_state. */
#include "analysis/counted_state.h"
#include "analysis/intervals.h"
#include "analysis/keyed_rows.h"
#include "base/saturate.h"

enum {
    /* Limit of rows in memory over all threads of the analysis. Further rows are written to the
       table, where the query adds up equal keys. */
    ROWS_IN_MEMORY = 1 << 18,
    BY_INTERVAL = 1,
    BY_FUNCTION = 2,
    WANTED_INTERVALS = 100,
};

/* Key of a row, compared as bytes, so it has no padding. */
struct state_key {
    uint32_t operation, actor;
    int64_t processor, interval;
    uint32_t object, io_wait; /* used only if rows are grouped by kernel function; else 0 */
};

struct state_row {
    struct state_key key;
    int64_t count, time, interrupts, longest, migrations, unknown;
};

struct state_times {
    struct keyed_state keyed; /* hash table of struct state_row */
    struct intervals intervals;
    bool by_interval;
    int64_t dead;        /* name.id of state `dead`, the only one that never ends */
    int64_t unknown;     /* name.id of state `unknown` */
    int64_t first, last; /* begin and end of the trace, cut to the time window */
    bool cut;            /* true: the time window may cut states */
};

static void state_times_write_row(struct analysis_context *context, const void *state_row) {
    const struct state_row *row = state_row;

    TEMP_ROW(&context->tables[0], context->trace->trace->id, row->key.operation, row->key.actor,
             row->key.processor, row->key.interval, row->count, row->time, row->interrupts,
             row->longest, row->migrations, row->unknown, row->key.object, row->key.io_wait);
}

static void state_times_add_row(void *state_row, const void *state_from) {
    struct state_row *row = state_row;
    const struct state_row *from = state_from;

    row->count += from->count;
    add_saturated(&row->time, from->time);
    add_saturated(&row->interrupts, from->interrupts);
    row->longest = from->longest > row->longest ? from->longest : row->longest;
    row->migrations += from->migrations;
    add_saturated(&row->unknown, from->unknown);
}

/* Returns the length of a state inside the time window. */
static int64_t length_inside(const struct state_times *state, int64_t begin, int64_t duration) {
    int64_t end = begin;

    add_saturated(&end, duration);
    if (!state->cut) {
        return duration;
    }
    begin = begin > state->first ? begin : state->first;
    end = end < state->last ? end : state->last;
    return end > begin ? end - begin : 0;
}

/* Adds the parts of a state to the rows of the time intervals that it overlaps. */
static void state_times_count_intervals(struct state_times *state, struct state_key key,
                                        int64_t from, int64_t duration) {
    const int64_t inside = length_inside(state, from, duration);
    struct interval_part part;

    from = state->cut && from < state->first ? state->first : from;
    part = interval_parts(&state->intervals, from, from + inside);
    while (interval_next_part(&state->intervals, &part)) {
        struct state_row *row;

        key.interval = (int64_t)(state->intervals.origin + part.number * state->intervals.length);
        row = keyed_rows_find(&state->keyed.rows, &key);
        row->count++;
        add_saturated(&row->time, part.length);
        row->longest = inside > row->longest ? inside : row->longest;
    }
}

/* Returns for how long a thread's state is unknown around this state: before it, if it is the first
 * one or is a state `unknown` after a known one; and after it, if its end is unknown. */
static int64_t unknown_time(const struct state_times *state, const struct event_columns *columns,
                            size_t i) {
    int64_t time = columns->time[i], unknown = 0, before = 0;

    /* `response` is the time since the last known state, except for states with a waker: there it
     * belongs to a request. */
    if (columns->operation[i] == (uint32_t)state->unknown &&
        state_context_of(columns->flags[i]) == STATE_CONTEXT_NONE) {
        before = columns->response[i];
    }
    if ((columns->flags[i] & STATE_FLAG_FIRST) != 0) {
        before = INT64_MAX;
    }
    if (before > 0 && time > state->first) {
        unknown = before < time - state->first ? before : time - state->first;
    }
    if (columns->duration[i] < 0 && columns->operation[i] != (uint32_t)state->dead &&
        time < state->last) {
        add_saturated(&unknown, state->last - time);
    }
    return unknown;
}

static struct state_key state_times_make_key(const struct state_times *state, uint32_t operation,
                                             uint32_t actor, int64_t processor, uint32_t object,
                                             uint32_t flags) {
    struct state_key key = {operation, actor, processor, 0, 0, 0};

    if (state->keyed.context->analysis->variant == BY_FUNCTION) {
        key = (struct state_key){operation, 0, 0, 0, object, (flags & STATE_FLAG_IO_WAIT) != 0};
    }
    return key;
}

static void state_times_visit(void *state_times, const struct event_columns *columns,
                              size_t count) {
    struct state_times *state = state_times;

    for (size_t i = 0; i < count; i++) {
        const struct state_key key = state_times_make_key(
            state, columns->operation[i], columns->actor[i], columns->value[i],
            columns->object == NULL ? 0 : columns->object[i], columns->flags[i]);
        int64_t duration = columns->duration[i], self = columns->self[i];
        struct state_row *row;

        if (state->by_interval) {
            if (duration > 0) {
                state_times_count_intervals(state, key, columns->time[i], duration);
            }
            continue;
        }
        row = keyed_rows_find(&state->keyed.rows, &key);
        row->count++;
        row->migrations += (columns->flags[i] & STATE_FLAG_MIGRATED) != 0;
        add_saturated(&row->unknown, unknown_time(state, columns, i));
        if (duration >= 0) {
            add_saturated(&row->time, duration);
            add_saturated(&row->interrupts, self >= 0 && self < duration ? duration - self : 0);
            duration = length_inside(state, columns->time[i], duration);
            row->longest = duration > row->longest ? duration : row->longest;
        }
    }
}

static void state_times_begin(void *state_times) {
    struct state_times *state = state_times;
    struct analysis_context *context = state->keyed.context;

    keyed_state_begin(state);
    state->by_interval = context->analysis->variant == BY_INTERVAL;
    if (state->by_interval) {
        intervals_find(&state->intervals, context, COVER_WINDOW, WANTED_INTERVALS, INTERVALS_MOST);
    }
}

static void state_times_begin_trace(void *state_times) {
    struct state_times *state = state_times;
    struct analysis_context *context = state->keyed.context;
    const struct catalog_trace *trace = context->trace->trace;
    const struct window_edges *edges = context->trace->edges;

    state->first =
        edges == NULL || edges->from < trace->first_time ? trace->first_time : edges->from;
    state->cut = edges != NULL;
    state->last = edges == NULL || edges->to > trace->last_time ? trace->last_time : edges->to;
    if (state == context->first) {
        state->dead = state_operation(context, STATE_DEAD);
        state->unknown = state_operation(context, STATE_UNKNOWN);
        TEMP_ROW(&context->tables[2], trace->id, state->first, state->last,
                 state->by_interval ? (int64_t)state->intervals.length : 0);
    } else {
        state->dead = ((const struct state_times *)context->first)->dead;
        state->unknown = ((const struct state_times *)context->first)->unknown;
    }
}

/* Of a state that the time window cuts, adds the part inside the window. States that began before
 * the window are not counted in `count`. */
static void state_times_add_edge(void *state_times, const struct window_edge *edge) {
    struct state_times *state = state_times;
    const struct edge_times *whole = &edge->whole[EDGE_FIRST], *inside = &edge->inside[EDGE_FIRST];
    const struct state_key key = state_times_make_key(state, edge->operation, edge->actor,
                                                      edge->value, edge->object, edge->flags);
    struct state_row *row;

    if (inside->duration < 0) {
        return;
    }
    TEMP_ROW(&state->keyed.context->tables[1], state->keyed.context->trace->trace->id, edge->id,
             edge->earlier, edge->operation, edge->actor, edge->value,
             edge->earlier ? state->keyed.context->trace->edges->from : edge->time,
             edge->inside[EDGE_FIRST].duration);
    if (state->by_interval) {
        if (edge->earlier) {
            state_times_count_intervals(state, key, edge->time, whole->duration);
        }
        return;
    }
    row = keyed_rows_find(&state->keyed.rows, &key);
    add_saturated(&row->time, inside->duration);
    row->time -= edge->earlier ? 0 : whole->duration;
    row->longest = inside->duration > row->longest ? inside->duration : row->longest;
}

/* tally_state: a row for each combination of state (`operation`), thread and processor. `time`:
 * total time; `interrupts`: the part of it in interrupts; `longest`: longest state; `migrations`:
 * states on another processor than the thread used before; `unknown`: time in which the thread's
 * state is unknown. States without an end have no time. A key may have several rows.
 * tally_state_edge: a row for each state that begins before the time window (`earlier` 1) or ends
 * after it, with begin and length of its part inside. tally_state_window: a row per trace with its
 * first and last time inside the window, and the length of the intervals, or 0. */
#define STATE_ANALYSIS(what, grouping, more, ...)                                                  \
    {                                                                                              \
        .name = (what), .variant = (grouping), .pass = PASS_ANY_ORDER,                             \
        .fields = EVENT_OPERATION | EVENT_ACTOR | EVENT_VALUE | EVENT_DURATION | EVENT_FLAGS |     \
                  EVENT_SELF | EVENT_RESPONSE | (more),                                            \
        .tables = {{"tally_state",                                                                 \
                    "trace, operation, actor, processor, interval, count, time, interrupts,"       \
                    " longest, migrations, unknown, object, io_wait",                              \
                    NULL},                                                                         \
                   {"tally_state_edge",                                                            \
                    "trace, id, earlier, operation, actor, processor, time, duration", "id"},      \
                   {"tally_state_window", "trace, first, last, length", NULL}},                    \
        .keyed = &(const struct keyed_kind){sizeof(struct state_key), sizeof(struct state_row),    \
                                            ROWS_IN_MEMORY, .write = state_times_write_row,        \
                                            .add = state_times_add_row},                           \
        .state_size = sizeof(struct state_times), .begin = state_times_begin,                      \
        .begin_trace = state_times_begin_trace, .visit = state_times_visit,                        \
        .window = WINDOW_PARTS, .edge = state_times_add_edge, .merge = keyed_state_merge,          \
        .end_trace = keyed_state_end_trace, .free = keyed_state_free, __VA_ARGS__                  \
    }

const struct analysis analysis_state = STATE_ANALYSIS("state", 0, 0, );

/* State times by time interval, which `interval`, its begin, identifies. `time` counts the parts of
 * states inside the interval. `count` and `longest` refer to whole states, within the window. */
const struct analysis analysis_state_interval = STATE_ANALYSIS(
    "state_interval", BY_INTERVAL, 0, .real_clock = true, .parameters = {INTERVAL_PARAMETER});

/* State times by kernel function in which threads slept (`object`), and by whether they waited for
 * I/O. Not by thread or processor. */
const struct analysis analysis_state_function =
    STATE_ANALYSIS("state_function", BY_FUNCTION, EVENT_OBJECT, );

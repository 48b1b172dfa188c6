/* Computes durations of I/Os and calls: numbers of durations by bit length in temp.tally_latency,
 * percentiles by group in temp.distribution. Each analysis groups in one way. A group is identified
 * by its name, so processes or files with equal names are one group, over all traces. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/counted_state.h"
#include "model/tally.h"
#include "model/value_bucket.h"
#include "scan/distribution.h"
#include "scan/queue_sweep.h"
#include "select/counted_action.h"
#include "base/memory.h"

enum {
    BITS = 65, /* bit length of a duration, 0 to 63, or NO_DURATION */
    NO_DURATION = BITS - 1,
    FINE_DEPTHS = 64,
};

/* How durations are grouped. name_of[] has the SELECT of a group's name. */
enum latency_by {
    BY_NOTHING, /* no groups and no percentiles; only numbers by bit length */
    BY_NONE,    /* all durations in one group */
    BY_CLASS,
    BY_SIZE, /* by bit length of the size */
    BY_HOUR,
    /* Number of I/Os in flight at the issue: each number below FINE_DEPTHS, then powers of two. */
    BY_DEPTH,
    BY_IDLE, /* idle time before the issue, rounded down to a power of ten; 0: none */
    BY_PROCESS,
    BY_FILE,
    BY_FILE_TYPE,
    BY_OPERATION,
    BY_THREAD,
    BY_PID,
    BY_PROGRAM,
    BY_WAKER, /* thread states: by what woke the thread */
    BY_PAIR,  /* thread states: by what woke the thread, and the thread */
};

/* SQL for the name of what woke a thread, by a key of waker_key(). */
#define WAKER_NAME(key)                                                                            \
    "(SELECT CASE WHEN " key " > 0 THEN (SELECT label FROM temp.thread WHERE id = " key ")"        \
    " WHEN " key " < -8 THEN (SELECT CASE WHEN device IS NULL THEN name ELSE"                      \
    " printf('device %d:%d', device >> 20, device & 1048575) END FROM main.object"                 \
    " WHERE id = -8 - " key ")"                                                                    \
    " ELSE CASE -" key " WHEN 3 THEN 'network' WHEN 4 THEN 'timer' WHEN 5 THEN 'interrupt'"        \
    " ELSE 'not known' END END)"

/* By grouping: SELECT of a group's name by its key ?1. NULL: the name is the key as a number. */
static const char *const name_of[] = {
    [BY_PROCESS] = "SELECT name FROM main.actor WHERE id = ?1",
    [BY_FILE] = "SELECT name FROM main.object WHERE id = ?1",
    [BY_FILE_TYPE] = "SELECT type FROM main.object WHERE id = ?1",
    [BY_OPERATION] = "SELECT text FROM main.name WHERE id = ?1",
    [BY_THREAD] = "SELECT label FROM temp.thread WHERE id = ?1",
    [BY_PID] = "SELECT label FROM temp.process WHERE id = ?1",
    [BY_PROGRAM] = "SELECT label FROM temp.program WHERE id = ?1",
    [BY_WAKER] = "SELECT " WAKER_NAME("?1"),
    [BY_PAIR] = "SELECT " WAKER_NAME(
        "(?1 >> 32)") " || ' > ' ||"
                      " (SELECT label FROM temp.thread WHERE id = ?1 & 4294967295)",
};

struct latency_state {
    struct analysis_context *context;
    enum latency_by by;
    /* True: durations begin when an I/O is queued (Q), not when it is issued (D). */
    bool from_queue;
    struct tally_context hour;       /* origin of the trace's hours */
    int64_t first_hour;              /* hour in which the trace begins */
    bool of_day;                     /* true: hours are hours of the day, not since the start */
    struct distribution_keys groups; /* groups of the distribution, which is owned */
    /* Owned; counts I/Os in flight, for BY_DEPTH and BY_IDLE; else NULL. */
    struct queue_sweep *sweep;
    int64_t late; /* number of I/Os that `sweep` counted too late, found in the first pass */
    int64_t counts[IO_CLASSES][BITS];
    bool counted;  /* true: the first pass is over, so `counts` is complete */
    int64_t woken; /* thread states: name.id of the operation to count; EVENT_NONE: all */
};

/* Returns the bit length of a number; 0 for 0. */
static int latency_bit_length(int64_t number) {
    return number <= 0 ? 0 : 64 - __builtin_clzll((unsigned long long)number);
}

/* Returns the hour of a time: of the day if all traces have a time of day, else since the hour in
 * which the trace begins. */
static int64_t latency_hour_of(const struct latency_state *state, int64_t time) {
    int64_t hour = tally_hour(&state->hour, time);

    return !state->of_day ? hour - state->first_hour : hour % 24 < 0 ? hour % 24 + 24 : hour % 24;
}

/* Returns a key for what woke a thread. Above 0: actor.id of a thread. Below -8: -8 - object.id of
 * a device or other object, even if a thread handled its interrupt. Else: -(enum state_context). */
static int32_t waker_key(const struct event_columns *columns, size_t i) {
    return columns->object[i] != 0   ? -8 - (int32_t)columns->object[i]
           : columns->issuer[i] != 0 ? (int32_t)columns->issuer[i]
                                     : -(int32_t)state_context_of(columns->flags[i]);
}

static int64_t latency_key_of(const struct latency_state *state,
                              const struct event_columns *columns, size_t i) {
    switch (state->by) {
    case BY_WAKER:
        return waker_key(columns, i);
    case BY_PAIR:
        return (int64_t)((uint64_t)(int64_t)waker_key(columns, i) << 32 | columns->actor[i]);
    case BY_CLASS:
        return (int64_t)io_class_of(columns->flags[i]);
    case BY_SIZE:
        return columns->size[i] == EVENT_NONE ? EVENT_NONE : latency_bit_length(columns->size[i]);
    case BY_HOUR:
        return latency_hour_of(state, columns->time[i]);
    case BY_FILE:
    case BY_FILE_TYPE:
        return columns->object[i];
    case BY_OPERATION:
        return columns->operation[i];
    case BY_NONE:
        return 0;
    case BY_PROCESS:
    case BY_THREAD:
    case BY_PID:
    case BY_PROGRAM:
    case BY_NOTHING:
    case BY_DEPTH: /* never here: key_of_issue() returns the keys for these */
    case BY_IDLE:
        break;
    }
    return columns->actor[i];
}

static int64_t key_of_issue(const struct latency_state *state, const struct queue_issue *issue) {
    int64_t power = 1;

    if (state->by == BY_DEPTH) {
        return issue->depth < FINE_DEPTHS ? issue->depth
                                          : INT64_C(1) << (latency_bit_length(issue->depth) - 1);
    }
    if (issue->idle <= 0) {
        return issue->idle;
    }
    while (issue->idle / power >= 10) {
        power *= 10;
    }
    return power;
}

static size_t latency_find_group(struct latency_state *state, int64_t key) {
    return distribution_group_of_key(&state->groups, key, &state->context->error);
}

static void latency_add_issue(void *latency_state, const struct queue_issue *issue) {
    struct latency_state *state = latency_state;

    distribution_count(state->groups.distribution,
                       latency_find_group(state, key_of_issue(state, issue)), issue->duration);
}

static void latency_visit(void *latency_state, const struct event_columns *columns, size_t count) {
    struct latency_state *state = latency_state;
    bool spans = state->hour.kind == TRACE_SPANS, states = state->woken != EVENT_NONE;
    const int64_t *durations = state->from_queue ? columns->response : columns->duration;

    for (size_t i = 0; i < count; i++) {
        enum io_class class = spans || states ? IO_READ : io_class_of(columns->flags[i]);
        int64_t duration = durations[i];
        bool known = duration >= 0;

        if ((spans && !span_is_call(columns->flags[i])) ||
            !is_counted_operation(state->woken, columns, i)) {
            continue;
        }
        if (!state->counted) {
            state->counts[class][known ? latency_bit_length(duration) : NO_DURATION]++;
        }
        if (known && state->sweep != NULL) {
            queue_sweep_add(state->sweep, columns->time[i], duration);
        } else if (known && state->by != BY_NOTHING) {
            distribution_count(state->groups.distribution,
                               latency_find_group(state, latency_key_of(state, columns, i)),
                               duration);
        }
    }
}

static bool all_have_hours(const struct selection *selection) {
    for (size_t i = 0; i < selection->count; i++) {
        if (!catalog_has_hours_of_day(selection->traces[i].trace)) {
            return false;
        }
    }
    return true;
}

static void latency_begin(void *latency_state) {
    struct latency_state *state = latency_state;
    struct analysis_context *context = state->context;

    state->by = (enum latency_by)context->analysis->variant;
    state->of_day = all_have_hours(context->selection);
    state->from_queue = context->analysis->parameters[0].name != NULL && context->values[0].given;
    state->groups = (struct distribution_keys){.distribution = distribution_new(context->shape),
                                               .database = context->database,
                                               .name_of = name_of[state->by]};
    if (state->by == BY_DEPTH || state->by == BY_IDLE) {
        state->sweep = queue_sweep_new(&(struct queue_visitor){latency_add_issue, NULL, state});
    }
}

static void latency_begin_trace(void *latency_state) {
    struct latency_state *state = latency_state;
    struct analysis_context *context = state->context;

    state->hour = (struct tally_context){
        .kind = context->trace->trace->kind,
        .hour_origin = catalog_hour_origin(context->trace->trace),
    };
    state->first_hour = tally_hour(&state->hour, context->trace->trace->first_time);
    if (state->sweep != NULL) {
        queue_sweep_check(context->selection, context->trace, &context->error);
    }
    state->woken =
        state->hour.kind == TRACE_STATES ? state_operation(context, STATE_WOKEN) : EVENT_NONE;
}

static void latency_end_trace(void *latency_state) {
    struct latency_state *state = latency_state;

    if (state->sweep != NULL) {
        queue_sweep_end(state->sweep);
    }
}

static bool latency_again(void *latency_state) {
    struct latency_state *state = latency_state;

    if (!state->counted && state->sweep != NULL) {
        state->late = queue_sweep_count_late(state->sweep);
    }
    state->counted = true;
    return state->by != BY_NOTHING && distribution_end_pass(state->groups.distribution);
}

/* --- reading the rollup ----------------------------------------------------------------------- */

/* Limit of events per trace; sums of counts cannot overflow below it. */
#define MOST_EVENTS ((int64_t)1 << 40)

/* A row of rollup_latency: durations that the import of a trace has counted; for I/Os, of one
 * action. */
struct rollup_row {
    /* `key`: I/O class, or operation for calls. `before`: number of durations in earlier rows. */
    int64_t key, before;
    struct distribution_part part;
};

/* Returns whether the rollup counts two durations in the same row: for calls, if their bit lengths
 * are equal; for I/Os, if they are in the same bucket. */
static bool share_a_row(const struct latency_state *state, int64_t one, int64_t other) {
    return state->by == BY_OPERATION
               ? latency_bit_length(one) == latency_bit_length(other)
               : value_bucket(one, DURATION_BITS) == value_bucket(other, DURATION_BITS);
}

static bool latency_is_sound(const struct latency_state *state, const struct rollup_row *row) {
    const struct distribution_part *part = &row->part;

    return row->key >= 0 && row->key <= (state->by == BY_OPERATION ? UINT32_MAX : IO_CLASSES - 1) &&
           part->count > 0 && part->count <= MOST_EVENTS - row->before &&
           part->least <= part->largest &&
           (part->least < 0 ? part->largest < 0 : share_a_row(state, part->least, part->largest));
}

/* Reads the row of `select`; `row` has the previous one. Returns false if the row is damaged. */
static bool latency_read_row(const struct latency_state *state, sqlite3_stmt *select,
                             struct rollup_row *row) {
    int64_t key = sqlite3_column_int64(select, 0);
    bool goes_on = key == row->key && row->part.least >= 0;

    row->before = goes_on ? row->before + row->part.count : 0;
    row->key = key;
    row->part = (struct distribution_part){
        .least = sqlite3_column_int64(select, 1),
        .largest = sqlite3_column_int64(select, 2),
        .count = sqlite3_column_int64(select, 3),
        .sum = sqlite3_column_int64(select, 4),
    };
    return latency_is_sound(state, row);
}

/* Adds the durations of a rollup row. */
static void latency_add_row(struct latency_state *state, const struct rollup_row *row) {
    const struct distribution_part *part = &row->part;
    int64_t class = state->by == BY_OPERATION ? IO_READ : row->key;

    state->counts[class][part->least < 0 ? NO_DURATION : latency_bit_length(part->least)] +=
        part->count;
    if (part->least >= 0 && state->by != BY_NOTHING) {
        distribution_add(state->groups.distribution, latency_find_group(state, row->key), part);
    }
}

/* Tells the distribution if all durations of a row are equal: percentiles in it are exact. */
static void note_single_value_row(struct latency_state *state, const struct rollup_row *row) {
    if (row->part.least >= 0 && row->part.least == row->part.largest) {
        distribution_set_equal_values(state->groups.distribution,
                                      latency_find_group(state, row->key), row->before, &row->part);
    }
}

static void latency_add_rows(struct latency_state *state, sqlite3_stmt *select,
                             const struct selected_trace *trace,
                             void (*take_row)(struct latency_state *state,
                                              const struct rollup_row *row)) {
    struct error *error = &state->context->error;
    struct rollup_row taken = {.key = -1};
    bool row = trace->action != ACTION_NOTHING && !analysis_failed(state->context);

    sqlite3_bind_int64(select, 1, trace->trace->id);
    if (state->by != BY_OPERATION) {
        sqlite3_bind_int64(select, 2, trace->action);
    }
    while (row && database_step(state->context->database, select, &row, error) && row) {
        if (!latency_read_row(state, select, &taken)) {
            error_set(error,
                      "trace %s: its rollup by latency is damaged; 'tracetool check "
                      "--repair' rebuilds it",
                      trace->trace->name);
            break;
        }
        take_row(state, &taken);
    }
    sqlite3_reset(select);
}

/* Returns whether the rollups (counts stored by the import) are enough for the request. */
static bool latency_answers(const struct latency_state *state) {
    const struct selection *selection = state->context->selection;
    const struct distribution_shape *shape = &state->context->shape;
    size_t i = 0;

    while (i < selection->count &&
           (state->by == BY_OPERATION || selection->traces[i].action != EVENT_NONE)) {
        i++;
    }
    return i == selection->count && !state->from_queue && shape->naming == NULL &&
           shape->curves == 0 && shape->blocks == 0;
}

/* Counts from the rollups (counts stored by the import). Their rows determine each percentile of
 * one trace, but not percentiles over several traces or over operations with equal names. */
static bool latency_from_rollups(void *latency_state) {
    struct latency_state *state = latency_state;
    struct analysis_context *context = state->context;
    const struct selection *selection = context->selection;
    sqlite3_stmt *select;

    if (!latency_answers(state)) {
        return false;
    }
    select = database_acquire_statement(
        context->database,
        state->by == BY_OPERATION
            ? "SELECT action, least, most, count, sum FROM main.rollup_latency"
              " WHERE trace = ?1 ORDER BY action, least"
            : "SELECT class, least, most, count, sum FROM main.rollup_latency"
              " WHERE trace = ?1 AND action = ?2 ORDER BY class, least",
        &context->error);
    for (size_t i = 0; i < selection->count; i++) {
        latency_add_rows(state, select, &selection->traces[i], latency_add_row);
    }
    if (selection->count == 1 && state->by != BY_NOTHING &&
        distribution_groups(state->groups.distribution) == HASH_COUNT(state->groups.known)) {
        latency_add_rows(state, select, &selection->traces[0], note_single_value_row);
    }
    database_release_statement(context->database, select);
    return true;
}

static void latency_write_rows(void *latency_state) {
    struct latency_state *state = latency_state;
    struct analysis_context *context = state->context;

    for (int class = 0; class < IO_CLASSES; class ++) {
        for (int bits = 0; bits < BITS; bits++) {
            if (state->counts[class][bits] > 0) {
                TEMP_ROW(&context->tables[0], class, bits == NO_DURATION ? EVENT_NONE : bits,
                         state->counts[class][bits]);
            }
        }
    }
    queue_sweep_note(state->late, &context->selection->notes);
    distribution_write(state->groups.distribution, context->temp, &context->error);
}

static void latency_free_state(void *latency_state) {
    struct latency_state *state = latency_state;

    distribution_keys_clear(&state->groups);
    queue_sweep_free(state->sweep);
    distribution_free(state->groups.distribution);
}

/* temp.tally_latency: number of selected events by class (enum io_class; 0 for calls) and bit
 * length of their duration (NULL: unknown). temp.distribution: durations by group;
 * temp.distribution_curve: the same for plots of curves. */
#define LATENCY(what, grouping, looks_at)                                                          \
    .name = (what),                                                                                \
    .tables = {{"tally_latency", "class, bits, count", NULL},                                      \
               {"distribution", DISTRIBUTION_COLUMNS, "name"},                                     \
               {"distribution_curve", DISTRIBUTION_CURVE, "name"}},                                \
    .issued = true, .apart = (grouping) != BY_DEPTH && (grouping) != BY_IDLE,                      \
    .pass = PASS_IN_ORDER, .fields = EVENT_DURATION | EVENT_FLAGS | (looks_at),                    \
    .window = WINDOW_WHOLE, .variant = (grouping), .state_size = sizeof(struct latency_state),     \
    .begin = latency_begin, .begin_trace = latency_begin_trace, .visit = latency_visit,            \
    .again = latency_again, .write = latency_write_rows, .free = latency_free_state

#define IO_LATENCY(what, grouping, looks_at)                                                       \
    LATENCY(what, grouping, EVENT_RESPONSE | (looks_at)), .end_trace = latency_end_trace,          \
                                                          .parameters = {Q2C_PARAMETER}

#define ROLLUP_LATENCY                                                                             \
    .rollup = "latency", .take = latency_from_rollups,                                             \
    .taken_alone = "percentiles of each trace by itself (--by-trace) need none"

const struct analysis analysis_latency = {IO_LATENCY("latency", BY_CLASS, 0), ROLLUP_LATENCY};

/* Numbers by bit length, without percentiles: so rollups are enough for several traces, too. */
const struct analysis analysis_latency_histogram = {IO_LATENCY("latency_histogram", BY_NOTHING, 0),
                                                    ROLLUP_LATENCY};
const struct analysis analysis_latency_none = {IO_LATENCY("latency_none", BY_NONE, 0)};
const struct analysis analysis_latency_size = {IO_LATENCY("latency_size", BY_SIZE, EVENT_SIZE)};
const struct analysis analysis_latency_process = {
    IO_LATENCY("latency_process", BY_PROCESS, EVENT_ACTOR)};
const struct analysis analysis_latency_file = {IO_LATENCY("latency_file", BY_FILE, EVENT_OBJECT)};
const struct analysis analysis_latency_filetype = {
    IO_LATENCY("latency_filetype", BY_FILE_TYPE, EVENT_OBJECT)};

const struct analysis analysis_latency_hour = {IO_LATENCY("latency_hour", BY_HOUR, 0),
                                               .real_clock = true};

/* Groups I/Os by the queue at their issue: number of I/Os in flight, or idle time before. */
const struct analysis analysis_latency_depth = {IO_LATENCY("latency_depth", BY_DEPTH, 0)};
const struct analysis analysis_latency_idle = {IO_LATENCY("latency_idle", BY_IDLE, 0)};

/* Durations of calls, by the clock that --clock selects. */
const struct analysis analysis_times_operation = {
    LATENCY("times_operation", BY_OPERATION, EVENT_OPERATION), ROLLUP_LATENCY};
const struct analysis analysis_times_hour = {LATENCY("times_hour", BY_HOUR, 0), .real_clock = true};
const struct analysis analysis_times_none = {LATENCY("times_none", BY_NONE, 0)};
const struct analysis analysis_times_thread = {LATENCY("times_thread", BY_THREAD, EVENT_ACTOR),
                                               .reads = "thread"};
const struct analysis analysis_times_process = {LATENCY("times_process", BY_PID, EVENT_ACTOR),
                                                .reads = "process"};
const struct analysis analysis_times_program = {LATENCY("times_program", BY_PROGRAM, EVENT_ACTOR),
                                                .reads = "program"};
const struct analysis analysis_times_file = {LATENCY("times_file", BY_FILE, EVENT_OBJECT)};

/* Thread states: time from the wakeup of a thread until it ran. What woke it is a thread, or the
 * source of an interrupt: a device, the network, a timer. */
#define WAKEUP(what, grouping, looks_at, views)                                                    \
    { LATENCY(what, grouping, EVENT_OPERATION | (looks_at)), .reads = (views) }
const struct analysis analysis_wakeup = WAKEUP("wakeup", BY_NONE, 0, NULL);
const struct analysis analysis_wakeup_thread =
    WAKEUP("wakeup_thread", BY_THREAD, EVENT_ACTOR, "thread");
const struct analysis analysis_wakeup_waker =
    WAKEUP("wakeup_waker", BY_WAKER, EVENT_ISSUER | EVENT_OBJECT, "thread");
const struct analysis analysis_wakeup_pair =
    WAKEUP("wakeup_pair", BY_PAIR, EVENT_ACTOR | EVENT_ISSUER | EVENT_OBJECT, "thread");

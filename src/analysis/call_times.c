/* What system calls did, took and failed with, by call, who made it and what it was on:
 * temp.tally_call. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/hash.h"
#include "base/saturate.h"
#include "model/span_times.h"
#include "base/memory.h"

/* Rows over all threads beyond which they go to the table, where the query adds equal ones up. */
#define ROWS_IN_MEMORY (1 << 18)

enum call_outcome { CALL_SUCCEEDED, CALL_FAILED, CALL_NOT_RETURNED };

/* Has no holes: it is compared byte by byte. */
struct call_key {
    uint32_t operation, actor, object, error;
    uint32_t outcome;
};

struct call_row {
    struct call_key key;
    int64_t calls, bytes;
    int64_t first, last; /* when the first began and the last was over */
    struct span_clock_times times;
    UT_hash_handle hh;
};

/* What a thread has found. */
struct call_state {
    const struct analysis_context *context;
    int64_t trace;
    int64_t from, to; /* the window, where it cuts calls; else all times */
    /* What the trace says of its calls: whether `value` is a result, and `error` what they failed
     * with. Where it is not, a result below 0 is a failure. */
    bool results, errors;
    struct call_row *rows; /* owned hash table */
    struct call_row *last; /* that was looked up; NULL: none */
};

static void forget_rows(struct call_state *state) {
    struct call_row *row, *next;

    state->last = NULL;
    HASH_ITER(hh, state->rows, row, next) {
        HASH_DEL(state->rows, row);
        free(row);
    }
}

static void bind_row(sqlite3_stmt *insert, int64_t trace, const struct call_row *row) {
    const struct call_key *key = &row->key;
    const struct span_clock_times *times = &row->times;
    bool timed = times->timed > 0;
    /* Also of calls of another row, or that a window cuts. */
    bool has_total = timed || times->total != 0;
    const int64_t values[] = {
        trace,
        key->operation,
        key->actor,
        key->object,
        key->error,
        key->outcome == CALL_FAILED,
        key->outcome != CALL_NOT_RETURNED,
        row->calls,
        row->bytes,
        times->timed,
        has_total ? times->total : EVENT_NONE,
        timed ? times->least : EVENT_NONE,
        timed ? times->most : EVENT_NONE,
        row->first,
        row->last,
    };

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        database_bind_optional(insert, (int)i + 1, values[i]);
    }
}

/* Events of other kinds than system calls have no result that could be missing. */
static const char insert_row[] =
    "INSERT INTO temp.tally_call VALUES (?1, ?2, ?3, ?4, ?5, ?6,"
    " ?7 OR (SELECT kind FROM main.name WHERE id = ?2) IS NOT 'syscall',"
    " ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";

/* Writes what was counted so far, and forgets it. */
static bool flush(struct call_state *state, struct error *error) {
    const struct analysis_context *context = state->context;
    sqlite3_stmt *insert;
    bool done;

    context->lock(context, true);
    insert = temp_schema_prepare(context->selection->temp, insert_row, error);

    done = insert != NULL;
    for (const struct call_row *row = state->rows; done && row != NULL; row = row->hh.next) {
        bind_row(insert, state->trace, row);
        done = database_execute(context->selection->database, insert, error);
    }
    sqlite3_finalize(insert);
    context->lock(context, false);
    forget_rows(state);
    return done;
}

/* The row of a key, made when there is none; NULL with `error` set on failure. */
static struct call_row *find_row(struct call_state *state, const struct call_key *key,
                                 struct error *error) {
    struct call_row *row = state->last;

    if (row != NULL && memcmp(&row->key, key, sizeof *key) == 0) {
        return row;
    }
    HASH_FIND(hh, state->rows, key, sizeof *key, row);
    if (row == NULL) {
        if (HASH_COUNT(state->rows) >= ROWS_IN_MEMORY / state->context->states &&
            !flush(state, error)) {
            return NULL;
        }
        row = xcalloc(1, sizeof *row);
        row->key = *key;
        row->first = INT64_MAX;
        row->last = INT64_MIN;
        HASH_ADD(hh, state->rows, key, sizeof row->key, row);
    }
    state->last = row;
    return row;
}

/* What took a time has ended, whether its result is known or not. */
static enum call_outcome outcome_of(const struct call_state *state, uint32_t error, int64_t value,
                                    int64_t duration) {
    if (error != 0) {
        return CALL_FAILED;
    }
    if (!state->results || (value == EVENT_NONE && duration >= 0)) {
        return CALL_SUCCEEDED;
    }
    if (value == EVENT_NONE) {
        return CALL_NOT_RETURNED;
    }
    return !state->errors && value < 0 ? CALL_FAILED : CALL_SUCCEEDED;
}

/* A damaged database may claim any time. */
static void count_call(struct call_row *row, int64_t time, int64_t duration, int64_t size,
                       int64_t to) {
    int64_t end = time;

    row->calls++;
    if (size >= 0) {
        add_saturated(&row->bytes, size);
    }
    if (duration >= 0) {
        span_times_add(&row->times, duration, duration, true);
        add_saturated(&end, duration);
        end = end > to ? to : end;
    }
    row->first = time < row->first ? time : row->first;
    row->last = end > row->last ? end : row->last;
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct call_state *state = context_state;

    for (size_t i = 0; i < count; i++) {
        struct call_key key = {
            .operation = columns->operation[i],
            .actor = columns->actor[i],
            .object = columns->object[i],
            .error = columns->error[i],
            .outcome = (uint32_t)outcome_of(state, columns->error[i], columns->value[i],
                                            columns->duration[i]),
        };
        struct call_row *row = find_row(state, &key, error);

        if (row == NULL) {
            return false;
        }
        count_call(row, columns->time[i], columns->duration[i], columns->size[i], state->to);
    }
    return true;
}

/* Adds what a window leaves of a call, or takes away what lies behind it of one that visit() adds
 * as a whole. Whether it failed is said of the window in which it began. */
static bool add_edge(void *context_state, const struct window_edge *edge, struct error *error) {
    struct call_state *state = context_state;
    const struct call_key key = {
        .operation = edge->operation,
        .actor = edge->actor,
        .object = edge->object,
        .outcome = CALL_SUCCEEDED,
    };
    struct call_row *row = find_row(state, &key, error);
    int64_t end = edge->end < state->to ? edge->end : state->to;

    if (row == NULL) {
        return false;
    }
    row->times.total += edge->inside[EDGE_CHOSEN].duration;
    if (edge->earlier) {
        row->first = state->from;
        row->last = end > row->last ? end : row->last;
    } else {
        row->times.total -= edge->whole[EDGE_CHOSEN].duration;
    }
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct call_state *state = context_state;

    (void)error;
    state->context = context;
    return true;
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct call_state *state = context_state;

    (void)error;
    state->trace = trace->trace->id;
    state->from = trace->edges == NULL ? INT64_MIN : trace->edges->from;
    state->to = trace->edges == NULL ? INT64_MAX : trace->edges->to;
    state->results = catalog_meaning(trace->trace, "value", "result") != NULL;
    state->errors = catalog_meaning(trace->trace, "error", "error") != NULL;
    return true;
}

static bool merge(void *context_state, void *other, struct error *error) {
    struct call_state *state = context_state, *from = other;
    bool done = true;

    for (const struct call_row *row = from->rows; done && row != NULL; row = row->hh.next) {
        struct call_row *into = find_row(state, &row->key, error);

        done = into != NULL;
        if (done) {
            into->calls += row->calls;
            add_saturated(&into->bytes, row->bytes);
            span_times_merge(&into->times, &row->times);
            into->first = row->first < into->first ? row->first : into->first;
            into->last = row->last > into->last ? row->last : into->last;
        }
    }
    forget_rows(from);
    return done;
}

static bool end_trace(void *context_state, struct error *error) {
    return flush(context_state, error);
}

static void free_state(void *context_state) {
    forget_rows(context_state);
}

/* A row for each call, actor, object and error (0: none) that came together. `failed` and
 * `returned` are 1 or 0: a system call without result, error and duration, in a trace that has
 * results, has not returned.
 * `bytes` is the sum of sizes; `timed` of the calls have a duration, whose sum, least and largest
 * stand behind, NULL where there are none; `first` is when the first of the calls began, `last`
 * when the last was over. Several rows may be of one key. */
const struct analysis analysis_call = {
    .name = "call",
    .tables = {{"tally_call",
                "trace, operation, actor, object, error, failed, returned, calls, bytes, timed,"
                " total, least, most, first, last",
                NULL}},
    .pass = PASS_ANY_ORDER,
    .fields = EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_ERROR | EVENT_SIZE |
              EVENT_VALUE | EVENT_DURATION,
    .state_size = sizeof(struct call_state),
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit,
    .window = WINDOW_PARTS,
    .edge = add_edge,
    .merge = merge,
    .end_trace = end_trace,
    .free = free_state,
};

/* What system calls did, took and failed with, by call, who made it and what it was on:
 * temp.tally_call; and the little of it that findings ask for. */
#include <stdlib.h>

#include "analysis/keyed_rows.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "base/search.h"
#include "base/time_unit.h"
#include "model/call_counts.h"
#include "model/span_times.h"
#include "scan/id_set.h"
#include "store/rollup_tables.h"

/* Rows over all threads beyond which they go to the table, where the query adds equal ones up. */
#define ROWS_IN_MEMORY (1 << 18)

/* What they are counted by besides the operation, the error and the outcome. */
enum {
    BY_THREAD = 1,
    BY_FILE = 2,
    ONLY_FAILED = 4, /* and those of the same names that did not fail */
    /* All calls are one row; those that lock or put files on disk have others, too. */
    MERGED = 8,
    ONLY_FOUND = 16, /* calls that open a file, failed, or asked in vain */
};

/* Operations that findings tell apart, and the condition on their names. */
enum told { TOLD_LOCK, TOLD_SYNC, TOLD_WRITE, TOLD_OPEN, TOLD_ASK, TOLD };

static const char *const told_names[TOLD] = {
    [TOLD_LOCK] = "call_wait(text) = 'lock'",
    [TOLD_SYNC] = "text IN ('fsync', 'fdatasync', 'sync', 'syncfs', 'sync_file_range', 'msync')",
    [TOLD_WRITE] = "call_does(text) IN ('write', 'copy')",
    [TOLD_OPEN] = "call_does(text) = 'open'",
    [TOLD_ASK] = "call_wait(text) = 'event'",
};

/* Who asks what has happened, and is told "nothing" before this, did not want to wait. */
#define AT_ONCE MILLISECOND

/* Threads whose calls are added up before the row of all of these is looked for. */
#define RECENT 64

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
};

/* What a thread has found. */
struct call_state {
    struct keyed_state keyed; /* struct call_row */
    int64_t from, to;         /* the window, where it cuts calls; else all times */
    /* What the trace says of its calls: whether `value` is a result, and `error` what they failed
     * with. Where it is not, a result below 0 is a failure. */
    bool results, errors;
    uint32_t by;
    bool rest; /* ONLY_FAILED: this pass counts what did not fail: of the first state */
    /* The operations and objects of which some calls failed, by name; the first state's. */
    struct id_set operations, files;
    struct id_set told[TOLD]; /* likewise, where they are told apart */
    bool durable;             /* the first state's: flags say which writes are on disk at once */
    struct call_row recent[RECENT]; /* MERGED: by actor; no calls: empty */
};

static const struct call_row blank = {.first = INT64_MAX, .last = INT64_MIN};

static void write_row(struct analysis_context *context, const void *call_row) {
    const struct call_row *row = call_row;
    const struct call_key *key = &row->key;
    const struct span_clock_times *times = &row->times;
    bool timed = times->timed > 0;
    /* Also of calls of another row, or that a window cuts. */
    bool has_total = timed || times->total != 0;

    TEMP_ROW(&context->tables[0], context->trace->trace->id, key->operation, key->actor,
             key->object, key->error, key->outcome == CALL_FAILED,
             key->outcome != CALL_NOT_RETURNED, row->calls, row->bytes, times->timed,
             has_total ? times->total : EVENT_NONE, timed ? times->least : EVENT_NONE,
             timed ? times->most : EVENT_NONE, row->first, row->last);
}

static void write_failure(struct analysis_context *context, const void *call_row) {
    const struct call_row *row = call_row;

    TEMP_ROW(&context->tables[0], context->trace->trace->id, row->key.operation, row->key.object,
             row->key.error, row->key.outcome == CALL_FAILED, row->calls);
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

static const struct call_state *first_of(const struct call_state *state) {
    return state->keyed.context->first;
}

static bool is_told(const struct call_state *state, enum told what, uint32_t operation) {
    return id_set_has(&first_of(state)->told[what], operation);
}

/* A part that the analysis does not count by is 0. */
static struct call_key key_of(const struct call_state *state, uint32_t operation, uint32_t actor,
                              uint32_t object) {
    return (struct call_key){
        .operation = operation,
        .actor = (state->by & BY_THREAD) != 0 ? actor : 0,
        .object = (state->by & BY_FILE) != 0 ? object : 0,
    };
}

/* The value of a column, which may be NULL where nothing is counted by it. */
static uint32_t id_at(const uint32_t *column, size_t i) {
    return column == NULL ? 0 : column[i];
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

/* Of findings: whether a call puts its file on disk. */
static bool is_sync(const struct call_state *state, uint32_t operation, uint32_t flags) {
    return is_told(state, TOLD_SYNC, operation) ||
           ((flags & CALL_FLAG_DURABLE) != 0 && first_of(state)->durable &&
            is_told(state, TOLD_WRITE, operation));
}

static void merge_key(const struct call_state *state, uint32_t flags, struct call_key *key) {
    const bool syncs = is_sync(state, key->operation, flags);

    key->object = syncs ? key->object : 0;
    key->operation = syncs || is_told(state, TOLD_LOCK, key->operation) ? key->operation : 0;
    key->error = 0;
    key->outcome = CALL_SUCCEEDED;
}

/* Of a poll: it may wait, and came back at once for nothing had happened. */
static bool is_in_vain(const struct call_state *state, const struct event_columns *columns,
                       size_t i) {
    return columns->value[i] == 0 && columns->duration[i] >= 0 && columns->duration[i] < AT_ONCE &&
           is_told(state, TOLD_ASK, columns->operation[i]);
}

static bool is_found(const struct call_state *state, const struct event_columns *columns, size_t i,
                     const struct call_key *key) {
    return key->outcome == CALL_FAILED ||
           (key->outcome == CALL_SUCCEEDED &&
            (is_told(state, TOLD_OPEN, key->operation) || is_in_vain(state, columns, i)));
}

/* Whether a call is counted where those that failed are looked for. */
static bool is_wanted(const struct call_state *state, const struct call_key *key) {
    const struct call_state *first = first_of(state);

    return !first->rest
               ? key->outcome == CALL_FAILED
               : key->outcome == CALL_SUCCEEDED && id_set_has(&first->operations, key->operation) &&
                     id_set_has(&first->files, key->object);
}

static void add_row(void *to, const void *from) {
    struct call_row *into = to;
    const struct call_row *row = from;

    into->calls += row->calls;
    add_saturated(&into->bytes, row->bytes);
    span_times_merge(&into->times, &row->times);
    into->first = row->first < into->first ? row->first : into->first;
    into->last = row->last > into->last ? row->last : into->last;
}

static void flush_recent(struct call_state *state, struct call_row *recent) {
    if (recent->calls > 0) {
        add_row(keyed_rows_find(&state->keyed.rows, &recent->key), recent);
        *recent = blank;
    }
}

static void flush_all_recent(struct call_state *state) {
    for (size_t i = 0; i < RECENT; i++) {
        flush_recent(state, &state->recent[i]);
    }
}

/* Threads take turns for long, and the rows of all of them are many. */
static struct call_row *find_recent(struct call_state *state, uint32_t actor) {
    struct call_row *recent = &state->recent[actor % RECENT];

    if (recent->calls == 0 || recent->key.actor != actor) {
        flush_recent(state, recent);
        *recent = blank;
        recent->key = (struct call_key){.actor = actor, .outcome = CALL_SUCCEEDED};
    }
    return recent;
}

static void visit(void *call_state, const struct event_columns *columns, size_t count) {
    struct call_state *state = call_state;

    for (size_t i = 0; i < count; i++) {
        struct call_key key = key_of(state, columns->operation[i], id_at(columns->actor, i),
                                     id_at(columns->object, i));

        key.error = columns->error[i];
        key.outcome =
            (uint32_t)outcome_of(state, columns->error[i], columns->value[i], columns->duration[i]);
        if (((state->by & ONLY_FAILED) != 0 && !is_wanted(state, &key)) ||
            ((state->by & ONLY_FOUND) != 0 && !is_found(state, columns, i, &key))) {
            continue;
        }
        if ((state->by & MERGED) != 0) {
            merge_key(state, columns->flags[i], &key);
            count_call(find_recent(state, key.actor), columns->time[i], columns->duration[i],
                       columns->size[i], state->to);
        }
        if ((state->by & MERGED) == 0 || key.operation != 0) {
            count_call(keyed_rows_find(&state->keyed.rows, &key), columns->time[i],
                       columns->duration[i], columns->size[i], state->to);
        }
    }
}

/* Adds what a window leaves of a call, or takes away what lies behind it of one that visit() adds
 * as a whole. Whether it failed is said of the window in which it began. */
static void add_edge(void *call_state, const struct window_edge *edge) {
    struct call_state *state = call_state;
    const struct call_key key = key_of(state, edge->operation, edge->actor, edge->object);
    struct call_row *row = keyed_rows_find(&state->keyed.rows, &key);
    int64_t end = edge->end < state->to ? edge->end : state->to;

    row->times.total += edge->inside[EDGE_CHOSEN].duration;
    if (edge->earlier) {
        row->first = state->from;
        row->last = end > row->last ? end : row->last;
    } else {
        row->times.total -= edge->whole[EDGE_CHOSEN].duration;
    }
}

static void begin(void *call_state) {
    struct call_state *state = call_state;
    bool failed;

    state->by = (uint32_t)state->keyed.context->analysis->variant;
    failed = (state->by & ONLY_FAILED) != 0;
    /* Events of other kinds than system calls have no result that could be missing. */
    state->keyed.context->tables[0].values =
        failed ? NULL
               : "?1, ?2, ?3, ?4, ?5, ?6, CASE WHEN ?7 THEN 1 ELSE"
                 " (SELECT kind FROM main.name WHERE id = ?2) IS NOT 'syscall' END,"
                 " ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15";
    state->keyed.rows = (struct keyed_rows){.context = state->keyed.context,
                                            .key_size = sizeof blank.key,
                                            .row_size = sizeof blank,
                                            .most = ROWS_IN_MEMORY,
                                            .blank = &blank,
                                            .write = failed ? write_failure : write_row,
                                            .add = add_row};
}

/* Which operations and objects have a name of which some calls failed, in whatever trace. */
static void read_failing(struct call_state *state) {
    struct analysis_context *context = state->keyed.context;
    const int64_t trace = context->trace->trace->id;

    id_set_free(&state->operations);
    id_set_free(&state->files);
    if (id_set_query(&state->operations, context->database,
                     "SELECT id FROM main.name WHERE trace = ?1 AND text IN (SELECT name FROM"
                     " temp.failing_call) ORDER BY id",
                     trace, &context->error)) {
        id_set_query(
            &state->files, context->database,
            "SELECT id FROM (SELECT 0 AS id, NULL AS name UNION ALL"
            " SELECT id, name FROM main.object WHERE trace = ?1)"
            " WHERE name IN (SELECT name FROM temp.failing_file) OR (name IS NULL"
            " AND EXISTS (SELECT 1 FROM temp.failing_file WHERE name IS NULL)) ORDER BY id",
            trace, &context->error);
    }
}

static void read_told(struct call_state *state) {
    struct analysis_context *context = state->keyed.context;

    state->durable = catalog_meaning(context->trace->trace, "flags", "call") != NULL;
    for (int i = 0; i < TOLD; i++) {
        char *sql = xasprintf("SELECT id FROM main.name WHERE trace = ?1 AND %s ORDER BY id",
                              told_names[i]);

        id_set_free(&state->told[i]);
        id_set_query(&state->told[i], context->database, sql, context->trace->trace->id,
                     &context->error);
        free(sql);
    }
}

static void begin_trace(void *call_state) {
    struct call_state *state = call_state;
    const struct selected_trace *trace = state->keyed.context->trace;

    state->from = trace->edges == NULL ? INT64_MIN : trace->edges->from;
    state->to = trace->edges == NULL ? INT64_MAX : trace->edges->to;
    state->results = catalog_meaning(trace->trace, "value", "result") != NULL;
    state->errors = catalog_meaning(trace->trace, "error", "error") != NULL;
    if (state == state->keyed.context->first && state->rest) {
        read_failing(state);
    }
    if (state == state->keyed.context->first && (state->by & (MERGED | ONLY_FOUND)) != 0) {
        read_told(state);
    }
}

/* Adds a row of rollup_call, of which calls with the same error may be several. */
static void take_row(struct call_state *state, sqlite3_stmt *row) {
    static const struct {
        int64_t value, duration; /* of such calls */
    } of_result[CALL_RESULTS] = {
        [CALL_RESULT] = {0, 0},
        [CALL_RESULT_NEGATIVE] = {-1, 0},
        [CALL_TIMED] = {EVENT_NONE, 0},
        [CALL_OPEN] = {EVENT_NONE, EVENT_NONE},
    };
    int64_t result = sqlite3_column_int64(row, 2);
    struct call_row from = {
        .calls = sqlite3_column_int64(row, 3),
        .bytes = sqlite3_column_int64(row, 4),
        .times = {.timed = sqlite3_column_int64(row, 5),
                  .total = sqlite3_column_int64(row, 6),
                  .least = sqlite3_column_int64(row, 7),
                  .most = sqlite3_column_int64(row, 8)},
        .first = sqlite3_column_int64(row, 9),
        .last = sqlite3_column_int64(row, 10),
    };

    if (result < 0 || result >= CALL_RESULTS) {
        error_set(&state->keyed.context->error,
                  "trace %s: its rollup by call is damaged; 'tracetool check --repair' makes it "
                  "anew",
                  state->keyed.context->trace->trace->name);
        return;
    }
    from.key.operation = (uint32_t)sqlite3_column_int64(row, 0);
    from.key.error = (uint32_t)sqlite3_column_int64(row, 1);
    from.key.outcome = (uint32_t)outcome_of(state, from.key.error, of_result[result].value,
                                            of_result[result].duration);
    add_row(keyed_rows_find(&state->keyed.rows, &from.key), &from);
}

/* The whole of all traces. */
static bool take(void *call_state) {
    struct call_state *state = call_state;
    struct analysis_context *context = state->keyed.context;

    for (size_t i = 0; i < context->selection->count && !analysis_failed(context); i++) {
        struct database_query query;

        context->trace = &context->selection->traces[i];
        begin_trace(state);
        query =
            database_query(context->database, &context->error,
                           "SELECT " CALL_ROLLUP_COLUMNS " FROM main.rollup_call WHERE trace = ?1",
                           "i", context->trace->trace->id);
        while (database_next(&query) && !analysis_failed(context)) {
            take_row(state, query.row);
        }
        database_end(&query);
        keyed_state_end_trace(state);
    }
    return true;
}

/* Whether the rollups say that no call failed. */
static bool none_failed(void *call_state) {
    const struct call_state *state = call_state;
    struct analysis_context *context = state->keyed.context;
    int64_t some = 1;

    return database_integer(context->database,
                            "SELECT EXISTS (SELECT 1 FROM temp.selection AS s CROSS JOIN"
                            " main.rollup_call AS r ON r.trace = s.trace"
                            " WHERE r.error <> 0 OR r.result = ?1)",
                            CALL_RESULT_NEGATIVE, 0, &some, &context->error) &&
           some == 0;
}

/* Behind the calls that failed come those that did not, of the same names. */
static bool count_rest(void *call_state) {
    static const char *const find[] = {
        "INSERT INTO temp.failing_call SELECT DISTINCT n.text FROM temp.tally_failure AS t"
        " CROSS JOIN main.name AS n ON n.id = t.operation",
        "INSERT INTO temp.failing_file SELECT DISTINCT o.name FROM temp.tally_failure AS t"
        " LEFT JOIN main.object AS o ON o.id = t.object",
    };
    struct call_state *state = call_state;
    struct analysis_context *context = state->keyed.context;
    int64_t some = 0;

    state->rest =
        !state->rest &&
        database_integer(context->database, "SELECT EXISTS (SELECT 1 FROM temp.tally_failure)", 0,
                         0, &some, &context->error) &&
        some != 0 && database_run(context->database, find[0], &context->error) &&
        database_run(context->database, find[1], &context->error);
    return state->rest;
}

static void merge(void *call_state, void *from) {
    flush_all_recent(from);
    keyed_state_merge(call_state, from);
}

static void end_trace(void *call_state) {
    flush_all_recent(call_state);
    keyed_state_end_trace(call_state);
}

static void free_state(void *call_state) {
    struct call_state *state = call_state;

    id_set_free(&state->operations);
    id_set_free(&state->files);
    for (int i = 0; i < TOLD; i++) {
        id_set_free(&state->told[i]);
    }
    keyed_state_free(state);
}

/* A row for each call, actor, object and error (0: none) that came together. `failed` and
 * `returned` are 1 or 0: a system call without result, error and duration, in a trace that has
 * results, has not returned.
 * `bytes` is the sum of sizes; `timed` of the calls have a duration, whose sum, least and largest
 * stand behind, NULL where there are none; `first` is when the first of the calls began, `last`
 * when the last was over. Several rows may be of one key. */
#define CALL_ANALYSIS(what, table, grouping, ...)                                                  \
    {                                                                                              \
        .name = (what),                                                                            \
        .tables = {{(table),                                                                       \
                    "trace, operation, actor, object, error, failed, returned, calls, bytes,"      \
                    " timed, total, least, most, first, last",                                     \
                    NULL}},                                                                        \
        .variant = (grouping), .pass = PASS_ANY_ORDER,                                             \
        .fields = CALL_COUNT_FIELDS | ((grouping)&BY_THREAD ? EVENT_ACTOR : 0) |                   \
                  ((grouping)&BY_FILE ? EVENT_OBJECT : 0) | ((grouping)&MERGED ? EVENT_FLAGS : 0), \
        .state_size = sizeof(struct call_state), .begin = begin, .begin_trace = begin_trace,       \
        .visit = visit, .merge = merge, .end_trace = end_trace, .free = free_state, __VA_ARGS__    \
    }
#define IN_PARTS .window = WINDOW_PARTS, .edge = add_edge

const struct analysis analysis_call =
    CALL_ANALYSIS("call", "tally_call", BY_THREAD | BY_FILE, IN_PARTS);

/* The same in fewer rows, where actor or object are 0, for reports that do not tell them apart. */
const struct analysis analysis_call_operation =
    CALL_ANALYSIS("call_operation", "tally_call", 0, IN_PARTS, .rollup = CALL_ROLLUP, .take = take);
const struct analysis analysis_call_thread =
    CALL_ANALYSIS("call_thread", "tally_call", BY_THREAD, IN_PARTS);
const struct analysis analysis_call_file =
    CALL_ANALYSIS("call_file", "tally_call", BY_FILE, IN_PARTS);

/* For findings, in tables of their own. By thread: all calls, operation 0; those that wait for a
 * lock, by operation; those that put files on disk, also writes that do, by operation and object.
 * By object: calls that open; those that failed; and those that ask what has happened and came back
 * at once, for nothing had: these alone neither open nor failed. */
const struct analysis analysis_thread_found = CALL_ANALYSIS(
    "thread_found", "thread_found", BY_THREAD | BY_FILE | MERGED, .window = WINDOW_WHOLE);
const struct analysis analysis_file_found = CALL_ANALYSIS(
    "file_found", "file_found", BY_FILE | ONLY_FOUND, .window = WINDOW_WHOLE, .leaves_out = true);

/* Calls that returned, by call and object, where both have a name of which some calls failed: those
 * that did by what with, and those that did not. */
const struct analysis analysis_failure = {
    .name = "failure",
    .tables = {{"tally_failure", "trace, operation, object, error, failed, calls", NULL},
               {"failing_call", "name", NULL},
               {"failing_file", "name", NULL}},
    .rollup = CALL_ROLLUP,
    .take = none_failed,
    .variant = BY_FILE | ONLY_FAILED,
    .pass = PASS_ANY_ORDER,
    .leaves_out = true,
    .fields = CALL_COUNT_FIELDS | EVENT_OBJECT,
    .state_size = sizeof(struct call_state),
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit,
    .merge = keyed_state_merge,
    .end_trace = keyed_state_end_trace,
    .again = count_rest,
    .free = free_state,
};

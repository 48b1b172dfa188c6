/* Counts system calls, their durations and errors by call, thread and file, for temp.tally_call and
 * for the smaller tables that findings read. */
#include <stdlib.h>

#include "analysis/keyed_rows.h"
#include "base/saturate.h"
#include "base/search.h"
#include "base/time_unit.h"
#include "model/call_rollups.h"
#include "scan/event_filter.h"
#include "store/rollup_tables.h"

/* Limit of rows in memory over all threads of the analysis. Further rows are written to the table,
 * where the query adds up rows with equal keys. */
#define ROWS_IN_MEMORY (1 << 18)

/* Bits of analysis.variant: by what rows are grouped (besides operation, error and outcome), and
 * which calls are counted. */
enum {
    BY_THREAD = 1,
    BY_FILE = 2,
    /* Counts failed calls. A second pass counts successful calls with the same names. */
    ONLY_FAILED = 4,
    /* Counts only calls that open a file, failed, or have a role (enum call_role). */
    ONLY_FOUND = 8,
    /* Counts all calls, also failed ones, and does not group by operation, error and outcome. */
    ALL_CALLS = 16,
    THREADS = 32, /* also counts the threads that make calls */
};

/* Roles of system calls in findings: bits, which sql_roles computes from their names. */
enum call_role {
    ROLE_OPEN = 1,
    ROLE_QUERY = 2,
    ROLE_STATUS = 4, /* call on a path, or on a descriptor with an empty path (fstatat()) */
};

static const char sql_roles[] =
    "SELECT id, (call_does(text) IS 'open') + 2 * (call_wait(text) IS 'event')"
    " + 4 * ((call_wait(text) IS 'filesystem' OR text = 'execveat') AND call_does(text) IS NOT "
    "'open')"
    " FROM main.name WHERE trace = ?1 AND id BETWEEN 1 AND 4294967295 ORDER BY id";

/* A poll that returns without an event within this time counts as non-blocking. */
#define AT_ONCE MILLISECOND

enum call_outcome { CALL_SUCCEEDED, CALL_FAILED, CALL_NOT_RETURNED };

/* Hash key, compared as bytes, so it must have no padding. */
struct call_key {
    uint32_t operation, actor, object, error;
    uint32_t outcome;
};

struct call_row {
    struct call_key key;
    int64_t calls, bytes;
    int64_t first, last; /* begin of the first call, end of the last call */
    struct span_clock_times times;
};

/* State of one thread that runs the analysis. */
struct call_state {
    struct keyed_state keyed; /* hash table of struct call_row */
    /* Time window if calls are cut at its begin and end; else INT64_MIN to INT64_MAX. */
    int64_t from, to;
    /* results: whether column `value` has the result of a call; errors: whether column `error` has
     * its error. If the trace has no errors, a negative result is a failure. */
    bool results, errors;
    bool real_clock;
    uint32_t by;
    /* For ONLY_FAILED: true in the second pass (successful calls); in the first thread's state. */
    bool rest;
    /* Operations (name.id) and files (object.id) with failed calls; in the first thread's state */
    struct id_set operations, files;
    struct id_values roles; /* enum call_role of operations; in the first thread's state */
    uint64_t **actors; /* owned; ACTOR_PAGES bitmaps of the ids of threads with calls; NULL: none */
};

/* Ids of a damaged database may be far apart, so bitmaps of ACTOR_PAGE ids are allocated when an id
 * is found. */
enum { ACTOR_PAGE = 1 << 16, ACTOR_PAGES = 1 << 16, ACTOR_WORDS = ACTOR_PAGE / 64 };

static const struct call_row blank = {.first = INT64_MAX, .last = INT64_MIN};

static void call_times_write_row(struct analysis_context *context, const void *call_row) {
    const struct call_row *row = call_row;
    const struct call_key *key = &row->key;
    const struct span_clock_times *times = &row->times;
    bool timed = times->timed > 0;
    /* If no call has a duration, `total` may still be the time of calls that began before the
     * window, or a correction of the time of calls that another row counts. */
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

/* Returns the outcome of a call. A call with a duration has returned, even if its result is
 * unknown. */
static enum call_outcome call_times_outcome_of(const struct call_state *state, uint32_t error,
                                               int64_t value, int64_t duration) {
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

static const struct call_state *first_pass_state(const struct call_state *state) {
    return state->keyed.context->first;
}

static unsigned roles_of_operation(const struct call_state *state, uint32_t operation) {
    int64_t roles = 0;

    id_values_find(&first_pass_state(state)->roles, operation, &roles);
    return (unsigned)roles;
}

/* Returns the key of a call's row. Members by which the analysis does not group are 0. */
static struct call_key call_times_key_of(const struct call_state *state, uint32_t operation,
                                         uint32_t actor, uint32_t object) {
    return (struct call_key){
        .operation = (state->by & ALL_CALLS) == 0 ? operation : 0,
        .actor = (state->by & BY_THREAD) != 0 ? actor : 0,
        .object = (state->by & BY_FILE) != 0 ? object : 0,
    };
}

/* Returns element `i` of a column; 0 if the analysis does not read the column (NULL). */
static uint32_t call_times_id_at(const uint32_t *column, size_t i) {
    return column == NULL ? 0 : column[i];
}

/* Adds a call to a row. Sums saturate, because times of a damaged database may be arbitrary. */
static void call_times_count_call(struct call_row *row, int64_t time, int64_t duration,
                                  int64_t size, int64_t to) {
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

/* Returns whether findings count a call: it failed; or opens a file; or takes a path but got only a
 * descriptor (fstatat() with an empty path); or is a poll that returned at once without an event. A
 * poll without an event whose duration is unknown gets the outcome CALL_NOT_RETURNED. */
static bool is_found(const struct call_state *state, const struct event_columns *columns, size_t i,
                     struct call_key *key) {
    unsigned roles;

    if (key->outcome != CALL_SUCCEEDED) {
        return key->outcome == CALL_FAILED;
    }
    roles = roles_of_operation(state, key->operation);
    if ((roles & ROLE_STATUS) != 0 && (columns->flags[i] & CALL_FLAG_NAMELESS) != 0) {
        key->object = 0;
        return true;
    }
    if ((roles & ROLE_QUERY) != 0 && columns->value[i] == 0) {
        const bool is_timed = columns->duration[i] >= 0 && state->real_clock;

        key->outcome = is_timed ? CALL_SUCCEEDED : CALL_NOT_RETURNED;
        return !is_timed || columns->duration[i] < AT_ONCE;
    }
    return (roles & ROLE_OPEN) != 0;
}

/* Returns whether ONLY_FAILED counts a call in the current pass: failed calls in the first pass,
 * successful ones with the same operation and file in the second. */
static bool call_times_is_wanted(const struct call_state *state, const struct call_key *key) {
    const struct call_state *first = first_pass_state(state);

    return !first->rest
               ? key->outcome == CALL_FAILED
               : key->outcome == CALL_SUCCEEDED && id_set_has(&first->operations, key->operation) &&
                     id_set_has(&first->files, key->object);
}

static void call_times_add_row(void *to, const void *from) {
    struct call_row *into = to;
    const struct call_row *row = from;

    into->calls += row->calls;
    add_saturated(&into->bytes, row->bytes);
    span_times_merge(&into->times, &row->times);
    into->first = row->first < into->first ? row->first : into->first;
    into->last = row->last > into->last ? row->last : into->last;
}

static uint64_t *call_times_actor_page(struct call_state *state, size_t page) {
    if (state->actors[page] == NULL) {
        state->actors[page] = xcalloc(ACTOR_WORDS, sizeof **state->actors);
    }
    return state->actors[page];
}

static void call_times_visit(void *call_state, const struct event_columns *columns, size_t count) {
    struct call_state *state = call_state;

    for (size_t i = 0; (state->by & THREADS) != 0 && i < count; i++) {
        const uint32_t actor = columns->actor[i];

        call_times_actor_page(state, actor / ACTOR_PAGE)[actor % ACTOR_PAGE / 64] |= UINT64_C(1)
                                                                                     << actor % 64;
    }
    for (size_t i = 0; i < count; i++) {
        struct call_key key =
            call_times_key_of(state, columns->operation[i], call_times_id_at(columns->actor, i),
                              call_times_id_at(columns->object, i));

        if ((state->by & ALL_CALLS) == 0) {
            key.error = columns->error[i];
            key.outcome = (uint32_t)call_times_outcome_of(state, columns->error[i],
                                                          columns->value[i], columns->duration[i]);
        }
        if (((state->by & ONLY_FAILED) != 0 && !call_times_is_wanted(state, &key)) ||
            ((state->by & ONLY_FOUND) != 0 && !is_found(state, columns, i, &key))) {
            continue;
        }
        call_times_count_call(keyed_rows_find_sized(&state->keyed.rows, &key, sizeof key),
                              columns->time[i], columns->duration[i], columns->size[i], state->to);
    }
}

/* Of a call that the window cuts, adds the part inside the window; or, if call_times_visit() has
 * added the whole call, subtracts the part outside. Failures count in the window where the call
 * began. */
static void call_times_add_edge(void *call_state, const struct window_edge *edge) {
    struct call_state *state = call_state;
    const struct call_key key =
        call_times_key_of(state, edge->operation, edge->actor, edge->object);
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

static void call_times_begin(void *call_state) {
    struct call_state *state = call_state;
    bool failed;

    state->by = (uint32_t)state->keyed.context->analysis->variant;
    failed = (state->by & ONLY_FAILED) != 0;
    /* Only a system call may not have returned; for other events the statement sets `returned`
     * to 1. */
    state->keyed.context->tables[0].values =
        failed ? NULL
               : "?1, ?2, ?3, ?4, ?5, ?6, CASE WHEN ?7 THEN 1 ELSE"
                 " (SELECT kind FROM main.name WHERE id = ?2) IS NOT 'syscall' END,"
                 " ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15";
    state->keyed.rows = (struct keyed_rows){
        .context = state->keyed.context,
        .kind = {sizeof blank.key, sizeof blank, ROWS_IN_MEMORY, .blank = &blank,
                 .write = failed ? write_failure : call_times_write_row,
                 .add = call_times_add_row}};
}

/* Reads the ids, in the current trace, of the calls and files whose names had failed calls in any
 * trace. */
static void read_failing(struct call_state *state) {
    struct analysis_context *context = state->keyed.context;
    const int64_t trace = context->trace->trace->id;

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

static void free_actors(struct call_state *state) {
    for (size_t i = 0; state->actors != NULL && i < ACTOR_PAGES; i++) {
        free(state->actors[i]);
    }
    free(state->actors);
}

static void call_times_begin_trace(void *call_state) {
    struct call_state *state = call_state;
    const struct selected_trace *trace = state->keyed.context->trace;

    state->from = trace->edges == NULL ? INT64_MIN : trace->edges->from;
    state->to = trace->edges == NULL ? INT64_MAX : trace->edges->to;
    state->results = catalog_meaning(trace->trace, "value", "result") != NULL;
    state->errors = catalog_meaning(trace->trace, "error", "error") != NULL;
    state->real_clock = catalog_has_real_clock(trace->trace);
    if ((state->by & THREADS) != 0) {
        free_actors(state);
        state->actors = xcalloc(ACTOR_PAGES, sizeof *state->actors);
    }
    if (state == state->keyed.context->first && state->rest) {
        read_failing(state);
    }
    if (state == state->keyed.context->first && (state->by & ONLY_FOUND) != 0) {
        struct analysis_context *context = state->keyed.context;

        id_values_query(&state->roles, context->database, sql_roles, context->trace->trace->id,
                        &context->error);
    }
}

/* Adds a row of the import's table rollup_call. Several rows may have the same error. */
static void call_times_take_row(struct call_state *state, sqlite3_stmt *row) {
    static const struct {
        /* value: result of a call with this enum call_result; duration: its duration */
        int64_t value, duration;
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
                  "trace %s: its rollup by call is damaged; 'tracetool check --repair' rebuilds it",
                  state->keyed.context->trace->trace->name);
        return;
    }
    from.key.operation = (uint32_t)sqlite3_column_int64(row, 0);
    from.key.error = (uint32_t)sqlite3_column_int64(row, 1);
    from.key.outcome = (uint32_t)call_times_outcome_of(
        state, from.key.error, of_result[result].value, of_result[result].duration);
    call_times_add_row(keyed_rows_find(&state->keyed.rows, &from.key), &from);
}

static void call_times_merge(void *call_state, void *from) {
    struct call_state *state = call_state, *other = from;

    keyed_state_merge(state, other);
    for (size_t page = 0; (state->by & THREADS) != 0 && page < ACTOR_PAGES; page++) {
        for (size_t i = 0; other->actors[page] != NULL && i < ACTOR_WORDS; i++) {
            call_times_actor_page(state, page)[i] |= other->actors[page][i];
        }
    }
}

static void call_times_end_trace(void *call_state) {
    struct call_state *state = call_state;
    struct analysis_context *context = state->keyed.context;
    int64_t threads = 0;

    keyed_state_end_trace(state);
    if ((state->by & THREADS) != 0) {
        for (size_t page = 0; page < ACTOR_PAGES; page++) {
            for (size_t i = 0; state->actors[page] != NULL && i < ACTOR_WORDS; i++) {
                threads += __builtin_popcountll(state->actors[page][i]);
            }
        }
        threads -= state->actors[0] != NULL && (state->actors[0][0] & 1) != 0;
        TEMP_ROW(&context->tables[1], context->trace->trace->id, threads);
    }
}

/* Fills the table from the rollups (counts stored by the import) of all traces; reads no events. */
static bool call_times_from_rollups(void *call_state) {
    struct call_state *state = call_state;
    struct analysis_context *context = state->keyed.context;

    for (size_t i = 0; i < context->selection->count && !analysis_failed(context); i++) {
        struct database_query query;

        context->trace = &context->selection->traces[i];
        call_times_begin_trace(state);
        query =
            database_query(context->database, &context->error,
                           "SELECT " CALL_ROLLUP_COLUMNS " FROM main.rollup_call WHERE trace = ?1",
                           "i", context->trace->trace->id);
        while (database_next(&query) && !analysis_failed(context)) {
            call_times_take_row(state, query.row);
        }
        database_end(&query);
        keyed_state_end_trace(state);
    }
    return true;
}

/* Returns whether no call failed, according to the rollups (counts stored by the import). */
static bool no_call_failed(void *call_state) {
    const struct call_state *state = call_state;
    struct analysis_context *context = state->keyed.context;
    int64_t some = 1;

    return database_query_integer(context->database,
                                  "SELECT EXISTS (SELECT 1 FROM temp.selection AS s CROSS JOIN"
                                  " main.rollup_call AS r ON r.trace = s.trace"
                                  " WHERE r.error <> 0 OR r.result = ?1)",
                                  CALL_RESULT_NEGATIVE, 0, &some, &context->error) &&
           some == 0;
}

/* Starts a second pass, which counts successful calls with the same names as the failed ones. */
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

    state->rest = !state->rest &&
                  database_query_integer(context->database,
                                         "SELECT EXISTS (SELECT 1 FROM temp.tally_failure)", 0, 0,
                                         &some, &context->error) &&
                  some != 0 && database_run(context->database, find[0], &context->error) &&
                  database_run(context->database, find[1], &context->error);
    return state->rest;
}

static void call_times_free_state(void *call_state) {
    struct call_state *state = call_state;

    id_set_free(&state->operations);
    id_set_free(&state->files);
    id_values_free(&state->roles);
    free_actors(state);
    keyed_state_free(state);
}

/* Table temp.tally_call: a row for each combination of call, actor, object and error (0: none).
 * `failed` and `returned` are 1 or 0. A system call has not returned if it has no result, error or
 * duration, in a trace with results. `bytes` is the sum of sizes. `timed` is the number of calls
 * with a duration; `total`, `least` and `most` are the sum, minimum and maximum of the durations,
 * or NULL. `first` is the begin of the first call, `last` the end of the last one. A key may have
 * several rows. */
#define CALL_ANALYSIS(what, table, grouping, ...)                                                  \
    {                                                                                              \
        .name = (what),                                                                            \
        .tables = {{(table),                                                                       \
                    "trace, operation, actor, object, error, failed, returned, calls, bytes,"      \
                    " timed, total, least, most, first, last",                                     \
                    NULL}},                                                                        \
        .variant = (grouping), .pass = PASS_ANY_ORDER,                                             \
        .fields = ((grouping)&ALL_CALLS ? EVENT_OPERATION | EVENT_SIZE | EVENT_DURATION            \
                                        : CALL_COUNT_FIELDS) |                                     \
                  ((grouping) & (BY_THREAD | THREADS) ? EVENT_ACTOR : 0) |                         \
                  ((grouping)&BY_FILE ? EVENT_OBJECT : 0) |                                        \
                  ((grouping)&ONLY_FOUND ? EVENT_FLAGS : 0),                                       \
        .state_size = sizeof(struct call_state), .begin = call_times_begin,                        \
        .begin_trace = call_times_begin_trace, .visit = call_times_visit,                          \
        .merge = call_times_merge, .end_trace = call_times_end_trace,                              \
        .free = call_times_free_state, __VA_ARGS__                                                 \
    }
#define IN_PARTS .window = WINDOW_PARTS, .edge = call_times_add_edge

const struct analysis analysis_call =
    CALL_ANALYSIS("call", "tally_call", BY_THREAD | BY_FILE, IN_PARTS);

/* Fill the same table as analysis_call with fewer rows, which are not grouped by actor, object or
 * both; those columns are 0. */
const struct analysis analysis_call_operation =
    CALL_ANALYSIS("call_operation", "tally_call", 0, IN_PARTS, .rollup = CALL_ROLLUP,
                  .take = call_times_from_rollups);
const struct analysis analysis_call_thread =
    CALL_ANALYSIS("call_thread", "tally_call", BY_THREAD, IN_PARTS);
const struct analysis analysis_call_file =
    CALL_ANALYSIS("call_file", "tally_call", BY_FILE, IN_PARTS);

/* Counts all calls by file, and the threads that make calls. It has a separate table because
 * analysis_call_operation can use rollups, and this analysis cannot. */
const struct analysis analysis_call_total =
    CALL_ANALYSIS("call_total", "call_total", BY_FILE | ALL_CALLS | THREADS, IN_PARTS,
                  .tables[1] = {"call_threads", "trace, threads", NULL});

/* Counts calls for findings in table temp.file_found: calls that open a file, calls that failed,
 * and polls that returned at once without an event. */
const struct analysis analysis_file_found = CALL_ANALYSIS(
    "file_found", "file_found", BY_FILE | ONLY_FOUND, .window = WINDOW_WHOLE, .leaves_out = true);

/* Counts calls whose operation and file both have failed calls: a row per error, and one for the
 * successful calls. */
const struct analysis analysis_failure = {
    .name = "failure",
    .tables = {{"tally_failure", "trace, operation, object, error, failed, calls", NULL},
               {"failing_call", "name", NULL},
               {"failing_file", "name", NULL}},
    .rollup = CALL_ROLLUP,
    .take = no_call_failed,
    .variant = BY_FILE | ONLY_FAILED,
    .pass = PASS_ANY_ORDER,
    .leaves_out = true,
    .fields = CALL_COUNT_FIELDS | EVENT_OBJECT,
    .state_size = sizeof(struct call_state),
    .begin = call_times_begin,
    .begin_trace = call_times_begin_trace,
    .visit = call_times_visit,
    .merge = keyed_state_merge,
    .end_trace = keyed_state_end_trace,
    .again = count_rest,
    .free = call_times_free_state,
};

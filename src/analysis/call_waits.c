/* Computes what system calls wait for (disk, pipe, timer …), by thread and call or by file
 * (temp.tally_call_wait), and the distribution of their durations (temp.distribution). */
#include <stdlib.h>

#include "analysis/keyed_rows.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "base/search.h"
#include "model/linux.h"
#include "scan/distribution.h"

/* Limit of rows in memory over all threads of the analysis. Further rows are written to a table,
 * where SQLite adds up rows with equal keys. */
#define ROWS_IN_MEMORY ((size_t)1 << 20)

enum { BY_OPERATION, BY_FILE };

/* Name of a thread, operation or file. Its id comes first, as search_id() requires. */
struct naming_result {
    uint32_t id;
    /* Rank of the name in alphabetical order, from 1; equal names share a rank; 0: no name. */
    uint32_t rank;
    enum call_wait descriptor; /* of a file: what calls on its descriptors wait for */
};

/* Names of threads, operations or files of all selected traces. */
struct names {
    struct naming_result *items; /* owned; sorted by id */
    size_t count, capacity;
    uint32_t *ids; /* owned; by rank: one id with that name; 0: none */
};

/* Key of a row, compared as bytes, so it has no padding. All 0: calls that do not wait. */
struct wait_key {
    uint32_t actor; /* actor.id */
    uint32_t wait;  /* what the calls wait for: enum call_wait */
    /* operation: rank of the call's name; object: rank of its file's name */
    uint32_t operation, object;
};

struct wait_row {
    struct wait_key key;
    /* calls: number of calls with a duration; total: sum of their durations; most: the longest. */
    int64_t calls, total, most;
};

/* Time from the begin of a thread's first call to the end of its last call. `last` is less than
 * `first` if the thread has no calls. */
struct life {
    int64_t first, last;
    /* Sum of the calls' durations; may exceed last - first if the clock has whole seconds. */
    int64_t busy;
};

struct wait_state {
    struct keyed_state keyed; /* hash table of struct wait_row */
    /* Time window if calls are cut at its begin and end; else INT64_MIN to INT64_MAX. */
    int64_t from, to;
    struct life *lives; /* owned; one element per item of `threads` */
    /* The following members are set in the first thread's state only; other threads read them
     * there. */
    struct names threads, operations, files;
    /* Owned; enum call_wait of a call, by rank of its name and by `descriptor` of its file. */
    uint8_t (*waits)[CALL_WAITS];
    bool spilled; /* true: some rows were written to temp.call_wait_part */
    /* Owned; durations, for analysis_call_wait_times; else NULL. */
    struct distribution *distribution;
    /* Owned; indexed like `waits`: number of the group in `distribution` + 1; 0: no group yet. */
    size_t (*groups)[CALL_WAITS];
};

/* --- reading names of threads, operations and files ------------------------------------------- */

/* Returns the entry of an id in a list of names; NULL if there is none. */
static const struct naming_result *call_waits_find(const struct names *names, uint32_t id) {
    return search_id(names->items, names->count, sizeof *names->items, id);
}

/* Reads names by a SELECT of (id, name, type) sorted by name. This order gives the ranks. */
static void call_waits_read_names(const struct wait_state *state, struct names *names,
                                  const char *sql) {
    struct analysis_context *context = state->keyed.context;
    struct database_query query = database_query(context->database, &context->error, sql, "");
    struct text last = {0};
    uint32_t rank = 0;

    while (database_next(&query)) {
        const char *name = (const char *)sqlite3_column_text(query.row, 1);
        bool typed = sqlite3_column_type(query.row, 2) != SQLITE_NULL;

        if (name != NULL && (rank == 0 || strcmp(text_string(&last), name) != 0)) {
            rank++;
            text_clear(&last);
            text_append_string(&last, name);
        }
        *ARRAY_NEW(names->items, names->count, names->capacity) =
            (struct naming_result){(uint32_t)sqlite3_column_int64(query.row, 0),
                                   name == NULL ? 0 : rank, wait_of_descriptor(name, typed)};
    }
    database_end(&query);
    text_free(&last);
    sort_items(names->items, names->count, sizeof *names->items, compare_uint32);
    names->ids = xcalloc(names->count + 1, sizeof *names->ids);
    for (size_t i = 0; i < names->count; i++) {
        const struct naming_result *named = &names->items[i];

        names->ids[named->rank] = named->rank == 0 ? 0 : named->id;
    }
}

static void read_waits(struct wait_state *state) {
    struct analysis_context *context = state->keyed.context;
    struct database_query query = database_query(
        context->database, &context->error,
        "SELECT id, text FROM main.name WHERE trace IN (SELECT trace FROM temp.selection)", "");

    state->waits = xcalloc(state->operations.count + 1, sizeof *state->waits);
    while (database_next(&query)) {
        const struct naming_result *named =
            call_waits_find(&state->operations, (uint32_t)sqlite3_column_int64(query.row, 0));

        for (unsigned wait = 0; named != NULL && wait < CALL_WAITS; wait++) {
            state->waits[named->rank][wait] =
                (uint8_t)call_wait(database_column_text(query.row, 1), (enum call_wait)wait);
        }
    }
    database_end(&query);
}

static void call_waits_read_calls(struct wait_state *state) {
    call_waits_read_names(state, &state->operations,
                          "SELECT n.id, n.text, NULL FROM temp.selection AS s CROSS JOIN main.name"
                          " AS n ON n.trace = s.trace ORDER BY n.text");
    call_waits_read_names(state, &state->files,
                          state->keyed.context->analysis->variant == BY_FILE
                              ? "SELECT o.id, o.name, o.type FROM temp.selection AS s CROSS JOIN"
                                " main.object AS o ON o.trace = s.trace ORDER BY o.name"
                              : "SELECT o.id, o.name, o.type FROM temp.selection AS s CROSS JOIN"
                                " main.object AS o ON o.trace = s.trace");
    read_waits(state);
}

/* --- counting calls by what they wait for ----------------------------------------------------- */

/* Names of a call and its file (NULL: none), and what the call waits for. */
struct named_call {
    const struct naming_result *call, *file;
    enum call_wait descriptor, wait;
};

/* Finds the names of a call and of its file. Returns false if the call has no name. */
static bool name_call(const struct wait_state *state, uint32_t operation, uint32_t object,
                      struct named_call *named) {
    const struct wait_state *first = state->keyed.context->first;

    named->call = call_waits_find(&first->operations, operation);
    named->file = object == 0 ? NULL : call_waits_find(&first->files, object);
    named->descriptor = named->file == NULL ? WAIT_DESCRIPTOR : named->file->descriptor;
    named->wait = named->call == NULL
                      ? WAIT_NONE
                      : (enum call_wait)first->waits[named->call->rank][named->descriptor];
    return named->call != NULL;
}

/* Returns the row in which a call counts, and adds it if missing; NULL: the call has no name. */
static struct wait_row *call_waits_find_row(struct wait_state *state, uint32_t operation,
                                            uint32_t actor, uint32_t object) {
    const bool by_file = state->keyed.context->analysis->variant == BY_FILE;
    struct wait_key key = {0};
    struct named_call named;

    if (!name_call(state, operation, object, &named)) {
        return NULL;
    }
    if (named.wait != WAIT_NONE) {
        key = (struct wait_key){actor, named.wait, named.call->rank,
                                named.file == NULL || !by_file ? 0 : named.file->rank};
    }
    return keyed_rows_find(&state->keyed.rows, &key);
}

/* Extends the lifetime of a thread by a call from `first` to `last`. */
static void call_waits_add_life(const struct wait_state *state, uint32_t actor, int64_t first,
                                int64_t last) {
    const struct names *threads =
        &((const struct wait_state *)state->keyed.context->first)->threads;
    const struct naming_result *thread = call_waits_find(threads, actor);
    struct life *life = thread == NULL ? NULL : &state->lives[thread - threads->items];

    if (life != NULL) {
        life->first = first < life->first ? first : life->first;
        life->last = last > life->last ? last : life->last;
        add_saturated(&life->busy, last - first);
    }
}

static void call_waits_visit(void *wait_state, const struct event_columns *columns, size_t count) {
    struct wait_state *state = wait_state;

    for (size_t i = 0; i < count; i++) {
        const int64_t time = columns->time[i], duration = columns->duration[i];
        const int64_t end = duration < 0 ? time : sum_saturated(time, duration);
        struct wait_row *row = duration < 0
                                   ? NULL
                                   : call_waits_find_row(state, columns->operation[i],
                                                         columns->actor[i], columns->object[i]);

        call_waits_add_life(state, columns->actor[i], time, end < state->to ? end : state->to);
        if (row != NULL) {
            row->calls++;
            add_saturated(&row->total, duration);
            row->most = duration > row->most ? duration : row->most;
        }
    }
}

/* Of a call that the window cuts, adds the part inside the window; or, if call_waits_visit() has
 * added the whole call, subtracts the part outside. */
static void call_waits_add_edge(void *wait_state, const struct window_edge *edge) {
    struct wait_state *state = wait_state;
    struct wait_row *row = call_waits_find_row(state, edge->operation, edge->actor, edge->object);

    if (edge->earlier) {
        call_waits_add_life(state, edge->actor, state->from,
                            edge->end < state->to ? edge->end : state->to);
    }
    if (row != NULL) {
        row->total += edge->inside[EDGE_CHOSEN].duration -
                      (edge->earlier ? 0 : edge->whole[EDGE_CHOSEN].duration);
    }
}

static void call_waits_add_row(void *to, const void *from) {
    struct wait_row *into = to;
    const struct wait_row *row = from;

    into->calls += row->calls;
    into->total = sum_saturated(into->total, row->total);
    into->most = row->most > into->most ? row->most : into->most;
}

/* Writes a row to temp.call_wait_part, where rows with equal keys are added up. */
static void write_waits_row(struct analysis_context *context, const void *wait_row) {
    const struct wait_row *row = wait_row;
    const struct wait_key *key = &row->key;
    struct wait_state *first = context->first;
    const struct naming_result *thread = call_waits_find(&first->threads, key->actor);

    first->spilled = true;
    TEMP_ROW(&context->tables[2], thread == NULL ? 0 : thread->rank, key->actor, key->wait,
             key->operation, key->object, row->calls, row->total, row->most);
}

static void call_waits_begin(void *wait_state) {
    struct wait_state *state = wait_state;
    struct analysis_context *context = state->keyed.context;
    const bool first = state == context->first;
    size_t count;

    state->keyed.rows =
        (struct keyed_rows){.context = context,
                            .kind = {sizeof(struct wait_key), sizeof(struct wait_row),
                                     ROWS_IN_MEMORY * (first ? context->states : 1),
                                     .write = write_waits_row, .add = call_waits_add_row}};
    if (first) {
        call_waits_read_calls(state);
        call_waits_read_names(state, &state->threads,
                              "SELECT id, label, NULL FROM temp.thread ORDER BY label");
    }
    count = ((const struct wait_state *)context->first)->threads.count;
    state->lives = xcalloc(count + 1, sizeof *state->lives);
    for (size_t i = 0; i < count; i++) {
        state->lives[i] = (struct life){INT64_MAX, INT64_MIN, 0};
    }
}

static void call_waits_begin_trace(void *wait_state) {
    struct wait_state *state = wait_state;
    const struct window_edges *edges = state->keyed.context->trace->edges;

    state->from = edges == NULL ? INT64_MIN : edges->from;
    state->to = edges == NULL ? INT64_MAX : edges->to;
}

static void call_waits_merge(void *wait_state, void *other) {
    struct wait_state *state = wait_state, *from = other;

    keyed_state_merge(state, from);
    for (size_t i = 0; i < state->threads.count; i++) {
        struct life *life = &state->lives[i], *added = &from->lives[i];

        life->first = added->first < life->first ? added->first : life->first;
        life->last = added->last > life->last ? added->last : life->last;
        add_saturated(&life->busy, added->busy);
    }
}

/* --- writing temp.tally_call_wait ------------------------------------------------------------- */

/* Returns the time from the begin of a thread's first call to the end of its last one, or the sum
 * of its calls' durations if larger; 0: unknown. */
static int64_t thread_lifetime(const struct life *life) {
    const int64_t time = life->last < life->first ? 0 : subtract_saturated(life->last, life->first);

    return time > life->busy ? time : life->busy;
}

/* Writes a row to temp.tally_call_wait. `thread` NULL: the row has no thread. */
static void call_waits_write_row(const struct wait_state *state, const struct wait_row *row,
                                 const struct naming_result *thread) {
    struct analysis_context *context = state->keyed.context;
    const struct wait_key *key = &row->key;
    const char *word = call_wait_word((enum call_wait)key->wait);

    /* A call that began before the window is not counted, but has a time inside the window. */
    if (row->calls > 0 || row->total != 0) {
        temp_rows_text(&context->tables[0], 3, word, word == NULL ? 0 : strlen(word));
        TEMP_ROW(&context->tables[0], key->actor, state->operations.ids[key->operation],
                 state->files.ids[key->object], row->calls, row->total,
                 row->calls > 0 ? row->most : EVENT_NONE,
                 thread == NULL ? 0
                                : thread_lifetime(&state->lives[thread - state->threads.items]));
    }
}

static void call_waits_write_spilled(struct wait_state *state) {
    struct analysis_context *context = state->keyed.context;
    struct database_query query;

    keyed_rows_flush(&state->keyed.rows);
    query =
        database_query(context->database, &context->error,
                       "SELECT actor, wait, operation, object, sum(calls), sum_time(total),"
                       " max(most) FROM temp.call_wait_part GROUP BY actor, wait, operation, object"
                       " ORDER BY 6 DESC, thread_rank, wait, operation, object, actor",
                       "");
    while (database_next(&query)) {
        const struct wait_row row = {{(uint32_t)sqlite3_column_int64(query.row, 0),
                                      (uint32_t)sqlite3_column_int64(query.row, 1),
                                      (uint32_t)sqlite3_column_int64(query.row, 2),
                                      (uint32_t)sqlite3_column_int64(query.row, 3)},
                                     sqlite3_column_int64(query.row, 4),
                                     sqlite3_column_int64(query.row, 5),
                                     sqlite3_column_int64(query.row, 6)};

        call_waits_write_row(state, &row, call_waits_find(&state->threads, row.key.actor));
    }
    database_end(&query);
}

/* Sort entry of a row with its first sort keys, so that most comparisons need not read the row. */
struct place {
    int64_t total;
    const struct naming_result *thread; /* NULL: the row has no thread */
    uint32_t rank;                      /* rank of the thread's name; 0: no thread */
    uint32_t row;                       /* index of the row */
};

static int call_waits_compare_places(const void *a, const void *b, void *wait_rows) {
    const struct place *left = a, *right = b;
    const struct wait_row *rows = wait_rows;
    const struct wait_key *x = &rows[left->row].key, *y = &rows[right->row].key;

    return left->total != right->total    ? ORDER(right->total, left->total)
           : left->rank != right->rank    ? ORDER(left->rank, right->rank)
           : x->wait != y->wait           ? ORDER(x->wait, y->wait)
           : x->operation != y->operation ? ORDER(x->operation, y->operation)
           : x->object != y->object       ? ORDER(x->object, y->object)
                                          : ORDER(x->actor, y->actor);
}

static void call_waits_write_rows(void *wait_state) {
    struct wait_state *state = wait_state;
    const struct keyed_rows *rows = &state->keyed.rows;
    const struct wait_row *row = (const struct wait_row *)rows->rows;
    struct place *places;

    for (size_t i = 0; i < state->threads.count; i++) {
        TEMP_ROW(&state->keyed.context->tables[1], state->threads.items[i].id,
                 thread_lifetime(&state->lives[i]));
    }
    if (state->spilled) {
        call_waits_write_spilled(state);
        return;
    }
    places = xcalloc(rows->count + 1, sizeof *places);
    for (size_t i = 0; i < rows->count; i++) {
        const struct naming_result *thread = call_waits_find(&state->threads, row[i].key.actor);

        places[i] =
            (struct place){row[i].total, thread, thread == NULL ? 0 : thread->rank, (uint32_t)i};
    }
    qsort_r(places, rows->count, sizeof *places, call_waits_compare_places, rows->rows);
    for (size_t i = 0; i < rows->count; i++) {
        call_waits_write_row(state, &row[places[i].row], places[i].thread);
    }
    free(places);
}

/* --- distribution of the wait times ----------------------------------------------------------- */

static void call_waits_begin_times(void *wait_state) {
    struct wait_state *state = wait_state;

    call_waits_read_calls(state);
    state->groups = xcalloc(state->operations.count + 1, sizeof *state->groups);
    state->distribution = distribution_new(state->keyed.context->shape);
}

/* Adds a group for a wait and call, named like "pipe: read". Returns its number. */
static size_t call_waits_make_group(const struct wait_state *state,
                                    const struct named_call *named) {
    struct analysis_context *context = state->keyed.context;
    struct database_query query =
        database_query(context->database, &context->error,
                       "SELECT ?1 || ': ' || text FROM main.name WHERE id = ?2", "si",
                       call_wait_word(named->wait), (int64_t)named->call->id);
    size_t group = 0;

    if (database_next(&query)) {
        const char *name = database_column_text(query.row, 0);

        group = distribution_group(state->distribution, name,
                                   (size_t)sqlite3_column_bytes(query.row, 0), &context->error);
    }
    database_end(&query);
    return group;
}

static void visit_times(void *wait_state, const struct event_columns *columns, size_t count) {
    struct wait_state *state = wait_state;
    struct named_call named;

    for (size_t i = 0; i < count; i++) {
        if (columns->duration[i] >= 0 &&
            name_call(state, columns->operation[i], columns->object[i], &named) &&
            named.wait != WAIT_NONE) {
            size_t *group = &state->groups[named.call->rank][named.descriptor];

            *group = *group == 0 ? call_waits_make_group(state, &named) + 1 : *group;
            distribution_count(state->distribution, *group - 1, columns->duration[i]);
        }
    }
}

static bool call_waits_again(void *wait_state) {
    const struct wait_state *state = wait_state;

    return distribution_end_pass(state->distribution);
}

static void call_waits_write_times(void *wait_state) {
    const struct wait_state *state = wait_state;
    struct analysis_context *context = state->keyed.context;

    distribution_write(state->distribution, context->temp, &context->error);
}

static void free_names(struct names *names) {
    free(names->items);
    free(names->ids);
}

static void call_waits_free_state(void *wait_state) {
    struct wait_state *state = wait_state;

    free_names(&state->threads);
    free_names(&state->operations);
    free_names(&state->files);
    free(state->waits);
    free(state->lives);
    free(state->groups);
    distribution_free(state->distribution);
    keyed_state_free(state);
}

/* temp.tally_call_wait: a row per thread, wait (`waits_for`), operation and, if by file, object,
 * over calls with a duration. An id represents all ids with the same name; all calls that do not
 * wait share a row with NULLs. `total` is the sum of durations; `most` the longest, NULL if all
 * calls began before the window. `time` is the thread's lifetime: from the begin of its first call
 * to the end of its last, as in temp.thread_life. Rows are sorted by falling `total`, then names.
 */
#define WAITS(what, grouping)                                                                      \
    {                                                                                              \
        .name = (what),                                                                            \
        .tables = {{"tally_call_wait",                                                             \
                    "actor, operation, waits_for, object, calls, total, most, time", NULL},        \
                   {"thread_life", "actor, time", NULL},                                           \
                   {"call_wait_part",                                                              \
                    "thread_rank, actor, wait, operation, object, calls, total, most", NULL}},     \
        .reads = "thread", .pass = PASS_ANY_ORDER, .leaves_out = true,                             \
        .fields = EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_DURATION,                   \
        .window = WINDOW_PARTS, .variant = (grouping), .state_size = sizeof(struct wait_state),    \
        .begin = call_waits_begin, .begin_trace = call_waits_begin_trace,                          \
        .visit = call_waits_visit, .edge = call_waits_add_edge, .merge = call_waits_merge,         \
        .write = call_waits_write_rows, .free = call_waits_free_state                              \
    }

const struct analysis analysis_call_wait = WAITS("call_wait", BY_OPERATION);
const struct analysis analysis_call_wait_file = WAITS("call_wait_file", BY_FILE);

/* Distributions of calls' durations, by what they wait for and operation: "pipe: read". */
const struct analysis analysis_call_wait_times = {
    .name = "call_wait_times",
    .tables = {{"distribution", DISTRIBUTION_COLUMNS, "name"},
               {"distribution_curve", DISTRIBUTION_CURVE, "name"}},
    .pass = PASS_IN_ORDER,
    .leaves_out = true,
    .fields = EVENT_OPERATION | EVENT_OBJECT | EVENT_DURATION,
    .window = WINDOW_WHOLE,
    .apart = true,
    .state_size = sizeof(struct wait_state),
    .begin = call_waits_begin_times,
    .visit = visit_times,
    .again = call_waits_again,
    .write = call_waits_write_times,
    .free = call_waits_free_state,
};

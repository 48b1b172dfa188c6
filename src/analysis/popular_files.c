/* The files of most events first: temp.popular_file.
 *
 * Events are counted by the id of their file in an array, since the ids of a trace's files lie
 * close together. Where they do not, or are too many, further passes count those behind. What has a
 * name is then ranked by it: of several traces the same name is one file.
 */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "scan/name_ranking.h"

/* Ids that a pass counts, over all threads; 8 bytes each. */
#define FILES_AT_ONCE ((size_t)1 << 22)

struct file_state {
    const struct analysis_context *context;
    struct name_ranking *ranking; /* owned; NULL but for the first thread */
    int64_t pass;                 /* from 0; this and the next three are the first thread's */
    bool more;                    /* some trace has ids that no pass has counted yet */
    int64_t base;                 /* the first id that this pass counts */
    size_t width;                 /* how many ids it counts */
    int64_t *counts;              /* owned; of the events of each */
    int64_t events;               /* seen in the first pass */
};

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct file_state *state = context_state;

    state->context = context;
    if (state == context->first) {
        state->ranking = name_ranking_new(context->selection->scratch, "temp.popular_file_part",
                                          NAME_RANKING_NAMES);
    }
    return state != context->first || state->ranking != NULL || error_no_memory(error);
}

/* Which ids of the trace this pass counts. */
static bool find_ids(struct file_state *state, int64_t trace, struct error *error) {
    struct database *database = state->context->selection->database;
    const int64_t most = (int64_t)(FILES_AT_ONCE / state->context->states);
    int64_t first, last;

    if (!database_integer(database, "SELECT min(id) FROM main.object WHERE trace = ?1", trace, 1,
                          &first, error) ||
        !database_integer(database, "SELECT max(id) FROM main.object WHERE trace = ?1", trace, 0,
                          &last, error)) {
        return false;
    }
    /* No event refers to others, of which only a damaged file has any. */
    first = first < 1 ? 1 : first;
    last = last > UINT32_MAX ? UINT32_MAX : last;
    state->base = first + state->pass * most;
    state->width = state->base > last          ? 0
                   : last - state->base < most ? (size_t)(last - state->base + 1)
                                               : (size_t)most;
    state->more |= last - state->base >= most;
    return true;
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct file_state *state = context_state;
    const struct file_state *first = state->context->first;

    if (state == first && !find_ids(state, trace->trace->id, error)) {
        return false;
    }
    state->pass = first->pass;
    state->base = first->base;
    state->width = first->width;
    state->counts = calloc(state->width + 1, sizeof *state->counts);
    return state->counts != NULL || error_no_memory(error);
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct file_state *state = context_state;

    (void)error;
    state->events += state->pass == 0 ? (int64_t)count : 0;
    for (size_t i = 0; i < count; i++) {
        size_t place = (size_t)columns->object[i] - (size_t)state->base;

        if (place < state->width) {
            state->counts[place]++;
        }
    }
    return true;
}

static bool merge(void *context_state, void *other, struct error *error) {
    struct file_state *state = context_state, *from = other;

    (void)error;
    for (size_t i = 0; i < from->width; i++) {
        state->counts[i] += from->counts[i];
    }
    state->events += from->events;
    from->events = 0;
    free(from->counts);
    from->counts = NULL;
    return true;
}

/* Ranks a file by its name, if it has one. */
static bool add_file(struct file_state *state, sqlite3_stmt *row, struct error *error) {
    const int64_t count = state->counts[sqlite3_column_int64(row, 0) - state->base];
    const char *name;

    if (count == 0 || sqlite3_column_type(row, 1) == SQLITE_NULL) {
        return true;
    }
    name = (const char *)sqlite3_column_text(row, 1);
    if (name == NULL) {
        return error_no_memory(error);
    }
    return name_ranking_add(state->ranking, name, (size_t)sqlite3_column_bytes(row, 1), count,
                            error);
}

static bool end_trace(void *context_state, struct error *error) {
    struct file_state *state = context_state;
    struct database *database = state->context->selection->database;
    sqlite3_stmt *select = database_take(
        database, "SELECT id, name FROM main.object WHERE id BETWEEN ?1 AND ?2", error);
    bool row = true, done = select != NULL;

    if (done) {
        sqlite3_bind_int64(select, 1, state->base);
        sqlite3_bind_int64(select, 2, state->base + (int64_t)state->width - 1);
    }
    while (done && row) {
        done = database_step(database, select, &row, error) &&
               (!row || add_file(state, select, error));
    }
    database_keep(database, select);
    free(state->counts);
    state->counts = NULL;
    return done;
}

static bool again(void *context_state, bool *more, struct error *error) {
    struct file_state *state = context_state;

    (void)error;
    *more = state->more;
    state->more = false;
    state->pass++;
    return true;
}

static bool write_rows(const struct file_state *state, sqlite3_stmt *insert, struct error *error) {
    int64_t rank = 0, cumulative = 0, wanted = state->context->result_rows;
    struct ranked_name file;
    bool some = true;

    sqlite3_bind_int64(insert, 5, name_ranking_total(state->ranking));
    while (wanted == 0 || rank < wanted) {
        if (!name_ranking_next(state->ranking, &file, &some, error)) {
            return false;
        }
        if (!some) {
            break;
        }
        cumulative += file.count;
        sqlite3_bind_int64(insert, 1, ++rank);
        sqlite3_bind_text64(insert, 2, file.name, file.length, SQLITE_STATIC, SQLITE_UTF8);
        sqlite3_bind_int64(insert, 3, file.count);
        sqlite3_bind_int64(insert, 4, cumulative);
        if (!database_execute(state->context->selection->database, insert, error)) {
            return false;
        }
    }
    return true;
}

static bool write_total(const struct file_state *state, struct error *error) {
    struct scratch *scratch = state->context->selection->scratch;
    sqlite3_stmt *insert =
        scratch_prepare(scratch, "INSERT INTO temp.file_total VALUES (?1, ?2)", error);
    bool done = insert != NULL;

    if (done) {
        sqlite3_bind_int64(insert, 1, state->events);
        sqlite3_bind_int64(insert, 2, state->events - name_ranking_total(state->ranking));
        done = database_execute(scratch->database, insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}

static bool write_tables(void *context_state, struct error *error) {
    const struct file_state *state = context_state;
    sqlite3_stmt *insert =
        scratch_prepare(state->context->selection->scratch,
                        "INSERT INTO temp.popular_file VALUES (?1, ?2, ?3, ?4, ?5)", error);
    bool done = insert != NULL && write_rows(state, insert, error) && write_total(state, error);

    sqlite3_finalize(insert);
    return done;
}

static void free_state(void *context_state) {
    struct file_state *state = context_state;

    name_ranking_free(state->ranking);
    free(state->counts);
}

/* Of all traces together: the files by how many events are on them, by name where they are as many.
 * `cumulative`: events of this file and those above; `total`: of all. Rows are in this order, and
 * as many as `:rows` says are enough. `file_total`: all events, and those without a file. The third
 * table has what there was no room for in memory. */
const struct analysis analysis_popular_file = {
    .name = "popular_file",
    .tables = {{"popular_file", "rank, name, count, cumulative, total", NULL},
               {"file_total", "count, without", NULL},
               {"popular_file_part", "name, count", NULL}},
    .pass = PASS_ANY_ORDER,
    .fields = EVENT_OBJECT,
    .timeless = true,
    .state_size = sizeof(struct file_state),
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit,
    .merge = merge,
    .end_trace = end_trace,
    .again = again,
    .write = write_tables,
    .free = free_state,
};

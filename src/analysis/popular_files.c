/* The files of most events first: temp.popular_file.
 *
 * Events are counted by the id of their file in an array, since the ids of a trace's files lie
 * close together; where they do not, their places in it are looked up. Where they are too many,
 * further passes count those behind. What has a name is then ranked by it: of several traces the
 * same name is one file.
 */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "base/memory.h"
#include "scan/name_ranking.h"

/* Ids that a pass counts, over all threads; 8 bytes each, and 4 where they lie far apart. */
#define FILES_AT_ONCE ((size_t)1 << 22)

/* The ids of files that a pass counts the events of. */
struct counted_files {
    int64_t first, last; /* the least and the largest; none: the last is less */
    size_t places;       /* how many there are to count at */
    uint32_t *ids;       /* owned; in order, by place. NULL: a place for each from `first` on */
};

struct file_state {
    const struct analysis_context *context;
    struct name_ranking *ranking; /* owned; NULL but for the first thread */
    int64_t pass;                 /* from 0; this and the next two are the first thread's */
    bool more;                    /* some trace has files that no pass has counted yet */
    struct counted_files files;
    int64_t *counts; /* owned; of the events of each */
    int64_t events;  /* seen in the first pass */
};

static int by_number(const void *left, const void *right) {
    const uint32_t *a = left, *b = right;

    return *a < *b ? -1 : *a > *b;
}

/* Where a file is counted; SIZE_MAX: nowhere. */
static size_t place_of(const struct counted_files *files, uint32_t id) {
    const uint32_t *found;

    if (id < files->first || id > files->last) {
        return SIZE_MAX;
    }
    if (files->ids == NULL) {
        return (size_t)(id - files->first);
    }
    found = bsearch(&id, files->ids, files->places, sizeof id, by_number);
    return found == NULL ? SIZE_MAX : (size_t)(found - files->ids);
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct file_state *state = context_state;

    state->context = context;
    if (state == context->first) {
        state->ranking = name_ranking_new(context->selection->temp, "temp.popular_file_part",
                                          NAME_RANKING_NAMES);
    }
    return true;
}

/* Which `most` files of a trace come behind those of the passes before. No event refers to other
 * ids, of which only a damaged file has any. */
static sqlite3_stmt *select_ids(const struct file_state *state, int64_t trace, size_t most,
                                struct error *error) {
    sqlite3_stmt *select = database_take(state->context->selection->database,
                                         "SELECT id FROM main.object WHERE trace = ?1"
                                         " AND id BETWEEN 1 AND 4294967295 ORDER BY id"
                                         " LIMIT ?2 OFFSET ?3",
                                         error);

    if (select != NULL) {
        sqlite3_bind_int64(select, 1, trace);
        sqlite3_bind_int64(select, 2, (int64_t)most);
        sqlite3_bind_int64(select, 3, state->pass * (int64_t)most);
    }
    return select;
}

static bool add_id(struct counted_files *files, size_t *capacity, int64_t id, struct error *error) {
    uint32_t *grown = array_grow(files->ids, files->places, capacity, sizeof *grown);

    files->ids = grown;
    files->first = files->places == 0 ? id : files->first;
    files->last = id;
    files->ids[files->places++] = (uint32_t)id;
    return true;
}

static bool read_ids(const struct file_state *state, sqlite3_stmt *select,
                     struct counted_files *files, struct error *error) {
    size_t capacity = 0;
    bool row = true, done = true;

    *files = (struct counted_files){.first = 1, .last = 0};
    while (done && row) {
        done = database_step(state->context->selection->database, select, &row, error) &&
               (!row || add_id(files, &capacity, sqlite3_column_int64(select, 0), error));
    }
    return done;
}

/* Finds what this pass counts of a trace. */
static bool find_files(struct file_state *state, int64_t trace, struct error *error) {
    const size_t most = FILES_AT_ONCE / state->context->states;
    struct counted_files *files = &state->files;
    sqlite3_stmt *select = select_ids(state, trace, most, error);
    bool done = select != NULL && read_ids(state, select, files, error);

    state->more |= done && files->places == most;
    if (done && files->last - files->first < (int64_t)most) {
        free(files->ids);
        files->ids = NULL;
        files->places = (size_t)(files->last - files->first + 1);
    }
    database_keep(state->context->selection->database, select);
    return done;
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct file_state *state = context_state;
    const struct file_state *first = state->context->first;

    if (state == first && !find_files(state, trace->trace->id, error)) {
        return false;
    }
    state->counts = xcalloc(first->files.places + 1, sizeof *state->counts);
    return true;
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct file_state *state = context_state;
    const struct file_state *first = state->context->first;
    /* A copy, of which no count that is written can be a part. */
    const struct counted_files files = first->files;

    (void)error;
    state->events += first->pass == 0 ? (int64_t)count : 0;
    for (size_t i = 0; i < count; i++) {
        size_t place = place_of(&files, columns->object[i]);

        if (place != SIZE_MAX) {
            state->counts[place]++;
        }
    }
    return true;
}

static bool merge(void *context_state, void *other, struct error *error) {
    struct file_state *state = context_state, *from = other;

    (void)error;
    for (size_t i = 0; i < state->files.places; i++) {
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
    size_t place = place_of(&state->files, (uint32_t)sqlite3_column_int64(row, 0));
    int64_t count = place == SIZE_MAX ? 0 : state->counts[place];
    const char *name;

    if (count == 0 || sqlite3_column_type(row, 1) == SQLITE_NULL) {
        return true;
    }
    name = (const char *)sqlite3_column_text(row, 1);
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
        sqlite3_bind_int64(select, 1, state->files.first);
        sqlite3_bind_int64(select, 2, state->files.last);
    }
    while (done && row) {
        done = database_step(database, select, &row, error) &&
               (!row || add_file(state, select, error));
    }
    database_keep(database, select);
    free(state->counts);
    free(state->files.ids);
    state->counts = NULL;
    state->files.ids = NULL;
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
    struct temp_schema *temp = state->context->selection->temp;
    sqlite3_stmt *insert =
        temp_schema_prepare(temp, "INSERT INTO temp.file_total VALUES (?1, ?2)", error);
    bool done = insert != NULL;

    if (done) {
        sqlite3_bind_int64(insert, 1, state->events);
        sqlite3_bind_int64(insert, 2, state->events - name_ranking_total(state->ranking));
        done = database_execute(temp->database, insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}

static bool write_tables(void *context_state, struct error *error) {
    const struct file_state *state = context_state;
    sqlite3_stmt *insert =
        temp_schema_prepare(state->context->selection->temp,
                            "INSERT INTO temp.popular_file VALUES (?1, ?2, ?3, ?4, ?5)", error);
    bool done = insert != NULL && write_rows(state, insert, error) && write_total(state, error);

    sqlite3_finalize(insert);
    return done;
}

static void free_state(void *context_state) {
    struct file_state *state = context_state;

    name_ranking_free(state->ranking);
    free(state->counts);
    free(state->files.ids);
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
    .leaves_out = true,
    .fields = EVENT_OBJECT,
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

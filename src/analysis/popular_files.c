/* Finds the files with the most events: temp.popular_file.
 *
 * Events are counted by object.id in an array, whose index is the id minus the smallest id or, if a
 * trace's ids are far apart, the id's position in a sorted list. If there are too many files,
 * further passes count the rest. SQLite then ranks files by name; equal names are one file. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "base/memory.h"
#include "base/search.h"

/* Limit of files per pass, over all threads. A file takes 8 bytes, 12 if listed in `ids`. */
#define FILES_AT_ONCE ((size_t)1 << 22)

/* The files that are counted in the current pass. */
struct counted_files {
    /* Smallest and largest id; `last` is less than `first` if there are no files. */
    int64_t first, last;
    size_t places; /* number of elements of `counts` in use */
    /* Owned; sorted ids, whose position is the index in `counts`. NULL: the index is id - first. */
    uint32_t *ids;
};

struct file_state {
    struct analysis_context *context;
    /* Number of the pass, from 0. `pass`, `more`, `total`, `files`: in the first thread's state
     * only. */
    int64_t pass;
    bool more;     /* true: some files of a trace have not been counted in any pass yet */
    int64_t total; /* number of events on files that have a name */
    struct counted_files files;
    int64_t *counts; /* owned; number of events of each counted file */
    int64_t events;  /* number of events, counted in the first pass */
};

/* Returns the index of a file in `counts`; SIZE_MAX: the current pass does not count it. */
static size_t popular_files_place_of(const struct counted_files *files, uint32_t id) {
    const uint32_t *found;

    if (id < files->first || id > files->last) {
        return SIZE_MAX;
    }
    if (files->ids == NULL) {
        return (size_t)(id - files->first);
    }
    found = bsearch(&id, files->ids, files->places, sizeof id, compare_uint32);
    return found == NULL ? SIZE_MAX : (size_t)(found - files->ids);
}

/* Reads the next `most` file ids of the trace, after those of earlier passes. Only a damaged
 * database has ids of more than 32 bits. */
static void popular_files_read_ids(struct file_state *state, size_t most) {
    struct analysis_context *context = state->context;
    struct counted_files *files = &state->files;
    struct database_query query = database_query(
        context->database, &context->error,
        "SELECT id FROM main.object WHERE trace = ?1 AND id BETWEEN 1 AND 4294967295 ORDER BY id"
        " LIMIT ?2 OFFSET ?3",
        "iii", context->trace->trace->id, (int64_t)most, state->pass * (int64_t)most);
    size_t capacity = 0;

    *files = (struct counted_files){.first = 1, .last = 0};
    while (database_next(&query)) {
        files->last = sqlite3_column_int64(query.row, 0);
        files->first = files->places == 0 ? files->last : files->first;
        *ARRAY_NEW(files->ids, files->places, capacity) = (uint32_t)files->last;
    }
    database_end(&query);
}

static void popular_files_begin_trace(void *file_state) {
    struct file_state *state = file_state, *first = state->context->first;
    const size_t most = FILES_AT_ONCE / state->context->states;
    struct counted_files *files = &first->files;

    if (state == first) {
        popular_files_read_ids(state, most);
        state->more |= files->places == most;
        if (files->last - files->first < (int64_t)most) {
            free(files->ids);
            files->ids = NULL;
            files->places = (size_t)(files->last - files->first + 1);
        }
    }
    state->counts = xcalloc(files->places + 1, sizeof *state->counts);
}

static void popular_files_visit(void *file_state, const struct event_columns *columns,
                                size_t count) {
    struct file_state *state = file_state;
    const struct file_state *first = state->context->first;
    /* local copy: tells the compiler that writing to `counts` does not change it */
    const struct counted_files files = first->files;

    state->events += first->pass == 0 ? (int64_t)count : 0;
    for (size_t i = 0; i < count; i++) {
        size_t place = popular_files_place_of(&files, columns->object[i]);

        if (place != SIZE_MAX) {
            state->counts[place]++;
        }
    }
}

static void popular_files_merge(void *file_state, void *other) {
    struct file_state *state = file_state, *from = other;

    for (size_t i = 0; i < state->files.places; i++) {
        state->counts[i] += from->counts[i];
    }
    state->events += from->events;
    from->events = 0;
    free(from->counts);
    from->counts = NULL;
}

static void popular_files_clear_files(void *file_state) {
    struct file_state *state = file_state;

    free(state->counts);
    free(state->files.ids);
    state->counts = NULL;
    state->files.ids = NULL;
}

/* Adds the counts of files with a name to the table temp.popular_file_part. */
static void popular_files_end_trace(void *file_state) {
    struct file_state *state = file_state;
    struct analysis_context *context = state->context;
    struct database_query query =
        database_query(context->database, &context->error,
                       "SELECT id, name FROM main.object WHERE id BETWEEN ?1 AND ?2", "ii",
                       state->files.first, state->files.last);

    while (database_next(&query)) {
        size_t place =
            popular_files_place_of(&state->files, (uint32_t)sqlite3_column_int64(query.row, 0));
        int64_t count = place == SIZE_MAX ? 0 : state->counts[place];
        const char *name = count == 0 ? NULL : (const char *)sqlite3_column_text(query.row, 1);

        if (name != NULL) {
            state->total += count;
            temp_rows_text(&context->tables[2], 1, name,
                           (size_t)sqlite3_column_bytes(query.row, 1));
            TEMP_ROW(&context->tables[2], count);
        }
    }
    database_end(&query);
    popular_files_clear_files(state);
}

static bool popular_files_again(void *file_state) {
    struct file_state *state = file_state;
    bool more = state->more;

    state->more = false;
    state->pass++;
    return more;
}

static void popular_files_write_rows(void *file_state) {
    struct file_state *state = file_state;
    struct analysis_context *context = state->context;
    struct database_query query =
        database_query(context->database, &context->error,
                       "SELECT name, sum(count) FROM temp.popular_file_part GROUP BY name"
                       " ORDER BY 2 DESC, 1 LIMIT ?1",
                       "i", context->result_rows == 0 ? INT64_C(-1) : context->result_rows);

    for (int64_t rank = 1, cumulative = 0; database_next(&query); rank++) {
        const int64_t count = sqlite3_column_int64(query.row, 1);

        cumulative += count;
        temp_rows_text(&context->tables[0], 2, (const char *)sqlite3_column_text(query.row, 0),
                       (size_t)sqlite3_column_bytes(query.row, 0));
        TEMP_ROW(&context->tables[0], rank, count, cumulative, state->total);
    }
    database_end(&query);
    TEMP_ROW(&context->tables[1], state->events, state->events - state->total);
}

/* popular_file: files over all traces, sorted by number of events, then by name; `:rows` limits the
 * rows. `cumulative`: events of this and all previous rows; `total`: all events. file_total: number
 * of all events, and of those without a file. popular_file_part: counts by file and trace. */
const struct analysis analysis_popular_file = {
    .name = "popular_file",
    .tables = {{"popular_file", "rank, name, count, cumulative, total", NULL},
               {"file_total", "count, without", NULL},
               {"popular_file_part", "name, count", NULL}},
    .pass = PASS_ANY_ORDER,
    .leaves_out = true,
    .fields = EVENT_OBJECT,
    .state_size = sizeof(struct file_state),
    .begin_trace = popular_files_begin_trace,
    .visit = popular_files_visit,
    .merge = popular_files_merge,
    .end_trace = popular_files_end_trace,
    .again = popular_files_again,
    .write = popular_files_write_rows,
    .free = popular_files_clear_files,
};

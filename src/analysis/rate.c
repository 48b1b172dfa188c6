/* Counts events by time interval: by group in temp.tally_rate, or by file name, sorted, in
 * temp.tally_file_rate. The sums of the times in flight of each interval go to temp.rate_interval.
 * With intervals of length L, interval k has the times t of the trace with k L <= t < (k + 1) L.
 * Intervals of several traces are added up.
 *
 * Events may come in any order. A duration over several intervals adds its parts to the first and
 * the last one. For the intervals between, it marks only the first and the last; rate_write_rows()
 * sums these marks up. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/counted_state.h"
#include "analysis/intervals.h"
#include "analysis/keyed_rows.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "base/search.h"

enum {
    WANTED_INTERVALS = 500, /* number of intervals to aim at if --interval is not given */
    /* Limits of cells in memory over all threads, without and with grouping by file; others are
       written to a table. The first thread alone may reach the limit, as it merges all others. */
    CELLS_IN_MEMORY = 1 << 16,
    FILE_CELLS_IN_MEMORY = 1 << 20,
    SLOTS = 1 << 14, /* number of slots of the hash table, a power of 2 */
};

enum rate_by { BY_CLASS, BY_PROCESS, BY_FILE, BY_OPERATION, BY_FILE_RANK };

/* Counters of one group in one interval. */
struct cell {
    uint32_t interval, group;
    int64_t count, bytes, timed, duration, longest;
};

struct rate_state {
    struct analysis_context *context;
    enum trace_kind kind;
    int64_t counted; /* name.id of the operation to count; EVENT_NONE: all */
    struct intervals intervals;
    /* Owned hash table. A slot has only the last cell with its hash, so a key may have several
     * cells. As events are sorted by time, the cell nearly always matches. */
    struct cell *cells;
    uint32_t *slots;
    size_t count, capacity, most;
    bool spilled; /* true: some cells were written to the table; set in the first thread's state */
    /* Owned; one element per interval and one more. `partly`: time in flight of events that cover
     * only a part of the interval. `covering`: number of events that cover the whole interval, as
     * difference to the previous interval. */
    int64_t *partly, *covering;
    int64_t timed;    /* events with a known duration */
    int64_t from, to; /* time window; times in flight are cut at its begin and end */
    /* Borrowed; selected hours of several days, each of them a window; NULL: none. */
    const struct day_hours *hours;
};

static bool groups_by_file_rank(const struct analysis_context *context) {
    return context->analysis->variant == BY_FILE_RANK;
}

/* Writes all cells to the table, where the query adds up rows with equal keys. */
static void rate_flush(struct rate_state *state) {
    struct analysis_context *context = state->context;
    sqlite3_mutex *lock = database_lock(context->database);

    ((struct rate_state *)context->first)->spilled = true;
    for (size_t i = 0; i < state->count; i++) {
        const struct cell *cell = &state->cells[i];

        TEMP_ROW(&context->tables[groups_by_file_rank(context) ? 2 : 0], cell->interval,
                 cell->group, cell->count, cell->bytes, cell->timed, cell->duration, cell->longest);
    }
    sqlite3_mutex_leave(lock);
    state->count = 0;
}

/* Returns the cell of a group in an interval, by the hash table. Adds a cell if there is none. */
static struct cell *rate_find_cell(struct rate_state *state, uint32_t interval, uint32_t group) {
    uint32_t *slot =
        &state->slots[seeded_hash_number((uint64_t)interval << 32 | group) & (SLOTS - 1)];
    struct cell *cell = *slot < state->count ? &state->cells[*slot] : NULL;

    if (cell != NULL && cell->interval == interval && cell->group == group) {
        return cell;
    }
    if (state->count >= state->most) {
        rate_flush(state);
    }
    *slot = (uint32_t)state->count;
    cell = ARRAY_NEW(state->cells, state->count, state->capacity);
    *cell = (struct cell){.interval = interval, .group = group};
    return cell;
}

static void rate_add_cell(struct cell *cell, const struct cell *added) {
    cell->count += added->count;
    cell->timed += added->timed;
    add_saturated(&cell->bytes, added->bytes);
    add_saturated(&cell->duration, added->duration);
    cell->longest = added->longest > cell->longest ? added->longest : cell->longest;
}

/* --- counting events -------------------------------------------------------------------------- */

/* Adds the part of an event's time in flight that the intervals cover. */
static void add_flight(struct rate_state *state, int64_t from, int64_t to) {
    int64_t origin = (int64_t)state->intervals.origin;
    uint64_t end = state->intervals.length * state->intervals.count, begin, after;
    size_t first, last;

    if (to <= origin) {
        return;
    }
    begin = from <= origin ? 0 : (uint64_t)from - state->intervals.origin;
    after = (uint64_t)to - state->intervals.origin;
    after = after < end ? after : end;
    if (begin >= after) {
        return;
    }
    first = (size_t)(begin / state->intervals.length);
    last = (size_t)(after / state->intervals.length);
    if (first == last) {
        add_saturated(&state->partly[first], (int64_t)(after - begin));
        return;
    }
    add_saturated(&state->partly[first], (int64_t)((first + 1) * state->intervals.length - begin));
    add_saturated(&state->partly[last], (int64_t)(after - last * state->intervals.length));
    state->covering[first + 1]++;
    state->covering[last]--;
}

static void add_duration(struct rate_state *state, int64_t time, int64_t duration,
                         struct cell *cell) {
    cell->timed++;
    add_saturated(&cell->duration, duration);
    cell->longest = duration > cell->longest ? duration : cell->longest;
    state->timed++;
    /* An I/O's time is its completion, so it was in flight before; a call's time is its begin. */
    if (state->kind == TRACE_IO) {
        int64_t begin = difference_saturated(time, duration), from = state->from;

        if (state->hours != NULL) {
            const int64_t day = window_day_begin(state->context->trace->trace, state->hours, time);

            from = day > from ? day : from;
        }
        add_flight(state, begin > from ? begin : from, time);
    } else {
        int64_t end = sum_saturated(time, duration);

        add_flight(state, time, end < state->to ? end : state->to);
    }
}

static uint32_t rate_group_of(const struct rate_state *state, const struct event_columns *columns,
                              size_t i) {
    switch ((enum rate_by)state->context->analysis->variant) {
    case BY_PROCESS:
        return columns->actor[i];
    case BY_FILE:
    case BY_FILE_RANK:
        return columns->object[i];
    case BY_OPERATION:
        return columns->operation[i];
    case BY_CLASS:
        break;
    }
    return state->kind == TRACE_IO ? (uint32_t)io_class_of(columns->flags[i]) : 0;
}

static void rate_visit(void *rate_state, const struct event_columns *columns, size_t count) {
    struct rate_state *state = rate_state;

    for (size_t i = 0; i < count; i++) {
        uint64_t interval = interval_of(&state->intervals, columns->time[i]);
        struct cell *cell;

        /* Skips events that do not count, or (in a damaged database) outside the intervals. */
        if (interval >= state->intervals.count ||
            (state->kind == TRACE_SPANS && !span_is_call(columns->flags[i])) ||
            !is_counted_operation(state->counted, columns, i)) {
            continue;
        }
        cell = rate_find_cell(state, (uint32_t)interval, rate_group_of(state, columns, i));
        cell->count++;
        if (columns->size[i] > 0 &&
            /* a thread state's size does not count: it is about what woke the thread */
            state->kind != TRACE_STATES) {
            add_saturated(&cell->bytes, columns->size[i]);
        }
        if (columns->duration[i] >= 0) {
            add_duration(state, columns->time[i], columns->duration[i], cell);
        }
    }
}

/* Of a call that began before the time window, adds the part inside the window. */
static void rate_add_edge(void *rate_state, const struct window_edge *edge) {
    struct rate_state *state = rate_state;

    if (edge->earlier && (state->counted == EVENT_NONE || edge->operation == state->counted)) {
        state->timed++;
        add_flight(state, state->from, edge->end < state->to ? edge->end : state->to);
    }
}

static void rate_begin(void *rate_state) {
    struct rate_state *state = rate_state;
    struct analysis_context *context = state->context;

    state->most = groups_by_file_rank(context) ? FILE_CELLS_IN_MEMORY : CELLS_IN_MEMORY;
    if (!groups_by_file_rank(context) || state != context->first) {
        state->most /= context->states;
    }
    state->slots = xcalloc(SLOTS, sizeof *state->slots);
    intervals_find(&state->intervals, context, COVER_WINDOW, WANTED_INTERVALS, INTERVALS_MOST);
    state->partly = xcalloc(state->intervals.count + 1, sizeof *state->partly);
    state->covering = xcalloc(state->intervals.count + 1, sizeof *state->covering);
}

static void rate_begin_trace(void *rate_state) {
    struct rate_state *state = rate_state;
    const struct selected_trace *trace = state->context->trace;
    struct window window = {0};

    state->kind = trace->trace->kind;
    state->counted = state->context->analysis->variant == BY_OPERATION
                         ? EVENT_NONE
                         : counted_operation(state->context);
    state->from = trace->edges == NULL ? INT64_MIN : trace->edges->from;
    state->to = trace->edges == NULL ? INT64_MAX : trace->edges->to;
    if (state->kind == TRACE_IO && window_times(trace->trace, &state->context->selection->filter,
                                                &window, &state->context->error)) {
        state->from = window.from;
    }
    state->hours = window.several ? &state->context->selection->filter.hours : NULL;
}

static void rate_merge(void *rate_state, void *other) {
    struct rate_state *state = rate_state, *from = other;

    for (size_t i = 0; i < from->count; i++) {
        const struct cell *cell = &from->cells[i];

        rate_add_cell(rate_find_cell(state, cell->interval, cell->group), cell);
    }
    from->count = 0;
    for (size_t i = 0; i <= state->intervals.count; i++) {
        add_saturated(&state->partly[i], from->partly[i]);
        state->covering[i] += from->covering[i];
        from->partly[i] = from->covering[i] = 0;
    }
    state->timed += from->timed;
    from->timed = 0;
}

/* --- rows by file, sorted by rank ------------------------------------------------------------- */

struct ranked_file {
    uint32_t id, rank;
    int64_t count;
};

struct place {
    /* number of the interval << 32, plus rank of the file */
    uint64_t interval_rank;
    const struct cell *cell;
};

/* SQL that ranks files by their number of events. Files with equal names share a rank. */
#define RANKED                                                                                     \
    "WITH file(id, count) AS MATERIALIZED"                                                         \
    " (SELECT \"group\", sum(count) FROM temp.rate_file_part GROUP BY 1),"                         \
    "named AS (SELECT f.id, ifnull(o.name, '') AS name,"                                           \
    " sum(f.count) OVER (PARTITION BY ifnull(o.name, '')) AS total"                                \
    " FROM file AS f LEFT JOIN main.object AS o ON o.id = f.id),"                                  \
    "numbered AS (SELECT id, dense_rank() OVER (ORDER BY total DESC, name) AS rank FROM named),"   \
    "ranked AS MATERIALIZED"                                                                       \
    " (SELECT f.id, n.rank FROM file AS f JOIN numbered AS n ON n.id = f.id) "

static void rate_write_file(struct rate_state *state, uint64_t interval_rank,
                            const struct cell *cell) {
    int64_t mean = EVENT_NONE;

    if (cell->timed > 0) {
        mean = cell->duration / cell->timed +
               (cell->duration % cell->timed + cell->timed / 2) / cell->timed;
    }
    TEMP_ROW(&state->context->tables[0], cell->interval, cell->group,
             (int64_t)(uint32_t)interval_rank, cell->count, cell->bytes, mean,
             cell->timed > 0 ? cell->longest : EVENT_NONE);
}

/* Writes the result rows by file from the table, after some cells did not fit in memory. */
static void rate_write_spilled(struct rate_state *state) {
    struct database_query query;

    rate_flush(state);
    query = database_query(
        state->context->database, &state->context->error,
        RANKED "SELECT p.interval, min(p.\"group\"), r.rank, sum(p.count), sum_time(p.bytes),"
               " sum(p.timed), sum_time(p.duration), max(p.longest)"
               " FROM temp.rate_file_part AS p CROSS JOIN ranked AS r ON r.id = p.\"group\""
               " GROUP BY p.interval, r.rank ORDER BY p.interval, r.rank",
        "");
    while (database_next(&query)) {
        const struct cell cell = {(uint32_t)sqlite3_column_int64(query.row, 0),
                                  (uint32_t)sqlite3_column_int64(query.row, 1),
                                  sqlite3_column_int64(query.row, 3),
                                  sqlite3_column_int64(query.row, 4),
                                  sqlite3_column_int64(query.row, 5),
                                  sqlite3_column_int64(query.row, 6),
                                  sqlite3_column_int64(query.row, 7)};

        rate_write_file(state, (uint64_t)sqlite3_column_int64(query.row, 2), &cell);
    }
    database_end(&query);
}

/* Counts the events of each file; SQLite then ranks the files. */
static void rank_files(struct rate_state *state, struct place *places, struct keyed_rows *files) {
    struct analysis_context *context = state->context;
    struct database_query query;

    for (size_t i = 0; i < state->count; i++) {
        const struct cell *cell = &state->cells[i];
        struct ranked_file *file = keyed_rows_find(files, &cell->group);

        file->count += cell->count;
        places[i] = (struct place){(uint64_t)cell->interval << 32 |
                                       (uint64_t)(file - (struct ranked_file *)files->rows),
                                   cell};
    }
    for (size_t i = 0; i < files->count; i++) {
        const struct ranked_file *file = (const struct ranked_file *)files->rows + i;

        TEMP_ROW(&context->tables[2], 0, file->id, file->count, 0, 0, 0, 0);
    }
    query = database_query(context->database, &context->error, RANKED "SELECT id, rank FROM ranked",
                           "");
    while (database_next(&query)) {
        const uint32_t id = (uint32_t)sqlite3_column_int64(query.row, 0);
        struct ranked_file *file = keyed_rows_find(files, &id);

        file->rank = (uint32_t)sqlite3_column_int64(query.row, 1);
    }
    database_end(&query);
    for (size_t i = 0; i < state->count; i++) {
        const struct ranked_file *file =
            (const struct ranked_file *)files->rows + (uint32_t)places[i].interval_rank;

        places[i].interval_rank = (uint64_t)places[i].cell->interval << 32 | file->rank;
    }
}

static void write_sorted(struct rate_state *state) {
    struct keyed_rows files = {
        .context = state->context,
        .kind = {sizeof(uint32_t), sizeof(struct ranked_file), .most = SIZE_MAX}};
    struct place *places = xcalloc(state->count + 1, sizeof *places);

    rank_files(state, places, &files);
    keyed_rows_free(&files);
    qsort(places, state->count, sizeof *places, compare_uint64);
    for (size_t i = 0; i < state->count;) {
        const uint64_t interval_rank = places[i].interval_rank;
        struct cell cell = *places[i].cell;

        while (++i < state->count && places[i].interval_rank == interval_rank) {
            rate_add_cell(&cell, places[i].cell);
        }
        rate_write_file(state, interval_rank, &cell);
    }
    free(places);
}

/* Writes all rows. temp.rate_interval has a row per interval, even without events. */
static void rate_write_rows(void *rate_state) {
    struct rate_state *state = rate_state;
    const struct intervals *intervals = &state->intervals;
    int64_t cover = 0;

    if (!groups_by_file_rank(state->context)) {
        rate_flush(state);
    } else if (state->spilled) {
        rate_write_spilled(state);
    } else {
        write_sorted(state);
    }
    for (size_t i = 0; i < intervals->count; i++) {
        int64_t in_flight;

        cover += state->covering[i];
        in_flight = product_saturated(cover, (int64_t)intervals->length);
        add_saturated(&in_flight, state->partly[i]);
        TEMP_ROW(&state->context->tables[1], (int64_t)i,
                 (int64_t)(intervals->origin + i * intervals->length), (int64_t)intervals->length,
                 state->timed > 0 ? in_flight : EVENT_NONE, intervals->first, intervals->last);
    }
}

static void rate_free_state(void *rate_state) {
    struct rate_state *state = rate_state;

    free(state->cells);
    free(state->slots);
    free(state->partly);
    free(state->covering);
}

#define INTERVALS_TABLE                                                                            \
    { "rate_interval", "interval, start, length, in_flight, first, last", NULL }
#define RATE(what, grouping, looks_at)                                                             \
    .name = (what), .pass = PASS_ANY_ORDER,                                                        \
    .fields = EVENT_FLAGS | EVENT_SIZE | EVENT_DURATION | (looks_at), .window = WINDOW_PARTS,      \
    .edge = rate_add_edge, .parameters = {INTERVAL_PARAMETER}, .variant = (grouping),              \
    .state_size = sizeof(struct rate_state), .begin = rate_begin, .begin_trace = rate_begin_trace, \
    .visit = rate_visit, .merge = rate_merge, .write = rate_write_rows, .free = rate_free_state

/* tally_rate: a row per interval and group: enum io_class (0 for calls), actor.id, object.id (0:
 * none) or name.id. `timed`: events with a duration; `duration`, `longest`: sum and maximum of
 * durations. A key may have several rows. rate_interval: a row for each interval of the selected
 * time, with the sum of times in flight (NULL if no event has a duration), and begin and end. */
#define RATE_TABLES                                                                                \
    .tables = {                                                                                    \
        {"tally_rate", "interval, \"group\", count, bytes, timed, duration, longest", "interval"}, \
        INTERVALS_TABLE}

const struct analysis analysis_rate = {RATE_TABLES, RATE("rate", BY_CLASS, 0)};
const struct analysis analysis_rate_process = {RATE_TABLES,
                                               RATE("rate_process", BY_PROCESS, EVENT_ACTOR)};
const struct analysis analysis_rate_file = {RATE_TABLES, RATE("rate_file", BY_FILE, EVENT_OBJECT)};
const struct analysis analysis_rate_operation = {
    RATE_TABLES, RATE("rate_operation", BY_OPERATION, EVENT_OPERATION)};

/* tally_file_rate: a row per interval and file name, sorted by interval and `rank`, the name's rank
 * by number of events over all intervals. `file` is the object.id of one file with that name. */
const struct analysis analysis_file_rate = {
    RATE("file_rate", BY_FILE_RANK, EVENT_OBJECT),
    .tables = {{"tally_file_rate", "interval, file, rank, count, bytes, mean, longest", NULL},
               INTERVALS_TABLE,
               {"rate_file_part", "interval, \"group\", count, bytes, timed, duration, longest",
                NULL}},
};

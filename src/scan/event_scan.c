#include "scan/event_scan.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/processors.h"
#include "base/text.h"
#include "scan/event_filter.h"
#include "store/column_reader.h"
#include "store/event_rows.h"
#include "base/memory.h"

/* A scan with its filter. */
struct pass {
    const struct event_scan *scan;
    struct event_filter filter;
};

/* Returns the columns that the scan decodes: those that visit() and those that its filter reads. */
static unsigned event_scan_fields_of(const struct pass *pass) {
    return pass->scan->fields | pass->filter.fields;
}

/* --- reading events as rows of SQLite --------------------------------------------------------- */

enum { ROWS_AT_ONCE = 256 };

static bool event_is_under_call(const struct event_scan *scan) {
    return scan->selection != NULL && scan->selection->filter.under != NULL;
}

/* The table with durations by the second clock, which are not in main.event. */
#define SECOND_CLOCK "main.cpu_time"

static const char *times_table(const struct event_scan *scan) {
    const char *table = scan->times == NULL ? NULL : selection_times(scan->times);

    return table == NULL ? SECOND_CLOCK : table;
}

/* Returns whether times for EVENT_CPU are in another table, such as temp.corrected_time. */
static bool has_other_times(const struct event_scan *scan) {
    return (scan->fields & EVENT_CPU) != 0 && strcmp(times_table(scan), SECOND_CLOCK) != 0;
}

static unsigned rows_fields(const struct event_scan *scan) {
    return scan->fields & EVENT_CPU ? EVENT_ROWS_ALL : EVENT_ROWS_ALL & ~(unsigned)EVENT_CPU;
}

static sqlite3_stmt *prepare_select(const struct event_scan *scan, struct error *error) {
    bool under = event_is_under_call(scan), beside = scan->fields & EVENT_CPU;
    const struct selection *selection = under ? scan->selection : beside ? scan->times : NULL;
    sqlite3_stmt *select;
    struct text sql = {0};

    /* Reads all columns, even unneeded ones, so that damage is noticed. */
    event_rows_select(&sql, rows_fields(scan));
    text_append_format(&sql, " FROM %s main.event AS e",
                       under ? "temp.selected_range AS r CROSS JOIN" : "");
    if (beside) {
        text_append_format(&sql, " LEFT JOIN %s AS c ON c.event = e.id", times_table(scan));
    }
    text_append_format(&sql, " WHERE e.id BETWEEN %s",
                       under ? "max(r.first, ?1) AND min(r.last, ?2) AND r.trace = ?3"
                             : "?1 AND ?2");
    select = selection == NULL ? database_prepare(scan->database, text_string(&sql), error)
                               : database_prepare(selection->database, text_string(&sql), error);
    text_free(&sql);
    if (select != NULL) {
        sqlite3_bind_int64(select, 1, scan->first);
        sqlite3_bind_int64(select, 2, scan->last);
        if (under) {
            sqlite3_bind_int64(select, 3, scan->trace);
        }
    }
    return select;
}

static void store_open_times(const struct pass *pass, struct event_columns *columns, size_t count) {
    if (pass->filter.puts_open) {
        open_times_fill(&pass->filter.open, columns, count);
    }
}

/* Contexts that the scan passes to visit(). */
struct visitors {
    void *const *turns; /* each context gets all events, in order */
    size_t turn_count;
    void *const *parts; /* one context per thread, which gets the events that the thread decodes */
    size_t part_count;
};

/* Visits the rows that pass the filter. */
static bool visit_rows(const struct pass *pass, const struct visitors *visitors,
                       struct event_columns *columns, size_t count, struct error *error) {
    uint32_t kept[ROWS_AT_ONCE];
    const uint32_t *places = kept;
    bool done = true;

    for (size_t i = 0; i < count; i++) {
        kept[i] = (uint32_t)i;
    }
    if (pass->filter.count > 0) {
        count = event_filter_events(&pass->filter, columns, &places, kept, count);
        event_columns_move(columns, 0, places, count);
    }
    store_open_times(pass, columns, count);
    if (count > 0 && visitors->part_count > 0) {
        done = pass->scan->visit(visitors->parts[0], columns, count, error);
    }
    for (size_t i = 0; done && count > 0 && i < visitors->turn_count; i++) {
        done = pass->scan->visit(visitors->turns[i], columns, count, error);
    }
    return done;
}

static bool scan_rows(const struct pass *pass, const struct visitors *visitors,
                      struct error *error) {
    const struct event_scan *scan = pass->scan;
    sqlite3_stmt *select = prepare_select(scan, error);
    struct event_columns columns = {0};
    bool row = true, done = select != NULL;

    event_columns_grow(&columns, event_scan_fields_of(pass), ROWS_AT_ONCE);
    while (done && row) {
        size_t count = 0;

        while (done && row && count < ROWS_AT_ONCE) {
            done = database_step(scan->database, select, &row, error);
            if (done && row) {
                done = event_rows_read(scan->database, select, rows_fields(scan), &columns, count++,
                                       error);
            }
        }
        done = done && visit_rows(pass, visitors, &columns, count, error);
    }
    sqlite3_finalize(select);
    event_columns_free(&columns);
    return done;
}

/* --- reading columns on several threads ------------------------------------------------------- */

/* State that all threads share. SQL statements run with `lock` held. */
struct column_pass {
    const struct pass *pass;
    struct column_reader *reader;
    sqlite3_stmt *ranges; /* ranges of ids for --under, ascending; NULL: no --under */
    /* Statement that reads times from another table; NULL: the times are in the columns. */
    sqlite3_stmt *times;
    bool range; /* true: the current row of `ranges` may also apply to later chunks */
    const struct visitors *visitors;
    pthread_mutex_t lock; /* protects the members below, and reads of the database */
    pthread_cond_t changed;
    size_t taken; /* number of chunks given to threads */
    /* Owned; for each context of visitors.turns: number of the chunk that it visits next. */
    size_t *turns;
    bool ended;   /* true: no chunks are left */
    bool stopped; /* true: a thread has failed or visit() has stopped the scan */
    struct error *error;
};

/* A thread that decodes chunks (blocks of encoded events) and visits their events. */
struct column_worker {
    struct column_pass *shared;
    void *context; /* this thread's context in visitors.parts; NULL: none */
    pthread_t thread;
    /* Number of the current chunk, in the order in which threads take chunks. */
    size_t number;
    struct column_chunk piece;
    struct event_columns columns; /* columns of the current chunk; arrays of EVENT_CHUNK elements */
    const uint32_t *places; /* positions in the chunk of the events to visit; in `all` or `kept` */
    size_t count;           /* number of events to visit */
    uint32_t *all;          /* owned; the numbers 0, 1, 2, …: all positions in a chunk */
    size_t numbered;        /* number of positions in `all` */
    uint32_t *kept; /* owned; positions of the events that pass the filter; EVENT_CHUNK elements */
};

/* Finds the events with ids from `first` to `last` in a chunk. Returns their number; sets `*begin`
 * to the position of the first. */
static size_t event_scan_find_range(const struct column_chunk *piece, int64_t first, int64_t last,
                                    size_t *begin) {
    int64_t from = first - piece->first, to = last - piece->first;

    from = from < 0 ? 0 : from;
    to = to >= (int64_t)piece->count ? (int64_t)piece->count - 1 : to;
    *begin = to < from ? 0 : (size_t)from;
    return to < from ? 0 : (size_t)(to - from) + 1;
}

/* Selects the events of the chunk in the scan's range of ids. */
static void event_scan_select_range(struct column_worker *worker) {
    const struct event_scan *scan = worker->shared->pass->scan;
    size_t begin;

    for (; worker->numbered < worker->piece.count; worker->numbered++) {
        worker->all[worker->numbered] = (uint32_t)worker->numbered;
    }
    worker->count = event_scan_find_range(&worker->piece, scan->first, scan->last, &begin);
    worker->places = worker->all + begin;
}

/* Selects the events of the chunk inside calls of --under (temp.selected_range). */
static bool select_ranges(struct column_worker *worker, struct error *error) {
    struct column_pass *shared = worker->shared;
    const struct event_scan *scan = shared->pass->scan;
    int64_t last = worker->piece.first + (int64_t)worker->piece.count - 1;

    worker->places = worker->kept;
    worker->count = 0;
    while (shared->range && sqlite3_column_int64(shared->ranges, 0) <= last) {
        int64_t from = sqlite3_column_int64(shared->ranges, 0);
        int64_t to = sqlite3_column_int64(shared->ranges, 1);
        size_t begin,
            some = event_scan_find_range(&worker->piece, from < scan->first ? scan->first : from,
                                         to > scan->last ? scan->last : to, &begin);

        for (size_t i = 0; i < some; i++) {
            worker->kept[worker->count++] = (uint32_t)(begin + i);
        }
        if (to > last) {
            break;
        }
        if (!database_step(scan->database, shared->ranges, &shared->range, error)) {
            return false;
        }
    }
    return true;
}

/* Reads the times of the chunk's events from another table, such as temp.corrected_time. */
static bool read_times(struct column_worker *worker, struct error *error) {
    struct column_pass *shared = worker->shared;
    const struct column_chunk *piece = &worker->piece;
    bool row = true, done = true;

    for (size_t i = 0; i < piece->count; i++) {
        worker->columns.cpu_duration[i] = worker->columns.cpu_self[i] = EVENT_NONE;
    }
    sqlite3_bind_int64(shared->times, 1, piece->first);
    sqlite3_bind_int64(shared->times, 2, piece->first + (int64_t)piece->count - 1);
    while (done && row) {
        done = database_step(shared->pass->scan->database, shared->times, &row, error);
        if (done && row) {
            size_t at = (size_t)(sqlite3_column_int64(shared->times, 0) - piece->first);

            worker->columns.cpu_duration[at] = database_column_optional(shared->times, 1);
            worker->columns.cpu_self[at] = database_column_optional(shared->times, 2);
        }
    }
    sqlite3_reset(shared->times);
    return done;
}

/* Takes the next chunk that may have events to visit; `*some`: there is one. Requires the lock. */
static bool next_chunk(struct column_worker *worker, bool *some, struct error *error) {
    struct column_pass *shared = worker->shared;

    worker->count = 0;
    while (worker->count == 0) {
        if (!column_reader_next(shared->reader, &worker->piece, some, error)) {
            return false;
        }
        if (!*some) {
            return true;
        }
        if (shared->ranges == NULL) {
            event_scan_select_range(worker);
        } else if (!select_ranges(worker, error)) {
            return false;
        }
        if (!event_filter_may_pass(&shared->pass->filter, worker->piece.parts)) {
            worker->count = 0;
        }
    }
    worker->number = shared->taken++;
    return column_reader_load(shared->reader, &worker->piece, error) &&
           (shared->times == NULL || read_times(worker, error));
}

/* If decoding failed (`done` is false), sets an error that the chunk is damaged. Returns `done`. */
static bool check_decoding(const struct column_worker *worker, bool done, struct error *error) {
    const struct event_scan *scan = worker->shared->pass->scan;

    if (!done) {
        pthread_mutex_lock(&worker->shared->lock);
        columns_set_damaged_error(scan->database, scan->trace, error);
        pthread_mutex_unlock(&worker->shared->lock);
    }
    return done;
}

/* Decodes the filter's columns and, if events pass, the others. Moves passing events to the front.
 */
static bool choose_events(struct column_worker *worker, struct error *error) {
    const struct pass *pass = worker->shared->pass;
    const struct column_chunk *piece = &worker->piece;
    struct event_columns *columns = &worker->columns;
    const unsigned beside = worker->shared->times != NULL ? (unsigned)EVENT_CPU : 0;
    unsigned there = 0;

    for (size_t i = 0; i < piece->count; i++) {
        columns->id[i] = piece->first + (int64_t)i;
    }
    if (pass->filter.count > 0) {
        there = pass->filter.fields;
        if (!check_decoding(worker, column_chunk_decode(piece, there, columns), error)) {
            return false;
        }
        worker->count = event_filter_events(&pass->filter, columns, &worker->places, worker->kept,
                                            worker->count);
    }
    if (worker->count > 0) {
        const unsigned rest = event_scan_fields_of(pass) & ~there & ~beside;
        bool done = column_chunk_decode(piece, 0, columns) &&
                    (rest == 0 || column_chunk_decode(piece, rest, columns));

        if (worker->count < piece->count) {
            event_columns_move(columns, 0, worker->places, worker->count);
        }
        if (!check_decoding(worker, done, error)) {
            return false;
        }
    }
    store_open_times(pass, columns, worker->count);
    return true;
}

static void event_scan_stop(struct column_pass *shared, const struct error *error) {
    pthread_mutex_lock(&shared->lock);
    if (!shared->stopped) {
        *shared->error = *error;
    }
    shared->stopped = true;
    pthread_cond_broadcast(&shared->changed);
    pthread_mutex_unlock(&shared->lock);
}

/* Waits until a context has visited all chunks before `number`. False if the scan was stopped. */
static bool await_turn(struct column_pass *shared, size_t context, size_t number) {
    bool mine;

    pthread_mutex_lock(&shared->lock);
    while (shared->turns[context] != number && !shared->stopped) {
        pthread_cond_wait(&shared->changed, &shared->lock);
    }
    mine = !shared->stopped;
    pthread_mutex_unlock(&shared->lock);
    return mine;
}

static bool visit_chunk(struct column_worker *worker, void *context, struct error *error) {
    return worker->count == 0 || context == NULL ||
           worker->shared->pass->scan->visit(context, &worker->columns, worker->count, error);
}

/* Visits a chunk with one context after the other; other threads meanwhile visit later chunks with
 * the contexts that are done with this one. If the chunk could not be decoded (`done` is false),
 * the error also waits for its turn, since the visitor may stop at an earlier chunk without an
 * error. */
static bool visit_in_turns(struct column_worker *worker, bool done, struct error *error) {
    struct column_pass *shared = worker->shared;

    for (size_t i = 0; i < shared->visitors->turn_count; i++) {
        if (!await_turn(shared, i, worker->number)) {
            return false;
        }
        if (done && visit_chunk(worker, shared->visitors->turns[i], error)) {
            pthread_mutex_lock(&shared->lock);
            shared->turns[i]++;
            pthread_cond_broadcast(&shared->changed);
            pthread_mutex_unlock(&shared->lock);
        } else {
            done = false;
        }
    }
    return done;
}

/* Takes a chunk and visits its events; `*some`: there was a chunk. */
static bool work_on_chunk(struct column_worker *worker, bool *some, struct error *error) {
    struct column_pass *shared = worker->shared;
    bool done, taken;

    pthread_mutex_lock(&shared->lock);
    worker->number = shared->taken;
    *some = !shared->stopped && !shared->ended;
    done = !*some || next_chunk(worker, some, error);
    shared->ended |= !done || !*some;
    taken = *some && done;
    pthread_mutex_unlock(&shared->lock);
    done = done && (!taken || choose_events(worker, error));
    done = done && (!taken || visit_chunk(worker, worker->context, error));
    return taken || !done ? visit_in_turns(worker, done, error) : done;
}

static void *event_scan_work(void *argument) {
    struct column_worker *worker = argument;
    struct error error = {0};
    bool some = true, done = true;

    worker->all = xmalloc(EVENT_CHUNK * sizeof *worker->all);
    worker->kept = xmalloc(EVENT_CHUNK * sizeof *worker->kept);
    event_columns_grow(&worker->columns, event_scan_fields_of(worker->shared->pass), EVENT_CHUNK);
    while (done && some) {
        done = work_on_chunk(worker, &some, &error);
    }
    if (!done) {
        event_scan_stop(worker->shared, &error);
    }
    column_chunk_free(&worker->piece);
    event_columns_free(&worker->columns);
    free(worker->all);
    free(worker->kept);
    return NULL;
}

/* Runs the threads; the calling one works, too. If one cannot be created, fewer do the work. */
static void run_workers(struct column_pass *shared) {
    const struct event_scan *scan = shared->pass->scan;
    size_t useful = (size_t)((scan->last - scan->first) / EVENT_CHUNK) + 1, started = 1;
    const struct visitors *visitors = shared->visitors;
    size_t count = visitors->part_count == 0 ? event_scan_threads() : visitors->part_count;
    struct column_worker workers[EVENT_SCAN_THREADS] = {{.shared = NULL}};

    for (size_t i = 0; i < count; i++) {
        workers[i] = (struct column_worker){
            .shared = shared, .context = visitors->part_count == 0 ? NULL : visitors->parts[i]};
    }
    pthread_mutex_init(&shared->lock, NULL);
    pthread_cond_init(&shared->changed, NULL);
    while (started < count && started < useful &&
           pthread_create(&workers[started].thread, NULL, event_scan_work, &workers[started]) ==
               0) {
        started++;
    }
    event_scan_work(&workers[0]);
    while (started > 1) {
        pthread_join(workers[--started].thread, NULL);
    }
    pthread_cond_destroy(&shared->changed);
    pthread_mutex_destroy(&shared->lock);
}

/* Prepares the SQL statements for data that is not in the columns. */
static bool prepare_beside(struct column_pass *shared, struct error *error) {
    const struct event_scan *scan = shared->pass->scan;
    bool done = true;

    if (event_is_under_call(scan)) {
        shared->ranges =
            database_prepare(scan->selection->database,
                             "SELECT first, last FROM temp.selected_range WHERE trace = ?1"
                             " AND last >= ?2 ORDER BY first",
                             error);
        done = shared->ranges != NULL;
        if (done) {
            sqlite3_bind_int64(shared->ranges, 1, scan->trace);
            sqlite3_bind_int64(shared->ranges, 2, scan->first);
            done = database_step(scan->database, shared->ranges, &shared->range, error);
        }
    }
    if (done && has_other_times(scan)) {
        char sql[128];

        snprintf(sql, sizeof sql,
                 "SELECT event, duration, self FROM %s WHERE event BETWEEN ?1 AND ?2",
                 times_table(scan));
        shared->times = database_prepare(scan->times->database, sql, error);
        done = shared->times != NULL;
    }
    return done;
}

/* Scans the columns on several threads. Sets the error of the first thread that fails. */
static bool scan_columns(const struct pass *pass, struct column_reader *reader,
                         const struct visitors *visitors, struct error *error) {
    struct column_pass shared = {.pass = pass,
                                 .reader = reader,
                                 .visitors = visitors,
                                 .turns = xcalloc(visitors->turn_count + 1, sizeof *shared.turns),
                                 .error = error};
    bool done = prepare_beside(&shared, error);

    if (done) {
        run_workers(&shared);
    }
    free(shared.turns);
    sqlite3_finalize(shared.ranges);
    sqlite3_finalize(shared.times);
    return done && !shared.stopped;
}

/* --- scanning rows or columns ----------------------------------------------------------------- */

size_t event_scan_threads(void) {
    const int count = processor_count();

    return count < 1 ? 1 : count < EVENT_SCAN_THREADS ? (size_t)count : EVENT_SCAN_THREADS;
}

/* Sets an error that the trace has no columns, which the scan needs unless there are no events. */
static bool refuse_missing_columns(const struct event_scan *scan, struct error *error) {
    return scan->last < scan->first ||
           error_set(error, "trace number %lld has no stored event columns",
                     (long long)scan->trace);
}

static bool run_range(const struct event_scan *scan, const struct visitors *visitors,
                      struct error *error) {
    const struct event_filter_scope scope = {
        .database = scan->database,
        .selection = scan->selection,
        .trace = scan->trace,
        .first = scan->first,
        .last = scan->last,
        .action = scan->action,
        .fields = scan->fields,
    };
    const enum event_source events =
        scan->selection == NULL ? EVENTS_FROM_ANY : scan->selection->events;
    struct pass pass = {.scan = scan};
    struct column_reader *reader = NULL;
    bool done = true;

    if (event_is_under_call(scan) && !scan->selection->ranges_known) {
        return error_set(error, "the calls below %s have not been looked up",
                         scan->selection->filter.under);
    }
    done =
        event_filter_init(&pass.filter, &scope, error) &&
        (events == EVENTS_FROM_ROWS ||
         column_reader_open(&reader, scan->database, scan->trace, scan->first, scan->last,
                            has_other_times(scan)
                                ? event_scan_fields_of(&pass) & ~(unsigned)EVENT_CPU
                                : event_scan_fields_of(&pass),
                            error)) &&
        (events != EVENTS_FROM_COLUMNS || reader != NULL || refuse_missing_columns(scan, error)) &&
        (reader != NULL ? scan_columns(&pass, reader, visitors, error)
                        : scan_rows(&pass, visitors, error));
    column_reader_close(reader);
    event_filter_free(&pass.filter);
    return done;
}

static bool run_scan(const struct event_scan *scan, const struct visitors *visitors,
                     struct error *error) {
    struct event_scan part = *scan;
    bool done = true;

    if (scan->ranges == NULL) {
        return run_range(scan, visitors, error);
    }
    for (size_t i = 0; done && i < scan->range_count; i++) {
        part.first = scan->ranges[i].first;
        part.last = scan->ranges[i].last;
        done = run_range(&part, visitors, error);
    }
    return done;
}

bool event_scan_in_parallel(const struct event_scan *scan, void *const *contexts, size_t count,
                            void *const *parts, size_t part_count, struct error *error) {
    const struct visitors visitors = {contexts, count, parts, part_count};

    return run_scan(scan, &visitors, error);
}

bool event_scan_in_order(const struct event_scan *scan, void *context, struct error *error) {
    return event_scan_in_parallel(scan, &context, 1, NULL, 0, error);
}

void event_scan_init(struct event_scan *scan, const struct selection *selection,
                     const struct selected_trace *trace) {
    *scan = (struct event_scan){
        .database = selection->database,
        .selection = selection,
        .times = selection,
        .trace = trace->trace->id,
        .first = trace->first,
        .last = trace->last,
        .ranges = trace->ids.ranges,
        .range_count = trace->ids.count,
        .action = trace->action,
    };
}

#include "scan/event_scan.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* --- sets of ids ------------------------------------------------------------------------------ */

/* Ids come in ascending order. */
static bool add_id(struct id_set *set, size_t *capacity, uint32_t id) {
    size_t word;

    if (set->words == 0) {
        set->least = id;
    }
    word = (id - set->least) / 64;
    if (word >= *capacity) {
        size_t grown = 2 * word + 8;
        /* Ids that lie far apart cost no memory before they are there. */
        uint64_t *bits = calloc(grown, sizeof *bits);

        if (bits == NULL) {
            return false;
        }
        if (set->words > 0) {
            memcpy(bits, set->bits, set->words * sizeof *bits);
        }
        free(set->bits);
        set->bits = bits;
        *capacity = grown;
    }
    set->words = word + 1;
    set->bits[word] |= UINT64_C(1) << (id - set->least) % 64;
    return true;
}

bool id_set_read(struct id_set *set, struct database *database, const char *table,
                 const char *owner, int64_t trace, struct error *error) {
    size_t capacity = 0;
    sqlite3_stmt *select;
    bool row = true, done;
    char sql[256];

    *set = (struct id_set){0};
    /* By the index on the trace: what other traces have selected costs nothing. */
    snprintf(sql, sizeof sql,
             "SELECT s.id FROM main.%s AS o CROSS JOIN temp.%s AS s ON s.id = o.id"
             " WHERE o.trace = ?1 ORDER BY o.id",
             owner, table);
    select = database_prepare(database, sql, error);
    done = select != NULL;
    if (done) {
        sqlite3_bind_int64(select, 1, trace);
    }
    while (done && row) {
        int64_t id;

        done = database_step(database, select, &row, error);
        if (!done || !row) {
            break;
        }
        id = sqlite3_column_int64(select, 0);
        if (id < 0 || id > UINT32_MAX) {
            done =
                error_set(error, "%s: the database is damaged (ids out of range)", database->path);
        } else if (!add_id(set, &capacity, (uint32_t)id)) {
            done = error_no_memory(error);
        }
    }
    sqlite3_finalize(select);
    return done;
}

void id_set_free(struct id_set *set) {
    free(set->bits);
    *set = (struct id_set){0};
}

/* --- which rows --------------------------------------------------------------------------------
 */

/* The filter as it applies to a row. */
struct sieve {
    int64_t action;
    bool by_operation, by_actor, by_object;
    struct id_set operations, actors, objects;
    unsigned columns; /* that it looks at, beside the action */
};

static bool sieve_init(struct sieve *sieve, const struct event_scan *scan, struct error *error) {
    const struct selection_filter *filter = scan->filter;

    *sieve = (struct sieve){
        .action = scan->action,
        .by_operation = filter != NULL && selection_by_operation(filter),
        .by_actor = filter != NULL && filter->process != NULL,
        .by_object = filter != NULL && filter->has_device,
    };
    sieve->columns = (sieve->by_operation ? (unsigned)EVENT_OPERATION : 0) |
                     (sieve->by_actor ? (unsigned)EVENT_ACTOR : 0) |
                     (sieve->by_object ? (unsigned)EVENT_OBJECT : 0);
    return (!sieve->by_operation ||
            id_set_read(&sieve->operations, scan->database, "selected_operation", "name",
                        scan->trace, error)) &&
           (!sieve->by_actor || id_set_read(&sieve->actors, scan->database, "selected_actor",
                                            "actor", scan->trace, error)) &&
           (!sieve->by_object || id_set_read(&sieve->objects, scan->database, "selected_object",
                                             "object", scan->trace, error));
}

static void sieve_free(struct sieve *sieve) {
    id_set_free(&sieve->operations);
    id_set_free(&sieve->actors);
    id_set_free(&sieve->objects);
}

static bool passes(const struct sieve *sieve, const struct event *event) {
    /* Nothing is 0, which no action is. */
    return (sieve->action == EVENT_NONE ||
            (event->operation != 0 && event->operation == sieve->action)) &&
           (!sieve->by_operation || id_set_has(&sieve->operations, event->operation)) &&
           (!sieve->by_actor || id_set_has(&sieve->actors, event->actor)) &&
           (!sieve->by_object || id_set_has(&sieve->objects, event->object));
}

/* Moves the rows that pass to the front; returns how many there are. */
static size_t sift(const struct sieve *sieve, struct event_row *rows, size_t count) {
    size_t kept = 0;

    if (sieve->columns == 0 && sieve->action == EVENT_NONE) {
        return count;
    }
    for (size_t i = 0; i < count; i++) {
        if (passes(sieve, &rows[i].event)) {
            if (kept != i) {
                rows[kept] = rows[i];
            }
            kept++;
        }
    }
    return kept;
}

/* --- from pages, on several threads --------------------------------------------------------------
 */

/* Pages that a thread takes at once. */
enum { PAGES_AT_ONCE = 8 };

struct page_scan {
    const struct event_scan *scan;
    const struct sieve *sieve;
    struct event_pages *pages;
    bool in_order;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    size_t next;  /* page that no thread has taken */
    size_t turn;  /* in order: page whose rows are visited next */
    bool stopped; /* by a failure */
    struct error *error;
};

struct page_worker {
    struct page_scan *scan;
    void *context;
    pthread_t thread;
};

static bool take_pages(struct page_scan *scan, size_t *first, size_t *behind) {
    size_t count = event_pages_count(scan->pages);
    bool some;

    pthread_mutex_lock(&scan->lock);
    some = !scan->stopped && scan->next < count;
    *first = scan->next;
    *behind = count - *first < PAGES_AT_ONCE ? count : *first + PAGES_AT_ONCE;
    scan->next = some ? *behind : scan->next;
    pthread_mutex_unlock(&scan->lock);
    return some;
}

static void stop(struct page_scan *scan, const struct error *error) {
    pthread_mutex_lock(&scan->lock);
    if (!scan->stopped) {
        *scan->error = *error;
    }
    scan->stopped = true;
    pthread_cond_broadcast(&scan->changed);
    pthread_mutex_unlock(&scan->lock);
}

/* Waits until all pages before `first` were visited; false when the scan was stopped. */
static bool await_turn(struct page_scan *scan, size_t first) {
    bool mine;

    pthread_mutex_lock(&scan->lock);
    while (scan->turn != first && !scan->stopped) {
        pthread_cond_wait(&scan->changed, &scan->lock);
    }
    mine = !scan->stopped;
    pthread_mutex_unlock(&scan->lock);
    return mine;
}

static void end_turn(struct page_scan *scan, size_t behind) {
    pthread_mutex_lock(&scan->lock);
    scan->turn = behind;
    pthread_cond_broadcast(&scan->changed);
    pthread_mutex_unlock(&scan->lock);
}

static bool visit_part(const struct page_worker *worker, struct event_page_reader *reader,
                       size_t first, size_t behind, struct error *error) {
    const struct page_scan *scan = worker->scan;
    bool done = true;

    /* One page after another stays in the cache of the processor. */
    for (size_t page = first; done && page < behind; page++) {
        struct event_row *rows;
        size_t count;

        done = event_pages_read(reader, page, page + 1, &rows, &count, error);
        if (done) {
            count = sift(scan->sieve, rows, count);
            done = count == 0 || scan->scan->rows(worker->context, rows, count, error);
        }
    }
    return done;
}

static bool visit_in_turn(const struct page_worker *worker, struct event_page_reader *reader,
                          size_t first, size_t behind, struct error *error) {
    struct page_scan *scan = worker->scan;
    struct event_row *rows;
    size_t count;
    bool done = event_pages_read(reader, first, behind, &rows, &count, error);

    /* A failure has to wait, too: there may be enough before it. */
    if (!await_turn(scan, first) || !done) {
        return false;
    }
    count = sift(scan->sieve, rows, count);
    if (count > 0 && !scan->scan->rows(worker->context, rows, count, error)) {
        return false;
    }
    end_turn(scan, behind);
    return true;
}

static void *work(void *argument) {
    const struct page_worker *worker = argument;
    struct page_scan *scan = worker->scan;
    struct event_page_reader *reader =
        event_page_reader_new(scan->pages, scan->in_order ? PAGES_AT_ONCE : 1,
                              scan->scan->columns | scan->sieve->columns, scan->sieve->action);
    struct error error = {0};
    bool done = reader != NULL || error_no_memory(&error);
    size_t first, behind;

    while (done && take_pages(scan, &first, &behind)) {
        done = scan->in_order ? visit_in_turn(worker, reader, first, behind, &error)
                              : visit_part(worker, reader, first, behind, &error);
    }
    if (!done) {
        stop(scan, &error);
    }
    event_page_reader_free(reader);
    return NULL;
}

/* The calling thread works, too; a thread that cannot be had only makes it slower. */
static bool scan_pages(struct page_scan *scan, void *const *contexts, size_t count) {
    struct page_worker workers[EVENT_SCAN_THREADS] = {{scan, contexts[0], 0}};
    size_t started = 1, useful = event_pages_count(scan->pages) / PAGES_AT_ONCE + 1;

    pthread_mutex_init(&scan->lock, NULL);
    pthread_cond_init(&scan->changed, NULL);
    for (size_t i = 0; i < count; i++) {
        workers[i] = (struct page_worker){scan, contexts[i], 0};
    }
    while (started < count && started < useful &&
           pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0) {
        started++;
    }
    work(&workers[0]);
    while (started > 1) {
        pthread_join(workers[--started].thread, NULL);
    }
    pthread_cond_destroy(&scan->changed);
    pthread_mutex_destroy(&scan->lock);
    return !scan->stopped;
}

/* --- from SQLite --------------------------------------------------------------------------------
 */

enum { ROWS_AT_ONCE = 256 };

static int64_t optional(sqlite3_stmt *row, int column) {
    return database_column_optional(row, column);
}

/* Columns of prepare_select(). */
enum { SELECT_ID, SELECT_TIME, SELECT_FIRST, SELECT_CPU_DURATION = SELECT_FIRST + EVENT_PLACES };

static int32_t depth_of(int64_t value) {
    return value == EVENT_NONE ? -1 : (int32_t)value;
}

#define READ_INTEGER(column) optional(select, column)
#define READ_PARENT(column)  optional(select, column)
#define READ_ID(column)      (uint32_t) sqlite3_column_int64(select, column)
#define READ_FLAGS(column)   (uint32_t) sqlite3_column_int64(select, column)
#define READ_DEPTH(column)   depth_of(optional(select, column))
#define READ_BYTES(column)   sqlite3_column_blob(select, column)

static void read_row(sqlite3_stmt *select, struct event_row *row) {
    *row = (struct event_row){
        .id = sqlite3_column_int64(select, SELECT_ID),
        .event =
            {
                .time = sqlite3_column_int64(select, SELECT_TIME),
#define X(NAME, field, FORM) .field = READ_##FORM(SELECT_FIRST + EVENT_PLACE_##NAME),
                EVENT_COLUMNS(X)
#undef X
                    .cpu_duration = optional(select, SELECT_CPU_DURATION),
                .cpu_self = optional(select, SELECT_CPU_DURATION + 1),
                .arguments_size =
                    (uint32_t)sqlite3_column_bytes(select, SELECT_FIRST + EVENT_PLACE_ARGUMENTS),
            },
    };
}

/* Argument bytes that nobody wants are not fetched. */
static void append_columns(struct text *sql, unsigned columns) {
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        if (place == EVENT_PLACE_ARGUMENTS && (columns & EVENT_ARGUMENTS) == 0) {
            text_append_string(sql, ", NULL");
        } else {
            text_append_format(sql, ", e.%s", event_column_name((enum event_place)place));
        }
    }
}

static sqlite3_stmt *prepare_select(const struct event_scan *scan, struct error *error) {
    bool under = scan->filter != NULL && scan->filter->under != NULL;
    sqlite3_stmt *select = NULL;
    struct text sql = {0};

    text_append_string(&sql, "SELECT e.id, e.time");
    append_columns(&sql, scan->columns);
    text_append_format(&sql, ", %s FROM %s main.event AS e%s WHERE e.id BETWEEN %s",
                       scan->second_clock ? "c.duration, c.self" : "NULL, NULL",
                       under ? "temp.selected_range AS r CROSS JOIN" : "",
                       scan->second_clock ? " LEFT JOIN main.cpu_time AS c ON c.event = e.id" : "",
                       under ? "max(r.first, ?1) AND min(r.last, ?2) AND r.trace = ?3"
                             : "?1 AND ?2");
    if (sql.failed) {
        error_no_memory(error);
    } else {
        select = database_prepare(scan->database, text_string(&sql), error);
    }
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

static bool scan_rows(const struct event_scan *scan, const struct sieve *sieve, void *context,
                      struct error *error) {
    sqlite3_stmt *select = prepare_select(scan, error);
    struct event_row rows[ROWS_AT_ONCE];
    /* Argument bytes only stay until the next step. */
    size_t at_once = scan->columns & EVENT_ARGUMENTS ? 1 : ROWS_AT_ONCE;
    bool row = true, done = select != NULL;

    while (done && row) {
        size_t count = 0;

        while (done && row && count < at_once) {
            done = database_step(scan->database, select, &row, error);
            if (done && row) {
                read_row(select, &rows[count++]);
            }
        }
        count = sift(sieve, rows, count);
        done = done && (count == 0 || scan->rows(context, rows, count, error));
    }
    sqlite3_finalize(select);
    return done;
}

/* --- either way ---------------------------------------------------------------------------------
 */

size_t event_scan_threads(void) {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

    return count < 1 ? 1 : count < EVENT_SCAN_THREADS ? (size_t)count : EVENT_SCAN_THREADS;
}

static bool run_scan(const struct event_scan *scan, void *const *contexts, size_t count,
                     bool in_order, struct error *error) {
    struct event_pages *pages = NULL;
    struct sieve sieve;
    bool done = sieve_init(&sieve, scan, error);

    /* What lies beneath a function are many short ranges, and a second clock lies elsewhere. */
    if (done && !scan->second_clock && (scan->filter == NULL || scan->filter->under == NULL)) {
        done = event_pages_open(&pages, scan->database, scan->first, scan->last, error);
    }
    if (done && pages != NULL) {
        struct page_scan page_scan = {
            .scan = scan,
            .sieve = &sieve,
            .pages = pages,
            .in_order = in_order,
            .error = error,
        };

        done = scan_pages(&page_scan, contexts, count);
    } else if (done) {
        done = scan_rows(scan, &sieve, contexts[0], error);
    }
    event_pages_close(pages);
    sieve_free(&sieve);
    return done;
}

bool event_scan_in_order(const struct event_scan *scan, void *context, struct error *error) {
    void *contexts[EVENT_SCAN_THREADS];
    size_t count = event_scan_threads();

    for (size_t i = 0; i < count; i++) {
        contexts[i] = context;
    }
    return run_scan(scan, contexts, count, true, error);
}

bool event_scan_in_parts(const struct event_scan *scan, void *const *contexts, size_t count,
                         struct error *error) {
    return run_scan(scan, contexts, count < EVENT_SCAN_THREADS ? count : EVENT_SCAN_THREADS, false,
                    error);
}

bool event_scan_selection(struct database *database, const struct selection_filter *filter,
                          bool (*scan_trace)(void *context, struct event_scan *scan,
                                             struct error *error),
                          void *context, struct error *error) {
    sqlite3_stmt *select = database_prepare(
        database,
        "SELECT trace, first_event, last_event, action FROM temp.selection ORDER BY trace", error);
    bool row = true, done = select != NULL;

    while (done && row) {
        done = database_step(database, select, &row, error);
        if (done && row) {
            struct event_scan scan = {
                .database = database,
                .filter = filter,
                .trace = sqlite3_column_int64(select, 0),
                .first = sqlite3_column_int64(select, 1),
                .last = sqlite3_column_int64(select, 2),
                .action = database_column_optional(select, 3),
            };

            done = scan_trace(context, &scan, error);
        }
    }
    sqlite3_finalize(select);
    return done;
}

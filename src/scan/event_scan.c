#include "scan/event_scan.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/partition.h"
#include "scan/id_set.h"
#include "scan/open_times.h"
#include "store/devices.h"
#include "store/event_pages.h"
#include "store/partition_table.h"

/* --- which rows --------------------------------------------------------------------------------
 */

/* The filter as it applies to a row. */
struct sieve {
    int64_t action;
    bool by_operation, by_actor, by_object, by_partition;
    struct id_set operations, actors, objects;
    unsigned classes_out;
    struct partitions partitions;
    struct devices devices;
    bool *partition_passes; /* owned; by number, the last is that of what lies in none */
    struct open_times open; /* that are put where the events lack them */
    unsigned fields;        /* that it looks at, beside the action */
};

/* By the rules of the tally of partitions. */
static bool read_partitions(struct sieve *sieve, const struct event_scan *scan,
                            const struct name_set *names, struct error *error) {
    struct partitions *partitions = &sieve->partitions;

    if (!partitions_read(scan->database, scan->trace, partitions, error) ||
        !devices_read(&sieve->devices, scan->database, scan->trace, error)) {
        return false;
    }
    sieve->partition_passes = calloc(partitions->count + 1, sizeof *sieve->partition_passes);
    if (sieve->partition_passes == NULL) {
        return error_no_memory(error);
    }
    for (size_t i = 0; i < partitions->count; i++) {
        sieve->partition_passes[i] = name_set_passes(names, partitions->entries[i].name);
    }
    sieve->partition_passes[partitions->count] = name_set_passes(names, PARTITION_UNMAPPED);
    return true;
}

/* Of spans: calls that were open at the end have times, unless the selection leaves them out. Those
 * that are corrected are among the corrected ones. */
static bool read_open(struct sieve *sieve, const struct event_scan *scan, struct error *error) {
    const struct selection *selection = scan->selection;

    if (selection == NULL || selection->leave_open || selection->times == CALL_TIMES_CORRECTED ||
        selection->traces[0].trace->kind != TRACE_SPANS ||
        (scan->fields & (EVENT_DURATION | EVENT_SELF | EVENT_CPU)) == 0) {
        return true;
    }
    if (!open_times_read(&sieve->open, scan->database, scan->first, scan->last, error)) {
        return false;
    }
    sieve->fields |= sieve->open.count > 0 ? (unsigned)EVENT_FLAGS : 0;
    return true;
}

static bool sieve_init(struct sieve *sieve, const struct event_scan *scan, struct error *error) {
    static const struct filter everything;
    const struct selection *selection = scan->selection;
    const struct filter *filter = selection == NULL ? &everything : &selection->filter;

    *sieve = (struct sieve){
        .action = scan->action,
        .by_operation = filter_by_operation(filter),
        .by_actor = filter_by_actor(filter),
        .by_object = filter_by_object(filter),
        .by_partition = filter_has(filter, FILTER_PARTITION),
        .classes_out = filter->classes_out,
    };
    sieve->fields = (sieve->by_operation ? (unsigned)EVENT_OPERATION : 0) |
                    (sieve->by_actor ? (unsigned)EVENT_ACTOR : 0) |
                    (sieve->by_object ? (unsigned)EVENT_OBJECT : 0) |
                    (sieve->by_partition ? (unsigned)EVENT_OBJECT | EVENT_ADDRESS : 0) |
                    (sieve->classes_out != 0 ? (unsigned)EVENT_FLAGS : 0);
    return (!sieve->by_operation ||
            id_set_read(&sieve->operations, selection, SELECTED_OPERATIONS, scan->trace, error)) &&
           (!sieve->by_actor ||
            id_set_read(&sieve->actors, selection, SELECTED_ACTORS, scan->trace, error)) &&
           (!sieve->by_object ||
            id_set_read(&sieve->objects, selection, SELECTED_OBJECTS, scan->trace, error)) &&
           (!sieve->by_partition ||
            read_partitions(sieve, scan, &filter->names[FILTER_PARTITION], error)) &&
           read_open(sieve, scan, error);
}

static void sieve_free(struct sieve *sieve) {
    id_set_free(&sieve->operations);
    id_set_free(&sieve->actors);
    id_set_free(&sieve->objects);
    partitions_free(&sieve->partitions);
    devices_free(&sieve->devices);
    open_times_free(&sieve->open);
    free(sieve->partition_passes);
}

static bool passes_partition(const struct sieve *sieve, uint32_t object, int64_t sector) {
    return sieve
        ->partition_passes[partition_index(sieve->partitions.entries, sieve->partitions.count,
                                           devices_find(&sieve->devices, object), sector)];
}

static bool passes_class(const struct sieve *sieve, uint32_t flags) {
    return (sieve->classes_out >> io_class_of(flags) & 1) == 0;
}

static bool passes(const struct sieve *sieve, const struct event_columns *columns, size_t i) {
    /* Nothing is 0, which no action is. */
    return (sieve->action == EVENT_NONE ||
            (columns->operation[i] != 0 && columns->operation[i] == sieve->action)) &&
           (!sieve->by_operation || id_set_has(&sieve->operations, columns->operation[i])) &&
           (!sieve->by_actor || id_set_has(&sieve->actors, columns->actor[i])) &&
           (!sieve->by_object || id_set_has(&sieve->objects, columns->object[i])) &&
           (sieve->classes_out == 0 || passes_class(sieve, columns->flags[i])) &&
           (!sieve->by_partition ||
            passes_partition(sieve, columns->object[i], columns->address[i]));
}

/* Events whose places are kept on the stack while they are sifted. */
enum { SIFTED_AT_ONCE = 4096 };

/* Visits those events that pass. */
static bool visit_passing(const struct event_scan *scan, const struct sieve *sieve, void *context,
                          struct event_columns *columns, size_t count, struct error *error) {
    uint32_t kept[SIFTED_AT_ONCE];
    size_t passed = 0;

    open_times_fill(&sieve->open, columns, count);
    if (sieve->fields == 0 && sieve->action == EVENT_NONE) {
        return count == 0 || scan->visit(context, columns, count, error);
    }
    for (size_t at = 0; at < count;) {
        size_t found = 0;

        for (size_t end = count - at < SIFTED_AT_ONCE ? count : at + SIFTED_AT_ONCE; at < end;
             at++) {
            kept[found] = (uint32_t)at;
            found += passes(sieve, columns, at);
        }
        event_columns_move(columns, passed, kept, found);
        passed += found;
    }
    return passed == 0 || scan->visit(context, columns, passed, error);
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
        struct event_columns *columns;
        size_t count;

        done = event_pages_read(reader, page, page + 1, &columns, &count, error) &&
               visit_passing(scan->scan, scan->sieve, worker->context, columns, count, error);
    }
    return done;
}

static bool visit_in_turn(const struct page_worker *worker, struct event_page_reader *reader,
                          size_t first, size_t behind, struct error *error) {
    struct page_scan *scan = worker->scan;
    struct event_columns *columns;
    size_t count;
    bool done = event_pages_read(reader, first, behind, &columns, &count, error);

    /* A failure has to wait, too: there may be enough before it. */
    if (!await_turn(scan, first) || !done) {
        return false;
    }
    if (!visit_passing(scan->scan, scan->sieve, worker->context, columns, count, error)) {
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
                              scan->scan->fields | scan->sieve->fields, scan->sieve->action);
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

/* How the columns behind id and time are kept, in the order in which they are selected. */
static const enum event_form forms[EVENT_PLACES] = {
#define X(NAME, field, FORM) [EVENT_PLACE_##NAME] = EVENT_FORM_##FORM,
    EVENT_COLUMNS(X)
#undef X
};
enum { FIRST_COLUMN = 2, CPU_COLUMN = FIRST_COLUMN + EVENT_PLACES };

/* Puts the current row where event `at` of the columns is. */
static void read_row(sqlite3_stmt *select, struct event_columns *columns, size_t at) {
    columns->id[at] = sqlite3_column_int64(select, 0);
    columns->time[at] = sqlite3_column_int64(select, 1);
    for (int place = 0; place < EVENT_PLACES; place++) {
        void *array = *event_columns_array(columns, 1u << place);

        if (array != NULL) {
            event_columns_put(array, forms[place], at,
                              database_column_optional(select, FIRST_COLUMN + place));
        }
    }
    if (columns->cpu_duration != NULL) {
        columns->cpu_duration[at] = database_column_optional(select, CPU_COLUMN);
        columns->cpu_self[at] = database_column_optional(select, CPU_COLUMN + 1);
    }
    if (columns->arguments != NULL) {
        const int column = FIRST_COLUMN + EVENT_PLACE_ARGUMENTS;

        columns->arguments[at] = sqlite3_column_blob(select, column);
        columns->arguments_size[at] = (uint32_t)sqlite3_column_bytes(select, column);
    }
}

/* Argument bytes that nobody wants are not fetched. */
static void append_columns(struct text *sql, unsigned fields) {
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        if (place == EVENT_PLACE_ARGUMENTS && (fields & EVENT_ARGUMENTS) == 0) {
            text_append_string(sql, ", NULL");
        } else {
            text_append_format(sql, ", e.%s", event_column_name((enum event_place)place));
        }
    }
}

static bool is_under(const struct event_scan *scan) {
    return scan->selection != NULL && scan->selection->filter.under != NULL;
}

/* Where the times lie that are not in main.event. */
static const char *times_table(const struct event_scan *scan) {
    const char *table = scan->times == NULL ? NULL : selection_times(scan->times);

    return table == NULL ? "main.cpu_time" : table;
}

static sqlite3_stmt *prepare_select(const struct event_scan *scan, struct error *error) {
    bool under = is_under(scan), beside = scan->fields & EVENT_CPU;
    const struct selection *selection = under ? scan->selection : beside ? scan->times : NULL;
    sqlite3_stmt *select = NULL;
    struct text sql = {0};

    text_append_string(&sql, "SELECT e.id, e.time");
    append_columns(&sql, scan->fields);
    text_append_format(&sql, ", %s FROM %s main.event AS e",
                       beside ? "c.duration, c.self" : "NULL, NULL",
                       under ? "temp.selected_range AS r CROSS JOIN" : "");
    if (beside) {
        text_append_format(&sql, " LEFT JOIN %s AS c ON c.event = e.id", times_table(scan));
    }
    text_append_format(&sql, " WHERE e.id BETWEEN %s",
                       under ? "max(r.first, ?1) AND min(r.last, ?2) AND r.trace = ?3"
                             : "?1 AND ?2");
    if (sql.failed) {
        error_no_memory(error);
    } else {
        select = selection == NULL ? database_prepare(scan->database, text_string(&sql), error)
                                   : scratch_prepare(selection->scratch, text_string(&sql), error);
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
    unsigned fields = scan->fields | sieve->fields |
                      (sieve->action != EVENT_NONE ? (unsigned)EVENT_OPERATION : 0);
    /* Argument bytes only stay until the next step. */
    size_t at_once = scan->fields & EVENT_ARGUMENTS ? 1 : ROWS_AT_ONCE;
    sqlite3_stmt *select = prepare_select(scan, error);
    struct event_columns columns = {0};
    bool row = true, done = select != NULL && (event_columns_grow(&columns, fields, at_once) ||
                                               error_no_memory(error));

    while (done && row) {
        size_t count = 0;

        while (done && row && count < at_once) {
            done = database_step(scan->database, select, &row, error);
            if (done && row) {
                read_row(select, &columns, count++);
            }
        }
        done = done && visit_passing(scan, sieve, context, &columns, count, error);
    }
    sqlite3_finalize(select);
    event_columns_free(&columns);
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

    /* What lies beneath a function are many short ranges, and other times lie elsewhere. */
    if (done && is_under(scan) && !scan->selection->ranges_known) {
        done = error_set(error, "what lies under %s has not been found",
                         scan->selection->filter.under);
    }
    if (done && !(scan->fields & EVENT_CPU) && !is_under(scan)) {
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

void event_scan_init(struct event_scan *scan, const struct selection *selection,
                     const struct selected_trace *trace) {
    *scan = (struct event_scan){
        .database = selection->database,
        .selection = selection,
        .times = selection,
        .trace = trace->trace->id,
        .first = trace->first,
        .last = trace->last,
        .action = trace->action,
    };
}

/* event_scan: columns and rows yield the same events, and damaged columns are reported. */
#include <pthread.h>

#include "model/event_chunk.h"
#include "scan/event_scan.h"
#include "store/catalog.h"
#include "unit.h"

/* More than two chunks. */
enum { EVENTS = 40000 };

/* For tests of every bit. */
enum { FEW = 40, COLUMNS = 7, FIELDS = 3, CODES = 4 };

/* Imports I/Os of four steps, sizes and processes, first alternating, then long runs of each step.
 * There are two traces, so that the ids of the second do not begin with 1. */
static void set_up_events(int events) {
    struct text log = {0};

    database_make();
    for (int i = 1; i <= events; i++) {
        text_append_format(&log, "%d.%09d\t%c\t%s\t%d\t%d\t%d\tp%d\tM\n", i / 100, i % 100,
                           "QGDC"[i < 10000 ? i % 4 : i / 500 % 4], i % 3 == 0 ? "R" : "WS",
                           i * 8 % 100003, 8 * (i % 5 + 1), i / 20000, i / 20000);
    }
    unit_import(&database, "most", "before", "1.000000000\tC\tR\t8\t8\t1\tp\tM\n");
    unit_import(&database, "most", "log", text_string(&log));
    text_free(&log);
    ck_assert(catalog_load(&catalog, &database, &error));
}

static void set_up(void) {
    set_up_events(EVENTS);
}

static void set_up_few(void) {
    set_up_events(FEW);
}

struct sums {
    int64_t count, ids, fields, last_id;
    bool in_order;
};

static bool add_up(void *context, const struct event_columns *columns, size_t count,
                   struct error *error) {
    struct sums *sums = context;

    (void)error;
    for (size_t i = 0; i < count; i++) {
        sums->count++;
        sums->ids += columns->id[i] * (columns->time[i] % 1009);
        sums->fields += (columns->id[i] % 97) * columns->address[i] + columns->size[i] +
                        columns->flags[i] * (columns->id[i] % 11);
        sums->in_order = sums->in_order && columns->id[i] > sums->last_id;
        sums->last_id = columns->id[i];
    }
    return true;
}

/* Returns a scan of a range of positions in the second trace. */
static struct event_scan make_scan(int64_t first, int64_t last, int64_t action) {
    const struct catalog_trace *trace = &catalog.traces[1];

    return (struct event_scan){
        .database = &database,
        .trace = trace->id,
        .first = trace->first_event + first,
        .last = trace->first_event + last,
        .action = action,
        .fields = EVENT_ADDRESS | EVENT_SIZE | EVENT_FLAGS,
        .visit = add_up,
    };
}

static void add_sums(struct sums *to, const struct sums *from) {
    to->count += from->count;
    to->ids += from->ids;
    to->fields += from->fields;
}

static struct sums scan(int64_t first, int64_t last, int64_t action, bool in_order) {
    struct event_scan scan = make_scan(first, last, action);
    struct sums turns[3] = {{.in_order = true}, {.in_order = true}, {.in_order = true}};
    struct sums parts[EVENT_SCAN_THREADS] = {{0}}, all = {0};
    void *turn_contexts[3] = {&turns[0], &turns[1], &turns[2]}, *contexts[EVENT_SCAN_THREADS];

    for (int i = 0; i < EVENT_SCAN_THREADS; i++) {
        contexts[i] = &parts[i];
    }
    assert_done(
        event_scan_in_parallel(&scan, turn_contexts, in_order ? 3 : 0, contexts, 3, &error));
    for (int i = 0; i < EVENT_SCAN_THREADS; i++) {
        add_sums(&all, &parts[i]);
    }
    for (int i = 1; in_order && i < 3; i++) {
        ck_assert_mem_eq(&turns[i], &turns[0], sizeof turns[0]);
    }
    ck_assert(!in_order || (turns[0].in_order && turns[0].count == all.count &&
                            turns[0].ids == all.ids && turns[0].fields == all.fields));
    return all;
}

static const struct {
    int64_t first, last;
} ranges[] = {{0, EVENTS - 1}, {0, 0}, {EVENTS - 1, EVENTS - 1}, {100, 16383}, {16384, 16384},
              {16383, 32768},  {5, 4}, {20000, EVENTS - 1}};

/* Returns the result of plain SQL for a range. */
static struct sums expected(int64_t first, int64_t last, int64_t action) {
    const char *const sums[] = {"count(*)", "ifnull(sum(id * (time % 1009)), 0)",
                                "ifnull(sum((id % 97) * address + size + flags * (id % 11)), 0)"};
    int64_t values[3], origin = catalog.traces[1].first_event;

    for (int i = 0; i < 3; i++) {
        char sql[256];

        snprintf(sql, sizeof sql,
                 "SELECT %s FROM event WHERE id BETWEEN %lld AND %lld AND (?1 < 0 OR operation ="
                 " ?1)",
                 sums[i], (long long)(origin + first), (long long)(origin + last));
        assert_done(database_query_integer(&database, sql, action == EVENT_NONE ? -1 : action, 0,
                                           &values[i], &error));
    }
    return (struct sums){.count = values[0], .ids = values[1], .fields = values[2]};
}

static void ranges_agree(void) {
    int64_t action;

    ck_assert(database_query_integer(&database, "SELECT max(operation) FROM event", 0, 0, &action,
                                     &error));
    for (size_t i = 0; i < COUNT(ranges); i++) {
        for (int way = 0; way < 4; way++) {
            int64_t wanted = way / 2 == 0 ? EVENT_NONE : action;
            struct sums found = scan(ranges[i].first, ranges[i].last, wanted, way % 2 == 0);
            struct sums right = expected(ranges[i].first, ranges[i].last, wanted);

            ck_assert_int_eq(found.count, right.count);
            ck_assert_int_eq(found.ids, right.ids);
            ck_assert_int_eq(found.fields, right.fields);
        }
    }
}

UNIT_CASE("event_scan", set_up, unit_close);

UNIT_TEST(columns_give_what_sql_gives) {
    ranges_agree();
    unit_run("BEGIN; UPDATE name SET text = 'x'");
    ranges_agree();
    unit_run("ROLLBACK; PRAGMA journal_mode = WAL; UPDATE name SET text = 'y'");
    ranges_agree();
    unit_run("PRAGMA journal_mode = DELETE");
}

UNIT_TEST(rows_give_it_without_columns) {
    unit_run("DELETE FROM event_column");
    ranges_agree();
}

static const char *const damages[] = {
    "UPDATE event_column SET data = x'' WHERE field = 'size'",
    "UPDATE event_column SET data = 7 WHERE field = 'size'",
    "UPDATE event_column SET data = zeroblob(1 << 20) WHERE field = 'size'",
    "UPDATE event_column SET data = substr(data, 2) WHERE field = 'time'",
    "DELETE FROM event_column WHERE field = 'time' AND first = 16384",
    "UPDATE event_column SET count = count + 1 WHERE field = 'address'",
    "UPDATE event_column SET first = first + 1 WHERE field = 'flags' AND first = 16384",
    "UPDATE event_column SET count = 1 << 40 WHERE field = 'time' AND first = 0",
    "UPDATE event_column SET first = -1 WHERE field = 'time' AND first = 0",
    "UPDATE event_column SET count = 0 WHERE field = 'time' AND first = 16384",
    "UPDATE event_column SET field = 'sizd' WHERE field = 'size' AND first = 32768",
    "DELETE FROM event_column WHERE field = 'flags' AND first = 32768",
    "UPDATE event_column SET data = zeroblob(length(data)) WHERE field = 'size' AND first = 16384",
    "UPDATE event_column SET sum = sum + 1 WHERE field = 'size' AND first = 16384",
    "UPDATE OR REPLACE event_column SET trace = 2 WHERE trace = 1",
};

UNIT_LOOP(damaged_columns_are_told, COUNT(damages)) {
    struct event_scan scan = make_scan(0, EVENTS - 1, EVENT_NONE);
    struct sums sums[2] = {{0}};
    void *contexts[2] = {&sums[0], &sums[1]};

    unit_run(damages[_i]);
    ck_assert(!event_scan_in_parallel(&scan, contexts, 2, NULL, 0, &error));
    assert_message(&error, "the columns of trace log are damaged; tracetool check --repair");
    error = (struct error){0};
    ck_assert(!event_scan_in_parallel(&scan, NULL, 0, contexts, 2, &error));
    assert_message(&error, "the columns of trace log are damaged; tracetool check --repair");
}

/* --- single bits --- */

/* Returns whether a scan of the second trace reports damaged columns; otherwise its result must be
 * correct. */
static bool is_told(const struct sums *right, int64_t action) {
    struct event_scan scan = make_scan(0, FEW - 1, action);
    struct sums found = {.in_order = true};

    if (!event_scan_in_order(&scan, &found, &error)) {
        assert_message(&error, "the columns of trace log are damaged; tracetool check --repair");
        return true;
    }
    ck_assert_int_eq(found.count, right->count);
    ck_assert_int_eq(found.ids, right->ids);
    ck_assert_int_eq(found.fields, right->fields);
    return false;
}

UNIT_CASE("bits", set_up_few, unit_close);

/* Flips a bit of a number stored next to the code in event_column; also where it may cause a chunk
 * to be skipped. */
UNIT_LOOP(flipped_bits_of_extents_are_told, COLUMNS *FIELDS) {
    static const char *const columns[COLUMNS] = {"trace", "first", "count", "least",
                                                 "most",  "sum",   "fields"};
    static const char *const fields[FIELDS] = {"time", "size", "operation"};
    const char *column = columns[_i % COLUMNS], *field = fields[_i / COLUMNS];
    const struct sums all = expected(0, FEW - 1, EVENT_NONE);
    int64_t action = unit_ask("SELECT max(operation) FROM event");
    const struct sums some = expected(0, FEW - 1, action);
    /* Without times a trace has no columns; only these define the fields. */
    bool of_time = _i / COLUMNS == 0, silent = of_time ? _i == 0 : _i % COLUMNS == COLUMNS - 1;
    char sql[256];

    unit_run("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY");
    for (int bit = 0; bit < 64; bit++) {
        long long one = (long long)(UINT64_C(1) << bit);
        bool told;

        unit_run("BEGIN");
        snprintf(sql, sizeof sql,
                 "UPDATE event_column SET %s = (%s | %lld) - (%s & %lld)"
                 " WHERE field = '%s' AND trace = %lld",
                 column, column, one, column, one, field, (long long)catalog.traces[1].id);
        unit_run(sql);
        told = is_told(&all, EVENT_NONE);
        told = is_told(&some, action) || told;
        ck_assert(told == !silent);
        unit_run("ROLLBACK");
    }
}

UNIT_LOOP(flipped_bits_of_codes_are_told, CODES) {
    static const char *const fields[CODES] = {"time", "address", "size", "flags"};
    const struct sums all = expected(0, FEW - 1, EVENT_NONE);
    char sql[256];
    sqlite3_blob *blob = NULL;

    snprintf(sql, sizeof sql, "SELECT rowid FROM event_column WHERE field = '%s' AND trace = %lld",
             fields[_i], (long long)catalog.traces[1].id);
    unit_run("BEGIN");
    ck_assert_int_eq(
        sqlite3_blob_open(database.handle, "main", "event_column", "data", unit_ask(sql), 1, &blob),
        SQLITE_OK);
    for (int bit = 0; bit < 8 * sqlite3_blob_bytes(blob); bit++) {
        unsigned char byte, other;

        ck_assert_int_eq(sqlite3_blob_read(blob, &byte, 1, bit / 8), SQLITE_OK);
        other = byte ^ (unsigned char)(1u << bit % 8);
        ck_assert_int_eq(sqlite3_blob_write(blob, &other, 1, bit / 8), SQLITE_OK);
        ck_assert(is_told(&all, EVENT_NONE));
        ck_assert_int_eq(sqlite3_blob_write(blob, &byte, 1, bit / 8), SQLITE_OK);
    }
    ck_assert(!is_told(&all, EVENT_NONE));
    sqlite3_blob_close(blob);
    unit_run("ROLLBACK");
}

static bool fail_late(void *context, const struct event_columns *columns, size_t count,
                      struct error *error) {
    int64_t *seen = context;

    (void)columns;
    *seen += (int64_t)count;
    return *seen < 1000 || error_set(error, "enough");
}

UNIT_CASE("event_scan", set_up, unit_close);

/* It also ends before damaged data further on. */
UNIT_TEST(a_failing_visitor_ends_a_scan) {
    struct event_scan scan = make_scan(0, EVENTS - 1, EVENT_NONE);
    int64_t seen = 0;

    scan.visit = fail_late;
    unit_run("UPDATE event_column SET data = x'00' WHERE first > 0");
    ck_assert(!event_scan_in_order(&scan, &seen, &error));
    assert_message(&error, "enough");
    ck_assert_int_lt(seen, EVENTS);
}

static pthread_barrier_t meeting;

/* The first visit of each context waits for that of another thread. */
static bool meet(void *context, const struct event_columns *columns, size_t count,
                 struct error *error) {
    bool *met = context;

    (void)columns;
    (void)count;
    (void)error;
    if (!*met) {
        pthread_barrier_wait(&meeting);
        *met = true;
    }
    return true;
}

/* Otherwise the test times out: three chunks, and three threads that wait for each other. */
UNIT_TEST(threads_work_at_once) {
    struct event_scan scan = make_scan(0, EVENTS - 1, EVENT_NONE);
    bool met[3] = {false};
    void *contexts[3] = {&met[0], &met[1], &met[2]};

    scan.visit = meet;
    ck_assert_int_eq(pthread_barrier_init(&meeting, NULL, 3), 0);
    assert_done(event_scan_in_parallel(&scan, NULL, 0, contexts, 3, &error));
    ck_assert(met[0] && met[1] && met[2]);
    pthread_barrier_destroy(&meeting);
}

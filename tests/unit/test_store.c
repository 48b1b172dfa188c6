/* store: one trace is one transaction; database: which files are recognised. */
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

#include "store/store.h"
#include "store/trace_tables.h"
#include "store/schema.h"
#include "store/rollup_tables.h"
#include "unit.h"

static const struct store_trace first_trace = {
    .name = "first",
    .format = "test",
    .device = "Palm V",
    .kind = TRACE_CALLS,
    .columns = EVENT_OPERATION | EVENT_ACTOR | EVENT_SIZE | EVENT_ARGUMENTS,
};

static int64_t integer(struct database *database, const char *sql) {
    int64_t value;

    assert_done(database_query_integer(database, sql, 0, INT64_MIN, &value, &error));
    return value;
}

UNIT_CASE("store", folder_make, unit_close);

/* The list of columns equals the table's, in order. */
UNIT_TEST(columns_are_those_of_the_schema) {
    struct database database = folder_database();
    sqlite3_stmt *columns = database_prepare(
        &database, "SELECT name FROM pragma_table_info('event') ORDER BY cid", &error);
    const char *const first[] = {"id", "time"};
    unsigned count = 0;
    bool row = true;

    while (row) {
        ck_assert(database_step(&database, columns, &row, &error));
        if (row) {
            ck_assert_uint_lt(count, EVENT_PLACES + 2);
            ck_assert_str_eq((const char *)sqlite3_column_text(columns, 0),
                             count < 2 ? first[count]
                                       : event_column_name((enum event_place)(count - 2)));
            count++;
        }
    }
    ck_assert_uint_eq(count, EVENT_PLACES + 2);
    sqlite3_finalize(columns);
    database_close(&database);
}

/* Returns a batch of `count` events, one tick apart, with one actor and one name. */
static struct batch *make_batch(const struct store *store, size_t count) {
    struct batch *batch = batch_new();
    struct entry name = {
        .table = ENTRY_NAME,
        .id = store->first_name,
        .name = {.kind = "trap", .code = 0xA0F5, .text = "TimGetSeconds", .length = 13},
    };
    struct entry actor = {
        .table = ENTRY_ACTOR,
        .id = store->first_actor,
        .actor = {.session = 1, .pid = EVENT_NONE, .tid = EVENT_NONE, .code = 7},
    };

    batch_add_entry(batch, &name);
    batch_add_entry(batch, &actor);
    for (size_t i = 0; i < count; i++) {
        batch->events[batch->event_count++] = (struct event){
            .time = 10 * (int64_t)i,
            .duration = EVENT_NONE,
            .address = EVENT_NONE,
            .size = (int64_t)i,
            .value = EVENT_NONE,
            .parent = EVENT_NONE,
            .depth = -1,
            .operation = store->first_name,
            .actor = store->first_actor,
            .arguments = i == 1 ? (const uint8_t *)"\0ab" : NULL,
            .arguments_size = i == 1 ? 3 : 0,
        };
    }
    return batch;
}

static const struct store_ending ending = {
    .variant = "v",
    .clock_unit = "ns",
    .clocks = "wall",
    .clock_hz = EVENT_NONE,
    .last_time = EVENT_NONE,
    .round = EVENT_NONE,
    .call_overhead = EVENT_NONE,
    .start = EVENT_NONE,
    .utc_offset = EVENT_NONE,
    .sessions = 1,
    .events = 5,
};

/* Writes a batch, and frees it. */
static void write_batch(struct store *store, struct batch *batch) {
    store_make_rows(store, batch);
    assert_done(store_write(store, batch, &error));
    batch_free(batch);
}

/* Begins a trace and writes five events; the test ends it. */
static void begin(struct store *store, struct database *database, const struct store_trace *trace) {
    assert_done(store_begin(store, database, trace, &error));
    write_batch(store, make_batch(store, 5));
}

static void keep(struct database *database, const struct store_trace *trace) {
    struct store store;

    begin(&store, database, trace);
    assert_done(store_complete(&store, &ending, "hour", &error) && store_commit(&store, &error));
    store_end(&store);
}

static int traces_seen(sqlite3 *handle) {
    sqlite3_stmt *count = NULL;
    int seen;

    sqlite3_prepare_v2(handle, "SELECT count(*) FROM trace", -1, &count, NULL);
    seen = sqlite3_step(count) == SQLITE_ROW ? sqlite3_column_int(count, 0) : 0;
    sqlite3_finalize(count);
    return seen;
}

struct readers {
    sqlite3 *reading, *watching;
};

/* Reads until there is a new commit. */
static void *read_until_commit(void *context) {
    const struct readers *reader = context;

    while (traces_seen(reader->watching) < 2) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    sqlite3_exec(reader->reading, "COMMIT", NULL, NULL, NULL);
    return NULL;
}

/* Fills the log of a trace while a reader from before the commit is open. */
static void keep_beside(struct database *database, struct readers *reader, bool ends) {
    static const char names[] =
        "WITH RECURSIVE number (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 8000)"
        " INSERT INTO main.name (trace, kind, text) SELECT 1, 'trap', hex(zeroblob(4000)) FROM"
        " number";
    struct store_trace second = first_trace;
    struct store store;
    pthread_t thread;

    second.name = "second";
    begin(&store, database, &second);
    assert_done(database_run(database, names, &error));
    ck_assert_int_eq(sqlite3_open(database->path, &reader->reading), SQLITE_OK);
    ck_assert_int_eq(sqlite3_open(database->path, &reader->watching), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(reader->reading, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(traces_seen(reader->reading), 1);
    ck_assert(!ends || pthread_create(&thread, NULL, read_until_commit, reader) == 0);
    assert_done(store_complete(&store, &ending, "hour", &error) && store_commit(&store, &error));
    if (ends) {
        pthread_join(thread, NULL);
    }
    store_end(&store);
}

/* Stores a trace of a few rows. */
static void keep_little(struct database *database) {
    struct store_trace third = first_trace;

    third.name = "third";
    keep(database, &third);
}

/* Otherwise the reader would checkpoint the log. A reader that stays is not waited for. */
UNIT_LOOP(readers_that_end_soon_do_not_keep_the_log, 2) {
    const bool ends = _i != 0;
    struct database database = folder_database();
    struct readers reader;
    struct stat status;

    keep(&database, &first_trace);
    database_close(&database);
    database = folder_database();
    keep_beside(&database, &reader, ends);
    ck_assert_int_eq(stat(folder_path("x.db-wal"), &status), 0);
    ck_assert_int_eq(status.st_size == 0, ends);
    keep_little(&database);
    sqlite3_close(reader.watching);
    sqlite3_close(reader.reading);
    database_close(&database);
    ck_assert_int_ne(stat(folder_path("x.db-wal"), &status), 0);
    database = folder_database();
    ck_assert_int_eq(integer(&database, "SELECT count(*) FROM event"), 15);
    ck_assert_int_eq(integer(&database, "SELECT count(*) FROM name"), 8003);
    database_close(&database);
}

/* Ids written by another program: there is no room after the largest. */
UNIT_LOOP(ids_have_room, 5) {
    static const struct {
        const char *sql;
        bool fits;
    } ids[] = {
        {"INSERT INTO event (id, time) VALUES (9223372036854775807, 0)", false},
        {"INSERT INTO event (id, time) VALUES (9223372036854775800, 0)", false},
        {"INSERT INTO event (id, time) VALUES (4611686018427387904, 0)", false},
        {"INSERT INTO event (id, time) VALUES (4611686018427387903, 0)", true},
        {"INSERT INTO event (id, time) VALUES (-3, 0)", true},
    };
    struct database database = folder_database();
    struct store store;

    ck_assert(database_run(&database, ids[_i].sql, &error));
    if (ids[_i].fits) {
        keep(&database, &first_trace);
        ck_assert_int_eq(integer(&database,
                                 "SELECT count(*) FROM trace JOIN event ON event.id"
                                 " BETWEEN first_event AND last_event AND size NOT NULL"),
                         5);
    } else {
        ck_assert(!store_begin(&store, &database, &first_trace, &error));
        assert_message(&error, "event ids of this database are used up");
        store_end(&store);
    }
    database_close(&database);
}

/* The whole content as SQL text, by sqlite3's own dump. */
static void dump_to(const char *name) {
    char command[128];

    snprintf(command, sizeof command, "sqlite3 x.db .dump >%s", name);
    folder_run(command);
}

UNIT_TEST(rolled_back_traces_leave_no_trace) {
    struct store_trace second = first_trace;
    struct database database = folder_database();
    struct store store;

    second.name = "second";
    keep(&database, &first_trace);
    dump_to("before");
    begin(&store, &database, &second);
    ck_assert(database_run_bound(&database, &error, "INSERT INTO remark VALUES (?1, 0, 'remark')",
                                 "i", store.trace));
    ck_assert(database_run_bound(&database, &error, "INSERT INTO loggable VALUES (?1, 7, 1)", "i",
                                 store.trace));
    store_end(&store);
    database_close(&database);
    dump_to("after");
    folder_run("cmp before after");
}

UNIT_TEST(events_are_sorted_by_time) {
    struct database database = folder_database();
    struct store store;
    struct batch *batch;

    ck_assert(store_begin(&store, &database, &first_trace, &error));
    batch = make_batch(&store, 5);
    for (size_t i = 0; i < 5; i++) {
        batch->events[i].time = (int64_t)(i * 3 % 5);
    }
    write_batch(&store, batch);
    assert_done(store_sort(&store, &error));
    ck_assert(store_complete(&store, &ending, "", &error) && store_commit(&store, &error));
    store_end(&store);
    /* They get new ids, again a contiguous range. */
    ck_assert_int_eq(integer(&database, "SELECT count(*) FROM event, trace WHERE event.time ="
                                        " event.id - first_event"),
                     5);
    ck_assert_int_eq(integer(&database, "SELECT count(*) FROM event WHERE time = size * 3 % 5"), 5);
    ck_assert_int_eq(integer(&database, "SELECT last_event - first_event FROM trace"), 4);
    ck_assert_int_eq(integer(&database, "SELECT first_time * 10 + last_time FROM trace"), 4);
    database_close(&database);
}

/* --- rows built before SQLite sees them (row_pages.c) ----------------------------------------- */

/* Numbers on both sides of each of SQLite's storage sizes. */
static const int64_t edges[] = {
    EVENT_NONE,
    0,
    1,
    -1,
    2,
    127,
    128,
    -128,
    -129,
    INT16_MAX,
    INT16_MIN,
    INT16_MAX + 1,
    INT16_MIN - 1,
    8388607,
    8388608,
    -8388608,
    -8388609,
    INT32_MAX,
    INT32_MIN,
    INT64_C(2147483648),
    INT64_C(-2147483649),
    INT64_C(140737488355327),
    INT64_C(140737488355328),
    INT64_C(-140737488355328),
    INT64_C(-140737488355329),
    INT64_MAX,
    INT64_MIN + 1,
};

static int64_t edge(size_t number) {
    return edges[number % COUNT(edges)];
}

/* Makes events with every form of every column; `longest` is the size of the last one's
 * arguments. */
static void fill_edges(struct batch *batch, size_t longest) {
    static const uint8_t bytes[70000] = {1, 2, 3};

    for (size_t i = 0; i < BATCH_EVENTS; i++) {
        size_t length = i + 1 < BATCH_EVENTS ? i % 200 : longest;

        batch->events[batch->event_count++] = (struct event){
            .time = edge(i) == EVENT_NONE ? 7 : edge(i),
            .duration = edge(i / 2),
            .operation = (uint32_t)edge(i / 3),
            .actor = i % 2 == 0 ? 0 : (uint32_t)i,
            .object = (uint32_t)edge(i / 7),
            .flags = (uint32_t)edge(i / 5),
            .address = edge(i / 4),
            .size = edge(i / 11),
            .value = edge(i / 13),
            .parent = i % 3 == 0 ? EVENT_NONE : (int64_t)i / 3,
            .depth = (int32_t)(i % 200) - 1,
            .arguments = i % 4 == 0 ? NULL : bytes,
            .arguments_size = i % 4 == 0 ? 0 : (uint32_t)length,
            .self = edge(i / 17),
            .issuer = i % 5 == 0 ? (uint32_t)i : 0,
            .response = i % 7 == 0 ? edge(i) : EVENT_NONE,
            .error = i % 9 == 0 ? 3 : 0,
            .cpu_duration = EVENT_NONE,
            .cpu_self = EVENT_NONE,
        };
    }
}

/* Stores two batches, the second of which may have a row too long for a page. */
static void keep_edges(struct database *database, unsigned columns, bool paged) {
    struct store_trace trace = first_trace;
    struct store store;

    trace.kind = TRACE_SPANS;
    trace.columns = columns;
    assert_done(store_begin(&store, database, &trace, &error));
    ck_assert_int_eq(store.pages != NULL, paged);
    for (int64_t i = 0; i < 3; i++) {
        struct batch *batch = batch_new();

        fill_edges(batch, i == 1 ? 70000 : 100);
        batch->first_serial = i * BATCH_EVENTS;
        write_batch(&store, batch);
    }
    assert_done(store_complete(&store, &ending, "", &error) && store_commit(&store, &error));
    store_end(&store);
}

static const unsigned made_columns[] = {
    (1u << EVENT_PLACES) - 1,
    EVENT_OPERATION | EVENT_ARGUMENTS,
    0,
};

/* If another program added a column to the table, SQLite makes the rows. */
static struct database other_make(void) {
    struct database other;

    assert_done(database_open(&other, folder_path("y.db"), DATABASE_CREATE, &error));
    ck_assert(database_run(&other, "ALTER TABLE event ADD COLUMN mine", &error));
    return other;
}

/* Checks that both have the same `rows` rows; closes the other. */
static void compare_with_other(struct database *database, struct database *other, int64_t rows) {
    static const char differ[] = "SELECT count(*) FROM (SELECT * FROM %s EXCEPT SELECT * FROM %s)";
    char sql[512];

    ck_assert(database_run(other, "ALTER TABLE event DROP COLUMN mine", &error));
    database_close(other);
    snprintf(sql, sizeof sql, "ATTACH '%s' AS other", folder_path("y.db"));
    assert_done(database_run(database, sql, &error));
    ck_assert_int_eq(integer(database, "SELECT count(*) FROM main.event"), rows);
    ck_assert_int_eq(integer(database, "SELECT count(*) FROM other.event"), rows);

    snprintf(sql, sizeof sql, differ, "main.event", "other.event");
    ck_assert_int_eq(integer(database, sql), 0);
    snprintf(sql, sizeof sql, differ, "other.event", "main.event");
    ck_assert_int_eq(integer(database, sql), 0);
    /* Excludes the pages in memory, which claim to be more than they are. */
    ck_assert_int_eq(integer(database, "SELECT count(*) FROM pragma_integrity_check(100, 'main')"
                                       " WHERE integrity_check = 'ok'"),
                     1);
}

UNIT_LOOP(made_rows_are_those_of_sqlite, COUNT(made_columns)) {
    struct database other = other_make();

    database = folder_database();

    keep_edges(&database, made_columns[_i], true);
    keep_edges(&other, made_columns[_i], false);
    compare_with_other(&database, &other, 3 * BATCH_EVENTS);
}

/* Arguments as long as fit into a page, and a byte more: with some, a leaf has only one row. */
static void keep_long(struct database *database, bool paged) {
    static uint8_t bytes[65300];
    struct store_trace trace = first_trace;
    struct store store;

    memset(bytes, 0, sizeof bytes);
    trace.columns = (1u << EVENT_PLACES) - 1;
    ck_assert(store_begin(&store, database, &trace, &error));
    ck_assert_int_eq(store.pages != NULL, paged);
    for (uint32_t length = 65236; length < 65260; length += 2) {
        struct batch *batch = batch_new();

        fill_edges(batch, 100);
        batch->first_serial = store.next_event - store.first_row;
        batch->event_count = 9;
        bytes[length - 1] = (uint8_t)length;
        for (size_t i = 0; i < 9; i += 2) {
            batch->events[i].arguments = bytes;
            batch->events[i].arguments_size = length + (uint32_t)i;
        }
        write_batch(&store, batch);
    }
    ck_assert(store_complete(&store, &ending, "", &error) && store_commit(&store, &error));
    store_end(&store);
}

UNIT_TEST(made_rows_are_as_long_as_a_page) {
    struct database other = other_make();

    database = folder_database();

    keep_long(&database, true);
    keep_long(&other, false);
    compare_with_other(&database, &other, 12 * 9);
}

/* For a trace next to another one, whose rows are waiting: a row in the middle is too long for a
 * page. */
static void keep_joined(struct database *database, bool paged) {
    struct store_trace second = first_trace;
    struct store store, joined;

    second.name = "second";
    second.columns = (1u << EVENT_PLACES) - 1;
    begin(&store, database, &first_trace);
    assert_done(store_begin_another_trace(&joined, &store, 1, &second, &error));
    ck_assert_int_eq(joined.staged != NULL, paged);
    for (int64_t i = 0; i < 3; i++) {
        struct batch *batch = batch_new();

        fill_edges(batch, i == 1 ? 70000 : 100);
        batch->first_serial = i * BATCH_EVENTS;
        write_batch(&joined, batch);
    }
    assert_done(store_insert_staged_rows(&joined, &error));
    assert_done(store_complete(&store, &ending, "", &error) &&
                store_complete(&joined, &ending, "", &error) && store_commit(&store, &error));
    store_end(&joined);
    store_end(&store);
}

UNIT_TEST(rows_that_waited_are_those_of_sqlite) {
    struct database other = other_make();

    database = folder_database();

    keep_joined(&database, true);
    keep_joined(&other, false);
    ck_assert_int_eq(unit_ask("SELECT first_event FROM trace WHERE name = 'second'"), 6);
    compare_with_other(&database, &other, 5 + 3 * BATCH_EVENTS);
}

/* Trailing columns that a format never sets take no bytes: with five columns the record of an event
 * has at most 1 + 2 + 5 bytes before its values. */
UNIT_TEST(made_rows_have_no_bytes_for_columns_at_the_end) {
    struct database database = folder_database();
    struct store store;
    struct batch *batch;

    ck_assert(store_begin(&store, &database, &first_trace, &error));
    batch = make_batch(&store, 100);
    for (size_t i = 0; i < 100; i++) {
        batch->events[i].time = 1000;
        batch->events[i].size = 100;
        batch->events[i].arguments = NULL;
    }
    write_batch(&store, batch);
    ck_assert(store_complete(&store, &ending, "", &error) && store_commit(&store, &error));
    store_end(&store);
    /* The header: its length, id, time, duration, operation, actor, object, flags, address, size;
     * then 2 bytes for the time and 1 for the size: operation and actor are 1. */
    ck_assert_int_eq(integer(&database, "SELECT sum(payload) FROM dbstat WHERE name = 'event'"),
                     100 * (10 + 2 + 1));
    database_close(&database);
}

/* The pages are attached once for all traces of a connection. */
UNIT_TEST(made_rows_are_of_the_same_pages) {
    struct database database = folder_database();
    struct store_trace second = first_trace;
    struct row_pages *pages;

    keep(&database, &first_trace);
    pages = database.pages;
    ck_assert_ptr_nonnull(pages);
    second.name = "second";
    keep(&database, &second);
    ck_assert_ptr_eq(database.pages, pages);
    ck_assert_int_eq(integer(&database, "SELECT count(*) FROM pragma_database_list"
                                        " WHERE name LIKE 'rows%'"),
                     1);
    database_close(&database);
}

/* --- database files ---------------------------------------------------------------------------*/

static const struct {
    const char *command, *message;
} strangers[] = {
    {"seq 1000 >x.db", "x.db"},
    {"sqlite3 x.db 'CREATE TABLE mine (x)'", "another program"},
    {"sqlite3 x.db 'CREATE TABLE mine (x); PRAGMA application_id = 5'", "another program"},
    {"sqlite3 x.db 'CREATE TABLE trace (x); PRAGMA application_id = 0x54724C67; PRAGMA "
     "user_version = 1000'",
     "newer"},
    {"sqlite3 x.db 'CREATE TABLE trace (x); PRAGMA application_id = 0x54724C67; PRAGMA "
     "user_version = 6'",
     "x.db: made by an earlier development version (schema 6; this one has 10): import the logs "
     "again"},
    {"sqlite3 x.db 'CREATE TABLE trace (rollups)'", "lacks the table source"},
    {"mkdir x.db", "x.db"},
    {"true", "x.db"},
};

UNIT_LOOP(strange_files_are_refused, COUNT(strangers)) {
    struct database database;

    folder_run(strangers[_i].command);
    folder_run("cksum x.db >before 2>/dev/null || :");
    ck_assert(!database_open(&database, folder_path("x.db"), DATABASE_READ, &error));
    assert_message(&error, strangers[_i].message);
    folder_run("cksum x.db 2>/dev/null | cmp before -");
}

UNIT_TEST(reading_does_not_write) {
    database = folder_database();
    keep(&database, &first_trace);
    database_close(&database);
    ck_assert(database_open(&database, folder_path("x.db"), DATABASE_READ, &error));
    ck_assert(!database_run(&database, "DELETE FROM event", &error));
    ck_assert(!database_run(&database, "CREATE TABLE x (y)", &error));
    unit_run("CREATE TEMP TABLE x (y)");
}

UNIT_TEST(a_database_without_a_table_is_refused) {
    database = folder_database();
    keep(&database, &first_trace);
    unit_run("DROP TABLE allocation; DROP TABLE rollup_latency");
    database_close(&database);
    folder_run("cksum x.db >before");
    for (enum database_mode mode = DATABASE_READ; mode <= DATABASE_CREATE; mode++) {
        error = (struct error){0};
        ck_assert(!database_open(&database, folder_path("x.db"), mode, &error));
        assert_message(&error,
                       "lacks the table allocation: made by an earlier development version");
    }
    folder_run("cksum x.db | cmp before -");
}

/* --- migration, by steps of the tests; the program has none yet ------------------------------- */

/* A reader sees tables that a concurrent writer has added, by the step tests/unit/migrate-7.sql. */
UNIT_LOOP(an_earlier_version_is_migrated, 2) {
    database = folder_database();
    keep(&database, &first_trace);
    unit_run("DROP TABLE pairing; DROP TABLE rollup_call; PRAGMA user_version = 7");
    database_close(&database);
    assert_done(database_open(&database, folder_path("x.db"),
                              _i == 0 ? DATABASE_READ : DATABASE_WRITE, &error));
    ck_assert_int_eq(unit_ask("PRAGMA user_version"), DATABASE_SCHEMA_VERSION);
    ck_assert_int_eq(unit_ask("SELECT count(*) FROM pairing"), 0);
    ck_assert_int_eq(unit_ask("SELECT count(*) FROM rollup_call"), 0);
    ck_assert_int_eq(unit_ask("SELECT count(*) FROM trace WHERE device = 'Palm V, migrated'"), 1);
}

#define STEP_1                                                                                     \
    { "migrate-1", "ALTER TABLE a ADD COLUMN x INTEGER; UPDATE a SET x = id + 10" }
#define STEP_2                                                                                     \
    { "migrate-2", "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x * 2" }
#define SCHEMA                                                                                     \
    {                                                                                              \
        "schema", "CREATE TABLE IF NOT EXISTS a (id INTEGER, x INTEGER, y INTEGER);"               \
                  "CREATE TABLE IF NOT EXISTS b (id INTEGER)"                                      \
    }

static const struct resource both_steps[] = {STEP_1, STEP_2, SCHEMA, {NULL, NULL}};
static const struct resource late_step[] = {STEP_2, SCHEMA, {NULL, NULL}};
static const struct resource early_step[] = {STEP_1, SCHEMA, {NULL, NULL}};

UNIT_TEST(steps_lead_from_the_oldest_version) {
    ck_assert_int_eq(migration_oldest(both_steps, 3), 1);
    ck_assert_int_eq(migration_oldest(late_step, 3), 2);
    ck_assert_int_eq(migration_oldest(early_step, 3), 3);
    ck_assert_int_eq(migration_oldest(both_steps, 2), 1);
    ck_assert_int_eq(migration_oldest(both_steps, 1), 1);
}

/* Returns a database of version 1, with `schema` for the table. */
static struct database open_old(const char *schema) {
    static char label[] = "old.db";
    struct database database = {.path = label};

    ck_assert_int_eq(sqlite3_open(folder_path(label), &database.handle), SQLITE_OK);
    assert_done(database_run(&database, schema, &error));
    return database;
}

UNIT_TEST(steps_are_taken_one_after_another) {
    struct database database =
        open_old("CREATE TABLE a (id INTEGER); INSERT INTO a VALUES (1), (5);"
                 "PRAGMA user_version = 1");

    /* The second time does nothing. */
    for (int i = 0; i < 2; i++) {
        assert_done(migration_run(&database, both_steps, 3, &error));
        ck_assert_int_eq(integer(&database, "PRAGMA user_version"), 3);
        ck_assert_int_eq(integer(&database, "SELECT sum(x) FROM a"), 11 + 15);
        ck_assert_int_eq(integer(&database, "SELECT sum(y) FROM a"), 22 + 30);
        ck_assert_int_eq(integer(&database, "SELECT count(*) FROM b"), 0);
    }
    database_finalize_statements(&database);
    sqlite3_close(database.handle);
}

UNIT_TEST(steps_are_taken_all_or_none) {
    struct database database =
        open_old("CREATE TABLE a (id INTEGER, y INTEGER); PRAGMA user_version = 1");

    ck_assert(!migration_run(&database, both_steps, 3, &error));
    assert_message(&error, "duplicate column name: y");
    database_finalize_statements(&database);
    sqlite3_close(database.handle);
    database = open_old("");
    ck_assert_int_eq(integer(&database, "PRAGMA user_version"), 1);
    ck_assert_int_eq(integer(&database, "SELECT count(*) FROM pragma_table_info('a')"), 2);
    ck_assert_int_eq(integer(&database, "SELECT count(*) FROM sqlite_schema"), 1);
    database_finalize_statements(&database);
    sqlite3_close(database.handle);
}

/* Numbers of rows around those of a statement. */
static const int64_t row_counts[] = {0, 1, 63, 64, 65, 128, 1000};

static const char *no_label(void *context, uint32_t number, size_t *length) {
    (void)context;
    (void)number;
    (void)length;
    return NULL;
}

UNIT_LOOP(rows_of_numbers_enter_as_they_are, COUNT(row_counts)) {
    struct database database = folder_database();
    struct tally tally;

    tally_init(&tally, TALLY_FILE);
    ck_assert(database_run(&database,
                           "CREATE TEMP TABLE row (trace INTEGER, operation INTEGER, class INTEGER,"
                           " object INTEGER, count INTEGER, bytes INTEGER,"
                           " PRIMARY KEY (trace, operation, object)) WITHOUT ROWID",
                           &error));
    for (int64_t i = 0; i < row_counts[_i]; i++) {
        const struct tally_row row = {
            .key = {i * 7919 % 101 - 50, i % 3 == 0 ? EVENT_NONE : -i, i},
            .count = i + 1,
        };

        ck_assert(tally_insert(&tally, &row));
    }
    ck_assert(tally_table_write(&database, "temp.row", INT64_MAX, &tally, no_label, NULL, &error));
    ck_assert_int_eq(integer(&database, "SELECT count(*) FROM temp.row WHERE trace = "
                                        "9223372036854775807"
                                        " AND operation = object * 7919 % 101 - 50"
                                        " AND class IS iif(object % 3 = 0, NULL, -object)"
                                        " AND count = object + 1 AND bytes = 0"),
                     row_counts[_i]);
    ck_assert_int_eq(integer(&database, "SELECT count(*) FROM temp.row"), row_counts[_i]);
    /* A second time they exist already. */
    ck_assert(tally_table_write(&database, "temp.row", INT64_MAX, &tally, no_label, NULL, &error) ==
              (row_counts[_i] == 0));
    tally_free(&tally);
    database_close(&database);
}

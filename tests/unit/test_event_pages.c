/* event_pages: what is read from the pages is what SQLite gives; event_scan: on all ways alike. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scan/event_scan.h"
#include "store/event_pages.h"
#include "unit.h"

enum { ALL_COLUMNS = EVENT_CPU - 1 };

static const int page_sizes[] = {512, 1024, 4096, 16384, 65536};

static struct database open_path(const char *path) {
    struct database database = {.path = strdup(path)};

    ck_assert_ptr_nonnull(database.path);
    ck_assert_int_eq(sqlite3_open(database.path, &database.handle), SQLITE_OK);
    return database;
}

static void run(struct database *database, const char *sql) {
    struct error error = {0};

    ck_assert_msg(database_run(database, sql, &error), "%s", error.message);
}

/* A table with rows of all sorts: numbers of every length, some negative, NULLs, ids with gaps,
 * argument bytes that fill several pages, and rows from before there were columns `self`,
 * `issuer` and `response`. */
static struct database make_database(int page_size, int rows) {
    struct database database = open_path(folder_path("x.db"));
    char sql[1024];

    snprintf(sql, sizeof sql,
             "PRAGMA page_size = %d;"
             "CREATE TABLE filler (a); INSERT INTO filler VALUES (randomblob(5000));"
             "CREATE TABLE event (id INTEGER PRIMARY KEY, time, duration, operation, actor, object,"
             " flags, address, size, value, parent, depth, arguments);"
             "CREATE TABLE cpu_time (event INTEGER PRIMARY KEY, duration, self)",
             page_size);
    run(&database, sql);
    snprintf(
        sql, sizeof sql,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
        " INSERT INTO event SELECT 3 * i + i %% 3, (1 << i %% 62) + i,"
        " nullif(i * 1000003 * (i %% 2), 0), i %% 5, i %% 300, nullif(i %% 70000, 7), i %% 257,"
        " CASE i %% 4 WHEN 0 THEN NULL ELSE -(1 << i %% 60) END, i %% 3, i, nullif(i %% 11, 1),"
        " nullif(i %% 40, 39), CASE WHEN i %% 50 = 0 THEN zeroblob(i %% 9 * 7001 + 1)"
        " WHEN i %% 3 = 0 THEN CAST('bytes ' || i AS BLOB) END FROM n",
        rows / 2);
    run(&database, sql);
    run(&database, "ALTER TABLE event ADD COLUMN self INTEGER;"
                   "ALTER TABLE event ADD COLUMN issuer INTEGER;"
                   "ALTER TABLE event ADD COLUMN response INTEGER");
    snprintf(sql, sizeof sql,
             "INSERT INTO event SELECT id + (SELECT max(id) FROM event), time, duration, operation,"
             " actor, object, flags, address, size, value, parent, depth, arguments, id - 50,"
             " nullif(id %% 9, 0), nullif(id %% 7, 3)"
             " FROM event");
    run(&database, sql);
    return database;
}

static void close_file(struct database *database) {
    ck_assert_int_eq(sqlite3_close(database->handle), SQLITE_OK);
    if (database->descriptor > 0) {
        close(database->descriptor);
    }
    free(database->path);
}

static void assert_same(sqlite3_stmt *select, const struct event_columns *columns, size_t i) {
    const int64_t fields[] = {columns->id[i],        columns->time[i],    columns->duration[i],
                              columns->operation[i], columns->actor[i],   columns->object[i],
                              columns->flags[i],     columns->address[i], columns->size[i],
                              columns->value[i],     columns->parent[i],  columns->depth[i],
                              columns->self[i],      columns->issuer[i],  columns->response[i]};
    uint32_t arguments_size = columns->arguments_size[i];

    ck_assert_int_eq(sqlite3_step(select), SQLITE_ROW);
    for (int j = 0; j < (int)(sizeof fields / sizeof fields[0]); j++) {
        int64_t expected = database_column_optional(select, j);
        /* Ids that are not there are 0, a depth is -1. */
        int64_t none = (j >= 3 && j <= 6) || j == 13 ? 0 : j == 11 ? -1 : EVENT_NONE;

        ck_assert_int_eq(fields[j], expected == EVENT_NONE ? none : expected);
    }
    ck_assert_uint_eq(arguments_size, (unsigned)sqlite3_column_bytes(select, 15));
    if (arguments_size > 0) {
        ck_assert_mem_eq(columns->arguments[i], sqlite3_column_blob(select, 15), arguments_size);
    }
}

/* Compares a range; how many rows it has. */
static size_t compare_range(struct database *database, int64_t first, int64_t last,
                            int64_t operation) {
    struct error error = {0};
    struct event_pages *pages;
    struct event_page_reader *reader;
    sqlite3_stmt *select = database_prepare(
        database,
        "SELECT id, time, duration, operation, actor, object, flags, address, size, value, parent,"
        " depth, self, issuer, response, arguments FROM event WHERE id BETWEEN ?1 AND ?2"
        " AND (?3 IS NULL OR operation = ?3) ORDER BY id",
        &error);
    size_t found = 0;

    sqlite3_bind_int64(select, 1, first);
    sqlite3_bind_int64(select, 2, last);
    database_bind_optional(select, 3, operation);
    ck_assert_msg(event_pages_open(&pages, database, first, last, &error), "%s", error.message);
    ck_assert_ptr_nonnull(pages);
    reader = event_page_reader_new(pages, 3, ALL_COLUMNS, operation);
    for (size_t page = 0; page < event_pages_count(pages); page += 3) {
        size_t count, behind = page + 3;
        struct event_columns *columns;

        behind = behind < event_pages_count(pages) ? behind : event_pages_count(pages);
        ck_assert_msg(event_pages_read(reader, page, behind, &columns, &count, &error), "%s",
                      error.message);
        for (size_t i = 0; i < count; i++) {
            assert_same(select, columns, i);
        }
        found += count;
    }
    ck_assert_int_eq(sqlite3_step(select), SQLITE_DONE);
    sqlite3_finalize(select);
    event_page_reader_free(reader);
    event_pages_close(pages);
    return found;
}

START_TEST(pages_hold_what_sqlite_gives) {
    struct database database = make_database(page_sizes[_i], 3000);

    ck_assert_uint_eq(compare_range(&database, INT64_MIN, INT64_MAX, EVENT_NONE), 3000);
    ck_assert_uint_eq(compare_range(&database, 3001, 3001, EVENT_NONE), 1);
    ck_assert_uint_eq(compare_range(&database, 3000, 3000, EVENT_NONE), 0);
    ck_assert_uint_gt(compare_range(&database, 1000, 5000, EVENT_NONE), 1000);
    ck_assert_uint_eq(compare_range(&database, 5000, 1000, EVENT_NONE), 0);
    ck_assert_uint_eq(compare_range(&database, 1000000, 2000000, EVENT_NONE), 0);
    ck_assert_uint_eq(compare_range(&database, 0, INT64_MAX, 3), 600);
    ck_assert_uint_eq(compare_range(&database, 0, INT64_MAX, 1000), 0);
    close_file(&database);
}
END_TEST

/* Other programs keep something at the end of each page. */
START_TEST(reserved_bytes_are_left_alone) {
    static const int reserved[] = {8, 64, 255};
    struct database database = make_database(2048, 1000);
    int bytes = reserved[_i];

    ck_assert_int_eq(
        sqlite3_file_control(database.handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes),
        SQLITE_OK);
    run(&database, "PRAGMA auto_vacuum = FULL; VACUUM");
    ck_assert_uint_eq(compare_range(&database, INT64_MIN, INT64_MAX, EVENT_NONE), 1000);
    close_file(&database);
}
END_TEST

START_TEST(an_empty_table_has_no_rows) {
    struct database database = make_database(4096, 10);

    run(&database, "DELETE FROM event");

    ck_assert_uint_eq(compare_range(&database, INT64_MIN, INT64_MAX, EVENT_NONE), 0);
    close_file(&database);
}
END_TEST

static bool is_readable(struct database *database) {
    struct error error = {0};
    struct event_pages *pages;
    bool readable;

    ck_assert_msg(event_pages_open(&pages, database, 0, INT64_MAX, &error), "%s", error.message);
    readable = pages != NULL;
    event_pages_close(pages);
    return readable;
}

/* What is not in the file yet, or not in this file, must not be read from it. */
START_TEST(pages_are_only_read_when_they_are_all) {
    struct database database = make_database(4096, 100);

    ck_assert(is_readable(&database));
    run(&database, "BEGIN");
    ck_assert(is_readable(&database));
    run(&database, "DELETE FROM event WHERE id < 50");
    ck_assert(!is_readable(&database));
    run(&database, "COMMIT");
    ck_assert(is_readable(&database));
    run(&database, "PRAGMA journal_mode = WAL; DELETE FROM event WHERE id < 60");
    ck_assert(!is_readable(&database));
    run(&database, "PRAGMA journal_mode = DELETE");
    ck_assert(is_readable(&database));
    ck_assert_int_eq(rename(folder_path("x.db"), folder_path("y.db")), 0);
    ck_assert(!is_readable(&database));
    close_file(&database);
}
END_TEST

/* --- damage --------------------------------------------------------------------------------- */

static void damage(const char *path, unsigned seed) {
    int file = open(path, O_RDWR);
    off_t size = lseek(file, 0, SEEK_END);

    /* The first pages hold the tree; the header and the schema are for SQLite to check. */
    srand(seed);
    for (int i = 0; i < 20; i++) {
        off_t offset = 8192 + rand() % (i % 2 == 0 ? size - 8192 : 4096);
        unsigned char byte = (unsigned char)(i % 3 == 0 ? 0xFF : rand());

        ck_assert_int_eq(pwrite(file, &byte, 1, offset), 1);
    }
    close(file);
}

/* Reads all; the error's message says how that went. */
static struct error read_all(struct database *database) {
    struct error error = {0};
    struct event_pages *pages;
    struct event_page_reader *reader;
    bool done = event_pages_open(&pages, database, 0, INT64_MAX, &error) && pages != NULL;

    if (!done) {
        return error;
    }
    reader = event_page_reader_new(pages, 1, ALL_COLUMNS, EVENT_NONE);
    for (size_t page = 0; done && page < event_pages_count(pages); page++) {
        struct event_columns *columns;
        size_t count;

        done = event_pages_read(reader, page, page + 1, &columns, &count, &error);
    }
    event_page_reader_free(reader);
    event_pages_close(pages);
    return error;
}

/* Any bytes give rows or an error, and the first page of an overflow chain may lead anywhere. */
START_TEST(damaged_pages_are_refused) {
    struct database database = make_database(1024, 1000);
    const char *path = folder_path("x.db");
    unsigned refused = 0;

    close_file(&database);
    folder_run("cp x.db good.db");
    for (unsigned seed = 0; seed < 200; seed++) {
        struct error error;

        folder_run("cp good.db x.db");
        damage(path, seed);
        database = open_path(path);
        error = read_all(&database);
        if (error.message[0] != '\0') {
            assert_message(&error, "damaged");
            refused++;
        }
        close_file(&database);
    }
    ck_assert_uint_gt(refused, 50);
}
END_TEST

/* The first leaf of `event` behind the middle of the file. */
static off_t find_leaf(int file, int page_size) {
    off_t offset = lseek(file, 0, SEEK_END) / 2 / page_size * page_size;
    unsigned char type = 0;

    while (type != 13) {
        offset += page_size;
        ck_assert_int_eq(pread(file, &type, 1, offset), 1);
    }
    return offset;
}

/* A leaf that says it has no rows, or more than it has room for, does not just vanish. */
START_TEST(leaves_without_rows_are_damage) {
    static const unsigned char counts[][2] = {{0, 0}, {0xFF, 0xFF}};
    struct database database = make_database(512, 1000);
    const char *path = folder_path("x.db");
    struct error error;
    int file;

    close_file(&database);
    file = open(path, O_RDWR);
    ck_assert_int_eq(pwrite(file, counts[_i], 2, find_leaf(file, 512) + 3), 2);
    close(file);
    database = open_path(path);
    error = read_all(&database);
    assert_message(&error, "damaged (table event)");
    close_file(&database);
}
END_TEST

/* A record of more bytes than the file has, in pages that lead to themselves. */
START_TEST(endless_records_are_damage) {
    struct database database = open_path(folder_path("x.db"));
    struct error error = {0};
    unsigned char next[4];
    int64_t page;
    int file;

    run(&database, "PRAGMA page_size = 1024; CREATE TABLE event (id INTEGER PRIMARY KEY, time,"
                   " duration, operation, actor, object, flags, address, size, value, parent,"
                   " depth, arguments); INSERT INTO event (id, time, arguments) VALUES (1, 2,"
                   " zeroblob(100000000)); CREATE TABLE filler (a)");
    page = lseek(file = open(database.path, O_RDWR), 0, SEEK_END) / 1024;
    close_file(&database);
    /* All but the first pages go; the chain begins on page 4 and stays there. */
    ck_assert_int_gt(page, 1000);
    ck_assert_int_eq(ftruncate(file, 8 * 1024), 0);
    memcpy(next, (const unsigned char[]){0, 0, 0, 4}, 4);
    ck_assert_int_eq(pwrite(file, next, 4, 3 * 1024), 4);
    close(file);
    database = open_path(folder_path("x.db"));
    run(&database, "PRAGMA writable_schema = 1");
    error = read_all(&database);
    assert_message(&error, "damaged (table event)");
    close_file(&database);
}
END_TEST

/* --- scans ---------------------------------------------------------------------------------- */

struct sums {
    int64_t count, ids, arguments, last_id;
    bool in_order;
};

static bool add_up(void *context, const struct event_columns *columns, size_t count,
                   struct error *error) {
    struct sums *sums = context;

    (void)error;
    for (size_t i = 0; i < count; i++) {
        sums->count++;
        sums->ids += columns->id[i] * (columns->time[i] % 1009);
        sums->arguments += columns->arguments_size[i];
        sums->in_order = sums->in_order && columns->id[i] > sums->last_id;
        sums->last_id = columns->id[i];
    }
    return true;
}

static struct sums scan(struct database *database, bool in_order, bool by_sqlite) {
    struct error error = {0};
    struct event_scan scan = {
        .database = database,
        .first = 10,
        .last = INT64_MAX,
        .action = 2,
        .fields = EVENT_ARGUMENTS | (by_sqlite ? (unsigned)EVENT_CPU : 0),
        .visit = add_up,
    };
    struct sums parts[3] = {{.in_order = true}, {.in_order = true}, {.in_order = true}};
    void *contexts[3] = {&parts[0], &parts[1], &parts[2]};

    ck_assert_msg(in_order ? event_scan_in_order(&scan, &parts[0], &error)
                           : event_scan_in_parts(&scan, contexts, 3, &error),
                  "%s", error.message);
    for (int i = 1; i < 3; i++) {
        parts[0].count += parts[i].count;
        parts[0].ids += parts[i].ids;
        parts[0].arguments += parts[i].arguments;
    }
    return parts[0];
}

START_TEST(scans_agree) {
    struct database database = make_database(1024, 20000);
    struct error error = {0};
    struct sums expected = {0}, found;

    ck_assert(database_integer(&database,
                               "SELECT count(*) FROM event WHERE operation = 2 AND id"
                               " >= 10",
                               0, 0, &expected.count, &error));
    ck_assert(database_integer(&database,
                               "SELECT sum(id * (time % 1009)) FROM event WHERE"
                               " operation = 2 AND id >= 10",
                               0, 0, &expected.ids, &error));
    ck_assert(database_integer(&database,
                               "SELECT sum(length(arguments)) FROM event WHERE"
                               " operation = 2 AND id >= 10",
                               0, 0, &expected.arguments, &error));
    for (int way = 0; way < 4; way++) {
        found = scan(&database, way % 2 == 0, way / 2 == 1);
        ck_assert_int_eq(found.count, expected.count);
        ck_assert_int_eq(found.ids, expected.ids);
        ck_assert_int_eq(found.arguments, expected.arguments);
        ck_assert(way % 2 != 0 || found.in_order);
    }
    close_file(&database);
}
END_TEST

static bool fail_late(void *context, const struct event_columns *columns, size_t count,
                      struct error *error) {
    int64_t *seen = context;

    (void)columns;
    *seen += (int64_t)count;
    return *seen < 1000 || error_set(error, "enough");
}

START_TEST(a_failing_visitor_ends_a_scan) {
    struct database database = make_database(1024, 20000);
    struct error error = {0};
    int64_t seen = 0;
    struct event_scan scan = {
        .database = &database,
        .first = 0,
        .last = INT64_MAX,
        .action = EVENT_NONE,
        .visit = fail_late,
    };

    ck_assert(!event_scan_in_order(&scan, &seen, &error));
    assert_message(&error, "enough");
    ck_assert_int_lt(seen, 20000);
    close_file(&database);
}
END_TEST

Suite *event_pages_suite(void) {
    Suite *suite = suite_create("event_pages");
    TCase *cases = tcase_create("event_pages");

    tcase_add_checked_fixture(cases, folder_make, folder_remove);
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, pages_hold_what_sqlite_gives, 0,
                        (int)(sizeof page_sizes / sizeof page_sizes[0]));
    tcase_add_loop_test(cases, reserved_bytes_are_left_alone, 0, 3);
    tcase_add_test(cases, an_empty_table_has_no_rows);
    tcase_add_loop_test(cases, leaves_without_rows_are_damage, 0, 2);
    tcase_add_test(cases, endless_records_are_damage);
    tcase_add_test(cases, pages_are_only_read_when_they_are_all);
    tcase_add_test(cases, damaged_pages_are_refused);
    tcase_add_test(cases, scans_agree);
    tcase_add_test(cases, a_failing_visitor_ends_a_scan);
    suite_add_tcase(suite, cases);
    return suite;
}

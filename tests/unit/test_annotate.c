/* annotate, store/check: data found after the import, and that the database is valid then. */
#include "analysis/recount.h"
#include "annotate/annotation.h"
#include "model/tally.h"
#include "store/check.h"
#include "unit.h"

/* More than two batches of events; every fifth has a file. */
#define EVENTS (2 * ANNOTATION_EVENTS + 100)

static void import_log(int events) {
    struct text log = {0};

    database_make();
    for (int i = 0; i < events; i++) {
        text_append_format(&log, "%d.000000000\tC\t%s\t%d\t8\t1\tone\tD%s\n", i + 1,
                           i % 3 == 0 ? "R" : "W", i, i % 5 == 0 ? "\t/a.db" : "");
    }
    unit_import_file(&database, &config, "log", folder_write("log.po", log.bytes, log.length));
    text_free(&log);
    ck_assert(recount_register(&database, &config, &error));
}

static void set_up(void) {
    import_log(EVENTS);
}

/* For tests that check every row. */
static void set_up_few(void) {
    import_log(100);
}

static void count_found(void *context, const char *trace, const char *what) {
    (void)trace;
    (void)what;
    ++*(int *)context;
}

/* Returns the number of broken rules. */
static int check(void) {
    int found = 0;
    const struct store_report report = {.context = &found, .found = count_found};
    const struct catalog_trace *trace;

    ck_assert(catalog_load(&catalog, &database, &error));
    trace = &catalog.traces[0];
    assert_done(store_check(&database, &trace, 1, &report, &error) &&
                recount_compare(&database, &config, &trace, 1, &report, &error));
    catalog_free(&catalog);
    return found;
}

/* Columns of events that are never changed, for `SELECT`. */
#define OTHERS                                                                                     \
    "id, time, duration, operation, actor, address, size, value, parent, depth, arguments, self,"  \
    " issuer, response, error"

/* Assigns every `step`th event from the first on to alternating files of type "video", and marks
 * them as metadata. */
static void annotate(struct annotation *annotation, int64_t step) {
    char name[32];

    assert_done(annotation_open(annotation, &database, &config, "log", &error));
    ck_assert(annotation_declare(annotation, EVENT_OBJECT | EVENT_FLAGS, UINT32_MAX, &error));
    for (int64_t id = annotation->trace->first_event; id <= annotation->trace->last_event;
         id += step) {
        struct event_change event = {.id = id, .flags = IO_WRITE};
        struct object_entry object = {.name = name, .type = "video", .device = EVENT_NONE};

        event.flags |= IO_BLOCK_METADATA << IO_BLOCK_SHIFT;
        object.length = (size_t)snprintf(name, sizeof name, "/film-%d.mp4", (int)(id % 7));
        event.object = annotation_add_object(annotation, &object, &error);
        ck_assert_uint_ne(event.object, 0);
        assert_done(annotation_set(annotation, &event, &error));
    }
}

static void assert_annotated(int64_t step) {
    int64_t changed = (EVENTS + step - 1) / step;

    ck_assert_int_eq(unit_ask("SELECT count(*) FROM event JOIN object ON object.id = event.object"
                              " WHERE object.type = 'video' AND object.name ="
                              " '/film-' || (event.id % 7) || '.mp4' AND event.flags >> 3 & 7 = 3"),
                     changed);
    ck_assert_int_eq(unit_ask("SELECT sum(count) FROM rollup_block WHERE file_type = 'video'"),
                     changed);
    ck_assert_int_eq(unit_ask("SELECT count(*) FROM object WHERE type = 'video'"), 7);
    /* Compares with plain SQL in both directions. */
    ck_assert_int_eq(
        unit_ask("WITH counted AS (SELECT event.operation, event.flags & 7, event.flags >> 3 & 7,"
                 " ifnull(object.type, ''), count(*), sum(size) FROM event"
                 " LEFT JOIN object ON object.id = event.object GROUP BY 1, 2, 3, 4),"
                 " kept AS (SELECT action, class, block_type, ifnull(file_type, ''), sum(count),"
                 " sum(bytes) FROM rollup_block GROUP BY 1, 2, 3, 4)"
                 " SELECT (SELECT count(*) FROM (SELECT * FROM counted EXCEPT SELECT * FROM kept))"
                 " + (SELECT count(*) FROM (SELECT * FROM kept EXCEPT SELECT * FROM counted))"),
        0);
    ck_assert_int_eq(unit_ask("SELECT sum(count) FROM rollup_size"), EVENTS);
    ck_assert_int_eq(check(), 0);
}

UNIT_CASE("annotate", set_up, unit_close);

UNIT_LOOP(test_sets_events, 3) {
    static const int64_t steps[] = {1, 3, 1000};
    struct annotation annotation;

    ck_assert_int_eq(check(), 0);
    unit_run("CREATE TEMP TABLE were AS SELECT * FROM event");
    annotate(&annotation, steps[_i]);
    assert_done(annotation_commit(&annotation, &error));
    annotation_close(&annotation);
    assert_annotated(steps[_i]);
    ck_assert_int_eq(unit_ask("SELECT count(*) FROM event"), EVENTS);
    ck_assert_int_eq(unit_ask("SELECT count(*) FROM (SELECT " OTHERS " FROM temp.were"
                              " EXCEPT SELECT " OTHERS " FROM event)"),
                     0);
}

UNIT_CASE("check", set_up_few, unit_close);

/* Columns are made from the rows, never the reverse: damaged columns are not counted for rollups,
 * and do not change the rows. */
UNIT_LOOP(test_refuses_to_count_what_is_damaged, 3) {
    static const char *const damages[] = {
        "DELETE FROM event_column WHERE field = 'actor'",
        "UPDATE event_column SET least = least + 8 WHERE field = 'size'",
        "UPDATE event_column SET sum = sum + 1 WHERE field = 'address'",
    };
    struct annotation annotation;

    unit_run(damages[_i]);
    ck_assert_int_gt(sqlite3_changes(database.handle), 0);
    unit_run("CREATE TEMP TABLE were AS SELECT * FROM event");
    annotate(&annotation, 1);
    ck_assert(!annotation_commit(&annotation, &error));
    assert_message(&error, "the columns of trace log are damaged; tracetool check --repair");
    annotation_close(&annotation);
    ck_assert_int_eq(
        unit_ask("SELECT count(*) FROM (SELECT * FROM temp.were EXCEPT SELECT * FROM event)"), 0);
}

/* After another program changed rows, all rollups are counted again, including those independent of
 * the flags that are set. */
UNIT_TEST(test_counts_what_others_changed) {
    struct annotation annotation;

    unit_run("UPDATE event SET size = 65536 WHERE id = 7;"
             " DELETE FROM event_column");
    ck_assert_int_gt(check(), 0);
    ck_assert(annotation_open(&annotation, &database, &config, "log", &error));
    ck_assert(annotation_declare(&annotation, EVENT_OBJECT | EVENT_FLAGS, IO_MAP_FLAGS, &error));
    assert_done(annotation_commit(&annotation, &error));
    annotation_close(&annotation);
    ck_assert_int_eq(check(), 0);
}

/* Tallies that read flags declare which. */
UNIT_TEST(test_rollups_say_their_flags) {
    ck_assert_uint_eq(tally_flags(&tally_definitions[TALLY_BLOCK]),
                      IO_CLASS_MASK | IO_BLOCK_MASK << IO_BLOCK_SHIFT);
    ck_assert_uint_eq(tally_flags(&tally_definitions[TALLY_EVIDENCE]), IO_MAP_FLAGS);
    ck_assert_uint_eq(tally_flags(&tally_definitions[TALLY_DEPTH]), UINT32_MAX);
}

UNIT_CASE("annotate", set_up, unit_close);

/* If changed columns are damaged, all are made from the rows; if there are none, none are made. */
UNIT_LOOP(test_damaged_columns, 5) {
    static const char *const damages[] = {
        "UPDATE event_column SET data = x'ff' WHERE field = 'flags'",
        "UPDATE event_column SET count = count - 1 WHERE field = 'object'",
        "UPDATE event_column SET fields = fields - 256 WHERE field = 'time' AND first = 16384",
        "DELETE FROM event_column WHERE field = 'flags' AND first = 16384",
        "DELETE FROM event_column",
    };
    struct annotation annotation;

    unit_run(damages[_i]);
    annotate(&annotation, 3);
    assert_done(annotation_commit(&annotation, &error));
    annotation_close(&annotation);
    assert_annotated(3);
    ck_assert_int_eq(unit_ask("SELECT count(*) > 0 FROM event_column"), _i < 4);
}

UNIT_TEST(test_without_commit_nothing_changes) {
    int64_t objects = unit_ask("SELECT count(*) FROM object");
    struct annotation annotation;

    annotate(&annotation, 1);
    annotation_close(&annotation);
    ck_assert_int_eq(unit_ask("SELECT count(*) FROM object"), objects);
    ck_assert_int_eq(unit_ask("SELECT count(*) FROM event WHERE flags >> 3 & 7 = 3"), 0);
    ck_assert_int_eq(check(), 0);
}

UNIT_TEST(test_finds_what_is_there) {
    const struct object_entry none = {.name = "/a.db", .length = 5, .device = EVENT_NONE};
    int64_t objects = unit_ask("SELECT count(*) FROM object");
    struct annotation annotation;

    ck_assert(annotation_open(&annotation, &database, &config, "log", &error));
    ck_assert_uint_eq(annotation_add_object(&annotation, &none, &error),
                      annotation_add_object(&annotation, &none, &error));
    ck_assert(annotation_commit(&annotation, &error));
    annotation_close(&annotation);
    ck_assert_int_eq(unit_ask("SELECT count(*) FROM object"), objects + 1);
    ck_assert_int_eq(check(), 0);
}

UNIT_TEST(test_refuses) {
    struct event_change event = {0};
    struct annotation annotation;

    ck_assert(!annotation_open(&annotation, &database, &config, "nosuch", &error));
    assert_message(&error, "nosuch");
    ck_assert(annotation_open(&annotation, &database, &config, "log", &error));
    ck_assert(annotation_declare(&annotation, EVENT_OBJECT, 0, &error));
    event.id = annotation.trace->last_event + 1;
    ck_assert(!annotation_set(&annotation, &event, &error));
    event.id = annotation.trace->first_event + 1;
    ck_assert(annotation_set(&annotation, &event, &error));
    ck_assert(!annotation_set(&annotation, &event, &error));
    assert_message(&error, "out of order");
    annotation_close(&annotation);
}

UNIT_CASE("check", set_up_few, unit_close);

/* Shows that the rules can fail. */
UNIT_LOOP(test_check_finds, 8) {
    static const char *const harms[] = {
        "UPDATE rollup_block SET count = count + 1",
        "UPDATE event SET object = 999999 WHERE id = 7",
        "UPDATE event SET time = 0 WHERE id = 7",
        "DELETE FROM event WHERE id = 7",
        "UPDATE trace SET lost_bytes = -1",
        "UPDATE event SET size = -1 WHERE id = 7",
        "UPDATE rollup_latency SET count = count + 1",
        "UPDATE trace SET paired = -1, events = events - 1",
    };

    unit_run(harms[_i]);
    ck_assert_int_gt(check(), 0);
}

/* --- any table --------------------------------------------------------------------------------*/

/* Returns a query's result row by row, preceded by the column names. It is in memory, since a
 * statement would block changes. Free with sqlite3_free_table(). */
static char **rows_of(const char *sql, int *count, int *width) {
    char **rows;

    ck_assert_int_eq(sqlite3_get_table(database.handle, sql, &rows, count, width, NULL), SQLITE_OK);
    return rows;
}

/* Adds a row of the trace to each empty table. */
static void fill_tables(void) {
    int count, width;
    char **tables =
        rows_of("SELECT s.name, group_concat('\"' || c.name || '\"'),"
                " group_concat(CASE c.type WHEN 'INTEGER' THEN '1' WHEN 'BLOB' THEN 'x''00'''"
                " ELSE '''x''' END) FROM main.sqlite_schema AS s, pragma_table_info(s.name) AS c"
                " WHERE s.type = 'table' GROUP BY s.name",
                &count, &width);
    struct text sql = {0};

    for (int at = width; at < (count + 1) * width; at += width) {
        text_append_format(&sql,
                           "INSERT INTO \"%s\" (%s) SELECT %s WHERE NOT EXISTS"
                           " (SELECT 1 FROM \"%s\");",
                           tables[at], tables[at + 1], tables[at + 2], tables[at]);
    }
    unit_run(text_string(&sql));
    sqlite3_free_table(tables);
    text_free(&sql);
}

static void set_true(void *context, const char *trace, const char *what) {
    (void)trace;
    ck_assert_ptr_nonnull(strstr(what, "has another type than its column"));
    *(bool *)context = true;
}

/* Returns whether values of other types are found in the trace, as `check` does before it
 * counts. */
static bool finds_types(struct type_check *types, const struct catalog_trace *trace) {
    bool found = false, sound;
    const struct store_report report = {.context = &found, .found = set_true};

    assert_done(type_check_trace(types, trace, &report, &sound, &error));
    ck_assert(sound != found);
    return found;
}

/* Writes values of other types to a column. Returns how many SQLite accepts; all must be found.
 * Values that SQLite converts to a whole number or text do not count. */
static int try_types(struct type_check *types, const struct catalog_trace *trace,
                     char *const *column) {
    static const char *const values[] = {"1.5", "'x'", "x'00ff'"};
    bool whole = strcmp(column[2], "INTEGER") == 0, bytes = strcmp(column[2], "BLOB") == 0;
    char sql[256];
    int tried = 0;

    for (int i = 0; i < 3; i++) {
        /* Text columns convert numbers to text; bytes may be text. */
        if (!whole && (bytes ? i > 0 : i < 2)) {
            continue;
        }
        snprintf(sql, sizeof sql, "BEGIN; UPDATE OR IGNORE \"%s\" SET \"%s\" = %s", column[0],
                 column[1], values[i]);
        if (sqlite3_exec(database.handle, sql, NULL, NULL, NULL) == SQLITE_OK &&
            sqlite3_changes(database.handle) > 0) {
            ck_assert_msg(finds_types(types, trace), "%s: is not found", sql);
            tried++;
        }
        unit_run("ROLLBACK");
    }
    return tried;
}

/* A value of any type in any column of any table, except those that identify the trace's rows. */
UNIT_TEST(test_finds_values_of_other_types) {
    struct type_check types;
    char **columns;
    int count, width;

    fill_tables();
    columns = rows_of("SELECT s.name, c.name, c.type FROM main.sqlite_schema AS s,"
                      " pragma_table_info(s.name) AS c WHERE s.type = 'table' AND c.name NOT IN"
                      " ('id', 'trace', 'event', 'first_event', 'last_event')",
                      &count, &width);
    ck_assert_int_gt(count, 200);
    ck_assert(catalog_load(&catalog, &database, &error));
    assert_done(type_check_open(&types, &database, &error));
    ck_assert(!finds_types(&types, &catalog.traces[0]));
    for (int at = width; at < (count + 1) * width; at += width) {
        ck_assert_msg(try_types(&types, &catalog.traces[0], &columns[at]) > 0, "%s.%s", columns[at],
                      columns[at + 1]);
    }
    ck_assert(!finds_types(&types, &catalog.traces[0]));
    sqlite3_free_table(columns);
    type_check_close(&types);
    catalog_free(&catalog);
}

static void note_table(void *context, const char *trace, const char *what) {
    ck_assert_ptr_null(trace);
    text_append_format(context, "%s;", what);
}

/* Returns the report on rows of no trace; borrowed until the next call. */
static const char *find_orphans(struct type_check *types) {
    static char found[1024];
    struct text text = {0};
    const struct store_report report = {.context = &text, .found = note_table};

    assert_done(type_check_orphans(types, &report, &error));
    snprintf(found, sizeof found, "%s", text_string(&text));
    text_free(&text);
    return found;
}

/* Rows of no trace, in any table: SQL counts them, and the next import may collide with them. */
UNIT_TEST(test_finds_rows_of_no_trace) {
    struct type_check types;
    char **tables, sql[256];
    int count, width;

    fill_tables();
    tables = rows_of("SELECT s.name, iif(s.name = 'event', 'id', iif(max(c.name = 'trace'),"
                     " 'trace', 'event')) FROM main.sqlite_schema AS s,"
                     " pragma_table_info(s.name) AS c WHERE s.type = 'table' AND s.name <> 'trace'"
                     " GROUP BY s.name",
                     &count, &width);
    ck_assert_int_gt(count, 25);
    assert_done(type_check_open(&types, &database, &error));
    ck_assert_str_eq(find_orphans(&types), "");
    for (int at = width; at < (count + 1) * width; at += width) {
        snprintf(sql, sizeof sql, "BEGIN; UPDATE \"%s\" SET %s = %s + 1000000", tables[at],
                 tables[at + 1], tables[at + 1]);
        unit_run(sql);
        snprintf(sql, sizeof sql, "there are rows in %s without a trace;", tables[at]);
        ck_assert_msg(strstr(find_orphans(&types), sql) != NULL, "%s: %s", tables[at],
                      find_orphans(&types));
        unit_run("ROLLBACK");
    }
    sqlite3_free_table(tables);
    type_check_close(&types);
}

/* select/temp_schema.h and store/connection.h: reuse of tables and statements for the next
 * result. */
#include "select/temp_schema.h"
#include "unit.h"

static struct temp_schema temp;

static void set_up(void) {
    database_make();
    temp.database = &database;
}

static void tear_down(void) {
    temp_schema_free(&temp);
    unit_close();
}

/* Changes with every table and view created or dropped. */
static int64_t version(void) {
    int64_t version;

    ck_assert(
        database_query_integer(&database, "PRAGMA temp.schema_version", 0, -1, &version, &error));
    return version;
}

static int64_t objects(void) {
    return unit_ask("SELECT count(*) FROM sqlite_temp_schema");
}

static void make(const char *columns, const char *select) {
    assert_done(temp_schema_table(&temp, "counted", columns, &error));
    assert_done(temp_schema_table(&temp, "other", "(x)", &error));
    assert_done(temp_schema_view(&temp, "sums", select, &error));
    ck_assert_int_eq(unit_ask("SELECT count(*) FROM temp.counted"), 0);
    unit_run("INSERT INTO temp.counted VALUES (3), (4)");
}

static const char sums[] = "SELECT sum(n) AS n FROM temp.counted";

UNIT_CASE("temp_schema", set_up, tear_down);

UNIT_TEST(the_same_is_made_of_what_was_given_back) {
    int64_t before;

    make("(n)", sums);
    before = version();
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(unit_ask("SELECT n FROM temp.sums"), 7);
        temp_schema_drop_from(&temp, 0);
        make("(n)", sums);
    }
    ck_assert_int_eq(version(), before);
    ck_assert_int_eq(objects(), 3);
}

UNIT_TEST(another_definition_takes_its_place) {
    make("(n)", sums);
    temp_schema_drop_from(&temp, 0);
    make("(n INTEGER)", "SELECT max(n) AS n FROM temp.counted");
    ck_assert_int_eq(unit_ask("SELECT n FROM temp.sums"), 4);
    ck_assert_int_eq(objects(), 3);
    /* It cannot exist twice at once. */
    ck_assert(!temp_schema_table(&temp, "counted", "(n INTEGER)", &error));
    assert_message(&error, "already exists");
    ck_assert_int_eq(objects(), 3);
}

UNIT_TEST(only_what_was_made_is_there) {
    make("(n)", sums);
    temp_schema_drop_from(&temp, 0);
    ck_assert(temp_schema_table(&temp, "other", "(x)", &error));
    temp_schema_drop_unused(&temp);
    ck_assert_int_eq(objects(), 1);
    ck_assert_int_eq(unit_ask("SELECT count(*) FROM temp.other"), 0);
    ck_assert_ptr_null(database_prepare(&database, "SELECT * FROM temp.counted", &error));
}

UNIT_TEST(part_of_it_is_given_back) {
    size_t from;

    make("(n)", sums);
    from = temp.count;
    for (int i = 0; i < 2; i++) {

        ck_assert(temp_schema_table(&temp, "third", "(x)", &error));
        unit_run("INSERT INTO temp.third VALUES (1)");
        ck_assert_int_eq(unit_ask("SELECT count(*) FROM temp.third"), 1);
        temp_schema_drop_from(&temp, from);
    }
    ck_assert_int_eq(unit_ask("SELECT n FROM temp.sums"), 7);
}

UNIT_TEST(an_index_is_made_behind_the_rows) {
    for (int i = 0; i < 2; i++) {

        make("(n)", sums);
        assert_done(temp_schema_index(&temp, "counted", "n", &error));
        assert_done(temp_schema_index(&temp, "other", "x", &error));
        ck_assert_int_eq(objects(), 4); /* without rows there is no index */
        temp_schema_drop_from(&temp, 0);
        ck_assert_int_eq(objects(), 2);
    }
}

/* --- statements ------------------------------------------------------------------------------- */

UNIT_TEST(statements_are_kept_by_their_text) {
    static const char sql[] = "SELECT ?1 + 1;\n";
    sqlite3_stmt *first = database_acquire_statement(&database, sql, &error), *second;

    ck_assert_ptr_nonnull(first);
    sqlite3_bind_int(first, 1, 4);
    ck_assert_int_eq(sqlite3_step(first), SQLITE_ROW);
    second = database_acquire_statement(&database, sql, &error);
    ck_assert_ptr_ne(second, first); /* the other is still in use */
    database_release_statement(&database, first);
    ck_assert_ptr_eq(database_acquire_statement(&database, sql, &error), first);
    ck_assert_int_eq(sqlite3_step(first), SQLITE_ROW);
    ck_assert_int_eq(sqlite3_column_type(first, 0), SQLITE_NULL); /* bindings are cleared */
    database_release_statement(&database, second);
    database_release_statement(&database, first);
    database_release_statement(&database, NULL);
}

UNIT_TEST(a_user_s_statement_is_none_of_ours) {
    static const char sql[] = "DELETE FROM trace";
    sqlite3_stmt *statement = database_acquire_statement(&database, sql, &error);

    ck_assert_ptr_nonnull(statement);
    database_release_statement(&database, statement);
    ck_assert_ptr_null(database_acquire_read_only(&database, sql, &error));
    assert_message(&error, "only read");
    statement = database_acquire_read_only(&database, "SELECT 1", &error);
    ck_assert_ptr_nonnull(statement);
    database_release_read_only(&database, statement);
    ck_assert_ptr_eq(database_acquire_read_only(&database, "SELECT 1", &error), statement);
    database_release_read_only(&database, statement);
    ck_assert_ptr_null(database_acquire_read_only(&database, "SELECT 1; SELECT 2", &error));
}

UNIT_TEST(no_more_are_kept_than_have_room) {
    sqlite3_stmt *statement = NULL;
    int count = 0;

    for (int i = 0; i < 200; i++) {
        char sql[32];

        snprintf(sql, sizeof sql, "SELECT %d", i);
        database_release_statement(&database, database_acquire_statement(&database, sql, &error));
    }
    while ((statement = sqlite3_next_stmt(database.handle, statement)) != NULL) {
        count++;
    }
    ck_assert_int_ge(count, 16);
    ck_assert_int_le(count, 64);
}

/* On a full disk a table cannot be dropped, and outlives its user. */
UNIT_TEST(what_could_not_be_dropped_makes_room) {
    unit_run("CREATE TABLE temp.counted (old)");
    make("(n)", sums);
    ck_assert_int_eq(unit_ask("SELECT n FROM temp.sums"), 7);
    ck_assert_int_eq(objects(), 3);
}

/* select/call_path: paths of functions through a call tree. */
#include "select/functions.h"

#include "unit.h"

static sqlite3 *connection;

static void open_memory(void) {
    ck_assert_int_eq(sqlite3_open(":memory:", &connection), SQLITE_OK);
    ck_assert(call_path_register(connection));
}

static void close_memory(void) {
    ck_assert_int_eq(sqlite3_close(connection), SQLITE_OK);
}

/* Checks the only value of a query, or its error; "NULL" for NULL. */
static void assert_gives(const char *sql, const char *expected) {
    sqlite3_stmt *statement;
    const char *got;

    ck_assert_msg(sqlite3_prepare_v2(connection, sql, -1, &statement, NULL) == SQLITE_OK, "%s: %s",
                  sql, sqlite3_errmsg(connection));
    got = sqlite3_step(statement) != SQLITE_ROW ? sqlite3_errmsg(connection)
          : sqlite3_column_type(statement, 0) == SQLITE_NULL
              ? "NULL"
              : (const char *)sqlite3_column_text(statement, 0);
    ck_assert_msg(strcmp(got, expected) == 0, "%s is %s, not %s", sql, got, expected);
    sqlite3_finalize(statement);
}

/* main calls a, which calls itself and b; main also calls b. A root may have parent 0. */
#define TREE                                                                                       \
    "WITH t (node, parent, operation, name) AS (VALUES (1, NULL, 7, 'main'), (2, 1, 8, 'a'),"      \
    " (3, 2, 8, 'a'), (4, 3, 9, 'b'), (5, 0, 9, 'b'), (7, 2, 9, 'b'))"                             \
    " SELECT group_concat(coalesce(call_path((SELECT call_tree(node, parent, operation, name)"     \
    " FROM t), value), '-'), ', ') FROM json_each('"

UNIT_CASE("call_path", open_memory, close_memory);

UNIT_TEST(names_from_the_root_on) {
    assert_gives(TREE "[1, 2, 3, 4, 5, 7]')",
                 "main, main > a, main > a > a, main > a > a > b, b, main > a > b");
    /* In any order; missing nodes have no path. */
    assert_gives(TREE "[7, 1, 6, 0, -1, 8, 4294967297, 9223372036854775807, 1]')",
                 "main > a > b, main, -, -, -, -, -, -, main");
}

UNIT_TEST(no_more_than_128_callers) {
    static const char sql[] =
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 131)"
        " SELECT group_concat((length(p) - length(replace(p, '>', ''))) || ' ' || substr(p, 1, 7),"
        " ', ') FROM (SELECT call_path((SELECT call_tree(i, i - 1, i, 'f' || i) FROM n), i) AS p"
        " FROM n WHERE i > 128)";

    assert_gives(sql, "128 f1 > f2, 129 … > f2 , 129 … > f3 ");
}

/* Reports never return these. */
UNIT_TEST(trees_that_are_none) {
    static const char call_itself[] =
        "SELECT length(call_path((SELECT call_tree(column1, column2, 1, 'x')"
        " FROM (VALUES (1, 2), (2, 1))), 1))";

    assert_gives("SELECT call_path(NULL, 1)", "NULL");
    assert_gives("SELECT call_path('tree', 1)", "NULL");
    assert_gives("SELECT call_path((SELECT call_tree(1, 1, 1, 1) WHERE 0), 1)", "NULL");
    assert_gives("SELECT call_path((SELECT call_tree(1, 2, 1, NULL)), 1)", "");
    /* 129 names, 128 times " > " between them, and "… > ". */
    assert_gives(call_itself, "517");
    assert_gives("SELECT call_path((SELECT call_tree(0, 0, 1, 'x')), 1)",
                 "call_tree: nodes are numbers from 1 to 2^24");
    assert_gives("SELECT call_path((SELECT call_tree(16777217, 0, 1, 'x')), 1)",
                 "call_tree: nodes are numbers from 1 to 2^24");
    assert_gives("SELECT call_path((SELECT call_tree(1, -1, 1, 'x')), 1)",
                 "call_tree: nodes are numbers from 1 to 2^24");
}

/* A cycle of 128 nodes; its path has 129 names of 64 KiB each, some 8 MiB. */
UNIT_TEST(no_more_than_1_gib) {
    static const char sql[] =
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 128)"
        " SELECT count(call_path((SELECT call_tree(i, 1 + i % 128, 1, printf('%.*c', 65536, 'x'))"
        " FROM n), i)) FROM n WHERE i <= ";
    char text[512];

    snprintf(text, sizeof text, "%s127", sql);
    assert_gives(text, "127");
    snprintf(text, sizeof text, "%s128", sql);
    assert_gives(text,
                 "the paths have more than 1024 MiB; choose some with --top, or a part of the "
                 "tree with --under, --component, --op or --from and --to");
}

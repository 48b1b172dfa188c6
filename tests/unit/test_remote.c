/* remote: addresses, rows and statements of a store, and that every column has a place in it. */
#include <time.h>

#include "remote/address.h"
#include "remote/push.h"
#include "remote/commits.h"
#include "base/pack.h"
#include "remote/rowbinary.h"
#include "remote/statements.h"
#include "unit.h"

/* --- addresses --------------------------------------------------------------------------------*/

static const struct {
    const char *url, *server, *database; /* server: NULL: refused */
    bool secure, loopback;
} addresses[] = {
    {"https://ch.example:9443/study", "https://ch.example:9443/", "study", true, false},
    {"https://ch.example/study_2", "https://ch.example:8443/", "study_2", true, false},
    {"HTTP://localhost/t", "http://localhost:8123/", "t", false, true},
    {"http://127.1.2.3:1/t", "http://127.1.2.3:1/", "t", false, true},
    {"http://[::1]:8123/t", "http://[::1]:8123/", "t", false, true},
    {"http://[fe80::1]/t", "http://[fe80::1]:8123/", "t", false, false},
    {"http://127.0.0.1.example/t", "http://127.0.0.1.example:8123/", "t", false, false},
    {"http://localhost.example:65535/t", "http://localhost.example:65535/", "t", false, false},
    {"", NULL, NULL, false, false},
    {"ftp://ch.example/t", NULL, NULL, false, false},
    {"https://ch.example", NULL, NULL, false, false},
    {"https://ch.example/", NULL, NULL, false, false},
    {"https:///t", NULL, NULL, false, false},
    {"https://:8443/t", NULL, NULL, false, false},
    {"https://ch.example:/t", NULL, NULL, false, false},
    {"https://ch.example:0/t", NULL, NULL, false, false},
    {"https://ch.example:65536/t", NULL, NULL, false, false},
    {"https://ch.example:999999999999999999999/t", NULL, NULL, false, false},
    {"https://ch.example:80x/t", NULL, NULL, false, false},
    {"https://ch.example/t/", NULL, NULL, false, false},
    {"https://ch.example/t?query=DROP", NULL, NULL, false, false},
    {"https://ch.example/t#x", NULL, NULL, false, false},
    {"https://ch.example?/t", NULL, NULL, false, false},
    {"https://ch example/t", NULL, NULL, false, false},
    {"https://ch.example/1t", NULL, NULL, false, false},
    {"https://ch.example/t.x", NULL, NULL, false, false},
    {"https://ch.example/t;DROP", NULL, NULL, false, false},
    {"https://ch.example/t`", NULL, NULL, false, false},
    {"https://-x/t", NULL, NULL, false, false},
    {"https://[::1/t", NULL, NULL, false, false},
    {"https://[::1]x/t", NULL, NULL, false, false},
    {"https://[x]/t", NULL, NULL, false, false},
    {"https://[/t", NULL, NULL, false, false},
    {"https://ch\xff.example/t", NULL, NULL, false, false},
    {"https://ch.example\r\nX: y/t", NULL, NULL, false, false},
};

UNIT_LOOP(test_addresses, COUNT(addresses)) {
    struct remote_address address;
    bool parsed = remote_address_parse(&address, addresses[_i].url, &error);

    if (addresses[_i].server == NULL) {
        ck_assert_msg(!parsed, "%s", addresses[_i].url);
        ck_assert_int_eq(error.status, EXIT_USAGE);
        return;
    }
    ck_assert_msg(parsed, "%s: %s", addresses[_i].url, error.message);
    ck_assert_str_eq(address.server, addresses[_i].server);
    ck_assert_str_eq(address.database, addresses[_i].database);
    ck_assert_int_eq(address.secure, addresses[_i].secure);
    ck_assert_int_eq(address.loopback, addresses[_i].loopback);
    remote_address_free(&address);
}

UNIT_TEST(test_no_password_is_repeated) {
    struct remote_address address;

    ck_assert(!remote_address_parse(&address, "https://user:geheim@ch.example/t", &error));
    assert_message(&error, "TRACETOOL_STORE_PASSWORD");
    ck_assert_ptr_null(strstr(error.message, "geheim"));
    ck_assert(!remote_is_address("traces.db"));
    ck_assert(!remote_is_address("http:/x"));
}

/* --- rows -------------------------------------------------------------------------------------*/

UNIT_TEST(test_rows_are_these_bytes) {
    static const unsigned char expected[] = {
        7, 0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 0, 3, 'a', 0, 0xff, 0xac, 0x02,
    };
    char long_text[300];
    struct text rows = {0};

    memset(long_text, 'x', sizeof long_text);
    rowbinary_append_u8(&rows, 7);
    rowbinary_append_u64(&rows, UINT64_C(0x0102030405060708));
    rowbinary_append_text(&rows, NULL, 0);
    rowbinary_append_text(&rows, "a\0\xff", 3);
    rowbinary_append_text(&rows, long_text, sizeof long_text); /* 300 is 0b10_0101100 */
    ck_assert_uint_eq(rows.length, sizeof expected + sizeof long_text);
    ck_assert_mem_eq(rows.bytes, expected, sizeof expected);
    text_free(&rows);
}

/* Truncated anywhere, it fails, and never reads beyond the end. */
UNIT_TEST(test_short_answers_fail) {
    struct text whole = {0};

    rowbinary_append_text(&whole, "text of 17 bytes.", 17);
    rowbinary_append_u8(&whole, 0);
    rowbinary_append_u64(&whole, (uint64_t)INT64_MIN);
    for (size_t length = 0; length <= whole.length; length++) {
        struct text cut = {0};
        struct rowbinary_reader reader;
        const char *bytes;
        size_t size;

        text_append(&cut, whole.bytes, length); /* separate memory, for the sanitizer */
        reader = rowbinary_reader(&cut);
        bytes = rowbinary_text(&reader, &size);
        ck_assert_uint_eq(size, length > 17 ? 17 : 0);
        ck_assert(size == 0 || memcmp(bytes, "text of 17 bytes.", size) == 0);
        ck_assert(!rowbinary_read_null(&reader));
        ck_assert_int_eq(rowbinary_i64(&reader), length == whole.length ? INT64_MIN : 0);
        ck_assert_int_eq(reader.failed, length < whole.length);
        ck_assert(!rowbinary_more(&reader));
        text_free(&cut);
    }
    text_free(&whole);
}

static const char *const lies[] = {
    "\xff\xff\xff\xff\xff\xff\xff\xff\x7f",     /* 2^63 - 1 bytes */
    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", /* 2^64 - 1 */
    "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80", "\x80", "\x02x", "<html>",
};

UNIT_LOOP(test_lengths_that_cannot_be_fail, COUNT(lies)) {
    struct text answer = {0};
    struct rowbinary_reader reader;
    size_t size;

    text_append_string(&answer, lies[_i]);
    reader = rowbinary_reader(&answer);
    ck_assert_str_eq(rowbinary_text(&reader, &size), "");
    ck_assert_uint_eq(size, 0);
    ck_assert(reader.failed);
    ck_assert(!rowbinary_read_null(&reader));
    text_free(&answer);
}

UNIT_TEST(test_null_is_0_or_1) {
    struct text answer = {0};
    struct rowbinary_reader reader;

    text_append(&answer, "\1\0\2", 3);
    reader = rowbinary_reader(&answer);
    ck_assert(rowbinary_read_null(&reader));
    ck_assert(!rowbinary_read_null(&reader));
    ck_assert(!reader.failed);
    rowbinary_read_null(&reader);
    ck_assert(reader.failed);
    text_free(&answer);
}

UNIT_CASE("packed", folder_make, folder_remove);

/* gzip's own library restores the rows. */
UNIT_LOOP(test_packed_rows_are_the_same, 4) {
    static const size_t lengths[] = {0, 1, 65536, 300000};
    struct text plain = {0}, packed = {0};

    for (size_t i = 0; i < lengths[_i]; i++) {
        text_append_char(&plain, (char)(i * i % 251));
    }
    pack_gzip(text_string(&plain), plain.length, PACK_FAST, &packed);
    ck_assert(lengths[_i] < 65536 || packed.length < plain.length);
    folder_write("packed.gz", packed.bytes, packed.length);
    folder_write("plain", text_string(&plain), plain.length);
    text_free(&plain);
    text_free(&packed);
    folder_run("gzip -dc packed.gz | cmp - plain");
}

/* --- statements -------------------------------------------------------------------------------*/

UNIT_TEST(test_texts_are_hex) {
    struct text sql = {0};

    remote_append_columns(&sql, "'; DROP TABLE x --\\\xff`\n");
    ck_assert_ptr_nonnull(strstr(text_string(&sql), "database = unhex('273b2044524f50205441424c45"
                                                    "2078202d2d5cff600a') FORMAT"));
    text_clear(&sql);
    remote_append_columns(&sql, "");
    ck_assert_ptr_nonnull(strstr(text_string(&sql), "database = unhex('') FORMAT"));
    text_free(&sql);
}

/* Ids and times are decimal, shifted to those of the store; an empty selection uses an id that no
 * event has.
 */
UNIT_TEST(parts_of_events) {
    static const int64_t ids[] = {0, 1007};
    const struct database_ids some = {ids, 2}, none = {ids, 0};
    const struct upload_key pair = {7, 9};
    struct remote_range range = {.column = "id", .first = 2, .last = 40, .condition = ""};
    struct text sql = {0}, condition = {0};

    remote_append_ids(&condition, "actor", &some, 1000);
    remote_append_ids(&condition, "object", &none, 0);
    remote_append_classes(&condition, 1u << IO_READ | 1u << IO_OTHER);
    ck_assert_str_eq(condition.bytes,
                     " AND ifNull(`actor`, 0) IN (0, 7) AND ifNull(`object`, 0) IN "
                     "(-1) AND bitAnd(ifNull(`flags`, 0), 7) IN (1, 2, 3, 5)");
    remote_append_count_before(&sql, "study", &pair, -5, INT64_MAX);
    ck_assert_str_eq(sql.bytes,
                     "SELECT trace, attempt, toInt64(sum(`time` < -5)), toInt64(sum(`time` < "
                     "9223372036854775807)) FROM study.`event` WHERE trace = 7 AND attempt = 9 "
                     "GROUP BY trace, attempt FORMAT RowBinary");
    text_clear(&sql);
    remote_append_count_range(&sql, "study", remote_table_find("io_part"), &pair, &range);
    ck_assert_str_eq(
        sql.bytes,
        "SELECT trace, attempt, toInt64(count()), toInt64(sum(`id` >= 2 AND `id` <= 40)), "
        "toInt64(uniqExact(trace, attempt, event, number)) "
        "FROM study.`io_part` WHERE trace = 7 AND attempt = 9 GROUP BY trace, attempt "
        "FORMAT RowBinary");
    text_clear(&sql);
    remote_append_count_range(&sql, "study", remote_table_find("event"), &pair, &range);
    ck_assert_str_eq(
        sql.bytes,
        "SELECT trace, attempt, toInt64(count()), toInt64(sum(`id` >= 2 AND `id` <= 40)), "
        "toInt64(sum(toUInt64(`id`) * (1 + 2 * toUInt64(`id`) * toUInt64(`id`)))) "
        "FROM study.`event` WHERE trace = 7 AND attempt = 9 GROUP BY trace, attempt "
        "FORMAT RowBinary");
    text_clear(&sql);
    range = (struct remote_range){"id", 2, 40, " AND 2", 12, 30};
    remote_append_select_range(&sql, "study", remote_table_find("loggable"), &pair, &range);
    ck_assert_str_eq(
        sql.bytes,
        "SELECT trace, attempt, `code`, `by_default` FROM study.`loggable` WHERE trace = "
        "7 AND attempt = 9 AND `id` >= 2 AND `id` <= 40 AND (`id` < 12 OR `id` > 30 OR "
        "(1 AND 2)) ORDER BY trace, attempt, code FORMAT RowBinary");
    text_free(&sql);
    text_free(&condition);
}

UNIT_TEST(test_statements) {
    static const struct upload_key pairs[] = {{1, UINT64_MAX}, {UINT64_C(1) << 63, 0}};
    struct text sql = {0};

    remote_append_select(&sql, "study", remote_table_find("remark"), pairs, 2);
    ck_assert_str_eq(sql.bytes, "SELECT trace, attempt, `number`, `text` FROM study.`remark` WHERE "
                                "(trace, attempt) IN ((1, 18446744073709551615), "
                                "(9223372036854775808, 0)) ORDER BY trace, attempt, number "
                                "FORMAT RowBinary");
    text_clear(&sql);
    remote_append_insert(&sql, "study", remote_table_find("loggable"));
    ck_assert_str_eq(sql.bytes, "INSERT INTO study.`loggable` (trace, attempt, `code`, "
                                "`by_default`) FORMAT RowBinary");
    text_clear(&sql);
    remote_append_sums(&sql, "study", "remark_local", remote_table_find("remark"));
    ck_assert_str_eq(sql.bytes,
                     "SELECT trace, attempt, toUInt64(count()), toUInt64(sum((toUInt64(`number`) + "
                     "1) * (toUInt64(`number`) * 3 + halfMD5(`text`) * 5))) FROM "
                     "study.`remark_local` GROUP BY trace, attempt FORMAT RowBinary");
    text_clear(&sql);
    remote_append_rollup(&sql, "study", remote_table_find("rollup_block"), pairs, 1, "C");
    ck_assert_str_eq(sql.bytes,
                     "SELECT `class`, `block_type`, `partition`, `file_type`, toInt64(count()), "
                     "toInt64(sum(bitShiftRight(`count`, 32))), toInt64(sum(bitAnd(`count`, "
                     "4294967295))), toInt64(sum(bitShiftRight(`bytes`, 32))), "
                     "toInt64(sum(bitAnd(`bytes`, 4294967295))) FROM study.`rollup_block` WHERE "
                     "(trace, attempt) IN ((1, 18446744073709551615)) AND action_kind = 'action' "
                     "AND action_text = unhex('43') GROUP BY `class`, `block_type`, `partition`, "
                     "`file_type` FORMAT RowBinary");
    text_clear(&sql);
    remote_append_check_query(&sql, "study", pairs, 1, false);
    ck_assert_ptr_nonnull(
        strstr(sql.bytes, " UNION ALL SELECT toUInt64(16), trace, attempt, toUInt64(count()), "
                          "toUInt64(sum((toUInt64(`number`) + 1) * (toUInt64(`number`) * 3 + "
                          "halfMD5(`text`) * 5))) FROM study.`remark` WHERE (trace, attempt) IN "
                          "((1, 18446744073709551615)) GROUP BY trace, attempt UNION ALL "));
    ck_assert_ptr_null(strstr(sql.bytes, "`event`"));
    text_free(&sql);
}

static bool keep(void *context, const char *sql, struct error *error) {
    (void)error;
    text_append_format(context, "%s;\n", sql);
    return true;
}

UNIT_TEST(test_definitions) {
    const struct remote_layout one = {"study", NULL, false}, many = {"study", "fleet", true};
    struct text sql = {0};

    ck_assert(remote_visit_definitions(&one, keep, &sql, &error));
    ck_assert_ptr_nonnull(
        strstr(sql.bytes, "CREATE TABLE IF NOT EXISTS study.`loggable` (trace UInt64, attempt "
                          "UInt64, `code` Int64, `by_default` Int64) ENGINE = MergeTree ORDER BY "
                          "(trace, attempt, code);\n"));
    ck_assert_ptr_null(strstr(sql.bytes, "CODEC"));
    ck_assert_ptr_null(strstr(sql.bytes, "_local`"));
    text_clear(&sql);
    ck_assert(remote_visit_definitions(&many, keep, &sql, &error));
    ck_assert_ptr_nonnull(strstr(sql.bytes, "study.`event_local` (trace UInt64, attempt UInt64, "
                                            "`id` Int64 CODEC(Delta, ZSTD(1)), "));
    ck_assert_ptr_nonnull(
        strstr(sql.bytes, "study.`loggable` (trace UInt64, attempt UInt64, `code` Int64, "
                          "`by_default` Int64) ENGINE = Distributed(fleet, study, loggable_local, "
                          "trace);\n"));
    text_free(&sql);
}

/* --- checksums --------------------------------------------------------------------------------*/

/* MD5 of "" and of "abc" are those of RFC 1321. */
UNIT_TEST(test_checksum_by_hand) {
    sqlite3_stmt *row;
    bool there;

    database_make();
    row = database_prepare(&database, "SELECT 7, 'abc' UNION ALL SELECT -1, ''", &error);
    ck_assert_ptr_nonnull(row);
    ck_assert(database_step(&database, row, &there, &error) && there);
    ck_assert_uint_eq(checksum_row(row, remote_table_find("remark")),
                      8 * (7 * 3 + UINT64_C(0x900150983cd24fb0) * 5));
    ck_assert(database_step(&database, row, &there, &error) && there);
    ck_assert_uint_eq(checksum_row(row, remote_table_find("remark")), 0);
    sqlite3_finalize(row);
    row = database_prepare(&database, "SELECT 2, NULL, NULL, 0, NULL, ''", &error);
    ck_assert(database_step(&database, row, &there, &error) && there);
    /* actor: id 2; code 0 counts as more than NULL, and so does an empty name. */
    ck_assert_uint_eq(checksum_row(row, remote_table_find("actor")),
                      3 * (2 * 3 + 1 * 9 + (UINT64_C(0xd41d8cd98f00b204) + 1) * 13));
    sqlite3_finalize(row);
    unit_close();
}

/* --- identity ---------------------------------------------------------------------------------*/

UNIT_TEST(test_attempts_are_in_order) {
    uint64_t with, without;

    ck_assert(remote_attempt_make(&with, true, &error));
    ck_assert(remote_attempt_make(&without, false, &error));
    ck_assert_uint_lt(with, without);
    ck_assert_int_le(llabs(remote_attempt_second(with) - (int64_t)time(NULL)), 2);
    ck_assert_int_le(llabs(remote_attempt_second(without) - (int64_t)time(NULL)), 2);
}

/* SHA-256 of "calls", "palmist" and both hashes, each with its NUL, by sha256sum. */
UNIT_TEST(test_hash_is_of_the_log) {
    struct remote_identity identity;

    database_make();
    unit_run(
        "INSERT INTO trace (id, name, kind, format, variant, clock_unit, sessions, events, merged,"
        " ignored, rejected, lost_bytes, rollups) VALUES (5, 'x', 'calls', 'palmist', 'pdb', 'ns',"
        " 1, 0, 0, 0, 0, 0, '');"
        "INSERT INTO source (id, trace, name, hash, size, packing, events) VALUES"
        " (9, 5, 'b', '0123', 1, 'plain', 0), (7, 5, 'a', '4567', 1, 'plain', 0)");
    ck_assert(catalog_load(&catalog, &database, &error));
    ck_assert(remote_identify(&database, &catalog.traces[0], &identity, &error));
    ck_assert_str_eq(identity.hash, "ffee53456064500bdcdd96f0246e3ef0");
    ck_assert_uint_eq(identity.key, UINT64_C(0xffee53456064500b));
    catalog_free(&catalog);
    unit_close();
}

/* Parses the numbers of rows; false if they are invalid. */
static bool is_rows(const char *text, int64_t rows[REMOTE_MOST_TABLES]) {
    bool known;

    return contents_parse_rows(text, strlen(text), rows, &known) && known;
}

UNIT_TEST(test_rows_of_tables_are_said) {
    const size_t name = (size_t)(remote_table_find("name") - remote_tables);
    struct content contents[REMOTE_MOST_TABLES] = {{0}};
    int64_t rows[REMOTE_MOST_TABLES];
    struct text text = {0};
    bool known = true;

    contents[1].rows = 2;
    contents[name].rows = INT64_MAX;
    contents_append_rows(&text, contents);
    ck_assert_str_eq(text_string(&text), "source=2 name=9223372036854775807");
    ck_assert(is_rows(text_string(&text), rows));
    ck_assert_int_eq(rows[1], 2);
    ck_assert_int_eq(rows[name], INT64_MAX);
    ck_assert_int_eq(rows[name + 1], 0);
    /* The program that pushed it did not count, or had more tables. */
    ck_assert(contents_parse_rows("", 0, rows, &known));
    ck_assert(!known);
    ck_assert(is_rows("nosuch=7 source=3", rows));
    ck_assert_int_eq(rows[1], 3);
    ck_assert(!is_rows("nosuch=x", rows));
    ck_assert(!is_rows("=1", rows));
    ck_assert(!is_rows("source=0", rows));
    ck_assert(!is_rows("source=-1", rows));
    ck_assert(!is_rows("source=9223372036854775808", rows));
    ck_assert(!is_rows("source=1 source=1", rows));
    ck_assert(!is_rows("source", rows));
    text_free(&text);
}

/* --- the schema -------------------------------------------------------------------------------*/

/* Columns that a store omits: see schema.h. */
static bool is_left_out(const char *table, const char *column) {
    return strcmp(table, "event_column") == 0 || strcmp(table, "argument_pack") == 0 ||
           strcmp(table, "allocation") == 0 || strcmp(column, "trace") == 0 ||
           (strcmp(table, "trace") == 0 &&
            (strcmp(column, "id") == 0 || strcmp(column, "resume") == 0));
}

static const struct remote_column *find_column(const struct remote_table *table, const char *name) {
    for (const struct remote_column *column = table->columns; column->name != NULL; column++) {
        if (strcmp(column->name, name) == 0) {
            return column;
        }
    }
    return NULL;
}

/* All SQLite columns are in the store, with their declared type. */
UNIT_TEST(test_every_column_has_a_place) {
    sqlite3_stmt *columns;
    bool row;
    int count = 0;

    database_make();
    columns = database_prepare(&database,
                               "SELECT s.name, c.name, c.type, c.\"notnull\" OR c.pk FROM "
                               "sqlite_schema AS s, pragma_table_info(s.name) AS c WHERE s.type = "
                               "'table'",
                               &error);
    ck_assert_ptr_nonnull(columns);
    while (database_step(&database, columns, &row, &error) && row) {
        const char *table_name = (const char *)sqlite3_column_text(columns, 0);
        const char *name = (const char *)sqlite3_column_text(columns, 1);
        bool text = strcmp((const char *)sqlite3_column_text(columns, 2), "INTEGER") != 0;
        const struct remote_table *table = remote_table_find(table_name);
        const struct remote_column *column = table == NULL ? NULL : find_column(table, name);

        if (is_left_out(table_name, name)) {
            ck_assert_msg(column == NULL, "%s.%s", table_name, name);
            continue;
        }
        ck_assert_msg(column != NULL && column->sql == NULL, "%s.%s", table_name, name);
        ck_assert_msg(remote_type_is_text(column->type) == text, "%s.%s", table_name, name);
        ck_assert_msg(remote_type_is_nullable(column->type) != sqlite3_column_int(columns, 3),
                      "%s.%s may be NULL, or may not", table_name, name);
        count++;
    }
    sqlite3_finalize(columns);
    unit_close();
    ck_assert_int_gt(count, 130);
}

/* Columns of sort orders and row numbers exist, and are not NULL. */
UNIT_TEST(test_orders_are_of_columns) {
    size_t tables = 0;

    for (const struct remote_table *table = remote_tables; table->name != NULL; table++) {
        char order[256], *rest = order, *name;

        tables++;
        snprintf(order, sizeof order, "%s", table->order);
        while ((name = strtok_r(rest, ", ", &rest)) != NULL) {
            const struct remote_column *column = find_column(table, name);
            bool key = strcmp(name, "trace") == 0 || strcmp(name, "attempt") == 0;

            ck_assert_msg(key || (column != NULL && !remote_type_is_nullable(column->type)),
                          "%s: %s", table->name, name);
        }
        ck_assert(table->number == NULL ||
                  find_column(table, table->number)->type == REMOTE_INTEGER);
    }
    ck_assert_uint_lt(tables, REMOTE_MOST_TABLES);
}

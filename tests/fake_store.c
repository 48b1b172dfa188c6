#include "fake_store.h"

#include <inttypes.h>
#include <nettle/md5.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "remote/rowbinary.h"
#include "remote/schema.h"

static struct {
    sqlite3 *handle;
    size_t requests;
    unsigned waited;
    fake_store_watch *watch;
    void *context;
} store;

/* --- functions missing in SQLite -------------------------------------------------------------- */

static void give_version(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count, (void)values;
    sqlite3_result_text(context, "24.8.1.2", -1, SQLITE_STATIC);
}

static void give_same(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    sqlite3_result_value(context, values[0]);
}

static void shift_right(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    if (sqlite3_value_type(values[0]) != SQLITE_NULL) {
        sqlite3_result_int64(context,
                             sqlite3_value_int64(values[0]) >> sqlite3_value_int(values[1]));
    }
}

static void and_bits(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    if (sqlite3_value_type(values[0]) != SQLITE_NULL) {
        sqlite3_result_int64(context,
                             sqlite3_value_int64(values[0]) & sqlite3_value_int64(values[1]));
    }
}

static unsigned digit_of(char digit) {
    return (unsigned)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

static void unhex(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *digits = (const char *)sqlite3_value_text(values[0]);
    struct text bytes = {0};

    (void)count;
    for (size_t i = 0; digits[i] != '\0'; i += 2) {
        text_append_char(&bytes, (char)(digit_of(digits[i]) << 4 | digit_of(digits[i + 1])));
    }
    sqlite3_result_text(context, text_string(&bytes), (int)bytes.length, SQLITE_TRANSIENT);
    text_free(&bytes);
}

/* --- checksums ----------------------------------------------------------------------------------
 */

static const struct remote_table *find_table(const char *name) {
    return strcmp(name, remote_removed.name) == 0 ? &remote_removed : remote_table_find(name);
}

static uint64_t value_of(sqlite3_value *value, bool text) {
    uint8_t digest[MD5_DIGEST_SIZE];
    struct md5_ctx context;
    uint64_t half = 0;

    if (!text) {
        return (uint64_t)sqlite3_value_int64(value);
    }
    md5_init(&context);
    md5_update(&context, (size_t)sqlite3_value_bytes(value), sqlite3_value_text(value));
    md5_digest(&context, sizeof digest, digest);
    for (int i = 0; i < 8; i++) {
        half = half * 256 + digest[i];
    }
    return half;
}

/* checksum_of('table', columns…): (number + 1) × Σ (2 × place + 3) × value of each row. */
static void add_row(sqlite3_context *context, int count, sqlite3_value **values) {
    uint64_t *total = sqlite3_aggregate_context(context, sizeof *total), sum = 0, number = 0;
    const struct remote_table *table = find_table((const char *)sqlite3_value_text(values[0]));

    for (int i = 0; i + 1 < count; i++) {
        const struct remote_column *column = &table->columns[i];
        uint64_t value = value_of(values[i + 1], remote_type_is_text(column->type));

        if (sqlite3_value_type(values[i + 1]) != SQLITE_NULL) {
            sum += (2 * (uint64_t)i + 3) * (value + remote_type_is_nullable(column->type));
        }
        if (table->number != NULL && strcmp(table->number, column->name) == 0) {
            number = value;
        }
    }
    *total += (number + 1) * sum;
}

static void give_sum(sqlite3_context *context) {
    const uint64_t *total = sqlite3_aggregate_context(context, sizeof *total);

    sqlite3_result_int64(context, (int64_t)*total);
}

static void define_functions(void) {
    static const struct {
        const char *name;
        int count;
        void (*run)(sqlite3_context *context, int count, sqlite3_value **values);
    } functions[] = {
        {"version", 0, give_version}, {"toUInt64", 1, give_same}, {"toInt64", 1, give_same},
        {"unhex", 1, unhex},          {"bitAnd", 2, and_bits},    {"bitShiftRight", 2, shift_right},
    };

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        sqlite3_create_function(store.handle, functions[i].name, functions[i].count, SQLITE_UTF8,
                                NULL, functions[i].run, NULL, NULL);
    }
    sqlite3_create_function(store.handle, "checksum_of", -1, SQLITE_UTF8, NULL, NULL, add_row,
                            give_sum);
}

/* --- statements translated to SQLite ---------------------------------------------------------- */

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Copies the table name in backquotes after `text`; `name` has 64 bytes. */
static bool name_behind(const char *text, char *name) {
    const char *at = strstr(text, ".`");

    return at != NULL && sscanf(at, ".`%63[^`]`", name) == 1;
}

/* Returns that table; NULL if it is unknown. */
static const struct remote_table *table_behind(const char *text) {
    char name[64];

    return name_behind(text, name) ? find_table(name) : NULL;
}

/* Translates toUInt64(sum(…)), the sum of checksums. Returns the text after it. */
static const char *put_checksum(const char *sql, struct text *out) {
    const struct remote_table *table = table_behind(sql);
    int depth = 0;

    if (table == NULL) {
        return sql + strlen(sql);
    }
    text_append_format(out, "checksum_of('%s'", table->name);
    for (const struct remote_column *column = table->columns; column->name != NULL; column++) {
        text_append_format(out, ", `%s`", column->name);
    }
    text_append_char(out, ')');
    do {
        depth += (*sql == '(') - (*sql == ')');
    } while (*sql++ != ')' || depth > 0);
    return sql;
}

/* Translates a number above 63 bits to the negative one of the same bits. */
static const char *put_number(const char *sql, struct text *out) {
    char *end;

    text_append_format(out, "%" PRId64, (int64_t)strtoull(sql, &end, 10));
    return end;
}

static bool in_word(const char *sql, const char *at) {
    return at > sql && (at[-1] == '_' || (at[-1] >= '0' && at[-1] <= '9') ||
                        (at[-1] >= 'A' && at[-1] <= 'Z') || (at[-1] >= 'a' && at[-1] <= 'z'));
}

/* Translates uniqExact(a, b, …), the number of different rows. Returns the text after it. */
static const char *put_distinct(const char *sql, struct text *out) {
    text_append_string(out, "count(DISTINCT ");
    for (sql = strchr(sql, '(') + 1; *sql != ')'; sql++) {
        text_append_string(out, *sql == ',' ? " || '/' || " : (const char[]){*sql, '\0'});
    }
    return sql;
}

static void translate(const char *sql, struct text *out) {
    static const char table[] = "SELECT table,", pairs[] = " IN ((", sum[] = "toUInt64(sum(";
    const char *at = sql;

    while (*at != '\0' && !begins(at, " FORMAT RowBinary")) {
        if (*at == '`' || *at == '\'') {
            const char *end = strchr(at + 1, *at);

            text_append(out, at, (size_t)(end - at) + 1);
            at = end + 1;
        } else if (begins(at, table)) {
            text_append_string(out, "SELECT \"table\",");
            at += strlen(table);
        } else if (begins(at, pairs)) {
            text_append_string(out, " IN (VALUES (");
            at += strlen(pairs);
        } else if (begins(at, "ALTER TABLE ")) {
            text_append_string(out, "DELETE FROM ");
            at += strlen("ALTER TABLE ");
        } else if (begins(at, " DELETE WHERE ")) {
            at += strlen(" DELETE");
        } else if (begins(at, sum)) {
            at = put_checksum(at, out);
        } else if (begins(at, "uniqExact(")) {
            at = put_distinct(at, out);
        } else if (*at >= '0' && *at <= '9' && !in_word(sql, at)) {
            at = put_number(at, out);
        } else {
            text_append_char(out, *at++);
        }
    }
}

/* --- rows ---------------------------------------------------------------------------------------
 */

/* Columns that may be NULL: those declared so, and the sums of rollups. */
static bool is_nullable(sqlite3_stmt *rows, int column) {
    const char *type = sqlite3_column_decltype(rows, column);

    return type != NULL ? begins(type, "NULLABLE")
                        : begins(sqlite3_column_name(rows, column), "toInt64(sum(bit");
}

static void put_row(sqlite3_stmt *rows, struct text *answer) {
    for (int i = 0; i < sqlite3_column_count(rows); i++) {
        int type = sqlite3_column_type(rows, i);

        if (is_nullable(rows, i)) {
            rowbinary_append_u8(answer, type == SQLITE_NULL);
        }
        if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
            const void *bytes = sqlite3_column_blob(rows, i);

            rowbinary_append_text(answer, bytes, (size_t)sqlite3_column_bytes(rows, i));
        } else if (type != SQLITE_NULL) {
            rowbinary_append_u64(answer, (uint64_t)sqlite3_column_int64(rows, i));
        }
    }
}

static bool answer_rows(const char *statement, struct text *answer) {
    sqlite3_stmt *rows = NULL;
    struct text sql = {0};
    int status;

    translate(statement, &sql);
    status = sqlite3_prepare_v2(store.handle, text_string(&sql), -1, &rows, NULL);
    while (status == SQLITE_OK && (status = sqlite3_step(rows)) == SQLITE_ROW) {
        put_row(rows, answer);
        status = SQLITE_OK;
    }
    sqlite3_finalize(rows);
    text_free(&sql);
    return status == SQLITE_DONE;
}

/* Creates a table with the columns as the server lists them, unless it exists. In a cluster there
 * is another one, NAME_local, for the rows of this server. */
static bool make_table(const char *statement) {
    static const char local[] = "_local";
    const struct remote_table *table;
    struct text sql = {0}, listed = {0};
    char name[64], known[64];
    bool done;

    if (!name_behind(statement, name)) {
        return false;
    }
    memcpy(known, name, sizeof known);
    if (strlen(known) > strlen(local) &&
        strcmp(known + strlen(known) - strlen(local), local) == 0) {
        known[strlen(known) - strlen(local)] = '\0';
    }
    table = find_table(known);
    if (table == NULL) {
        return false;
    }

    text_append_format(&sql,
                       "CREATE TABLE " FAKE_STORE_DATABASE ".`%s` (trace INTEGER, attempt"
                       " INTEGER",
                       name);
    text_append_format(&listed,
                       "INSERT INTO system.columns VALUES ('%s', 'trace', 'UInt64', '%s'),"
                       " ('%s', 'attempt', 'UInt64', '%s')",
                       name, FAKE_STORE_DATABASE, name, FAKE_STORE_DATABASE);
    for (const struct remote_column *column = table->columns; column->name != NULL; column++) {
        text_append_format(&sql, ", `%s` %s%s", column->name,
                           remote_type_is_nullable(column->type) ? "NULLABLE " : "",
                           remote_type_is_text(column->type) ? "TEXT" : "INTEGER");
        text_append_format(&listed, ", ('%s', '%s', '%s', '%s')", name, column->name,
                           remote_type_name(column->type), FAKE_STORE_DATABASE);
    }
    text_append_char(&sql, ')');
    done = sqlite3_exec(store.handle, text_string(&sql), NULL, NULL, NULL) != SQLITE_OK ||
           sqlite3_exec(store.handle, text_string(&listed), NULL, NULL, NULL) == SQLITE_OK;
    text_free(&sql);
    text_free(&listed);
    return done;
}

/* ALTER TABLE fake.`TABLE` ADD COLUMN `NAME` TYPE; also updates the server's list. */
static bool add_column(const char *statement) {
    char table[64], name[64], type[64];
    struct text sql = {0};
    bool done;

    if (sscanf(statement, "ALTER TABLE %*[^`]`%63[^`]` ADD COLUMN `%63[^`]` %63s", table, name,
               type) != 3) {
        return false;
    }
    text_append_format(&sql,
                       "ALTER TABLE " FAKE_STORE_DATABASE ".`%s` ADD COLUMN `%s` %s;"
                       "INSERT INTO system.columns VALUES ('%s', '%s', '%s', '%s')",
                       table, name,
                       begins(type, "Nullable(") ? "NULLABLE"
                       : begins(type, "String")  ? "TEXT NOT NULL DEFAULT ''"
                                                 : "INTEGER NOT NULL DEFAULT 0",
                       table, name, type, FAKE_STORE_DATABASE);
    done = sqlite3_exec(store.handle, text_string(&sql), NULL, NULL, NULL) == SQLITE_OK;
    text_free(&sql);
    return done;
}

static bool bind_value(sqlite3_stmt *insert, int at, enum remote_type type,
                       struct rowbinary_reader *reader) {
    if (remote_type_is_nullable(type) && rowbinary_read_null(reader)) {
        return sqlite3_bind_null(insert, at) == SQLITE_OK;
    }
    if (remote_type_is_text(type)) {
        struct rowbinary_slice text = rowbinary_slice(reader);

        return sqlite3_bind_text64(insert, at, text.bytes, text.length, SQLITE_TRANSIENT,
                                   SQLITE_UTF8) == SQLITE_OK;
    }
    return sqlite3_bind_int64(insert, at, rowbinary_i64(reader)) == SQLITE_OK;
}

static bool take_rows(const struct remote_table *table, const struct text *rows) {
    struct rowbinary_reader reader = rowbinary_reader(rows);
    sqlite3_stmt *insert = NULL;
    struct text sql = {0};
    bool done;

    text_append_format(&sql, "INSERT INTO " FAKE_STORE_DATABASE ".`%s` VALUES (?, ?", table->name);
    for (const struct remote_column *column = table->columns; column->name != NULL; column++) {
        text_append_string(&sql, ", ?");
    }
    text_append_char(&sql, ')');
    done = sqlite3_prepare_v2(store.handle, text_string(&sql), -1, &insert, NULL) == SQLITE_OK;
    while (done && rowbinary_more(&reader)) {
        done = bind_value(insert, 1, REMOTE_KEY, &reader) &&
               bind_value(insert, 2, REMOTE_KEY, &reader);
        for (int i = 0; done && table->columns[i].name != NULL; i++) {
            done = bind_value(insert, i + 3, table->columns[i].type, &reader);
        }
        done = done && !reader.failed && sqlite3_step(insert) == SQLITE_DONE;
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    text_free(&sql);
    return done;
}

/* --- requests -----------------------------------------------------------------------------------
 */

static bool unpack(const struct http_body *body, struct text *rows) {
    z_stream stream = {.next_in = (unsigned char *)body->bytes, .avail_in = (uInt)body->length};
    int status = inflateInit2(&stream, 15 + 16);

    while (status == Z_OK) {
        char *place = text_reserve(rows, 65536);

        stream.next_out = (unsigned char *)place;
        stream.avail_out = 65536;
        status = inflate(&stream, Z_NO_FLUSH);
        rows->length += 65536 - stream.avail_out;
    }
    inflateEnd(&stream);
    return status == Z_STREAM_END;
}

/* Inserts all rows of a request, or none. */
static bool insert(const char *statement, const struct http_body *body) {
    const struct remote_table *table = table_behind(statement);
    struct text rows = {0};
    bool done = table != NULL;

    if (done && body->gzip) {
        done = unpack(body, &rows);
    } else if (done) {
        text_append(&rows, body->bytes, body->length);
    }
    sqlite3_exec(store.handle, "SAVEPOINT rows", NULL, NULL, NULL);
    done = done && take_rows(table, &rows);
    sqlite3_exec(store.handle, done ? "RELEASE rows" : "ROLLBACK TO rows; RELEASE rows", NULL, NULL,
                 NULL);
    text_free(&rows);
    return done;
}

/* Reads the value of `query` in a URL, with %XX decoded; "" if there is none. */
static void read_query(const char *url, struct text *statement) {
    const char *at = strstr(url, "&query=");

    for (at = at == NULL ? "" : at + strlen("&query="); *at != '\0'; at++) {
        unsigned byte;

        if (*at == '%' && sscanf(at + 1, "%2x", &byte) == 1) {
            text_append_char(statement, (char)byte);
            at += 2;
        } else {
            text_append_char(statement, *at);
        }
    }
}

static bool run(const char *statement, const struct http_body *body, struct text *answer) {
    if (begins(statement, "CREATE DATABASE ")) {
        return true;
    }
    if (begins(statement, "CREATE TABLE ")) {
        return make_table(statement);
    }
    if (strstr(statement, "` ADD COLUMN `") != NULL) {
        return add_column(statement);
    }
    return begins(statement, "INSERT ") ? insert(statement, body) : answer_rows(statement, answer);
}

struct http *__wrap_http_open(const struct http_options *options, struct error *error);
void __wrap_http_close(struct http *http);
struct http_outcome __wrap_http_post(struct http *http, const char *url,
                                     const struct http_body *body, size_t most,
                                     struct text *answer);
unsigned __wrap_sleep(unsigned seconds);

/* Callers only check the result for NULL. */
struct http *__wrap_http_open(const struct http_options *options, struct error *error) {
    (void)options;
    if (store.handle == NULL) {
        error_set(error, "there is no store");
    }
    return store.handle == NULL ? NULL : (struct http *)&store;
}

void __wrap_http_close(struct http *http) {
    (void)http;
}

struct http_outcome __wrap_http_post(struct http *http, const char *url,
                                     const struct http_body *body, size_t most,
                                     struct text *answer) {
    struct http_outcome outcome = {.answered = true, .status = 200};
    struct text statement = {0};

    (void)http;
    read_query(url, &statement);
    if (statement.length == 0) {
        text_append(&statement, body->bytes, body->length);
    }
    text_clear(answer);
    if (!run(text_string(&statement), body, answer)) {
        outcome.status = 400;
        text_clear(answer);
        text_append_format(answer, "Code: 62, e.displayText() = DB::Exception: Syntax error: %s",
                           sqlite3_errmsg(store.handle));
    }
    if (store.watch != NULL) {
        struct fake_exchange exchange = {store.requests, text_string(&statement), answer, &outcome};

        store.watch(store.context, &exchange);
    }
    store.requests++;
    outcome.too_long |= answer->length > most;
    text_free(&statement);
    return outcome;
}

unsigned __wrap_sleep(unsigned seconds) {
    store.waited += seconds;
    return 0;
}

/* --- the store ----------------------------------------------------------------------------------
 */

bool fake_store_begin(void) {
    static const char sql[] =
        "ATTACH ':memory:' AS " FAKE_STORE_DATABASE ";"
        "ATTACH ':memory:' AS system;"
        "CREATE TABLE system.columns (\"table\" TEXT, name TEXT, type TEXT, database TEXT);"
        "CREATE TABLE system.tables (name TEXT, engine_full TEXT, database TEXT);"
        "CREATE TABLE system.clusters (cluster TEXT, host_name TEXT, port INTEGER,"
        " replica_num INTEGER, is_local INTEGER, shard_num INTEGER)";

    store.requests = store.waited = 0;
    store.watch = NULL;
    if (sqlite3_open(":memory:", &store.handle) != SQLITE_OK ||
        sqlite3_exec(store.handle, sql, NULL, NULL, NULL) != SQLITE_OK) {
        fake_store_end();
        return false;
    }
    define_functions();
    return true;
}

void fake_store_end(void) {
    sqlite3_close(store.handle);
    store.handle = NULL;
}

void fake_store_watched(fake_store_watch *watch, void *context) {
    store.watch = watch;
    store.context = context;
}

bool fake_store_run(const char *sql) {
    return sqlite3_exec(store.handle, sql, NULL, NULL, NULL) == SQLITE_OK;
}

size_t fake_store_requests(void) {
    return store.requests;
}

unsigned fake_store_waited(void) {
    return store.waited;
}

#include "remote/contents.h"

#include <inttypes.h>
#include <nettle/md5.h>
#include <string.h>

#include "input/word.h"
#include "remote/rowbinary.h"

/* --- checksums ----------------------------------------------------------------------------------
 */

/* Odd, so that no value is lost, and another for each column. */
static uint64_t weight_of(size_t column) {
    return 2 * (uint64_t)column + 3;
}

void checksum_append_sql(struct text *sql, const struct remote_table *table) {
    if (table->number != NULL) {
        text_append_format(sql, "(toUInt64(`%s`) + 1) * ", table->number);
    }
    text_append_char(sql, '(');
    for (size_t i = 0; table->columns[i].name != NULL; i++) {
        const struct remote_column *column = &table->columns[i];
        const char *function = remote_type_is_text(column->type) ? "halfMD5" : "toUInt64";

        text_append_string(sql, i == 0 ? "" : " + ");
        if (remote_type_is_nullable(column->type)) {
            text_append_format(sql, "ifNull((%s(`%s`) + 1) * %" PRIu64 ", 0)", function,
                               column->name, weight_of(i));
        } else {
            text_append_format(sql, "%s(`%s`) * %" PRIu64, function, column->name, weight_of(i));
        }
    }
    text_append_char(sql, ')');
}

static uint64_t half_md5(const void *bytes, size_t length) {
    uint8_t digest[MD5_DIGEST_SIZE];
    struct md5_ctx context;
    uint64_t half = 0;

    md5_init(&context);
    md5_update(&context, length, bytes);
    md5_digest(&context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof half; i++) {
        half = half << 8 | digest[i];
    }
    return half;
}

static uint64_t value_of(sqlite3_stmt *row, int at, enum remote_type type) {
    if (!remote_type_is_text(type)) {
        return (uint64_t)sqlite3_column_int64(row, at);
    }
    const void *bytes = sqlite3_column_blob(row, at);

    return half_md5(bytes == NULL ? "" : bytes, (size_t)sqlite3_column_bytes(row, at));
}

uint64_t checksum_row(sqlite3_stmt *row, const struct remote_table *table) {
    uint64_t sum = 0, number = 0;

    for (size_t i = 0; table->columns[i].name != NULL; i++) {
        const struct remote_column *column = &table->columns[i];
        bool nullable = remote_type_is_nullable(column->type);
        uint64_t value;

        if (nullable && sqlite3_column_type(row, (int)i) == SQLITE_NULL) {
            continue;
        }
        value = value_of(row, (int)i, column->type);
        sum += (value + (nullable ? 1 : 0)) * weight_of(i);
        if (table->number != NULL && strcmp(column->name, table->number) == 0) {
            number = value;
        }
    }
    return (number + 1) * sum;
}

/* --- rows and checksums of tables ----------------------------------------------------------------
 */

uint64_t contents_sum(const struct content *contents, bool of_events) {
    uint64_t sum = 0;

    for (size_t i = 1; remote_tables[i].name != NULL; i++) {
        if (remote_tables[i].of_events == of_events) {
            sum += contents[i].sum * (2 * (uint64_t)i + 1);
        }
    }
    return sum;
}

void contents_append_rows(struct text *text, const struct content *contents) {
    for (size_t i = 1; remote_tables[i].name != NULL; i++) {
        if (contents[i].rows > 0) {
            text_append_format(text, "%s%s=%" PRIu64, text->length > 0 ? " " : "",
                               remote_tables[i].name, contents[i].rows);
        }
    }
}

/* Reads one TABLE=ROWS. Another version may have tables that this one does not know. */
static bool parse_rows(struct word word, int64_t rows[REMOTE_MOST_TABLES]) {
    const struct word name = word_field(&word, '=');
    int64_t count;

    if (name.length == 0 || !word_number(word, INT64_MAX, &count) || count == 0) {
        return false;
    }
    for (size_t i = 1; remote_tables[i].name != NULL; i++) {
        if (word_is(name, remote_tables[i].name)) {
            const bool is_first = rows[i] == 0;

            rows[i] = count;
            return is_first;
        }
    }
    return true;
}

bool contents_parse_rows(const char *bytes, size_t length, int64_t rows[REMOTE_MOST_TABLES],
                         bool *known) {
    struct word rest = {bytes, length}, word;

    memset(rows, 0, REMOTE_MOST_TABLES * sizeof *rows);
    *known = false;
    while ((word = word_next(&rest)).length > 0) {
        *known = true;
        if (!parse_rows(word, rows)) {
            return false;
        }
    }
    return true;
}

static struct arrival *find(struct arrival *arrivals, size_t count,
                            const struct remote_pair *pair) {
    for (size_t i = 0; i < count; i++) {
        if (remote_pair_compare(&arrivals[i].pair, pair) == 0) {
            return &arrivals[i];
        }
    }
    return NULL;
}

/* Reads rows in any order; of what was asked for and is not among them there is nothing. */
static bool read_contents(const struct remote *remote, const struct text *answer,
                          struct arrival *arrivals, size_t count, struct error *error) {
    struct rowbinary_reader reader = rowbinary_reader(answer);
    size_t tables = remote_table_count();

    while (rowbinary_more(&reader)) {
        uint64_t table = rowbinary_u64(&reader);
        struct remote_pair pair = remote_pair_take(&reader);
        struct arrival *arrival;

        arrival = find(arrivals, count, &pair);
        if (reader.failed || arrival == NULL || table == 0 || table >= tables) {
            return remote_misanswered(remote, error);
        }
        arrival->there[table].rows = rowbinary_u64(&reader);
        arrival->there[table].sum = rowbinary_u64(&reader);
    }
    return !reader.failed || remote_misanswered(remote, error);
}

static void compare(struct arrival *arrival) {
    arrival->right = true;
    for (size_t i = 1; remote_tables[i].name != NULL; i++) {
        arrival->right &= arrival->there[i].rows == arrival->sent[i].rows &&
                          arrival->there[i].sum == arrival->sent[i].sum;
    }
}

bool contents_ask(struct remote *remote, struct arrival *arrivals, size_t count, bool events,
                  struct error *error) {
    struct remote_pair pairs[CONTENTS_MOST_ARRIVALS];
    struct text sql = {0}, answer = {0};
    bool done;

    for (size_t i = 0; i < count; i++) {
        pairs[i] = arrivals[i].pair;
        memset(arrivals[i].there, 0, sizeof arrivals[i].there);
    }
    remote_append_verify(&sql, remote->address.database, pairs, count, events);
    done = remote_ask(remote, &sql, REMOTE_SMALL_ANSWER, &answer, error) &&
           read_contents(remote, &answer, arrivals, count, error);
    for (size_t i = 0; done && i < count; i++) {
        compare(&arrivals[i]);
    }
    text_free(&sql);
    text_free(&answer);
    return done;
}

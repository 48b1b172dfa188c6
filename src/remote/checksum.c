#include "remote/checksum.h"

#include <inttypes.h>
#include <nettle/md5.h>
#include <string.h>

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

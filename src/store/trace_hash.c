#include "store/trace_hash.h"

#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* The hash of the trace whose rows come, and who is given it. */
struct hashing {
    struct sha256_ctx context;
    int64_t trace;
    bool begun;
    bool (*take)(void *context, int64_t trace, const char *hash, struct error *error);
    void *taker;
};

static void add_part(struct hashing *hashing, sqlite3_stmt *row, int column) {
    const char *part = (const char *)sqlite3_column_text(row, column);

    part = part == NULL ? "" : part;
    sha256_update(&hashing->context, strlen(part) + 1, (const uint8_t *)part);
}

static bool end_trace(struct hashing *hashing, struct error *error) {
    char hash[TRACE_HASH_LENGTH + 1];
    uint8_t digest[TRACE_HASH_LENGTH / 2];

    if (!hashing->begun) {
        return true;
    }
    sha256_digest(&hashing->context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        snprintf(hash + 2 * i, 3, "%02x", digest[i]);
    }
    return hashing->take(hashing->taker, hashing->trace, hash, error);
}

static bool add_row(struct hashing *hashing, sqlite3_stmt *row, struct error *error) {
    const int64_t trace = sqlite3_column_int64(row, 0);

    if (!hashing->begun || trace != hashing->trace) {
        if (!end_trace(hashing, error)) {
            return false;
        }
        sha256_init(&hashing->context);
        hashing->trace = trace;
        hashing->begun = true;
        add_part(hashing, row, 1);
        add_part(hashing, row, 2);
    }
    if (sqlite3_column_int(row, 4) != 0) {
        add_part(hashing, row, 3);
    }
    return true;
}

/* Ends the statement; NULL is welcome. */
static bool hash_rows(struct database *database, sqlite3_stmt *rows, struct hashing *hashing,
                      struct error *error) {
    bool row = true, done = rows != NULL;

    while (done && (done = database_step(database, rows, &row, error)) && row) {
        done = add_row(hashing, rows, error);
    }
    sqlite3_finalize(rows);
    return done && end_trace(hashing, error);
}

/* The files of a trace one after another; of one without, a row. */
#define ROWS(schema)                                                                               \
    "SELECT t.id, t.kind, t.format, s.hash, s.id NOT NULL FROM " schema ".trace AS t"              \
    " LEFT JOIN " schema ".source AS s ON s.trace = t.id"

bool trace_hash_each(struct database *database, const char *schema,
                     bool (*take)(void *context, int64_t trace, const char *hash,
                                  struct error *error),
                     void *context, struct error *error) {
    struct hashing hashing = {.take = take, .taker = context};
    struct text sql = {0};
    sqlite3_stmt *rows = NULL;

    text_append_format(&sql, ROWS("%s") " ORDER BY t.id, s.id", schema, schema);
    if (sql.failed) {
        error_no_memory(error);
    } else {
        rows = database_prepare(database, text_string(&sql), error);
    }
    text_free(&sql);
    return hash_rows(database, rows, &hashing, error);
}

static bool copy_hash(void *context, int64_t trace, const char *hash, struct error *error) {
    (void)trace;
    (void)error;
    memcpy(context, hash, TRACE_HASH_LENGTH + 1);
    return true;
}

bool trace_hash(struct database *database, int64_t trace, char hash[TRACE_HASH_LENGTH + 1],
                struct error *error) {
    struct hashing hashing = {.take = copy_hash, .taker = hash};
    sqlite3_stmt *rows =
        database_prepare(database, ROWS("main") " WHERE t.id = ?1 ORDER BY s.id", error);

    hash[0] = '\0';
    if (rows != NULL) {
        sqlite3_bind_int64(rows, 1, trace);
    }
    return hash_rows(database, rows, &hashing, error);
}

#include "store/trace_hash.h"

#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

bool trace_hash(struct database *database, int64_t trace, char hash[TRACE_HASH_LENGTH + 1],
                struct error *error) {
    /* `part` puts kind and format in front of the files. */
    sqlite3_stmt *parts = database_prepare(
        database,
        "SELECT kind, 0 AS part, 0 AS id FROM trace WHERE id = ?1"
        " UNION ALL SELECT format, 1, 0 FROM trace WHERE id = ?1"
        " UNION ALL SELECT hash, 2, id FROM source WHERE trace = ?1 ORDER BY part, id",
        error);
    uint8_t digest[TRACE_HASH_LENGTH / 2];
    bool row = true, done = parts != NULL;
    struct sha256_ctx context;

    sha256_init(&context);
    if (done) {
        sqlite3_bind_int64(parts, 1, trace);
    }
    while (done && (done = database_step(database, parts, &row, error)) && row) {
        const char *part = (const char *)sqlite3_column_text(parts, 0);

        part = part == NULL ? "" : part;
        sha256_update(&context, strlen(part) + 1, (const uint8_t *)part);
    }
    sqlite3_finalize(parts);
    sha256_digest(&context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        snprintf(hash + 2 * i, 3, "%02x", digest[i]);
    }
    return done;
}

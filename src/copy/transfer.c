#include "copy/transfer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "store/trace_tables.h"
#include "base/memory.h"

/* For each table: the columns that hold ids of rows, of this table or of another one. Columns
 * called `trace` have trace ids and are not listed. In rollups, `action` is an operation. Id 0
 * means "none", also for actors. */
static const struct {
    const char *table;
    const char *columns[TRANSFER_IDS]; /* names of columns, separated by spaces; NULL: none */
} references[] = {
    {"trace", {[TRANSFER_TRACE] = "id", [TRANSFER_EVENT] = "first_event last_event"}},
    {"source", {[TRANSFER_SOURCE] = "id", [TRANSFER_EVENT] = "first_event last_event"}},
    {"event",
     {[TRANSFER_EVENT] = "id parent",
      [TRANSFER_NAME] = "operation error",
      [TRANSFER_ACTOR] = "actor issuer",
      [TRANSFER_OBJECT] = "object source"}},
    {"cpu_time", {[TRANSFER_EVENT] = "event"}},
    {"open_call", {[TRANSFER_EVENT] = "event"}},
    {"io_part", {[TRANSFER_EVENT] = "event", [TRANSFER_OBJECT] = "object"}},
    {"name", {[TRANSFER_NAME] = "id component"}},
    {"actor", {[TRANSFER_ACTOR] = "id"}},
    {"object", {[TRANSFER_OBJECT] = "id"}},
    {"ledger", {[TRANSFER_SOURCE] = "source"}},
    {"probe", {[TRANSFER_NAME] = "name"}},
    {"rollup_hour", {[TRANSFER_NAME] = "action"}},
    {"rollup_operation", {[TRANSFER_NAME] = "operation", [TRANSFER_ACTOR] = "actor"}},
    {"rollup_size", {[TRANSFER_NAME] = "action"}},
    {"rollup_block", {[TRANSFER_NAME] = "action"}},
    {"rollup_process", {[TRANSFER_NAME] = "action"}},
    {"rollup_origin", {[TRANSFER_NAME] = "action"}},
    {"rollup_letters", {[TRANSFER_NAME] = "action"}},
    {"rollup_latency", {[TRANSFER_NAME] = "action"}},
    {"rollup_call", {[TRANSFER_NAME] = "operation error"}},
    {"rollup_span", {[TRANSFER_NAME] = "operation", [TRANSFER_ACTOR] = "actor"}},
};

const char *transfer_table_name(enum transfer_id id) {
    static const char *const tables[TRANSFER_IDS] = {
        [TRANSFER_TRACE] = "trace", [TRANSFER_SOURCE] = "source", [TRANSFER_EVENT] = "event",
        [TRANSFER_NAME] = "name",   [TRANSFER_ACTOR] = "actor",   [TRANSFER_OBJECT] = "object",
    };

    return tables[id];
}

enum transfer_id transfer_referenced(const char *table, const char *column) {
    if (strcmp(column, "trace") == 0) {
        return TRANSFER_TRACE;
    }
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
        for (unsigned id = 0; id < TRANSFER_IDS && strcmp(references[i].table, table) == 0; id++) {
            const char *columns = references[i].columns[id];

            if (columns != NULL && word_in(columns, column)) {
                return (enum transfer_id)id;
            }
        }
    }
    return TRANSFER_PLAIN;
}

void transfer_append_shifted(const char *table, const char *column, const char *type,
                             struct text *sql) {
    enum transfer_id id = transfer_referenced(table, column);

    if (id != TRANSFER_PLAIN) {
        text_append_format(sql,
                           "iif(typeof(t.\"%s\") = 'integer' AND t.\"%s\" <> 0, t.\"%s\" + ?%d,"
                           " t.\"%s\")",
                           column, column, column, TRANSFER_FIRST_SHIFT + (int)id, column);
    }
}

/* --- attaching the source database ------------------------------------------------------------ */

bool transfer_attach(struct database *database, const char *path, struct catalog *catalog,
                     struct error *error) {
    char *resolved = realpath(path, NULL); /* begins with /, so SQLite does not take it for a URI */
    bool done = resolved != NULL
                    ? database_run_bound(database, error, "ATTACH ?1 AS source", "s", resolved)
                    : error_set(error, "cannot open: %s", strerror(errno));

    free(resolved);
    done = done && database_run(database, "BEGIN", error) &&
           catalog_load_attached(catalog, database, "source", error);
    return done || error_context(error, "%s", path);
}

bool transfer_detach(struct database *database, struct error *error) {
    return database_run(database, "COMMIT; DETACH source", error);
}

/* --- compiling the statements that copy tables ------------------------------------------------ */

/* Appends the names of a table's columns, and the SQL expressions for their values. */
static bool transfer_append_columns(struct database *database, const struct transfer_rules *rules,
                                    const char *table, struct text *names, struct text *values,
                                    bool *has_trace, struct error *error) {
    struct database_query query = database_query(
        database, error, "SELECT name, type FROM pragma_table_info(?1, 'main') ORDER BY cid", "s",
        table);

    *has_trace = false;
    while (database_next(&query)) {
        const char *name = (const char *)sqlite3_column_text(query.row, 0);
        const char *separator = names->length == 0 ? "" : ", ";
        size_t length;

        *has_trace |= strcmp(name, "trace") == 0;
        text_append_format(names, "%s\"%s\"", separator, name);
        text_append_string(values, separator);
        length = values->length;
        rules->column(table, name, (const char *)sqlite3_column_text(query.row, 1), values);
        if (values->length == length) {
            text_append_format(values, "t.\"%s\"", name);
        }
    }
    return database_end(&query);
}

static sqlite3_stmt *transfer_prepare_insert(struct database *database,
                                             const struct transfer_rules *rules, const char *table,
                                             struct error *error) {
    struct text names = {0}, values = {0}, sql = {0};
    sqlite3_stmt *insert = NULL;
    bool has_trace;

    if (transfer_append_columns(database, rules, table, &names, &values, &has_trace, error)) {
        text_append_format(
            &sql, "INSERT INTO main.\"%s\" (%s) SELECT %s FROM source.\"%s\" AS t WHERE %s", table,
            text_string(&names), text_string(&values), table, trace_rows_of(table, has_trace));
        insert = database_prepare_text(database, &sql, error);
    }
    text_free(&names);
    text_free(&values);
    return insert;
}

bool transfer_open(struct transfer *transfer, struct database *database,
                   const struct transfer_rules *rules, struct error *error) {
    struct database_query query = database_query(
        database, error, "SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY rowid",
        "");

    *transfer = (struct transfer){.database = database};
    while (database_next(&query)) {
        const char *table = (const char *)sqlite3_column_text(query.row, 0);

        if (rules->left_out == NULL || !word_in(rules->left_out, table)) {
            transfer->inserts =
                xreallocarray(transfer->inserts, transfer->count + 1, sizeof(sqlite3_stmt *));
            transfer->inserts[transfer->count] =
                transfer_prepare_insert(database, rules, table, error);
            query.failed = transfer->inserts[transfer->count] == NULL;
            transfer->count += !query.failed;
        }
    }
    return database_end(&query);
}

bool transfer_trace(struct transfer *transfer, const struct transfer_trace *trace,
                    struct error *error) {
    for (size_t i = 0; i < transfer->count; i++) {
        sqlite3_bind_int64(transfer->inserts[i], 1, trace->id);
        sqlite3_bind_int64(transfer->inserts[i], 2, trace->first_event);
        sqlite3_bind_int64(transfer->inserts[i], 3, trace->last_event);
        for (int id = 0; id < TRANSFER_IDS; id++) {
            sqlite3_bind_int64(transfer->inserts[i], TRANSFER_FIRST_SHIFT + id, trace->shift[id]);
        }
        sqlite3_bind_int64(transfer->inserts[i], TRANSFER_OWN, trace->own);
        if (!database_execute(transfer->database, transfer->inserts[i], error)) {
            return false;
        }
    }
    return true;
}

void transfer_close(struct transfer *transfer) {
    for (size_t i = 0; i < transfer->count; i++) {
        sqlite3_finalize(transfer->inserts[i]);
    }
    free(transfer->inserts);
    *transfer = (struct transfer){0};
}

/* The table of events (event_table.h) as Apache Parquet, which DuckDB's library writes: the rows go
 * as CSV to a temporary file, and one statement of DuckDB makes Parquet of that. Texts are those of
 * --as csv, so all of it is UTF-8. The file says what its columns are under the key
 * `tracetool_columns`. */
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "export/event_table.h"
#include "input/spool.h"
#include "output/json.h"

/* Of DuckDB's C interface, what is used; it has been the same since version 0.3. */
struct duckdb_result {
    uint64_t column_count, row_count, rows_changed;
    void *columns;
    char *error_message;
    void *internal;
};

static struct {
    void *library;
    int (*open)(const char *path, void **database);
    void (*close)(void **database);
    int (*connect)(void *database, void **connection);
    void (*disconnect)(void **connection);
    int (*query)(void *connection, const char *sql, struct duckdb_result *result);
    void (*destroy_result)(struct duckdb_result *result);
    const char *(*result_error)(struct duckdb_result *result);
    int64_t (*value_int64)(struct duckdb_result *result, uint64_t column, uint64_t row);
} duckdb;

static const char hint[] =
    "--as parquet is written by DuckDB: put its libduckdb.so (https://duckdb.org, or npm's"
    " @duckdb/node-bindings-linux-x64) where libraries are, or name it in TRACETOOL_DUCKDB";

/* Where a function's address goes: ISO C has no cast from a pointer to data to one to a function.
 */
static bool find_function(const char *name, void *where) {
    void *address = dlsym(duckdb.library, name);

    memcpy(where, &address, sizeof address);
    return address != NULL;
}

static bool find_functions(void) {
    return find_function("duckdb_open", &duckdb.open) &&
           find_function("duckdb_close", &duckdb.close) &&
           find_function("duckdb_connect", &duckdb.connect) &&
           find_function("duckdb_disconnect", &duckdb.disconnect) &&
           find_function("duckdb_query", &duckdb.query) &&
           find_function("duckdb_destroy_result", &duckdb.destroy_result) &&
           find_function("duckdb_result_error", &duckdb.result_error) &&
           find_function("duckdb_value_int64", &duckdb.value_int64);
}

static bool duckdb_library_load(struct error *error) {
    const char *path = getenv("TRACETOOL_DUCKDB");
    const char *name = path != NULL && path[0] != '\0' ? path : "libduckdb.so";

    if (duckdb.library != NULL) {
        return true;
    }
    duckdb.library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (duckdb.library == NULL) {
        return error_set(error, "%s: %s", hint, dlerror());
    }
    if (!find_functions()) {
        dlclose(duckdb.library);
        duckdb.library = NULL;
        return error_set(error, "%s: it lacks functions of DuckDB's C interface: %s", name, hint);
    }
    return true;
}

static bool run_statement(void *connection, const char *sql, int64_t *value, struct error *error) {
    struct duckdb_result result;
    int failed = duckdb.query(connection, sql, &result);

    if (failed) {
        const char *said = duckdb.result_error(&result);
        struct text harmless = {0};

        text_append_escaped(&harmless, said == NULL ? "" : said, said == NULL ? 0 : strlen(said));
        error_set(error, "DuckDB: %s", text_string(&harmless));
        text_free(&harmless);
    } else if (value != NULL) {
        *value = duckdb.value_int64(&result, 0, 0);
    }
    duckdb.destroy_result(&result);
    return !failed;
}

static bool duckdb_library_run(const char *sql, int64_t *rows, struct error *error) {
    static const char settings[] =
        "SET autoinstall_known_extensions = false; SET autoload_known_extensions = false;"
        " SET temp_directory = ''; SET memory_limit = '1GB'; SET threads = 2";
    void *database = NULL, *connection = NULL;
    bool done;

    if (duckdb.open(NULL, &database) != 0 || duckdb.connect(database, &connection) != 0) {
        error_set(error, "DuckDB cannot be started");
        done = false;
    } else {
        done = run_statement(connection, settings, NULL, error) &&
               run_statement(connection, sql, rows, error);
    }
    if (connection != NULL) {
        duckdb.disconnect(&connection);
    }
    if (database != NULL) {
        duckdb.close(&database);
    }
    return done;
}

/* DuckDB holds some dozen buffers of a few lines each. */
#define LEAST_LINE (2 << 20)

struct parquet_state {
    struct event_lines lines;
    FILE *rows;     /* owned; CSV with a heading, a file without a name */
    int made;       /* owned; what DuckDB writes: likewise */
    size_t longest; /* of the lines, in bytes */
};

static FILE *temporary_file(struct error *error) {
    int descriptor = spool_make_file(NULL, error);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w+b");

    if (descriptor >= 0 && file == NULL) {
        error_set(error, "cannot use a temporary file: %s", strerror(errno));
        close(descriptor);
    }
    return file;
}

/* DuckDB is asked for first: without it nothing need be read. */
static bool begin(struct export_run *run, void *context, struct error *error) {
    struct parquet_state *state = context;

    (void)run;
    state->made = -1;
    if (!duckdb_library_load(error)) {
        return false;
    }
    state->rows = temporary_file(error);
    state->made = state->rows == NULL ? -1 : spool_make_file(NULL, error);
    return state->made >= 0;
}

static bool put_line(struct parquet_state *state, struct error *error) {
    const struct text *line = &state->lines.line;

    state->longest = line->length > state->longest ? line->length : state->longest;
    return fwrite(line->bytes, 1, line->length, state->rows) == line->length ||
           error_set(error, "cannot write a temporary file: %s", strerror(errno));
}

/* Without it DuckDB would take a byte order mark away, with which a trace's name may begin. */
static bool put_heading(struct parquet_state *state, struct error *error) {
    event_lines_heading(&state->lines);
    return put_line(state, error);
}

static bool take(struct export_run *run, void *context, sqlite3_stmt *values, struct error *error) {
    struct parquet_state *state = context;

    (void)run;
    event_lines_row(&state->lines, values);
    return put_line(state, error);
}

/* --- the statement ------------------------------------------------------------------------------
 */

static void append_quoted(struct text *sql, const char *string) {
    text_append_char(sql, '\'');
    for (; *string != '\0'; string++) {
        text_append_string(sql, *string == '\'' ? "'" : "");
        text_append_char(sql, *string);
    }
    text_append_char(sql, '\'');
}

/* What the columns are, as JSON: [{"column":"trace","unit":"","meaning":"name of the trace"}, …] */
static void append_documentation(const struct catalog_trace *trace, struct text *sql) {
    struct text json = {0};

    for (size_t i = 0; event_table_columns[i].name != NULL; i++) {
        const char *unit = event_table_unit(&event_table_columns[i], trace);

        text_append_format(&json, "%s{\"column\":\"%s\",\"unit\":", i == 0 ? "[" : ",",
                           event_table_columns[i].name);
        json_append_string(&json, unit, strlen(unit));
        text_append_string(&json, ",\"meaning\":");
        json_append_string(&json, event_table_columns[i].what, strlen(event_table_columns[i].what));
        text_append_char(&json, '}');
    }
    text_append_char(&json, ']');
    append_quoted(sql, text_string(&json));
    text_free(&json);
}

/* The columns in their order; `with_types` as a struct of the types that the lines have. */
static void append_columns(bool with_types, struct text *sql) {
    for (size_t i = 0; event_table_columns[i].name != NULL; i++) {
        const struct event_table_column *column = &event_table_columns[i];

        text_append_string(sql, i == 0 ? "" : ", ");
        if (with_types) {
            text_append_format(sql, "'%s': '%s'", column->name,
                               column->type == EVENT_TABLE_INTEGER ? "BIGINT" : "VARCHAR");
        } else {
            text_append_format(
                sql, column->type == EVENT_TABLE_BYTES ? "unhex(\"%s\") AS \"%s\"" : "\"%s\"",
                column->name, column->name);
        }
    }
}

/* Both files have no name but that of their descriptors. */
static void append_copy(const struct export_run *run, const struct parquet_state *state,
                        struct text *sql) {
    size_t line = state->longest > LEAST_LINE ? state->longest : LEAST_LINE;

    text_append_string(sql, "COPY (SELECT ");
    append_columns(false, sql);
    text_append_format(sql,
                       " FROM read_csv('/proc/self/fd/%d', auto_detect = false, header = true,"
                       " delim = ',', quote = '\"', escape = '\"', nullstr = '',"
                       " allow_quoted_nulls = false, max_line_size = %zu, columns = {",
                       fileno(state->rows), line + 1);
    append_columns(true, sql);
    text_append_format(sql,
                       "})) TO '/proc/self/fd/%d' (FORMAT parquet, COMPRESSION zstd,"
                       " USE_TMP_FILE false, KV_METADATA {tracetool_columns: ",
                       state->made);
    append_documentation(run->trace->trace, sql);
    text_append_string(sql, "})");
}

static bool make_parquet(const struct export_run *run, struct parquet_state *state,
                         struct error *error) {
    struct text sql = {0};
    int64_t rows = 0;
    bool done;

    append_copy(run, state, &sql);
    done = duckdb_library_run(text_string(&sql), &rows, error) &&
           (rows == run->written || error_set(error, "DuckDB wrote %lld of %lld events",
                                              (long long)rows, (long long)run->written));
    text_free(&sql);
    return done;
}

static bool copy_made(struct export_run *run, const struct parquet_state *state,
                      struct error *error) {
    char bytes[1 << 16];
    ssize_t length;

    while ((length = read(state->made, bytes, sizeof bytes)) > 0) {
        if (!export_write(run, bytes, (size_t)length, error)) {
            return false;
        }
    }
    return length == 0 || error_set(error, "cannot read a temporary file: %s", strerror(errno));
}

static bool end(struct export_run *run, void *context, struct error *error) {
    struct parquet_state *state = context;

    return put_heading(state, error) && event_table_read(run, take, state, error) &&
           (fflush(state->rows) == 0 ||
            error_set(error, "cannot write a temporary file: %s", strerror(errno))) &&
           make_parquet(run, state, error) && copy_made(run, state, error);
}

static void free_state(void *context) {
    struct parquet_state *state = context;

    event_lines_free(&state->lines);
    if (state->rows != NULL) {
        fclose(state->rows);
        if (state->made >= 0) {
            close(state->made);
        }
    }
}

const struct exporter parquet_exporter = {
    .name = "parquet",
    .description = "the same table as Parquet, where DuckDB's library is",
    .binary = true,
    .kinds = EVENT_TABLE_KINDS,
    .steps = true,
    .state_size = sizeof(struct parquet_state),
    .begin = begin,
    .end = end,
    .free = free_state,
};

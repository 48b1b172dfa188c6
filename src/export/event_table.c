/* The table of events, and its exporters. `--as columns` describes the columns as CSV:
 *
 *     column,type,nullable,rowbinary,unit,meaning
 *     trace,text,0,String,,name of the trace
 *
 * `--as csv` is the table with a heading of the columns' names. RFC 4180, but with Unix line ends,
 * and a record is always one line: control characters, backslashes and invalid UTF-8 are escaped as
 * in all CSV of the program. An empty field is NULL, "" is an empty text. Bytes are hexadecimal
 * digits.
 *
 * `--as rowbinary` is ClickHouse's RowBinary, which other engines read, too: a sequence of values
 * without a heading. `--as columns` lists their types:
 *
 *     Int64            8 bytes, little-endian
 *     String           length as a varint (7 bits a byte, the lowest first; all but the last byte
 *                      have bit 7 set), then as many bytes, unchanged from the log
 *     Nullable(T)      a byte 1 for NULL, else a byte 0 and a T
 */
#include <dlfcn.h>
#include <errno.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "export/export.h"
#include "base/file.h"
#include "model/event.h"
#include "output/printer.h"
#include "remote/rowbinary.h"

/* Kinds of traces that the exporters of the table of events support: all. */
#define EVENT_TABLE_KINDS                                                                          \
    (1u << TRACE_CALLS | 1u << TRACE_IO | 1u << TRACE_SPANS | 1u << TRACE_SAMPLES |                \
     1u << TRACE_RESULTS | 1u << TRACE_STATES)

enum event_table_type {
    EVENT_TABLE_INTEGER, /* signed, 64 bits */
    EVENT_TABLE_TEXT,    /* text from a log: any bytes */
    EVENT_TABLE_BYTES,
};

struct event_table_column {
    const char *name;
    enum event_table_type type;
    bool optional;    /* true: the value may be NULL */
    const char *unit; /* "clock": unit of the trace's clock; "place": unit of addresses; "": none */
    const char *what; /* description in one line */
};

/* --- rows of the table as lines of CSV -------------------------------------------------------- */

/* CSV lines of the event table; initially zeroed. */
struct event_lines {
    struct text line;    /* owned; the current line */
    struct text escaped; /* owned */
};

#define INTEGER EVENT_TABLE_INTEGER
#define TEXT    EVENT_TABLE_TEXT

/* Other programs rely on the columns: new ones may only be added at the end. */
static const struct event_table_column event_table_columns[] = {
    {"trace", TEXT, false, "", "name of the trace"},
    {"number", INTEGER, false, "", "place of the event in the trace, from 1, in order of time"},
    {"time", INTEGER, false, "clock", "since the start of the trace"},
    {"wall_clock", INTEGER, true, "ns", "since 1970 UTC; of traces that tell date and time"},
    {"duration", INTEGER, true, "clock",
     "duration of a call; of an I/O, from issue (D) to completion (C)"},
    {"self", INTEGER, true, "clock", "of a span: its duration without its direct callees"},
    {"cpu_duration", INTEGER, true, "clock", "of a span: its duration by the thread's CPU clock"},
    {"cpu_self", INTEGER, true, "clock", "of a span: cpu_duration without its direct callees"},
    {"response", INTEGER, true, "clock", "of an I/O: time from queueing (Q) to completion (C)"},
    {"kind", TEXT, false, "",
     "kind of the operation: action (step of an I/O), syscall, function, …"},
    {"operation", TEXT, false, "", "what was done: C (an I/O completed), read, a function's name"},
    {"operation_code", INTEGER, true, "", "number of the operation in the log"},
    {"component", TEXT, true, "", "component or class of the operation; for a result, its unit"},
    {"class", TEXT, true, "", "of an I/O: read, readsync, write, writesync, flush, other"},
    {"block_type", TEXT, true, "", "of an I/O: none, data, journal, metadata, anonymous"},
    {"flags", TEXT, true, "", "further flags of an I/O or of a span, separated by commas"},
    {"device", TEXT, true, "", "block device, MAJOR:MINOR"},
    {"partition", TEXT, true, "", "partition of an I/O; unmapped: in no partition"},
    {"address", INTEGER, true, "place", "first sector of an I/O; of a call the offset in the file"},
    {"size", INTEGER, true, "bytes",
     "of an I/O; transferred by a call; else of a call's arguments"},
    {"value", INTEGER, true, "", "return value or error number; load and figures in millionths"},
    {"error", TEXT, true, "", "what a call failed with: ENOENT, …"},
    {"session", INTEGER, true, "", "number of the boot, from 1; for a result, of the test"},
    {"pid", INTEGER, true, "", "process"},
    {"tid", INTEGER, true, "", "thread"},
    {"process", TEXT, true, "", "name of the process, thread, application or test"},
    {"application", INTEGER, true, "", "number (ID) of the application"},
    {"issuer_pid", INTEGER, true, "", "of an I/O: process that dispatched it"},
    {"issuer_tid", INTEGER, true, "", "thread that dispatched it"},
    {"issuer", TEXT, true, "", "name of the process or thread that dispatched it"},
    {"origin", TEXT, true, "", "step that names the process: queued, issued, completed, unknown"},
    {"file", TEXT, true, "", "file, or other object of the event"},
    {"file_type", TEXT, true, "", "type of the file, by the configuration"},
    {"inode", INTEGER, true, "", "inode of a file that tracetool map found by its blocks"},
    {"block_class", TEXT, true, "", "contents of its blocks, by the map: data, directory, …"},
    {"evidence", TEXT, true, "", "evidence for the file, by the map: image, journal, …"},
    {"parent", INTEGER, true, "", "number of the event that is the caller"},
    {"depth", INTEGER, true, "", "depth of nesting, from 0"},
    {"arguments", EVENT_TABLE_BYTES, true, "", "arguments of the call, as bytes"},
    {"source", TEXT, true, "", "of a call that copies: the file that it read"},
    {"source_address", INTEGER, true, "bytes", "offset in that file"},
    {NULL, INTEGER, false, NULL, NULL},
};

/* --- SQL that computes the values of columns -------------------------------------------------- */

/* Returns the view with texts for an event's numbers; NULL if this kind of trace has no view. */
static const char *view_of_kind(enum trace_kind kind) {
    return kind == TRACE_IO ? "io" : kind == TRACE_SPANS ? "span" : NULL;
}

/* Appends a column of view_of_kind(), or NULL if the trace is not of `kind`. */
static void event_table_append_word(const struct export_run *run, enum trace_kind kind,
                                    const char *column, struct text *sql) {
    if (run->trace->trace->kind == kind) {
        text_append_format(sql, "v.%s, ", column);
    } else {
        text_append_string(sql, "NULL, ");
    }
}

/* Appends the FROM clause, with the tables of all columns. */
static void event_table_append_tables(const struct export_run *run, struct text *sql) {
    const char *view = view_of_kind(run->trace->trace->kind);

    text_append_string(sql, " FROM temp.selected_event AS e");
    if (view != NULL) {
        text_append_format(sql, " CROSS JOIN main.%s AS v ON v.trace = ?4 AND v.id = e.id", view);
    }
    text_append_string(sql, " LEFT JOIN main.name AS n ON n.id = e.operation"
                            " LEFT JOIN main.name AS c ON c.id = n.component"
                            " LEFT JOIN main.name AS x ON x.id = e.error"
                            " LEFT JOIN main.object AS o ON o.id = e.object"
                            " LEFT JOIN main.object AS f ON f.id = e.source"
                            " LEFT JOIN main.actor AS a ON a.id = e.actor"
                            " LEFT JOIN main.actor AS i ON i.id = ifnull(e.issuer, e.actor)"
                            " ORDER BY e.id");
}

/* Appends the SELECT for the columns in event_table_columns. Parameters: ?1: exported name of the
 * trace; ?2: id of its first event; ?3: its start (ns since 1970); ?4: its name. */
static void event_table_append_sql(const struct export_run *run, struct text *sql) {
    bool io = run->trace->trace->kind == TRACE_IO, spans = run->trace->trace->kind == TRACE_SPANS;

    text_append_format(sql, "SELECT ?1, e.id - ?2 + 1, e.time, ?3 + e.time, e.duration, %s, ",
                       spans ? "ifnull(e.self, e.duration)" : "NULL");
    event_table_append_word(run, TRACE_SPANS, "cpu_duration", sql);
    event_table_append_word(run, TRACE_SPANS, "cpu_self", sql);
    text_append_format(sql, "e.response, ifnull(n.kind, ''), ifnull(%s, ''), %s, %s, ",
                       export_name_sql(run, EXPORT_OPERATION),
                       export_name_sql(run, EXPORT_OPERATION_CODE),
                       export_name_sql(run, EXPORT_COMPONENT));
    event_table_append_word(run, TRACE_IO, "class", sql);
    event_table_append_word(run, TRACE_IO, "block_type", sql);
    text_append_string(sql, io || spans ? "v.flags, " : "NULL, ");
    text_append_string(sql, "(o.device >> 20) || ':' || (o.device & 1048575), ");
    event_table_append_word(run, TRACE_IO, "partition", sql);
    text_append_format(sql, "e.address, e.size, e.value, %s, a.session, a.pid, a.tid, %s, %s, ",
                       export_name_sql(run, EXPORT_ERROR), export_name_sql(run, EXPORT_PROCESS),
                       export_name_sql(run, EXPORT_APPLICATION_CODE));
    text_append_format(sql, io ? "i.pid, i.tid, %s, " : "NULL, NULL, NULL, ",
                       export_name_sql(run, EXPORT_ISSUER));
    event_table_append_word(run, TRACE_IO, "origin", sql);
    text_append_format(sql, "%s, o.type, o.inode, ", export_name_sql(run, EXPORT_FILE));
    event_table_append_word(run, TRACE_IO, "block_class", sql);
    event_table_append_word(run, TRACE_IO, "evidence", sql);
    text_append_format(sql, "e.parent - ?2 + 1, e.depth, %s, %s, e.source_address",
                       export_arguments_sql(run), export_name_sql(run, EXPORT_SOURCE));
    event_table_append_tables(run, sql);
}

/* Calls `take` for each selected event, in order of time. Column i of the statement is column i of
 * the table. Counts the events in run->written. */
static void event_table_read(struct export_run *run,
                             void (*take)(struct export_run *run, void *state,
                                          sqlite3_stmt *values),
                             void *state) {
    struct text sql = {0};
    sqlite3_stmt *rows;

    event_table_append_sql(run, &sql);
    rows = export_query_rows(run, text_string(&sql));
    if (!run->failed) {
        const struct catalog_trace *trace = run->trace->trace;

        sqlite3_bind_text(rows, 1, run->trace_name, -1, SQLITE_STATIC);
        sqlite3_bind_int64(rows, 2, trace->first_event);
        if (trace->start != EVENT_NONE && catalog_has_real_clock(trace)) {
            sqlite3_bind_int64(rows, 3, trace->start);
        }
        if (view_of_kind(trace->kind) != NULL) {
            sqlite3_bind_text(rows, 4, trace->name, -1, SQLITE_STATIC);
        }
    }
    while (export_next(run, rows)) {
        run->written++;
        take(run, state, rows);
    }
    text_free(&sql);
}

/* --- descriptions of the columns (--as columns) ----------------------------------------------- */

/* Returns the unit of a column, which may depend on the trace; "": none. */
static const char *event_table_unit(const struct event_table_column *column,
                                    const struct catalog_trace *trace) {
    if (strcmp(column->unit, "clock") == 0) {
        return trace->clock_unit;
    }
    if (strcmp(column->unit, "place") == 0) {
        const struct catalog_meaning *meaning = catalog_meaning(trace, "address", NULL);

        return meaning == NULL ? "" : meaning->unit;
    }
    return column->unit;
}

static void event_table_append_column(const struct event_table_column *column,
                                      const struct catalog_trace *trace, struct text *escaped,
                                      struct text *line) {
    static const char *const types[] = {"integer", "text", "bytes"};
    const char *type = column->type == EVENT_TABLE_INTEGER ? "Int64" : "String";
    const char *unit = event_table_unit(column, trace);

    text_append_format(line, column->optional ? "%s,%s,%d,Nullable(%s)," : "%s,%s,%d,%s,",
                       column->name, types[column->type], column->optional, type);
    if (unit[0] != '\0') {
        csv_append_text(line, escaped, unit, strlen(unit));
    }
    text_append_char(line, ',');
    csv_append_text(line, escaped, column->what, strlen(column->what));
    text_append_char(line, '\n');
}

static void write_columns(struct export_run *run, void *state) {
    struct text line = {0}, escaped = {0};

    export_print(run, "column,type,nullable,rowbinary,unit,meaning\n");
    for (size_t i = 0; event_table_columns[i].name != NULL; i++) {
        event_table_append_column(&event_table_columns[i], run->trace->trace, &escaped, &line);
        export_write_text(run, &line);
    }
    text_free(&line);
    text_free(&escaped);
}

const struct exporter columns_exporter = {
    .name = "columns",
    .description = "the columns of csv, rowbinary and parquet: types, units, meanings, as CSV",
    .kinds = EVENT_TABLE_KINDS,
    .steps = true,
    .end = write_columns,
};

static void append_csv_value(struct event_lines *lines, enum event_table_type type,
                             sqlite3_stmt *values, int i) {
    size_t length;

    if (sqlite3_column_type(values, i) == SQLITE_NULL) {
        return;
    }
    switch (type) {
    case EVENT_TABLE_INTEGER:
        text_append_integer(&lines->line, sqlite3_column_int64(values, i));
        break;
    case EVENT_TABLE_TEXT: {
        const char *bytes = (const char *)sqlite3_column_text(values, i);

        length = (size_t)sqlite3_column_bytes(values, i);
        csv_append_text(&lines->line, &lines->escaped, bytes == NULL ? "" : bytes, length);
        break;
    }
    case EVENT_TABLE_BYTES: {
        const void *bytes = sqlite3_column_blob(values, i);

        length = (size_t)sqlite3_column_bytes(values, i);
        if (length == 0) {
            text_append_string(&lines->line, "\"\"");
        }
        text_append_hex(&lines->line, bytes, length);
        break;
    }
    }
}

/* Sets `line` to the first line of the CSV, the names of the columns. */
static void event_lines_heading(struct event_lines *lines) {
    text_clear(&lines->line);
    for (size_t i = 0; event_table_columns[i].name != NULL; i++) {
        text_append_format(&lines->line, "%s%s", i == 0 ? "" : ",", event_table_columns[i].name);
    }
    text_append_char(&lines->line, '\n');
}

/* Sets `line` to a row of the table, with a line end. */
static void event_lines_row(struct event_lines *lines, sqlite3_stmt *values) {
    text_clear(&lines->line);
    for (int i = 0; event_table_columns[i].name != NULL; i++) {
        if (i > 0) {
            text_append_char(&lines->line, ',');
        }
        append_csv_value(lines, event_table_columns[i].type, values, i);
    }
    text_append_char(&lines->line, '\n');
}

static void event_lines_free(struct event_lines *lines) {
    text_free(&lines->line);
    text_free(&lines->escaped);
}

/* --- exporters of the table ------------------------------------------------------------------- */

static void event_table_write_line(struct export_run *run, void *context, sqlite3_stmt *values) {
    struct event_lines *lines = context;

    event_lines_row(lines, values);
    export_write_text(run, &lines->line);
}

static void event_table_end_lines(struct export_run *run, void *context) {
    struct event_lines *lines = context;

    event_lines_heading(lines);
    export_write_text(run, &lines->line);
    event_table_read(run, event_table_write_line, lines);
}

static void free_lines(void *state) {
    event_lines_free(state);
}

const struct exporter csv_exporter = {
    .name = "csv",
    .description = "the events as one table, with texts for ids, as CSV: for Spark, Trino, DuckDB",
    .kinds = EVENT_TABLE_KINDS,
    .steps = true,
    .state_size = sizeof(struct event_lines),
    .end = event_table_end_lines,
    .free = free_lines,
};

static void append_binary_value(const struct event_table_column *column, sqlite3_stmt *values,
                                int i, struct text *row) {
    bool null = sqlite3_column_type(values, i) == SQLITE_NULL;

    if (column->optional) {
        rowbinary_append_u8(row, null);
        if (null) {
            return;
        }
    }
    if (column->type == EVENT_TABLE_INTEGER) {
        rowbinary_append_u64(row, (uint64_t)sqlite3_column_int64(values, i));
    } else {
        const void *bytes = sqlite3_column_blob(values, i);

        rowbinary_append_text(row, bytes, (size_t)sqlite3_column_bytes(values, i));
    }
}

static void event_table_write_row(struct export_run *run, void *state, sqlite3_stmt *values) {
    struct text *row = state;

    for (int i = 0; event_table_columns[i].name != NULL; i++) {
        append_binary_value(&event_table_columns[i], values, i, row);
    }
    export_write_text(run, row);
}

static void end_rows(struct export_run *run, void *state) {
    event_table_read(run, event_table_write_row, state);
}

static void event_table_free_row(void *state) {
    text_free(state);
}

const struct exporter rowbinary_exporter = {
    .name = "rowbinary",
    .description = "the same table as RowBinary, for ClickHouse",
    .binary = true,
    .kinds = EVENT_TABLE_KINDS,
    .steps = true,
    .state_size = sizeof(struct text),
    .end = end_rows,
    .free = event_table_free_row,
};

/* --- the table as Apache Parquet, written by DuckDB's library --------------------------------- */

/* Rows are written as CSV to a temporary file, which one SQL statement of DuckDB converts to
 * Parquet. Texts are those of --as csv, so they are valid UTF-8. The Parquet file's metadata key
 * `tracetool_columns` has the meanings of its columns. */

/* The functions used from DuckDB's C interface; unchanged since version 0.3. */
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

/* Stores a function's address at `where`: ISO C cannot cast data pointers to function pointers. */
static bool event_table_find_function(const char *name, void *where) {
    void *address = dlsym(duckdb.library, name);

    memcpy(where, &address, sizeof address);
    return address != NULL;
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
    if (!(event_table_find_function("duckdb_open", &duckdb.open) &&
          event_table_find_function("duckdb_close", &duckdb.close) &&
          event_table_find_function("duckdb_connect", &duckdb.connect) &&
          event_table_find_function("duckdb_disconnect", &duckdb.disconnect) &&
          event_table_find_function("duckdb_query", &duckdb.query) &&
          event_table_find_function("duckdb_destroy_result", &duckdb.destroy_result) &&
          event_table_find_function("duckdb_result_error", &duckdb.result_error) &&
          event_table_find_function("duckdb_value_int64", &duckdb.value_int64))) {
        dlclose(duckdb.library);
        duckdb.library = NULL;
        return error_set(error, "%s: it lacks functions of DuckDB's C interface: %s", name, hint);
    }
    return true;
}

static bool event_table_run_statement(void *connection, const char *sql, int64_t *value,
                                      struct error *error) {
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
        done = event_table_run_statement(connection, settings, NULL, error) &&
               event_table_run_statement(connection, sql, rows, error);
    }
    if (connection != NULL) {
        duckdb.disconnect(&connection);
    }
    if (database != NULL) {
        duckdb.close(&database);
    }
    return done;
}

/* Least limit of a line's length given to DuckDB (max_line_size), in bytes. No larger, since DuckDB
 * allocates some dozen buffers of a few lines each. */
#define LEAST_LINE (2 << 20)

struct parquet_state {
    struct event_lines lines;
    FILE *rows;     /* owned; unnamed file with the rows as CSV and a heading */
    int made;       /* owned; descriptor of an unnamed file for DuckDB's output */
    size_t longest; /* length of the longest line in bytes */
};

/* Records a failed step, unless an earlier step failed. `doing`: verb for the message. */
static void event_table_check_file(struct export_run *run, bool done, const char *doing) {
    if (!run->failed && !done) {
        run->failed = true;
        error_set(run->error, "cannot %s a temporary file: %s", doing, strerror(errno));
    }
}

/* Loads DuckDB before any event is read, so that a missing library is reported at once. */
static void event_table_begin(struct export_run *run, void *context) {
    struct parquet_state *state = context;
    int descriptor;

    if (!duckdb_library_load(run->error) ||
        (descriptor = temporary_file_create(NULL, run->error)) < 0) {
        run->failed = true;
        return;
    }
    state->rows = fdopen(descriptor, "w+b");
    event_table_check_file(run, state->rows != NULL, "use");
    state->made = run->failed ? -1 : temporary_file_create(NULL, run->error);
    run->failed |= state->made < 0;
}

static void write_parquet_line(struct export_run *run, struct parquet_state *state) {
    const struct text *line = &state->lines.line;

    state->longest = line->length > state->longest ? line->length : state->longest;
    event_table_check_file(run, fwrite(line->bytes, 1, line->length, state->rows) == line->length,
                           "write");
}

static void take(struct export_run *run, void *context, sqlite3_stmt *values) {
    struct parquet_state *state = context;

    event_lines_row(&state->lines, values);
    write_parquet_line(run, state);
}

/* --- DuckDB's SQL statement ------------------------------------------------------------------- */

static void event_table_append_quoted(struct text *sql, const char *string) {
    text_append_char(sql, '\'');
    for (; *string != '\0'; string++) {
        text_append_string(sql, *string == '\'' ? "'" : "");
        text_append_char(sql, *string);
    }
    text_append_char(sql, '\'');
}

/* Appends the columns in order. `with_types`: as a DuckDB struct of names and types. */
static void event_table_append_columns(bool with_types, struct text *sql) {
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

/* Appends the statement that converts CSV to Parquet. The unnamed files are /proc/self/fd/N. */
static void append_copy(const struct export_run *run, const struct parquet_state *state,
                        struct text *sql) {
    size_t line = state->longest > LEAST_LINE ? state->longest : LEAST_LINE;
    struct text json = {0};

    text_append_string(sql, "COPY (SELECT ");
    event_table_append_columns(false, sql);
    text_append_format(sql,
                       " FROM read_csv('/proc/self/fd/%d', auto_detect = false, header = true,"
                       " delim = ',', quote = '\"', escape = '\"', nullstr = '',"
                       " allow_quoted_nulls = false, max_line_size = %zu, columns = {",
                       fileno(state->rows), line + 1);
    event_table_append_columns(true, sql);
    text_append_format(sql,
                       "})) TO '/proc/self/fd/%d' (FORMAT parquet, COMPRESSION zstd,"
                       " USE_TMP_FILE false, KV_METADATA {tracetool_columns: ",
                       state->made);
    /* Appends the descriptions of the columns as JSON: [{"column":"trace","unit":"","meaning":"name
     * of the trace"}, …] */
    for (size_t i = 0; event_table_columns[i].name != NULL; i++) {
        const char *unit = event_table_unit(&event_table_columns[i], run->trace->trace);

        text_append_format(&json, "%s{\"column\":\"%s\",\"unit\":", i == 0 ? "[" : ",",
                           event_table_columns[i].name);
        json_append_string(&json, unit, strlen(unit));
        text_append_string(&json, ",\"meaning\":");
        json_append_string(&json, event_table_columns[i].what, strlen(event_table_columns[i].what));
        text_append_char(&json, '}');
    }
    text_append_char(&json, ']');
    event_table_append_quoted(sql, text_string(&json));
    text_free(&json);
    text_append_string(sql, "})");
}

static void make_parquet(struct export_run *run, struct parquet_state *state) {
    struct text sql = {0};
    int64_t rows = 0;

    append_copy(run, state, &sql);
    run->failed =
        !duckdb_library_run(text_string(&sql), &rows, run->error) ||
        (rows != run->written && !error_set(run->error, "DuckDB wrote %lld of %lld events",
                                            (long long)rows, (long long)run->written));
    text_free(&sql);
}

static void event_table_end(struct export_run *run, void *context) {
    struct parquet_state *state = context;

    /* Without a heading, DuckDB would drop a byte order mark at the start of a trace's name. */
    event_lines_heading(&state->lines);
    write_parquet_line(run, state);
    event_table_read(run, take, state);
    event_table_check_file(run, fflush(state->rows) == 0, "write");
    if (!run->failed) {
        make_parquet(run, state);
    }
    if (!run->failed) {
        char bytes[1 << 16];
        ssize_t length;

        while ((length = read(state->made, bytes, sizeof bytes)) > 0) {
            export_write(run, bytes, (size_t)length);
        }
        event_table_check_file(run, length == 0, "read");
    }
}

static void event_table_free_state(void *context) {
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
    .begin = event_table_begin,
    .end = event_table_end,
    .free = event_table_free_state,
};

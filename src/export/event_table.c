/* The table of events, and its exporters. `--as columns` says in CSV what the columns are:
 *
 *     column,type,nullable,rowbinary,unit,meaning
 *     trace,text,0,String,,name of the trace
 *
 * `--as csv` is the table under a heading of the columns' names. RFC 4180, but lines end as those
 * of Unix do, and a record is always one line: control characters, backslashes and invalid UTF-8
 * are escaped as in every CSV of the program. Nothing between two commas is NULL, "" is an empty
 * text. Bytes are hexadecimal digits.
 *
 * `--as rowbinary` is ClickHouse's RowBinary, which other engines read, too: values one after the
 * other, without a heading. `--as columns` says their types:
 *
 *     Int64            8 bytes, little-endian
 *     String           length as a varint (7 bits a byte, the lowest first; all but the last byte
 *                      have bit 7 set), then as many bytes, as they are in the log
 *     Nullable(T)      a byte 1 for NULL, else a byte 0 and a T
 */
#include "export/event_table.h"

#include <string.h>

#include "model/event.h"
#include "output/csv.h"
#include "remote/rowbinary.h"

#define INTEGER EVENT_TABLE_INTEGER
#define TEXT    EVENT_TABLE_TEXT

/* The table is an interface: columns are only ever added at its end. */
const struct event_table_column event_table_columns[] = {
    {"trace", TEXT, false, "", "name of the trace"},
    {"number", INTEGER, false, "", "place of the event in the trace, from 1, in order of time"},
    {"time", INTEGER, false, "clock", "since the start of the trace"},
    {"wall_clock", INTEGER, true, "ns", "since 1970 UTC; of traces that tell date and time"},
    {"duration", INTEGER, true, "clock", "of a call; of an I/O from issue to completion"},
    {"self", INTEGER, true, "clock", "of a span: its duration without the calls it made itself"},
    {"cpu_duration", INTEGER, true, "clock", "of a span: its duration by the thread's CPU clock"},
    {"cpu_self", INTEGER, true, "clock", "of a span: cpu_duration without the calls it made"},
    {"response", INTEGER, true, "clock", "of an I/O: from asking (Q) to completion (C)"},
    {"kind", TEXT, false, "", "of the operation: action (a step of an I/O), syscall, function, …"},
    {"operation", TEXT, false, "", "what was done: C (an I/O completed), read, a function's name"},
    {"operation_code", INTEGER, true, "", "the number behind it"},
    {"component", TEXT, true, "", "component or class of it; of a result its unit"},
    {"class", TEXT, true, "", "of an I/O: read, readsync, write, writesync, flush, other"},
    {"block_type", TEXT, true, "", "of an I/O: none, data, journal, metadata, anonymous"},
    {"flags", TEXT, true, "", "further letters and causes of an I/O, marks of a span, by comma"},
    {"device", TEXT, true, "", "block device, MAJOR:MINOR"},
    {"partition", TEXT, true, "", "of an I/O; unmapped: it lies in none"},
    {"address", INTEGER, true, "place", "first sector of an I/O; of a call the offset in the file"},
    {"size", INTEGER, true, "bytes", "of the I/O; transferred by a read or write; of arguments"},
    {"value", INTEGER, true, "", "return value or error number; load and figures in millionths"},
    {"error", TEXT, true, "", "what a call failed with: ENOENT, …"},
    {"session", INTEGER, true, "", "boot, from 1; of a result which test"},
    {"pid", INTEGER, true, "", "process"},
    {"tid", INTEGER, true, "", "thread"},
    {"process", TEXT, true, "", "name of the process, thread, application or test"},
    {"application", INTEGER, true, "", "the number behind that of an application"},
    {"issuer_pid", INTEGER, true, "", "of an I/O: process that dispatched it"},
    {"issuer_tid", INTEGER, true, "", "thread that dispatched it"},
    {"issuer", TEXT, true, "", "name of who dispatched it"},
    {"origin", TEXT, true, "", "what the process rests on: queued, issued, completed, unknown"},
    {"file", TEXT, true, "", "file, or what else it was done to"},
    {"file_type", TEXT, true, "", "type of the file, by the configuration"},
    {"inode", INTEGER, true, "", "of a file that tracetool map found by its blocks"},
    {"block_class", TEXT, true, "", "what its blocks hold, by the map: data, directory, …"},
    {"evidence", TEXT, true, "", "what the file rests on, by the map: image, journal, …"},
    {"parent", INTEGER, true, "", "number of the event that is the caller"},
    {"depth", INTEGER, true, "", "of nesting, from 0"},
    {"arguments", EVENT_TABLE_BYTES, true, "", "raw argument bytes"},
    {"source", TEXT, true, "", "of a call that copies: the file that it read"},
    {"source_address", INTEGER, true, "bytes", "the offset there"},
    {NULL, INTEGER, false, NULL, NULL},
};

/* --- their values -------------------------------------------------------------------------------
 */

/* Where the words of an event's numbers are, by kind of trace: views of the schema. */
static const char *view_of(enum trace_kind kind) {
    return kind == TRACE_IO ? "io" : kind == TRACE_SPANS ? "span" : NULL;
}

/* A column of that view; of other kinds it is NULL. */
static void append_word(const struct export_run *run, enum trace_kind kind, const char *column,
                        struct text *sql) {
    if (run->trace->trace->kind == kind) {
        text_append_format(sql, "v.%s, ", column);
    } else {
        text_append_string(sql, "NULL, ");
    }
}

/* The tables of the other columns. */
static void append_tables(const struct export_run *run, struct text *sql) {
    const char *view = view_of(run->trace->trace->kind);

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

/* In the order of the table above. ?1 is the trace's name as it is written, ?2 its first event, ?3
 * its start, ?4 its name. */
static void append_sql(const struct export_run *run, struct text *sql) {
    bool io = run->trace->trace->kind == TRACE_IO, spans = run->trace->trace->kind == TRACE_SPANS;

    text_append_format(sql, "SELECT ?1, e.id - ?2 + 1, e.time, ?3 + e.time, e.duration, %s, ",
                       spans ? "ifnull(e.self, e.duration)" : "NULL");
    append_word(run, TRACE_SPANS, "cpu_duration", sql);
    append_word(run, TRACE_SPANS, "cpu_self", sql);
    text_append_format(sql, "e.response, ifnull(n.kind, ''), ifnull(%s, ''), %s, %s, ",
                       export_name_sql(run, EXPORT_OPERATION),
                       export_name_sql(run, EXPORT_OPERATION_CODE),
                       export_name_sql(run, EXPORT_COMPONENT));
    append_word(run, TRACE_IO, "class", sql);
    append_word(run, TRACE_IO, "block_type", sql);
    text_append_string(sql, io || spans ? "v.flags, " : "NULL, ");
    text_append_string(sql, "(o.device >> 20) || ':' || (o.device & 1048575), ");
    append_word(run, TRACE_IO, "partition", sql);
    text_append_format(sql, "e.address, e.size, e.value, %s, a.session, a.pid, a.tid, %s, %s, ",
                       export_name_sql(run, EXPORT_ERROR), export_name_sql(run, EXPORT_PROCESS),
                       export_name_sql(run, EXPORT_APPLICATION_CODE));
    text_append_format(sql, io ? "i.pid, i.tid, %s, " : "NULL, NULL, NULL, ",
                       export_name_sql(run, EXPORT_ISSUER));
    append_word(run, TRACE_IO, "origin", sql);
    text_append_format(sql, "%s, o.type, o.inode, ", export_name_sql(run, EXPORT_FILE));
    append_word(run, TRACE_IO, "block_class", sql);
    append_word(run, TRACE_IO, "evidence", sql);
    text_append_format(sql, "e.parent - ?2 + 1, e.depth, %s, %s, e.source_address",
                       export_arguments_sql(run), export_name_sql(run, EXPORT_SOURCE));
    append_tables(run, sql);
}

static void bind(const struct export_run *run, sqlite3_stmt *rows) {
    const struct catalog_trace *trace = run->trace->trace;

    sqlite3_bind_text(rows, 1, run->trace_name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(rows, 2, trace->first_event);
    if (trace->start != EVENT_NONE && catalog_real_clock(trace)) {
        sqlite3_bind_int64(rows, 3, trace->start);
    }
    if (view_of(trace->kind) != NULL) {
        sqlite3_bind_text(rows, 4, trace->name, -1, SQLITE_STATIC);
    }
}

bool event_table_read(struct export_run *run,
                      bool (*take)(struct export_run *run, void *state, sqlite3_stmt *values,
                                   struct error *error),
                      void *state, struct error *error) {
    struct text sql = {0};
    sqlite3_stmt *rows;
    bool row = true, done;

    append_sql(run, &sql);
    rows = temp_schema_prepare_reading(run->temp, text_string(&sql), error);
    done = rows != NULL;
    if (done) {
        bind(run, rows);
    }
    while (done && (done = database_step(run->database, rows, &row, error)) && row) {
        run->written++;
        done = take(run, state, rows, error);
    }
    sqlite3_finalize(rows);
    text_free(&sql);
    return done;
}

/* --- what they are ------------------------------------------------------------------------------
 */

const char *event_table_unit(const struct event_table_column *column,
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

static void append_column(const struct event_table_column *column,
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

static bool write_columns(struct export_run *run, void *state, struct error *error) {
    struct text line = {0}, escaped = {0};
    bool done = export_print(run, error, "column,type,nullable,rowbinary,unit,meaning\n");

    (void)state;
    for (size_t i = 0; done && event_table_columns[i].name != NULL; i++) {
        append_column(&event_table_columns[i], run->trace->trace, &escaped, &line);
        done = export_text(run, &line, error);
    }
    text_free(&line);
    text_free(&escaped);
    return done;
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

void event_lines_heading(struct event_lines *lines) {
    text_clear(&lines->line);
    for (size_t i = 0; event_table_columns[i].name != NULL; i++) {
        text_append_format(&lines->line, "%s%s", i == 0 ? "" : ",", event_table_columns[i].name);
    }
    text_append_char(&lines->line, '\n');
}

void event_lines_row(struct event_lines *lines, sqlite3_stmt *values) {
    text_clear(&lines->line);
    for (int i = 0; event_table_columns[i].name != NULL; i++) {
        if (i > 0) {
            text_append_char(&lines->line, ',');
        }
        append_csv_value(lines, event_table_columns[i].type, values, i);
    }
    text_append_char(&lines->line, '\n');
}

void event_lines_free(struct event_lines *lines) {
    text_free(&lines->line);
    text_free(&lines->escaped);
}

/* --- the exporter -------------------------------------------------------------------------------
 */

static bool take_line(struct export_run *run, void *context, sqlite3_stmt *values,
                      struct error *error) {
    struct event_lines *lines = context;

    event_lines_row(lines, values);
    return export_text(run, &lines->line, error);
}

static bool end_lines(struct export_run *run, void *context, struct error *error) {
    struct event_lines *lines = context;

    event_lines_heading(lines);
    return export_text(run, &lines->line, error) && event_table_read(run, take_line, lines, error);
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
    .end = end_lines,
    .free = free_lines,
};

static void append_binary_value(const struct event_table_column *column, sqlite3_stmt *values,
                                int i, struct text *row) {
    bool null = sqlite3_column_type(values, i) == SQLITE_NULL;

    if (column->optional) {
        rowbinary_put_u8(row, null);
        if (null) {
            return;
        }
    }
    if (column->type == EVENT_TABLE_INTEGER) {
        rowbinary_put_u64(row, (uint64_t)sqlite3_column_int64(values, i));
    } else {
        const void *bytes = sqlite3_column_blob(values, i);

        rowbinary_put_text(row, bytes, (size_t)sqlite3_column_bytes(values, i));
    }
}

static bool take_row(struct export_run *run, void *state, sqlite3_stmt *values,
                     struct error *error) {
    struct text *row = state;

    for (int i = 0; event_table_columns[i].name != NULL; i++) {
        append_binary_value(&event_table_columns[i], values, i, row);
    }
    return export_text(run, row, error);
}

static bool end_rows(struct export_run *run, void *state, struct error *error) {
    return event_table_read(run, take_row, state, error);
}

static void free_row(void *state) {
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
    .free = free_row,
};

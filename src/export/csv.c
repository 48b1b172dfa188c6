/* The table of events (event_table.h) as CSV under a heading of the columns' names:
 *
 *     trace,number,time,wall_clock,…
 *     phone,1,145000,,…
 *
 * RFC 4180, but lines end as those of Unix do, and a record is always one line: control characters,
 * backslashes and invalid UTF-8 are escaped as in every CSV of the program. Nothing between two
 * commas is NULL, "" is an empty text. Bytes are hexadecimal digits. */
#include "export/event_lines.h"

#include <string.h>

#include "output/csv.h"

static void append_value(struct event_lines *lines, enum event_table_type type,
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
        append_value(lines, event_table_columns[i].type, values, i);
    }
    text_append_char(&lines->line, '\n');
}

void event_lines_free(struct event_lines *lines) {
    text_free(&lines->line);
    text_free(&lines->escaped);
}

/* --- the exporter -------------------------------------------------------------------------------
 */

static bool take(struct export_run *run, void *context, sqlite3_stmt *values, struct error *error) {
    struct event_lines *lines = context;

    event_lines_row(lines, values);
    return export_text(run, &lines->line, error);
}

static bool end(struct export_run *run, void *context, struct error *error) {
    struct event_lines *lines = context;

    event_lines_heading(lines);
    return export_text(run, &lines->line, error) && event_table_read(run, take, lines, error);
}

static void free_state(void *state) {
    event_lines_free(state);
}

const struct exporter csv_exporter = {
    .name = "csv",
    .description = "the events as one table, with texts for ids, as CSV: for Spark, Trino, DuckDB",
    .kinds = EVENT_TABLE_KINDS,
    .steps = true,
    .state_size = sizeof(struct event_lines),
    .end = end,
    .free = free_state,
};

/* Data quality on a page: records of the logs that were lost, rejected or left out. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "model/event.h"
#include "page/part.h"
#include "report/print.h"

static const struct column trace_columns[] = {
    {"trace", "", COLUMN_TEXT},       {"kind", "", COLUMN_TEXT},
    {"format", "", COLUMN_TEXT},      {"events", "", COLUMN_INTEGER},
    {"merged", "", COLUMN_INTEGER},   {"ignored", "", COLUMN_INTEGER},
    {"rejected", "", COLUMN_INTEGER}, {"lost", "", COLUMN_INTEGER},
    {"start", "", COLUMN_TEXT},       {"span", "ns", COLUMN_DURATION},
    {"device", "", COLUMN_TEXT},      {"user", "", COLUMN_TEXT},
};

#define TRACE_COLUMNS (sizeof trace_columns / sizeof trace_columns[0])

static struct value integer_value(int64_t integer) {
    struct value value = {0};

    if (integer != EVENT_NONE) {
        value = value_integer(integer);
    }
    return value;
}

/* Returns the time from a trace's first event to its last; NULL without a real clock. */
static struct value span_value(const struct catalog_trace *trace) {
    bool is_known = catalog_has_real_clock(trace) && trace->last_event >= trace->first_event;

    return integer_value(is_known ? trace->last_time - trace->first_time : EVENT_NONE);
}

static void quality_fill(const struct catalog_trace *trace, struct text *start,
                         struct value *values) {
    if (trace->start != EVENT_NONE) {
        clock_append(start, trace->start, trace->utc_offset == EVENT_NONE ? 0 : trace->utc_offset);
    }
    values[0] = value_text(trace->name);
    values[1] = value_text(trace_kind_words(trace->kind));
    values[2] = value_text(trace->format);
    values[3] = integer_value(trace->events);
    values[4] = integer_value(trace->merged);
    values[5] = integer_value(trace->ignored);
    values[6] = integer_value(trace->rejected);
    values[7] = integer_value(trace->lost);
    values[8] = value_text(text_string(start));
    values[9] = span_value(trace);
    values[10] = value_text(trace->device);
    values[11] = value_text(trace->user);
}

static bool quality_append_traces(struct page *page, struct error *error) {
    struct value *values = xcalloc(page->trace_count, TRACE_COLUMNS * sizeof *values);
    struct text *starts = xcalloc(page->trace_count, sizeof *starts);
    bool done;

    for (size_t i = 0; i < page->trace_count; i++) {
        quality_fill(page->traces[i], &starts[i], values + i * TRACE_COLUMNS);
    }
    done = page_append_rows(page, "Traces, and what became of the records of their logs", true,
                            trace_columns, TRACE_COLUMNS, values, page->trace_count, error);
    for (size_t i = 0; i < page->trace_count; i++) {
        text_free(&starts[i]);
    }
    free(starts);
    free(values);
    return done;
}

/* A table of database rows about the page's traces. */
struct listing {
    const char *title, *none; /* title: of the table; none: text if it has no rows (NULL: none) */
    const char *sql;          /* SQL in which `%s` is replaced by the trace ids in parentheses */
    struct column columns[6];
    size_t column_count;
};

/* SQL that sorts traces like catalog_sorted(). */
#define TRACE_ORDER "trace.start, ifnull(trace.device, ''), trace.name, trace.id"

static const struct listing listings[] = {
    {
        "Records not kept, and why",
        "Every record of the logs became an event.",
        /* If a trace has several files, the first one is shown. */
        "SELECT trace.name, outcome, reason, sum(count), first_offset, source.name, min(source.id)"
        " FROM ledger JOIN trace ON trace.id = ledger.trace JOIN source ON source.id = source"
        " WHERE ledger.trace IN %s AND outcome NOT IN ('split', 'no call') GROUP BY ledger.trace, "
        "outcome, reason"
        " ORDER BY " TRACE_ORDER ", outcome DESC, sum(count) DESC, reason",
        {
            {"trace", "", COLUMN_TEXT},
            {"outcome", "", COLUMN_TEXT},
            {"reason", "", COLUMN_TEXT},
            {"records", "", COLUMN_INTEGER},
            {"first_offset", "", COLUMN_INTEGER},
            {"log", "", COLUMN_TEXT},
        },
        6,
    },
    {
        "Remarks of the import",
        NULL,
        "SELECT trace.name, text FROM remark JOIN trace ON trace.id = trace"
        " WHERE trace IN %s ORDER BY " TRACE_ORDER ", number",
        {{"trace", "", COLUMN_TEXT}, {"remark", "", COLUMN_TEXT}},
        2,
    },
};

/* Returns the statement for a table; NULL with `error` set on failure. */
static sqlite3_stmt *quality_prepare(struct page *page, const char *sql, struct error *error) {
    const char *place = strstr(sql, "%s");
    struct text filled = {0};
    sqlite3_stmt *statement;

    text_append(&filled, sql, (size_t)(place - sql));
    /* Appends the ids of the page's traces, in parentheses. */
    for (size_t i = 0; i < page->trace_count; i++) {
        text_append_string(&filled, i == 0 ? "(" : ",");
        text_append_integer(&filled, page->traces[i]->id);
    }
    text_append_char(&filled, ')');
    text_append_string(&filled, place + 2);
    statement = database_prepare(page->request->workspace->database, text_string(&filled), error);
    text_free(&filled);
    return statement;
}

static bool quality_print(struct page *page, const struct listing *listing, sqlite3_stmt *statement,
                          struct error *error) {
    struct result result = {
        .report = "page",
        .title = listing->title,
        .clock_unit = "ns",
        .columns = listing->columns,
        .column_count = listing->column_count,
    };
    struct printer *printer = page_table_open(page, true);
    bool done =
        print_statement(page->request->workspace->database, statement, printer, &result, 0, error);

    return printer_close(printer, done, error);
}

static bool append_listing(struct page *page, const struct listing *listing, struct error *error) {
    struct database *database = page->request->workspace->database;
    sqlite3_stmt *statement = quality_prepare(page, listing->sql, error);
    bool row = false, done = statement != NULL && database_step(database, statement, &row, error);

    if (done && row) {
        sqlite3_reset(statement);
        done = quality_print(page, listing, statement, error);
    } else if (done && listing->none != NULL) {
        text_append_format(&page->out, "<p>%s</p>\n", listing->none);
    }
    sqlite3_finalize(statement);
    return done;
}

/* If the page contains names, appends a warning for readers who share it. */
static bool append_privacy(struct page *page, struct error *error) {
    sqlite3_stmt *statement = quality_prepare(
        page,
        "WITH t AS (SELECT id FROM trace WHERE id IN %s)"
        " SELECT 1 WHERE EXISTS (SELECT 1 FROM t JOIN object ON object.trace = t.id"
        " WHERE name NOT NULL) OR EXISTS (SELECT 1 FROM t JOIN actor ON actor.trace = t.id"
        " WHERE name NOT NULL)",
        error);
    bool row = false, done = statement != NULL && database_step(page->request->workspace->database,
                                                                statement, &row, error);

    if (row) {
        text_append_string(
            &page->out, "<p>This page holds names of files, processes or applications, which may "
                        "be personal unless they are pseudonyms (page --pseudonymise).</p>\n");
    }
    sqlite3_finalize(statement);
    return done;
}

bool page_append_quality(struct page *page, struct error *error) {
    bool done;

    text_append_string(&page->out, "<section id=\"quality\">\n"
                                   "<h2>Data quality</h2>\n");
    done = quality_append_traces(page, error);
    for (size_t i = 0; done && i < sizeof listings / sizeof listings[0]; i++) {
        done = append_listing(page, &listings[i], error);
    }
    done = done && append_privacy(page, error);
    text_append_string(&page->out, "</section>\n");
    return done;
}

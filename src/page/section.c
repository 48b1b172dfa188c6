/* A section of a page: one report, with its picture, its tables and where they come from. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fopencookie */
#endif
#include "page/part.h"

#include <stdlib.h>
#include <string.h>

#include "base/pack.h"
#include "output/html.h"
#include "report/report.h"

/* --- data ---------------------------------------------------------------------------------------
 */

static ssize_t take_data(void *context, const char *bytes, size_t size) {
    struct page_data *data = context;

    if (data->is_full || data->bytes.length + size > PAGE_DATA) {
        data->is_full = true;
        text_free(&data->bytes);
    } else {
        text_append(&data->bytes, bytes, size);
    }
    return (ssize_t)size;
}

FILE *page_data_open(struct page_data *data, struct error *error) {
    FILE *file = fopencookie(data, "w", (cookie_io_functions_t){.write = take_data});

    return file;
}

/* --- what stands below --------------------------------------------------------------------------
 */

static const char *const kinds[] = {
    [COLUMN_ANY] = "as its row says",
    [COLUMN_TEXT] = "text",
    [COLUMN_INTEGER] = "a whole number",
    [COLUMN_NUMBER] = "a number that names something",
    [COLUMN_REAL] = "a number",
    [COLUMN_SHARE] = "a share; in the data a fraction, of which 1 is all",
    [COLUMN_BYTES] = "an amount; in the data in bytes",
    [COLUMN_DURATION] =
        "a duration; in the data in whole nanoseconds, or units of the trace's clock",
    [COLUMN_TIME] = "a time since the start of the trace; in the data in seconds",
};

/* What a column holds, where that is known, and the form in which it does. */
static void append_meaning(struct text *out, const struct query *query,
                           const struct column *column) {
    const char *meaning = query_column_meaning(query, column->name);

    if (meaning != NULL) {
        html_append_string(out, meaning);
        text_append_string(out, " (");
    }
    text_append_string(out, kinds[column->kind]);
    if (column->unit[0] != '\0' &&
        (column->kind == COLUMN_INTEGER || column->kind == COLUMN_REAL)) {
        text_append_string(out, " of ");
        html_append_string(out, column->unit);
    }
    text_append_string(out, meaning != NULL ? ")" : "");
}

static void append_columns(struct text *out, const struct query *query) {
    text_append_string(out, "<details>\n<summary>What the columns hold</summary>\n<dl>\n");
    for (size_t i = 0; i < query->column_count; i++) {
        const struct query_column *column = &query->columns[i];

        if (query_column_is_hidden(column)) {
            continue;
        }
        text_append_string(out, "<dt>");
        html_append_string(out, column->column.name);
        text_append_string(out, "</dt><dd>");
        append_meaning(out, query, &column->column);
        text_append_string(out, "</dd>\n");
    }
    text_append_string(out, "</dl>\n");
    if (query->key[0] != '\0') {
        text_append_string(out, "<p>What tells rows apart: ");
        html_append_string(out, query->key);
        text_append_string(out, ".</p>\n");
    }
    text_append_string(out, "</details>\n");
}

static void append_sql(struct text *out, const struct query *query) {
    const struct text *sql = &query->source.text;

    text_append_string(out, "<details class=\"sql\">\n<summary>SQL: ");
    html_append_string(out, query->file);
    text_append_string(out, "</summary>\n<pre tabindex=\"0\">");
    html_append_text(out, text_string(sql), sql->length);
    text_append_string(out, "</pre>\n</details>\n");
}

/* As an address holds it: of other characters, their bytes in hex. Packed for a mail, that is a
 * third of what base64 is. */
static void append_address(struct text *out, const struct text *data) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_.~!*(),:;/@=$";
    const char *at = text_string(data), *end = at + data->length;

    while (at < end) {
        size_t run = strspn(at, plain);

        text_append(out, at, run);
        at += run;
        if (at < end) {
            text_append_format(out, "%%%02X", (unsigned)(unsigned char)*at++);
        }
    }
}

/* As a file of gzip's, which browsers save as it is; the page's script unpacks it first. */
static void append_packed(struct text *out, const struct text *data) {
    struct text packed = {0};

    pack_gzip(data->bytes, data->length, PACK_SMALL, &packed);
    text_append_base64(out, packed.bytes, packed.length);
    text_free(&packed);
}

static void append_data(struct text *out, const struct page_tail *tail) {
    const bool is_packed = tail->data.bytes.length > PAGE_PLAIN_DATA;

    if (tail->data.is_full) {
        text_append_format(out,
                           "<p class=\"more\">All rows are more than %d kB as TSV, and not in the "
                           "page; the command below prints them.</p>\n",
                           PAGE_DATA / 1024);
        return;
    }
    text_append_string(out, "<p class=\"data\"><a download=\"");
    page_append_id(out, tail->report);
    if (is_packed) {
        text_append_string(out, ".tsv.gz\" href=\"data:application/gzip;base64,");
        append_packed(out, &tail->data.bytes);
    } else {
        text_append_string(out, ".tsv\" href=\"data:text/tab-separated-values;charset=utf-8,");
        append_address(out, &tail->data.bytes);
    }
    text_append_string(out, "\">All rows as TSV");
    if (tail->rows >= 0) {
        text_append_format(out, " (%lld)", (long long)tail->rows);
    }
    text_append_string(out, is_packed ? "</a><span>, packed by gzip</span></p>\n" : "</a></p>\n");
}

void page_append_tail(struct page *page, struct page_tail *tail) {
    struct text *out = &page->out;

    append_data(out, tail);
    text_append_string(out, "<pre tabindex=\"0\">tracetool ");
    html_append_string(out, tail->command);
    html_append_string(out, page->request->words);
    text_append_string(out, "</pre>\n");
    for (size_t i = 0; i < tail->query_count; i++) {
        append_columns(out, tail->queries[i]);
        append_sql(out, tail->queries[i]);
    }
    text_append_string(out, "</section>\n");
    text_free(&tail->data.bytes);
}

void page_begin_section(struct page *page, const char *report, const char *title) {
    struct text *out = &page->out;

    text_append_string(out, "<section id=\"r-");
    page_append_id(out, report);
    text_append_string(out, "\">\n<h2>");
    html_append_string(out, title);
    text_append_string(out, "</h2>\n");
}

/* --- rows ---------------------------------------------------------------------------------------
 */

static void note_query(struct page_tail *tail, const struct query *query) {
    for (size_t i = 0; i < tail->query_count; i++) {
        if (tail->queries[i] == query) {
            return;
        }
    }
    if (tail->query_count < PAGE_QUERIES) {
        tail->queries[tail->query_count++] = query;
    }
}

/* All rows go into the data, the first ones into the table. */
static bool take_rows(struct report *report, struct printer *table, struct printer *data,
                      const struct page_tail *tail, int64_t *rows, struct error *error) {
    const struct value *values;
    bool done;

    *rows = 0;
    while ((done = report_row(report, &values, error)) && values != NULL) {
        if ((*rows < PAGE_ROWS && !printer_row(table, values, error)) ||
            (!tail->data.is_full && !printer_row(data, values, error))) {
            return false;
        }
        ++*rows;
    }
    return done;
}

static bool append_result(struct page *page, struct report *report, const struct result *result,
                          struct printer *data, struct page_tail *tail, struct error *error) {
    struct page_table table;
    int64_t rows = 0;
    bool done = page_table_begin(&table, error) && printer_begin(table.printer, result, error) &&
                printer_begin(data, result, error) &&
                take_rows(report, table.printer, data, tail, &rows, error) &&
                printer_end(table.printer, error) && printer_end(data, error);

    note_query(tail, report_query(report));
    tail->rows += rows;
    done = page_table_end(page, &table, !done, error) && done;
    if (done && rows == 0) {
        text_append_string(&page->out, "<p>It has no rows.</p>\n");
    } else if (done && rows > PAGE_ROWS) {
        text_append_format(&page->out, "<p class=\"more\">The first %d of %lld rows.</p>\n",
                           PAGE_ROWS, (long long)rows);
    }
    return done && page_flush(page, error);
}

static bool append_results(struct page *page, const struct report_request *request,
                           struct page_tail *tail, struct error *error) {
    struct report *report = report_open(page->request->workspace, request, error);
    FILE *file = report == NULL ? NULL : page_data_open(&tail->data, error);
    struct printer_options options = {.many = report != NULL && report_is_many(report)};
    struct printer *data =
        file == NULL ? NULL : printer_open(&printer_style_tsv, file, &options, error);
    const struct result *result;
    bool done = data != NULL;

    while (done && (done = report_next(report, &result, error)) && result != NULL) {
        done = append_result(page, report, result, data, tail, error);
    }
    report_close(report);
    if (data != NULL) {
        done = printer_close(data, !done, error) && done;
    }
    if (file != NULL) {
        fclose(file);
    }
    return done;
}

/* --- the section --------------------------------------------------------------------------------
 */

bool page_append_section(struct page *page, const char *report, struct error *error) {
    const struct report_request request = page_report(page, report);
    struct text command = {0}, caption = {0};
    struct page_tail tail = {.report = report};
    const struct query *query;
    size_t traces;
    int64_t events;
    bool done;

    query = page_query(page, &request, &traces, &events, error);
    if (query == NULL) {
        return error_context(error, "report %s", report);
    }
    text_append_format(&caption, "%s: of %zu trace%s with %lld events%s.", query->title, traces,
                       traces == 1 ? "" : "s", (long long)events,
                       page->request->words[0] != '\0' ? ", as chosen" : "");
    text_append_string(&command, "report ");
    text_append_word(&command, report);
    tail.command = text_string(&command);
    page_begin_section(page, report, query->title);
    done = (!page->request->has_plots ||
            page_append_report_picture(page, &request, query, text_string(&caption), error)) &&
           append_results(page, &request, &tail, error);
    if (done) {
        page_append_tail(page, &tail);
    } else {
        error_context(error, "report %s", report);
    }
    text_free(&tail.data.bytes);
    text_free(&caption);
    text_free(&command);
    return done;
}

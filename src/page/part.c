#include "page/part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/saturate.h"
#include "output/html.h"
#include "report/choose.h"

bool page_flush(struct page *page, struct error *error) {
    if (page->out.length > 0 &&
        fwrite(page->out.bytes, 1, page->out.length, page->file) != page->out.length) {
        return error_set(error, "cannot write the output: %s", strerror(errno));
    }
    page->written += (int64_t)page->out.length;
    text_clear(&page->out);
    return true;
}

void page_append_id(struct text *out, const char *report) {
    for (const char *at = report; *at != '\0'; at++) {
        if ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
            (*at >= '0' && *at <= '9') || *at == '-') {
            text_append_char(out, *at);
        } else {
            text_append_format(out, "_%02x", (unsigned)(unsigned char)*at);
        }
    }
}

bool page_append_absent(struct page *page, struct error *error) {
    if (!error->absent) {
        return false;
    }
    text_append_string(&page->out, "<p class=\"remark\">Left out: ");
    html_append_string(&page->out, error->message);
    text_append_string(&page->out, "</p>\n");
    *error = (struct error){0};
    return true;
}

/* --- tables -------------------------------------------------------------------------------------
 */

bool page_table_begin(struct page_table *table, struct error *error) {
    const struct printer_options options = {.is_fragment = true};

    *table = (struct page_table){.bytes = NULL};
    table->file = open_memstream(&table->bytes, &table->size);
    table->printer = printer_open(&printer_style_html, table->file, &options, error);
    return table->printer != NULL;
}

bool page_table_end(struct page *page, struct page_table *table, bool aborted,
                    struct error *error) {
    bool done = !aborted;

    if (table->printer != NULL) {
        done = printer_close(table->printer, aborted, error) && done;
    }
    fclose(table->file);
    if (done) {
        text_append(&page->out, table->bytes, table->size);
    }
    free(table->bytes);
    *table = (struct page_table){.bytes = NULL};
    return done;
}

bool page_append_rows(struct page *page, const char *title, const struct column *columns,
                      size_t column_count, const struct value *values, size_t row_count,
                      struct error *error) {
    const struct result result = {
        .report = "page",
        .title = title,
        .clock_unit = "ns",
        .columns = columns,
        .column_count = column_count,
    };
    struct page_table table;
    bool done = page_table_begin(&table, error) && printer_begin(table.printer, &result, error);

    for (size_t i = 0; done && i < row_count; i++) {
        done = printer_row(table.printer, values + i * column_count, error);
    }
    done = done && printer_end(table.printer, error);
    return page_table_end(page, &table, !done, error);
}

/* --- reports ------------------------------------------------------------------------------------
 */

struct report_request page_report(const struct page *page, const char *report) {
    struct report_request request = *page->request->common;

    request.report = report;
    return request;
}

const struct query *page_query(const struct page *page, const struct report_request *request,
                               size_t *traces, int64_t *events, struct error *error) {
    const struct workspace *workspace = page->request->workspace;
    const struct query *query = NULL;
    struct choice *choices = NULL;
    size_t count = 0;

    *traces = 0;
    *events = 0;
    if (choose(&workspace->catalog, workspace->queries, request, &choices, &count, error)) {
        query = choices[0].query;
        *traces = count;
    }
    for (size_t i = 0; query != NULL && i < count; i++) {
        add_saturated(events, choices[i].trace->events);
    }
    free(choices);
    return query;
}

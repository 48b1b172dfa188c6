#include "page/part.h"

#include <stdlib.h>

#include "output/html.h"
#include "report/choose.h"

void page_truncate(struct page *page, size_t length) {
    if (length < page->out.length) {
        page->out.length = length;
        page->out.bytes[length] = '\0';
    }
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

bool page_append_missing_data(struct page *page, struct error *error) {
    if (!error_is_of_data(error)) {
        return false;
    }
    text_append_string(&page->out, "<p class=\"remark\">Left out: ");
    html_append_string(&page->out, error->message);
    text_append_string(&page->out, "</p>\n");
    *error = (struct error){0};
    return true;
}

struct printer *page_table_open(struct page *page, bool has_caption) {
    const struct printer_options options = {.is_fragment = true,
                                            .no_caption = !has_caption,
                                            .fold = PAGE_FOLD,
                                            .memory = &page->memory};

    return printer_open(&printer_style_html, NULL, &options);
}

bool page_append_rows(struct page *page, const char *title, bool has_caption,
                      const struct column *columns, size_t column_count, const struct value *values,
                      size_t row_count, struct error *error) {
    const struct result result = {
        .report = "page",
        .title = title,
        .clock_unit = "ns",
        .columns = columns,
        .column_count = column_count,
    };
    struct printer *printer = page_table_open(page, has_caption);
    bool done = printer_begin(printer, &result, error);

    for (size_t i = 0; done && i < row_count; i++) {
        done = printer_row(printer, values + i * column_count, error);
    }
    return printer_close(printer, done && printer_end(printer, error), error);
}

struct report_request page_request_for_report(const struct page *page, const char *report) {
    struct report_request request = *page->request->common;

    request.report = report;
    request.by_trace |=
        page->trace_count > 1 && page->request->compare == NULL && request.group == GROUP_NONE;
    return request;
}

const struct query *page_find_query(const struct page *page, const struct report_request *request,
                                    struct error *error) {
    const struct workspace *workspace = page->request->workspace;
    const struct query *query = NULL;
    struct choice *choices = NULL;
    size_t count = 0;

    if (choose_reports(&workspace->catalog, workspace->queries, request, &choices, &count, error)) {
        query = choices[0].query;
    }
    free(choices);
    return query;
}

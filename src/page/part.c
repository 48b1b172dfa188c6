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

struct printer *page_table_open(struct page *page) {
    const struct printer_options options = {.is_fragment = true, .memory = &page->memory};

    return printer_open(&printer_style_html, NULL, &options);
}

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

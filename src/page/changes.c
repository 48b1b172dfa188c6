/* What changed between two traces: most of all, and by the reports that were named. */
#include "page/part.h"

#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "compare/overview.h"

/* One of the two ways to print a comparison. */
typedef bool print_function(struct workspace *workspace, const struct compare_request *request,
                            const struct printer_style *style, FILE *file,
                            const struct printer_options *options, struct error *error);

/* The first rows as a table. */
static bool append_table(struct page *page, struct compare_request request, print_function *print,
                         struct error *error) {
    const struct printer_options options = {.is_fragment = true};
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    bool done = file != NULL || error_no_memory(error);

    request.top = PAGE_ROWS;
    done = done &&
           print(page->request->workspace, &request, &printer_style_html, file, &options, error);
    if (file != NULL && fclose(file) != 0 && done) {
        done = error_no_memory(error);
    }
    if (done) {
        text_append(&page->out, bytes, size);
    }
    free(bytes);
    return done;
}

static bool take_data(struct page *page, struct compare_request request, print_function *print,
                      struct page_data *data, struct error *error) {
    const struct printer_options options = {.many = false};
    FILE *file = page_data_open(data, error);
    bool done;

    if (file == NULL) {
        return false;
    }
    request.top = 0;
    done = print(page->request->workspace, &request, &printer_style_tsv, file, &options, error);
    fclose(file);
    return done;
}

static bool append_comparison(struct page *page, const struct compare_request *request,
                              print_function *print, struct page_tail *tail, struct error *error) {
    bool done = append_table(page, *request, print, error) &&
                take_data(page, *request, print, &tail->data, error);

    tail->rows = -1;
    if (done) {
        page_append_tail(page, tail);
    }
    text_free(&tail->data.bytes);
    return done;
}

static void append_command(const struct page *page, const char *report, struct text *command) {
    text_append_string(command, "compare");
    for (int i = 0; i < 2; i++) {
        text_append_char(command, ' ');
        text_append_word(command, page->request->compare->sides[i].traces[0]);
    }
    if (report != NULL) {
        text_append_char(command, ' ');
        text_append_word(command, report);
    }
}

bool page_append_changes(struct page *page, struct error *error) {
    struct text command = {0};
    struct page_tail tail = {.report = "compare"};
    bool done;

    append_command(page, NULL, &command);
    tail.command = text_string(&command);
    text_append_string(&page->out, "<section id=\"changes\">\n"
                                   "<h2>What changed most</h2>\n");
    done = append_comparison(page, page->request->compare, compare_overview, &tail, error);
    page->out.failed = page->out.failed || command.failed;
    text_free(&command);
    return done;
}

/* Both traces in one picture. */
static bool append_pictures(struct page *page, const char *report, const struct query *query,
                            struct error *error) {
    const struct compare_request *compare = page->request->compare;
    const char *const traces[2] = {compare->sides[0].traces[0], compare->sides[1].traces[0]};
    struct report_request request = page_report(page, report);
    struct text caption = {0};
    bool done;

    request.traces = traces;
    request.trace_count = 2;
    request.by_trace = true;
    text_append_format(&caption, "%s of %s and %s.", query->title, traces[0], traces[1]);
    done = page_append_picture(page, &request, query, text_string(&caption), error);
    text_free(&caption);
    return done;
}

bool page_append_comparison(struct page *page, const char *report, struct error *error) {
    struct compare_request request = *page->request->compare;
    const struct query *query;
    struct page_tail tail = {.report = report};
    struct text command = {0};
    size_t traces;
    int64_t events;
    bool done;

    request.sides[0].report = request.sides[1].report = report;
    query = page_query(page, &request.sides[0], &traces, &events, error);
    if (query == NULL) {
        return error_context(error, "report %s", report);
    }
    append_command(page, report, &command);
    tail.command = text_string(&command);
    tail.queries[tail.query_count++] = query;
    page_begin_section(page, report, query->title);
    done = (!page->request->has_plots || append_pictures(page, report, query, error)) &&
           append_comparison(page, &request, compare_print, &tail, error);
    page->out.failed = page->out.failed || command.failed;
    text_free(&command);
    return done || error_context(error, "report %s", report);
}

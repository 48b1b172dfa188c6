/* What changed between two traces: most of all, and by the reports that were named. */
#include "page/part.h"

#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "compare/picture.h"
#include "output/flame_graph.h"

/* One of the two ways to print a comparison. */
typedef bool print_function(struct workspace *workspace, const struct compare_request *request,
                            const struct printer_style *style, FILE *file,
                            const struct printer_options *options, struct error *error);

/* The first rows as a table. */
static bool append_table(struct page *page, const struct compare_request *request,
                         print_function *print, struct error *error) {
    const struct printer_options options = {.is_fragment = true};
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    bool done =
        print(page->request->workspace, request, &printer_style_html, file, &options, error);
    fclose(file);
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

/* Rows of the data: what is neither empty nor a # line. */
static int64_t count_rows(const struct page_data *data) {
    const char *line = text_string(&data->bytes), *end;
    int64_t rows = 0;

    for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        rows += line[0] != '#' && line[0] != '\n';
    }
    return rows;
}

/* Whether rows are missing in the table. */
static void append_more(struct page *page, const struct page_tail *tail) {
    if (tail->data.is_full) {
        text_append_format(&page->out, "<p class=\"more\">The first rows, %d at most.</p>\n",
                           PAGE_ROWS);
    } else if (tail->rows > PAGE_ROWS) {
        text_append_format(&page->out, "<p class=\"more\">The first %d of %lld rows.</p>\n",
                           PAGE_ROWS, (long long)tail->rows);
    }
}

static bool append_comparison(struct page *page, const struct compare_request *request,
                              print_function *print, struct page_tail *tail, struct error *error) {
    bool done = append_table(page, request, print, error) &&
                take_data(page, *request, print, &tail->data, error);

    tail->rows = tail->data.is_full ? -1 : count_rows(&tail->data);
    if (done) {
        append_more(page, tail);
        page_append_tail(page, tail);
    }
    text_free(&tail->data.bytes);
    return done;
}

/* --- pictures -----------------------------------------------------------------------------------
 */

struct drawn {
    struct compare_request request;
    print_function *print;
};

static bool print_drawn(struct page *page, const struct page_picture *picture,
                        const struct printer_style *style, FILE *file,
                        const struct printer_options *options, struct error *error) {
    const struct drawn *drawn = picture->what;
    struct compare_request request = drawn->request;

    request.own_svg = style == &printer_style_flame_graph;
    return drawn->print(page->request->workspace, &request, style, file, options, error);
}

/* What `plot compare` draws. */
static bool append_joint(struct page *page, struct page_picture picture,
                         const struct compare_request *request, print_function *print,
                         struct error *error) {
    struct drawn drawn = {.request = *request, .print = print};

    drawn.request.picture = true;
    drawn.request.top = 0;
    picture.print = print_drawn;
    picture.what = &drawn;
    return page_append_picture(page, &picture, error);
}

/* Both traces as their own report draws them. */
static bool append_both(struct page *page, const char *report, const struct query *query,
                        const char *caption, struct error *error) {
    const struct compare_request *compare = page->request->compare;
    const char *const traces[2] = {compare->sides[0].traces[0], compare->sides[1].traces[0]};
    struct report_request request = page_report(page, report);

    request.traces = traces;
    request.trace_count = 2;
    request.by_trace = true;
    return page_append_report_picture(page, &request, query, caption, error);
}

static bool append_pictures(struct page *page, const struct compare_request *request,
                            const struct query *query, struct error *error) {
    const char *report = request->sides[0].report;
    const bool is_joint = compare_picture_exists(query);
    struct page_picture picture = {
        .name = report,
        .title = query->title,
        .is_flame_graph = compare_picture_is_of_trees(page->request->workspace->queries, report),
    };
    struct text caption = {0};
    bool done;

    text_append_format(&caption, "%s of %s and %s%s.", query->title, request->sides[0].traces[0],
                       request->sides[1].traces[0], is_joint ? ", compared" : "");
    picture.caption = text_string(&caption);
    done = !page->request->has_plots ||
           (is_joint ? append_joint(page, picture, request, compare_print, error)
                     : append_both(page, report, query, picture.caption, error));
    text_free(&caption);
    return done;
}

/* --- sections -----------------------------------------------------------------------------------
 */

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

static bool append_most(struct page *page, struct error *error) {
    const struct compare_request *compare = page->request->compare;
    struct page_picture picture = {.name = "compare", .title = "What changed most"};
    struct text caption = {0};
    bool done;

    text_append_format(&caption, "What changed most from %s to %s.", compare->sides[0].traces[0],
                       compare->sides[1].traces[0]);
    picture.caption = text_string(&caption);
    done =
        !page->request->has_plots || append_joint(page, picture, compare, compare_overview, error);
    text_free(&caption);
    return done;
}

/* As many rows as `compare` prints. Where no report can be made of both it says why. */
bool page_append_changes(struct page *page, struct error *error) {
    struct text command = {0};
    struct page_tail tail = {.report = "compare"};
    bool done;

    append_command(page, NULL, &command);
    tail.command = text_string(&command);
    text_append_string(&page->out, "<section id=\"changes\">\n"
                                   "<h2>What changed most</h2>\n");
    done = append_most(page, error) &&
           append_comparison(page, page->request->compare, compare_overview, &tail, error);
    if (!done && page_append_absent(page, error)) {
        text_append_string(&page->out, "</section>\n");
        done = true;
    }
    text_free(&command);
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
    done = append_pictures(page, &request, query, error);
    request.top = PAGE_ROWS;
    done = done && append_comparison(page, &request, compare_print, &tail, error);
    text_free(&command);
    return done || error_context(error, "report %s", report);
}

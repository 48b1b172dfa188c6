/* A picture of a section: drawn as `plot` would draw it, in the page itself. */
#include "page/part.h"

#include <stdlib.h>
#include <string.h>

#include "output/flame_graph.h"
#include "output/html.h"
#include "output/plot.h"
#include "output/svg_filter.h"
#include "report/print.h"

/* Of a PNG, in pixels. */
enum { PNG_WIDTH = 1200, PNG_HEIGHT = 800 };

/* A picture in memory; `error` says why there is none. */
static bool draw(struct page *page, const struct report_request *request, enum picture_kind kind,
                 bool is_flame_graph, struct text *picture, struct error *error) {
    struct plot_look look = {.width = 0};
    struct printer_options options = {.one_picture = true, .is_picture = true, .look = &look};
    const struct printer_style *style =
        is_flame_graph ? &printer_style_flame_graph : &printer_style_gnuplot;
    struct plot plot;
    bool done;

    if (kind == PICTURE_PNG) {
        look = (struct plot_look){.width = PNG_WIDTH, .height = PNG_HEIGHT};
    }
    if (!plot_begin_in_memory(&plot, kind, is_flame_graph, &look, error)) {
        return false;
    }
    done = print_report(page->request->workspace, request, style, plot.script, &options, error);
    return plot_take(&plot, !done, picture, error);
}

/* An SVG as the page takes it; `*fits`: it is small enough. */
static bool draw_svg(struct page *page, const struct report_request *request, bool is_flame_graph,
                     const struct svg_look *look, struct text *svg, bool *fits,
                     struct error *error) {
    struct text picture = {0};
    size_t dropped = 0;
    bool done = draw(page, request, PICTURE_SVG, is_flame_graph, &picture, error) &&
                svg_filter(text_string(&picture), picture.length, look, svg, &dropped, error);

    *fits = svg->length <= (is_flame_graph ? PAGE_FLAME : PAGE_SVG);
    text_free(&picture);
    return done;
}

static bool append_png(struct page *page, const struct report_request *request, const char *title,
                       struct error *error) {
    struct text picture = {0};
    bool done = draw(page, request, PICTURE_PNG, false, &picture, error);

    if (done) {
        text_append_format(&page->out, "<img width=\"%d\" height=\"%d\" alt=\"", PNG_WIDTH,
                           PNG_HEIGHT);
        html_append_string(&page->out, title);
        text_append_string(&page->out, "\" src=\"data:image/png;base64,");
        text_append_base64(&page->out, picture.bytes, picture.length);
        text_append_string(&page->out, "\">");
    }
    text_free(&picture);
    return done;
}

static bool append_drawn(struct page *page, const struct report_request *request,
                         const struct query *query, struct error *error) {
    struct text prefix = {0}, svg = {0};
    const bool is_flame_graph =
        query_set_is_flame_graph(page->request->workspace->queries, request->report);
    struct svg_look look = {.title = query->title, .keeps_titles = is_flame_graph};
    bool fits = false, done;

    text_append_string(&prefix, "p-");
    page_append_id(&prefix, request->report);
    look.prefix = text_string(&prefix);
    done = draw_svg(page, request, is_flame_graph, &look, &svg, &fits, error);
    if (done && fits) {
        text_append(&page->out, svg.bytes, svg.length);
    }
    text_free(&svg);
    text_free(&prefix);
    return done && (fits || append_png(page, request, query->title, error));
}

bool page_append_picture(struct page *page, const struct report_request *given,
                         const struct query *query, const char *caption, struct error *error) {
    struct report_request request = *given;
    struct error why = {0};
    const size_t begin = page->out.length;

    if (query->plot_text == NULL) {
        return true;
    }
    request.picture = true;
    request.say = NULL;
    text_append_string(&page->out, "<figure>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" "
                                   "aria-label=\"Picture of ");
    html_append_string(&page->out, request.report);
    text_append_string(&page->out, "\">\n");
    if (append_drawn(page, &request, query, &why)) {
        text_append_string(&page->out, "\n</div>\n<figcaption>");
        html_append_string(&page->out, caption);
        text_append_string(&page->out, "</figcaption>\n</figure>\n");
    } else if (!page->out.failed) {
        /* A report that cannot be drawn still has its table; one without rows says so there. */
        page->out.length = begin;
        page->out.bytes[begin] = '\0';
        if (strncmp(why.message, "there is nothing to draw", 24) == 0) {
            return true;
        }
        text_append_string(&page->out, "<p class=\"remark\">No picture: ");
        html_append_string(&page->out, why.message);
        text_append_string(&page->out, "</p>\n");
    }
    return !page->out.failed || error_no_memory(error);
}

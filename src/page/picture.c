/* A picture of a section: drawn as `plot` would draw it, in the page itself. */
#include "page/part.h"

#include <stdlib.h>
#include <string.h>

#include "output/flame_graph.h"
#include "output/html.h"
#include "output/plot.h"
#include "output/svg_filter.h"
#include "output/svg_shorten.h"
#include "report/print.h"

/* Of a PNG, in pixels. */
enum { PNG_WIDTH = 1200, PNG_HEIGHT = 800 };

/* A picture in memory; `error` says why there is none. */
static bool draw(struct page *page, const struct page_picture *picture, enum picture_kind kind,
                 struct text *drawn, struct error *error) {
    struct plot_look look = {.width = 0};
    struct printer_options options = {.one_picture = true, .is_picture = true, .look = &look};
    const bool own = picture->is_flame_graph && kind == PICTURE_SVG;
    const struct printer_style *style = own ? &printer_style_flame_graph : &printer_style_gnuplot;
    struct plot plot;
    bool done;

    if (kind == PICTURE_PNG) {
        look = (struct plot_look){.width = PNG_WIDTH, .height = PNG_HEIGHT};
    }
    if (!plot_begin_in_memory(&plot, kind, own, &look, error)) {
        return false;
    }
    done = picture->print(page, picture, style, plot.script, &options, error);
    return plot_take(&plot, !done, drawn, error);
}

/* An SVG as the page takes it, without `*dropped` parts; `*fits`: it is small enough. Flame graphs
 * are short already, and their script knows their parts. */
static bool draw_svg(struct page *page, const struct page_picture *picture, struct text *svg,
                     size_t *dropped, bool *fits, struct error *error) {
    struct text prefix = {0}, drawn = {0}, harmless = {0};
    struct svg_look look = {.title = picture->title, .keeps_titles = picture->is_flame_graph};
    struct text *filtered = picture->is_flame_graph ? svg : &harmless;
    bool done;

    text_append_string(&prefix, "p-");
    page_append_id(&prefix, picture->name);
    look.prefix = text_string(&prefix);
    done = draw(page, picture, PICTURE_SVG, &drawn, error) &&
           svg_filter(text_string(&drawn), drawn.length, &look, filtered, dropped, error);
    if (done && !picture->is_flame_graph) {
        svg_shorten(&harmless, svg);
        done = !svg->failed || error_no_memory(error);
    }
    *fits = svg->length <= (picture->is_flame_graph ? PAGE_FLAME : PAGE_SVG);
    text_free(&drawn);
    text_free(&harmless);
    text_free(&prefix);
    return done;
}

static bool append_png(struct page *page, const struct page_picture *picture, struct error *error) {
    struct text drawn = {0};
    bool done = draw(page, picture, PICTURE_PNG, &drawn, error);

    if (done) {
        text_append_format(&page->out, "<img width=\"%d\" height=\"%d\" alt=\"", PNG_WIDTH,
                           PNG_HEIGHT);
        html_append_string(&page->out, picture->title);
        text_append_string(&page->out, "\" src=\"data:image/png;base64,");
        text_append_base64(&page->out, drawn.bytes, drawn.length);
        text_append_string(&page->out, "\">");
    }
    text_free(&drawn);
    return done;
}

/* `*dropped`: how many parts of the picture are not in the page. */
static bool append_drawn(struct page *page, const struct page_picture *picture, size_t *dropped,
                         struct error *error) {
    struct text svg = {0};
    bool fits = false, done = draw_svg(page, picture, &svg, dropped, &fits, error);

    if (done && fits) {
        text_append(&page->out, svg.bytes, svg.length);
    } else if (done) {
        *dropped = 0;
        done = append_png(page, picture, error);
    }
    text_free(&svg);
    return done;
}

static void append_caption(struct page *page, const struct page_picture *picture, size_t dropped) {
    struct text *out = &page->out;

    text_append_string(out, "\n</div>\n<figcaption>");
    html_append_string(out, picture->caption);
    text_append_string(out, "</figcaption>\n</figure>\n");
    if (dropped > 0) {
        text_append_format(out,
                           "<p class=\"remark\">Left out of the picture: %zu element%s or "
                           "attribute%s that a page does not take.</p>\n",
                           dropped, dropped == 1 ? "" : "s", dropped == 1 ? "" : "s");
    }
}

bool page_append_picture(struct page *page, const struct page_picture *picture,
                         struct error *error) {
    struct error why = {0};
    const size_t begin = page->out.length;
    size_t dropped = 0;

    text_append_string(&page->out, "<figure>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" "
                                   "aria-label=\"Picture of ");
    html_append_string(&page->out, picture->name);
    text_append_string(&page->out, "\">\n");
    if (append_drawn(page, picture, &dropped, &why)) {
        append_caption(page, picture, dropped);
    } else if (!page->out.failed) {
        /* A report that cannot be drawn still has its table; one without rows says so there. */
        page->out.length = begin;
        page->out.bytes[begin] = '\0';
        if (why.absent) {
            *error = why;
            return false;
        }
        if (strncmp(why.message, "there is nothing to draw", 24) == 0) {
            return true;
        }
        if (strncmp(why.message, "gnuplot ", 8) == 0) {
            page->why_undrawn = page->undrawn == 0 ? why : page->why_undrawn;
            page->undrawn++;
        }
        text_append_string(&page->out, "<p class=\"remark\">No picture: ");
        html_append_string(&page->out, why.message);
        text_append_string(&page->out, "</p>\n");
    }
    return !page->out.failed || error_no_memory(error);
}

/* --- of a report --------------------------------------------------------------------------------
 */

static bool print_request(struct page *page, const struct page_picture *picture,
                          const struct printer_style *style, FILE *file,
                          const struct printer_options *options, struct error *error) {
    return print_report(page->request->workspace, picture->what, style, file, options, error);
}

bool page_append_report_picture(struct page *page, const struct report_request *given,
                                const struct query *query, const char *caption,
                                struct error *error) {
    struct report_request request = *given;
    const struct page_picture picture = {
        .name = request.report,
        .title = query->title,
        .caption = caption,
        .is_flame_graph =
            query_set_is_flame_graph(page->request->workspace->queries, request.report),
        .print = print_request,
        .what = &request,
    };

    request.picture = true;
    request.say = NULL;
    return query->plot_text == NULL || page_append_picture(page, &picture, error);
}
